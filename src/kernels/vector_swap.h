// SPDX-License-Identifier: Apache-2.0
// Which lanes of VD get the smaller value, by the mode of SFPSWAP; mode 0 exchanges all and has
// none. Modes above 8 are as 9, which BH's page has and the simulator does on both chips.
// Page: SFPSWAP.md.
#ifndef TESSERA_KERNELS_VECTOR_SWAP_H
#define TESSERA_KERNELS_VECTOR_SWAP_H

#include <stdint.h>

static inline uint32_t tsr_vector_minimum_lanes(unsigned modifier)
{
    static const uint32_t lanes[9] = {
        0,           0xffffffffu, 0x0000ffffu, 0x00ff00ffu, 0xff0000ffu,
        0x000000ffu, 0x0000ff00u, 0x00ff0000u, 0xff000000u,
    };
    return modifier < 9 ? lanes[modifier] : 0;
}

#endif
