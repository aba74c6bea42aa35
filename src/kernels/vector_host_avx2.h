// SPDX-License-Identifier: Apache-2.0
// The multiply-add by the host's own instructions in AVX2 (SFPMAD.md), by the steps of
// vector_quick_avx512.h; otherwise vector_fma_avx2.h has it, in integers. Included by
// vector_avx2.c.
//
// AVX2 cannot say in an instruction how it rounds, nor that it raises no flag. So the host's mode
// is looked at first: only if it is the usual one, and tells already that something was inexact,
// can nothing be seen of what happens here. Operands that would raise another flag (denormals,
// NaNs, what is near the ends of the exponents) are found by their exponents before they are used.
#ifndef TESSERA_KERNELS_VECTOR_HOST_AVX2_H
#define TESSERA_KERNELS_VECTOR_HOST_AVX2_H

#include "kernels/vector_fma_avx2.h"
#include "kernels/vector_lane.h"

// To nearest, no exception, denormals as they are; of the flags all but one may be as they like.
FMA bool fma_mode_is_usual(void)
{
    enum { LOOKED_AT = 0xffe0, USUAL = 0x1f80, INEXACT = 0x20 };
    return (_mm_getcsr() & LOOKED_AT) == (USUAL | INEXACT);
}

enum { FMA_WORD = 1 << 7, FMA_GROUP = 16, FMA_REACH = 127 + 2 };
enum { FMA_HOST_LEAST = 127 + 64, FMA_HOST_MOST = 127 + 250 }; // of the larger operand

FMA __m256i fma_words(unsigned count)
{
    return _mm256_set1_epi16((int16_t)(count * FMA_WORD));
}

FMA __m256 fma_float(__m256i bits)
{
    return _mm256_castsi256_ps(bits);
}

FMA __m256i fma_bits(__m256 value)
{
    return _mm256_castps_si256(value);
}

// The exponents of 16 lanes as words: the first eight are the lower ones of each pair.
FMA __m256i fma_exponents(__m256i first, __m256i last)
{
    __m256i upper = _mm256_blend_epi16(last, _mm256_srli_epi32(first, 16), 0x55);
    return _mm256_and_si256(upper, fma_words(0xff));
}

FMA bool fma_all_good(__m256i bad)
{
    return _mm256_testz_si256(bad, bad);
}

// Of 16 lanes, all with 127 more, as in vector_quick_avx512.h; `bad` before the host has seen them.
typedef struct fma_scales {
    __m256i product, addend, larger, apart, lost, grown, bad;
} fma_scales;

// What a multiply-add is asked for: `reach`: as there; z has no denormals, so that zero is as good
// as any.
typedef struct fma_sum {
    uint32_t negate_a, negate_c;
    unsigned reach;
    bool has_zeros, bh;
} fma_sum;

FMA fma_scales fma_scales_of(const __m256i a[2], const __m256i b[2], const __m256i z[2],
                             const fma_sum *sum)
{
    __m256i e_a = fma_exponents(a[0], a[1]), e_b = fma_exponents(b[0], b[1]);
    __m256i e_c = fma_exponents(z[0], z[1]), least = _mm256_min_epu16(e_a, e_b);
    fma_scales scales;
    scales.product = _mm256_add_epi16(e_a, e_b);
    scales.addend = _mm256_add_epi16(e_c, fma_words(127));
    scales.larger = _mm256_max_epu16(scales.product, scales.addend);
    scales.apart = _mm256_subs_epu16(scales.product, _mm256_add_epi16(e_c, fma_words(sum->reach)));
    if (sum->has_zeros)
        scales.apart =
            _mm256_andnot_si256(_mm256_cmpeq_epi16(e_c, _mm256_setzero_si256()), scales.apart);
    else
        least = _mm256_min_epu16(least, e_c);
    __m256i none = _mm256_subs_epu16(fma_words(1), least);
    __m256i infinite = _mm256_subs_epu16(_mm256_max_epu16(e_a, e_b), fma_words(254));
    __m256i range = _mm256_sub_epi16(scales.larger, fma_words(FMA_HOST_LEAST));
    range = _mm256_subs_epu16(range, fma_words(FMA_HOST_MOST - FMA_HOST_LEAST));
    scales.bad = _mm256_or_si256(_mm256_or_si256(none, infinite), range);
    return scales;
}

FMA void fma_behind(fma_scales *scales, __m256i first, __m256i last)
{
    __m256i most = _mm256_add_epi16(fma_exponents(first, last), fma_words(128));
    scales->lost = _mm256_subs_epu16(scales->larger, most);
    scales->grown = _mm256_sub_epi16(most, scales->larger);
}

FMA __m256i fma_long_lanes(const fma_scales *scales)
{
    return _mm256_cmpeq_epi16(scales->grown, fma_words(3));
}

// ---------------------------------------------------------------- sums of what was cut

typedef struct fma_terms {
    __m256 product, below, z;
} fma_terms;

FMA __m256 fma_cut_z(__m256i z, __m256i places)
{
    __m256i below = _mm256_srlv_epi32(fma_set(~0u), places);
    __m256i up = _mm256_add_epi32(_mm256_and_si256(z, below), below);
    up = _mm256_and_si256(up, fma_set(FMA_UNIT - 1));
    __m256i counts = _mm256_cmpgt_epi32(places, fma_set(8));
    z = _mm256_andnot_si256(below, _mm256_or_si256(z, up));
    return fma_float(_mm256_and_si256(z, counts));
}

// To the unit below, and the last bit tells whether something went.
FMA __m256 fma_cut_below(__m256 below, __m256i units)
{
    const __m256 base = fma_float(units);
    __m256 sum = _mm256_add_ps(below, base), whole = _mm256_sub_ps(sum, base);
    __m256i above = fma_bits(_mm256_cmp_ps(whole, below, _CMP_GT_OQ));
    __m256i cut = fma_bits(_mm256_cmp_ps(whole, below, _CMP_NEQ_OQ));
    __m256i bits = _mm256_add_epi32(fma_bits(sum), above);
    bits = _mm256_or_si256(bits, _mm256_srli_epi32(cut, 31));
    return _mm256_sub_ps(fma_float(bits), base);
}

FMA fma_terms fma_cut(__m256i a, __m256i b, __m256i z, __m256i larger, __m256i places)
{
    __m256i units = _mm256_add_epi32(larger, fma_set(0x400000u - 130u * FMA_UNIT));
    fma_terms terms;
    terms.product = _mm256_mul_ps(fma_float(a), fma_float(b));
    __m256 below = _mm256_fmsub_ps(fma_float(a), fma_float(b), terms.product);
    terms.below = fma_cut_below(below, units);
    terms.z = fma_cut_z(z, places);
    return terms;
}

FMA __m256i fma_sum_cut(__m256i r, const fma_terms *terms, __m256i apart, __m256i lost)
{
    __m256 low = _mm256_add_ps(terms->below, terms->z);
    __m256 high = _mm256_add_ps(terms->product, terms->z);
    __m256 all = _mm256_add_ps(_mm256_blendv_ps(terms->product, terms->below, fma_float(lost)),
                               _mm256_blendv_ps(low, high, fma_float(lost)));
    return _mm256_blendv_epi8(r, fma_bits(all), _mm256_or_si256(apart, lost));
}

FMA __m256i fma_tie_long(__m256i r, __m256i is_long, const fma_terms *terms)
{
    const __m256i none = _mm256_setzero_si256();
    __m256i fourteen = _mm256_add_epi32(_mm256_and_si256(r, fma_set(0xff800000u)),
                                        fma_set(0x600000u - 25u * FMA_UNIT));
    __m256 above = _mm256_add_ps(_mm256_sub_ps(terms->product, fma_float(r)), terms->z);
    __m256 rest = _mm256_add_ps(_mm256_add_ps(above, fma_float(fourteen)), terms->below);
    __m256i exact = fma_bits(_mm256_cmp_ps(rest, fma_float(none), _CMP_EQ_OQ));
    __m256i odd = _mm256_and_si256(_mm256_and_si256(r, fma_set(1)), is_long);
    return _mm256_sub_epi32(r, _mm256_and_si256(odd, exact));
}

FMA __m256i fma_load_signed(const uint32_t *from, uint32_t negate)
{
    return _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)from), fma_set(negate));
}

// Words of one octet, where they are not zero, as lanes.
FMA __m256i fma_some(__m256i words, __m256i octet)
{
    __m256i none = _mm256_setzero_si256();
    return _mm256_xor_si256(_mm256_cmpeq_epi32(_mm256_and_si256(words, octet), none), fma_set(~0u));
}

// Eight lanes; `upper`: the last of their group.
FMA void fma_cut_octet(uint32_t *out, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                       const fma_scales *scales, bool upper, const fma_sum *sum)
{
    const __m256i octet = upper ? fma_set(0xffff0000u) : fma_set(0xffff);
    __m256i places = _mm256_add_epi16(scales->addend, fma_words(35));
    places = _mm256_srli_epi16(_mm256_subs_epu16(places, scales->product), 7);
    places = upper ? _mm256_srli_epi32(places, 16) : _mm256_and_si256(places, octet);
    __m256i larger =
        upper ? _mm256_and_si256(scales->larger, octet) : _mm256_slli_epi32(scales->larger, 16);
    fma_terms terms = fma_cut(fma_load_signed(a, sum->negate_a), fma_load_signed(b, 0),
                              fma_load_signed(c, sum->negate_c), larger, places);
    __m256i r = fma_load_signed(out, 0);
    r = fma_sum_cut(r, &terms, fma_some(scales->apart, octet), fma_some(scales->lost, octet));
    if (!sum->bh)
        r = fma_tie_long(r, fma_some(fma_long_lanes(scales), octet), &terms);
    _mm256_storeu_si256((__m256i *)out, r);
}

// `out` has what the host has made. False: not all lanes are proven: products may be too small for
// what is below them, and z may get one place more (fma_may_carry() of vector_quick_avx512.h).
static TSR_TARGET __attribute__((noinline)) bool fma_cut_lanes(uint32_t *out, const uint32_t *a,
                                                               const uint32_t *b, const uint32_t *c,
                                                               const fma_scales scales[2],
                                                               const fma_sum *sum)
{
    const __m256i least = fma_words(FMA_HOST_LEAST - 4), others = fma_set(0xff80000fu);
    __m256i larger = fma_set(0);
    __m256i small = _mm256_or_si256(_mm256_subs_epu16(least, scales[0].product),
                                    _mm256_subs_epu16(least, scales[1].product));
    for (int i = 0; i < TSR_VECTOR_LANES; i += FMA_OCTET)
        larger = _mm256_max_epu32(larger, _mm256_or_si256(fma_load_signed(c + i, 0), others));
    if (!fma_all_good(small) || !fma_all_good(_mm256_cmpeq_epi32(larger, fma_set(~0u))))
        return false;
    for (int group = 0; group < 2; group++) {
        int i = group * FMA_GROUP, j = i + FMA_OCTET;
        fma_cut_octet(out + i, a + i, b + i, c + i, &scales[group], false, sum);
        fma_cut_octet(out + j, a + j, b + j, c + j, &scales[group], true, sum);
    }
    return true;
}

// ---------------------------------------------------------------- 32 lanes

FMA __m256i fma_host(__m256i a, __m256i b, __m256i c)
{
    return fma_bits(_mm256_fmadd_ps(fma_float(a), fma_float(b), fma_float(c)));
}

// All lanes, if the mode is usual. False: not all are proven.
static TSR_TARGET __attribute__((noinline)) bool fma_by_host(uint32_t *out, const uint32_t *a,
                                                             const uint32_t *b, const uint32_t *c,
                                                             const fma_sum *sum)
{
    fma_scales scales[2];
    for (int group = 0; group < 2; group++) {
        int i = group * FMA_GROUP, j = i + FMA_OCTET;
        const __m256i x[2] = {fma_load_signed(a + i, sum->negate_a),
                              fma_load_signed(a + j, sum->negate_a)};
        const __m256i y[2] = {fma_load_signed(b + i, 0), fma_load_signed(b + j, 0)};
        const __m256i z[2] = {fma_load_signed(c + i, sum->negate_c),
                              fma_load_signed(c + j, sum->negate_c)};
        scales[group] = fma_scales_of(x, y, z, sum);
        if (!fma_all_good(scales[group].bad))
            return false;
        __m256i first = fma_host(x[0], y[0], z[0]), last = fma_host(x[1], y[1], z[1]);
        fma_behind(&scales[group], first, last);
        _mm256_storeu_si256((__m256i *)(out + i), first);
        _mm256_storeu_si256((__m256i *)(out + j), last);
    }
    __m256i seldom = _mm256_or_si256(_mm256_or_si256(scales[0].lost, scales[0].apart),
                                     _mm256_or_si256(scales[1].lost, scales[1].apart));
    if (!sum->bh)
        seldom = _mm256_or_si256(
            seldom, _mm256_or_si256(fma_long_lanes(&scales[0]), fma_long_lanes(&scales[1])));
    return fma_all_good(seldom) || fma_cut_lanes(out, a, b, c, scales, sum);
}

// ---------------------------------------------------------------- a product, a sum

// Exponents of 16 lanes that are not from `least` to `most`.
FMA __m256i fma_outside(__m256i exponents, unsigned least, unsigned most)
{
    __m256i range = _mm256_sub_epi16(exponents, fma_words(least));
    return _mm256_subs_epu16(range, fma_words(most - least));
}

static TSR_TARGET __attribute__((noinline)) bool
fma_product_by_host(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t negate)
{
    for (int i = 0; i < TSR_VECTOR_LANES; i += FMA_GROUP) {
        const __m256i x[2] = {fma_load_signed(a + i, negate),
                              fma_load_signed(a + i + FMA_OCTET, negate)};
        const __m256i y[2] = {fma_load_signed(b + i, 0), fma_load_signed(b + i + FMA_OCTET, 0)};
        __m256i e_a = fma_exponents(x[0], x[1]), e_b = fma_exponents(y[0], y[1]);
        __m256i bad = fma_outside(_mm256_add_epi16(e_a, e_b), FMA_HOST_LEAST, FMA_HOST_MOST);
        bad = _mm256_or_si256(bad, fma_outside(e_a, 1, 254));
        if (!fma_all_good(_mm256_or_si256(bad, fma_outside(e_b, 1, 254))))
            return false;
        for (int j = 0; j < 2; j++)
            _mm256_storeu_si256((__m256i *)(out + i + j * FMA_OCTET),
                                fma_bits(_mm256_mul_ps(fma_float(x[j]), fma_float(y[j]))));
    }
    return true;
}

// Beside numbers of at least 2^-98 nothing is lost below the normal ones.
static TSR_TARGET __attribute__((noinline)) bool fma_sum_by_host(uint32_t *out, const uint32_t *a,
                                                                 const uint32_t *c,
                                                                 uint32_t negate_a,
                                                                 uint32_t negate_c)
{
    enum { LEAST = 127 - 98, MOST = 252 };
    for (int i = 0; i < TSR_VECTOR_LANES; i += FMA_GROUP) {
        const __m256i x[2] = {fma_load_signed(a + i, negate_a),
                              fma_load_signed(a + i + FMA_OCTET, negate_a)};
        const __m256i z[2] = {fma_load_signed(c + i, negate_c),
                              fma_load_signed(c + i + FMA_OCTET, negate_c)};
        __m256i bad = fma_outside(fma_exponents(x[0], x[1]), LEAST, MOST);
        bad = _mm256_or_si256(bad, fma_outside(fma_exponents(z[0], z[1]), LEAST, MOST));
        if (!fma_all_good(bad))
            return false;
        for (int j = 0; j < 2; j++)
            _mm256_storeu_si256((__m256i *)(out + i + j * FMA_OCTET),
                                fma_bits(_mm256_add_ps(fma_float(x[j]), fma_float(z[j]))));
    }
    return true;
}

// What is known of the operands says which.
static TSR_TARGET bool vector_fma_by_host(uint32_t *out, const uint32_t *a, const uint32_t *b,
                                          const uint32_t *c, const tsr_vector_mode *mode)
{
    const fma_sum sum = {mode->negate_a, mode->negate_c, FMA_REACH, false,
                         mode->arch == TSR_BLACKHOLE_A0};
    if (!fma_mode_is_usual())
        return false;
    switch ((enum tsr_vector_known)mode->known) {
    case TSR_VECTOR_PRODUCT:
        return fma_product_by_host(out, a, b, mode->negate_a);
    case TSR_VECTOR_SUM_OF_B:
        return fma_sum_by_host(out, b, c, 0, mode->negate_c);
    case TSR_VECTOR_SUM_OF_A:
        return fma_sum_by_host(out, a, c, mode->negate_a, mode->negate_c);
    default:
        return fma_by_host(out, a, b, c, &sum);
    }
}

// Lines: a short offset is even though it lies farther below the product.
static TSR_TARGET bool vector_lines_by_host(uint32_t *out, const uint32_t *slope,
                                            const uint32_t *size, uint32_t *offset,
                                            bool short_offsets, bool bh)
{
    enum { MORE = 13 };
    const fma_sum sum = {0, 0, FMA_REACH + (short_offsets ? MORE : 0), true, bh};
    if (!fma_mode_is_usual())
        return false;
    for (int i = 0; i < TSR_VECTOR_LANES; i++)
        offset[i] &= TSR_LANE_SIGN | tsr_lane_if((offset[i] & 0x7f800000u) != 0);
    return fma_by_host(out, slope, size, offset, &sum);
}

#endif
