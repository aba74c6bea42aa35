// SPDX-License-Identifier: Apache-2.0
// Instructions that take two cycles. What comes in the next cycle is held by hardware, or software
// has to keep it away: after SFPSWAP, and after Blackhole's lane shuffles, only SFPNOP enters;
// Blackhole holds what reads the result of the MAD sub-unit, as far as its logic knows what an
// instruction reads; Wormhole holds nothing for these. A value that is used too early is the new
// one here (docs/errata.md, 400). Whether one comes too early is a matter of order, so it is the
// same with timing on and off: the next instruction of the thread is the next cycle's.
// Pages, under "Instruction scheduling": SFPMAD.md, SFPSWAP.md, SFPSHFT2.md, SFPCONFIG.md.
#include "vector/vector_hazards.h"

#include "vector/vector_decode.h"

enum { TWO_CYCLES = 2 };

tsr_reason tsr_vector_ready(struct tsr_env *env, const struct tsr_inflight *inst,
                            uint64_t *retry_at)
{
    if (!env->timing)
        return TSR_REASON_NONE;
    const struct tsr_vector *vector = &env->state->vector;
    uint64_t now = env->state->now;
    if (now < vector->swap_until && inst->op != OP_SFPNOP) {
        *retry_at = vector->swap_until;
        return TSR_REASON_UNIT_FULL;
    }
    const struct tsr_vector_late *late = &vector->late;
    if (late->sequence == 0 || now >= late->cycle + TWO_CYCLES || !tsr_vector_stalls(env) ||
        !(tsr_vector_args_of(env, inst->word)->seen_reads & late->lregs))
        return TSR_REASON_NONE;
    *retry_at = late->cycle + TWO_CYCLES;
    return TSR_REASON_UNIT_FULL;
}

bool tsr_vector_holds_next(const struct tsr_env *env, const struct tsr_vector_args *args)
{
    return args->op == OP_SFPSWAP || (args->shuffles && env->chip->arch != TSR_WORMHOLE_B0);
}

bool tsr_vector_is_held(const struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_vector_args *args)
{
    const struct tsr_vector *vector = &env->state->vector;
    return (vector->holds_next && args->op != OP_SFPNOP) ||
           (tsr_vector_is_late(&vector->late, inst) && tsr_vector_stalls(env) &&
            args->seen_reads & vector->late.lregs);
}

// ---------------------------------------------------------------- findings

static unsigned first_of(uint32_t lregs)
{
    return (unsigned)__builtin_ctz(lregs);
}

static bool early(struct tsr_vector_call *call, const char *does, uint32_t lregs)
{
    const struct tsr_vector_late *late = &call->vector->late;
    enum tsr_verdict verdict = tsr_report(
        call->env, FINDING_VECTOR_EARLY, call->inst, NULL,
        "%s %s LReg[%u] in the cycle after %s (instruction %llu), which takes two: one "
        "SFPNOP is missing between them.",
        tsr_vector_name(call), does, first_of(lregs),
        tsr_op_name(tsr_op_of(call->env->isa, late->word)), (unsigned long long)late->sequence);
    if (verdict == TSR_GO_TAINTED)
        call->taint = ~0u;
    return verdict != TSR_HALT;
}

bool tsr_vector_disturbed(const struct tsr_vector_args *args)
{
    switch (args->op) {
    case OP_SFPABS:
    case OP_SFPAND:
    case OP_SFPCAST:
    case OP_SFPDIVP2:
    case OP_SFPEXEXP:
    case OP_SFPEXMAN:
    case OP_SFPIADD:
    case OP_SFPLZ:
    case OP_SFPMOV:
    case OP_SFPNOT:
    case OP_SFPOR:
    case OP_SFPSETEXP:
    case OP_SFPSETMAN:
    case OP_SFPSETSGN:
    case OP_SFPSHFT:
    case OP_SFP_STOCH_RND:
    case OP_SFPXOR:
        return true;
    case OP_SFPSHFT2:
        return !args->shuffles;
    default:
        return false;
    }
}

// LRegs that may be written, by operands alone: L7 may name any of them.
static uint32_t writes_of(const struct tsr_vector_args *args)
{
    enum { NAMED = 0xff };
    if (tsr_vector_names_vd(args))
        return NAMED;
    bool has_vd = args->has_vd || args->op == OP_SFPLOADMACRO;
    bool writes = has_vd && args->sub_unit != TSR_SUB_STORE && tsr_vector_writable(args->vd);
    return writes ? 1u << args->vd : 0;
}

// ... in lanes that act.
static uint32_t early_writes(const struct tsr_vector_call *call)
{
    uint32_t writes = writes_of(call->args), named = 0;
    for (unsigned i = 0; i < TSR_LANES; i++)
        named |= call->lanes >> i & 1 ? 1u << (call->in[TSR_LREG7][i] & 15) : 0;
    return call->lanes == 0 ? 0 : tsr_vector_names_vd(call->args) ? writes & named : writes;
}

static bool check_shuffle(struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    const struct tsr_vector_late *late = &call->vector->late;
    uint32_t writes = late->kept_lregs ? early_writes(call) & late->kept_lregs : 0;
    if (writes && !early(call, "writes", writes))
        return false;
    if (!late->shuffle || !tsr_vector_disturbed(args))
        return true;
    enum tsr_verdict verdict =
        tsr_report(call->env, FINDING_VECTOR_EARLY, call->inst, NULL,
                   "%s comes in the cycle after SFPSHFT2 (instruction %llu), which still moves "
                   "lanes and disturbs it: one SFPNOP is missing between them.",
                   tsr_vector_name(call), (unsigned long long)late->sequence);
    if (verdict == TSR_GO_TAINTED)
        call->taint = ~0u;
    return verdict != TSR_HALT;
}

// LRegs whose values make a difference: those that L7 names, if it does, and none if no lane acts.
static uint32_t early_reads(const struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    uint32_t lanes = call->lanes;
    if ((args->op == OP_SFPMOV && args->mod == SFPMOV_MOD1_ALL_LANES_ENABLED) ||
        args->op == OP_SFPCONFIG || args->crosses)
        return args->reads;
    if (args->op == OP_SFPSTORE)
        lanes = (call->job->mode == MOD0_FMT_INT32_ALL ? call->able : lanes) &
                ~call->vector->lane_bit[TSR_LANE_BLOCK_WRITE];
    if (args->no_effect || lanes == 0)
        return 0;
    if (!tsr_vector_names_va(args))
        return args->reads;
    uint32_t reads = 1u << args->vb | 1u << args->vc | 1u << TSR_LREG7;
    for (unsigned i = 0; i < TSR_LANES; i++)
        reads |= lanes >> i & 1 ? 1u << (call->in[TSR_LREG7][i] & 15) : 0;
    return reads;
}

// By operands alone: an instruction of which L7 or the lanes decide may be.
bool tsr_vector_late_is_quiet(const struct tsr_env *env, const struct tsr_vector_late *late,
                              const struct tsr_vector_args *args)
{
    if (late->shuffle || late->backdoor || writes_of(args) & late->kept_lregs)
        return false;
    return !(args->reads & late->results) ||
           (tsr_vector_stalls(env) && args->seen_reads & late->lregs);
}

bool tsr_vector_check_late(struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    const struct tsr_vector_late *late = &call->vector->late;
    bool held = tsr_vector_stalls(call->env) && args->seen_reads & late->lregs;
    // A template reads nothing.
    uint32_t reads = !held && call->able != 0 ? early_reads(call) & late->results : 0;
    if (reads && !early(call, "reads", reads))
        return false;
    if (call->able && !check_shuffle(call))
        return false;
    return !late->backdoor || !tsr_vector_is_template(args) ||
           tsr_report(call->env, FINDING_VECTOR_BACKDOOR, call->inst, NULL,
                      "%s has %u for VD and comes in the cycle after SFPCONFIG (instruction %llu) "
                      "has changed DISABLE_BACKDOOR_LOAD: it may see the old value. One SFPNOP is "
                      "missing between them.",
                      tsr_vector_name(call), (unsigned)args->vd,
                      (unsigned long long)late->sequence) != TSR_HALT;
}

bool tsr_vector_late_behind(const struct tsr_env *env, const struct tsr_vector_args *args,
                            struct tsr_vector_late *late)
{
    *late = (struct tsr_vector_late){
        .lregs = args->seen_late,
        .results = args->late_lregs,
        .kept_lregs = args->late_kept,
        .shuffle = args->shuffles && !tsr_vector_holds_next(env, args),
    };
    return late->lregs | late->results | late->kept_lregs || late->shuffle;
}

void tsr_vector_note_late(const struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    struct tsr_vector *vector = call->vector;
    struct tsr_vector_late *late = &vector->late;
    bool backdoor = args->op == OP_SFPCONFIG && late->backdoor;
    bool holds = tsr_vector_holds_next(call->env, args);
    if (call->env->timing && call->able && holds)
        vector->swap_until = call->inst->accepted_at + call->env->isa->rate[RATE_VECTOR_SHUFFLE];
    uint32_t named = late->named;
    bool any = tsr_vector_late_behind(call->env, args, late) || backdoor;
    if (!any || !call->able) { // a template, or discarded
        *late = (struct tsr_vector_late){0};
        return;
    }
    if (call->lanes == 0)
        late->results = late->kept_lregs = 0;
    else if (tsr_vector_names_vd(args))
        late->results = late->named = named;
    late->backdoor = backdoor;
    late->thread = call->inst->thread;
    late->word = call->inst->word;
    late->sequence = call->inst->sequence;
    late->cycle = call->inst->accepted_at;
}
