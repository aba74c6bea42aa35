// SPDX-License-Identifier: Apache-2.0
// How fast a tile simulates: BF16 tiles of 32x32 through datacopy and add, and a stream of
// instructions that hardly do anything, on both chips, with timing off and on, with the best
// kernels and with the reference ones.
// usage: bench_tile [RUNS [WORD...]]   only the rows of the table that contain all the words
//
// All instructions come from thread 0. For every tile the program writes new base addresses, a new
// destination and the other context, as shipped kernels do. What arrives in L1 is checked.
// Pages: UNPACR_Regular.md, MOVA2D.md, ELWADD.md, PACR.md of each chip.
#include "tile_set_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 64, DATUMS = 1024, TILE_BYTES = 2 * DATUMS, TILE_UNITS = TILE_BYTES / 16 };
enum { INPUT_A = 0x10000, INPUT_B = 0x40000, OUTPUT = 0x80000 };
enum { FACE_DATUMS = DATUMS / 4 };

enum job { DATACOPY, ADD, FRONTEND, JOBS };
static const char *const job_names[JOBS] = {"datacopy", "add", "frontend"};

// ---------------------------------------------------------------- data

// Small integers, so that every sum is exact whatever the FPU rounds.
static uint16_t bf16_of(int value)
{
    float real = (float)value;
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static void fill(int *values, uint32_t seed)
{
    for (int i = 0; i < TILES * DATUMS; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (int)(seed >> 16 & 0xff) - 128;
    }
}

static void encode(uint8_t *bytes, const int *values)
{
    for (int i = 0; i < TILES * DATUMS; i++) {
        uint16_t datum = bf16_of(values[i]);
        bytes[2 * i] = (uint8_t)datum;
        bytes[2 * i + 1] = (uint8_t)(datum >> 8);
    }
}

struct data {
    int a[TILES * DATUMS], b[TILES * DATUMS];
    uint8_t bytes_a[TILES * TILE_BYTES], bytes_b[TILES * TILE_BYTES];
    uint8_t expected[JOBS][TILES * TILE_BYTES];
    uint8_t got[TILES * TILE_BYTES];
};

static struct data *make_data(void)
{
    struct data *data = calloc(1, sizeof *data);
    if (!data)
        fatal("no memory");
    fill(data->a, 1);
    fill(data->b, 2);
    encode(data->bytes_a, data->a);
    encode(data->bytes_b, data->b);
    memcpy(data->expected[DATACOPY], data->bytes_a, sizeof data->bytes_a);
    for (int i = 0; i < TILES * DATUMS; i++)
        data->a[i] += data->b[i];
    encode(data->expected[ADD], data->a);
    return data;
}

// ---------------------------------------------------------------- what happens for every tile

static void add_face(struct program *program, enum job job)
{
    static const char unpack[] = "UNPACR Unpack_block_selection=%d AddrMode=1 OvrdThreadId=1 "
                                 "SetDatValid=1 Last=1";
    program_add(program, unpack, 0);
    if (job == ADD) {
        program_add(program, unpack, 1);
        program_add(program, "ELWADD");
        program_add(program, "ELWADD");
        program_add(program, "SETRWC BitMask=3 clear_ab_vld=3");
    } else {
        program_add(program, "MOVA2D instr_mod=2");
        program_add(program, "MOVA2D instr_mod=2");
        program_add(program, "SETRWC BitMask=1 clear_ab_vld=1");
    }
}

// Addresses count units of 16 bytes, less one; bit 31 makes packers 1..3 relative (Wormhole).
static void add_tile(struct program *program, enum job job, uint32_t tile)
{
    bool wormhole = program->arch == TSR_WORMHOLE_B0, odd = tile & 1;
    uint32_t at = tile * TILE_UNITS;
    program_wrcfg(program,
                  odd ? "THCON_SEC0_REG3_Base_cntx1_address" : "THCON_SEC0_REG3_Base_address", 0,
                  INPUT_A / 16 + at - 1);
    if (job == ADD)
        program_wrcfg(program,
                      odd ? "THCON_SEC1_REG3_Base_cntx1_address" : "THCON_SEC1_REG3_Base_address",
                      1, INPUT_B / 16 + at - 1);
    program_wrcfg(program, "THCON_SEC0_REG1_L1_Dest_addr", 2,
                  (OUTPUT / 16 + at - 1) | (wormhole ? 1u << 31 : 0));
    program_setc16(program, "UNPACK_MISC_CFG_CfgContextOffset_0", odd ? 0x0101 : 0);
    program_add(program, "SETADCZW CntSetMask=3 BitMask=15");
    // The matrix unit must not overwrite what the packers have yet to read, nor they read early.
    program_add(program, "STALLWAIT stall_res=64 wait_res=%d", wormhole ? 0x78 : 0x08);
    program_add(program, "SETRWC BitMask=7");
    for (int face = 0; face < 4; face++)
        add_face(program, job);
    program_add(program, "STALLWAIT stall_res=4 wait_res=%d", wormhole ? 0x80 : 0x10);
    program_pack_tile(program);
}

static struct program make_pass(tsr_arch arch, enum job job)
{
    struct program program = program_new(arch);
    if (job == FRONTEND) {
        for (int i = 0; i < 2048; i++) {
            program_add(&program, "NOP");
            program_add(&program, "SETRWC BitMask=7");
        }
        return program;
    }
    for (uint32_t tile = 0; tile < TILES; tile++)
        add_tile(&program, job, tile);
    return program;
}

// ---------------------------------------------------------------- measuring

enum { MOST_RUNS = 99 };

struct result {
    double seconds;  // a pass, the median
    uint64_t cycles; // a pass
    uint64_t plans_made, plans_reused;
};

static tsr_tile *make_tile(tsr_arch arch, bool timing, const char *kernels, const struct data *data)
{
    tsr_tile *tile = bench_tile_new(arch, timing, kernels);
    tsr_l1_write(tile, INPUT_A, data->bytes_a, sizeof data->bytes_a);
    tsr_l1_write(tile, INPUT_B, data->bytes_b, sizeof data->bytes_b);
    configure_unpackers(tile, FORMAT_BF16, FACE_DATUMS);
    configure_matrix(tile, FORMAT_BF16, false);
    configure_packers(tile, FORMAT_BF16);
    struct program set_up = program_new(arch);
    set_up_thread(&set_up, FACE_DATUMS);
    feed(tile, set_up.words, set_up.count);
    finish(tile);
    program_free(&set_up);
    return tile;
}

static void check(const tsr_tile *tile, enum job job, struct data *data)
{
    if (job == FRONTEND)
        return;
    tsr_l1_read(tile, OUTPUT, data->got, sizeof data->got);
    for (size_t i = 0; i < sizeof data->got; i++)
        if (data->got[i] != data->expected[job][i])
            fatal("%s on %s: byte %zu of tile %zu is 0x%02x and should be 0x%02x", job_names[job],
                  tsr_arch_name(tsr_tile_arch(tile)), i % TILE_BYTES, i / TILE_BYTES, data->got[i],
                  data->expected[job][i]);
}

static struct result measure(tsr_tile *tile, const struct program *pass, enum job job,
                             struct data *data, int runs)
{
    static const uint8_t nothing[TILES * TILE_BYTES];
    struct result result = {0};
    double seconds[MOST_RUNS];
    int passes = (int)(0.02 / (time_passes(tile, pass, 1) + 1e-9)) + 1;
    for (int run = 0; run < runs; run++) {
        tsr_run_report before, after;
        tsr_l1_write(tile, OUTPUT, nothing, sizeof nothing);
        tsr_get_report(tile, &before);
        seconds[run] = time_passes(tile, pass, passes) / passes;
        tsr_get_report(tile, &after);
        check(tile, job, data);
        result.cycles = (after.cycles - before.cycles) / (uint64_t)passes;
        result.plans_made = after.plans_made;
        result.plans_reused = after.plans_reused;
    }
    result.seconds = median(seconds, runs);
    return result;
}

static void print_result(tsr_arch arch, enum job job, bool timing, const char *kernels,
                         const struct program *pass, const struct result *result)
{
    printf("%-14s %-9s %-6s %-10s", tsr_arch_name(arch), job_names[job], timing ? "on" : "off",
           kernels);
    if (job == FRONTEND)
        printf(" %9s %9s", "-", "-");
    else
        printf(" %9.0f %9.3f", TILES / result->seconds, 1e6 * result->seconds / TILES);
    printf(" %9.2f", 1e-6 * (double)pass->count / result->seconds);
    if (timing)
        printf(" %9.1f", (double)result->cycles / (job == FRONTEND ? 1.0 : TILES));
    else
        printf(" %9s", "-");
    printf(" %6llu %9llu\n", (unsigned long long)result->plans_made,
           (unsigned long long)result->plans_reused);
    fflush(stdout);
}

// A row of the table: what is measured and, once it is, how long a pass took.
struct row {
    tsr_arch arch;
    enum job job;
    bool timing;
    const char *kernels;
    double seconds; // 0: not chosen
};

#define ROWS_OF(chip)                                                                              \
    {chip, DATACOPY, false, "auto", 0}, {chip, DATACOPY, false, "reference", 0},                   \
        {chip, DATACOPY, true, "auto", 0}, {chip, ADD, false, "auto", 0},                          \
        {chip, ADD, false, "reference", 0}, {chip, ADD, true, "auto", 0},                          \
        {chip, FRONTEND, false, "auto", 0},                                                        \
    {                                                                                              \
        chip, FRONTEND, true, "auto", 0                                                            \
    }

static struct row rows[] = {ROWS_OF(TSR_WORMHOLE_B0), ROWS_OF(TSR_BLACKHOLE_A0)};
enum { ROWS = sizeof rows / sizeof *rows };

// Every word must be one of the row's.
static bool chosen(const struct row *row, char **words, int count)
{
    for (int i = 0; i < count; i++) {
        tsr_arch arch;
        bool fits = tsr_arch_from_name(words[i], &arch) == TSR_OK
                        ? arch == row->arch
                        : strcmp(words[i], job_names[row->job]) == 0 ||
                              strcmp(words[i], row->timing ? "on" : "off") == 0 ||
                              strcmp(words[i], row->kernels) == 0;
        if (!fits)
            return false;
    }
    return true;
}

static void bench(struct row *row, struct data *data, int runs)
{
    struct program pass = make_pass(row->arch, row->job);
    tsr_tile *tile = make_tile(row->arch, row->timing, row->kernels, data);
    struct result result = measure(tile, &pass, row->job, data, runs);
    print_result(row->arch, row->job, row->timing, row->kernels, &pass, &result);
    row->seconds = result.seconds;
    tsr_tile_destroy(tile);
    program_free(&pass);
}

// Each pair of rows that differ in their kernels alone.
static void print_ratios(void)
{
    for (int i = 0; i + 1 < ROWS; i++)
        if (strcmp(rows[i + 1].kernels, "reference") == 0 && rows[i].seconds > 0 &&
            rows[i + 1].seconds > 0)
            printf("%s %s, timing off: kernels auto are %.2f times as fast as reference\n",
                   tsr_arch_name(rows[i].arch), job_names[rows[i].job],
                   rows[i + 1].seconds / rows[i].seconds);
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 9;
    if (runs < 1 || runs > MOST_RUNS)
        fatal("usage: bench_tile [RUNS [WORD...]]; RUNS from 1 to %d", MOST_RUNS);
    struct data *data = make_data();
    printf("Medians of %d runs, in processor time; kernel sets of this build: %s. A pass has %d "
           "tiles, or 4096 instructions.\n\n",
           runs, tsr_kernel_sets(), TILES);
    printf("%-14s %-9s %-6s %-10s %9s %9s %9s %9s %6s %9s\n", "chip", "job", "timing", "kernels",
           "tiles/s", "us/tile", "Minstr/s", "cycles", "plans", "reused");
    for (int i = 0; i < ROWS; i++)
        if (chosen(&rows[i], argv + 2, argc - 2))
            bench(&rows[i], data, runs);
    putchar('\n');
    print_ratios();
    free(data);
    return 0;
}
