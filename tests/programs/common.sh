# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What the tests of programs share, to be read with `.`; TESSERA is the command.

# Ends the test as skipped where programs for the baby cores cannot be compiled.
needs_riscv_compiler()
{
    command -v riscv64-unknown-elf-gcc >/dev/null || {
        echo "no compiler for RISC-V"
        exit 77
    }
}

fail()
{
    echo "FAIL: $*"
    exit 1
}

# has FILE TEXT: the file holds that text.
has()
{
    grep -qF -- "$2" "$1" || fail "$1 lacks '$2': $(head -n 40 "$1")"
}

# refused STATUS SENTENCE OPTION…: `run` ends with that status and says one sentence, which holds
# that text.
refused()
{
    status=$1
    sentence=$2
    shift 2
    got=0
    timeout 60 "$TESSERA" run "$@" >out 2>err || got=$?
    [ "$got" = "$status" ] || fail "$*: exit status $got, $(cat err)"
    [ ! -s out ] || fail "$*: something was printed"
    [ "$(wc -l <err)" = 1 ] || fail "$*: $(cat err)"
    has err "$sentence"
}

# The library in BUILD_DIR, static or shared.
library()
{
    find "$BUILD_DIR" -maxdepth 1 -name 'libtessera.*' | sort | head -n 1
}

# sanitizer LIBRARY: the flags with which a program has to be built that loads or links it.
sanitizer()
{
    if nm "$1" 2>/dev/null | grep -q __asan_init; then echo -fsanitize=address,undefined; fi
}

# client_flags: what a client of the library needs.
client_flags()
{
    set -- "$(library)"
    echo "-I$SOURCE_DIR/include $1 -lpthread -Wl,-rpath,$BUILD_DIR $(sanitizer "$1")"
}
