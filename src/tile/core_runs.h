// SPDX-License-Identifier: Apache-2.0
// What the cores' turns of both timing modes ask of a core, and note when it has run.
// Page: BabyRISCV/README.md.
#ifndef TESSERA_TILE_CORE_RUNS_H
#define TESSERA_TILE_CORE_RUNS_H

#include "tile/core_polls.h"
#include "tile/core_reset.h"
#include "tile/tile_state.h"

// A round of the coprocessor, and with timing on a step of its clock, as run.c has them.
struct tsr_cores_coprocessor {
    bool (*round)(struct tsr_engine *engine);
    bool (*step)(struct tsr_engine *engine, uint64_t most, uint64_t *steps);
};

// It is interrupted before its next instruction. An access that waits comes to its end first.
static inline bool tsr_core_interrupted(const struct tsr_tile *tile, unsigned core)
{
    const struct tsr_state *state = tile->engine.env.state;
    if (!(state->debug.irqs.due >> core & 1))
        return false;
    uint8_t rest = state->cores.hart[core].rest;
    return !tsr_core_held(&tile->engine.env, core) &&
           (rest == TSR_HART_RUNS || rest == TSR_HART_POLLS || rest == TSR_HART_ENDED);
}

// Not held, and not at its end: it runs, or waits for something.
static inline bool tsr_core_alive(const struct tsr_tile *tile, unsigned core)
{
    const struct tsr_env *env = &tile->engine.env;
    return !tsr_core_held(env, core) && (env->state->cores.hart[core].rest <= TSR_HART_POLLS ||
                                         tsr_core_interrupted(tile, core));
}

// Returns the cycle in which the next pass of the core's loop would begin.
static inline uint64_t tsr_core_leave_loop(struct tsr_cores *cores, unsigned core, uint64_t now)
{
    return tsr_core_leave_poll(&cores->poll[core], &cores->hart[core], now);
}

// A core has paused in this run, which is to stop there.
static inline bool tsr_cores_at_pause(const struct tsr_tile *tile)
{
    return tile->cores.pauses >= tile->cores.break_pauses;
}

static inline bool tsr_core_running(const struct tsr_tile *tile, unsigned core)
{
    return tile->engine.env.state->cores.hart[core].rest == TSR_HART_RUNS &&
           !tsr_core_held(&tile->engine.env, core);
}

// A core that runs may push words later, which keeps what was deferred for the others' sake
// waiting. A host acts by the cores, and when it does depends on how the run is cut.
static inline bool tsr_pushers_left(const struct tsr_tile *tile)
{
    for (unsigned core = 0; core < TSR_CORE_COUNT; core++)
        if (tsr_core_running(tile, core))
            return true;
    return false;
}

// The core has run, and goes on. True: it did something that others may see.
static inline bool tsr_core_note_runs(struct tsr_tile *tile, unsigned core, uint64_t effects)
{
    struct tsr_cores_run *run = &tile->cores;
    bool acted = tsr_riscv_effects(run->riscv[core]) != effects;
    run->news += acted;
    run->seen[core] = run->news;
    return acted;
}

// The core has run. True: it did something that others may see. `ran`: it rested on nothing before.
static inline bool tsr_core_note_run(struct tsr_tile *tile, unsigned core, uint64_t effects,
                                     uint64_t count, bool ran)
{
    struct tsr_cores_run *run = &tile->cores;
    const struct tsr_hart *hart = &tile->engine.env.state->cores.hart[core];
    // An access that is tried again, and waits again, has changed nothing.
    bool nothing = count == 0 && !ran && hart->rest == TSR_HART_BLOCKED;
    run->pauses += hart->rest == TSR_HART_PAUSED;
    if (!nothing)
        return tsr_core_note_runs(tile, core, effects);
    run->seen[core] = run->news;
    return false;
}

#endif
