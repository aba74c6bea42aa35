// SPDX-License-Identifier: Apache-2.0
// A word's operands, decoded once (vector_decode.c).
#ifndef TESSERA_VECTOR_VECTOR_DECODE_H
#define TESSERA_VECTOR_VECTOR_DECODE_H

#include "vector/vector_plan.h"

void tsr_vector_args_make(const struct tsr_env *env, uint32_t word, struct tsr_vector_args *args);
// What an instruction reads and writes, from its operands: again when SFPLOADMACRO replaces some.
void tsr_vector_args_reads(const struct tsr_env *env, struct tsr_vector_args *args);

// Whether VA, or VD, comes from L7, in each lane another.
bool tsr_vector_names_va(const struct tsr_vector_args *args);
bool tsr_vector_names_vd(const struct tsr_vector_args *args);

static inline const struct tsr_vector_args *tsr_vector_args_of(const struct tsr_env *env,
                                                               uint32_t word)
{
    struct tsr_vector_args *args = &env->vector_plans->args[word * 0x9e3779b1u >> 24];
    if (args->word != word)
        tsr_vector_args_make(env, word, args);
    return args;
}

#endif
