// SPDX-License-Identifier: Apache-2.0
// The FPU's arithmetic on single datums: products with fidelity phases (MVMUL, GAPOOL, DOTPV,
// ELWMUL), the element-wise adder (ELWADD, ELWSUB), and the integer paths of
// ALU_ACC_CTRL_INT8_math_enabled. Exact arithmetic is in docs/arithmetic.md.
// Pages: MatrixUnit.md, MVMUL.md, GAPOOL.md, DOTPV.md, ELWMUL.md, ELWADD.md, ELWSUB.md,
// SrcASrcB.md.
#include "numerics/fpu.h"

#include "numerics/fpu_align.h"

// ---------------------------------------------------------------- products

// What a phase makes of the two operands: which mantissa bits, and the exponent they stand for.
typedef struct phase_plan {
    uint32_t shift_a, mask_a;
    uint32_t shift_b, mask_b, scale_b;
    int32_t bias;          // added to the sum of the exponents
    int32_t zero_exponent; // of a product with a zero operand
} phase_plan;

typedef struct product {
    uint32_t negative;
    int32_t exponent;
    uint32_t magnitude; // 12 bits, in units of 2^-10
} product;

static inline phase_plan plan_phase(const tsr_fpu_mode *mode)
{
    bool low_a = (mode->phase & 1u) != 0;
    bool low_b = (mode->phase & 2u) != 0;
    phase_plan plan = {
        .shift_a = low_a ? 1 : 6,
        .mask_a = 0x1f,
        .shift_b = low_b ? 0 : 4,
        .mask_b = low_b ? 0xf : 0x7f,
        .scale_b = low_b ? 3 : 0,
    };
    plan.bias = (mode->e8 ? -127 : mode->acc32 ? 97 : -15) - (low_a ? 5 : 0) - (low_b ? 7 : 0);
    plan.zero_exponent = plan.bias > 0 ? plan.bias : 0;
    return plan;
}

static inline uint32_t exponent_of(uint32_t datum)
{
    return datum >> 10 & 0xffu;
}

// The multipliers do not normalise: a slice of zeros still has the exponent of its operand.
static inline product multiply(const phase_plan *plan, uint32_t a, uint32_t b)
{
    uint32_t slice_a = ((a & 0x3ffu) | 0x400u) >> plan->shift_a & plan->mask_a;
    uint32_t slice_b = (((b & 0x3ffu) | 0x400u) >> plan->shift_b & plan->mask_b) << plan->scale_b;
    return (product){
        .negative = (a ^ b) >> 18 & 1u,
        .exponent = (int32_t)(exponent_of(a) + exponent_of(b)) + plan->bias,
        .magnitude = slice_a * slice_b,
    };
}

static inline product zero_product(const phase_plan *plan)
{
    return (product){.negative = 0, .exponent = plan->zero_exponent, .magnitude = 0};
}

// Eight products at their largest exponent, each rounded half up in magnitude, summed exactly.
static inline tsr_fpu_term sum_group(const phase_plan *plan, const uint32_t *a, const uint32_t *b)
{
    product p[8];
    int32_t top = 0;
    for (int k = 0; k < 8; k++) {
        bool zero = exponent_of(a[k]) == 0 || exponent_of(b[k]) == 0;
        p[k] = zero ? zero_product(plan) : multiply(plan, a[k], b[k]);
        top = p[k].exponent > top ? p[k].exponent : top;
    }
    if (top <= 0)
        return (tsr_fpu_term){0, 0, 0};
    int32_t sum = 0;
    for (int k = 0; k < 8; k++) {
        uint32_t m = tsr_fpu_shift_half_up(p[k].magnitude, (uint32_t)(top - p[k].exponent));
        sum += p[k].negative != 0 ? -(int32_t)m : (int32_t)m;
    }
    uint32_t magnitude = (uint32_t)(sum < 0 ? -sum : sum);
    return (tsr_fpu_term){sum < 0, top, magnitude << 13};
}

uint32_t tsr_fpu_dot16_by(const tsr_fpu_mode *mode, uint32_t acc, const uint32_t a[16],
                          const uint32_t b[16], const uint32_t *noise)
{
    phase_plan plan = plan_phase(mode);
    tsr_fpu_term low = sum_group(&plan, a, b);
    tsr_fpu_term high = sum_group(&plan, a + 8, b + 8);
    return tsr_fpu_final(mode, low, high, acc, noise);
}

uint32_t tsr_fpu_dot16(const tsr_fpu_mode *mode, uint32_t acc, const uint32_t a[16],
                       const uint32_t b[16])
{
    return mode && a && b ? tsr_fpu_dot16_by(mode, acc, a, b, NULL) : acc;
}

uint32_t tsr_fpu_mul_by(const tsr_fpu_mode *mode, uint32_t acc, uint32_t a, uint32_t b,
                        bool flush_b, const uint32_t *noise)
{
    phase_plan plan = plan_phase(mode);
    product p = multiply(&plan, a, b);
    bool zero = exponent_of(a) == 0 || (flush_b && exponent_of(b) == 0);
    if (zero || p.exponent <= 0)
        p = zero_product(&plan);
    tsr_fpu_term term = {p.negative, p.exponent, p.magnitude << 13};
    return tsr_fpu_final(mode, term, (tsr_fpu_term){0, 0, 0}, acc, noise);
}

uint32_t tsr_fpu_mul(const tsr_fpu_mode *mode, uint32_t acc, uint32_t a, uint32_t b, bool flush_b)
{
    return mode ? tsr_fpu_mul_by(mode, acc, a, b, flush_b, NULL) : acc;
}

// ---------------------------------------------------------------- the element-wise sum

static inline uint32_t significand_of(uint32_t datum)
{
    return datum != 0 ? (datum & 0x3ffu) | 0x400u : 0;
}

// The sum in eleven bits of significand, without guard bits: what does not fit is rounded into
// the larger operand's last place before the addition.
static inline tsr_fpu_term add_datums(const tsr_fpu_mode *mode, uint32_t a, uint32_t b)
{
    bool swap = (b & 0x3ffffu) > (a & 0x3ffffu);
    uint32_t large = swap ? b : a;
    uint32_t small = swap ? a : b;
    int32_t exponent = (int32_t)(large >> 10 & 0xffu);
    uint32_t distance = (uint32_t)exponent - (small >> 10 & 0xffu);
    // From 12 on the shift leaves nothing, as the specification asks.
    uint32_t m_small = tsr_fpu_shift_half_up(significand_of(small), distance);
    uint32_t m_large = significand_of(large);
    bool subtract = ((large ^ small) >> 18 & 1u) != 0;
    uint32_t m = subtract ? m_large - m_small : m_large + m_small;
    if (subtract && m_small > m_large)
        m = 0; // 0 + (-0) unflushed: outside of what the hardware defines
    if (!mode->e8 && mode->acc32)
        exponent = exponent != 0 ? exponent + 112 : 97;
    // ELWADD.md: a phase divides by 32, by 128, or by both, as it does for products.
    exponent -= ((mode->phase & 1u) != 0 ? 5 : 0) + ((mode->phase & 2u) != 0 ? 7 : 0);
    return (tsr_fpu_term){large >> 18 & 1u, exponent, m << 13};
}

uint32_t tsr_fpu_add_by(const tsr_fpu_mode *mode, bool accumulate, uint32_t acc, uint32_t a,
                        uint32_t b, bool flush_b, const uint32_t *noise)
{
    a = (a & 0x3fc00u) == 0 ? 0 : a;
    b = flush_b && (b & 0x3fc00u) == 0 ? 0 : b;
    tsr_fpu_term term = add_datums(mode, a, b);
    if (accumulate)
        return tsr_fpu_final(mode, term, (tsr_fpu_term){0, 0, 0}, acc, noise);
    // Nothing to align: the term is alone, and its 11 bits survive the cut for a 16-bit Dst.
    if (term.exponent <= 0)
        return 0;
    int32_t sum = term.negative != 0 ? -(int32_t)term.magnitude : (int32_t)term.magnitude;
    return tsr_fpu_round(mode, sum, term.exponent, noise);
}

uint32_t tsr_fpu_add(const tsr_fpu_mode *mode, bool accumulate, uint32_t acc, uint32_t a,
                     uint32_t b, bool flush_b)
{
    return mode ? tsr_fpu_add_by(mode, accumulate, acc, a, b, flush_b, NULL) : acc;
}

// ---------------------------------------------------------------- integers

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
