// SPDX-License-Identifier: Apache-2.0
// The matrix unit's part of the AVX2 set: moves and element-wise operations are the same loops as
// in the portable set, compiled for AVX2, which has shifts by a different distance in each lane;
// what ends in BF16, its moves among it, and the products of MVMUL.md are its own. Empty on other
// machines than x86. Pages: MOVA2D.md, MOVB2D.md, ELWADD.md, ELWMUL.md, MVMUL.md.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#define TSR_TARGET __attribute__((target("avx2")))
#define ELEMENT_WITH_ROWS 0
#define ELEMENT_WITH_BF16 1
#define MOVE_WITH_BF16 1
#define DOT_WITH_ROWS 0

#include "kernels/dot_tmpl.h"
#include "kernels/element_tmpl.h"
#include "kernels/move_tmpl.h"

const struct tsr_matrix_kernels tsr_matrix_avx2 = {choose_move, choose_element, choose_dot};

#endif
