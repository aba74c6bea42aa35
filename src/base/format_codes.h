// SPDX-License-Identifier: Apache-2.0
// The 4-bit data format codes as enumerators, and the families they fall into, from
// machine/formats.def. Pages: Unpackers/FormatConversion.md, Packers/FormatConversion.md.
#ifndef TESSERA_BASE_FORMAT_CODES_H
#define TESSERA_BASE_FORMAT_CODES_H

#include <stdbool.h>
#include <stdint.h>

enum {
#define FORMAT(name, text, code, bits, block, exponent) TSR_FORMAT_##name = (code),
#include "machine/formats.def"
};

static inline bool tsr_format_is_block_e8(uint8_t format)
{
    switch (format) {
#define FORMAT(name, text, code, bits, block, exponent)                                            \
    case code:                                                                                     \
        return (block) && (exponent) == 8;
#include "machine/formats.def"
    default:
        return false;
    }
}

static inline bool tsr_format_is_block_e5(uint8_t format)
{
    switch (format) {
#define FORMAT(name, text, code, bits, block, exponent)                                            \
    case code:                                                                                     \
        return (block) && (exponent) == 5;
#include "machine/formats.def"
    default:
        return false;
    }
}

// Bits by which a datum of a block format falls short of the eight of BFP8.
static inline unsigned tsr_format_block_shift(uint8_t format)
{
    switch (format) {
#define FORMAT(name, text, code, bits, block, exponent)                                            \
    case code:                                                                                     \
        return (block) ? 8u - (bits) : 0u;
#include "machine/formats.def"
    default:
        return 0;
    }
}

#endif
