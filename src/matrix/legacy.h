// SPDX-License-Identifier: Apache-2.0
// Instructions that earlier architectures left, and CLREXPHIST. Pages: MatrixUnit.md ("Legacy
// instructions"), CLREXPHIST.md.
#ifndef TESSERA_MATRIX_LEGACY_H
#define TESSERA_MATRIX_LEGACY_H

#include "matrix/matrix_job.h"

tsr_matrix_sample_fn tsr_matrix_sample_legacy_sum, tsr_matrix_sample_legacy_pool;
tsr_matrix_run_fn tsr_matrix_run_legacy_sum, tsr_matrix_run_legacy_pool;
tsr_matrix_run_fn tsr_matrix_run_movdbgb2d, tsr_matrix_run_clrexphist;

#endif
