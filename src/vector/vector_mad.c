// SPDX-License-Identifier: Apache-2.0
// The MAD sub-unit: SFPMAD, SFPADD and SFPMUL, which are the same, those with an immediate,
// SFPMUL24, and the piecewise linear functions SFPLUT and SFPLUTFP32. VA and VD may come from L7,
// in each lane another. Pages: those named after the instructions.
#include "vector/vector_mad.h"

#include "numerics/sfpu.h"

enum { NEGATE_A = 1, NEGATE_C = 2, INDIRECT_VA = 4, INDIRECT_VD = 8 };
enum { SIGN = (int)0x80000000u, ONE = 0x3f800000 };

// Each lane into the LReg that its L7 names.
static bool done_indirect(const struct tsr_vector_call *call, const uint32_t value[TSR_LANES])
{
    const uint32_t *names = call->in[7];
    uint32_t lanes_of[16] = {0};
    for (unsigned i = 0; i < TSR_LANES; i++)
        lanes_of[names[i] & 15] |= call->lanes & 1u << i;
    for (unsigned vd = 0; vd < TSR_LREGS_PLAIN; vd++)
        if (lanes_of[vd])
            tsr_vector_put(call, vd, value, lanes_of[vd]);
    return true;
}

static bool done(const struct tsr_vector_call *call, const uint32_t value[TSR_LANES])
{
    if (call->args->mod & INDIRECT_VD && call->args->vd != TSR_LREG_MACRO)
        return done_indirect(call, value);
    return tsr_vector_done(call, value);
}

static const uint32_t *operand_a(const struct tsr_vector_call *call, uint32_t gathered[TSR_LANES])
{
    if (!(call->args->mod & INDIRECT_VA))
        return call->in[call->args->va];
    for (unsigned i = 0; i < TSR_LANES; i++)
        gathered[i] = call->in[call->in[7][i] & 15][i];
    return gathered;
}

// The modifiers that negate are Blackhole's.
static uint32_t sign_if(const struct tsr_vector_call *call, unsigned bit)
{
    return call->env->chip->arch != TSR_WORMHOLE_B0 && call->args->mod & bit ? 1u << 31 : 0;
}

static bool multiply_add(const struct tsr_vector_call *call, const uint32_t *a, const uint32_t *b,
                         const uint32_t *c, uint32_t negate_a, uint32_t negate_c)
{
    tsr_arch arch = call->env->chip->arch;
    uint32_t d[TSR_LANES];
    for (unsigned i = 0; i < TSR_LANES; i++)
        d[i] = tsr_sfpu_fma(arch, a[i] ^ negate_a, b[i], c[i] ^ negate_c);
    return done(call, d);
}

bool tsr_vector_run_mad(const struct tsr_vector_call *call)
{
    uint32_t gathered[TSR_LANES];
    return multiply_add(call, operand_a(call, gathered), tsr_vector_b(call), tsr_vector_c(call),
                        sign_if(call, NEGATE_A), sign_if(call, NEGATE_C));
}

static void splat(uint32_t to[TSR_LANES], uint32_t value)
{
    for (unsigned i = 0; i < TSR_LANES; i++)
        to[i] = value;
}

// VC is what the page multiplies or adds; NEGATE_C inverts it.
bool tsr_vector_run_muli(const struct tsr_vector_call *call)
{
    uint32_t immediate[TSR_LANES], zero[TSR_LANES] = {0};
    splat(immediate, (uint32_t)call->args->imm << 16);
    return multiply_add(call, tsr_vector_c(call), immediate, zero, sign_if(call, NEGATE_C), 0);
}

bool tsr_vector_run_addi(const struct tsr_vector_call *call)
{
    uint32_t immediate[TSR_LANES], one[TSR_LANES];
    splat(immediate, (uint32_t)call->args->imm << 16);
    splat(one, ONE);
    return multiply_add(call, immediate, one, tsr_vector_c(call), 0, sign_if(call, NEGATE_C));
}

bool tsr_vector_run_mul24(const struct tsr_vector_call *call)
{
    uint32_t gathered[TSR_LANES], d[TSR_LANES], odd = 0;
    const uint32_t *a = operand_a(call, gathered), *b = tsr_vector_b(call), *c = tsr_vector_c(call);
    for (unsigned i = 0; i < TSR_LANES; i++) {
        d[i] = tsr_sfpu_mul24(call->args->mod, a[i], b[i], c[i]);
        odd |= c[i];
    }
    if (odd && tsr_report(call->env, FINDING_VECTOR_RESERVED, call->inst, NULL,
                          "SFPMUL24 adds LReg[%u], which is not zero, in a way that only this "
                          "silicon has; use LReg[9].",
                          (unsigned)call->args->vc) == TSR_HALT)
        return false;
    return done(call, d);
}

// ---------------------------------------------------------------- SFPLUT, SFPLUTFP32

bool tsr_vector_run_lut(const struct tsr_vector_call *call)
{
    tsr_arch arch = call->env->chip->arch;
    uint32_t d[TSR_LANES];
    for (unsigned i = 0; i < TSR_LANES; i++) {
        uint32_t lreg[4];
        for (unsigned j = 0; j < 4; j++)
            lreg[j] = call->in[j][i];
        d[i] = tsr_sfpu_lut(arch, call->args->mod, lreg);
    }
    return done(call, d);
}

bool tsr_vector_run_lutfp32(const struct tsr_vector_call *call)
{
    tsr_arch arch = call->env->chip->arch;
    uint32_t d[TSR_LANES];
    for (unsigned i = 0; i < TSR_LANES; i++) {
        uint32_t lreg[7];
        for (unsigned j = 0; j < 7; j++)
            lreg[j] = call->in[j][i];
        d[i] = tsr_sfpu_lutfp32(arch, call->args->mod, lreg);
    }
    return done(call, d);
}
