// SPDX-License-Identifier: Apache-2.0
// The forms of UNPACR_NOP. Pages: UNPACR_NOP_ZEROSRC.md, UNPACR_NOP_SETDVALID.md,
// UNPACR_NOP_SETREG.md, UNPACR_NOP_OverlayClear.md.
#ifndef TESSERA_UNPACK_UNPACK_NOP_H
#define TESSERA_UNPACK_UNPACK_NOP_H

#include "unpack/unpack_plan.h"

// Fills what later stages read of the job. False: a finding stopped the tile.
bool tsr_unpack_nop_accept(struct tsr_env *env, struct tsr_inflight *inst);

// The place for what is known of a word.
static inline struct tsr_unpack_nop_form *tsr_unpack_nop_place(const struct tsr_env *env,
                                                               uint32_t word)
{
    _Static_assert(TSR_UNPACK_NOP_FORMS == 1 << (32 - 29), "a place for each hash");
    return &env->unpack_plans->nop_form[word * 0x9e3779b1u >> 29];
}

// NULL: there is something to report about it, or it stores to a register.
struct tsr_unpack_nop_form *tsr_unpack_nop_form_made(struct tsr_env *env, uint32_t word);
static inline struct tsr_unpack_nop_form *tsr_unpack_nop_form_of(struct tsr_env *env, uint32_t word)
{
    struct tsr_unpack_nop_form *kept = tsr_unpack_nop_place(env, word);
    return kept->word == word ? kept : tsr_unpack_nop_form_made(env, word);
}

// Reads what it samples for that thread.
void tsr_unpack_nop_sample(const struct tsr_env *env, uint8_t thread,
                           struct tsr_unpack_nop_form *form);
// It is the same as before while no configuration changes.
static inline void tsr_unpack_nop_update(const struct tsr_env *env, uint8_t thread,
                                         struct tsr_unpack_nop_form *form)
{
    if (form->changes != env->state->config.changes || form->thread != thread)
        tsr_unpack_nop_sample(env, thread, form);
}

#endif
