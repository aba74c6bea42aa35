// SPDX-License-Identifier: Apache-2.0
// What the programs of this example agree on: where the arrays are, as tiles of 32 × 32 numbers in
// BF16, and how Dst is shared between math and pack.
#ifndef ELTWISE_JOB_H
#define ELTWISE_JOB_H

#include <tessera/kernel/kernel.h>

enum {
    TILES = 16, // 128 × 128 numbers
    DATUMS = 32 * 32,
    A_ADDRESS = 0x20000,
    B_ADDRESS = 0x80000,
    C_ADDRESS = 0xe0000,
    // The configuration counts L1 in units of 16 bytes, and from 1.
    A_BASE = A_ADDRESS / 16 - 1,
    B_BASE = B_ADDRESS / 16 - 1,
    C_BASE = C_ADDRESS / 16 - 1,
    TILE_UNITS = 2 * DATUMS / 16,
    FACE_UNITS = TILE_UNITS / 4,
    HALF_DST = 512, // rows of Dst for one tile while another is packed
};

// How many halves of Dst wait for the packer.
#define FULL_HALVES sem_sel(1 << semaphore_MATH_PACK)

#endif
