// SPDX-License-Identifier: Apache-2.0
// With timing off a thread runs until something holds it, and the one shortcut is taken. No stage
// before the gate has anything to wait for, so a word goes from where it lies to its unit, and, if
// the unit holds nothing else, executes and completes there at once. What cannot go on stands at
// the gate afterwards, as if it had come there stage by stage. tsr_options.pipeline switches the
// shortcut off.
#include "frontend/bypass.h"

#include "frontend/expand.h"
#include "frontend/issue.h"
#include "frontend/wait_gate.h"

// What only the engine moves on: it ends a thread's run.
static inline bool engine_is_due(const struct tsr_state *state)
{
    return state->mover.busy || state->tdma.count > 0 || state->scalar.requests > 0;
}

// A wait whose conditions are met already does not end the run.
static inline bool may_go_on(struct tsr_engine *engine, int thread)
{
    const struct tsr_state *state = engine->env.state;
    if (engine->env.findings->stopped)
        return false;
    return !state->sync.latch[thread].latched || tsr_gate_evaluate(engine, thread);
}

// A word that a finding stopped on its way past the gate.
static void stand_at_gate(struct tsr_frontend *frontend, uint32_t word, enum tsr_word_at at)
{
    if (at == TSR_AT_GATE)
        return;
    uint8_t source = at == TSR_AT_REPLAY ? frontend->replay.source : TSR_FROM_CORE;
    tsr_take_word(frontend, at);
    tsr_fifo_push_from(&frontend->before_gate, DEPTH_BEFORE_GATE, word, source);
}

// Any word, by way of the gate's checks. True: the next one may follow in this round.
static bool offer_word(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                       uint32_t word, enum tsr_word_at at)
{
    uint64_t before = frontend->sequence;
    bool gone = tsr_offer(engine, thread, word, at);
    if (engine->env.findings->stopped && frontend->sequence == before)
        stand_at_gate(frontend, word, at);
    return gone && !engine_is_due(engine->env.state);
}

// An instruction for which the gate has nothing to check; the others take tsr_offer(). Only one
// that waits or is stopped is ever seen in its queue. A call for each word would cost a tenth.
__attribute__((always_inline)) static inline bool run_word(struct tsr_engine *engine,
                                                           struct tsr_frontend *frontend,
                                                           int thread, uint32_t word,
                                                           enum tsr_word_at at)
{
    const struct tsr_route *route = &engine->route[word >> 24];
    struct tsr_env *env = &engine->env;
    tsr_unit unit = tsr_route_unit(route, word);
    struct tsr_queue *queue = &env->state->queues.of[unit];
    // The scalar unit may hold the thread.
    if (!route->bypass || (word & route->reserved) != 0 ||
        (env->state->queues.active & (1u << unit | 1u << TSR_UNIT_SCALAR)) != 0 ||
        (env->state->debug.soft_reset & TSR_RESET_COPROCESSOR) != 0)
        return offer_word(engine, frontend, thread, word, at);
    struct tsr_inflight *inst = &queue->inst[0];
    tsr_reason reason;
    uint64_t retry_at = 0; // with timing off no wait has such an end
    if (!tsr_stage_accept(engine, route, frontend, thread, word, unit, inst, false, &reason,
                          &retry_at)) {
        if (env->findings->stopped)
            stand_at_gate(frontend, word, at);
        return reason != TSR_REASON_NONE && tsr_hold(engine, thread, reason, word, retry_at);
    }
    tsr_count_issued(engine, frontend, thread, at, inst->hold, TSR_REASON_HOLD, false);
    if (tsr_stage_execute(env, route->ops, inst, &reason)) {
        if (engine->observer)
            tsr_inflight_executed(inst, env->state->now, false);
        tsr_stage_complete(engine, route->ops, queue, inst, false);
        return true;
    }
    tsr_queue_enter(env, queue, inst);
    if (!env->findings->stopped)
        tsr_queue_note_wait(queue, reason, env->state->now);
    return true;
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
        return run_word(engine, frontend, thread, tsr_fifo_front(&frontend->before_gate),
                        TSR_AT_GATE);
    if (frontend->replay.play_left > 0)
        return run_replay(engine, frontend, thread);
    if (frontend->before_replay.count > 0 || frontend->replay.load_left > 0 || frontend->mop.active)
        return tsr_expand(engine, thread) || tsr_issue(engine, thread);
    if (frontend->before_mop.count > 0)
        return run_core(engine, frontend, thread);
    return tsr_issue(engine, thread); // which notes that there is nothing
}

// A round of the stages before the gate. A wait that is not met yet holds only what it blocks.
static bool run_stages(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread)
{
    const bool *stopped = &engine->env.findings->stopped;
    bool moved = frontend->before_gate.count == 0 && tsr_expand(engine, thread);
    if (*stopped || (moved && tsr_at_break(engine, thread)))
        return moved;
    moved |= tsr_issue(engine, thread);
    if (engine->env.state->sync.latch[thread].latched)
        tsr_gate_evaluate(engine, thread);
    moved |= !*stopped && tsr_expand(engine, thread);
    return moved;
}

bool tsr_run_thread(struct tsr_engine *engine, int thread)
{
    struct tsr_state *state = engine->env.state;
    struct tsr_frontend *frontend = &state->frontend[thread];
    if (tsr_frontend_quiet(frontend) && !state->sync.latch[thread].latched)
        return false;
    bool bypass = !engine->staged && thread != engine->break_thread && !engine_is_due(state);
    bool moved = false, again;
    if (state->sync.latch[thread].latched)
        tsr_gate_evaluate(engine, thread);
    if (frontend->before_gate.count == 0)
        tsr_note_wait(engine, thread, TSR_REASON_EMPTY, 0);
    do {
        uint64_t before = frontend->sequence;
        again = bypass && may_go_on(engine, thread) ? run_some(engine, frontend, thread)
                                                    : run_stages(engine, frontend, thread);
        moved |= again || frontend->sequence != before;
        again = again && !engine_is_due(state) && !engine->env.findings->stopped;
        if (again && tsr_at_break(engine, thread))
            engine->broken_thread = (int8_t)thread;
    } while (again && engine->broken_thread < 0);
    if (bypass && !engine->env.findings->stopped) // what comes next stands at the gate
        moved |= tsr_expand(engine, thread);
    return moved;
}
