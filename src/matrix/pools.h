// SPDX-License-Identifier: Apache-2.0
// GMPOOL. Page: GMPOOL.md.
#ifndef TESSERA_MATRIX_POOLS_H
#define TESSERA_MATRIX_POOLS_H

#include "matrix/matrix_job.h"

tsr_matrix_sample_fn tsr_matrix_sample_gmpool;
tsr_matrix_run_fn tsr_matrix_run_gmpool;

#endif
