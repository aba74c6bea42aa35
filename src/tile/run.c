// SPDX-License-Identifier: Apache-2.0
// The engine, and how a run ends. With timing on: rounds at the present cycle and jumps to the next
// event (clock.c). With timing off the clock stands still, and threads run one after the other.
#include "tile/advance.h"
#include "tile/agenda.h"
#include "tile/clock.h"
#include "tile/core_turns.h"
#include "tile/idle_checks.h"
#include "tile/map_counters.h"
#include "tile/race_watch.h"
#include "tile/scheduled_round.h"
#include "tile/tile_state.h"
#include "tile/window.h"

#include "frontend/bank_turns.h"
#include "frontend/bypass.h"
#include "frontend/expand.h"
#include "frontend/issue.h"
#include "frontend/rests.h"
#include "state/report.h"

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

// A thread has moved until something held it. False: the next round would find it, those before it
// and the units as they are, since they rest and wait, and nobody looks between the two.
static bool round_is_over(const struct tsr_engine *engine, int moved)
{
    const struct tsr_state *state = engine->env.state;
    if (engine->single_rounds || engine->staged || engine->observer || stopped(engine) ||
        engine->broken_thread >= 0 || engine->turn_unfinished || engine->env.deferred ||
        state->scalar.requests > 0 || state->mover.busy || state->tdma.count > 0)
        return true;
    for (int thread = 0; thread < moved; thread++)
        if (!tsr_thread_rests(engine, thread))
            return true;
    for (uint32_t left = state->queues.active; left; left &= left - 1)
        if (!tsr_queue_waits_on(&engine->env, (tsr_unit)__builtin_ctz(left)))
            return true;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        if (!tsr_frontend_drained(&engine->env, thread))
            return false;
    return true; // the cores' turn may come here
}

// With timing off: what the units and the mover can do, then the first thread that can go on runs
// until something holds it. Thread 0 is asked first each time, so that unpackers run ahead of the
// matrix unit and this of the packers, as on a card. A thread that a break stopped goes on before
// the others, as it would have without the break.
static bool run_to_block(struct tsr_engine *engine)
{
    struct tsr_state *state = engine->env.state;
    int broken = engine->broken_thread, rested = engine->rested;
    engine->rested = engine->broken_thread = -1;
    engine->all_rest = engine->turn_unfinished = false;
    if (broken >= 0 && tsr_run_thread(engine, broken))
        return true;
    struct tsr_turns turns = {0};
    enum tsr_turns_end at = TSR_TURNS_AT_UNITS;
    if (tsr_bank_turns_near(engine))
        at = tsr_take_bank_turns(engine, &turns);
    bool moved = turns.moved;
    if (at == TSR_TURNS_AT_UNITS && (state->queues.active | state->scalar.requests) != 0)
        moved |= tsr_advance_units(engine);
    if (!stopped(engine) && (state->mover.busy || state->tdma.count > 0))
        moved |= tsr_advance_mover(engine);
    int thread = at == TSR_TURNS_AT_THREAD1;
    bool went = turns.thread_moved, over = true;
    for (; thread < TSR_THREADS && !stopped(engine); thread++, went = false) {
        if ((thread != rested || moved) &&
            (state->sync.latch[thread].latched || !tsr_frontend_quiet(&state->frontend[thread])))
            went |= tsr_run_thread(engine, thread);
        if (!went)
            continue;
        moved = true;
        over = round_is_over(engine, thread);
        if (over) {
            engine->last_run = engine->turn_unfinished ? -1 : (int8_t)thread;
            return true;
        }
    }
    // A thread has moved, those behind it were asked since, and nothing before it could move.
    engine->all_rest = !over && !engine->env.deferred && !stopped(engine);
    return moved;
}

// Counts a round in which nothing moved. True: what was deferred for the others' sake goes on,
// since no word can come any more, or none has come for so many rounds.
static bool count_still_round(struct tsr_engine *engine)
{
    enum { STILL_ROUNDS = 1000 };
    return !engine->external || ++engine->still_rounds >= STILL_ROUNDS;
}

static bool run_round(struct tsr_engine *engine)
{
    struct tsr_env *env = &engine->env;
    bool (*const round)(struct tsr_engine *) = env->timing ? tsr_clock_round
                                               : engine->schedule.kind != TSR_SCHEDULE_CARD
                                                   ? tsr_scheduled_round
                                                   : run_to_block;
    env->deferred = false;
    bool moved = round(engine);
    if (!moved && env->deferred && !stopped(engine) && count_still_round(engine)) {
        env->at_rest = true;
        moved = round(engine);
        env->at_rest = false;
    }
    if (moved)
        engine->still_rounds = 0;
    return moved;
}

// With timing off: the next round may follow without a look at the tile.
static inline bool rounds_follow(const struct tsr_engine *engine)
{
    const struct tsr_env *env = &engine->env;
    return !engine->single_rounds && !engine->staged && !engine->observer && !env->races &&
           !env->deferred && !stopped(engine) && engine->schedule.kind == TSR_SCHEDULE_CARD &&
           !tsr_any_words_used_up(engine) && env->state->debug.perf_due == 0;
}

// Nothing is on its way to a gate or in a unit, no wait is latched, and that is noted: another
// round would find nothing.
static inline bool nothing_left(const struct tsr_engine *engine)
{
    const struct tsr_state *state = engine->env.state;
    if (tsr_work_behind_gates(state))
        return false;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        if (state->sync.latch[thread].latched || !tsr_frontend_quiet(&state->frontend[thread]))
            return false;
    return true;
}

// With timing off, without cores: as many rounds as move something, if nothing need be looked at
// between them. A thread that was the last to move is not asked again before something else has
// moved; nor is any, once all are known to rest. False: nothing can move any more.
static bool run_rounds(struct tsr_engine *engine, uint64_t *steps)
{
    for (;;) {
        engine->last_run = -1;
        bool moved = run_round(engine);
        engine->motions += moved;
        ++*steps;
        if (!rounds_follow(engine))
            return moved || tsr_words_to_gates(engine) || stopped(engine);
        if (!moved || engine->all_rest || nothing_left(engine)) {
            tsr_words_to_gates(engine); // where they would only be asked again
            return stopped(engine);
        }
        engine->rested = engine->last_run;
    }
}

// A round, or as many as `most` allows if nothing need be looked at between them; 0: no limit.
// Adds them to `steps`. False: nothing moved.
static bool step(struct tsr_engine *engine, uint64_t most, uint64_t *steps)
{
    if (engine->env.timing && !engine->staged)
        return tsr_agenda_run(engine, most ? most : UINT64_MAX, steps);
    if (!engine->env.timing)
        return run_rounds(engine, steps);
    bool moved = run_round(engine);
    engine->motions += moved;
    ++*steps;
    if (stopped(engine))
        return true;
    uint64_t next = tsr_clock_next(engine);
    if (next == UINT64_MAX)
        return moved;
    uint64_t now = engine->env.state->now;
    if (engine->end_cycle > now && engine->end_cycle < next)
        next = engine->end_cycle;
    engine->env.state->now = next;
    return true;
}

// The same with the cores, if the tile has them. It ends where a reference period does.
static bool step_all(struct tsr_tile *tile, uint64_t most, uint64_t *steps)
{
    static const struct tsr_cores_coprocessor coprocessor = {.round = run_round, .step = step};
    struct tsr_engine *engine = &tile->engine;
    uint64_t end = engine->end_cycle;
    memset(tile->push_room.of, 0, sizeof tile->push_room.of);
    engine->single_rounds = (!tile->options.cores && most != 0) || engine->break_thread >= 0;
    tsr_counters_limit(engine);
    bool moved = tile->options.cores ? tsr_cores_step(tile, &coprocessor, most, steps)
                                     : step(engine, most, steps);
    engine->end_cycle = end;
    if (engine->env.state->debug.perf_due > 0)
        tsr_counters_end_periods(engine);
    return moved;
}

// Nothing moves before that cycle, but reference periods end.
static void sleep_to(struct tsr_tile *tile, uint64_t cycle)
{
    struct tsr_state *state = tile->engine.env.state;
    while (state->now < cycle) {
        uint64_t due = state->debug.perf_due, next = due > 0 && due < cycle ? due : cycle;
        if (tile->options.cores)
            tsr_cores_sleep(tile, next);
        else
            state->now = next;
        tsr_counters_end_periods(&tile->engine);
    }
}

// A run that nothing ends but the cycle (0: nothing), and that may wait for somebody outside.
static void set_end(struct tsr_engine *engine, uint64_t cycle)
{
    engine->break_thread = -1;
    engine->max_words = 0;
    engine->end_cycle = cycle;
    engine->external = true;
}

bool tsr_step(tsr_tile *tile)
{
    if (!tile)
        return false;
    set_end(&tile->engine, 0);
    tile->cores.break_pauses = UINT64_MAX;
    if (tile->findings.stopped)
        return false;
    uint64_t steps = 0;
    bool moved = step_all(tile, 1, &steps);
    return tsr_words_to_gates(&tile->engine) || moved;
}

// The deadlock as a finding: one sentence that names every thread and unit that waits.
static void report_deadlock(struct tsr_tile *tile)
{
    enum { MOST = TSR_THREADS + TSR_UNIT_COUNT + TSR_CORE_COUNT };
    tsr_wait waits[MOST];
    char all[300];
    size_t used = 0;
    int count = tsr_waits(tile, waits, MOST);
    all[0] = 0;
    for (int i = 0; i < count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s: %s%s%s%s", i ? "; " : "",
                                 waits[i].who, waits[i].what,
                                 waits[i].changed[0] ? " (last changed by " : "", waits[i].changed,
                                 waits[i].changed[0] ? ")" : "");
    tsr_report(&tile->engine.env, FINDING_INSTRUCTION_DEADLOCK, NULL, NULL, "%s", all);
}

static bool drained(const struct tsr_tile *tile)
{
    for (int thread = 0; thread < TSR_THREADS; thread++)
        if (!tsr_frontend_drained(&tile->engine.env, thread))
            return false;
    return true;
}

bool tsr_has_work(const tsr_tile *tile)
{
    if (!tile)
        return false;
    return tsr_cores_alive(tile) || !drained(tile) || tsr_work_behind_gates(tile->engine.env.state);
}

// Nothing moves any more.
static tsr_end end_without_motion(struct tsr_tile *tile, const tsr_limits *limits)
{
    if (drained(tile) && !tsr_cores_alive(tile)) {
        if (!limits->external)
            tsr_check_idle(&tile->engine.env);
        return tile->findings.stopped ? TSR_END_STOPPED : TSR_END_IDLE;
    }
    if (limits->external)
        return TSR_END_BLOCKED;
    tsr_words_to_gates(&tile->engine);
    report_deadlock(tile);
    return TSR_END_DEADLOCK;
}

// The word that the run is to wait for.
static bool until_holds(const struct tsr_tile *tile, const tsr_limits *limits)
{
    const struct tsr_l1 *l1 = &tile->engine.env.state->l1;
    return limits->until_mask && tsr_l1_holds(l1, limits->until_address, 4) &&
           ((tsr_l1_word(l1, limits->until_address) ^ limits->until_value) & limits->until_mask) ==
               0;
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

// With timing on and cores, cycles bound the words, too.
static void bound_words(struct tsr_tile *tile, uint64_t most)
{
    struct tsr_engine *engine = &tile->engine;
    engine->max_words = engine->env.timing && tile->options.cores ? 0 : most;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        engine->words_from[thread] = engine->env.state->frontend[thread].sequence;
}

static tsr_end run(tsr_tile *tile, const tsr_limits *limits)
{
    struct tsr_engine *engine = &tile->engine;
    uint64_t start = engine->env.state->now, steps = 0;
    bound_words(tile, limits->max_words);
    engine->break_thread = limits->break_thread;
    engine->break_sequence = limits->break_sequence;
    engine->end_cycle = end_cycle(limits, start);
    engine->external = limits->external;
    tile->cores.break_pauses = limits->break_at_pause ? tile->cores.pauses + 1 : UINT64_MAX;
    for (;;) {
        uint64_t now = engine->env.state->now;
        if (tile->findings.stopped)
            return TSR_END_STOPPED;
        if (limits->break_cycle && now >= limits->break_cycle)
            return TSR_END_BREAK;
        if (until_holds(tile, limits))
            return TSR_END_UNTIL;
        bool breaks = (unsigned)limits->break_thread < TSR_THREADS;
        if ((breaks && tsr_at_break(engine, limits->break_thread)) || tsr_cores_at_pause(tile))
            return TSR_END_BREAK;
        if ((limits->max_cycles && now - start >= limits->max_cycles) ||
            (limits->max_steps && steps >= limits->max_steps))
            return TSR_END_TIMEOUT;
        if (tsr_any_words_used_up(engine))
            return TSR_END_WORDS;
        bool each = breaks || limits->until_mask;
        uint64_t most = each ? 1 : limits->max_steps ? limits->max_steps - steps : 0;
        if (step_all(tile, most, &steps))
            continue;
        // Something outside can move it later: until then time passes.
        if (!limits->external || limits->ends_blocked || tile->findings.stopped ||
            engine->end_cycle <= now)
            return end_without_motion(tile, limits);
        sleep_to(tile, engine->end_cycle);
    }
}

tsr_end tsr_run(tsr_tile *tile, const tsr_limits *limits)
{
    const tsr_limits none = tsr_limits_default();
    if (!tile)
        return TSR_END_NO_TILE;
    tsr_end end = run(tile, limits ? limits : &none);
    tsr_words_to_gates(&tile->engine);
    return end;
}

tsr_end tsr_run_cycles(tsr_tile *tile, uint64_t cycles)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    limits.max_cycles = cycles;
    return tile && cycles == 0 ? TSR_END_TIMEOUT : tsr_run(tile, &limits);
}

bool tsr_tile_run_to(struct tsr_tile *tile, uint64_t cycle)
{
    struct tsr_engine *engine = &tile->engine;
    uint64_t steps = 0;
    set_end(engine, cycle);
    while (!stopped(engine) && engine->env.state->now < cycle)
        if (!step_all(tile, 0, &steps))
            return true;
    return stopped(engine);
}

void tsr_tile_seen(struct tsr_tile *tile)
{
    tsr_words_to_gates(&tile->engine);
}

void tsr_tile_sleep_to(struct tsr_tile *tile, uint64_t cycle)
{
    if (!stopped(&tile->engine) && tile->engine.env.state->now < cycle)
        sleep_to(tile, cycle);
}

uint64_t tsr_cycle(const tsr_tile *tile)
{
    return tile ? tile->engine.env.state->now : 0;
}

bool tsr_thread_drained(const tsr_tile *tile, int thread)
{
    if (!tile || (unsigned)thread >= TSR_THREADS ||
        !tsr_frontend_drained(&tile->engine.env, thread))
        return false;
    tsr_race_watch_drained(tile, thread);
    return true;
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
    for (int thread = 0; thread < TSR_THREADS; thread++)
        tsr_add_waited(engine, thread, report);
}
