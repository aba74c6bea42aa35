// SPDX-License-Identifier: Apache-2.0
// Atomics on L1: ATINCGET and ATSWAP, which are sent and let the thread go on, and ATINCGETPTR and
// ATCAS, which try again until L1 holds what they wait for.
// Pages: ATINCGET.md, ATINCGETPTR.md, ATSWAP.md, ATCAS.md.
#include "control/scalar_atomics.h"

#include "control/scalar_memory.h"
#include "state/races.h"
#include "state/register_access.h"
#include "state/report.h"

#include <stdio.h>

enum { LINE = 16, WORD = 4, GRANULES = 8 };

// MemHierSel is zero on every page; vendor software calls 1 L1 as well.
static bool accept_address(struct tsr_env *env, const struct tsr_inflight *inst,
                           struct tsr_scalar_job *job, unsigned word, unsigned size)
{
    uint32_t base;
    if (tsr_arg(env, inst, OPERAND_MemHierSel) &&
        tsr_report(env, FINDING_UNDOCUMENTED_MODE, inst, NULL,
                   "%s with MemHierSel=1, which no page describes, works on L1 as with 0.",
                   tsr_op_name((enum tsr_op)inst->op)) == TSR_HALT)
        return false;
    job->memory = true;
    return tsr_gpr_read(env, inst, tsr_arg(env, inst, OPERAND_AddrRegIndex), &base,
                        &job->tainted) &&
           tsr_scalar_l1_address(env, inst, job, base * LINE + word * WORD, size);
}

static void put_word(struct tsr_env *env, const struct tsr_scalar_job *job, uint32_t address,
                     uint32_t value)
{
    uint8_t bytes[WORD] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                           (uint8_t)(value >> 24)};
    tsr_l1_put(&env->state->l1, address, bytes, WORD, job->tainted);
}

// Atomics that are sent leave the unit no sooner than the period after the one before.
static void space_atomics(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_scalar *scalar = &env->state->scalar;
    if (!env->timing)
        return;
    if (scalar->next_atomic > inst->accepted_at)
        inst->address = (uint32_t)(scalar->next_atomic - inst->accepted_at);
    scalar->next_atomic =
        inst->accepted_at + inst->address + env->isa->rate[RATE_SCALAR_ATOMIC_PERIOD];
}

// ---------------------------------------------------------------- ATINCGET

static bool accept_atincget(struct tsr_env *env, struct tsr_inflight *inst,
                            struct tsr_scalar_job *job)
{
    unsigned gpr = tsr_arg(env, inst, OPERAND_DataRegIndex);
    if (!accept_address(env, inst, job, tsr_arg(env, inst, OPERAND_Sel32b), WORD) ||
        !tsr_gpr_read(env, inst, gpr, &job->data[0], &job->tainted))
        return false;
    job->int_mask = tsr_mask32(tsr_arg(env, inst, OPERAND_WrapVal) + 1);
    job->result_delay =
        (uint8_t)(env->timing ? env->isa->rate[RATE_SCALAR_ATOMIC] - inst->duration : 0);
    tsr_scalar_result(job, gpr, 0, false);
    space_atomics(env, inst);
    return true;
}

static void increment(struct tsr_env *env, struct tsr_scalar_job *job, uint32_t address,
                      uint32_t by)
{
    uint32_t before = tsr_l1_word(&env->state->l1, address);
    put_word(env, job, address, ((before + by) & job->int_mask) | (before & ~job->int_mask));
    job->result.value[0] = before;
    job->result.tainted = job->tainted;
}

static tsr_reason execute_atincget(struct tsr_env *env, struct tsr_inflight *inst,
                                   struct tsr_scalar_job *job)
{
    job->result.tainted = job->tainted;
    if (job->nowhere || !tsr_scalar_l1_shadow(env, inst, job, job->address, WORD))
        return TSR_REASON_NONE;
    increment(env, job, job->address, job->data[0]);
    tsr_race_atomic(env, job->address, 0xf);
    return TSR_REASON_NONE;
}

// ---------------------------------------------------------------- ATSWAP

// Only the GPRs that the mask lets through are read.
static bool accept_atswap(struct tsr_env *env, struct tsr_inflight *inst,
                          struct tsr_scalar_job *job)
{
    unsigned gpr = tsr_arg(env, inst, OPERAND_DataRegIndex);
    bool single = tsr_arg(env, inst, OPERAND_SingleDataReg) != 0;
    if (!accept_address(env, inst, job, 0, LINE))
        return false;
    job->granules = (uint8_t)tsr_arg(env, inst, OPERAND_SwapMask);
    for (unsigned i = 0; i < TSR_GPR_GROUP; i++) {
        bool taken = (job->granules >> (2 * i) & 3) != 0 && (!single || i == (gpr & 3));
        if (taken && !tsr_gpr_read(env, inst, (gpr & ~3u) + i, &job->data[i], &job->tainted))
            return false;
    }
    space_atomics(env, inst);
    return true;
}

static tsr_reason execute_atswap(struct tsr_env *env, struct tsr_inflight *inst,
                                 struct tsr_scalar_job *job)
{
    (void)inst;
    uint32_t written = 0;
    for (unsigned i = 0; i < GRANULES && !job->nowhere; i++) {
        uint32_t half = job->data[i / 2] >> (i % 2 * 16);
        uint8_t bytes[2] = {(uint8_t)half, (uint8_t)(half >> 8)};
        if (!(job->granules >> i & 1))
            continue;
        tsr_l1_put(&env->state->l1, job->address + 2 * i, bytes, 2, job->tainted);
        written |= 3u << (2 * i);
    }
    if (written)
        tsr_race_atomic(env, job->address, written);
    return TSR_REASON_NONE;
}

// ---------------------------------------------------------------- ATINCGETPTR and ATCAS

// Every attempt takes the instruction's cycles. L1 is not read between attempts: if it holds now
// what the instruction waits for, the next attempt begins when the present one ends.
static bool attempt_due(const struct tsr_env *env, struct tsr_inflight *inst)
{
    if (!env->timing || inst->duration == 0)
        return true;
    uint64_t since = env->state->now - inst->accepted_at;
    if (since % inst->duration == 0)
        return true;
    inst->address = (uint32_t)((since / inst->duration + 1) * inst->duration);
    return false;
}

// Every attempt reads these bytes; findings come from the first one.
static bool check_shadow_once(struct tsr_env *env, const struct tsr_inflight *inst,
                              struct tsr_scalar_job *job, uint32_t address, unsigned size)
{
    if (job->shadow_checked)
        return true;
    return tsr_scalar_l1_shadow(env, inst, job, address, size);
}

static bool accept_atincgetptr(struct tsr_env *env, struct tsr_inflight *inst,
                               struct tsr_scalar_job *job)
{
    if (!accept_address(env, inst, job, 0, LINE))
        return false;
    job->word = (uint8_t)tsr_arg(env, inst, OPERAND_Sel32b);
    job->int_mask = tsr_mask32(tsr_arg(env, inst, OPERAND_WrapVal));
    job->data[0] =
        tsr_arg(env, inst, OPERAND_NoIncr) ? 0 : 1u << tsr_arg(env, inst, OPERAND_IncrVal);
    tsr_scalar_result(job, tsr_arg(env, inst, OPERAND_DataRegIndex), 0, false);
    return true;
}

// Word 0 counts what was read from the FIFO, word 1 what was written. Odd words wait until there is
// room, even ones until there is something.
static bool fifo_allows(const struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_scalar_job *job)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    uint32_t used = tsr_l1_word(l1, job->address + WORD) - tsr_l1_word(l1, job->address);
    uint32_t width = tsr_arg(env, inst, OPERAND_WrapVal);
    uint32_t capacity = width ? 1u << (width - 1) : 0x8000u;
    if (job->word & 1)
        return used == 0 || used % capacity != 0;
    return used != 0;
}

static tsr_reason execute_atincgetptr(struct tsr_env *env, struct tsr_inflight *inst,
                                      struct tsr_scalar_job *job)
{
    uint32_t own = job->address + job->word * WORD;
    job->result.tainted = job->tainted;
    if (job->nowhere || !check_shadow_once(env, inst, job, job->address, 2 * WORD) ||
        (job->word > 1 && !check_shadow_once(env, inst, job, own, WORD)))
        return TSR_REASON_NONE;
    job->shadow_checked = true;
    if (!fifo_allows(env, inst, job) || !attempt_due(env, inst))
        return TSR_REASON_L1;
    increment(env, job, own, job->data[0]);
    return TSR_REASON_NONE;
}

static void explain_atincgetptr(struct tsr_env *env, const struct tsr_inflight *inst,
                                const struct tsr_scalar_job *job, char *what, size_t size)
{
    (void)inst;
    const struct tsr_l1 *l1 = &env->state->l1;
    snprintf(what, size,
             "ATINCGETPTR waits: the FIFO of the counters at 0x%05x is %s (%u read, %u "
             "written)",
             (unsigned)job->address, job->word & 1 ? "full" : "empty",
             (unsigned)tsr_l1_word(l1, job->address),
             (unsigned)tsr_l1_word(l1, job->address + WORD));
}

static bool accept_atcas(struct tsr_env *env, struct tsr_inflight *inst, struct tsr_scalar_job *job)
{
    if (tsr_arg(env, inst, OPERAND_DataRegIndex) &&
        tsr_report(env, FINDING_UNDOCUMENTED_MODE, inst, NULL,
                   "ATCAS with DataRegIndex=%u, which no page gives a meaning, uses no GPR for "
                   "data.",
                   (unsigned)tsr_arg(env, inst, OPERAND_DataRegIndex)) == TSR_HALT)
        return false;
    job->data[0] = tsr_arg(env, inst, OPERAND_SwapVal);
    return accept_address(env, inst, job, tsr_arg(env, inst, OPERAND_Sel32b), WORD);
}

static tsr_reason execute_atcas(struct tsr_env *env, struct tsr_inflight *inst,
                                struct tsr_scalar_job *job)
{
    if (job->nowhere || !check_shadow_once(env, inst, job, job->address, WORD))
        return TSR_REASON_NONE;
    job->shadow_checked = true;
    if (tsr_l1_word(&env->state->l1, job->address) != tsr_arg(env, inst, OPERAND_CmpVal) ||
        !attempt_due(env, inst))
        return TSR_REASON_L1;
    put_word(env, job, job->address, job->data[0]);
    return TSR_REASON_NONE;
}

static void explain_atcas(struct tsr_env *env, const struct tsr_inflight *inst,
                          const struct tsr_scalar_job *job, char *what, size_t size)
{
    snprintf(what, size, "ATCAS waits for %u in L1 at 0x%05x, where 0x%08x is",
             (unsigned)tsr_arg(env, inst, OPERAND_CmpVal), (unsigned)job->address,
             (unsigned)tsr_l1_word(&env->state->l1, job->address));
}

const struct tsr_scalar_steps tsr_scalar_atincget = {accept_atincget, execute_atincget, NULL};
const struct tsr_scalar_steps tsr_scalar_atswap = {accept_atswap, execute_atswap, NULL};
const struct tsr_scalar_steps tsr_scalar_atincgetptr = {accept_atincgetptr, execute_atincgetptr,
                                                        explain_atincgetptr};
const struct tsr_scalar_steps tsr_scalar_atcas = {accept_atcas, execute_atcas, explain_atcas};
