// SPDX-License-Identifier: Apache-2.0
// With timing on: in which cycles there are rounds (agenda_round.c), the same as clock.c has, and
// how the only thread that is awake has several of them as one (frontend/lone_thread.c).
#include "tile/agenda.h"

#include "frontend/issue.h"
#include "frontend/lone_thread.h"
#include "frontend/rests.h"
#include "tile/agenda_round.h"
#include "tile/clock.h"

// The next cycle in which something in a unit is due, or it takes another instruction. Units that
// take one now are looked at no more while they hold nothing.
static uint64_t look_at_units(struct tsr_engine *engine)
{
    struct tsr_agenda *agenda = &engine->agenda;
    const struct tsr_queues *queues = &engine->env.state->queues;
    uint64_t now = engine->env.state->now, best = UINT64_MAX;
    for (uint32_t left = agenda->booked | queues->active; left; left &= left - 1) {
        tsr_unit unit = (tsr_unit)__builtin_ctz(left);
        const struct tsr_queue *queue = &queues->of[unit];
        TSR_FOUND(queue);
        tsr_earlier(&best, queue->next_accept, now);
        tsr_earlier(&best, queue->opens_at, now);
        if (queue->next_accept <= now && queue->opens_at <= now)
            agenda->booked &= ~(1u << unit);
        if (queue->count == 0)
            continue;
        tsr_earlier(&best, tsr_queue_completes_at(queue), now);
        tsr_earlier(&best, tsr_queue_asks_at(queue, unit), now);
    }
    // An instruction that waits for the configuration unit's stages may enter in any cycle.
    return queues->active >> TSR_UNIT_CONFIG & 1 ? now + 1 : best;
}

// Quick test whether anything is due in a unit, in whatever cycle; most often the first unit has
// something. False: this has to be searched for.
static inline bool units_go_on(const struct tsr_engine *engine)
{
    const struct tsr_queues *queues = &engine->env.state->queues;
    uint64_t now = engine->env.state->now;
    for (uint32_t left = queues->active; left; left &= left - 1) {
        const struct tsr_queue *queue = &queues->of[__builtin_ctz(left)];
        if (queue->next_accept > now ||
            (queue->executed > 0 && tsr_queue_completes_at(queue) > now))
            return true;
    }
    return false;
}

static inline uint64_t next_round(struct tsr_engine *engine)
{
    struct tsr_agenda *agenda = &engine->agenda;
    uint64_t now = engine->env.state->now, best = UINT64_MAX;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        best = agenda->thread_due[thread] < best ? agenda->thread_due[thread] : best;
    if (best == now + 1)
        return best;
    uint64_t units = look_at_units(engine);
    return tsr_clock_others_due(engine, units < best ? units : best);
}

// Something in a unit may move in this cycle.
static bool units_may_move(const struct tsr_engine *engine)
{
    const struct tsr_queues *queues = &engine->env.state->queues;
    const uint64_t now = engine->env.state->now;
    for (uint32_t left = queues->active; left; left &= left - 1) {
        tsr_unit unit = (tsr_unit)__builtin_ctz(left);
        const struct tsr_queue *queue = &queues->of[unit];
        if (tsr_queue_completes_at(queue) <= now ||
            (tsr_queue_asks_at(queue, unit) <= now && !tsr_queue_waits_on(&engine->env, unit)))
            return true;
    }
    return false;
}

// The only thread that is awake, while nothing but units may wake others; -1: none.
static int lone_thread(const struct tsr_engine *engine)
{
    const struct tsr_agenda *agenda = &engine->agenda;
    uint32_t awake = TSR_ALL_THREADS & (~agenda->asleep | agenda->held);
    if (awake == 0 || (awake & (awake - 1)) != 0 || agenda->restless != 0)
        return -1;
    return __builtin_ctz(awake);
}

// Whether it may have several rounds as one. They end before *until, and when a unit of *others has
// news.
static bool may_run_lone_thread(const struct tsr_engine *engine, int thread, uint64_t *until,
                                uint32_t *others)
{
    const struct tsr_agenda *agenda = &engine->agenda;
    const uint64_t now = engine->env.state->now;
    const uint64_t drained = engine->env.state->queues.drain.until;
    *until = engine->end_cycle > now ? engine->end_cycle : UINT64_MAX;
    *others = 0;
    for (int i = 0; i < TSR_THREADS; i++) {
        const bool latched = agenda->latched >> i & 1;
        const uint32_t wants = agenda->wants[i];
        if (latched && (wants & TSR_TOUCHED_ALL))
            return false;
        if (i == thread)
            continue;
        if (agenda->thread_due[i] < *until)
            *until = agenda->thread_due[i];
        if (!latched)
            continue;
        if (tsr_agenda_news_for(agenda, i) & wants) // which are not looked at here
            return false;
        *others |= wants;
        if (drained != 0 && (wants >> TSR_UNIT_PACKER & 1) && drained < *until)
            *until = drained;
    }
    return *until > now && (*others == 0 || !units_may_move(engine)) &&
           tsr_lone_may_run(engine, thread);
}

// Its rounds up to one in which something else may move. How many is not known.
static bool run_lone_thread(struct tsr_engine *engine, int thread, uint64_t until, uint32_t others)
{
    struct tsr_agenda *agenda = &engine->agenda;
    bool moved = tsr_lone_run(engine, thread, until, others);
    tsr_agenda_note_latch(engine, thread);
    tsr_agenda_collect(engine);
    agenda->thread_due[thread] =
        tsr_clock_thread_due(engine, &engine->env.state->frontend[thread], thread);
    agenda->asleep &= ~(1u << thread);
    return moved;
}

bool tsr_agenda_run(struct tsr_engine *engine, uint64_t most, uint64_t *rounds)
{
    struct tsr_state *state = engine->env.state;
    uint64_t last = *rounds + most < *rounds ? UINT64_MAX : *rounds + most;
    bool moved = true;
    tsr_agenda_collect(engine);
    while (moved && *rounds < last && !tsr_any_words_used_up(engine)) {
        int lone = most == UINT64_MAX ? lone_thread(engine) : -1;
        uint64_t until;
        uint32_t others;
        if (lone >= 0 && may_run_lone_thread(engine, lone, &until, &others))
            moved = run_lone_thread(engine, lone, until, others);
        else
            moved = tsr_agenda_round(engine);
        engine->motions += moved;
        ++*rounds;
        if (engine->env.findings->stopped)
            return true;
        uint64_t next = next_round(engine), end = engine->end_cycle;
        if (next == UINT64_MAX)
            continue;
        moved = true;
        if (end > state->now && end <= next) {
            state->now = end;
            break;
        }
        state->now = next;
    }
    return moved;
}

// Nothing moved in this round. Until when it is the same in every round, unless something is
// touched: all threads are asleep, no wait has news, and what units hold goes on later. 0: it is
// not known.
static uint64_t quiet_until(const struct tsr_engine *engine)
{
    const struct tsr_agenda *agenda = &engine->agenda;
    const struct tsr_state *state = engine->env.state;
    uint64_t until =
        agenda->units_at < agenda->sleepers_at ? agenda->units_at : agenda->sleepers_at;
    tsr_earlier(&until, state->queues.drain.until, state->now);
    if (agenda->asleep != TSR_ALL_THREADS || agenda->restless != 0 || state->scalar.requests > 0 ||
        state->mover.busy || state->tdma.count > 0)
        return 0;
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        uint32_t wants = agenda->wants[thread];
        bool latched = agenda->latched >> thread & 1;
        if (latched && (state->sync.latch[thread].met || (wants & TSR_TOUCHED_ALL) ||
                        (tsr_agenda_news_for(agenda, thread) & wants)))
            return 0;
        const struct tsr_unit_hold *hold = &agenda->hold[thread];
        if (!(agenda->held >> thread & 1))
            continue;
        if (hold->reason == TSR_REASON_NONE || !tsr_unit_hold_lasts(state, hold))
            return 0;
        uint64_t accepts = state->queues.of[hold->unit].next_accept;
        if (accepts > state->now && accepts < until)
            until = accepts;
    }
    return until;
}

bool tsr_agenda_step(struct tsr_engine *engine)
{
    struct tsr_agenda *agenda = &engine->agenda;
    struct tsr_state *state = engine->env.state;
    uint64_t now = state->now, end = engine->end_cycle;
    tsr_agenda_collect(engine);
    bool moved = tsr_agenda_round(engine);
    agenda->quiet_until = moved ? 0 : quiet_until(engine);
    engine->motions += moved;
    if (engine->env.findings->stopped)
        return true;
    // Whatever is due, it is not before that.
    if (end == now + 1 &&
        ((agenda->thread_due[0] & agenda->thread_due[1] & agenda->thread_due[2]) != UINT64_MAX ||
         units_go_on(engine))) {
        state->now = end;
        return true;
    }
    uint64_t next = next_round(engine);
    if (next == UINT64_MAX)
        return moved;
    state->now = end > now && end <= next ? end : next;
    return true;
}
