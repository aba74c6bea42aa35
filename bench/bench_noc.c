// SPDX-License-Identifier: Apache-2.0
// What the NoC moves in a second of the host's processor time: core B of each tile issues one
// request after the other, of which the host has set up the registers, and has at most eight of
// them under way. Transfers and bytes with timing off and on. usage: bench_noc [THOUSANDS]   cycles
// of the chip a row; 5 Pages: NoC/MemoryMap.md, NoC/Counters.md.
#include "rig/riscv_rig.h"

#include <tessera/chip.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    INTERFACE = 0xffb20, // its page, NoC 0
    TARGET = 0x00,
    RETURN = 0x0c,
    TAG = 0x18,
    CONTROL = 0x1c,
    LENGTH = 0x20,
    COUNTERS = 0x200,
    READ = 0,
    WRITE = 2 | 1 << 4,                       // acknowledged
    BROADCAST = 2 | 1 << 4 | 1 << 5 | 1 << 8, // and its path reserved
    ACKNOWLEDGED = 1,                         // counters
    ANSWERED = 2,
    BASE = 5,
    ONE = 6,
    BUSY = 7,
    ISSUED = 8,
    LEFT = 9, // registers of the core
    MOST = 8, // requests under way
    PLACE = 0x20000
};

struct traffic {
    const char *what;
    unsigned control, counter;
    uint32_t bytes;
    bool one_tile;
};

static const struct traffic traffics[] = {
    {"writes of 32 bytes to the next tile", WRITE, ACKNOWLEDGED, 32, false},
    {"writes of 8 KiB to the next tile", WRITE, ACKNOWLEDGED, 8192, false},
    {"reads of 2 KiB from DRAM", READ, ANSWERED, 2048, false},
    {"2 KiB broadcast to each tile", BROADCAST, ACKNOWLEDGED, 2048, true},
};

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "bench_noc: %s\n", what);
    exit(1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// ---------------------------------------------------------------- a tile's request

struct place {
    unsigned x, y;
};

static void put(tsr_chip *chip, struct place tile, uint32_t offset, uint32_t value)
{
    check(tsr_chip_write(chip, tile.x, tile.y, ((uint64_t)INTERFACE << 12) + offset, &value, 4) ==
              TSR_OK,
          "a register of the interface");
}

// `to`: coordinates as the interface takes them.
static void put_address(tsr_chip *chip, struct place tile, uint32_t offset, uint32_t to)
{
    bool wormhole = tsr_chip_arch(chip) == TSR_WORMHOLE_B0;
    put(chip, tile, offset, PLACE);
    put(chip, tile, offset + 4, wormhole ? to << 4 : 0);
    if (!wormhole)
        put(chip, tile, offset + 8, to);
}

static uint32_t coordinates(struct place place)
{
    return place.x | place.y << 6;
}

static void start(tsr_chip *chip, struct place from, struct place to, const struct traffic *traffic)
{
    int32_t command = tsr_chip_arch(chip) == TSR_WORMHOLE_B0 ? 0x28 : 0x40;
    int32_t counter = COUNTERS + 4 * (int32_t)traffic->counter;
    const uint32_t words[] = {rv_u(RISCV_LUI, BASE, (uint32_t)INTERFACE << 12),
                              rv_i(RISCV_ADDI, ONE, 0, 1),
                              rv_i(RISCV_ADDI, ISSUED, 0, 1 - MOST),
                              rv_s(RISCV_SW, ONE, BASE, command),
                              rv_i(RISCV_LW, BUSY, BASE, command),
                              rv_b(RISCV_BNE, BUSY, 0, -4),
                              rv_i(RISCV_LW, LEFT, BASE, counter),
                              rv_b(RISCV_BLT, LEFT, ISSUED, -4),
                              rv_i(RISCV_ADDI, ISSUED, ISSUED, 1),
                              rv_jal(0, -24)};
    const struct place first = {1, 1}, last = {tsr_grid_columns(tsr_chip_arch(chip)) - 1,
                                               tsr_grid_rows(tsr_chip_arch(chip)) - 1};
    tsr_tile *tile = NULL;
    bool read = traffic->control == READ;
    uint32_t there =
        traffic->one_tile ? coordinates(first) << 12 | coordinates(last) : coordinates(to);
    put_address(chip, from, TARGET, coordinates(read ? to : from));
    put_address(chip, from, RETURN, read ? coordinates(from) : there);
    put(chip, from, TAG, 0);
    put(chip, from, CONTROL, traffic->control);
    put(chip, from, LENGTH, traffic->bytes);
    check(tsr_chip_write(chip, from.x, from.y, 0, words, sizeof words) == TSR_OK, "L1");
    check(tsr_chip_tile(chip, from.x, from.y, &tile) == TSR_OK &&
              tsr_core_start(tile, TSR_CORE_B, 0) == TSR_OK,
          "core B");
}

// ---------------------------------------------------------------- a chip's traffic

static unsigned nodes_of(tsr_arch arch, tsr_node_kind kind, struct place place[])
{
    unsigned count = 0;
    tsr_node_info node;
    for (unsigned y = 0; y < tsr_grid_rows(arch); y++)
        for (unsigned x = 0; x < tsr_grid_columns(arch); x++)
            if (tsr_node_at(arch, x, y, &node) == TSR_OK && node.kind == kind)
                place[count++] = (struct place){x, y};
    return count;
}

static uint64_t done(tsr_chip *chip, const struct place place[], unsigned count, unsigned counter)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t value = 0;
        tsr_chip_read(chip, place[i].x, place[i].y,
                      ((uint64_t)INTERFACE << 12) + COUNTERS + 4 * counter, &value, 4);
        sum += value;
    }
    return sum;
}

// Transfers a second.
static double measure(tsr_arch arch, const struct traffic *traffic, bool timing, uint64_t cycles)
{
    struct place place[256], dram[64];
    unsigned count = nodes_of(arch, TSR_NODE_TENSIX, place);
    unsigned drams = nodes_of(arch, TSR_NODE_DRAM, dram), senders = traffic->one_tile ? 1 : count;
    tsr_chip_options options = tsr_chip_options_default(arch);
    tsr_chip *chip = NULL;
    options.tile.timing = timing;
    check(tsr_chip_create(&options, &chip) == TSR_OK, "a chip");
    for (unsigned i = 0; i < senders; i++)
        start(chip, place[i], traffic->control == READ ? dram[i % drams] : place[(i + 1) % count],
              traffic);
    tsr_chip_clock(chip, 640);
    uint64_t before = done(chip, place, senders, traffic->counter);
    double begin = seconds();
    tsr_chip_clock(chip, cycles);
    double time = seconds() - begin;
    uint64_t after = done(chip, place, senders, traffic->counter);
    check(after > before, traffic->what);
    check(tsr_chip_finding_count(chip) == 0, "a finding");
    tsr_chip_destroy(chip);
    return (double)(after - before) / time;
}

static void print_row(tsr_arch arch, const struct traffic *traffic, uint64_t cycles)
{
    printf("%-14s %-36s", tsr_arch_name(arch), traffic->what);
    for (int timing = 0; timing < 2; timing++) {
        double best = 0;
        for (int round = 0; round < 3; round++) {
            double now = measure(arch, traffic, timing, cycles);
            best = now > best ? now : best;
        }
        printf("%s %7.1f thousand a second, %6.1f MB a second", timing ? "; timing on" : "",
               best * 1e-3, best * traffic->bytes * 1e-6);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    uint64_t thousands = argc > 1 ? strtoull(argv[1], NULL, 0) : 5;
    check(thousands > 0, "usage: bench_noc [THOUSANDS]");
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        for (size_t i = 0; i < sizeof traffics / sizeof traffics[0]; i++)
            print_row((tsr_arch)arch, &traffics[i], thousands * 1000);
    return 0;
}
