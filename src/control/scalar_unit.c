// SPDX-License-Identifier: Apache-2.0
// The scalar unit (ThCon): SETDMAREG's immediate form. It holds the issuing thread; the GPR changes
// when the instruction completes. Pages: ScalarUnit.md, SETDMAREG_Immediate.md.
#include "control/scalar_unit.h"

#include "control/reg2flop.h"
#include "state/report.h"

struct scalar_job {
    bool writes;    // not a mode that the policy passes over
    uint8_t half;   // index of the 16-bit half GPR
    uint16_t value;
};

static bool scalar_accept(struct tsr_env *env, struct tsr_flight *flight)
{
    struct scalar_job *job = (struct scalar_job *)flight->job;
    job->writes = false;
    if (flight->op == OP_REG2FLOP)
        return tsr_reg2flop_accept(env, flight);
    job->writes = flight->op == OP_SETDMAREG && !tsr_arg(env, flight, OPERAND_SetSignalsMode);
    if (!job->writes)
        return tsr_report(env, FINDING_UNIMPLEMENTED_MODE, flight, NULL, "%s is unimplemented.",
                          flight->op == OP_SETDMAREG ? "SETDMAREG with SetSignalsMode=1"
                                                     : tsr_op_name((enum tsr_op)flight->op)) !=
               TSR_HALT;
    // The 16-bit value is the two size bits above the fourteen payload bits.
    job->value = (uint16_t)(tsr_arg(env, flight, OPERAND_Payload_SigSelSize) << 14 |
                            tsr_arg(env, flight, OPERAND_Payload_SigSel));
    job->half = (uint8_t)tsr_arg(env, flight, OPERAND_RegIndex16b);
    flight->hold = flight->duration > 1 ? flight->duration : 1;
    return true;
}

static void scalar_complete(struct tsr_env *env, struct tsr_flight *flight)
{
    const struct scalar_job *job = (const struct scalar_job *)flight->job;
    if (!job->writes)
        return;
    struct tsr_gprs *gprs = &env->state->gprs;
    unsigned gpr = job->half >> 1, shift = (job->half & 1) * 16;
    uint32_t *value = &gprs->value[flight->thread][gpr];
    *value = (*value & ~(0xffffu << shift)) | (uint32_t)job->value << shift;
    gprs->written[flight->thread] |= 1ull << gpr;
}

_Static_assert(sizeof(struct scalar_job) <= TSR_JOB_BYTES, "a job fits its flight");

const struct tsr_unit_ops tsr_scalar_ops = {.accept = scalar_accept, .complete = scalar_complete};
