// SPDX-License-Identifier: Apache-2.0
// The three stages of an instruction (docs/architecture.md), each written once: issue.c accepts,
// queues.c executes and completes, and bypass.c does all three one after the other. `timing` is
// env->timing, which the bypass knows to be false: without it nobody reads an instruction's costs.
#ifndef TESSERA_FRONTEND_STAGES_H
#define TESSERA_FRONTEND_STAGES_H

#include "frontend/auto_sync.h"
#include "frontend/events.h"
#include "state/pushes.h"
#include "state/races.h"
#include "state/row_writers.h"

#include <string.h>

// The words of a MOP have the tag of its word.
static inline void tsr_keep_same(uint32_t kept[TSR_PUSHES_KEPT], unsigned place, uint32_t tag,
                                 unsigned count)
{
    typedef uint32_t four __attribute__((vector_size(16)));
    const four tags = {tag, tag, tag, tag};
    for (; count >= 4 && place <= TSR_PUSHES_KEPT - 4; count -= 4, place += 4)
        memcpy(&kept[place], &tags, sizeof tags);
    for (; count > 0; count--, place++)
        kept[place % TSR_PUSHES_KEPT] = tag;
}

// Notes who pushed the next `count` words that lie there, the first of which is that instruction.
static inline void tsr_note_pushes(struct tsr_engine *engine, const struct tsr_frontend *frontend,
                                   int thread, enum tsr_word_at at, uint64_t sequence,
                                   unsigned count)
{
    struct tsr_pushes *pushes = engine->env.pushes;
    if (!pushes)
        return;
    uint32_t *kept = pushes->tag[thread];
    unsigned place = sequence % TSR_PUSHES_KEPT;
    if (at == TSR_AT_MOP)
        tsr_keep_same(kept, place, (uint32_t)frontend->mop_tag, count);
    else if (at == TSR_AT_GATE && count == 1)
        kept[place] = (uint32_t)tsr_fifo_front_tag(&frontend->before_gate);
    else
        tsr_pushes_keep(&engine->env, thread, at, sequence, count);
}

static inline void tsr_take_words(struct tsr_engine *engine, struct tsr_frontend *frontend,
                                  int thread, enum tsr_word_at at, unsigned count)
{
    if (at == TSR_AT_GATE)
        tsr_fifo_drop(&frontend->before_gate, count);
    else if (at == TSR_AT_REPLAY)
        tsr_replay_skip(&frontend->replay, count);
    else if (at == TSR_AT_MOP)
        tsr_mop_take(frontend, &engine->expansion[thread], count);
    else if (at == TSR_AT_B)
        tsr_fifo_drop(&frontend->before_replay, count);
    else if (at == TSR_AT_CORE)
        tsr_fifo_drop(&frontend->before_mop, count);
}

// Fills what the stages share of an instruction that its unit may take.
static inline void tsr_stage_fill(const struct tsr_env *env, const struct tsr_route *route,
                                  const struct tsr_frontend *frontend, int thread, uint32_t word,
                                  tsr_unit unit, struct tsr_inflight *inst, bool timing)
{
    tsr_inflight_begin(inst, word, route->op, (uint8_t)thread, unit);
    inst->sequence = frontend->sequence + 1;
    inst->accepted_at = env->state->now;
    if (timing) {
        inst->hold = route->hold;
        inst->address = 0;
        inst->closed = 0;
        inst->duration = route->latency;
    }
}

// Accept. False: the unit does not take the word now for `reason` and until `retry_at` (see
// tsr_unit_ops.ready), or a finding has stopped the tile; nothing was changed but `inst`, the place
// for it in the unit's queue.
static inline bool tsr_stage_accept(struct tsr_engine *engine, const struct tsr_route *route,
                                    const struct tsr_frontend *frontend, int thread, uint32_t word,
                                    tsr_unit unit, struct tsr_inflight *inst, bool timing,
                                    tsr_reason *reason, uint64_t *retry_at)
{
    struct tsr_env *env = &engine->env;
    tsr_stage_fill(env, route, frontend, thread, word, unit, inst, timing);
    if (TSR_RARELY(env->watch))
        inst->state_id = (uint8_t)tsr_state_id(env, thread);
    *reason = route->ops->ready ? route->ops->ready(env, inst, retry_at) : TSR_REASON_NONE;
    if (TSR_RARELY(env->races && *reason == TSR_REASON_NONE)) {
        uint64_t tag = tsr_fifo_front_tag(&frontend->before_gate);
        tsr_race_accepts(env, inst, tag);
        tsr_auto_sync_uses(env, thread, (enum tsr_op)inst->op, word, tag);
    }
    if (*reason != TSR_REASON_NONE || !route->ops->accept(env, inst) || env->findings->stopped)
        return false;
    engine->tally.unit_instructions[unit]++;
    if (timing)
        engine->tally.available[thread][unit]++;
    return true;
}

// The matrix unit or the vector unit has work in these cycles. Calls come in the order of `from`,
// which makes one number enough to know their union.
static inline void tsr_note_compute(struct tsr_queues *queues, tsr_unit unit, uint64_t from,
                                    uint64_t until)
{
    if (unit != TSR_UNIT_MATRIX && unit != TSR_UNIT_VECTOR)
        return;
    if (from < queues->compute_until)
        from = queues->compute_until;
    if (until <= from)
        return;
    queues->compute_busy += until - from;
    queues->compute_until = until;
}

// With timing on: how long the instruction keeps others out of its unit.
static inline void tsr_take_time(struct tsr_env *env, const struct tsr_route *route,
                                 struct tsr_queue *queue, const struct tsr_inflight *inst,
                                 int thread, tsr_unit unit)
{
    uint32_t units = 1u << unit;
    uint64_t now = env->state->now;
    struct tsr_queue *asked = route->second ? &env->state->queues.of[route->unit] : queue;
    asked->next_thread = (uint8_t)(thread + 1 < TSR_THREADS ? thread + 1 : 0);
    // What waits inside the matrix unit for Dst keeps others out (decision 30).
    uint64_t begins = now + (unit == TSR_UNIT_MATRIX ? inst->address : 0);
    if (!route->serves_each_thread)
        queue->next_accept = begins + route->issue_cycles;
    tsr_note_compute(&env->state->queues, unit, now, begins + inst->duration);
    if (inst->closed > 0)
        queue->opens_at = begins + inst->closed;
    // Only unpackers have a second one: they the address phase, and neither takes an UNPACR while
    // one is in it.
    if (route->second) {
        uint64_t phase_ends = now + inst->address;
        units = 1u << TSR_UNIT_UNPACKER0 | 1u << TSR_UNIT_UNPACKER1;
        for (int each = TSR_UNIT_UNPACKER0; each <= TSR_UNIT_UNPACKER1; each++)
            if (env->state->queues.of[each].next_accept < phase_ends)
                env->state->queues.of[each].next_accept = phase_ends;
    }
    env->touched |= units;
}

// The word is gone from where it lay, and its thread goes on.
static inline void tsr_count_issued(struct tsr_engine *engine, struct tsr_frontend *frontend,
                                    int thread, enum tsr_word_at at, uint32_t hold_cycles,
                                    tsr_reason held_for, bool timing)
{
    if (frontend->reason != TSR_REASON_NONE)
        tsr_note_wait(engine, thread, TSR_REASON_NONE, 0);
    tsr_note_pushes(engine, frontend, thread, at, frontend->sequence + 1, 1);
    tsr_take_words(engine, frontend, thread, at, 1);
    frontend->sequence++;
    engine->tally.issued[thread]++;
    if (timing) {
        frontend->retry_at = 0;
        frontend->next_issue = engine->env.state->now + hold_cycles;
        engine->tally.waited[thread][held_for] += hold_cycles - 1;
    }
}

// The instruction is seen in its unit's queue from here on.
static inline void tsr_queue_enter(struct tsr_env *env, struct tsr_queue *queue,
                                   struct tsr_inflight *inst, int thread, tsr_unit unit,
                                   bool timing)
{
    queue->count++;
    if (!timing)
        inst->address = 0; // an address phase takes no time
    env->state->queues.active |= 1u << unit;
    env->state->frontend[thread].in_flight++;
}

// Execute. False: it waits in its unit for `reason`, or a finding has stopped the tile.
static inline bool tsr_stage_execute(struct tsr_env *env, const struct tsr_unit_ops *ops,
                                     struct tsr_inflight *inst, tsr_reason *reason)
{
    *reason = TSR_REASON_NONE;
    if (ops->execute) {
        env->acting = inst;
        if (TSR_RARELY(env->races))
            tsr_race_executes(env, inst);
        *reason = ops->execute(env, inst);
        env->acting = NULL;
        if (TSR_RARELY(env->races))
            tsr_race_done(env, *reason == TSR_REASON_NONE);
        if (TSR_RARELY(env->watch)) {
            struct tsr_origin origin = tsr_origin_of(inst);
            tsr_rows_note(env->state, &origin);
        }
    }
    if (*reason != TSR_REASON_NONE || env->findings->stopped)
        return false;
    return true;
}

// When it executed and will complete: for its queue, for the instructions behind it, and for the
// observer. The bypass leaves it out where nobody listens.
static inline void tsr_inflight_executed(struct tsr_inflight *inst, uint64_t now, bool timing)
{
    inst->executed = true;
    inst->executed_at = now;
    inst->completes_at = now + (timing ? inst->duration : 0);
}

static inline void tsr_queue_note_wait(struct tsr_queue *queue, tsr_reason reason, uint64_t now)
{
    if (reason != queue->reason) {
        queue->reason = (uint8_t)reason;
        queue->waits_since = now;
    }
}

// Complete. Cycles in which the unit had work: the union of its instructions' times in it.
static inline void tsr_stage_complete(struct tsr_engine *engine, const struct tsr_unit_ops *ops,
                                      struct tsr_queue *queue, struct tsr_inflight *inst,
                                      bool timing)
{
    if (ops->complete)
        ops->complete(&engine->env, inst);
    if (TSR_RARELY(engine->env.watch)) {
        struct tsr_origin origin = tsr_origin_of(inst); // UNPACR_NOP clears at its end
        tsr_rows_note(engine->env.state, &origin);
    } else if (TSR_RARELY(engine->env.races)) {
        tsr_rows_forget(engine->env.state); // they were told when it executed
    }
    uint64_t from = inst->accepted_at > queue->busy_until ? inst->accepted_at : queue->busy_until;
    if (timing && inst->completes_at > from) {
        engine->tally.unit_busy[inst->unit] += inst->completes_at - from;
        engine->tally.thread_busy[inst->unit][inst->thread] += inst->completes_at - from;
        queue->busy_until = inst->completes_at;
    }
    if (TSR_RARELY(engine->observer))
        tsr_queue_observe(engine, inst);
}

// The oldest instruction is complete and gone. An empty queue starts over at its first place, which
// stays in the cache.
static inline void tsr_queue_leave(struct tsr_env *env, struct tsr_queue *queue, tsr_unit unit,
                                   const struct tsr_inflight *inst)
{
    env->state->frontend[inst->thread].in_flight--;
    queue->executed--;
    if (--queue->count > 0) {
        queue->first = (uint8_t)((queue->first + 1) % TSR_QUEUE_DEPTH);
        return;
    }
    queue->first = 0;
    env->state->queues.active &= ~(1u << unit);
}

#endif
