// SPDX-License-Identifier: Apache-2.0
// Single datums of block formats in the widest form, a sign and seven magnitude bits, to the float
// that an unpacker makes of them (FloatBitPatterns.md, "BFP").
#ifndef NUMERICS_BLOCK_FLOAT_H
#define NUMERICS_BLOCK_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

uint16_t tsr_block_to_bf16(uint8_t datum, uint8_t exponent);
// Keeps the low five bits of the exponent; see tsr_block_exponent_fits.
uint16_t tsr_block_to_fp16(uint8_t datum, uint8_t exponent);
// False when the FP16 of an a-format datum would need more than five exponent bits, which the page
// calls undefined.
bool tsr_block_exponent_fits(uint8_t datum, uint8_t exponent);

#endif
