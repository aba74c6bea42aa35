// SPDX-License-Identifier: Apache-2.0
// The blocks of vector instructions that are kept (vector_blocks.c) from one run to the next.
// Page: VectorUnit.md.
#ifndef TESSERA_VECTOR_VECTOR_BLOCKS_H
#define TESSERA_VECTOR_VECTOR_BLOCKS_H

#include "vector/vector_block_make.h"
#include "vector/vector_plan.h"

#include <string.h>

enum {
    TSR_VECTOR_SETS = 16,
    TSR_VECTOR_WAYS = 4,
    TSR_VECTOR_BLOCKS = TSR_VECTOR_SETS * TSR_VECTOR_WAYS
};

// What is kept between runs.
struct tsr_vector_blocks {
    struct tsr_vector_block *asked;   // that tsr_vector_kept_block() has just found
    struct tsr_inflight inst;         // the word that executes now
    struct tsr_vector_call call;      // ... by its run function
    uint32_t hash[TSR_VECTOR_BLOCKS]; // of how the words begin that were offered there; 0: none
    uint8_t oldest[TSR_VECTOR_SETS];  // way of a set
    struct tsr_vector_block block[TSR_VECTOR_BLOCKS];
};

// NULL: no memory.
struct tsr_vector_blocks *tsr_vector_blocks_create(void);
void tsr_vector_blocks_destroy(struct tsr_vector_blocks *blocks);
void tsr_vector_blocks_clear(struct tsr_vector_blocks *blocks);

static inline struct tsr_vector_block_key
tsr_vector_block_key_of(const struct tsr_vector_plan *plan)
{
    return (struct tsr_vector_block_key){true, plan->srcb_mode, plan->stalls};
}

// Whether its words still mean what they meant when it was made.
static inline bool tsr_vector_block_stands(const struct tsr_vector_block *block,
                                           const struct tsr_vector_plan *plan)
{
    struct tsr_vector_block_key key = tsr_vector_block_key_of(plan);
    return memcmp(&block->made_under, &key, sizeof key) == 0;
}

// The block that begins as these words do, of which *count is how many it has, too. NULL: they
// come for the first time, or none of them can be in a block.
const struct tsr_vector_block *tsr_vector_block_of(const struct tsr_env *env,
                                                   const struct tsr_vector_plan *plan,
                                                   const uint32_t *words, unsigned *count);
// Implements tsr_unit_ops.kept_block.
unsigned tsr_vector_kept_block(struct tsr_env *env, const uint32_t *words, unsigned count);

#endif
