// SPDX-License-Identifier: Apache-2.0
// What the unpackers have in AVX-512: BF16 to Src, which is what most kernels unpack. All else is
// in the AVX2 set, which comes after this one. Empty on other machines than x86.
// Page: UNPACR_Regular.md.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#define TSR_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd")))

#include "base/format_codes.h"
#include "kernels/lanes_avx512.h"

enum { ROW = 16 };

static TSR_TARGET void src_bf16(uint32_t *cells, const uint8_t *bytes, const uint8_t *exponents,
                                size_t datums, const tsr_unpack_mode *mode)
{
    (void)exponents;
    (void)mode;
    for (; datums >= ROW; datums -= ROW, bytes += 2 * ROW, cells += ROW) {
        __m256i row = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
        _mm512_storeu_si512(cells, _mm512_slli_epi32(_mm512_cvtepu16_epi32(row), 3));
    }
    if (datums > 0) {
        __mmask16 some = (__mmask16)((1u << datums) - 1);
        __m512i row = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(some, bytes));
        _mm512_mask_storeu_epi32(cells, some, _mm512_slli_epi32(row, 3));
    }
}

static tsr_unpack_src_fn *choose_src(const tsr_unpack_mode *mode)
{
    bool bf16 = mode->in_format == TSR_FORMAT_BF16 && mode->out_format == TSR_FORMAT_BF16;
    return bf16 ? src_bf16 : NULL;
}

const struct tsr_unpack_kernels tsr_unpack_avx512 = {choose_src, NULL};

#endif
