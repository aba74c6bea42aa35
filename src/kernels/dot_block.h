// SPDX-License-Identifier: Apache-2.0
// A block of 16 rows of SrcA as the dot kernels prepare it: what every row of SrcB needs of it, in
// 16-bit lanes, and the datums that it was made of, so that it need not be made again. Included by
// the kernels and by the matrix unit, which keeps such blocks (MVMUL.md, docs/arithmetic.md).
#ifndef TESSERA_KERNELS_DOT_BLOCK_H
#define TESSERA_KERNELS_DOT_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { TSR_DOT_INNER = 16, TSR_DOT_COLUMNS = 16 };

struct tsr_dot_block {
    // Rows 2k and 2k + 1 are neighbours in each column. A factor is two signed bytes, low to high:
    // four times the slice that a phase takes, and its sign as 1 or -1, or 0 if it is flushed. Or
    // it is a signed integer; integers have no exponents.
    _Alignas(64) int16_t factor[TSR_DOT_INNER / 2][TSR_DOT_COLUMNS][2];
    _Alignas(64) int16_t exponent[TSR_DOT_INNER / 2][TSR_DOT_COLUMNS][2];
    _Alignas(64) uint32_t datum[TSR_DOT_INNER][TSR_DOT_COLUMNS]; // what it was made of
    uint32_t mask;                                               // of the format
    bool low;                                                    // phase bit 0
    bool int8;
    bool made;
};

#endif
