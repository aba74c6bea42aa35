// SPDX-License-Identifier: Apache-2.0
// The integer paths of the FPU: ALU_ACC_CTRL_INT8_math_enabled (MVMUL.md, ELWADD.md, ELWMUL.md,
// and the helpers of MatrixUnit.md).
#include "numerics/fpu.h"

// The phases keep bits where they are, so that the sum of the four products is the whole product.
static uint32_t phase_slice_a(uint8_t phase, uint32_t datum)
{
    return datum & ((phase & 1u) != 0 ? ~0x3e0u : ~0x31fu);
}

static uint32_t phase_slice_b(uint8_t phase, uint32_t datum)
{
    return datum & ((phase & 2u) != 0 ? ~0x3f0u : ~0x00fu);
}

int32_t tsr_fpu_int8_mul(uint8_t phase, uint32_t a, uint32_t b, bool flush_b)
{
    return tsr_fpu_int8_value(phase_slice_a(phase, a), true) *
           tsr_fpu_int8_value(phase_slice_b(phase, b), flush_b);
}

int32_t tsr_fpu_int8_dot16(uint8_t phase, const uint32_t a[16], const uint32_t b[16], bool flush_b)
{
    int32_t sum = 0;
    for (int k = 0; k < 16; k++)
        sum += tsr_fpu_int8_mul(phase, a[k], b[k], flush_b);
    return sum;
}

int32_t tsr_fpu_int8_add(uint32_t a, uint32_t b, bool flush_b)
{
    return tsr_fpu_int8_value(a, true) + tsr_fpu_int8_value(b, flush_b);
}

uint32_t tsr_fpu_int8_accumulate(uint32_t acc, int32_t term)
{
    int64_t sum = (int64_t)(acc & 0x7fffffffu);
    if (acc >> 31 != 0)
        sum = -sum;
    sum += term;
    uint64_t magnitude = (uint64_t)(sum < 0 ? -sum : sum);
    if (magnitude > 0x7fffffffu)
        magnitude = 0x7fffffffu;
    return (uint32_t)magnitude | (sum < 0 ? 0x80000000u : 0u);
}
