// SPDX-License-Identifier: Apache-2.0
// MOVA2D, MOVB2D and MOVDBGA2D. Pages: MOVA2D.md, MOVB2D.md, MOVDBGA2D.md.
#ifndef TESSERA_MATRIX_MOVES_H
#define TESSERA_MATRIX_MOVES_H

#include "kernels/kernels.h"
#include "matrix/matrix_job.h"

tsr_matrix_sample_fn tsr_matrix_sample_mova2d, tsr_matrix_sample_movb2d;
tsr_matrix_run_fn tsr_matrix_run_mova2d, tsr_matrix_run_movb2d;

// The mode of a move that moves whole datums to rows of one width and has nothing to report, from a
// bank that the unit owns. False: it is another.
bool tsr_matrix_plain_move(const struct tsr_matrix_call *call, int side, tsr_move_mode *mode,
                           bool *wide);

#endif
