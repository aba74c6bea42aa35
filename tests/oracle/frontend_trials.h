// SPDX-License-Identifier: Apache-2.0
// One random trial of the frontends against frontend_model.h each, for the test and the fuzz
// driver: what the expanders emit, and when the gate lets pass. A seed repeats its trial.
#ifndef TESTS_ORACLE_FRONTEND_TRIALS_H
#define TESTS_ORACLE_FRONTEND_TRIALS_H

#include "oracle/frontend_model.h"

#include "frontend/expand.h"
#include "state/report.h"
#include "tile/tile_state.h"

#include <stdio.h>

struct trials {
    struct model_expander expander;
    struct model_gate gate;
    struct tsr_engine engine;
    struct tsr_findings findings;
    struct tsr_state *state;
    struct model_step steps[4 * MODEL_STREAM];
    unsigned step_count;
    uint64_t expansions, words, passes, rests; // so that a test can see that something happened
    char message[300];
};

static inline struct trials *trials_new(void)
{
    struct trials *t = calloc(1, sizeof *t);
    if (t)
        t->state = calloc(1, sizeof *t->state);
    return t;
}

static inline void trials_free(struct trials *t)
{
    free(t->state);
    free(t);
}

// ---------------------------------------------------------------- MOP and REPLAY

static inline uint32_t trial_unexpanded_word(uint64_t *random)
{
    static const uint8_t opcodes[] = {0x60, 0x8f, 0x38, 0x5e, 0xa4, 0xff, 0x00, 0x42};
    return (uint32_t)opcodes[model_below(random, sizeof opcodes)] << 24 |
           (model_random(random) & 0xffffff);
}

static inline uint32_t trial_replay_word(uint64_t *random)
{
    uint32_t count = model_below(random, 3) ? 1 + model_below(random, 6) : model_below(random, 33);
    return 0x04u << 24 | model_below(random, 32) << 14 | count << 4 | model_below(random, 4);
}

static inline uint32_t trial_mop_slot(uint64_t *random)
{
    switch (model_below(random, 6)) {
    case 0:
    case 1:
        return 0x02u << 24 | (model_below(random, 2) ? model_random(random) & 0xff : 0);
    case 2:
        return trial_replay_word(random);
    default:
        return trial_unexpanded_word(random);
    }
}

static inline uint32_t trial_word(uint64_t *random)
{
    switch (model_below(random, 10)) {
    case 0:
    case 1:
        return 0x01u << 24 | (model_random(random) & 0xffff) |
               (model_below(random, 8) ? model_below(random, 8) : model_below(random, 128)) << 16;
    case 2:
        return 0x01800000u; // template 1
    case 3:
        return 0x01800000u | (model_below(random, 2) ? model_below(random, 5) << 10 : 0) |
               model_below(random, 5);
    case 4:
        return 0x03u << 24 | (model_random(random) & 0xffff);
    case 5:
    case 6:
        return trial_replay_word(random);
    case 7:
        return 0x02u << 24;
    default:
        return trial_unexpanded_word(random);
    }
}

static inline uint32_t trial_count(uint64_t *random)
{
    uint32_t count = model_below(random, 40) ? model_below(random, 5) : model_below(random, 140);
    return count | (model_random(random) & (model_below(random, 2) ? 0xfffffc00u : 0)); // ignored
}

static inline void trial_configure(struct trials *t, uint64_t *random)
{
    struct tsr_frontend *frontend = &t->state->frontend[1];
    for (int i = 0; i < 9; i++) {
        uint32_t word = i < 2 ? trial_count(random) : trial_mop_slot(random);
        t->expander.mop[i] = frontend->mop_config[i] = word;
    }
    frontend->mop_config_written = 0x1ff;
}

static inline const char *trial_differs(struct trials *t, unsigned at, const char *what)
{
    snprintf(t->message, sizeof t->message, "expansion: word %u: %s", at, what);
    return t->message;
}

// Lets the expanders work until they rest, and compares what arrives at the gate.
static inline const char *trial_drain(struct trials *t, unsigned *seen, bool one_a_cycle)
{
    struct tsr_frontend *frontend = &t->state->frontend[1];
    for (unsigned rest = 0; rest < 4;) {
        bool moved = tsr_expand(&t->engine, 1);
        unsigned arrived = frontend->before_gate.count;
        while (frontend->before_gate.count &&
               (!one_a_cycle || arrived == frontend->before_gate.count)) {
            uint32_t word = tsr_fifo_front(&frontend->before_gate);
            if (*seen >= t->expander.out.count)
                return trial_differs(t, *seen, "more than the pages say");
            if (word != t->expander.out.word[*seen])
                return trial_differs(t, *seen, "another word");
            tsr_fifo_pop(&frontend->before_gate);
            (*seen)++;
            moved = true;
        }
        t->state->now += t->engine.env.timing;
        rest = moved ? 0 : rest + 1; // with timing on a MOP is followed by an idle cycle
    }
    return NULL;
}

static inline void trial_setup(struct trials *t, tsr_arch arch, bool timing)
{
    struct tsr_env *env = &t->engine.env;
    memset(&t->engine, 0, sizeof t->engine);
    memset(t->state->frontend, 0, sizeof t->state->frontend);
    t->state->now = 0;
    tsr_findings_clear(&t->findings);
    tsr_findings_profile(&t->findings, TSR_PROFILE_SILICON);
    env->state = t->state;
    env->isa = tsr_isa(arch);
    env->chip = tsr_chip_traits(arch);
    env->findings = &t->findings;
    env->timing = timing;
}

// NULL, or what is wrong.
static inline const char *trial_expansion(struct trials *t, uint64_t seed)
{
    uint64_t random = seed * 0x9e3779b97f4a7c15ull + 1;
    model_random(&random);
    bool blackhole = model_below(&random, 2);
    trial_setup(t, blackhole ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0, model_below(&random, 2));
    struct tsr_frontend *frontend = &t->state->frontend[1];
    struct model_expander *m = &t->expander;
    m->blackhole = blackhole;
    m->mask_high = m->recording = m->out.count = 0;
    m->out.overflow = false;
    memset(m->replay, 0, sizeof m->replay);
    unsigned seen = 0;
    for (unsigned segment = 1 + model_below(&random, 3); segment > 0; segment--) {
        bool from_b = model_below(&random, 6) == 0; // B's words come in after the MOP expander
        trial_configure(t, &random);
        for (unsigned words = 1 + model_below(&random, 8); words > 0; words--) {
            uint32_t word = from_b ? trial_mop_slot(&random) : trial_word(&random);
            if (from_b)
                model_replay_in(m, word);
            else
                model_mop_in(m, word);
            struct tsr_fifo *fifo = from_b ? &frontend->before_replay : &frontend->before_mop;
            tsr_fifo_push(fifo, from_b ? DEPTH_BEFORE_REPLAY : TSR_FIFO_MAX, word);
        }
        if (m->out.overflow)
            return NULL; // too long to compare
        const char *wrong = trial_drain(t, &seen, model_below(&random, 2));
        if (wrong)
            return wrong;
        if (seen != m->out.count)
            return trial_differs(t, seen, "less than the pages say");
    }
    if (t->findings.stopped)
        return trial_differs(t, seen, "a finding stopped it");
    t->expansions++;
    t->words += seen;
    return NULL;
}

// ---------------------------------------------------------------- the wait gate

static inline uint32_t trial_block(uint64_t *random)
{
    switch (model_below(random, 4)) {
    case 0:
        return 0;
    case 1:
        return 0x1ff;
    case 2:
        return 1u << model_below(random, 9) | 1u << model_below(random, 9);
    default:
        return model_random(random) & 0x1ff;
    }
}

static inline uint32_t trial_conditions(uint64_t *random, bool blackhole, bool timing)
{
    uint32_t bits = blackhole ? 13 : 15;
    if (model_below(random, 6) == 0)
        return 0;
    uint32_t mask = 1u << model_below(random, bits);
    if (model_below(random, 2))
        mask |= 1u << model_below(random, bits);
    if (model_below(random, 8) == 0)
        mask = model_random(random) & ((1u << bits) - 1);
    return blackhole && timing ? mask & 0xfff : mask; // the configuration unit's stages: no
}

static inline uint32_t trial_semaphores(uint64_t *random)
{
    return (model_below(random, 4) ? 1u << model_below(random, 3) : model_random(random) & 0x0f)
           << 2;
}

static inline uint32_t trial_gated(uint64_t *random, bool blackhole, bool timing)
{
    switch (model_below(random, 16)) {
    case 0:
        return 0x02u << 24; // NOP
    case 1:
    case 2:
        return 0xa2u << 24 | trial_block(random) << 15 |
               trial_conditions(random, blackhole, timing);
    case 3:
    case 4:
        return 0xa6u << 24 | trial_block(random) << 15 | trial_semaphores(random) |
               (1 + model_below(random, 3));
    case 5:
        return 0xa3u << 24 | trial_semaphores(random) | model_below(random, 4) << 16 |
               (1 + model_below(random, 3)) << 20;
    case 6:
    case 7:
        return 0xa4u << 24 | trial_semaphores(random);
    case 8:
        return 0xa5u << 24 | trial_semaphores(random);
    case 9:
    case 10:
        return (0xa0u + model_below(random, 2)) << 24 |
               (model_below(random, 30) ? 2 * model_below(random, 2) : model_below(random, 10));
    case 11:
        return 0x5eu << 24;
    case 12:
        return 0x57u << 24 | (1 + model_below(random, 3));
    case 13:
        return 0x37u << 24 | model_below(random, 4) << 22;
    case 14:
        return model_below(random, 2) ? 0x38u << 24 : 0xb2u << 24 | 1u << 16;
    default:
        return 0x45u << 24 | model_below(random, 100);
    }
}

static inline void trial_observe(void *user, const tsr_event *event)
{
    struct trials *t = user;
    if (event->kind != TSR_EVENT_INSTRUCTION || t->step_count == sizeof t->steps / sizeof *t->steps)
        return;
    t->steps[t->step_count++] =
        (struct model_step){.thread = event->thread, .word = event->word, .cycle = event->accepted};
}

// With timing on, events come as instructions complete; the model wants them as they passed.
static inline void trial_sort(struct model_step *steps, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned j = i; j > 0 && steps[j - 1].cycle > steps[j].cycle; j--) {
            struct model_step swap = steps[j];
            steps[j] = steps[j - 1];
            steps[j - 1] = swap;
        }
}

static inline const char *trial_wrong(struct trials *t, const char *what, int thread, uint32_t word)
{
    char text[TSR_INSTRUCTION_TEXT];
    tsr_disassemble(t->gate.blackhole ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0, word, text,
                    sizeof text);
    snprintf(t->message, sizeof t->message, "gate: T%d %.120s: %.100s", thread, text, what);
    return t->message;
}

// Everything moves that can; then the model judges what happened.
static inline const char *trial_run(struct trials *t, tsr_tile *tile, uint64_t *clock)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    limits.max_steps = 100000;
    t->step_count = 0;
    t->gate.floor = *clock + 1;
    tsr_end end;
    do // a SETRWC may wait for words that could come, but not for ever
        end = tsr_run(tile, &limits);
    while (end == TSR_END_BLOCKED && tile->engine.env.deferred);
    if (end != TSR_END_IDLE && end != TSR_END_BLOCKED)
        return trial_wrong(t, "the run did not come to rest", -1, 0);
    trial_sort(t->steps, t->step_count);
    model_judge(&t->gate, t->steps, t->step_count, clock);
    for (; t->gate.timing && *clock <= tsr_cycle(tile); (*clock)++)
        model_begin_cycle(&t->gate, *clock);
    model_rest(&t->gate, tsr_cycle(tile));
    t->passes += t->step_count;
    if (t->gate.wrong)
        return trial_wrong(t, t->gate.wrong, t->gate.wrong_thread, t->gate.wrong_word);
    bool left = false;
    for (int thread = 0; thread < 3; thread++)
        left |= t->gate.next[thread] < t->gate.length[thread];
    if (!t->gate.unsure && left != (end == TSR_END_BLOCKED))
        return trial_wrong(t, left ? "idle, and words are left" : "blocked, and no word is left",
                           -1, 0);
    t->rests += left;
    return NULL;
}

// A core posts or gets a semaphore while the tile rests.
static inline void trial_touch(struct trials *t, tsr_tile *tile, uint64_t *random)
{
    struct model_step step = {.thread = -1,
                              .cycle = tsr_cycle(tile),
                              .semaphore = (int)model_below(random, 4),
                              .get = model_below(random, 3) == 0};
    tsr_store(tile, TSR_CORE_T1, 0xffe80020u + 4u * (uint32_t)step.semaphore, step.get, 4);
    model_core_write(&t->gate, &step);
    model_begin_cycle(&t->gate, step.cycle);
}

static inline const char *trial_gate_by(struct trials *t, uint64_t seed, tsr_pipeline pipeline)
{
    uint64_t random = seed * 0x9e3779b97f4a7c15ull + 7, clock = 0;
    model_random(&random);
    bool blackhole = model_below(&random, 2), timing = model_below(&random, 2);
    tsr_options options = tsr_options_default(blackhole ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0);
    tsr_tile *tile = NULL;
    options.timing = timing;
    options.profile = TSR_PROFILE_SILICON;
    options.pipeline = pipeline;
    if (tsr_tile_create(&options, &tile) != TSR_OK)
        return "no memory";
    tsr_tile_observe(tile, trial_observe, t);
    model_gate_begin(&t->gate, blackhole, timing);
    unsigned threads = 1 + model_below(&random, 3);
    t->gate.alone = threads == 1;
    for (unsigned thread = 0; thread < threads; thread++) {
        unsigned length = 1 + model_below(&random, 16);
        t->gate.length[thread] = length;
        for (unsigned i = 0; i < length; i++) {
            t->gate.stream[thread][i] = trial_gated(&random, blackhole, timing);
            tsr_push(tile, (int)thread, t->gate.stream[thread][i]);
        }
    }
    const char *wrong = NULL;
    for (unsigned touches = 1 + model_below(&random, 8); touches > 0 && !wrong; touches--) {
        wrong = trial_run(t, tile, &clock);
        trial_touch(t, tile, &random);
    }
    tsr_tile_destroy(tile);
    return wrong;
}

// With the shortcuts, and with every stage and every visit.
static inline const char *trial_gate(struct trials *t, uint64_t seed)
{
    const char *wrong = trial_gate_by(t, seed, TSR_PIPELINE_AUTO);
    return wrong ? wrong : trial_gate_by(t, seed, TSR_PIPELINE_STAGED);
}

#endif
