// SPDX-License-Identifier: Apache-2.0
// Runs of vector instructions that execute as one, with timing off: vector_block_make.c says which
// words a block takes, and vector_block.c when it may run.
// Pages: VectorUnit.md, SFPLOAD.md, SFPSTORE.md.
#ifndef TESSERA_VECTOR_VECTOR_BLOCK_H
#define TESSERA_VECTOR_VECTOR_BLOCK_H

#include "state/state.h"

struct tsr_vector_blocks;

// Blocks that are kept; NULL: no memory.
struct tsr_vector_blocks *tsr_vector_blocks_create(void);
void tsr_vector_blocks_destroy(struct tsr_vector_blocks *blocks);
void tsr_vector_blocks_clear(struct tsr_vector_blocks *blocks);

// Implements tsr_unit_ops.kept_block.
unsigned tsr_vector_kept_block(struct tsr_env *env, const uint32_t *words, unsigned count);
// Executes as many of the words, as one or one by one, as neither wait nor report. Implements
// tsr_unit_ops.run_block.
unsigned tsr_vector_run_block(struct tsr_env *env, int thread, const uint32_t *words,
                              unsigned count);

#endif
