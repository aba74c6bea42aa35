// SPDX-License-Identifier: Apache-2.0
// Single numbers of an array to and from the formats that tiles have in L1 (docs/ttasm.md, "Numbers
// in tiles"). Integer arithmetic only: the bits do not depend on the host.
#ifndef CLI_ARRAY_FORMATS_H
#define CLI_ARRAY_FORMATS_H

#include "tensor/npy.h"

enum format_family {
    FAMILY_FLOAT,         // one datum by itself
    FAMILY_BLOCK,         // 16 datums share an exponent (BFP8, BFP4, BFP2)
    FAMILY_TWOS,          // two's complement or unsigned
    FAMILY_SIGN_MAGNITUDE // INT32 and INT8 of this hardware
};

struct array_format {
    const char *name;      // in a .tensor directive
    const char *code_name; // for tsr_format_find()
    uint8_t bits;          // of a datum in L1, without the shared exponent
    enum format_family family;
    enum npy_type output; // what is written to a .npy file
    int64_t least, most;  // integers only
};

// Any case; a null pointer if there is no such format.
const struct array_format *array_format_find(const char *name);

uint16_t bf16_from_float32(uint32_t bits);
uint16_t fp16_from_float32(uint32_t bits); // Tensix FP16: no infinity, saturates
uint32_t float32_from_float16(uint16_t bits);
uint16_t float16_from_fp16(uint16_t bits);

// Sixteen float32 to a shared exponent and datums of `width` bits (sign and width-1 of magnitude).
void bfp_encode(int width, const uint32_t in[16], uint8_t *exponent, uint8_t out[16]);
uint32_t bfp_decode(int width, uint8_t exponent, uint8_t datum);

// One datum of a format that is not a block format. Encoding fails for an integer that does not
// fit.
bool datum_encode(const struct array_format *format, const struct npy_array *array, size_t index,
                  uint32_t *datum);
uint32_t datum_decode(const struct array_format *format, uint32_t datum); // bits of format->output
// The float32 pattern of an item of a float array.
uint32_t item_float32(const struct npy_array *array, size_t index);

#endif
