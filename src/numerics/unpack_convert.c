// SPDX-License-Identifier: Apache-2.0
// The unpackers' format conversion (UNPACR_Regular.md, FormatConversion; on Blackhole also the two
// kinds of FP8). Two steps: bring the L1 datum to one of four carriers, then lay the carrier out
// for Src or for Dst.
#include "base/format_codes.h"
#include "numerics/block_float.h"
#include "numerics/dst_layout.h"
#include "numerics/float_narrow.h"

#include <tessera/numerics.h>

typedef enum carrier_kind { CARRIER_RAW16, CARRIER_BF16, CARRIER_FP16, CARRIER_32 } carrier_kind;

typedef struct carrier {
    carrier_kind kind;
    uint32_t bits;
} carrier;

// FP32 is the only format with a choice of what to become.
static tsr_status convert_fp32(uint8_t out_format, uint32_t datum, carrier *out)
{
    switch (out_format) {
    case TSR_FORMAT_FP32:
    case TSR_FORMAT_TF32:
        *out = (carrier){CARRIER_32, datum};
        return TSR_OK;
    case TSR_FORMAT_BF16:
        if ((datum & 0x7f800000u) == 0)
            datum &= 0x80000000u;
        *out = (carrier){CARRIER_BF16, datum >> 16};
        return TSR_OK;
    case TSR_FORMAT_FP16:
        *out = (carrier){CARRIER_FP16, tsr_narrow_to_fp16(datum)};
        return TSR_OK;
    default:
        return TSR_BAD_ARGUMENT;
    }
}

static uint32_t fp8_e5m2_to_fp16(tsr_arch arch, uint32_t datum)
{
    // Blackhole takes the largest FP8 for FP16's "larger than anything" instead of a number.
    uint32_t filler = arch == TSR_BLACKHOLE_A0 && (datum & 0x7fu) == 0x7f ? 0xff : 0;
    return datum << 8 | filler;
}

static uint32_t fp8_e4m3_to_fp16(uint32_t datum)
{
    uint32_t sign = (datum & 0x80u) << 8;
    uint32_t exponent = datum >> 3 & 0xfu;
    uint32_t mantissa = (datum & 7u) << 7;
    if ((datum & 0x7fu) == 0x7f)
        mantissa |= 0x7f;
    exponent = exponent != 0 ? exponent + 8 : 0;
    return sign | exponent << 10 | mantissa;
}

// Integer "8" is held as an FP16 with a raw exponent of 16, which keeps it from reading as zero.
static uint32_t int8_to_fp16(bool is_unsigned, uint32_t datum)
{
    uint32_t sign = is_unsigned ? 0 : datum & 0x80u;
    uint32_t magnitude = datum - sign;
    return sign << 8 | (magnitude != 0 ? 16u << 10 : 0) | magnitude;
}

static tsr_status convert_same(const tsr_unpack_mode *mode, uint32_t datum, uint8_t exponent,
                               carrier *out)
{
    uint8_t widened = (uint8_t)(datum << tsr_format_block_shift(mode->in_format));
    bool e4m3 = mode->arch == TSR_BLACKHOLE_A0 && mode->lf8_4b_exp;
    switch (mode->in_format) {
    case TSR_FORMAT_TF32:
    case TSR_FORMAT_INT32:
        *out = (carrier){CARRIER_32, datum};
        return TSR_OK;
    case TSR_FORMAT_INT16:
        *out = (carrier){CARRIER_RAW16, datum & 0xffffu};
        return TSR_OK;
    case TSR_FORMAT_BF16:
        *out = (carrier){CARRIER_BF16, datum & 0xffffu};
        return TSR_OK;
    case TSR_FORMAT_FP16:
        *out = (carrier){CARRIER_FP16, datum & 0xffffu};
        return TSR_OK;
    case TSR_FORMAT_BFP8:
    case TSR_FORMAT_BFP4:
    case TSR_FORMAT_BFP2:
        *out = (carrier){CARRIER_BF16, tsr_block_to_bf16(widened, exponent)};
        return TSR_OK;
    case TSR_FORMAT_BFP8A:
    case TSR_FORMAT_BFP4A:
    case TSR_FORMAT_BFP2A:
        *out = (carrier){CARRIER_FP16, tsr_block_to_fp16(widened, exponent)};
        return TSR_OK;
    case TSR_FORMAT_FP8:
        datum &= 0xffu;
        datum = e4m3 ? fp8_e4m3_to_fp16(datum) : fp8_e5m2_to_fp16(mode->arch, datum);
        *out = (carrier){CARRIER_FP16, datum};
        return TSR_OK;
    case TSR_FORMAT_INT8:
        *out = (carrier){CARRIER_FP16, int8_to_fp16(mode->int8_unsigned, datum & 0xffu)};
        return TSR_OK;
    default:
        return TSR_BAD_ARGUMENT;
    }
}

static uint32_t lay_out_src(carrier c)
{
    switch (c.kind) {
    case CARRIER_32:
        return c.bits >> 13;
    case CARRIER_BF16:
        return c.bits << 3;
    case CARRIER_FP16:
        return (c.bits & 0x8000u) << 3 | (c.bits & 0x7fffu);
    default: // opaque: the low byte goes where the exponent is
        return (c.bits & 0x8000u) << 3 | (c.bits & 0xffu) << 10 | (c.bits >> 8 & 0x7fu) << 3;
    }
}

static uint32_t lay_out_dst(carrier c)
{
    switch (c.kind) {
    case CARRIER_32:
        return tsr_dst_shuffle_fp32(c.bits);
    case CARRIER_BF16:
        return tsr_dst_shuffle_bf16((uint16_t)c.bits);
    case CARRIER_FP16:
        return tsr_dst_shuffle_fp16((uint16_t)c.bits);
    default:
        return c.bits;
    }
}

tsr_status tsr_unpack_datum(const tsr_unpack_mode *mode, uint32_t datum, uint8_t exponent,
                            uint32_t *out)
{
    carrier c;
    tsr_status status = TSR_BAD_ARGUMENT;
    if (!mode || !out)
        return status;
    if (mode->in_format == TSR_FORMAT_FP32)
        status = convert_fp32(mode->out_format, datum, &c);
    else if (mode->in_format == mode->out_format)
        status = convert_same(mode, datum, exponent, &c);
    if (status == TSR_OK)
        *out = mode->to_dst ? lay_out_dst(c) : lay_out_src(c);
    return status;
}
