// SPDX-License-Identifier: Apache-2.0
// With timing off, the instructions of a thread that shares the tile with nobody: no stage before
// the gate has anything to wait for, so a word goes from where it lies straight to its unit. What
// cannot go on stands at the gate afterwards, as if it had come there stage by stage.
#include "frontend/engine.h"

#include <string.h>

// The word that comes to the gate next, if no expander has to touch it before.
static bool find_word(const struct tsr_engine *engine, const struct tsr_frontend *frontend,
                      uint32_t *word, enum tsr_word_at *at)
{
    *at = TSR_AT_GATE;
    if (frontend->before_gate.count > 0) {
        *word = tsr_fifo_front(&frontend->before_gate);
        return true;
    }
    *at = TSR_AT_REPLAY;
    if (frontend->replay.play_left > 0) {
        *word = frontend->replay.word[frontend->replay.play_index];
        return true;
    }
    *at = TSR_AT_CORE;
    if (frontend->before_mop.count == 0 || frontend->before_replay.count > 0 ||
        frontend->replay.load_left > 0 || frontend->mop.active)
        return false;
    *word = tsr_fifo_front(&frontend->before_mop);
    return !engine->route[*word >> 24].expands;
}

static void take_word(struct tsr_frontend *frontend, enum tsr_word_at at)
{
    if (at == TSR_AT_GATE)
        tsr_fifo_pop(&frontend->before_gate);
    else if (at == TSR_AT_REPLAY)
        tsr_replay_next(&frontend->replay);
    else
        tsr_fifo_pop(&frontend->before_mop);
}

// An instruction with which nothing can be odd before its unit sees it; no unit holds another one.
// What stays undone here, tsr_offer() does.
static bool run_word(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                     uint32_t word, enum tsr_word_at at)
{
    const struct tsr_route *route = &engine->route[word >> 24];
    const struct tsr_unit_ops *ops = route->ops;
    struct tsr_env *env = &engine->env;
    if (!ops || (word & route->stray) != 0 || env->state->debug.soft_reset != 0)
        return tsr_offer(engine, thread, word, at);
    unsigned unit = route->unit;
    if (unit == TSR_UNIT_UNPACKER0)
        unit += word >> 23 & 1;
    struct tsr_line *line = &env->state->flights.line[unit];
    struct tsr_flight *flight = &line->flight[0];
    memcpy(flight, route->start, sizeof route->start);
    flight->word = word;
    flight->thread = (uint8_t)thread;
    flight->unit = (uint8_t)unit;
    flight->sequence = frontend->sequence + 1;
    flight->accepted_at = env->state->now;
    if (env->watch)
        flight->config_bank = (uint8_t)tsr_state_id(env, thread);
    if (ops->ready && ops->ready(env, flight) != TSR_REASON_NONE)
        return tsr_offer(engine, thread, word, at);
    if (!ops->accept(env, flight) || env->findings->stopped)
        return false;
    flight->address = 0;
    frontend->sequence++;
    frontend->retry_at = 0;
    frontend->in_flight++;
    take_word(frontend, at);
    if (frontend->reason != TSR_REASON_NONE)
        tsr_note_wait(engine, thread, TSR_REASON_NONE, 0);
    engine->tally.issued[thread]++;
    engine->tally.unit_instructions[unit]++;
    line->count = 1;
    env->state->flights.active = 1u << unit;
    tsr_line_run(engine, ops, line);
    return true;
}

static bool may_go_on(const struct tsr_engine *engine, int thread)
{
    const struct tsr_state *state = engine->env.state;
    return state->flights.active == 0 && !state->sync.latch[thread].latched &&
           !engine->env.findings->stopped;
}

// A break is looked for at the gate.
static void issue_to_break(struct tsr_engine *engine, int thread)
{
    while (may_go_on(engine, thread) && !tsr_at_break(engine, thread) && tsr_issue(engine, thread))
        if (engine->env.state->frontend[thread].before_gate.count == 0)
            tsr_expand(engine, thread);
}

void tsr_issue_straight(struct tsr_engine *engine, int thread)
{
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    bool moved = true;
    if (thread == engine->break_thread) {
        issue_to_break(engine, thread);
        return;
    }
    while (moved && may_go_on(engine, thread)) {
        uint32_t word;
        enum tsr_word_at at;
        if (find_word(engine, frontend, &word, &at))
            moved = run_word(engine, frontend, thread, word, at);
        else
            moved = tsr_expand(engine, thread);
    }
    tsr_expand(engine, thread);
}
