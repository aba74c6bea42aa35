// SPDX-License-Identifier: Apache-2.0
// The generator asks the model about each case, and tries again where that finds an undefined
// point.
// Pages: as unpacr_cases.h.
#include "oracle/unpacr_cases.h"

#include <stdlib.h>
#include <string.h>

uint32_t unpacr_random(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return (uint32_t)(*random >> 24);
}

uint32_t unpacr_below(uint64_t *random, uint32_t limit)
{
    return (uint32_t)((uint64_t)unpacr_random(random) * limit >> 32);
}

void unpacr_fill(uint64_t *random, uint8_t *bytes, size_t size)
{
    static const uint32_t special[] = {0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x3f800000,
                                       0x7f800000, 0xff800001, 0x7fffffff, 0x38000000, 0xb87fe000,
                                       0x38800000, 0x477fffff, 0x47800000, 0x00010001, 0x7c00fc00,
                                       0x03ff8400, 0x7f7fff80, 0x80808080, 0xffffffff, 0x0f0f0f0f};
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word = unpacr_random(random);
        if (word % 7 == 0)
            word = special[unpacr_below(random, sizeof special / sizeof *special)];
        memcpy(bytes + i, &word, 4);
    }
}

void unpacr_note_dirty(struct unpacr_maker *g, uint32_t address, uint32_t size)
{
    if (g->dirty_count == CASE_DIRTY)
        g->dirty_all = true;
    else
        g->dirty[g->dirty_count++] = (struct unpacr_dirty){address, size};
}

// The page converts datum by datum, so that a pair of formats which no unpacker has is undefined
// with the first one only. To say so before there is one is as good.
static bool pair_exists(const struct unpacr_maker *g)
{
    uint32_t datum;
    struct unpacr_conversion c = {.in = g->after->in_format, .out = g->after->out_format};
    c.to_dst = g->after->to_dst;
    return unpacr_convert(&c, 0, 16, &datum);
}

// Runs the words on g->after. NULL if all of them are defined.
static const char *judge(struct unpacr_maker *g)
{
    memcpy(g->after, g->m, sizeof *g->m);
    memset(g->paths, 0, sizeof g->paths);
    g->after->fault = FAULT_NONE;
    for (unsigned i = 0; i < g->now.count; i++) {
        const struct unpacr_word *w = &g->now.word[i];
        bool taken = g->after->matrix_owns[w->unpacker][g->after->src_bank[w->unpacker]];
        if (i > 0 && taken)
            return "a bank that nobody releases";
        const char *why = unpacr_run(g->after, g->now.thread, w);
        if (why)
            return why;
        if (unpacr_moves(w) && !pair_exists(g))
            return "no datum and no conversion";
        // Without a datum nothing waits, and the bank is handed over twice.
        if (taken && g->now.count > 1)
            return "a second word after one that waits";
        if (taken && g->after->emitted == 0 && unpacr_moves(w))
            return "a bank that is not the unpackers'";
        g->paths[0] |= g->after->paths[0];
        g->paths[1] |= g->after->paths[1];
    }
    return NULL;
}

// The two forms that move nothing.
static void make_other_form(struct unpacr_maker *g, int thread, unsigned u)
{
    bool counts = chance(g, 50);
    g->now.thread = thread;
    g->now.count = 1;
    g->now.word[0] = (struct unpacr_word){.unpacker = (uint8_t)u,
                                          .multi = !counts && chance(g, 50),
                                          .count_only = counts,
                                          .cache_flush = !counts};
    judge(g);
}

// As judge(), with exponents put right that do not fit five bits.
static const char *judge_with_exponents(struct unpacr_maker *g)
{
    const char *why = judge(g);
    for (int repairs = 0; why && g->after->has_bad_exponent && repairs < 30; repairs++) {
        g->m->l1[g->after->bad_exponent] = (uint8_t)(6 + below(g, 26));
        unpacr_note_dirty(g, g->after->bad_exponent, 1);
        why = judge(g);
    }
    return why;
}

// Makes the input a ring, if that stays defined: its end somewhere in what is read. False: the
// exponents that were put right for the ring have spoilt the case without it.
static bool try_ring(struct unpacr_maker *g)
{
    const struct unpacr_word *w = &g->now.word[0];
    uint32_t *c = g->m->config[g->m->thread[g->now.thread][T_STATE_ID]][w->unpacker];
    uint32_t first = g->after->first_address / 16, last = g->after->last_address / 16;
    if (first > last || first < 2 || c[U_LIMIT] != UNPACR_NO_LIMIT || !unpacr_moves(w))
        return true;
    if (g->after->first_exponent <= g->after->last_exponent && chance(g, 40)) {
        first = g->after->first_exponent / 16;
        last = g->after->last_exponent / 16;
    }
    uint32_t from = chance(g, 60) ? first : first - below(g, first < 80 ? first : 80);
    uint32_t limit = from + below(g, last - from + 2);
    uint32_t size = chance(g, 50) ? 1 + below(g, 64) : 1 + below(g, first);
    bool other = g->m->blackhole && chance(g, 40);
    c[other ? U_LIMIT10 : U_LIMIT] = limit;
    c[other ? U_FIFO10 : U_FIFO] = size;
    c[U_LIMIT10_EN] = other;
    if (!judge_with_exponents(g))
        return true;
    c[U_LIMIT] = UNPACR_NO_LIMIT;
    c[U_LIMIT10_EN] = 0;
    return !judge_with_exponents(g);
}

void unpacr_begin(struct unpacr_maker *g, bool blackhole)
{
    struct unpacr_model *m = g->m;
    uint8_t *l1 = m->l1;
    memset(m, 0, sizeof *m);
    m->l1 = l1;
    m->blackhole = blackhole;
    m->l1_size = (blackhole ? 1536 : 1464) * 1024;
    for (int t = 0; t < 3; t++) {
        m->thread[t][T_STATE_ID] = chance(g, 25);
        m->thread[t][T_SRCA_BASE] = chance(g, 50) ? 0 : bits(g, 2);
        m->thread[t][T_SRCB_BASE] = chance(g, 50) ? 0 : bits(g, 2);
        m->thread[t][T_SRCA_OVRD] = chance(g, 60);
    }
    if (blackhole) {
        m->global[G_REMAP] = chance(g, 40);
        m->global[G_SWIZZLE] = chance(g, 40);
    }
    for (int side = 0; side < 2; side++)
        for (int bank = 0; bank < 2; bank++)
            for (int i = 0; i < 64 * 16; i++)
                m->src[side][bank][i / 16][i % 16] = bits(g, 19);
    unpacr_fill(&g->random, (uint8_t *)m->dst, sizeof m->dst);
}

void unpacr_next(struct unpacr_maker *g)
{
    bool again = g->now.count > 0 && chance(g, 20);
    g->dirty_count = 0;
    g->dirty_all = false;
    if (again && !judge_with_exponents(g)) // counters went on; the rest is as it was
        return;
    int thread = (int)below(g, 3);
    unsigned u = below(g, 100) < 65 ? 0 : 1;
    if (chance(g, 3)) {
        make_other_form(g, thread, u);
        return;
    }
    *g->start = *g->m;
    for (;;) {
        *g->m = *g->start; // what a refused case has set, nobody has written
        g->attempts++;
        unpacr_shape(g, thread, u);
        if (!judge_with_exponents(g) && (chance(g, 70) || try_ring(g)))
            return;
        g->refused++;
    }
}

// ---------------------------------------------------------------- undefined cases

// Sets something that no choice of unpacr_shape() would. It may still be defined.
static void spoil(struct unpacr_maker *g)
{
    struct unpacr_word *w = &g->now.word[0];
    uint32_t *c = g->m->config[g->m->thread[g->now.thread][T_STATE_ID]][w->unpacker];
    struct unpacr_adc *adc = g->m->adc[w->multi ? w->adc : g->now.thread][w->unpacker];
    switch (below(g, 14)) {
    case 0:
        c[U_THROTTLE] = 3;
        break;
    case 1:
        w->adc = 3;
        break;
    case 2:
        w->context ^= (uint8_t)(2 + bits(g, 2));
        break;
    case 3:
        c[U_OUT_FORMAT] = bits(g, 4);
        break;
    case 4:
        c[U_IN_FORMAT] = bits(g, 4);
        break;
    case 5:
        c[U_OUT_BASE] ^= 1 + below(g, 3);
        break;
    case 6:
        c[U_HALOIZE] ^= 1;
        break;
    case 7:
        c[U_TILEIZE] ^= 1;
        break;
    case 8:
        g->m->thread[g->now.thread][T_SRCA_OVRD] ^= 1;
        break;
    case 9:
        c[U_SHIFT0] = 5;
        break;
    case 10:
        adc[0].x += 5000;
        break;
    case 11:
        c[U_BASE0] = (c[U_BASE0] + g->m->l1_size / 32) & 0x1ffff;
        break;
    case 12:
        c[U_DEST0] = (c[U_DEST0] + 1024) & 0xffff;
        break;
    default:
        adc[0].x |= 7; // with blobs, the one after the last
        break;
    }
}

const char *unpacr_next_undefined(struct unpacr_maker *g)
{
    *g->start = *g->m;
    for (;;) {
        *g->m = *g->start;
        unpacr_shape(g, (int)below(g, 3), below(g, 2));
        g->now.count = 1;
        spoil(g);
        *g->after = *g->m;
        const char *why = unpacr_run(g->after, g->now.thread, &g->now.word[0]);
        // The page converts datums that AllDatumsAreZero then throws away: no use in a finding.
        bool thrown_away = g->now.word[0].all_zero && g->after->has_bad_exponent;
        if (why && !g->after->endless && !thrown_away)
            return why;
    }
}
