// SPDX-License-Identifier: Apache-2.0
// What the vector unit needs of its arithmetic beyond the public functions (the part "the vector
// unit" of tessera/numerics.h): small facts on modes, and its order of numbers, inline.
// Pages: SFPARECIP.md, SFPLOAD.md, SFPSTORE.md, SFPSWAP.md, SFPGT.md, SFPLE.md.
#ifndef NUMERICS_SFPU_H
#define NUMERICS_SFPU_H

#include "base/vector_modes.h"

#include <tessera/numerics.h>

// Modes that read, or write, the 32-bit view of Dst.
static inline bool tsr_sfpu_load_is_32(unsigned mode)
{
    return (1u << (mode & 15u) & (1u << MOD0_FMT_FP32 | 1u << MOD0_FMT_INT32 |
                                  1u << MOD0_FMT_INT32_ALL | 1u << MOD0_FMT_INT32_SM)) != 0;
}

static inline bool tsr_sfpu_store_is_32(unsigned mode)
{
    return tsr_sfpu_load_is_32(mode) || mode == MOD0_FMT_HI16 || mode == MOD0_FMT_LO16;
}

// SFPARECIP's: seven bits of mantissa of the reciprocal at the middle of each of 128 intervals,
// which is (65536 / (257 + 2 i)) - 128, to nearest.
extern const uint8_t tsr_sfpu_reciprocals[128];

// The total order of sign and magnitude, which is that of floats: -NaN < -inf < ... < -0 < +0 <
// ... < +NaN.
static inline bool tsr_sfpu_less(uint32_t a, uint32_t b)
{
    a ^= (uint32_t)((int32_t)a >> 31) >> 1;
    b ^= (uint32_t)((int32_t)b >> 31) >> 1;
    return (int32_t)a < (int32_t)b;
}

#endif
