// SPDX-License-Identifier: Apache-2.0
// Accumulation onto L1 for one datum without a branch (Packers/README.md, docs/arithmetic.md).
// Included by accumulate_tmpl.h. Must equal tsr_pack_accumulate() of numerics/l1_accumulate.c.
//
// The smaller significand keeps three bits below its last place, the lowest of which stands for all
// that is shifted out. That is enough to round once, and no sum of two such significands is rounded
// differently by way of the wider formats that the rules name.
#ifndef TESSERA_KERNELS_ACCUMULATE_LANE_H
#define TESSERA_KERNELS_ACCUMULATE_LANE_H

#include "kernels/lane.h"

// A sum of two floats of which the exponent ends and the mantissa begins at bit `places`.
typedef struct tsr_lane_total {
    uint32_t sign;   // at its place; of a sum of zero too
    uint32_t larger; // operand, and the magnitudes of both, denormals being 0
    uint32_t magnitude, smaller;
    uint32_t some;    // all ones, or 0 for a sum of zero
    int32_t exponent; // before rounding
    int32_t rounded;  // to places + 1 bits; one more if it carries
} tsr_lane_total;

TSR_INLINE uint32_t tsr_lane_flushed(uint32_t value, unsigned places, uint32_t most)
{
    uint32_t magnitude = value & most;
    return magnitude & ~tsr_lane_if_less((int32_t)magnitude, 1 << places);
}

TSR_INLINE int32_t tsr_lane_with_hidden(uint32_t magnitude, unsigned places)
{
    uint32_t one = 1u << places;
    return (int32_t)(((magnitude & (one - 1u)) | one) & tsr_lane_if_nonzero(magnitude));
}

// `places` and `width` are constants: the loop is instantiated for each format.
TSR_INLINE tsr_lane_total tsr_lane_accumulate(uint32_t a, uint32_t b, unsigned places,
                                              unsigned width)
{
    uint32_t top = 1u << (width - 1), most = top - 1u;
    uint32_t magnitude_a = tsr_lane_flushed(a, places, most);
    uint32_t magnitude_b = tsr_lane_flushed(b, places, most);
    uint32_t swap = tsr_lane_if_less((int32_t)magnitude_a, (int32_t)magnitude_b);
    uint32_t large = magnitude_a ^ ((magnitude_a ^ magnitude_b) & swap);
    uint32_t small = magnitude_b ^ ((magnitude_a ^ magnitude_b) & swap);
    int32_t exponent = (int32_t)(large >> places);
    int32_t distance = exponent - (int32_t)(small >> places);
    uint32_t d = (uint32_t)(distance < 31 ? distance : 31);
    uint32_t m_small = (uint32_t)tsr_lane_with_hidden(small, places) << 3;
    uint32_t shifted = m_small >> d;
    shifted |= tsr_lane_if_nonzero((shifted << d) ^ m_small) & 1u;
    int32_t subtract = -(int32_t)((a ^ b) >> (width - 1) & 1u);
    int32_t m =
        (tsr_lane_with_hidden(large, places) << 3) + (((int32_t)shifted ^ subtract) - subtract);
    uint32_t some = tsr_lane_if_nonzero((uint32_t)m);
    int32_t zeros = tsr_lane_normalise(&m, (int)places + 5);
    uint32_t larger = a ^ ((a ^ b) & swap);
    return (tsr_lane_total){.sign = ((larger & some) | (a & b & ~some)) & top,
                            .larger = larger,
                            .magnitude = large,
                            .smaller = small,
                            .some = some,
                            .exponent = exponent + 1 - zeros,
                            .rounded = (m + 7 + (m >> 4 & 1)) >> 4};
}

// The size of what was rounded, as a pattern: a carry goes into the exponent.
TSR_INLINE uint32_t tsr_lane_total_size(const tsr_lane_total *total, unsigned places)
{
    return ((uint32_t)(total->exponent - 1) << places) + (uint32_t)total->rounded;
}

// All ones where a is not below b.
TSR_INLINE uint32_t tsr_lane_if_reaches(int32_t a, int32_t b)
{
    return ~tsr_lane_if_less(a, b);
}

TSR_INLINE uint32_t tsr_lane_choose(uint32_t mask, uint32_t yes, uint32_t no)
{
    return no ^ ((yes ^ no) & mask);
}

TSR_INLINE uint32_t tsr_lane_accumulate_fp32(uint32_t old, uint32_t datum)
{
    const int32_t infinity = 0x7f800000;
    tsr_lane_total total = tsr_lane_accumulate(old, datum, 23, 32);
    int32_t exponent = total.exponent + (total.rounded >> 24);
    uint32_t size = tsr_lane_total_size(&total, 23);
    size = tsr_lane_choose(tsr_lane_if_reaches(exponent, 255), (uint32_t)infinity, size);
    size &= total.some & tsr_lane_if_less(0, exponent);
    uint32_t special = tsr_lane_if_reaches((int32_t)total.magnitude, infinity);
    uint32_t opposite = (uint32_t)((int32_t)(old ^ datum) >> 31) &
                        tsr_lane_if_reaches((int32_t)total.smaller, infinity);
    uint32_t nan = tsr_lane_if_less(infinity, (int32_t)total.magnitude) | opposite;
    uint32_t value = tsr_lane_choose(special, total.larger, total.sign | size);
    return tsr_lane_choose(nan, 0x7fc00000u, value);
}

// A NaN in L1 is as large as an infinity; a NaN that comes is a number of the next binade.
TSR_INLINE uint32_t tsr_lane_accumulate_bf16(uint32_t old, uint32_t datum)
{
    const int32_t infinity = 0x7f80;
    tsr_lane_total total = tsr_lane_accumulate(old, datum, 7, 16);
    uint32_t size = tsr_lane_total_size(&total, 7);
    size = tsr_lane_choose(tsr_lane_if_reaches(total.exponent, 255), (uint32_t)infinity, size);
    size &= total.some & tsr_lane_if_less(0, total.exponent);
    uint32_t value = total.sign | size;
    uint32_t old_special = tsr_lane_if_reaches((int32_t)(old & 0x7fffu), infinity);
    uint32_t old_infinite = old_special & tsr_lane_if_less((int32_t)(old & 0x7fffu), infinity + 1);
    uint32_t infinite = ~tsr_lane_if_nonzero((datum & 0x7fffu) ^ (uint32_t)infinity);
    value = tsr_lane_choose(old_special, (old & 0x8000u) | (uint32_t)infinity, value);
    value = tsr_lane_choose(infinite, datum, value);
    return tsr_lane_choose(old_infinite & infinite & tsr_lane_if_nonzero(old ^ datum), 0x7fc0u,
                           value);
}

// No infinities: what leaves the exponents at either end, and a zero out of large operands, becomes
// the largest pattern.
TSR_INLINE uint32_t tsr_lane_accumulate_fp16(uint32_t old, uint32_t datum)
{
    tsr_lane_total total = tsr_lane_accumulate(old, datum, 10, 16);
    int32_t exponent = total.exponent + (total.rounded >> 11);
    uint32_t size = tsr_lane_total_size(&total, 10);
    uint32_t large = tsr_lane_if_reaches((int32_t)(old >> 10 & 0x1fu), 30);
    uint32_t beyond = tsr_lane_if_less(31, exponent) | tsr_lane_if_less(total.exponent, 0);
    uint32_t smallest = ~tsr_lane_if_nonzero((uint32_t)total.exponent & 0xffu);
    size = tsr_lane_choose(beyond, 0x7fffu, size & ~smallest);
    return total.sign | tsr_lane_choose(total.some, size, 0x7fffu & large);
}

// A sign and 31 bits of magnitude; a sum of zero is plus zero.
TSR_INLINE uint32_t tsr_lane_accumulate_int32(uint32_t old, uint32_t datum)
{
    uint32_t a = old & 0x7fffffffu, b = datum & 0x7fffffffu;
    uint32_t swap = tsr_lane_if_less((int32_t)a, (int32_t)b);
    uint32_t differ = (uint32_t)((int32_t)(old ^ datum) >> 31);
    uint32_t distance = tsr_lane_choose(swap, b - a, a - b), sum = a + b;
    sum = tsr_lane_choose((uint32_t)((int32_t)sum >> 31), 0x7fffffffu, sum);
    uint32_t size = tsr_lane_choose(differ, distance, sum);
    uint32_t sign = tsr_lane_choose(swap, datum, old) & 0x80000000u;
    return size | (sign & tsr_lane_if_nonzero(size));
}

#endif
