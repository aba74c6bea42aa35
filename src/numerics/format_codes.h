// SPDX-License-Identifier: Apache-2.0
// The 4-bit data format codes as names for this folder's code, and the families they fall into
// (Unpackers/FormatConversion.md, Packers/FormatConversion.md).
#ifndef NUMERICS_FORMAT_CODES_H
#define NUMERICS_FORMAT_CODES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TSR_FORMAT_FP32 = 0,
    TSR_FORMAT_FP16 = 1,
    TSR_FORMAT_BFP8A = 2,
    TSR_FORMAT_BFP4A = 3,
    TSR_FORMAT_TF32 = 4,
    TSR_FORMAT_BF16 = 5,
    TSR_FORMAT_BFP8 = 6,
    TSR_FORMAT_BFP4 = 7,
    TSR_FORMAT_INT32 = 8,
    TSR_FORMAT_INT16 = 9,
    TSR_FORMAT_FP8 = 10,
    TSR_FORMAT_BFP2A = 11,
    TSR_FORMAT_INT8 = 14,
    TSR_FORMAT_BFP2 = 15
};

static inline bool tsr_format_is_block_e8(uint8_t format)
{
    return format == TSR_FORMAT_BFP8 || format == TSR_FORMAT_BFP4 || format == TSR_FORMAT_BFP2;
}

static inline bool tsr_format_is_block_e5(uint8_t format)
{
    return format == TSR_FORMAT_BFP8A || format == TSR_FORMAT_BFP4A || format == TSR_FORMAT_BFP2A;
}

// Bits by which a datum of a block format falls short of the eight of BFP8.
static inline unsigned tsr_format_block_shift(uint8_t format)
{
    switch (format) {
    case TSR_FORMAT_BFP4:
    case TSR_FORMAT_BFP4A:
        return 4;
    case TSR_FORMAT_BFP2:
    case TSR_FORMAT_BFP2A:
        return 6;
    default:
        return 0;
    }
}

#endif
