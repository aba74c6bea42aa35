#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A kernel in C for baby cores and the NoC, with <tessera/kernel/noc.h>, on both chips, timing
# off and on, at two levels of optimisation: three tiles read DRAM, one broadcasts, all add to a
# word of the first. A host program of the C API starts them and looks.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${BUILD_DIR:?}" "${CC:=cc}"
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >kernel.c <<'C'
#include <tessera/kernel/noc.h>
#include <tessera/kernel/start.h>

enum { INPUT = 0x40000, SHARED = 0x48000, WORDS = 256, SUM = 0x50000, DONE = 0x50010, OLD = 0x50020,
       LOCK = 0x50030, FLAG = 0x50040, BOX = 0x50050 };
#ifdef ARCH_WORMHOLE
enum { X0 = 18, Y0 = 18, DRAM = TT_NOC_XY(16, 16) };
#else
enum { X0 = 1, Y0 = 2, DRAM = TT_NOC_XY(17, 12) };
#endif

// Which of the three tiles of a row this is.
int main(void)
{
    uint32_t me = (tt_noc_here(0) & 63) - X0, first = TT_NOC_XY(X0, Y0), noc = me & 1;
    if (tt_noc_here(0) != tt_noc_here(1))
        tt_store(BOX, 1);
    tt_noc_read(noc, 3, DRAM, 0x1000 + me * 4 * WORDS, INPUT, 4 * WORDS);
    tt_noc_wait(noc, 3);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < WORDS; i++)
        sum += tt_load(INPUT + 4 * i);
    tt_noc_fetch_add(noc, 1, first, SUM, OLD, sum);
    tt_noc_wait(noc, 1);
    tt_noc_increment(noc, first, DONE, 1);
    if (me == 0) {
        while (tt_load(DONE) != 3)
            tt_fence();
        tt_store(SHARED, tt_load(SUM));
        tt_fence();
        // To the others of the row on NoC 1, whose rectangles begin at the far corner.
        uint32_t before = tt_noc_acks(1);
        tt_noc_multicast(0, 1, 2, SHARED, TT_NOC_FROM(X0 + 2, Y0) | TT_NOC_XY(X0, Y0), SHARED, 4);
        tt_noc_wait_sent(1, 2);
        tt_noc_wait_acks(1, before, 2);
        tt_noc_clear(1, 2);
        tt_noc_compare_swap(0, 5, first, LOCK, OLD, 0, 7);
        tt_noc_wait(0, 5);
        tt_noc_swap(0, 5, first, FLAG, OLD, tt_load(LOCK) + 1);
        tt_noc_wait(0, 5);
        tt_noc_store(0, 5, TT_NOC_XY(X0 + 1, Y0), 0xffb2010c, 0x1234);
        tt_noc_wait(0, 5);
    } else {
        while (tt_load(SHARED) == 0)
            tt_fence();
        tt_store(BOX + 4, tt_load(SHARED));
    }
    tt_noc_write(noc, 4, INPUT, DRAM, 0x8000 + me * 4 * WORDS, 4 * WORDS);
    tt_noc_wait(noc, 4);
    tt_store(BOX + 8, 0x600d);
    return 0;
}
C

cat >host.c <<'C'
#include <tessera/chip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t word(tsr_chip *chip, unsigned x, unsigned y, uint64_t address)
{
    uint32_t value = 0;
    tsr_chip_read(chip, x, y, address, &value, 4);
    return value;
}

int main(int argc, char **argv)
{
    static unsigned char image[65536];
    static uint32_t input[3 * 256], output[3 * 256];
    tsr_arch arch = argc > 2 && strcmp(argv[1], "bh") == 0 ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0;
    unsigned y = arch == TSR_BLACKHOLE_A0 ? 2 : 1;
    tsr_chip_options options = tsr_chip_options_default(arch);
    options.tile.timing = strcmp(argv[2], "on") == 0;
    tsr_chip *chip = NULL;
    FILE *file = fopen(argv[3], "rb");
    size_t size = file ? fread(image, 1, sizeof image, file) : 0;
    uint32_t sum = 0;
    if (size == 0 || tsr_chip_create(&options, &chip) != TSR_OK)
        return 2;
    for (unsigned i = 0; i < 3 * 256; i++)
        sum += input[i] = i * 2654435761u;
    tsr_chip_write(chip, 0, 0, 0x1000, input, sizeof input);
    for (unsigned x = 1; x <= 3; x++) {
        static const uint32_t zero[0x40];
        tsr_tile *tile = NULL;
        tsr_chip_write(chip, x, y, 0, image, size);
        tsr_chip_write(chip, x, y, 0x50000, zero, sizeof zero);
        tsr_chip_write(chip, x, y, 0x48000, zero, 4);
        if (tsr_chip_tile(chip, x, y, &tile) != TSR_OK || tsr_core_start(tile, TSR_CORE_B, 0))
            return 2;
    }
    for (int i = 0; i < 2000 && word(chip, 1, y, 0x50058) != 0x600d; i++)
        tsr_chip_clock(chip, 1000);
    tsr_chip_clock(chip, 100000);
    int bad = word(chip, 1, y, 0x50000) != sum || word(chip, 1, y, 0x50030) != 7 ||
              word(chip, 1, y, 0x50040) != 8 || word(chip, 2, y, 0xffb2010c) != 0x1234;
    for (unsigned x = 1; x <= 3; x++)
        bad += word(chip, x, y, 0x50058) != 0x600d || word(chip, x, y, 0x50050) != 0 ||
               (x > 1 && word(chip, x, y, 0x50054) != sum);
    tsr_chip_read(chip, 0, 0, 0x8000, output, sizeof output);
    bad += memcmp(input, output, sizeof input) != 0;
    for (int i = 0; i < tsr_chip_finding_count(chip); i++) {
        tsr_chip_finding finding;
        tsr_chip_finding_at(chip, i, &finding);
        printf("%u-%u: %s: %s\n", finding.node.x, finding.node.y, finding.diagnostic->code,
               finding.diagnostic->sentence);
    }
    bad += tsr_chip_finding_count(chip);
    tsr_chip_destroy(chip);
    return bad != 0;
}
C
# shellcheck disable=SC2046
"$CC" -std=c17 -Wall -Wextra -Werror host.c $(client_flags) -o host

for arch in wh bh; do
    case $arch in
    wh) chip=wormhole_b0 define=ARCH_WORMHOLE ;;
    *) chip=blackhole_a0 define=ARCH_BLACKHOLE ;;
    esac
    mkdir -p $arch/include/tessera/kernel
    cp "$SOURCE_DIR"/include/tessera/kernel/*.h $arch/include/tessera/kernel
    "$TESSERA" kernel-header --arch $arch >$arch/include/tessera/kernel/$chip.h
    "$TESSERA" kernel-header --arch $arch --linker-script brisc >$arch/brisc.ld
    for level in -O2 -Os; do
        riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 $level -Wall -Wextra -Werror \
            -ffreestanding -nostdlib -D$define -I$arch/include -T $arch/brisc.ld \
            -o $arch/kernel.elf kernel.c
        riscv64-unknown-elf-objcopy -O binary -j .init -j .text -j .loader_init $arch/kernel.elf \
            $arch/kernel.bin
        for timing in off on; do
            ./host $arch $timing $arch/kernel.bin || {
                echo "FAIL: $arch, timing $timing, $level"
                exit 1
            }
        done
    done
done
echo "kernels reach each other over the NoC"
