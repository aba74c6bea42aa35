// SPDX-License-Identifier: Apache-2.0
// The configuration unit: SETC16, WRCFG, RDCFG, RMWCIB. Writes take effect when executed, in the
// cycle in which the unit accepts them; RDCFG's GPR changes when it completes.
// Pages: ConfigurationUnit.md, SETC16.md, WRCFG.md, RDCFG.md, RMWCIB.md.
#include "control/config_unit.h"

#include "state/report.h"

struct config_job {
    uint32_t word[4];
    uint32_t mask;
    uint16_t addr32;
    uint8_t words; // 0: nothing to write
    uint8_t bank;
    uint8_t gpr;
    bool reads, thread_scope, tainted;
};

static bool index_refused(struct tsr_env *env, struct tsr_flight *flight, unsigned addr32,
                          unsigned limit)
{
    if (addr32 < limit)
        return false;
    struct config_job *job = (struct config_job *)flight->job;
    job->words = 0;
    job->reads = false;
    tsr_report(env, FINDING_CONFIG_INDEX, flight, NULL,
               "Word %u lies outside the %u words of the configuration; the instruction does "
               "nothing.",
               addr32, limit);
    return true;
}

static bool accept_setc16(struct tsr_env *env, struct tsr_flight *flight, struct config_job *job)
{
    job->addr32 = (uint16_t)tsr_arg(env, flight, OPERAND_setc16_reg);
    job->word[0] = tsr_arg(env, flight, OPERAND_setc16_value);
    job->words = 1;
    job->thread_scope = true;
    return !index_refused(env, flight, job->addr32, env->isa->layout.thread_words) ||
           !env->findings->stopped;
}

// GPRs are taken when the instruction is accepted.
static bool take_gprs(struct tsr_env *env, struct tsr_flight *flight, struct config_job *job,
                      unsigned first)
{
    const struct tsr_gprs *gprs = &env->state->gprs;
    for (unsigned i = 0; i < job->words; i++) {
        unsigned gpr = first + i;
        job->word[i] = gprs->value[flight->thread][gpr];
        job->tainted |= gprs->tainted[flight->thread] >> gpr & 1;
        bool written = gprs->written[flight->thread] >> gpr & 1;
        if (!written && tsr_report(env, FINDING_UNINITIALISED_GPR, flight, NULL,
                                   "GPR %u of thread %u was never written.", gpr,
                                   flight->thread) == TSR_HALT)
            return false;
    }
    return true;
}

static bool accept_wrcfg(struct tsr_env *env, struct tsr_flight *flight, struct config_job *job)
{
    bool wide = tsr_arg(env, flight, OPERAND_wr128b) != 0;
    unsigned addr32 = tsr_arg(env, flight, OPERAND_CfgReg);
    unsigned gpr = tsr_arg(env, flight, OPERAND_GprAddress);
    job->words = wide ? 4 : 1;
    job->mask = 0xffffffffu;
    job->addr32 = (uint16_t)(wide ? addr32 & ~3u : addr32);
    if (index_refused(env, flight, addr32, env->isa->layout.banked_words))
        return !env->findings->stopped;
    return take_gprs(env, flight, job, wide ? gpr & ~3u : gpr);
}

static bool accept_rdcfg(struct tsr_env *env, struct tsr_flight *flight, struct config_job *job)
{
    unsigned addr32 = tsr_arg(env, flight, OPERAND_CfgReg);
    job->gpr = (uint8_t)tsr_arg(env, flight, OPERAND_GprAddress);
    job->reads = true;
    flight->hold = env->isa->rate[RATE_RDCFG_HOLD];
    if (env->waits_hold_thread && flight->duration > flight->hold)
        flight->hold = flight->duration; // cases use the GPR in the next instruction
    if (index_refused(env, flight, addr32, env->isa->layout.banked_words))
        return !env->findings->stopped;
    job->word[0] = env->state->config.bank[job->bank][addr32];
    return true;
}

static bool accept_rmwcib(struct tsr_env *env, struct tsr_flight *flight, struct config_job *job)
{
    unsigned shift = (unsigned)(flight->op - OP_RMWCIB0) * 8;
    job->addr32 = (uint16_t)tsr_arg(env, flight, OPERAND_CfgRegAddr);
    job->word[0] = tsr_arg(env, flight, OPERAND_Data) << shift;
    job->mask = tsr_arg(env, flight, OPERAND_Mask) << shift;
    job->words = 1;
    return !index_refused(env, flight, job->addr32, env->isa->layout.banked_words) ||
           !env->findings->stopped;
}

static bool config_accept(struct tsr_env *env, struct tsr_flight *flight)
{
    struct config_job *job = (struct config_job *)flight->job;
    *job = (struct config_job){.bank = (uint8_t)tsr_state_id(env, flight->thread)};
    switch (flight->op) {
    case OP_SETC16:
        return accept_setc16(env, flight, job);
    case OP_WRCFG:
        return accept_wrcfg(env, flight, job);
    case OP_RDCFG:
        return accept_rdcfg(env, flight, job);
    case OP_RMWCIB0:
    case OP_RMWCIB1:
    case OP_RMWCIB2:
    case OP_RMWCIB3:
        return accept_rmwcib(env, flight, job);
    default:
        return tsr_report(env, FINDING_UNIMPLEMENTED_INSTRUCTION, flight, NULL,
                          "%s is unimplemented.",
                          tsr_op_name((enum tsr_op)flight->op)) != TSR_HALT;
    }
}

static tsr_reason config_execute(struct tsr_env *env, struct tsr_flight *flight)
{
    const struct config_job *job = (const struct config_job *)flight->job;
    if (job->thread_scope && job->words)
        tsr_thread_config_write(env, flight->thread, job->addr32, (uint16_t)job->word[0]);
    else
        for (unsigned i = 0; i < job->words; i++)
            tsr_config_write(env, job->bank, job->addr32 + i, job->word[i], job->mask);
    return TSR_REASON_NONE;
}

static void config_complete(struct tsr_env *env, struct tsr_flight *flight)
{
    const struct config_job *job = (const struct config_job *)flight->job;
    if (!job->reads)
        return;
    struct tsr_gprs *gprs = &env->state->gprs;
    gprs->value[flight->thread][job->gpr] = job->word[0];
    gprs->written[flight->thread] |= 1ull << job->gpr;
    gprs->tainted[flight->thread] &= ~(1ull << job->gpr);
}

_Static_assert(sizeof(struct config_job) <= TSR_JOB_BYTES, "a job fits its flight");
_Static_assert(OP_RMWCIB1 == OP_RMWCIB0 + 1 && OP_RMWCIB2 == OP_RMWCIB0 + 2 &&
                   OP_RMWCIB3 == OP_RMWCIB0 + 3,
               "the byte is the distance from RMWCIB0");

const struct tsr_unit_ops tsr_config_ops = {
    .accept = config_accept, .execute = config_execute, .complete = config_complete};
