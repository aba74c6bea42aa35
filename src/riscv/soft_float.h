// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the cores' F and Zfh instructions on bits: binary32, binary16, and bfloat16 in
// binary16's place.
// Pages: InstructionSet.md (F, Zfh) and CSRs.md (fcsr, cfg0) of BlackholeA0/TensixTile/BabyRISCV.
#ifndef TESSERA_RISCV_SOFT_FLOAT_H
#define TESSERA_RISCV_SOFT_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

// Flags of fcsr.
enum {
    TSR_FLOAT_INEXACT = 1,
    TSR_FLOAT_UNDERFLOW = 2,
    TSR_FLOAT_OVERFLOW = 4,
    TSR_FLOAT_INVALID = 16
};

struct tsr_float {
    uint8_t exponent_bits, mantissa_bits;
    bool to_zero; // rounds so; to nearest, ties to even, otherwise
};

extern const struct tsr_float tsr_float32, tsr_float16, tsr_bfloat16, tsr_bfloat16_to_zero;

uint32_t tsr_float_nan(const struct tsr_float *format);  // the one that arithmetic makes
uint32_t tsr_float_sign(const struct tsr_float *format); // its bit

// a * b + c, rounded once; denormal operands count as zeros, and a denormal result becomes one.
uint32_t tsr_float_fma(const struct tsr_float *format, uint32_t a, uint32_t b, uint32_t c,
                       unsigned *flags);
uint32_t tsr_float_add(const struct tsr_float *format, uint32_t a, uint32_t b, unsigned *flags);
uint32_t tsr_float_mul(const struct tsr_float *format, uint32_t a, uint32_t b, unsigned *flags);

// With denormals, as IEEE 754 and the RISC-V manual have them.
bool tsr_float_equal(const struct tsr_float *format, uint32_t a, uint32_t b, unsigned *flags);
bool tsr_float_less(const struct tsr_float *format, uint32_t a, uint32_t b, bool or_equal,
                    unsigned *flags);
uint32_t tsr_float_min(const struct tsr_float *format, uint32_t a, uint32_t b, bool most,
                       unsigned *flags);
uint32_t tsr_float_class(const struct tsr_float *format, uint32_t a);
uint32_t tsr_float_to_int(const struct tsr_float *format, uint32_t a, bool is_signed,
                          unsigned *flags);
uint32_t tsr_float_from_int(const struct tsr_float *format, uint32_t value, bool is_signed,
                            unsigned *flags);
uint32_t tsr_float_convert(const struct tsr_float *to, const struct tsr_float *from, uint32_t a,
                           unsigned *flags);

#endif
