// SPDX-License-Identifier: Apache-2.0
// What three live threads cost: BF16 tiles of 32x32 through datacopy, add and a LoFi product, with
// unpackers, matrix unit and packers each on a thread of its own, as kernels run them, beside one
// thread that does all of it. The words come from one caller for each thread, in slices.
// usage: bench_alive [RUNS [WORD...]]   only the rows of the table that contain all the words
//
// For every tile thread 0 writes new base addresses and the other context, thread 1 waits for a
// half of Dst, and thread 2 for a half that is full: two semaphore steps and two waits a tile more
// than one thread needs. "one" is without them, so that they count as what three threads cost;
// "same" is one thread with all words of the three. What arrives in L1 must be the same. Pages:
// UNPACR_Regular.md, MVMUL.md, PACR.md of each chip, SEMWAIT.md, STALLWAIT.md.
#include "tile_set_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 64, DATUMS = 1024, TILE_BYTES = 2 * DATUMS, TILE_UNITS = TILE_BYTES / 16 };
enum { INPUT_A = 0x10000, INPUT_B = 0x40000, OUTPUT = 0x80000 };
enum { THREADS = 3, FULL_HALVES = 1, HALF_DST = 512 };
enum { BLOCK_SYNC = 2, BLOCK_PACK = 4, BLOCK_MATH = 64, BLOCK_CFG = 128 };

enum job { DATACOPY, ADD, LOFI, JOBS };
static const char *const job_names[JOBS] = {"datacopy", "add", "lofi"};

// Who runs what: all[0] alone, or a thread each.
struct work {
    tsr_arch arch;
    enum job job;
    bool alone;
    bool semaphores; // with those that three threads need
    struct program set_up[THREADS], pass[THREADS];
};

// ---------------------------------------------------------------- programs

static struct program *of(struct work *work, struct program *programs, int thread)
{
    return &programs[work->alone ? 0 : thread];
}

static void add_unpack(struct work *work, uint32_t tile)
{
    struct program *program = of(work, work->pass, 0);
    bool odd = tile & 1;
    uint32_t at = tile * TILE_UNITS;
    program_wrcfg(program,
                  odd ? "THCON_SEC0_REG3_Base_cntx1_address" : "THCON_SEC0_REG3_Base_address", 0,
                  INPUT_A / 16 + at - 1);
    if (work->job != DATACOPY)
        program_wrcfg(program,
                      odd ? "THCON_SEC1_REG3_Base_cntx1_address" : "THCON_SEC1_REG3_Base_address",
                      1, INPUT_B / 16 + at - 1);
    program_setc16(program, "UNPACK_MISC_CFG_CfgContextOffset_0", odd ? 0x0101 : 0);
    for (int unpacker = 0; unpacker < (work->job == DATACOPY ? 1 : 2); unpacker++)
        program_add(program, "UNPACR Unpack_block_selection=%d OvrdThreadId=1 SetDatValid=1 Last=1",
                    unpacker);
}

static void add_math(struct work *work, uint32_t tile)
{
    struct program *program = of(work, work->pass, 1);
    bool wormhole = work->arch == TSR_WORMHOLE_B0;
    if (!work->semaphores)
        program_add(program, "STALLWAIT stall_res=%d wait_res=%d", BLOCK_MATH,
                    wormhole ? 0x78 : 0x08);
    else
        program_add(program, "SEMWAIT sem_sel=%d wait_sem_cond=2 stall_res=%d", 1 << FULL_HALVES,
                    BLOCK_MATH);
    program_setc16(program, "DEST_TARGET_REG_CFG_MATH_Offset", tile % 2 * HALF_DST);
    program_add(program, "SETRWC BitMask=7");
    if (work->job == LOFI) {
        program_add(program, "ZEROACC clear_mode=2 %s=%u",
                    work->arch == TSR_WORMHOLE_B0 ? "dst" : "where", tile % 2);
        program_add(program, "REPLAY len=%d", MVMULS);
    }
    for (int block = 0; block < 8 && work->job != LOFI; block++)
        program_add(program, work->job == ADD ? "ELWADD" : "MOVA2D instr_mod=2");
    program_add(program, "SETRWC BitMask=3 clear_ab_vld=%d", work->job == DATACOPY ? 1 : 3);
    program_add(program, "STALLWAIT stall_res=%d wait_res=%d",
                work->semaphores ? BLOCK_SYNC : BLOCK_PACK, wormhole ? 0x80 : 0x10);
    if (work->semaphores)
        program_add(program, "SEMPOST sem_sel=%d", 1 << FULL_HALVES);
}

static void add_pack(struct work *work, uint32_t tile)
{
    struct program *program = of(work, work->pass, 2);
    bool wormhole = work->arch == TSR_WORMHOLE_B0;
    if (work->semaphores)
        program_add(program, "SEMWAIT sem_sel=%d wait_sem_cond=1 stall_res=%d", 1 << FULL_HALVES,
                    BLOCK_PACK);
    // Bit 31 makes packers 1..3 relative (Wormhole).
    program_wrcfg(program, "THCON_SEC0_REG1_L1_Dest_addr", 2,
                  (OUTPUT / 16 + tile * TILE_UNITS - 1) | (wormhole ? 1u << 31 : 0));
    program_add(program, "SETADCZW CntSetMask=4 BitMask=15");
    program_add(program, "SETADC CntSetMask=4 ChannelIndex=0 DimensionIndex=3 Value=%u", tile % 2);
    program_pack_tile(program);
    if (work->semaphores) {
        program_add(program, "STALLWAIT stall_res=%d wait_res=%d", BLOCK_SYNC,
                    wormhole ? 0x78 : 0x08);
        program_add(program, "SEMGET sem_sel=%d", 1 << FULL_HALVES);
    }
}

static struct work make_work(tsr_arch arch, enum job job, bool alone, bool semaphores)
{
    struct work work = {.arch = arch, .job = job, .alone = alone, .semaphores = semaphores};
    for (int thread = 0; thread < THREADS; thread++) {
        work.set_up[thread] = program_new(arch);
        work.pass[thread] = program_new(arch);
        if (!alone || thread == 0)
            set_up_thread(&work.set_up[thread], DATUMS);
    }
    if (job == LOFI)
        set_up_product(of(&work, work.set_up, 1));
    program_add(of(&work, work.set_up, 1), "SEMINIT sem_sel=%d init_value=0 max_value=2",
                1 << FULL_HALVES);
    for (uint32_t tile = 0; tile < TILES; tile++) {
        add_unpack(&work, tile);
        add_math(&work, tile);
        add_pack(&work, tile);
    }
    return work;
}

static void work_free(struct work *work)
{
    for (int thread = 0; thread < THREADS; thread++) {
        program_free(&work->set_up[thread]);
        program_free(&work->pass[thread]);
    }
}

// ---------------------------------------------------------------- feeding

// One caller for each thread: each pushes `slice` words, or as many as there is room for, then the
// tile runs until it needs more.
static void feed_slices(tsr_tile *tile, const struct program *programs, size_t slice)
{
    size_t at[THREADS] = {0};
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    for (bool left = true; left;) {
        bool pushed = false;
        left = false;
        for (int thread = 0; thread < THREADS; thread++) {
            const struct program *program = &programs[thread];
            size_t end = at[thread] + slice < program->count ? at[thread] + slice : program->count;
            while (at[thread] < end &&
                   tsr_push(tile, thread, program->words[at[thread]]) == TSR_OK) {
                at[thread]++;
                pushed = true;
            }
            left |= at[thread] < program->count;
        }
        tsr_end end = tsr_run(tile, &limits);
        if ((end != TSR_END_BLOCKED && end != TSR_END_IDLE) || (left && !pushed))
            finish(tile); // which says why
    }
}

static double time_slices(tsr_tile *tile, const struct work *work, size_t slice, int passes)
{
    double start = seconds_now();
    for (int i = 0; i < passes; i++)
        feed_slices(tile, work->pass, slice);
    finish(tile);
    return seconds_now() - start;
}

// ---------------------------------------------------------------- measuring

// One thread alone, the same with all words of three, and three.
enum { MOST_RUNS = 99, ONE = 0, SAME = 1, WAYS = 5 };
static const size_t slices[WAYS] = {64, 64, 64, 8, 1};

struct way {
    struct work work;
    tsr_tile *tile;
    double seconds[MOST_RUNS];
};

// Small integers, so that every sum is exact whatever the FPU rounds.
static void fill(uint8_t *bytes, uint32_t seed)
{
    for (int i = 0; i < TILES * DATUMS; i++) {
        seed = seed * 1664525u + 1013904223u;
        float real = (float)((int)(seed >> 16 & 7) - 4);
        uint32_t bits;
        memcpy(&bits, &real, sizeof bits);
        bytes[2 * i] = (uint8_t)(bits >> 16);
        bytes[2 * i + 1] = (uint8_t)(bits >> 24);
    }
}

static struct way make_way(tsr_arch arch, enum job job, bool timing, int number)
{
    static uint8_t bytes[TILES * TILE_BYTES];
    struct way way = {.work = make_work(arch, job, number <= SAME, number != ONE)};
    way.tile = bench_tile_new(arch, timing, "auto");
    fill(bytes, 1);
    tsr_l1_write(way.tile, INPUT_A, bytes, sizeof bytes);
    fill(bytes, 2);
    tsr_l1_write(way.tile, INPUT_B, bytes, sizeof bytes);
    configure_unpackers(way.tile, FORMAT_BF16, DATUMS);
    configure_matrix(way.tile, FORMAT_BF16, false);
    configure_packers(way.tile, FORMAT_BF16);
    const struct setting halves[] = {{"PCK0_ADDR_CTRL_ZW_REG_0_Wstride", 32 * HALF_DST}};
    configure(way.tile, halves, 1);
    feed_slices(way.tile, way.work.set_up, 1);
    finish(way.tile);
    return way;
}

// What way 0 left in L1 must be what each other one left.
static void compare(const struct way *ways)
{
    static uint8_t want[TILES * TILE_BYTES], got[TILES * TILE_BYTES];
    tsr_l1_read(ways[0].tile, OUTPUT, want, sizeof want);
    for (int i = 1; i < WAYS; i++) {
        tsr_l1_read(ways[i].tile, OUTPUT, got, sizeof got);
        if (memcmp(want, got, sizeof want) != 0)
            fatal("%s on %s: way %d leaves other bytes than one thread",
                  job_names[ways[i].work.job], tsr_arch_name(ways[i].work.arch), i);
    }
}

// All ways in turn, so that a busy machine slows them alike.
static void bench(tsr_arch arch, enum job job, bool timing, int runs)
{
    static struct way ways[WAYS];
    double seconds[WAYS];
    for (int i = 0; i < WAYS; i++)
        ways[i] = make_way(arch, job, timing, i);
    int passes = (int)(0.01 / (time_slices(ways[0].tile, &ways[0].work, 64, 1) + 1e-9)) + 1;
    for (int run = 0; run < runs; run++)
        for (int i = 0; i < WAYS; i++)
            ways[i].seconds[run] =
                time_slices(ways[i].tile, &ways[i].work, slices[i], passes) / passes;
    compare(ways);
    printf("%-14s %-9s %-6s", tsr_arch_name(arch), job_names[job], timing ? "on" : "off");
    for (int i = 0; i < WAYS; i++) {
        seconds[i] = median(ways[i].seconds, runs);
        printf(" %9.3f", 1e6 * seconds[i] / TILES);
        tsr_tile_destroy(ways[i].tile);
        work_free(&ways[i].work);
    }
    for (int i = SAME + 1; i < WAYS; i++)
        printf(" %8.2f", seconds[i] / seconds[ONE]);
    printf(" %8.2f\n", seconds[SAME + 1] / seconds[SAME]);
    fflush(stdout);
}

// Every word must be one of the row's.
static bool chosen(tsr_arch arch, enum job job, bool timing, char **words, int count)
{
    for (int i = 0; i < count; i++) {
        tsr_arch named;
        bool fits = tsr_arch_from_name(words[i], &named) == TSR_OK
                        ? named == arch
                        : strcmp(words[i], job_names[job]) == 0 ||
                              strcmp(words[i], timing ? "on" : "off") == 0;
        if (!fits)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 9;
    if (runs < 1 || runs > MOST_RUNS)
        fatal("usage: bench_alive [RUNS [WORD...]]; RUNS from 1 to %d", MOST_RUNS);
    printf("Medians of %d runs, in microseconds of processor time a tile. One thread does all, or "
           "three get their words in slices.\n\n",
           runs);
    printf("%-14s %-9s %-6s %9s %9s %9s %9s %9s   ratios to one, and of 3 x 64 to same\n", "chip",
           "job", "timing", "one", "same", "3 x 64", "3 x 8", "3 x 1");
    for (int arch = 0; arch < 2; arch++)
        for (int job = 0; job < JOBS; job++)
            for (int timing = 0; timing < 2; timing++)
                if (chosen((tsr_arch)arch, (enum job)job, timing, argv + 2, argc - 2))
                    bench((tsr_arch)arch, (enum job)job, timing, runs);
    return 0;
}
