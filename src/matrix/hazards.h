// SPDX-License-Identifier: Apache-2.0
// What a matrix instruction waits for at the gate and inside the unit, with timing on. Pages, under
// "Instruction scheduling": Dst.md, MOVA2D.md, MOVB2D.md, MOVD2A.md, MOVD2B.md, MOVB2A.md.
#ifndef TESSERA_MATRIX_HAZARDS_H
#define TESSERA_MATRIX_HAZARDS_H

#include "matrix/matrix_job.h"

// What the instruction must wait for because of those in flight. Sets *retry_at where only the
// clock ends the wait.
tsr_reason tsr_matrix_hazard(const struct tsr_env *env, uint8_t op, uint64_t *retry_at);
// For how many cycles the sampled instruction, which the gate has let pass, waits inside the unit
// until it can read Dst.
uint32_t tsr_matrix_dst_wait(const struct tsr_env *env, const struct tsr_inflight *inst,
                             const struct tsr_matrix_job *job);
// For how many cycles from its own an instruction keeps most others out of the unit.
uint32_t tsr_matrix_closed_cycles(const struct tsr_env *env, uint8_t op);

#endif
