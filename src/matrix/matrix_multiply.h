// SPDX-License-Identifier: Apache-2.0
// MVMUL, DOTPV and GAPOOL, and the blocks of SrcA that are prepared for them. Pages: MVMUL.md,
// DOTPV.md, GAPOOL.md.
#ifndef TESSERA_MATRIX_MATRIX_MULTIPLY_H
#define TESSERA_MATRIX_MATRIX_MULTIPLY_H

#include "kernels/dot_block.h"
#include "matrix/matrix_job.h"

// By first row. They are never out of date: each has a copy of what it
// was made of.
struct tsr_matrix_blocks {
    struct tsr_dot_block block[TSR_SRC_ROWS / 8];
    struct tsr_dot_rows rows[TSR_SRC_ROWS / 8]; // of SrcB
};

tsr_matrix_sample_fn tsr_matrix_sample_mvmul, tsr_matrix_sample_dotpv, tsr_matrix_sample_gapool;
tsr_matrix_run_fn tsr_matrix_run_multiply;

#endif
