// SPDX-License-Identifier: Apache-2.0
// Floating-point arithmetic of one vector element, as the instructions of F and Zfh have it: it
// rounds to nearest even, takes denormals for zeros where they do, and raises flags in fcsr.
// Page: InstructionSet.md and CSRs.md (fcsr, cfg0) of BlackholeA0/TensixTile/BabyRISCV.
#include "riscv/riscv_float.h"
#include "riscv/riscv_vector_ops.h"

static const struct tsr_float *format_of(const struct tsr_vector *v, unsigned bits)
{
    return bits == 32 ? &tsr_float32 : tsr_riscv_half_format(v->hart);
}

static void raise(const struct tsr_vector *v, unsigned flags)
{
    v->hart->csr[TSR_CSR_FCSR] |= flags;
}

// Two factors and what is added to their product, with the signs of the instruction.
static uint32_t multiply_add(const struct tsr_vector *v, const struct tsr_float *format, uint32_t a,
                             uint32_t b, uint32_t d, unsigned *flags)
{
    uint32_t sign = tsr_float_sign(format);
    bool to_d = v->operation <= VOP_FNMSAC; // vd is the sum, and no factor
    unsigned kind = v->operation - (to_d ? VOP_FMACC : VOP_FMADD);
    bool minus_product = kind == 1 || kind == 3, minus_sum = kind == 1 || kind == 2;
    uint32_t factor = to_d ? a : d, sum = to_d ? d : a;
    return tsr_riscv_multiply_add(format, minus_product ? b ^ sign : b, factor,
                                  minus_sum ? sum ^ sign : sum, flags);
}

static uint32_t arithmetic(const struct tsr_vector *v, const struct tsr_float *format, uint32_t a,
                           uint32_t b, uint32_t d, unsigned *flags)
{
    uint32_t sign = tsr_float_sign(format);
    switch (v->operation) {
    case VOP_FADD:
        return tsr_float_add(format, a, b, flags);
    case VOP_FSUB:
        return tsr_float_add(format, a, b ^ sign, flags);
    case VOP_FRSUB:
        return tsr_float_add(format, b, a ^ sign, flags);
    case VOP_FMUL:
        return tsr_float_mul(format, a, b, flags);
    case VOP_FMIN:
    case VOP_FMAX:
        return tsr_float_min(format, a, b, v->operation == VOP_FMAX, flags);
    case VOP_FSGNJ:
        return (a & ~sign) | (b & sign);
    case VOP_FSGNJN:
        return (a & ~sign) | (~b & sign);
    case VOP_FSGNJX:
        return a ^ (b & sign);
    case VOP_FCLASS:
        return tsr_float_class(format, a);
    default:
        return multiply_add(v, format, a, b, d, flags);
    }
}

// The result has fewer bits than what tsr_float_to_int() gives: what does not fit is invalid.
static uint32_t to_integer(const struct tsr_float *format, uint32_t a, bool is_signed,
                           unsigned bits, unsigned *flags)
{
    unsigned raised = 0;
    uint32_t value = tsr_float_to_int(format, a, is_signed, &raised), clipped = value;
    if (bits < 32 && is_signed) {
        int32_t most = (1 << (bits - 1)) - 1, number = tsr_vector_signed(value, 32);
        clipped = (uint32_t)(number > most ? most : number < -most - 1 ? -most - 1 : number);
    } else if (value > tsr_mask32(bits)) {
        clipped = tsr_mask32(bits);
    }
    *flags |= clipped != value ? TSR_FLOAT_INVALID : raised;
    return clipped;
}

static uint32_t from_integer(const struct tsr_float *format, uint32_t a, bool is_signed,
                             unsigned bits, unsigned *flags)
{
    uint32_t value = is_signed ? (uint32_t)tsr_vector_signed(a, bits) : a;
    return tsr_float_from_int(format, value, is_signed, flags);
}

static uint32_t to_odd(const struct tsr_float *to, const struct tsr_float *from, uint32_t a,
                       unsigned *flags)
{
    struct tsr_float to_zero = *to;
    to_zero.to_zero = true;
    unsigned raised = 0;
    uint32_t value = tsr_float_convert(&to_zero, from, a, &raised);
    *flags |= raised;
    return raised & TSR_FLOAT_INEXACT ? value | 1 : value;
}

static uint32_t convert(const struct tsr_vector *v, uint32_t a, unsigned *flags)
{
    unsigned from_bits = v->a.bits, to_bits = v->d.bits;
    bool to_zero = v->operation == VOP_F_TO_XU_ZERO || v->operation == VOP_F_TO_X_ZERO;
    switch (v->operation) {
    case VOP_F_TO_XU:
    case VOP_F_TO_X:
    case VOP_F_TO_XU_ZERO:
    case VOP_F_TO_X_ZERO: {
        struct tsr_float from = *format_of(v, from_bits);
        from.to_zero |= to_zero;
        bool is_signed = v->operation == VOP_F_TO_X || v->operation == VOP_F_TO_X_ZERO;
        return to_integer(&from, a, is_signed, to_bits, flags);
    }
    case VOP_XU_TO_F:
    case VOP_X_TO_F:
        return from_integer(format_of(v, to_bits), a, v->operation == VOP_X_TO_F, from_bits, flags);
    case VOP_F_TO_F:
        return tsr_float_convert(format_of(v, to_bits), format_of(v, from_bits), a, flags);
    default: // F_TO_F_ODD
        return to_odd(format_of(v, to_bits), format_of(v, from_bits), a, flags);
    }
}

uint32_t tsr_vector_float(const struct tsr_vector *v, uint32_t a, uint32_t b, uint32_t d)
{
    unsigned flags = 0;
    uint32_t result;
    if (v->operation >= VOP_F_TO_XU) {
        result = convert(v, a, &flags);
    } else {
        const struct tsr_float *format = format_of(v, v->d.bits);
        if (v->d.bits > v->a.bits)
            a = tsr_float_convert(format, format_of(v, v->a.bits), a, &flags);
        if (v->d.bits > v->sew && v->shape != VSHAPE_REDUCES_WIDE)
            b = tsr_float_convert(format, format_of(v, v->sew), b, &flags);
        result = arithmetic(v, format, a, b, d, &flags);
    }
    raise(v, flags);
    return result;
}

bool tsr_vector_compares_floats(const struct tsr_vector *v, uint32_t a, uint32_t b)
{
    const struct tsr_float *format = format_of(v, v->sew);
    unsigned flags = 0;
    bool result;
    if (v->operation == VOP_FEQ || v->operation == VOP_FNE)
        result = tsr_float_equal(format, a, b, &flags) == (v->operation == VOP_FEQ);
    else if (v->operation == VOP_FLT || v->operation == VOP_FLE)
        result = tsr_float_less(format, a, b, v->operation == VOP_FLE, &flags);
    else
        result = tsr_float_less(format, b, a, v->operation == VOP_FGE, &flags);
    raise(v, flags);
    return result;
}
