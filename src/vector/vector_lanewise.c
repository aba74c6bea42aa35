// SPDX-License-Identifier: Apache-2.0
// Instructions that work on each lane alone, but for the floating-point ones (vector_mad.c):
// SFPLOADI, logic, shifts, integers, the fields of floats, conversions and SFPARECIP. What a lane
// computes is in numerics/ and kernels/. Pages: those named after the instructions.
#include "vector/vector_lanewise.h"

#include "vector/vector_plan.h"

bool tsr_vector_run_lanewise(const struct tsr_vector_call *call)
{
    tsr_vector_apply(call, NULL, tsr_vector_b(call), tsr_vector_c(call));
    return true;
}

// ---------------------------------------------------------------- results that set flags, too

// Only results in L0 to L7 set flags.
static void flags_of_result(const struct tsr_vector_call *call, bool set, uint32_t flags,
                            bool invert)
{
    if (call->args->vd >= TSR_LREGS_PLAIN || !(set || invert))
        return;
    uint32_t from = set ? flags : call->vector->flags;
    tsr_vector_set_flags(call, invert ? ~from : from, call->lanes);
}

bool tsr_vector_run_iadd(const struct tsr_vector_call *call)
{
    uint32_t negative = tsr_vector_apply(call, NULL, NULL, tsr_vector_c(call));
    unsigned mod = call->args->mod;
    flags_of_result(call, !(mod & SFPIADD_MOD1_CC_NONE), negative, mod & SFPIADD_MOD1_CC_GTE0);
    return true;
}

bool tsr_vector_run_exexp(const struct tsr_vector_call *call)
{
    uint32_t negative = tsr_vector_apply(call, NULL, NULL, tsr_vector_c(call));
    unsigned mod = call->args->mod;
    flags_of_result(call, mod & SFPEXEXP_MOD1_SET_CC_SGN_EXP, negative,
                    mod & SFPEXEXP_MOD1_SET_CC_COMP_EXP);
    return true;
}

bool tsr_vector_run_lz(const struct tsr_vector_call *call)
{
    uint32_t nonzero = tsr_vector_apply(call, NULL, NULL, tsr_vector_c(call));
    unsigned mod = call->args->mod;
    flags_of_result(call, mod & SFPLZ_MOD1_CC_NE0, nonzero, mod & SFPLZ_MOD1_CC_COMP);
    return true;
}

// ---------------------------------------------------------------- immediates and conversions

// Modes that no page has write nothing (docs/errata.md, 404).
bool tsr_vector_run_loadi(const struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    if (TSR_VECTOR_LOADI_MODES >> args->mod & 1) {
        tsr_vector_apply(call, NULL, NULL, NULL);
        return true;
    }
    return tsr_report(call->env, FINDING_VECTOR_MODE, call->inst, NULL,
                      "SFPLOADI with instr_mod0=%u is undefined; it writes nothing here.",
                      (unsigned)args->mod) != TSR_HALT;
}

void tsr_vector_draw(const struct tsr_vector_call *call, uint32_t lanes, uint32_t random[TSR_LANES])
{
    uint32_t *state = call->vector->prng;
    struct tsr_vector_plans *plans = call->env->vector_plans;
    const tsr_vector_mode mode = {.arch = call->env->chip->arch, .op = TSR_VECTOR_RANDOM};
    if (!plans->random)
        plans->random = tsr_kernels_vector(call->env->kernels, &mode);
    if (random)
        memcpy(random, state, TSR_LANES * sizeof *random);
    plans->random(state, NULL, NULL, NULL, lanes, &mode);
}

bool tsr_vector_run_cast(const struct tsr_vector_call *call)
{
    unsigned modes = call->env->chip->arch == TSR_WORMHOLE_B0 ? 1 : 3;
    uint32_t random[TSR_LANES];
    bool stochastic = (call->args->mod & modes) == 1;
    if (stochastic)
        tsr_vector_draw(call, call->lanes, random);
    tsr_vector_apply(call, stochastic ? random : NULL, NULL, tsr_vector_c(call));
    return true;
}

// The PRNGs step whether rounding needs them or not.
bool tsr_vector_run_stoch_rnd(const struct tsr_vector_call *call)
{
    enum { USE_IMMEDIATE = 8, STOCHASTIC = 1 };
    uint32_t bits[TSR_LANES];
    uint32_t *random = call->args->mode.rounding & STOCHASTIC ? bits : NULL;
    tsr_vector_draw(call, call->lanes, random);
    bool immediate = call->args->mod & USE_IMMEDIATE;
    tsr_vector_apply(call, random, immediate ? NULL : tsr_vector_b(call), tsr_vector_c(call));
    return true;
}
