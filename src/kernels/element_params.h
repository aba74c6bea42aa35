// SPDX-License-Identifier: Apache-2.0
// The parameters of an operation, made of its mode once a call, for the lanes of element_lane.h and
// for the loops of element_tmpl.h and dot_tmpl.h, which include this. Must equal plan_phase() of
// numerics/fpu.c (SrcASrcB.md, "Fidelity phases"; exact arithmetic in docs/arithmetic.md).
#ifndef TESSERA_KERNELS_ELEMENT_PARAMS_H
#define TESSERA_KERNELS_ELEMENT_PARAMS_H

#include "base/format_codes.h"
#include "kernels/element_lane.h"
#include "kernels/kernel_types.h"
#include "numerics/fpu.h"

static inline tsr_lane_params tsr_element_params(const tsr_element_mode *mode, bool e8, bool acc32)
{
    bool low_a = (mode->fpu.phase & 1u) != 0;
    bool low_b = (mode->fpu.phase & 2u) != 0;
    int32_t phase_loss = (low_a ? 5 : 0) + (low_b ? 7 : 0);
    int32_t bias = (e8 ? -127 : acc32 ? 97 : -15) - phase_loss;
    return (tsr_lane_params){
        .e8 = e8,
        .acc32 = acc32,
        .lone_unit_bug = mode->fpu.arch == TSR_WORMHOLE_B0,
        .mask_a = tsr_fpu_operand_mask(mode->format_a),
        .mask_b = tsr_fpu_operand_mask(mode->format_b),
        .flip_b = mode->op == TSR_ELEMENT_SUB ? 1u << 18 : 0,
        .keep_b = mode->flush_b ? 0 : ~0u,
        .shift_a = low_a ? 1 : 6,
        .slice_a = 0x1f,
        .shift_b = low_b ? 0 : 4,
        .slice_b = low_b ? 0xf : 0x7f,
        .scale_b = low_b ? 3 : 0,
        .phase_loss = phase_loss,
        .bias = bias,
        .zero_exponent = bias > 0 ? bias : 0,
    };
}

// Both operands are BF16, with denormals flushed: then datums fit 16 bits.
static inline bool tsr_lane_adds_bf16(const tsr_lane_params *params)
{
    const uint32_t mask = tsr_fpu_operand_mask(TSR_FORMAT_BF16);
    return params->e8 && params->mask_a == mask && params->mask_b == mask && params->keep_b == 0;
}

#endif
