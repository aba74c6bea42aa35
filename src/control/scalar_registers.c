// SPDX-License-Identifier: Apache-2.0
// LOADREG, STOREREG, and STOREIND to the registers at 0xFFBxxxxx, which the tile's address map
// finds. Pages: LOADREG.md, STOREREG.md, STOREIND_MMIO.md.
#include "control/scalar_job.h"
#include "state/mmio.h"

#include <stdio.h>

#define WINDOW 0xffb00000u       // with 20 bits of address
#define WINDOW_FIRST 0xffb11000u // what is below is the cores' own

static bool register_address(struct tsr_env *env, const struct tsr_inflight *inst,
                             struct scalar_job *job, uint32_t offset)
{
    job->address = WINDOW + (offset & 0xffffcu);
    if (job->address >= WINDOW_FIRST)
        return true;
    enum tsr_verdict verdict =
        tsr_report(env, FINDING_MMIO_ADDRESS, inst, NULL, "%s addresses 0x%08x, below 0x%08x.",
                   tsr_op_name((enum tsr_op)inst->op), (unsigned)job->address, WINDOW_FIRST);
    job->nowhere = true;
    job->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

bool tsr_scalar_accept_mmio(struct tsr_env *env, struct tsr_inflight *inst, struct scalar_job *job)
{
    uint32_t base, offset;
    if (tsr_arg(env, inst, OPERAND_RegSizeSel) &&
        tsr_report(env, FINDING_UNDOCUMENTED_MODE, inst, NULL,
                   "STOREIND to a register with RegSizeSel=1, which no page describes, does what "
                   "it does with 0.") == TSR_HALT)
        return false;
    job->memory = true;
    return tsr_gpr_read(env, inst, tsr_arg(env, inst, OPERAND_DataRegIndex), &job->data[0],
                        &job->tainted) &&
           tsr_gpr_read(env, inst, tsr_arg(env, inst, OPERAND_AddrRegIndex), &base,
                        &job->tainted) &&
           tsr_scalar_offset(env, inst, job, &offset) &&
           register_address(env, inst, job, base + (offset >> 4));
}

static bool accept_storereg(struct tsr_env *env, struct tsr_inflight *inst, struct scalar_job *job)
{
    unsigned gpr = tsr_arg(env, inst, OPERAND_TdmaDataRegIndex);
    job->memory = true;
    return tsr_gpr_read(env, inst, gpr, &job->data[0], &job->tainted) &&
           register_address(env, inst, job, tsr_arg(env, inst, OPERAND_RegAddr) << 2);
}

// What the address map refuses, it has reported; going on drops it.
tsr_reason tsr_scalar_store_register(struct tsr_env *env, struct tsr_inflight *inst,
                                     struct scalar_job *job)
{
    if (!job->nowhere && tsr_mmio_store(env, inst, job->address, job->data[0]) == TSR_BUSY)
        return TSR_REASON_REGISTER;
    return TSR_REASON_NONE;
}

static bool accept_loadreg(struct tsr_env *env, struct tsr_inflight *inst, struct scalar_job *job)
{
    tsr_scalar_result(job, tsr_arg(env, inst, OPERAND_TdmaDataRegIndex), 0, false);
    job->memory = true;
    job->late = (uint8_t)(env->timing ? env->isa->rate[RATE_SCALAR_LOAD] - inst->duration : 0);
    return register_address(env, inst, job, tsr_arg(env, inst, OPERAND_RegAddr) << 2);
}

static tsr_reason execute_loadreg(struct tsr_env *env, struct tsr_inflight *inst,
                                  struct scalar_job *job)
{
    tsr_status status = TSR_UNMAPPED;
    if (!job->nowhere)
        status = tsr_mmio_load(env, inst, job->address, &job->result.value[0]);
    if (status == TSR_BUSY)
        return TSR_REASON_REGISTER;
    if (status != TSR_OK)
        job->result.value[0] = 0;
    job->result.tainted = job->tainted || status != TSR_OK;
    return TSR_REASON_NONE;
}

static void explain_register(struct tsr_env *env, const struct tsr_inflight *inst,
                             const struct scalar_job *job, char *what, size_t size)
{
    (void)env;
    snprintf(what, size, "%s waits for the register at 0x%08x", tsr_op_name((enum tsr_op)inst->op),
             (unsigned)job->address);
}

const struct scalar_steps tsr_scalar_loadreg = {accept_loadreg, execute_loadreg, explain_register};
const struct scalar_steps tsr_scalar_storereg = {accept_storereg, tsr_scalar_store_register,
                                                 explain_register};
