// SPDX-License-Identifier: Apache-2.0
// The matrix unit's part of the portable set: moves and element-wise operations, the loops of the
// templates for whatever the compiler's base target is. No products: without a rounding multiply of
// 16-bit lanes the reference is as good. Pages: MOVA2D.md, MOVB2D.md, ELWADD.md, ELWMUL.md.
#include "kernels/kernel_set.h"

#define TSR_TARGET
#define ELEMENT_WITH_ROWS 0
#define ELEMENT_WITH_BF16 0
#define MOVE_WITH_BF16 0

#include "kernels/move_tmpl.h"
#if TSR_PORTABLE_ADDS
#include "kernels/element_tmpl.h"
#else
#define choose_element NULL
#endif

const struct tsr_matrix_kernels tsr_matrix_portable = {choose_move, choose_element, NULL};
