// SPDX-License-Identifier: Apache-2.0
// What the programs of this example agree on: the square of tiles, where the factors and the
// product are in DRAM, and what is where in each tile's L1. Arrays lie as tiles of 32 × 32 numbers
// in BF16, row by row.
#ifndef GRID_JOB_H
#define GRID_JOB_H

#include <tessera/kernel/noc.h>

enum {
    SIDE = 4, // tiles of the chip in a row and in a column, and tiles of numbers of each array
    DATUMS = 32 * 32,
    TILE_BYTES = 2 * DATUMS,
    PANEL_BYTES = SIDE * TILE_BYTES,

    // L1: a row of A, a column of B, a tile of the product.
    A_ADDRESS = 0x20000,
    B_ADDRESS = A_ADDRESS + PANEL_BYTES,
    C_ADDRESS = B_ADDRESS + PANEL_BYTES,
    // How many tiles of A and of B have come, and in the first tile how many tiles of the chip are
    // done. The host has cleared them.
    A_COUNT = 0x30000,
    B_COUNT = 0x30010,
    DONE_COUNT = 0x30020,
    // The configuration counts L1 in units of 16 bytes, and from 1.
    A_BASE = A_ADDRESS / 16 - 1,
    B_BASE = B_ADDRESS / 16 - 1,
    C_BASE = C_ADDRESS / 16 - 1,
    TILE_UNITS = TILE_BYTES / 16,
    FACE_UNITS = TILE_UNITS / 4,

    // In NoC 0 coordinates: the square's first tile, and DRAM nodes of three channels.
    FIRST_X = 1,
#ifdef ARCH_WORMHOLE
    FIRST_Y = 1,
    LAST_COLUMN = 9, // of the grid
    LAST_ROW = 11,
    DRAM_A_X = 0,
    DRAM_A_Y = 0,
    DRAM_B_X = 0,
    DRAM_B_Y = 5,
    DRAM_C_X = 5,
    DRAM_C_Y = 0,
#else
    FIRST_Y = 2,
    DRAM_A_X = 0,
    DRAM_A_Y = 0,
    DRAM_B_X = 0,
    DRAM_B_Y = 2,
    DRAM_C_X = 9,
    DRAM_C_Y = 0,
#endif
    DRAM_ADDRESS = 0x1000, // of each array, on its channel
};

// Whether the packer may have Dst.
#define FULL_DST sem_sel(1 << semaphore_MATH_PACK)

// Where this tile is in the square.
TT_INLINE uint32_t my_column(void)
{
    return (tt_noc_get(0, 0, TT_NOC_NODE_ID) & 0x3fu) - FIRST_X;
}

TT_INLINE uint32_t my_row(void)
{
    return (tt_noc_get(0, 0, TT_NOC_NODE_ID) >> 6 & 0x3fu) - FIRST_Y;
}

// A node's place as a NoC takes it: Wormhole's NoC 1 counts from the other corner; on Blackhole
// firmware has both translate NoC 0's coordinates.
TT_INLINE uint32_t node(uint32_t noc, uint32_t x, uint32_t y)
{
#ifdef ARCH_WORMHOLE
    return noc == 0 ? TT_NOC_XY(x, y) : TT_NOC_XY(LAST_COLUMN - x, LAST_ROW - y);
#else
    (void)noc;
    return TT_NOC_XY(x, y);
#endif
}

#endif
