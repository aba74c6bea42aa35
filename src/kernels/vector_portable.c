// SPDX-License-Identifier: Apache-2.0
// The vector unit's part of the portable set: the loops of the templates for whatever the
// compiler's base target is. Products of integers and approximations are the reference's. Pages:
// SFP*.md.
#include "kernels/kernel_set.h"
#include "kernels/vector_swap.h"
#include "numerics/sfpu.h"

#define TSR_TARGET

#include "kernels/vector_masks.h"
#if TSR_PORTABLE_ADDS
#include "kernels/vector_fma_tmpl.h"
#define VECTOR_OWN_KERNELS VECTOR_FMA_KERNELS
#else
#define VECTOR_OWN_KERNELS
#endif
#include "kernels/vector_tmpl.h"

const struct tsr_vector_kernels tsr_vector_portable = {choose_lanes, choose_swap, choose_load,
                                                       choose_store};
