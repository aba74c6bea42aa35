// SPDX-License-Identifier: Apache-2.0
// The packers' late format conversion, from the intermediate format to what L1 holds, or to what
// block assembly takes (Packers/FormatConversion.md); and the stages in a row.
#include "base/format_codes.h"
#include "numerics/float_narrow.h"
#include "numerics/pack_stages.h"

// BF16 pattern. Whatever was not a BF16 before loses its denormals.
static uint32_t late_bf16(tsr_pack_value value)
{
    if (value.kind == TSR_PACK_BF16)
        return value.bits >> 16;
    if (tsr_pack_kind_is_e8(value.kind))
        return (value.bits & 0x7f800000u) == 0 ? 0 : value.bits >> 16;
    return (value.bits & 0x7c00u) == 0 ? 0 : tsr_widen_from_fp16(value.bits) >> 16;
}

static uint32_t late_fp16(tsr_pack_value value)
{
    return tsr_pack_kind_is_e8(value.kind) ? tsr_narrow_to_fp16(value.bits) : value.bits;
}

// FP16 pattern of which assembly of an a-format uses seven mantissa bits.
static uint32_t late_e5m7(tsr_pack_value value)
{
    if (value.kind == TSR_PACK_FP16 && (value.bits & 0x7c00u) == 0)
        return 0;
    return late_fp16(value) & ~7u;
}

static uint32_t late_fp8_e4m3(uint32_t fp16)
{
    uint32_t sign = fp16 >> 8 & 0x80u;
    uint32_t exponent = fp16 >> 10 & 0x1fu;
    if (exponent <= 8)
        return sign;
    if (exponent >= 24)
        return sign | 0x7f;
    return sign | (exponent - 8) << 3 | (fp16 >> 7 & 7u);
}

static uint32_t late_fp8(const tsr_pack_mode *mode, tsr_pack_value value)
{
    uint32_t fp16 = late_fp16(value);
    if (mode->arch == TSR_BLACKHOLE_A0 && mode->lf8_4b_exp)
        return late_fp8_e4m3(fp16);
    bool narrows = value.kind == TSR_PACK_FP16 ||
                   (value.kind == TSR_PACK_E5M7 && mode->in_format != TSR_FORMAT_FP8);
    return narrows && (fp16 & 0x7c00u) == 0 ? 0 : fp16 >> 8;
}

static uint32_t late_fp32(tsr_pack_value value)
{
    return tsr_pack_kind_is_e8(value.kind) ? value.bits : tsr_widen_from_fp16(value.bits);
}

// FP16 from a 32-bit Dst is a TF32 up to here, also for the exponent threshold.
static tsr_pack_value narrow_fp16(const tsr_pack_mode *mode, tsr_pack_value value)
{
    if (mode->in_format == TSR_FORMAT_FP16 && value.kind == TSR_PACK_TF32)
        value = (tsr_pack_value){TSR_PACK_FP16, tsr_narrow_to_fp16(value.bits)};
    return value;
}

static tsr_status late_float(const tsr_pack_mode *mode, tsr_pack_value value, uint32_t *out)
{
    value = narrow_fp16(mode, value);
    switch (mode->out_format) {
    case TSR_FORMAT_FP32:
        *out = late_fp32(value);
        return TSR_OK;
    case TSR_FORMAT_TF32:
        *out = late_fp32(value);
        // Early conversion is the only one that can make a TF32 of an FP32.
        return value.kind == TSR_PACK_FP32 ? TSR_BAD_ARGUMENT : TSR_OK;
    case TSR_FORMAT_BF16:
    case TSR_FORMAT_BFP8:
    case TSR_FORMAT_BFP4:
    case TSR_FORMAT_BFP2:
        *out = late_bf16(value);
        return TSR_OK;
    case TSR_FORMAT_FP16:
        *out = late_fp16(value);
        return TSR_OK;
    case TSR_FORMAT_FP8:
        *out = late_fp8(mode, value);
        return TSR_OK;
    case TSR_FORMAT_BFP8A:
    case TSR_FORMAT_BFP4A:
    case TSR_FORMAT_BFP2A:
        *out = late_e5m7(value);
        return TSR_OK;
    default:
        return TSR_BAD_ARGUMENT;
    }
}

// Integers only ever stay what they are.
static bool integer_format_matches(tsr_pack_kind kind, uint8_t out_format)
{
    switch (kind) {
    case TSR_PACK_INT32:
        return out_format == TSR_FORMAT_INT32;
    case TSR_PACK_INT16:
        return out_format == TSR_FORMAT_INT16;
    default:
        return out_format == TSR_FORMAT_INT8;
    }
}

tsr_status tsr_pack_late(const tsr_pack_mode *mode, tsr_pack_value value, uint32_t *out)
{
    if (tsr_pack_kind_is_e8(value.kind) || tsr_pack_kind_is_e5(value.kind))
        return late_float(mode, value, out);
    *out = value.bits;
    return integer_format_matches(value.kind, mode->out_format) ? TSR_OK : TSR_BAD_ARGUMENT;
}

tsr_status tsr_pack_datum(const tsr_pack_mode *mode, uint32_t dst, uint32_t *out)
{
    if (!mode || !out)
        return TSR_BAD_ARGUMENT;
    tsr_pack_value value;
    tsr_status status = tsr_pack_early(mode, dst, NULL, &value);
    if (status == TSR_OK)
        status = tsr_pack_relu(mode, &value);
    if (status == TSR_OK)
        status = tsr_pack_late(mode, value, out);
    return status;
}
