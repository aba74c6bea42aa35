// SPDX-License-Identifier: Apache-2.0
// How a core is interrupted: the request that it takes next, and its jump to the handler.
// Page: BlackholeA0/TensixTile/PIC.md.
#include "tile/core_interrupt.h"

#include "state/races.h"
#include "tile/map_irqs.h"

// Who has raised one of software's requests is in order before its handler.
static void tell_races(struct tsr_env *env, unsigned core, unsigned irq)
{
    if (!env->races || irq >= TSR_SOFTWARE_IRQS)
        return;
    env->races->ops->core(env->races, (int)core, env->state->cores.hart[core].pc, true);
    tsr_race_sync(env, TSR_RACE_IRQ_TAKE, irq, 0, 0);
    env->races->ops->done(env->races, true);
}

void tsr_core_interrupt(struct tsr_tile *tile, unsigned core)
{
    struct tsr_env *env = &tile->engine.env;
    unsigned irq = tsr_irqs_choose(env, core);
    tell_races(env, core, irq);
    tsr_riscv_interrupt(&env->state->cores.hart[core], env->state->debug.irqs.pc[irq]);
    tsr_irqs_weigh(env);
}
