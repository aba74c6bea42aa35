// SPDX-License-Identifier: Apache-2.0
// Conditional execution: SFPENCC, SFPSETCC, SFPLE and SFPGT, and the flag stack with SFPPUSHC,
// SFPPOPC and SFPCOMPC. All of it is masks, a bit for each lane: the stack may be of another depth
// in each lane, as LaneConfig may make templates of these instructions in some columns.
// Pages: those named after the instructions.
#include "vector/vector_flags.h"

bool tsr_vector_run_encc(const struct tsr_vector_call *call)
{
    struct tsr_vector *vector = call->vector;
    unsigned mod = call->args->mod, imm = call->args->imm;
    uint32_t use = vector->use_flags;
    if (mod & SFPENCC_MOD1_EI)
        use = imm & SFPENCC_IMM2_E ? ~0u : 0;
    else if (mod & SFPENCC_MOD1_EC)
        use = ~use;
    vector->use_flags = (vector->use_flags & ~call->able) | (use & call->able);
    bool set = !(mod & SFPENCC_MOD1_RI) || imm & SFPENCC_IMM2_R;
    tsr_vector_set_flags(call, set ? ~0u : 0, call->able);
    return true;
}

bool tsr_vector_run_setcc(const struct tsr_vector_call *call)
{
    const struct tsr_vector *vector = call->vector;
    const struct tsr_vector_args *args = call->args;
    bool immediate = args->mod & SFPSETCC_MOD1_IMM_BIT0;
    uint32_t flags = 0;
    if (immediate)
        flags = args->imm & 1 ? ~0u : 0;
    else // negative, or not 0 (vector_decode.c)
        flags = args->kernel(NULL, NULL, NULL, tsr_vector_c(call), ~0u, &args->mode);
    if (args->mod & SFPSETCC_MOD1_CLEAR)
        flags = 0;
    else if (!immediate && args->mod & SFPSETCC_MOD1_LREG_GTE0) // the opposite
        flags = ~flags;
    tsr_vector_set_flags(call, flags & vector->use_flags, call->lanes);
    return true;
}

// ---------------------------------------------------------------- the stack

struct top {
    uint32_t flags, use, full, any; // `full`, `any`: lanes whose stack is full, or not empty
};

static struct top top_of(const struct tsr_vector *vector)
{
    struct top top = {.any = vector->depth[0], .full = vector->depth[TSR_FLAG_STACK - 1]};
    for (unsigned level = 0; level < TSR_FLAG_STACK; level++) {
        uint32_t above = level + 1 < TSR_FLAG_STACK ? vector->depth[level + 1] : 0;
        uint32_t here = vector->depth[level] & ~above;
        top.flags |= vector->stack_flags[level] & here;
        top.use |= vector->stack_use[level] & here;
    }
    return top;
}

static void store(struct tsr_vector *vector, unsigned level, uint32_t lanes, uint32_t flags,
                  uint32_t use)
{
    vector->stack_flags[level] = (vector->stack_flags[level] & ~lanes) | (flags & lanes);
    vector->stack_use[level] = (vector->stack_use[level] & ~lanes) | (use & lanes);
}

static void set_top(struct tsr_vector *vector, uint32_t lanes, uint32_t flags, uint32_t use)
{
    for (unsigned level = 0; level < TSR_FLAG_STACK; level++) {
        uint32_t above = level + 1 < TSR_FLAG_STACK ? vector->depth[level + 1] : 0;
        store(vector, level, lanes & vector->depth[level] & ~above, flags, use);
    }
}

// BooleanOp of SFPPOPC.md: `b` is what the page calls so.
static uint32_t boolean(unsigned mod, uint32_t a, uint32_t b)
{
    switch (mod) {
    case 1:
        return b;
    case 2:
        return ~b;
    case 3:
        return a & b;
    case 4:
        return a | b;
    case 5:
        return a & ~b;
    case 6:
        return a | ~b;
    case 7:
        return ~a & b;
    case 8:
        return ~a | b;
    case 9:
        return ~a & ~b;
    case 10:
        return ~a | ~b;
    case 11:
        return a ^ b;
    default: // 12
        return ~(a ^ b);
    }
}

enum { BOOLEANS_TO = 12, INVERT = 13, ALL_TRUE = 14, ALL_FALSE = 15 };

// Of a full stack the bottom is overwritten (docs/errata.md, 406).
static bool push(const struct tsr_vector_call *call, const struct top *top)
{
    struct tsr_vector *vector = call->vector;
    uint32_t over = top->full & call->able, left = call->able & ~over;
    if (over && tsr_report(call->env, FINDING_VECTOR_STACK, call->inst, NULL,
                           "SFPPUSHC finds eight entries on the flag stack in the lanes of mask "
                           "0x%08x; it overwrites the oldest here.",
                           (unsigned)over) == TSR_HALT)
        return false;
    store(vector, 0, over, vector->flags, vector->use_flags);
    for (unsigned level = 0; level < TSR_FLAG_STACK; level++) {
        uint32_t here = left & ~vector->depth[level];
        store(vector, level, here, vector->flags, vector->use_flags);
        vector->depth[level] |= here;
        left &= ~here;
    }
    return true;
}

// Blackhole's other modes replace the top.
static bool replace_top(const struct tsr_vector_call *call, const struct top *top)
{
    struct tsr_vector *vector = call->vector;
    unsigned mod = call->args->mod;
    uint32_t none = call->able & ~top->any;
    if (none && tsr_report(call->env, FINDING_VECTOR_STACK, call->inst, NULL,
                           "SFPPUSHC with instr_mod1=%u changes the top of a flag stack that is "
                           "empty in the lanes of mask 0x%08x; it changes nothing there here.",
                           mod, (unsigned)none) == TSR_HALT)
        return false;
    if (mod == INVERT) {
        tsr_vector_set_flags(call, ~vector->flags, call->able & top->any);
        set_top(vector, call->able, vector->flags, vector->use_flags);
    } else if (mod <= BOOLEANS_TO) {
        set_top(vector, call->able, boolean(mod, top->flags, vector->flags), vector->use_flags);
    } else {
        set_top(vector, call->able, mod == ALL_TRUE ? ~0u : 0, ~0u);
    }
    return true;
}

bool tsr_vector_run_pushc(const struct tsr_vector_call *call)
{
    struct top top = top_of(call->vector);
    bool plain = call->env->chip->arch == TSR_WORMHOLE_B0 || call->args->mod == 0;
    return plain ? push(call, &top) : replace_top(call, &top);
}

static void set_both(const struct tsr_vector_call *call, uint32_t flags, uint32_t use)
{
    struct tsr_vector *vector = call->vector;
    vector->use_flags = (vector->use_flags & ~call->able) | (use & call->able);
    tsr_vector_set_flags(call, flags, call->able);
}

// An empty stack gives entries of false and stays empty (docs/errata.md, 406).
static bool pop(const struct tsr_vector_call *call, const struct top *top)
{
    struct tsr_vector *vector = call->vector;
    uint32_t none = call->able & ~top->any;
    if (none && tsr_report(call->env, FINDING_VECTOR_STACK, call->inst, NULL,
                           "SFPPOPC pops from a flag stack that is empty in the lanes of mask "
                           "0x%08x; it takes false for both here.",
                           (unsigned)none) == TSR_HALT)
        return false;
    for (unsigned level = 0; level < TSR_FLAG_STACK; level++) {
        uint32_t above = level + 1 < TSR_FLAG_STACK ? vector->depth[level + 1] : 0;
        vector->depth[level] &= ~(call->able & ~above);
    }
    set_both(call, top->flags, top->use);
    return true;
}

// Wormhole's other modes write the top into the bottom of a full stack.
static bool peek_full(const struct tsr_vector_call *call, const struct top *top)
{
    uint32_t full = call->able & top->full;
    if (!full || call->env->chip->arch != TSR_WORMHOLE_B0)
        return true;
    if (tsr_report(call->env, FINDING_VECTOR_STACK_BUG, call->inst, NULL,
                   "SFPPOPC with instr_mod1=%u and a full flag stack overwrites the oldest entry "
                   "with the newest (a defect of Wormhole).",
                   (unsigned)call->args->mod) == TSR_HALT)
        return false;
    store(call->vector, 0, full, top->flags, top->use);
    return true;
}

bool tsr_vector_run_popc(const struct tsr_vector_call *call)
{
    struct tsr_vector *vector = call->vector;
    struct top top = top_of(vector);
    unsigned mod = call->args->mod;
    if (mod == 0)
        return pop(call, &top);
    if (!peek_full(call, &top))
        return false;
    if (mod <= BOOLEANS_TO)
        set_both(call, boolean(mod, vector->flags, top.flags), top.use);
    else if (mod == INVERT)
        tsr_vector_set_flags(call, ~vector->flags, call->able);
    else
        set_both(call, mod == ALL_TRUE ? ~0u : 0, ~0u);
    return true;
}

bool tsr_vector_run_compc(const struct tsr_vector_call *call)
{
    const struct tsr_vector *vector = call->vector;
    struct top top = top_of(vector);
    uint32_t flags = top.flags | ~top.any, use = top.use | ~top.any;
    tsr_vector_set_flags(call, use & vector->use_flags & flags & ~vector->flags, call->able);
    return true;
}

// ---------------------------------------------------------------- SFPLE, SFPGT

// VD <= VC and its opposite, into VD, the flags and the top of the stack, each if asked: SFPGT has
// SFPLE's modifiers.
static bool compare(const struct tsr_vector_call *call, bool greater)
{
    struct tsr_vector *vector = call->vector;
    const struct tsr_vector_args *args = call->args;
    unsigned mod = args->mod;
    uint32_t d[TSR_LANES];
    uint32_t holds =
        args->kernel(NULL, NULL, tsr_vector_c(call), tsr_vector_b(call), ~0u, &args->mode);
    if (!greater)
        holds = ~holds;
    for (unsigned i = 0; i < TSR_LANES; i++)
        d[i] = holds >> i & 1 ? ~0u : 0;
    if (mod & SFPLE_MOD1_SET_VD)
        tsr_vector_put(call, args->vd, d, call->lanes);
    if (mod & SFPLE_MOD1_MUTATE_STACK) {
        struct top top = top_of(vector);
        set_top(vector, call->able,
                mod & SFPLE_MOD1_MUTATE_OR ? top.flags | holds : top.flags & holds, top.use);
    }
    if (mod & SFPLE_MOD1_SET_CC)
        tsr_vector_set_flags(call, holds, call->lanes);
    return true;
}

bool tsr_vector_run_le(const struct tsr_vector_call *call)
{
    return compare(call, false);
}

bool tsr_vector_run_gt(const struct tsr_vector_call *call)
{
    return compare(call, true);
}
