// SPDX-License-Identifier: Apache-2.0
// SFPCONFIG: the constants, LaneConfig, and what SFPLOADMACRO is configured with; and instructions
// that are stored as templates instead of being executed. Page: SFPCONFIG.md of each chip.
#include "vector/vector_config.h"

static void note_uniform(struct tsr_macro *macro)
{
    bool uniform = true;
    for (unsigned column = 1; column < TSR_LANE_COLUMNS; column++) {
        uniform = uniform && macro->misc[column] == macro->misc[0];
        for (unsigned i = 0; i < TSR_MACROS; i++)
            uniform = uniform && macro->template_word[i][column] == macro->template_word[i][0] &&
                      macro->sequence[i][column] == macro->sequence[i][0];
    }
    macro->uniform = uniform;
}

// Whether lanes are enabled makes no difference (docs/errata.md, 407).
uint32_t tsr_vector_store_template(struct tsr_vector *vector, const struct tsr_vector_args *args)
{
    uint32_t executes = vector->lane_bit[TSR_LANE_NO_BACKDOOR];
    for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++)
        if (!(executes >> column & 1))
            vector->macro.template_word[args->vd - TSR_FIRST_TEMPLATE][column] = args->word;
    note_uniform(&vector->macro);
    return executes;
}

// ---------------------------------------------------------------- SFPCONFIG

enum {
    SEQUENCE_0 = 4,
    MISC = 8,
    RESERVED_0 = 9,
    RESERVED_1,
    FIRST_CONSTANT = TSR_LREG11,
    LANE_CONFIG = 15,
    MOD_VALUE = SFPCONFIG_MOD1_IMM16_IS_VALUE,
    MOD_MASK = SFPCONFIG_MOD1_IMM16_IS_LANE_MASK
};

static uint32_t combine(unsigned mod, uint32_t old, uint32_t value)
{
    enum { OPERATION = SFPCONFIG_MOD1_BITWISE_OR | SFPCONFIG_MOD1_BITWISE_AND };
    switch (mod & OPERATION) {
    case SFPCONFIG_MOD1_BITWISE_OR:
        return old | value;
    case SFPCONFIG_MOD1_BITWISE_AND:
        return old & value;
    case SFPCONFIG_MOD1_BITWISE_XOR:
        return old ^ value;
    default:
        return value;
    }
}

static void configure_lanes(struct tsr_vector *vector, unsigned mod, unsigned column,
                            uint32_t value)
{
    uint32_t old = vector->lane_config[column], fresh = combine(mod, old, value);
    if (mod & MOD_VALUE) // an immediate does not reach the high bits
        fresh |= old & ~0xffffu;
    tsr_vector_configure_lanes(vector, column, fresh);
}

static void set_constant(const struct tsr_vector_call *call, unsigned column, uint32_t value)
{
    struct tsr_vector *vector = call->vector;
    unsigned lreg = call->args->vd;
    uint32_t lanes = 0x01010101u << column;
    if (call->args->mod & MOD_VALUE)
        value = tsr_vector_usual[lreg - FIRST_CONSTANT];
    for (unsigned lane = column; lane < TSR_LANES; lane += TSR_LANE_COLUMNS)
        vector->lreg[lreg][lane] = value;
    bool tainted = call->taint >> column & 1 && !(call->args->mod & MOD_VALUE);
    tsr_vector_wrote(vector, lreg, lanes, tainted ? lanes : 0);
}

static void configure(const struct tsr_vector_call *call, unsigned column)
{
    struct tsr_vector *vector = call->vector;
    struct tsr_macro *macro = &vector->macro;
    unsigned which = call->args->vd, mod = call->args->mod;
    uint32_t from_lreg = call->in[0][column];
    uint32_t value = mod & MOD_VALUE ? call->args->imm : from_lreg;
    if (which < SEQUENCE_0)
        macro->template_word[which][column] = from_lreg;
    else if (which < MISC)
        macro->sequence[which - SEQUENCE_0][column] = value;
    else if (which == MISC)
        macro->misc[column] = (uint16_t)(combine(mod, macro->misc[column], value) & 0xfff);
    else if (which == LANE_CONFIG)
        configure_lanes(vector, mod, column, value);
    else if (which >= FIRST_CONSTANT && which < LANE_CONFIG) // a macro may make it 16
        set_constant(call, column, value);
}

// What the next instruction may see or not see (docs/errata.md, 401).
static void note_backdoor(const struct tsr_vector_call *call, uint32_t before)
{
    struct tsr_vector *vector = call->vector;
    if (vector->lane_bit[TSR_LANE_NO_BACKDOOR] != before)
        vector->late.backdoor = true;
}

bool tsr_vector_run_config(const struct tsr_vector_call *call)
{
    struct tsr_vector *vector = call->vector;
    unsigned which = call->args->vd;
    uint32_t backdoor = vector->lane_bit[TSR_LANE_NO_BACKDOOR];
    uint32_t columns = ~vector->use_flags | vector->flags; // of the first eight lanes
    if ((which == RESERVED_0 || which == RESERVED_1) &&
        tsr_report(call->env, FINDING_VECTOR_RESERVED, call->inst, NULL,
                   "SFPCONFIG with config_dest=%u does nothing on this silicon.",
                   which) == TSR_HALT)
        return false;
    vector->late.backdoor = false;
    for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++) {
        bool masked = call->args->mod & MOD_MASK && !(call->args->imm >> (2 * column) & 1);
        if (!masked && columns >> column & 1)
            configure(call, column);
    }
    note_uniform(&vector->macro);
    note_backdoor(call, backdoor);
    if (which == LANE_CONFIG) {
        call->env->state->matrix.kept_columns = tsr_vector_kept_columns(vector);
        tsr_vector_flags_changed(call);
    }
    return true;
}
