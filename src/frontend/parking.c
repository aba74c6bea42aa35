// SPDX-License-Identifier: Apache-2.0
// With timing off: words whose unit has to wait, for a bank of Src as a rule. They would only go
// through the gate one by one in order to stand in the unit's queue, so they are put into it here,
// in order, each by the unit's accept stage. The gate's checks are left out, since none of them
// could hold such a word (docs/architecture.md). They are counted as issued all at once.
#include "frontend/parking.h"

#include "frontend/issue.h"
#include "frontend/queues.h"
#include "frontend/rests.h"
#include "frontend/word_blocks.h"

// Accepts a word into its unit's queue, which has room. False: a finding stopped the tile.
static inline bool enter(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                         const struct tsr_route *route, uint32_t word, tsr_unit unit,
                         struct tsr_queue *queue, struct tsr_inflight *inst)
{
    tsr_reason reason;
    uint64_t retry_at = 0;
    if (!tsr_stage_accept(engine, route, frontend, thread, word, unit, inst, false, &reason,
                          &retry_at))
        return false;
    tsr_queue_enter(&engine->env, queue, inst, thread, unit, false);
    frontend->sequence++;
    return true;
}

unsigned tsr_park_words(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                        const uint32_t *words, unsigned count, enum tsr_word_at at,
                        enum tsr_parking *end)
{
    struct tsr_env *env = &engine->env;
    uint32_t waiting = 0; // units of which it is known that what is in them waits
    unsigned done = 0, gone = 0;
    bool stopped = false;
    *end = TSR_PARKED;
    while (done < count) { // unpackers give the engine nothing to do
        uint32_t word = words[done];
        const struct tsr_route *route = &engine->route[word >> 24];
        if (!route->parks || (word & route->reserved) != 0)
            break;
        tsr_unit unit = tsr_route_unit(route, word);
        struct tsr_queue *queue = &env->state->queues.of[unit];
        if (queue->count >= route->depth) {
            *end = TSR_PARKING_FULL;
            break;
        }
        bool first = queue->count == 0;
        if (!(waiting >> unit & 1) &&
            (first ? !route->ops->would_wait(env, word) : !tsr_queue_waits_on(env, unit)))
            break;
        struct tsr_inflight *inst = tsr_queue_at(queue, queue->count);
        if (!enter(engine, frontend, thread, route, word, unit, queue, inst)) {
            stopped = true;
            break;
        }
        done++;
        waiting |= 1u << unit;
        if (!first && !env->races)
            continue;
        if (first && !env->races && route->ops->still_waits(env, inst)) {
            tsr_queue_note_wait(queue, tsr_bank_reason(unit), env->state->now);
            continue;
        }
        tsr_words_issued(engine, frontend, thread, at, done - gone); // it may report
        gone = done;
        if (!first)
            continue;
        tsr_queue_begin(engine, queue, inst, route->ops);
        waiting = 0; // it has executed, or nobody knows
        if (env->findings->stopped)
            break;
    }
    tsr_words_issued(engine, frontend, thread, at, done - gone);
    if (stopped)
        tsr_stand_at_gate(engine, thread, words[done], at);
    if (env->findings->stopped)
        *end = TSR_PARKING_STOPPED;
    if (*end == TSR_PARKING_FULL)
        tsr_hold(engine, thread, TSR_REASON_UNIT_FULL, words[done], 0);
    return done;
}
