// SPDX-License-Identifier: Apache-2.0
// The matrix unit (FPU) as the gate and the engine see it. Page: MatrixUnit.md.
#ifndef TESSERA_MATRIX_MATRIX_UNIT_H
#define TESSERA_MATRIX_MATRIX_UNIT_H

#include "state/unit.h"

extern const struct tsr_unit_ops tsr_matrix_ops;

// What the unit keeps of configuration and words: struct tsr_matrix_plans of matrix_plan.h.
struct tsr_matrix_plans *tsr_matrix_plans_create(void);
void tsr_matrix_plans_clear(struct tsr_matrix_plans *plans);
void tsr_matrix_plans_destroy(struct tsr_matrix_plans *plans); // NULL is allowed

// Blocks of SrcA prepared for the products (matrix_multiply.h), kept from one instruction to the
// next; a tile without them makes each again.
struct tsr_matrix_blocks *tsr_matrix_blocks_create(void);
void tsr_matrix_blocks_destroy(struct tsr_matrix_blocks *blocks); // NULL is allowed

// With timing off, of a word of the unit, which holds nothing: which bank it waits for at the gate.
tsr_reason tsr_matrix_awaited(struct tsr_env *env, int thread, uint32_t word);

#endif
