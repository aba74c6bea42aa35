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
    return _mm512_mask_and_epi32(value, none, value, fma_set(0x80000000u));
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

// ---------------------------------------------------------------- the same table in all lanes

// A table as sixteen words: the slopes where the lower four bits of size >> 22 find them, from 0.25
// (or less) to 4 (or more), and the offsets eight places away.
enum { FMA_KEY_LEAST = 0xfb, FMA_KEY_MOST = 0x102, FMA_KEY_OFFSET = 8 };
enum { FMA_LINES_FP32, FMA_LINES_SIX, FMA_LINES_SIX_TO_4, FMA_LINES_PAIR, FMA_LINES_BYTE };

static inline int fma_kind_of_lines(const tsr_vector_mode *mode)
{
    if (mode->op == TSR_VECTOR_LUT)
        return FMA_LINES_BYTE;
    if ((mode->modifier & 2u) == 0)
        return FMA_LINES_FP32;
    if ((mode->modifier & 8u) != 0)
        return FMA_LINES_PAIR;
    return (mode->modifier & 1u) != 0 ? FMA_LINES_SIX_TO_4 : FMA_LINES_SIX;
}

FMA bool fma_kind_has_offsets(int kind)
{
    return kind <= FMA_LINES_SIX_TO_4;
}

// Whether three LRegs from `first` on are the same in all lanes.
FMA bool fma_alike(const uint32_t *first)
{
    __m512i differs = _mm512_setzero_si512();
    if (first[0] != first[TSR_VECTOR_LANES - 1])
        return false;
    for (int reg = 0; reg < 3; reg++) {
        const uint32_t *lreg = first + reg * TSR_VECTOR_LANES;
        __m512i one = fma_broadcast(lreg);
        differs = _mm512_ternarylogic_epi32(differs, _mm512_loadu_si512(lreg), one, 0xf6);
        differs =
            _mm512_ternarylogic_epi32(differs, _mm512_loadu_si512(lreg + FMA_HALF), one, 0xf6);
    }
    return fma_all_good(differs);
}

FMA __m512i fma_or_broadcast(__m512i value, __mmask16 lanes, const uint32_t *word)
{
    __asm__("vpbroadcastd %1, %0%{%2%}" : "+v"(value) : "m"(*word), "Yk"(lanes));
    return value;
}

// Each coefficient at the upper end of its word; 32 bits are as they are.
FMA __m512i fma_lines_of(const uint32_t *lreg, int kind)
{
    static const uint32_t left[][16] = {
        [FMA_LINES_FP32] = {0},
        [FMA_LINES_SIX] = {16, 0, 0, 16, 0, 0, 16, 0, 16, 0, 0, 16, 0, 0, 16, 0},
        [FMA_LINES_SIX_TO_4] = {16, 16, 0, 16, 0, 0, 16, 0, 16, 16, 0, 16, 0, 0, 16, 0},
        [FMA_LINES_PAIR] = {0, 0, 0, 16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0},
        [FMA_LINES_BYTE] = {16, 16, 16, 24, 24, 24, 24, 24, 24, 24, 24, 16, 16, 16, 16, 16},
    };
    const uint32_t *offset = fma_kind_has_offsets(kind) ? lreg + 4 * TSR_VECTOR_LANES : lreg;
    const uint32_t *const slope = lreg;
    __m512i lines = fma_broadcast(slope);
    lines = fma_or_broadcast(lines, 0xc000, slope + TSR_VECTOR_LANES);
    lines = fma_or_broadcast(lines, 0x0007, slope + 2 * TSR_VECTOR_LANES);
    lines = fma_or_broadcast(lines, 0x0038, offset);
    lines = fma_or_broadcast(lines, 0x00c0, offset + TSR_VECTOR_LANES);
    lines = fma_or_broadcast(lines, 0x0700, offset + 2 * TSR_VECTOR_LANES);
    lines = _mm512_sllv_epi32(lines, _mm512_loadu_si512(left[kind]));
    if (kind == FMA_LINES_FP32)
        return fma_flush(lines, true);
    if (kind == FMA_LINES_BYTE)
        return fma_coefficient8(_mm512_srli_epi32(lines, 24));
    return fma_coefficient16(lines);
}

FMA fma_line fma_find_line(__m512i lines, __m512i size)
{
    __m512i key = _mm512_srli_epi32(size, 22);
    key = _mm512_max_epu32(key, fma_set(FMA_KEY_LEAST));
    key = _mm512_min_epu32(key, fma_set(FMA_KEY_MOST));
    __m512i far = _mm512_xor_si512(key, fma_set(FMA_KEY_OFFSET));
    return (fma_line){_mm512_permutexvar_epi32(key, lines), _mm512_permutexvar_epi32(far, lines)};
}

// ---------------------------------------------------------------- the line's value

// Offsets of 16 bits end in 13 zeros, those of 8 in 19: so many more places below the product they
// are still even. Most tables have an offset of zero, too.
FMA bool fma_quick_lines(__m512i r[2], const __m512i slope[2], const __m512i size[2],
                         const __m512i offset[2], bool short_offsets, bool bh)
{
    enum { FAR = FMA_REACH + 13 };
    fma_scales scales =
        fma_scales_of(slope, size, offset, short_offsets ? fma_words(FAR) : fma_words(FMA_REACH));
    if (__builtin_expect(!fma_all_good(scales.none), 0)) {
        uint32_t out[TSR_VECTOR_LANES];
        if (!fma_with_zeros(out, slope[0], slope[1], size[0], size[1], offset[0], offset[1], bh))
            return false;
        r[0] = _mm512_loadu_si512(out);
        r[1] = _mm512_loadu_si512(out + FMA_HALF);
        return true;
    }
    __mmask32 sum = _mm512_cmpneq_epi16_mask(scales.addend, fma_words(127));
    scales.apart = _mm512_maskz_mov_epi16(sum, scales.apart);
    return fma_proven(r, slope, size, offset, &scales, bh);
}

FMA void fma_put_line(uint32_t *d, uint32_t lanes, const __m512i r[2], const __m512i x[2],
                      const tsr_vector_mode *mode)
{
    const __m512i sign = fma_set(0x80000000u);
    __m512i first = r[0], last = r[1];
    if ((mode->modifier & 4u) != 0) { // of x
        first = _mm512_ternarylogic_epi32(sign, x[0], first, 0xca);
        last = _mm512_ternarylogic_epi32(sign, x[1], last, 0xca);
    }
    fma_put_lanes(d, lanes, first, last);
}

// Whatever the table and |x| are.
static TSR_TARGET __attribute__((noinline)) uint32_t
vector_table(uint32_t *d, const uint32_t *a, uint32_t lanes, const tsr_vector_mode *mode)
{
    __m512i x[2], size[2], slope[2], offset[2];
    int kind = fma_kind_of_lines(mode);
    bool bh = mode->arch == TSR_BLACKHOLE_A0;
    fma_pair pair;
    for (int half = 0; half < 2; half++) {
        const uint32_t *from = a + half * FMA_HALF;
        x[half] = _mm512_loadu_si512(from + 3 * TSR_VECTOR_LANES);
        size[half] = _mm512_and_si512(x[half], fma_set(0x7fffffff));
        fma_line line = kind == FMA_LINES_BYTE ? fma_line8(from, size[half])
                                               : fma_line16(from, size[half], mode->modifier);
        slope[half] = line.slope;
        offset[half] = kind == FMA_LINES_FP32 ? fma_flush(line.offset, true) : line.offset;
    }
    if (!fma_quick_lines(pair.half, slope, size, offset, kind != FMA_LINES_FP32, bh)) {
        pair.half[0] = fma_general(slope[0], size[0], offset[0], bh, &pair.hard[0]);
        pair.half[1] = fma_general(slope[1], size[1], offset[1], bh, &pair.hard[1]);
        pair = fma_finish(pair, lanes, slope, size, offset, mode->arch);
    }
    fma_put_line(d, lanes, pair.half, x, mode);
    return 0;
}

FMA uint32_t fma_table(uint32_t *d, const uint32_t *a, uint32_t lanes, const tsr_vector_mode *mode,
                       int kind)
{
    const __m512i unsigned_bits = fma_set(0x7fffffff);
    if (!fma_alike(a) || (fma_kind_has_offsets(kind) && !fma_alike(a + 4 * TSR_VECTOR_LANES)))
        return vector_table(d, a, lanes, mode);
    __m512i lines = fma_lines_of(a, kind), x[2], r[2];
    fma_get(x, a + 3 * TSR_VECTOR_LANES, 0);
    const __m512i size[2] = {_mm512_and_si512(x[0], unsigned_bits),
                             _mm512_and_si512(x[1], unsigned_bits)};
    const fma_line first = fma_find_line(lines, size[0]), last = fma_find_line(lines, size[1]);
    const __m512i slope[2] = {first.slope, last.slope}, offset[2] = {first.offset, last.offset};
    if (!fma_quick_lines(r, slope, size, offset, kind != FMA_LINES_FP32,
                         mode->arch == TSR_BLACKHOLE_A0))
        return vector_table(d, a, lanes, mode);
    fma_put_line(d, lanes, r, x, mode);
    return 0;
}

#define FMA_TABLE(name, kind)                                                                      \
    static TSR_TARGET uint32_t name(uint32_t *d, const uint32_t *a, const uint32_t *b,             \
                                    const uint32_t *c, uint32_t lanes,                             \
                                    const tsr_vector_mode *mode)                                   \
    {                                                                                              \
        (void)b, (void)c;                                                                          \
        return fma_table(d, a, lanes, mode, kind);                                                 \
    }
FMA_TABLE(vector_lines_fp32, FMA_LINES_FP32)
FMA_TABLE(vector_lines_six, FMA_LINES_SIX)
FMA_TABLE(vector_lines_six_to_4, FMA_LINES_SIX_TO_4)
FMA_TABLE(vector_lines_pair, FMA_LINES_PAIR)
FMA_TABLE(vector_lines_byte, FMA_LINES_BYTE)

static tsr_vector_fn *choose_table(const tsr_vector_mode *mode)
{
    static tsr_vector_fn *const tables[] = {
        [FMA_LINES_FP32] = vector_lines_fp32,         [FMA_LINES_SIX] = vector_lines_six,
        [FMA_LINES_SIX_TO_4] = vector_lines_six_to_4, [FMA_LINES_PAIR] = vector_lines_pair,
        [FMA_LINES_BYTE] = vector_lines_byte,
    };
    return tables[fma_kind_of_lines(mode)];
}

#endif
