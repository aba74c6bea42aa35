// SPDX-License-Identifier: Apache-2.0
// What every instruction has in common: the lanes in which it acts, templates, the shadow state of
// what it reads, and findings on its modifier and on what came before it.
// Pages: VectorUnit.md ("Lane Predication Masks"), SFPCONFIG.md.
#include "vector/vector_step.h"

#include "state/races.h"
#include "vector/vector_config.h"
#include "vector/vector_decode.h"
#include "vector/vector_hazards.h"

#include <stdio.h>

enum { INDEXED = 0xf0 };

static bool check_modifier(const struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    return tsr_report(call->env, FINDING_VECTOR_RESERVED, call->inst, NULL,
                      "%s has 0x%x in its modifier, of which bits 0x%x mean nothing on %s.",
                      tsr_vector_name(call), (unsigned)args->mod, (unsigned)args->stray_mod,
                      tsr_arch_name(call->env->chip->arch)) != TSR_HALT;
}

// Whoever means LReg[13] gets neither a value in it nor an instruction that ever executes.
static bool check_template(const struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    return tsr_report(call->env, FINDING_VECTOR_TEMPLATE, call->inst, NULL,
                      "%s into LReg[%u] stores itself as template %u of SFPLOADMACRO, which "
                      "schedules no loads; LReg[11] to LReg[14] take SFPCONFIG.",
                      tsr_vector_name(call), (unsigned)args->vd,
                      (unsigned)args->vd - TSR_FIRST_TEMPLATE) != TSR_HALT;
}

// Of those lanes the ones that read an LReg: where L7 names VA, only those that name this one.
static uint32_t lanes_of(const struct tsr_vector_call *call, unsigned lreg, uint32_t lanes)
{
    const struct tsr_vector_args *args = call->args;
    if (!tsr_vector_names_va(args) || lreg == TSR_LREG7 || lreg == args->vb || lreg == args->vc)
        return lanes;
    uint32_t named = 0;
    for (unsigned i = 0; i < TSR_LANES; i++)
        named |= (uint32_t)((call->in[TSR_LREG7][i] & 15) == lreg) << i;
    return lanes & named;
}

// LRegs that nobody has written, in lanes that count; and where taint comes from.
static bool check_uses(struct tsr_vector_call *call, uint32_t lanes)
{
    const struct tsr_vector *vector = call->vector;
    for (uint32_t left = call->args->uses & vector->unclean; left; left &= left - 1) {
        unsigned lreg = (unsigned)__builtin_ctz(left);
        uint32_t read = lanes_of(call, lreg, lanes), unwritten = ~vector->written[lreg] & read;
        call->taint |= vector->tainted[lreg] & read;
        if (!unwritten)
            continue;
        enum tsr_verdict verdict =
            tsr_report(call->env, FINDING_UNINITIALISED_LREG, call->inst, NULL,
                       "%s reads LReg[%u], which nothing has written in the lanes of mask 0x%08x.",
                       tsr_vector_name(call), lreg, (unsigned)unwritten);
        if (verdict == TSR_HALT)
            return false;
        if (verdict == TSR_GO_TAINTED)
            call->taint |= unwritten;
    }
    return true;
}

// Instructions that the erratum TEN-2932 does not touch (SFPCONFIG.md), and what begins as a load
// or writes no such register.
static bool may_be_indexed(uint8_t op)
{
    return op == OP_SFPSWAP || op == OP_SFPLOAD || op == OP_SFPLOADI || op == OP_SFPLOADMACRO ||
           op == OP_SFPTRANSP || op == OP_SFPCONFIG;
}

static bool check_index(const struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    if (may_be_indexed(args->op) || args->sub_unit == TSR_SUB_STORE || !args->has_vd ||
        !(1u << args->vd & INDEXED))
        return true;
    return tsr_report(call->env, FINDING_VECTOR_INDEX, call->inst, NULL,
                      "%s writes LReg[%u] while LaneConfig has ENABLE_DEST_INDEX: erratum "
                      "TEN-2932 spoils what instructions other than SFPSWAP, SFPTRANSP and loads "
                      "write to LReg[4] to LReg[7].",
                      tsr_vector_name(call), (unsigned)args->vd) != TSR_HALT;
}

// SFPMOV of all lanes takes along what nobody has written (vector_moves.c), as long as it goes to
// an LReg that keeps it; SFPCONFIG reads the first eight lanes whether they are enabled or not.
static uint32_t lanes_read(const struct tsr_vector_call *call)
{
    enum { CONFIG_LANES = 0xff };
    const struct tsr_vector_args *args = call->args;
    if (args->op == OP_SFPMOV && args->mod == SFPMOV_MOD1_ALL_LANES_ENABLED)
        return args->vd < TSR_LREGS_PLAIN ? 0 : call->able;
    if (args->op == OP_SFPCONFIG)
        return CONFIG_LANES;
    return args->crosses ? ~0u : call->lanes;
}

static uint32_t registers_written(const struct tsr_vector_args *args)
{
    enum { FIRST_FOUR = 0xf };
    switch (args->op) {
    case OP_SFPCONFIG: // LReg[11] to LReg[14], LaneConfig, macros
        return 0xfu << TSR_LREG11 | TSR_RACE_VECTOR_CONFIG;
    case OP_SFPTRANSP:
        return 0xff;
    case OP_SFPSWAP:
        return 1u << args->vd | 1u << args->vc;
    case OP_SFPSHFT2:
        return args->mod <= SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4 ? FIRST_FOUR : 1u << args->vd;
    case OP_SFPSETCC:
    case OP_SFPENCC:
    case OP_SFPCOMPC:
    case OP_SFPPUSHC:
    case OP_SFPPOPC:
        return TSR_RACE_LANE_FLAGS;
    case OP_SFPIADD:
    case OP_SFPEXEXP:
    case OP_SFPLZ:
        return 1u << args->vd | TSR_RACE_LANE_FLAGS;
    default:
        return args->has_vd && args->sub_unit != TSR_SUB_STORE ? 1u << args->vd : 0;
    }
}

// LRegs, flags and what SFPCONFIG sets exist once for all threads (README.md, "Backend").
static void tell_registers(const struct tsr_vector_call *call, bool template)
{
    const struct tsr_vector_args *args = call->args;
    uint32_t reads = args->reads | TSR_RACE_LANE_FLAGS | TSR_RACE_VECTOR_CONFIG;
    uint32_t written = template ? (uint32_t)TSR_RACE_VECTOR_CONFIG : registers_written(args);
    tsr_race_access(call->env, TSR_RACE_LREG, false, 0, 1, reads);
    if (written)
        tsr_race_access(call->env, TSR_RACE_LREG, true, 0, 1, written);
}

bool tsr_vector_step(struct tsr_vector_call *call, uint32_t enabled)
{
    const struct tsr_vector_args *args = call->args;
    struct tsr_vector *vector = call->vector;
    call->taint = 0;
    if (call->env->races)
        tell_registers(call, !call->scheduled && tsr_vector_is_template(args));
    if (!call->scheduled) {
        bool template = tsr_vector_is_template(args);
        call->able = template ? vector->lane_bit[TSR_LANE_NO_BACKDOOR] : ~0u;
        call->lanes = call->able & enabled;
        if (tsr_vector_is_late(&vector->late, call->inst) && !tsr_vector_check_late(call))
            return false;
        if (template && args->sub_unit == TSR_SUB_LOAD && call->able != ~0u &&
            !check_template(call))
            return false;
        if (template && !tsr_vector_store_template(vector, args))
            return true;
    }
    call->lanes = call->able & enabled;
    if (args->stray_mod && !check_modifier(call))
        return false;
    if (args->uses & vector->unclean && !check_uses(call, lanes_read(call)))
        return false;
    if (vector->lane_bit[TSR_LANE_DEST_INDEX] && !check_index(call))
        return false;
    if (args->crosses && call->taint)
        call->taint = ~0u;
    return args->run(call);
}
