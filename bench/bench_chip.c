// SPDX-License-Identifier: Apache-2.0
// What a chip costs: to make one and to keep it empty; what a busy tile among idle ones, and all
// tiles with four busy cores each, execute in a second of the host's time with timing off, beside
// one tile alone; and what two host threads give. usage: bench_chip [MILLIONS]   instructions a
// row; 50 Pages: WormholeB0/README.md, BabyRISCV/README.md.
#include "rig/riscv_rig.h"

#include <tessera/chip.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { CORES = 4, PLACE = 0x10000, A = 10, B = 11, C = 12, D = 13, E = 14, COUNT = 16 };

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "bench_chip: %s\n", what);
    exit(1);
}

// Pages that the process has in memory.
static double mebibytes(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%ld %ld", &pages, &resident) != 2)
            resident = 0;
        fclose(file);
    }
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

// A loop that computes and never ends.
static void start(tsr_tile *tile, tsr_core core)
{
    uint32_t place = core == TSR_CORE_B ? 0 : PLACE + 0x1000 * (uint32_t)core;
    const uint32_t word[] = {rv_r(RISCV_ADD, A, A, B),          rv_r(RISCV_XOR, C, A, D),
                             rv_i(RISCV_SRLI, D, C, 3),         rv_r(RISCV_MUL, E, D, C),
                             rv_r(RISCV_SLTU, B, E, A),         rv_r(RISCV_ADD, B, B, E),
                             rv_i(RISCV_ADDI, COUNT, COUNT, 1), rv_jal(0, -28)};
    check(tsr_l1_write(tile, place, word, sizeof word) == TSR_OK, "write");
    check(tsr_core_start(tile, core, place) == TSR_OK, "start");
}

static tsr_chip *make_chip(tsr_arch arch, unsigned threads)
{
    tsr_chip_options options = tsr_chip_options_default(arch);
    tsr_chip *chip = NULL;
    options.threads = threads;
    check(tsr_chip_create(&options, &chip) == TSR_OK, "no chip");
    return chip;
}

// The first `count` tiles; returns how many there were.
static unsigned start_tiles(tsr_chip *chip, unsigned count)
{
    tsr_arch arch = tsr_chip_arch(chip);
    unsigned started = 0;
    for (unsigned y = 0; y < tsr_grid_rows(arch); y++)
        for (unsigned x = 0; x < tsr_grid_columns(arch); x++) {
            tsr_tile *tile = NULL;
            if (started == count || tsr_chip_tile(chip, x, y, &tile) != TSR_OK)
                continue;
            for (int core = 0; core < CORES; core++)
                start(tile, (tsr_core)core);
            started++;
        }
    return started;
}

static void print_empty(tsr_arch arch)
{
    double best = 1e9, before = mebibytes(), after = 0;
    for (int i = 0; i < 10; i++) {
        double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
        tsr_chip *chip = make_chip(arch, 1);
        double time = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
        best = time < best ? time : best;
        after = i == 0 ? mebibytes() : after;
        tsr_chip_destroy(chip);
    }
    tsr_chip *chip = make_chip(arch, 1);
    double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < 1000; i++)
        tsr_chip_clock(chip, 6400);
    double idle = (seconds(CLOCK_PROCESS_CPUTIME_ID) - begin) * 1e-3;
    tsr_chip_destroy(chip);
    printf("%-14s empty: made in %.2f ms, %.1f MiB; 6400 cycles in %.2f us\n", tsr_arch_name(arch),
           best * 1e3, after - before, idle * 1e6);
}

// What a tile costs that a host has written a word to.
static void print_touched(tsr_arch arch)
{
    tsr_chip *chip = make_chip(arch, 1);
    double before = mebibytes(), begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    uint32_t word = 1;
    int count = 0;
    for (unsigned y = 0; y < tsr_grid_rows(arch); y++)
        for (unsigned x = 0; x < tsr_grid_columns(arch); x++) {
            tsr_node_info info;
            check(tsr_node_at(arch, x, y, &info) == TSR_OK, "node");
            if (info.kind == TSR_NODE_TENSIX)
                count += tsr_chip_write(chip, x, y, 0, &word, sizeof word) == TSR_OK;
        }
    double time = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
    printf("%-14s each of %d tiles touched by a word: %.0f us, %.0f KiB\n", tsr_arch_name(arch),
           count, time / count * 1e6, (mebibytes() - before) / count * 1024);
    tsr_chip_destroy(chip);
}

static double time_lone(tsr_arch arch, uint64_t cycles)
{
    tsr_options options = tsr_options_default(arch);
    tsr_tile *tile = NULL;
    options.cores = true;
    options.profile = TSR_PROFILE_SILICON;
    check(tsr_tile_create(&options, &tile) == TSR_OK, "no tile");
    for (int core = 0; core < CORES; core++)
        start(tile, (tsr_core)core);
    double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    tsr_run_cycles(tile, cycles);
    double time = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
    tsr_tile_destroy(tile);
    return time;
}

// `started` says how many tiles were busy, `processor` what the threads have used together; returns
// the elapsed time.
static double time_chip(tsr_arch arch, unsigned tiles, unsigned threads, uint64_t cycles,
                        unsigned *started, double *processor)
{
    tsr_chip *chip = make_chip(arch, threads);
    *started = start_tiles(chip, tiles);
    tsr_chip_clock(chip, 640);
    double begin = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID);
    tsr_chip_clock(chip, cycles / *started);
    double time = seconds(CLOCK_MONOTONIC) - begin;
    *processor = seconds(CLOCK_PROCESS_CPUTIME_ID) - used;
    tsr_chip_destroy(chip);
    return time;
}

struct best {
    double elapsed, processor;
};

static void try_chip(tsr_arch arch, unsigned tiles, unsigned threads, uint64_t cycles,
                     unsigned *started, struct best *best)
{
    double processor, elapsed = time_chip(arch, tiles, threads, cycles, started, &processor);
    best->elapsed = elapsed < best->elapsed ? elapsed : best->elapsed;
    best->processor = processor < best->processor ? processor : best->processor;
}

static void print_busy(tsr_arch arch, uint64_t instructions)
{
    uint64_t cycles = instructions / CORES;
    unsigned tiles;
    double lone = 1e9;
    struct best one = {1e9, 1e9}, all = one, two = one;
    for (int round = 0; round < 3; round++) {
        double now = time_lone(arch, cycles);
        lone = now < lone ? now : lone;
        try_chip(arch, 1, 1, cycles, &tiles, &one);
        try_chip(arch, UINT32_MAX, 1, cycles, &tiles, &all);
        try_chip(arch, UINT32_MAX, 2, cycles, &tiles, &two);
    }
    double million = (double)instructions * 1e-6;
    const char *name = tsr_arch_name(arch);
    printf("%-14s a tile alone: %.1f million instructions a second\n", name, million / lone);
    printf("%-14s one busy tile of the chip: %.1f (%.2f of that)\n", name, million / one.processor,
           lone / one.processor);
    printf("%-14s %u busy tiles: %.1f (%.2f)\n", name, tiles, million / all.processor,
           lone / all.processor);
    printf("%-14s two host threads: %.2f times as fast as one, with %.2f of its processor time\n",
           name, all.elapsed / two.elapsed, two.processor / all.processor);
}

int main(int argc, char **argv)
{
    uint64_t millions = argc > 1 ? strtoull(argv[1], NULL, 0) : 50;
    check(millions > 0, "usage: bench_chip [MILLIONS]");
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        print_empty((tsr_arch)arch);
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        print_touched((tsr_arch)arch);
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        print_busy((tsr_arch)arch, millions * 1000000);
    return 0;
}
