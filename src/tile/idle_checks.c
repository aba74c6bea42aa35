// SPDX-License-Identifier: Apache-2.0
// Checks when a tile goes idle: has the program left something behind that will hurt the next one?
// Mutexes that a thread holds, banks of SrcA and SrcB that the matrix unit owns, bank pointers that
// are out of step, disabled lanes of the vector unit, and scheduled instructions of SFPLOADMACRO
// that never came.
// Pages: ATRELM.md, SrcASrcB.md, VectorUnit.md, SFPLOADMACRO.md.
#include "tile/idle_checks.h"

#include "state/report.h"

// The instruction that did it, as the cause of a finding.
static struct tsr_inflight cause_of(const struct tsr_env *env, const struct tsr_origin *origin)
{
    return (struct tsr_inflight){.word = origin->word,
                                 .op = (uint8_t)tsr_op_of(env->isa, origin->word),
                                 .thread = origin->which,
                                 .sequence = origin->sequence};
}

static void check_mutexes(struct tsr_env *env)
{
    for (unsigned i = 0; i < TSR_MUTEXES; i++) {
        const struct tsr_mutex *mutex = &env->state->sync.mutex[i];
        if (mutex->held_by == 0)
            continue;
        struct tsr_inflight cause = cause_of(env, &mutex->acquired);
        tsr_report(env, FINDING_MUTEX_LEFT, &cause, NULL,
                   "The tile is idle and thread %u holds mutex %u, which this instruction took.",
                   mutex->held_by - 1u, i);
    }
}

static void check_banks(struct tsr_env *env, int side)
{
    const struct tsr_src *src = &env->state->src[side];
    const struct tsr_src_shadow *shadow = env->state->src_shadow[side];
    unsigned owned = 0;
    for (unsigned i = 0; i < 2; i++) {
        if (!src->bank[i].matrix_owns)
            continue;
        owned++;
        struct tsr_inflight cause = cause_of(env, &shadow[i].released_by);
        tsr_report(env, FINDING_SRC_BANK_LEFT, &cause, NULL,
                   "The tile is idle and the matrix unit owns Src%c bank %u, which this "
                   "instruction handed over; it was %s and not given back.",
                   'A' + side, i, shadow[i].read ? "read" : "never read");
    }
    // One bank that the matrix unit owns puts the unpackers one ahead; none or two leave both
    // pointers at the same bank.
    bool apart = src->unpacker_bank != src->matrix_bank;
    if (apart == (owned == 1) && (owned != 1 || src->bank[src->matrix_bank].matrix_owns))
        return;
    struct tsr_inflight cause = cause_of(env, &shadow[0].released_by);
    tsr_report(env, FINDING_SRC_BANK_PARITY, shadow[0].released_by.kind ? &cause : NULL, NULL,
               "The tile is idle, the unpackers go on with Src%c bank %u and the matrix unit with "
               "bank %u, while the matrix unit owns %u of them.",
               'A' + side, (unsigned)src->unpacker_bank, (unsigned)src->matrix_bank, owned);
}

static void check_lanes(struct tsr_env *env)
{
    const struct tsr_vector *vector = &env->state->vector;
    if (vector->enabled == ~0u)
        return;
    struct tsr_inflight cause = cause_of(env, &vector->disabled_by);
    tsr_report(env, FINDING_VECTOR_LANES_LEFT, vector->disabled_by.kind ? &cause : NULL, NULL,
               "The tile is idle and the vector unit's lanes of mask 0x%08x are disabled; this "
               "instruction was the last to change which ones are.",
               (unsigned)~vector->enabled);
}

static void check_macros(struct tsr_env *env)
{
    const struct tsr_macro *macro = &env->state->vector.macro;
    if (macro->scheduled == 0)
        return;
    const struct tsr_scheduled *left = NULL;
    for (unsigned sub = 0; !left && sub < TSR_SUB_UNITS; sub++)
        for (unsigned delay = 0; !left && delay < TSR_MACRO_DELAYS; delay++)
            if (macro->slot[sub][delay].count > 0)
                left = &macro->slot[sub][delay].of[0];
    if (!left)
        return;
    struct tsr_inflight cause = {.word = left->macro,
                                 .op = (uint8_t)tsr_op_of(env->isa, left->macro),
                                 .thread = left->thread,
                                 .sequence = left->sequence};
    tsr_report(env, FINDING_VECTOR_MACRO_LEFT, &cause, NULL,
               "The tile is idle and %u instructions that SFPLOADMACRO has scheduled wait for "
               "further vector instructions, %s of this one among them.",
               (unsigned)macro->scheduled, tsr_op_name(tsr_op_of(env->isa, left->word)));
}

void tsr_check_idle(struct tsr_env *env)
{
    check_mutexes(env);
    check_banks(env, TSR_SRCA);
    check_banks(env, TSR_SRCB);
    check_lanes(env);
    check_macros(env);
}
