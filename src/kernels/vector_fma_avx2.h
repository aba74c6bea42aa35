// SPDX-License-Identifier: Apache-2.0
// The multiply-add of eight lanes in AVX2 (SFPMAD.md), by the same steps as vector_fma_avx512.h.
// Included by vector_avx2.c. AVX2 cannot say how a conversion rounds, so only exact ones are used,
// for the place of a sum's leading one; these depend on no mode of the host and raise no flag.
#ifndef TESSERA_KERNELS_VECTOR_FMA_AVX2_H
#define TESSERA_KERNELS_VECTOR_FMA_AVX2_H

#include "kernels/kernel_types.h"
#include "kernels/lane.h"

#include <immintrin.h>

#define FMA TSR_INLINE TSR_TARGET

enum { FMA_UNIT = 1 << 23, FMA_OCTET = 8 };
// Counted from 127 below, as in vector_fma_avx512.h.
enum { FMA_LOWEST = 127 + 32, FMA_HIGHEST = 127 + 251 };

FMA __m256i fma_set(uint32_t value)
{
    return _mm256_set1_epi32((int32_t)value);
}

FMA __m256i fma_or_if(__m256i m, __m256i more)
{
    return _mm256_or_si256(m, _mm256_min_epu32(more, fma_set(1)));
}

FMA __m256i fma_significand(__m256i value)
{
    value = _mm256_and_si256(_mm256_slli_epi32(value, 6), fma_set(0x7fffffu << 6));
    return _mm256_or_si256(value, fma_set(0x800000u << 6));
}

FMA __m256i fma_cut_product(__m256i zero, __m256i a, __m256i b)
{
    __m256i x = _mm256_andnot_si256(zero, fma_significand(a)), y = fma_significand(b);
    __m256i even = _mm256_mul_epu32(x, y);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32));
    return fma_or_if(_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa),
                     _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa));
}

FMA __m256i fma_align(__m256i m, __m256i distance)
{
    __m256i kept = _mm256_srlv_epi32(m, distance);
    __m256i lost = _mm256_sub_epi32(m, _mm256_sllv_epi32(kept, distance));
    return fma_or_if(kept, _mm256_min_epu32(lost, kept));
}

// m, below 2^29, rounded to 24 bits, at exponent e: a float without its sign. For m = 0 anything.
FMA __m256i fma_round(__m256i m, __m256i e)
{
    __m256i high = _mm256_srli_epi32(m, 8);
    __m256i low = _mm256_cmpeq_epi32(high, _mm256_setzero_si256());
    __m256i some = _mm256_blendv_epi8(high, m, low); // at most 21 bits
    __m256i place = _mm256_castps_si256(_mm256_cvtepi32_ps(some));
    place = _mm256_and_si256(place, fma_set(0x7f800000u)); // 127 too large
    place = _mm256_add_epi32(place, _mm256_andnot_si256(low, fma_set(8u * FMA_UNIT)));
    __m256i left = _mm256_sub_epi32(fma_set(127 + 30), _mm256_srli_epi32(place, 23));
    __m256i n = _mm256_sllv_epi32(m, left); // the leading one is bit 30
    __m256i odd = _mm256_and_si256(_mm256_srli_epi32(n, 7), fma_set(1));
    n = _mm256_add_epi32(_mm256_add_epi32(n, fma_set(0x3f)), odd);
    n = _mm256_srli_epi32(n, 7);
    e = _mm256_sub_epi32(e, fma_set((127u + 127u + 26u + 1u) * FMA_UNIT));
    return _mm256_add_epi32(n, _mm256_add_epi32(place, e));
}

// Returns a mask of lanes that are hard.
FMA __m256i fma_octet(__m256i a, __m256i b, __m256i c, bool bh, uint32_t *hard)
{
    const __m256i field = fma_set(0x7f800000u), none = _mm256_setzero_si256();
    __m256i e_a = _mm256_and_si256(a, field), e_b = _mm256_and_si256(b, field);
    __m256i e_c = _mm256_and_si256(c, field);
    __m256i no_product = _mm256_cmpeq_epi32(_mm256_min_epu32(e_a, e_b), none);
    __m256i e_p = _mm256_add_epi32(e_a, e_b), e_z = _mm256_add_epi32(e_c, fma_set(127u * FMA_UNIT));
    __m256i p = fma_cut_product(no_product, a, b);
    __m256i q = _mm256_or_si256(_mm256_and_si256(c, fma_set(FMA_UNIT - 1)),
                                _mm256_min_epu32(e_c, fma_set(FMA_UNIT)));
    q = _mm256_slli_epi32(q, 3);

    __m256i e = _mm256_max_epu32(_mm256_andnot_si256(no_product, e_p), e_z);
    __m256i p_above = _mm256_srai_epi32(_mm256_sub_epi32(e_z, e), 31);
    __m256i far = _mm256_blendv_epi8(e_p, e_z, p_above);
    __m256i large = _mm256_blendv_epi8(q, p, p_above), small = _mm256_blendv_epi8(p, q, p_above);
    small = fma_align(small, _mm256_srli_epi32(_mm256_sub_epi32(e, far), 23));
    __m256i sign_p = _mm256_xor_si256(a, b);
    __m256i opposite = _mm256_srai_epi32(_mm256_xor_si256(sign_p, c), 31);
    small = _mm256_sub_epi32(_mm256_xor_si256(small, opposite), opposite);
    __m256i sum = _mm256_add_epi32(large, small);
    if (!bh) { // 29 bits: the upper of the two that go is not looked at
        __m256i long_sum = _mm256_cmpgt_epi32(sum, fma_set((1u << 28) - 1u));
        sum = _mm256_andnot_si256(_mm256_and_si256(long_sum, fma_set(2)), sum);
    }
    __m256i zero = _mm256_cmpeq_epi32(sum, none);
    __m256i sign = _mm256_xor_si256(_mm256_blendv_epi8(c, sign_p, p_above), sum);
    sign = _mm256_and_si256(sign, fma_set(0x80000000u));
    __m256i result = _mm256_or_si256(fma_round(_mm256_abs_epi32(sum), e), sign);
    result = _mm256_andnot_si256(zero, result);
    if (bh) {
        __m256i both = _mm256_and_si256(_mm256_and_si256(sign_p, c), fma_set(0x80000000u));
        result = _mm256_or_si256(result, _mm256_and_si256(zero, both));
    }
    __m256i infinite = _mm256_cmpeq_epi32(_mm256_max_epu32(e_a, e_b), field);
    __m256i above = fma_set(((uint32_t)FMA_HIGHEST + 1u) * FMA_UNIT),
            below = fma_set((uint32_t)FMA_LOWEST * FMA_UNIT - 1u);
    __m256i over = _mm256_cmpeq_epi32(_mm256_max_epu32(e, above), e);
    __m256i under = _mm256_andnot_si256(zero, _mm256_cmpeq_epi32(_mm256_min_epu32(e, below), e));
    __m256i bad = _mm256_or_si256(_mm256_or_si256(infinite, over), under);
    *hard = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(bad));
    return result;
}

FMA __m256i fma_load(const uint32_t *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

// All lanes; returns those that are hard, and the reference's.
FMA uint32_t vector_fma_lanes(uint32_t *out, const uint32_t *a, const uint32_t *b,
                              const uint32_t *c, bool bh, const tsr_vector_mode *mode)
{
    const __m256i negate_a = fma_set(mode->negate_a), negate_c = fma_set(mode->negate_c);
    uint32_t hard = 0;
    for (unsigned i = 0; i < TSR_VECTOR_LANES; i += FMA_OCTET) {
        uint32_t some;
        __m256i x = _mm256_xor_si256(fma_load(a + i), negate_a);
        __m256i z = _mm256_xor_si256(fma_load(c + i), negate_c);
        __m256i result = fma_octet(x, fma_load(b + i), z, bh, &some);
        _mm256_storeu_si256((__m256i *)(out + i), result);
        hard |= some << i;
    }
    return hard;
}

#endif
