// SPDX-License-Identifier: Apache-2.0
// The baby cores' turns. With timing off time goes in quanta, counted from reset: each core
// executes as many instructions as a quantum has cycles, or until it rests; then the coprocessor
// runs until it blocks; then what can go on of the cores does, until nothing moves. So nothing
// depends on how a run is cut. With timing on each core executes an instruction a cycle, before the
// coprocessor's round of that cycle. A core that rests is asked again when there is news: a core
// has done something that others can see, the coprocessor has moved, or somebody outside has acted.
// A loop that polls sleeps until then, or until the clock changes what it reads, and is charged as
// if it had run. Pages: BabyRISCV/README.md,
// DebugInterface.md.
#include "tile/core_turns.h"

#include "base/fresh_pages.h"
#include "frontend/bypass.h"
#include "frontend/expand.h"
#include "frontend/issue.h"
#include "tile/core_bus.h"
#include "tile/core_debug.h"
#include "tile/core_reset.h"
#include "tile/scheduled_round.h"

#include <string.h>

bool tsr_cores_create(struct tsr_tile *tile)
{
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++) {
        struct tsr_riscv_bus *bus = &tile->cores.bus[core];
        tsr_core_bus_fill(tile, core, bus);
        tile->cores.riscv[core] = tsr_riscv_new(tile->options.arch, (int)core, bus);
        if (!tile->cores.riscv[core])
            return false;
    }
    tile->engine.env.pushes = tsr_fresh_pages(sizeof *tile->engine.env.pushes);
    return tile->engine.env.pushes != NULL;
}

void tsr_cores_destroy(struct tsr_tile *tile)
{
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        tsr_riscv_free(tile->cores.riscv[core]);
    tsr_fresh_pages_free(tile->engine.env.pushes, sizeof *tile->engine.env.pushes);
}

void tsr_cores_begin(struct tsr_tile *tile)
{
    tsr_cores_power_on(tile->engine.env.state);
    tile->cores.news = 1;
    memset(tile->cores.seen, 0, sizeof tile->cores.seen);
    tile->cores.asked = tile->cores.pauses = 0;
    tile->cores.break_pauses = UINT64_MAX;
}

bool tsr_cores_alive(const struct tsr_tile *tile)
{
    for (unsigned core = 0; tile->options.cores && core < TSR_CORE_COUNT; core++)
        if (tsr_core_alive(tile, core))
            return true;
    return false;
}

static bool running(const struct tsr_tile *tile, unsigned core)
{
    return tsr_core_alive(tile, core) &&
           tile->engine.env.state->cores.hart[core].rest == TSR_HART_RUNS;
}

// It runs, or there is news for it.
static inline bool has_turn(const struct tsr_tile *tile, unsigned core)
{
    return tsr_core_alive(tile, core) &&
           (tile->engine.env.state->cores.hart[core].rest == TSR_HART_RUNS ||
            tile->cores.seen[core] != tile->cores.news);
}

static bool stopped(const struct tsr_tile *tile)
{
    return tile->findings.stopped;
}

// The core has run. True: it did something that others may see. `ran`: it rested on nothing before.
static bool note_run(struct tsr_tile *tile, unsigned core, uint64_t effects, uint64_t count,
                     bool ran)
{
    struct tsr_cores_run *run = &tile->cores;
    const struct tsr_hart *hart = &tile->engine.env.state->cores.hart[core];
    // An access that is tried again, and waits again, has changed nothing.
    bool nothing = count == 0 && !ran && hart->rest == TSR_HART_BLOCKED;
    bool acted = tsr_riscv_effects(run->riscv[core]) != effects && !nothing;
    run->pauses += hart->rest == TSR_HART_PAUSED;
    run->news += acted;
    run->seen[core] = run->news;
    return acted;
}

// ---------------------------------------------------------------- timing off

static uint64_t quantum(const struct tsr_tile *tile)
{
    return tile->engine.env.isa->rate[RATE_CORE_QUANTUM];
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
        last = hart->rest == TSR_HART_RUNS ? last : 0;
    }
    return count;
}

static inline uint64_t execute(struct tsr_tile *tile, unsigned core, uint64_t most)
{
    struct tsr_state *state = tile->engine.env.state;
    return tsr_core_debugged(state, core)
               ? execute_singly(tile, core, most)
               : tsr_riscv_run(tile->cores.riscv[core], &state->cores.hart[core], most);
}

// News is none for a loop that finds the same in memory. Nothing there may be tainted or watched by
// now, or the core's loads would take the bus.
static bool sleeps_on(const struct tsr_tile *tile, unsigned core)
{
    const struct tsr_env *env = &tile->engine.env;
    return !env->state->l1.any_tainted && !env->races && !tsr_core_debugged(env->state, core) &&
           tsr_riscv_still_polls(tile->cores.riscv[core]);
}

// Up to `most` instructions of the core, if it can go on. Returns how many it executed.
static uint64_t run_core(struct tsr_tile *tile, unsigned core, uint64_t most, uint64_t at,
                         bool *acted)
{
    struct tsr_cores_run *run = &tile->cores;
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    struct tsr_hart *hart = &cores->hart[core];
    bool ran = hart->rest == TSR_HART_RUNS;
    if (most == 0 || !has_turn(tile, core))
        return 0;
    if (hart->rest == TSR_HART_POLLS && sleeps_on(tile, core)) {
        run->seen[core] = run->news;
        return 0;
    }
    uint64_t effects = tsr_riscv_effects(run->riscv[core]);
    run->now = at;
    tsr_core_bus_views(tile, core);
    uint64_t count = execute(tile, core, most);
    // Of the pass that shows a poll a load may be older than what others have done since. A pass
    // that lies within this turn counts.
    bool confirmed = count == 0;
    while (hart->rest == TSR_HART_POLLS && !confirmed && count < most) {
        uint64_t more = execute(tile, core, most - count);
        confirmed = more == 0;
        count += more;
    }
    *acted |= note_run(tile, core, effects, count, ran);
    if (hart->rest == TSR_HART_POLLS && !confirmed)
        run->seen[core] = run->news - 1;
    if (hart->rest != TSR_HART_RUNS && (ran || count > 0))
        cores->rests_since[core] = at + count;
    return count;
}

// Whatever the cores that can go on have left of the quantum. True: others may see something new.
static bool run_cores(struct tsr_tile *tile)
{
    struct tsr_state *state = tile->engine.env.state;
    struct tsr_schedule_state *schedule = &tile->engine.schedule;
    struct tsr_cores *cores = &state->cores;
    uint16_t *used = cores->used;
    const uint64_t length = quantum(tile);
    bool acted = cores->acted;
    cores->acted = false;
    if (cores->turn == 0)
        cores->first = (uint8_t)tsr_schedule_first_core(schedule, TSR_CORE_COUNT);
    for (unsigned i = cores->turn; i < TSR_CORE_COUNT && !stopped(tile); i++) {
        unsigned core = cores->first + i < TSR_CORE_COUNT ? cores->first + i
                                                          : cores->first + i - TSR_CORE_COUNT;
        uint64_t most = length - used[core];
        if ((most == 0 || !has_turn(tile, core)) && schedule->kind != TSR_SCHEDULE_RANDOM)
            continue;
        if (schedule->kind == TSR_SCHEDULE_RANDOM)
            most = tsr_schedule_share(schedule, most);
        used[core] += (uint16_t)run_core(tile, core, most, state->now + used[core], &acted);
        if (tsr_cores_at_pause(tile)) { // the others have their turn when the run goes on
            cores->turn = (uint8_t)(i + 1);
            cores->acted = acted;
            return false;
        }
    }
    cores->turn = 0;
    return acted;
}

// A core that runs may push words later, which keeps what was deferred for the others' sake
// waiting. A host acts by the cores, and when it does depends on how the run is cut.
static bool pushers_left(const struct tsr_tile *tile)
{
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        if (running(tile, core))
            return true;
    return false;
}

// A core that waits may find room in its FIFO, or what it polls, and push, once something moved.
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
    return engine->broken_thread >= 0 || ((unsigned)engine->break_thread < TSR_THREADS &&
                                          tsr_at_break(engine, engine->break_thread));
}

// Nothing is on its way to a gate or in a unit, so that another round would do nothing.
static bool idle(const struct tsr_engine *engine)
{
    const struct tsr_state *state = engine->env.state;
    if (state->queues.active || state->scalar.requests || state->mover.busy ||
        state->tdma.count > 0 || engine->env.deferred || engine->schedule.kind != TSR_SCHEDULE_CARD)
        return false;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        if (!tsr_frontend_drained(&engine->env, thread))
            return false;
    return true;
}

// True: it moved. It may have come to the place of a break.
static bool run_coprocessor(struct tsr_tile *tile, bool (*round)(struct tsr_engine *engine))
{
    struct tsr_engine *engine = &tile->engine;
    bool external = engine->external, moved = false;
    if (tile->cores.asked == tile->cores.news && !engine->env.deferred)
        return false;
    engine->external = engine->schedule.cores_run = pushers_left(tile);
    while (!stopped(tile) && round(engine)) {
        if (!moved)
            engine->external = engine->external || waiters_left(tile);
        moved = true;
        if (at_break(engine) || idle(engine))
            break;
    }
    moved |= tsr_words_to_gates(engine);
    engine->external = external;
    tile->cores.news += moved;
    if (!at_break(engine) && !engine->schedule.kept_waiting)
        tile->cores.asked = tile->cores.news;
    return moved;
}

static bool polls(const struct tsr_tile *tile, unsigned core)
{
    return tsr_core_alive(tile, core) &&
           tile->engine.env.state->cores.hart[core].rest == TSR_HART_POLLS;
}

// So many quanta pass. What polls has executed its loop in them.
static void pass_quanta(struct tsr_tile *tile, uint64_t count)
{
    struct tsr_state *state = tile->engine.env.state;
    struct tsr_cores *cores = &state->cores;
    uint64_t cycles = count * quantum(tile);
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++) {
        if (polls(tile, core))
            cores->hart[core].retired += cycles - cores->used[core];
        cores->used[core] = 0;
    }
    state->now += cycles;
}

// The only core that has something to do, if neither another one nor the coprocessor can go on
// before it does what they see; TSR_CORE_COUNT: it is not so.
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

// Quanta of that core alone, as long as it uses them up and does nothing that others see. What it
// has used of the last one is its turn in that.
static void run_alone(struct tsr_tile *tile, unsigned core, uint64_t *steps)
{
    struct tsr_state *state = tile->engine.env.state;
    struct tsr_cores *cores = &state->cores;
    uint64_t length = quantum(tile), from = state->now, end = tile->engine.end_cycle;
    bool acted = false;
    for (;; state->now += length, ++*steps) {
        uint64_t used = run_core(tile, core, length, state->now, &acted);
        bool last = end > 0 && state->now + length >= end; // whose end is looked at
        if (last || acted || used < length || !running(tile, core) || stopped(tile)) {
            cores->used[core] = (uint16_t)used;
            break;
        }
    }
    cores->first = 0;
    cores->turn = (uint8_t)(core + 1);
    cores->acted = acted;
    for (unsigned other = 0; other < TSR_CORE_COUNT; other++)
        if (polls(tile, other) && other != core)
            cores->hart[other].retired += state->now - from;
}

static bool step_untimed(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                         uint64_t most, uint64_t *steps)
{
    struct tsr_engine *engine = &tile->engine;
    struct tsr_cores *cores = &engine->env.state->cores;
    unsigned lone =
        most == 0 && engine->schedule.kind == TSR_SCHEDULE_CARD ? lone_core(tile) : TSR_CORE_COUNT;
    if (lone < TSR_CORE_COUNT)
        run_alone(tile, lone, steps);
    if (tsr_cores_at_pause(tile))
        return true;
    for (bool again = true; again;) {
        again = !cores->coprocessor_turn && run_cores(tile);
        if (tsr_cores_at_pause(tile))
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
        goes_on |= (cores->used[core] > 0 && running(tile, core)) ||
                   (polls(tile, core) && tile->cores.seen[core] != tile->cores.news);
    cores->moved = false;
    if (goes_on)
        pass_quanta(tile, 1);
    return goes_on;
}

// ---------------------------------------------------------------- timing on

// A pass of the core's loop has read the same again. The next one begins at cores->next. If there
// was news since the last one, a load of this pass may be older than that.
static void note_poll(struct tsr_tile *tile, unsigned core)
{
    struct tsr_cores_run *run = &tile->cores;
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    struct tsr_core_poll *poll = &cores->poll[core];
    const struct tsr_hart *hart = &cores->hart[core];
    uint64_t next = cores->next[core];
    poll->asleep =
        poll->once && poll->pc == hart->pc && next > poll->since && run->polled[core] == run->news;
    run->polled[core] = run->news;
    if (poll->asleep) {
        uint64_t until = tsr_riscv_polls_until(run->riscv[core]);
        poll->cycles = next - poll->since;
        poll->length = hart->retired - poll->retired;
        poll->wakes_at = until == UINT64_MAX ? until
                         : until > next      ? until - (until - next) % poll->cycles
                                             : next;
        poll->asleep = poll->wakes_at > next;
    }
    poll->once = true;
    poll->pc = hart->pc;
    poll->since = next;
    poll->retired = hart->retired;
}

// The core's first pass at or after `now`, all those before having read the same.
static void wake(struct tsr_cores *cores, unsigned core, uint64_t now)
{
    struct tsr_core_poll *poll = &cores->poll[core];
    uint64_t late = now > poll->since ? now - poll->since : 0;
    uint64_t passes = (late + poll->cycles - 1) / poll->cycles;
    cores->hart[core].retired += passes * poll->length;
    cores->next[core] = poll->since + passes * poll->cycles;
    poll->asleep = poll->once = false;
}

// From when on: it runs, or there is news for it, or how long its loop takes is to be found out, or
// what it polls changes with the time.
static uint64_t due_at(const struct tsr_tile *tile, unsigned core)
{
    const struct tsr_cores *cores = &tile->engine.env.state->cores;
    const struct tsr_core_poll *poll = &cores->poll[core];
    uint8_t rest = cores->hart[core].rest;
    if (!tsr_core_alive(tile, core))
        return UINT64_MAX;
    if (rest == TSR_HART_RUNS || tile->cores.seen[core] != tile->cores.news ||
        (rest == TSR_HART_POLLS && !poll->asleep))
        return cores->next[core];
    return rest == TSR_HART_POLLS ? poll->wakes_at : UINT64_MAX;
}

// Its push would be refused once more, which changes nothing; the instruction is still the same. A
// debugger that asks has to wait for it, too.
static bool is_refused_again(const struct tsr_tile *tile, unsigned core)
{
    const struct tsr_state *state = tile->engine.env.state;
    return !tile->engine.staged && state->cores.hart[core].rest == TSR_HART_BLOCKED &&
           tile->cores.code[core] == state->l1.code.generation && tsr_core_push_waits(tile, core);
}

// The core's instruction of this cycle, if it has one. True: others may see what it did.
static bool step_core(struct tsr_tile *tile, unsigned core, uint64_t now)
{
    enum { NOT_TRIED = -1 };
    struct tsr_cores_run *run = &tile->cores;
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    struct tsr_hart *hart = &cores->hart[core];
    uint64_t at = due_at(tile, core);
    if (at == UINT64_MAX || at > now)
        return false;
    if (hart->rest == TSR_HART_POLLS && cores->poll[core].asleep)
        wake(cores, core, now);
    if (cores->next[core] > now)
        return false;
    if (is_refused_again(tile, core)) {
        run->seen[core] = run->news;
        cores->next[core] = now + 1;
        return false;
    }
    bool ran = hart->rest == TSR_HART_RUNS;
    uint64_t effects = tsr_riscv_effects(run->riscv[core]);
    run->now = (uint64_t)NOT_TRIED;
    tsr_core_bus_views(tile, core);
    bool debugged = tsr_core_debugged(tile->engine.env.state, core);
    struct tsr_riscv_next next;
    if (debugged && !tsr_core_debug_begin(tile, core, &next))
        return true;
    uint64_t count = tsr_riscv_step(run->riscv[core], hart, now, &cores->next[core]);
    if (debugged)
        tsr_core_debug_end(tile, core, &next, count);
    run->code[core] = tile->engine.env.state->l1.code.generation;
    if (run->now == (uint64_t)NOT_TRIED)
        return false; // the pipeline has no place for it yet
    bool acted = note_run(tile, core, effects, count, ran);
    if (acted)
        cores->poll[core].once = false;
    if (hart->rest == TSR_HART_POLLS)
        note_poll(tile, core);
    if (hart->rest != TSR_HART_RUNS && (ran || count > 0))
        cores->rests_since[core] = now;
    return acted;
}

// The cores' next instruction after `now`; UINT64_MAX: none is due.
static uint64_t next_instruction(const struct tsr_tile *tile, uint64_t now)
{
    uint64_t best = UINT64_MAX;
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++) {
        uint64_t at = due_at(tile, core);
        uint64_t next = at > now ? at : now + 1;
        best = next < best ? next : best;
    }
    return best;
}

static bool step_timed(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                       uint64_t *steps)
{
    struct tsr_engine *engine = &tile->engine;
    struct tsr_state *state = engine->env.state;
    uint64_t now = state->now, limit = engine->end_cycle;
    bool external = engine->external;
    for (unsigned core = 0; core < TSR_CORE_COUNT && !stopped(tile); core++)
        step_core(tile, core, now);
    if (stopped(tile) || tsr_cores_at_pause(tile))
        return true;
    uint64_t end = next_instruction(tile, now);
    bool goes_on = end != UINT64_MAX;
    if (limit > now && limit < end)
        end = limit;
    if (tile->cores.asked == tile->cores.news) {
        state->now = goes_on ? end : now;
        ++*steps;
        return goes_on;
    }
    uint64_t before = engine->motions, news = tile->cores.news;
    engine->end_cycle = end == UINT64_MAX ? 0 : end;
    engine->external = pushers_left(tile);
    bool moved = coprocessor->step(engine, 1, steps);
    engine->external = external;
    engine->end_cycle = limit;
    if (!moved) // nothing is due, either
        tile->cores.asked = news;
    if (!moved && goes_on)
        state->now = end;
    if (engine->motions != before) { // what a core may see
        tile->cores.news++;
        // A core that waited for that goes on in the next cycle.
        if (state->now > now + 1 && next_instruction(tile, now) == now + 1)
            state->now = now + 1;
    }
    return moved || goes_on;
}

bool tsr_cores_step(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                    uint64_t most, uint64_t *steps)
{
    if (tile->engine.env.timing)
        return step_timed(tile, coprocessor, steps);
    ++*steps;
    return step_untimed(tile, coprocessor, most, steps);
}

uint64_t tsr_core_retired(const struct tsr_tile *tile, unsigned core)
{
    const struct tsr_cores *cores = &tile->engine.env.state->cores;
    const struct tsr_core_poll *poll = &cores->poll[core];
    uint64_t retired = cores->hart[core].retired, now = tile->engine.env.state->now;
    if (poll->asleep && now > poll->since && tsr_core_alive(tile, core))
        retired += (now - poll->since) * poll->length / poll->cycles;
    return retired;
}

void tsr_cores_sleep(struct tsr_tile *tile, uint64_t cycle)
{
    struct tsr_state *state = tile->engine.env.state;
    if (tile->engine.env.timing) {
        state->now = cycle;
    } else {
        uint64_t left = cycle - state->now, slice = quantum(tile);
        pass_quanta(tile, (left + slice - 1) / slice);
    }
}
