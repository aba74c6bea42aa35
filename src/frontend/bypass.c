// SPDX-License-Identifier: Apache-2.0
// With timing off, the instructions of a thread that shares the tile with nobody: no stage before
// the gate has anything to wait for, so a word goes from where it lies straight to its unit, which
// holds nothing else. What cannot go on stands at the gate afterwards, as if it had come there
// stage by stage.
#include "frontend/engine.h"

// It stands in its unit's line: it waits there, or a finding stopped it.
static void keep_in_queue(struct tsr_engine *engine, struct tsr_frontend *frontend,
                          struct tsr_queue *queue, struct tsr_inflight *inst, tsr_reason reason)
{
    struct tsr_state *state = engine->env.state;
    inst->address = 0;
    queue->count = 1;
    frontend->in_flight++;
    state->queues.active |= 1u << inst->unit;
    if (engine->env.findings->stopped)
        return;
    queue->reason = (uint8_t)reason;
    queue->waits_since = state->now;
}

static void tell(struct tsr_engine *engine, struct tsr_inflight *inst)
{
    inst->executed = true;
    inst->executed_at = inst->completes_at = engine->env.state->now;
    tsr_queue_observe(engine, inst);
}

// Executed and complete at once, if nothing holds it: then nobody sees it in its line.
static inline void run_queue(struct tsr_engine *engine, const struct tsr_unit_ops *ops,
                             struct tsr_queue *queue, struct tsr_inflight *inst,
                             struct tsr_frontend *frontend)
{
    struct tsr_env *env = &engine->env;
    tsr_reason reason = TSR_REASON_NONE;
    if (ops->execute) {
        env->acting = inst;
        reason = ops->execute(env, inst);
        env->acting = NULL;
    }
    if (env->findings->stopped || reason != TSR_REASON_NONE) {
        keep_in_queue(engine, frontend, queue, inst, reason);
        return;
    }
    if (ops->complete)
        ops->complete(env, inst);
    if (engine->observer)
        tell(engine, inst);
}

// An instruction with which nothing can be odd before its unit sees it. What stays undone here,
// tsr_offer() does. The instruction's costs keep what they were: with timing off nobody reads them.
static inline bool run_word(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                            uint32_t word, enum tsr_word_at at)
{
    const struct tsr_route *route = &engine->route[word >> 24];
    const struct tsr_unit_ops *ops = route->ops;
    struct tsr_env *env = &engine->env;
    struct tsr_state *state = env->state;
    if (!route->bypass || (word & route->reserved) != 0 || state->debug.soft_reset != 0)
        return tsr_offer(engine, thread, word, at);
    tsr_unit unit = tsr_route_unit(route, word);
    struct tsr_queue *queue = &state->queues.of[unit];
    struct tsr_inflight *inst = &queue->inst[0];
    tsr_inflight_begin(inst, word, route->op, (uint8_t)thread, unit);
    inst->sequence = frontend->sequence + 1;
    inst->accepted_at = state->now;
    if (env->watch)
        inst->config_bank = (uint8_t)tsr_state_id(env, thread);
    if (ops->ready && ops->ready(env, inst) != TSR_REASON_NONE)
        return tsr_offer(engine, thread, word, at); // which asks again, and holds it
    if (!ops->accept(env, inst) || env->findings->stopped)
        return false;
    tsr_take_word(frontend, at);
    if (frontend->reason != TSR_REASON_NONE)
        tsr_note_wait(engine, thread, TSR_REASON_NONE, 0);
    frontend->sequence++;
    engine->tally.issued[thread]++;
    engine->tally.unit_instructions[unit]++;
    run_queue(engine, ops, queue, inst, frontend);
    return true;
}

// A wait whose conditions are met already does not end the straight way, unless the mover has work,
// which goes on between rounds alone.
static inline bool may_go_on(struct tsr_engine *engine, int thread)
{
    const struct tsr_state *state = engine->env.state;
    if (state->queues.active != 0 || engine->env.findings->stopped)
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

bool tsr_issue_bypass(struct tsr_engine *engine, int thread)
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
