// SPDX-License-Identifier: Apache-2.0
// Moves of BF16 from Src to Dst in AVX2, a row at once in lanes of 16 bits (MOVA2D.md, MOVB2D.md).
// Included by move_tmpl.h, whose loop takes what is less than a row. Must equal reference_move() of
// kernels_reference.c.
#ifndef TESSERA_KERNELS_MOVE_AVX2_H
#define TESSERA_KERNELS_MOVE_AVX2_H

#include "kernels/lanes_avx2.h"

#define MOVE TSR_INLINE TSR_TARGET

// A row as BF16 patterns.
MOVE __m256i move_load(const uint32_t *cells)
{
    const __m256i *row = (const __m256i *)(const void *)cells;
    return _mm256_packus_epi32(_mm256_srli_epi32(_mm256_loadu_si256(row), 3),
                               _mm256_srli_epi32(_mm256_loadu_si256(row + 1), 3));
}

// As Dst stores it. `exponent`: of these patterns.
MOVE __m256i move_stored(__m256i bf16, __m256i exponent)
{
    __m256i mantissa = _mm256_and_si256(_mm256_slli_epi16(bf16, 8), lanes_words(0x7f00));
    return _mm256_or_si256(_mm256_or_si256(mantissa, exponent),
                           _mm256_and_si256(bf16, lanes_words(0x8000)));
}

MOVE __m256i move_exponent(__m256i bf16)
{
    return _mm256_srli_epi16(_mm256_add_epi16(bf16, bf16), 8);
}

// What kernels nearly always mean: all bits of BF16, and denormals flushed.
MOVE void move_row_plain(uint16_t *high, const uint32_t *cells)
{
    __m256i bf16 = move_load(cells), exponent = move_exponent(bf16);
    __m256i none = _mm256_cmpeq_epi16(exponent, _mm256_setzero_si256());
    lanes_store_packed(high, _mm256_andnot_si256(none, move_stored(bf16, exponent)));
}

MOVE void move_row(uint16_t *high, const uint32_t *cells, __m256i mask, __m256i keep)
{
    __m256i bf16 = move_load(cells);
    __m256i none =
        _mm256_cmpeq_epi16(_mm256_or_si256(move_exponent(bf16), keep), _mm256_setzero_si256());
    bf16 = _mm256_and_si256(bf16, mask);
    __m256i stored = move_stored(bf16, move_exponent(bf16));
    lanes_store_packed(high, _mm256_andnot_si256(none, stored));
}

// Whole rows, and how many datums these are.
MOVE size_t move_rows_bf16(uint16_t *high, const uint32_t *cells, size_t datums,
                           const tsr_move_mode *mode)
{
    const __m256i mask = lanes_words((int)(mode->mask >> 3));
    const __m256i keep = lanes_words(mode->flush ? 0 : -1);
    size_t i = 0;
    if ((mode->mask >> 3 & 0xffff) == 0xffff && mode->flush)
        for (; i + 2 * LANES_ROW <= datums; i += 2 * LANES_ROW) {
            move_row_plain(high + i, cells + i);
            move_row_plain(high + i + LANES_ROW, cells + i + LANES_ROW);
        }
    for (; i + LANES_ROW <= datums; i += LANES_ROW)
        move_row(high + i, cells + i, mask, keep);
    return i;
}

#undef MOVE

#endif
