// SPDX-License-Identifier: Apache-2.0
// The products of a group of MVMUL in AVX2, eight columns at once (MVMUL.md; how they are aligned
// is in dot_tmpl.h, which includes this).
#ifndef TESSERA_KERNELS_DOT_AVX2_H
#define TESSERA_KERNELS_DOT_AVX2_H

// Two neighbours, in all pairs of lanes.
TSR_LANE TSR_TARGET __m256i dot_pair(const int16_t *pair)
{
    int32_t both;
    memcpy(&both, pair, sizeof both);
    return _mm256_set1_epi32(both);
}

// 2^13 >> distance in lanes of 16 bits, which AVX2 cannot shift one by one: a table of single bits
// for either byte, reached by distance + 2 for the high one and distance - 6 for the low one (bit 7
// of an index means 0). From 13 on a weight of 1 is as good as 0.
TSR_LANE TSR_TARGET __m256i dot_weights(__m256i distances)
{
    const __m256i bits = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    __m256i index = _mm256_min_epi16(distances, _mm256_set1_epi16(13));
    index = _mm256_or_si256(index, _mm256_slli_epi16(index, 8));
    index = _mm256_add_epi8(index, _mm256_set1_epi16(0x02FA));
    return _mm256_shuffle_epi8(bits, index);
}

TSR_LANE TSR_TARGET void dot_columns(int32_t *sum, int32_t *top, const tsr_dot_block *a,
                                     const dot_rows *b, size_t row, int first, int column,
                                     __m256i lowest)
{
    const __m256i other = _mm256_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2,
                                           3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    __m256i exponents[4], most = lowest, total = _mm256_setzero_si256();
    for (int k = 0; k < 4; k++) {
        exponents[k] =
            _mm256_load_si256((const __m256i *)a->exponent[first / 2 + k][column]);
        exponents[k] =
            _mm256_add_epi16(exponents[k], dot_pair(b->exponent[row] + first + 2 * k));
        most = _mm256_max_epi16(most, exponents[k]);
    }
    most = _mm256_max_epi16(most, _mm256_shuffle_epi8(most, other));
    for (int k = 0; k < 4; k++) {
        __m256i weight = dot_weights(_mm256_sub_epi16(most, exponents[k]));
        weight = _mm256_sign_epi16(weight, dot_pair(b->weight[row] + first + 2 * k));
        __m256i x = _mm256_load_si256((const __m256i *)a->factor[first / 2 + k][column]);
        x = _mm256_maddubs_epi16(dot_pair(b->factor[row] + first + 2 * k), x);
        total = _mm256_add_epi16(total, _mm256_mulhrs_epi16(x, weight));
    }
    total = _mm256_madd_epi16(total, _mm256_set1_epi16(1));
    _mm256_store_si256((__m256i *)(sum + column), total);
    _mm256_store_si256((__m256i *)(top + column), _mm256_srai_epi32(most, 16));
}

TSR_LANE TSR_TARGET void dot_group(int32_t *sum, int32_t *top, const tsr_dot_block *a,
                                   const dot_rows *b, size_t row, int first, int32_t zero_exponent)
{
    __m256i lowest = _mm256_set1_epi16((int16_t)zero_exponent);
    dot_columns(sum, top, a, b, row, first, 0, lowest);
    dot_columns(sum, top, a, b, row, first, 8, lowest);
}

#endif
