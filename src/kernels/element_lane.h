// SPDX-License-Identifier: Apache-2.0
// The FPU's element-wise operations and its final adder for one datum without a branch (ELWADD.md,
// ELWSUB.md, ELWMUL.md; exact arithmetic in docs/arithmetic.md). Included by the element-wise and
// the dot kernels. Must equal tsr_fpu_add() and tsr_fpu_mul() of numerics/fpu.c.
//
// Magnitudes are kept in the units of the destination, counted leading zeros become conditional
// shifts, and overflow and flush are selections at the end.
#ifndef TESSERA_KERNELS_ELEMENT_LANE_H
#define TESSERA_KERNELS_ELEMENT_LANE_H

#include "kernels/lane.h"
#include "numerics/dst_layout.h"

#include <stdbool.h>

// What is the same for all datums of a call.
typedef struct tsr_lane_params {
    bool e8, acc32;     // constants where the loops are instantiated
    bool lone_unit_bug; // Wormhole: a sum of exactly -1 unit normalises wrongly
    uint32_t mask_a, mask_b, flip_b;
    uint32_t keep_b; // all ones: B's denormals count; 0: they are flushed
    uint32_t shift_a, slice_a, shift_b, slice_b, scale_b; // fidelity phase
    int32_t phase_loss;                                   // what the phase takes off an exponent
    int32_t bias, zero_exponent;
} tsr_lane_params;

// Value = magnitude * 2^-10 at `exponent`; magnitude below 2^12.
typedef struct tsr_lane_term {
    int32_t negative; // 0 or 1
    int32_t exponent;
    int32_t magnitude;
} tsr_lane_term;

TSR_INLINE int32_t tsr_lane_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

TSR_INLINE int32_t tsr_lane_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

TSR_INLINE int32_t tsr_lane_exponent(uint32_t datum)
{
    return (int32_t)(datum >> 10 & 0xffu);
}

// m / 2^distance, ties toward plus infinity, as an arithmetic shift rounds. Magnitudes
// below 2^30 come to 0 at the clamp already.
TSR_INLINE int32_t tsr_lane_align(int32_t m, int32_t distance)
{
    return ((m * 2 >> tsr_lane_min(distance, 31)) + 1) >> 1;
}

// Eleven bits; 0 for the all-zero datum, which is what a flushed one has become.
TSR_INLINE int32_t tsr_lane_significand(uint32_t datum)
{
    return (int32_t)(((datum & 0x3ffu) | 0x400u) & tsr_lane_if_nonzero(datum));
}

TSR_INLINE tsr_lane_term tsr_lane_add(const tsr_lane_params *params, uint32_t a, uint32_t b)
{
    a &= params->mask_a;
    b = (b & params->mask_b) ^ params->flip_b;
    a &= tsr_lane_if_nonzero(a & 0x3fc00u);
    b &= tsr_lane_if_nonzero(b & 0x3fc00u) | params->keep_b;
    uint32_t swap = tsr_lane_if_less((int32_t)(a & 0x3ffffu), (int32_t)(b & 0x3ffffu)) & (a ^ b);
    uint32_t large = a ^ swap;
    uint32_t small = b ^ swap;
    int32_t exponent = tsr_lane_exponent(large);
    int32_t m_large = tsr_lane_significand(large);
    int32_t m_small = tsr_lane_significand(small);
    m_small = tsr_lane_align(m_small, exponent - tsr_lane_exponent(small));
    int32_t subtract = -(int32_t)((large ^ small) >> 18 & 1u);
    int32_t m = m_large + ((m_small ^ subtract) - subtract);
    if (!params->e8 && params->acc32)
        exponent = exponent != 0 ? exponent + 112 : 97;
    exponent -= params->phase_loss;
    // Only +0 with an unflushed -0 can be below zero; no hardware result is known for it.
    return (tsr_lane_term){(int32_t)(large >> 18 & 1u), exponent, tsr_lane_max(m, 0)};
}

TSR_INLINE tsr_lane_term tsr_lane_mul(const tsr_lane_params *params, uint32_t a, uint32_t b)
{
    a &= params->mask_a;
    b &= params->mask_b;
    uint32_t slice_a = ((a & 0x3ffu) | 0x400u) >> params->shift_a & params->slice_a;
    uint32_t slice_b = (((b & 0x3ffu) | 0x400u) >> params->shift_b & params->slice_b)
                       << params->scale_b;
    int32_t exponent = tsr_lane_exponent(a) + tsr_lane_exponent(b) + params->bias;
    uint32_t nonzero = tsr_lane_if_nonzero(a & 0x3fc00u) & tsr_lane_if_less(0, exponent) &
                       (tsr_lane_if_nonzero(b & 0x3fc00u) | params->keep_b);
    return (tsr_lane_term){
        .negative = (int32_t)((a ^ b) >> 18 & 1u & nonzero),
        .exponent = (int32_t)(((uint32_t)exponent & nonzero) |
                              ((uint32_t)params->zero_exponent & ~nonzero)),
        .magnitude = (int32_t)(slice_a * slice_b & nonzero),
    };
}

// A term or the accumulator in the frame of an FP32, signed, at exponent `top`, in units of 2^-23,
// or of 2^-10 for a 16-bit Dst: rounded twice then, as the hardware does. Ties of a term go toward
// plus infinity, those of the accumulator away from zero.
TSR_INLINE int32_t tsr_lane_place(const tsr_lane_params *params, int32_t m, int32_t distance)
{
    m = tsr_lane_align(m, distance);
    return params->acc32 ? m : (m + 4096) >> 13;
}

TSR_INLINE int32_t tsr_lane_signed(int32_t magnitude, int32_t negative)
{
    return (magnitude ^ -negative) + negative;
}

// A cell of a 16-bit Dst in the frame of an FP32.
TSR_INLINE uint32_t tsr_lane_load_acc16(const tsr_lane_params *params, uint16_t stored)
{
    if (params->e8)
        return (uint32_t)tsr_dst_unshuffle_bf16(stored) << 16;
    uint32_t fp16 = tsr_dst_unshuffle_fp16(stored);
    return (fp16 & 0x8000u) << 16 | (fp16 & 0x7fffu) << 13;
}

TSR_INLINE int32_t tsr_lane_place_acc(const tsr_lane_params *params, uint32_t acc, int32_t top)
{
    int32_t exponent = (int32_t)(acc >> 23 & 0xffu);
    int32_t m =
        (int32_t)(((acc & 0x7fffffu) | 0x800000u) & tsr_lane_if_nonzero((uint32_t)exponent));
    return tsr_lane_signed(tsr_lane_place(params, m, top - exponent), (int32_t)(acc >> 31));
}

// Their sum.
TSR_INLINE int32_t tsr_lane_sum(const tsr_lane_params *params, tsr_lane_term term, uint32_t acc,
                                int32_t top)
{
    int32_t m = tsr_lane_signed(term.magnitude, term.negative) * 8192;
    return tsr_lane_place(params, m, top - term.exponent) + tsr_lane_place_acc(params, acc, top);
}

// Normalise, round and encode a sum below 2^width for a 32-bit Dst: the bits of an FP32.
TSR_INLINE uint32_t tsr_lane_round32(const tsr_lane_params *params, int32_t sum, int32_t top,
                                     int width)
{
    int32_t sign = sum >> 31;
    int32_t m = (sum ^ sign) - sign;
    int32_t zeros = tsr_lane_normalise(&m, width);
    m = (m + (1 << (width - 25))) >> (width - 24);
    int32_t exponent = top + (width - 24) - zeros + (m >> 24);
    uint32_t mantissa = (uint32_t)m & 0x7fffffu;
    if (params->lone_unit_bug)
        exponent = sum == -1 ? top + 4 : exponent; // the mantissa of one unit is 0 as it is
    mantissa &= tsr_lane_if_less(exponent, 255);
    uint32_t bits = (uint32_t)tsr_lane_min(exponent, 255) << 23 | mantissa;
    bits |= (uint32_t)sign & 0x80000000u;
    return bits & tsr_lane_if_nonzero((uint32_t)m) & tsr_lane_if_less(0, exponent) &
           tsr_lane_if_less(0, top);
}

// The same for a 16-bit Dst: the bits of a BF16 or FP16. Rounding may carry into the exponent.
TSR_INLINE uint16_t tsr_lane_round16(const tsr_lane_params *params, int32_t sum, int32_t top,
                                     int width)
{
    int32_t sign = sum >> 31;
    int32_t m = (sum ^ sign) - sign;
    int32_t zeros = tsr_lane_normalise(&m, width);
    int32_t exponent = top + (width - 11) - zeros - 1; // m brings its leading one with it
    int32_t size, smallest, largest;
    if (params->e8) {
        size = exponent * 128 + ((m + (1 << (width - 9))) >> (width - 8));
        smallest = 1 << 7;
        largest = 255 << 7;
    } else {
        size = exponent * 1024 + ((m + (1 << (width - 12))) >> (width - 11));
        smallest = 1 << 10;
        largest = 0x7fff;
    }
    uint32_t bits = (uint32_t)(tsr_lane_min(size, largest) | (sign & 0x8000));
    return (uint16_t)(bits & tsr_lane_if_nonzero((uint32_t)m) & tsr_lane_if_less(0, top) &
                      tsr_lane_if_less(smallest - 1, size));
}

#endif
