// SPDX-License-Identifier: Apache-2.0
// Conversions of one datum for unpacr_model.c: taken apart into sign, exponent and mantissa, and
// put together in the order that the destination keeps.
// Pages: UNPACR_Regular.md (FormatConversion), Dst.md, SrcASrcB.md; arithmetic.md 4.2 for FP32 to
// FP16, which no page defines.
#include "oracle/unpacr_model.h"

#include <stddef.h>

struct parts {
    uint32_t sign, exponent, mantissa;
};

unsigned unpacr_size16(unsigned format)
{
    static const uint8_t size[16] = {
        [F_FP32] = 64,  [F_TF32] = 64, [F_INT32] = 64, [F_FP16] = 32, [F_BF16] = 32,
        [F_INT16] = 32, [F_FP8] = 16,  [F_INT8] = 16,  [F_BFP8] = 16, [F_BFP8A] = 16,
        [F_BFP4] = 8,   [F_BFP4A] = 8, [F_BFP2] = 4,   [F_BFP2A] = 4};
    return format < 16 ? size[format] : 0;
}

bool unpacr_is_bfp_a(unsigned format)
{
    return format == F_BFP8A || format == F_BFP4A || format == F_BFP2A;
}

bool unpacr_is_bfp(unsigned format)
{
    return unpacr_is_bfp_a(format) || format == F_BFP8 || format == F_BFP4 || format == F_BFP2;
}

// Eight exponent bits and seven mantissa bits.
static uint32_t put_bf16(struct parts p, bool to_dst)
{
    if (to_dst)
        return p.sign << 15 | p.mantissa << 8 | p.exponent;
    return p.sign << 18 | p.mantissa << 11 | p.exponent;
}

// Five exponent bits and ten mantissa bits.
static uint32_t put_fp16(struct parts p, bool to_dst)
{
    if (to_dst)
        return p.sign << 15 | p.mantissa << 5 | p.exponent;
    return p.sign << 18 | p.mantissa << 8 | p.exponent;
}

static uint32_t put_dst32(uint32_t bits)
{
    uint32_t exponent = bits >> 23 & 0xff, high_mantissa = bits >> 16 & 0x7f;
    return (bits & 0x80000000u) | high_mantissa << 24 | exponent << 16 | (bits & 0xffff);
}

static struct parts fp32_as_fp16(struct parts p, bool flush)
{
    int exponent = (int)p.exponent - 112;
    if (exponent < 0 || (flush && exponent == 0))
        return (struct parts){p.sign, 0, 0};
    if (exponent > 31)
        return (struct parts){p.sign, 31, 0x3ff};
    return (struct parts){p.sign, (uint32_t)exponent, p.mantissa >> 13};
}

static bool from_fp32(const struct unpacr_conversion *c, uint32_t bits, uint32_t *datum)
{
    struct parts p = {bits >> 31, bits >> 23 & 0xff, bits & 0x7fffff};
    switch (c->out) {
    case F_FP32:
        *datum = put_dst32(bits);
        return c->to_dst;
    case F_TF32:
        *datum = c->to_dst ? put_dst32(bits) : p.sign << 18 | p.mantissa >> 13 << 8 | p.exponent;
        return true;
    case F_BF16:
        p.mantissa = p.exponent ? p.mantissa >> 16 : 0;
        *datum = put_bf16(p, c->to_dst);
        return true;
    case F_FP16:
        *datum = put_fp16(fp32_as_fp16(p, c->fp16_flushed), c->to_dst);
        return true;
    default:
        return false;
    }
}

static struct parts fp8_as_fp16(const struct unpacr_conversion *c, uint32_t bits)
{
    struct parts p = {bits >> 7 & 1, bits >> 2 & 31, (bits & 3) << 8};
    if (c->exp4) {
        uint32_t exponent = bits >> 3 & 15, mantissa = bits & 7;
        p.exponent = exponent ? exponent + 8 : 0;
        p.mantissa = mantissa << 7;
        if (exponent == 15 && mantissa == 7)
            p.mantissa = 0x3ff;
    } else if (c->blackhole && p.exponent == 31 && (bits & 3) == 3) {
        p.mantissa = 0x3ff;
    }
    return p;
}

static struct parts int8_as_fp16(bool is_unsigned, uint32_t bits)
{
    struct parts p = {is_unsigned ? 0 : bits >> 7 & 1, 0, is_unsigned ? bits & 0xff : bits & 0x7f};
    p.exponent = p.mantissa ? 16 : 0;
    return p;
}

// A block datum, widened to a sign and seven magnitude bits. The mantissa has seven bits, and the
// exponent wraps at eight.
static struct parts normalised(uint32_t bits, uint8_t shared, uint32_t infinite)
{
    struct parts p = {bits >> 7 & 1, shared, bits & 0x7f};
    if (p.mantissa == 0)
        return (struct parts){p.sign, p.sign ? infinite : 0, 0};
    while (!(p.mantissa & 0x40)) {
        p.mantissa <<= 1;
        p.exponent = (p.exponent + 255) & 0xff;
    }
    p.mantissa = (p.mantissa & 0x3f) << 1;
    return p;
}

static bool from_block(const struct unpacr_conversion *c, uint32_t bits, uint8_t shared,
                       uint32_t *datum)
{
    bool five = unpacr_is_bfp_a(c->in);
    unsigned missing = 8 - unpacr_size16(c->in) / 2;
    struct parts p = normalised(bits << missing, shared, five ? 31 : 255);
    if (!five) {
        *datum = put_bf16(p, c->to_dst);
        return true;
    }
    p.mantissa <<= 3;
    *datum = put_fp16(p, c->to_dst);
    return p.exponent < 32;
}

bool unpacr_convert(const struct unpacr_conversion *c, uint32_t bits, uint8_t exponent,
                    uint32_t *datum)
{
    if (c->in == F_FP32)
        return from_fp32(c, bits, datum);
    if (c->in != c->out)
        return false;
    if (unpacr_is_bfp(c->in))
        return from_block(c, bits, exponent, datum);
    switch (c->in) {
    case F_FP16:
        *datum = put_fp16((struct parts){bits >> 15, bits >> 10 & 31, bits & 0x3ff}, c->to_dst);
        return true;
    case F_BF16:
        *datum = put_bf16((struct parts){bits >> 15, bits >> 7 & 255, bits & 0x7f}, c->to_dst);
        return true;
    case F_FP8:
        *datum = put_fp16(fp8_as_fp16(c, bits), c->to_dst);
        return true;
    case F_INT8:
        *datum = put_fp16(int8_as_fp16(c->int8_unsigned, bits), c->to_dst);
        return true;
    case F_INT16:
        *datum = c->to_dst ? bits : bits >> 8 << 11 | (bits & 0xff);
        return true;
    case F_TF32:
    case F_INT32:
        *datum = put_dst32(bits);
        return c->to_dst;
    default:
        return false;
    }
}
