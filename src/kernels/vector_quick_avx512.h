// SPDX-License-Identifier: Apache-2.0
// The multiply-add in AVX-512 where one look at all 32 lanes proves that the host's own
// instruction has the result; otherwise vector_fma_avx512.h has it. What is known of the operands
// before (a product alone, a sum alone) is the kernel's choice. Pages: SFPMAD.md, SFPMUL.md,
// SFPADD.md, SFPMULI.md, SFPADDI.md.
#ifndef TESSERA_KERNELS_VECTOR_QUICK_AVX512_H
#define TESSERA_KERNELS_VECTOR_QUICK_AVX512_H

#include "kernels/vector_fma_avx512.h"

// The exponents of two halves as one register of words of 16 bits; whose each is does not matter.
enum { FMA_WORD = 1 << 7 };
#define fma_words(count) fma_set((uint32_t)(count)*FMA_WORD * 0x10001u)

FMA __m512i fma_exponents(__m512i first, __m512i last)
{
    __m512i upper =
        _mm512_ternarylogic_epi32(fma_set(0xffff0000u), last, _mm512_srli_epi32(first, 16), 0xca);
    return _mm512_and_si512(upper, fma_words(0xff));
}

FMA __mmask16 fma_long_half(__m512i grown)
{
    return _mm512_cmpeq_epi32_mask(grown, fma_set(3 * FMA_WORD));
}

FMA void fma_host(__m512i r[2], const __m512i a[2], const __m512i b[2], const __m512i c[2])
{
    for (int half = 0; half < 2; half++)
        r[half] = _mm512_castps_si512(
            _mm512_fmadd_round_ps(_mm512_castsi512_ps(a[half]), _mm512_castsi512_ps(b[half]),
                                  _mm512_castsi512_ps(c[half]), FMA_ROUNDING));
}

// Exponents of 32 products and of what is larger, product or z, z's with 127 more. Differences
// saturate, so that 0 is what should be.
typedef struct fma_scales {
    __m512i larger, bad;
} fma_scales;

// `reach`: 127 and how many places below the product z is still even. `bad`: a product of zero, or
// one that is farther above z. z is only looked at for its exponent.
FMA fma_scales fma_scales_of(const __m512i a[2], const __m512i b[2], const __m512i z[2],
                             __m512i reach)
{
    __m512i e_a = fma_exponents(a[0], a[1]), e_b = fma_exponents(b[0], b[1]);
    __m512i e_p = _mm512_add_epi16(e_a, e_b), e_c = fma_exponents(z[0], z[1]);
    __m512i ahead = _mm512_subs_epu16(e_p, _mm512_add_epi16(e_c, reach));
    __m512i none = _mm512_subs_epu16(fma_words(1), _mm512_min_epu16(e_a, e_b));
    return (fma_scales){_mm512_max_epu16(e_p, _mm512_add_epi16(e_c, fma_words(127))),
                        _mm512_or_si512(ahead, none)};
}

FMA bool fma_all_good(__m512i bad)
{
    return _mm512_test_epi32_mask(bad, bad) == 0;
}

// fma_quick() of both halves, whose exponents are looked at together: half the operations. False:
// not all lanes are proven. No result is more than two places above the larger operand. `grown`: 3
// for each sum of 29 bits.
FMA bool fma_proven(const __m512i r[2], fma_scales scales, __m512i *grown)
{
    __m512i e_r = fma_exponents(r[0], r[1]), most = _mm512_add_epi16(e_r, fma_words(128));
    __m512i lost = _mm512_subs_epu16(scales.larger, most);
    __m512i range = _mm512_sub_epi16(e_r, fma_words(FMA_QUICK_LEAST));
    __m512i end = _mm512_subs_epu16(range, fma_words(FMA_QUICK_MOST - FMA_QUICK_LEAST));
    *grown = _mm512_sub_epi16(most, scales.larger);
    return fma_all_good(_mm512_ternarylogic_epi32(scales.bad, lost, end, 0xfe));
}

FMA bool fma_has_long(__m512i grown)
{
    return _mm512_cmpeq_epi16_mask(grown, fma_words(3)) != 0;
}

FMA void fma_long_both(__m512i r[2], __m512i grown, const __m512i a[2], const __m512i b[2],
                       const __m512i c[2])
{
    __mmask16 first = fma_long_half(_mm512_and_si512(grown, fma_set(0xffff)));
    __mmask16 last = fma_long_half(_mm512_srli_epi32(grown, 16));
    r[0] = fma_long_sum(r[0], first, a[0], b[0], c[0]);
    r[1] = fma_long_sum(r[1], last, a[1], b[1], c[1]);
}

// What one lane says about whether it is worth a try.
FMA bool fma_seems_quick(uint32_t a, uint32_t b, uint32_t c, uint32_t reach)
{
    return (a >> 23 & 0xff) + (b >> 23 & 0xff) <= (c >> 23 & 0xff) + reach;
}

// ---------------------------------------------------------------- kernels

// Twice the bits of both, so without signs, from `least` on and less than `count` above it: no NaN,
// no zero.
FMA bool fma_within(const __m512i r[2], __m512i least, __m512i count)
{
    __m512i first = _mm512_sub_epi32(_mm512_add_epi32(r[0], r[0]), least);
    __m512i last = _mm512_sub_epi32(_mm512_add_epi32(r[1], r[1]), least);
    return _mm512_cmpge_epu32_mask(_mm512_max_epu32(first, last), count) == 0;
}
#define FMA_WITHIN(r, least, end)                                                                  \
    fma_within(r, fma_set((uint32_t)(least) << 24), fma_set((uint32_t)((end) - (least)) << 24))

FMA void fma_get(__m512i to[2], const uint32_t *from, uint32_t flip)
{
    to[0] = _mm512_loadu_si512(from);
    to[1] = _mm512_loadu_si512(from + FMA_HALF);
    if (__builtin_expect(flip != 0, 0)) {
        to[0] = _mm512_xor_si512(to[0], fma_all_lanes(flip));
        to[1] = _mm512_xor_si512(to[1], fma_all_lanes(flip));
    }
}

// A denormal counts as zero. With a product of at least 2^-62, none is beside a factor below 2^63;
// nor does such a product overflow.
static TSR_TARGET uint32_t vector_product(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                          const uint32_t *c, uint32_t lanes,
                                          const tsr_vector_mode *mode)
{
    enum { LARGER = 11, LEAST = 127 - 62, END = 127 + 63 }; // LARGER: by size, without the sign
    __m512i x[2], y[2], r[2], larger[2];
    fma_get(x, a, mode->negate_a);
    fma_get(y, b, 0);
    for (int half = 0; half < 2; half++) {
        const __m512 u = _mm512_castsi512_ps(x[half]), v = _mm512_castsi512_ps(y[half]);
        r[half] = _mm512_castps_si512(_mm512_mul_round_ps(u, v, FMA_ROUNDING));
        larger[half] = _mm512_castps_si512(_mm512_range_round_ps(u, v, LARGER, _MM_FROUND_NO_EXC));
    }
    __mmask16 large = _mm512_cmpge_epu32_mask(_mm512_max_epu32(larger[0], larger[1]),
                                              fma_set((uint32_t)END << 23));
    if (__builtin_expect(large != 0 || !FMA_WITHIN(r, LEAST, 2 * END - 127), 0))
        return vector_fma(d, a, b, c, lanes, mode);
    fma_put_lanes(d, lanes, r[0], r[1]);
    return 0;
}

// Beside a sum of at least 2^-98 no denormal can be seen.
FMA uint32_t fma_sum_of(uint32_t *d, const __m512i x[2], const __m512i y[2], uint32_t lanes)
{
    enum { LEAST = 127 - 98, END = 255 };
    __m512i r[2];
    for (int half = 0; half < 2; half++)
        r[half] = _mm512_castps_si512(_mm512_add_round_ps(
            _mm512_castsi512_ps(x[half]), _mm512_castsi512_ps(y[half]), FMA_ROUNDING));
    if (__builtin_expect(!FMA_WITHIN(r, LEAST, END), 0))
        return 1;
    fma_put_lanes(d, lanes, r[0], r[1]);
    return 0;
}

static TSR_TARGET uint32_t vector_sum_b(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                        const uint32_t *c, uint32_t lanes,
                                        const tsr_vector_mode *mode)
{
    __m512i y[2], z[2];
    fma_get(y, b, 0);
    fma_get(z, c, mode->negate_c);
    return fma_sum_of(d, y, z, lanes) ? vector_fma(d, a, b, c, lanes, mode) : 0;
}

static TSR_TARGET uint32_t vector_sum_a(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                        const uint32_t *c, uint32_t lanes,
                                        const tsr_vector_mode *mode)
{
    __m512i x[2], z[2];
    fma_get(x, a, mode->negate_a);
    fma_get(z, c, mode->negate_c);
    return fma_sum_of(d, x, z, lanes) ? vector_fma(d, a, b, c, lanes, mode) : 0;
}

// Operands in registers, so that nobody else needs room for them.
static TSR_TARGET __attribute__((noinline)) uint32_t
fma_put_long(uint32_t *d, uint32_t lanes, __m512i grown, __m512i x0, __m512i x1, __m512i y0,
             __m512i y1, __m512i z0, __m512i z1)
{
    const __m512i x[2] = {x0, x1}, y[2] = {y0, y1}, z[2] = {z0, z1};
    __m512i r[2];
    fma_host(r, x, y, z);
    fma_long_both(r, grown, x, y, z);
    fma_put_lanes(d, lanes, r[0], r[1]);
    return 0;
}

FMA uint32_t fma_try(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                     uint32_t lanes, const tsr_vector_mode *mode, bool bh)
{
    enum { REACH = 127 + 2, LAST = TSR_VECTOR_LANES - 1 };
    __m512i x[2], y[2], z[2], r[2], grown;
    if (!fma_seems_quick(a[0], b[0], c[0], REACH) ||
        !fma_seems_quick(a[LAST], b[LAST], c[LAST], REACH))
        return vector_fma(d, a, b, c, lanes, mode);
    fma_get(x, a, mode->negate_a);
    fma_get(y, b, 0);
    fma_get(z, c, mode->negate_c);
    fma_host(r, x, y, z);
    if (!fma_proven(r, fma_scales_of(x, y, z, fma_words(REACH)), &grown))
        return vector_fma(d, a, b, c, lanes, mode);
    if (!bh && fma_has_long(grown))
        return fma_put_long(d, lanes, grown, x[0], x[1], y[0], y[1], z[0], z[1]);
    fma_put_lanes(d, lanes, r[0], r[1]);
    return 0;
}

static TSR_TARGET uint32_t vector_try_wh(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                         const uint32_t *c, uint32_t lanes,
                                         const tsr_vector_mode *mode)
{
    return fma_try(d, a, b, c, lanes, mode, false);
}

static TSR_TARGET uint32_t vector_try_bh(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                         const uint32_t *c, uint32_t lanes,
                                         const tsr_vector_mode *mode)
{
    return fma_try(d, a, b, c, lanes, mode, true);
}

// Which of them the operands need by what is known of them.
static tsr_vector_fn *choose_fma(const tsr_vector_mode *mode)
{
    switch ((enum tsr_vector_known)mode->known) {
    case TSR_VECTOR_PRODUCT:
        return vector_product;
    case TSR_VECTOR_SUM_OF_B:
        return vector_sum_b;
    case TSR_VECTOR_SUM_OF_A:
        return vector_sum_a;
    default:
        return mode->arch == TSR_BLACKHOLE_A0 ? vector_try_bh : vector_try_wh;
    }
}

#endif
