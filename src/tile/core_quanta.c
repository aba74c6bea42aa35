// SPDX-License-Identifier: Apache-2.0
// Whose turn it is with timing off. Time is divided into quanta, counted from reset. In each of
// them a core first executes as many instructions as the quantum has cycles, unless it has to wait,
// one core after the other; then the coprocessor runs until it is blocked; then cores that can go
// on do so, until nothing moves. A core that finds a FIFO full lets the coprocessor run first. So
// results do not depend on the slices in which a client runs the tile.
// Pages: BabyRISCV/README.md, DebugInterface.md, PushTensixInstruction.md.
#include "tile/core_quanta.h"

#include "frontend/bypass.h"
#include "frontend/expand.h"
#include "frontend/issue.h"
#include "tile/advance.h"
#include "tile/core_bus.h"
#include "tile/core_debug.h"
#include "tile/core_interrupt.h"
#include "tile/core_push.h"
#include "tile/scheduled_round.h"

typedef bool tsr_round_fn(struct tsr_engine *engine);

// It runs, or there is news or an interrupt for it.
static inline bool has_turn(const struct tsr_tile *tile, unsigned core)
{
    uint8_t rest = tile->engine.env.state->cores.hart[core].rest;
    bool goes_on = rest == TSR_HART_RUNS ||
                   (rest <= TSR_HART_POLLS && tile->cores.seen[core] != tile->cores.news);
    return (goes_on && !tsr_core_held(&tile->engine.env, core)) || tsr_core_interrupted(tile, core);
}

static bool stopped(const struct tsr_tile *tile)
{
    return tile->findings.stopped;
}

// As tsr_riscv_run(), one by one, since a debugger looks at each.
static __attribute__((noinline)) uint64_t execute_singly(struct tsr_tile *tile, unsigned core,
                                                         uint64_t most)
{
    struct tsr_hart *hart = &tile->engine.env.state->cores.hart[core];
    struct tsr_riscv *riscv = tile->cores.riscv[core];
    uint64_t count = 0, last = 1;
    while (count < most && last > 0) {
        struct tsr_riscv_next next;
        last = 0;
        if (tsr_core_debug_begin(tile, core, &next))
            last = tsr_riscv_run(riscv, hart, 1);
        tsr_core_debug_end(tile, core, &next, last);
        count += last;
        if (hart->rest != TSR_HART_RUNS || tsr_core_interrupted(tile, core))
            break;
    }
    return count;
}

static inline uint64_t execute_any(struct tsr_tile *tile, unsigned core, uint64_t most)
{
    struct tsr_state *state = tile->engine.env.state;
    return tsr_core_debugged(state, core)
               ? execute_singly(tile, core, most)
               : tsr_riscv_run(tile->cores.riscv[core], &state->cores.hart[core], most);
}

// A core looks for interrupts when it begins, behind its own stores that raise or enable one, and
// behind mret.
static __attribute__((noinline)) uint64_t execute_interrupted(struct tsr_tile *tile, unsigned core,
                                                              uint64_t most, uint64_t count)
{
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    while (count < most && tsr_core_interrupted(tile, core)) {
        if (cores->poll[core].asleep)
            (void)tsr_core_leave_loop(cores, core, tile->cores.now);
        tsr_core_interrupt(tile, core);
        count += execute_any(tile, core, most - count);
    }
    return count;
}

static inline uint64_t execute(struct tsr_tile *tile, unsigned core, uint64_t most)
{
    const uint8_t *due = &tile->engine.env.state->debug.irqs.due;
    uint64_t count = *due && tsr_core_interrupted(tile, core) ? 0 : execute_any(tile, core, most);
    return *due ? execute_interrupted(tile, core, most, count) : count;
}

// A loop was found to poll, but some loads of that pass may have been before others acted. So one
// more pass is executed that lies within this turn as a whole. Adds its instructions to `*count`.
// False: the turn ended before.
static __attribute__((noinline)) bool confirm_poll(struct tsr_tile *tile, unsigned core,
                                                   uint64_t most, uint64_t *count)
{
    const struct tsr_hart *hart = &tile->engine.env.state->cores.hart[core];
    bool confirmed = *count == 0;
    while (hart->rest == TSR_HART_POLLS && !confirmed && *count < most) {
        uint64_t more = execute(tile, core, most - *count);
        confirmed = more == 0;
        *count += more;
    }
    return confirmed;
}

// There is news, but the polling loop still reads the same values, so the core sleeps on. Not if
// memory has become tainted or watched, since the loads then have to be made over the bus.
static bool sleeps_on(const struct tsr_tile *tile, unsigned core)
{
    const struct tsr_env *env = &tile->engine.env;
    return !env->state->l1.any_tainted && !env->races && !tsr_core_debugged(env->state, core) &&
           tsr_riscv_still_polls(tile->cores.riscv[core]);
}

// The core waits to push a word, and would find the FIFO full once more.
static inline bool is_refused_again(struct tsr_tile *tile, unsigned core)
{
    const struct tsr_state *state = tile->engine.env.state;
    return state->cores.hart[core].rest == TSR_HART_BLOCKED && !tile->engine.staged &&
           tile->cores.code[core] == state->l1.code.generation && tsr_core_push_refused(tile, core);
}

// From cycle `at` up to `most` instructions of a core that can go on, or until a FIFO keeps its
// words out. Returns how many it executed. Sets *acted if others may see something new.
static inline uint64_t run_to_full(struct tsr_tile *tile, unsigned core, uint64_t most, uint64_t at,
                                   bool *acted)
{
    struct tsr_cores_run *run = &tile->cores;
    struct tsr_hart *hart = &tile->engine.env.state->cores.hart[core];
    bool ran = hart->rest == TSR_HART_RUNS;
    uint64_t effects = tsr_riscv_effects(run->riscv[core]);
    run->now = at;
    run->full = run->moved = false;
    if (is_refused_again(tile, core)) {
        run->seen[core] = run->news;
        return 0;
    }
    hart->waits_at = 0; // set again if it waits
    hart->waits_to_store = false;
    tsr_core_bus_views(tile, core);
    uint64_t count = execute(tile, core, most);
    bool confirmed = hart->rest != TSR_HART_POLLS || confirm_poll(tile, core, most, &count);
    *acted |= tsr_core_note_run(tile, core, effects, count, ran);
    if (hart->rest == TSR_HART_POLLS && !confirmed)
        run->seen[core] = run->news - 1;
    run->code[core] = tile->engine.env.state->l1.code.generation;
    return count;
}

// Some core waits or polls: once something has moved, it may go on and push words.
static bool waiters_left(const struct tsr_tile *tile)
{
    const struct tsr_hart *hart = tile->engine.env.state->cores.hart;
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        if (tsr_core_alive(tile, core) &&
            (hart[core].rest == TSR_HART_BLOCKED || hart[core].rest == TSR_HART_POLLS))
            return true;
    return false;
}

static bool at_break(const struct tsr_engine *engine)
{
    if (engine->max_words != 0 && engine->schedule.kind != TSR_SCHEDULE_CARD) // in single steps
        for (int thread = 0; thread < TSR_THREADS; thread++)
            if (tsr_words_used_up(engine, thread))
                return true;
    return engine->broken_thread >= 0 || ((unsigned)engine->break_thread < TSR_THREADS &&
                                          tsr_at_break(engine, engine->break_thread));
}

// Nothing is on its way to a gate or in a unit, no wait is latched, and that is noted, so that
// another round would do nothing.
static bool idle(const struct tsr_engine *engine)
{
    const struct tsr_state *state = engine->env.state;
    if (tsr_work_behind_gates(state) || engine->env.deferred ||
        engine->schedule.kind != TSR_SCHEDULE_CARD)
        return false;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        if (state->sync.latch[thread].latched || !tsr_frontend_drained(&engine->env, thread) ||
            !tsr_frontend_quiet(&state->frontend[thread]))
            return false;
    return true;
}

// Rounds until nothing can move. True: something did.
static __attribute__((noinline)) bool run_to_rest(struct tsr_tile *tile, tsr_round_fn *round)
{
    struct tsr_engine *engine = &tile->engine;
    struct tsr_cores *cores = &engine->env.state->cores;
    const bool external = engine->external, went = cores->goes_on;
    bool moved = false;
    engine->schedule.cores_run = tsr_pushers_left(tile);
    engine->external = engine->schedule.cores_run || (went && waiters_left(tile));
    while (!stopped(tile) && round(engine)) {
        if (!moved)
            engine->external = engine->external || waiters_left(tile);
        moved = true;
        if (engine->all_rest || at_break(engine) || idle(engine))
            break;
    }
    moved |= tsr_words_off_fifos(engine);
    engine->external = external;
    tile->cores.news += moved;
    cores->goes_on = at_break(engine) && (moved || went);
    if (!at_break(engine) && !engine->schedule.kept_waiting)
        tile->cores.asked = tile->cores.news;
    return moved || went;
}

// True: it moved. It may have come to the place of a break.
static inline bool run_coprocessor(struct tsr_tile *tile, tsr_round_fn *round)
{
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    cores->posted = 0;
    if (tile->cores.asked != tile->cores.news || tile->engine.env.deferred)
        return run_to_rest(tile, round);
    const bool went = cores->goes_on;
    cores->goes_on = false;
    return went;
}

// From cycle `at` up to `most` instructions of the core, if it can go on. Returns how many it
// executed, and sets *acted if others may see something new. A FIFO that keeps words out of it lets
// the coprocessor have its turn first; if that moves nothing, the FIFO is asked what room its words
// would leave (docs/errata.md, 435). Other orders than the card's (tsr_options.schedule) ask it at
// once.
static uint64_t run_core(struct tsr_tile *tile, unsigned core, uint64_t most, uint64_t at,
                         tsr_round_fn *round, bool *acted)
{
    struct tsr_engine *engine = &tile->engine;
    struct tsr_cores_run *run = &tile->cores;
    struct tsr_cores *cores = &engine->env.state->cores;
    struct tsr_hart *hart = &cores->hart[core];
    if (most == 0 || !has_turn(tile, core))
        return 0;
    if (hart->rest == TSR_HART_POLLS && !tsr_core_interrupted(tile, core) &&
        sleeps_on(tile, core)) {
        run->seen[core] = run->news;
        return 0;
    }
    const bool in_order = engine->schedule.kind == TSR_SCHEDULE_CARD;
    const bool ran = hart->rest == TSR_HART_RUNS;
    run->makes_room = !in_order || (hart->rest == TSR_HART_BLOCKED && !cores->within);
    cores->within = false;
    uint64_t count = 0;
    for (;;) {
        count += run_to_full(tile, core, most - count, at + count, acted);
        if (!run->full || !in_order || stopped(tile))
            break;
        bool moved = run->moved;
        moved |= run_coprocessor(tile, round);
        *acted |= moved;
        cores->within = at_break(engine); // the core has the rest of its turn when the run goes on
        if (cores->within || (!moved && run->makes_room) || stopped(tile) ||
            !tsr_core_alive(tile, core))
            break;
        run->makes_room = !moved;
    }
    if (hart->rest == TSR_HART_RUNS)
        cores->rests_since[core] = 0;
    else if (ran || count > 0)
        cores->rests_since[core] = at + count;
    if (hart->rest == TSR_HART_ENDED)
        cores->poll[core] =
            (struct tsr_core_poll){.asleep = true, .since = at + count, .cycles = 1, .length = 1};
    return count;
}

// Whatever the cores that can go on have left of the quantum. True: others may see something new.
static bool run_cores(struct tsr_tile *tile, tsr_round_fn *round)
{
    struct tsr_state *state = tile->engine.env.state;
    struct tsr_schedule_state *schedule = &tile->engine.schedule;
    struct tsr_cores *cores = &state->cores;
    uint16_t *used = cores->used;
    const uint64_t length = tsr_quantum(tile);
    const bool random = schedule->kind == TSR_SCHEDULE_RANDOM;
    bool acted = cores->acted;
    cores->acted = false;
    if (cores->turn == 0)
        cores->first = (uint8_t)tsr_schedule_first_core(schedule, TSR_CORE_COUNT);
    unsigned core = cores->first + cores->turn;
    for (unsigned i = cores->turn; i < TSR_CORE_COUNT; i++, core++) {
        if (core >= TSR_CORE_COUNT)
            core -= TSR_CORE_COUNT;
        uint64_t most = length - used[core];
        if (!random && (most == 0 || !has_turn(tile, core)))
            continue;
        if (stopped(tile))
            break;
        if (random)
            most = tsr_schedule_share(schedule, most);
        used[core] += (uint16_t)run_core(tile, core, most, state->now + used[core], round, &acted);
        if (tsr_cores_at_pause(tile) || cores->within) { // the others go on when the run does
            cores->turn = (uint8_t)(cores->within ? i : i + 1);
            cores->acted = acted;
            return false;
        }
    }
    cores->turn = 0;
    return acted;
}

static bool polls(const struct tsr_tile *tile, unsigned core)
{
    return tsr_core_alive(tile, core) &&
           tile->engine.env.state->cores.hart[core].rest == TSR_HART_POLLS;
}

// Lets quanta pass in which nothing happens. Cores that poll are counted as having executed their
// loops.
void tsr_core_pass_quanta(struct tsr_tile *tile, uint64_t count)
{
    struct tsr_state *state = tile->engine.env.state;
    struct tsr_cores *cores = &state->cores;
    uint64_t cycles = count * tsr_quantum(tile);
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++) {
        if (polls(tile, core))
            cores->hart[core].retired += cycles - cores->used[core];
        cores->used[core] = 0;
    }
    state->now += cycles;
}

// The core that runs alone: all other cores and the coprocessor wait for something that only this
// core can bring. TSR_CORE_COUNT: there is none.
static unsigned lone_core(const struct tsr_tile *tile)
{
    const struct tsr_env *env = &tile->engine.env;
    const struct tsr_cores *cores = &env->state->cores;
    unsigned lone = TSR_CORE_COUNT;
    if (tile->cores.asked != tile->cores.news || env->deferred || cores->turn > 0 ||
        cores->coprocessor_turn || cores->acted || cores->moved)
        return TSR_CORE_COUNT;
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++) {
        if (cores->used[core] > 0)
            return TSR_CORE_COUNT;
        if (!has_turn(tile, core))
            continue;
        if (lone < TSR_CORE_COUNT || cores->hart[core].rest != TSR_HART_RUNS)
            return TSR_CORE_COUNT;
        lone = core;
    }
    return lone;
}

// Runs quanta of that core alone, as long as it uses each of them up and does nothing that others
// can see. Its share of the last quantum counts as its turn there.
static void run_alone(struct tsr_tile *tile, unsigned core, tsr_round_fn *round, uint64_t *steps)
{
    struct tsr_state *state = tile->engine.env.state;
    struct tsr_cores *cores = &state->cores;
    const uint64_t length = tsr_quantum(tile), from = state->now, end = tile->engine.end_cycle;
    bool acted = false;
    for (;; state->now += length, ++*steps) {
        uint64_t used = run_core(tile, core, length, state->now, round, &acted);
        bool last = end > 0 && state->now + length >= end; // the run ends with this quantum
        if (last || acted || used < length || !tsr_core_running(tile, core) || stopped(tile)) {
            cores->used[core] = (uint16_t)used;
            break;
        }
    }
    cores->first = 0;
    cores->turn = (uint8_t)(cores->within ? core : core + 1);
    cores->acted = acted;
    for (unsigned other = 0; other < TSR_CORE_COUNT; other++)
        if (polls(tile, other) && other != core)
            cores->hart[other].retired += state->now - from;
}

bool tsr_core_quantum(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                      uint64_t most, uint64_t *steps)
{
    struct tsr_engine *engine = &tile->engine;
    struct tsr_cores *cores = &engine->env.state->cores;
    unsigned lone =
        most == 0 && engine->schedule.kind == TSR_SCHEDULE_CARD ? lone_core(tile) : TSR_CORE_COUNT;
    if (lone < TSR_CORE_COUNT)
        run_alone(tile, lone, coprocessor->round, steps);
    if (tsr_cores_at_pause(tile) || (lone < TSR_CORE_COUNT && cores->within))
        return true;
    if (cores->within) {
        run_coprocessor(tile, coprocessor->round);
        if (at_break(engine))
            return true;
        cores->within = !stopped(tile);
    }
    for (bool again = true; again;) {
        again = !cores->coprocessor_turn && run_cores(tile, coprocessor->round);
        if (tsr_cores_at_pause(tile) || cores->within)
            return true;
        cores->coprocessor_turn = true;
        again |= run_coprocessor(tile, coprocessor->round);
        cores->moved |= again;
        if (stopped(tile) || at_break(engine))
            return true;
        cores->coprocessor_turn = false;
    }
    bool goes_on = cores->moved;
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        goes_on |= (cores->used[core] > 0 && tsr_core_running(tile, core)) ||
                   (polls(tile, core) && tile->cores.seen[core] != tile->cores.news);
    cores->moved = false;
    if (goes_on)
        tsr_core_pass_quanta(tile, 1);
    return goes_on;
}
