// SPDX-License-Identifier: Apache-2.0
// The MAD sub-unit: SFPMAD, SFPADD and SFPMUL, which are the same, those with an immediate,
// SFPMUL24, and the piecewise linear functions SFPLUT and SFPLUTFP32. VA and VD may come from L7,
// in each lane another. Pages: those named after the instructions.
#include "vector/vector_mad.h"

enum {
    INDIRECT_VA = SFPMAD_MOD1_INDIRECT_VA,
    INDIRECT_VD = SFPMAD_MOD1_INDIRECT_VD, // of all that have it
    ONE = 0x3f800000
};

// Each lane into the LReg that its L7 names.
static void done_indirect(const struct tsr_vector_call *call, const uint32_t value[TSR_LANES])
{
    const uint32_t *names = call->in[TSR_LREG7];
    uint32_t lanes_of[16] = {0};
    for (unsigned i = 0; i < TSR_LANES; i++)
        lanes_of[names[i] & 15] |= call->lanes & 1u << i;
    call->vector->late.named = 0;
    for (unsigned vd = 0; vd < TSR_LREGS_PLAIN; vd++)
        if (lanes_of[vd]) {
            tsr_vector_put(call, vd, value, lanes_of[vd]);
            call->vector->late.named |= 1u << vd;
        }
}

static bool compute(const struct tsr_vector_call *call, const uint32_t *a, const uint32_t *b,
                    const uint32_t *c)
{
    const struct tsr_vector_args *args = call->args;
    uint32_t d[TSR_LANES];
    if (!(args->mod & INDIRECT_VD) || args->vd == TSR_LREG_MACRO) {
        tsr_vector_apply(call, a, b, c);
        return true;
    }
    args->kernel(d, a, b, c, ~0u, &args->mode);
    done_indirect(call, d);
    return true;
}

static const uint32_t *operand_a(const struct tsr_vector_call *call, uint32_t gathered[TSR_LANES])
{
    if (!(call->args->mod & INDIRECT_VA))
        return call->in[call->args->va];
    for (unsigned i = 0; i < TSR_LANES; i++)
        gathered[i] = call->in[call->in[TSR_LREG7][i] & 15][i];
    return gathered;
}

static bool check_operands(const struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    if (args->op == OP_SFPMUL)
        return tsr_report(call->env, FINDING_VECTOR_OPERAND, call->inst, NULL,
                          "SFPMUL adds LReg[%u]; for anything but LReg[9] its page wants SFPMAD.",
                          (unsigned)args->vc) != TSR_HALT;
    return tsr_report(call->env, FINDING_VECTOR_OPERAND, call->inst, NULL,
                      "SFPADD multiplies LReg[%u] by LReg[%u]; unless one of them is LReg[10] its "
                      "page wants SFPMAD.",
                      (unsigned)args->va, (unsigned)args->vb) != TSR_HALT;
}

bool tsr_vector_run_mad(const struct tsr_vector_call *call)
{
    uint32_t gathered[TSR_LANES];
    if (!call->scheduled && !tsr_vector_is_sum_or_product(call->args) && !check_operands(call))
        return false;
    return compute(call, operand_a(call, gathered), tsr_vector_b(call), tsr_vector_c(call));
}

static void splat(uint32_t to[TSR_LANES], uint32_t value)
{
    for (unsigned i = 0; i < TSR_LANES; i++)
        to[i] = value;
}

// VC is what the page multiplies or adds; Blackhole's NEGATE_VC inverts it (vector_decode.c).
bool tsr_vector_run_muli(const struct tsr_vector_call *call)
{
    uint32_t immediate[TSR_LANES];
    splat(immediate, (uint32_t)call->args->imm << 16);
    return compute(call, tsr_vector_c(call), immediate, call->in[TSR_LCONST_0]);
}

bool tsr_vector_run_addi(const struct tsr_vector_call *call)
{
    uint32_t immediate[TSR_LANES];
    splat(immediate, (uint32_t)call->args->imm << 16);
    return compute(call, immediate, call->in[TSR_LCONST_1], tsr_vector_c(call));
}

bool tsr_vector_run_mul24(const struct tsr_vector_call *call)
{
    uint32_t gathered[TSR_LANES], odd = 0;
    const uint32_t *a = operand_a(call, gathered), *c = tsr_vector_c(call);
    for (unsigned i = 0; i < TSR_LANES; i++)
        odd |= call->lanes >> i & 1 ? c[i] : 0;
    if (odd && tsr_report(call->env, FINDING_VECTOR_RESERVED, call->inst, NULL,
                          "SFPMUL24 adds LReg[%u], which is not zero, in a way that only this "
                          "silicon has; use LReg[9].",
                          (unsigned)call->args->vc) == TSR_HALT)
        return false;
    return compute(call, a, tsr_vector_b(call), c);
}

// SFPLUT and SFPLUTFP32: coefficients and operand are in the first LRegs.
bool tsr_vector_run_lut(const struct tsr_vector_call *call)
{
    return compute(call, call->in[0], NULL, NULL);
}
