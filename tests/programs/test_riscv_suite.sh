#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The public riscv-tests on a core of each chip, timing off and on, where somebody has built them:
# $TESSERA_RISCV_TESTS is a folder with wh/*.elf and bh/*.elf, compiled with riscv_env/riscv_test.h
# for an entry at 0. Skipped without it. Known to fail are those of allowed_to_fail below, for what
# the pages rule out. Pages: BabyRISCV/README.md of each chip, BlackholeA0's InstructionSet.md.
set -eu
folder=${TESSERA_RISCV_TESTS:-}
if [ -z "$folder" ]; then
    echo "skipped: TESSERA_RISCV_TESTS names no folder with riscv-tests"
    exit 77
fi
# Unaligned accesses, LR and SC, FDIV and FSQRT, rounding modes, and the CSRs fflags and fcsr.
allowed_to_fail='*-ma_data|*-lrsc|*-fdiv|*-fcvt_w|*-move|*-fadd|*-fcmp|*-fmadd|*-fmin'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 passed=0 ruled_out=0

run() { # ARCH CORE FILE TIMING
    "$TESSERA" run --arch "$1" --elf "$2=$3" --timing "$4" --until 0x100000=1 \
        --max-cycles 4000000 >"$work/out" 2>&1
}

for file in "$folder"/wh/*.elf "$folder"/bh/*.elf; do
    [ -f "$file" ] || continue
    arch=$(basename "$(dirname "$file")")
    name=$(basename "$file" .elf)
    for timing in off on; do
        if run "$arch" trisc2 "$file" "$timing" && run "$arch" brisc "$file" "$timing"; then
            passed=$((passed + 1))
        elif eval "case \$name in $allowed_to_fail) ;; *) false ;; esac"; then
            ruled_out=$((ruled_out + 1))
        else
            echo "FAIL: $arch/$name, timing $timing"
            cat "$work/out"
            bad=$((bad + 1))
        fi
    done
done
echo "$passed passed, $ruled_out fail for what the pages rule out, $bad failed"
[ "$bad" = 0 ] && [ "$passed" -gt 0 ]
