// SPDX-License-Identifier: Apache-2.0
// The vector unit's part of the AVX-512 set: the loops of the template with masks in registers, and
// by hand what they cannot say: the multiply-add and its tables, products of 64 bits, conversions
// with a rounding of their own, leading zeros. Empty on other machines than x86. Pages: SFP*.md.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#include "kernels/vector_swap.h"

#define TSR_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd")))

#include "kernels/lane.h"
#include "kernels/vector_fma_avx512.h"

TSR_LANE TSR_TARGET void vector_merge(uint32_t *d, const uint32_t *from, uint32_t lanes)
{
    _mm512_mask_storeu_epi32(d, (__mmask16)lanes, _mm512_loadu_si512(from));
    _mm512_mask_storeu_epi32(d + 16, (__mmask16)(lanes >> 16), _mm512_loadu_si512(from + 16));
}

TSR_LANE TSR_TARGET uint32_t vector_signs(const uint32_t *values)
{
    uint32_t first = _mm512_movepi32_mask(_mm512_loadu_si512(values));
    uint32_t last = _mm512_movepi32_mask(_mm512_loadu_si512(values + 16));
    return first | last << 16;
}

// The upper or lower 23 bits of products of 23 bits; what `c` adds is the reference's.
static TSR_TARGET uint32_t vector_mul24(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                        const uint32_t *c, uint32_t lanes,
                                        const tsr_vector_mode *mode)
{
    const __m512i mask = _mm512_set1_epi32(0x7fffff);
    for (int half = 0; half < 32; half += 16) {
        __mmask16 on = (__mmask16)(lanes >> half);
        __m512i x = _mm512_and_si512(_mm512_loadu_si512(a + half), mask);
        __m512i y = _mm512_and_si512(_mm512_loadu_si512(b + half), mask);
        __m512i added = _mm512_loadu_si512(c + half);
        uint32_t odd = _mm512_mask_test_epi32_mask(on, added, added), out[16];
        __m512i even_part = _mm512_mul_epu32(x, y);
        __m512i odd_part = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(y, 32));
        if ((mode->modifier & 1u) != 0) {
            even_part = _mm512_srli_epi64(even_part, 23);
            odd_part = _mm512_srli_epi64(odd_part, 23);
        }
        __m512i part = _mm512_mask_mov_epi32(even_part, 0xaaaa, _mm512_slli_epi64(odd_part, 32));
        _mm512_storeu_si512(out, _mm512_and_si512(part, mask));
        for (; odd != 0; odd &= odd - 1) {
            int i = __builtin_ctz(odd);
            out[i] = tsr_sfpu_mul24(mode->modifier, a[half + i], b[half + i], c[half + i]);
        }
        _mm512_mask_storeu_epi32(d + half, on, _mm512_loadu_si512(out));
    }
    return 0;
}

static TSR_TARGET uint32_t vector_lz(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                     const uint32_t *c, uint32_t lanes, const tsr_vector_mode *mode)
{
    const __m512i counted = fma_set((mode->modifier & 4u) != 0 ? 0x7fffffffu : ~0u);
    uint32_t nonzero = 0;
    (void)a, (void)b;
    for (int half = 0; half < 32; half += 16) {
        __mmask16 on = (__mmask16)(lanes >> half);
        __m512i value = _mm512_and_si512(_mm512_loadu_si512(c + half), counted);
        nonzero |= (uint32_t)_mm512_mask_test_epi32_mask(on, value, value) << half;
        _mm512_mask_storeu_epi32(d + half, on, _mm512_lzcnt_epi32(value));
    }
    return nonzero;
}

#define VECTOR_OWN_ZEROS
#define VECTOR_OWN_KERNELS                                                                         \
    [TSR_VECTOR_FMA] = vector_fma, [TSR_VECTOR_LUT] = vector_table,                                \
    [TSR_VECTOR_LUTFP32] = vector_table, [TSR_VECTOR_MUL24] = vector_mul24,

#include "kernels/vector_tmpl.h"

const struct tsr_vector_kernels tsr_vector_avx512 = {choose_lanes, choose_swap, choose_load,
                                                     choose_store};

#endif
