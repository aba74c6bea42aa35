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
#define DOT_WITH_FINAL 0
#define TSR_SET tsr_kernels_avx2
#define TSR_SET_NAME "avx2"
#define TSR_SET_RUNS_HERE cpu_has_avx2

static bool cpu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

// Two neighbours, in all pairs of lanes.
TSR_LANE TSR_TARGET __m256i dot_pair(const int16_t *pair)
{
    int32_t both;
    memcpy(&both, pair, sizeof both);
    return _mm256_set1_epi32(both);
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

// Eight columns of a group: see dot_tmpl.h.
TSR_LANE TSR_TARGET void dot_columns(int32_t *sum, int32_t *top, const int16_t *factor_a,
                                     const int16_t *exponent_a, const int16_t *factor_b,
                                     const int16_t *exponent_b, __m256i lowest)
{
    const __m256i other = _mm256_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2,
                                           3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    __m256i exponents[4], most = lowest, total = _mm256_setzero_si256();
    for (int k = 0; k < 4; k++) {
        exponents[k] = _mm256_load_si256((const __m256i *)(exponent_a + 32 * k));
        exponents[k] = _mm256_add_epi16(exponents[k], dot_pair(exponent_b + 2 * k));
        most = _mm256_max_epi16(most, exponents[k]);
    }
    most = _mm256_max_epi16(most, _mm256_shuffle_epi8(most, other));
    for (int k = 0; k < 4; k++) {
        __m256i x = _mm256_load_si256((const __m256i *)(factor_a + 32 * k));
        x = _mm256_mullo_epi16(x, dot_pair(factor_b + 2 * k));
        x = _mm256_add_epi16(x, _mm256_srai_epi16(x, 15));
        x = _mm256_mulhrs_epi16(x, dot_weights(_mm256_sub_epi16(most, exponents[k])));
        total = _mm256_add_epi16(total, x);
    }
    total = _mm256_madd_epi16(total, _mm256_set1_epi16(1));
    _mm256_store_si256((__m256i *)sum, total);
    _mm256_store_si256((__m256i *)top, _mm256_srai_epi32(most, 16));
}

TSR_LANE TSR_TARGET void dot_group(int32_t *sum, int32_t *top, const int16_t *factor_a,
                                   const int16_t *exponent_a, const int16_t *factor_b,
                                   const int16_t *exponent_b, int32_t zero_exponent)
{
    __m256i lowest = _mm256_set1_epi16((int16_t)zero_exponent);
    dot_columns(sum, top, factor_a, exponent_a, factor_b, exponent_b, lowest);
    dot_columns(sum + 8, top + 8, factor_a + 16, exponent_a + 16, factor_b, exponent_b, lowest);
}
#include "kernels/unpack_block_avx2.h"

#include "kernels/kernels_tmpl.h"

#endif
