// SPDX-License-Identifier: Apache-2.0
// The adder at the end of every floating-point FPU operation: align up to two terms and the
// accumulator, add exactly, normalise, round, encode (docs/arithmetic.md, "The final adder";
// MatrixUnit.md leaves it open). Inline, because it is most of the cost of an element.
//
// Magnitudes are in units of 2^-23 at their exponent and stay below 2^28, so nothing here can
// leave 32 bits.
//
// `noise`: NULL, or the random bits of a stochastic rounding, which take the place of one half
// where something is cut off for Dst; alignments stay as they are (docs/errata.md).
#ifndef NUMERICS_FPU_ALIGN_H
#define NUMERICS_FPU_ALIGN_H

#include "base/bits.h"

#include <tessera/numerics.h>

typedef struct tsr_fpu_term {
    uint32_t negative; // 0 or 1
    int32_t exponent;
    uint32_t magnitude;
} tsr_fpu_term;

// m / 2^d to nearest, ties upward; 0 from d = 31 on. Shifts that far are reached by clamping, so
// that no branch is needed: below 2^28 everything rounds to 0 there anyway.
TSR_INLINE uint32_t tsr_fpu_shift_half_up(uint32_t m, uint32_t d)
{
    d = d < 31 ? d : 31;
    return (m + (1u << d >> 1)) >> d;
}

// The same for a signed term: ties go toward plus infinity, so downward in a negative magnitude.
TSR_INLINE uint32_t tsr_fpu_shift_term(uint32_t m, uint32_t d, uint32_t negative)
{
    d = d < 31 ? d : 31;
    uint32_t half = 1u << d >> 1;
    return (m + half - (half != 0 ? negative : 0)) >> d;
}

// m / 2^d, d below 32, to nearest with ties as above, or up by chance.
TSR_INLINE uint32_t tsr_fpu_cut(uint32_t m, uint32_t d, uint32_t negative, const uint32_t *noise)
{
    if (noise)
        return (m + (*noise & ((1u << d) - 1))) >> d;
    return tsr_fpu_shift_term(m, d, negative);
}

// Term `t` at exponent `top`; with a 16-bit Dst also cut to what that keeps: rounding twice is
// what the hardware does.
TSR_INLINE int32_t tsr_fpu_align_term(const tsr_fpu_mode *mode, tsr_fpu_term t, int32_t top,
                                      const uint32_t *noise)
{
    uint32_t m = tsr_fpu_shift_term(t.magnitude, (uint32_t)(top - t.exponent), t.negative);
    if (!mode->acc32)
        m = tsr_fpu_cut(m, 13, t.negative, noise) << 13;
    return t.negative != 0 ? -(int32_t)m : (int32_t)m;
}

TSR_INLINE int32_t tsr_fpu_align_acc(const tsr_fpu_mode *mode, uint32_t acc, int32_t top,
                                     const uint32_t *noise)
{
    int32_t exponent = (int32_t)(acc >> 23 & 0xffu);
    if (exponent == 0)
        return 0; // denormals and minus zero
    uint32_t m = (acc & 0x7fffffu) | 0x800000u;
    m = tsr_fpu_shift_half_up(m, (uint32_t)(top - exponent));
    if (!mode->acc32)
        m = tsr_fpu_cut(m, 13, 0, noise) << 13;
    return acc >> 31 != 0 ? -(int32_t)m : (int32_t)m;
}

TSR_INLINE uint32_t tsr_fpu_encode(const tsr_fpu_mode *mode, bool negative, int32_t exponent,
                                   uint32_t mantissa)
{
    uint32_t sign = negative ? 0x80000000u : 0u;
    if (exponent <= 0)
        return 0;
    if (mode->acc32 || mode->e8)
        return exponent >= 255 ? sign | 0x7f800000u : sign | (uint32_t)exponent << 23 | mantissa;
    // Five-bit Dst: exponent 31 is an ordinary binade, and the largest pattern stands for more.
    return exponent >= 32 ? sign | 0x0fffe000u : sign | (uint32_t)exponent << 23 | mantissa;
}

// Normalise and round the exact sum, which is in units of 2^-23 at exponent `top`.
TSR_INLINE uint32_t tsr_fpu_round(const tsr_fpu_mode *mode, int32_t sum, int32_t top,
                                  const uint32_t *noise)
{
    if (sum == 0)
        return 0;
    bool negative = sum < 0;
    uint32_t m = negative ? 0u - (uint32_t)sum : (uint32_t)sum;
    int32_t shift = 8 - __builtin_clz(m); // significant bits beyond 24
    if (sum == -1 && mode->arch == TSR_WORMHOLE_B0)
        shift = 4; // Wormhole normalises this one sum wrongly
    int32_t exponent = top + shift;
    int32_t dropped = mode->acc32 ? 0 : mode->e8 ? 16 : 13;
    shift += dropped;
    m = shift > 0 ? tsr_fpu_cut(m, (uint32_t)shift, 0, noise) : m << -shift;
    m <<= dropped;
    exponent += (int32_t)(m >> 24 & 1u);
    return tsr_fpu_encode(mode, negative, exponent, m & 0x7fffffu);
}

TSR_INLINE uint32_t tsr_fpu_final(const tsr_fpu_mode *mode, tsr_fpu_term t0, tsr_fpu_term t1,
                                  uint32_t acc, const uint32_t *noise)
{
    int32_t top = (int32_t)(acc >> 23 & 0xffu);
    top = t0.exponent > top ? t0.exponent : top;
    top = t1.exponent > top ? t1.exponent : top;
    if (top <= 0)
        return 0;
    int32_t sum = tsr_fpu_align_term(mode, t0, top, noise) +
                  tsr_fpu_align_term(mode, t1, top, noise) +
                  tsr_fpu_align_acc(mode, acc, top, noise);
    return tsr_fpu_round(mode, sum, top, noise);
}

#endif
