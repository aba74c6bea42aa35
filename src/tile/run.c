// SPDX-License-Identifier: Apache-2.0
// The engine, and how a run ends. With timing on: rounds at the present cycle and jumps to the next
// event. With timing off the clock stands still, and threads run one after the other.
#include "tile/idle_checks.h"
#include "tile/tile_state.h"

#include "control/mover_unit.h"
#include "control/scalar_unit.h"
#include "frontend/bypass.h"
#include "frontend/expand.h"
#include "frontend/issue.h"
#include "frontend/queues.h"
#include "frontend/wait_gate.h"
#include "state/l1_traffic.h"
#include "state/report.h"
#include "state/src_hand_over.h"

#include <stdio.h>
#include <string.h>

tsr_limits tsr_limits_default(void)
{
    return (tsr_limits){.break_thread = -1};
}

static bool stopped(const struct tsr_engine *engine)
{
    return engine->env.findings->stopped;
}

// What waits in an unpacker for a bank that the matrix unit still owns, and would only ask again.
// With timing on it is asked: it notes since when it waits.
static bool waits_for_bank(const struct tsr_state *state, tsr_unit unit)
{
    if (unit != TSR_UNIT_UNPACKER0 && unit != TSR_UNIT_UNPACKER1)
        return false;
    const struct tsr_queue *queue = &state->queues.of[unit];
    int side = unit == TSR_UNIT_UNPACKER1 ? TSR_SRCB : TSR_SRCA;
    const struct tsr_src *src = &state->src[side];
    return queue->executed == 0 &&
           queue->reason == (side == TSR_SRCB ? TSR_REASON_SRCB : TSR_REASON_SRCA) &&
           queue->inst[queue->first].op == OP_UNPACR && src->bank[src->unpacker_bank].matrix_owns &&
           !tsr_src_takes_turns(src, state->src_shadow[side]); // which it would report
}

// With timing on, once more while something moves: a bank that the matrix unit releases lets an
// unpacker go on in the same cycle, and nothing else would wake it.
static bool advance_units(struct tsr_engine *engine)
{
    struct tsr_state *state = engine->env.state;
    bool moved = state->scalar.requests > 0 && tsr_scalar_deliver(&engine->env), again;
    do {
        again = false;
        for (uint32_t left = state->queues.active; left && !stopped(engine); left &= left - 1) {
            tsr_unit unit = (tsr_unit)__builtin_ctz(left);
            if (!engine->env.timing && waits_for_bank(state, unit))
                continue;
            if (tsr_queue_pending(&state->queues.of[unit], state->now))
                again |= tsr_queue_advance(engine, unit);
        }
        moved |= again;
    } while (again && engine->env.timing && !stopped(engine));
    return moved;
}

// The end of the mover's work, and the next command of TDMA-RISC.
static bool advance_mover(struct tsr_engine *engine)
{
    struct tsr_state *state = engine->env.state;
    struct tsr_mover *mover = &state->mover;
    struct tsr_queue *queue = &state->queues.of[TSR_UNIT_MOVER];
    bool moved = false;
    if (mover->busy && mover->until <= state->now) {
        uint64_t from = mover->started > queue->busy_until ? mover->started : queue->busy_until;
        if (mover->until > from) {
            engine->tally.unit_busy[TSR_UNIT_MOVER] += mover->until - from;
            queue->busy_until = mover->until;
        }
        mover->busy = false;
        tsr_l1_end(&engine->env, TSR_L1_MOVER_READ);
        tsr_l1_end(&engine->env, TSR_L1_MOVER_WRITE);
        moved = true;
    }
    while (!stopped(engine) && tsr_tdma_step(&engine->env))
        moved = true;
    return moved;
}

// The unit that the thread asks in this cycle; of the unpackers, which share their address phase,
// the first. TSR_UNIT_COUNT: none.
static tsr_unit asked_unit(const struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    if (frontend->before_gate.count == 0 || engine->env.state->now < frontend->next_issue)
        return TSR_UNIT_COUNT;
    const struct tsr_route *route = &engine->route[tsr_fifo_front(&frontend->before_gate) >> 24];
    return route->ops ? (tsr_unit)route->unit : TSR_UNIT_COUNT;
}

// Threads that ask one unit in the same cycle change places by its turn (decision 29); all else
// goes 0, 1, 2.
static void order_threads(const struct tsr_engine *engine, uint8_t order[TSR_THREADS])
{
    tsr_unit unit[TSR_THREADS];
    for (uint8_t thread = 0; thread < TSR_THREADS; thread++)
        unit[thread] = asked_unit(engine, thread);
    for (int i = 0; i < TSR_THREADS; i++)
        for (int j = i + 1; j < TSR_THREADS; j++) {
            uint8_t a = order[i], b = order[j];
            if (unit[a] != unit[b] || unit[a] == TSR_UNIT_COUNT)
                continue;
            unsigned from = TSR_THREADS - engine->env.state->queues.of[unit[a]].turn;
            if ((b + from) % TSR_THREADS < (a + from) % TSR_THREADS) {
                order[i] = b;
                order[j] = a;
            }
        }
}

// With timing on: what completes first lets others go on in the same cycle. All gates are evaluated
// before any thread issues, so that what one thread does now ends another one's wait in the next
// cycle.
static bool round_at_now(struct tsr_engine *engine)
{
    struct tsr_state *state = engine->env.state;
    uint8_t order[TSR_THREADS] = {0, 1, 2};
    bool moved = advance_units(engine);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        if (state->sync.latch[thread].latched)
            moved |= tsr_gate_evaluate(engine, thread);
    if (state->mover.busy || state->tdma.count > 0)
        moved |= !stopped(engine) && advance_mover(engine);
    order_threads(engine, order);
    for (int i = 0; i < TSR_THREADS && !stopped(engine); i++) {
        int thread = order[i];
        if (tsr_frontend_quiet(&state->frontend[thread]))
            continue;
        moved |= tsr_issue(engine, thread);
        moved |= !stopped(engine) && tsr_expand(engine, thread);
    }
    return moved;
}

// With timing off: what the units and the mover can do, then the first thread that can go on runs
// until something holds it. Thread 0 is asked first each time, so that unpackers run ahead of the
// matrix unit and this of the packers, as on a card. A thread that a break stopped goes on before
// the others, as it would have without the break.
static bool run_to_block(struct tsr_engine *engine)
{
    struct tsr_state *state = engine->env.state;
    int broken = engine->broken_thread;
    engine->broken_thread = -1;
    if (broken >= 0 && tsr_run_thread(engine, broken))
        return true;
    bool moved = advance_units(engine);
    if (!stopped(engine) && (state->mover.busy || state->tdma.count > 0))
        moved |= advance_mover(engine);
    for (int thread = 0; thread < TSR_THREADS && !stopped(engine); thread++)
        if (tsr_run_thread(engine, thread))
            return true;
    return moved;
}

static void earlier(uint64_t *best, uint64_t at, uint64_t now)
{
    if (at > now && at < *best)
        *best = at;
}

static void queue_events(struct tsr_queues *queues, uint64_t now, uint64_t *best)
{
    for (uint32_t left = queues->active | queues->recent; left; left &= left - 1) {
        unsigned unit = (unsigned)__builtin_ctz(left);
        struct tsr_queue *queue = &queues->of[unit];
        earlier(best, queue->next_accept, now);
        earlier(best, queue->opens_at, now);
        if (queue->executed > 0)
            earlier(best, queue->inst[queue->first].completes_at, now);
        if (queue->executed < queue->count) {
            const struct tsr_inflight *next = tsr_queue_at(queue, queue->executed);
            earlier(best, next->accepted_at + next->address, now);
        }
        if (queue->next_accept <= now && queue->opens_at <= now)
            queues->recent &= ~(1u << unit);
    }
}

// The earliest cycle after now at which something is due; UINT64_MAX if nothing is.
static uint64_t next_event(struct tsr_engine *engine)
{
    struct tsr_state *state = engine->env.state;
    uint64_t best = UINT64_MAX;
    if (!engine->env.timing)
        return best;
    queue_events(&state->queues, state->now, &best);
    for (unsigned i = 0; i < state->scalar.requests; i++)
        earlier(&best, state->scalar.request[i].due, state->now);
    if (state->mover.busy)
        earlier(&best, state->mover.until, state->now);
    if (state->tdma.count > 0)
        earlier(&best, state->tdma.next_command, state->now);
    earlier(&best, state->sync.next_write, state->now);
    // An instruction that waits for the configuration unit's stages may enter in any cycle.
    if (state->queues.of[TSR_UNIT_CONFIG].count > 0)
        earlier(&best, state->now + 1, state->now);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        const struct tsr_frontend *frontend = &state->frontend[thread];
        const struct tsr_gate_latch *latch = &state->sync.latch[thread];
        if (frontend->before_gate.count > 0) {
            earlier(&best, frontend->next_issue, state->now);
            earlier(&best, frontend->retry_at, state->now);
        }
        if (frontend->before_mop.count + frontend->before_replay.count > 0 ||
            frontend->mop.active || frontend->replay.play_left > 0) {
            earlier(&best, frontend->next_expand, state->now);
            earlier(&best, frontend->mop_idle_until, state->now);
        }
        if (latch->latched && latch->met)
            earlier(&best, latch->met_at + engine->env.isa->rate[RATE_WAIT_LAG], state->now);
    }
    return best;
}

// What was deferred for the others' sake goes on when they cannot: at once if no word can come any
// more, otherwise when none has come for so many rounds.
static bool others_rest(struct tsr_engine *engine)
{
    enum { STILL_ROUNDS = 1000 };
    return !engine->external || ++engine->still_rounds >= STILL_ROUNDS;
}

static bool run_round(struct tsr_engine *engine)
{
    struct tsr_env *env = &engine->env;
    bool (*const round)(struct tsr_engine *) = env->timing ? round_at_now : run_to_block;
    env->deferred = false;
    bool moved = round(engine);
    if (!moved && env->deferred && !stopped(engine) && others_rest(engine)) {
        env->at_rest = true;
        moved = round(engine);
        env->at_rest = false;
    }
    if (moved)
        engine->still_rounds = 0;
    return moved;
}

static bool step(struct tsr_engine *engine)
{
    bool moved = run_round(engine);
    if (stopped(engine) || !engine->env.timing)
        return moved || stopped(engine);
    uint64_t next = next_event(engine);
    if (next == UINT64_MAX)
        return moved;
    uint64_t now = engine->env.state->now;
    if (engine->end_cycle > now && engine->end_cycle < next)
        next = engine->end_cycle;
    engine->env.state->now = next;
    return true;
}

bool tsr_step(tsr_tile *tile)
{
    if (!tile)
        return false;
    tile->engine.break_thread = -1;
    tile->engine.end_cycle = 0;
    tile->engine.external = true;
    if (tile->findings.stopped)
        return false;
    return step(&tile->engine);
}

// The deadlock as a finding: one sentence that names every thread and unit that waits.
static void report_deadlock(struct tsr_tile *tile)
{
    tsr_wait waits[TSR_THREADS + TSR_UNIT_COUNT];
    char all[300];
    size_t used = 0;
    int count = tsr_waits(tile, waits, TSR_THREADS + TSR_UNIT_COUNT);
    all[0] = 0;
    for (int i = 0; i < count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s: %s", i ? "; " : "",
                                 waits[i].who, waits[i].what);
    tsr_report(&tile->engine.env, FINDING_INSTRUCTION_DEADLOCK, NULL, NULL, "%s", all);
}

// Nothing moves any more.
static tsr_end end_without_motion(struct tsr_tile *tile, const tsr_limits *limits)
{
    bool drained = true;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        drained = drained && tsr_frontend_drained(&tile->engine.env, thread);
    if (drained) {
        if (!limits->external)
            tsr_check_idle(&tile->engine.env);
        return tile->findings.stopped ? TSR_END_STOPPED : TSR_END_IDLE;
    }
    if (limits->external)
        return TSR_END_BLOCKED;
    report_deadlock(tile);
    return TSR_END_DEADLOCK;
}

// The first cycle in which the run must end; 0: none.
static uint64_t end_cycle(const tsr_limits *limits, uint64_t start)
{
    uint64_t last = limits->break_cycle;
    bool bounded = limits->max_cycles && limits->max_cycles <= UINT64_MAX - start;
    if (bounded && (!last || start + limits->max_cycles < last))
        last = start + limits->max_cycles;
    return last;
}

tsr_end tsr_run(tsr_tile *tile, const tsr_limits *limits)
{
    const tsr_limits none = tsr_limits_default();
    if (!tile)
        return TSR_END_NO_TILE;
    if (!limits)
        limits = &none;
    struct tsr_engine *engine = &tile->engine;
    uint64_t start = engine->env.state->now, steps = 0;
    engine->break_thread = limits->break_thread;
    engine->break_sequence = limits->break_sequence;
    engine->end_cycle = end_cycle(limits, start);
    engine->external = limits->external;
    for (;;) {
        uint64_t now = engine->env.state->now;
        if (tile->findings.stopped)
            return TSR_END_STOPPED;
        if (limits->break_cycle && now >= limits->break_cycle)
            return TSR_END_BREAK;
        if ((unsigned)limits->break_thread < TSR_THREADS &&
            tsr_at_break(engine, limits->break_thread))
            return TSR_END_BREAK;
        if ((limits->max_cycles && now - start >= limits->max_cycles) ||
            (limits->max_steps && steps >= limits->max_steps))
            return TSR_END_TIMEOUT;
        bool moved = step(engine);
        steps++;
        if (!moved)
            return end_without_motion(tile, limits);
    }
}

uint64_t tsr_cycle(const tsr_tile *tile)
{
    return tile ? tile->engine.env.state->now : 0;
}

bool tsr_thread_drained(const tsr_tile *tile, int thread)
{
    return tile && (unsigned)thread < TSR_THREADS &&
           tsr_frontend_drained(&tile->engine.env, thread);
}

// Waits that still go on are counted up to now, without disturbing them.
void tsr_get_report(const tsr_tile *tile, tsr_run_report *report)
{
    if (!report)
        return;
    *report = (tsr_run_report){0};
    if (!tile)
        return;
    const struct tsr_engine *engine = &tile->engine;
    const struct tsr_state *state = engine->env.state;
    *report = engine->tally;
    report->cycles = state->now;
    report->plans_made = engine->env.plans_made;
    report->plans_reused = engine->env.plans_reused;
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        const struct tsr_frontend *frontend = &state->frontend[thread];
        report->waited[thread][frontend->reason] += state->now - frontend->waits_since;
    }
}
