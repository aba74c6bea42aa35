// SPDX-License-Identifier: Apache-2.0
// Masks of 32 lanes in plain C, for vector_tmpl.h in sets that have no masks: bit i is lane i.
// vector_SET.c defines TSR_TARGET and includes this. Pages: VectorUnit.md ("Lane Predication
// Masks").
#ifndef TESSERA_KERNELS_VECTOR_MASKS_H
#define TESSERA_KERNELS_VECTOR_MASKS_H

#include "kernels/lane.h"

TSR_INLINE TSR_TARGET void vector_merge(uint32_t *d, const uint32_t *from, uint32_t lanes)
{
    if (lanes == ~0u) {
        memcpy(d, from, 32 * sizeof *d);
        return;
    }
    for (unsigned i = 0; i < 32; i++) {
        uint32_t on = 0u - (lanes >> i & 1u);
        d[i] = (from[i] & on) | (d[i] & ~on);
    }
}

TSR_INLINE TSR_TARGET uint32_t vector_signs(const uint32_t *values)
{
    uint32_t signs = 0;
    for (unsigned i = 0; i < 32; i++)
        signs |= values[i] >> 31 << i;
    return signs;
}

#endif
