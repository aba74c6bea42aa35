// SPDX-License-Identifier: Apache-2.0
// Where sequences are kept: two places for each hash of what they depend on.
#include "matrix/matrix_sequences.h"

#include "matrix/matrix_block_make.h"

static struct tsr_matrix_sequence_key key_of(const struct tsr_env *env, int thread,
                                             const struct tsr_matrix_plan *plan)
{
    struct tsr_matrix_sequence_key key = {
        .stamp = plan->stamp,
        .before = env->state->rwcs.thread[thread],
        .tags = (uint16_t)tsr_sequence_tags(env, plan),
    };
    return key;
}

static unsigned hash_of(const tsr_rwc *rwc, const struct tsr_matrix_plan *plan, int thread,
                        const uint32_t *words, unsigned count)
{
    uint32_t hash = words[0] * 0x9e3779b1u ^ words[count > 1] * 0x85ebca6bu;
    hash ^= (uint32_t)rwc->dst * 0xc2b2ae35u + (uint32_t)rwc->srca * 0x27d4eb2fu +
            (uint32_t)(rwc->fidelity << 8 | thread << 4 | plan->start.fidelity_base) * 0x165667b1u +
            count;
    return (hash ^ hash >> 15) * 0x9e3779b1u >> 26;
}
_Static_assert(TSR_SEQUENCES == 2 << (32 - 26), "a pair of places for each hash");

struct tsr_matrix_sequence *tsr_matrix_sequence_find(struct tsr_env *env, int thread,
                                                     const struct tsr_matrix_plan *plan,
                                                     const uint32_t *words, unsigned count)
{
    struct tsr_matrix_plans *plans = env->matrix_plans;
    bool timing = env->timing;
    unsigned hash =
        hash_of(&env->state->rwcs.thread[thread], plan, thread, words, timing ? 2 : count);
    struct tsr_matrix_sequence *pair = &plans->sequence[2 * hash];
    uint8_t recent = plans->recent[hash];
    if (tsr_sequence_is_for(env, &pair[recent], thread, plan, words, count, timing))
        return &pair[recent];
    recent ^= 1;
    plans->recent[hash] = recent;
    if (tsr_sequence_is_for(env, &pair[recent], thread, plan, words, count, timing))
        return &pair[recent];
    pair[recent].from = key_of(env, thread, plan);
    if (!tsr_matrix_sequence_make(env, thread, plan, words, count, &pair[recent]))
        return NULL;
    return &pair[recent];
}
