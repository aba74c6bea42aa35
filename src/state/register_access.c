// SPDX-License-Identifier: Apache-2.0
// Accesses of instructions to GPRs and to the tile's memory-mapped registers. Pages: ScalarUnit.md;
// LOADIND.md and Blackhole's RDCFG.md on results that are still under way (docs/errata.md);
// BabyRISCV/README.md of each chip.
#include "state/register_access.h"

#include "state/races.h"
#include "state/report.h"

static bool still_loading(const struct tsr_scalar *scalar, int thread, unsigned gpr)
{
    for (unsigned i = 0; i < scalar->requests; i++) {
        const struct tsr_scalar_request *request = &scalar->request[i];
        if (request->thread == thread && gpr - request->result.gpr < request->result.words)
            return true;
    }
    return false;
}

// With timing off no RDCFG is under way when the next instruction comes.
static bool rdcfg_under_way(const struct tsr_env *env, int thread, unsigned gpr)
{
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_CONFIG];
    for (unsigned i = 0; env->timing && i < queue->count; i++) {
        const struct tsr_inflight *older = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        if (older->op == OP_RDCFG && older->thread == thread &&
            tsr_arg(env, older, OPERAND_GprAddress) == gpr)
            return true;
    }
    return false;
}

bool tsr_gpr_settled(struct tsr_env *env, const struct tsr_inflight *inst, unsigned gpr)
{
    return !rdcfg_under_way(env, inst->thread, gpr) ||
           tsr_report(env, FINDING_RDCFG_RESULT_EARLY, inst, NULL,
                      "%s reads GPR %u while an RDCFG of thread %u is still writing it, and gets "
                      "the new value.",
                      tsr_op_name((enum tsr_op)inst->op), gpr, (unsigned)inst->thread) != TSR_HALT;
}

bool tsr_gpr_read(struct tsr_env *env, const struct tsr_inflight *inst, unsigned gpr,
                  uint32_t *value, bool *tainted)
{
    const struct tsr_gprs *gprs = &env->state->gprs;
    unsigned thread = inst->thread;
    *value = gprs->value[thread][gpr];
    tsr_race_access(env, TSR_RACE_GPR, false, TSR_GPRS * thread + gpr, 1, TSR_RACE_ALL);
    if (!(gprs->written[thread] >> gpr & 1) &&
        tsr_report(env, FINDING_UNINITIALISED_GPR, inst, NULL,
                   "GPR %u of thread %u was never written.", gpr, thread) == TSR_HALT)
        return false;
    if (still_loading(&env->state->scalar, inst->thread, gpr) &&
        tsr_report(env, FINDING_GPR_LOADING, inst, NULL,
                   "GPR %u of thread %u is read before the load that was sent for it is back.", gpr,
                   thread) == TSR_HALT)
        return false;
    if (!tsr_gpr_settled(env, inst, gpr))
        return false;
    if (!(gprs->tainted[thread] >> gpr & 1))
        return true;
    *tainted = true;
    return tsr_report(env, FINDING_TAINTED_DATUM_USED, inst, NULL,
                      "GPR %u of thread %u holds 0x%08x, which came out of undefined behaviour, "
                      "and %s reads it.",
                      gpr, thread, (unsigned)*value,
                      tsr_op_name((enum tsr_op)inst->op)) != TSR_HALT;
}

void tsr_gpr_put(struct tsr_gprs *gprs, int thread, const struct tsr_gpr_write *write)
{
    for (unsigned i = 0; i < write->words; i++) {
        uint32_t mask = write->mask[i], *value = &gprs->value[thread][write->gpr + i];
        uint64_t bit = 1ull << (write->gpr + i);
        if (mask == 0)
            continue;
        *value = (*value & ~mask) | (write->value[i] & mask);
        gprs->written[thread] |= bit;
        if (write->tainted)
            gprs->tainted[thread] |= bit;
        else if (mask == 0xffffffffu)
            gprs->tainted[thread] &= ~bit;
    }
}

tsr_status tsr_mmio_load(struct tsr_env *env, const struct tsr_inflight *cause, uint32_t address,
                         uint32_t *value)
{
    env->port_cause = cause;
    tsr_status status =
        env->port.load(env->port.self, TSR_AGENT_TENSIX + cause->thread, address, value, 4);
    env->port_cause = NULL;
    return status;
}

tsr_status tsr_mmio_store(struct tsr_env *env, const struct tsr_inflight *cause, uint32_t address,
                          uint32_t value)
{
    env->port_cause = cause;
    tsr_status status =
        env->port.store(env->port.self, TSR_AGENT_TENSIX + cause->thread, address, value, 4);
    env->port_cause = NULL;
    return status;
}
