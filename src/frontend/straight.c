// SPDX-License-Identifier: Apache-2.0
// With timing off, the instructions of a thread that shares the tile with nobody: no stage before
// the gate has anything to wait for, so a word goes from where it lies straight to its unit, which
// holds nothing else. What cannot go on stands at the gate afterwards, as if it had come there
// stage by stage.
#include "frontend/engine.h"

// It stands in its unit's line: it waits there, or a finding stopped it.
static void keep_in_line(struct tsr_engine *engine, struct tsr_frontend *frontend,
                         struct tsr_line *line, struct tsr_flight *flight, tsr_reason reason)
{
    struct tsr_state *state = engine->env.state;
    flight->address = 0;
    line->count = 1;
    frontend->in_flight++;
    state->flights.active |= 1u << flight->unit;
    if (engine->env.findings->stopped)
        return;
    line->reason = (uint8_t)reason;
    line->waits_since = state->now;
}

static void tell(struct tsr_engine *engine, struct tsr_flight *flight)
{
    flight->executed = true;
    flight->executed_at = flight->completes_at = engine->env.state->now;
    tsr_line_observe(engine, flight);
}

// Executed and complete at once, if nothing holds it: then nobody sees it in its line.
static inline void run_line(struct tsr_engine *engine, const struct tsr_unit_ops *ops,
                            struct tsr_line *line, struct tsr_flight *flight,
                            struct tsr_frontend *frontend)
{
    struct tsr_env *env = &engine->env;
    tsr_reason reason = TSR_REASON_NONE;
    if (ops->execute) {
        env->acting = flight;
        reason = ops->execute(env, flight);
        env->acting = NULL;
    }
    if (env->findings->stopped || reason != TSR_REASON_NONE) {
        keep_in_line(engine, frontend, line, flight, reason);
        return;
    }
    if (ops->complete)
        ops->complete(env, flight);
    if (engine->observer)
        tell(engine, flight);
}

// An instruction with which nothing can be odd before its unit sees it. What stays undone here,
// tsr_offer() does. The flight's costs keep what they were: with timing off nobody reads them.
static inline bool run_word(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                            uint32_t word, enum tsr_word_at at)
{
    const struct tsr_route *route = &engine->route[word >> 24];
    const struct tsr_unit_ops *ops = route->ops;
    struct tsr_env *env = &engine->env;
    struct tsr_state *state = env->state;
    if (!route->straight || (word & route->stray) != 0 || state->debug.soft_reset != 0)
        return tsr_offer(engine, thread, word, at);
    tsr_unit unit = tsr_route_unit(route, word);
    struct tsr_line *line = &state->flights.line[unit];
    struct tsr_flight *flight = &line->flight[0];
    tsr_flight_begin(flight, word, route->op, (uint8_t)thread, unit);
    flight->sequence = frontend->sequence + 1;
    flight->accepted_at = state->now;
    if (env->watch)
        flight->config_bank = (uint8_t)tsr_state_id(env, thread);
    if (ops->ready && ops->ready(env, flight) != TSR_REASON_NONE)
        return tsr_offer(engine, thread, word, at); // which asks again, and holds it
    if (!ops->accept(env, flight) || env->findings->stopped)
        return false;
    tsr_take_word(frontend, at);
    if (frontend->reason != TSR_REASON_NONE)
        tsr_note_wait(engine, thread, TSR_REASON_NONE, 0);
    frontend->sequence++;
    engine->tally.issued[thread]++;
    engine->tally.unit_instructions[unit]++;
    run_line(engine, ops, line, flight, frontend);
    return true;
}

// A wait whose conditions are met already does not end the straight way, unless the mover has work,
// which goes on between rounds alone.
static inline bool may_go_on(struct tsr_engine *engine, int thread)
{
    const struct tsr_state *state = engine->env.state;
    if (state->flights.active != 0 || engine->env.findings->stopped)
        return false;
    if (!state->sync.latch[thread].latched)
        return true;
    return !state->mover.busy && state->tdma.count == 0 && tsr_gate_evaluate(engine, thread);
}

// False: an instruction could not go on.
static bool run_replay(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread)
{
    const struct tsr_replay *replay = &frontend->replay;
    bool passes = true;
    while (passes && replay->play_left > 0 && may_go_on(engine, thread))
        passes =
            run_word(engine, frontend, thread, replay->word[replay->play_index], TSR_AT_REPLAY);
    return passes;
}

// The same, up to a word that an expander takes; or that could not.
static bool run_core(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread)
{
    bool passes = true;
    while (passes && frontend->before_mop.count > 0 && may_go_on(engine, thread)) {
        uint32_t word = tsr_fifo_front(&frontend->before_mop);
        if (engine->route[word >> 24].expands)
            return tsr_expand(engine, thread);
        passes = run_word(engine, frontend, thread, word, TSR_AT_CORE);
    }
    return passes;
}

// Whatever comes next: what stands at the gate, what may skip its stages, what may not.
static bool run_some(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread)
{
    if (frontend->before_gate.count > 0)
        return tsr_issue(engine, thread);
    if (frontend->replay.play_left > 0)
        return run_replay(engine, frontend, thread);
    if (frontend->before_replay.count > 0 || frontend->replay.load_left > 0 || frontend->mop.active)
        return tsr_expand(engine, thread) || tsr_issue(engine, thread);
    if (frontend->before_mop.count > 0)
        return run_core(engine, frontend, thread);
    return tsr_issue(engine, thread); // which notes that there is nothing
}

// What a thread does in a round that it shares with others, and then again until something keeps
// it. A break is looked for at the gate.
static bool issue_through_stages(struct tsr_engine *engine, int thread)
{
    bool moved = tsr_issue(engine, thread);
    moved |= !engine->env.findings->stopped && tsr_expand(engine, thread);
    while (moved && may_go_on(engine, thread) && !tsr_at_break(engine, thread) &&
           tsr_issue(engine, thread))
        if (engine->env.state->frontend[thread].before_gate.count == 0)
            tsr_expand(engine, thread);
    return moved;
}

bool tsr_issue_straight(struct tsr_engine *engine, int thread)
{
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    uint64_t before = frontend->sequence;
    if (thread == engine->break_thread || !may_go_on(engine, thread))
        return issue_through_stages(engine, thread);
    bool moved = false;
    while (may_go_on(engine, thread) && run_some(engine, frontend, thread))
        moved = true;
    // What comes next is to stand at the gate, also if a finding has stopped the tile.
    moved |= tsr_expand(engine, thread);
    return moved || frontend->sequence != before;
}
