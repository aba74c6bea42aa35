// SPDX-License-Identifier: Apache-2.0
// The packers' early format conversion, from what Dst stores (or L1, for packer 0) to one of the
// intermediate formats (Packers/FormatConversion.md).
#include "base/format_codes.h"
#include "numerics/dst_layout.h"
#include "numerics/float_narrow.h"
#include "numerics/pack_random.h"
#include "numerics/pack_stages.h"

enum { FP32_INFINITY = 0x7f800000, FP32_SMALLEST_NORMAL = 0x00800000 };

static tsr_status set_value(tsr_pack_value *out, tsr_pack_kind kind, uint32_t bits)
{
    *out = (tsr_pack_value){kind, bits};
    return TSR_OK;
}

// With `dropped` bits dropped. Rounding comes before the flush, so that the largest denormals may
// still become normal. NaN ends as infinity, small as plus zero.
static uint32_t round_fp32(uint32_t value, unsigned dropped, uint32_t *random)
{
    uint32_t magnitude = value & 0x7fffffffu;
    if (magnitude >= FP32_INFINITY)
        magnitude = FP32_INFINITY;
    else
        magnitude = tsr_pack_rounded(magnitude, dropped, random) << dropped;
    return magnitude < FP32_SMALLEST_NORMAL ? 0 : (value & 0x80000000u) | magnitude;
}

// To nearest, the lower half of an FP32 has no say; by chance, it counts like all that goes.
static uint32_t round_e8m6(uint32_t value, uint32_t *random)
{
    return round_fp32(value, 17, random);
}

static uint32_t flush_fp32(uint32_t value)
{
    return (value & 0x7f800000u) == 0 ? 0 : value;
}

static uint32_t flush_fp16(uint32_t value)
{
    return (value & 0x7c00u) == 0 ? 0 : value;
}

static uint32_t round_e5m6(uint32_t value, uint32_t *random)
{
    uint32_t magnitude = tsr_pack_rounded(value & 0x7fffu, 4, random) << 4;
    if (magnitude > 0x7ff0)
        magnitude = 0x7ff0; // saturates, since there is nothing above
    return magnitude < 0x400 ? 0 : (value & 0x8000u) | magnitude;
}

static tsr_status int8_from_int32(const tsr_pack_mode *mode, uint32_t value, uint32_t *random,
                                  tsr_pack_value *out)
{
    uint32_t magnitude = value & 0x7fffffffu;
    bool negative = value >> 31 != 0;
    tsr_pack_kind kind = mode->read_unsigned ? TSR_PACK_UINT8 : TSR_PACK_INT8;
    uint32_t limit = mode->read_unsigned ? 255 : 127;
    if (mode->read_raw) {
        magnitude &= limit;
    } else {
        magnitude = tsr_pack_rounded(magnitude, mode->int8_shift & 31u, random);
        magnitude = magnitude < limit ? magnitude : limit;
        if (mode->read_unsigned && negative)
            magnitude = 0;
    }
    return set_value(out, kind, magnitude | (negative && !mode->read_unsigned ? 0x80u : 0));
}

static tsr_status early_from_32(const tsr_pack_mode *mode, uint32_t dst, uint32_t *random,
                                tsr_pack_value *out)
{
    uint32_t value = tsr_dst_unshuffle_fp32(dst);
    bool raw = mode->read_raw;
    switch (mode->in_format) {
    case TSR_FORMAT_FP32:
        if (mode->round_10b && !raw)
            return set_value(out, TSR_PACK_TF32, round_fp32(value, 13, random));
        return set_value(out, TSR_PACK_FP32, value);
    case TSR_FORMAT_TF32:
        return raw ? set_value(out, TSR_PACK_FP32, value)
                   : set_value(out, TSR_PACK_TF32, round_fp32(value, 13, random));
    case TSR_FORMAT_BF16:
        // On the way to FP16, Round_10b_mant asks for TF32 instead; with raw nothing says what.
        if (mode->round_10b && mode->out_format == TSR_FORMAT_FP16)
            return raw ? TSR_BAD_ARGUMENT
                       : set_value(out, TSR_PACK_TF32, round_fp32(value, 13, random));
        return set_value(out, TSR_PACK_BF16,
                         raw ? value & 0xffff0000u : round_fp32(value, 16, random));
    case TSR_FORMAT_BFP8:
        return set_value(out, TSR_PACK_BF16, raw ? value & 0xffff0000u : round_e8m6(value, random));
    case TSR_FORMAT_FP16: // by way of TF32; Wormhole only on the way to blocks
        if ((mode->arch != TSR_BLACKHOLE_A0 && !tsr_format_is_block_e5(mode->out_format)) ||
            !mode->round_10b || raw)
            return TSR_BAD_ARGUMENT;
        return set_value(out, TSR_PACK_TF32, round_fp32(value, 13, random));
    case TSR_FORMAT_BFP8A: // on the way to blocks only, as E8M6 (docs/errata.md 321)
        if (!tsr_format_is_block_e5(mode->out_format) || raw)
            return TSR_BAD_ARGUMENT;
        return set_value(out, TSR_PACK_BF16, round_e8m6(value, random));
    case TSR_FORMAT_INT32:
        return set_value(out, TSR_PACK_INT32, value);
    case TSR_FORMAT_INT16: // the upper half as it is stored
        return set_value(out, TSR_PACK_INT16, dst >> 16);
    case TSR_FORMAT_INT8:
        return int8_from_int32(mode, value, random, out);
    default:
        return TSR_BAD_ARGUMENT;
    }
}

// Intermediate formats with eight exponent bits: Dst is taken to hold BF16.
static tsr_status early_from_bf16(const tsr_pack_mode *mode, uint32_t value, uint32_t *random,
                                  tsr_pack_value *out)
{
    bool raw = mode->read_raw;
    switch (mode->in_format) {
    case TSR_FORMAT_FP32: // TF32, or to FP32 the upper half as it is (docs/errata.md 322)
        if (raw || (!mode->round_10b && mode->out_format != TSR_FORMAT_FP32))
            return TSR_BAD_ARGUMENT;
        return mode->round_10b ? set_value(out, TSR_PACK_TF32, round_fp32(value, 0, random))
                               : set_value(out, TSR_PACK_FP32, value);
    case TSR_FORMAT_TF32:
        return raw ? TSR_BAD_ARGUMENT : set_value(out, TSR_PACK_TF32, round_fp32(value, 0, random));
    case TSR_FORMAT_BF16:
        if (mode->round_10b && mode->out_format == TSR_FORMAT_FP16)
            return raw ? TSR_BAD_ARGUMENT
                       : set_value(out, TSR_PACK_TF32, round_fp32(value, 0, random));
        return set_value(out, TSR_PACK_BF16, raw ? value : round_fp32(value, 0, random));
    default: // BFP8; unlike from 32 bits, the flush comes first
        return set_value(out, TSR_PACK_BF16, raw ? value : round_e8m6(flush_fp32(value), random));
    }
}

static tsr_status early_to_fp16(const tsr_pack_mode *mode, uint16_t dst, tsr_pack_value *out)
{
    if (mode->arch == TSR_BLACKHOLE_A0 && mode->round_10b) {
        // Here Blackhole takes Dst to hold BF16 and narrows it at once.
        uint32_t bf16 = tsr_dst_unshuffle_bf16(dst);
        return mode->read_raw ? TSR_BAD_ARGUMENT
                              : set_value(out, TSR_PACK_FP16, tsr_narrow_to_fp16(bf16 << 16));
    }
    uint32_t value = tsr_dst_unshuffle_fp16(dst);
    return set_value(out, TSR_PACK_FP16, mode->read_raw ? value : flush_fp16(value));
}

static tsr_status early_from_16(const tsr_pack_mode *mode, uint16_t dst, uint32_t *random,
                                tsr_pack_value *out)
{
    switch (mode->in_format) {
    case TSR_FORMAT_FP32:
    case TSR_FORMAT_TF32:
    case TSR_FORMAT_BF16:
    case TSR_FORMAT_BFP8:
        return early_from_bf16(mode, (uint32_t)tsr_dst_unshuffle_bf16(dst) << 16, random, out);
    case TSR_FORMAT_FP16:
        return early_to_fp16(mode, dst, out);
    case TSR_FORMAT_BFP8A: {
        uint32_t value = tsr_dst_unshuffle_fp16(dst);
        return set_value(out, TSR_PACK_E5M7,
                         mode->read_raw ? value & ~7u : round_e5m6(value, random));
    }
    case TSR_FORMAT_FP8: // truncation is all that the page lists
        if (!mode->read_raw)
            return TSR_BAD_ARGUMENT;
        return set_value(out, TSR_PACK_E5M7, tsr_dst_unshuffle_fp16(dst) & 0xff00u);
    case TSR_FORMAT_INT16:
        return set_value(out, TSR_PACK_INT16, dst);
    case TSR_FORMAT_INT8: // floats have only their sign where an INT8 would be
        if (!mode->read_raw || mode->read_unsigned)
            return TSR_BAD_ARGUMENT;
        return set_value(out, TSR_PACK_INT8, (dst & 0x8000u) >> 8);
    default:
        return TSR_BAD_ARGUMENT;
    }
}

tsr_status tsr_pack_early(const tsr_pack_mode *mode, uint32_t dst, uint32_t *random,
                          tsr_pack_value *out)
{
    return mode->read_32b ? early_from_32(mode, dst, random, out)
                          : early_from_16(mode, (uint16_t)dst, random, out);
}

// An integer from L1 keeps its top bits: widths differ by shifting, not by value.
static tsr_status align_l1_integer(const tsr_pack_mode *mode, unsigned width, uint32_t datum,
                                   tsr_pack_value *out)
{
    uint32_t top = datum << (32 - width);
    switch (mode->in_format) {
    case TSR_FORMAT_INT32:
        return set_value(out, TSR_PACK_INT32, top);
    case TSR_FORMAT_INT16:
        return set_value(out, TSR_PACK_INT16, top >> 16);
    default: // INT8
        return width == 32 ? TSR_BAD_ARGUMENT
                           : set_value(out, mode->read_unsigned ? TSR_PACK_UINT8 : TSR_PACK_INT8,
                                       top >> 24);
    }
}

tsr_status tsr_pack_from_l1(const tsr_pack_mode *mode, unsigned width, uint32_t datum,
                            tsr_pack_value *out)
{
    if (width != 8 && width != 16 && width != 32)
        return TSR_BAD_ARGUMENT;
    switch (mode->in_format << 8 | width) {
    case TSR_FORMAT_FP32 << 8 | 32:
        return set_value(out, TSR_PACK_FP32, datum);
    case TSR_FORMAT_BF16 << 8 | 16:
        return set_value(out, TSR_PACK_BF16, datum << 16);
    case TSR_FORMAT_FP16 << 8 | 16:
        return set_value(out, TSR_PACK_FP16, datum & 0xffffu);
    case TSR_FORMAT_BF16 << 8 | 8: // sign and mantissa, exponent 0
    case TSR_FORMAT_BFP8 << 8 | 8: // a block format, whose shared exponent is not read
        return set_value(out, TSR_PACK_BF16, (datum & 0x80u) << 24 | (datum & 0x7fu) << 16);
    case TSR_FORMAT_BFP8A << 8 | 8: // likewise
        return set_value(out, TSR_PACK_E5M7, (datum & 0x80u) << 8 | (datum & 0x7fu) << 3);
    case TSR_FORMAT_FP8 << 8 | 8:
        return set_value(out, TSR_PACK_E5M7, (datum & 0xffu) << 8);
    default:
        break;
    }
    bool integer = mode->in_format == TSR_FORMAT_INT32 || mode->in_format == TSR_FORMAT_INT16 ||
                   mode->in_format == TSR_FORMAT_INT8;
    return integer ? align_l1_integer(mode, width, datum, out) : TSR_BAD_ARGUMENT;
}
