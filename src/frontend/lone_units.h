// SPDX-License-Identifier: Apache-2.0
// With timing on: the units of a lone thread (lone_thread.c) in its rounds. Most often nothing
// waits in one, and what has executed completes.
#ifndef TESSERA_FRONTEND_LONE_UNITS_H
#define TESSERA_FRONTEND_LONE_UNITS_H

#include "frontend/lone_words.h"
#include "frontend/queues.h"
#include "frontend/stages.h"

// Finds anew when one of them goes on, and whether something waits in one.
void tsr_lone_look_at_units(struct lone *lone);
// What the units can do in this cycle, once more while something moves and something waits. True:
// something moved.
bool tsr_lone_advance_waiting(struct lone *lone);
// An instruction that executed at a cycle without its stages, as its unit's queue holds it then.
void tsr_lone_put_in_queue(const struct lone *lone, const struct tsr_route *route, uint32_t word,
                           uint64_t sequence, uint64_t at);

// One in which nothing waits to execute: only the oldest can go on.
INLINE void tsr_lone_complete_due(struct tsr_engine *engine, struct tsr_queue *queue, tsr_unit unit,
                                  uint64_t now)
{
    const struct tsr_unit_ops *ops = tsr_unit_ops_of(unit);
    struct tsr_inflight *inst = &queue->inst[queue->first];
    do {
        tsr_stage_complete(engine, ops, queue, inst, true);
        tsr_queue_leave(&engine->env, queue, unit, inst);
        inst = &queue->inst[queue->first];
    } while (queue->executed > 0 && inst->completes_at <= now);
    engine->env.touched |= 1u << unit;
}

// What the units can do in this cycle. True: something moved.
INLINE bool tsr_lone_advance_units(struct lone *lone)
{
    struct tsr_queues *queues = &lone->state->queues;
    uint64_t now = lone->state->now, later = UINT64_MAX;
    uint32_t due = 0;
    for (uint32_t left = queues->active; left; left &= left - 1) {
        tsr_unit unit = (tsr_unit)__builtin_ctz(left);
        const struct tsr_queue *queue = &queues->of[unit];
        if (queue->executed < queue->count)
            return tsr_lone_advance_waiting(lone);
        uint64_t at = queue->inst[queue->first].completes_at;
        due |= (uint32_t)(at <= now) << unit;
        if (at > now)
            earlier(&later, at);
    }
    uint32_t touched = lone->engine->env.touched;
    lone->engine->env.touched = 0;
    for (uint32_t left = due; left; left &= left - 1) {
        tsr_unit unit = (tsr_unit)__builtin_ctz(left);
        struct tsr_queue *queue = &queues->of[unit];
        tsr_lone_complete_due(lone->engine, queue, unit, now);
        if (queue->count > 0)
            earlier(&later, queue->inst[queue->first].completes_at);
    }
    lone->due = later;
    if (lone->engine->env.touched & ~due) // it changed the times of another one
        tsr_lone_look_at_units(lone);
    lone->engine->env.touched |= touched;
    return due != 0;
}

// The same in a cycle for which the oldest instruction of some unit is due, where all that units
// hold has executed.
INLINE void tsr_lone_complete_units(struct lone *lone)
{
    struct tsr_engine *engine = lone->engine;
    struct tsr_queues *queues = &lone->state->queues;
    const uint64_t now = lone->state->now;
    const uint32_t touched = engine->env.touched;
    uint32_t due = 0;
    engine->env.touched = 0;
    lone->due = UINT64_MAX;
    for (uint32_t left = queues->active; left; left &= left - 1) {
        tsr_unit unit = (tsr_unit)__builtin_ctz(left);
        struct tsr_queue *queue = &queues->of[unit];
        if (queue->inst[queue->first].completes_at <= now) {
            tsr_lone_complete_due(engine, queue, unit, now);
            due |= 1u << unit;
            if (queue->count == 0)
                continue;
        }
        earlier(&lone->due, queue->inst[queue->first].completes_at);
    }
    if (engine->env.touched & ~due) // it changed the times of another one
        tsr_lone_look_at_units(lone);
    engine->env.touched |= touched;
}

#endif
