// SPDX-License-Identifier: Apache-2.0
// Block floats: taking a datum out of a block (UNPACR_Regular.md, FloatBitPatterns.md) and putting
// sixteen datums into one (Packers/FormatConversion.md, "Late format conversion").
#include "numerics/block_float.h"

#include "base/format_codes.h"
#include "numerics/pack_random.h"
#include "numerics/pack_stages.h"

// Place of the leading one below the top of the seven magnitude bits; datum & 0x7f is not 0.
static unsigned leading_zeros(uint8_t datum)
{
    return (unsigned)__builtin_clz(datum & 0x7fu) - 25;
}

// The six bits below the leading one, at the top of seven mantissa bits.
static uint32_t mantissa_of(uint8_t datum)
{
    return (uint32_t)datum << (leading_zeros(datum) + 1) & 0x7eu;
}

// The exponent after normalising wraps at eight bits, even below zero.
static uint8_t exponent_of(uint8_t datum, uint8_t exponent)
{
    return (uint8_t)(exponent - leading_zeros(datum));
}

uint16_t tsr_block_to_bf16(uint8_t datum, uint8_t exponent)
{
    if ((datum & 0x7f) == 0)
        return datum != 0 ? 0xff80 : 0; // minus zero is where minus infinity is kept
    return (uint16_t)((datum & 0x80u) << 8 | (uint32_t)exponent_of(datum, exponent) << 7 |
                      mantissa_of(datum));
}

uint16_t tsr_block_to_fp16(uint8_t datum, uint8_t exponent)
{
    if ((datum & 0x7f) == 0)
        return datum != 0 ? 0xfc00 : 0;
    return (uint16_t)((datum & 0x80u) << 8 | (exponent_of(datum, exponent) & 0x1fu) << 10 |
                      mantissa_of(datum) << 3);
}

bool tsr_block_exponent_fits(uint8_t datum, uint8_t exponent)
{
    return (datum & 0x7f) == 0 || exponent_of(datum, exponent) < 32;
}

// The parts of a pattern that assembly sees: seven mantissa bits, whatever the exponent's width.
typedef struct block_input {
    bool negative;
    uint32_t exponent;
    uint32_t significand; // 8 bits; no hidden bit at exponent 0
} block_input;

static block_input split(bool e5, uint32_t pattern)
{
    uint32_t exponent = e5 ? pattern >> 10 & 0x1fu : pattern >> 7 & 0xffu;
    uint32_t mantissa = e5 ? pattern >> 3 & 0x7fu : pattern & 0x7fu;
    return (block_input){
        .negative = (pattern & 0x8000u) != 0,
        .exponent = exponent,
        .significand = exponent != 0 ? mantissa | 0x80u : mantissa,
    };
}

// Rounded half away from zero to seven bits, kept below the carry, then cut to the format.
static uint8_t to_element(block_input in, uint32_t shared, unsigned cut, uint32_t *random)
{
    uint32_t distance = shared - in.exponent;
    if (distance >= 8)
        return 0;
    uint32_t magnitude = tsr_pack_rounded(in.significand, distance + 1, random);
    magnitude = (magnitude < 127 ? magnitude : 127) >> cut;
    bool negative = in.negative && magnitude != 0;
    return (uint8_t)(magnitude | (negative ? 0x80u >> cut : 0));
}

uint8_t tsr_pack_unshared(uint8_t out_format, uint32_t pattern)
{
    unsigned cut = tsr_format_block_shift(out_format);
    uint32_t mantissa = tsr_format_is_block_e5(out_format) ? pattern >> 3 : pattern;
    return (uint8_t)((mantissa & 0x7fu) >> cut | (pattern >> 8 & 0x80u) >> cut);
}

tsr_status tsr_pack_block(uint8_t out_format, const uint32_t in[16], uint8_t *exponent,
                          uint8_t out[16])
{
    if (!in || !exponent || !out)
        return TSR_BAD_ARGUMENT;
    return tsr_pack_block_rounded(out_format, in, NULL, exponent, out);
}

tsr_status tsr_pack_block_rounded(uint8_t out_format, const uint32_t in[16], uint32_t *random,
                                  uint8_t *exponent, uint8_t out[16])
{
    bool e5 = tsr_format_is_block_e5(out_format);
    if (!e5 && !tsr_format_is_block_e8(out_format))
        return TSR_BAD_ARGUMENT;
    block_input parts[16];
    uint32_t shared = 0;
    for (int i = 0; i < 16; i++) {
        parts[i] = split(e5, in[i]);
        shared = parts[i].exponent > shared ? parts[i].exponent : shared;
    }
    unsigned cut = tsr_format_block_shift(out_format);
    for (int i = 0; i < 16; i++)
        out[i] = to_element(parts[i], shared, cut, random);
    *exponent = (uint8_t)shared;
    return TSR_OK;
}
