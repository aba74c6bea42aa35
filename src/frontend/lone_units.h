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
// The thread that is served first when several ask the unit that has taken this one's word.
TSR_INLINE uint8_t tsr_lone_next_thread(const struct lone *lone)
{
    return (uint8_t)(lone->thread + 1 < TSR_THREADS ? lone->thread + 1 : 0);
}
// Words of the unit are issued, with others as one or alone without their stages.
TSR_INLINE void tsr_lone_count_words(const struct lone *lone, unsigned unit, unsigned words)
{
    struct tsr_engine *engine = lone->engine;
    engine->tally.issued[lone->thread] += words;
    engine->tally.unit_instructions[unit] += words;
    engine->tally.available[lone->thread][unit] += words;
    engine->in_blocks += words;
}
// The unit had work of the thread in these cycles, those of instructions that follow each other.
TSR_INLINE void tsr_lone_count_busy(const struct lone *lone, unsigned unit, uint64_t start,
                                    uint64_t until)
{
    struct tsr_engine *engine = lone->engine;
    struct tsr_queue *queue = &lone->state->queues.of[unit];
    const uint64_t from = start > queue->busy_until ? start : queue->busy_until;
    if (until <= from)
        return;
    engine->tally.unit_busy[unit] += until - from;
    engine->tally.thread_busy[unit][lone->thread] += until - from;
    queue->busy_until = until;
}
// An instruction that is issued at a cycle without its stages, all but its place in its thread.
TSR_INLINE void tsr_lone_begin(const struct lone *lone, const struct tsr_route *route,
                               struct tsr_inflight *inst, uint32_t word, tsr_unit unit, uint64_t at)
{
    tsr_inflight_begin(inst, word, route->op, (uint8_t)lone->thread, unit);
    inst->accepted_at = at;
    inst->hold = 1;
    inst->address = inst->closed = 0;
    inst->duration = route->latency;
}
// One that executed so, as its unit's queue holds it then.
TSR_INLINE void tsr_lone_put_in_queue(const struct lone *lone, const struct tsr_route *route,
                                      uint32_t word, uint64_t sequence, uint64_t at)
{
    struct tsr_queue *queue = &lone->state->queues.of[route->unit];
    TSR_FOUND(queue);
    struct tsr_inflight *inst = tsr_queue_at(queue, queue->count++);
    TSR_FOUND(inst);
    tsr_lone_begin(lone, route, inst, word, (tsr_unit)route->unit, at);
    inst->sequence = sequence;
    tsr_inflight_executed(inst, at, true);
    if (route->ops->leave_job)
        route->ops->leave_job(&lone->engine->env, inst);
    queue->executed++;
    lone->state->queues.active |= 1u << route->unit;
    lone->frontend->in_flight++;
}

// One in which nothing waits to execute: only the oldest can go on.
TSR_INLINE void tsr_lone_complete_due(struct tsr_engine *engine, struct tsr_queue *queue,
                                      tsr_unit unit, uint64_t now)
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
TSR_INLINE bool tsr_lone_advance_units(struct lone *lone)
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

// Completes what is due in a unit where nothing waits to execute, and nobody looks at single words
// (lone->steps).
TSR_INLINE void tsr_lone_complete_unseen(struct lone *lone, struct tsr_queue *queue, tsr_unit unit,
                                         uint64_t now)
{
    struct tsr_engine *engine = lone->engine;
    void (*const complete)(struct tsr_env *, struct tsr_inflight *) =
        tsr_unit_ops_of(unit)->complete;
    uint64_t *const thread_busy = engine->tally.thread_busy[unit];
    uint64_t busy = queue->busy_until, all = 0;
    unsigned first = queue->first, gone = 0;
    const unsigned executed = queue->executed;
    do {
        struct tsr_inflight *inst = &queue->inst[first];
        TSR_FOUND(inst);
        const uint64_t at = inst->completes_at;
        if (at > now)
            break;
        if (complete)
            complete(&engine->env, inst);
        const uint64_t from = inst->accepted_at > busy ? inst->accepted_at : busy;
        const unsigned thread = inst->thread;
        if (at > from) {
            all += at - from;
            thread_busy[thread] += at - from;
            busy = at;
        }
        lone->state->frontend[thread].in_flight--;
        first = (first + 1) % TSR_QUEUE_DEPTH;
    } while (++gone < executed);
    engine->tally.unit_busy[unit] += all;
    queue->busy_until = busy;
    queue->executed = (uint8_t)(executed - gone);
    queue->count = queue->executed; // nothing waits
    queue->first = (uint8_t)(gone < executed ? first : 0);
    if (gone == executed)
        lone->state->queues.active &= ~(1u << unit);
}

// What completes in other units brings no bytes, so that nothing else completes earlier or later
// for it.
enum {
    TSR_CHANGE_TIMES = TSR_ALL_UNITS & ~(1 << TSR_UNIT_MATRIX | 1 << TSR_UNIT_SYNC),
    TSR_MOVE_BYTES = 1 << TSR_UNIT_UNPACKER0 | 1 << TSR_UNIT_UNPACKER1 | 1 << TSR_UNIT_PACKER
};

// What is due in the present cycle, where all that units hold has executed, and nobody looks at
// single words.
TSR_INLINE void tsr_lone_complete_units(struct lone *lone)
{
    struct tsr_queues *queues = &lone->state->queues;
    const uint64_t now = lone->state->now;
    uint32_t gone = 0;
    uint64_t due = UINT64_MAX;
    for (uint32_t left = queues->active; left; left &= left - 1) {
        tsr_unit unit = (tsr_unit)__builtin_ctz(left);
        struct tsr_queue *queue = &queues->of[unit];
        TSR_FOUND(queue);
        if (queue->inst[queue->first].completes_at <= now) {
            tsr_lone_complete_unseen(lone, queue, unit, now);
            gone |= 1u << unit;
            if (queue->count == 0)
                continue;
        }
        earlier(&due, queue->inst[queue->first].completes_at);
    }
    lone->due = due;
    lone->engine->env.touched |= gone;
    if ((gone & TSR_MOVE_BYTES) && (queues->active & TSR_MOVE_BYTES)) // it may have changed others
        tsr_lone_look_at_units(lone);
}

#endif
