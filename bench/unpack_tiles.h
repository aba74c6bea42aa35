// SPDX-License-Identifier: Apache-2.0
// Formats and modes of an UNPACR of one tile, for the benchmark of the unpackers: the bytes that
// lie in L1 for it, and the configuration that it needs.
#ifndef TESSERA_UNPACK_TILES_H
#define TESSERA_UNPACK_TILES_H

#include "word_program.h"

#include <stddef.h>

enum { TILES = 32, DATUMS = 1024, SRC_ROWS = 64, INPUT = 0x10000, TILE_MOST = 8 * 1024 + 512 };
enum { CONFIG_WINDOW = 0xffef0000u };

enum unpack_mode {
    MODE_CONTIGUOUS,
    MODE_TILEIZE, // rows of L1 lie apart
    MODE_TRANSPOSE,
    MODE_COMPRESSED, // half of the datums are zero
    MODE_UPSAMPLED,  // a zero after each of 512 datums
    UNPACK_MODES
};
extern const char *const unpack_mode_names[UNPACK_MODES];

enum { UNPACK_BF16 = 3, UNPACK_FORMATS = 13 };
struct unpack_format {
    const char *name;
    uint8_t in, out;
    unsigned bits; // of a datum in L1
    bool blocks;   // BFP: an exponent for each 16 datums
    bool to_dst;
};
extern const struct unpack_format unpack_formats[UNPACK_FORMATS];

struct unpack_row {
    tsr_arch arch;
    const struct unpack_format *format;
    enum unpack_mode mode;
    double aim; // 10^6 tiles/s; 0: none
    char text[80];
};

// Modes that the page allows with the format.
bool unpack_row_exists(const struct unpack_row *row);

struct unpack_data {
    uint32_t datums_in;  // that X counts: fewer than DATUMS if upsampling adds some
    uint32_t row_stride; // of discontiguous rows, in bytes
    size_t bytes_in;     // of L1 that a tile reads
    uint32_t stride;     // from tile to tile, in bytes
    uint8_t bytes[TILES * TILE_MOST];
};

// The same for each call.
void make_unpack_data(const struct unpack_row *row, struct unpack_data *data);
void configure_unpack(tsr_tile *tile, const struct unpack_row *row, const struct unpack_data *data);

#endif
