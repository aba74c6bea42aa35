// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the vector unit for one lane without a branch (SFPMAD.md, SFPCAST.md,
// SFPSTOCHRND*.md; exact arithmetic in docs/arithmetic.md). Included by vector_tmpl.h. Must equal
// tsr_sfpu_fma(), tsr_sfpu_cast() and tsr_sfpu_stoch_rnd() of numerics/.
#ifndef TESSERA_KERNELS_VECTOR_LANE_H
#define TESSERA_KERNELS_VECTOR_LANE_H

#include "kernels/lane.h"

#include <stdbool.h>

#define TSR_LANE_SIGN 0x80000000u

TSR_INLINE uint32_t tsr_lane_if(bool condition)
{
    return 0u - (uint32_t)condition;
}

// By less than 32. Where vectors have no shift by a different distance in each lane, clang
// multiplies by a float that it makes of the distance: for 31 that would raise a flag.
TSR_INLINE uint32_t tsr_lane_left(uint32_t value, uint32_t distance)
{
    return value << (distance & 15u) << (distance & 16u);
}

TSR_INLINE uint32_t tsr_lane_significand(uint32_t bits)
{
    uint32_t nonzero = tsr_lane_if((bits & 0x7f800000u) != 0);
    return ((bits & 0x7fffffu) | 0x800000u) & nonzero;
}

// The product of two significands in units of 2^-26; bit 0 also says that something was cut off.
// In halves of twelve bits, because lanes have 32.
TSR_INLINE uint32_t tsr_lane_product(uint32_t x, uint32_t y)
{
    uint32_t x_high = x >> 12, x_low = x & 0xfffu, y_high = y >> 12, y_low = y & 0xfffu;
    uint32_t low = x_low * y_low;
    uint32_t middle = x_high * y_low + x_low * y_high + (low >> 12);
    uint32_t cut = (middle & 0xffu) | (low & 0xfffu);
    return (x_high * y_high << 4) + (middle >> 8) + (cut != 0 && (middle >> 8 & 1u) == 0);
}

TSR_INLINE uint32_t tsr_lane_align(uint32_t m, uint32_t distance)
{
    distance = distance < 30 ? distance : 30; // m is below 2^28
    uint32_t kept = m >> distance;
    return kept | (uint32_t)(kept != 0 && kept << distance != m);
}

// a*b + c. Sets bit 31 of `hard` for operands and results that take the way of the reference:
// infinite, NaN, overflowing, below the normal numbers.
TSR_INLINE uint32_t tsr_lane_fma(uint32_t a, uint32_t b, uint32_t c, bool bh, uint32_t *hard)
{
    int32_t e_a = (int32_t)(a >> 23 & 0xffu), e_b = (int32_t)(b >> 23 & 0xffu);
    int32_t e_z = (int32_t)(c >> 23 & 0xffu), e_p = e_a + e_b - 127;
    uint32_t p = tsr_lane_product(tsr_lane_significand(a), tsr_lane_significand(b));
    uint32_t q = tsr_lane_significand(c) << 3;
    *hard = (uint32_t)(254 - e_a) | (uint32_t)(254 - e_b) | (uint32_t)(254 - e_z) |
            (uint32_t)(254 - e_p);
    uint32_t counts = tsr_lane_if(p != 0 && e_p >= 0);
    p &= counts;
    e_p = (int32_t)((uint32_t)e_p & counts);
    int32_t e = e_p > e_z ? e_p : e_z;
    p = tsr_lane_align(p, (uint32_t)(e - e_p));
    q = tsr_lane_align(q, (uint32_t)(e - e_z));
    uint32_t minus_p = (uint32_t)((int32_t)(a ^ b) >> 31), minus_z = (uint32_t)((int32_t)c >> 31);
    int32_t sum = (int32_t)((p ^ minus_p) - minus_p + (q ^ minus_z) - minus_z);
    uint32_t sign = (uint32_t)sum & TSR_LANE_SIGN;
    int32_t m = sum < 0 ? -sum : sum;
    uint32_t lost = tsr_lane_if(!bh && m >= 1 << 28) & 2u; // the upper of two places that go
    m &= (int32_t)~lost;
    e += 3 - tsr_lane_normalise(&m, 30);
    uint32_t value = ((uint32_t)e << 23) + ((uint32_t)m >> 6 & 0x7fffffu);
    value += ((uint32_t)m & 63u) + (value & 1u) > 32;
    uint32_t nonzero = tsr_lane_if(m != 0);
    *hard |= ((uint32_t)(254 - e) | (uint32_t)(e - 1)) & nonzero;
    uint32_t zero = bh ? (a ^ b) & c & TSR_LANE_SIGN : 0;
    return ((sign | value) & nonzero) | (zero & ~nonzero);
}

// Sign and magnitude to a float. `random` all ones: no random bits.
TSR_INLINE uint32_t tsr_lane_cast(uint32_t value, uint32_t random, bool stochastic)
{
    uint32_t magnitude = value & ~TSR_LANE_SIGN;
    int32_t m = (int32_t)(magnitude & 0x3fffffffu);
    int32_t zeros = 2 + tsr_lane_normalise(&m, 30);
    uint32_t large = tsr_lane_if((magnitude & 0x40000000u) != 0);
    uint32_t norm = (magnitude << 1 & large) | ((uint32_t)m << 2 & ~large);
    zeros = (int32_t)((1u & large) | ((uint32_t)zeros & ~large));
    uint32_t result = ((uint32_t)(157 - zeros) << 23) + (norm >> 8);
    if (stochastic)
        result += (norm & 0xfeu) > (random >> 9 & 0xfeu);
    else
        result += (norm & 0x80u) != 0 && (norm & 0x17fu) != 0;
    return (value & TSR_LANE_SIGN) | (result & tsr_lane_if(magnitude != 0));
}

// To 7 or 10 bits of mantissa.
TSR_INLINE uint32_t tsr_lane_shorten(uint32_t value, unsigned dropped, uint32_t threshold)
{
    uint32_t exponent = value & 0x7f800000u, unit = 1u << dropped, cut = value & (unit - 1);
    uint32_t up = tsr_lane_if(cut >= threshold >> (23 - dropped)) & unit;
    uint32_t infinite = tsr_lane_if(exponent == 0x7f800000u);
    uint32_t result = value - cut + up;
    result = (value & 0xff800000u & infinite) | (result & ~infinite);
    return result & tsr_lane_if(exponent != 0);
}

// What has been cut at 2^0, rounded and bounded; `sign` goes with what is not 0.
TSR_INLINE uint32_t tsr_lane_bounded(uint32_t whole, uint32_t cut, uint32_t threshold,
                                     uint32_t most, uint32_t sign)
{
    whole += cut >= threshold;
    uint32_t nonzero = tsr_lane_if(whole != 0);
    return (sign & nonzero) | (whole < most ? whole : most);
}

TSR_INLINE uint32_t tsr_lane_float_to_integer(uint32_t value, uint32_t most, bool keep_sign,
                                              uint32_t threshold)
{
    int32_t e = (int32_t)(value >> 23 & 0xffu) - 127;
    uint32_t m = (value & 0x7fffffu) | 0x800000u, sign = keep_sign ? value & TSR_LANE_SIGN : 0;
    uint32_t half = tsr_lane_if(e < 0), left = (uint32_t)(e < 15 ? e : 15) & ~half;
    uint32_t whole = m >> (23 - left) & ~half;
    uint32_t cut = ((m >> 1 & half) | (m << left & ~half)) & 0x7fffffu;
    uint32_t bounded = tsr_lane_bounded(whole, cut, threshold, most, sign);
    uint32_t large = tsr_lane_if(e >= 16), small = tsr_lane_if(e < -1);
    return (((sign | most) & large) | (bounded & ~large)) & ~small;
}

// `shift` below 32.
TSR_INLINE uint32_t tsr_lane_scale_integer(uint32_t value, uint32_t shift, uint32_t most,
                                           bool keep_sign, uint32_t threshold)
{
    uint32_t m = value & ~TSR_LANE_SIGN, sign = keep_sign ? value & TSR_LANE_SIGN : 0;
    uint32_t cut = m & 0x7fffffffu >> (31 - shift);
    uint32_t far = shift > 23 ? shift - 23 : 0, near = shift > 23 ? 0 : 23 - shift;
    return tsr_lane_bounded(m >> shift, cut << near >> far, threshold, most, sign);
}

#endif
