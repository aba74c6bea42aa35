// SPDX-License-Identifier: Apache-2.0
// Which conversions there are to choose from, and random datums in Dst and L1 that meet their
// edges.
// Pages: as pacr_model.h.
#include "oracle/pacr_maker.h"

#include <string.h>

// ---------------------------------------------------------------- formats

static void list_pair(struct pacr_maker *g, const struct pacr_pair *p, enum pacr_kind wanted)
{
    bool chip = p->early.blackhole;
    enum pacr_kind kind = pacr_middle_kind(&p->early, p->in);
    if (p->e4m3 && (!chip || p->early.out != PF_FP8 || kind == KIND_FP8))
        return;
    if (kind == KIND_FP32 && p->early.format == PF_INT32 && p->in != PF_INT32)
        return; // the page's first way to FP32, which the tile does not have
    if (kind != wanted || !pacr_late_exists(kind, p->early.out))
        return;
    if (g->pairs[chip] < sizeof g->pair[0] / sizeof g->pair[0][0])
        g->pair[chip][g->pairs[chip]++] = *p;
}

// All ways to have one conversion from Dst to L1.
static void list_class(struct pacr_maker *g, bool chip, bool wide, enum pacr_kind kind,
                       unsigned out)
{
    struct pacr_class class = {g->pairs[chip], 0};
    for (unsigned bits = 0; bits < 16; bits++)
        for (unsigned formats = 0; formats < 256; formats++) {
            struct pacr_pair p = {{.wide = wide,
                                   .raw = bits & 1,
                                   .round10 = bits >> 1 & 1,
                                   .is_unsigned = bits >> 2 & 1,
                                   .blackhole = chip,
                                   .format = formats & 15,
                                   .out = out},
                                  .in = formats >> 4,
                                  .e4m3 = bits >> 3};
            list_pair(g, &p, kind);
        }
    class.count = g->pairs[chip] - class.first;
    bool integer = kind >= KIND_INT32; // few, and with modes of their own
    for (unsigned n = integer ? 4 : 1; n > 0 && class.count > 0; n--)
        g->class[chip][g->classes[chip]++] = class;
}

// The seeds of a chip follow each other by 2: each begins where the one before has ended.
void pacr_maker_begin(struct pacr_maker *g, uint64_t seed, unsigned cases)
{
    g->random = seed * 0x9e3779b97f4a7c15ull + 0x1234567;
    g->next_class = seed / 2 * cases;
    if (g->classes[0])
        return;
    for (unsigned chip = 0; chip < 2; chip++)
        for (unsigned wide = 0; wide < 2; wide++)
            for (unsigned kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
                for (unsigned out = 0; out < 16; out++)
                    list_class(g, chip, wide, (enum pacr_kind)kind, out);
}

const struct pacr_pair *pacr_choose_formats(struct pacr_maker *g)
{
    bool chip = g->m->blackhole;
    const struct pacr_class *class = &g->class[chip][g->next_class++ % g->classes[chip]];
    return &g->pair[chip][class->first + below(g, class->count)];
}

// ---------------------------------------------------------------- datums

// Few enough to meet themselves, with the other sign, where L1 accumulates.
static uint32_t meeting_float(struct pacr_maker *g)
{
    static const uint32_t values[] = {0x3f800000, 0x00800000, 0x00810000, 0x7f7f0000,
                                      0x7f800000, 0x7f810000, 0x3f810000, 0x43000000};
    return any(g, 1) << 31 | values[below(g, 8)];
}

static uint32_t meeting_half(struct pacr_maker *g)
{
    static const uint32_t values[] = {0x3c00, 0x0400, 0x0401, 0x7800,
                                      0x7bff, 0x7c00, 0x7400, 0x3c01};
    return any(g, 1) << 15 | values[below(g, 8)];
}

uint32_t pacr_any_float(struct pacr_maker *g, uint32_t center, unsigned spread)
{
    uint32_t e = center + below(g, spread) - spread / 2;
    switch (below(g, 26)) {
    case 8:
    case 9:
        return meeting_float(g);
    case 0:
        return any(g, 1) << 31;
    case 1:
        return any(g, 1) << 31 | any(g, 23); // denormal
    case 2:
        return any(g, 1) << 31 | 0x7f800000 | (any(g, 1) ? any(g, 23) : 0);
    case 3:
        return any(g, 32);
    case 4:
        return any(g, 1) << 31 | (108 + below(g, 8)) << 23 | any(g, 23); // round FP16's least
    case 5:
        return any(g, 1) << 31 | (e & 0xff) << 23 | 0x7fffff;
    case 6:
        return any(g, 1) << 31 | (e & 0xff) << 23 | below(g, 4) << 21 | 1u << below(g, 21);
    case 7:
        return any(g, 1) << 31 | (138 + below(g, 10)) << 23 | any(g, 23); // round FP16's largest
    default:
        return any(g, 1) << 31 | (e & 0xff) << 23 | any(g, 23);
    }
}

uint32_t pacr_any_half(struct pacr_maker *g, uint32_t center, unsigned spread)
{
    uint32_t e = (center + below(g, spread) - spread / 2) & 0x1f;
    switch (below(g, 18)) {
    case 6:
    case 7:
        return meeting_half(g);
    case 0:
        return any(g, 1) << 15 | any(g, 10);
    case 1:
        return any(g, 1) << 15 | 0x7c00 | (any(g, 1) ? any(g, 10) : 0x3ff - below(g, 2));
    case 2:
    case 3:
        return any(g, 16);
    case 4:
        return any(g, 1) << 15 | e << 10 | 1u << below(g, 10);
    case 5:
        return any(g, 1) << 15 | e << 10 | 0x3ff;
    default:
        return any(g, 1) << 15 | e << 10 | any(g, 10);
    }
}

static uint32_t any_integer(struct pacr_maker *g)
{
    return any(g, 1) << 31 | any(g, 31) >> below(g, 31);
}

static uint32_t stored_bf16(uint32_t v)
{
    return (v & 0x8000) | (v & 0x7f) << 8 | (v >> 7 & 0xff);
}

static uint32_t stored_fp16(uint32_t v)
{
    return (v & 0x8000) | (v & 0x3ff) << 5 | (v >> 10 & 0x1f);
}

static uint32_t any_stored(struct pacr_maker *g, const struct pacr_early *e, uint32_t center,
                           unsigned spread)
{
    uint32_t v = e->format >= PF_INT32 && e->format != PF_FP8 ? any_integer(g)
                                                              : pacr_any_float(g, center, spread);
    bool half = e->format == PF_FP16 || e->format == PF_BFP8A || e->format == PF_FP8;
    if (e->wide)
        return stored_bf16(v >> 16) << 16 | (v & 0xffff);
    if (e->format == PF_INT16 || e->format == PF_INT8)
        return any(g, 16);
    return half && !e->round10 ? stored_fp16(pacr_any_half(g, center >> 3, spread))
                               : stored_bf16(v >> 16);
}

static void put_dst(struct pacr_model *m, bool wide, unsigned row, unsigned column, uint32_t v)
{
    if (!wide) {
        m->dst[row][column] = (uint16_t)v;
        return;
    }
    unsigned at = (row & 0x1f8) << 1 | (row & 7);
    m->dst[at][column] = (uint16_t)(v >> 16);
    m->dst[at + 8][column] = (uint16_t)v;
}

// A few rows are enough: all others keep what earlier cases left.
void pacr_fill_dst(struct pacr_maker *g, struct pacr_model *m)
{
    const struct pacr_early *e = &g->formats->early;
    unsigned rows = e->wide ? 512 : 1024, spread = 1 + below(g, 30), center = 100 + below(g, 50);
    bool sparse = has(g, HAS_COMPRESSION) || chance(g, 8);
    unsigned zero = sparse ? 1 + below(g, 100) : 0;
    for (unsigned i = 0; i < rows * 16; i++) {
        uint32_t v = below(g, 100) < zero ? 0 : any_stored(g, e, center, spread);
        put_dst(m, e->wide, i / 16, i % 16, v);
    }
    for (unsigned row = 0; row < 1024; row++)
        m->dst_valid[row] = true;
    for (unsigned n = chance(g, 3) ? 30 : 0; n > 0; n--)
        m->dst_valid[below(g, 1024)] = false;
}

void pacr_fill_l1(struct pacr_maker *g, struct pacr_model *m)
{
    for (uint32_t i = 0; i + 4 <= m->l1_size; i += 4) {
        uint32_t v = pacr_random(&g->random);
        memcpy(m->l1 + i, &v, 4);
    }
}

void pacr_prepare_l1(struct pacr_maker *g, uint32_t address, uint32_t size)
{
    unsigned out = g->formats->early.out, center = 100 + below(g, 50), spread = 1 + below(g, 30);
    bool meets = chance(g, 2);
    for (uint32_t i = 0; i < size && address + i < g->m->l1_size; i += 4) {
        uint32_t v = out == PF_INT32  ? any_integer(g)
                     : out == PF_FP32 ? pacr_any_float(g, center, spread)
                     : out == PF_BF16 ? pacr_any_float(g, center, spread) >> 16 |
                                            (pacr_any_float(g, center, spread) & 0xffff0000)
                                      : pacr_any_half(g, center >> 3, spread) |
                                            pacr_any_half(g, center >> 3, spread) << 16;
        if (meets && out != PF_INT32 && any(g, 1))
            v = out == PF_FP32   ? meeting_float(g)
                : out == PF_BF16 ? meeting_float(g) >> 16 | (meeting_float(g) & 0xffff0000)
                                 : meeting_half(g) | meeting_half(g) << 16;
        for (unsigned b = 0; b < 4; b++)
            g->m->l1[address + i + b] = (uint8_t)(v >> 8 * b);
    }
}
