// SPDX-License-Identifier: Apache-2.0
// The unpackers' conversions and the moves from Src to Dst for one datum without a branch
// (UNPACR_Regular.md, MOVA2D.md, MOVB2D.md). Included by unpack_*_tmpl.h, unpack_tmpl.h,
// move_tmpl.h and pack_tmpl.h. Must equal tsr_unpack_datum() of numerics/unpack_convert.c.
#ifndef TESSERA_KERNELS_UNPACK_LANE_H
#define TESSERA_KERNELS_UNPACK_LANE_H

#include "kernels/lane.h"
#include "numerics/dst_layout.h"

#include <stdbool.h>

// 16-bit patterns to Src cells.
TSR_INLINE uint32_t tsr_lane_cell_bf16(uint32_t bf16)
{
    return bf16 << 3;
}

// The sign is extended and masked: a load can widen so.
TSR_INLINE uint32_t tsr_lane_cell_fp16(uint32_t fp16)
{
    return (uint32_t)(int16_t)fp16 & 0x47fffu;
}

TSR_INLINE uint32_t tsr_lane_cell_raw16(uint32_t raw)
{
    return ((uint32_t)(int16_t)raw & 0x40000u) | (raw & 0xffu) << 10 | (raw & 0x7f00u) >> 5;
}

TSR_INLINE uint32_t tsr_lane_bf16_of_fp32(uint32_t fp32)
{
    return (fp32 & 0x7f800000u) != 0 ? fp32 >> 16 : fp32 >> 16 & 0x8000u;
}

// Truncates; see numerics/float_narrow.h for exponents that do not fit.
TSR_INLINE uint32_t tsr_lane_fp16_size_of_fp32(uint32_t fp32)
{
    int32_t size = (int32_t)(fp32 >> 13 & 0x3ffffu) - (112 << 10);
    size = size < 0 ? 0 : size;
    return (uint32_t)(size > 0x7fff ? 0x7fff : size);
}

TSR_INLINE uint32_t tsr_lane_fp16_of_fp32(uint32_t fp32)
{
    return tsr_lane_fp16_size_of_fp32(fp32) | (fp32 >> 16 & 0x8000u);
}

TSR_INLINE uint32_t tsr_lane_cell_fp16_of_fp32(uint32_t fp32)
{
    return tsr_lane_fp16_size_of_fp32(fp32) | (fp32 >> 13 & 0x40000u);
}

// Formats of eight bits in lanes of 16.
TSR_INLINE uint16_t tsr_lane_fp16_of_int8(uint16_t datum, uint16_t sign_bit)
{
    uint16_t sign = datum & sign_bit;
    uint16_t magnitude = (uint16_t)(datum - sign);
    uint16_t some = (uint16_t)((int16_t)-magnitude >> 15);
    return (uint16_t)(sign << 8 | (some & 16u << 10) | magnitude);
}

// All ones for the largest magnitude.
TSR_INLINE uint16_t tsr_lane_if_largest_fp8(uint16_t datum)
{
    return (uint16_t)((int16_t)(0x7e - (datum & 0x7f)) >> 15);
}

TSR_INLINE uint16_t tsr_lane_fp16_of_e5m2_bh(uint16_t datum)
{
    return (uint16_t)(datum << 8 | (tsr_lane_if_largest_fp8(datum) & 0xff));
}

TSR_INLINE uint16_t tsr_lane_fp16_of_e4m3(uint16_t datum)
{
    uint16_t some = (uint16_t)((int16_t) - (datum & 0x78) >> 15);
    uint16_t size = (uint16_t)((datum & 0x7f) << 7) + (some & 8u << 10);
    return (uint16_t)((datum & 0x80) << 8 | size | (tsr_lane_if_largest_fp8(datum) & 0x7f));
}

// One of three conditional shifts that normalise seven magnitude bits.
TSR_INLINE void tsr_lane_normalise_step(int16_t *m, int16_t *exponent, int step)
{
    int16_t clear = (int16_t)((int16_t)(*m - (128 >> step)) >> 15);
    *m = (int16_t)(*m + ((*m * ((1 << step) - 1)) & clear));
    *exponent = (int16_t)(*exponent - (clear & step));
}

// An element of BFP8, or of a smaller format shifted up to it; all in 16-bit lanes.
TSR_INLINE uint16_t tsr_lane_bf16_of_block(uint8_t datum, uint16_t shared)
{
    int16_t m = datum & 0x7f;
    int16_t exponent = (int16_t)shared;
    int16_t some = (int16_t)((int16_t)-m >> 15);
    int16_t sign = (int16_t)((int16_t)((int16_t)datum << 8) >> 15);
    tsr_lane_normalise_step(&m, &exponent, 4);
    tsr_lane_normalise_step(&m, &exponent, 2);
    tsr_lane_normalise_step(&m, &exponent, 1);
    int16_t size = (int16_t)((exponent & 0xff) << 7 | (m << 1 & 0x7e));
    // Minus zero is where minus infinity is kept.
    int16_t zero = (int16_t)(sign & 0x7f80);
    return (uint16_t)((size & some) | (zero & ~some) | (sign & 0x8000));
}

// Eight elements of 4 or 2 bits to the top of a byte each, all at once in a 64-bit word.
TSR_INLINE uint64_t tsr_lane_widen4(uint32_t elements)
{
    uint64_t x = elements;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    return x << 4;
}

TSR_INLINE uint64_t tsr_lane_widen2(uint32_t elements)
{
    uint64_t x = elements;
    x = (x | x << 24) & 0x000000ff000000ffu;
    x = (x | x << 12) & 0x000f000f000f000fu;
    x = (x | x << 6) & 0x0303030303030303u;
    return x << 6;
}

// Src cells to Dst.
TSR_INLINE uint32_t tsr_lane_flush(uint32_t cell, uint32_t mask, uint32_t keep)
{
    return ((cell & 0x3fc00u) | keep) != 0 ? cell & mask : 0;
}

TSR_INLINE uint16_t tsr_lane_dst_bf16(uint32_t cell)
{
    return tsr_dst_shuffle_bf16((uint16_t)(cell >> 3));
}

TSR_INLINE uint16_t tsr_lane_dst_fp16(uint32_t cell)
{
    return tsr_dst_shuffle_fp16((uint16_t)((cell >> 3 & 0x8000u) | (cell & 0x7fffu)));
}

#endif
