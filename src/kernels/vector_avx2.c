// SPDX-License-Identifier: Apache-2.0
// The vector unit's part of the AVX2 set: the same loops as in the portable set, compiled for AVX2,
// which has shifts by a different distance in each lane, and the multiply-add by hand. Empty on
// other machines than x86. Pages: SFP*.md.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#include "kernels/vector_swap.h"
#include "numerics/sfpu.h"

#define TSR_TARGET __attribute__((target("avx2,fma")))

#include "kernels/vector_host_avx2.h"

// Bits of the mask from `first` on as lanes of ones and zeroes.
TSR_INLINE TSR_TARGET __m256i vector_lanes_on(uint32_t lanes, int first)
{
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i some = _mm256_and_si256(_mm256_set1_epi32((int32_t)(lanes >> first)), bits);
    return _mm256_cmpeq_epi32(some, bits);
}

// In whole registers: what is stored in halves cannot be loaded again at once.
TSR_INLINE TSR_TARGET void vector_merge(uint32_t *d, const uint32_t *from, uint32_t lanes)
{
    for (int i = 0; i < 32; i += 8) {
        __m256i value = _mm256_loadu_si256((const __m256i *)(from + i));
        if (lanes != ~0u)
            value = _mm256_blendv_epi8(_mm256_loadu_si256((const __m256i *)(d + i)), value,
                                       vector_lanes_on(lanes, i));
        _mm256_storeu_si256((__m256i *)(d + i), value);
    }
}

TSR_INLINE TSR_TARGET uint32_t vector_signs(const uint32_t *values)
{
    uint32_t signs = 0;
    for (int i = 0; i < 32; i += 8) {
        __m256i some = _mm256_loadu_si256((const __m256i *)(values + i));
        signs |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(some)) << i;
    }
    return signs;
}

#include "kernels/vector_fma_tmpl.h"

#define VECTOR_OWN_KERNELS VECTOR_FMA_KERNELS

#include "kernels/vector_tmpl.h"

const struct tsr_vector_kernels tsr_vector_avx2 = {choose_lanes, choose_swap, choose_load,
                                                   choose_store};

#endif
