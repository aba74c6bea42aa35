// SPDX-License-Identifier: Apache-2.0
// Accumulation onto L1 in AVX2: the sums of accumulate_lane.h, those of 16-bit floats in lanes of
// 16 bits, where shifts by a different distance in each lane are products with powers of two.
// Included by pack_avx2.c. Must equal tsr_pack_accumulate() of numerics/l1_accumulate.c. Only exact
// conversions to float are used, for the place of a sum's leading one; these depend on no mode of
// the host and raise no flag. Page: Packers/README.md.
#ifndef TESSERA_KERNELS_ACCUMULATE_AVX2_H
#define TESSERA_KERNELS_ACCUMULATE_AVX2_H

#include "base/format_codes.h"
#include "kernels/kernel_types.h"
#include "kernels/lane.h"

#include <immintrin.h>

#define SUM TSR_INLINE TSR_TARGET

SUM __m256i sum_set16(unsigned value)
{
    return _mm256_set1_epi16((int16_t)value);
}

SUM __m256i sum_set32(uint32_t value)
{
    return _mm256_set1_epi32((int32_t)value);
}

SUM __m256i sum_choose(__m256i mask, __m256i yes, __m256i no)
{
    return _mm256_blendv_epi8(no, yes, mask);
}

// ---------------------------------------------------------------- 16-bit floats

// Sixteen of accumulate_lane.h's totals.
typedef struct sum_total {
    __m256i sign, zero;
    __m256i below; // the exponent before rounding, less one
    __m256i rounded, size;
} sum_total;

// 2^(15 - distance), for distances of at most 15: a table of bytes serves both halves of a lane.
SUM __m256i sum_power(__m256i distance)
{
    const __m128i bytes = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, -128, 64, 32, 16, 8, 4, 2, 1);
    __m256i both = _mm256_or_si256(distance, _mm256_slli_epi16(distance, 8));
    both = _mm256_xor_si256(both, sum_set16(0x0800));
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), both);
}

// With three bits below the last place. Denormals are 0.
SUM __m256i sum_significand16(__m256i magnitude, int places)
{
    const __m256i fraction = sum_set16((1u << places) - 1u), one = sum_set16(1u << places);
    __m256i some = _mm256_cmpgt_epi16(magnitude, fraction);
    magnitude = _mm256_or_si256(_mm256_and_si256(magnitude, fraction), one);
    return _mm256_slli_epi16(_mm256_and_si256(magnitude, some), 3);
}

// One halving step, as TSR_LANE_SHIFT_OUT; `zeros` is counted down from 0 in binary, by steps of 8,
// 4, 2 and 1.
#define SUM_SHIFT_OUT(m, zeros, width, step)                                                       \
    do {                                                                                           \
        __m256i above = _mm256_srli_epi16(m, (width) - (step));                                    \
        __m256i clear = _mm256_cmpeq_epi16(above, _mm256_setzero_si256());                         \
        (m) = sum_choose(clear, _mm256_slli_epi16(m, step), m);                                    \
        (zeros) = _mm256_add_epi16(_mm256_add_epi16(zeros, zeros), clear);                         \
    } while (0)

SUM sum_total sum_total16(__m256i a, __m256i b, int places)
{
    const __m256i most = sum_set16(0x7fff);
    const int width = places + 5;
    __m256i size_a = _mm256_and_si256(a, most), size_b = _mm256_and_si256(b, most);
    __m256i large = _mm256_max_epi16(size_a, size_b), small = _mm256_min_epi16(size_a, size_b);
    __m256i larger = sum_choose(_mm256_cmpeq_epi16(large, size_a), a, b);
    __m256i exponent = _mm256_srli_epi16(large, places);
    __m256i distance = _mm256_sub_epi16(exponent, _mm256_srli_epi16(small, places));
    __m256i power = sum_power(_mm256_min_epi16(distance, sum_set16(15)));
    __m256i doubled = _mm256_slli_epi16(sum_significand16(small, places), 1);
    __m256i lost = _mm256_mullo_epi16(doubled, power);
    __m256i shifted =
        _mm256_or_si256(_mm256_mulhi_epu16(doubled, power), _mm256_min_epu16(lost, sum_set16(1)));
    __m256i subtract = _mm256_srai_epi16(_mm256_xor_si256(a, b), 15);
    shifted = _mm256_sub_epi16(_mm256_xor_si256(shifted, subtract), subtract);
    __m256i m = _mm256_add_epi16(sum_significand16(large, places), shifted);
    __m256i zero = _mm256_cmpeq_epi16(m, _mm256_setzero_si256());
    __m256i zeros = _mm256_setzero_si256();
    SUM_SHIFT_OUT(m, zeros, width, 8);
    SUM_SHIFT_OUT(m, zeros, width, 4);
    SUM_SHIFT_OUT(m, zeros, width, 2);
    SUM_SHIFT_OUT(m, zeros, width, 1);
    __m256i odd = _mm256_srai_epi16(_mm256_slli_epi16(m, 11), 15); // all ones
    m = _mm256_srli_epi16(_mm256_add_epi16(_mm256_sub_epi16(m, odd), sum_set16(7)), 4);
    exponent = _mm256_add_epi16(exponent, zeros);
    __m256i sign = sum_choose(zero, _mm256_and_si256(a, b), larger);
    return (sum_total){.sign = _mm256_andnot_si256(most, sign),
                       .zero = zero,
                       .below = exponent,
                       .rounded = m,
                       .size = _mm256_add_epi16(_mm256_slli_epi16(exponent, places), m)};
}

// The special operands as in tsr_lane_accumulate_bf16(), one after another over what is not.
SUM __m256i sum_bf16(__m256i old, __m256i datum)
{
    const __m256i infinity = sum_set16(0x7f80), most = sum_set16(0x7fff);
    sum_total total = sum_total16(old, datum, 7);
    __m256i high = _mm256_cmpgt_epi16(total.below, sum_set16(253));
    __m256i normal = _mm256_cmpgt_epi16(total.below, _mm256_set1_epi16(-1));
    __m256i size = sum_choose(high, infinity, total.size);
    size = _mm256_and_si256(size, _mm256_andnot_si256(total.zero, normal));
    __m256i value = _mm256_or_si256(total.sign, size);
    __m256i size_old = _mm256_and_si256(old, most), size_datum = _mm256_and_si256(datum, most);
    __m256i finite = _mm256_cmpgt_epi16(infinity, size_old);
    __m256i infinite = _mm256_cmpeq_epi16(size_datum, infinity);
    __m256i both = _mm256_and_si256(infinite, _mm256_cmpeq_epi16(size_old, infinity));
    __m256i as_old = _mm256_or_si256(_mm256_andnot_si256(most, old), infinity);
    value = sum_choose(finite, value, as_old);
    value = sum_choose(infinite, datum, value);
    __m256i opposite = _mm256_andnot_si256(_mm256_cmpeq_epi16(old, datum), both);
    return sum_choose(opposite, sum_set16(0x7fc0), value);
}

// What leaves the exponents at either end as in tsr_lane_accumulate_fp16().
SUM __m256i sum_fp16(__m256i old, __m256i datum)
{
    const __m256i most = sum_set16(0x7fff), least = _mm256_set1_epi16(-1);
    sum_total total = sum_total16(old, datum, 10);
    __m256i below = _mm256_add_epi16(total.below, _mm256_srli_epi16(total.rounded, 11));
    __m256i large = _mm256_cmpgt_epi16(_mm256_and_si256(old, most), sum_set16((30u << 10) - 1u));
    __m256i beyond = _mm256_or_si256(_mm256_cmpgt_epi16(below, sum_set16(30)),
                                     _mm256_cmpgt_epi16(least, total.below));
    __m256i smallest = _mm256_cmpeq_epi16(total.below, least);
    __m256i size = sum_choose(beyond, most, _mm256_andnot_si256(smallest, total.size));
    size = sum_choose(total.zero, _mm256_and_si256(most, large), size);
    return _mm256_or_si256(total.sign, size);
}

// ---------------------------------------------------------------- 32 bits

SUM __m256i sum_significand32(__m256i magnitude)
{
    const __m256i fraction = sum_set32(0x7fffffu), one = sum_set32(0x800000u);
    __m256i some = _mm256_cmpgt_epi32(magnitude, fraction);
    magnitude = _mm256_or_si256(_mm256_and_si256(magnitude, fraction), one);
    return _mm256_slli_epi32(_mm256_and_si256(magnitude, some), 3);
}

// How far the leading one of m, below 2^28, is from bit 27. For m = 0 anything.
SUM __m256i sum_zeros32(__m256i m)
{
    __m256i high = _mm256_srli_epi32(m, 8);
    __m256i low = _mm256_cmpeq_epi32(high, _mm256_setzero_si256());
    __m256i some = sum_choose(low, m, high); // at most 20 bits
    __m256i place = _mm256_srli_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(some)), 23);
    __m256i least = sum_choose(low, sum_set32(127 + 27), sum_set32(127 + 27 - 8));
    return _mm256_sub_epi32(least, place);
}

SUM __m256i sum_fp32(__m256i old, __m256i datum)
{
    const __m256i infinity = sum_set32(0x7f800000u), most = sum_set32(0x7fffffffu);
    __m256i size_a = _mm256_and_si256(old, most), size_b = _mm256_and_si256(datum, most);
    __m256i large = _mm256_max_epi32(size_a, size_b), small = _mm256_min_epi32(size_a, size_b);
    __m256i larger = sum_choose(_mm256_cmpeq_epi32(large, size_a), old, datum);
    __m256i exponent = _mm256_srli_epi32(large, 23);
    __m256i distance = _mm256_sub_epi32(exponent, _mm256_srli_epi32(small, 23));
    distance = _mm256_min_epi32(distance, sum_set32(31));
    __m256i m_small = sum_significand32(small);
    __m256i shifted = _mm256_srlv_epi32(m_small, distance);
    __m256i lost = _mm256_sub_epi32(m_small, _mm256_sllv_epi32(shifted, distance));
    shifted = _mm256_or_si256(shifted, _mm256_min_epu32(lost, sum_set32(1)));
    __m256i opposite = _mm256_srai_epi32(_mm256_xor_si256(old, datum), 31);
    shifted = _mm256_sub_epi32(_mm256_xor_si256(shifted, opposite), opposite);
    __m256i m = _mm256_add_epi32(sum_significand32(large), shifted);
    __m256i zero = _mm256_cmpeq_epi32(m, _mm256_setzero_si256()), zeros = sum_zeros32(m);
    m = _mm256_sllv_epi32(m, zeros);
    __m256i odd = _mm256_srai_epi32(_mm256_slli_epi32(m, 27), 31); // all ones
    m = _mm256_srli_epi32(_mm256_add_epi32(_mm256_sub_epi32(m, odd), sum_set32(7)), 4);
    exponent = _mm256_sub_epi32(exponent, zeros); // less one
    __m256i size = _mm256_add_epi32(_mm256_slli_epi32(exponent, 23), m);
    exponent = _mm256_add_epi32(exponent, _mm256_srli_epi32(m, 24)); // of what was rounded
    __m256i high = _mm256_cmpgt_epi32(exponent, sum_set32(253));
    __m256i normal = _mm256_cmpgt_epi32(exponent, _mm256_set1_epi32(-1));
    size = _mm256_and_si256(sum_choose(high, infinity, size), _mm256_andnot_si256(zero, normal));
    __m256i sign = sum_choose(zero, _mm256_and_si256(old, datum), larger);
    sign = _mm256_andnot_si256(most, sign);
    __m256i value = _mm256_or_si256(sign, size);
    __m256i special = _mm256_cmpgt_epi32(large, sum_set32(0x7f7fffffu));
    __m256i both = _mm256_cmpgt_epi32(small, sum_set32(0x7f7fffffu));
    __m256i nan =
        _mm256_or_si256(_mm256_cmpgt_epi32(large, infinity), _mm256_and_si256(opposite, both));
    value = sum_choose(special, larger, value);
    return sum_choose(nan, sum_set32(0x7fc00000u), value);
}

SUM __m256i sum_int32(__m256i old, __m256i datum)
{
    const __m256i most = sum_set32(0x7fffffffu);
    __m256i a = _mm256_and_si256(old, most), b = _mm256_and_si256(datum, most);
    __m256i opposite = _mm256_srai_epi32(_mm256_xor_si256(old, datum), 31);
    __m256i distance = _mm256_sub_epi32(_mm256_max_epi32(a, b), _mm256_min_epi32(a, b));
    __m256i sum = _mm256_min_epu32(_mm256_add_epi32(a, b), most);
    __m256i size = sum_choose(opposite, distance, sum);
    __m256i sign = sum_choose(_mm256_cmpgt_epi32(b, a), datum, old);
    __m256i zero = _mm256_cmpeq_epi32(size, _mm256_setzero_si256());
    return _mm256_or_si256(size, _mm256_andnot_si256(zero, _mm256_andnot_si256(most, sign)));
}

// ---------------------------------------------------------------- loops

// What is left over goes through a vector of its own.
#define SUM_LOOP(name, size, sum)                                                                  \
    static TSR_TARGET void name(uint8_t *restrict bytes, const uint8_t *restrict addends,          \
                                size_t datums, uint8_t format)                                     \
    {                                                                                              \
        (void)format;                                                                              \
        size_t count = datums * (size), i = 0;                                                     \
        for (; i + 32 <= count; i += 32) {                                                         \
            __m256i old = _mm256_loadu_si256((const __m256i *)(bytes + i));                        \
            __m256i datum = _mm256_loadu_si256((const __m256i *)(addends + i));                    \
            _mm256_storeu_si256((__m256i *)(bytes + i), sum(old, datum));                          \
        }                                                                                          \
        if (i == count)                                                                            \
            return;                                                                                \
        __m256i rest[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};                        \
        memcpy(&rest[0], bytes + i, count - i);                                                    \
        memcpy(&rest[1], addends + i, count - i);                                                  \
        rest[0] = sum(rest[0], rest[1]);                                                           \
        memcpy(bytes + i, &rest[0], count - i);                                                    \
    }

SUM_LOOP(accumulate_fp32, 4, sum_fp32)
SUM_LOOP(accumulate_int32, 4, sum_int32)
SUM_LOOP(accumulate_bf16, 2, sum_bf16)
SUM_LOOP(accumulate_fp16, 2, sum_fp16)

static tsr_accumulate_fn *choose_accumulate(uint8_t format)
{
    switch (format) {
    case TSR_FORMAT_FP32:
        return accumulate_fp32;
    case TSR_FORMAT_INT32:
        return accumulate_int32;
    case TSR_FORMAT_BF16:
        return accumulate_bf16;
    case TSR_FORMAT_FP16:
        return accumulate_fp16;
    default:
        return NULL;
    }
}

#undef SUM

#endif
