// SPDX-License-Identifier: Apache-2.0
// What the matrix unit needs of the FPU's arithmetic beyond the public functions: how a format
// selects the style of an operation, what the multipliers see of a Src datum, and the integer
// paths (MatrixUnit.md, MVMUL.md, ELWADD.md, ELWMUL.md, ELWSUB.md).
#ifndef NUMERICS_FPU_H
#define NUMERICS_FPU_H

#include <tessera/numerics.h>

// Formats of five-bit exponents. Integer "8" counts: Src and Dst hold it as an FP16.
static inline bool tsr_fpu_format_is_e5(uint8_t format)
{
    // FP16, BFP8a, BFP4a, FP8, BFP2a, INT8
    return (1u << (format & 15u) & 0x4c0eu) != 0;
}

// A Src datum as the FPU reads it under `format`: five-bit styles drop the upper exponent bits,
// eight-bit ones the mantissa bits that a BF16 does not have, TF32 nothing.
static inline uint32_t tsr_fpu_operand(uint8_t format, uint32_t datum)
{
    if (tsr_fpu_format_is_e5(format))
        return datum & ~(7u << 15) & 0x7ffffu;
    return format == 4 ? datum & 0x7ffffu : datum & 0x7fff8u;
}

// The bits of a Src datum that tsr_fpu_operand() keeps.
static inline uint32_t tsr_fpu_operand_mask(uint8_t format)
{
    return tsr_fpu_operand(format, 0x7ffffu);
}

// tsr_fpu_dot16(), _mul() and _add() with the random bits of a stochastic rounding: one word for a
// result, for every cut on its way into Dst; NULL rounds to nearest (docs/errata.md).
uint32_t tsr_fpu_dot16_by(const tsr_fpu_mode *mode, uint32_t acc, const uint32_t a[16],
                          const uint32_t b[16], const uint32_t *noise);
uint32_t tsr_fpu_mul_by(const tsr_fpu_mode *mode, uint32_t acc, uint32_t a, uint32_t b,
                        bool flush_b, const uint32_t *noise);
uint32_t tsr_fpu_add_by(const tsr_fpu_mode *mode, bool accumulate, uint32_t acc, uint32_t a,
                        uint32_t b, bool flush_b, const uint32_t *noise);

// Integer "8" has 16 as its exponent, or where its magnitude is 0, 0.
static inline bool tsr_fpu_int8_conforms(uint32_t datum)
{
    uint32_t exponent = datum >> 10 & 0xffu;
    return exponent == 16 || (datum & 0x3ffffu) == 0;
}

// Integer "8": a sign and ten bits of magnitude. `flush`: a datum with exponent 0 is 0.
static inline int32_t tsr_fpu_int8_value(uint32_t datum, bool flush)
{
    if (flush && (datum >> 10 & 0xffu) == 0)
        return 0;
    int32_t magnitude = (int32_t)(datum & 0x3ffu);
    return (datum >> 18 & 1u) != 0 ? -magnitude : magnitude;
}

// The product of the magnitude bits that this phase takes from either operand.
int32_t tsr_fpu_int8_mul(uint8_t phase, uint32_t a, uint32_t b, bool flush_b);
// The sixteen products of MVMUL, summed exactly.
int32_t tsr_fpu_int8_dot16(uint8_t phase, const uint32_t a[16], const uint32_t b[16], bool flush_b);
// a+b; for ELWSUB invert b's sign first.
int32_t tsr_fpu_int8_add(uint32_t a, uint32_t b, bool flush_b);
// acc + term saturated to 31 bits of magnitude; acc and result are sign and magnitude, and no
// result is minus zero. To assign instead of accumulate pass 0 as acc.
uint32_t tsr_fpu_int8_accumulate(uint32_t acc, int32_t term);

#endif
