// SPDX-License-Identifier: Apache-2.0
// What a matrix instruction waits for at the gate, with timing on. Pages, under "Instruction
// scheduling": Dst.md, MOVA2D.md, MOVB2D.md, MOVD2A.md, MOVD2B.md, MOVB2A.md.
#ifndef TESSERA_MATRIX_HAZARDS_H
#define TESSERA_MATRIX_HAZARDS_H

#include "matrix/matrix_job.h"

// What the sampled instruction must wait for because of those in flight and of what was just
// written to Dst. Sets *retry_at where only the clock ends the wait.
tsr_reason tsr_matrix_hazard(const struct tsr_matrix_call *call, uint64_t *retry_at);
// For how many cycles from its own an instruction keeps most others out of the unit.
uint32_t tsr_matrix_closed_cycles(const struct tsr_env *env, uint8_t op);

#endif
