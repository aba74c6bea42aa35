#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/ethernet_pingpong: two chips hand numbers to and fro over a link, by a host program and
# by a description, whatever the compiler's level, with timing and without, and after the same
# cycles with more host threads; a program that does not wait for them, or sends too little, has
# other numbers.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${BUILD_DIR:?}" "${CC:=cc}"
export CC TESSERA
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TESSERA_FLAGS=$(client_flags)
export TESSERA_FLAGS
example=$SOURCE_DIR/examples/ethernet_pingpong

runs()
{
    if ! "$example/run_pingpong.sh" "$@" >"$work/report" 2>&1 ||
        [ "$(grep -c 'all numbers are right' "$work/report")" != 2 ]; then
        cat "$work/report"
        echo "FAIL: run_pingpong.sh $*"
        exit 1
    fi
}

runs
LEVEL=-O0 runs timing
cp "$work/report" "$work/one"
LEVEL=-O0 runs timing threads
cmp "$work/one" "$work/report"

# described OPTION…: the report, without the line that says the options, stays in `report`.
described()
{
    if ! "$example/run_described.sh" "$@" >"$work/all" 2>&1 ||
        [ "$(grep -c 'all numbers are right' "$work/all")" != 2 ]; then
        cat "$work/all"
        echo "FAIL: run_described.sh $*"
        exit 1
    fi
    grep -v '^tessera run' "$work/all" >"$work/report"
}

described
cp "$work/report" "$work/one"
described --threads 2
cmp "$work/one" "$work/report"
described --timing on
cp "$work/report" "$work/one"
LEVEL=-O2 described --timing on --threads 2
cmp "$work/one" "$work/report"
LEVEL=-O0 described --timing on
grep -q 'right/1,1' "$work/report"

# fails SCRIPT: with the program changed by it.
fails()
{
    mkdir -p "$work/other"
    cp -r "$SOURCE_DIR/examples/common" "$work"
    cp "$example"/* "$work/other"
    sed -i "$1" "$work/other/ball.c"
    if cmp -s "$work/other/ball.c" "$example/ball.c"; then
        echo "FAIL: $1 changes nothing"
        exit 1
    fi
    if "$work/other/run_pingpong.sh" >"$work/report" 2>&1 ||
        ! grep -q 'NUMBERS ARE WRONG' "$work/report"; then
        cat "$work/report"
        echo "FAIL: numbers are right without: $1"
        exit 1
    fi
    if "$work/other/run_described.sh" >"$work/report" 2>&1 ||
        ! grep -q 'NUMBERS ARE WRONG\|ended in a deadlock' "$work/report"; then
        cat "$work/report"
        echo "FAIL: numbers of the description are right without: $1"
        exit 1
    fi
}

fails 's/wait_for_turn(turn - 1);/;/'
fails 's/TXQ_SIZE, BALL_BYTES/TXQ_SIZE, BALL_BYTES - 16/'
fails 's/TXQ_BASE + TXQ_CMD, L1_WRITE/TXQ_BASE + TXQ_CMD, 1/'
echo "the numbers went over"
