// SPDX-License-Identifier: Apache-2.0
// Instructions that work on each lane alone, but for the floating-point ones (vector_mad.c):
// SFPLOADI, logic, shifts, integers, the fields of floats, conversions and SFPARECIP. What a lane
// computes is in numerics/. Pages: those named after the instructions.
#include "vector/vector_lanewise.h"

#include "base/random.h"
#include "numerics/sfpu.h"

enum { IMM = 1 };

// Every lane of `d` from those of VB and VC, in the page's words `b` and `c`.
#define LANEWISE(name, expression)                                                                 \
    bool tsr_vector_run_##name(const struct tsr_vector_call *call)                                 \
    {                                                                                              \
        const struct tsr_vector_args *args = call->args;                                           \
        const uint32_t *b = tsr_vector_b(call), *c = tsr_vector_c(call);                           \
        uint32_t d[TSR_LANES];                                                                     \
        (void)args, (void)b, (void)c;                                                              \
        for (unsigned i = 0; i < TSR_LANES; i++)                                                   \
            d[i] = (expression);                                                                   \
        return tsr_vector_done(call, d);                                                           \
    }

LANEWISE(and, b[i] & c[i])
LANEWISE(or, b[i] | c[i])
LANEWISE(xor, b[i] ^ c[i])
LANEWISE(not, ~c[i])
LANEWISE(abs, tsr_sfpu_abs(args->mod, c[i]))
LANEWISE(divp2, tsr_sfpu_divp2(args->mod, (uint8_t)args->imm, c[i]))
LANEWISE(exman, tsr_sfpu_exman(args->mod, c[i]))
LANEWISE(setexp, tsr_sfpu_setexp(args->mod, (uint8_t)args->imm, c[i], b[i]))
LANEWISE(setman, tsr_sfpu_setman(args->mod, args->imm, c[i], b[i]))
LANEWISE(setsgn, tsr_sfpu_setsgn(args->mod, args->imm, c[i], b[i]))
LANEWISE(arecip, tsr_sfpu_arecip(args->mod, b[i], c[i]))
LANEWISE(shft, tsr_sfpu_shft(call->env->chip->arch, args->mod, args->imm, c[i], b[i]))

// ---------------------------------------------------------------- results that set flags, too

// The lanes in which the sign bit is set.
static uint32_t negative(const uint32_t value[TSR_LANES])
{
    uint32_t lanes = 0;
    for (unsigned i = 0; i < TSR_LANES; i++)
        lanes |= (value[i] >> 31) << i;
    return lanes;
}

static uint32_t not_zero(const uint32_t value[TSR_LANES], uint32_t mask)
{
    uint32_t lanes = 0;
    for (unsigned i = 0; i < TSR_LANES; i++)
        lanes |= (uint32_t)((value[i] & mask) != 0) << i;
    return lanes;
}

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
    enum { CC_NONE = 4, CC_GTE0 = 8 };
    const struct tsr_vector_args *args = call->args;
    const uint32_t *b = tsr_vector_b(call), *c = tsr_vector_c(call);
    uint32_t d[TSR_LANES];
    for (unsigned i = 0; i < TSR_LANES; i++)
        d[i] = tsr_sfpu_iadd(args->mod, args->imm, c[i], b[i]);
    tsr_vector_done(call, d);
    flags_of_result(call, !(args->mod & CC_NONE), negative(d), args->mod & CC_GTE0);
    return true;
}

bool tsr_vector_run_exexp(const struct tsr_vector_call *call)
{
    enum { CC_SIGN = 2, CC_INVERT = 8 };
    const struct tsr_vector_args *args = call->args;
    const uint32_t *c = tsr_vector_c(call);
    uint32_t d[TSR_LANES];
    for (unsigned i = 0; i < TSR_LANES; i++)
        d[i] = tsr_sfpu_exexp(args->mod, c[i]);
    tsr_vector_done(call, d);
    flags_of_result(call, args->mod & CC_SIGN, negative(d), args->mod & CC_INVERT);
    return true;
}

bool tsr_vector_run_lz(const struct tsr_vector_call *call)
{
    enum { CC_NE0 = 2, NO_SIGN = 4, CC_INVERT = 8 };
    const struct tsr_vector_args *args = call->args;
    const uint32_t *c = tsr_vector_c(call);
    uint32_t d[TSR_LANES];
    uint32_t nonzero = not_zero(c, args->mod & NO_SIGN ? 0x7fffffff : ~0u);
    for (unsigned i = 0; i < TSR_LANES; i++)
        d[i] = tsr_sfpu_lz(args->mod, c[i]);
    tsr_vector_done(call, d);
    flags_of_result(call, args->mod & CC_NE0, nonzero, args->mod & CC_INVERT);
    return true;
}

// ---------------------------------------------------------------- immediates and conversions

// Modes that no page has write nothing (docs/errata.md, 404).
bool tsr_vector_run_loadi(const struct tsr_vector_call *call)
{
    enum { MODES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8 | 1 << 10 };
    const struct tsr_vector_args *args = call->args;
    const uint32_t *old = call->in[args->vd];
    uint32_t d[TSR_LANES];
    if (!(MODES >> args->mod & 1)) {
        enum tsr_verdict verdict =
            tsr_report(call->env, FINDING_VECTOR_MODE, call->inst, NULL,
                       "SFPLOADI with instr_mod0=%u is undefined; it writes nothing here.",
                       (unsigned)args->mod);
        if (verdict == TSR_GO_TAINTED && tsr_vector_writable(args->vd))
            tsr_vector_wrote(call->vector, args->vd, 0, 0);
        return verdict != TSR_HALT;
    }
    for (unsigned i = 0; i < TSR_LANES; i++)
        d[i] = tsr_sfpu_loadi(args->mod, args->imm, old[i]);
    return tsr_vector_done(call, d);
}

// AdvancePRNG of the lanes in which the instruction acts.
static void draw(const struct tsr_vector_call *call, uint32_t random[TSR_LANES])
{
    for (unsigned i = 0; i < TSR_LANES; i++)
        random[i] = call->lanes >> i & 1 ? tsr_prng_next(&call->vector->prng[i]) : 0;
}

bool tsr_vector_run_cast(const struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    const uint32_t *c = tsr_vector_c(call);
    tsr_arch arch = call->env->chip->arch;
    bool stochastic = (arch == TSR_WORMHOLE_B0 ? args->mod & 1 : args->mod & 3) == 1;
    uint32_t d[TSR_LANES], random[TSR_LANES] = {0};
    if (stochastic)
        draw(call, random);
    for (unsigned i = 0; i < TSR_LANES; i++)
        d[i] = tsr_sfpu_cast(arch, args->mod, c[i], random[i]);
    return tsr_vector_done(call, d);
}

// The PRNGs step whether rounding needs them or not (docs/errata.md, 405).
bool tsr_vector_run_stoch_rnd(const struct tsr_vector_call *call)
{
    enum { USE_IMMEDIATE = 8, ROUNDING_SHIFT = 21 };
    const struct tsr_vector_args *args = call->args;
    const uint32_t *b = tsr_vector_b(call), *c = tsr_vector_c(call);
    uint32_t rounding = tsr_operand(call->env->isa, OP_SFP_STOCH_RND, args->word, OPERAND_rnd_mode);
    if (call->env->chip->arch == TSR_WORMHOLE_B0)
        rounding &= 1;
    uint32_t d[TSR_LANES], random[TSR_LANES];
    draw(call, random);
    for (unsigned i = 0; i < TSR_LANES; i++) {
        unsigned shift = args->mod & USE_IMMEDIATE ? args->imm : b[i];
        d[i] = tsr_sfpu_stoch_rnd(args->mod & 7, rounding, c[i], shift & 31, random[i]);
    }
    return tsr_vector_done(call, d);
}
