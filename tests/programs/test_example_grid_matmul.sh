#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/grid_matmul: the product of sixteen tiles has the same bits as that of one on both chips,
# whatever the compiler's level, with timing and without, and with more host threads.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
export TESSERA
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
example=$SOURCE_DIR/examples/grid_matmul

same()
{
    if ! OUT=$work "$example/run_grid.sh" "$@" >"$work/report.txt" 2>&1; then
        cat "$work/report.txt"
        echo "FAIL: run_grid.sh $*"
        exit 1
    fi
}

same --findings-fail
LEVEL=-O0 same --findings-fail --timing on --json
grep -F '"cycles"' "$work/report.txt" >"$work/one.txt"
LEVEL=-O0 same --findings-fail --timing on --json --threads 2
grep -F '"cycles"' "$work/report.txt" >"$work/two.txt"
cmp "$work/one.txt" "$work/two.txt"

# A row that never comes: the report says which tiles wait for it.
sed -e '/programs:/,/write:/s/tiles: .*/tiles: 2-4,2-5/' "$work/bh/bh.yaml" >"$work/bh/short.yaml"
status=0
"$TESSERA" run --grid "$work/bh/short.yaml" --max-cycles 20000 >"$work/out" 2>"$work/err" ||
    status=$?
if [ $status != 1 ] || ! grep -q 'tile 3,3: ' "$work/out" ||
    ! grep -qF 'wait_for_tiles (grid_unpack.c:' "$work/out"; then
    cat "$work/out" "$work/err"
    echo "FAIL: a row that does not come: exit status $status"
    exit 1
fi
echo "the same bits"
