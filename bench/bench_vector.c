// SPDX-License-Identifier: Apache-2.0
// How fast the vector unit simulates, on both chips, with timing off and on, with the best kernels
// and with the reference ones: instructions of one kind and a mix, in millions a second; and gelu,
// exp, reciprocal and square root of a tile of 32x32 as tt-llk's kernels compute them, in tiles a
// second, beside a scalar loop of host floats that computes the same.
// usage: bench_vector [RUNS [WORD...]]   only the rows of the table that contain all the words
//
// All instructions come from thread 0, from the replay buffer. Wormhole wants a SFPNOP behind what
// the next instruction needs from the MAD sub-unit; it counts as an instruction. Results of the
// functions are compared with the host's. Pages: SFP*.md, VectorUnit.md, REPLAY.md.
#include "word_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE_ROWS = 64, DATUMS = 1024, VECTORS = DATUMS / 32, MOST_RUNS = 99, REPEATS = 400 };
enum { NEXT = 3 }; // the address modifier that steps to the other columns, then to the next rows

struct work {
    const char *name;
    void (*constants)(struct program *program);
    void (*body)(struct program *program); // of 32 lanes
    float (*host)(float x);                // NULL: no function
    float low, high, tolerance;            // the range of x; of the result, relative
    bool blackhole_only;
};

// Of a body of 32 lanes, and how often it is in the replay buffer.
struct size {
    int words, times;
};

// ---------------------------------------------------------------- instructions

static void load_constant(struct program *program, unsigned lreg, uint32_t bits)
{
    program_add(program, "SFPLOADI lreg_ind=%u instr_mod0=10 imm16=%u", lreg, bits & 0xffffu);
    program_add(program, "SFPLOADI lreg_ind=%u instr_mod0=8 imm16=%u", lreg, bits >> 16);
}

static void set_constant(struct program *program, unsigned lreg, uint32_t bits)
{
    load_constant(program, 0, bits);
    program_add(program, "SFPCONFIG config_dest=%u", lreg);
    program_add(program, "SFPNOP");
}

static void settle(struct program *program)
{
    if (program->arch == TSR_WORMHOLE_B0)
        program_add(program, "SFPNOP");
}

// vd = va * vb + vc, for the next instruction.
static void mad(struct program *program, unsigned va, unsigned vb, unsigned vc, unsigned vd,
                unsigned modifier)
{
    program_add(program,
                "SFPMAD lreg_src_a=%u lreg_src_b=%u lreg_src_c=%u lreg_dest=%u "
                "instr_mod1=%u",
                va, vb, vc, vd, modifier);
    settle(program);
}

static void load(struct program *program, unsigned lreg)
{
    program_add(program, "SFPLOAD lreg_ind=%u instr_mod0=2", lreg);
}

// Behind the tile that was loaded, which stays.
static void store(struct program *program, unsigned lreg)
{
    program_add(program, "SFPSTORE lreg_ind=%u instr_mod0=2 sfpu_addr_mode=%d dest_reg_addr=%d",
                lreg, NEXT, TILE_ROWS);
}

static void numbers(struct program *program)
{
    for (unsigned lreg = 1; lreg < 8; lreg++)
        load_constant(program, lreg, 0x3f000000u + 0x123456u * lreg);
    load_constant(program, 0, 0x3f812345u);
}

// Sixteen instructions, none of which needs the one before it.
static void body_mad(struct program *program)
{
    for (unsigned i = 0; i < 16; i++)
        program_add(program, "SFPMAD lreg_src_a=%u lreg_src_b=1 lreg_src_c=2 lreg_dest=%u",
                    3 + i % 2, 5 + i % 3);
}

static void body_mul(struct program *program)
{
    for (unsigned i = 0; i < 16; i++)
        program_add(program, "SFPMUL lreg_src_a=%u lreg_src_b=1 lreg_src_c=9 lreg_dest=%u",
                    3 + i % 2, 5 + i % 3);
}

static void body_add(struct program *program)
{
    for (unsigned i = 0; i < 16; i++)
        program_add(program, "SFPADD lreg_src_a=10 lreg_src_b=%u lreg_src_c=2 lreg_dest=%u",
                    3 + i % 2, 5 + i % 3);
}

static void body_integers(struct program *program)
{
    for (unsigned i = 0; i < 4; i++) {
        program_add(program, "SFPIADD instr_mod1=5 imm12_math=3 lreg_c=1 lreg_dest=%u", 4 + i);
        program_add(program, "SFPAND lreg_c=2 lreg_dest=%u", 4 + i);
        program_add(program, "SFPSHFT instr_mod1=1 imm12_math=2 lreg_dest=%u", 4 + i);
        program_add(program, "SFPMOV lreg_c=3 lreg_dest=%u", 4 + i);
    }
}

static void body_move(struct program *program)
{
    for (unsigned i = 0; i < 8; i++) {
        load(program, i % 4);
        program_add(program, "SFPSTORE lreg_ind=%u instr_mod0=2 dest_reg_addr=%u", 4 + i % 4,
                    2 * i);
    }
}

// What a kernel of some size looks like: loads and stores, multiply-adds, integers, conditions.
static void body_mix(struct program *program)
{
    load(program, 0);
    program_add(program, "SFPMAD lreg_src_a=0 lreg_src_b=1 lreg_src_c=2 lreg_dest=3");
    program_add(program, "SFPMOV lreg_c=0 lreg_dest=4");
    program_add(program, "SFPMUL lreg_src_a=3 lreg_src_b=1 lreg_src_c=9 lreg_dest=5");
    program_add(program, "SFPSETCC lreg_c=4");
    program_add(program, "SFPMAD lreg_src_a=5 lreg_src_b=3 lreg_src_c=2 lreg_dest=6");
    program_add(program, "SFPENCC instr_mod1=10 imm12_math=3");
    program_add(program, "SFPEXEXP lreg_c=6 lreg_dest=7");
    program_add(program, "SFPSHFT instr_mod1=1 imm12_math=3 lreg_dest=7");
    program_add(program, "SFPADD lreg_src_a=10 lreg_src_b=6 lreg_src_c=5 lreg_dest=4");
    program_add(program, "SFPSETSGN instr_mod1=1 lreg_c=6 lreg_dest=6");
    program_add(program, "SFP_STOCH_RND instr_mod1=1 lreg_src_c=4 lreg_dest=4");
    program_add(program, "SFPSTORE lreg_ind=4 instr_mod0=2");
}

// ---------------------------------------------------------------- functions

static void gelu_constants(struct program *program)
{
    static const struct {
        unsigned lreg;
        uint32_t bits;
    } lines[] = {{1, 0x38e138f3}, {2, 0x38003852}, {4, 0xb12286d8},
                 {5, 0xb437b479}, {6, 0x7c00afa4}, {0, 0x37e7322b}};
    set_constant(program, 12, 0x3f000000u);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        load_constant(program, lines[i].lreg, lines[i].bits);
}

// x / 2 + a piecewise linear function of |x|.
static void gelu_body(struct program *program)
{
    load(program, 3);
    program_add(program, "SFPMUL lreg_src_a=3 lreg_src_b=12 lreg_src_c=9 lreg_dest=7");
    program_add(program, "SFPLUTFP32 lreg_dest=3 instr_mod1=2");
    settle(program);
    mad(program, 10, 7, 3, 3, 0);
    store(program, 3);
}

static float gelu_host(float x)
{
    static const float slopes[6] = {0.1928f, 0.4939f, 0.6189f, 0.6099f, 0.5402f, 0.5f};
    static const float offsets[6] = {-0.0001f, -0.1605f, -0.2797f, -0.2635f, -0.1194f, 0};
    float size = fabsf(x);
    int i = size < 0.5f ? 0 : size < 1 ? 1 : size < 1.5f ? 2 : size < 2 ? 3 : size < 3 ? 4 : 5;
    return 0.5f * x + (slopes[i] * size + offsets[i]);
}

static void exp_constants(struct program *program)
{
    set_constant(program, 12, 0x43b8aa3bu); // 256 / ln 2
    set_constant(program, 13, 0x46fde9a3u); // 32500.818
}

// The bits of the result, from exponent down: x / ln 2, shifted to its place.
static void exp_body(struct program *program)
{
    load(program, 0);
    mad(program, 12, 0, 13, 0, 0);
    program_add(program, "SFP_STOCH_RND instr_mod1=6 lreg_src_c=0 lreg_dest=0");
    program_add(program, "SFPSHFT instr_mod1=1 imm12_math=15 lreg_c=0 lreg_dest=0");
    store(program, 0);
}

static float exp_host(float x)
{
    uint32_t bits = (uint32_t)(x * 369.32993f + 32500.818f + 0.5f) << 15;
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

static void reciprocal_constants(struct program *program)
{
    set_constant(program, 12, 0x40000000u);
}

// An approximation and two steps of Newton, the second only where the first is no NaN.
static void reciprocal_body(struct program *program)
{
    load(program, 0);
    program_add(program, "SFPARECIP lreg_c=0 lreg_dest=1");
    mad(program, 0, 1, 12, 2, 2);
    mad(program, 2, 1, 9, 3, 1);
    program_add(program, "SFPSETCC lreg_c=2");
    mad(program, 0, 3, 12, 2, 2);
    mad(program, 2, 3, 9, 1, 1);
    program_add(program, "SFPENCC instr_mod1=10 imm12_math=3");
    store(program, 1);
}

static float reciprocal_host(float x)
{
    return 1 / x;
}

static void sqrt_constants(struct program *program)
{
    set_constant(program, 12, 0x5f0b3892u);
    set_constant(program, 13, 0x3ff20bf7u); // 1.89099
}

// An exponent halved as an integer, and one step that corrects it.
static void sqrt_body(struct program *program)
{
    load(program, 0);
    program_add(program, "SFPMOV lreg_c=0 lreg_dest=1");
    program_add(program, "SFPSHFT instr_mod1=1 imm12_math=4095 lreg_dest=1");
    program_add(program, "SFPIADD instr_mod1=6 lreg_c=12 lreg_dest=1");
    mad(program, 0, 1, 9, 2, 0);
    program_add(program, "SFPMOV instr_mod1=1 lreg_c=1 lreg_dest=1");
    mad(program, 1, 2, 13, 3, 0);
    mad(program, 2, 3, 9, 2, 0);
    store(program, 2);
}

static float sqrt_host(float x)
{
    uint32_t bits;
    float y, c;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x5f0b3892u - (bits >> 1);
    memcpy(&y, &bits, sizeof y);
    c = x * y;
    return c * (1.89099015f - y * c);
}

static const struct work works[] = {
    {"mad", numbers, body_mad, NULL, 1, 2, 0, false},
    {"mul", numbers, body_mul, NULL, 1, 2, 0, false},
    {"add", numbers, body_add, NULL, 1, 2, 0, false},
    {"integers", numbers, body_integers, NULL, 1, 2, 0, false},
    {"load-store", numbers, body_move, NULL, 1, 2, 0, false},
    {"mix", numbers, body_mix, NULL, 1, 2, 0, false},
    {"gelu", gelu_constants, gelu_body, gelu_host, -4, 4, 0.02f, false},
    {"exp", exp_constants, exp_body, exp_host, -4, 4, 0.01f, false},
    {"reciprocal", reciprocal_constants, reciprocal_body, reciprocal_host, 0.5f, 8, 0.01f, true},
    {"sqrt", sqrt_constants, sqrt_body, sqrt_host, 0.5f, 100, 0.01f, false},
};
enum { WORKS = sizeof works / sizeof *works };

// ---------------------------------------------------------------- a tile

static float inputs[DATUMS], outputs[DATUMS];

static uint32_t bf16_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & 0xffff0000u;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void set_up_thread(struct program *program)
{
    program_setc16(program, "ADDR_MOD_DST_SEC0_DestIncr", 0);
    program_setc16(program, "ADDR_MOD_DST_SEC3_DestIncr", 2);
    program_setc16(program, "ADDR_MOD_AB_SEC0_SrcAIncr", 0);
    program_setc16(program, "ADDR_MOD_AB_SEC3_SrcAIncr", 0);
    program_setc16(program, "DEST_TARGET_REG_CFG_MATH_Offset", 0);
    program_add(program, "SFPENCC instr_mod1=10 imm12_math=3");
    program_add(program, "SETRWC BitMask=7");
}

// x in each lane of 32: as many values as a vector has, and the same in all lanes.
static void put_inputs(struct program *program, const struct work *work)
{
    for (int vector = 0; vector < VECTORS; vector++) {
        float x = work->low + (work->high - work->low) * ((float)vector + 0.5f) / VECTORS;
        uint32_t bits = bf16_of(x);
        inputs[vector] = float_of(bits);
        program_add(program, "SFPLOADI lreg_ind=0 imm16=%u", bits >> 16);
        program_add(program, "SFPSTORE lreg_ind=0 instr_mod0=2 dest_reg_addr=%d", 2 * vector);
    }
}

// As often as the replay buffer holds it, by powers of two: so the vectors of a tile come out even.
static int repeats(size_t words)
{
    enum { REPLAY_WORDS = 32 };
    int times = 1;
    while (2 * (size_t)times * words <= REPLAY_WORDS)
        times *= 2;
    return times;
}

static void load_body(struct program *program, const struct work *work, struct size *size)
{
    struct program body = program_new(program->arch);
    work->body(&body);
    size->words = (int)body.count;
    size->times = repeats(body.count);
    for (int i = 1; i < size->times; i++)
        work->body(&body);
    program_add(program, "REPLAY load_mode=1 len=%d", (int)body.count);
    program_append(program, &body);
    program_free(&body);
}

static tsr_tile *make_tile(tsr_arch arch, bool timing, const char *kernels, const struct work *work,
                           struct size *size)
{
    tsr_tile *tile = bench_tile_new(arch, timing, kernels);
    struct program set_up = program_new(arch);
    set_up_thread(&set_up);
    put_inputs(&set_up, work);
    work->constants(&set_up);
    load_body(&set_up, work, size);
    feed(tile, set_up.words, set_up.count);
    finish(tile);
    program_free(&set_up);
    return tile;
}

// A tile through the function, or so many instructions of its kind.
static struct program make_pass(tsr_arch arch, const struct work *work, struct size size)
{
    struct program pass = program_new(arch);
    if (work->host)
        program_add(&pass, "SETRWC BitMask=7");
    for (int i = 0; i < (work->host ? VECTORS : REPEATS) / size.times; i++)
        program_add(&pass, "REPLAY len=%d", size.words * size.times);
    return pass;
}

static float datum_at(const tsr_tile *tile, int vector)
{
    tsr_dst_datums row;
    tsr_view_dst_datums(tile, false, TILE_ROWS + 4 * (vector / 2), &row);
    uint32_t stored = row.bits[vector % 2];
    return float_of((stored & 0x8000u) << 16 | (stored & 0xffu) << 23 |
                    (stored >> 8 & 0x7fu) << 16);
}

static void check(const tsr_tile *tile, const struct work *work)
{
    for (int vector = 0; vector < VECTORS; vector++) {
        float want = work->host(inputs[vector]), got = datum_at(tile, vector);
        if (fabsf(got - want) > work->tolerance * (fabsf(want) + 0.05f))
            fatal("%s of %g on %s is %g and should be %g", work->name, (double)inputs[vector],
                  tsr_arch_name(tsr_tile_arch(tile)), (double)got, (double)want);
    }
}

__attribute__((noinline)) static void host_tile(float (*function)(float))
{
    for (int i = 0; i < DATUMS; i++)
        outputs[i] = function(inputs[i % VECTORS]);
}

static double host_seconds(const struct work *work)
{
    enum { TILES = 200 };
    double best = 1e30;
    for (int round = 0; round < 5; round++) {
        double start = seconds_now();
        for (int i = 0; i < TILES; i++)
            host_tile(work->host);
        double seconds = (seconds_now() - start) / TILES;
        best = seconds < best ? seconds : best;
    }
    return best;
}

// ---------------------------------------------------------------- the table

static void bench(tsr_arch arch, bool timing, const char *kernels, const struct work *work,
                  int runs)
{
    struct size size;
    double seconds[MOST_RUNS];
    tsr_tile *tile = make_tile(arch, timing, kernels, work, &size);
    struct program pass = make_pass(arch, work, size);
    int passes = (int)(0.02 / (time_passes(tile, &pass, 1) + 1e-9)) + 1;
    if (work->host)
        check(tile, work);
    uint64_t before = tsr_cycle(tile);
    for (int run = 0; run < runs; run++)
        seconds[run] = time_passes(tile, &pass, passes) / passes;
    double vectors = work->host ? VECTORS : REPEATS, pass_seconds = median(seconds, runs);
    double cycles = (double)(tsr_cycle(tile) - before) / (passes * (double)runs);
    printf("%-14s %-10s %-6s %-10s %8.1f", tsr_arch_name(arch), work->name, timing ? "on" : "off",
           kernels, 1e-6 * vectors * size.words / pass_seconds);
    if (work->host)
        printf(" %10.0f %10.0f", 1 / pass_seconds, 1 / host_seconds(work));
    else
        printf(" %10s %10s", "-", "-");
    if (timing)
        printf(" %8.2f\n", cycles / (vectors * size.words));
    else
        printf(" %8s\n", "-");
    fflush(stdout);
    program_free(&pass);
    tsr_tile_destroy(tile);
}

static bool chosen(tsr_arch row_arch, bool timing, const char *kernels, const struct work *work,
                   char **words, int count)
{
    for (int i = 0; i < count; i++) {
        tsr_arch arch;
        bool fits = tsr_arch_from_name(words[i], &arch) == TSR_OK
                        ? arch == row_arch
                        : strcmp(words[i], work->name) == 0 ||
                              strcmp(words[i], timing ? "on" : "off") == 0 ||
                              strcmp(words[i], kernels) == 0;
        if (!fits)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    enum { MODES = 3 };
    int runs = argc > 1 ? atoi(argv[1]) : 5;
    if (runs < 1 || runs > MOST_RUNS)
        fatal("usage: bench_vector [RUNS [WORD...]]");
    printf("%-14s %-10s %-6s %-10s %8s %10s %10s %8s\n", "chip", "work", "timing", "kernels", "M/s",
           "tiles/s", "host", "cycles");
    for (int i = 0; i < 2 * WORKS * MODES; i++) {
        int mode = i % MODES; // auto, reference, auto with timing
        tsr_arch arch = i / (WORKS * MODES) ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0;
        const struct work *work = &works[i / MODES % WORKS];
        const char *kernels = mode == 1 ? "reference" : "auto";
        if ((!work->blackhole_only || arch == TSR_BLACKHOLE_A0) &&
            chosen(arch, mode == 2, kernels, work, argv + 2, argc > 2 ? argc - 2 : 0))
            bench(arch, mode == 2, kernels, work, runs);
    }
    return 0;
}
