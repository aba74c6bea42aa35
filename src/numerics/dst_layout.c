// SPDX-License-Identifier: Apache-2.0
// The public face of Dst's bit order (Dst.md); the work is inline in dst_layout.h.
#include "numerics/dst_layout.h"

#include <tessera/numerics.h>

uint16_t tsr_dst_encode_bf16(uint16_t value)
{
    return tsr_dst_shuffle_bf16(value);
}

uint16_t tsr_dst_decode_bf16(uint16_t stored)
{
    return tsr_dst_unshuffle_bf16(stored);
}

uint16_t tsr_dst_encode_fp16(uint16_t value)
{
    return tsr_dst_shuffle_fp16(value);
}

uint16_t tsr_dst_decode_fp16(uint16_t stored)
{
    return tsr_dst_unshuffle_fp16(stored);
}

uint32_t tsr_dst_encode_fp32(uint32_t value)
{
    return tsr_dst_shuffle_fp32(value);
}

uint32_t tsr_dst_decode_fp32(uint32_t stored)
{
    return tsr_dst_unshuffle_fp32(stored);
}
