// SPDX-License-Identifier: Apache-2.0
// Runs of the matrix unit's instructions that execute as one: moves to Dst, element-wise operations
// and products, SETRWC, INCRWC and CLEARDVALID. A run is decoded once and kept as a sequence;
// matrix_block_make.c says which words it takes, and matrix_block.c when it may run. Pages:
// MOVA2D.md, MOVB2D.md, ELWADD.md, MVMUL.md, RWCs.md.
#ifndef TESSERA_MATRIX_MATRIX_BLOCK_H
#define TESSERA_MATRIX_MATRIX_BLOCK_H

#include "matrix/matrix_plan.h"

// Implements tsr_unit_ops.run_block.
unsigned tsr_matrix_run_block(struct tsr_env *env, int thread, const uint32_t *words,
                              unsigned count);

// The same of words that tsr_matrix_run_block() has executed as that before, beginning with `word`:
// with timing off. How many were executed now; fewer if anything is otherwise.
unsigned tsr_matrix_run_again(struct tsr_env *env, int thread, const struct tsr_matrix_ran *ran,
                              uint32_t word);

#endif
