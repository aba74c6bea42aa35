// SPDX-License-Identifier: Apache-2.0
// A slow second opinion on the numerics, written from the specification and sharing no code with
// src/: numbers are wide integers with an explicit scale, division is division, bit fields are
// picked out by position, and the IEEE parts of L1 accumulation use the host's floats.
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct oracle_mode {
    bool wormhole;
    bool e8;
    bool acc32;
    int phase;
} oracle_mode;

uint32_t oracle_dot16(oracle_mode mode, uint32_t acc, const uint32_t *a, const uint32_t *b);
uint32_t oracle_mul(oracle_mode mode, uint32_t acc, uint32_t a, uint32_t b, bool flush_b);
uint32_t oracle_add(oracle_mode mode, bool accumulate, uint32_t acc, uint32_t a, uint32_t b,
                    bool flush_b);

// Sign and magnitude in and out; products of the given phase, saturating at 31 bits.
uint32_t oracle_int8_dot(int phase, uint32_t acc, const uint32_t *a, const uint32_t *b, int count,
                         bool flush_b);
uint32_t oracle_int8_add(bool accumulate, uint32_t acc, uint32_t a, uint32_t b, bool flush_b);

// Dst's order of bits, by a table of where each stored bit comes from.
uint16_t oracle_dst_bf16(uint16_t value);
uint16_t oracle_dst_fp16(uint16_t value);

uint16_t oracle_fp32_to_fp16(uint32_t value);
uint8_t oracle_fp16_to_e4m3(uint16_t value);
uint16_t oracle_bfp8_to_bf16(uint8_t datum, uint8_t exponent);
uint16_t oracle_bfp8a_to_fp16(uint8_t datum, uint8_t exponent);
// To nearest with ties away from zero at `dropped` bits, as the packers' early conversion does it.
uint32_t oracle_round_fp32(uint32_t value, int dropped);
uint16_t oracle_round_e5m6(uint16_t value);
uint32_t oracle_descale_int8(uint32_t value, bool is_unsigned, int shift);
// `bits` is the width of an element; patterns are BF16, or FP16 if `e5`.
void oracle_block(bool e5, int bits, const uint32_t *patterns, uint8_t *exponent, uint8_t *out);

uint32_t oracle_accumulate_fp32(uint32_t old_value, uint32_t datum);
uint32_t oracle_accumulate_bf16(uint32_t old_value, uint32_t datum);
uint32_t oracle_accumulate_fp16(uint32_t old_value, uint32_t datum);

#endif
