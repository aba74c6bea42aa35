// SPDX-License-Identifier: Apache-2.0
// The unpackers' transpose of a block of 16 by 16 datums, the same whatever the datums mean.
// Included by the unpacker. Page: UNPACR_Regular.md (Haloize_mode).
#ifndef TESSERA_KERNELS_TRANSPOSE_H
#define TESSERA_KERNELS_TRANSPOSE_H

#include <stdint.h>

static inline void tsr_kernel_transpose(uint32_t (*restrict to)[16],
                                        const uint32_t (*restrict from)[16])
{
    for (unsigned row = 0; row < 16; row++)
        for (unsigned column = 0; column < 16; column++)
            to[row][column] = from[column][row];
}

#endif
