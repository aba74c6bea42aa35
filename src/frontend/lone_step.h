// SPDX-License-Identifier: Apache-2.0
// With timing on: a word of a lone thread that its unit takes as a whole, and the cycles up to the
// next word (lone_step.c).
#ifndef TESSERA_FRONTEND_LONE_STEP_H
#define TESSERA_FRONTEND_LONE_STEP_H

#include "frontend/lone_words.h"
#include "matrix/banks.h"

// The word at the gate could be such (tsr_route.timed_whole), and lone->steps. From the present
// cycle on, whose units have advanced: issues the word, and goes on to the cycle in which the
// thread may issue the next one, or in which the bank that it waits for is there, as long as that
// is before `until`. True: the clock stands in the cycle in which it was issued, before the FIFOs
// move; false: in a later one, if it was issued, and the units have advanced.
bool tsr_lone_step(struct lone *lone, uint64_t until);
// A latched wait, or that for a bank, held the word at the gate before: goes on to the cycle in
// which it no longer does, if that is before `until`. True: it does until then, and nothing is to
// be done before.
bool tsr_lone_waits_on(struct lone *lone, uint64_t until);
// A word was issued in the present cycle, before the FIFOs move: goes on to the cycle in which the
// thread may issue the next one. False: that is for a round of its own.
bool tsr_lone_goes_on(struct lone *lone, uint64_t until);

// The bank that a word waits for is not the matrix unit's. TSR_REASON_NONE: it is, or something
// else is to be said: what has executed may be about to give it back.
TSR_INLINE tsr_reason tsr_lone_missing_bank(const struct lone *lone, uint8_t waits)
{
    const struct tsr_src *a = &lone->state->src[TSR_SRCA], *b = &lone->state->src[TSR_SRCB];
    if (waits & TSR_SIDE_A && !a->bank[a->matrix_bank].matrix_owns)
        return TSR_REASON_SRCA;
    if (!(waits & TSR_SIDE_B) || b->bank[b->matrix_bank].matrix_owns ||
        (waits & TSR_SIDE_A && tsr_matrix_releases(&lone->engine->env, TSR_SRCA, a->matrix_bank)))
        return TSR_REASON_NONE;
    return TSR_REASON_SRCB;
}

#endif
