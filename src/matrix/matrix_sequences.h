// SPDX-License-Identifier: Apache-2.0
// Which sequence (matrix_sequence.h) a thread's next words are: one that is kept, or a new one.
#ifndef TESSERA_MATRIX_MATRIX_SEQUENCES_H
#define TESSERA_MATRIX_MATRIX_SEQUENCES_H

#include "base/bits.h"
#include "matrix/matrix_plan.h"

#include <string.h>

// The implied formats of the two banks, as far as they matter.
static inline unsigned tsr_sequence_tags(const struct tsr_env *env,
                                         const struct tsr_matrix_plan *plan)
{
    const struct tsr_src *src = env->state->src;
    const bool *implied = plan->start.implied;
    unsigned tags = 0;
    if (implied[TSR_SRCA])
        tags = src[TSR_SRCA].bank[src[TSR_SRCA].matrix_bank].implied_format;
    if (implied[TSR_SRCB])
        tags |= (unsigned)src[TSR_SRCB].bank[src[TSR_SRCB].matrix_bank].implied_format << 8;
    return tags;
}

// With timing off a sequence is all of the words that it can be. With timing on only the first of
// them may be asked for: the clock ends a block anywhere.
static inline bool tsr_sequence_has_words(const struct tsr_matrix_sequence *sequence,
                                          const uint32_t *words, unsigned count, bool timing)
{
    unsigned same = sequence->words > 0 ? sequence->words : 1;
    if (timing && same > count)
        same = count;
    else if (sequence->ends ? same > count : same != count)
        return false; // it could be longer now
    for (unsigned i = 0; i < same; i++)
        if (sequence->word[i] != words[i])
            return false;
    return true;
}

// It was made with the plan, the counters and the formats that are there now.
static inline bool tsr_sequence_begins_here(const struct tsr_env *env,
                                            const struct tsr_matrix_sequence *sequence, int thread,
                                            const struct tsr_matrix_plan *plan)
{
    const struct tsr_matrix_sequence_key *from = &sequence->from;
    return from->stamp == plan->stamp &&
           memcmp(&from->before, &env->state->rwcs.thread[thread], sizeof from->before) == 0 &&
           from->tags == tsr_sequence_tags(env, plan);
}

static inline bool tsr_sequence_is_for(const struct tsr_env *env,
                                       const struct tsr_matrix_sequence *sequence, int thread,
                                       const struct tsr_matrix_plan *plan, const uint32_t *words,
                                       unsigned count, bool timing)
{
    return tsr_sequence_begins_here(env, sequence, thread, plan) &&
           tsr_sequence_has_words(sequence, words, count, timing);
}

// By what it depends on. NULL: nothing executes as one now.
struct tsr_matrix_sequence *tsr_matrix_sequence_find(struct tsr_env *env, int thread,
                                                     const struct tsr_matrix_plan *plan,
                                                     const uint32_t *words, unsigned count);

// The one that came after the last one the last time; NULL: it is another one.
TSR_INLINE const struct tsr_matrix_sequence *
tsr_matrix_sequence_next(const struct tsr_env *env, int thread, const struct tsr_matrix_plan *plan,
                         const uint32_t *words, unsigned count, bool timing)
{
    const struct tsr_matrix_plans *plans = env->matrix_plans;
    const struct tsr_matrix_sequence *sequence = &plans->sequence[plans->after[plans->latest]];
    TSR_FOUND(sequence);
    return tsr_sequence_is_for(env, sequence, thread, plan, words, count, timing) ? sequence : NULL;
}

// Most often that. NULL: nothing executes as one now. `timing`: env->timing.
TSR_INLINE const struct tsr_matrix_sequence *
tsr_matrix_sequence_of(struct tsr_env *env, int thread, const struct tsr_matrix_plan *plan,
                       const uint32_t *words, unsigned count, bool timing)
{
    struct tsr_matrix_plans *plans = env->matrix_plans;
    const struct tsr_matrix_sequence *sequence =
        tsr_matrix_sequence_next(env, thread, plan, words, count, timing);
    if (sequence)
        return sequence;
    sequence = tsr_matrix_sequence_find(env, thread, plan, words, count);
    if (sequence)
        plans->after[plans->latest] = (uint8_t)(sequence - plans->sequence);
    return sequence;
}

// The sequence that tsr_matrix_sequence_of() has found executes.
static inline void tsr_matrix_sequence_ran(struct tsr_matrix_plans *plans)
{
    plans->latest = plans->after[plans->latest];
}

#endif
