// SPDX-License-Identifier: Apache-2.0
// Arrays to and from the bytes that their tiles have in L1 (docs/ttasm.md, "Arrays as tiles").
#ifndef CLI_TILES_H
#define CLI_TILES_H

#include "tensor/array_formats.h"

// How an array of rows × cols lies in L1. Leading dimensions are stacked into the rows.
struct tile_layout {
    const struct array_format *format;
    bool tiled;                    // false: row-major, which is one tile without faces
    uint32_t tile_rows, tile_cols; // tiled only
    size_t rows, cols;
    uint32_t header; // bytes before each tile that are not its own
};

enum { FACE_COLS = 16, MAX_FACE_ROWS = 16, MAX_TILE_SIDE = 1024 };

size_t layout_tiles(const struct tile_layout *layout);      // number of tiles
size_t layout_datums(const struct tile_layout *layout);     // in a tile
size_t layout_exponents(const struct tile_layout *layout);  // bytes of a tile's exponent section
size_t layout_tile_bytes(const struct tile_layout *layout); // header included
uint32_t layout_face_rows(const struct tile_layout *layout);

// Tile sides that faces can fill: columns a multiple of 16, rows 1, 2, 4, 8 or a multiple of 16.
bool tile_sides_ok(uint32_t rows, uint32_t cols);

// The index in the array of datum `datum` of tile `tile`.
size_t layout_index(const struct tile_layout *layout, size_t tile, size_t datum);

// `bytes` holds all tiles. Fails if a value does not fit the format; `why` names the element.
bool tiles_from_array(const struct tile_layout *layout, const struct npy_array *array,
                      uint8_t *bytes, struct message *why);
// The array's type, shape and memory are there already.
void tiles_to_array(const struct tile_layout *layout, const uint8_t *bytes,
                    struct npy_array *array);

#endif
