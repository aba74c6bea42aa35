// SPDX-License-Identifier: Apache-2.0
// The baby cores of a tile that interprets them: how they are made, and whose turn it is. With
// timing off core_quanta.c has the turns, with timing on core_cycles.c. A core that rests is asked
// again when there is news: a core has done something that others can see, the coprocessor has
// moved, or somebody outside has acted. Pages: BabyRISCV/README.md, DebugInterface.md.
#include "tile/core_turns.h"

#include "base/fresh_pages.h"
#include "state/pushes.h"
#include "tile/core_bus.h"
#include "tile/core_cycles.h"
#include "tile/core_quanta.h"
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
    tile->engine.env.state->debug.irqs.reach_cores = tile->options.cores;
    tile->cores.news = 1;
    memset(tile->cores.seen, 0, sizeof tile->cores.seen);
    memset(tile->cores.full_at, 0xff, sizeof tile->cores.full_at);
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

bool tsr_cores_step(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                    uint64_t most, uint64_t *steps)
{
    if (tile->engine.env.timing)
        return tsr_core_cycles(tile, coprocessor, most, steps);
    ++*steps;
    return tsr_core_quantum(tile, coprocessor, most, steps);
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
        uint64_t left = cycle - state->now, slice = tsr_quantum(tile);
        tsr_core_pass_quanta(tile, (left + slice - 1) / slice);
    }
}
