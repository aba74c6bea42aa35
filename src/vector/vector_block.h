// SPDX-License-Identifier: Apache-2.0
// Runs of vector instructions that execute as one, with timing off: vector_block_make.c says which
// words a block takes, and vector_block.c when it may run.
// Pages: VectorUnit.md, SFPLOAD.md, SFPSTORE.md.
#ifndef TESSERA_VECTOR_VECTOR_BLOCK_H
#define TESSERA_VECTOR_VECTOR_BLOCK_H

#include "state/state.h"

// Executes as many of the words, as one or one by one, as neither wait nor report. Implements
// tsr_unit_ops.run_block.
unsigned tsr_vector_run_block(struct tsr_env *env, int thread, const uint32_t *words,
                              unsigned count);

#endif
