// SPDX-License-Identifier: Apache-2.0
// What may not execute in one cycle because of SFPLOADMACRO: nothing in hardware keeps it apart.
// Page: SFPLOADMACRO.md of each chip.
#include "vector/vector_macro_checks.h"

#include "vector/vector_decode.h"
#include "vector/vector_hazards.h"

// What a sub-unit has in a cycle, scheduled or issued; `args` is NULL for nothing and for SFPNOP.
struct busy {
    const struct tsr_vector_args *args;
    const struct tsr_inflight *inst;
    bool scheduled;
};

// A word that is stored as a template does not execute.
static bool executes(const struct tsr_vector_call *issued)
{
    return !tsr_vector_is_template(issued->args) || issued->vector->lane_bit[TSR_LANE_NO_BACKDOOR];
}

static void note_busy(struct busy of[TSR_SUB_UNITS], const struct busy *one)
{
    if (one->args->op != OP_SFPNOP)
        of[one->args->sub_unit] = *one;
}

static const char *name_of(const struct busy *busy)
{
    return tsr_op_name((enum tsr_op)busy->inst->op);
}

// What a scheduled SFPSWAP or lane shuffle leaves no room for in its second cycle.
static bool meets_mover(const struct tsr_env *env, uint8_t mover, const struct busy *busy)
{
    unsigned sub = busy->args->sub_unit;
    if (mover == OP_SFPSWAP)
        return sub == TSR_SUB_SIMPLE || sub == TSR_SUB_ROUND;
    return env->chip->arch != TSR_WORMHOLE_B0 || tsr_vector_disturbed(busy->args);
}

static bool check_second_cycle(struct tsr_env *env, const struct busy of[TSR_SUB_UNITS])
{
    const struct tsr_macro_late *late = &env->state->vector.macro.late[0];
    if (!late->lregs || late->mover == OP_NONE)
        return true;
    for (unsigned sub = 0; sub < TSR_SUB_UNITS; sub++)
        if (of[sub].args && meets_mover(env, late->mover, &of[sub]))
            return tsr_report(env, FINDING_VECTOR_MACRO, of[sub].inst, NULL,
                              "%s executes in the second cycle of %s, which SFPLOADMACRO has "
                              "scheduled: nothing keeps it away, and its sub-unit needs to be "
                              "idle there.",
                              name_of(&of[sub]), tsr_op_name((enum tsr_op)late->mover)) != TSR_HALT;
    return true;
}

// Two of them in one cycle: Simple and Round share a way to the LRegs; a swap needs the MAD
// sub-unit, too.
static bool check_together(struct tsr_env *env, const struct busy of[TSR_SUB_UNITS])
{
    const struct busy *simple = &of[TSR_SUB_SIMPLE], *round = &of[TSR_SUB_ROUND];
    const struct busy *mad = &of[TSR_SUB_MAD];
    if (simple->args && round->args &&
        (simple->args->vd == TSR_LREG_MACRO) == (round->args->vd == TSR_LREG_MACRO) &&
        tsr_report(env, FINDING_VECTOR_MACRO, simple->inst, NULL,
                   "%s and %s execute in one cycle because of SFPLOADMACRO, and not exactly one of "
                   "them has LReg[16] for VD; both are written here.",
                   name_of(simple), name_of(round)) == TSR_HALT)
        return false;
    if (simple->args && simple->args->op == OP_SFPSWAP && simple->scheduled && mad->args &&
        tsr_report(env, FINDING_VECTOR_MACRO, simple->inst, NULL,
                   "SFPLOADMACRO has scheduled SFPSWAP for the cycle of %s; the MAD sub-unit needs "
                   "an SFPNOP there.",
                   name_of(mad)) == TSR_HALT)
        return false;
    return check_second_cycle(env, of);
}

bool tsr_macro_meet(struct tsr_vector_call *issued, const struct tsr_macro_running *running,
                    unsigned count, bool *discarded)
{
    *discarded = false;
    for (unsigned i = 0; issued && i < count; i++) {
        unsigned sub = running[i].args.sub_unit;
        if (issued->args->sub_unit == TSR_SUB_LOAD || issued->args->sub_unit != sub)
            continue;
        *discarded = true;
        return tsr_report(issued->env, FINDING_VECTOR_MACRO_DISCARDS, issued->inst, NULL,
                          "%s comes to its sub-unit in the cycle for which an SFPLOADMACRO "
                          "(instruction %llu) has scheduled %s there, and is discarded.",
                          tsr_vector_name(issued), (unsigned long long)running[i].inst.sequence,
                          tsr_op_name((enum tsr_op)running[i].inst.op)) != TSR_HALT;
    }
    return true;
}

bool tsr_macro_check_cycle(struct tsr_env *env, const struct tsr_vector_call *issued,
                           const struct tsr_macro_running *running, unsigned count)
{
    struct busy of[TSR_SUB_UNITS] = {0};
    if (issued && executes(issued))
        note_busy(of, &(struct busy){issued->args, issued->inst, false});
    for (unsigned i = 0; i < count; i++)
        note_busy(of, &(struct busy){&running[i].args, &running[i].inst, true});
    return check_together(env, of);
}
