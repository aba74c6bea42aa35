// SPDX-License-Identifier: Apache-2.0
// Sums of BF16, a row at once in lanes of 16 bits, and products that are added to a 16-bit Dst that
// holds BF16, in AVX2 and by the steps of element_avx512.h (element_add_bf16(), element_mul()).
// Included by element_tmpl.h after dot_avx2.h, whose table shifts lanes of 16 bits by different
// distances. Must equal tsr_fpu_add() and tsr_fpu_mul() of numerics/fpu.c. Pages: ELWADD.md,
// ELWSUB.md, ELWMUL.md.
#ifndef TESSERA_KERNELS_ELEMENT_AVX2_H
#define TESSERA_KERNELS_ELEMENT_AVX2_H

#include "kernels/dot_avx2.h"
#include "kernels/element_lane.h"
#include "kernels/lanes_avx2.h"

#define ELEMENT TSR_INLINE TSR_TARGET

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

// ---------------------------------------------------------------- products

// (lanes & slice of a mantissa) | its leading one, if that is in the slice.
ELEMENT __m256i element_slice(__m256i datum, uint32_t slice)
{
    return _mm256_or_si256(_mm256_and_si256(datum, lanes_set((int32_t)(slice & 0x3ff))),
                           lanes_set((int32_t)(slice & 0x400)));
}

// The sum of eight products and Dst. Slices stay where they are in their significands; their
// product goes to its place in one shift.
ELEMENT __m256i element_mul_octet(const uint16_t *high, const uint32_t *from_a,
                                  const uint32_t *from_b, const tsr_lane_params *params,
                                  __m256i *top)
{
    const __m256i none = _mm256_setzero_si256(), field = lanes_set(0xff);
    const uint32_t left = 14 + params->scale_b - params->shift_a - params->shift_b;
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)from_a);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)from_b);
    a = _mm256_and_si256(a, lanes_set((int32_t)params->mask_a));
    b = _mm256_and_si256(b, lanes_set((int32_t)params->mask_b));
    __m256i exponent_a = _mm256_and_si256(_mm256_srli_epi32(a, 10), field);
    __m256i exponent_b = _mm256_and_si256(_mm256_srli_epi32(b, 10), field);
    __m256i kept_b = _mm256_or_si256(exponent_b, lanes_set((int32_t)params->keep_b));
    __m256i exponent =
        _mm256_add_epi32(_mm256_add_epi32(exponent_a, exponent_b), lanes_set(params->bias));
    __m256i zero =
        _mm256_or_si256(_mm256_cmpeq_epi32(exponent_a, none), _mm256_cmpeq_epi32(kept_b, none));
    __m256i some = _mm256_andnot_si256(zero, _mm256_cmpgt_epi32(exponent, none));
    exponent = _mm256_blendv_epi8(lanes_set(params->zero_exponent), exponent, some);
    __m256i m = _mm256_madd_epi16(element_slice(a, params->slice_a << params->shift_a),
                                  element_slice(b, params->slice_b << params->shift_b));
    m = _mm256_sll_epi32(_mm256_and_si256(m, some), _mm_cvtsi32_si128((int32_t)left));
    __m256i sign = _mm256_slli_epi32(_mm256_xor_si256(a, b), 13);
    m = _mm256_sign_epi32(m, _mm256_or_si256(sign, lanes_set(1)));
    __m256i stored = lanes_load(high);
    *top = _mm256_max_epi32(exponent, lanes_exponent(stored));
    return _mm256_add_epi32(lanes_align(m, _mm256_sub_epi32(*top, exponent)),
                            lanes_acc(stored, *top));
}

// As element_rows_bf16().
ELEMENT size_t element_rows_mul(uint16_t *high, const uint32_t *from_a, const uint32_t *from_b,
                                size_t datums, const tsr_lane_params *params)
{
    size_t i = 0;
    for (; i + LANES_ROW <= datums; i += LANES_ROW) {
        const size_t j = i + LANES_OCTET;
        __m256i top[2], sum[2];
        sum[0] = element_mul_octet(high + i, from_a + i, from_b + i, params, &top[0]);
        sum[1] = element_mul_octet(high + j, from_a + j, from_b + j, params, &top[1]);
        lanes_store_sums(high + i, sum, top);
    }
    return i;
}

#undef ELEMENT

#endif
