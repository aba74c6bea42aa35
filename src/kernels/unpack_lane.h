// SPDX-License-Identifier: Apache-2.0
// The unpackers' conversions and the moves from Src to Dst for one datum without a branch
// (UNPACR_Regular.md, MOVA2D.md, MOVB2D.md). The same results as numerics/unpack_convert.c.
#ifndef TESSERA_KERNELS_UNPACK_LANE_H
#define TESSERA_KERNELS_UNPACK_LANE_H

#include "kernels/lane.h"
#include "numerics/dst_layout.h"

#include <stdbool.h>

// 16-bit patterns to Src cells.
TSR_LANE uint32_t tsr_lane_cell_bf16(uint32_t bf16)
{
    return bf16 << 3;
}

TSR_LANE uint32_t tsr_lane_cell_fp16(uint32_t fp16)
{
    return (fp16 & 0x8000u) << 3 | (fp16 & 0x7FFFu);
}

TSR_LANE uint32_t tsr_lane_cell_raw16(uint32_t raw)
{
    return (raw & 0x8000u) << 3 | (raw & 0xFFu) << 10 | (raw & 0x7F00u) >> 5;
}

TSR_LANE uint32_t tsr_lane_bf16_of_fp32(uint32_t fp32)
{
    return (fp32 & 0x7F800000u) != 0 ? fp32 >> 16 : fp32 >> 16 & 0x8000u;
}

// Truncates; see numerics/float_narrow.h for exponents that do not fit.
TSR_LANE uint32_t tsr_lane_fp16_of_fp32(uint32_t fp32)
{
    int32_t size = (int32_t)(fp32 >> 13 & 0x3FFFFu) - (112 << 10);
    size = size < 0 ? 0 : size;
    size = size > 0x7FFF ? 0x7FFF : size;
    return (uint32_t)size | (fp32 >> 16 & 0x8000u);
}

TSR_LANE uint32_t tsr_lane_fp16_of_int8(uint32_t datum, uint32_t sign_bit)
{
    uint32_t sign = datum & sign_bit;
    uint32_t magnitude = datum - sign;
    return sign << 8 | (magnitude != 0 ? 16u << 10 : 0) | magnitude;
}

// An element of BFP8, or of a smaller format shifted up to it. Seven magnitude bits are normalised
// in three conditional shifts.
TSR_LANE uint32_t tsr_lane_bf16_of_block(uint32_t datum, uint32_t shared)
{
    uint32_t m = datum & 0x7Fu;
    uint32_t exponent = shared;
    exponent -= m < 8 ? 4 : 0;
    m = m < 8 ? m << 4 : m;
    exponent -= m < 32 ? 2 : 0;
    m = m < 32 ? m << 2 : m;
    exponent -= m < 64 ? 1 : 0;
    m = m < 64 ? m << 1 : m;
    uint32_t sign = (datum & 0x80u) << 8;
    uint32_t bits = sign | (exponent & 0xFFu) << 7 | (m << 1 & 0x7Eu);
    uint32_t zero = sign != 0 ? 0xFF80u : 0; // minus zero is where minus infinity is kept
    return m != 0 ? bits : zero;
}

// Src cells to Dst.
TSR_LANE uint32_t tsr_lane_flush(uint32_t cell, uint32_t mask, uint32_t keep)
{
    return ((cell & 0x3FC00u) | keep) != 0 ? cell & mask : 0;
}

TSR_LANE uint16_t tsr_lane_dst_bf16(uint32_t cell)
{
    return tsr_dst_shuffle_bf16((uint16_t)(cell >> 3));
}

TSR_LANE uint16_t tsr_lane_dst_fp16(uint32_t cell)
{
    return tsr_dst_shuffle_fp16((uint16_t)((cell >> 3 & 0x8000u) | (cell & 0x7FFFu)));
}

#endif
