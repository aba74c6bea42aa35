// SPDX-License-Identifier: Apache-2.0
// Rows of MVMUL in AVX-512, 16 columns at once and in registers from the products to the store
// (MVMUL.md; exact arithmetic in docs/arithmetic.md). Included by dot_tmpl.h in place of its own
// groups and final adder. Must equal tsr_fpu_dot16() of numerics/fpu.c.
#ifndef TESSERA_KERNELS_DOT_AVX512_H
#define TESSERA_KERNELS_DOT_AVX512_H

#include "kernels/element_lane.h"
#include "kernels/lanes_avx512.h"

#define DOT TSR_INLINE TSR_TARGET

// The sum of a group in units of 2^-24, as lanes_align() takes it.
typedef struct dot_sum {
    __m512i doubled, exponent;
} dot_sum;

// A row of SrcB. The slice of a phase is masked where it is and then rotated to its place.
typedef struct dot_operand {
    __m512i factor, exponent, weight;
} dot_operand;

DOT dot_operand dot_operand_b(const uint32_t *b, const tsr_lane_params *params)
{
    const int32_t slice = (int32_t)(params->slice_b << params->shift_b);
    const __m512i rotation = lanes_set((int32_t)(params->scale_b - params->shift_b) & 31);
    __m512i datum = _mm512_and_si512(_mm512_loadu_si512(b), lanes_set((int32_t)params->mask_b));
    __mmask16 nonzero = _mm512_test_epi32_mask(datum, lanes_set(0x3fc00));
    __mmask16 negative = _mm512_test_epi32_mask(datum, lanes_set(1 << 18));
    __m512i factor = lanes_merge_if(nonzero, datum, slice & 0x3ff, slice & 0x400);
    factor = _mm512_or_si512(_mm512_rolv_epi32(factor, rotation), lanes_set(1 << 8));
    __m512i exponent = _mm512_and_si512(_mm512_srli_epi32(datum, 10), lanes_set(0xff));
    exponent =
        _mm512_mask_add_epi32(lanes_set(DOT_ZERO), nonzero, exponent, lanes_set(params->bias));
    return (dot_operand){factor, exponent, lanes_negate_if(negative, lanes_set(1 << 13))};
}

// Two rows at once; the last of an odd number stands for both.
DOT void dot_rows_float(dot_rows *out, const uint32_t *b, size_t datums,
                        const tsr_lane_params *params)
{
    for (size_t row = 0, rows = datums / TSR_DOT_INNER; row < rows; row += 2) {
        size_t other = row + 1 < rows ? row + 1 : row;
        dot_operand first = dot_operand_b(b + row * TSR_DOT_INNER, params);
        dot_operand second = dot_operand_b(b + other * TSR_DOT_INNER, params);
        _mm512_store_si512(out->factor[row], lanes_narrow(first.factor, second.factor));
        _mm512_store_si512(out->exponent[row], lanes_narrow(first.exponent, second.exponent));
        _mm512_store_si512(out->weight[row], lanes_narrow(first.weight, second.weight));
    }
}

// Two neighbours, in all pairs of lanes.
DOT __m512i dot_pair(const int16_t *pair)
{
    int32_t both;
    memcpy(&both, pair, sizeof both);
    return _mm512_set1_epi32(both);
}

// A weight is shifted to 0 or -1 when nothing can be left, and neither leaves anything. A group
// whose largest exponent is not above 0 counts as nothing.
DOT dot_sum dot_group(const tsr_dot_block *a, const dot_rows *b, size_t row, int first,
                      __m512i lowest)
{
    __m512i exponents[4], x[4];
    for (int k = 0; k < 4; k++) {
        exponents[k] = _mm512_add_epi16(_mm512_load_si512(a->exponent[first / 2 + k]),
                                        dot_pair(b->exponent[row] + first + 2 * k));
    }
    __m512i most = _mm512_max_epi16(_mm512_max_epi16(exponents[0], exponents[1]),
                                    _mm512_max_epi16(exponents[2], exponents[3]));
    most = _mm512_max_epi16(most, lowest);
    most = _mm512_max_epi16(most, _mm512_rol_epi32(most, 16));
    for (int k = 0; k < 4; k++) {
        __m512i weight = _mm512_srav_epi16(dot_pair(b->weight[row] + first + 2 * k),
                                           _mm512_sub_epi16(most, exponents[k]));
        x[k] = _mm512_maddubs_epi16(dot_pair(b->factor[row] + first + 2 * k),
                                    _mm512_load_si512(a->factor[b->low_a][first / 2 + k]));
        x[k] = _mm512_mulhrs_epi16(x[k], weight);
    }
    __m512i total = _mm512_add_epi16(_mm512_add_epi16(x[0], x[1]), _mm512_add_epi16(x[2], x[3]));
    __m512i exponent = _mm512_srai_epi32(most, 16);
    __mmask16 nonzero = _mm512_cmpgt_epi32_mask(exponent, _mm512_setzero_si512());
    return (dot_sum){_mm512_maskz_madd_epi16(nonzero, total, _mm512_set1_epi16(1 << 14)), exponent};
}

// The exact sum of a row: `top` comes back with the exponent of its units.
DOT __m512i dot_row_sum(const tsr_dot_block *a, const dot_rows *b, size_t row, lanes_acc acc,
                        __m512i lowest, bool acc32, __m512i *top)
{
    dot_sum sum0 = dot_group(a, b, row, 0, lowest);
    dot_sum sum1 = dot_group(a, b, row, DOT_GROUP, lowest);
    *top = _mm512_max_epi32(_mm512_max_epi32(sum0.exponent, sum1.exponent), acc.exponent);
    __m512i sum =
        _mm512_add_epi32(lanes_align(sum0.doubled, _mm512_sub_epi32(*top, sum0.exponent), acc32),
                         lanes_align(sum1.doubled, _mm512_sub_epi32(*top, sum1.exponent), acc32));
    return lanes_add_acc(sum, acc, *top, acc32);
}

DOT void dot_run32(uint16_t *high, uint16_t *low, const tsr_dot_block *a, const dot_rows *b,
                   size_t rows, const tsr_lane_params *params)
{
    __m512i lowest = _mm512_set1_epi16((int16_t)params->zero_exponent);
    for (size_t i = 0; i < rows; i++, high += TSR_DOT_COLUMNS, low += TSR_DOT_COLUMNS) {
        __m512i top, sum = dot_row_sum(a, b, i, lanes_acc32(high, low), lowest, true, &top);
        lanes_round32(high, low, sum, top, params->lone_unit_bug, true);
    }
}

// Two rows at once; the last of an odd number stands for both.
DOT void dot_run16(uint16_t *high, const tsr_dot_block *a, const dot_rows *b, size_t rows,
                   const tsr_lane_params *params)
{
    __m512i lowest = _mm512_set1_epi16((int16_t)params->zero_exponent);
    for (size_t i = 0; i < rows; i += 2) {
        size_t other = i + 1 < rows ? i + 1 : i;
        uint16_t *cells = high + i * TSR_DOT_COLUMNS;
        lanes_acc acc = lanes_acc16(cells, params->e8);
        lanes_acc other_acc = lanes_acc16(high + other * TSR_DOT_COLUMNS, params->e8);
        lanes_pair pair;
        pair.sum[0] = dot_row_sum(a, b, i, acc, lowest, false, &pair.top[0]);
        pair.sum[1] = dot_row_sum(a, b, other, other_acc, lowest, false, &pair.top[1]);
        __m512i stored = lanes_round16(&pair, params->e8, true);
        if (other != i)
            _mm512_storeu_si512(cells, stored);
        else
            _mm256_storeu_si256((__m256i *)cells, _mm512_castsi512_si256(stored));
    }
}

#undef DOT

#endif
