// SPDX-License-Identifier: Apache-2.0
// The AVX-512 set: the FPU's kernels, for which it has masks, shifts of 16-bit lanes one by one and
// counted leading zeros. All else is as fast in the AVX2 set, which stands behind this one. Empty
// on other machines than x86.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#include "kernels/lane.h"

#include <immintrin.h>

#define TSR_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd")))
#define ELEMENT_WITH_ROWS 1
#define DOT_WITH_FINAL 1

static bool cpu_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512cd");
}

// Two neighbours, in all pairs of lanes.
TSR_LANE TSR_TARGET __m512i dot_pair(const int16_t *pair)
{
    int32_t both;
    memcpy(&both, pair, sizeof both);
    return _mm512_set1_epi32(both);
}

// Sixteen columns of a group: see dot_tmpl.h. A weight is shifted to 0 when nothing can be left.
TSR_LANE TSR_TARGET void dot_group(int32_t *sum, int32_t *top, const int16_t *factor_a,
                                   const int16_t *exponent_a, const int16_t *factor_b,
                                   const int16_t *exponent_b, int32_t zero_exponent)
{
    const __m512i one = _mm512_set1_epi16(1 << 14);
    __m512i exponents[4], most = _mm512_set1_epi16((int16_t)zero_exponent);
    __m512i total = _mm512_setzero_si512();
    for (int k = 0; k < 4; k++) {
        exponents[k] = _mm512_load_si512(exponent_a + 32 * k);
        exponents[k] = _mm512_add_epi16(exponents[k], dot_pair(exponent_b + 2 * k));
        most = _mm512_max_epi16(most, exponents[k]);
    }
    most = _mm512_max_epi16(most, _mm512_rol_epi32(most, 16));
    for (int k = 0; k < 4; k++) {
        __m512i x = _mm512_load_si512(factor_a + 32 * k);
        x = _mm512_mullo_epi16(x, dot_pair(factor_b + 2 * k));
        x = _mm512_add_epi16(x, _mm512_srai_epi16(x, 15));
        x = _mm512_mulhrs_epi16(x, _mm512_srlv_epi16(one, _mm512_sub_epi16(most, exponents[k])));
        total = _mm512_add_epi16(total, x);
    }
    _mm512_store_si512(sum, _mm512_madd_epi16(total, _mm512_set1_epi16(1)));
    _mm512_store_si512(top, _mm512_srai_epi32(most, 16));
}

#include "kernels/dot_tmpl.h"
#include "kernels/element_tmpl.h"

const struct tsr_kernel_set tsr_kernels_avx512 = {
    .name = "avx512",
    .runs_here = cpu_has_avx512,
    .element = choose_element,
    .dot = choose_dot,
};

#endif
