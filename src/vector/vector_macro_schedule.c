// SPDX-License-Identifier: Apache-2.0
// What an SFPLOADMACRO schedules for the cycles behind its own: up to four instructions, one for
// each of the other sub-units, each made of a template and what is replaced in it.
// Page: SFPLOADMACRO.md of each chip.
#include "vector/vector_macro_schedule.h"

#include "vector/vector_decode.h"

enum { SEQUENCE_BITS = 8 };

// ---------------------------------------------------------------- the schedule

void tsr_macro_recount(struct tsr_macro *macro)
{
    bool by_instructions = false;
    uint32_t next = 0;
    macro->scheduled = 0;
    for (unsigned sub = TSR_MACRO_FIRST_SUB; sub < TSR_SUB_UNITS; sub++)
        for (unsigned delay = 0; delay < TSR_MACRO_DELAYS; delay++) {
            const struct tsr_macro_slot *slot = &macro->slot[sub][delay];
            macro->scheduled += slot->count;
            next += delay == 0 ? slot->count : 0;
            for (unsigned i = 0; delay > 0 && i < slot->count; i++)
                by_instructions |= slot->of[i].counts_instructions;
        }
    macro->waiting = by_instructions ? macro->scheduled - next : 0;
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

void tsr_macro_count_down(struct tsr_macro *macro)
{
    for (unsigned sub = TSR_MACRO_FIRST_SUB; sub < TSR_SUB_UNITS; sub++) {
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
    if (fresh->mod0 == MOD0_FMT_SRCB)
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
    unsigned kind = KIND_SHIFT + part->sub - TSR_MACRO_FIRST_SUB;
    fresh.counts_instructions = macro->misc[part->column] >> kind & 1;
    if (slot->count < TSR_LANE_COLUMNS)
        slot->of[slot->count++] = fresh;
    return true;
}

// A store that some lanes schedule, all need to schedule.
static bool check_stores(const struct tsr_vector_call *call, unsigned index)
{
    enum { SHIFT = (TSR_SUB_STORE - TSR_MACRO_FIRST_SUB) * SEQUENCE_BITS, CHOICE = 7 };
    const uint32_t *sequence = call->vector->macro.sequence[index];
    unsigned stores = 0;
    for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++)
        stores += (sequence[column] >> SHIFT & CHOICE) != 0;
    return stores == 0 || stores == TSR_LANE_COLUMNS ||
           tsr_report(call->env, FINDING_VECTOR_MACRO, call->inst, NULL,
                      "SFPLOADMACRO schedules a store in some columns of lanes and not in all, "
                      "which its page forbids; it stores in those here.") != TSR_HALT;
}

bool tsr_macro_schedule(const struct tsr_vector_call *call)
{
    struct tsr_macro *macro = &call->vector->macro;
    unsigned index = tsr_arg(call->env, call->inst, OPERAND_lreg_ind) >> 2;
    unsigned columns = macro->uniform ? 1 : TSR_LANE_COLUMNS;
    if (!macro->uniform && !check_stores(call, index))
        return false;
    for (unsigned sub = TSR_MACRO_FIRST_SUB; sub < TSR_SUB_UNITS; sub++)
        for (unsigned column = 0; column < columns; column++) {
            unsigned shift = (sub - TSR_MACRO_FIRST_SUB) * SEQUENCE_BITS;
            struct part part = {sub, macro->sequence[index][column] >> shift & 0xff, column,
                                macro->uniform ? ~0u : 0x01010101u << column};
            if (!schedule(call, &part))
                return false;
        }
    tsr_macro_recount(macro);
    return true;
}
