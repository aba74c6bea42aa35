// SPDX-License-Identifier: Apache-2.0
// The one shortcut: with timing off, the instructions of a thread that shares the tile with nobody.
// No stage before the gate has anything to wait for, so a word goes from where it lies to its unit,
// which holds nothing else, and executes and completes there at once. What cannot go on stands at
// the gate afterwards, as if it had come there stage by stage. tsr_options.pipeline switches it
// off.
#include "frontend/bypass.h"

#include "frontend/expand.h"
#include "frontend/issue.h"
#include "frontend/wait_gate.h"

// A wait whose conditions are met already does not end the bypass. What goes on between rounds
// alone (a full queue, the mover, results of the scalar unit's loads) does.
static inline bool may_go_on(struct tsr_engine *engine, int thread)
{
    const struct tsr_state *state = engine->env.state;
    if (state->queues.active != 0 || engine->env.findings->stopped)
        return false;
    return !state->sync.latch[thread].latched || tsr_gate_evaluate(engine, thread);
}

// What only a round moves on.
static inline bool round_is_due(const struct tsr_state *state)
{
    return state->mover.busy || state->tdma.count > 0 || state->scalar.requests > 0;
}

bool tsr_bypass_possible(struct tsr_engine *engine, int thread)
{
    const struct tsr_state *state = engine->env.state;
    if (engine->env.timing || engine->staged || thread == engine->break_thread ||
        round_is_due(state))
        return false;
    for (int other = 0; other < TSR_THREADS; other++)
        if (other != thread &&
            (!tsr_frontend_quiet(&state->frontend[other]) || state->sync.latch[other].latched))
            return false;
    return may_go_on(engine, thread);
}

// Any word, by way of the gate's checks. True: the next one may follow in this round.
static bool offer_word(struct tsr_engine *engine, int thread, uint32_t word, enum tsr_word_at at)
{
    return tsr_offer(engine, thread, word, at) && !round_is_due(engine->env.state);
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
    if (!route->bypass || (word & route->reserved) != 0 || env->state->debug.soft_reset != 0)
        return offer_word(engine, thread, word, at);
    tsr_unit unit = tsr_route_unit(route, word);
    struct tsr_queue *queue = &env->state->queues.of[unit];
    struct tsr_inflight *inst = &queue->inst[0];
    tsr_reason reason;
    uint64_t retry_at = 0; // with timing off no wait has such an end
    if (!tsr_stage_accept(engine, route, frontend, thread, word, unit, inst, false, &reason,
                          &retry_at))
        return reason != TSR_REASON_NONE && tsr_hold(engine, thread, reason, word, retry_at);
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
        return tsr_issue(engine, thread) && !round_is_due(engine->env.state);
    if (frontend->replay.play_left > 0)
        return run_replay(engine, frontend, thread);
    if (frontend->before_replay.count > 0 || frontend->replay.load_left > 0 || frontend->mop.active)
        return tsr_expand(engine, thread) || tsr_issue(engine, thread);
    if (frontend->before_mop.count > 0)
        return run_core(engine, frontend, thread);
    return tsr_issue(engine, thread); // which notes that there is nothing
}

bool tsr_bypass(struct tsr_engine *engine, int thread)
{
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    uint64_t before = frontend->sequence;
    bool moved = false;
    if (frontend->before_gate.count == 0) // as the gate finds it at the beginning of a round
        tsr_note_wait(engine, thread, TSR_REASON_EMPTY, 0);
    while (may_go_on(engine, thread) && run_some(engine, frontend, thread))
        moved = true;
    // What comes next is to stand at the gate, also if a finding has stopped the tile.
    moved |= tsr_expand(engine, thread);
    return moved || frontend->sequence != before;
}
