// SPDX-License-Identifier: Apache-2.0
// LOADIND, and STOREIND to L1. Pages: LOADIND.md, STOREIND_L1.md, STOREIND.md.
#include "control/scalar_job.h"

#include <stdio.h>

static const uint8_t sizes[4] = {16, 4, 2, 1}; // of Size, in bytes

// Sixteen bytes are four GPRs from a multiple of four.
static unsigned first_gpr(const struct tsr_env *env, const struct tsr_inflight *inst, unsigned size)
{
    unsigned gpr = tsr_arg(env, inst, OPERAND_DataRegIndex);
    return size == 16 ? gpr & ~3u : gpr;
}

// The GPR counts 16 bytes, the offset single ones.
static bool address_of(struct tsr_env *env, const struct tsr_inflight *inst, struct scalar_job *job,
                       unsigned size)
{
    uint32_t base, offset;
    return tsr_gpr_read(env, inst, tsr_arg(env, inst, OPERAND_AddrRegIndex), &base,
                        &job->tainted) &&
           tsr_scalar_offset(env, inst, job, &offset) &&
           tsr_scalar_l1_address(env, inst, job, base * 16 + offset, size);
}

// ---------------------------------------------------------------- LOADIND

static bool accept_loadind(struct tsr_env *env, struct tsr_inflight *inst, struct scalar_job *job)
{
    unsigned size = sizes[tsr_arg(env, inst, OPERAND_SizeSel)];
    job->memory = true;
    job->late = (uint8_t)(env->timing ? env->isa->rate[RATE_SCALAR_LOAD] - inst->duration : 0);
    job->result.gpr = (uint8_t)first_gpr(env, inst, size);
    job->result.words = size == 16 ? 4 : 1;
    for (unsigned i = 0; i < job->result.words; i++)
        job->result.mask[i] = tsr_mask32(size < 4 ? size * 8 : 32);
    return address_of(env, inst, job, size);
}

// Narrow loads leave the rest of the GPR as it is.
static tsr_reason execute_loadind(struct tsr_env *env, struct tsr_inflight *inst,
                                  struct scalar_job *job)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    if (!job->nowhere) {
        if (!tsr_scalar_l1_shadow(env, inst, job, job->address, job->size))
            return TSR_REASON_NONE;
        for (unsigned i = 0; i < job->size; i++)
            job->result.value[i / 4] |= (uint32_t)l1->bytes[job->address + i] << (i % 4 * 8);
    }
    job->result.tainted = job->tainted;
    return TSR_REASON_NONE;
}

// ---------------------------------------------------------------- STOREIND

// The page steps the offset first and reads the data then: a GPR that is both is stored as stepped.
static bool accept_l1(struct tsr_env *env, struct tsr_inflight *inst, struct scalar_job *job)
{
    unsigned size =
        sizes[tsr_arg(env, inst, OPERAND_SizeSel) << 1 | tsr_arg(env, inst, OPERAND_RegSizeSel)];
    unsigned gpr = first_gpr(env, inst, size);
    if (!address_of(env, inst, job, size))
        return false;
    for (unsigned i = 0; i < (size == 16 ? 4u : 1u); i++)
        if (!tsr_scalar_read_behind_offset(env, inst, job, gpr + i, &job->data[i]))
            return false;
    job->memory = true;
    return true;
}

static bool accept_storeind(struct tsr_env *env, struct tsr_inflight *inst, struct scalar_job *job)
{
    if (tsr_arg(env, inst, OPERAND_MemHierSel))
        return accept_l1(env, inst, job);
    if (tsr_arg(env, inst, OPERAND_SizeSel))
        return tsr_scalar_accept_mmio(env, inst, job);
    return tsr_scalar_accept_src(env, inst, job);
}

static tsr_reason store_l1(struct tsr_env *env, struct scalar_job *job)
{
    uint8_t bytes[16];
    if (job->nowhere)
        return TSR_REASON_NONE;
    for (unsigned i = 0; i < job->size; i++)
        bytes[i] = (uint8_t)(job->data[i / 4] >> (i % 4 * 8));
    tsr_l1_put(&env->state->l1, job->address, bytes, job->size, job->tainted);
    return TSR_REASON_NONE;
}

static tsr_reason execute_storeind(struct tsr_env *env, struct tsr_inflight *inst,
                                   struct scalar_job *job)
{
    if (tsr_arg(env, inst, OPERAND_MemHierSel))
        return store_l1(env, job);
    if (tsr_arg(env, inst, OPERAND_SizeSel))
        return tsr_scalar_store_register(env, inst, job);
    return tsr_scalar_store_src(env, inst, job);
}

static void explain_storeind(struct tsr_env *env, const struct tsr_inflight *inst,
                             const struct scalar_job *job, char *what, size_t size)
{
    if (tsr_arg(env, inst, OPERAND_SizeSel))
        snprintf(what, size, "STOREIND waits for the register at 0x%08x", (unsigned)job->address);
    else
        snprintf(what, size, "STOREIND waits for Src%c bank %u, which the matrix unit owns",
                 job->side == TSR_SRCA ? 'A' : 'B', env->state->src[job->side].unpacker_bank);
}

const struct scalar_steps tsr_scalar_loadind = {accept_loadind, execute_loadind, NULL};
const struct scalar_steps tsr_scalar_storeind = {accept_storeind, execute_storeind,
                                                 explain_storeind};
