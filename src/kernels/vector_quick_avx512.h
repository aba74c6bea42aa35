// SPDX-License-Identifier: Apache-2.0
// The multiply-add in AVX-512 where one look at all 32 lanes proves that the host's own
// instruction has the result; otherwise vector_fma_avx512.h has it. What is known of the operands
// before (a product alone, a sum alone) is the kernel's choice. Pages: SFPMAD.md, SFPMUL.md,
// SFPADD.md, SFPMULI.md, SFPADDI.md.
#ifndef TESSERA_KERNELS_VECTOR_QUICK_AVX512_H
#define TESSERA_KERNELS_VECTOR_QUICK_AVX512_H

#include "kernels/vector_fma_avx512.h"

// The exponents of two halves as one register of words of 16 bits: the first half's are the lower
// ones. z is even so far below the product.
enum { FMA_WORD = 1 << 7, FMA_REACH = 127 + 2 };
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

// Exponents of 32 products, of z, and of what is larger, all with 127 more. Differences saturate,
// so that 0 is what should be. `apart`: z is too far below the product for the host's multiply-add.
// `none`: a factor is zero.
typedef struct fma_scales {
    __m512i product, addend, larger, apart, none;
} fma_scales;

// `reach`: 127 and how many places below the product z is still even. z is only looked at for its
// exponent.
FMA fma_scales fma_scales_of(const __m512i a[2], const __m512i b[2], const __m512i z[2],
                             __m512i reach)
{
    __m512i e_a = fma_exponents(a[0], a[1]), e_b = fma_exponents(b[0], b[1]);
    __m512i e_p = _mm512_add_epi16(e_a, e_b), e_c = fma_exponents(z[0], z[1]);
    __m512i e_z = _mm512_add_epi16(e_c, fma_words(127));
    return (fma_scales){
        .product = e_p,
        .addend = e_z,
        .larger = _mm512_max_epu16(e_p, e_z),
        .apart = _mm512_subs_epu16(e_p, _mm512_add_epi16(e_c, reach)),
        .none = _mm512_subs_epu16(fma_words(1), _mm512_min_epu16(e_a, e_b)),
    };
}

// Lanes whose z is zero or a denormal.
FMA __m512i fma_no_addend(const fma_scales *scales)
{
    return _mm512_subs_epu16(fma_words(128), scales->addend);
}

FMA bool fma_all_good(__m512i bad)
{
    return _mm512_test_epi32_mask(bad, bad) == 0;
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

// ---------------------------------------------------------------- sums of what was cut

// A product and z as the chip adds them, in floats that hold each exactly: the product's upper 24
// bits, and below them what it keeps of the others; of z what it keeps.
typedef struct fma_terms {
    __m512 product, below, z;
} fma_terms;

// z without what lies below the product's unit, of which the last bit tells; nothing, if that is
// all of it. `places`: 35 less the distance from the product's exponent to z's.
FMA __m512 fma_cut_z(__m512i z, __m512i places)
{
    const __m512i all = fma_set(~0u);
    __m512i below = _mm512_srlv_epi32(all, places);
    __m512i up = _mm512_add_epi32(_mm512_and_si512(z, below), below);
    up = _mm512_and_si512(up, fma_set(FMA_UNIT - 1)); // one unit is the hidden bit alone
    __mmask16 counts = _mm512_cmpgt_epu32_mask(places, fma_set(8));
    return _mm512_castsi512_ps(_mm512_maskz_ternarylogic_epi32(counts, z, up, below, 0x54));
}

// Added to `units`, 1.5 * 2^23 of them, what is less than a unit goes; the last bit tells.
FMA __m512 fma_cut_below(__m512 below, __m512i units)
{
    const __m512 base = _mm512_castsi512_ps(units);
    __m512i sum = _mm512_castps_si512(
        _mm512_add_round_ps(below, base, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
    __m512 whole = _mm512_sub_round_ps(_mm512_castsi512_ps(sum), base, FMA_ROUNDING);
    __mmask16 cut =
        _mm512_cmpneq_epi32_mask(_mm512_castps_si512(whole), _mm512_castps_si512(below));
    sum = _mm512_mask_or_epi32(sum, cut, sum, fma_set(1));
    return _mm512_sub_round_ps(_mm512_castsi512_ps(sum), base, FMA_ROUNDING);
}

// `larger`: of 16 lanes, at the upper ends of their words.
FMA fma_terms fma_cut(__m512i a, __m512i b, __m512i z, __m512i larger, __m512i places)
{
    const __m512 x = _mm512_castsi512_ps(a), y = _mm512_castsi512_ps(b);
    __m512i units = _mm512_add_epi32(larger, fma_set(0x400000u - 130u * FMA_UNIT));
    fma_terms terms;
    terms.product = _mm512_mul_round_ps(x, y, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    terms.below = fma_cut_below(_mm512_fmsub_round_ps(x, y, terms.product, FMA_ROUNDING), units);
    terms.z = fma_cut_z(z, places);
    return terms;
}

// Of z so far below the product that both were cut, the sum of what is below the product's upper
// bits is exact but for one case (fma_may_carry()), so that one rounding is left. Where leading
// places are lost the upper parts cancel exactly.
FMA __m512i fma_sum_cut(__m512i r, const fma_terms *terms, __mmask16 apart, __mmask16 lost)
{
    __m512 low = _mm512_add_round_ps(terms->below, terms->z, FMA_ROUNDING), rest = terms->product;
    if (lost != 0) {
        low = _mm512_mask_add_round_ps(low, lost, terms->product, terms->z, FMA_ROUNDING);
        rest = _mm512_mask_mov_ps(rest, lost, terms->below);
    }
    return _mm512_castps_si512(_mm512_mask_add_round_ps(
        _mm512_castsi512_ps(r), (__mmask16)(apart | lost), rest, low, FMA_ROUNDING));
}

// Below the product by three places, z may get one place more from what is below the product's
// upper bits.
FMA bool fma_may_carry(const __m512i z[2])
{
    const __m512i others = fma_set(0xff80000fu);
    __m512i larger = _mm512_max_epu32(_mm512_or_si512(z[0], others), _mm512_or_si512(z[1], others));
    return _mm512_cmpeq_epi32_mask(larger, fma_set(~0u)) != 0;
}

FMA void fma_sum_apart(__m512i r[2], const __m512i a[2], const __m512i b[2], const __m512i z[2],
                       const fma_scales *scales, __m512i lost, __m512i grown, bool bh)
{
    const __m512i upper = fma_set(0xffff0000u), lower = fma_set(0xffff);
    __m512i places =
        _mm512_subs_epu16(_mm512_add_epi16(scales->addend, fma_words(35)), scales->product);
    places = _mm512_srli_epi16(places, 7);
    fma_terms first = fma_cut(a[0], b[0], z[0], _mm512_slli_epi32(scales->larger, 16),
                              _mm512_and_si512(places, lower));
    fma_terms last = fma_cut(a[1], b[1], z[1], _mm512_and_si512(scales->larger, upper),
                             _mm512_srli_epi32(places, 16));
    r[0] = fma_sum_cut(r[0], &first, _mm512_test_epi32_mask(scales->apart, lower),
                       _mm512_test_epi32_mask(lost, lower));
    r[1] = fma_sum_cut(r[1], &last, _mm512_test_epi32_mask(scales->apart, upper),
                       _mm512_test_epi32_mask(lost, upper));
    if (!bh && fma_has_long(grown)) {
        r[0] = fma_tie_long(r[0], fma_long_half(_mm512_and_si512(grown, lower)), first.product,
                            first.below, first.z);
        r[1] = fma_tie_long(r[1], fma_long_half(_mm512_srli_epi32(grown, 16)), last.product,
                            last.below, last.z);
    }
}

// ---------------------------------------------------------------- 32 lanes

// The exponents of all lanes are looked at together: half the operations. False: not all lanes are
// proven; of zeros and denormals z alone may be one, a zero. No result is more than two places
// above the larger operand, so `grown` is 3 for each sum of 29 bits. The ends of the range are far
// enough away that no error term below leaves the normal numbers.
FMA bool fma_proven(__m512i r[2], const __m512i a[2], const __m512i b[2], const __m512i z[2],
                    const fma_scales *scales, bool bh)
{
    fma_host(r, a, b, z);
    __m512i e_r = fma_exponents(r[0], r[1]), most = _mm512_add_epi16(e_r, fma_words(128));
    __m512i lost = _mm512_subs_epu16(scales->larger, most);
    __m512i grown = _mm512_sub_epi16(most, scales->larger);
    __m512i range = _mm512_sub_epi16(scales->larger, fma_words(127 + FMA_QUICK_LEAST));
    __m512i end = _mm512_subs_epu16(range, fma_words(FMA_QUICK_MOST - FMA_QUICK_LEAST));
    __m512i no_number = _mm512_subs_epu16(e_r, fma_words(254));
    if (!fma_all_good(_mm512_or_si512(end, no_number)))
        return false;
    if (fma_all_good(_mm512_or_si512(lost, scales->apart))) {
        if (!bh && fma_has_long(grown))
            fma_long_both(r, grown, a, b, z);
        return true;
    }
    if (fma_may_carry(z))
        return false;
    fma_sum_apart(r, a, b, z, scales, lost, grown, bh);
    return true;
}

// With zeros and denormals, which count as such, into `out`. A sum of two zeros is put in
// afterwards. Operands come in registers, so that nobody else needs room for them.
static TSR_TARGET __attribute__((noinline)) bool fma_with_zeros(uint32_t *out, __m512i x0,
                                                                __m512i x1, __m512i y0, __m512i y1,
                                                                __m512i z0, __m512i z1, bool bh)
{
    const __m512i sign_bit = fma_set(0x80000000u), exponent = fma_set(FMA_EXPONENT);
    __m512i x[2] = {x0, x1}, y[2] = {y0, y1}, z[2] = {z0, z1}, r[2], zero[2];
    __mmask16 zeros[2];
    for (int half = 0; half < 2; half++) {
        x[half] = fma_flush(x[half], true);
        y[half] = fma_flush(y[half], true);
        z[half] = fma_flush(z[half], true);
        __m512i sign_p = _mm512_xor_si512(x[half], y[half]);
        zero[half] = bh ? _mm512_ternarylogic_epi32(sign_p, z[half], sign_bit, 0x80)
                        : _mm512_setzero_si512();
        zeros[half] =
            _mm512_testn_epi32_mask(x[half], exponent) | _mm512_testn_epi32_mask(y[half], exponent);
        zeros[half] = _mm512_mask_testn_epi32_mask(zeros[half], z[half], exponent);
        z[half] = _mm512_mask_mov_epi32(z[half], zeros[half], fma_set(0x3f800000u));
    }
    fma_scales scales = fma_scales_of(x, y, z, fma_words(FMA_REACH));
    __mmask32 product = _mm512_testn_epi16_mask(scales.none, scales.none);
    __mmask32 sum = _mm512_mask_cmpneq_epi16_mask(product, scales.addend, fma_words(127));
    scales.product = _mm512_maskz_mov_epi16(product, scales.product);
    scales.larger = _mm512_max_epu16(scales.product, scales.addend);
    scales.apart = _mm512_maskz_mov_epi16(sum, scales.apart);
    if (!fma_proven(r, x, y, z, &scales, bh))
        return false;
    for (int half = 0; half < 2; half++)
        _mm512_storeu_si512(out + half * FMA_HALF,
                            _mm512_mask_mov_epi32(r[half], zeros[half], zero[half]));
    return true;
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

FMA uint32_t fma_try(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                     uint32_t lanes, const tsr_vector_mode *mode, bool bh)
{
    __m512i x[2], y[2], z[2], r[2];
    fma_get(x, a, mode->negate_a);
    fma_get(y, b, 0);
    fma_get(z, c, mode->negate_c);
    const fma_scales scales = fma_scales_of(x, y, z, fma_words(FMA_REACH));
    __m512i zeros = _mm512_or_si512(scales.none, fma_no_addend(&scales));
    if (__builtin_expect(!fma_all_good(zeros), 0)) {
        uint32_t out[TSR_VECTOR_LANES];
        if (!fma_with_zeros(out, x[0], x[1], y[0], y[1], z[0], z[1], bh))
            return vector_fma(d, a, b, c, lanes, mode);
        r[0] = _mm512_loadu_si512(out);
        r[1] = _mm512_loadu_si512(out + FMA_HALF);
    } else if (!fma_proven(r, x, y, z, &scales, bh)) {
        return vector_fma(d, a, b, c, lanes, mode);
    }
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
