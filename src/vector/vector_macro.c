// SPDX-License-Identifier: Apache-2.0
// SFPLOADMACRO: after its load it schedules up to four instructions, one for each of the other
// sub-units. All that executes in a cycle, scheduled or issued, reads what was there before the
// cycle; results of two cycles come at the end of the next one. With timing off a cycle is one
// instruction of the thread: those that it gives to other units count (docs/errata.md, 408), and so
// does a cycle for which the unit holds an instruction.
// Page: SFPLOADMACRO.md of each chip.
#include "vector/vector_macro.h"

#include "numerics/sfpu.h"
#include "vector/vector_decode.h"
#include "vector/vector_dst.h"
#include "vector/vector_hazards.h"
#include "vector/vector_step.h"

enum { FIRST_SUB = TSR_SUB_SIMPLE, SUBS = TSR_SUB_UNITS - FIRST_SUB, SEQUENCE_BITS = 8 };

// ---------------------------------------------------------------- the schedule

static void recount(struct tsr_macro *macro)
{
    bool by_instructions = false;
    uint32_t next = 0;
    macro->scheduled = 0;
    for (unsigned sub = FIRST_SUB; sub < TSR_SUB_UNITS; sub++)
        for (unsigned delay = 0; delay < TSR_MACRO_DELAYS; delay++) {
            const struct tsr_macro_slot *slot = &macro->slot[sub][delay];
            macro->scheduled += slot->count;
            next += delay == 0 ? slot->count : 0;
            for (unsigned i = 0; delay > 0 && i < slot->count; i++)
                by_instructions |= slot->of[i].counts_instructions;
        }
    macro->waiting = by_instructions ? macro->scheduled - next : 0;
}

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
    recount(&vector->macro);
}

// ForgetFutureInstructionWhoseDelayIs, for some lanes.
static void forget(struct tsr_macro_slot *slot, uint32_t lanes)
{
    unsigned left = 0;
    for (unsigned i = 0; i < slot->count; i++) {
        slot->of[i].lanes &= ~lanes;
        if (slot->of[i].lanes)
            slot->of[left++] = slot->of[i];
    }
    slot->count = (uint8_t)left;
}

static void count_down(struct tsr_macro *macro)
{
    for (unsigned sub = FIRST_SUB; sub < TSR_SUB_UNITS; sub++) {
        for (unsigned delay = 0; delay + 1 < TSR_MACRO_DELAYS; delay++)
            if (macro->slot[sub][delay].count || macro->slot[sub][delay + 1].count)
                macro->slot[sub][delay] = macro->slot[sub][delay + 1];
        macro->slot[sub][TSR_MACRO_DELAYS - 1].count = 0;
    }
}

// ---------------------------------------------------------------- scheduling

// One sub-unit's part of a sequence, for lanes that are configured alike.
struct part {
    unsigned sub, bits, column;
    uint32_t lanes;
};

static bool can_execute(const struct tsr_env *env, unsigned sub, enum tsr_op op)
{
    if (op == OP_SFPNOP)
        return sub != TSR_SUB_STORE;
    return op != OP_NONE && env->isa->issue_unit[op] == ISSUE_VECTOR &&
           env->isa->sub_unit[op] == sub;
}

static bool undefined(const struct tsr_vector_call *call, const char *what)
{
    return tsr_report(call->env, FINDING_VECTOR_MACRO, call->inst, NULL,
                      "SFPLOADMACRO %s, which is undefined; nothing is scheduled there here.",
                      what) != TSR_HALT;
}

static uint32_t plain_word(const struct tsr_isa *isa, enum tsr_op op)
{
    unsigned opcode = 0;
    while (opcode < 255 && isa->op_of_opcode[opcode] != op)
        opcode++;
    return (uint32_t)opcode << 24;
}

// The instruction that a sequence names: 0 for none. False: a finding stopped the tile.
static bool choose(const struct tsr_vector_call *call, const struct part *part, uint32_t *word)
{
    enum { NOTHING, UNDEFINED, NOP, STORE, FIRST_TEMPLATE, CHOICE = 7 };
    const struct tsr_env *env = call->env;
    unsigned choice = part->bits & CHOICE;
    *word = 0;
    if (choice == NOTHING)
        return true;
    if (choice == UNDEFINED)
        return undefined(call, "has a sequence with template 1");
    if (choice == NOP)
        *word = plain_word(env->isa, OP_SFPNOP);
    else if (choice == STORE)
        *word = plain_word(env->isa, OP_SFPSTORE);
    else
        *word = call->vector->macro.template_word[choice - FIRST_TEMPLATE][part->column];
    if (can_execute(env, part->sub, tsr_op_of(env->isa, *word)))
        return true;
    if (part->sub != TSR_SUB_STORE) {
        *word = plain_word(env->isa, OP_SFPNOP);
        return true;
    }
    *word = 0;
    return undefined(call, "schedules what is no SFPSTORE for the store sub-unit");
}

// The operands that the SFPLOADMACRO replaces.
static void replace(const struct tsr_vector_call *call, const struct part *part,
                    struct tsr_scheduled *fresh)
{
    enum { TO_B = 0x80, KEEP_VD = 0x80, TO_L16 = 0x40, STORE_MODE = 15, LOAD_MODE_SHIFT = 4 };
    const struct tsr_vector_plan *plan = tsr_vector_plan_for(call->env, call->inst->thread);
    const struct tsr_vector_args *given = tsr_vector_args_of(call->env, fresh->word);
    unsigned loaded = call->args->vd, bits = part->bits;
    unsigned macro = tsr_arg(call->env, call->inst, OPERAND_lreg_ind) >> 2;
    uint16_t misc = call->vector->macro.misc[part->column];
    fresh->vd = bits & TO_L16 ? TSR_LREG_MACRO : (uint8_t)loaded;
    if (part->sub != TSR_SUB_STORE) {
        fresh->vb = bits & TO_B ? (uint8_t)loaded : given->vb;
        fresh->vc = bits & TO_B ? given->vc : (uint8_t)loaded;
        return;
    }
    if (!(bits & TO_L16) && bits & KEEP_VD)
        fresh->vd = given->vd;
    fresh->mod0 = misc >> (LOAD_MODE_SHIFT + macro) & 1 ? call->args->mod : misc & STORE_MODE;
    if (fresh->mod0 == TSR_SFPU_SRCB)
        fresh->mod0 = plan->srcb_mode;
    fresh->address = call->job->address;
    fresh->order = call->job->order;
}

static bool schedule(const struct tsr_vector_call *call, const struct part *part)
{
    enum { DELAY_SHIFT = 3, KIND_SHIFT = 8 };
    struct tsr_macro *macro = &call->vector->macro;
    unsigned delay = part->bits >> DELAY_SHIFT & (TSR_MACRO_DELAYS - 1);
    struct tsr_macro_slot *slot = &macro->slot[part->sub][delay];
    struct tsr_scheduled fresh = {.lanes = part->lanes,
                                  .thread = call->inst->thread,
                                  .macro = call->inst->word,
                                  .sequence = call->inst->sequence};
    if (!choose(call, part, &fresh.word))
        return false;
    if (!fresh.word) // forgets nothing, either (docs/errata.md, 410)
        return true;
    if (delay != TSR_MACRO_DELAYS - 1)
        forget(slot, part->lanes);
    replace(call, part, &fresh);
    unsigned kind = KIND_SHIFT + part->sub - FIRST_SUB;
    fresh.counts_instructions = macro->misc[part->column] >> kind & 1;
    if (slot->count < TSR_LANE_COLUMNS)
        slot->of[slot->count++] = fresh;
    return true;
}

// A store that some lanes schedule, all need to schedule.
static bool check_stores(const struct tsr_vector_call *call, unsigned index)
{
    enum { SHIFT = (TSR_SUB_STORE - FIRST_SUB) * SEQUENCE_BITS, CHOICE = 7 };
    const uint32_t *sequence = call->vector->macro.sequence[index];
    unsigned stores = 0;
    for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++)
        stores += (sequence[column] >> SHIFT & CHOICE) != 0;
    return stores == 0 || stores == TSR_LANE_COLUMNS ||
           tsr_report(call->env, FINDING_VECTOR_MACRO, call->inst, NULL,
                      "SFPLOADMACRO schedules a store in some columns of lanes and not in all, "
                      "which its page forbids; it stores in those here.") != TSR_HALT;
}

// What the sequence that the SFPLOADMACRO names has for each sub-unit.
static bool schedule_all(const struct tsr_vector_call *call)
{
    struct tsr_macro *macro = &call->vector->macro;
    unsigned index = tsr_arg(call->env, call->inst, OPERAND_lreg_ind) >> 2;
    unsigned columns = macro->uniform ? 1 : TSR_LANE_COLUMNS;
    if (!macro->uniform && !check_stores(call, index))
        return false;
    for (unsigned sub = FIRST_SUB; sub < TSR_SUB_UNITS; sub++)
        for (unsigned column = 0; column < columns; column++) {
            unsigned shift = (sub - FIRST_SUB) * SEQUENCE_BITS;
            struct part part = {sub, macro->sequence[index][column] >> shift & 0xff, column,
                                macro->uniform ? ~0u : 0x01010101u << column};
            if (!schedule(call, &part))
                return false;
        }
    recount(macro);
    return true;
}

// ---------------------------------------------------------------- a cycle

// A scheduled instruction as it runs: the template's operands, with those that were replaced.
struct running {
    struct tsr_vector_args args;
    struct tsr_vector_job job;
    struct tsr_inflight inst; // for findings
    uint32_t lanes;
};

static void prepare(const struct tsr_env *env, const struct tsr_scheduled *scheduled,
                    struct running *out)
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
    if (logic && env->chip->arch != TSR_WORMHOLE_B0 && !(given->mod & 1))
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
    enum { ROTATE_COPY4 = 2 };
    uint32_t vd = 1u << args->vd, vc = 1u << args->vc;
    if (args->op == OP_SFPSWAP)
        return vd | vc | 1u << (4 + (args->vd & 3)) | 1u << (4 + (args->vc & 3));
    if (args->shuffles)
        return args->mod == ROTATE_COPY4 ? 0xf : vd;
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

// What a sub-unit has in a cycle, scheduled or issued; `args` is NULL for nothing and for SFPNOP.
struct busy {
    const struct tsr_vector_args *args;
    const struct tsr_inflight *inst;
    bool scheduled;
};

// A word that is stored as a template does not execute.
static bool executes(const struct tsr_vector_call *issued)
{
    enum { FIRST_TEMPLATE = 12 };
    const struct tsr_vector_args *args = issued->args;
    return !args->has_vd || args->vd < FIRST_TEMPLATE ||
           issued->vector->lane_bit[TSR_LANE_NO_BACKDOOR];
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

// The issued instruction meets a scheduled one in its sub-unit and is gone. `discarded` says so.
static bool meet(struct tsr_vector_call *issued, const struct running *running, unsigned count,
                 bool *discarded)
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

static bool check_cycle(struct tsr_env *env, const struct tsr_vector_call *issued,
                        const struct running *running, unsigned count)
{
    struct busy of[TSR_SUB_UNITS] = {0};
    if (issued && executes(issued))
        note_busy(of, &(struct busy){issued->args, issued->inst, false});
    for (unsigned i = 0; i < count; i++)
        note_busy(of, &(struct busy){&running[i].args, &running[i].inst, true});
    return check_together(env, of);
}

static bool run_scheduled(struct tsr_env *env, struct running *running, uint32_t enabled,
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
    struct running running[SUBS * TSR_LANE_COLUMNS];
    unsigned count = 0;
    uint32_t enabled = vector->enabled, late = macro->late[0].lregs;
    bool discarded;
    for (unsigned sub = TSR_SUB_UNITS; sub-- > FIRST_SUB;)
        for (unsigned i = 0; i < macro->slot[sub][0].count; i++) {
            running[count] = (struct running){0};
            prepare(env, &macro->slot[sub][0].of[i], &running[count]);
            if (running[count].args.op == OP_SFPNOP)
                running[count].args.sub_unit = (uint8_t)sub;
            count++;
        }
    memcpy(macro->before, vector->lreg, sizeof macro->before);
    read_again(vector);
    if (!meet(issued, running, count, &discarded) ||
        !check_cycle(env, discarded ? NULL : issued, running, count))
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
    for (unsigned sub = FIRST_SUB; sub < TSR_SUB_UNITS; sub++)
        macro->slot[sub][0].count = 0;
    if (issued || macro->waiting == 0)
        count_down(macro);
    recount(macro);
    if (issued && !discarded && issued->args->op == OP_SFPLOADMACRO)
        return schedule_all(issued);
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
