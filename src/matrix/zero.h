// SPDX-License-Identifier: Apache-2.0
// ZEROACC and ZEROSRC. Pages: ZEROACC.md, ZEROSRC.md.
#ifndef TESSERA_MATRIX_ZERO_H
#define TESSERA_MATRIX_ZERO_H

#include "matrix/matrix_job.h"

tsr_matrix_sample_fn tsr_matrix_sample_zeroacc, tsr_matrix_step_zeroacc;
tsr_matrix_run_fn tsr_matrix_run_zeroacc, tsr_matrix_run_zerosrc;

#endif
