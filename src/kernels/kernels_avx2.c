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
#define TSR_WITH_DOT 1
#define DOT_WEIGHTS dot_weights
#define TSR_SET tsr_kernels_avx2
#define TSR_SET_NAME "avx2"
#define TSR_SET_RUNS_HERE cpu_has_avx2

static bool cpu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

// 2^14 >> distance in lanes of 16 bits, which AVX2 cannot shift one by one: a table of single bits
// for either byte, reached by distance + 1 for the high one and distance - 7 for the low one (bit 7
// of an index means 0). From 14 on a weight of 1 is as good as 0.
TSR_LANE TSR_TARGET __m256i dot_weights(__m256i distances)
{
    const __m256i bits = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    __m256i index = _mm256_min_epi16(distances, _mm256_set1_epi16(14));
    index = _mm256_or_si256(index, _mm256_slli_epi16(index, 8));
    index = _mm256_add_epi8(index, _mm256_set1_epi16(0x01F9));
    return _mm256_shuffle_epi8(bits, index);
}

#include "kernels/kernels_tmpl.h"

#endif
