#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `run --chip --waits`: each tile's waits, threads' and cores' loads of counters of the NoC, with
# what they are for, as text and JSON, on both chips, the same with timing on and off.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Core B brings a buffer, waits, and uses it; it waits for another transaction, too, for nothing.
cat >brisc.c <<'C'
#include <tessera/kernel/noc.h>
#include <tessera/kernel/start.h>

enum { BUFFER = 0x40000, RESULT = 0x50000, DRAM = TT_NOC_XY(0, 0) };

int main(void)
{
    tt_set_starts();
    tt_release(TT_RESET_T1);
    tt_noc_read(0, 3, DRAM, 0x1000, BUFFER, 64);
    tt_noc_wait(0, 3); // for the buffer
    tt_store(RESULT, tt_load(BUFFER + 16));
    tt_noc_wait(0, 5); // for nothing
    return 0;
}
C

# The vector unit reads what the matrix unit writes.
cat >math.c <<'C'
#include <tessera/kernel/noc.h>
#include <tessera/kernel/start.h>

int main(void)
{
    TTI(ZEROACC, clear_mode(3));
    TTI(STALLWAIT, stall_res(p_stall_STALL_SFPU), wait_res(p_stall_MATH)); // for Dst
    TTI(SFPLOAD, lreg_ind(0), instr_mod0(0), dest_reg_addr(0));
    return 0;
}
C

fail()
{
    echo "FAIL: $*"
    cat out
    exit 1
}

for arch in wh bh; do
    case $arch in
    wh) chip=wormhole_b0 define=ARCH_WORMHOLE tiles='1,1 2,1' ;;
    *) chip=blackhole_a0 define=ARCH_BLACKHOLE tiles='1,2 2,2' ;;
    esac
    mkdir -p $arch/include/tessera/kernel
    cp "$SOURCE_DIR"/include/tessera/kernel/*.h $arch/include/tessera/kernel
    "$TESSERA" kernel-header --arch $arch >$arch/include/tessera/kernel/$chip.h
    for program in brisc:brisc math:trisc1; do
        "$TESSERA" kernel-header --arch $arch --linker-script "${program#*:}" >$arch/core.ld
        riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -ffreestanding -nostdlib \
            -D$define -I$arch/include -T $arch/core.ld \
            -o "$arch/${program%:*}.elf" "${program%:*}.c"
    done
    set --
    for tile in $tiles; do
        set -- "$@" --elf "$tile:brisc=$arch/brisc.elf,trisc1=$arch/math.elf"
    done
    for timing in off on; do
        "$TESSERA" run --chip $arch "$@" --timing $timing --waits >out || fail "$arch: status $?"
        ! grep -q ': race (' out || fail "$arch: races"
        for tile in $tiles; do
            for text in "math.c:7: thread 1: needed: STALLWAIT stall_res=p_stall.STALL_SFPU" \
                "brisc.c:11: core B: needed: load of NIU_MST_REQS_OUTSTANDING_ID(3) of NoC 0" \
                "brisc.c:13: core B: redundant: load of NIU_MST_REQS_OUTSTANDING_ID(5) of NoC 0"; do
                grep -qF "tile $tile: $text" out || fail "$arch, timing $timing: no '$tile: $text'"
            done
            without="without it: tile $tile: core B reads L1 from 0x40010 on, which the read"
            grep -qF "$without" out || fail "$arch, timing $timing: no '$without'"
        done
        sed -n '/^waits/,$s/ (1 time.*//p' out >waits-$timing
    done
    cmp waits-off waits-on || fail "$arch: timing changes what waits are for"
    "$TESSERA" run --chip $arch "$@" --waits --json >out || fail "$arch: --json: status $?"
    for tile in $tiles; do
        [ "$(grep -c "\"tile\": \"$tile\"" out)" = 3 ] || fail "$arch: JSON: not three of $tile"
    done
    grep -q '"instruction": "load of NIU_MST_REQS_OUTSTANDING_ID(5) of NoC 0"' out ||
        fail "$arch: JSON"
done
