// SPDX-License-Identifier: Apache-2.0
// The packers' stages that look at exponents between ReLU and late conversion, and the value that
// an edge mask puts in. Pages: Packers/ExponentHistogram.md, Packers/ExponentThresholding.md,
// Packers/EdgeMasking.md, FloatBitPatterns.md.
#include "base/format_codes.h"
#include "numerics/pack_stages.h"

uint8_t tsr_pack_exponent(tsr_pack_value value)
{
    switch (value.kind) {
    case TSR_PACK_FP16:
    case TSR_PACK_E5M7:
        return value.bits >> 10 & 0x1fu;
    case TSR_PACK_INT16:
    case TSR_PACK_UINT8:
        return value.bits & 0xffu;
    case TSR_PACK_INT8:
        return value.bits & 0x7fu; // the magnitude
    default:                       // INT32 is taken for an FP32
        return value.bits >> 23 & 0xffu;
    }
}

// BFP2a is a hardware bug, which the plan reports; like BFP2 and the integers it stays as it is.
static bool has_exponent(uint8_t in_data_format)
{
    switch (in_data_format) {
    case TSR_FORMAT_FP32:
    case TSR_FORMAT_TF32:
    case TSR_FORMAT_BF16:
    case TSR_FORMAT_BFP8:
    case TSR_FORMAT_BFP4:
    case TSR_FORMAT_FP16:
    case TSR_FORMAT_FP8:
    case TSR_FORMAT_BFP8A:
    case TSR_FORMAT_BFP4A:
        return true;
    default:
        return false;
    }
}

void tsr_pack_threshold(uint8_t in_data_format, uint8_t threshold, tsr_pack_value *value)
{
    if (has_exponent(in_data_format) && tsr_pack_exponent(*value) < threshold)
        value->bits = 0;
}

// Five exponent bits have no infinity: the largest pattern stands for it, with the mantissa bits
// that the kind has. Integers have none either and get their lowest value.
tsr_pack_value tsr_pack_minus_infinity(const tsr_pack_mode *mode, tsr_pack_kind kind)
{
    switch (kind) {
    case TSR_PACK_FP16:
        return (tsr_pack_value){kind, 0xffff};
    case TSR_PACK_E5M7:
        if (mode->in_format == TSR_FORMAT_FP8)
            return (tsr_pack_value){kind, 0xff00};
        return (tsr_pack_value){kind, mode->read_raw ? 0xfff8 : 0xfff0};
    case TSR_PACK_INT32:
        return (tsr_pack_value){kind, 0xffffffffu};
    case TSR_PACK_INT16:
        return (tsr_pack_value){kind, 0xffff};
    case TSR_PACK_INT8:
        return (tsr_pack_value){kind, 0xff};
    case TSR_PACK_UINT8:
        return (tsr_pack_value){kind, 0};
    default:
        return (tsr_pack_value){kind, 0xff800000u};
    }
}
