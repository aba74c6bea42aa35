// SPDX-License-Identifier: Apache-2.0
// The vector unit's part of the AVX2 set: the same loops as in the portable set, compiled for AVX2,
// which has shifts by a different distance in each lane, and the multiply-add by hand. Empty on
// other machines than x86. Pages: SFP*.md.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#include "kernels/vector_swap.h"
#include "numerics/sfpu.h"

#define TSR_TARGET __attribute__((target("avx2")))

#include "kernels/vector_fma_avx2.h"
#include "kernels/vector_masks.h"

#include "kernels/vector_fma_tmpl.h"

#define VECTOR_OWN_KERNELS VECTOR_FMA_KERNELS

#include "kernels/vector_tmpl.h"

const struct tsr_vector_kernels tsr_vector_avx2 = {choose_lanes, choose_swap, choose_load,
                                                   choose_store};

#endif
