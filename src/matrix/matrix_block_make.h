// SPDX-License-Identifier: Apache-2.0
// Decoding a run of instructions that execute as one. Pages: MOVA2D.md, MOVB2D.md, ELWADD.md,
// MVMUL.md, RWCs.md.
#ifndef TESSERA_MATRIX_MATRIX_BLOCK_MAKE_H
#define TESSERA_MATRIX_MATRIX_BLOCK_MAKE_H

#include "matrix/matrix_plan.h"

// Makes the sequence of at most `count` words, which are the thread's next. False: the first that
// it would take waits for a bank, so that nothing is known yet.
bool tsr_matrix_sequence_make(struct tsr_env *env, int thread, const struct tsr_matrix_plan *plan,
                              const uint32_t *words, unsigned count,
                              struct tsr_matrix_sequence *sequence);

#endif
