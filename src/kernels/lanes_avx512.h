// SPDX-License-Identifier: Apache-2.0
// The way of sixteen datums of Dst into the FPU's adder and of sums back to Dst, in AVX-512.
// Included by dot_avx512.h, element_avx512.h and move_avx512.h. Must equal tsr_fpu_final() of
// numerics/fpu_align.h (exact arithmetic in docs/arithmetic.md). Shifts by 32 and more leave 0, or
// the sign.
//
// Everything that is aligned comes doubled, so that rounding half up needs no weight of its own:
// x / 2^d is then ((2x >> d) + 1) >> 1, for d = 0 too.
//
// Integers become floats only in order to be normalised: each conversion is exact or cuts off by
// its own encoding, so none depends on how the host rounds, and none raises a flag.
#ifndef TESSERA_KERNELS_LANES_AVX512_H
#define TESSERA_KERNELS_LANES_AVX512_H

#include "kernels/lane.h"

#include <immintrin.h>
#include <stdbool.h>

#define LANES TSR_INLINE TSR_TARGET

LANES __m512i lanes_set(int32_t value)
{
    return _mm512_set1_epi32(value);
}

LANES __m512i lanes_load(const uint16_t *cells)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)cells));
}

LANES void lanes_store(uint16_t *cells, __m512i lanes)
{
    _mm256_storeu_si256((__m256i *)cells, _mm512_cvtepi32_epi16(lanes));
}

// The lower halves of the lanes of two rows, which become contiguous.
LANES __m512i lanes_narrow(__m512i row0, __m512i row1)
{
    const __m512i lower =
        _mm512_set_epi16(62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32, 30, 28, 26,
                         24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    return _mm512_permutex2var_epi16(row0, lower, row1);
}

// (lanes & mask) | more.
LANES __m512i lanes_merge(__m512i lanes, int32_t mask, __m512i more)
{
    return _mm512_ternarylogic_epi32(lanes, lanes_set(mask), more, 0xea);
}

// Bits of `a` where the mask has ones, else of `b`.
LANES __m512i lanes_select(int32_t mask, __m512i a, __m512i b)
{
    return _mm512_ternarylogic_epi32(lanes_set(mask), a, b, 0xca);
}

LANES __m512i lanes_merge_if(__mmask16 some, __m512i lanes, int32_t mask, int32_t more)
{
    return _mm512_maskz_ternarylogic_epi32(some, lanes, lanes_set(mask), lanes_set(more), 0xea);
}

LANES __m512i lanes_negate_if(__mmask16 some, __m512i lanes)
{
    return _mm512_mask_sub_epi32(lanes, some, _mm512_setzero_si512(), lanes);
}

// ---------------------------------------------------------------- into the adder

// Doubled, in units of 2^-23 at some exponent, to one at exponent `top`, `distance` above: ties
// toward plus infinity, as an arithmetic shift rounds. For a 16-bit Dst cut to units of
// 2^-10: two roundings of this kind in a row are one sum and one shift.
LANES __m512i lanes_align(__m512i doubled, __m512i distance, bool acc32)
{
    __m512i x = _mm512_srav_epi32(doubled, distance);
    return acc32 ? _mm512_srai_epi32(_mm512_add_epi32(x, lanes_set(1)), 1)
                 : _mm512_srai_epi32(_mm512_add_epi32(x, lanes_set(1 + 2 * 4096)), 14);
}

// What Dst holds; denormals are zeros. Ties of the magnitude go away from zero, so it gets its sign
// after the alignment.
typedef struct lanes_acc {
    __m512i doubled, exponent;
    __mmask16 negative;
} lanes_acc;

LANES lanes_acc lanes_acc16(const uint16_t *high, bool e8)
{
    __m512i stored = lanes_load(high);
    __m512i exponent = _mm512_and_si512(stored, lanes_set(e8 ? 0xff : 0x1f));
    __mmask16 nonzero = _mm512_test_epi32_mask(exponent, exponent);
    return (lanes_acc){
        .doubled = lanes_merge_if(nonzero, _mm512_slli_epi32(stored, 9),
                                  e8 ? 0x7f << 17 : 0x3ff << 14, 1 << 24),
        .exponent = exponent,
        .negative = _mm512_test_epi32_mask(stored, lanes_set(0x8000)),
    };
}

LANES lanes_acc lanes_acc32(const uint16_t *high, const uint16_t *low)
{
    __m512i stored = lanes_load(high);
    __m512i exponent = _mm512_and_si512(stored, lanes_set(0xff));
    __mmask16 nonzero = _mm512_test_epi32_mask(exponent, exponent);
    __m512i m = lanes_merge(_mm512_slli_epi32(stored, 8), 0x7f << 16, lanes_load(low));
    m = _mm512_maskz_or_epi32(nonzero, m, lanes_set(1 << 23));
    return (lanes_acc){
        .doubled = _mm512_add_epi32(m, m),
        .exponent = exponent,
        .negative = _mm512_test_epi32_mask(stored, lanes_set(0x8000)),
    };
}

LANES __m512i lanes_add_acc(__m512i sum, lanes_acc acc, __m512i top, bool acc32)
{
    __m512i m = lanes_align(acc.doubled, _mm512_sub_epi32(top, acc.exponent), acc32);
    return _mm512_mask_sub_epi32(_mm512_add_epi32(sum, m), acc.negative, sum, m);
}

// ---------------------------------------------------------------- back to Dst

// Two rows of sums below 2^24 in units of 2^-10, at exponents `top`. As floats they are exact and
// normalised, and sign, exponent and mantissa stand where they are wanted but for the exponent's
// bias of 127 + 10. Rounding may carry into the exponent. `positive`: where a top is not above 0
// the sum is 0. The result is as Dst stores it, the rows contiguous; it is made in lanes of 16 bits
// because they saturate.
typedef struct lanes_pair {
    __m512i sum[2], top[2];
} lanes_pair;

LANES __m512i lanes_real(__m512i sum, int dropped)
{
    __m512i real = _mm512_castps_si512(_mm512_cvtepi32_ps(sum));
    return _mm512_add_epi32(real, lanes_set(1 << (dropped - 1)));
}

// Below 0 where there is nothing. The sign is all that counts of `sign`.
LANES __m512i lanes_sizes_e8(const lanes_pair *pair, __m512i *sign)
{
    __m512i real0 = lanes_real(pair->sum[0], 16), real1 = lanes_real(pair->sum[1], 16);
    *sign = _mm512_packs_epi32(_mm512_srai_epi32(real0, 16), _mm512_srai_epi32(real1, 16));
    __m512i exponent = _mm512_packs_epi32(pair->top[0], pair->top[1]);
    exponent = _mm512_slli_epi16(_mm512_sub_epi16(exponent, _mm512_set1_epi16(137)), 7);
    __m512i size = _mm512_and_si512(*sign, _mm512_set1_epi16(0x7fff));
    size = _mm512_adds_epi16(size, exponent);
    return _mm512_min_epi16(size, _mm512_set1_epi16(255 << 7));
}

LANES __m512i lanes_size_e5(__m512i sum, __m512i top)
{
    __m512i size = _mm512_srli_epi32(lanes_real(sum, 13), 13);
    size = _mm512_and_si512(size, lanes_set(0x3ffff));
    return _mm512_add_epi32(size, _mm512_slli_epi32(_mm512_sub_epi32(top, lanes_set(137)), 10));
}

LANES __m512i lanes_round16(const lanes_pair *pair, bool e8, bool positive)
{
    const int mantissa = e8 ? 7 : 10;
    __m512i size, sign;
    if (e8) {
        size = lanes_sizes_e8(pair, &sign);
    } else {
        size = _mm512_packs_epi32(lanes_size_e5(pair->sum[0], pair->top[0]),
                                  lanes_size_e5(pair->sum[1], pair->top[1]));
        sign = _mm512_packs_epi32(pair->sum[0], pair->sum[1]);
    }
    __mmask32 nonzero = _mm512_test_epi16_mask(sign, sign);
    nonzero =
        _mm512_mask_cmpge_epi16_mask(nonzero, size, _mm512_set1_epi16((short)(1 << mantissa)));
    if (!positive) {
        __m512i top = _mm512_packs_epi32(pair->top[0], pair->top[1]);
        nonzero = _mm512_mask_cmpgt_epi16_mask(nonzero, top, _mm512_setzero_si512());
    }
    __m512i stored = lanes_merge(_mm512_slli_epi16(size, (unsigned)(15 - mantissa)),
                                 (0x7fff & ~((1 << (15 - mantissa)) - 1)) * 0x10001,
                                 _mm512_srli_epi16(size, (unsigned)mantissa));
    stored = lanes_merge(sign, (int32_t)0x80008000u, stored);
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    return _mm512_permutexvar_epi64(order, _mm512_maskz_mov_epi16(nonzero, stored));
}

// A sum below 2^30 in units of 2^-23. Half of what is dropped is added first; the conversion then
// cuts the rest off. `positive` as above.
LANES void lanes_round32(uint16_t *high, uint16_t *low, __m512i sum, __m512i top,
                         bool lone_unit_bug, bool positive)
{
    __m512i m = _mm512_abs_epi32(sum);
    m = _mm512_add_epi32(m, _mm512_srlv_epi32(lanes_set(1 << 7), _mm512_lzcnt_epi32(m)));
    __m512i real =
        _mm512_castps_si512(_mm512_cvt_roundepi32_ps(m, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
    __m512i exponent =
        _mm512_add_epi32(_mm512_srli_epi32(real, 23), _mm512_sub_epi32(top, lanes_set(127 + 23)));
    if (lone_unit_bug) { // the mantissa of one unit is 0 as it is
        __mmask16 lone = _mm512_cmpeq_epi32_mask(sum, lanes_set(-1));
        exponent = _mm512_mask_add_epi32(exponent, lone, top, lanes_set(4));
    }
    __mmask16 nonzero = _mm512_test_epi32_mask(sum, sum);
    nonzero = _mm512_mask_cmpgt_epi32_mask(nonzero, exponent, _mm512_setzero_si512());
    if (!positive)
        nonzero = _mm512_mask_cmpgt_epi32_mask(nonzero, top, _mm512_setzero_si512());
    __mmask16 fits = _mm512_mask_cmplt_epi32_mask(nonzero, exponent, lanes_set(255));
    real = _mm512_maskz_mov_epi32(fits, real);
    exponent = _mm512_min_epi32(exponent, lanes_set(255));
    __m512i stored = lanes_merge(_mm512_srli_epi32(real, 8), 0x7f00, exponent);
    stored = _mm512_maskz_ternarylogic_epi32(nonzero, _mm512_srli_epi32(sum, 16), lanes_set(0x8000),
                                             stored, 0xea);
    lanes_store(high, stored);
    lanes_store(low, real);
}

#undef LANES

#endif
