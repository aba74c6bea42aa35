#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `make install` puts below a prefix serves a client that uses CMake and one that uses
# pkg-config, also after the prefix has moved: with the static library, and with the shared one in
# a build that has it (preset clang).
set -eu
kind=static
if grep -q '^BUILD_SHARED_LIBS:BOOL=ON' "$BUILD_DIR/CMakeCache.txt"; then
    kind=shared
fi
work=$(mktemp -d "$BUILD_DIR/install.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/client"
cd "$work/client"

cat >client.c <<'END'
#include <stdio.h>
#include <tessera/tessera.h>

int main(void)
{
    printf("version %s, status %d\n", tsr_version(), TSR_STOPPED);
    return 0;
}
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(client LANGUAGES C)
find_package(tessera ${WANTED} REQUIRED CONFIG)
add_executable(client client.c)
target_link_libraries(client PRIVATE tessera::tessera)
END
expected="version $VERSION, status 4"

fail()
{
    echo "FAIL: $*"
    exit 1
}

# quietly COMMAND…: shows what the command says only if it fails.
quietly()
{
    "$@" >log 2>&1 || { cat log; fail "$*"; }
}

configure_client()
{
    rm -rf build
    cmake -S . -B build -G Ninja -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$1" -DWANTED="$2"
}

# client PREFIX: both ways to find the library there, and only there.
client()
{
    quietly configure_client "$1" "$VERSION"
    grep -q "tessera_DIR:PATH=$1/" build/CMakeCache.txt || fail "found another tessera than $1"
    quietly cmake --build build
    result=$(LD_LIBRARY_PATH="$1/lib" ./build/client)
    [ "$result" = "$expected" ] || fail "CMake client of $1 prints: $result"
    if configure_client "$1" 99.0 >log 2>&1; then
        fail "the package answers to version 99.0"
    fi

    flags=$(PKG_CONFIG_LIBDIR="$1/lib/pkgconfig" pkg-config --cflags --libs tessera)
    # shellcheck disable=SC2086 # a list of flags
    quietly "$CC" -o by_pkg_config client.c $flags
    result=$(LD_LIBRARY_PATH="$1/lib" ./by_pkg_config)
    [ "$result" = "$expected" ] || fail "pkg-config client of $1 prints: $result"
    found=$(PKG_CONFIG_LIBDIR="$1/lib/pkgconfig" pkg-config --modversion tessera)
    [ "$found" = "$VERSION" ] || fail "pkg-config says version $found"
}

tool()
{
    [ -x "$1/bin/tessera" ] || fail "no command below $1"
    "$1/bin/tessera" --version | grep -qF "$VERSION" || fail "$1/bin/tessera --version"
    # Its pages and scripts lie where man and the shells look, and are those of this command.
    share=$1/share
    for chip in wormhole_b0 blackhole_a0; do
        "$1/bin/tessera" kernel-header --arch $chip |
            cmp - "$1/include/tessera/kernel/$chip.h" || fail "$chip.h"
        for core in brisc trisc0 trisc1 trisc2 ncrisc; do
            [ -s "$share/tessera/$chip/$core.ld" ] || fail "no script for $core of $chip"
        done
    done
    [ -s "$1/include/tessera/kernel/kernel.h" ] || fail "kernel.h"
    for page in $("$1/bin/tessera" man --list); do
        command=${page#tessera}
        # shellcheck disable=SC2086 # no word for tessera(1)
        "$1/bin/tessera" man ${command#-} | cmp - "$share/man/man1/$page.1" || fail "$page.1"
    done
    [ "$(ls "$share/man/man1" | wc -l)" = "$("$1/bin/tessera" man --list | wc -l)" ] ||
        fail "pages of no command: $(ls "$share/man/man1")"
    "$1/bin/tessera" completion bash | cmp - "$share/bash-completion/completions/tessera"
    "$1/bin/tessera" completion zsh | cmp - "$share/zsh/site-functions/_tessera"
    "$1/bin/tessera" completion fish | cmp - "$share/fish/vendor_completions.d/tessera.fish"
}

quietly cmake --install "$BUILD_DIR" --prefix "$work/first"
mv "$work/first" "$work/moved"
client "$work/moved"
tool "$work/moved"
for chip in wormhole_b0/libttsim_wh blackhole_a0/libttsim_bh; do
    [ -s "$work/moved/lib/tessera/$chip.so" ] || fail "no $chip.so"
    descriptor="$work/moved/lib/tessera/$(dirname $chip)/soc_descriptor.yaml"
    [ -s "$descriptor" ] || fail "no $descriptor"
    # Nothing that it needs lies outside of the prefix, but for the C library.
    missing=$(ldd "$work/moved/lib/tessera/$chip.so" | grep 'not found' || true)
    [ -z "$missing" ] || fail "$chip.so: $missing"
done
for header in "$SOURCE_DIR"/include/tessera/*.h; do
    cmp "$header" "$work/moved/include/tessera/$(basename "$header")"
done

if [ $kind = shared ]; then
    [ ! -e "$work/moved/lib/libtessera.a" ] || fail 'the shared build installs a static library'
    readelf -d by_pkg_config | grep -q 'NEEDED.*libtessera\.so' || fail 'not linked to the library'
    other=$(readelf -d "$work/moved/lib/libtessera.so" |
        awk '/NEEDED/ && !/\[(libc\.so|ld-linux)/ { print $NF }')
    [ -z "$other" ] || fail "the library needs more than libc: $other"
else
    [ ! -e "$work/moved/lib/libtessera.so" ] || fail 'the static build installs a shared library'
fi
echo "installed, found and run by CMake and by pkg-config: $kind"
