// SPDX-License-Identifier: Apache-2.0
// Block formats with eight exponent bits by AVX2's byte look-ups, two blocks at once, for Src and
// for Dst. Included by unpack_avx2.c, which defines TSR_TARGET. Must equal tsr_block_to_bf16() of
// numerics/block_float.c. Pages: UNPACR_Regular.md, FloatBitPatterns.md.
#ifndef TESSERA_KERNELS_UNPACK_BLOCK_AVX2_H
#define TESSERA_KERNELS_UNPACK_BLOCK_AVX2_H

#include "kernels/unpack_lane.h"

#include <immintrin.h>

enum { PAIR_DATUMS = 32 }; // of two blocks

// BF16 patterns of two blocks, a block for each half: its first eight datums, its last eight.
struct pair_bf16 {
    __m256i first, last;
};

TSR_INLINE TSR_TARGET __m256i pair_table(__m128i table)
{
    return _mm256_broadcastsi128_si256(table);
}

// What two blocks' exponents are worth in a BF16, less `excess`.
TSR_INLINE TSR_TARGET __m256i pair_exponents(const uint8_t *exponents, int excess)
{
    __m128i first = _mm_set1_epi16((short)((exponents[0] << 7) - excess));
    __m128i second = _mm_set1_epi16((short)((exponents[1] << 7) - excess));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
}

// `first` and `last` are exponent and mantissa, right but for the top bit and where the magnitude
// is 0. Each byte of `none` says that it is; of `infinite`, that the sign is set besides, which
// means minus infinity; the top bit of each of `signs` is the sign.
TSR_INLINE TSR_TARGET struct pair_bf16 pair_finish(struct pair_bf16 sizes, __m256i none,
                                                   __m256i infinite, __m256i signs)
{
    const __m256i top = _mm256_set1_epi8((char)0x80);
    __m256i clear = _mm256_or_si256(none, top);
    __m256i low = _mm256_and_si256(infinite, top); // of 0xff80
    __m256i high = _mm256_or_si256(_mm256_and_si256(signs, top), infinite);
    struct pair_bf16 pair;
    pair.first = _mm256_andnot_si256(_mm256_unpacklo_epi8(none, clear), sizes.first);
    pair.last = _mm256_andnot_si256(_mm256_unpackhi_epi8(none, clear), sizes.last);
    pair.first = _mm256_or_si256(pair.first, _mm256_unpacklo_epi8(low, high));
    pair.last = _mm256_or_si256(pair.last, _mm256_unpackhi_epi8(low, high));
    return pair;
}

// Eight bits a datum. Two tables, by the upper three and the lower four bits of the magnitude, say
// what moves its first 1 to bit 7, and how many zeroes stand before it; the lesser answer is the
// right one. A multiplication and a sum then normalise: magnitude * shift - zeroes * 128.
TSR_INLINE TSR_TARGET struct pair_bf16 pair_of_bfp8(__m256i datums, const uint8_t *exponents)
{
    const __m256i shift_high =
        pair_table(_mm_setr_epi8(-1, 8, 4, 4, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i shift_low = pair_table(
        _mm_setr_epi8(-128, -128, 64, 64, 32, 32, 32, 32, 16, 16, 16, 16, 16, 16, 16, 16));
    const __m256i zeroes_high =
        pair_table(_mm_setr_epi8(-1, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i zeroes_low =
        pair_table(_mm_setr_epi8(6, 6, 5, 5, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3));
    const __m256i unit = _mm256_set1_epi8((char)-128);
    __m256i size = _mm256_and_si256(datums, _mm256_set1_epi8(0x7f));
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(datums, 4), _mm256_set1_epi8(7));
    __m256i low = _mm256_and_si256(datums, _mm256_set1_epi8(15));
    __m256i shift =
        _mm256_min_epu8(_mm256_shuffle_epi8(shift_high, high), _mm256_shuffle_epi8(shift_low, low));
    __m256i zeroes = _mm256_min_epu8(_mm256_shuffle_epi8(zeroes_high, high),
                                     _mm256_shuffle_epi8(zeroes_low, low));
    __m256i shared = pair_exponents(exponents, 128); // the 1 that was moved to bit 7
    struct pair_bf16 sizes = {
        _mm256_maddubs_epi16(_mm256_unpacklo_epi8(shift, zeroes), _mm256_unpacklo_epi8(size, unit)),
        _mm256_maddubs_epi16(_mm256_unpackhi_epi8(shift, zeroes),
                             _mm256_unpackhi_epi8(size, unit))};
    sizes.first = _mm256_add_epi16(sizes.first, shared);
    sizes.last = _mm256_add_epi16(sizes.last, shared);
    __m256i none = _mm256_cmpeq_epi8(size, _mm256_setzero_si256());
    return pair_finish(sizes, none, _mm256_cmpeq_epi8(datums, unit), datums);
}

// Four bits a datum, in a byte each: all that remains is to be looked up.
TSR_INLINE TSR_TARGET struct pair_bf16 pair_of_bfp4(__m256i datums, const uint8_t *exponents)
{
    // Magnitudes 1 to 7 of three bits: 1 << e, with a mantissa of at most two bits.
    const __m256i rest_low =
        pair_table(_mm_setr_epi8(0, 0, -128, -64, 0, 32, 64, 96, 0, 0, -128, -64, 0, 32, 64, 96));
    const __m256i rest_high =
        pair_table(_mm_setr_epi8(0, -1, -1, -1, 0, 0, 0, 0, 0, -1, -1, -1, 0, 0, 0, 0));
    __m256i low = _mm256_shuffle_epi8(rest_low, datums);
    __m256i high = _mm256_shuffle_epi8(rest_high, datums);
    __m256i shared = pair_exponents(exponents, 0);
    struct pair_bf16 sizes = {_mm256_add_epi16(_mm256_unpacklo_epi8(low, high), shared),
                              _mm256_add_epi16(_mm256_unpackhi_epi8(low, high), shared)};
    __m256i infinite = _mm256_cmpeq_epi8(datums, _mm256_set1_epi8(8));
    __m256i none = _mm256_or_si256(infinite, _mm256_cmpeq_epi8(datums, _mm256_setzero_si256()));
    return pair_finish(sizes, none, infinite, _mm256_slli_epi16(datums, 4));
}

// Two blocks from `bytes` on; two bits are four of which the lower are 0.
TSR_INLINE TSR_TARGET struct pair_bf16 pair_load(const uint8_t *bytes, const uint8_t *exponents,
                                                 unsigned bits)
{
    if (bits == 8)
        return pair_of_bfp8(_mm256_loadu_si256((const __m256i *)bytes), exponents);
    const __m128i nibble = _mm_set1_epi8(15);
    __m128i all = bits == 4 ? _mm_loadu_si128((const __m128i *)bytes)
                            : _mm_loadl_epi64((const __m128i *)bytes);
    __m128i even = _mm_and_si128(all, nibble), odd = _mm_and_si128(_mm_srli_epi16(all, 4), nibble);
    if (bits == 2) {
        __m128i two = _mm_unpacklo_epi8(even, odd);
        even = _mm_slli_epi16(_mm_and_si128(two, _mm_set1_epi8(3)), 2);
        odd = _mm_and_si128(two, _mm_set1_epi8(12));
    }
    __m256i datums = _mm256_castsi128_si256(_mm_unpacklo_epi8(even, odd));
    return pair_of_bfp4(_mm256_inserti128_si256(datums, _mm_unpackhi_epi8(even, odd), 1),
                        exponents);
}

// ---------------------------------------------------------------- to Src and Dst

TSR_INLINE TSR_TARGET void put_cells(uint32_t *cells, __m128i bf16)
{
    _mm256_storeu_si256((__m256i *)(void *)cells,
                        _mm256_slli_epi32(_mm256_cvtepu16_epi32(bf16), 3));
}

TSR_INLINE TSR_TARGET void pair_to_src(uint32_t *cells, struct pair_bf16 pair)
{
    put_cells(cells, _mm256_castsi256_si128(pair.first));
    put_cells(cells + 8, _mm256_castsi256_si128(pair.last));
    put_cells(cells + 16, _mm256_extracti128_si256(pair.first, 1));
    put_cells(cells + 24, _mm256_extracti128_si256(pair.last, 1));
}

// dst_layout.h's tsr_dst_shuffle_bf16().
TSR_INLINE TSR_TARGET __m256i stored_bf16(__m256i bf16)
{
    __m256i sign = _mm256_and_si256(bf16, _mm256_set1_epi16((short)0x8000));
    __m256i exponent = _mm256_srli_epi16(_mm256_slli_epi16(bf16, 1), 8);
    __m256i mantissa = _mm256_and_si256(_mm256_slli_epi16(bf16, 8), _mm256_set1_epi16(0x7f00));
    return _mm256_or_si256(_mm256_or_si256(sign, exponent), mantissa);
}

TSR_INLINE TSR_TARGET void pair_to_dst(uint16_t *high, struct pair_bf16 pair)
{
    __m256i first = stored_bf16(pair.first), last = stored_bf16(pair.last);
    _mm256_storeu_si256((__m256i *)(void *)high, _mm256_permute2x128_si256(first, last, 0x20));
    _mm256_storeu_si256((__m256i *)(void *)(high + 16),
                        _mm256_permute2x128_si256(first, last, 0x31));
}

// What is left of the last two blocks, as if it were all of them.
struct pair_input {
    uint8_t bytes[PAIR_DATUMS], exponents[2];
};

TSR_INLINE struct pair_input pair_rest(const uint8_t *bytes, const uint8_t *exponents,
                                       size_t datums, unsigned bits)
{
    struct pair_input in = {{0}, {0}};
    memcpy(in.bytes, bytes, (datums * bits + 7) / 8);
    memcpy(in.exponents, exponents, (datums + 15) / 16);
    return in;
}

#define BLOCK_PAIRS(name, cell, put, bits)                                                         \
    TSR_INLINE TSR_TARGET void name(cell *out, const uint8_t *bytes, const uint8_t *exponents,     \
                                    size_t datums)                                                 \
    {                                                                                              \
        for (; datums >= PAIR_DATUMS; datums -= PAIR_DATUMS) {                                     \
            put(out, pair_load(bytes, exponents, bits));                                           \
            out += PAIR_DATUMS;                                                                    \
            bytes += PAIR_DATUMS * bits / 8;                                                       \
            exponents += 2;                                                                        \
        }                                                                                          \
        if (datums > 0) {                                                                          \
            cell rest[PAIR_DATUMS];                                                                \
            struct pair_input in = pair_rest(bytes, exponents, datums, bits);                      \
            put(rest, pair_load(in.bytes, in.exponents, bits));                                    \
            memcpy(out, rest, datums * sizeof *out);                                               \
        }                                                                                          \
    }

#define UNPACK_BLOCK(format, bits)                                                                 \
    BLOCK_PAIRS(src_pairs_##format, uint32_t, pair_to_src, bits)                                   \
    BLOCK_PAIRS(dst_pairs_##format, uint16_t, pair_to_dst, bits)                                   \
    static TSR_TARGET void src_##format(uint32_t *cells, const uint8_t *bytes,                     \
                                        const uint8_t *exponents, size_t datums,                   \
                                        const tsr_unpack_mode *mode)                               \
    {                                                                                              \
        (void)mode;                                                                                \
        src_pairs_##format(cells, bytes, exponents, datums);                                       \
    }                                                                                              \
    static TSR_TARGET void dst_##format(uint16_t *high, uint16_t *low, const uint8_t *bytes,       \
                                        const uint8_t *exponents, size_t datums,                   \
                                        const tsr_unpack_mode *mode)                               \
    {                                                                                              \
        (void)low;                                                                                 \
        (void)mode;                                                                                \
        dst_pairs_##format(high, bytes, exponents, datums);                                        \
    }

UNPACK_BLOCK(bfp8, 8)
UNPACK_BLOCK(bfp4, 4)
UNPACK_BLOCK(bfp2, 2)

#endif
