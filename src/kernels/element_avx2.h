// SPDX-License-Identifier: Apache-2.0
// Sums of BF16 in AVX2, a row at once in lanes of 16 bits, as element_avx512.h has them
// (element_add_bf16()). Included by element_tmpl.h after dot_avx2.h, whose table shifts such lanes
// by different distances. Must equal tsr_fpu_add() of numerics/fpu.c. Pages: ELWADD.md, ELWSUB.md.
#ifndef TESSERA_KERNELS_ELEMENT_AVX2_H
#define TESSERA_KERNELS_ELEMENT_AVX2_H

#include "kernels/dot_avx2.h"
#include "kernels/element_lane.h"
#include "kernels/lanes_avx2.h"

#define ELEMENT TSR_LANE TSR_TARGET

// A row of datums that fit 16 bits; the second and the third four have changed places.
ELEMENT __m256i element_bf16(const uint32_t *from)
{
    const __m256i *rows = (const __m256i *)(const void *)from;
    return _mm256_packus_epi32(_mm256_srli_epi32(_mm256_loadu_si256(rows), 3),
                               _mm256_srli_epi32(_mm256_loadu_si256(rows + 1), 3));
}

// Without the sign bit a datum is eight bits of exponent, seven of mantissa, and nothing. The
// smaller one is shifted and rounded by one multiplication: its significand is four times that of
// the larger, and a weight 2^13 / 2^distance. Datums of the smallest exponent count as zeros; if
// the larger one does, the result is 0.
ELEMENT __m256i element_add_bf16(__m256i large, __m256i small, __m256i exponent, __m256i subtract)
{
    const __m256i mantissa = lanes_words(0xfe), one = lanes_words(0x100);
    __m256i distance = _mm256_sub_epi16(exponent, _mm256_srli_epi16(small, 8));
    __m256i none = _mm256_cmpeq_epi16(_mm256_srli_epi16(small, 8), _mm256_setzero_si256());
    large = _mm256_slli_epi16(_mm256_or_si256(_mm256_and_si256(large, mantissa), one), 2);
    small = _mm256_slli_epi16(_mm256_or_si256(_mm256_and_si256(small, mantissa), one), 4);
    small = _mm256_mulhrs_epi16(_mm256_andnot_si256(none, small), dot_weights(distance));
    return _mm256_add_epi16(large, _mm256_sub_epi16(_mm256_xor_si256(small, subtract), subtract));
}

// Sums of more than 0 in the lower halves of lanes, as lanes_stored_bf16() takes them.
ELEMENT __m256i element_reals(__m256i sum)
{
    const __m256i none = _mm256_setzero_si256();
    __m256i lower = lanes_real(_mm256_unpacklo_epi16(sum, none));
    __m256i upper = lanes_real(_mm256_unpackhi_epi16(sum, none));
    return _mm256_packus_epi32(_mm256_srli_epi32(lower, 16), _mm256_srli_epi32(upper, 16));
}

// For a 16-bit Dst, nothing accumulated and denormals flushed, as is usual: whole rows, and how
// many datums these are.
ELEMENT size_t element_rows_bf16(uint16_t *high, const uint32_t *from_a, const uint32_t *from_b,
                                 size_t datums, const tsr_lane_params *params)
{
    const __m256i flip = lanes_words((int)(params->flip_b >> 3));
    const __m256i loss = lanes_words(params->phase_loss);
    size_t i = 0;
    for (; i + LANES_ROW <= datums; i += LANES_ROW) {
        __m256i a = element_bf16(from_a + i), b = element_bf16(from_b + i);
        b = _mm256_xor_si256(b, flip);
        __m256i size_a = _mm256_add_epi16(a, a), size_b = _mm256_add_epi16(b, b);
        __m256i large = _mm256_max_epu16(size_a, size_b), small = _mm256_min_epu16(size_a, size_b);
        __m256i other = _mm256_xor_si256(a, b), exponent = _mm256_srli_epi16(large, 8);
        __m256i is_a = _mm256_cmpeq_epi16(large, size_a);
        __m256i sign = _mm256_xor_si256(a, _mm256_andnot_si256(is_a, other));
        __m256i sum = element_add_bf16(large, small, exponent, _mm256_srai_epi16(other, 15));
        __m256i counts = _mm256_andnot_si256(_mm256_cmpeq_epi16(sum, _mm256_setzero_si256()),
                                             _mm256_cmpgt_epi16(exponent, loss));
        exponent = _mm256_sub_epi16(exponent, loss);
        lanes_store_packed(high + i, lanes_stored_bf16(element_reals(sum), exponent, sign, counts));
    }
    return i;
}

#undef ELEMENT

#endif
