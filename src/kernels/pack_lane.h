// SPDX-License-Identifier: Apache-2.0
// The packers' conversions for one datum without a branch: early conversion, ReLU, late conversion,
// and the elements of a block (Packers/FormatConversion.md, Packers/ReLU.md). Included by
// pack_tmpl.h. Must equal tsr_pack_datum() and tsr_pack_block() of numerics/.
#ifndef TESSERA_KERNELS_PACK_LANE_H
#define TESSERA_KERNELS_PACK_LANE_H

#include "kernels/lane.h"
#include "numerics/dst_layout.h"

#include <tessera/numerics.h>

// ---------------------------------------------------------------- ReLU

// All four modes as one sequence, on patterns as signed numbers, which those with the top bit make
// negative: what is at most `floor` becomes 0, then what is above `limit` becomes `ceiling`. (A
// threshold with the top bit is above all that is not negative. Without ReLU minus zero becomes
// zero, which early conversion has done already.)
typedef struct tsr_lane_relu32 {
    int32_t floor, limit;
    uint32_t ceiling;
} tsr_lane_relu32;

typedef struct tsr_lane_relu16 {
    int16_t floor, ceiling; // the limit too
} tsr_lane_relu16;

static inline tsr_lane_relu16 tsr_lane_relu16_of(const tsr_pack_mode *mode)
{
    unsigned relu = mode->relu_mode & 3u;
    int16_t threshold = (int16_t)(mode->relu_threshold < 0x7fff ? mode->relu_threshold : 0x7fff);
    return (tsr_lane_relu16){
        .floor = (int16_t)(relu == 0   ? INT16_MIN
                           : relu == 2 ? threshold
                                       : -1),
        .ceiling = relu == 3 ? threshold : 0x7fff,
    };
}

static inline tsr_lane_relu32 tsr_lane_relu32_of(const tsr_pack_mode *mode)
{
    unsigned relu = mode->relu_mode & 3u;
    uint32_t threshold = (uint32_t)mode->relu_threshold << 16;
    int32_t size = threshold >> 31 ? INT32_MAX : (int32_t)threshold;
    return (tsr_lane_relu32){
        .floor = relu == 0   ? INT32_MIN
                 : relu == 2 ? size
                             : -1,
        .limit = relu == 3 ? size | 0x1fff : INT32_MAX, // compares in the precision of TF32
        .ceiling = threshold,
    };
}

TSR_INLINE uint32_t tsr_lane_relu32_apply(tsr_lane_relu32 relu, uint32_t value)
{
    value = (int32_t)value > relu.floor ? value : 0;
    return (int32_t)value > relu.limit ? relu.ceiling : value;
}

TSR_INLINE uint16_t tsr_lane_relu16_apply(tsr_lane_relu16 relu, uint16_t value)
{
    int16_t kept = (int16_t)((int16_t)value > relu.floor ? (int16_t)value : 0);
    return (uint16_t)(kept < relu.ceiling ? kept : relu.ceiling);
}

// ---------------------------------------------------------------- early

// Rounding to a BF16 that already is one: NaN to infinity, denormals and -0 to +0.
TSR_INLINE uint16_t tsr_lane_clean_bf16(uint16_t value)
{
    uint16_t magnitude = value & 0x7fffu;
    magnitude = magnitude > 0x7f80u ? 0x7f80u : magnitude;
    uint16_t bits = (uint16_t)((value & 0x8000u) | magnitude);
    return magnitude < 0x80u ? 0 : bits;
}

// The same from what Dst holds, in fewer steps than unshuffle and clean.
TSR_INLINE uint16_t tsr_lane_clean_stored_bf16(uint16_t stored)
{
    uint16_t exponent = (uint16_t)(stored << 7 & 0x7f80);
    uint16_t magnitude = (uint16_t)(exponent | (stored >> 8 & 0x7f));
    magnitude = magnitude > 0x7f80u ? 0x7f80u : magnitude;
    uint16_t bits = (uint16_t)((stored & 0x8000u) | magnitude);
    return exponent == 0 ? 0 : bits;
}

TSR_INLINE uint16_t tsr_lane_clean_fp16(uint16_t value)
{
    return (value & 0x7c00u) != 0 ? value : 0;
}

// To E8M6, half away from zero. A carry out of the largest denormal makes a normal number, which
// can only happen to the cut upper half of a 32-bit datum: a BF16 is cleaned before.
TSR_INLINE uint16_t tsr_lane_cut_e8m6(uint16_t value)
{
    uint16_t magnitude = value & 0x7fffu;
    magnitude = magnitude > 0x7f80u ? 0x7f80u : magnitude;
    magnitude = (uint16_t)((magnitude + 1) & ~1);
    uint16_t bits = (uint16_t)((value & 0x8000u) | magnitude);
    return magnitude < 0x80u ? 0 : bits;
}

TSR_INLINE uint16_t tsr_lane_round_e8m6(uint16_t value)
{
    uint16_t clean = tsr_lane_clean_bf16(value);
    return (uint16_t)((clean + 1) & ~1); // at most infinity, which is even
}

TSR_INLINE uint16_t tsr_lane_round_bf16(uint32_t value)
{
    uint32_t magnitude = value & 0x7fffffffu;
    magnitude = magnitude > 0x7f800000u ? 0x7f800000u : magnitude;
    magnitude = (magnitude + 0x8000u) >> 16;
    return (uint16_t)((magnitude | (value >> 16 & 0x8000u)) &
                      tsr_lane_if_less(0x7f, (int32_t)magnitude));
}

TSR_INLINE uint32_t tsr_lane_int8_of_int32(uint32_t value)
{
    uint32_t magnitude = value & 0x7fffffffu;
    return (magnitude < 127 ? magnitude : 127) | (value >> 24 & 0x80u);
}

TSR_INLINE uint32_t tsr_lane_uint8_of_int32(uint32_t value)
{
    uint32_t magnitude = value & 0x7fffffffu;
    magnitude = magnitude < 255 ? magnitude : 255;
    return value >> 31 != 0 ? 0 : magnitude;
}

// ---------------------------------------------------------------- late

TSR_INLINE uint16_t tsr_lane_cut_bf16(uint32_t fp32)
{
    return (uint16_t)(fp32 >> 16 & tsr_lane_if_nonzero(fp32 & 0x7f800000u));
}

TSR_INLINE uint32_t tsr_lane_widen_fp16(uint32_t fp16)
{
    uint32_t rebias = (fp16 & 0x7c00u) != 0 ? 112u << 23 : 0;
    return ((fp16 & 0x8000u) << 16 | (fp16 & 0x7fffu) << 13) + rebias;
}

// FP16 to FP8 of five exponent bits, which has no denormals, and of four, which saturates.
TSR_INLINE uint8_t tsr_lane_fp8_of_fp16(uint16_t fp16)
{
    return (uint8_t)((fp16 & 0x7c00u) != 0 ? fp16 >> 8 : 0);
}

TSR_INLINE uint8_t tsr_lane_e4m3_of_fp16(uint16_t fp16)
{
    uint16_t upper = fp16 >> 7 & 0xffu; // exponent and three bits of mantissa
    uint16_t magnitude = upper < 192 ? (uint16_t)(upper - 64) : 0x7fu;
    magnitude = upper < 72 ? 0 : magnitude;
    return (uint8_t)((fp16 >> 8 & 0x80u) | magnitude);
}

// ---------------------------------------------------------------- blocks

// An FP16 with the seven bits of mantissa that blocks take, where those of a BF16 are: its five
// bits of exponent fit as they are.
TSR_INLINE uint16_t tsr_lane_e5m7_as_bf16(uint16_t fp16)
{
    uint16_t magnitude = (uint16_t)((fp16 & 0x7fff) >> 3);
    uint16_t bits = (uint16_t)((fp16 & 0x8000u) | magnitude);
    return magnitude < 0x80u ? 0 : bits;
}

// A BF16 to a sign and seven bits of magnitude at the shared exponent, half away from zero:
// ((significand >> distance) + 1) >> 1, with the distance taken bit by bit, all in 16-bit lanes.
// Nothing is left from a distance of 8 on.
TSR_INLINE uint16_t tsr_lane_block_element(uint16_t bf16, int16_t shared)
{
    int16_t exponent = (int16_t)(bf16 >> 7 & 0xff);
    int16_t hidden = (int16_t)((int16_t)-exponent >> 15);
    int16_t m = (int16_t)((bf16 & 0x7f) | (hidden & 0x80));
    int16_t distance = (int16_t)(shared - exponent);
    int16_t near = (int16_t)((int16_t)(distance - 8) >> 15);
    int16_t by1 = (int16_t) - (distance & 1);
    int16_t by2 = (int16_t) - (distance >> 1 & 1);
    int16_t by4 = (int16_t) - (distance >> 2 & 1);
    m = (int16_t)((m & ~by1) | (m >> 1 & by1));
    m = (int16_t)((m & ~by2) | (m >> 2 & by2));
    m = (int16_t)((m & ~by4) | (m >> 4 & by4));
    m = (int16_t)((m + 1) >> 1);
    m = m < 127 ? m : 127;
    return (uint16_t)((m | (bf16 >> 8 & 0x80)) & near);
}

// The low 4 or 2 bits of eight bytes become contiguous.
TSR_INLINE uint32_t tsr_lane_narrow4(uint64_t x)
{
    x = (x | x >> 4) & 0x00ff00ff00ff00ffu;
    x = (x | x >> 8) & 0x0000ffff0000ffffu;
    return (uint32_t)(x | x >> 16);
}

TSR_INLINE uint16_t tsr_lane_narrow2(uint64_t x)
{
    x = (x | x >> 6) & 0x000f000f000f000fu;
    x = (x | x >> 12) & 0x000000ff000000ffu;
    return (uint16_t)(x | x >> 24);
}

#endif
