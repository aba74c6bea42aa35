// SPDX-License-Identifier: Apache-2.0
// The baby cores' turns. With timing off time goes in quanta, counted from reset: each core
// executes as many instructions as a quantum has cycles, or until it rests; then the coprocessor
// runs until it blocks; then what can go on of the cores does, until nothing moves. So nothing
// depends on how a run is cut. With timing on each core executes an instruction a cycle, before the
// coprocessor's round of that cycle. A core that rests is asked again when there is news: a core
// has done something that others can see, the coprocessor has moved, or somebody outside has acted.
// A loop that polls sleeps until then, and is charged as if it had run. Pages: BabyRISCV/README.md,
// DebugInterface.md.
#include "tile/core_turns.h"

#include "frontend/issue.h"
#include "tile/core_bus.h"
#include "tile/core_reset.h"

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
    return true;
}

void tsr_cores_destroy(struct tsr_tile *tile)
{
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        tsr_riscv_free(tile->cores.riscv[core]);
}

void tsr_cores_begin(struct tsr_tile *tile)
{
    tsr_cores_power_on(tile->engine.env.state);
    tile->cores.news = 1;
    memset(tile->cores.seen, 0, sizeof tile->cores.seen);
}

bool tsr_core_alive(const struct tsr_tile *tile, unsigned core)
{
    const struct tsr_hart *hart = &tile->engine.env.state->cores.hart[core];
    return !tsr_core_held(&tile->engine.env, core) && hart->rest <= TSR_HART_POLLS;
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

static bool stopped(const struct tsr_tile *tile)
{
    return tile->findings.stopped;
}

// Executes up to `most` instructions of the core, if it can go on, and returns how many. `acted`:
// it did something that others may see.
static uint64_t run_core(struct tsr_tile *tile, unsigned core, uint64_t most, uint64_t at,
                         bool *acted)
{
    struct tsr_cores_run *run = &tile->cores;
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    struct tsr_hart *hart = &cores->hart[core];
    if (most == 0 || !tsr_core_alive(tile, core) ||
        (hart->rest != TSR_HART_RUNS && run->seen[core] == run->news))
        return 0;
    uint64_t effects = tsr_riscv_effects(run->riscv[core]);
    bool ran = hart->rest == TSR_HART_RUNS;
    run->now = at;
    tsr_core_bus_views(tile, &run->bus[core]);
    uint64_t count = tsr_riscv_run(run->riscv[core], hart, most);
    bool nothing = count == 0 && !ran && hart->rest == TSR_HART_BLOCKED;
    if (tsr_riscv_effects(run->riscv[core]) != effects && !nothing) {
        run->news++;
        *acted = true;
    }
    run->seen[core] = run->news;
    if (hart->rest != TSR_HART_RUNS && (ran || count > 0))
        cores->rests_since[core] = at + count;
    return count;
}

// ---------------------------------------------------------------- timing off

static uint64_t quantum(const struct tsr_tile *tile)
{
    return tile->engine.env.isa->rate[RATE_CORE_QUANTUM];
}

// Whatever the cores that can go on have left of the quantum. True: others may see something new.
static bool run_cores(struct tsr_tile *tile)
{
    struct tsr_state *state = tile->engine.env.state;
    uint16_t *used = state->cores.used;
    bool acted = false;
    for (unsigned core = 0; core < TSR_CORE_COUNT && !stopped(tile); core++)
        used[core] += (uint16_t)run_core(tile, core, quantum(tile) - used[core],
                                         state->now + used[core], &acted);
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

static bool at_break(const struct tsr_engine *engine)
{
    return engine->broken_thread >= 0 || ((unsigned)engine->break_thread < TSR_THREADS &&
                                          tsr_at_break(engine, engine->break_thread));
}

// True: it moved. It may have come to the place of a break.
static bool run_coprocessor(struct tsr_tile *tile, bool (*round)(struct tsr_engine *engine))
{
    struct tsr_engine *engine = &tile->engine;
    bool external = engine->external, moved = false;
    engine->external = pushers_left(tile);
    while (!stopped(tile) && round(engine)) {
        moved = true;
        if (at_break(engine))
            break;
    }
    engine->external = external;
    tile->cores.news += moved;
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

static bool step_untimed(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor)
{
    struct tsr_engine *engine = &tile->engine;
    struct tsr_cores *cores = &engine->env.state->cores;
    for (bool again = true; again;) {
        again = !cores->coprocessor_turn && run_cores(tile);
        cores->coprocessor_turn = true;
        again |= run_coprocessor(tile, coprocessor->round);
        cores->moved |= again;
        if (stopped(tile) || at_break(engine))
            return true;
        cores->coprocessor_turn = false;
    }
    bool goes_on = cores->moved;
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        goes_on |= cores->used[core] > 0 && running(tile, core);
    cores->moved = false;
    if (goes_on)
        pass_quanta(tile, 1);
    return goes_on;
}

// ---------------------------------------------------------------- timing on

// Changes whenever the coprocessor has done something that a core may see.
static uint64_t trace_of(const struct tsr_engine *engine)
{
    const struct tsr_state *state = engine->env.state;
    uint64_t trace = state->queues.active + state->scalar.requests + state->mover.busy;
    trace = trace * 31 + state->tdma.count;
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        const struct tsr_frontend *frontend = &state->frontend[thread];
        unsigned left = (unsigned)frontend->before_mop.count + frontend->before_replay.count +
                        frontend->before_gate.count + frontend->mop.active +
                        frontend->replay.play_left;
        trace = trace * 31 + frontend->sequence;
        trace = trace * 31 + left;
        trace = trace * 31 + (uint64_t)frontend->in_flight;
    }
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++)
        trace = trace * 31 + (uint64_t)state->queues.of[unit].count * 16 +
                (uint64_t)state->queues.of[unit].executed;
    return trace;
}

// Time has come to state->now. What polls has executed an instruction in each cycle.
static void charge_polls(struct tsr_tile *tile)
{
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    uint64_t now = tile->engine.env.state->now;
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        if (polls(tile, core) && cores->next[core] < now) {
            cores->hart[core].retired += now - cores->next[core];
            cores->next[core] = now;
        }
}

// The cores' next instruction after `now`; UINT64_MAX: none runs.
static uint64_t next_instruction(const struct tsr_tile *tile, uint64_t now)
{
    uint64_t best = UINT64_MAX;
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        if (running(tile, core)) {
            uint64_t next = tile->engine.env.state->cores.next[core];
            next = next > now ? next : now + 1;
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
    bool acted = false, external = engine->external;
    for (unsigned core = 0; core < TSR_CORE_COUNT && !stopped(tile); core++)
        if (state->cores.next[core] <= now && run_core(tile, core, 1, now, &acted) > 0)
            state->cores.next[core] = now + 1;
    if (stopped(tile))
        return true;
    uint64_t end = acted ? now + 1 : next_instruction(tile, now), before = trace_of(engine);
    bool goes_on = end != UINT64_MAX;
    if (limit > now && limit < end)
        end = limit;
    engine->end_cycle = end == UINT64_MAX ? 0 : end;
    engine->external = pushers_left(tile);
    bool moved = coprocessor->step(engine, 1, steps);
    engine->external = external;
    engine->end_cycle = limit;
    tile->cores.news += trace_of(engine) != before;
    if (!moved && goes_on)
        state->now = end;
    charge_polls(tile);
    return moved || goes_on;
}

bool tsr_cores_step(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                    uint64_t *steps)
{
    if (tile->engine.env.timing)
        return step_timed(tile, coprocessor, steps);
    ++*steps;
    return step_untimed(tile, coprocessor);
}

void tsr_cores_sleep(struct tsr_tile *tile, uint64_t cycle)
{
    struct tsr_state *state = tile->engine.env.state;
    if (tile->engine.env.timing) {
        state->now = cycle;
        charge_polls(tile);
    } else {
        uint64_t left = cycle - state->now, slice = quantum(tile);
        pass_quanta(tile, (left + slice - 1) / slice);
    }
}
