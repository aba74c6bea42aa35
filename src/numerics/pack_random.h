// SPDX-License-Identifier: Apache-2.0
// Rounding in the packers: to nearest, ties away from zero, or stochastic. A stochastic rounding
// compares the bits that go, at the top of 23, with 23 random ones and goes up if they are more:
// what is exact stays, and all else is right on average. (The hardware's slight bias upwards, which
// Packers/FormatConversion.md calls a bug and gives no size, is left out: docs/errata.md 245.)
// Pages: Packers/FormatConversion.md, VectorUnit.md ("PRNG"); decision 15.
#ifndef NUMERICS_PACK_RANDOM_H
#define NUMERICS_PACK_RANDOM_H

#include "base/random.h"

#include <stdbool.h>
#include <stdint.h>

// Whether the lowest `dropped` bits of `magnitude` make what is above them one larger.
// `random` NULL: to nearest. At most 31 bits can go.
static inline bool tsr_pack_rounds_up(uint32_t magnitude, unsigned dropped, uint32_t *random)
{
    if (dropped == 0)
        return false;
    if (!random)
        return (magnitude >> (dropped - 1) & 1u) != 0;
    uint32_t cut = magnitude & ((1u << dropped) - 1u);
    cut = dropped <= 23 ? cut << (23 - dropped) : cut >> (dropped - 23);
    return cut > tsr_prng_draw(random, 23);
}

// `magnitude` without its lowest `dropped` bits.
static inline uint32_t tsr_pack_rounded(uint32_t magnitude, unsigned dropped, uint32_t *random)
{
    return (magnitude >> dropped) + tsr_pack_rounds_up(magnitude, dropped, random);
}

#endif
