// SPDX-License-Identifier: Apache-2.0
// Bit order of datums in Dst, inline for the paths that move whole rows (Dst.md). Dst keeps the
// exponent in the lowest bits and the mantissa above it; the sign stays where it is.
#ifndef NUMERICS_DST_LAYOUT_H
#define NUMERICS_DST_LAYOUT_H

#include <stdint.h>

static inline uint16_t tsr_dst_shuffle_bf16(uint16_t value)
{
    return (uint16_t)((value & 0x8000u) | (value & 0x7fu) << 8 | (value >> 7 & 0xffu));
}

static inline uint16_t tsr_dst_unshuffle_bf16(uint16_t stored)
{
    return (uint16_t)((stored & 0x8000u) | (stored & 0xffu) << 7 | (stored >> 8 & 0x7fu));
}

static inline uint16_t tsr_dst_shuffle_fp16(uint16_t value)
{
    return (uint16_t)((value & 0x8000u) | (value & 0x3ffu) << 5 | (value >> 10 & 0x1fu));
}

static inline uint16_t tsr_dst_unshuffle_fp16(uint16_t stored)
{
    return (uint16_t)((stored & 0x8000u) | (stored & 0x1fu) << 10 | (stored >> 5 & 0x3ffu));
}

// Only the upper half is reordered, as a BF16; the lower half holds the lower mantissa bits as is.
static inline uint32_t tsr_dst_shuffle_fp32(uint32_t value)
{
    return (uint32_t)tsr_dst_shuffle_bf16((uint16_t)(value >> 16)) << 16 | (value & 0xffffu);
}

static inline uint32_t tsr_dst_unshuffle_fp32(uint32_t stored)
{
    return (uint32_t)tsr_dst_unshuffle_bf16((uint16_t)(stored >> 16)) << 16 | (stored & 0xffffu);
}

#endif
