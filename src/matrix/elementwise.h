// SPDX-License-Identifier: Apache-2.0
// ELWADD, ELWSUB and ELWMUL. Pages: ELWADD.md, ELWSUB.md, ELWMUL.md.
#ifndef TESSERA_MATRIX_ELEMENTWISE_H
#define TESSERA_MATRIX_ELEMENTWISE_H

#include "matrix/matrix_job.h"

tsr_matrix_sample_fn tsr_matrix_sample_elementwise;
tsr_matrix_run_fn tsr_matrix_run_elementwise;

#endif
