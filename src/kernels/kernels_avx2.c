// SPDX-License-Identifier: Apache-2.0
// The AVX2 set: the same loops as the portable set, compiled for AVX2, which has what they need
// most: shifts by a different distance in each lane; and the products of MVMUL.md. Empty on other
// machines than x86.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#include "kernels/lane.h"

#include <immintrin.h>

#define TSR_TARGET __attribute__((target("avx2")))
#define TSR_WITH_ELEMENT 1
#define ELEMENT_WITH_ROWS 0
#define TSR_WITH_DOT 1
#define DOT_WITH_ROWS 0
#define TSR_SET tsr_kernels_avx2
#define TSR_SET_NAME "avx2"
#define TSR_SET_RUNS_HERE cpu_has_avx2

static bool cpu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

#include "kernels/unpack_block_avx2.h"

#include "kernels/kernels_tmpl.h"

#endif
