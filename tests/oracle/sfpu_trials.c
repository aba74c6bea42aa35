// SPDX-License-Identifier: Apache-2.0
// A program each from power-on, by turns on both chips, with and without timing.
// Pages: as sfpu_model.h.
#include "oracle/sfpu_trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT = 20000, KINDS = 8, COMPLAINTS = 16 };

struct sfpu_trials {
    uint64_t seed, refused, programs;
    bool macros;
    struct sfpu_words words[2];
    struct sfpu_tile tile[KINDS];
    struct sfpu_model model, start;
    struct sfpu_program program;
    struct sfpu_counts counts[2];
    struct sfpu_complaint complaint[COMPLAINTS];
    char report[REPORT];
};

static struct sfpu_tile_kind kind_of(unsigned n)
{
    return (struct sfpu_tile_kind){n & 1, n >> 1 & 1, n >> 2 & 1, n >> 2 & 1};
}

struct sfpu_trials *sfpu_trials_new(uint64_t seed, bool macros)
{
    struct sfpu_trials *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->seed = seed;
    t->macros = macros;
    sfpu_words_init(&t->words[0], TSR_WORMHOLE_B0);
    sfpu_words_init(&t->words[1], TSR_BLACKHOLE_A0);
    for (unsigned n = 0; n < KINDS; n++)
        if (!sfpu_tile_open(&t->tile[n], kind_of(n))) {
            sfpu_trials_free(t);
            return NULL;
        }
    return t;
}

void sfpu_trials_free(struct sfpu_trials *t)
{
    for (unsigned n = 0; t && n < KINDS; n++)
        sfpu_tile_close(&t->tile[n]);
    free(t);
}

const struct sfpu_counts *sfpu_trials_counts(const struct sfpu_trials *t, bool blackhole)
{
    return &t->counts[blackhole];
}

uint64_t sfpu_trials_refused(const struct sfpu_trials *t)
{
    return t->refused;
}

const struct sfpu_complaint *sfpu_trials_complaint(const struct sfpu_trials *t, unsigned n)
{
    return n < COMPLAINTS && t->complaint[n].code ? &t->complaint[n] : NULL;
}

static void note_findings(struct sfpu_trials *t, const tsr_tile *tile, uint64_t seed)
{
    for (int i = 0; i < tsr_diagnostic_count(tile); i++) {
        const tsr_diagnostic *d = tsr_diagnostic_at(tile, i);
        unsigned n = 0;
        if (d->category != TSR_UNDEFINED_BEHAVIOUR && d->category != TSR_UNPREDICTABLE_VALUE)
            continue;
        while (n < COMPLAINTS - 1 && t->complaint[n].code && t->complaint[n].code != d->code)
            n++;
        struct sfpu_complaint *c = &t->complaint[n];
        if (c->programs++ == 0) {
            c->code = d->code;
            c->seed = seed;
            memcpy(c->sentence, d->sentence, sizeof c->sentence);
        }
    }
}

// The first `count` words of the program, and then nothing. NULL, or the difference.
static const char *compare(struct sfpu_trials *t, unsigned n, unsigned count)
{
    struct sfpu_model *m = &t->model;
    const struct sfpu_program *p = &t->program;
    struct sfpu_tile *tile = &t->tile[n];
    struct sfpu_tile_kind kind = kind_of(n);
    sfpu_program_start(p, m, &t->words[p->blackhole]);
    if (!kind.timing && !kind.staged) { // what comes again executes as blocks
        sfpu_tile_load(tile, m, p->prng_seed);
        sfpu_tile_run(tile, p, count);
    }
    sfpu_tile_load(tile, m, p->prng_seed);
    for (unsigned i = 0; i < count; i++)
        sfpu_program_step(p, m, i);
    sfpu_model_idle(m);
    const char *wrong = sfpu_tile_run(tile, p, count);
    return wrong ? wrong : sfpu_tile_differs(tile, m);
}

// ---------------------------------------------------------------- a smaller program

static bool still_differs(struct sfpu_trials *t, unsigned n)
{
    struct sfpu_model *m = &t->model;
    const struct sfpu_program *p = &t->program;
    sfpu_program_start(p, m, &t->words[p->blackhole]);
    for (unsigned i = 0, burst = 0; i < p->count; i++) {
        burst = sfpu_program_pauses(p, i) ? 1 : burst + 1;
        sfpu_program_step(p, m, i);
        if (burst > SFPU_BURST && sfpu_model_plans(m))
            return false; // more than a queue takes: the tile would run out of words
    }
    sfpu_model_idle(m);
    if (m->undefined)
        return false;
    const char *wrong = compare(t, n, p->count);
    return wrong && strncmp(wrong, "the tile ends", 13) != 0;
}

static void drop_words(struct sfpu_trials *t, unsigned n)
{
    struct sfpu_program *p = &t->program, before;
    for (unsigned size = 16; size > 0; size /= 2)
        for (unsigned i = 0; i + size <= p->count;) {
            before = *p;
            memmove(&p->word[i], &p->word[i + size], (p->count - i - size) * sizeof p->word[0]);
            memmove(&p->idle_before[i], &p->idle_before[i + size], p->count - i - size);
            memmove(&p->thread[i], &p->thread[i + size], p->count - i - size);
            p->count -= size;
            if (!still_differs(t, n)) {
                *p = before;
                i++;
            }
        }
}

static void make_small(struct sfpu_trials *t, unsigned n)
{
    struct sfpu_program *p = &t->program;
    unsigned count = 0;
    while (count < p->count && !compare(t, n, count))
        count++;
    struct sfpu_program whole = *p;
    p->count = count;
    if (!still_differs(t, n))
        *p = whole;
    if (still_differs(t, n))
        drop_words(t, n);
}

static const char *report(struct sfpu_trials *t, unsigned n, uint64_t seed, bool closely)
{
    struct sfpu_program *p = &t->program;
    struct sfpu_tile_kind kind = kind_of(n);
    char first[600];
    snprintf(first, sizeof first, "%s", t->tile[n].message);
    if (!closely)
        return strcpy(t->report, first);
    make_small(t, n);
    const char *wrong = compare(t, n, p->count);
    int used = snprintf(t->report, REPORT,
                        "%s, seed 0x%llx, timing %s, %s kernels, %s\nat first: %s\n"
                        "smaller:  %s\n",
                        kind.blackhole ? "BH" : "WH", (unsigned long long)seed,
                        kind.timing ? "on" : "off", kind.reference ? "reference" : "auto",
                        kind.staged ? "staged" : "bypass", first, wrong ? wrong : "nothing");
    for (unsigned i = 0; i < p->count && used < REPORT - 400; i++) {
        char text[TSR_INSTRUCTION_TEXT];
        tsr_disassemble(t->words[p->blackhole].arch, p->word[i], text, sizeof text);
        used += snprintf(t->report + used, REPORT - (size_t)used, "%s  T%u %08x  %s\n",
                         sfpu_program_pauses(p, i) ? "  (idle)\n" : "", p->thread[i],
                         (unsigned)p->word[i], text);
    }
    return t->report;
}

const char *sfpu_trials_run(struct sfpu_trials *t, uint64_t words, enum sfpu_fault fault)
{
    uint64_t done = t->counts[0].words + t->counts[1].words;
    t->model.fault = fault;
    t->model.strict = true;
    while (t->counts[0].words + t->counts[1].words < done + words) {
        unsigned n = (unsigned)(t->programs % KINDS);
        uint64_t seed = t->seed + t->programs++;
        struct sfpu_counts *counts = &t->counts[n & 1];
        t->start.fault = SFPU_FAULT_NONE;
        sfpu_make(&t->program, &t->start, &t->words[n & 1], seed, t->macros, counts);
        const char *wrong = compare(t, n, t->program.count);
        note_findings(t, t->tile[n].tile, seed);
        if (!wrong)
            continue;
        if (!t->tile[n].refused)
            return report(t, n, seed, fault == SFPU_FAULT_NONE);
        t->refused++;
        t->tile[n].refused = false;
    }
    return NULL;
}
