// SPDX-License-Identifier: Apache-2.0
// The portable set: the loops of the templates for whatever the compiler's base target is.
#include "kernels/kernel_set.h"

#define TSR_TARGET
// Without shifts by a different distance in each lane, what gcc makes of the element-wise loops is
// slower than the reference set.
#if TSR_KERNELS_X86 && defined(__GNUC__) && !defined(__clang__) && !defined(__AVX2__)
#define TSR_WITH_ELEMENT 0
#else
#define TSR_WITH_ELEMENT 1
#endif
#define ELEMENT_WITH_ROWS 0
#define TSR_WITH_DOT 0 // without a rounding multiply of 16-bit lanes the reference is as good
#define TSR_SET tsr_kernels_portable
#define TSR_SET_NAME "portable"
#define TSR_SET_RUNS_HERE NULL

#include "kernels/unpack_block_tmpl.h"

#include "kernels/kernels_tmpl.h"
