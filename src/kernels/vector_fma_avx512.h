// SPDX-License-Identifier: Apache-2.0
// The multiply-add in AVX-512, whatever its operands are; vector_quick_avx512.h has what most
// need. Pages: SFPMAD.md. Must equal tsr_sfpu_fma() of numerics/sfpu_fma.c.
//
// A product alone (z is +0) and a sum alone (x or y is one) are rounded once, to nearest even, as
// the host's own instructions do it; these say so themselves, whatever the host's mode, and raise
// no flag. Between the two lie products that are cut before they are added, which are integers
// here, of which a conversion normalises and rounds the sum. Infinities, NaNs, overflow and what is
// below the normal numbers are marked as hard, and are the reference's. Where the cut cannot be
// seen in the sum, the host's fused multiply-add has it.
#ifndef TESSERA_KERNELS_VECTOR_FMA_AVX512_H
#define TESSERA_KERNELS_VECTOR_FMA_AVX512_H

#include "numerics/sfpu.h"

#include <immintrin.h>

#define FMA TSR_INLINE TSR_TARGET
#define FMA_ROUNDING (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define FMA_EXPONENT 0x7f800000

enum { FMA_UNIT = 1 << 23, FMA_HALF = 16 };

FMA __m512i fma_all_lanes(uint32_t value)
{
    return _mm512_set1_epi32((int32_t)value);
}

// The same of a constant, from memory: a broadcast from there costs none of the ports that compute,
// while compilers would load it into a register first.
FMA __m512i fma_broadcast(const uint32_t *word)
{
    __m512i value;
    __asm__("vpbroadcastd %1, %0" : "=v"(value) : "m"(*word));
    return value;
}
#define fma_set(constant)                                                                          \
    __extension__({                                                                                \
        static const uint32_t fma_word = (constant);                                               \
        fma_broadcast(&fma_word);                                                                  \
    })

// All 64 bytes at once: what a masked store has left out of a line delays whoever loads it next.
FMA void fma_put_lanes(uint32_t *d, uint32_t lanes, __m512i first, __m512i last)
{
    if (lanes != ~0u) {
        first = _mm512_mask_mov_epi32(_mm512_loadu_si512(d), (__mmask16)lanes, first);
        last = _mm512_mask_mov_epi32(_mm512_loadu_si512(d + FMA_HALF),
                                     (__mmask16)(lanes >> FMA_HALF), last);
    }
    _mm512_storeu_si512(d, first);
    _mm512_storeu_si512(d + FMA_HALF, last);
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
    const __m512i exponent = fma_set(FMA_EXPONENT);
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
    __mmask16 zero = _mm512_testn_epi32_mask(value, fma_set(FMA_EXPONENT));
    return _mm512_mask_and_epi32(value, zero, value, fma_all_lanes(bh ? 0x80000000u : 0));
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
        __mmask16 large = _mm512_test_epi32_mask(result, fma_set(FMA_EXPONENT));
        *hard &= (some & unlike) | large;
        // Opposite infinities and NaNs; with them the sum has every exponent bit set already.
    }
    return result;
}

// ---------------------------------------------------------------- both

// Comparisons have one port of the processor, minima and shifts two: what is 0 or more is
// counted as 0 or 1 by its minimum with 1.
FMA __m512i fma_or_if(__m512i m, __m512i more)
{
    return _mm512_or_si512(m, _mm512_min_epu32(more, fma_set(1)));
}

// Significands, shifted left by six, so that the upper halves of the products of 64 bits are what
// stays: units of 2^-26, the last bit set if something is below.
FMA __m512i fma_cut_product(__mmask16 counts, __m512i a, __m512i b)
{
    const __m512i upper =
        _mm512_set_epi32(31, 15, 29, 13, 27, 11, 25, 9, 23, 7, 21, 5, 19, 3, 17, 1);
    const __m512i lower =
        _mm512_set_epi32(30, 14, 28, 12, 26, 10, 24, 8, 22, 6, 20, 4, 18, 2, 16, 0);
    const __m512i mantissa = fma_set(0x7fffffu << 6), hidden = fma_set(0x800000u << 6);
    __m512i x =
        _mm512_maskz_ternarylogic_epi32(counts, _mm512_slli_epi32(a, 6), mantissa, hidden, 0xea);
    __m512i y = _mm512_ternarylogic_epi32(_mm512_slli_epi32(b, 6), mantissa, hidden, 0xea);
    __m512i even = _mm512_mul_epu32(x, y);
    __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(y, 32));
    return fma_or_if(_mm512_permutex2var_epi32(even, upper, odd),
                     _mm512_permutex2var_epi32(even, lower, odd));
}

// z with three places more. A denormal keeps its mantissa: it is noticed only where sums are hard.
FMA __m512i fma_cut_addend(__m512i c, __m512i e_c)
{
    __m512i hidden = _mm512_min_epu32(e_c, fma_set(FMA_UNIT));
    return _mm512_slli_epi32(_mm512_ternarylogic_epi32(c, fma_set(FMA_UNIT - 1), hidden, 0xea), 3);
}

FMA __m512i fma_align(__m512i m, __m512i distance)
{
    __m512i kept = _mm512_srlv_epi32(m, distance);
    __m512i lost = _mm512_sub_epi32(m, _mm512_sllv_epi32(kept, distance));
    return fma_or_if(kept, _mm512_min_epu32(lost, kept));
}

// Exponents stay where they are in a float, and count from 127 below: those of the factors are
// added as they are, and z's gets 127 more. Sums that are near either end are hard: below, as a
// product that is less than a normal number does not count, unless z is too large to notice.
enum { FMA_LOWEST = 127 + 32, FMA_HIGHEST = 127 + 251 };

FMA __m512i fma_general(__m512i a, __m512i b, __m512i c, bool bh, __mmask16 *hard)
{
    const __m512i field = fma_set(FMA_EXPONENT), sign_bit = fma_set(0x80000000u);
    __m512i e_a = _mm512_and_si512(a, field), e_b = _mm512_and_si512(b, field);
    __m512i e_c = _mm512_and_si512(c, field), least = _mm512_min_epu32(e_a, e_b);
    __m512i e_p = _mm512_add_epi32(e_a, e_b);
    __m512i e_z = _mm512_add_epi32(e_c, fma_set(127u * FMA_UNIT));
    __mmask16 counts = _mm512_test_epi32_mask(least, least);
    __m512i p = fma_cut_product(counts, a, b);
    __m512i q = fma_cut_addend(c, e_c);

    // A product of zero has to be the smaller one. The difference has the sign that it seems to
    // have unless e is hard.
    __m512i e = _mm512_mask_max_epu32(e_z, counts, e_p, e_z);
    __mmask16 p_above = _mm512_movepi32_mask(_mm512_sub_epi32(e_z, e));
    __m512i far = _mm512_mask_mov_epi32(e_p, p_above, e_z);
    __m512i large = _mm512_mask_mov_epi32(q, p_above, p);
    __m512i small = _mm512_mask_mov_epi32(p, p_above, q);
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
    *hard = _mm512_cmpge_epu32_mask(_mm512_max_epu32(e_a, e_b), field) |
            _mm512_cmpgt_epu32_mask(e, fma_set((uint32_t)FMA_HIGHEST * FMA_UNIT)) |
            _mm512_mask_cmplt_epu32_mask(nonzero, e, fma_set((uint32_t)FMA_LOWEST * FMA_UNIT));

    // As a float the sum has 26 places behind its point, too many.
    e = _mm512_sub_epi32(e, fma_set((127u + 127u + 26u) * FMA_UNIT));
    result = _mm512_maskz_add_epi32(nonzero, result, e);
    result = _mm512_ternarylogic_epi32(result, sign, sign_bit, 0x78); // result ^ (sign & bit)
    if (nonzero != 0xffff) {
        __m512i zero =
            bh ? _mm512_ternarylogic_epi32(sign_p, c, sign_bit, 0x80) : _mm512_setzero_si512();
        result = _mm512_mask_mov_epi32(zero, nonzero, result);
    }
    return result;
}

// ---------------------------------------------------------------- both, by the host

// In units of the last place that the chip keeps (2^-26 of the larger exponent) z is even if its
// exponent is at most two below the product's, and the product, if something was cut off, odd. Then
// the chip's sum is odd and less than a unit from the true one, and every place at which rounding
// changes is even as long as no more than one leading place was lost. So both round alike. The ends
// of the range are far enough away that no error term below leaves the normal numbers.
enum { FMA_QUICK_LEAST = 64, FMA_QUICK_MOST = 252 };

// Wormhole's sums of 29 bits lose the upper of the two places that go: one that lies two units
// above the middle becomes a tie. It is exact, and the host has rounded it up by 14 units.
FMA __m512i fma_tie_long(__m512i r, __mmask16 is_long, __m512 p, __m512 below, __m512 z)
{
    const __m512i upper = fma_set(0xff800000u), units = fma_set(0x600000u - 25u * FMA_UNIT);
    __m512 above = _mm512_sub_round_ps(p, _mm512_castsi512_ps(r), FMA_ROUNDING);
    __m512i fourteen = _mm512_add_epi32(_mm512_and_si512(r, upper), units);
    above = _mm512_add_round_ps(above, z, FMA_ROUNDING);
    above = _mm512_add_round_ps(above, _mm512_castsi512_ps(fourteen), FMA_ROUNDING);
    __m512 rest = _mm512_add_round_ps(above, below, FMA_ROUNDING);
    __mmask16 odd = _mm512_mask_test_epi32_mask(is_long, r, fma_set(1));
    __mmask16 tie =
        _mm512_mask_testn_epi32_mask(odd, _mm512_castps_si512(rest), fma_set(0x7fffffff));
    return _mm512_mask_sub_epi32(r, tie, r, fma_set(1));
}

FMA __m512i fma_long_sum(__m512i r, __mmask16 is_long, __m512i a, __m512i b, __m512i c)
{
    const __m512 x = _mm512_castsi512_ps(a), y = _mm512_castsi512_ps(b);
    __m512 p = _mm512_mul_round_ps(x, y, FMA_ROUNDING);
    __m512 below = _mm512_fmsub_round_ps(x, y, p, FMA_ROUNDING);
    return fma_tie_long(r, is_long, p, below, _mm512_castsi512_ps(c));
}

// ---------------------------------------------------------------- kernels

typedef struct fma_pair {
    __m512i half[2];
    __mmask16 hard[2];
} fma_pair;

FMA bool fma_all(__m512i first, __m512i last, __m512i value)
{
    return (_mm512_cmpneq_epi32_mask(first, value) | _mm512_cmpneq_epi32_mask(last, value)) == 0;
}

// Whether an operand is the same in all lanes is looked at where its first lane says so.
FMA fma_pair fma_lanes(const __m512i x[2], const __m512i y[2], const __m512i z[2],
                       const uint32_t first[3], bool bh)
{
    const uint32_t one_bits = 0x3f800000u;
    const __m512i one = fma_set(0x3f800000u);
    fma_pair pair;
    if (first[2] == 0 && fma_all(z[0], z[1], _mm512_setzero_si512())) {
        pair.half[0] = fma_product(x[0], y[0], &pair.hard[0]);
        pair.half[1] = fma_product(x[1], y[1], &pair.hard[1]);
    } else if (first[0] == one_bits && fma_all(x[0], x[1], one)) {
        pair.half[0] = fma_sum(y[0], z[0], bh, &pair.hard[0]);
        pair.half[1] = fma_sum(y[1], z[1], bh, &pair.hard[1]);
    } else if (first[1] == one_bits && fma_all(y[0], y[1], one)) {
        pair.half[0] = fma_sum(x[0], z[0], bh, &pair.hard[0]);
        pair.half[1] = fma_sum(x[1], z[1], bh, &pair.hard[1]);
    } else {
        pair.half[0] = fma_general(x[0], y[0], z[0], bh, &pair.hard[0]);
        pair.half[1] = fma_general(x[1], y[1], z[1], bh, &pair.hard[1]);
    }
    return pair;
}

FMA void fma_put(uint32_t *to, const __m512i from[2])
{
    _mm512_storeu_si512(to, from[0]);
    _mm512_storeu_si512(to + FMA_HALF, from[1]);
}

// The lanes `hard` once more, by the reference.
static __attribute__((noinline, cold)) void fma_again(uint32_t d[TSR_VECTOR_LANES], uint32_t hard,
                                                      const uint32_t *a, const uint32_t *b,
                                                      const uint32_t *c, tsr_arch arch)
{
    for (; hard != 0; hard &= hard - 1) {
        int i = __builtin_ctz(hard);
        d[i] = tsr_sfpu_fma(arch, a[i], b[i], c[i]);
    }
}

FMA fma_pair fma_finish(fma_pair pair, uint32_t lanes, const __m512i x[2], const __m512i y[2],
                        const __m512i z[2], tsr_arch arch)
{
    uint32_t hard = ((uint32_t)pair.hard[1] << FMA_HALF | pair.hard[0]) & lanes;
    if (__builtin_expect(hard != 0, 0)) {
        uint32_t operand[3][TSR_VECTOR_LANES], again[TSR_VECTOR_LANES];
        fma_put(operand[0], x);
        fma_put(operand[1], y);
        fma_put(operand[2], z);
        fma_put(again, pair.half);
        fma_again(again, hard, operand[0], operand[1], operand[2], arch);
        pair.half[0] = _mm512_loadu_si512(again);
        pair.half[1] = _mm512_loadu_si512(again + FMA_HALF);
    }
    return pair;
}

// The same, and into d. Operands come in registers, so that nobody else needs room for them.
static TSR_TARGET __attribute__((noinline, cold)) void
fma_put_hard(uint32_t *d, uint32_t lanes, uint32_t hard, tsr_arch arch, __m512i first, __m512i last,
             __m512i x0, __m512i x1, __m512i y0, __m512i y1, __m512i z0, __m512i z1)
{
    const __m512i x[2] = {x0, x1}, y[2] = {y0, y1}, z[2] = {z0, z1};
    const fma_pair pair = {{first, last}, {(__mmask16)hard, (__mmask16)(hard >> FMA_HALF)}};
    fma_pair done = fma_finish(pair, lanes, x, y, z, arch);
    fma_put_lanes(d, lanes, done.half[0], done.half[1]);
}

FMA void fma_both(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                  uint32_t lanes, bool bh, const tsr_vector_mode *mode)
{
    __m512i x[2] = {_mm512_loadu_si512(a), _mm512_loadu_si512(a + FMA_HALF)};
    const __m512i y[2] = {_mm512_loadu_si512(b), _mm512_loadu_si512(b + FMA_HALF)};
    __m512i z[2] = {_mm512_loadu_si512(c), _mm512_loadu_si512(c + FMA_HALF)};
    if ((mode->negate_a | mode->negate_c) != 0) {
        for (int half = 0; half < 2; half++) {
            x[half] = _mm512_xor_si512(x[half], fma_all_lanes(mode->negate_a));
            z[half] = _mm512_xor_si512(z[half], fma_all_lanes(mode->negate_c));
        }
    }
    const uint32_t first[3] = {a[0] ^ mode->negate_a, b[0], c[0] ^ mode->negate_c};
    fma_pair pair = fma_lanes(x, y, z, first, bh);
    uint32_t hard = (uint32_t)pair.hard[1] << FMA_HALF | pair.hard[0];
    if (__builtin_expect(hard != 0, 0)) {
        fma_put_hard(d, lanes, hard, mode->arch, pair.half[0], pair.half[1], x[0], x[1], y[0], y[1],
                     z[0], z[1]);
        return;
    }
    fma_put_lanes(d, lanes, pair.half[0], pair.half[1]);
}

// Whatever the operands are.
static TSR_TARGET __attribute__((noinline)) uint32_t vector_fma(uint32_t *d, const uint32_t *a,
                                                                const uint32_t *b,
                                                                const uint32_t *c, uint32_t lanes,
                                                                const tsr_vector_mode *mode)
{
    if (mode->arch == TSR_BLACKHOLE_A0)
        fma_both(d, a, b, c, lanes, true, mode);
    else
        fma_both(d, a, b, c, lanes, false, mode);
    return 0;
}

#endif
