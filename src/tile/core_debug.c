// SPDX-License-Identifier: Apache-2.0
// The debug interface of a Tensix tile's cores B, T0, T1 and T2. Page: BabyRISCV/DebugInterface.md.
#include "tile/core_debug.h"

#include "state/report.h"
#include "tile/core_reset.h"
#include "tile/core_runs.h"

static bool held(void *self, unsigned core)
{
    return tsr_core_held(self, core);
}

static bool keeps(void *self, unsigned core)
{
    return !tsr_core_reset_clears_debug(self, core);
}

static uint32_t reset_pc(void *self, unsigned core)
{
    return tsr_core_reset_pc(self, core);
}

static tsr_status load(void *self, unsigned core, uint32_t address, uint32_t *value)
{
    struct tsr_env *env = self;
    env->debugger_loads = true;
    tsr_status status = env->port.load(env->port.self, (int)core, address, value, 4);
    env->debugger_loads = false;
    return status;
}

static void store(void *self, unsigned core, uint32_t address, uint32_t value)
{
    const struct tsr_env *env = self;
    env->port.store(env->port.self, (int)core, address, value, 4);
}

static void rests(void *self, unsigned core)
{
    struct tsr_env *env = self;
    if (env->state->cores.poll[core].asleep)
        (void)tsr_core_leave_loop(&env->state->cores, core, tsr_now(env));
    env->state->cores.rests_since[core] = tsr_now(env);
}

static void find(void *self, int agent, enum tsr_finding code, const char *sentence)
{
    struct tsr_env *env = self;
    if (agent < TSR_AGENT_TENSIX)
        tsr_report_core(env, code, agent, "%s", sentence);
    else
        tsr_report(env, code, env->port_cause, NULL, "%s", sentence);
}

static struct tsr_debugger debugger_of(struct tsr_env *env)
{
    static const struct tsr_debugger_ops ops = {.held = held,
                                                .keeps = keeps,
                                                .reset_pc = reset_pc,
                                                .load = load,
                                                .store = store,
                                                .rests = rests,
                                                .find = find};
    struct tsr_cores *cores = &env->state->cores;
    struct tsr_debugger on = {.arch = env->chip->arch,
                              .first = TSR_CORE_B,
                              .cores = TSR_DEBUGGED_CORES,
                              .debug = cores->debug,
                              .select = &cores->debug_select,
                              .l1 = env->state->l1.bytes,
                              .l1_bytes = env->state->l1.size,
                              .ops = &ops,
                              .self = env};
    for (unsigned core = 0; core < TSR_DEBUGGED_CORES; core++)
        on.hart[core] = &cores->hart[core];
    return on;
}

bool tsr_core_debug_begin(struct tsr_tile *tile, unsigned core, struct tsr_riscv_next *next)
{
    struct tsr_debugger on = debugger_of(&tile->engine.env);
    return tsr_debug_begin(&on, core, tile->cores.riscv[core], next);
}

void tsr_core_debug_end(struct tsr_tile *tile, unsigned core, const struct tsr_riscv_next *next,
                        uint64_t executed)
{
    struct tsr_debugger on = debugger_of(&tile->engine.env);
    tsr_debug_end(&on, core, next, executed);
}

tsr_status tsr_access_core_debug(struct tsr_access *access, unsigned index)
{
    if (!access->env->interprets)
        return tsr_access_unimplemented(access, "the debug interface of cores that are not there");
    struct tsr_debugger on = debugger_of(access->env);
    on.who = tsr_access_who(access);
    if (!access->store) {
        access->value = tsr_debug_load(&on, index);
        return TSR_OK;
    }
    tsr_debug_store(&on, access->agent, index, access->value);
    return tsr_access_status(access);
}
