// SPDX-License-Identifier: Apache-2.0
// How the benchmarks set a tile up: unpackers that move whole tiles or faces of a format to SrcA
// and SrcB, the matrix unit, packers that take a tile of 32x32 from Dst's first 64 rows.
// Pages: UNPACR_Regular.md, PACR.md of each chip, BackendConfiguration.md.
#ifndef TESSERA_TILE_SET_UP_H
#define TESSERA_TILE_SET_UP_H

#include "word_program.h"

#include <stdbool.h>

enum { FORMAT_BF16 = 5, FORMAT_INT32 = 8, FORMAT_INT8 = 14 };

void configure_unpackers(tsr_tile *tile, unsigned format, unsigned datums);
void configure_matrix(tsr_tile *tile, unsigned format, bool int8);
// `format` in Dst and in L1; INT32 is read from 32 bits.
void configure_packers(tsr_tile *tile, unsigned format);
// Counters and address modifiers of thread 0 for unpackers that move `datums` at once. A PACR's
// steps four Dst rows on Blackhole, where it takes four, and none on Wormhole, where it takes a
// face.
void set_up_thread(struct program *program, unsigned datums);
// The replay buffer gets the MVMULs of one phase of a product of two tiles, and modifiers 0 to 3
// their steps of SrcA and SrcB.
enum { MVMULS = 16 };
void set_up_product(struct program *program);

#endif
