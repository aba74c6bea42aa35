// SPDX-License-Identifier: Apache-2.0
// With timing on: the rounds of tile/clock.c while only one thread, the lone one, does anything:
// all others sleep, and so do the mover and everything behind the address map. A round then
// consists of instructions that complete, a word at the gate, and the FIFOs before it, and the next
// round is the next cycle in which one of these can go on. Words that pass the expanders unchanged
// stay in one row; counts say which of them are in which FIFO.
#include "frontend/lone_thread.h"

#include "frontend/issue.h"
#include "frontend/lone_block.h"
#include "frontend/lone_face.h"
#include "frontend/lone_small.h"
#include "frontend/lone_step.h"
#include "frontend/lone_units.h"
#include "frontend/rests.h"
#include "frontend/wait_gate.h"
#include "state/l1_traffic.h"

// ---------------------------------------------------------------- the gate

// The instruction in its queue, which came just now, as tsr_queue_begin() has it.
TSR_INLINE void begin(struct lone *lone, struct tsr_queue *queue, struct tsr_inflight *inst,
                      const struct tsr_route *route, tsr_unit unit)
{
    struct tsr_env *env = &lone->engine->env;
    uint64_t now = lone->state->now;
    tsr_reason reason;
    uint32_t others = ~(1u << unit);
    env->touched = 0;
    if (inst->address > 0 && queue->executed == 0 && queue->count == 1) {
        earlier(&lone->due, now + inst->address);
        return;
    }
    if (inst->address > 0 || queue->executed + 1u != queue->count ||
        (queue->executed > 0 && tsr_unit_serial(unit))) {
        tsr_queue_begin(lone->engine, queue, inst, route->ops);
        tsr_lone_look_at_units(lone);
        return;
    }
    bool executed = tsr_stage_execute(env, route->ops, inst, &reason);
    if (env->findings->stopped)
        return;
    tsr_queue_note_wait(queue, reason, now);
    if (!executed) {
        tsr_lone_look_at_units(lone);
        return;
    }
    tsr_inflight_executed(inst, now, true);
    queue->executed++;
    if (inst->completes_at <= now)
        tsr_lone_complete_due(lone->engine, queue, unit, now);
    else
        earlier(&lone->due, inst->completes_at);
    if (env->touched & others)
        tsr_lone_look_at_units(lone);
}

TSR_INLINE void leave_gate(struct lone *lone)
{
    if (lone->row.in_use) {
        lone->row.at++;
        lone->row.gate--;
    } else {
        tsr_fifo_pop(&lone->frontend->before_gate);
    }
}

// As tsr_issue(), for a word that no wait holds.
static __attribute__((noinline)) bool accept(struct lone *lone, const struct tsr_route *route,
                                             uint32_t word, tsr_unit unit)
{
    struct tsr_engine *engine = lone->engine;
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = lone->frontend;
    struct tsr_queue *queue = &lone->state->queues.of[unit];
    uint32_t touched = env->touched;
    if (queue->count >= route->depth ||
        (lone->state->now < queue->next_accept && !route->serves_each_thread))
        return tsr_hold(engine, lone->thread, TSR_REASON_UNIT_FULL, word, 0);
    struct tsr_inflight *inst = tsr_queue_at(queue, queue->count);
    tsr_reason reason;
    uint64_t retry_at = 0;
    if (!tsr_stage_accept(engine, route, frontend, lone->thread, word, unit, inst, true, &reason,
                          &retry_at))
        return reason != TSR_REASON_NONE && tsr_hold(engine, lone->thread, reason, word, retry_at);
    tsr_take_time(env, route, queue, inst, lone->thread, unit);
    tsr_queue_enter(env, queue, inst, lone->thread, unit, true);
    bool for_dst = unit == TSR_UNIT_MATRIX && inst->address > 0;
    tsr_count_issued(engine, frontend, lone->thread, TSR_AT_ROW, inst->hold,
                     for_dst ? TSR_REASON_DST : TSR_REASON_HOLD, true);
    leave_gate(lone);
    if (for_dst)
        tsr_queue_note_wait(queue, TSR_REASON_DST, lone->state->now);
    begin(lone, queue, inst, route, unit);
    env->touched |= touched | 1u << unit;
    return true;
}

// What the gate checks for every word lets this one pass.
TSR_INLINE bool passes(const struct lone *lone, const struct tsr_route *route, uint32_t word)
{
    const struct tsr_state *state = lone->state;
    return !(state->queues.active >> TSR_UNIT_SCALAR & 1) && !(word & route->reserved) &&
           (route->ops || route->op == OP_NOP);
}

// The word at the gate into its unit. False: it is held there.
TSR_INLINE bool issue(struct lone *lone)
{
    struct tsr_engine *engine = lone->engine;
    if (words_at_gate(lone) == 0)
        return tsr_hold(engine, lone->thread, TSR_REASON_EMPTY, 0, 0);
    uint32_t word = word_at_gate(lone);
    const struct tsr_route *route = &engine->route[word >> 24];
    if (passes(lone, route, word)) {
        if (lone->latch->latched) {
            tsr_reason reason = tsr_gate_blocks(&engine->env, lone->thread, (enum tsr_op)route->op);
            if (reason != TSR_REASON_NONE)
                return tsr_hold(engine, lone->thread, reason, word, 0);
        }
        if (route->op == OP_NOP) { // which no unit gets
            tsr_count_issued(engine, lone->frontend, lone->thread, TSR_AT_ROW,
                             engine->env.isa->issue_cycles[OP_NOP], TSR_REASON_HOLD, true);
            leave_gate(lone);
            return true;
        }
        return accept(lone, route, word, tsr_route_unit(route, word));
    }
    put_back(lone);
    bool issued = tsr_issue(engine, lone->thread);
    tsr_lone_look_at_units(lone);
    return issued;
}

// The word was held in the round before, and would be held for the same reason once more, which
// changes nothing (tsr_gate_rests() of a word that may lie in the row).
TSR_INLINE bool rests(const struct lone *lone)
{
    if (!lone->held || words_at_gate(lone) == 0)
        return false;
    tsr_reason reason = (tsr_reason)lone->frontend->reason;
    switch (reason) {
    case TSR_REASON_STALLWAIT:
    case TSR_REASON_SEMWAIT:
        return lone->latch->latched;
    case TSR_REASON_UNIT_FULL:
    case TSR_REASON_SRCA:
    case TSR_REASON_SRCB:
        return tsr_unit_keeps_out(lone->engine, lone->frontend, word_at_gate(lone), reason);
    default:
        return false;
    }
}

// ---------------------------------------------------------------- the rounds

// What an instruction reaches through the address map may wake anybody.
TSR_INLINE bool plain(const struct tsr_engine *engine, uint32_t word)
{
    return engine->route[word >> 24].plain;
}

bool tsr_lone_may_run(const struct tsr_engine *engine, int thread)
{
    const struct tsr_state *state = engine->env.state;
    const struct tsr_fifo *gate = &state->frontend[thread].before_gate;
    if (state->mover.busy || state->tdma.count > 0 || state->scalar.requests > 0 ||
        (state->debug.soft_reset & TSR_RESET_COPROCESSOR) || engine->observer ||
        engine->env.pushes || (gate->count > 0 && !plain(engine, tsr_fifo_front(gate))))
        return false;
    for (uint32_t left = state->queues.active; left; left &= left - 1) {
        const struct tsr_queue *queue = &state->queues.of[__builtin_ctz(left)];
        for (unsigned i = 0; i < queue->count; i++)
            if (!plain(engine, queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH].word))
                return false;
    }
    return true;
}

// When the word that its unit holds may go on by the clock, if that is known here.
static void held_until(struct lone *lone, uint64_t *next)
{
    enum {
        KNOWN = 1 << TSR_UNIT_UNPACKER0 | 1 << TSR_UNIT_UNPACKER1 | 1 << TSR_UNIT_MATRIX |
                1 << TSR_UNIT_PACKER | 1 << TSR_UNIT_MISC | 1 << TSR_UNIT_SCALAR |
                1 << TSR_UNIT_CONFIG
    };
    const struct tsr_route *route = &lone->engine->route[word_at_gate(lone) >> 24];
    uint64_t now = lone->state->now;
    switch (lone->frontend->reason) {
    case TSR_REASON_STALLWAIT:
    case TSR_REASON_SEMWAIT:
    case TSR_REASON_HOLD:
        return;
    case TSR_REASON_DST:
        // How long a packer is held is found anew in every round.
        if (route->unit == TSR_UNIT_PACKER)
            break;
        // fallthrough
    case TSR_REASON_UNIT_FULL:
    case TSR_REASON_SRCA:
    case TSR_REASON_SRCB:
        if (route->ops && (KNOWN >> route->unit & 1)) {
            const struct tsr_queue *queue =
                &lone->state->queues.of[tsr_route_unit(route, word_at_gate(lone))];
            earlier_event(next, lone->frontend->retry_at, now);
            earlier_event(next, queue->next_accept, now);
            earlier_event(next, queue->opens_at, now);
            // The configuration unit's stages let others in by the age of what it holds.
            if (route->unit == TSR_UNIT_CONFIG && queue->count > 0)
                earlier(next, now + 1);
            return;
        }
        break;
    default:
        break;
    }
    lone->unclear = true;
}

// The next cycle in which something may move; UINT64_MAX: none.
TSR_INLINE uint64_t next_round(struct lone *lone)
{
    const struct tsr_frontend *frontend = lone->frontend;
    const struct tsr_gate_latch *latch = lone->latch;
    uint64_t next = UINT64_MAX, now = lone->state->now;
    if (words_at_gate(lone) > 0) {
        if (frontend->next_issue == now + 1)
            return now + 1;
        earlier_event(&next, frontend->next_issue, now);
        if (lone->held)
            held_until(lone, &next);
    }
    earlier(&next, lone->due);
    if (!row_is_full(lone) && words_before_gate(lone)) {
        earlier_event(&next, frontend->next_expand, now);
        earlier_event(&next, frontend->mop_idle_until, now);
    }
    if (latch->latched)
        earlier_event(&next,
                      latch->met ? latch->met_at + lone->engine->env.isa->rate[RATE_WAIT_LAG]
                                 : lone->state->queues.drain.until,
                      now);
    return next;
}

// A wait is evaluated after news of what it waits for, and when it is met.
TSR_INLINE bool evaluate(struct lone *lone, uint32_t news)
{
    const struct tsr_gate_latch *latch = lone->latch;
    if (!latch->latched || (!latch->met && !(news & lone->wants)))
        return false;
    return tsr_gate_evaluate(lone->engine, lone->thread);
}

// Whether this may end what the thread's latched wait or an instruction in its unit waits for.
TSR_INLINE bool someone_listens(const struct lone *lone, uint32_t touched)
{
    return (lone->waits && (touched & TSR_BANK_UNITS) != 0) ||
           (lone->latch->latched && (touched & lone->wants) != 0);
}

static void note_wants(struct lone *lone)
{
    const struct tsr_gate_latch *latch = lone->latch;
    lone->wants = latch->latched ? tsr_gate_wants(&lone->engine->env, latch) : 0;
}

// What was touched in a round, if that is not only units nobody else listens to. False: it ends.
static bool take_news(struct lone *lone, uint32_t touched, uint32_t others)
{
    if (touched & (~(uint32_t)TSR_ALL_UNITS | others))
        return false;
    note_wants(lone);
    return !(lone->wants & TSR_TOUCHED_ALL) || !lone->latch->latched;
}

// In the cycles before the thread may issue again nothing but the units moves: the FIFOs are full,
// and nobody listens.
static bool move_units(struct lone *lone, uint64_t until)
{
    const struct tsr_frontend *frontend = lone->frontend;
    uint64_t end = frontend->next_issue < until ? frontend->next_issue : until;
    bool moved = false;
    while (lone->due < end && !lone->unclear && !lone->engine->env.findings->stopped) {
        lone->state->now = lone->due;
        moved = tsr_lone_advance_units(lone);
    }
    return moved;
}

// The thread's gate had a word that could not pass.
TSR_INLINE bool was_held(const struct lone *lone)
{
    const uint8_t reason = lone->frontend->reason;
    return reason == TSR_REASON_STALLWAIT || reason == TSR_REASON_SEMWAIT ||
           reason == TSR_REASON_SRCA || reason == TSR_REASON_SRCB;
}

// Words that need no round of their own, as long as there are such. True: the last of them in the
// present cycle, before the FIFOs move; false: in an earlier one, if there was any, and the units
// have advanced.
TSR_INLINE bool take_words(struct lone *lone, uint64_t until, uint32_t heard)
{
    const bool *stopped = &lone->engine->env.findings->stopped;
    if (lone->steps && was_held(lone))
        lone->held_on = tsr_lone_waits_on(lone, until);
    for (;;) {
        uint64_t now = lone->state->now;
        if (lone->held_on || *stopped)
            return true;
        if (words_at_gate(lone) == 0)
            return false;
        const struct tsr_route *route = &lone->engine->route[word_at_gate(lone) >> 24];
        bool issued = false;
        if (!lone->row.in_use)
            make_row(lone);
        if (route->timed_small && lone->row.in_use)
            issued = tsr_lone_small(lone, until);
        if (!issued && lone->state->now == now && route->timed_blocks &&
            tsr_lone_block_begins(lone))
            issued = tsr_lone_block(lone, until, heard);
        if (!issued && lone->state->now == now && route->timed_whole && lone->steps)
            issued = !(route->second && tsr_lone_faces(lone, until)) && tsr_lone_step(lone, until);
        if (*stopped)
            return true;
        if (issued ? !tsr_lone_goes_on(lone, until) : lone->state->now == now)
            return issued;
    }
}

static uint64_t last_word(const struct tsr_engine *engine, int thread)
{
    const uint64_t most = engine->max_words, from = engine->words_from[thread];
    return most == 0 || most > UINT64_MAX - from ? UINT64_MAX : from + most;
}

static void begin_rounds(struct lone *lone, struct tsr_engine *engine, int thread, uint32_t others)
{
    lone->engine = engine;
    lone->state = engine->env.state;
    lone->frontend = &lone->state->frontend[thread];
    lone->latch = &lone->state->sync.latch[thread];
    lone->thread = thread;
    lone->last = last_word(engine, thread);
    lone->steps = others == 0 && !engine->env.watch && !engine->env.races;
    lone->unclear = lone->held = lone->held_on = lone->row.in_use = false;
    note_wants(lone);
    tsr_lone_look_at_units(lone);
    lone->due = 0; // all is looked at in the first round
}

bool tsr_lone_run(struct tsr_engine *engine, int thread, uint64_t until, uint32_t others)
{
    struct tsr_state *state = engine->env.state;
    struct tsr_frontend *frontend = &state->frontend[thread];
    const bool *stopped = &engine->env.findings->stopped;
    struct lone lone;
    begin_rounds(&lone, engine, thread, others);
    const uint32_t heard = ~(uint32_t)TSR_ALL_UNITS | others | 1u << TSR_UNIT_SYNC;
    uint32_t touched = TSR_ALL_UNITS, all = 0;
    bool moved = false;
    for (;;) {
        uint64_t now = state->now;
        bool issued = false;
        moved = false;
        if (lone.due <= now || (lone.waits && (touched & TSR_BANK_UNITS) != 0))
            moved = lone.waits ? tsr_lone_advance_waiting(&lone) : tsr_lone_advance_units(&lone);
        moved |= tsr_l1_end_drain(&engine->env);
        uint32_t news = touched | engine->env.touched;
        moved |= evaluate(&lone, news);
        if (*stopped)
            break;
        if (now >= frontend->next_issue) {
            issued =
                !rests(&lone) && (take_words(&lone, until, heard) || issue(&lone)) && !lone.held_on;
            lone.held = !issued;
            moved |= issued || state->now != now;
            now = state->now;
            if (*stopped || lone.held_on)
                break;
        }
        if (now >= frontend->next_expand && !row_is_full(&lone))
            moved |= expand(&lone);
        const bool ends = frontend->sequence >= lone.last;
        if (lone.due < frontend->next_issue && others == 0 && !ends && !lone.latch->latched &&
            row_is_full(&lone))
            moved |= move_units(&lone, until);
        touched = engine->env.touched;
        all |= touched;
        engine->env.touched = 0;
        if (*stopped || lone.unclear || ends ||
            ((touched & heard) != 0 && !take_news(&lone, touched, others)))
            break;
        // That the gate is empty is noted in the next round, whatever makes it.
        if (words_at_gate(&lone) > 0 ? !plain(engine, word_at_gate(&lone))
                                     : frontend->reason != TSR_REASON_EMPTY)
            break;
        uint64_t next = next_round(&lone);
        if (next >= until || lone.unclear || (others != 0 && lone.due <= next))
            break;
        // Who waits is asked in the next round, whatever makes it.
        if (issued && next != state->now + 1 && someone_listens(&lone, touched))
            break;
        state->now = next;
    }
    put_back(&lone);
    engine->env.touched |= all;
    return moved;
}
