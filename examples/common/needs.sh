# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034 # the scripts that read this use what it sets
# What a script of an example needs, to be read with `.`; `here` is the folder of the script.
# What is missing is said in one sentence.

missing()
{
    echo "$0: $*" >&2
    exit 1
}

# Sets `tessera`: TESSERA, or what `make build` has left, or a command that is installed.
needs_tessera()
{
    tessera=${TESSERA:-$here/../../build/tessera}
    [ -n "${TESSERA:-}" ] || [ -x "$tessera" ] || tessera=tessera
    tessera=$(command -v "$tessera") ||
        missing "there is no command ${TESSERA:-tessera}; 'make build' makes it, TESSERA names it"
    case $tessera in
    /*) ;;
    *) tessera=$PWD/$tessera ;;
    esac
}

# Sets `riscv_cc`: RISCV_CC, or Debian's compiler.
needs_riscv_compiler()
{
    riscv_cc=${RISCV_CC:-riscv64-unknown-elf-gcc}
    command -v "$riscv_cc" >/dev/null ||
        missing "there is no compiler $riscv_cc; 'make setup' installs one, RISCV_CC names another"
}

# Sets `flags`, with which a client finds the library: TESSERA_FLAGS, or those of what
# `ninja -C build tessera` has left, or pkg-config's.
needs_library()
{
    library=$here/../../build/libtessera.a
    if [ -n "${TESSERA_FLAGS:-}" ]; then
        flags=$TESSERA_FLAGS
    elif [ -e "$library" ]; then
        flags="-I$here/../../include $library -lpthread"
    elif command -v pkg-config >/dev/null && pkg-config --exists tessera; then
        flags=$(pkg-config --cflags --libs tessera)
    else
        missing "there is no library tessera; 'ninja -C build tessera' after 'make build' makes" \
            "it, 'make install' installs it, PKG_CONFIG_PATH or TESSERA_FLAGS say where it is"
    fi
}
