// SPDX-License-Identifier: Apache-2.0
// The cycles in which executes what SFPLOADMACRO schedules (vector_macro_schedule.c). All that
// executes in a cycle, scheduled or issued, reads what was there before the cycle; results of two
// cycles come at the end of the next one. With timing off a cycle is one instruction of the thread:
// those that it gives to other units count (docs/errata.md, 408), and so does a cycle for which the
// unit holds an instruction.
// Page: SFPLOADMACRO.md of each chip.
#include "vector/vector_macro.h"

#include "vector/vector_decode.h"
#include "vector/vector_dst.h"
#include "vector/vector_hazards.h"
#include "vector/vector_macro_checks.h"
#include "vector/vector_macro_schedule.h"
#include "vector/vector_step.h"

enum { SUBS = TSR_SUB_UNITS - TSR_MACRO_FIRST_SUB };

// The results of the last cycle are there.
static void settle(struct tsr_vector *vector)
{
    struct tsr_macro_late *late = &vector->macro.late[0];
    for (uint32_t left = late->lregs; left; left &= left - 1) {
        unsigned lreg = (unsigned)__builtin_ctz(left);
        tsr_vector_blend(vector->lreg[lreg], late->value[lreg], late->lanes[lreg]);
    }
    late->lregs = 0;
}

void tsr_macro_forget(struct tsr_vector *vector)
{
    for (unsigned sub = 0; sub < TSR_SUB_UNITS; sub++)
        for (unsigned delay = 0; delay < TSR_MACRO_DELAYS; delay++)
            vector->macro.slot[sub][delay].count = 0;
    settle(vector);
    tsr_macro_recount(&vector->macro);
}

// ---------------------------------------------------------------- a cycle

static void prepare(const struct tsr_env *env, const struct tsr_scheduled *scheduled,
                    struct tsr_macro_running *out)
{
    const struct tsr_vector_args *given = tsr_vector_args_of(env, scheduled->word);
    bool logic = given->op == OP_SFPAND || given->op == OP_SFPOR;
    out->args = *given;
    out->args.vd = scheduled->vd;
    if (given->sub_unit == TSR_SUB_STORE) {
        out->args.mod = scheduled->mod0;
        out->job.mode = scheduled->mod0;
        out->job.address = scheduled->address;
        out->job.order = scheduled->order;
    } else {
        out->args.vb = scheduled->vb;
        out->args.vc = scheduled->vc;
    }
    // Blackhole chooses between VB and VD, which is the replaced one (docs/errata.md, 409).
    if (logic && env->chip->arch != TSR_WORMHOLE_B0 && !(given->mod & SFPAND_MOD1_USE_VB))
        out->args.vb = scheduled->vd;
    tsr_vector_args_reads(env, &out->args);
    out->inst.word = scheduled->word;
    out->inst.op = given->op;
    out->inst.thread = scheduled->thread;
    out->inst.unit = TSR_UNIT_VECTOR;
    out->inst.sequence = scheduled->sequence;
    out->lanes = scheduled->lanes;
}

// LRegs whose values come at the end of the next cycle.
static uint32_t late_of(const struct tsr_vector_args *args)
{
    uint32_t vd = 1u << args->vd, vc = 1u << args->vc;
    if (args->op == OP_SFPSWAP)
        return vd | vc | 1u << (4 + (args->vd & 3)) | 1u << (4 + (args->vc & 3));
    if (args->shuffles)
        return args->mod == SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4 ? 0xf : vd;
    return args->sub_unit == TSR_SUB_MAD ? args->late_lregs : 0;
}

static bool check_early(struct tsr_vector_call *call, uint32_t late)
{
    uint32_t early = call->args->reads & late;
    return !early ||
           tsr_report(call->env, FINDING_VECTOR_MACRO_EARLY, call->inst, NULL,
                      "%s, in a cycle that SFPLOADMACRO has scheduled, reads LReg[%u] a cycle "
                      "before the result of the instruction ahead is there: it gets the old value.",
                      tsr_vector_name(call), (unsigned)__builtin_ctz(early)) != TSR_HALT;
}

// An instruction has written some lanes of an LReg that had `was` before: they come later.
static void note_late(struct tsr_vector *vector, unsigned lreg, uint32_t lanes,
                      const uint32_t was[TSR_LANES])
{
    struct tsr_macro_late *late = &vector->macro.late[1];
    if (!lanes)
        return;
    if (!(late->lregs >> lreg & 1))
        late->lanes[lreg] = 0;
    late->lregs |= 1u << lreg;
    late->lanes[lreg] |= lanes;
    tsr_vector_blend(late->value[lreg], vector->lreg[lreg], lanes);
    tsr_vector_blend(vector->lreg[lreg], was, lanes);
}

// What comes at the end of this cycle does not reach lanes that a younger instruction writes now
// (docs/errata.md, 457).
static void write_over(struct tsr_macro_late *late, const uint32_t wrote[TSR_LREGS])
{
    for (uint32_t left = late->lregs; left; left &= left - 1) {
        unsigned lreg = (unsigned)__builtin_ctz(left);
        late->lanes[lreg] &= ~wrote[lreg];
    }
}

static void note_mover(const struct tsr_vector_call *call)
{
    struct tsr_macro_late *late = &call->vector->macro.late[1];
    late->mover = call->args->op;
    late->vc = call->args->vc;
    late->vb = call->args->vb;
    late->vd = call->args->vd;
}

// SFPSWAP has compared in its first cycle and reads again in its second one what it exchanges: an
// LReg may have another value by then. With indices it keeps what it has read.
static void read_again(struct tsr_vector *vector)
{
    struct tsr_macro_late *late = &vector->macro.late[0];
    if (late->mover != OP_SFPSWAP || vector->lane_bit[TSR_LANE_DEST_INDEX])
        return;
    if (late->lregs >> late->vc & 1)
        tsr_vector_blend(late->value[late->vc], vector->lreg[late->vb], late->lanes[late->vc]);
    if (late->vd != late->vc && late->lregs >> late->vd & 1)
        tsr_vector_blend(late->value[late->vd], vector->lreg[late->vc], late->lanes[late->vd]);
}

// A result may be what the LReg already has, while another value is on its way there: the lanes
// that were written count, not those that have changed.
static bool step(struct tsr_vector_call *call, uint32_t enabled)
{
    struct tsr_vector *vector = call->vector;
    uint32_t late = late_of(call->args), wrote[TSR_LREGS] = {0};
    uint32_t was[TSR_LREGS][TSR_LANES];
    for (uint32_t left = late; left; left &= left - 1) {
        unsigned lreg = (unsigned)__builtin_ctz(left);
        memcpy(was[lreg], vector->lreg[lreg], sizeof was[lreg]);
    }
    call->wrote = wrote;
    bool done = tsr_vector_step(call, enabled);
    call->wrote = NULL;
    for (uint32_t left = late; left; left &= left - 1) {
        unsigned lreg = (unsigned)__builtin_ctz(left);
        note_late(vector, lreg, wrote[lreg], was[lreg]);
        wrote[lreg] = 0;
    }
    if (call->scheduled && (call->args->op == OP_SFPSWAP || call->args->shuffles))
        note_mover(call);
    write_over(&vector->macro.late[0], wrote);
    return done;
}

static bool run_scheduled(struct tsr_env *env, struct tsr_macro_running *running, uint32_t enabled,
                          uint32_t late, uint64_t at)
{
    struct tsr_vector *vector = &env->state->vector;
    struct tsr_vector_call call = {.env = env,
                                   .vector = vector,
                                   .inst = &running->inst,
                                   .args = &running->args,
                                   .job = &running->job,
                                   .in = (const uint32_t(*)[TSR_LANES])vector->macro.before,
                                   .able = running->lanes,
                                   .scheduled = true};
    if (!check_early(&call, late) || !step(&call, enabled))
        return false;
    if (env->observe_scheduled)
        env->observe_scheduled(env->observe_user, &running->inst, running->args.sub_unit, at);
    return true;
}

// Everything that executes in cycle `at`: what was scheduled for it and what is issued, if
// anything.
static bool cycle(struct tsr_env *env, struct tsr_vector_call *issued, uint64_t at)
{
    struct tsr_vector *vector = &env->state->vector;
    struct tsr_macro *macro = &vector->macro;
    struct tsr_macro_running running[SUBS * TSR_LANE_COLUMNS];
    unsigned count = 0;
    uint32_t enabled = vector->enabled, late = macro->late[0].lregs;
    bool discarded;
    for (unsigned sub = TSR_SUB_UNITS; sub-- > TSR_MACRO_FIRST_SUB;)
        for (unsigned i = 0; i < macro->slot[sub][0].count; i++) {
            running[count] = (struct tsr_macro_running){0};
            prepare(env, &macro->slot[sub][0].of[i], &running[count]);
            if (running[count].args.op == OP_SFPNOP)
                running[count].args.sub_unit = (uint8_t)sub;
            count++;
        }
    memcpy(macro->before, vector->lreg, sizeof macro->before);
    read_again(vector);
    if (!tsr_macro_meet(issued, running, count, &discarded) ||
        !tsr_macro_check_cycle(env, discarded ? NULL : issued, running, count))
        return false;
    if (discarded && issued->args->sub_unit == TSR_SUB_STORE) // its AddrMod, too
        tsr_vector_restore(env, issued->inst, issued->job);
    for (unsigned i = 0; i < count; i++)
        if (!run_scheduled(env, &running[i], enabled, late, at))
            return false;
    if (issued && !discarded) {
        issued->in = (const uint32_t(*)[TSR_LANES])macro->before;
        if ((count > 0 && !check_early(issued, late)) || !step(issued, enabled))
            return false;
    }
    settle(vector);
    if (macro->late[1].lregs) {
        macro->late[0] = macro->late[1];
        macro->late[1].lregs = 0;
    }
    macro->late[1].mover = OP_NONE;
    if (count == 0 && macro->scheduled == 0)
        settle(vector);
    for (unsigned sub = TSR_MACRO_FIRST_SUB; sub < TSR_SUB_UNITS; sub++)
        macro->slot[sub][0].count = 0;
    if (issued || macro->waiting == 0)
        tsr_macro_count_down(macro);
    tsr_macro_recount(macro);
    if (issued && !discarded && issued->args->op == OP_SFPLOADMACRO)
        return tsr_macro_schedule(issued);
    return true;
}

// ---------------------------------------------------------------- time

bool tsr_macro_go_on(struct tsr_env *env, uint64_t until)
{
    struct tsr_vector *vector = &env->state->vector;
    while (tsr_macro_runs_on(vector) && (!env->timing || vector->cycle + 1 <= until)) {
        vector->cycle += env->timing ? 1 : 0;
        if (!cycle(env, NULL, vector->cycle))
            return false;
    }
    return true;
}

// An instruction's cycle is that in which it was accepted: behind one that stays in the queue for
// what it has scheduled it is executed later.
static uint64_t own_cycle(const struct tsr_vector_call *call)
{
    return call->env->timing ? call->inst->accepted_at : call->env->state->now;
}

// The cycles since the last instruction, but for the one of this.
static uint64_t idle_cycles(const struct tsr_vector_call *call)
{
    const struct tsr_vector *vector = call->vector;
    const struct tsr_inflight *inst = call->inst;
    uint64_t at = own_cycle(call);
    if (call->env->timing)
        return at > vector->cycle ? at - vector->cycle - 1 : 0;
    if (vector->thread != inst->thread || inst->sequence <= vector->sequence)
        return 0;
    uint64_t between = inst->sequence - vector->sequence - 1;
    return between > 0 ? between : tsr_vector_is_held(call->env, inst, call->args);
}

bool tsr_macro_execute(struct tsr_vector_call *call)
{
    struct tsr_vector *vector = call->vector;
    uint64_t at = own_cycle(call);
    if (tsr_macro_pending(vector))
        for (uint64_t left = idle_cycles(call); left > 0; left--) {
            if (!tsr_macro_runs_on(vector))
                break;
            if (!cycle(call->env, NULL, call->env->timing ? at - left : at))
                return false;
        }
    if (!cycle(call->env, call, at))
        return false;
    vector->cycle = at;
    vector->thread = call->inst->thread;
    vector->sequence = call->inst->sequence;
    vector->holds_next = call->able && tsr_vector_holds_next(call->env, call->args);
    return true;
}
