// SPDX-License-Identifier: Apache-2.0
// Rows of Dst, SrcA and SrcB and tiles in L1 as the numbers that they stand for in a format.
#ifndef CLI_NUMBER_DUMP_H
#define CLI_NUMBER_DUMP_H

#include "run/dump_words.h"

#include <stdio.h>

void dump_dst_numbers(FILE *file, const tsr_tile *tile, const struct dump_order *order);
// The numbers of a row.
void dump_src_numbers(FILE *file, const struct dump_order *order, const tsr_src_row *row);
// Tiles of 32 × 32 datums, row by row: L1 has their shared exponents, if any, before the datums,
// and these in faces of 16 × 16 (docs/ttasm.md, "Arrays as tiles").
void dump_l1_numbers(FILE *file, const tsr_tile *tile, const struct dump_order *order);
// Which columns of a row are not written, and which are tainted.
void dump_marks(FILE *file, uint16_t written, uint16_t tainted);
// Ends a row: who wrote it last, if that is known.
void dump_dst_writer(FILE *file, const tsr_tile *tile, int row);
void dump_src_writer(FILE *file, const tsr_tile *tile, int which, int bank, int row);

#endif
