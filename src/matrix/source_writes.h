// SPDX-License-Identifier: Apache-2.0
// What writes to Src besides the unpackers. Pages: MOVD2A.md, MOVD2B.md, MOVB2A.md, TRNSPSRCB.md,
// SHIFTXA.md, SHIFTXB.md.
#ifndef TESSERA_MATRIX_SOURCE_WRITES_H
#define TESSERA_MATRIX_SOURCE_WRITES_H

#include "matrix/matrix_job.h"

tsr_matrix_sample_fn tsr_matrix_sample_movd2a, tsr_matrix_sample_movd2b;
tsr_matrix_sample_fn tsr_matrix_sample_movb2a, tsr_matrix_sample_shiftxb;
tsr_matrix_run_fn tsr_matrix_run_movd2a, tsr_matrix_run_movd2b, tsr_matrix_run_movb2a;
tsr_matrix_run_fn tsr_matrix_run_trnspsrcb, tsr_matrix_run_shiftxb, tsr_matrix_run_shiftxa;

#endif
