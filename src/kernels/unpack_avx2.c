// SPDX-License-Identifier: Apache-2.0
// The unpackers' part of the AVX2 set: the same loops as the portable set, compiled for AVX2, and
// block formats by its byte look-ups. Empty on other machines than x86.
// Page: UNPACR_Regular.md.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#define TSR_TARGET __attribute__((target("avx2")))

#include "kernels/unpack_block_avx2.h"
#include "kernels/unpack_tmpl.h"

const struct tsr_unpack_kernels tsr_unpack_avx2 = {choose_unpack_src, choose_unpack_dst};

#endif
