// SPDX-License-Identifier: Apache-2.0
// Sequences of cases on one tile each. A difference is made small before it is reported: whatever
// can be zero without the difference going away is made zero.
// Pages: as unpacr_model.h.
#include "oracle/unpacr_trials.h"

#include "oracle/unpacr_tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_A_TILE = 40, REPORT = 6000 };

struct unpacr_trials {
    uint64_t seed;
    struct unpacr_maker maker;
    struct unpacr_model before, check; // the state in which a case began, and a copy to spoil
    struct unpacr_tile tile;
    uint8_t *background; // of L1, the same for all sequences
    struct unpacr_counts counts[2];
    char report[REPORT];
};

enum { L1_MAX = 1536 * 1024 };

struct unpacr_trials *unpacr_trials_new(uint64_t seed)
{
    struct unpacr_trials *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->seed = seed;
    t->maker.m = calloc(1, sizeof *t->maker.m);
    t->maker.after = calloc(1, sizeof *t->maker.after);
    t->maker.start = calloc(1, sizeof *t->maker.start);
    t->background = malloc(L1_MAX);
    if (t->maker.m)
        t->maker.m->l1 = malloc(L1_MAX);
    if (!t->maker.m || !t->maker.m->l1 || !t->maker.after || !t->maker.start || !t->background) {
        unpacr_trials_free(t);
        return NULL;
    }
    uint64_t random = 0x9e3779b97f4a7c15ull ^ seed;
    unpacr_fill(&random, t->background, L1_MAX);
    return t;
}

void unpacr_trials_free(struct unpacr_trials *t)
{
    if (!t)
        return;
    unpacr_tile_close(&t->tile);
    if (t->maker.m)
        free(t->maker.m->l1);
    free(t->maker.m);
    free(t->maker.after);
    free(t->maker.start);
    free(t->background);
    free(t);
}

const struct unpacr_counts *unpacr_trials_counts(const struct unpacr_trials *t, bool blackhole)
{
    return &t->counts[blackhole];
}

// ---------------------------------------------------------------- one case

static bool bank_is_taken(const struct unpacr_model *m, unsigned u)
{
    return m->matrix_owns[u][m->src_bank[u]];
}

// The unpacker's configuration and counters change while its instruction waits for a bank. What
// the page has samples of, it has taken already.
static void disturb(struct unpacr_trials *t, const struct unpacr_case *c, struct unpacr_model *m)
{
    unsigned u = c->word[0].unpacker;
    uint32_t *config = m->config[m->thread[c->thread][T_STATE_ID]][u];
    config[U_BASE0] ^= 0x10;
    config[U_XDIM] ^= 8;
    config[U_OUT_BASE] ^= 0x40;
    config[U_TILEIZE] ^= 1;
    config[U_UPSAMPLE_RATE] ^= 1;
    config[U_IN_FORMAT] ^= 3;
    m->thread[c->thread][T_STATE_ID] ^= 1;
    m->adc[c->thread][u][0].x ^= 1;
    m->adc[c->thread][u][1].z ^= 1;
    unpacr_tile_configure(&t->tile, m);
}

// Pushes an instruction whose bank is the matrix unit's, sees it wait, and releases the bank.
// `after` is what it leaves; the counters are stepped when it is accepted, the rest afterwards.
static const char *run_waiting(struct unpacr_trials *t, const struct unpacr_case *c,
                               struct unpacr_model *after)
{
    unsigned u = c->word[0].unpacker;
    t->check = *t->maker.m;
    memcpy(t->check.adc, after->adc, sizeof after->adc);
    memcpy(t->check.context_counter, after->context_counter, sizeof after->context_counter);
    unpacr_tile_push(&t->tile, c);
    const char *what = unpacr_tile_run(&t->tile, true);
    if (!what)
        what = unpacr_tile_differs(&t->tile, &t->check);
    if (what)
        return what;
    disturb(t, c, after);
    unpacr_tile_release_bank(&t->tile, (c->thread + 1) % 3, (int)u);
    return NULL;
}

// NULL, or the difference. The model's state is then t->maker.m, the tile's its own.
static const char *run_case(struct unpacr_trials *t, enum unpacr_fault fault)
{
    struct unpacr_maker *g = &t->maker;
    const struct unpacr_case *c = &g->now;
    unsigned u = c->word[0].unpacker;
    bool waits = unpacr_moves(&c->word[0]) && bank_is_taken(g->m, u);
    t->before = *g->m;
    *g->after = *g->m;
    g->after->fault = fault;
    if (waits)
        unpacr_release_bank(g->after, (int)u);
    for (unsigned i = 0; i < c->count; i++)
        if (unpacr_run(g->after, c->thread, &c->word[i]) && !fault)
            return "the generator made an undefined case";
    g->after->fault = FAULT_NONE;
    if (g->dirty_all)
        unpacr_tile_l1(&t->tile, g->m, 0, g->m->l1_size);
    for (unsigned i = 0; i < g->dirty_count && !g->dirty_all; i++)
        unpacr_tile_l1(&t->tile, g->m, g->dirty[i].address, g->dirty[i].size);
    unpacr_tile_configure(&t->tile, g->m);
    const char *what = NULL;
    if (waits)
        what = run_waiting(t, c, g->after);
    else
        unpacr_tile_push(&t->tile, c);
    if (!what)
        what = unpacr_tile_run(&t->tile, false);
    return what ? what : unpacr_tile_differs(&t->tile, g->after);
}

// ---------------------------------------------------------------- making a difference small

// The case on a new tile that is brought to the same state: NULL, or what differs.
static const char *still_differs(struct unpacr_trials *t, const struct unpacr_model *m,
                                 const struct unpacr_case *c)
{
    t->check = *m;
    for (unsigned i = 0; i < c->count; i++)
        if (bank_is_taken(&t->check, c->word[i].unpacker) ||
            unpacr_run(&t->check, c->thread, &c->word[i]))
            return NULL;
    bool timing = t->tile.timing;
    unpacr_tile_close(&t->tile);
    if (!unpacr_tile_open(&t->tile, m->blackhole, timing, true))
        return NULL;
    unpacr_tile_load(&t->tile, m);
    unpacr_tile_push(&t->tile, c);
    const char *what = unpacr_tile_run(&t->tile, false);
    return what ? what : unpacr_tile_differs(&t->tile, &t->check);
}

static bool try_value(struct unpacr_trials *t, struct unpacr_model *m, struct unpacr_case *c,
                      uint32_t *value, uint32_t wanted)
{
    uint32_t old = *value;
    if (old == wanted)
        return false;
    *value = wanted;
    if (still_differs(t, m, c))
        return true;
    *value = old;
    return false;
}

static bool smaller_value(struct unpacr_trials *t, struct unpacr_model *m, struct unpacr_case *c,
                          uint32_t *value)
{
    return try_value(t, m, c, value, 0) || try_value(t, m, c, value, *value / 2);
}

static bool smaller_number(struct unpacr_trials *t, struct unpacr_model *m, struct unpacr_case *c,
                           uint8_t *number)
{
    uint8_t old = *number;
    if (old == 0)
        return false;
    *number = 0;
    if (still_differs(t, m, c))
        return true;
    *number = old;
    return false;
}

static bool smaller_word(struct unpacr_trials *t, struct unpacr_model *m, struct unpacr_case *c,
                         struct unpacr_word *w)
{
    uint8_t *numbers[] = {&w->ch0_y, &w->ch0_z, &w->ch1_y, &w->ch1_z, &w->context, &w->adc};
    bool *flags[] = {&w->flip, &w->all_zero, &w->use_counter, &w->row_search};
    bool smaller = false;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        smaller |= smaller_number(t, m, c, numbers[i]);
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!*flags[i])
            continue;
        *flags[i] = false;
        if (still_differs(t, m, c))
            smaller = true;
        else
            *flags[i] = true;
    }
    return smaller;
}

static bool smaller_round(struct unpacr_trials *t, struct unpacr_model *m, struct unpacr_case *c)
{
    uint32_t *config = m->config[m->thread[c->thread][T_STATE_ID]][c->word[0].unpacker];
    bool smaller = false;
    for (unsigned i = 0; i < U_COUNT; i++)
        smaller |= smaller_value(t, m, c, &config[i]);
    for (unsigned i = 1; i < T_COUNT; i++)
        smaller |= smaller_value(t, m, c, &m->thread[c->thread][i]);
    for (unsigned i = 0; i < G_COUNT; i++)
        smaller |= smaller_value(t, m, c, &m->global[i]);
    for (unsigned i = 0; i < 12; i++) {
        struct unpacr_adc *adc = &m->adc[i / 4][i / 2 % 2][i % 2];
        smaller |= smaller_value(t, m, c, &adc->x);
        smaller |= smaller_value(t, m, c, &adc->y);
        smaller |= smaller_value(t, m, c, &adc->z);
        smaller |= smaller_value(t, m, c, &adc->w);
    }
    smaller |= smaller_word(t, m, c, &c->word[0]);
    return smaller;
}

static const char *report(struct unpacr_trials *t, uint64_t at, const char *what)
{
    struct unpacr_model *m = t->maker.m;
    struct unpacr_case c = t->maker.now;
    int used =
        snprintf(t->report, REPORT, "%s, timing %d, seed 0x%llx: %s\n",
                 t->before.blackhole ? "BH" : "WH", t->tile.timing, (unsigned long long)at, what);
    size_t offset = used < REPORT ? (size_t)used : REPORT - 1;
    *m = t->before;
    const char *title = "  on a new tile the two agree; the case was\n";
    while (c.count > 1) { // the last word alone, from where the others led
        if (unpacr_run(m, c.thread, &c.word[0]))
            break;
        memmove(c.word, c.word + 1, sizeof c.word - sizeof c.word[0]);
        c.count--;
    }
    if (!still_differs(t, m, &c)) {
        *m = t->before;
        c = t->maker.now;
    }
    if (still_differs(t, m, &c)) {
        for (int rounds = 0; rounds < 6 && smaller_round(t, m, &c); rounds++)
            ;
        const char *now = still_differs(t, m, &c);
        used = snprintf(t->report + offset, REPORT - offset, "smallest: %s\n", now ? now : "");
        offset += (size_t)used < REPORT - offset ? (size_t)used : REPORT - 1 - offset;
        title = "";
    }
    used = snprintf(t->report + offset, REPORT - offset, "%s", title);
    offset += (size_t)used < REPORT - offset ? (size_t)used : REPORT - 1 - offset;
    unpacr_tile_describe(&t->tile, m, &c, t->report + offset, REPORT - offset);
    return t->report;
}

// ---------------------------------------------------------------- sequences

// Words of one case may have different formats, and their paths are known together only.
static void count_cells(const struct unpacr_maker *g, struct unpacr_counts *counts, unsigned where)
{
    bool counted = g->now.count == 1 && g->after->emitted > 0;
    for (unsigned path = 0; path < PATH_COUNT && counted; path++)
        counts->cell[path][where][g->after->in_format][g->after->out_format] +=
            g->paths[path / 64] >> (path % 64) & 1;
}

static void count(struct unpacr_trials *t, bool waits)
{
    struct unpacr_maker *g = &t->maker;
    struct unpacr_counts *counts = &t->counts[g->m->blackhole];
    const struct unpacr_word *w = &g->now.word[0];
    counts->cases++;
    counts->words += g->now.count;
    counts->waits += waits;
    for (unsigned path = 0; path < PATH_COUNT; path++)
        counts->path[path] += g->paths[path / 64] >> (path % 64) & 1;
    if (!unpacr_moves(w))
        return;
    bool to_dst = (g->paths[0] >> PATH_DST16 | g->paths[0] >> PATH_DST32) & 1;
    unsigned where = w->unpacker ? 1 : to_dst ? 2 : 0;
    counts->pair[where][g->after->in_format][g->after->out_format]++;
    count_cells(g, counts, where);
}

// Before a case: some banks are released to the unpackers, so that few cases have to wait for one.
static void release_some_banks(struct unpacr_trials *t)
{
    struct unpacr_model *m = t->maker.m;
    for (int side = 0; side < 2; side++) {
        bool taken = bank_is_taken(m, (unsigned)side);
        if (!m->matrix_owns[side][m->matrix_bank[side]])
            continue;
        if (unpacr_below(&t->maker.random, 100) >= (taken ? 80u : 20u))
            continue;
        unpacr_release_bank(m, side);
        unpacr_tile_release_bank(&t->tile, (int)unpacr_below(&t->maker.random, 3), side);
    }
}

// A new tile and a new model, on a chip that the seed chooses.
static bool begin(struct unpacr_trials *t, uint64_t at)
{
    struct unpacr_maker *g = &t->maker;
    g->random = at * 0x9e3779b97f4a7c15ull | 1;
    for (int i = 0; i < 5; i++)
        unpacr_random(&g->random);
    bool blackhole = unpacr_below(&g->random, 2), timing = unpacr_below(&g->random, 4) == 0;
    unpacr_tile_close(&t->tile);
    if (!unpacr_tile_open(&t->tile, blackhole, timing, unpacr_below(&g->random, 3) == 0))
        return false;
    g->now.count = 0;
    memcpy(g->m->l1, t->background, L1_MAX);
    unpacr_begin(g, blackhole);
    return true;
}

static const char *run_sequence(struct unpacr_trials *t, uint64_t at, enum unpacr_fault fault)
{
    struct unpacr_maker *g = &t->maker;
    if (!begin(t, at))
        return "no memory";
    unpacr_tile_load(&t->tile, g->m);
    for (int i = 0; i < CASES_A_TILE; i++) {
        release_some_banks(t);
        const char *what = unpacr_tile_run(&t->tile, false);
        if (what)
            return what;
        unpacr_next(g);
        bool waits = unpacr_moves(&g->now.word[0]) && bank_is_taken(g->m, g->now.word[0].unpacker);
        what = run_case(t, fault);
        if (what)
            return fault ? what : report(t, at, what);
        count(t, waits);
        *g->m = *g->after;
    }
    return NULL;
}

const char *unpacr_trials_run(struct unpacr_trials *t, uint64_t words, enum unpacr_fault fault)
{
    uint64_t end = t->counts[0].words + t->counts[1].words + words;
    while (t->counts[0].words + t->counts[1].words < end) {
        const char *what = run_sequence(t, ++t->seed, fault);
        if (what)
            return what;
    }
    return NULL;
}

const char *unpacr_trials_undefined(struct unpacr_trials *t, const char **why)
{
    struct unpacr_maker *g = &t->maker;
    *why = "";
    if (!begin(t, ++t->seed))
        return "no memory";
    *why = unpacr_next_undefined(g);
    unpacr_tile_load(&t->tile, g->m);
    unpacr_tile_push(&t->tile, &g->now);
    const char *end = unpacr_tile_run(&t->tile, false);
    if (end && t->tile.end == TSR_END_STOPPED)
        return NULL;
    int used = snprintf(t->report, REPORT, "seed 0x%llx: undefined (%s), and the tile goes on\n",
                        (unsigned long long)t->seed, *why);
    unpacr_tile_describe(&t->tile, g->m, &g->now, t->report + used, REPORT - (size_t)used);
    return t->report;
}
