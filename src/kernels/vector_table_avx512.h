// SPDX-License-Identifier: Apache-2.0
// Tables of straight lines in AVX-512: SFPLUT.md, SFPLUTFP32.md. Included by vector_avx512.c. Must
// equal tsr_sfpu_lut() and tsr_sfpu_lutfp32() of numerics/sfpu_fma.c.
#ifndef TESSERA_KERNELS_VECTOR_TABLE_AVX512_H
#define TESSERA_KERNELS_VECTOR_TABLE_AVX512_H

#include "kernels/vector_quick_avx512.h"

FMA __m512i fma_coefficient8(__m512i byte)
{
    __m512i exponent = _mm512_slli_epi32(_mm512_and_si512(byte, fma_set(0x70)), 19);
    __m512i mantissa = _mm512_slli_epi32(_mm512_and_si512(byte, fma_set(0xf)), 19);
    __m512i sign = _mm512_slli_epi32(_mm512_and_si512(byte, fma_set(0x80)), 24);
    __m512i size = _mm512_add_epi32(_mm512_sub_epi32(fma_set(0x3f800000u), exponent), mantissa);
    __mmask16 some = _mm512_cmpneq_epi32_mask(byte, fma_set(0xff));
    return _mm512_maskz_or_epi32(some, size, sign);
}

// Of the upper half of a word.
FMA __m512i fma_coefficient16(__m512i word)
{
    __m512i size = _mm512_and_si512(_mm512_srai_epi32(word, 3), fma_set(0x8fffe000u));
    __mmask16 none = _mm512_cmpge_epu32_mask(_mm512_add_epi32(word, word), fma_set(31u << 27));
    __m512i value = _mm512_add_epi32(size, fma_set(112u * FMA_UNIT));
    return _mm512_mask_and_epi32(value, none, value, fma_set(0x807fffffu));
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

// Which half of the coefficients: the intervals' own halves begin at 0.5, 1.5 and 3 or 4. True: the
// lower one.
FMA __mmask16 fma_first_half(__m512i size, unsigned modifier)
{
    __m512i middle = fma_all_lanes((modifier & 1u) != 0 ? 0x40800000u : 0x40400000u);
    middle = _mm512_mask_mov_epi32(middle, _mm512_cmplt_epu32_mask(size, fma_set(0x40000000u)),
                                   fma_set(0x3fc00000u));
    middle = _mm512_mask_mov_epi32(middle, _mm512_cmplt_epu32_mask(size, fma_set(0x3f800000u)),
                                   fma_set(0x3f000000u));
    return _mm512_cmplt_epu32_mask(size, middle);
}

FMA fma_line fma_line16(const uint32_t *lreg, __m512i size, unsigned modifier)
{
    __m512i slope = fma_choose(lreg, 0, size);
    if ((modifier & 2u) == 0)
        return (fma_line){slope, fma_choose(lreg, 4, size)};
    if ((modifier & 8u) != 0)
        return (fma_line){fma_coefficient16(slope),
                          fma_coefficient16(_mm512_slli_epi32(slope, 16))};
    __mmask16 low = fma_first_half(size, modifier);
    __m512i offset = fma_choose(lreg, 4, size);
    return (fma_line){fma_coefficient16(_mm512_mask_slli_epi32(slope, low, slope, 16)),
                      fma_coefficient16(_mm512_mask_slli_epi32(offset, low, offset, 16))};
}

// Offsets of 16 bits end in 13 zeros, those of 8 in 19: so many more places below the product they
// are still even. Most tables have an offset of zero, too.
FMA bool fma_quick_lines(__m512i r[2], const __m512i slope[2], const __m512i size[2],
                         const __m512i offset[2], bool short_offsets, bool bh)
{
    enum { FAR = 127 + 2 + 13, NEAR = 127 + 2 };
    __m512i z[2], grown;
    for (int half = 0; half < 2; half++) { // about the product's, where there is no offset
        __m512i near = _mm512_add_epi32(slope[half], size[half]);
        z[half] =
            _mm512_mask_sub_epi32(offset[half], _mm512_testn_epi32_mask(offset[half], offset[half]),
                                  near, fma_set(127u * FMA_UNIT));
    }
    fma_scales scales =
        fma_scales_of(slope, size, z, short_offsets ? fma_words(FAR) : fma_words(NEAR));
    if (!fma_all_good(scales.bad)) // before denormals make the host slow
        return false;
    fma_host(r, slope, size, offset);
    if (!fma_proven(r, scales, &grown))
        return false;
    if (!bh && fma_has_long(grown))
        fma_long_both(r, grown, slope, size, offset);
    return true;
}

FMA void fma_table(uint32_t *d, const uint32_t *lreg, uint32_t lanes, bool bh,
                   const tsr_vector_mode *mode)
{
    __m512i x[2], size[2], slope[2], offset[2];
    bool bytes = mode->op == TSR_VECTOR_LUT;
    fma_pair pair;
    for (int half = 0; half < 2; half++) {
        const uint32_t *from = lreg + half * FMA_HALF;
        x[half] = _mm512_loadu_si512(from + 3 * TSR_VECTOR_LANES);
        size[half] = _mm512_and_si512(x[half], fma_set(0x7fffffff));
        fma_line line =
            bytes ? fma_line8(from, size[half]) : fma_line16(from, size[half], mode->modifier);
        slope[half] = line.slope;
        offset[half] = line.offset;
    }
    if (!fma_quick_lines(pair.half, slope, size, offset, bytes || (mode->modifier & 2u) != 0, bh)) {
        for (int half = 0; half < 2; half++)
            pair.half[half] = fma_any(slope[half], size[half], offset[half], bh, &pair.hard[half]);
        pair = fma_finish(pair, lanes, slope, size, offset, mode->arch);
    }
    if ((mode->modifier & 4u) != 0) // the sign of x
        for (int half = 0; half < 2; half++)
            pair.half[half] =
                _mm512_ternarylogic_epi32(fma_set(0x80000000u), x[half], pair.half[half], 0xca);
    fma_put_lanes(d, lanes, pair.half[0], pair.half[1]);
}

static TSR_TARGET uint32_t vector_table(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                        const uint32_t *c, uint32_t lanes,
                                        const tsr_vector_mode *mode)
{
    (void)b, (void)c;
    fma_table(d, a, lanes, mode->arch == TSR_BLACKHOLE_A0, mode);
    return 0;
}

#endif
