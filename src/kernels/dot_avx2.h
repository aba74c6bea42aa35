// SPDX-License-Identifier: Apache-2.0
// The sums of a group of MVMUL in AVX2, eight columns at once (MVMUL.md). Included by dot_tmpl.h,
// which explains how products are aligned. Must equal sum_group() of numerics/fpu.c.
#ifndef TESSERA_KERNELS_DOT_AVX2_H
#define TESSERA_KERNELS_DOT_AVX2_H

// Two neighbours, in all pairs of lanes.
TSR_INLINE TSR_TARGET __m256i dot_pair(const int16_t *pair)
{
    int32_t both;
    memcpy(&both, pair, sizeof both);
    return _mm256_set1_epi32(both);
}

// 2^13 >> distance in lanes of 16 bits, which AVX2 cannot shift by different distances: a table of
// single bits for either byte, at distance + 2 for the high one and distance - 6 for the low one
// (bit 7 of an index means 0). From 13 on a weight of 1 has the same effect as 0.
TSR_INLINE TSR_TARGET __m256i dot_weights(__m256i distances)
{
    const __m256i bits = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    __m256i index = _mm256_min_epi16(distances, _mm256_set1_epi16(13));
    index = _mm256_or_si256(index, _mm256_slli_epi16(index, 8));
    index = _mm256_add_epi8(index, _mm256_set1_epi16(0x02fa));
    return _mm256_shuffle_epi8(bits, index);
}

// The same of both halves of the columns, whose distances fit bytes after packing.
TSR_INLINE TSR_TARGET void dot_both_weights(__m256i left, __m256i right, __m256i weights[2])
{
    const __m256i high = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i low = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, -128, 64, 32, 16, 8, 4, 2, 1, 0, 0));
    __m256i index = _mm256_min_epi8(_mm256_packs_epi16(left, right), _mm256_set1_epi8(15));
    __m256i upper = _mm256_shuffle_epi8(high, index), lower = _mm256_shuffle_epi8(low, index);
    weights[0] = _mm256_unpacklo_epi8(lower, upper);
    weights[1] = _mm256_unpackhi_epi8(lower, upper);
}

// The largest in both of a pair.
TSR_INLINE TSR_TARGET __m256i dot_larger(__m256i pairs)
{
    const __m256i other = _mm256_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2,
                                           3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    return _mm256_max_epi16(pairs, _mm256_shuffle_epi8(pairs, other));
}

TSR_INLINE TSR_TARGET __m256i dot_aligned(__m256i a, __m256i b, __m256i weight)
{
    return _mm256_mulhrs_epi16(_mm256_maddubs_epi16(b, a), weight);
}

TSR_INLINE TSR_TARGET void dot_store(int32_t *sum, int32_t *top, __m256i total, __m256i most)
{
    total = _mm256_madd_epi16(total, _mm256_set1_epi16(1));
    _mm256_store_si256((__m256i *)sum, total);
    _mm256_store_si256((__m256i *)top, _mm256_srai_epi32(most, 16));
}

// Both halves of the columns at once, for what they take of SrcB.
TSR_INLINE TSR_TARGET void dot_group(int32_t *sum, int32_t *top, const tsr_dot_block *a,
                                     const dot_rows *b, size_t row, int first,
                                     int32_t zero_exponent)
{
    __m256i left[4], right[4], most_left, most_right;
    most_left = most_right = _mm256_set1_epi16((int16_t)zero_exponent);
    for (int k = 0; k < 4; k++) {
        const __m256i *from = (const __m256i *)a->exponent[first / 2 + k];
        __m256i pair = dot_pair(b->exponent[row] + first + 2 * k);
        left[k] = _mm256_add_epi16(from[0], pair);
        right[k] = _mm256_add_epi16(from[1], pair);
        most_left = _mm256_max_epi16(most_left, left[k]);
        most_right = _mm256_max_epi16(most_right, right[k]);
    }
    most_left = dot_larger(most_left);
    most_right = dot_larger(most_right);
    __m256i sum_left = _mm256_setzero_si256(), sum_right = sum_left;
    for (int k = 0; k < 4; k++) {
        const __m256i *from = (const __m256i *)a->factor[b->low_a][first / 2 + k];
        __m256i pair = dot_pair(b->factor[row] + first + 2 * k);
        __m256i weight = dot_pair(b->weight[row] + first + 2 * k);
        __m256i weights[2];
        dot_both_weights(_mm256_sub_epi16(most_left, left[k]),
                         _mm256_sub_epi16(most_right, right[k]), weights);
        left[k] = dot_aligned(from[0], pair, _mm256_sign_epi16(weights[0], weight));
        right[k] = dot_aligned(from[1], pair, _mm256_sign_epi16(weights[1], weight));
        sum_left = _mm256_add_epi16(sum_left, left[k]);
        sum_right = _mm256_add_epi16(sum_right, right[k]);
    }
    dot_store(sum, top, sum_left, most_left);
    dot_store(sum + 8, top + 8, sum_right, most_right);
}

#endif
