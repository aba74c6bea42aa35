// SPDX-License-Identifier: Apache-2.0
// Sequences of cases on one tile each. A difference is made small before it is reported: whatever
// can be zero or left out without the difference going away is.
// Pages: as pacr_model.h.
#include "oracle/pacr_trials.h"

#include "oracle/pacr_tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_A_TILE = 60, REPORT = 12000, L1_LINES = PACR_L1_MAX / 16 };

struct pacr_trials {
    uint64_t seed, refused;
    struct pacr_maker maker;
    struct pacr_model before; // the state in which a case began; shares L1 with the model
    struct pacr_tile tile;
    uint32_t owner[L1_LINES]; // case and stream that wrote a line last
    uint32_t cases;
    struct pacr_counts counts[2];
    char report[REPORT];
};

struct pacr_trials *pacr_trials_new(uint64_t seed)
{
    struct pacr_trials *t = calloc(1, sizeof *t);
    struct pacr_model *m = calloc(1, sizeof *m);
    if (!t || !m)
        return free(t), free(m), NULL;
    t->seed = seed;
    t->maker.m = m;
    m->l1 = malloc(PACR_L1_MAX);
    m->undo = malloc(PACR_UNDO_MAX * sizeof *m->undo);
    if (m->l1 && m->undo)
        return t;
    pacr_trials_free(t);
    return NULL;
}

void pacr_trials_free(struct pacr_trials *t)
{
    if (!t)
        return;
    pacr_tile_close(&t->tile);
    free(t->maker.m->l1);
    free(t->maker.m->undo);
    free(t->maker.m);
    free(t);
}

const struct pacr_counts *pacr_trials_counts(const struct pacr_trials *t, bool blackhole)
{
    return &t->counts[blackhole];
}

uint64_t pacr_trials_refused(const struct pacr_trials *t)
{
    return t->refused;
}

// ---------------------------------------------------------------- a case

// Two streams that write the same line, or one that writes what packer 0 reads: which is first
// depends on time.
static bool overlaps(struct pacr_trials *t)
{
    const struct pacr_model *m = t->maker.m;
    t->cases++;
    for (unsigned i = 0; i < m->undone; i++) {
        uint32_t *owner = &t->owner[m->undo[i].address / 16];
        uint32_t stream = t->cases << 4 | m->undo[i].stream;
        if (*owner != stream && *owner >> 4 == t->cases)
            return true;
        *owner = stream;
    }
    return false;
}

static void rewind_model(struct pacr_trials *t)
{
    struct pacr_model *m = t->maker.m;
    enum pacr_fault fault = m->fault;
    pacr_take_back(m);
    *m = t->before;
    m->fault = fault;
    pacr_forget(m);
}

// The model alone, from t->before. False: the pages do not define the case.
static bool defined(struct pacr_trials *t, const struct pacr_case *c)
{
    struct pacr_model *m = t->maker.m;
    for (unsigned i = 0; i < c->count && !m->undefined; i++) {
        pacr_apply(m, &c->step[i]);
        pacr_execute(m, c->step[i].thread, &c->step[i].word);
    }
    bool good = !m->undefined && !overlaps(t);
    for (unsigned i = 0; i < PACR_PACKERS; i++)
        good &= !m->packer[i].data.placed;
    rewind_model(t);
    return good;
}

static bool any_compresses(const struct pacr_model *m)
{
    for (unsigned i = 0; i < PACR_PACKERS; i++)
        if (m->packer[i].row_starts.placed)
            return true;
    return false;
}

// NULL, or the difference.
static const char *run_case(struct pacr_trials *t, const struct pacr_case *c,
                            struct pacr_counts *counts)
{
    struct pacr_model *m = t->maker.m;
    bool past = false, found = false;
    for (unsigned i = 0; i < c->count; i++) {
        const struct pacr_step *step = &c->step[i];
        pacr_apply(m, step);
        if (counts) {
            pacr_note(counts, m, step);
            counts->path[PACR_PATH_BURST] += c->burst && c->count > 1;
        }
        pacr_execute(m, step->thread, &step->word);
        past |= m->writes_past_l1 | m->reads_past_l1;
        if (counts) {
            counts->path[PACR_PATH_PAST_L1] += m->writes_past_l1;
            counts->path[PACR_PATH_FROM_PAST_L1] += m->reads_past_l1;
        }
        const char *wrong = c->burst ? NULL : pacr_tile_step(&t->tile, step);
        bool last = i + 1 == c->count, l1 = last || (i == 1 && !any_compresses(m));
        if (c->burst && !last)
            continue;
        if (c->burst)
            wrong = pacr_tile_burst(&t->tile, c);
        found |= pacr_tile_past_l1(&t->tile);
        if (!wrong)
            wrong = pacr_tile_differs(&t->tile, m, l1);
        if (wrong)
            return wrong;
    }
    // Not after each PACR: lines of a compressed section wait differently.
    return past == found ? NULL : pacr_tile_differs_past_l1(&t->tile, found);
}

// ---------------------------------------------------------------- a smaller case

static bool still_differs(struct pacr_trials *t, const struct pacr_case *c, bool ends_badly)
{
    if (!defined(t, c))
        return false;
    pacr_tile_load(&t->tile, t->maker.m);
    const char *wrong = run_case(t, c, NULL);
    bool same =
        wrong && (strncmp(wrong, "the tile ends", 13) == 0) == ends_badly && !t->tile.refused;
    rewind_model(t);
    return same;
}

static bool try_word(struct pacr_trials *t, struct pacr_case *c, bool bad, uint32_t *first,
                     size_t stride, uint32_t value)
{
    uint32_t old[PACR_STEPS];
    bool changes = false;
    for (unsigned i = 0; i < c->count; i++) {
        uint32_t *at = (uint32_t *)((char *)first + i * stride);
        old[i] = *at;
        changes |= *at != value;
        *at = value;
    }
    if (!changes)
        return false;
    if (still_differs(t, c, bad))
        return true;
    for (unsigned i = 0; i < c->count; i++)
        *(uint32_t *)((char *)first + i * stride) = old[i];
    return false;
}

// One PACR after the other, from one state to the next.
static bool drop_burst(struct pacr_trials *t, struct pacr_case *c, bool bad)
{
    struct pacr_case less = *c;
    less.burst = false;
    if (c->burst && still_differs(t, &less, bad))
        c->burst = false;
    return false;
}

static bool drop_step(struct pacr_trials *t, struct pacr_case *c, bool bad)
{
    for (unsigned i = 0; i < c->count && c->count > 1; i++) {
        struct pacr_case less = *c;
        memmove(&less.step[i], &less.step[i + 1], (c->count - i - 1) * sizeof less.step[0]);
        less.count--;
        if (still_differs(t, &less, bad)) {
            *c = less;
            return true;
        }
    }
    return false;
}

static bool drop_flags(struct pacr_trials *t, struct pacr_case *c, bool bad)
{
    bool smaller = false;
    for (unsigned i = 0; i < c->count; i++)
        for (unsigned n = 0; n < 16; n++) {
            struct pacr_case less = *c;
            struct pacr_step *s = &less.step[i];
            struct pacr_word *w = &s->word;
            bool *flags[] = {&w->last,       &w->flush,   &w->concat, &w->ovrd,
                             &w->zero_write, &w->strided, &s->clear,  &s->tdma};
            uint8_t *bytes[] = {&w->select,  &w->addr_mod,  &w->adc,
                                &w->row_pad, &w->ctxt_ctrl, &w->cfg_context};
            if (n < 8) {
                if (!*flags[n])
                    continue;
                *flags[n] = false;
            } else if (n < 14) {
                if (*bytes[n - 8] <= (n == 8))
                    continue;
                *bytes[n - 8] = n == 8;
            } else if (n == 14) {
                if (s->thread == 0 || memcmp(s->config.thread[0], s->config.thread[s->thread],
                                             sizeof s->config.thread[0]) != 0)
                    continue;
                memcpy(s->adc[0], s->adc[s->thread], sizeof s->adc[0]);
                s->thread = 0;
            } else {
                uint32_t x = s->adc[s->thread][0].x, *end = &s->adc[s->thread][1].x;
                if (*end <= x + 15)
                    continue;
                *end = x + 15;
            }
            if (still_differs(t, &less, bad)) {
                *c = less;
                smaller = true;
            }
        }
    return smaller;
}

static void make_small(struct pacr_trials *t, struct pacr_case *c)
{
    bool bad = strncmp(t->tile.message, "the tile ends", 13) == 0, smaller = true;
    for (unsigned round = 0; round < 4 && smaller; round++) {
        smaller = drop_burst(t, c, bad);
        while (!c->burst && drop_step(t, c, bad))
            smaller = true;
        if (!c->burst)
            smaller |= drop_flags(t, c, bad);
        uint32_t *words = (uint32_t *)&c->step[0].config;
        for (size_t i = 0; i < sizeof c->step[0].config / 4; i++)
            smaller |= try_word(t, c, bad, words + i, sizeof c->step[0], 0);
        words = (uint32_t *)&c->step[0].adc;
        for (size_t i = 0; i < sizeof c->step[0].adc / 4; i++)
            smaller |= try_word(t, c, bad, words + i, sizeof c->step[0], 0);
    }
    pacr_tile_load(&t->tile, t->maker.m);
    run_case(t, c, NULL);
}

static const char *report(struct pacr_trials *t, uint64_t seed, bool closely)
{
    struct pacr_case c = t->maker.now;
    char first[600];
    memcpy(first, t->tile.message, sizeof first);
    rewind_model(t);
    if (closely && still_differs(t, &c, strncmp(first, "the tile ends", 13) == 0)) {
        memcpy(t->tile.message, first, sizeof first);
        make_small(t, &c);
    } else if (closely) {
        snprintf(t->tile.message, sizeof t->tile.message, "(only after earlier cases) %.500s",
                 first);
    }
    int used = snprintf(t->report, REPORT, "seed %llu, %s: %s", (unsigned long long)seed,
                        c.blackhole ? "Blackhole" : "Wormhole", t->tile.message);
    if (closely && used > 0 && used < REPORT)
        pacr_tile_describe(&t->tile, &c, t->report + used, REPORT - (size_t)used);
    return t->report;
}

// ---------------------------------------------------------------- sequences

static bool begin_tile(struct pacr_trials *t, uint64_t seed, enum pacr_fault fault)
{
    struct pacr_model *m = t->maker.m;
    uint8_t *l1 = m->l1;
    struct pacr_undo *undo = m->undo;
    pacr_maker_begin(&t->maker, seed, CASES_A_TILE);
    memset(m, 0, sizeof *m);
    m->l1 = l1;
    m->undo = undo;
    m->fault = fault;
    m->blackhole = seed & 1;
    m->l1_size = (uint32_t)tsr_l1_size(m->blackhole ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0);
    pacr_fill_l1(&t->maker, m);
    bool timing = pacr_below(&t->maker.random, 4) == 0;
    bool reference = pacr_below(&t->maker.random, 4) == 0;
    pacr_tile_close(&t->tile);
    if (!pacr_tile_open(&t->tile, m->blackhole, timing, reference))
        return false;
    pacr_tile_load(&t->tile, m);
    return true;
}

// Makes cases until one is defined. What was changed in Dst and L1 for it stays in both.
static void make_case(struct pacr_trials *t, struct pacr_counts *counts)
{
    struct pacr_model *m = t->maker.m;
    bool good;
    pacr_forget(m);
    do {
        t->before = *m;
        good = pacr_make(&t->maker);
        memcpy(t->before.dst, m->dst, sizeof m->dst);
        memcpy(t->before.dst_valid, m->dst_valid, sizeof m->dst_valid);
        good = good && !overlaps(t);
        rewind_model(t);
        counts->undefined += !good;
    } while (!good);
    pacr_tile_dst(&t->tile, m);
    pacr_tile_l1(&t->tile, m, 0, m->l1_size);
}

const char *pacr_trials_run(struct pacr_trials *t, uint64_t words, enum pacr_fault fault)
{
    uint64_t done = 0;
    for (uint64_t sequence = 0; done < words; sequence++) {
        uint64_t seed = t->seed + sequence;
        if (!begin_tile(t, seed, fault))
            return "no memory";
        struct pacr_counts *counts = &t->counts[t->maker.m->blackhole];
        for (unsigned i = 0; i < CASES_A_TILE; i++) {
            make_case(t, counts);
            const char *wrong = run_case(t, &t->maker.now, counts);
            if (wrong && t->tile.refused) {
                t->refused++;
                rewind_model(t);
                pacr_tile_load(&t->tile, t->maker.m);
                continue;
            }
            if (wrong)
                return report(t, seed, fault == PACR_FAULT_NONE);
            counts->cases++;
            done += t->maker.now.count;
            wrong = pacr_tile_reads_back(&t->tile, t->maker.m, &t->maker.random, counts);
            if (wrong) {
                snprintf(t->report, REPORT, "seed %llu: %s", (unsigned long long)seed, wrong);
                return t->report;
            }
        }
    }
    return NULL;
}
