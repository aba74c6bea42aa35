// SPDX-License-Identifier: Apache-2.0
// Threads 0 and 1 as they take turns at the banks of Src: how they begin, what waits in the
// unpackers' queues, what comes between two MOPs of thread 1, and telling the frontends where the
// threads are in the end. Shared by bank_turns.c and bank_again.c.
// Pages: MOPExpander.md, SrcASrcB.md.
#include "frontend/bank_lanes.h"

#include "frontend/issue.h"
#include "frontend/queues.h"
#include "frontend/small_words.h"
#include "frontend/word_blocks.h"

// ---------------------------------------------------------------- the beginning

static inline void look_into_queue(const struct tsr_engine *engine, struct waiting *waiting,
                                   unsigned unpacker)
{
    unsigned count = engine->env.state->queues.of[unit_of(unpacker)].count;
    waiting->queued = count > 0;
    waiting->room = tsr_unit_depth(unit_of(unpacker)) - count;
}

void tsr_bank_begin(struct tsr_engine *engine, struct leader *leader)
{
    leader->frontend = &engine->env.state->frontend[0];
    leader->expansion = &engine->expansion[0];
    leader->at = leader->expansion->at;
    leader->sequence = leader->frontend->sequence + 1 - leader->at;
    leader->full = leader->unusual = false;
    leader->stepped = true;
    leader->other_waits = TSR_REASON_NONE;
    for (unsigned i = 0; i < 2; i++) {
        struct waiting *waiting = &leader->waiting[i];
        waiting->first = waiting->count = waiting->done = 0;
        waiting->noted = false;
        look_into_queue(engine, waiting, i);
    }
}

bool tsr_bank_run_queue(struct tsr_engine *engine, struct waiting *waiting, unsigned unpacker,
                        bool *moved)
{
    const tsr_unit unit = unit_of(unpacker);
    if (!tsr_queue_waits_on(&engine->env, unit))
        *moved |= tsr_queue_advance(engine, unit);
    if (engine->env.findings->stopped)
        return false;
    look_into_queue(engine, waiting, unpacker);
    return !waiting->queued || tsr_queue_waits_on(&engine->env, unit);
}

// ---------------------------------------------------------------- thread 0 is told

// The next word that is ahead, in the order of the thread; it is no longer. TSR_MOP_EXPANSION:
// none.
static unsigned take_next(struct leader *leader)
{
    unsigned next = TSR_MOP_EXPANSION;
    struct waiting *in = NULL;
    for (struct waiting *each = leader->waiting; each < leader->waiting + 2; each++)
        if (each->count > 0 && each->at[each->first] < next) {
            next = each->at[each->first];
            in = each;
        }
    if (in) {
        in->first = (in->first + 1) % TSR_AHEAD;
        in->count--;
    }
    return next;
}

// It comes into its queue as accepted: it was when nothing had stopped the tile, and neither waits
// for that nor reports, so that it does, too, behind a finding that has stopped the tile since.
static void enter_queue(struct tsr_engine *engine, const struct leader *leader, unsigned at)
{
    const uint32_t word = leader->expansion->word[at];
    const struct tsr_route *route = &engine->route[word >> 24];
    tsr_unit unit = tsr_route_unit(route, word);
    struct tsr_queue *queue = &engine->env.state->queues.of[unit];
    struct tsr_inflight *inst = tsr_queue_at(queue, queue->count);
    tsr_inflight_begin(inst, word, route->op, 0, unit);
    inst->sequence = leader->sequence + at;
    inst->accepted_at = engine->env.state->now;
    route->ops->accept(&engine->env, inst);
    engine->tally.unit_instructions[unit]++;
    tsr_queue_enter(&engine->env, queue, inst, 0, unit, false);
}

static void count_done(struct tsr_engine *engine, unsigned done, tsr_unit unit)
{
    if (done == 0)
        return;
    engine->tally.unit_instructions[unit] += done;
    engine->in_blocks += done;
    engine->env.touched |= 1u << unit;
}

// UNPACRs that are ahead come again: their counters step back.
static void look_back(struct tsr_engine *engine, const struct leader *leader, unsigned unpacker)
{
    const struct waiting *waiting = &leader->waiting[unpacker];
    for (unsigned i = 0; i < waiting->count; i++) {
        unsigned place = (waiting->first + i) % TSR_AHEAD;
        if (leader->expansion->lane[waiting->at[place]] & LANE_NOP)
            continue;
        tsr_unpack_look_back(&engine->env, unpacker, 0, &waiting->ahead[place]);
        return; // to where they were before all of them
    }
}

void tsr_bank_tell(struct tsr_engine *engine, struct leader *leader)
{
    struct tsr_frontend *frontend = leader->frontend;
    unsigned gone = leader->at - leader->expansion->at;
    for (unsigned i = 0; i < 2; i++) {
        if (leader->stepped)
            look_back(engine, leader, i);
        count_done(engine, leader->waiting[i].done, unit_of(i));
    }
    for (unsigned at; (at = take_next(leader)) < TSR_MOP_EXPANSION;)
        enter_queue(engine, leader, at);
    frontend->sequence += gone;
    if (gone > 0 || (leader->full && frontend->reason != TSR_REASON_UNIT_FULL))
        tsr_lend_nothing(frontend);
    engine->in_turns += gone;
    tsr_words_issued(engine, frontend, 0, TSR_AT_MOP, gone);
    if (leader->full)
        tsr_hold(engine, 0, TSR_REASON_UNIT_FULL, leader->expansion->word[leader->at], 0);
}

// ---------------------------------------------------------------- thread 1

// Words between its MOPs that touch nothing that thread 0 has sampled. True: the next MOP begins.
static bool follow_fifo(struct tsr_engine *engine, struct tsr_frontend *frontend)
{
    struct tsr_fifo *fifo = &frontend->before_mop;
    while (fifo->count > 0) {
        uint32_t word = tsr_fifo_front(fifo);
        const struct tsr_route *route = &engine->route[word >> 24];
        if (route->op == OP_MOP)
            return tsr_mop_begin(&engine->env, 1, &engine->expansion[1]);
        if (!route->small || (route->unit != TSR_UNIT_MATRIX && route->op != OP_SETC16))
            return false;
        const struct tsr_small_word *small = tsr_small_word_of(engine, word);
        if (small->kind != TSR_SMALL_OF_UNIT ||
            !small->run(&engine->env, 1, small, frontend->sequence + 1))
            return false;
        engine->tally.unit_instructions[small->unit]++;
        engine->in_blocks++;
        frontend->sequence++;
        tsr_words_issued(engine, frontend, 1, TSR_AT_CORE, 1);
    }
    return false;
}

void tsr_bank_tell_follower(struct tsr_engine *engine, const struct follower *follower)
{
    unsigned gone = follower->at - follower->expansion->at;
    if (gone > 0)
        tsr_lend_nothing(follower->frontend);
    tsr_words_issued(engine, follower->frontend, 1, TSR_AT_MOP, gone);
}

bool tsr_bank_next_mop(struct tsr_engine *engine, struct follower *follower)
{
    tsr_bank_tell_follower(engine, follower);
    tsr_mop_end(follower->frontend, follower->expansion);
    follower->at = 0;
    if (!follow_fifo(engine, follower->frontend))
        return false;
    unsigned left;
    (void)tsr_mop_words(&engine->env, follower->frontend, follower->expansion, &left);
    follower->at = follower->expansion->at;
    return true;
}
