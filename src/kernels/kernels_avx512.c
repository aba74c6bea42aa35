// SPDX-License-Identifier: Apache-2.0
// The AVX-512 set: the loops of the AVX2 set, compiled for lanes twice as many, for counted leading
// zeros in all of them, and, in the products of MVMUL.md, for shifts of 16-bit lanes one by one.
// Empty on other machines than x86.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#include "kernels/lane.h"

#include <immintrin.h>

#define TSR_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd")))
#define TSR_WITH_ELEMENT 1
#define TSR_WITH_DOT 1
#define DOT_WEIGHTS dot_weights
#define TSR_SET tsr_kernels_avx512
#define TSR_SET_NAME "avx512"
#define TSR_SET_RUNS_HERE cpu_has_avx512

static bool cpu_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512cd");
}

TSR_LANE TSR_TARGET __m256i dot_weights(__m256i distances)
{
    return _mm256_srlv_epi16(_mm256_set1_epi16(1 << 14), distances);
}

#include "kernels/kernels_tmpl.h"

#endif
