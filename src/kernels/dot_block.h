// SPDX-License-Identifier: Apache-2.0
// A block of 16 rows of SrcA as the dot kernels prepare it: what every row of SrcB needs of it, in
// 16-bit lanes, and the datums that it was made of, so that it need not be made again. Included by
// the kernels and by the matrix unit, which keeps such blocks (MVMUL.md, docs/arithmetic.md).
#ifndef TESSERA_KERNELS_DOT_BLOCK_H
#define TESSERA_KERNELS_DOT_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { TSR_DOT_INNER = 16, TSR_DOT_COLUMNS = 16, TSR_DOT_ROWS = 8 };

// By phase bit 0, each made when it is first asked for: `factors` and `reals` have a bit for each.
struct tsr_dot_block {
    _Alignas(64) uint32_t datum[TSR_DOT_INNER][TSR_DOT_COLUMNS]; // what it was made of
    // For rows whose exponents lie close together (dot_close_avx512.h).
    _Alignas(64) uint8_t size[TSR_DOT_INNER / 4][TSR_DOT_COLUMNS][4];
    _Alignas(64) uint32_t real[2][TSR_DOT_INNER][TSR_DOT_COLUMNS];
    // For others. Rows 2k and 2k + 1 are neighbours in each column. A factor is two signed bytes,
    // low to high: four times the slice that a phase takes, and its sign as 1 or -1, or 0 if it is
    // flushed. Or it is a signed integer; integers have no exponents.
    _Alignas(64) int16_t factor[2][TSR_DOT_INNER / 2][TSR_DOT_COLUMNS][2];
    _Alignas(64) int16_t exponent[TSR_DOT_INNER / 2][TSR_DOT_COLUMNS][2];
    uint32_t mask;       // of the format
    int32_t most, least; // exponents of those that are not zeroes
    uint8_t factors, reals;
    bool close, int8, made;
};

// Rows of SrcB, the same way, by phase bit 1; only for rows close together.
struct tsr_dot_rows {
    _Alignas(64) uint32_t datum[TSR_DOT_ROWS][TSR_DOT_INNER]; // what they were made of
    _Alignas(64) uint8_t size[TSR_DOT_ROWS][TSR_DOT_INNER];
    _Alignas(64) uint32_t real[2][TSR_DOT_ROWS][TSR_DOT_INNER];
    uint32_t mask;       // of the format
    uint32_t count;      // 0: nothing is made
    int32_t most, least; // exponents of those that are not zeroes
    uint8_t reals;
    bool close;
};

#endif
