// SPDX-License-Identifier: Apache-2.0
// The packers' conversions a second time, as the tables of their page list them, and with the
// observations of docs/arithmetic.md where a table says no more than "rounding".
// Pages: Packers/FormatConversion.md, Packers/ReLU.md, Packers/ExponentHistogram.md,
// FloatBitPatterns.md.
#include "oracle/pacr_number.h"

#include <stddef.h>

enum { SIGN32 = 1u << 31, SIGN16 = 0x8000 };

uint32_t pacr_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state * 0x2545f4914f6cdd1dull >> 32);
}

uint32_t pacr_below(uint64_t *state, uint32_t end)
{
    return (uint32_t)((uint64_t)pacr_random(state) * end >> 32);
}

bool pacr_eight(enum pacr_kind kind)
{
    return kind >= KIND_FP32 && kind <= KIND_E8M6;
}

bool pacr_five(enum pacr_kind kind)
{
    return kind >= KIND_FP16 && kind <= KIND_FP8;
}

bool pacr_block(unsigned format)
{
    return format == PF_BFP8 || format == PF_BFP4 || format == PF_BFP2 || format == PF_BFP8A ||
           format == PF_BFP4A || format == PF_BFP2A;
}

unsigned pacr_element_bits(unsigned format)
{
    if (format == PF_BFP2 || format == PF_BFP2A)
        return 2;
    if (format == PF_BFP4 || format == PF_BFP4A)
        return 4;
    return (format & 3) == 0 ? 32 : (format & 3) == 1 ? 16 : 8;
}

// ---------------------------------------------------------------- early conversion

static enum pacr_kind kind_from_wide(const struct pacr_early *e)
{
    bool to_blocks = e->out == PF_BFP8A || e->out == PF_BFP4A || e->out == PF_BFP2A;
    bool to_tf32 = e->round10 && e->out == PF_FP16;
    switch (e->format) {
    case PF_INT32:
        return KIND_INT32;
    case PF_FP32:
        return e->round10 && !e->raw ? KIND_TF32 : KIND_FP32;
    case PF_TF32:
        return e->raw ? KIND_FP32 : KIND_TF32;
    case PF_BF16:
        return !to_tf32 ? KIND_BF16 : e->raw ? KIND_NONE : KIND_TF32;
    case PF_BFP8:
        return e->raw ? KIND_BF16 : KIND_E8M6;
    case PF_FP16: // no page; seen on BH, and both chips' kernels pack blocks with it
        return (e->blackhole || to_blocks) && e->round10 && !e->raw ? KIND_TF32 : KIND_NONE;
    case PF_BFP8A: // no page; kernels pack blocks with it
        return to_blocks && !e->raw ? KIND_E8M6 : KIND_NONE;
    case PF_INT16: // no page; seen
        return KIND_INT16;
    case PF_INT8:
        return e->is_unsigned ? KIND_UINT8 : KIND_INT8;
    default:
        return KIND_NONE;
    }
}

static enum pacr_kind kind_from_narrow(const struct pacr_early *e)
{
    bool to_tf32 = e->round10 && e->out == PF_FP16;
    switch (e->format) {
    case PF_FP32: // without rounding on no page; a kernel has it
        if (e->round10)
            return e->raw ? KIND_NONE : KIND_TF32;
        return e->raw || e->out != PF_FP32 ? KIND_NONE : KIND_FP32;
    case PF_TF32:
        return e->raw ? KIND_NONE : KIND_TF32;
    case PF_BF16:
        return !to_tf32 ? KIND_BF16 : e->raw ? KIND_NONE : KIND_TF32;
    case PF_BFP8:
        return e->raw ? KIND_BF16 : KIND_E8M6;
    case PF_FP16: // on BH the bit was seen with FP8 alone
        return e->blackhole && e->round10 && (e->out != PF_FP8 || e->raw) ? KIND_NONE : KIND_FP16;
    case PF_BFP8A:
        return e->raw ? KIND_E5M7 : KIND_E5M6;
    case PF_FP8:
        return e->raw ? KIND_FP8 : KIND_NONE;
    case PF_INT16:
        return KIND_INT16;
    case PF_INT8:
        return e->raw && !e->is_unsigned ? KIND_INT8 : KIND_NONE;
    default:
        return KIND_NONE;
    }
}

enum pacr_kind pacr_early_kind(const struct pacr_early *e)
{
    return e->wide ? kind_from_wide(e) : kind_from_narrow(e);
}

enum pacr_kind pacr_middle_kind(const struct pacr_early *e, unsigned in)
{
    enum pacr_kind kind = pacr_early_kind(e);
    if (in == e->format)
        return kind;
    // Two names for the same bits: each has a line of its own in the page's list.
    if (e->format == PF_INT32 && in == PF_FP32 && kind == KIND_INT32)
        return KIND_FP32;
    bool same = (in == PF_FP32 && kind == KIND_FP32) || (in == PF_TF32 && kind == KIND_TF32) ||
                (in == PF_BF16 && kind == KIND_BF16);
    return same && e->format != PF_FP16 ? kind : KIND_NONE;
}

// Dst's order: sign, mantissa, exponent.
static uint32_t as_bf16(uint32_t stored)
{
    return (stored & SIGN16) | (stored & 0xff) << 7 | (stored >> 8 & 0x7f);
}

static uint32_t as_fp16(uint32_t stored)
{
    return (stored & SIGN16) | (stored & 0x1f) << 10 | (stored >> 5 & 0x3ff);
}

// To nearest, ties away from zero, at `drop` bits; NaN to infinity, denormals to +0.
static uint32_t round_eight(uint32_t v, unsigned drop)
{
    uint64_t mag = v & ~SIGN32;
    if (mag > 0x7f800000)
        mag = 0x7f800000;
    if (drop > 0)
        mag = (mag + (1u << (drop - 1))) >> drop << drop;
    return mag < 0x00800000 ? 0 : (v & SIGN32) | (uint32_t)mag;
}

static uint32_t round_e8m6(uint32_t v, bool wide)
{
    if (!wide)
        v = round_eight(v, 0); // what is denormal goes before it could be rounded up
    else if ((v & ~SIGN32) > 0x7f800000)
        v = (v & SIGN32) | 0x7f800000;
    return round_eight(v & 0xffff0000, 17);
}

static uint32_t round_e5m6(uint32_t v)
{
    uint32_t mag = v & 0x7fff;
    mag = mag > 0x7ff7 ? 0x7ff0 : (mag + 8) / 16 * 16;
    return mag < 0x400 ? 0 : (v & SIGN16) | mag;
}

static uint32_t to_integer8(const struct pacr_early *e, uint32_t v)
{
    uint64_t mag = v & ~SIGN32;
    bool negative = v >> 31;
    if (e->raw)
        return e->is_unsigned ? v & 0xff : (uint32_t)negative << 7 | (v & 0x7f);
    if (e->shift > 0)
        mag = (mag + (1ull << (e->shift - 1))) >> e->shift;
    if (e->is_unsigned)
        return negative ? 0 : mag > 255 ? 255 : (uint32_t)mag;
    return (uint32_t)negative << 7 | (mag > 127 ? 127 : (uint32_t)mag);
}

static uint32_t from_wide(const struct pacr_early *e, enum pacr_kind kind, uint32_t stored)
{
    uint32_t v = as_bf16(stored >> 16) << 16 | (stored & 0xffff);
    switch (kind) {
    case KIND_TF32:
        return round_eight(v, 13);
    case KIND_BF16:
        return e->raw ? v & 0xffff0000 : round_eight(v, 16);
    case KIND_E8M6:
        return round_e8m6(v, true);
    case KIND_INT16:
        return stored >> 16;
    case KIND_INT8:
    case KIND_UINT8:
        return to_integer8(e, v);
    default:
        return v;
    }
}

static uint32_t from_narrow(const struct pacr_early *e, enum pacr_kind kind, uint32_t stored)
{
    uint32_t bf16 = as_bf16(stored) << 16, fp16 = as_fp16(stored);
    switch (kind) {
    case KIND_TF32:
        return round_eight(bf16, 0);
    case KIND_FP32:
        return bf16;
    case KIND_BF16:
        return e->raw ? bf16 : round_eight(bf16, 0);
    case KIND_E8M6:
        return round_e8m6(bf16, false);
    case KIND_FP16:
        if (e->round10 && e->blackhole)
            return pacr_to_fp16(bf16);
        return !e->raw && (fp16 & 0x7fff) < 0x400 ? 0 : fp16;
    case KIND_E5M7:
        return fp16 & 0xfff8;
    case KIND_E5M6:
        return round_e5m6(fp16);
    case KIND_FP8:
        return fp16 & 0xff00;
    case KIND_INT8:
        return (stored & SIGN16) ? 0x80 : 0;
    default:
        return stored;
    }
}

struct pacr_datum pacr_early(const struct pacr_early *e, uint32_t stored)
{
    struct pacr_datum d = {pacr_early_kind(e), 0};
    d.bits = e->wide ? from_wide(e, d.kind, stored) : from_narrow(e, d.kind, stored & 0xffff);
    return d;
}

struct pacr_datum pacr_from_l1(unsigned format, bool is_unsigned, unsigned bytes, uint32_t v)
{
    struct pacr_datum none = {KIND_NONE, 0};
    unsigned low = 32 - 8 * bytes; // integers stand at the top of 32 bits
    switch (format) {
    case PF_FP32:
        return bytes == 4 ? (struct pacr_datum){KIND_FP32, v} : none;
    case PF_FP16:
        return bytes == 2 ? (struct pacr_datum){KIND_FP16, v} : none;
    case PF_BF16:
    case PF_BFP8: // of eight bits: sign and mantissa, exponent zero
        if (bytes == 1)
            return (struct pacr_datum){KIND_BF16, (v & 0x80) << 24 | (v & 0x7f) << 16};
        return bytes == 2 && format == PF_BF16 ? (struct pacr_datum){KIND_BF16, v << 16} : none;
    case PF_BFP8A:
        if (bytes != 1)
            return none;
        return (struct pacr_datum){KIND_E5M7, (v & 0x80) << 8 | (v & 0x7f) << 3};
    case PF_FP8:
        return bytes == 1 ? (struct pacr_datum){KIND_FP8, v << 8} : none;
    case PF_INT32:
        return (struct pacr_datum){KIND_INT32, v << low};
    case PF_INT16:
        return (struct pacr_datum){KIND_INT16, v << low >> 16};
    case PF_INT8:
        if (bytes == 4)
            return none;
        return (struct pacr_datum){is_unsigned ? KIND_UINT8 : KIND_INT8, v << low >> 24};
    default:
        return none;
    }
}

struct pacr_datum pacr_minus_infinity(enum pacr_kind kind)
{
    static const uint32_t bits[KIND_COUNT] = {
        [KIND_FP32] = 0xff800000, [KIND_TF32] = 0xff800000, [KIND_BF16] = 0xff800000,
        [KIND_E8M6] = 0xff800000, [KIND_FP16] = 0xffff,     [KIND_E5M7] = 0xfff8,
        [KIND_E5M6] = 0xfff0,     [KIND_FP8] = 0xff00,      [KIND_INT32] = 0xffffffff,
        [KIND_INT16] = 0xffff,    [KIND_INT8] = 0xff};
    return (struct pacr_datum){kind, bits[kind]};
}

// ---------------------------------------------------------------- ReLU, exponents

static bool is_negative(struct pacr_datum d)
{
    if (pacr_eight(d.kind) || d.kind == KIND_INT32)
        return d.bits >> 31;
    if (d.kind == KIND_INT8)
        return d.bits >> 7 & 1;
    return d.kind != KIND_UINT8 && (d.bits >> 15 & 1);
}

struct pacr_datum pacr_relu(unsigned mode, uint32_t threshold, struct pacr_datum d)
{
    struct pacr_datum zero = {d.kind, 0};
    uint32_t t = pacr_eight(d.kind) ? threshold << 16 : threshold;
    if (mode == 0)
        return d;
    if (is_negative(d))
        return zero;
    if (mode == 2)
        return d.bits <= t ? zero : d;
    if (mode == 3 && (pacr_eight(d.kind) ? d.bits >> 13 > t >> 13 : d.bits > t))
        d.bits = t;
    return d;
}

unsigned pacr_exponent(struct pacr_datum d)
{
    if (pacr_eight(d.kind) || d.kind == KIND_INT32)
        return d.bits >> 23 & 0xff;
    if (pacr_five(d.kind))
        return d.bits >> 10 & 0x1f;
    return d.kind == KIND_INT8 ? d.bits & 0x7f : d.bits & 0xff;
}

// ---------------------------------------------------------------- late conversion

bool pacr_late_exists(enum pacr_kind kind, unsigned out)
{
    switch (out) {
    case PF_INT32:
        return kind == KIND_INT32;
    case PF_INT16:
        return kind == KIND_INT16;
    case PF_INT8:
        return kind == KIND_INT8 || kind == KIND_UINT8;
    case PF_TF32:
        return kind != KIND_FP32 && (pacr_eight(kind) || pacr_five(kind));
    case 12:
    case 13:
        return false;
    default:
        return pacr_eight(kind) || pacr_five(kind);
    }
}

uint32_t pacr_to_fp16(uint32_t v)
{
    uint32_t sign = v >> 16 & SIGN16;
    int e = (int)(v >> 23 & 0xff) - 112;
    if (e < 0)
        return sign;
    if (e > 31)
        return sign | 0x7fff;
    return sign | (uint32_t)e << 10 | (v >> 13 & 0x3ff);
}

static uint32_t widen(uint32_t v)
{
    uint32_t e = v >> 10 & 0x1f;
    return (v & SIGN16) << 16 | (e ? e + 112 : 0) << 23 | (v & 0x3ff) << 13;
}

static uint32_t to_bf16(struct pacr_datum d)
{
    if (pacr_five(d.kind))
        return d.bits >> 10 & 0x1f ? widen(d.bits) >> 16 : 0;
    bool narrows = d.kind == KIND_FP32 || d.kind == KIND_TF32;
    return narrows && (d.bits >> 23 & 0xff) == 0 ? 0 : d.bits >> 16;
}

static uint32_t as_five(struct pacr_datum d)
{
    return pacr_five(d.kind) ? d.bits : pacr_to_fp16(d.bits);
}

// Denormals of five exponent bits go where bits of the mantissa go. What eight bits have between
// 2^-15 and 2^-14 the page calls mishandled: seen to keep its mantissa under exponent 0.
static uint32_t narrow_five(struct pacr_datum d, unsigned keep)
{
    static const unsigned mantissa[KIND_COUNT] = {
        [KIND_FP16] = 10, [KIND_E5M7] = 7, [KIND_E5M6] = 6, [KIND_FP8] = 2};
    uint32_t v = as_five(d);
    if (mantissa[d.kind] > keep && (v >> 10 & 0x1f) == 0)
        return 0;
    return v & ~((1u << (10 - keep)) - 1);
}

static uint32_t to_e4m3(uint32_t v)
{
    uint32_t sign = v >> 8 & 0x80, e = v >> 10 & 0x1f;
    if (e <= 8)
        return sign;
    return e >= 24 ? sign | 0x7f : sign | (e - 8) << 3 | (v >> 7 & 7);
}

uint32_t pacr_late(struct pacr_datum d, unsigned out, bool e4m3)
{
    switch (out) {
    case PF_FP32:
    case PF_TF32:
        return pacr_five(d.kind) ? widen(d.bits) : d.bits;
    case PF_BF16:
    case PF_BFP8:
    case PF_BFP4:
    case PF_BFP2:
        return to_bf16(d);
    case PF_FP16:
        return as_five(d);
    case PF_BFP8A:
    case PF_BFP4A:
    case PF_BFP2A:
        return narrow_five(d, 7);
    case PF_FP8:
        return e4m3 ? to_e4m3(as_five(d)) : narrow_five(d, 2) >> 8;
    default:
        return d.bits;
    }
}

uint8_t pacr_assemble(unsigned format, const uint32_t *pattern, uint8_t *element, bool cut)
{
    bool five = format == PF_BFP8A || format == PF_BFP4A || format == PF_BFP2A;
    unsigned bits = pacr_element_bits(format), shared = 0;
    for (int i = 0; i < 16; i++) {
        unsigned e = five ? pattern[i] >> 10 & 0x1f : pattern[i] >> 7 & 0xff;
        shared = e > shared ? e : shared;
    }
    for (int i = 0; i < 16; i++) {
        unsigned e = five ? pattern[i] >> 10 & 0x1f : pattern[i] >> 7 & 0xff;
        unsigned q = five ? pattern[i] >> 3 & 0x7f : pattern[i] & 0x7f;
        unsigned below = shared - e;
        q += e ? 128 : 0;
        q = below >= 8 ? 0 : (q + (cut ? 0 : 1u << below)) >> (below + 1);
        q = (q > 127 ? 127 : q) >> (8 - bits);
        element[i] = (uint8_t)(q && (pattern[i] & SIGN16) ? q | 1u << (bits - 1) : q);
    }
    return (uint8_t)shared;
}
