// SPDX-License-Identifier: Apache-2.0
// How fast the vector unit's kernels compute whole LRegs of 32 lanes: nanoseconds for an
// instruction in each set that runs here, and how many millions a second the fastest does, measured
// in interleaved rounds. usage: bench_vector_kernels [ROUNDS]
//
// What is timed is compared with the reference first. Operands are ordinary numbers; a row says so
// where one of them is a constant that a set may look for. Pages: SFP*.md.
#include "interleave.h"
#include "word_program.h"

#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = TSR_VECTOR_LANES, REGS = 8, BURST = 200, ROUNDS = 15, SETS = 4 };

enum kind { LANEWISE, ALIKE, TABLE, LINES, MULTIPLY, ADD, SWAP, LOAD, STORE };

struct row {
    const char *name;
    enum kind kind;
    uint8_t op, modifier;
    uint32_t lanes;
};

static const struct row rows[] = {
    {"SFPMAD", LANEWISE, TSR_VECTOR_FMA, 0, ~0u},
    {"SFPMAD, operands from 1 to 2", ALIKE, TSR_VECTOR_FMA, 0, ~0u},
    {"SFPMAD, half of the lanes", LANEWISE, TSR_VECTOR_FMA, 0, 0x5a3c96f0u},
    {"SFPMUL (c = 0)", MULTIPLY, TSR_VECTOR_FMA, 0, ~0u},
    {"SFPADD (a = 1)", ADD, TSR_VECTOR_FMA, 0, ~0u},
    {"SFPLUT", TABLE, TSR_VECTOR_LUT, 4, ~0u},
    {"SFPLUT, one table", LINES, TSR_VECTOR_LUT, 4, ~0u},
    {"SFPLUTFP32, random bits", TABLE, TSR_VECTOR_LUTFP32, 2, ~0u},
    {"SFPLUTFP32, lines of gelu", LINES, TSR_VECTOR_LUTFP32, 2, ~0u},
    {"SFPMUL24", MULTIPLY, TSR_VECTOR_MUL24, 0, ~0u},
    {"SFPARECIP", LANEWISE, TSR_VECTOR_ARECIP, 0, ~0u},
    {"SFPCAST", LANEWISE, TSR_VECTOR_CAST, 0, ~0u},
    {"SFPSTOCHRND to BF16", LANEWISE, TSR_VECTOR_STOCH_RND, 1, ~0u},
    {"SFPSTOCHRND to UINT16", LANEWISE, TSR_VECTOR_STOCH_RND, 6, ~0u},
    {"SFPEXEXP", LANEWISE, TSR_VECTOR_EXEXP, 0, ~0u},
    {"SFPSETEXP", LANEWISE, TSR_VECTOR_SETEXP, 2, ~0u},
    {"SFPSETSGN", LANEWISE, TSR_VECTOR_SETSGN, 0, ~0u},
    {"SFPABS", LANEWISE, TSR_VECTOR_ABS, 1, ~0u},
    {"SFPLZ", LANEWISE, TSR_VECTOR_LZ, 0, ~0u},
    {"SFPIADD", LANEWISE, TSR_VECTOR_IADD, 0, ~0u},
    {"SFPSHFT", LANEWISE, TSR_VECTOR_SHFT, 1, ~0u},
    {"SFPSHFT by VC", LANEWISE, TSR_VECTOR_SHFT, 0, ~0u},
    {"SFPAND", LANEWISE, TSR_VECTOR_AND, 0, ~0u},
    {"SFPMOV", LANEWISE, TSR_VECTOR_MOV, 0, ~0u},
    {"SFPMOV, half of the lanes", LANEWISE, TSR_VECTOR_MOV, 0, 0x5a3c96f0u},
    {"SFPLOADI", LANEWISE, TSR_VECTOR_LOADI, 0, ~0u},
    {"AdvancePRNG", LANEWISE, TSR_VECTOR_RANDOM, 0, ~0u},
    {"SFPSETCC", LANEWISE, TSR_VECTOR_TEST, 0, ~0u},
    {"SFPLE", LANEWISE, TSR_VECTOR_LESS, 0, ~0u},
    {"SFPSWAP", SWAP, 0, 1, ~0u},
    {"SFPLOAD of BF16", LOAD, 0, 2, ~0u},
    {"SFPLOAD of FP32", LOAD, 0, 3, ~0u},
    {"SFPSTORE of BF16", STORE, 0, 2, ~0u},
    {"SFPSTORE of FP32", STORE, 0, 3, ~0u},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

struct subject {
    const struct row *row;
    tsr_vector_mode mode;
    tsr_vector_fn *lanewise;
    tsr_vector_swap_fn *swap;
    tsr_vector_load_fn *load;
    tsr_vector_store_fn *store;
    _Alignas(64) uint32_t lreg[REGS][LANES];
    _Alignas(64) uint32_t zero[LANES];
    _Alignas(64) uint32_t one[LANES];
    _Alignas(64) uint16_t high[2 * LANES];
    _Alignas(64) uint16_t low[2 * LANES];
    uint32_t flags;
};

// x from 1 to 2 and the table of bench_vector.c, without its line of no offset.
static void put_lines(struct subject *s)
{
    static const uint32_t line[] = {0x37e7322b, 0x38e138f3, 0x38003852, 0,
                                    0xb12286d8, 0xb437b479, 0x2fa4afa4};
    for (int reg = 0; reg < (int)(sizeof line / sizeof *line); reg++)
        for (int i = 0; i < LANES; i++)
            s->lreg[reg][i] = reg == 3 ? s->lreg[reg][i] : line[reg];
}

static void set_up(struct subject *s, const struct row *row, const char *set)
{
    const struct tsr_kernels *kernels = tsr_kernels_select(set);
    uint32_t seed = 7;
    *s = (struct subject){
        .row = row,
        .mode = {
            .arch = TSR_BLACKHOLE_A0, .op = row->op, .modifier = row->modifier, .immediate = 3}};
    if (row->kind == MULTIPLY)
        s->mode.known = TSR_VECTOR_PRODUCT;
    else if (row->kind == ADD)
        s->mode.known = TSR_VECTOR_SUM_OF_B;
    s->lanewise = tsr_kernels_vector(kernels, &s->mode);
    s->swap = tsr_kernels_vector_swap(kernels, &s->mode);
    s->load = tsr_kernels_vector_load(kernels, &s->mode);
    s->store = tsr_kernels_vector_store(kernels, &s->mode);
    for (int reg = 0; reg < REGS; reg++)
        for (int i = 0; i < LANES; i++) {
            seed = seed * 1664525u + 1013904223u;
            s->lreg[reg][i] = row->kind == ALIKE || row->kind == LINES
                                  ? (seed & 0x7fffffu) | 127u << 23
                                  : (seed & 0x807fffffu) | (120 + seed / 4096 % 14) << 23;
            s->one[i] = 0x3f800000u;
            s->high[2 * i] = s->high[2 * i + 1] = (uint16_t)(seed >> 16);
        }
    if (row->kind == LINES)
        put_lines(s);
}

static void once(struct subject *s, int i)
{
    const struct row *row = s->row;
    const uint32_t *a = s->lreg[i % 3], *b = s->lreg[1 + i % 3], *c = s->lreg[3 + i % 3];
    uint32_t *d = s->lreg[7];
    bool wide = row->modifier == 3;
    switch (row->kind) {
    case LANEWISE:
    case ALIKE:
        s->flags +=
            s->lanewise(d, row->op == TSR_VECTOR_STOCH_RND ? NULL : a,
                        row->op == TSR_VECTOR_STOCH_RND ? NULL : b, c, row->lanes, &s->mode);
        break;
    case TABLE:
    case LINES:
        s->flags += s->lanewise(d, s->lreg[0], NULL, NULL, row->lanes, &s->mode);
        break;
    case MULTIPLY:
        s->flags += s->lanewise(d, a, b, s->zero, row->lanes, &s->mode);
        break;
    case ADD:
        s->flags += s->lanewise(d, s->one, b, c, row->lanes, &s->mode);
        break;
    case SWAP:
        s->flags += s->swap(s->lreg[i % 3], d, row->lanes, &s->mode);
        break;
    case LOAD:
        s->load(d, s->high, wide ? s->low : NULL, i & 1, row->lanes, &s->mode);
        break;
    case STORE:
        s->store(s->high, wide ? s->low : NULL, a, i & 1, row->lanes, &s->mode);
        break;
    }
}

static void burst(void *context)
{
    for (int i = 0; i < BURST; i++)
        once(context, i);
}

static struct subject subjects[SETS];

static void bench(const struct row *row, const char *const sets[], int count, int rounds)
{
    struct timed_call calls[SETS];
    double best[SETS], fastest = 1e30;
    for (int i = 0; i < count; i++) {
        set_up(&subjects[i], row, sets[i]);
        burst(&subjects[i]);
        if (memcmp(subjects[i].lreg, subjects[0].lreg, sizeof subjects[0].lreg) != 0 ||
            memcmp(subjects[i].high, subjects[0].high, sizeof subjects[0].high) != 0 ||
            subjects[i].flags != subjects[0].flags)
            fatal("%s: set %s differs from the reference", row->name, sets[i]);
        calls[i] = (struct timed_call){burst, &subjects[i]};
    }
    measure_interleaved(calls, count, rounds, best);
    printf("%-26s", row->name);
    for (int i = 0; i < count; i++) {
        fastest = best[i] < fastest ? best[i] : fastest;
        printf(" %9.2f", 1e9 * best[i] / BURST);
    }
    printf(" %10.0f\n", 1e-6 * BURST / fastest);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const char *const names[SETS] = {"reference", "portable", "avx2", "avx512"};
    const char *sets[SETS];
    int count = 0, rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    if (rounds < 1)
        fatal("usage: bench_vector_kernels [ROUNDS]");
    printf("%-26s", "ns an instruction");
    for (int i = 0; i < SETS; i++)
        if (strstr(tsr_kernel_sets(), names[i]) && tsr_kernels_select(names[i])) {
            sets[count++] = names[i];
            printf(" %9s", names[i]);
        }
    printf(" %10s\n", "million/s");
    for (int i = 0; i < ROW_COUNT; i++)
        bench(&rows[i], sets, count, rounds);
    return 0;
}
