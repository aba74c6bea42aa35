// SPDX-License-Identifier: Apache-2.0
// The way of datums of a 16-bit Dst that holds BF16 into the FPU's adder and of sums back to it, in
// AVX2: lanes_avx512.h explains the steps. Eight datums are lanes of 32 bits, sixteen on their way
// back lanes of 16. Included by dot_tmpl.h, element_avx2.h and move_avx2.h. Must equal
// tsr_fpu_final() of numerics/fpu_align.h (exact arithmetic in docs/arithmetic.md).
#ifndef TESSERA_KERNELS_LANES_AVX2_H
#define TESSERA_KERNELS_LANES_AVX2_H

#include "kernels/lane.h"

#include <immintrin.h>

#define LANES TSR_INLINE TSR_TARGET

enum { LANES_OCTET = 8, LANES_ROW = 16 };

LANES __m256i lanes_set(int32_t value)
{
    return _mm256_set1_epi32(value);
}

LANES __m256i lanes_words(int value)
{
    return _mm256_set1_epi16((short)value);
}

// ---------------------------------------------------------------- into the adder

// Doubled, in units of 2^-23, to units of 2^-10 at an exponent `distance` above.
LANES __m256i lanes_align(__m256i doubled, __m256i distance)
{
    __m256i x = _mm256_srav_epi32(doubled, distance);
    return _mm256_srai_epi32(_mm256_add_epi32(x, lanes_set(1 + 2 * 4096)), 14);
}

LANES __m256i lanes_load(const uint16_t *cells)
{
    return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)cells));
}

LANES __m256i lanes_exponent(__m256i stored)
{
    return _mm256_and_si256(stored, lanes_set(0xff));
}

// Ties of the magnitude go away from zero, so it gets its sign after the alignment.
LANES __m256i lanes_acc(__m256i stored, __m256i top)
{
    __m256i exponent = lanes_exponent(stored);
    __m256i none = _mm256_cmpeq_epi32(exponent, _mm256_setzero_si256());
    __m256i m = _mm256_and_si256(_mm256_slli_epi32(stored, 9), lanes_set(0x7f << 17));
    m = _mm256_andnot_si256(none, _mm256_or_si256(m, lanes_set(1 << 24)));
    m = lanes_align(m, _mm256_sub_epi32(top, exponent));
    return _mm256_sign_epi32(m, _mm256_or_si256(_mm256_slli_epi32(stored, 16), lanes_set(1)));
}

// ---------------------------------------------------------------- back to Dst

// Eight sums as floats, which are exact; half of what BF16 drops is added.
LANES __m256i lanes_real(__m256i sum)
{
    return _mm256_add_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(sum)), lanes_set(1 << 15));
}

// `real`: magnitudes of sums in units of 2^-10, as the upper halves of such floats, without their
// signs; `exponent`: of their tops. What counts neither as a sum nor as a result is 0.
LANES __m256i lanes_stored_bf16(__m256i real, __m256i exponent, __m256i sign, __m256i counts)
{
    exponent = _mm256_slli_epi16(_mm256_sub_epi16(exponent, lanes_words(127 + 10)), 7);
    __m256i size = _mm256_adds_epi16(real, exponent);
    counts = _mm256_and_si256(counts, _mm256_cmpgt_epi16(size, lanes_words((1 << 7) - 1)));
    size = _mm256_min_epi16(size, lanes_words(255 << 7));
    __m256i stored =
        _mm256_or_si256(_mm256_and_si256(_mm256_slli_epi16(size, 8), lanes_words(0x7f00)),
                        _mm256_srli_epi16(size, 7));
    stored = _mm256_or_si256(stored, _mm256_and_si256(sign, lanes_words(0x8000)));
    return _mm256_and_si256(stored, counts);
}

// Packing has changed the places of the second and the third four.
LANES void lanes_store_packed(uint16_t *cells, __m256i stored)
{
    enum { SWAP_MIDDLE = 0xd8 };
    _mm256_storeu_si256((__m256i *)(void *)cells, _mm256_permute4x64_epi64(stored, SWAP_MIDDLE));
}

// A row of sums below 2^24 in units of 2^-10 at exponents `top`. Where a top is not above 0 the sum
// is 0.
LANES void lanes_store_sums(uint16_t *cells, const __m256i sum[2], const __m256i top[2])
{
    __m256i word = _mm256_packs_epi32(_mm256_srai_epi32(lanes_real(sum[0]), 16),
                                      _mm256_srai_epi32(lanes_real(sum[1]), 16));
    __m256i none = _mm256_cmpeq_epi16(word, _mm256_setzero_si256());
    __m256i counts = _mm256_xor_si256(none, lanes_words(-1));
    __m256i real = _mm256_and_si256(word, lanes_words(0x7fff));
    lanes_store_packed(cells,
                       lanes_stored_bf16(real, _mm256_packs_epi32(top[0], top[1]), word, counts));
}

#undef LANES

#endif
