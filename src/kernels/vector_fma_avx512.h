// SPDX-License-Identifier: Apache-2.0
// The multiply-add of sixteen lanes in AVX-512, and what ends in one: SFPMAD.md, SFPLUT.md,
// SFPLUTFP32.md. Included by vector_avx512.c. Must equal tsr_sfpu_fma() of numerics/sfpu_fma.c.
//
// A product alone (z is +0) and a sum alone (x or y is one) are rounded once, to nearest even, as
// the host's own instructions do it; these say so themselves, whatever the host's mode, and raise
// no flag. Between the two lie products that are cut before they are added, which are integers
// here, of which a conversion normalises and rounds the sum. Infinities, NaNs, overflow and what is
// below the normal numbers are marked as hard, and are the reference's.
#ifndef TESSERA_KERNELS_VECTOR_FMA_AVX512_H
#define TESSERA_KERNELS_VECTOR_FMA_AVX512_H

#include "numerics/sfpu.h"

#include <immintrin.h>

#define FMA TSR_LANE TSR_TARGET
#define FMA_ROUNDING (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define FMA_EXPONENT 0x7f800000

enum { FMA_UNIT = 1 << 23, FMA_HALF = 16 };

FMA __m512i fma_set(uint32_t value)
{
    return _mm512_set1_epi32((int32_t)value);
}

// Exponent 0 or 255, below the sign.
FMA __mmask16 fma_is_edge(__m512i value)
{
    __m512i size = _mm512_sub_epi32(_mm512_slli_epi32(value, 1), fma_set(1u << 24));
    return _mm512_cmpge_epu32_mask(size, fma_set(254u << 24));
}

// ---------------------------------------------------------------- a product, a sum

FMA __m512i fma_product(__m512i a, __m512i b, __mmask16 *hard)
{
    const __m512i exponent = _mm512_set1_epi32(FMA_EXPONENT);
    __mmask16 counts =
        _mm512_mask_test_epi32_mask(_mm512_test_epi32_mask(a, exponent), b, exponent);
    __m512i result = _mm512_castps_si512(_mm512_maskz_mul_round_ps(
        counts, _mm512_castsi512_ps(a), _mm512_castsi512_ps(b), FMA_ROUNDING));
    // Exponent 1 may have been rounded up from below.
    __m512i size = _mm512_sub_epi32(_mm512_slli_epi32(result, 1), fma_set(2u << 24));
    __mmask16 edge = _mm512_mask_cmpge_epu32_mask(counts, size, fma_set(253u << 24));
    __m512i larger = _mm512_max_epu32(_mm512_slli_epi32(a, 1), _mm512_slli_epi32(b, 1));
    *hard = edge | _mm512_cmpge_epu32_mask(larger, fma_set(255u << 24));
    return result;
}

FMA __m512i fma_flush(__m512i value, bool bh)
{
    __mmask16 zero = _mm512_testn_epi32_mask(value, _mm512_set1_epi32(FMA_EXPONENT));
    return _mm512_mask_and_epi32(value, zero, value, fma_set(bh ? 0x80000000u : 0));
}

FMA __m512i fma_sum(__m512i b, __m512i c, bool bh, __mmask16 *hard)
{
    b = fma_flush(b, bh);
    c = fma_flush(c, bh);
    __m512i result = _mm512_castps_si512(
        _mm512_add_round_ps(_mm512_castsi512_ps(b), _mm512_castsi512_ps(c), FMA_ROUNDING));
    *hard = fma_is_edge(result);
    if (*hard != 0) { // zeros, and sums of opposites, are as they should be
        __mmask16 some = _mm512_test_epi32_mask(_mm512_or_si512(b, c), fma_set(0x7fffffff));
        __m512i differ = _mm512_xor_si512(b, c);
        __mmask16 unlike = _mm512_cmpneq_epi32_mask(differ, fma_set(0x80000000u));
        __mmask16 large = _mm512_test_epi32_mask(result, _mm512_set1_epi32(FMA_EXPONENT));
        *hard &= (some & unlike) | large;
        // Opposite infinities and NaNs; with them the sum has every exponent bit set already.
    }
    return result;
}

// ---------------------------------------------------------------- both

// Significands of the lanes `some`, shifted left.
FMA __m512i fma_significand(__mmask16 some, __m512i value, int shift)
{
    const __m512i mantissa = fma_set(0x7fffffu << shift), hidden = fma_set(0x800000u << shift);
    value = _mm512_slli_epi32(value, (unsigned)shift);
    return _mm512_maskz_ternarylogic_epi32(some, value, mantissa, hidden, 0xea);
}

// The product in units of 2^-26, its last bit set if something is below. Each factor is shifted by
// six, so that the upper halves of the products of 64 bits are what stays.
FMA __m512i fma_cut_product(__mmask16 counts, __m512i a, __m512i b)
{
    const __m512i upper =
        _mm512_set_epi32(31, 15, 29, 13, 27, 11, 25, 9, 23, 7, 21, 5, 19, 3, 17, 1);
    const __m512i lower =
        _mm512_set_epi32(30, 14, 28, 12, 26, 10, 24, 8, 22, 6, 20, 4, 18, 2, 16, 0);
    __m512i x = fma_significand(counts, a, 6), y = fma_significand(counts, b, 6);
    __m512i even = _mm512_mul_epu32(x, y);
    __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(y, 32));
    __m512i cut = _mm512_permutex2var_epi32(even, lower, odd);
    __m512i kept = _mm512_permutex2var_epi32(even, upper, odd);
    return _mm512_mask_or_epi32(kept, _mm512_test_epi32_mask(cut, cut), kept, fma_set(1));
}

FMA __m512i fma_align(__m512i m, __m512i distance)
{
    __m512i kept = _mm512_srlv_epi32(m, distance);
    __mmask16 lost = _mm512_cmpneq_epi32_mask(_mm512_sllv_epi32(kept, distance), m);
    return _mm512_mask_or_epi32(kept, _mm512_mask_test_epi32_mask(lost, kept, kept), kept,
                                fma_set(1));
}

// Exponents stay where they are in a float, and count from 127 below: those of the factors are
// added as they are, and z's gets 127 more.
FMA __m512i fma_general(__m512i a, __m512i b, __m512i c, bool bh, __mmask16 *hard)
{
    const __m512i field = _mm512_set1_epi32(FMA_EXPONENT), bias = fma_set(127u * FMA_UNIT);
    __m512i e_a = _mm512_and_si512(a, field), e_b = _mm512_and_si512(b, field);
    __m512i e_c = _mm512_and_si512(c, field);
    __m512i e_p = _mm512_add_epi32(e_a, e_b), e_z = _mm512_add_epi32(e_c, bias);
    __mmask16 counts = _mm512_mask_test_epi32_mask(_mm512_test_epi32_mask(e_a, e_a), e_b, e_b);
    counts = _mm512_mask_cmpge_epu32_mask(counts, e_p, bias);
    __m512i p = fma_cut_product(counts, a, b);
    __m512i q = fma_significand(_mm512_test_epi32_mask(e_c, e_c), c, 3);

    __mmask16 p_above = _mm512_mask_cmpgt_epu32_mask(counts, e_p, e_z);
    __m512i e = _mm512_mask_mov_epi32(e_z, p_above, e_p);
    __m512i far = _mm512_mask_mov_epi32(e_p, p_above, e_z);
    __m512i large = _mm512_mask_mov_epi32(q, p_above, p),
            small = _mm512_mask_mov_epi32(p, p_above, q);
    small = fma_align(small, _mm512_srli_epi32(_mm512_sub_epi32(e, far), 23));
    __m512i sign_p = _mm512_xor_si512(a, b);
    __mmask16 opposite = _mm512_movepi32_mask(_mm512_xor_si512(sign_p, c));
    __m512i sum = _mm512_mask_sub_epi32(_mm512_add_epi32(large, small), opposite, large, small);
    if (!bh) { // 29 bits: the upper of the two that go is not looked at
        __mmask16 long_sum = _mm512_cmpge_epi32_mask(sum, fma_set(1u << 28));
        sum = _mm512_mask_and_epi32(sum, long_sum, sum, fma_set(~2u));
    }
    __m512i result = _mm512_castps_si512(_mm512_cvt_roundepi32_ps(sum, FMA_ROUNDING));
    __m512i sign = _mm512_mask_mov_epi32(c, p_above, sign_p);
    __mmask16 nonzero = _mm512_test_epi32_mask(sum, sum);

    // As a float the sum has 26 places behind its point, too many.
    e = _mm512_sub_epi32(e, fma_set((127u + 127u + 26u) * FMA_UNIT));
    __m512i size = _mm512_add_epi32(_mm512_and_si512(result, fma_set(0x7fffffff)), e);
    size = _mm512_sub_epi32(size, fma_set(FMA_UNIT));
    __mmask16 edge = _mm512_mask_cmpge_epu32_mask(nonzero, size, fma_set(254u * FMA_UNIT));
    __mmask16 over = _mm512_cmpge_epu32_mask(_mm512_max_epu32(e_a, e_b), field);
    // e below 0 now is e above 2^31: compare what it was before.
    over |= _mm512_cmpge_epi32_mask(e, fma_set((382u - 280u) * FMA_UNIT));
    *hard = edge | over;
    result = _mm512_maskz_add_epi32(nonzero, result, e);
    result =
        _mm512_ternarylogic_epi32(result, sign, fma_set(0x80000000u), 0x78); // r ^ (sign & bit)
    if (nonzero != 0xffff) {
        __m512i zero = bh ? _mm512_ternarylogic_epi32(sign_p, c, fma_set(0x80000000u), 0x80)
                          : _mm512_setzero_si512();
        result = _mm512_mask_mov_epi32(zero, nonzero, result);
    }
    return result;
}

// ---------------------------------------------------------------- kernels

// The lanes `hard` once more, by the reference.
FMA void fma_again(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                   __mmask16 hard, const tsr_vector_mode *mode)
{
    for (uint32_t left = hard; left != 0; left &= left - 1) {
        int i = __builtin_ctz(left);
        d[i] = tsr_sfpu_fma(mode->arch, a[i] ^ mode->negate_a, b[i], c[i] ^ mode->negate_c);
    }
}

FMA void fma_half(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                  __mmask16 lanes, bool bh, const tsr_vector_mode *mode)
{
    const __m512i one = fma_set(0x3f800000u);
    __m512i x = _mm512_xor_si512(_mm512_loadu_si512(a), fma_set(mode->negate_a));
    __m512i y = _mm512_loadu_si512(b);
    __m512i z = _mm512_xor_si512(_mm512_loadu_si512(c), fma_set(mode->negate_c));
    __m512i result;
    __mmask16 hard;
    if (_mm512_test_epi32_mask(z, z) == 0)
        result = fma_product(x, y, &hard);
    else if (_mm512_cmpneq_epi32_mask(x, one) == 0)
        result = fma_sum(y, z, bh, &hard);
    else if (_mm512_cmpneq_epi32_mask(y, one) == 0)
        result = fma_sum(x, z, bh, &hard);
    else
        result = fma_general(x, y, z, bh, &hard);
    hard &= lanes;
    if (hard != 0) { // d may be one of the operands
        uint32_t again[FMA_HALF];
        _mm512_storeu_si512(again, result);
        fma_again(again, a, b, c, hard, mode);
        result = _mm512_loadu_si512(again);
    }
    _mm512_mask_storeu_epi32(d, lanes, result);
}

static TSR_TARGET uint32_t vector_fma(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                      const uint32_t *c, uint32_t lanes,
                                      const tsr_vector_mode *mode)
{
    __mmask16 first = (__mmask16)lanes, last = (__mmask16)(lanes >> 16);
    bool bh = mode->arch == TSR_BLACKHOLE_A0;
    if (bh) {
        fma_half(d, a, b, c, first, true, mode);
        fma_half(d + FMA_HALF, a + FMA_HALF, b + FMA_HALF, c + FMA_HALF, last, true, mode);
    } else {
        fma_half(d, a, b, c, first, false, mode);
        fma_half(d + FMA_HALF, a + FMA_HALF, b + FMA_HALF, c + FMA_HALF, last, false, mode);
    }
    return 0;
}

// ---------------------------------------------------------------- tables

FMA __m512i fma_coefficient8(__m512i byte)
{
    __m512i exponent = _mm512_slli_epi32(_mm512_and_si512(byte, fma_set(0x70)), 19);
    __m512i mantissa = _mm512_slli_epi32(_mm512_and_si512(byte, fma_set(0xf)), 19);
    __m512i sign = _mm512_slli_epi32(_mm512_and_si512(byte, fma_set(0x80)), 24);
    __m512i size = _mm512_add_epi32(_mm512_sub_epi32(fma_set(0x3f800000u), exponent), mantissa);
    __mmask16 some = _mm512_cmpneq_epi32_mask(byte, fma_set(0xff));
    return _mm512_maskz_or_epi32(some, size, sign);
}

FMA __m512i fma_coefficient16(__m512i half)
{
    __m512i size = _mm512_slli_epi32(_mm512_and_si512(half, fma_set(0x7fff)), 13);
    __m512i sign = _mm512_slli_epi32(_mm512_and_si512(half, fma_set(0x8000)), 16);
    __mmask16 some = _mm512_cmplt_epu32_mask(size, fma_set(31u * FMA_UNIT));
    size = _mm512_mask_add_epi32(_mm512_and_si512(size, fma_set(0x7fffff)), some, size,
                                 fma_set(112u * FMA_UNIT));
    return _mm512_or_si512(size, sign);
}

// Of registers `first` to first + 2, 32 lanes each, the one for |x|.
FMA __m512i fma_choose(const uint32_t *lreg, int first, __m512i size)
{
    __m512i line = _mm512_loadu_si512(lreg + (first + 2) * TSR_VECTOR_LANES);
    line = _mm512_mask_loadu_epi32(line, _mm512_cmplt_epu32_mask(size, fma_set(0x40000000u)),
                                   lreg + (first + 1) * TSR_VECTOR_LANES);
    return _mm512_mask_loadu_epi32(line, _mm512_cmplt_epu32_mask(size, fma_set(0x3f800000u)),
                                   lreg + first * TSR_VECTOR_LANES);
}

typedef struct fma_line {
    __m512i slope, offset;
} fma_line;

FMA fma_line fma_line8(const uint32_t *lreg, __m512i size)
{
    __m512i pair = fma_choose(lreg, 0, size);
    __m512i high = _mm512_and_si512(_mm512_srli_epi32(pair, 8), fma_set(0xff));
    return (fma_line){fma_coefficient8(high),
                      fma_coefficient8(_mm512_and_si512(pair, fma_set(0xff)))};
}

// Which half of the coefficients: the intervals' own halves begin at 0.5, 1.5 and 3 or 4.
FMA __m512i fma_places(__m512i size, unsigned modifier)
{
    __m512i middle = fma_set((modifier & 1u) != 0 ? 0x40800000u : 0x40400000u);
    middle = _mm512_mask_mov_epi32(middle, _mm512_cmplt_epu32_mask(size, fma_set(0x40000000u)),
                                   fma_set(0x3fc00000u));
    middle = _mm512_mask_mov_epi32(middle, _mm512_cmplt_epu32_mask(size, fma_set(0x3f800000u)),
                                   fma_set(0x3f000000u));
    return _mm512_maskz_mov_epi32(_mm512_cmpge_epu32_mask(size, middle), fma_set(16));
}

FMA fma_line fma_line16(const uint32_t *lreg, __m512i size, unsigned modifier)
{
    __m512i slope = fma_choose(lreg, 0, size);
    if ((modifier & 2u) == 0)
        return (fma_line){slope, fma_choose(lreg, 4, size)};
    if ((modifier & 8u) != 0)
        return (fma_line){fma_coefficient16(_mm512_srli_epi32(slope, 16)),
                          fma_coefficient16(slope)};
    __m512i places = fma_places(size, modifier);
    return (fma_line){
        fma_coefficient16(_mm512_srlv_epi32(slope, places)),
        fma_coefficient16(_mm512_srlv_epi32(fma_choose(lreg, 4, size), places)),
    };
}

FMA void fma_table_half(uint32_t *d, const uint32_t *lreg, __mmask16 lanes, bool bh,
                        const tsr_vector_mode *mode)
{
    __m512i x = _mm512_loadu_si512(lreg + 3 * TSR_VECTOR_LANES);
    __m512i size = _mm512_and_si512(x, fma_set(0x7fffffff));
    fma_line line =
        mode->op == TSR_VECTOR_LUT ? fma_line8(lreg, size) : fma_line16(lreg, size, mode->modifier);
    __mmask16 hard;
    __m512i result = fma_general(line.slope, size, line.offset, bh, &hard);
    hard &= lanes;
    if (hard != 0) {
        uint32_t operand[3][FMA_HALF], again[FMA_HALF];
        tsr_vector_mode plain = {.arch = mode->arch};
        _mm512_storeu_si512(operand[0], line.slope);
        _mm512_storeu_si512(operand[1], size);
        _mm512_storeu_si512(operand[2], line.offset);
        _mm512_storeu_si512(again, result);
        fma_again(again, operand[0], operand[1], operand[2], hard, &plain);
        result = _mm512_loadu_si512(again);
    }
    if ((mode->modifier & 4u) != 0) // the sign of x
        result = _mm512_ternarylogic_epi32(fma_set(0x80000000u), x, result, 0xca);
    _mm512_mask_storeu_epi32(d, lanes, result);
}

static TSR_TARGET uint32_t vector_table(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                        const uint32_t *c, uint32_t lanes,
                                        const tsr_vector_mode *mode)
{
    bool bh = mode->arch == TSR_BLACKHOLE_A0;
    (void)b, (void)c;
    fma_table_half(d, a, (__mmask16)lanes, bh, mode);
    fma_table_half(d + FMA_HALF, a + FMA_HALF, (__mmask16)(lanes >> 16), bh, mode);
    return 0;
}

#undef FMA

#endif
