// SPDX-License-Identifier: Apache-2.0
// The same of words of one opcode with timing on, which are issued one a cycle: moves to Dst,
// element-wise operations and products that each write a block of Dst. Pages: MatrixUnit.md, Dst.md
// ("Instruction scheduling").
#ifndef TESSERA_MATRIX_MATRIX_TIMED_BLOCK_H
#define TESSERA_MATRIX_MATRIX_TIMED_BLOCK_H

#include "state/state.h"

// Implements tsr_unit_ops.run_timed_block.
unsigned tsr_matrix_run_timed_block(struct tsr_env *env, int thread, const uint32_t *words,
                                    unsigned count);

// `count` such words and a SETRWC behind them that gives banks back which they wait for, if all of
// them do: `setrwc` is then as it stands in the queue behind them. False: nothing was changed.
bool tsr_matrix_run_face(struct tsr_env *env, int thread, const uint32_t *words, unsigned count,
                         struct tsr_inflight *setrwc);

#endif
