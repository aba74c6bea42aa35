// SPDX-License-Identifier: Apache-2.0
// Whose turn it is with timing on: in each cycle every core executes at most one instruction,
// before the coprocessor's round of that cycle. A core whose loop only polls sleeps until something
// that it reads may have changed; its instructions and cycles are counted as if it had run.
// Pages: BabyRISCV/README.md, DebugInterface.md.
#include "tile/core_cycles.h"

#include "base/bits.h"
#include "frontend/expand.h"
#include "tile/agenda.h"
#include "tile/core_bus.h"
#include "tile/core_debug.h"
#include "tile/core_interrupt.h"
#include "tile/core_push.h"

static void note_poll(struct tsr_tile *tile, unsigned core)
{
    struct tsr_cores_run *run = &tile->cores;
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    tsr_core_note_poll(&cores->poll[core], &cores->hart[core], run->riscv[core], cores->next[core],
                       run->polled[core] != run->news);
    run->polled[core] = run->news;
}

// The core's loop reads nothing, and goes on for ever, or until an interrupt.
static void note_end(struct tsr_tile *tile, unsigned core)
{
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    struct tsr_core_poll *poll = &cores->poll[core];
    tsr_riscv_pass(tile->cores.riscv[core], &poll->cycles, &poll->length);
    poll->since = cores->next[core];
    poll->asleep = true;
}

// The cycle of its next turn: its next instruction if it runs, has news or an interrupt, or if the
// length of its polling loop is not known yet; else the pass that may read something new because
// time has passed. UINT64_MAX: none.
static uint64_t due_at(const struct tsr_tile *tile, unsigned core)
{
    const struct tsr_cores *cores = &tile->engine.env.state->cores;
    const struct tsr_core_poll *poll = &cores->poll[core];
    uint8_t rest = cores->hart[core].rest;
    if (!tsr_core_alive(tile, core))
        return UINT64_MAX;
    if (rest == TSR_HART_RUNS || tile->cores.seen[core] != tile->cores.news ||
        (rest == TSR_HART_POLLS && !poll->asleep) || tsr_core_interrupted(tile, core))
        return cores->next[core];
    return rest == TSR_HART_POLLS ? poll->wakes_at : UINT64_MAX;
}

// The core waits to push a word, and would find the FIFO full once more, which changes nothing. A
// debugger that wants to pause it has to wait as well.
static bool is_refused_again(const struct tsr_tile *tile, unsigned core)
{
    const struct tsr_state *state = tile->engine.env.state;
    return !tile->engine.staged && state->cores.hart[core].rest == TSR_HART_BLOCKED &&
           tile->cores.code[core] == state->l1.code.generation && tsr_core_push_waits(tile, core);
}

// The thread's FIFO takes nothing from its core. Where words count that have left it, it was full
// and still is if it holds as many and the thread has issued none since, and moved none.
static inline bool is_full(struct tsr_tile *tile, unsigned thread)
{
    const struct tsr_env *env = &tile->engine.env;
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    const uint16_t *rate = env->isa->rate;
    struct tsr_cores_run *run = &tile->cores;
    if (!rate[RATE_FIFO_COUNTS_PASSED])
        return frontend->before_mop.count >= rate[RATE_FIFO_TAKES_T0 + thread];
    if (run->full_at[thread].sequence == frontend->sequence &&
        run->full_at[thread].next_expand == frontend->next_expand &&
        run->full_at[thread].words == frontend->before_mop.count)
        return true;
    if (!tsr_frontend_holds(env, frontend, rate[RATE_FIFO_TAKES_T0 + thread]))
        return false;
    run->full_at[thread].sequence = frontend->sequence;
    run->full_at[thread].next_expand = frontend->next_expand;
    run->full_at[thread].words = frontend->before_mop.count;
    return true;
}

// As is_refused_again() for a T core, but looks at the FIFOs of its thread only. False: not known.
static inline bool finds_fifo_full(struct tsr_tile *tile, unsigned core)
{
    const struct tsr_env *env = &tile->engine.env;
    const struct tsr_state *state = env->state;
    const struct tsr_hart *hart = &state->cores.hart[core];
    unsigned thread = core - TSR_CORE_T0;
    return thread < TSR_THREADS && hart->rest == TSR_HART_BLOCKED && hart->waits_to_store &&
           hart->waits_at == env->isa->region[REGION_PUSH].base && is_full(tile, thread) &&
           tile->cores.code[core] == state->l1.code.generation &&
           !(state->debug.push_control >> thread & 1) && !env->races && !tile->engine.staged;
}

// The core has rested, and is due. False: it does not go on in this cycle.
static bool goes_on(struct tsr_tile *tile, unsigned core, uint64_t now)
{
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    if (cores->poll[core].asleep)
        cores->next[core] = tsr_core_leave_loop(cores, core, now);
    if (cores->next[core] > now) { // the pass ends later: an interrupt may be gone by then
        cores->poll[core].asleep = cores->hart[core].rest == TSR_HART_ENDED;
        return false;
    }
    if (!is_refused_again(tile, core))
        return true;
    tile->cores.seen[core] = tile->cores.news;
    cores->next[core] = now + 1;
    return false;
}

// The core has tried an instruction, executed `count`, and rests. `ran`: it rested on nothing
// before.
static __attribute__((noinline)) void note_rest(struct tsr_tile *tile, unsigned core, uint64_t now,
                                                uint64_t effects, uint64_t count, bool ran)
{
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    if (tsr_core_note_run(tile, core, effects, count, ran))
        cores->poll[core].once = false;
    tile->cores.code[core] = tile->engine.env.state->l1.code.generation;
    if (cores->hart[core].rest == TSR_HART_POLLS)
        note_poll(tile, core);
    else if (cores->hart[core].rest == TSR_HART_ENDED)
        note_end(tile, core);
    if (ran || count > 0)
        cores->rests_since[core] = now;
}

// Its instruction in this cycle; `ran`: it rested on nothing before.
TSR_INLINE void try_instruction(struct tsr_tile *tile, unsigned core, uint64_t now, bool ran)
{
    const uint64_t not_tried = UINT64_MAX; // tsr_riscv_step() sets the time if it tries
    struct tsr_cores_run *run = &tile->cores;
    struct tsr_cores *cores = &tile->engine.env.state->cores;
    struct tsr_hart *hart = &cores->hart[core];
    uint64_t effects = tsr_riscv_effects(run->riscv[core]);
    run->now = not_tried;
    tsr_core_bus_look(tile, core);
    bool debugged = tsr_core_debugged(tile->engine.env.state, core);
    struct tsr_riscv_next next;
    if (debugged && !tsr_core_debug_begin(tile, core, &next))
        return;
    uint64_t count = tsr_riscv_step(run->riscv[core], hart, now, &cores->next[core]);
    if (debugged)
        tsr_core_debug_end(tile, core, &next, count);
    if (run->now == not_tried)
        return; // the pipeline has no place for it yet
    if (TSR_RARELY(hart->rest != TSR_HART_RUNS))
        note_rest(tile, core, now, effects, count, ran);
    else if (tsr_core_note_runs(tile, core, effects))
        cores->poll[core].once = false;
}

// The turn in this cycle of a core that rests or is interrupted, if it is due.
static __attribute__((noinline)) void step_core(struct tsr_tile *tile, unsigned core, uint64_t now)
{
    bool ran = tile->engine.env.state->cores.hart[core].rest == TSR_HART_RUNS;
    if (due_at(tile, core) > now || (!ran && !goes_on(tile, core, now)))
        return;
    if (tsr_core_interrupted(tile, core)) {
        tsr_core_interrupt(tile, core);
        ran = true;
    }
    try_instruction(tile, core, now, ran);
}

// It is not held, runs, and nothing keeps it from its next instruction.
static inline bool just_runs(const struct tsr_state *state, unsigned core)
{
    return state->cores.hart[core].rest == TSR_HART_RUNS && !(state->debug.irqs.due >> core & 1);
}

// The cores' next instruction after `now`; UINT64_MAX: none is due.
static inline uint64_t next_instruction(const struct tsr_tile *tile, uint64_t now)
{
    const struct tsr_state *state = tile->engine.env.state;
    const uint64_t *next = state->cores.next; // no core is due before it
    uint64_t best = UINT64_MAX;
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++) {
        if (next[core] >= best || tsr_core_held(&tile->engine.env, core))
            continue;
        uint64_t at = just_runs(state, core) ? next[core] : due_at(tile, core);
        if (at <= now + 1)
            return now + 1;
        best = at < best ? at : best;
    }
    return best;
}

// Its turn in this cycle. False: the tile has stopped. Inlined for each core, so that where it
// keeps its things is known.
TSR_INLINE bool take_turn(struct tsr_tile *tile, unsigned core, uint64_t now)
{
    const struct tsr_state *state = tile->engine.env.state;
    if (state->cores.next[core] > now || tsr_core_held(&tile->engine.env, core))
        return true; // no core is due before `next`
    if (just_runs(state, core)) {
        try_instruction(tile, core, now, true);
    } else if (finds_fifo_full(tile, core)) {
        if (tile->cores.seen[core] == tile->cores.news)
            return true;
        tile->cores.seen[core] = tile->cores.news;
        tile->engine.env.state->cores.next[core] = now + 1;
        return true;
    } else {
        step_core(tile, core, now);
    }
    return !tile->findings.stopped;
}

// The coprocessor's round, which asks whether words may come that it should wait for.
static __attribute__((noinline)) bool step_staged(struct tsr_tile *tile,
                                                  const struct tsr_cores_coprocessor *coprocessor)
{
    struct tsr_engine *engine = &tile->engine;
    bool external = engine->external;
    uint64_t steps = 0;
    engine->external = tsr_pushers_left(tile);
    bool moved = coprocessor->step(engine, 1, &steps);
    engine->external = external;
    return moved;
}

TSR_INLINE bool cycle(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                      uint64_t *steps)
{
    struct tsr_engine *engine = &tile->engine;
    struct tsr_state *state = engine->env.state;
    uint64_t now = state->now;
    _Static_assert(TSR_CORE_COUNT == 5, "each has its turn");
    if (!take_turn(tile, 0, now) || !take_turn(tile, 1, now) || !take_turn(tile, 2, now) ||
        !take_turn(tile, 3, now) || !take_turn(tile, 4, now))
        return true;
    if (tsr_cores_at_pause(tile))
        return true;
    uint64_t end = next_instruction(tile, now), limit = engine->end_cycle; // a store may set it
    bool goes_on = end != UINT64_MAX;
    if (limit > now && limit < end)
        end = limit;
    if (tile->cores.asked == tile->cores.news) {
        state->now = goes_on ? end : now;
        ++*steps;
        return goes_on;
    }
    if (goes_on && tsr_agenda_is_quiet(engine)) {
        state->now = end < engine->agenda.quiet_until ? end : engine->agenda.quiet_until;
        ++*steps;
        return true;
    }
    uint64_t before = engine->motions, news = tile->cores.news;
    engine->end_cycle = end == UINT64_MAX ? 0 : end;
    bool moved = engine->staged ? step_staged(tile, coprocessor) : tsr_agenda_step(engine);
    ++*steps;
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

bool tsr_core_cycles(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                     uint64_t most, uint64_t *steps)
{
    const struct tsr_engine *engine = &tile->engine;
    const struct tsr_state *state = engine->env.state;
    bool goes_on;
    do {
        goes_on = cycle(tile, coprocessor, steps);
    } while (goes_on && most == 0 && !tile->findings.stopped && !tsr_cores_at_pause(tile) &&
             state->debug.perf_due == 0 &&
             (engine->end_cycle == 0 || state->now < engine->end_cycle));
    return goes_on;
}
