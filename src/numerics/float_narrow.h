// SPDX-License-Identifier: Apache-2.0
// Between eight- and five-bit exponents, as unpackers and packers both do it. Five-bit formats have
// no infinity and no NaN: exponent 31 is a binade like the others, and the pattern of all ones
// stands for whatever is larger (FloatBitPatterns.md; docs/arithmetic.md for what the pages leave
// open).
#ifndef NUMERICS_FLOAT_NARROW_H
#define NUMERICS_FLOAT_NARROW_H

#include <stdint.h>

// Truncates. Exponent 0 of the result keeps the mantissa of a number between 2^-15 and 2^-14,
// although everything reads such a pattern as a denormal or as zero.
static inline uint16_t tsr_narrow_to_fp16(uint32_t fp32)
{
    uint32_t sign = fp32 >> 16 & 0x8000u;
    int32_t exponent = (int32_t)(fp32 >> 23 & 0xffu) - 112;
    if (exponent < 0)
        return (uint16_t)sign;
    if (exponent > 31)
        return (uint16_t)(sign | 0x7fffu);
    return (uint16_t)(sign | (uint32_t)exponent << 10 | (fp32 >> 13 & 0x3ffu));
}

// Rebiases normal numbers; a denormal's mantissa goes under exponent 0 unscaled.
static inline uint32_t tsr_widen_from_fp16(uint32_t fp16)
{
    uint32_t exponent = fp16 >> 10 & 0x1fu;
    exponent = exponent != 0 ? exponent + 112 : 0;
    return (fp16 & 0x8000u) << 16 | exponent << 23 | (fp16 & 0x3ffu) << 13;
}

#endif
