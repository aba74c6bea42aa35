// SPDX-License-Identifier: Apache-2.0
// The element-wise operations in AVX-512, sixteen datums at once (ELWADD.md, ELWSUB.md, ELWMUL.md;
// exact arithmetic in docs/arithmetic.md). Included by element_tmpl.h in place of its own loops.
// Must equal tsr_fpu_add() and tsr_fpu_mul() of numerics/fpu.c.
#ifndef TESSERA_KERNELS_ELEMENT_AVX512_H
#define TESSERA_KERNELS_ELEMENT_AVX512_H

#include "kernels/element_lane.h"
#include "kernels/lanes_avx512.h"

#define ELEMENT TSR_INLINE TSR_TARGET

enum { ELEMENT_ROW = 16, ELEMENT_PAIR = 2 * ELEMENT_ROW };

// A signed value in units of 2^-10 at `exponent`, or of 2^-24: "doubled" in lanes_avx512.h.
typedef struct element_lanes {
    __m512i value, exponent;
} element_lanes;

// Datums rotated until the sign is the lowest bit compare as magnitudes. The sign of a sum of zero
// does not matter, so which of two equal ones is the larger does not either. Flushed datums are
// recognised by their exponent when the mantissa is taken; A's alone are cleared before, because
// B's denormals may count. `lone`: nothing is accumulated in 16 bits, where a top of 0 is 0 anyway.
ELEMENT element_lanes element_add(const tsr_lane_params *params, const uint32_t *from_a,
                                  const uint32_t *from_b, bool lone)
{
    const __m512i sign = lanes_set(1), some = lanes_set((int32_t)(params->keep_b | 0xff000000u));
    __m512i a = _mm512_and_si512(_mm512_loadu_si512(from_a), lanes_set((int32_t)params->mask_a));
    __m512i b =
        _mm512_ternarylogic_epi32(_mm512_loadu_si512(from_b), lanes_set((int32_t)params->mask_b),
                                  lanes_set((int32_t)params->flip_b), 0x6a); // (b & mask) ^ flip
    a = _mm512_maskz_rol_epi32(_mm512_test_epi32_mask(a, lanes_set(0x3fc00)), a, 14);
    b = _mm512_rol_epi32(b, 14);
    __m512i large = _mm512_max_epu32(a, b), small = _mm512_min_epu32(a, b);
    __m512i exponent = _mm512_srli_epi32(large, 24);
    __m512i distance = _mm512_sub_epi32(exponent, _mm512_srli_epi32(small, 24));
    __mmask16 nonzero =
        lone ? 0xffff : _mm512_test_epi32_mask(large, _mm512_andnot_si512(sign, some));
    __m512i m_large = lanes_merge_if(nonzero, _mm512_srli_epi32(large, 14), 0x3ff, 0x400);
    __m512i m_small = lanes_merge_if(_mm512_test_epi32_mask(small, some),
                                     _mm512_srli_epi32(small, 13), 0x7fe, 0x800);
    m_small = _mm512_avg_epu16(_mm512_srlv_epi32(m_small, distance), _mm512_setzero_si512());
    m_large = lanes_negate_if(_mm512_test_epi32_mask(large, sign), m_large);
    __m512i sum = _mm512_add_epi32(m_large, m_small);
    sum = _mm512_mask_sub_epi32(sum, _mm512_test_epi32_mask(small, sign), m_large, m_small);
    if (!params->e8 && params->acc32) {
        __mmask16 above = _mm512_test_epi32_mask(exponent, exponent);
        exponent = _mm512_mask_add_epi32(lanes_set(97), above, exponent, lanes_set(112));
    }
    exponent = _mm512_sub_epi32(exponent, lanes_set(params->phase_loss));
    return (element_lanes){sum, exponent};
}

// The slices of a phase stay where they are in their significands; their product goes to its place
// in one shift.
ELEMENT element_lanes element_mul(const tsr_lane_params *params, const uint32_t *from_a,
                                  const uint32_t *from_b)
{
    __m512i a = _mm512_and_si512(_mm512_loadu_si512(from_a), lanes_set((int32_t)params->mask_a));
    __m512i b = _mm512_and_si512(_mm512_loadu_si512(from_b), lanes_set((int32_t)params->mask_b));
    __mmask16 nonzero = _mm512_test_epi32_mask(a, lanes_set(0x3fc00));
    nonzero = _mm512_mask_test_epi32_mask(
        nonzero, _mm512_or_si512(b, lanes_set((int32_t)params->keep_b)), lanes_set(0x3fc00));
    const int32_t slice_a = (int32_t)(params->slice_a << params->shift_a);
    const int32_t slice_b = (int32_t)(params->slice_b << params->shift_b);
    const __m512i field = lanes_set(0xff);
    __m512i exponent = _mm512_add_epi32(_mm512_and_si512(_mm512_srli_epi32(a, 10), field),
                                        _mm512_and_si512(_mm512_srli_epi32(b, 10), field));
    exponent = _mm512_add_epi32(exponent, lanes_set(params->bias));
    nonzero = _mm512_mask_cmpgt_epi32_mask(nonzero, exponent, _mm512_setzero_si512());
    exponent = _mm512_mask_mov_epi32(lanes_set(params->zero_exponent), nonzero, exponent);
    __m512i m = _mm512_madd_epi16(lanes_merge(a, slice_a & 0x3ff, lanes_set(slice_a & 0x400)),
                                  lanes_merge(b, slice_b & 0x3ff, lanes_set(slice_b & 0x400)));
    const uint32_t left = 14 + params->scale_b - params->shift_a - params->shift_b;
    m = _mm512_maskz_sll_epi32(nonzero, m, _mm_cvtsi32_si128((int32_t)left));
    __mmask16 negative = _mm512_test_epi32_mask(_mm512_xor_si512(a, b), lanes_set(1 << 18));
    return (element_lanes){lanes_negate_if(negative, m), exponent};
}

// The term that the adder aligns, doubled.
ELEMENT element_lanes element_lanes_term(const tsr_lane_params *params, const uint32_t *a,
                                         const uint32_t *b, bool mul)
{
    if (mul)
        return element_mul(params, a, b);
    element_lanes term = element_add(params, a, b, false);
    term.value = _mm512_slli_epi32(term.value, 14);
    return term;
}

ELEMENT __m512i element_lanes_sum(element_lanes term, lanes_acc acc, bool acc32, __m512i *top)
{
    *top = _mm512_max_epi32(term.exponent, acc.exponent);
    __m512i sum = lanes_align(term.value, _mm512_sub_epi32(*top, term.exponent), acc32);
    return lanes_add_acc(sum, acc, *top, acc32);
}

ELEMENT __m512i element_sum16(const uint16_t *high, const uint32_t *a, const uint32_t *b,
                              const tsr_lane_params *params, bool mul, bool accumulate,
                              __m512i *top)
{
    if (accumulate) {
        return element_lanes_sum(element_lanes_term(params, a, b, mul),
                                 lanes_acc16(high, params->e8), false, top);
    }
    element_lanes term = element_add(params, a, b, true);
    *top = term.exponent;
    return term.value;
}

ELEMENT void element_pair16(uint16_t *high, const uint32_t *a, const uint32_t *b,
                            const tsr_lane_params *params, bool mul, bool accumulate)
{
    lanes_pair pair;
    for (int i = 0; i < 2; i++) {
        pair.sum[i] = element_sum16(high + i * ELEMENT_ROW, a + i * ELEMENT_ROW,
                                    b + i * ELEMENT_ROW, params, mul, accumulate, &pair.top[i]);
    }
    _mm512_storeu_si512(high, lanes_round16(&pair, params->e8, mul));
}

ELEMENT void element_row32(uint16_t *high, uint16_t *low, const uint32_t *a, const uint32_t *b,
                           const tsr_lane_params *params, bool mul, bool accumulate)
{
    __m512i top, sum;
    if (accumulate) {
        sum = element_lanes_sum(element_lanes_term(params, a, b, mul), lanes_acc32(high, low), true,
                                &top);
    } else {
        element_lanes term = element_add(params, a, b, false);
        sum = _mm512_slli_epi32(term.value, 13);
        top = term.exponent;
    }
    lanes_round32(high, low, sum, top, params->lone_unit_bug, mul);
}

// ---------------------------------------------------------------- sums of BF16

// Two rows of datums that fit 16 bits in one: the first in the lower halves of lanes.
ELEMENT __m512i element_join(__m512i lower, __m512i upper)
{
    return lanes_merge(upper, (int32_t)0xffff0000u, lower);
}

ELEMENT __m512i element_bf16(const uint32_t *from)
{
    const __m512i lower = _mm512_srli_epi32(_mm512_loadu_si512(from), 3);
    const __m512i upper = _mm512_slli_epi32(_mm512_loadu_si512(from + ELEMENT_ROW), 13);
    return element_join(lower, upper);
}

// The sum of element_add(), without its sign and in lanes of 16 bits. Without the sign bit, a
// datum is eight bits of exponent, seven of mantissa, and nothing.
ELEMENT __m512i element_add_bf16(__m512i large, __m512i small, __m512i exponent, __mmask32 subtract)
{
    const __m512i mantissa = _mm512_set1_epi16(0xfe), one = _mm512_set1_epi16(0x100);
    __mmask32 nonzero = _mm512_test_epi16_mask(small, _mm512_set1_epi16((short)0xff00));
    __m512i distance = _mm512_sub_epi16(exponent, _mm512_srli_epi16(small, 8));
    large = _mm512_or_si512(_mm512_and_si512(large, mantissa), one);
    small = _mm512_or_si512(_mm512_and_si512(small, mantissa), one);
    large = _mm512_slli_epi16(large, 2);
    small = _mm512_maskz_slli_epi16(nonzero, small, 3);
    small = _mm512_avg_epu16(_mm512_srlv_epi16(small, distance), _mm512_setzero_si512());
    return _mm512_mask_sub_epi16(_mm512_add_epi16(large, small), subtract, large, small);
}

// Rounds as lanes_round16() does. The sums are 16 bits higher when they become floats.
ELEMENT __m512i element_round_bf16(__m512i sum, __m512i exponent, __m512i sign, int32_t loss)
{
    const __m512i lower = _mm512_slli_epi32(sum, 16);
    const __m512i upper = _mm512_and_si512(sum, lanes_set((int32_t)0xffff0000u));
    __m512i size =
        element_join(_mm512_srli_epi32(lanes_real(lower, 16), 16), lanes_real(upper, 16));
    __mmask32 nonzero = _mm512_test_epi16_mask(sum, sum);
    nonzero = _mm512_mask_cmpgt_epi16_mask(nonzero, exponent, _mm512_set1_epi16((short)loss));
    exponent = _mm512_sub_epi16(exponent, _mm512_set1_epi16((short)(127 + 10 + 16 + loss)));
    size = _mm512_adds_epi16(size, _mm512_slli_epi16(exponent, 7));
    nonzero = _mm512_mask_cmpge_epi16_mask(nonzero, size, _mm512_set1_epi16(1 << 7));
    size = _mm512_min_epi16(size, _mm512_set1_epi16(255 << 7));
    __m512i stored =
        lanes_merge(_mm512_slli_epi16(size, 8), 0x7f007f00, _mm512_srli_epi16(size, 7));
    return _mm512_maskz_mov_epi16(nonzero, lanes_merge(sign, (int32_t)0x80008000u, stored));
}

// For a 16-bit Dst, nothing accumulated and denormals flushed, as is usual.
ELEMENT void element_pair_bf16(uint16_t *high, const uint32_t *from_a, const uint32_t *from_b,
                               const tsr_lane_params *params)
{
    const __m512i order =
        _mm512_set_epi16(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1, 30, 28, 26, 24,
                         22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i flip = _mm512_set1_epi16((short)(params->flip_b >> 3));
    __m512i a = element_bf16(from_a), b = _mm512_xor_si512(element_bf16(from_b), flip);
    __m512i size_a = _mm512_add_epi16(a, a), size_b = _mm512_add_epi16(b, b);
    __m512i sign = _mm512_mask_mov_epi16(a, _mm512_cmplt_epu16_mask(size_a, size_b), b);
    __m512i large = _mm512_max_epu16(size_a, size_b), small = _mm512_min_epu16(size_a, size_b);
    __m512i exponent = _mm512_srli_epi16(large, 8);
    __mmask32 subtract = _mm512_movepi16_mask(_mm512_xor_si512(a, b));
    __m512i sum = element_add_bf16(large, small, exponent, subtract);
    __m512i stored = element_round_bf16(sum, exponent, sign, params->phase_loss);
    _mm512_storeu_si512(high, _mm512_permutexvar_epi16(order, stored));
}

// ---------------------------------------------------------------- the same by the host's adder

// Each is added to a number so large that its last place is what the larger of the two keeps; what
// is left when that is taken away is the sum. A datum is a fraction of a unit larger than it is:
// that decides every tie away from zero, and nothing else. Each addition names its rounding and
// raises no flag (dot_close_avx512.h). With the larger exponent near the ends some lane could be
// NaN, infinite or too small, or a denormal count: those are `bad`.
enum { QUICK_LEAST = 24, QUICK_MOST = 240, QUICK_ABOVE = 13 };

// The constants, each in a register from the first pair to the last: the compiler would make most
// of them again for every pair.
typedef struct element_quick {
    __m512i field, kept, last, least, above, half, lower_byte, sign, upper;
} element_quick;

ELEMENT __m512i element_held(__m512i value)
{
    __asm__("" : "+v"(value));
    return value;
}

ELEMENT element_quick element_quick_make(void)
{
    const __m512i upper =
        _mm512_set_epi16(63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33, 31, 29, 27,
                         25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    return (element_quick){.field = element_held(lanes_set(0xff << 23)),
                           .kept = element_held(lanes_set((int32_t)0xffff0000u)),
                           .last = element_held(lanes_set(1)),
                           .least = element_held(lanes_set(QUICK_LEAST << 23)),
                           .above = element_held(lanes_set(QUICK_ABOVE << 23 | 1 << 22)),
                           .half = element_held(lanes_set(1 << 15)),
                           .lower_byte = element_held(lanes_set(0x00ff00ff)),
                           .sign = element_held(lanes_set((int32_t)0x80008000u)),
                           .upper = element_held(upper)};
}

ELEMENT __mmask16 element_quick_bad(__m512i beyond)
{
    return _mm512_cmpgt_epu32_mask(beyond, lanes_set((QUICK_MOST - QUICK_LEAST) << 23));
}

// `beyond`: how far the larger exponent lies from the end below.
ELEMENT __m512i element_quick_sum(const element_quick *quick, __m512i a, __m512i b, bool subtract,
                                  __m512i *beyond)
{
    enum { HOW = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };
    __m512i exponent =
        _mm512_max_epu32(_mm512_and_si512(a, quick->field), _mm512_and_si512(b, quick->field));
    *beyond = _mm512_sub_epi32(exponent, quick->least);
    const __m512 large = _mm512_castsi512_ps(_mm512_add_epi32(exponent, quick->above));
    a = _mm512_ternarylogic_epi32(a, quick->kept, quick->last, 0xea);
    b = _mm512_ternarylogic_epi32(b, quick->kept, quick->last, 0xea);
    __m512 sum = _mm512_add_round_ps(large, _mm512_castsi512_ps(a), HOW);
    sum = subtract ? _mm512_sub_round_ps(sum, _mm512_castsi512_ps(b), HOW)
                   : _mm512_add_round_ps(sum, _mm512_castsi512_ps(b), HOW);
    sum = _mm512_sub_round_ps(sum, large, HOW);
    return _mm512_add_epi32(_mm512_castps_si512(sum), quick->half); // half of what is dropped
}

// Lanes where both are zero are bad for no reason.
ELEMENT bool element_all_zero(__mmask16 lanes, __m512i a, __m512i b)
{
    const __m512i size = lanes_set(0x7fffffff);
    return _mm512_mask_test_epi32_mask(lanes, _mm512_or_si512(a, b), size) == 0;
}

// False: it has done nothing, as element_add_bf16() has to.
ELEMENT bool element_quick_bf16(const element_quick *quick, uint16_t *high, const uint32_t *from_a,
                                const uint32_t *from_b, bool subtract)
{
    __m512i beyond0, beyond1;
    __m512i a0 = _mm512_slli_epi32(_mm512_loadu_si512(from_a), 13);
    __m512i a1 = _mm512_slli_epi32(_mm512_loadu_si512(from_a + ELEMENT_ROW), 13);
    __m512i b0 = _mm512_slli_epi32(_mm512_loadu_si512(from_b), 13);
    __m512i b1 = _mm512_slli_epi32(_mm512_loadu_si512(from_b + ELEMENT_ROW), 13);
    __m512i sum0 = element_quick_sum(quick, a0, b0, subtract, &beyond0);
    __m512i sum1 = element_quick_sum(quick, a1, b1, subtract, &beyond1);
    if (element_quick_bad(_mm512_max_epu32(beyond0, beyond1)) != 0 &&
        !(element_all_zero(element_quick_bad(beyond0), a0, b0) &&
          element_all_zero(element_quick_bad(beyond1), a1, b1)))
        return false;
    __m512i bf16 = _mm512_permutex2var_epi16(sum0, quick->upper, sum1);
    __m512i stored = _mm512_ternarylogic_epi32(_mm512_slli_epi16(bf16, 8), quick->lower_byte,
                                               _mm512_srli_epi16(bf16, 7), 0xb8);
    _mm512_storeu_si512(high, _mm512_ternarylogic_epi32(stored, quick->sign, bf16, 0xb8));
    return true;
}

// ---------------------------------------------------------------- runs of any length

// Copies of the last datums of a run, fewer than 32.
typedef struct element_rest {
    _Alignas(64) uint32_t a[ELEMENT_PAIR];
    _Alignas(64) uint32_t b[ELEMENT_PAIR];
    _Alignas(64) uint16_t high[ELEMENT_PAIR];
    _Alignas(64) uint16_t low[ELEMENT_PAIR];
} element_rest;

ELEMENT void element_load_cells(uint16_t *to, const uint16_t *from, __mmask32 some)
{
    _mm512_store_si512(to, _mm512_maskz_loadu_epi16(some, from));
}

ELEMENT void element_store_cells(uint16_t *to, const uint16_t *from, __mmask32 some)
{
    _mm512_mask_storeu_epi16(to, some, _mm512_load_si512(from));
}

ELEMENT void element_load_datums(uint32_t *to, const uint32_t *from, __mmask32 some)
{
    __mmask16 first = (__mmask16)some, second = (__mmask16)(some >> ELEMENT_ROW);
    _mm512_store_si512(to, _mm512_maskz_loadu_epi32(first, from));
    _mm512_store_si512(to + ELEMENT_ROW, _mm512_maskz_loadu_epi32(second, from + ELEMENT_ROW));
}

ELEMENT void element_pairs16(uint16_t *high, const uint32_t *a, const uint32_t *b, size_t datums,
                             const tsr_lane_params *params, bool mul, bool accumulate)
{
    for (size_t i = 0; i < datums; i += ELEMENT_PAIR)
        element_pair16(high + i, a + i, b + i, params, mul, accumulate);
}

ELEMENT void element_pairs_bf16(uint16_t *high, const uint32_t *a, const uint32_t *b, size_t datums,
                                const tsr_lane_params *params, bool quick, bool subtract)
{
    const element_quick constants = element_quick_make();
    for (size_t i = 0; i < datums; i += ELEMENT_PAIR)
        if (!quick || !element_quick_bf16(&constants, high + i, a + i, b + i, subtract))
            element_pair_bf16(high + i, a + i, b + i, params);
}

ELEMENT void element_rows16(uint16_t *high, const uint32_t *a, const uint32_t *b, size_t datums,
                            tsr_lane_params params, bool mul, bool accumulate)
{
    bool bf16 = !mul && !accumulate && tsr_lane_adds_bf16(&params);
    size_t whole = datums - datums % ELEMENT_PAIR;
    if (bf16 && params.phase_loss == 0 && params.flip_b == 0)
        element_pairs_bf16(high, a, b, whole, &params, true, false);
    else if (bf16 && params.phase_loss == 0)
        element_pairs_bf16(high, a, b, whole, &params, true, true);
    else if (bf16)
        element_pairs_bf16(high, a, b, whole, &params, false, false);
    else
        element_pairs16(high, a, b, whole, &params, mul, accumulate);
    if (whole < datums) {
        __mmask32 some = ((__mmask32)1 << (datums - whole)) - 1;
        element_rest rest;
        element_load_datums(rest.a, a + whole, some);
        element_load_datums(rest.b, b + whole, some);
        element_load_cells(rest.high, high + whole, some);
        element_pair16(rest.high, rest.a, rest.b, &params, mul, accumulate);
        element_store_cells(high + whole, rest.high, some);
    }
}

ELEMENT void element_rows32(uint16_t *high, uint16_t *low, const uint32_t *a, const uint32_t *b,
                            size_t datums, tsr_lane_params params, bool mul, bool accumulate)
{
    size_t i = 0;
    for (; i + ELEMENT_ROW <= datums; i += ELEMENT_ROW)
        element_row32(high + i, low + i, a + i, b + i, &params, mul, accumulate);
    if (i < datums) {
        __mmask32 some = ((__mmask32)1 << (datums - i)) - 1;
        element_rest rest;
        element_load_datums(rest.a, a + i, some);
        element_load_datums(rest.b, b + i, some);
        element_load_cells(rest.high, high + i, some);
        element_load_cells(rest.low, low + i, some);
        element_row32(rest.high, rest.low, rest.a, rest.b, &params, mul, accumulate);
        element_store_cells(high + i, rest.high, some);
        element_store_cells(low + i, rest.low, some);
    }
}

#undef ELEMENT

#endif
