// SPDX-License-Identifier: Apache-2.0
// The adder behind the products, a row of 16 columns at once in AVX-512: what dot_final32() and
// dot_final16() of dot_tmpl.h do with plain loops, which compilers do not bring into masks. The
// lanes are those of element_lane.h (MVMUL.md; exact arithmetic in docs/arithmetic.md). Logical
// shifts by 32 and more give 0 here.
#ifndef TESSERA_KERNELS_DOT_FINAL_AVX512_H
#define TESSERA_KERNELS_DOT_FINAL_AVX512_H

#include "kernels/element_lane.h"

#include <immintrin.h>

#define FINAL TSR_LANE TSR_TARGET

FINAL __m512i final_set(int32_t value)
{
    return _mm512_set1_epi32(value);
}

FINAL __m512i final_lanes(const int32_t *lanes)
{
    return _mm512_load_si512(lanes);
}

FINAL __m512i final_load(const uint16_t *cells)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)cells));
}

FINAL void final_store(uint16_t *cells, __m512i lanes)
{
    _mm256_storeu_si256((__m256i *)cells, _mm512_cvtepi32_epi16(lanes));
}

// (lanes & mask) << left, or >> right.
FINAL __m512i final_part_left(__m512i lanes, int32_t mask, unsigned left)
{
    return _mm512_slli_epi32(_mm512_and_si512(lanes, final_set(mask)), left);
}

FINAL __m512i final_part_right(__m512i lanes, unsigned right, int32_t mask)
{
    return _mm512_and_si512(_mm512_srli_epi32(lanes, right), final_set(mask));
}

FINAL __m512i final_or(__m512i a, __m512i b, __m512i c)
{
    return _mm512_ternarylogic_epi32(a, b, c, 0xFE);
}

// Half of what a shift by `distance` drops.
FINAL __m512i final_half(__m512i distance)
{
    return _mm512_srli_epi32(_mm512_sllv_epi32(final_set(1), distance), 1);
}

// Ties toward plus infinity, which an arithmetic shift of the signed sum gives by itself. A group
// whose largest exponent is not above 0 counts as nothing.
FINAL __m512i final_term(__m512i sum, __m512i exponent, __m512i top, bool acc32)
{
    __mmask16 lives = _mm512_cmpgt_epi32_mask(exponent, _mm512_setzero_si512());
    __m512i distance = _mm512_min_epi32(_mm512_sub_epi32(top, exponent), final_set(31));
    sum = _mm512_maskz_slli_epi32(lives, sum, 13);
    sum = _mm512_srav_epi32(_mm512_add_epi32(sum, final_half(distance)), distance);
    if (acc32) {
        return sum;
    }
    return _mm512_srai_epi32(_mm512_add_epi32(sum, final_set(4096)), 13);
}

// Ties away from zero.
FINAL __m512i final_acc(__m512i acc, __m512i exponent, __m512i top, bool acc32)
{
    __mmask16 lives = _mm512_test_epi32_mask(exponent, exponent);
    __m512i distance = _mm512_sub_epi32(top, exponent);
    __m512i m = _mm512_and_si512(acc, final_set(0x7FFFFF));
    m = _mm512_maskz_or_epi32(lives, m, final_set(0x800000));
    m = _mm512_srlv_epi32(_mm512_add_epi32(m, final_half(distance)), distance);
    if (!acc32) {
        m = _mm512_srli_epi32(_mm512_add_epi32(m, final_set(4096)), 13);
    }
    return _mm512_mask_sub_epi32(m, _mm512_movepi32_mask(acc), _mm512_setzero_si512(), m);
}

// The exact sum of a row: `top` comes back with the exponent of its units.
FINAL __m512i final_sum(const int32_t *sum0, const int32_t *top0, const int32_t *sum1,
                        const int32_t *top1, __m512i acc, bool acc32, __m512i *top)
{
    __m512i exponent0 = final_lanes(top0), exponent1 = final_lanes(top1);
    __m512i exponent = final_part_right(acc, 23, 0xFF);
    *top = _mm512_max_epi32(_mm512_max_epi32(exponent0, exponent1), exponent);
    __m512i sum = _mm512_add_epi32(final_term(final_lanes(sum0), exponent0, *top, acc32),
                                   final_term(final_lanes(sum1), exponent1, *top, acc32));
    return _mm512_add_epi32(sum, final_acc(acc, exponent, *top, acc32));
}

FINAL __m512i final_round32(__m512i sum, __m512i top, bool lone_unit_bug)
{
    __m512i zeros = _mm512_sub_epi32(_mm512_lzcnt_epi32(_mm512_abs_epi32(sum)), final_set(2));
    __m512i m = _mm512_sllv_epi32(_mm512_abs_epi32(sum), zeros);
    m = _mm512_srli_epi32(_mm512_add_epi32(m, final_set(32)), 6);
    __m512i exponent = _mm512_sub_epi32(_mm512_add_epi32(top, final_set(6)), zeros);
    exponent = _mm512_add_epi32(exponent, _mm512_srli_epi32(m, 24));
    if (lone_unit_bug) { // the mantissa of one unit is 0 as it is
        __mmask16 lone = _mm512_cmpeq_epi32_mask(sum, final_set(-1));
        exponent = _mm512_mask_add_epi32(exponent, lone, top, final_set(4));
    }
    __mmask16 lives = _mm512_test_epi32_mask(m, m);
    lives = _mm512_mask_cmpgt_epi32_mask(lives, exponent, _mm512_setzero_si512());
    lives = _mm512_mask_cmpgt_epi32_mask(lives, top, _mm512_setzero_si512());
    __mmask16 fits = _mm512_cmplt_epi32_mask(exponent, final_set(255));
    m = _mm512_maskz_and_epi32(fits, m, final_set(0x7FFFFF));
    exponent = _mm512_slli_epi32(_mm512_min_epi32(exponent, final_set(255)), 23);
    __m512i sign = _mm512_and_si512(sum, final_set((int32_t)0x80000000u));
    return _mm512_maskz_mov_epi32(lives, final_or(exponent, m, sign));
}

// The bits of a BF16 or FP16. Rounding may carry into the exponent.
FINAL __m512i final_round16(__m512i sum, __m512i top, bool e8)
{
    const int mantissa = e8 ? 7 : 10;
    __m512i zeros = _mm512_sub_epi32(_mm512_lzcnt_epi32(_mm512_abs_epi32(sum)), final_set(16));
    __m512i m = _mm512_sllv_epi32(_mm512_abs_epi32(sum), zeros);
    __m512i exponent = _mm512_sub_epi32(_mm512_add_epi32(top, final_set(4)), zeros);
    __mmask16 lives = _mm512_test_epi32_mask(m, m);
    m = _mm512_add_epi32(m, final_set(1 << (14 - mantissa)));
    m = _mm512_srli_epi32(m, (unsigned)(15 - mantissa));
    __m512i size = _mm512_add_epi32(_mm512_slli_epi32(exponent, (unsigned)mantissa), m);
    lives = _mm512_mask_cmpge_epi32_mask(lives, size, final_set(1 << mantissa));
    lives = _mm512_mask_cmpgt_epi32_mask(lives, top, _mm512_setzero_si512());
    size = _mm512_min_epi32(size, final_set(e8 ? 255 << 7 : 0x7FFF));
    __m512i sign = final_part_right(sum, 16, 0x8000);
    return _mm512_maskz_or_epi32(lives, size, sign);
}

// One row of Dst; docs/arithmetic.md has Dst's orders of bits.
FINAL void final_row32(uint16_t *high, uint16_t *low, const int32_t *sum0, const int32_t *top0,
                       const int32_t *sum1, const int32_t *top1, bool lone_unit_bug)
{
    __m512i stored = final_load(high), top;
    __m512i acc = final_or(final_part_left(stored, 0x8000, 16), final_part_left(stored, 0xFF, 23),
                           final_part_left(stored, 0x7F00, 8));
    acc = _mm512_or_si512(acc, final_load(low));
    __m512i sum = final_sum(sum0, top0, sum1, top1, acc, true, &top);
    __m512i bits = final_round32(sum, top, lone_unit_bug);
    final_store(high, final_or(final_part_right(bits, 16, 0x8000),
                               final_part_right(bits, 8, 0x7F00),
                               final_part_right(bits, 23, 0xFF)));
    final_store(low, bits);
}

FINAL void final_row16(uint16_t *high, const int32_t *sum0, const int32_t *top0,
                       const int32_t *sum1, const int32_t *top1, bool e8)
{
    __m512i stored = final_load(high), top;
    __m512i acc = final_or(final_part_left(stored, 0x8000, 16),
                           final_part_left(stored, e8 ? 0xFF : 0x1F, 23),
                           final_part_left(stored, e8 ? 0x7F00 : 0x7FE0, 8));
    __m512i sum = final_sum(sum0, top0, sum1, top1, acc, false, &top);
    __m512i bits = final_round16(sum, top, e8);
    __m512i sign = _mm512_and_si512(bits, final_set(0x8000));
    if (e8) {
        final_store(high, final_or(sign, final_part_left(bits, 0x7F, 8),
                                   final_part_right(bits, 7, 0xFF)));
    } else {
        final_store(high, final_or(sign, final_part_left(bits, 0x3FF, 5),
                                   final_part_right(bits, 10, 0x1F)));
    }
}

#undef FINAL

#endif
