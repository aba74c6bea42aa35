// SPDX-License-Identifier: Apache-2.0
// What F and Zfh instructions do: operands from the registers, flags into fcsr. Zfh has the rows of
// F in the same order, on numbers in the low halves of the registers, the upper ones all ones.
// fmadd.s and its kin are neither fused nor separate: they round as the vector unit's multiply-add.
// Pages: InstructionSet.md and CSRs.md of BlackholeA0/TensixTile/BabyRISCV; docs/errata.md, 485.
#include "riscv/riscv_float.h"

#include "base/bits.h"

#include <tessera/numerics.h>

#define BOX 0xffff0000u

_Static_assert(RISCV_FMV_H_X - RISCV_FLH == RISCV_FMV_W_X - RISCV_FLW,
               "Zfh has F's rows in the same order, and its own behind them");

struct numbers {
    const struct tsr_float *format;
    bool half;
    uint32_t a, b, c; // of rs1, rs2, rs3
};

const struct tsr_float *tsr_riscv_half_format(const struct tsr_hart *hart)
{
    if (!tsr_hart_cfg0(hart, TSR_CFG0_EnBFloat))
        return &tsr_float16;
    return tsr_hart_cfg0(hart, TSR_CFG0_EnBFloatRTNE) ? &tsr_bfloat16 : &tsr_bfloat16_to_zero;
}

// A half that is not boxed counts as a NaN.
uint32_t tsr_riscv_number_in(const struct tsr_hart *hart, unsigned index,
                             const struct tsr_float *format)
{
    uint32_t bits = hart->f[index];
    if (format == &tsr_float32)
        return bits;
    return (bits & BOX) == BOX ? bits & ~BOX : tsr_float_nan(format);
}

uint32_t tsr_riscv_multiply_add(const struct tsr_float *format, uint32_t a, uint32_t b, uint32_t c,
                                unsigned *flags)
{
    uint32_t once = tsr_float_fma(format, a, b, c, flags);
    return format == &tsr_float32 ? tsr_sfpu_fma(TSR_BLACKHOLE_A0, a, b, c) : once;
}

static uint32_t fused(const struct numbers *n, unsigned code, unsigned *flags)
{
    uint32_t sign = tsr_float_sign(n->format);
    bool minus_product = code == RISCV_FNMSUB_S || code == RISCV_FNMADD_S;
    bool minus_c = code == RISCV_FMSUB_S || code == RISCV_FNMADD_S;
    uint32_t a = minus_product ? n->a ^ sign : n->a, c = minus_c ? n->c ^ sign : n->c;
    return tsr_riscv_multiply_add(n->format, a, n->b, c, flags);
}

// The instructions whose result is a number. False: not one of them.
static bool compute_number(const struct numbers *n, unsigned code, unsigned *flags,
                           uint32_t *result)
{
    uint32_t sign = tsr_float_sign(n->format);
    switch (code) {
    case RISCV_FMADD_S:
    case RISCV_FMSUB_S:
    case RISCV_FNMSUB_S:
    case RISCV_FNMADD_S:
        *result = fused(n, code, flags);
        return true;
    case RISCV_FADD_S:
        *result = tsr_float_add(n->format, n->a, n->b, flags);
        return true;
    case RISCV_FSUB_S:
        *result = tsr_float_add(n->format, n->a, n->b ^ sign, flags);
        return true;
    case RISCV_FMUL_S:
        *result = tsr_float_mul(n->format, n->a, n->b, flags);
        return true;
    case RISCV_FSGNJ_S:
        *result = (n->a & ~sign) | (n->b & sign);
        return true;
    case RISCV_FSGNJN_S:
        *result = (n->a & ~sign) | (~n->b & sign);
        return true;
    case RISCV_FSGNJX_S:
        *result = n->a ^ (n->b & sign);
        return true;
    case RISCV_FMIN_S:
    case RISCV_FMAX_S:
        *result = tsr_float_min(n->format, n->a, n->b, code == RISCV_FMAX_S, flags);
        return true;
    default:
        return false;
    }
}

// Those whose result is an integer.
static bool compute_integer(const struct numbers *n, unsigned code, unsigned *flags,
                            uint32_t *result)
{
    switch (code) {
    case RISCV_FCVT_W_S:
    case RISCV_FCVT_WU_S:
        *result = tsr_float_to_int(n->format, n->a, code == RISCV_FCVT_W_S, flags);
        return true;
    case RISCV_FEQ_S:
        *result = tsr_float_equal(n->format, n->a, n->b, flags);
        return true;
    case RISCV_FLT_S:
    case RISCV_FLE_S:
        *result = tsr_float_less(n->format, n->a, n->b, code == RISCV_FLE_S, flags);
        return true;
    case RISCV_FCLASS_S:
        *result = tsr_float_class(n->format, n->a);
        return true;
    default:
        return false;
    }
}

// From an integer register, and between the formats.
static uint32_t move_or_convert(const struct tsr_hart *hart, const struct tsr_riscv_op *op,
                                const struct numbers *n, unsigned code, unsigned *flags)
{
    uint32_t x = hart->x[op->rs1];
    if (op->code == RISCV_FCVT_S_H)
        return tsr_float_convert(&tsr_float32, n->format, n->a, flags);
    if (op->code == RISCV_FCVT_H_S)
        return tsr_float_convert(n->format, &tsr_float32, hart->f[op->rs1], flags);
    if (code == RISCV_FMV_W_X)
        return n->half ? x & ~BOX : x;
    return tsr_float_from_int(n->format, x, code == RISCV_FCVT_S_W, flags);
}

static enum tsr_riscv_went load_or_store(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                         struct tsr_riscv_place place,
                                         const struct tsr_riscv_op *op)
{
    bool half = op->code == RISCV_FLH || op->code == RISCV_FSH;
    uint32_t address = hart->x[op->rs1] + op->imm, width = half ? 2 : 4, value;
    if (op->code == RISCV_FSW || op->code == RISCV_FSH)
        return tsr_riscv_store(riscv, hart, place, address, width, hart->f[op->rs2]);
    enum tsr_riscv_went went = tsr_riscv_load(riscv, hart, place, address, width, &value);
    if (went == TSR_RISCV_WENT)
        hart->f[op->rd] = half ? value | BOX : value;
    return went;
}

enum tsr_riscv_went tsr_riscv_execute_float(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                            struct tsr_riscv_place place,
                                            const struct tsr_riscv_op *op)
{
    bool half = op->code >= RISCV_FLH;
    unsigned code = half ? op->code - RISCV_FLH + RISCV_FLW : op->code; // F's of the same name
    if (code == RISCV_FLW || code == RISCV_FSW)
        return load_or_store(riscv, hart, place, op);
    const struct tsr_float *format = half ? tsr_riscv_half_format(hart) : &tsr_float32;
    struct numbers n = {format, half, tsr_riscv_number_in(hart, op->rs1, format),
                        tsr_riscv_number_in(hart, op->rs2, format),
                        tsr_riscv_number_in(hart, tsr_bits(op->word, 27, 5), format)};
    unsigned flags = 0;
    uint32_t result;
    if (code == RISCV_FMV_X_W || compute_integer(&n, code, &flags, &result)) {
        if (code == RISCV_FMV_X_W)
            result = half ? (uint32_t)(int16_t)hart->f[op->rs1] : hart->f[op->rs1];
        if (op->rd != 0)
            hart->x[op->rd] = result;
    } else {
        if (!compute_number(&n, code, &flags, &result))
            result = move_or_convert(hart, op, &n, code, &flags);
        bool boxes = half && op->code != RISCV_FCVT_S_H;
        hart->f[op->rd] = boxes ? result | BOX : result;
    }
    hart->csr[TSR_CSR_FCSR] |= flags;
    return TSR_RISCV_WENT;
}
