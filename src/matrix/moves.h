// SPDX-License-Identifier: Apache-2.0
// MOVA2D, MOVB2D and MOVDBGA2D. Pages: MOVA2D.md, MOVB2D.md, MOVDBGA2D.md.
#ifndef TESSERA_MATRIX_MOVES_H
#define TESSERA_MATRIX_MOVES_H

#include "matrix/matrix_job.h"

tsr_matrix_sample_fn tsr_matrix_sample_mova2d, tsr_matrix_sample_movb2d;
tsr_matrix_run_fn tsr_matrix_run_mova2d, tsr_matrix_run_movb2d;

#endif
