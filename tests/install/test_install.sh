#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `make install` puts below a prefix serves a client that uses CMake and one that uses
# pkg-config, with the static and with the shared library, also after the prefix has moved.
set -eu
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
mv "$work/first" "$work/static"
client "$work/static"
for chip in wormhole_b0/libttsim_wh blackhole_a0/libttsim_bh; do
    [ -s "$work/static/lib/tessera/$chip.so" ] || fail "no $chip.so"
    descriptor="$work/static/lib/tessera/$(dirname $chip)/soc_descriptor.yaml"
    [ -s "$descriptor" ] || fail "no $descriptor"
done
tool "$work/static"
for header in "$SOURCE_DIR"/include/tessera/*.h; do
    cmp "$header" "$work/static/include/tessera/$(basename "$header")"
done

quietly cmake -S "$SOURCE_DIR" -B "$work/shared-build" -G Ninja -DCMAKE_C_COMPILER="$CC" \
    -DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG=-O0
quietly cmake --build "$work/shared-build"
quietly cmake --install "$work/shared-build" --prefix "$work/shared"
client "$work/shared"
tool "$work/shared"
[ ! -e "$work/shared/lib/libtessera.a" ] || fail 'the shared build installs a static library'
readelf -d by_pkg_config | grep -q 'NEEDED.*libtessera\.so' || fail 'not linked to the shared one'
other=$(readelf -d "$work/shared/lib/libtessera.so" |
    awk '/NEEDED/ && !/\[(libc\.so|ld-linux)/ { print $NF }')
[ -z "$other" ] || fail "the library needs more than libc: $other"
echo "installed, found and run: static and shared, by CMake and by pkg-config"
