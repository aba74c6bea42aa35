// SPDX-License-Identifier: Apache-2.0
// The matrix unit's part of the AVX-512 set: the FPU's kernels, for which it has masks, shifts of
// 16-bit lanes by different distances and counted leading zeros, and the most common move to Dst.
// All else is as fast in the AVX2 set, which comes after this one. Empty on other machines than
// x86. Pages: MOVA2D.md, MOVB2D.md, ELWADD.md, ELWMUL.md, MVMUL.md.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#define TSR_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd")))
#define ELEMENT_WITH_ROWS 1
#define DOT_WITH_ROWS 1

#include "kernels/dot_tmpl.h"
#include "kernels/element_tmpl.h"
#include "kernels/move_avx512.h"

const struct tsr_matrix_kernels tsr_matrix_avx512 = {choose_move, choose_element, choose_dot};

#endif
