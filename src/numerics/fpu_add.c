// SPDX-License-Identifier: Apache-2.0
// The element-wise adder of ELWADD and ELWSUB (ELWADD.md, ELWSUB.md; exact arithmetic in
// docs/arithmetic.md).
#include "numerics/fpu.h"
#include "numerics/fpu_align.h"

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
    return tsr_fpu_add_by(mode, accumulate, acc, a, b, flush_b, NULL);
}
