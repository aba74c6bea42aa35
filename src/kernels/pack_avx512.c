// SPDX-License-Identifier: Apache-2.0
// What the packers have in AVX-512: BF16 from a 16-bit Dst, which is what most kernels pack, and
// the look at exponents that goes with it. All else is in the AVX2 set, which comes after this one.
// Empty on other machines than x86. Pages: Packers/FormatConversion.md, Packers/README.md.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#define TSR_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd")))

#include "base/format_codes.h"
#include "kernels/lanes_avx512.h"

enum { PAIR = 32 };

// tsr_lane_clean_stored_bf16() of pack_lane.h.
TSR_INLINE TSR_TARGET __m512i clean_pair(__m512i stored)
{
    const __m512i infinity = _mm512_set1_epi16(0x7f80);
    __m512i size =
        lanes_select(0x7f807f80, _mm512_slli_epi16(stored, 7), _mm512_srli_epi16(stored, 8));
    size = lanes_merge(stored, (int32_t)0x80008000u, _mm512_min_epu16(size, infinity));
    return _mm512_maskz_mov_epi16(_mm512_test_epi16_mask(stored, _mm512_set1_epi16(0xff)), size);
}

static TSR_TARGET void pack_bf16(uint8_t *bytes, const uint16_t *high, const uint16_t *low,
                                 size_t datums, const tsr_pack_mode *mode)
{
    (void)low;
    (void)mode;
    for (; datums >= PAIR; datums -= PAIR, high += PAIR, bytes += 2 * PAIR)
        _mm512_storeu_si512(bytes, clean_pair(_mm512_loadu_si512(high)));
    if (datums > 0) {
        __mmask32 some = ((__mmask32)1 << datums) - 1;
        _mm512_mask_storeu_epi16(bytes, some, clean_pair(_mm512_maskz_loadu_epi16(some, high)));
    }
}

static TSR_TARGET bool larger(const uint16_t *cells, size_t count, uint16_t mask, uint8_t limit)
{
    const __m512i field = _mm512_set1_epi16((short)mask), most = _mm512_set1_epi16(limit);
    __m512i largest = _mm512_setzero_si512();
    for (; count >= PAIR; count -= PAIR, cells += PAIR)
        largest = _mm512_max_epu16(largest, _mm512_and_si512(_mm512_loadu_si512(cells), field));
    __mmask32 some = ((__mmask32)1 << count) - 1;
    __m512i rest = _mm512_maskz_loadu_epi16(some, cells);
    largest = _mm512_max_epu16(largest, _mm512_and_si512(rest, field));
    return _mm512_cmpgt_epu16_mask(largest, most) != 0;
}

static tsr_pack_fn *choose_pack(const tsr_pack_mode *mode)
{
    bool bf16 = mode->in_format == TSR_FORMAT_BF16 && mode->out_format == TSR_FORMAT_BF16;
    bool plain = !mode->read_raw && !mode->round_10b && !mode->read_32b;
    return bf16 && plain && (mode->relu_mode & 3u) == 0 ? pack_bf16 : NULL;
}

static tsr_pack_larger_fn *choose_larger(bool relu)
{
    return relu ? NULL : larger;
}

const struct tsr_pack_kernels tsr_pack_avx512 = {choose_pack, NULL, NULL, choose_larger};

#endif
