// SPDX-License-Identifier: Apache-2.0
// Addresses of the scalar unit's loads, stores and atomics: the offset in half a GPR and its step,
// and the range of L1. Pages: LOADIND.md, STOREIND_L1.md, STOREIND_MMIO.md, STOREIND_Src.md.
#include "control/scalar_job.h"

static const uint8_t steps[4] = {0, 2, 4, 16}; // of OffsetIncrement

bool tsr_scalar_offset(struct tsr_env *env, const struct tsr_inflight *inst, struct scalar_job *job,
                       uint32_t *offset)
{
    unsigned half = tsr_arg(env, inst, OPERAND_OffsetIndex);
    unsigned shift = half % 2 * 16, step = steps[tsr_arg(env, inst, OPERAND_AutoIncSpec)];
    uint32_t whole;
    bool tainted = false;
    if (!tsr_gpr_read(env, inst, half / 2, &whole, &tainted))
        return false;
    *offset = whole >> shift & 0xffffu;
    job->tainted |= tainted;
    job->offset = (struct tsr_gpr_write){.value = {((*offset + step) & 0xffffu) << shift},
                                         .mask = {step ? 0xffffu << shift : 0},
                                         .gpr = (uint8_t)(half / 2),
                                         .words = 1,
                                         .tainted = tainted};
    return true;
}

bool tsr_scalar_read_behind_offset(struct tsr_env *env, const struct tsr_inflight *inst,
                                   struct scalar_job *job, unsigned gpr, uint32_t *value)
{
    if (!tsr_gpr_read(env, inst, gpr, value, &job->tainted))
        return false;
    if (job->offset.words && job->offset.gpr == gpr)
        *value = (*value & ~job->offset.mask[0]) | (job->offset.value[0] & job->offset.mask[0]);
    return true;
}

bool tsr_scalar_l1_address(struct tsr_env *env, const struct tsr_inflight *inst,
                           struct scalar_job *job, uint32_t address, unsigned size)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    job->address = address & ~(size - 1u);
    job->size = (uint8_t)size;
    if (tsr_l1_holds(l1, job->address, size))
        return true;
    enum tsr_verdict verdict = tsr_report(
        env, FINDING_L1_OUT_OF_RANGE, inst, NULL, "%s addresses 0x%x, behind L1's %u bytes.",
        tsr_op_name((enum tsr_op)inst->op), (unsigned)address, (unsigned)l1->size);
    job->nowhere = true;
    job->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

bool tsr_scalar_l1_shadow(struct tsr_env *env, const struct tsr_inflight *inst,
                          struct scalar_job *job, uint32_t address, unsigned size)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    const char *name = tsr_op_name((enum tsr_op)inst->op);
    if (!tsr_l1_all_written(l1, address, size) &&
        tsr_report(env, FINDING_UNINITIALISED_L1, inst, NULL,
                   "%s reads %u bytes of L1 at 0x%05x, which were never written.", name, size,
                   (unsigned)address) == TSR_HALT)
        return false;
    if (!tsr_l1_any_tainted(l1, address, size))
        return true;
    job->tainted = true;
    return tsr_report(env, FINDING_TAINTED_DATUM_USED, inst, NULL,
                      "%s reads %u bytes of L1 at 0x%05x, which came out of undefined behaviour.",
                      name, size, (unsigned)address) != TSR_HALT;
}
