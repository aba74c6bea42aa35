// SPDX-License-Identifier: Apache-2.0
// The packers' ReLU, between early and late conversion (Packers/ReLU.md). All comparisons are on
// bit patterns, where every pattern with the sign bit set, minus zero included, counts as below
// zero.
#include "numerics/pack_stages.h"

enum { RELU_NONE = 0, RELU_ZERO = 1, RELU_MIN_THRESHOLD = 2, RELU_MAX_THRESHOLD = 3 };

static uint32_t sign_mask(tsr_pack_kind kind)
{
    switch (kind) {
    case TSR_PACK_UINT8:
        return 0;
    case TSR_PACK_INT8:
        return 0x80;
    case TSR_PACK_INT16:
    case TSR_PACK_FP16:
    case TSR_PACK_E5M7:
        return 0x8000;
    default:
        return 0x80000000u;
    }
}

tsr_status tsr_pack_relu(const tsr_pack_mode *mode, tsr_pack_value *value)
{
    uint8_t relu_mode = mode->relu_mode & 3u;
    if (relu_mode == RELU_NONE)
        return TSR_OK;
    bool e8 = tsr_pack_kind_is_e8(value->kind);
    if (relu_mode != RELU_ZERO && !e8 && !tsr_pack_kind_is_e5(value->kind))
        return TSR_BAD_ARGUMENT; // integers have no threshold
    uint32_t threshold = e8 ? (uint32_t)mode->relu_threshold << 16 : mode->relu_threshold;
    unsigned unseen = e8 ? 13 : 0; // the clamp compares an FP32 in the precision of TF32 only
    if ((value->bits & sign_mask(value->kind)) != 0)
        value->bits = 0;
    else if (relu_mode == RELU_MIN_THRESHOLD && value->bits <= threshold)
        value->bits = 0;
    else if (relu_mode == RELU_MAX_THRESHOLD && value->bits >> unseen > threshold >> unseen)
        value->bits = threshold;
    return TSR_OK;
}
