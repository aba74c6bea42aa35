// SPDX-License-Identifier: Apache-2.0
// With timing on: the rounds of clock.c, but only with the visits that can change something. A unit
// is visited when something in its queue is due or somebody has touched it (env->touched). An
// instruction that waits in a unit for a bank of Src is asked again after news of a unit that hands
// banks over. A thread that found nothing to do sleeps until its next time, and one that is held
// (frontend/rests.h) until what holds it has ended. A latched wait is evaluated only after news of
// a unit that it waits for.
#include "tile/agenda_round.h"

#include "base/bits.h"
#include "control/scalar_unit.h"
#include "frontend/expand.h"
#include "frontend/issue.h"
#include "frontend/queues.h"
#include "frontend/rests.h"
#include "state/l1_traffic.h"
#include "tile/advance.h"
#include "tile/clock.h"

static void forget_news(struct tsr_agenda *agenda, int who)
{
    agenda->news &= ~(UINT64_C(0xffff) << (who * TSR_NEWS_BITS));
}

static void put_bit(uint32_t *set, unsigned bit, bool value)
{
    *set = (*set & ~(1u << bit)) | (uint32_t)value << bit;
}

// ---------------------------------------------------------------- news

void tsr_agenda_note_latch(struct tsr_engine *engine, int thread)
{
    const struct tsr_gate_latch *latch = &engine->env.state->sync.latch[thread];
    put_bit(&engine->agenda.latched, (unsigned)thread, latch->latched);
    if (latch->latched)
        engine->agenda.wants[thread] = tsr_gate_wants(&engine->env, latch);
}

void tsr_agenda_renew(struct tsr_engine *engine)
{
    struct tsr_agenda *agenda = &engine->agenda;
    engine->env.touched = 0;
    agenda->news = agenda->sleepers_at = UINT64_MAX;
    agenda->asleep = agenda->waiting = 0;
    agenda->units_at = 0;
    agenda->booked = TSR_ALL_UNITS;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        tsr_agenda_note_latch(engine, thread);
}

// ---------------------------------------------------------------- the units

// Visits a unit with an instruction that has not executed. If that waits for a bank of Src, it is
// asked again only after news of a unit that hands banks over. True: something moved. Its bit in
// *left: more may, if something else moves now.
static inline bool visit_waiting(struct tsr_engine *engine, const struct tsr_queue *queue,
                                 tsr_unit unit, uint32_t *left)
{
    struct tsr_agenda *agenda = &engine->agenda;
    const uint32_t bit = 1u << unit;
    uint64_t now = engine->env.state->now, completes = tsr_queue_completes_at(queue);
    if (completes > now) {
        uint64_t asks = tsr_queue_asks_at(queue, unit);
        if (completes < agenda->units_at)
            agenda->units_at = completes;
        if (asks > now) {
            if (asks < agenda->units_at)
                agenda->units_at = asks;
            return false;
        }
        *left |= bit;
        uint32_t news = tsr_agenda_news_for(agenda, TSR_NEWS_FOR_UNITS) | engine->env.touched;
        if ((agenda->waiting & bit) != 0 && (news & TSR_BANK_UNITS) == 0)
            return false;
        agenda->waiting |= bit;
        if (tsr_queue_waits_on(&engine->env, unit))
            return false;
    }
    agenda->waiting &= ~bit;
    *left |= bit;
    bool moved = tsr_queue_advance(engine, unit);
    if (!moved && !tsr_queue_waits_on(&engine->env, unit))
        agenda->restless |= bit;
    return moved;
}

// Visits these units. True: something moved. *left: units in which more may, if another one moves.
static inline bool pass_units(struct tsr_engine *engine, uint32_t units, uint32_t *left)
{
    struct tsr_agenda *agenda = &engine->agenda;
    const struct tsr_queues *queues = &engine->env.state->queues;
    const bool *stopped = &engine->env.findings->stopped;
    uint64_t now = engine->env.state->now;
    bool moved = false;
    for (*left = 0; units && !*stopped; units &= units - 1) {
        tsr_unit unit = (tsr_unit)__builtin_ctz(units);
        const struct tsr_queue *queue = &queues->of[unit];
        TSR_FOUND(queue);
        if (queue->executed < queue->count) {
            moved |= visit_waiting(engine, queue, unit, left);
            continue;
        }
        uint64_t completes = queue->inst[queue->first].completes_at;
        if (completes <= now)
            moved |= tsr_queue_complete(engine, unit);
        else if (completes < agenda->units_at)
            agenda->units_at = completes;
    }
    return moved;
}

// As tsr_advance_units(): once more while something moves, for those that wait inside.
static inline bool advance_units(struct tsr_engine *engine)
{
    struct tsr_agenda *agenda = &engine->agenda;
    uint32_t left;
    agenda->units_at = UINT64_MAX;
    agenda->restless = 0;
    bool moved = pass_units(engine, engine->env.state->queues.active, &left);
    for (bool again = moved; again && left;)
        again = pass_units(engine, left, &left);
    tsr_agenda_collect(engine);
    forget_news(agenda, TSR_NEWS_FOR_UNITS); // they have heard it
    return moved;
}

// ---------------------------------------------------------------- the gates

static bool evaluate_latches(struct tsr_engine *engine)
{
    struct tsr_agenda *agenda = &engine->agenda;
    bool moved = false;
    for (uint32_t left = agenda->latched; left; left &= left - 1) {
        int thread = __builtin_ctz(left);
        const struct tsr_gate_latch *latch = &engine->env.state->sync.latch[thread];
        uint32_t wants = agenda->wants[thread];
        if (!latch->met && !(wants & TSR_TOUCHED_ALL) &&
            !(tsr_agenda_news_for(agenda, thread) & wants))
            continue;
        forget_news(agenda, thread);
        if (tsr_gate_evaluate(engine, thread)) {
            agenda->asleep &= ~(1u << thread);
            agenda->latched &= ~(1u << thread);
            moved = true;
        } else if (latch->met) {
            uint64_t opens = latch->met_at + engine->env.isa->rate[RATE_WAIT_LAG];
            if (opens < agenda->thread_due[thread])
                agenda->thread_due[thread] = opens;
            if (opens < agenda->sleepers_at)
                agenda->sleepers_at = opens;
        }
    }
    return moved;
}

// ---------------------------------------------------------------- the threads

// The thread could do nothing: until when, and what may change that.
static void put_to_sleep(struct tsr_engine *engine, const struct tsr_frontend *frontend, int thread)
{
    bool latch_holds =
        frontend->reason == TSR_REASON_STALLWAIT || frontend->reason == TSR_REASON_SEMWAIT;
    bool held = !latch_holds && frontend->before_gate.count > 0 &&
                engine->env.state->now >= frontend->next_issue;
    engine->agenda.asleep |= 1u << thread;
    put_bit(&engine->agenda.held, (unsigned)thread, held);
    if (held)
        engine->agenda.hold[thread] = tsr_unit_hold_of(
            engine, frontend, tsr_fifo_front(&frontend->before_gate), (tsr_reason)frontend->reason);
    if (engine->agenda.thread_due[thread] < engine->agenda.sleepers_at)
        engine->agenda.sleepers_at = engine->agenda.thread_due[thread];
}

static inline bool words_before_gate(const struct tsr_frontend *frontend)
{
    return (frontend->before_mop.count | frontend->before_replay.count |
            frontend->replay.play_left) != 0 ||
           frontend->mop.active;
}

// Lets the thread issue and expand in this cycle. `woken`: what held its word at the gate has
// ended.
static inline bool visit_thread(struct tsr_engine *engine, int thread, bool woken)
{
    struct tsr_agenda *agenda = &engine->agenda;
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    TSR_FOUND(frontend);
    uint64_t now = engine->env.state->now;
    bool moved = false;
    bool quiet = frontend->before_gate.count == 0 && tsr_frontend_quiet(frontend);
    if (!quiet && (woken || !tsr_gate_rests(engine, frontend, thread)))
        moved = tsr_issue(engine, thread);
    if (now >= frontend->next_expand && words_before_gate(frontend) &&
        !engine->env.findings->stopped)
        moved |= tsr_expand_words(engine, frontend, thread);
    // Units are looked at in the next round; what reaches further may wake others in this one.
    if (engine->env.touched & (1u << TSR_UNIT_SYNC | ~(uint32_t)TSR_ALL_UNITS)) {
        if (engine->env.touched >> TSR_UNIT_SYNC & 1)
            tsr_agenda_note_latch(engine, thread);
        tsr_agenda_collect(engine);
    }
    // Most often there is more to do in the next cycle.
    if ((frontend->next_issue == now + 1 && frontend->before_gate.count > 0) ||
        (frontend->next_expand == now + 1 && words_before_gate(frontend)))
        agenda->thread_due[thread] = now + 1;
    else
        agenda->thread_due[thread] = tsr_clock_thread_due(engine, frontend, thread);
    if (!moved)
        put_to_sleep(engine, frontend, thread);
    return moved;
}

// The threads of which one is due are no longer asleep.
static void wake_sleepers(struct tsr_engine *engine)
{
    struct tsr_agenda *agenda = &engine->agenda;
    agenda->sleepers_at = UINT64_MAX;
    for (uint32_t left = agenda->asleep; left; left &= left - 1) {
        int thread = __builtin_ctz(left);
        uint64_t due = agenda->thread_due[thread];
        if (due <= engine->env.state->now)
            agenda->asleep &= ~(1u << thread);
        else if (due < agenda->sleepers_at)
            agenda->sleepers_at = due;
    }
}

// What its instruction reaches through the address map may wake another thread in this cycle.
static inline bool wakes_others(const struct tsr_engine *engine, uint32_t thread)
{
    const struct tsr_fifo *gate = &engine->env.state->frontend[__builtin_ctz(thread)].before_gate;
    return gate->count > 0 && !engine->route[tsr_fifo_front(gate) >> 24].bypass;
}

// What held the thread, which is asleep, still does.
static inline bool is_held_on(const struct tsr_engine *engine, int thread)
{
    const struct tsr_unit_hold *hold = &engine->agenda.hold[thread];
    return hold->reason != TSR_REASON_NONE
               ? tsr_unit_hold_lasts(engine->env.state, hold)
               : tsr_gate_rests(engine, &engine->env.state->frontend[thread], thread);
}

// Its turn in this round, if it is awake, or what held it holds it no more.
static inline bool give_turn(struct tsr_engine *engine, int thread)
{
    struct tsr_agenda *agenda = &engine->agenda;
    uint32_t bit = 1u << thread;
    bool woken = (agenda->asleep & bit) != 0;
    if ((woken && ((agenda->held & bit) == 0 || is_held_on(engine, thread))) ||
        engine->env.findings->stopped)
        return false;
    agenda->asleep &= ~bit;
    return visit_thread(engine, thread, woken);
}

static bool visit_threads(struct tsr_engine *engine)
{
    struct tsr_agenda *agenda = &engine->agenda;
    if (engine->env.state->now >= agenda->sleepers_at)
        wake_sleepers(engine);
    uint32_t awake = TSR_ALL_THREADS & (~agenda->asleep | agenda->held);
    if (awake == 0 || engine->env.findings->stopped)
        return false;
    uint8_t order[TSR_THREADS] = {0, 1, 2};
    bool moved = false;
    if ((awake & (awake - 1)) != 0 || wakes_others(engine, awake)) {
        uint32_t first = tsr_clock_asks(engine, 0), second = tsr_clock_asks(engine, 1);
        if (((first & second) | (tsr_clock_asks(engine, 2) & (first | second))) != 0)
            tsr_clock_order(engine, order);
    }
    for (int i = 0; i < TSR_THREADS; i++)
        moved |= give_turn(engine, order[i]);
    return moved;
}

// ---------------------------------------------------------------- the round

// What is rare, between the gates and the threads: what comes back from memory, and the mover.
static bool advance_others(struct tsr_engine *engine)
{
    if (engine->env.findings->stopped || !tsr_advance_mover(engine))
        return false;
    engine->env.touched |= TSR_TOUCHED_ALL;
    tsr_agenda_collect(engine);
    return true;
}

static bool deliver(struct tsr_engine *engine)
{
    if (!tsr_scalar_deliver(&engine->env))
        return false;
    engine->env.touched |= 1u << TSR_UNIT_SCALAR;
    tsr_agenda_collect(engine);
    return true;
}

bool tsr_agenda_round(struct tsr_engine *engine)
{
    const struct tsr_agenda *agenda = &engine->agenda;
    const struct tsr_state *state = engine->env.state;
    bool moved = state->scalar.requests > 0 && deliver(engine);
    if (state->queues.drain.until != 0 && tsr_l1_end_drain(&engine->env)) {
        moved = true;
        tsr_agenda_collect(engine);
    }
    if (agenda->units_at <= state->now || agenda->restless != 0)
        moved |= advance_units(engine);
    if (agenda->latched)
        moved |= evaluate_latches(engine);
    if (state->mover.busy || state->tdma.count > 0)
        moved |= advance_others(engine);
    moved |= visit_threads(engine);
    tsr_agenda_collect(engine);
    return moved;
}
