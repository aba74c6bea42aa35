// SPDX-License-Identifier: Apache-2.0
// With timing on: when the units of a lone thread (lone_thread.c) go on, and what they can do while
// something waits in one of them.
#include "frontend/lone_units.h"

#include "frontend/rests.h"

// When something in the queue is due by the clock.
TSR_INLINE uint64_t queue_due(struct lone *lone, const struct tsr_queue *queue, tsr_unit unit)
{
    uint64_t due = queue->executed > 0 ? queue->inst[queue->first].completes_at : UINT64_MAX;
    if (queue->executed == queue->count || (queue->executed > 0 && tsr_unit_serial(unit)))
        return due;
    const struct tsr_inflight *next =
        &queue->inst[(queue->first + queue->executed) % TSR_QUEUE_DEPTH];
    uint64_t at = next->accepted_at + next->address;
    if (at > lone->state->now)
        return at < due ? at : due;
    lone->waits = true;
    lone->unclear |= !tsr_queue_waits_on(&lone->engine->env, unit);
    return due;
}

void tsr_lone_look_at_units(struct lone *lone)
{
    const struct tsr_queues *queues = &lone->state->queues;
    lone->due = UINT64_MAX;
    lone->waits = false;
    for (uint32_t left = queues->active; left; left &= left - 1) {
        tsr_unit unit = (tsr_unit)__builtin_ctz(left);
        earlier(&lone->due, queue_due(lone, &queues->of[unit], unit));
    }
}

bool tsr_lone_advance_waiting(struct lone *lone)
{
    struct tsr_engine *engine = lone->engine;
    bool moved = false, again, waits;
    do {
        again = waits = false;
        for (uint32_t left = lone->state->queues.active; left && !engine->env.findings->stopped;
             left &= left - 1) {
            tsr_unit unit = (tsr_unit)__builtin_ctz(left);
            const struct tsr_queue *queue = &lone->state->queues.of[unit];
            if (!tsr_queue_pending(queue, lone->state->now))
                continue;
            if (!tsr_queue_waits_on(&engine->env, unit))
                again |= tsr_queue_advance(engine, unit);
            waits |= queue->executed < queue->count;
        }
        moved |= again;
    } while (again && waits && !engine->env.findings->stopped);
    tsr_lone_look_at_units(lone);
    return moved;
}
