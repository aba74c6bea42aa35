// SPDX-License-Identifier: Apache-2.0
// A unit's queue of accepted instructions: executes them in order and completes them when their
// time has come (docs/architecture.md).
#include "frontend/queues.h"

#include "frontend/rests.h"
#include "frontend/stages.h"
#include "state/l1_traffic.h"

static bool complete_due(struct tsr_engine *engine, const struct tsr_unit_ops *ops,
                         struct tsr_queue *queue, tsr_unit unit)
{
    const uint64_t now = engine->env.state->now;
    bool moved = false;
    while (queue->executed > 0) {
        struct tsr_inflight *inst = &queue->inst[queue->first];
        TSR_FOUND(inst);
        if (inst->completes_at > now)
            break;
        tsr_stage_complete(engine, ops, queue, inst, engine->env.timing);
        tsr_queue_leave(&engine->env, queue, unit, inst);
        moved = true;
    }
    return moved;
}

void tsr_queue_abort(struct tsr_env *env, tsr_unit unit)
{
    struct tsr_queue *queue = &env->state->queues.of[unit];
    if (env->races)
        env->races->ops->aborted(env->races, unit);
    for (unsigned i = 0; i < queue->count; i++)
        env->state->frontend[tsr_queue_at(queue, i)->thread].in_flight--;
    queue->first = queue->count = queue->executed = 0;
    queue->reason = TSR_REASON_NONE;
    queue->next_accept = env->state->now;
    env->state->queues.active &= ~(1u << unit);
    env->touched |= 1u << unit;
    if (unit == TSR_UNIT_UNPACKER0 || unit == TSR_UNIT_UNPACKER1)
        tsr_l1_end(env, unit == TSR_UNIT_UNPACKER0 ? TSR_L1_UNPACKER0 : TSR_L1_UNPACKER1);
    else if (unit == TSR_UNIT_PACKER) {
        tsr_l1_end_packers(env);
        env->state->queues.drain = (struct tsr_drain){0};
    }
}

// The oldest instruction that has not executed; its time has come. True: it did.
static inline bool execute_inst(struct tsr_engine *engine, const struct tsr_unit_ops *ops,
                                struct tsr_queue *queue, struct tsr_inflight *inst)
{
    struct tsr_env *env = &engine->env;
    tsr_reason reason;
    bool executed = tsr_stage_execute(env, ops, inst, &reason);
    if (env->findings->stopped)
        return false;
    if (queue->executed == queue->count)
        return true; // a STOREREG began a soft reset of its own unit
    tsr_queue_note_wait(queue, reason, env->state->now);
    if (!executed)
        return false;
    tsr_inflight_executed(inst, env->state->now, env->timing);
    queue->executed++;
    return true;
}

static bool execute_next(struct tsr_engine *engine, tsr_unit unit, const struct tsr_unit_ops *ops,
                         struct tsr_queue *queue)
{
    if (queue->executed == queue->count || (queue->executed > 0 && tsr_unit_serial(unit)))
        return false;
    struct tsr_inflight *inst = tsr_queue_at(queue, queue->executed);
    TSR_FOUND(inst);
    return engine->env.state->now >= inst->accepted_at + inst->address &&
           execute_inst(engine, ops, queue, inst);
}

// tsr_queue_advance() for an instruction that came just now: where all before it have executed,
// only it can do something.
void tsr_queue_begin(struct tsr_engine *engine, struct tsr_queue *queue, struct tsr_inflight *inst,
                     const struct tsr_unit_ops *ops)
{
    struct tsr_env *env = &engine->env;
    tsr_unit unit = (tsr_unit)inst->unit;
    if (queue->executed + 1u != queue->count) {
        if (env->timing || !tsr_queue_waits_on(env, unit))
            tsr_queue_advance(engine, unit);
        return;
    }
    if (inst->address > 0 || (queue->executed > 0 && tsr_unit_serial(unit)) ||
        !execute_inst(engine, ops, queue, inst))
        return;
    env->touched |= 1u << unit;
    if (inst->completes_at <= env->state->now)
        complete_due(engine, ops, queue, unit);
}

bool tsr_queue_execute_one(struct tsr_engine *engine, tsr_unit unit)
{
    struct tsr_queue *queue = &engine->env.state->queues.of[unit];
    return queue->executed < queue->count &&
           execute_next(engine, unit, tsr_unit_ops_of(unit), queue);
}

bool tsr_queue_complete_one(struct tsr_engine *engine, tsr_unit unit)
{
    struct tsr_queue *queue = &engine->env.state->queues.of[unit];
    if (queue->executed == 0)
        return false;
    struct tsr_inflight *inst = tsr_queue_at(queue, 0);
    tsr_stage_complete(engine, tsr_unit_ops_of(unit), queue, inst, false);
    tsr_queue_leave(&engine->env, queue, unit, inst);
    return true;
}

// With timing off what executes is complete at once, and only an observer asks when it executed.
static __attribute__((noinline)) bool advance_untimed(struct tsr_engine *engine,
                                                      const struct tsr_unit_ops *ops,
                                                      struct tsr_queue *queue, tsr_unit unit)
{
    struct tsr_env *env = &engine->env;
    bool moved = false;
    while (queue->count > 0) {
        struct tsr_inflight *inst = &queue->inst[queue->first];
        tsr_reason reason = TSR_REASON_NONE;
        if (queue->executed == 0) {
            bool executed = tsr_stage_execute(env, ops, inst, &reason);
            if (env->findings->stopped)
                break;
            moved |= executed || queue->count == 0;
            if (queue->count == 0)
                break; // a STOREREG began a soft reset of its own unit
            if (queue->reason != reason)
                tsr_queue_note_wait(queue, reason, env->state->now);
            if (!executed)
                break;
            if (engine->observer)
                tsr_inflight_executed(inst, env->state->now, false);
            queue->executed++;
        }
        moved = true;
        tsr_stage_complete(engine, ops, queue, inst, false);
        tsr_queue_leave(&engine->env, queue, unit, inst);
    }
    if (moved)
        engine->env.touched |= 1u << unit;
    return moved;
}

// The same of instructions that their unit can finish in one step. True: each of the others waits
// in it, or behind one that does; false: it must be asked in stages.
static inline bool finish_all(struct tsr_env *env, const struct tsr_unit_ops *ops,
                              struct tsr_queue *queue, tsr_unit unit, bool *moved)
{
    tsr_reason reason = TSR_REASON_NONE;
    unsigned done = ops->finish(env, queue, &reason), count = queue->count - done;
    for (unsigned i = 0; i < done; i++)
        env->state->frontend[tsr_queue_at(queue, i)->thread].in_flight--;
    *moved = done > 0;
    if (*moved || reason != TSR_REASON_NONE)
        tsr_queue_note_wait(queue, reason, env->state->now);
    if (*moved) {
        queue->count = (uint8_t)count; // as tsr_queue_leave()
        queue->first = (uint8_t)(count > 0 ? (queue->first + done) % TSR_QUEUE_DEPTH : 0);
        env->touched |= 1u << unit;
    }
    if (count == 0)
        env->state->queues.active &= ~(1u << unit);
    return count == 0 || reason != TSR_REASON_NONE;
}

bool tsr_queue_advance(struct tsr_engine *engine, tsr_unit unit)
{
    struct tsr_queue *queue = &engine->env.state->queues.of[unit];
    TSR_FOUND(queue);
    if (queue->count == 0)
        return false;
    const struct tsr_unit_ops *ops = tsr_unit_ops_of(unit);
    const struct tsr_env *env = &engine->env;
    bool moved = false;
    if (!env->timing && ops->finish && queue->executed == 0 && !engine->staged &&
        !engine->observer && !env->watch && !env->races &&
        finish_all(&engine->env, ops, queue, unit, &moved))
        return moved;
    if (!env->timing)
        return advance_untimed(engine, ops, queue, unit) || moved;
    moved = queue->executed > 0 && complete_due(engine, ops, queue, unit);
    while (queue->executed < queue->count && execute_next(engine, unit, ops, queue)) {
        moved = true;
        complete_due(engine, ops, queue, unit);
    }
    if (moved)
        engine->env.touched |= 1u << unit;
    return moved;
}

bool tsr_queue_complete(struct tsr_engine *engine, tsr_unit unit)
{
    bool moved =
        complete_due(engine, tsr_unit_ops_of(unit), &engine->env.state->queues.of[unit], unit);
    if (moved)
        engine->env.touched |= 1u << unit;
    return moved;
}
