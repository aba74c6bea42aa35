// SPDX-License-Identifier: Apache-2.0
// With timing on: what a round need not visit, because the visit would change nothing
// (tile/clock.c). Each rule looks at what the state holds now, so nothing has to be told of a
// change. With TSR_PIPELINE_STAGED none of them is asked.
#ifndef TESSERA_FRONTEND_RESTS_H
#define TESSERA_FRONTEND_RESTS_H

#include "control/scalar_unit.h"
#include "frontend/engine.h"

// What waits in the unit would wait on, were it asked again.
static inline bool tsr_queue_waits_on(const struct tsr_env *env, tsr_unit unit)
{
    const struct tsr_queue *queue = &env->state->queues.of[unit];
    const struct tsr_unit_ops *ops = tsr_unit_ops_of(unit);
    return queue->reason != TSR_REASON_NONE && queue->executed < queue->count && ops->still_waits &&
           ops->still_waits(env, &queue->inst[(queue->first + queue->executed) % TSR_QUEUE_DEPTH]);
}

// Why an instruction waits in an unpacker.
static inline tsr_reason tsr_bank_reason(tsr_unit unit)
{
    return unit == TSR_UNIT_UNPACKER0 ? TSR_REASON_SRCA : TSR_REASON_SRCB;
}

// A unit's queue as it stands in this cycle.
struct tsr_outlook {
    uint64_t due;  // the next cycle in which something is due in it; UINT64_MAX: none
    bool waits;    // what waits in it goes on when the state of another unit has changed
    bool restless; // it may move now
};

static inline struct tsr_outlook tsr_queue_outlook(const struct tsr_env *env, tsr_unit unit)
{
    const struct tsr_queue *queue = &env->state->queues.of[unit];
    struct tsr_outlook outlook = {.due = UINT64_MAX};
    uint64_t now = env->state->now;
    if (queue->next_accept > now)
        outlook.due = queue->next_accept;
    if (queue->opens_at > now && queue->opens_at < outlook.due)
        outlook.due = queue->opens_at;
    if (queue->count == 0)
        return outlook;
    if (queue->executed > 0) {
        uint64_t at = queue->inst[queue->first].completes_at;
        outlook.restless = at <= now;
        if (at > now && at < outlook.due)
            outlook.due = at;
    }
    if (queue->executed < queue->count) {
        const struct tsr_inflight *next =
            &queue->inst[(queue->first + queue->executed) % TSR_QUEUE_DEPTH];
        uint64_t at = next->accepted_at + next->address;
        if (at > now) {
            outlook.due = at < outlook.due ? at : outlook.due;
        } else if (queue->executed == 0 || !tsr_unit_serial(unit)) {
            outlook.waits = tsr_queue_waits_on(env, unit);
            outlook.restless |= !outlook.waits;
        }
    }
    // An instruction that waits for the configuration unit's stages may enter in any cycle.
    if (unit == TSR_UNIT_CONFIG)
        outlook.due = now + 1;
    return outlook;
}

// What keeps the thread's next word out of its unit, for a word that was held for `reason`: the
// queue takes none yet, or the bank is not the matrix unit's yet. What is checked before must still
// let the word pass. TSR_REASON_NONE: something else may.
static inline struct tsr_unit_hold tsr_unit_hold_of(const struct tsr_engine *engine,
                                                    const struct tsr_frontend *frontend,
                                                    uint32_t word, tsr_reason reason)
{
    const struct tsr_route *route = &engine->route[word >> 24];
    bool known =
        reason == TSR_REASON_UNIT_FULL || reason == TSR_REASON_SRCA || reason == TSR_REASON_SRCB;
    if (!known || !route->ops || frontend->retry_at != 0 ||
        (engine->env.state->debug.soft_reset & TSR_RESET_COPROCESSOR) != 0 ||
        (word & route->reserved) != 0)
        return (struct tsr_unit_hold){.reason = TSR_REASON_NONE};
    return (struct tsr_unit_hold){.reason = (uint8_t)reason,
                                  .unit = (uint8_t)tsr_route_unit(route, word),
                                  .depth = route->depth,
                                  .serves_each_thread = route->serves_each_thread};
}

// It still does. Of a reason.
static inline bool tsr_unit_hold_lasts(const struct tsr_state *state,
                                       const struct tsr_unit_hold *hold)
{
    const struct tsr_queue *queue = &state->queues.of[hold->unit];
    bool full = queue->count >= hold->depth ||
                (state->now < queue->next_accept && !hold->serves_each_thread);
    if (full || hold->reason == TSR_REASON_UNIT_FULL)
        return full && hold->reason == TSR_REASON_UNIT_FULL;
    const struct tsr_src *srca = &state->src[TSR_SRCA], *srcb = &state->src[TSR_SRCB];
    bool has_a = srca->bank[srca->matrix_bank].matrix_owns;
    bool has_b = srcb->bank[srcb->matrix_bank].matrix_owns;
    if (hold->unit != TSR_UNIT_MATRIX)
        return false;
    // SrcA is asked first, and what has executed may be about to give its bank back.
    return hold->reason == TSR_REASON_SRCA ? !has_a : !has_b && has_a && queue->executed == 0;
}

static inline bool tsr_unit_keeps_out(const struct tsr_engine *engine,
                                      const struct tsr_frontend *frontend, uint32_t word,
                                      tsr_reason reason)
{
    const struct tsr_unit_hold hold = tsr_unit_hold_of(engine, frontend, word, reason);
    return hold.reason != TSR_REASON_NONE && tsr_unit_hold_lasts(engine->env.state, &hold);
}

// The thread's gate has no word, or may not issue it in this cycle, or what held it holds it still.
// Nothing can begin to hold a word that stands at the gate for one reason for an earlier one: only
// the thread's own instructions latch waits and enter the scalar unit for it.
static inline bool tsr_gate_rests(const struct tsr_engine *engine,
                                  const struct tsr_frontend *frontend, int thread)
{
    const struct tsr_state *state = engine->env.state;
    if (frontend->before_gate.count == 0)
        return frontend->reason == TSR_REASON_EMPTY && frontend->retry_at == 0;
    if (state->now < frontend->next_issue)
        return true;
    switch (frontend->reason) {
    case TSR_REASON_STALLWAIT:
    case TSR_REASON_SEMWAIT:
        return state->sync.latch[thread].latched;
    case TSR_REASON_HOLD:
        return tsr_scalar_holds(state, thread);
    case TSR_REASON_UNIT_FULL:
    case TSR_REASON_SRCA:
    case TSR_REASON_SRCB:
        return tsr_unit_keeps_out(engine, frontend, tsr_fifo_front(&frontend->before_gate),
                                  (tsr_reason)frontend->reason);
    default:
        return false;
    }
}

#endif
