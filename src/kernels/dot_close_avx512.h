// SPDX-License-Identifier: Apache-2.0
// Rows of MVMUL whose exponents lie close together, in AVX-512 (MVMUL.md; exact arithmetic in
// docs/arithmetic.md). Included by dot_tmpl.h, whose other loops take what lies further apart. Must
// equal tsr_fpu_dot16() of numerics/fpu.c.
//
// The sum of a group begins with a large number, whose last place is what the largest exponent of
// the group keeps, so that a multiply-add rounds each product to that place, and the places are
// counted when the large number is taken away again. The first factor is a fraction of a unit
// larger than it is: that decides every tie away from zero, and nothing else. Each multiply-add
// names its rounding, so it does not depend on the host's, and raises no flag; factors are exact.
//
// Exponents become sizes of a byte: 64 and more, or 1 for a zero, so that sums of two that are not
// zeroes have bit 7 set and no others do. A sum's size is also the exponent of the large number.
#ifndef TESSERA_KERNELS_DOT_CLOSE_AVX512_H
#define TESSERA_KERNELS_DOT_CLOSE_AVX512_H

#include "kernels/element_lane.h"
#include "kernels/lanes_avx512.h"

#define CLOSE TSR_INLINE TSR_TARGET

// A product of factors in units is real in units of 2^(size - 150), so that a number with that
// exponent has its last place there.
enum { CLOSE_LARGEST = 126, CLOSE_SPREAD = 62, CLOSE_ZERO = 1, CLOSE_SOME = 128 };
enum { CLOSE_BIAS_A = 75, CLOSE_BIAS_B = 75, CLOSE_TIE_BITS = 8, CLOSE_GROUPS = 2 };

// What lies between the smallest and the largest exponent of datums that are not zeroes.
typedef struct close_range {
    __m512i most, least;
} close_range;

CLOSE close_range close_range_of(close_range range, __m512i datum)
{
    __mmask16 nonzero = _mm512_test_epi32_mask(datum, lanes_set(0x3fc00));
    __m512i exponent = _mm512_and_si512(_mm512_srli_epi32(datum, 10), lanes_set(0xff));
    return (close_range){_mm512_max_epi32(range.most, exponent),
                         _mm512_mask_min_epi32(range.least, nonzero, range.least, exponent)};
}

CLOSE __m512i close_size(__m512i datum, int32_t most)
{
    __mmask16 nonzero = _mm512_test_epi32_mask(datum, lanes_set(0x3fc00));
    __m512i exponent = _mm512_and_si512(_mm512_srli_epi32(datum, 10), lanes_set(0xff));
    return _mm512_mask_sub_epi32(lanes_set(CLOSE_ZERO), nonzero, exponent,
                                 lanes_set(most - CLOSE_LARGEST));
}

// factor * 2^(size - bias); 0 stays 0.
CLOSE __m512i close_real(__m512i factor, __m512i size, int32_t bias)
{
    __m512i real = _mm512_castps_si512(_mm512_cvtepi32_ps(factor));
    __m512i exponent = _mm512_slli_epi32(_mm512_sub_epi32(size, lanes_set(bias)), 23);
    return _mm512_maskz_add_epi32(_mm512_test_epi32_mask(factor, factor), real, exponent);
}

// The order of a row's sizes: two of the first group, two of the second.
CLOSE __m128i close_order(__m128i sizes)
{
    return _mm_shuffle_epi8(sizes,
                            _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
}

// ---------------------------------------------------------------- operands

// Four rows of sizes as bytes of a lane, the first the lowest.
CLOSE __m512i close_bytes(const __m512i sizes[4])
{
    return _mm512_or_si512(_mm512_ternarylogic_epi32(sizes[0], _mm512_slli_epi32(sizes[1], 8),
                                                     _mm512_slli_epi32(sizes[2], 16), 0xfe),
                           _mm512_slli_epi32(sizes[3], 24));
}

// Sizes of a block whose datums have changed, in the order of close_order().
static TSR_TARGET void dot_close_prepare(tsr_dot_block *block)
{
    const __m512i mask = lanes_set((int32_t)block->mask);
    close_range range = {_mm512_setzero_si512(), lanes_set(255)};
    __m512i datum[TSR_DOT_INNER];
    block->close = false;
    if (block->int8)
        return;
    for (int k = 0; k < TSR_DOT_INNER; k++) {
        datum[k] = _mm512_and_si512(_mm512_load_si512(block->datum[k]), mask);
        range = close_range_of(range, datum[k]);
    }
    block->most = _mm512_reduce_max_epi32(range.most);
    block->least = _mm512_reduce_min_epi32(range.least);
    block->close = block->most - block->least <= CLOSE_SPREAD;
    for (int k = 0; block->close && k < DOT_GROUP; k += 2) {
        const __m512i sizes[4] = {close_size(datum[k], block->most),
                                  close_size(datum[k + 1], block->most),
                                  close_size(datum[k + DOT_GROUP], block->most),
                                  close_size(datum[k + DOT_GROUP + 1], block->most)};
        _mm512_store_si512(block->size[k / 2], close_bytes(sizes));
    }
}

// The factors of a block that go with a phase.
static TSR_TARGET void close_make_reals(tsr_dot_block *block, bool low)
{
    const __m512i mask = lanes_set((int32_t)block->mask), one = lanes_set(1);
    for (int k = 0; k < TSR_DOT_INNER; k++) {
        __m512i datum = _mm512_and_si512(_mm512_load_si512(block->datum[k]), mask);
        __mmask16 nonzero = _mm512_test_epi32_mask(datum, lanes_set(0x3fc00));
        __m512i slice =
            _mm512_or_si512(_mm512_and_si512(datum, lanes_set(0x3ff)), lanes_set(0x400));
        slice = _mm512_and_si512(_mm512_srli_epi32(slice, low ? 1 : 6), lanes_set(0x1f));
        __m512i factor =
            _mm512_maskz_add_epi32(nonzero, _mm512_slli_epi32(slice, CLOSE_TIE_BITS), one);
        __m512i real =
            close_real(factor, close_size(datum, block->most), CLOSE_BIAS_A + CLOSE_TIE_BITS);
        real = lanes_merge(_mm512_slli_epi32(datum, 13), (int32_t)0x80000000u, real);
        _mm512_store_si512(block->real[low][k], real);
    }
    block->reals |= (uint8_t)(1u << low);
}

// Sizes of rows of SrcB, as the block has SrcA's. False: they lie too far apart.
CLOSE bool close_rows_make(tsr_dot_rows *out, const uint32_t (*b)[16], size_t rows,
                           const tsr_lane_params *params)
{
    const __m512i mask = lanes_set((int32_t)params->mask_b);
    close_range range = {_mm512_setzero_si512(), lanes_set(255)};
    for (size_t i = 0; i < rows; i++)
        range = close_range_of(range, _mm512_and_si512(_mm512_loadu_si512(b[i]), mask));
    out->reals = 0;
    out->most = _mm512_reduce_max_epi32(range.most);
    out->least = _mm512_reduce_min_epi32(range.least);
    if (out->most - out->least > CLOSE_SPREAD)
        return false;
    for (size_t i = 0; i < rows; i++) {
        __m512i datum = _mm512_and_si512(_mm512_loadu_si512(b[i]), mask);
        __m512i size = close_size(datum, out->most);
        _mm_store_si128((__m128i *)out->size[i], close_order(_mm512_cvtepi32_epi8(size)));
    }
    return true;
}

CLOSE void close_rows_reals(tsr_dot_rows *out, const uint32_t (*b)[16], size_t rows, bool low,
                            const tsr_lane_params *params)
{
    const int32_t slice = (int32_t)(params->slice_b << params->shift_b);
    const int32_t bias = CLOSE_BIAS_B + (int32_t)(params->shift_b - params->scale_b);
    for (size_t i = 0; i < rows; i++) {
        __m512i datum =
            _mm512_and_si512(_mm512_loadu_si512(b[i]), lanes_set((int32_t)params->mask_b));
        __mmask16 nonzero = _mm512_test_epi32_mask(datum, lanes_set(0x3fc00));
        __m512i factor = lanes_merge_if(nonzero, datum, slice & 0x3ff, slice & 0x400);
        __m512i real = close_real(factor, close_size(datum, out->most), bias);
        real = lanes_merge(_mm512_slli_epi32(datum, 13), (int32_t)0x80000000u, real);
        _mm512_store_si512(out->real[low][i], real);
    }
    out->reals |= (uint8_t)(1u << low);
}

// Where there is room for them they are kept, with a copy of what they were made of.
CLOSE bool close_rows_of(tsr_dot_rows *kept, const uint32_t (*b)[16], size_t rows,
                         const tsr_lane_params *params)
{
    __m512i other = _mm512_setzero_si512();
    for (size_t i = 0; i < rows; i++)
        other = _mm512_or_si512(
            other, _mm512_xor_si512(_mm512_loadu_si512(b[i]), _mm512_load_si512(kept->datum[i])));
    if (kept->count == rows && kept->mask == params->mask_b &&
        _mm512_test_epi32_mask(other, other) == 0)
        return kept->close;
    memcpy(kept->datum, b, rows * sizeof *b);
    kept->count = (uint32_t)rows;
    kept->mask = params->mask_b;
    kept->close = close_rows_make(kept, b, rows, params);
    return kept->close;
}

// ---------------------------------------------------------------- sums

// Both groups of a row in units of their exponents, with the other sign if `negated`. Sizes: the
// first group's in the lower half of a lane, the second's in the upper one, bytes each.
typedef struct close_sums {
    __m512i sum[CLOSE_GROUPS], sizes;
} close_sums;

CLOSE __m512i close_quad(const uint8_t *sizes)
{
    int32_t quad;
    memcpy(&quad, sizes, sizeof quad);
    return _mm512_set1_epi32(quad);
}

// Of each pair of bytes the lower one is the largest of a group.
CLOSE __m512i close_largest(const tsr_dot_block *a, const uint8_t *b)
{
    __m512i size[4];
    for (int i = 0; i < 4; i++)
        size[i] = _mm512_adds_epu8(_mm512_load_si512(a->size[i]), close_quad(b + 4 * i));
    __m512i most =
        _mm512_max_epu8(_mm512_max_epu8(size[0], size[1]), _mm512_max_epu8(size[2], size[3]));
    return _mm512_max_epu8(most, _mm512_srli_epi16(most, 8));
}

CLOSE __m512i close_multiply_add(__m512i a, uint32_t b, __m512i sum)
{
    return _mm512_castps_si512(_mm512_fmadd_round_ps(
        _mm512_castsi512_ps(a), _mm512_castsi512_ps(_mm512_set1_epi32((int32_t)b)),
        _mm512_castsi512_ps(sum), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

// The large number that a group begins with; its size lies `places` below a number's exponent.
CLOSE __m512i close_begin(__m512i most, unsigned places)
{
    return _mm512_ternarylogic_epi32(_mm512_slli_epi32(most, places), lanes_set(0x7f800000),
                                     lanes_set(0x400000), 0xea);
}

// A block and rows, with their factors of a phase.
typedef struct close_operands {
    const tsr_dot_block *a;
    const tsr_dot_rows *b;
    const uint32_t (*real_a)[TSR_DOT_COLUMNS], (*real_b)[TSR_DOT_INNER];
    int32_t base; // what exponents have more than sizes
} close_operands;

// Two rows at once, since they share what they load of SrcA.
CLOSE void close_sums_of(close_sums out[2], const close_operands *from, const size_t row[2],
                         bool negated)
{
    __m512i begin[2][CLOSE_GROUPS], sum[2][CLOSE_GROUPS];
    for (int i = 0; i < 2; i++) {
        __m512i most = close_largest(from->a, from->b->size[row[i]]);
        sum[i][0] = begin[i][0] = close_begin(most, 23);
        sum[i][1] = begin[i][1] = close_begin(most, 7);
        out[i].sizes = _mm512_and_si512(most, lanes_set(0xff00ff));
    }
    for (int k = 0; k < DOT_GROUP; k++) {
        for (int group = 0; group < CLOSE_GROUPS; group++) {
            int at = k + group * DOT_GROUP;
            __m512i real = _mm512_load_si512(from->real_a[at]);
            for (int i = 0; i < 2; i++)
                sum[i][group] = close_multiply_add(real, from->real_b[row[i]][at], sum[i][group]);
        }
    }
    for (int i = 0; i < 2; i++)
        for (int group = 0; group < CLOSE_GROUPS; group++)
            out[i].sum[group] = negated ? _mm512_sub_epi32(begin[i][group], sum[i][group])
                                        : _mm512_sub_epi32(sum[i][group], begin[i][group]);
}

// ---------------------------------------------------------------- 32 bits of Dst, and FP16

// A group as lanes_align() takes it.
CLOSE __m512i close_exponent(__m512i size, int32_t base, int32_t lowest)
{
    __mmask16 some = _mm512_cmpge_epi32_mask(size, lanes_set(CLOSE_SOME));
    return _mm512_mask_add_epi32(lanes_set(lowest), some, size, lanes_set(base));
}

CLOSE __m512i close_row_sum(const close_sums *sums, lanes_acc acc, int32_t base, int32_t lowest,
                            bool acc32, __m512i *top)
{
    __m512i exponent0 =
        close_exponent(_mm512_and_si512(sums->sizes, lanes_set(0xff)), base, lowest);
    __m512i exponent1 = close_exponent(_mm512_srli_epi32(sums->sizes, 16), base, lowest);
    *top = _mm512_max_epi32(_mm512_max_epi32(exponent0, exponent1), acc.exponent);
    __m512i sum = _mm512_add_epi32(
        lanes_align(_mm512_slli_epi32(sums->sum[0], 14), _mm512_sub_epi32(*top, exponent0), acc32),
        lanes_align(_mm512_slli_epi32(sums->sum[1], 14), _mm512_sub_epi32(*top, exponent1), acc32));
    return lanes_add_acc(sum, acc, *top, acc32);
}

CLOSE void close_run32(uint16_t *high, uint16_t *low, const close_operands *from, size_t rows,
                       const tsr_lane_params *params)
{
    for (size_t i = 0; i < rows; i += 2) {
        const size_t row[2] = {i, i + 1 < rows ? i + 1 : i};
        close_sums sums[2];
        close_sums_of(sums, from, row, false);
        for (size_t j = 0; j < 2 && i + j < rows; j++) {
            size_t at = row[j] * TSR_DOT_COLUMNS;
            __m512i top, sum = close_row_sum(&sums[j], lanes_acc32(high + at, low + at), from->base,
                                             params->zero_exponent, true, &top);
            lanes_round32(high + at, low + at, sum, top, params->lone_unit_bug, true);
        }
    }
}

CLOSE void close_store(uint16_t *cells, __m512i stored, bool both)
{
    if (both)
        _mm512_storeu_si512(cells, stored);
    else
        _mm256_storeu_si256((__m256i *)cells, _mm512_castsi512_si256(stored));
}

CLOSE void close_run_fp16(uint16_t *high, const close_operands *from, size_t rows,
                          const tsr_lane_params *params)
{
    for (size_t i = 0; i < rows; i += 2) {
        const size_t row[2] = {i, i + 1 < rows ? i + 1 : i};
        close_sums sums[2];
        lanes_pair pair;
        close_sums_of(sums, from, row, false);
        for (int j = 0; j < 2; j++)
            pair.sum[j] =
                close_row_sum(&sums[j], lanes_acc16(high + row[j] * TSR_DOT_COLUMNS, false),
                              from->base, params->zero_exponent, false, &pair.top[j]);
        close_store(high + i * TSR_DOT_COLUMNS, lanes_round16(&pair, false, true), row[1] != i);
    }
}

// ---------------------------------------------------------------- BF16

// A row's groups as numbers and exponents of 16 bits, the first in the lower half of a lane.
typedef struct close_halves {
    __m512i negative, exponent, top;
} close_halves;

CLOSE close_halves close_halves_of(const close_sums *sums, int32_t base)
{
    __mmask32 some = _mm512_test_epi16_mask(sums->sizes, _mm512_set1_epi16(CLOSE_SOME));
    close_halves out;
    out.negative =
        _mm512_mask_blend_epi16(0xaaaaaaaau, sums->sum[0], _mm512_slli_epi32(sums->sum[1], 16));
    out.exponent = _mm512_maskz_add_epi16(some, sums->sizes, _mm512_set1_epi16((short)base));
    out.top = _mm512_max_epi16(out.exponent, _mm512_rol_epi32(out.exponent, 16));
    return out;
}

// The sum of both groups at exponent `top`, in units of 2^-10. Weights are negative because 2^15
// is none of 16 bits. Silicon rounds to units of 2^-23 first; that shows only in ties which this
// makes, of numbers 14 and 15 places away.
CLOSE __m512i close_aligned(const close_halves *halves, __m512i top)
{
    __m512i distance = _mm512_sub_epi16(top, halves->exponent);
    __m512i weight = _mm512_srav_epi16(_mm512_set1_epi16(-32768), distance);
    __m512i more = _mm512_srli_epi16(_mm512_sllv_epi16(_mm512_set1_epi16(1), distance), 14);
    __mmask32 some = _mm512_cmplt_epi16_mask(distance, _mm512_set1_epi16(16));
    __m512i sums =
        _mm512_maskz_mulhrs_epi16(some, _mm512_sub_epi16(halves->negative, more), weight);
    return _mm512_madd_epi16(sums, _mm512_set1_epi16(1));
}

// What two rows of Dst hold, as lanes_acc, in 16 bits.
typedef struct close_accs {
    __m512i negative, exponent; // magnitudes, as negative numbers
    __mmask32 below;            // those that are below zero
} close_accs;

CLOSE close_accs close_accs_of(__m512i stored)
{
    __m512i exponent = _mm512_and_si512(stored, _mm512_set1_epi16(0xff));
    __mmask32 nonzero = _mm512_test_epi16_mask(exponent, exponent);
    __m512i size = _mm512_ternarylogic_epi32(_mm512_srli_epi16(stored, 5), _mm512_set1_epi16(0x3f8),
                                             _mm512_set1_epi16(0x400), 0xea);
    return (close_accs){_mm512_maskz_sub_epi16(nonzero, _mm512_setzero_si512(), size), exponent,
                        _mm512_movepi16_mask(stored)};
}

CLOSE __m512i close_accs_aligned(const close_accs *accs, __m512i top)
{
    __m512i weight =
        _mm512_srav_epi16(_mm512_set1_epi16(-32768), _mm512_sub_epi16(top, accs->exponent));
    __m512i sizes = _mm512_mulhrs_epi16(accs->negative, weight);
    return _mm512_mask_sub_epi16(sizes, accs->below, _mm512_setzero_si512(), sizes);
}

// As lanes_round16(), of two rows in their order.
CLOSE __m512i close_round(__m512i sum0, __m512i sum1, __m512i top)
{
    const __m512i upper =
        _mm512_set_epi16(63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33, 31, 29, 27,
                         25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    __m512i sign = _mm512_permutex2var_epi16(lanes_real(sum0, 16), upper, lanes_real(sum1, 16));
    __m512i exponent = _mm512_slli_epi16(_mm512_sub_epi16(top, _mm512_set1_epi16(137)), 7);
    __m512i size = _mm512_and_si512(sign, _mm512_set1_epi16(0x7fff));
    size = _mm512_adds_epi16(size, exponent);
    size = _mm512_min_epi16(size, _mm512_set1_epi16(255 << 7));
    __mmask32 nonzero = _mm512_test_epi16_mask(sign, sign);
    nonzero = _mm512_mask_cmpge_epi16_mask(nonzero, size, _mm512_set1_epi16(1 << 7));
    __m512i stored =
        lanes_merge(_mm512_slli_epi16(size, 8), 0x7f007f00, _mm512_srli_epi16(size, 7));
    stored = lanes_merge(sign, (int32_t)0x80008000u, stored);
    return _mm512_maskz_mov_epi16(nonzero, stored);
}

// Two rows at once; the last of an odd number stands for both.
CLOSE void close_run_bf16(uint16_t *high, const close_operands *from, size_t rows)
{
    const __m512i each = _mm512_set_epi16(15, 15, 14, 14, 13, 13, 12, 12, 11, 11, 10, 10, 9, 9, 8,
                                          8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0);
    const __m512i each_other = _mm512_add_epi16(each, _mm512_set1_epi16(16));
    for (size_t i = 0; i < rows; i += 2) {
        bool both = i + 1 < rows;
        uint16_t *cells = high + i * TSR_DOT_COLUMNS;
        close_accs accs = close_accs_of(
            both ? _mm512_loadu_si512(cells)
                 : _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)cells)));
        close_sums sums[2];
        close_sums_of(sums, from, (const size_t[2]){i, both ? i + 1 : i}, true);
        close_halves row = close_halves_of(&sums[0], from->base);
        close_halves other = close_halves_of(&sums[1], from->base);
        __m512i top = _mm512_max_epi16(lanes_narrow(row.top, other.top), accs.exponent);
        __m512i acc = close_accs_aligned(&accs, top);
        __m512i sum = close_aligned(&row, _mm512_permutexvar_epi16(each, top));
        __m512i other_sum = close_aligned(&other, _mm512_permutexvar_epi16(each_other, top));
        sum = _mm512_add_epi32(sum, _mm512_cvtepi16_epi32(_mm512_castsi512_si256(acc)));
        other_sum =
            _mm512_add_epi32(other_sum, _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(acc, 1)));
        close_store(cells, close_round(sum, other_sum, top), both);
    }
}

// False: it is not for these rows, and nothing was done.
CLOSE bool dot_close(uint16_t *high, uint16_t *low, tsr_dot_block *a, tsr_dot_rows *kept,
                     const uint32_t (*b)[16], size_t rows, const tsr_lane_params *params)
{
    bool low_a = params->shift_a == 1, low_b = params->scale_b != 0;
    tsr_dot_rows own, *prepared = kept ? kept : &own;
    if (!a->close ||
        !(kept ? close_rows_of(kept, b, rows, params) : close_rows_make(&own, b, rows, params)))
        return false;
    // Products that may be too small to count are for others.
    if (a->least + prepared->least + params->bias <= 0)
        return false;
    if (!(a->reals >> low_a & 1))
        close_make_reals(a, low_a);
    if (!(prepared->reals >> low_b & 1))
        close_rows_reals(prepared, b, rows, low_b, params);
    const close_operands from = {a, prepared, a->real[low_a], prepared->real[low_b],
                                 a->most + prepared->most + params->bias - 2 * CLOSE_LARGEST};
    if (params->acc32)
        close_run32(high, low, &from, rows, params);
    else if (params->e8)
        close_run_bf16(high, &from, rows);
    else
        close_run_fp16(high, &from, rows, params);
    return true;
}

#undef CLOSE

#endif
