// SPDX-License-Identifier: Apache-2.0
// Moves of BF16 from Src to Dst in AVX-512, two rows at once in lanes of 16 bits (MOVA2D.md,
// MOVB2D.md). Included by matrix_avx512.c; the AVX2 set has the other kinds. Must equal
// reference_move() of kernels_reference.c.
#ifndef TESSERA_KERNELS_MOVE_AVX512_H
#define TESSERA_KERNELS_MOVE_AVX512_H

#include "kernels/lanes_avx512.h"

#define MOVE TSR_INLINE TSR_TARGET

// Two rows of cells, `some` of which there are, as BF16 patterns.
MOVE __m512i move_load(const uint32_t *cells, __mmask32 some)
{
    __m512i row0 = _mm512_maskz_loadu_epi32((__mmask16)some, cells);
    __m512i row1 = _mm512_maskz_loadu_epi32((__mmask16)(some >> 16), cells + 16);
    return lanes_narrow(_mm512_srli_epi32(row0, 3), _mm512_srli_epi32(row1, 3));
}

MOVE __m512i move_pair(__m512i bf16, __m512i mask, __m512i keep)
{
    __mmask32 nonzero =
        _mm512_test_epi16_mask(_mm512_or_si512(bf16, keep), _mm512_set1_epi16(0x7f80));
    bf16 = _mm512_and_si512(bf16, mask);
    __m512i size = _mm512_and_si512(bf16, _mm512_set1_epi16(0x7fff));
    __m512i stored =
        lanes_merge(_mm512_slli_epi16(bf16, 8), 0x7f007f00, _mm512_srli_epi16(size, 7));
    stored = lanes_merge(bf16, (int32_t)0x80008000u, stored);
    return _mm512_maskz_mov_epi16(nonzero, stored);
}

// What kernels nearly always mean: all bits of BF16, and denormals flushed. The two rows share
// lanes up to the end, where one permutation parts them.
MOVE __m512i move_pair_plain(const uint32_t *cells)
{
    const __m512i parted =
        _mm512_set_epi16(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1, 30, 28, 26, 24,
                         22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    __m512i row0 = _mm512_loadu_si512(cells), row1 = _mm512_loadu_si512(cells + 16);
    __m512i bf16 =
        lanes_select(0x0000ffff, _mm512_srli_epi32(row0, 3), _mm512_slli_epi32(row1, 13));
    __m512i stored =
        lanes_select(0x00ff00ff, _mm512_srli_epi16(bf16, 7), _mm512_slli_epi16(bf16, 8));
    stored = lanes_select((int32_t)0x80008000u, bf16, stored);
    stored = _mm512_permutexvar_epi16(parted, stored);
    return _mm512_maskz_mov_epi16(_mm512_test_epi16_mask(stored, _mm512_set1_epi16(0xff)), stored);
}

static TSR_TARGET void move_bf16(uint16_t *high, uint16_t *low, const uint32_t *cells,
                                 size_t datums, const tsr_move_mode *mode)
{
    enum { PAIR = 32 };
    const __m512i mask = _mm512_set1_epi16((short)(mode->mask >> 3));
    const __m512i keep = _mm512_set1_epi16(mode->flush ? 0 : -1);
    (void)low;
    if ((mode->mask >> 3 & 0xffff) == 0xffff && mode->flush)
        for (; datums >= PAIR; datums -= PAIR, high += PAIR, cells += PAIR)
            _mm512_storeu_si512(high, move_pair_plain(cells));
    for (; datums >= PAIR; datums -= PAIR, high += PAIR, cells += PAIR)
        _mm512_storeu_si512(high, move_pair(move_load(cells, ~(__mmask32)0), mask, keep));
    if (datums > 0) {
        __mmask32 some = ((__mmask32)1 << datums) - 1;
        _mm512_mask_storeu_epi16(high, some, move_pair(move_load(cells, some), mask, keep));
    }
}

static tsr_move_fn *choose_move(const tsr_move_mode *mode)
{
    return mode->kind == TSR_MOVE_BF16 ? move_bf16 : NULL;
}

#undef MOVE

#endif
