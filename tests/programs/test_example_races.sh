#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No alarm where nothing is wrong: the examples, on both chips, with timing off and on, and the
# tests' own compiled kernels complete with --races, and it finds nothing. What is wrong on purpose
# is found in test_waits.sh and test_pasted_waits.sh.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${CC:=cc}"
examples=$SOURCE_DIR/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
runs=0

# quiet NAME OPTION...: a run without a race, that looked for them.
quiet() {
    name=$1
    shift
    runs=$((runs + 1))
    code=0
    "$TESSERA" run "$@" --races --json > "$work/out" 2> "$work/err" || code=$?
    if [ $code != 0 ] || grep -q '"category": "race"' "$work/out" ||
        ! grep -q '"end": "idle"' "$work/out"; then
        echo "FAIL: $name $*: status $code"
        grep '"sentence"' "$work/out" || cat "$work/err"
        failures=$((failures + 1))
    fi
}

for arch in wh bh; do
    for timing in off on; do
        how="--arch $arch --timing $timing"
        quiet add "$examples/add/add.ttasm" $how --in "A=$examples/add/a.npy" \
            --in "B=$examples/add/b.npy" --out "C=$work/c.npy"
        quiet gelu "$examples/gelu/gelu.ttasm" $how --in "X=$examples/gelu/x.npy" \
            --out "Y=$work/y.npy"
        quiet matmul "$examples/matmul/matmul.ttasm" $how --in "A=$examples/matmul/left.npy" \
            --in "B=$examples/matmul/right.npy" --out "LOFI=$work/1.npy" \
            --out "HIFI2=$work/2.npy" --out "HIFI4=$work/4.npy"
        quiet tutorial "$examples/tutorial/pack_sum.ttasm" $how \
            --in "A=$examples/tutorial/ramp.npy" --in "B=$examples/tutorial/column.npy" \
            --out "C=$work/s.npy"
    done
done

if command -v riscv64-unknown-elf-gcc > /dev/null; then
    "$CC" -O1 -o "$work/array_tiles" "$examples/eltwise_c/array_tiles.c"
    "$work/array_tiles" pack "$examples/add/a.npy" "$work/a.bin"
    "$work/array_tiles" pack "$examples/add/b.npy" "$work/b.bin"
    for arch in wh bh; do
        "$examples/eltwise_c/build.sh" $arch "$work/$arch" > /dev/null
        elf=brisc=$work/$arch/brisc.elf,trisc0=$work/$arch/unpack.elf
        elf=$elf,trisc1=$work/$arch/math.elf,trisc2=$work/$arch/pack.elf
        for timing in off on; do
            quiet eltwise_c --elf "$elf" --arch $arch --timing $timing \
                --load "$work/a.bin@0x20000" --load "$work/b.bin@0x80000"
        done
    done
    # A race would change the exit status, which these tests look at.
    for kernels in run_elf noc_kernel; do
        TESSERA_RACES=1 sh "$SOURCE_DIR/tests/programs/test_$kernels.sh" > "$work/out" 2>&1 || {
            echo "FAIL: test_$kernels.sh, looking for races"
            grep -n 'race' "$work/out" || tail -n 5 "$work/out"
            failures=$((failures + 1))
        }
    done
fi
echo "$runs runs, $failures failures"
[ "$failures" = 0 ] && [ "$runs" -ge 16 ]
