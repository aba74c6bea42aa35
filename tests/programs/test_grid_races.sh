#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/grid_matmul has no races, not even by the letter of the pages, on both chips, with timing
# and without. Without one of its waits it has, the same with timing and without, told with both
# tiles, cores, files and lines, and what is missing.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
export TESSERA
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/examples/grid_matmul"
cp -r "$SOURCE_DIR/examples/common" "$work/examples"
cp -r "$SOURCE_DIR/include" "$work"

# build ARCH [FILE SED]: the example, with one of its files changed.
build()
{
    cp "$SOURCE_DIR"/examples/grid_matmul/* "$work/examples/grid_matmul"
    if [ $# -gt 1 ]; then
        sed -i -E "$3" "$work/examples/grid_matmul/$2"
        if cmp -s "$work/examples/grid_matmul/$2" "$SOURCE_DIR/examples/grid_matmul/$2"; then
            echo "FAIL: $2 has nothing like $3"
            exit 1
        fi
    fi
    rm -rf "${work:?}/$1"
    mkdir "$work/$1"
    "$work/examples/grid_matmul/build_grid.sh" "$1" "$work/$1" 2>"$work/warnings"
    cp "$SOURCE_DIR/examples/grid_matmul/$1.yaml" "$SOURCE_DIR"/examples/matmul/*.npy "$work/$1"
}

# run ARCH STATUS [OPTION...]
run()
{
    arch=$1
    expected=$2
    shift 2
    status=0
    "$TESSERA" run --grid "$work/$arch/$arch.yaml" --races --max-cycles 100000 "$@" \
        >"$work/out" 2>"$work/err" || status=$?
    if [ $status != "$expected" ]; then
        cat "$work/out" "$work/err"
        echo "FAIL: $arch $*: exit status $status"
        exit 1
    fi
}

# without ARCH FILE SED TEXT...: each text is in the report.
without()
{
    chip=$1
    build "$1" "$2" "$3"
    shift 3
    for timing in off on; do
        run "$chip" 1 --timing $timing --policy silicon,unguaranteed-order=record
        for text in "$@"; do
            if ! grep -qF -e "$text" "$work/out"; then
                cat "$work/out"
                echo "FAIL: $chip, timing $timing: no '$text'"
                exit 1
            fi
        done
        # Which of the tiles is seen first is up to the run.
        grep -o 'race (race-noc): .*' "$work/out" |
            sed -E -e 's/ of tile [0-9]+-[0-9]+//g' \
                -e 's/^(.*) (reads|writes) (L1|DRAM).*which (.*) (reads|writes), .*/\1 \2, \4 \5/' |
            sed 's/.*): //' | sort -u >"$work/$timing.txt"
    done
    if ! cmp "$work/off.txt" "$work/on.txt"; then
        diff "$work/off.txt" "$work/on.txt" || :
        echo "FAIL: $chip: other races with timing on"
        exit 1
    fi
}

for arch in wh bh; do
    build "$arch"
    for timing in off on; do
        run "$arch" 0 --timing $timing --policy silicon,unguaranteed-order=record
        grep -qx 'findings: 0' "$work/out"
        run "$arch" 0 --timing $timing --threads 2
    done
    without $arch grid_feed.h '/tt_noc_read\(/{n;s/.*//;}' \
        'grid_brisc.c:32: race (race-noc): the write on NoC 0 of core B reads L1 from' \
        'other: grid_brisc.c:32: core B' \
        'missing: tt_noc_wait(0, 1): NIU_MST_REQS_OUTSTANDING_ID(1) of NoC 0 is 0'
    without $arch grid_brisc.c 's/^ *tt_wait_done\(2.*//' \
        'the write on NoC 0 of core B' "T2's PACR" 'and nothing orders the two.'
done

without wh grid_feed.h 's/^ *tt_noc_wait_acks.*//' \
    "T0's UNPACR reads L1 from 0x20000 on, which the write on NoC 0 of core B of tile 1-" \
    ': tile 1,' 'missing: tt_noc_wait_acks(0, before, receivers)'
without wh grid_unpack.c 's/^ *wait_for_tiles\(i.*//' \
    'grid_unpack.c:' 'and nothing orders the two.'
without wh grid_brisc.c 's/^ *tt_noc_wait\(0, id.*//' \
    'the host reads DRAM channel' 'missing: tt_noc_wait(0, 3)' 'noc_async_write_barrier'

# A store that is not read back before the NoC reads it: hardware is known to do well, and no page
# says so.
build wh grid_feed.h 's/^ *tt_wait_for.*//'
run wh 0
grep -qx 'findings: 0' "$work/out"
run wh 0 --policy silicon,unguaranteed-order=record
grep -q 'unguaranteed-noc): the write on NoC . of core .* reads L1 from 0x300.0 on' "$work/out"
grep -qF 'missing: tt_wait_for(tt_load(address))' "$work/out"
echo "clean, and each wait is missed"
