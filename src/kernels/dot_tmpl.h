// SPDX-License-Identifier: Apache-2.0
// Rows of MVMUL, 16 columns at once, and the choice among them. matrix_SET.c of a set with rounding
// multiplications of 16-bit lanes defines TSR_TARGET and includes this. Must equal tsr_fpu_dot16()
// and tsr_fpu_int8_dot16() of numerics/fpu.c.
// Pages: MVMUL.md, DOTPV.md, GAPOOL.md; exact arithmetic in docs/arithmetic.md.
//
// The products of a group of eight are below 2^12 and their sum below 2^15, so all of it fits 16
// bits. Two products of a column are neighbours, as the factors of SrcB's rows are in memory, and
// are added when the sum is widened. Aligning a product p by d bits, ties away from zero, is a
// rounding multiplication by a weight of 2^13 / 2^d, pmulhrsw's (x * weight + 2^14) >> 15: x is 4p
// and a unit more on its own side of zero, which decides every tie and nothing else. From d = 14 on
// the result is 0. pmaddubsw makes such an x: SrcA has four times its factor and the factor's sign
// as bytes, SrcB its magnitude and 1; SrcB's sign goes to the weight.
//
// DOT_WITH_ROWS, which the includer defines, is 1 where dot_avx512.h does whole rows. Otherwise
// dot_avx2.h sums the groups, and the adder after them is that of lanes_avx2.h for BF16 in a 16-bit
// Dst and that of the element-wise loops for all else.
#include "kernels/dot_block.h"
#include "kernels/element_params.h"

#include <immintrin.h>

enum { DOT_GROUP = 8, DOT_GROUPS = 2, DOT_ZERO = -4096, DOT_CELLS = TSR_DOT_ROWS * 16 };

// SrcB's rows as dot_block.h has SrcA's; exponents have the bias. Weights are 2^13 with the sign;
// integers have signed factors and no more.
typedef struct dot_rows {
    _Alignas(64) int16_t factor[TSR_DOT_ROWS][TSR_DOT_INNER];
    _Alignas(64) int16_t exponent[TSR_DOT_ROWS][TSR_DOT_INNER];
    _Alignas(64) int16_t weight[TSR_DOT_ROWS][TSR_DOT_INNER];
    bool low_a; // which of a block's factors go with them
} dot_rows;

// ---------------------------------------------------------------- operands

// All ones if the exponent is not 0.
TSR_INLINE int32_t dot_nonzero(uint32_t datum)
{
    return (int32_t)tsr_lane_if_nonzero(datum & 0x3fc00u);
}

TSR_INLINE int32_t dot_signed(uint32_t datum, uint32_t magnitude, int32_t nonzero)
{
    int32_t sign = -(int32_t)(datum >> 18 & 1u);
    return (((int32_t)magnitude ^ sign) - sign) & nonzero;
}

// All pairs of rows; `value` is what becomes of a datum. The pairs are cells of 32 bits, so that
// compilers see vectors.
#define DOT_PAIRS(out, value, low)                                                                 \
    do {                                                                                           \
        uint32_t mask = block->mask;                                                               \
        for (int k = 0; k < TSR_DOT_INNER; k += 2) {                                               \
            const uint32_t *rows = block->datum[k];                                                \
            uint32_t pairs[TSR_DOT_COLUMNS];                                                       \
            for (int j = 0; j < TSR_DOT_COLUMNS; j++)                                              \
                pairs[j] = ((uint32_t)value(rows[j], mask, low) & 0xffffu) |                       \
                           (uint32_t)value(rows[j + TSR_DOT_COLUMNS], mask, low) << 16;            \
            memcpy((out)[k / 2], pairs, sizeof pairs);                                             \
        }                                                                                          \
    } while (0)

TSR_INLINE int32_t dot_factor_a(uint32_t datum, uint32_t mask, bool low)
{
    datum &= mask;
    uint32_t slice = ((datum & 0x3ffu) | 0x400u) >> (low ? 1 : 6) & 0x1fu;
    int32_t nonzero = dot_nonzero(datum);
    return (dot_signed(datum, 4 * slice, nonzero) & 0xff) | dot_signed(datum, 1, nonzero) * 256;
}

TSR_INLINE int32_t dot_exponent_a(uint32_t datum, uint32_t mask, bool low)
{
    (void)low;
    datum &= mask;
    int32_t nonzero = dot_nonzero(datum);
    return (tsr_lane_exponent(datum) & nonzero) | (DOT_ZERO & ~nonzero);
}

TSR_INLINE int32_t dot_integer_a(uint32_t datum, uint32_t mask, bool low)
{
    (void)mask;
    return dot_signed(datum, datum & (low ? 0x1fu : 0xe0u), dot_nonzero(datum));
}

static TSR_TARGET void dot_make_factors(tsr_dot_block *block, bool low)
{
    if (block->int8)
        DOT_PAIRS(block->factor[low], dot_integer_a, low);
    else
        DOT_PAIRS(block->factor[low], dot_factor_a, low);
    if (!block->int8 && block->factors == 0)
        DOT_PAIRS(block->exponent, dot_exponent_a, false);
    block->factors |= (uint8_t)(1u << low);
}

TSR_INLINE void dot_need_factors(tsr_dot_block *block, bool low)
{
    if (!(block->factors >> low & 1))
        dot_make_factors(block, low);
}

#if DOT_WITH_ROWS
#include "kernels/dot_close_avx512.h"
#endif

static TSR_TARGET void dot_prepare(tsr_dot_block *block, const uint32_t (*a)[16],
                                   const tsr_element_mode *mode)
{
    uint32_t mask = tsr_fpu_operand_mask(mode->format_a);
    if (block->made && block->mask == mask && block->int8 == mode->int8 &&
        memcmp(block->datum, a, sizeof block->datum) == 0)
        return;
    memcpy(block->datum, a, sizeof block->datum);
    block->mask = mask;
    block->int8 = mode->int8;
    block->made = true;
    block->factors = block->reals = 0;
#if DOT_WITH_ROWS
    dot_close_prepare(block);
#endif
}

#if DOT_WITH_ROWS
#include "kernels/dot_avx512.h"
#else

static TSR_TARGET void dot_rows_float(dot_rows *out, const uint32_t *b, size_t datums,
                                      const tsr_lane_params *params)
{
    int16_t *factors = &out->factor[0][0], *exponents = &out->exponent[0][0];
    int16_t *weights = &out->weight[0][0];
    for (size_t i = 0; i < datums; i++) {
        uint32_t datum = b[i] & params->mask_b;
        int32_t nonzero = dot_nonzero(datum);
        uint32_t slice = (((datum & 0x3ffu) | 0x400u) >> params->shift_b & params->slice_b)
                         << params->scale_b;
        factors[i] = (int16_t)((slice & (uint32_t)nonzero) | 1u << 8);
        exponents[i] = (int16_t)(((tsr_lane_exponent(datum) + params->bias) & nonzero) |
                                 (DOT_ZERO & ~nonzero));
        weights[i] = (int16_t)dot_signed(datum, 1u << 13, -1);
    }
}

// ---------------------------------------------------------------- groups

// Group sums and exponents of up to eight rows, datum by datum.
typedef struct dot_sums {
    _Alignas(64) int32_t sum[DOT_GROUPS][DOT_CELLS];
    _Alignas(64) int32_t top[DOT_GROUPS][DOT_CELLS];
} dot_sums;

#include "kernels/dot_avx2.h"
#include "kernels/lanes_avx2.h"

static TSR_TARGET void dot_groups(dot_sums *out, const tsr_dot_block *a, const dot_rows *b,
                                  size_t rows, int32_t zero_exponent)
{
    for (int group = 0; group < DOT_GROUPS; group++) {
        for (size_t i = 0; i < rows; i++) {
            dot_group(out->sum[group] + 16 * i, out->top[group] + 16 * i, a, b, i,
                      group * DOT_GROUP, zero_exponent);
        }
    }
}

// ---------------------------------------------------------------- the final adder

// A group whose largest exponent is not above 0 counts as nothing.
TSR_INLINE int32_t dot_place(const tsr_lane_params *params, int32_t sum, int32_t exponent,
                             int32_t top)
{
    sum = (sum & (int32_t)tsr_lane_if_less(0, exponent)) * 8192;
    return tsr_lane_place(params, sum, top - exponent);
}

// The exact sum of a datum at exponent `top`, which comes back.
TSR_INLINE int32_t dot_sum(const tsr_lane_params *params, const dot_sums *sums, size_t i,
                           uint32_t acc, int32_t *top)
{
    *top =
        tsr_lane_max(tsr_lane_max(sums->top[0][i], sums->top[1][i]), (int32_t)(acc >> 23 & 0xffu));
    return dot_place(params, sums->sum[0][i], sums->top[0][i], *top) +
           dot_place(params, sums->sum[1][i], sums->top[1][i], *top) +
           tsr_lane_place_acc(params, acc, *top);
}

TSR_INLINE TSR_TARGET void dot_run32(uint16_t *restrict high, uint16_t *restrict low,
                                     const tsr_dot_block *a, const dot_rows *b, size_t rows,
                                     const tsr_lane_params *params)
{
    size_t datums = rows * TSR_DOT_COLUMNS;
    dot_sums sums;
    dot_groups(&sums, a, b, rows, params->zero_exponent);
    for (size_t i = 0; i < datums; i++) {
        uint32_t acc = (uint32_t)tsr_dst_unshuffle_bf16(high[i]) << 16 | low[i];
        int32_t top, sum = dot_sum(params, &sums, i, acc, &top);
        uint32_t bits = tsr_lane_round32(params, sum, top, 30);
        high[i] = tsr_dst_shuffle_bf16((uint16_t)(bits >> 16));
        low[i] = (uint16_t)bits;
    }
}

// A group of eight datums as lanes_align() takes it.
TSR_INLINE TSR_TARGET __m256i dot_octet_place(const int32_t *sum, __m256i exponent, __m256i top)
{
    __m256i some = _mm256_cmpgt_epi32(exponent, _mm256_setzero_si256());
    __m256i m = _mm256_and_si256(some, _mm256_load_si256((const __m256i *)(const void *)sum));
    return lanes_align(_mm256_slli_epi32(m, 14), _mm256_sub_epi32(top, exponent));
}

// dot_sum() of eight datums of a 16-bit Dst that holds BF16.
TSR_INLINE TSR_TARGET __m256i dot_octet_sum(const dot_sums *sums, size_t i, const uint16_t *high,
                                            __m256i *top)
{
    __m256i stored = lanes_load(high + i);
    __m256i exponent0 = _mm256_load_si256((const __m256i *)(const void *)&sums->top[0][i]);
    __m256i exponent1 = _mm256_load_si256((const __m256i *)(const void *)&sums->top[1][i]);
    *top = _mm256_max_epi32(_mm256_max_epi32(exponent0, exponent1), lanes_exponent(stored));
    __m256i sum = _mm256_add_epi32(dot_octet_place(&sums->sum[0][i], exponent0, *top),
                                   dot_octet_place(&sums->sum[1][i], exponent1, *top));
    return _mm256_add_epi32(sum, lanes_acc(stored, *top));
}

TSR_INLINE TSR_TARGET void dot_store_bf16(uint16_t *high, const dot_sums *sums, size_t rows)
{
    for (size_t i = 0; i < rows * TSR_DOT_COLUMNS; i += TSR_DOT_COLUMNS) {
        __m256i top[2], sum[2];
        sum[0] = dot_octet_sum(sums, i, high, &top[0]);
        sum[1] = dot_octet_sum(sums, i + LANES_OCTET, high, &top[1]);
        lanes_store_sums(high + i, sum, top);
    }
}

TSR_INLINE TSR_TARGET void dot_run16(uint16_t *restrict high, const tsr_dot_block *a,
                                     const dot_rows *b, size_t rows, const tsr_lane_params *params)
{
    size_t datums = rows * TSR_DOT_COLUMNS;
    dot_sums sums;
    dot_groups(&sums, a, b, rows, params->zero_exponent);
    if (params->e8) {
        dot_store_bf16(high, &sums, rows);
        return;
    }
    for (size_t i = 0; i < datums; i++) {
        uint32_t acc = tsr_lane_load_acc16(params, high[i]);
        int32_t top, sum = dot_sum(params, &sums, i, acc, &top);
        high[i] = tsr_dst_shuffle_fp16(tsr_lane_round16(params, sum, top, 16));
    }
}
#endif

// A row that is not valid counts as zeros, so it may as well hold them.
TSR_INLINE void dot_clear(uint16_t *high, uint16_t *low, size_t datums)
{
    memset(high, 0, datums * sizeof *high);
    if (low)
        memset(low, 0, datums * sizeof *low);
}

TSR_INLINE TSR_TARGET void dot_float(uint16_t *high, uint16_t *low, tsr_dot_block *block,
                                     tsr_dot_rows *kept, const uint32_t (*b)[16], size_t rows,
                                     bool valid, const tsr_element_mode *mode, bool e8, bool acc32)
{
    tsr_lane_params params = tsr_element_params(mode, e8, acc32);
    size_t datums = rows * TSR_DOT_COLUMNS;
    dot_rows prepared;
    if (!valid)
        dot_clear(high, low, datums);
#if DOT_WITH_ROWS
    if (dot_close(high, low, block, kept, b, rows, &params))
        return;
#endif
    (void)kept;
    prepared.low_a = (mode->fpu.phase & 1u) != 0;
    dot_need_factors(block, prepared.low_a);
    dot_rows_float(&prepared, b[0], datums, &params);
    if (acc32)
        dot_run32(high, low, block, &prepared, rows, &params);
    else
        dot_run16(high, block, &prepared, rows, &params);
}

#define DOT_KERNEL(name, e8, acc32)                                                                \
    static TSR_TARGET void name(uint16_t *high, uint16_t *low, tsr_dot_block *block,               \
                                tsr_dot_rows *kept, const uint32_t(*b)[16], size_t rows,           \
                                bool valid, const tsr_element_mode *mode)                          \
    {                                                                                              \
        dot_float(high, low, block, kept, b, rows, valid, mode, e8, acc32);                        \
    }

DOT_KERNEL(dot_e5_16, false, false)
DOT_KERNEL(dot_e5_32, false, true)
DOT_KERNEL(dot_e8_16, true, false)
DOT_KERNEL(dot_e8_32, true, true)

// ---------------------------------------------------------------- integers

static TSR_TARGET void dot_rows_int8(dot_rows *out, const uint32_t *b, size_t datums,
                                     const tsr_element_mode *mode)
{
    uint32_t mask = (mode->fpu.phase & 2u) != 0 ? 0xfu : 0x3f0u;
    int32_t keep = mode->flush_b ? 0 : -1;
    int16_t *factors = &out->factor[0][0];
    for (size_t i = 0; i < datums; i++)
        factors[i] = (int16_t)dot_signed(b[i], b[i] & mask, dot_nonzero(b[i]) | keep);
}

// Two products at once in each lane: below 2^18 each, so that sixteen stay below 2^22.
static TSR_TARGET void dot_products_int8(int32_t *out, const tsr_dot_block *a, const dot_rows *b,
                                         size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        __m256i left = _mm256_setzero_si256(), right = left;
        for (int k = 0; k < TSR_DOT_INNER; k += 2) {
            int32_t pair;
            memcpy(&pair, b->factor[i] + k, sizeof pair);
            __m256i factors = _mm256_set1_epi32(pair);
            const __m256i *column = (const __m256i *)&a->factor[b->low_a][k / 2][0][0];
            left = _mm256_add_epi32(left, _mm256_madd_epi16(column[0], factors));
            right = _mm256_add_epi32(right, _mm256_madd_epi16(column[1], factors));
        }
        _mm256_store_si256((__m256i *)(out + 16 * i), left);
        _mm256_store_si256((__m256i *)(out + 16 * i + 8), right);
    }
}

// Sign and magnitude in and out, saturating; no result is minus zero. Sums that leave the range
// fall on the same side as the accumulator.
TSR_INLINE uint32_t dot_accumulate(uint32_t acc, int32_t term)
{
    int32_t sign = -(int32_t)(acc >> 31);
    int32_t magnitude = (int32_t)(acc & 0x7fffffffu);
    int32_t along = (term ^ sign) - sign; // the term, counted in the accumulator's direction
    uint32_t sum = (uint32_t)magnitude + (uint32_t)along;
    uint32_t negate = (uint32_t) - (int32_t)(sum >> 31 & (uint32_t)along >> 31);
    sum = (sum ^ negate) - negate;
    sum = (sum | (uint32_t) - (int32_t)(sum >> 31)) & 0x7fffffffu;
    uint32_t negative = ((uint32_t)sign ^ negate) & 0x80000000u;
    return sum | (negative & tsr_lane_if_nonzero(sum));
}

static TSR_TARGET void dot_int8(uint16_t *restrict high, uint16_t *restrict low,
                                tsr_dot_block *block, tsr_dot_rows *kept, const uint32_t (*b)[16],
                                size_t rows, bool valid, const tsr_element_mode *mode)
{
    (void)kept;
    size_t datums = rows * TSR_DOT_COLUMNS;
    dot_rows prepared;
    _Alignas(64) int32_t products[DOT_CELLS];
    if (!valid)
        dot_clear(high, low, datums);
    prepared.low_a = (mode->fpu.phase & 1u) != 0;
    dot_need_factors(block, prepared.low_a);
    dot_rows_int8(&prepared, b[0], datums, mode);
    dot_products_int8(products, block, &prepared, rows);
    for (size_t i = 0; i < datums; i++) {
        uint32_t acc = (uint32_t)tsr_dst_unshuffle_bf16(high[i]) << 16 | low[i];
        uint32_t bits = dot_accumulate(acc, products[i]);
        high[i] = tsr_dst_shuffle_bf16((uint16_t)(bits >> 16));
        low[i] = (uint16_t)bits;
    }
}

// ---------------------------------------------------------------- choice

static const tsr_dot_kernel *choose_dot(const tsr_element_mode *mode)
{
    static const tsr_dot_kernel floats[2][2] = {
        {{dot_prepare, dot_e5_16}, {dot_prepare, dot_e5_32}},
        {{dot_prepare, dot_e8_16}, {dot_prepare, dot_e8_32}},
    };
    static const tsr_dot_kernel integers = {dot_prepare, dot_int8};
    if (mode->random)
        return NULL;
    return mode->int8 ? &integers : &floats[mode->fpu.e8][mode->fpu.acc32];
}
