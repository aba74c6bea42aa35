// SPDX-License-Identifier: Apache-2.0
// The vector unit's part of the AVX-512 set: the loops of the template with masks in registers, and
// by hand what they cannot say: the multiply-add and its tables, products of 64 bits, conversions
// with a rounding of their own, leading zeros. Empty on other machines than x86. Pages: SFP*.md.
#include "kernels/kernel_set.h"

#if TSR_KERNELS_X86

#include "kernels/vector_swap.h"

#define TSR_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd")))

#include "kernels/lane.h"
#include "kernels/vector_table_avx512.h"

TSR_INLINE TSR_TARGET void vector_merge(uint32_t *d, const uint32_t *from, uint32_t lanes)
{
    fma_put_lanes(d, lanes, _mm512_loadu_si512(from), _mm512_loadu_si512(from + 16));
}

TSR_INLINE TSR_TARGET uint32_t vector_signs(const uint32_t *values)
{
    uint32_t first = _mm512_movepi32_mask(_mm512_loadu_si512(values));
    uint32_t last = _mm512_movepi32_mask(_mm512_loadu_si512(values + 16));
    return first | last << 16;
}

// The upper or lower 23 bits of products of 23 bits.
TSR_INLINE TSR_TARGET __m512i mul24_part(__m512i a, __m512i b, bool upper)
{
    const __m512i mask = fma_set(0x7fffff);
    __m512i x = _mm512_and_si512(a, mask), y = _mm512_and_si512(b, mask);
    __m512i even = _mm512_mul_epu32(x, y);
    __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(y, 32));
    odd = _mm512_slli_epi64(odd, upper ? 32 - 23 : 32);
    even = upper ? _mm512_srli_epi64(even, 23) : even;
    return _mm512_and_si512(_mm512_mask_mov_epi32(even, 0xaaaa, odd), mask);
}

// What `c` adds is the reference's.
static __attribute__((noinline, cold)) void mul24_again(uint32_t *out, uint32_t odd,
                                                        const uint32_t *a, const uint32_t *b,
                                                        const uint32_t *c, unsigned modifier)
{
    for (; odd != 0; odd &= odd - 1) {
        int i = __builtin_ctz(odd);
        out[i] = tsr_sfpu_mul24(modifier, a[i], b[i], c[i]);
    }
}

static TSR_TARGET uint32_t vector_mul24(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                        const uint32_t *c, uint32_t lanes,
                                        const tsr_vector_mode *mode)
{
    bool upper = (mode->modifier & 1u) != 0;
    __m512i added[2] = {_mm512_loadu_si512(c), _mm512_loadu_si512(c + FMA_HALF)};
    __m512i first = mul24_part(_mm512_loadu_si512(a), _mm512_loadu_si512(b), upper);
    __m512i last =
        mul24_part(_mm512_loadu_si512(a + FMA_HALF), _mm512_loadu_si512(b + FMA_HALF), upper);
    __m512i any = _mm512_or_si512(added[0], added[1]);
    if (__builtin_expect(_mm512_test_epi32_mask(any, any) != 0, 0)) {
        uint32_t odd = _mm512_test_epi32_mask(added[0], added[0]), out[TSR_VECTOR_LANES];
        odd |= (uint32_t)_mm512_test_epi32_mask(added[1], added[1]) << FMA_HALF;
        fma_put_lanes(out, ~0u, first, last);
        mul24_again(out, odd & lanes, a, b, c, mode->modifier);
        first = _mm512_loadu_si512(out);
        last = _mm512_loadu_si512(out + FMA_HALF);
    }
    fma_put_lanes(d, lanes, first, last);
    return 0;
}

static TSR_TARGET uint32_t vector_lz(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                     const uint32_t *c, uint32_t lanes, const tsr_vector_mode *mode)
{
    const __m512i counted = fma_all_lanes((mode->modifier & 4u) != 0 ? 0x7fffffffu : ~0u);
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

// Reciprocals by a table in registers: 64 words, of which bit 16 of the number takes a byte. The
// exponential is the reference's.
TSR_INLINE TSR_TARGET __m512i approximate_reciprocal(__m512i size)
{
    const __m512i low = _mm512_loadu_si512(tsr_sfpu_reciprocals);
    const __m512i high = _mm512_loadu_si512(tsr_sfpu_reciprocals + 64);
    __m512i index = _mm512_and_si512(_mm512_srli_epi32(size, 17), fma_set(0x3f));
    __m512i places = _mm512_and_si512(_mm512_srli_epi32(size, 13), fma_set(8));
    __m512i word = _mm512_permutex2var_epi16(low, index, high);
    word = _mm512_and_si512(_mm512_srlv_epi32(word, places), fma_set(0xff));
    __m512i exponent = _mm512_and_si512(size, fma_set(0x7f800000u));
    exponent = _mm512_sub_epi32(fma_set(253u << 23), exponent);
    __m512i result = _mm512_or_si512(exponent, _mm512_slli_epi32(word, 16));
    __mmask16 small = _mm512_cmplt_epu32_mask(size, fma_set(0x00800000u));
    result = _mm512_mask_mov_epi32(result, small, fma_set(0x7f800000u));
    return _mm512_maskz_mov_epi32(_mm512_cmplt_epu32_mask(size, fma_set(0x7e800000u)), result);
}

static TSR_TARGET uint32_t vector_arecip(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                         const uint32_t *c, uint32_t lanes,
                                         const tsr_vector_mode *mode)
{
    (void)a;
    for (int half = 0; half < 32; half += 16) {
        __mmask16 on = (__mmask16)(lanes >> half);
        __m512i x = _mm512_loadu_si512(c + half), size = _mm512_and_si512(x, fma_set(0x7fffffff));
        __m512i result = approximate_reciprocal(size);
        if (mode->modifier == 0) {
            result = _mm512_ternarylogic_epi32(fma_set(0x80000000u), x, result, 0xca);
        } else {
            __mmask16 wanted = _mm512_movepi32_mask(_mm512_loadu_si512(b + half));
            result = _mm512_mask_mov_epi32(x, wanted, result);
        }
        _mm512_mask_storeu_epi32(d + half, on, result);
    }
    return 0;
}

// Sign and magnitude, rounded as the instruction says.
TSR_INLINE TSR_TARGET void vector_cast_nearest(uint32_t *out, const uint32_t *c)
{
    for (int half = 0; half < 32; half += 16) {
        __m512i value = _mm512_loadu_si512(c + half);
        __m512i size = _mm512_and_si512(value, fma_set(0x7fffffff));
        __m512i real = _mm512_castps_si512(_mm512_cvt_roundepi32_ps(size, FMA_ROUNDING));
        _mm512_storeu_si512(out + half,
                            _mm512_ternarylogic_epi32(fma_set(0x80000000u), value, real, 0xca));
    }
}

// Floats to integers, to the nearest, halves away from zero. One half is added toward zero, so that
// no sum reaches an integer that it has not; what is too large, or no number, converts to all ones.
static TSR_TARGET uint32_t vector_round(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                        const uint32_t *c, uint32_t lanes,
                                        const tsr_vector_mode *mode)
{
    const uint32_t mosts[4] = {255, 127, 65535, 32767};
    const __m512i sign_bit = fma_set(0x80000000u),
                  most = fma_all_lanes(mosts[(mode->modifier >> 1 & 2u) | (mode->modifier & 1u)]);
    __m512i out[2];
    (void)a, (void)b;
    for (int half = 0; half < 2; half++) {
        __m512i x = _mm512_loadu_si512(c + half * FMA_HALF);
        __m512 size = _mm512_castsi512_ps(_mm512_andnot_si512(sign_bit, x));
        __m512 sum = _mm512_add_round_ps(size, _mm512_castsi512_ps(fma_set(0x3f000000u)),
                                         _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        __m512i whole = _mm512_cvtt_roundps_epu32(sum, _MM_FROUND_NO_EXC);
        whole = _mm512_min_epu32(whole, most);
        __mmask16 keeps = (mode->modifier & 1u) != 0 ? _mm512_test_epi32_mask(whole, whole) : 0;
        out[half] = _mm512_mask_or_epi32(whole, keeps, whole, _mm512_and_si512(x, sign_bit));
    }
    fma_put_lanes(d, lanes, out[0], out[1]);
    return 0;
}

static bool rounds_floats(const tsr_vector_mode *mode)
{
    return mode->op == TSR_VECTOR_STOCH_RND && mode->rounding == 0 && (mode->modifier & 2u) != 0;
}

TSR_INLINE TSR_TARGET __m512i swap_key(__m512i value)
{
    return _mm512_xor_si512(value, _mm512_srli_epi32(_mm512_srai_epi32(value, 31), 1));
}

static TSR_TARGET uint32_t vector_swap(uint32_t *c, uint32_t *d, uint32_t lanes,
                                       const tsr_vector_mode *mode)
{
    const __m512i c0 = _mm512_loadu_si512(c), c1 = _mm512_loadu_si512(c + 16);
    const __m512i d0 = _mm512_loadu_si512(d), d1 = _mm512_loadu_si512(d + 16);
    if (mode->modifier != 0) {
        uint32_t first = _mm512_cmplt_epi32_mask(swap_key(c0), swap_key(d0));
        uint32_t last = _mm512_cmplt_epi32_mask(swap_key(c1), swap_key(d1));
        uint32_t minimum = tsr_vector_minimum_lanes(mode->modifier);
        lanes &= ~((first | last << 16) ^ minimum) ^ mode->inverted;
    }
    fma_put_lanes(c, lanes, d0, d1);
    fma_put_lanes(d, lanes, c0, c1);
    return lanes;
}

// ---------------------------------------------------------------- Dst

// A column's cells at the upper ends of their pairs; what is below is another column's, or 0.
TSR_INLINE TSR_TARGET __m512i dst_cells(const uint16_t *cells, bool odd)
{
    __m512i pairs = _mm512_loadu_si512(cells);
    return odd ? pairs : _mm512_slli_epi32(pairs, 16);
}

// Exponent and mantissa change places; 16 bits above, and below them what `low` has.
TSR_INLINE TSR_TARGET __m512i dst_unshuffle(__m512i cells, __m512i low)
{
    __m512i value = _mm512_ternarylogic_epi32(fma_set(0x7f800000u), _mm512_slli_epi32(cells, 7),
                                              _mm512_srli_epi32(cells, 8), 0xca);
    value = _mm512_ternarylogic_epi32(fma_set(0x7fff0000u), value, cells, 0xca);
    return _mm512_ternarylogic_epi32(fma_set(0xffff0000u), value, low, 0xca);
}

TSR_INLINE TSR_TARGET __m512i dst_shuffle(__m512i value)
{
    __m512i cells = _mm512_ternarylogic_epi32(fma_set(0x7f000000u), _mm512_slli_epi32(value, 8),
                                              _mm512_srli_epi32(value, 7), 0xca);
    return _mm512_ternarylogic_epi32(fma_set(0x7fff0000u), cells, value, 0xca);
}

// The upper halves of `cells` into a column.
TSR_INLINE TSR_TARGET void dst_put(uint16_t *to, bool odd, uint32_t lanes, __m512i first,
                                   __m512i last)
{
    const __m512i upper = fma_set(0xffff0000u), lower = fma_set(0x0000ffffu);
    __m512i had[2] = {_mm512_loadu_si512(to), _mm512_loadu_si512(to + 32)};
    if (odd) {
        first = _mm512_ternarylogic_epi32(upper, first, had[0], 0xca);
        last = _mm512_ternarylogic_epi32(upper, last, had[1], 0xca);
    } else {
        first = _mm512_ternarylogic_epi32(lower, _mm512_srli_epi32(first, 16), had[0], 0xca);
        last = _mm512_ternarylogic_epi32(lower, _mm512_srli_epi32(last, 16), had[1], 0xca);
    }
    if (lanes != ~0u) {
        first = _mm512_mask_mov_epi32(had[0], (__mmask16)lanes, first);
        last = _mm512_mask_mov_epi32(had[1], (__mmask16)(lanes >> 16), last);
    }
    _mm512_storeu_si512(to, first);
    _mm512_storeu_si512(to + 32, last);
}

static TSR_TARGET void load_upper(uint32_t *d, const uint16_t *high, const uint16_t *low, bool odd,
                                  uint32_t lanes, const tsr_vector_mode *mode)
{
    const __m512i zero = _mm512_setzero_si512();
    (void)low, (void)mode;
    fma_put_lanes(d, lanes, dst_unshuffle(dst_cells(high, odd), zero),
                  dst_unshuffle(dst_cells(high + 32, odd), zero));
}

static TSR_TARGET void load_whole(uint32_t *d, const uint16_t *high, const uint16_t *low, bool odd,
                                  uint32_t lanes, const tsr_vector_mode *mode)
{
    (void)mode;
    __m512i below[2] = {dst_cells(low, odd), dst_cells(low + 32, odd)};
    fma_put_lanes(d, lanes, dst_unshuffle(dst_cells(high, odd), _mm512_srli_epi32(below[0], 16)),
                  dst_unshuffle(dst_cells(high + 32, odd), _mm512_srli_epi32(below[1], 16)));
}

// Denormals become zeros that keep their sign.
TSR_INLINE TSR_TARGET __m512i dst_flush(__m512i value)
{
    __mmask16 zero = _mm512_testn_epi32_mask(value, fma_set(FMA_EXPONENT));
    return _mm512_mask_and_epi32(value, zero, value, fma_set(0x80000000u));
}

static TSR_TARGET void store_upper(uint16_t *high, uint16_t *low, const uint32_t *d, bool odd,
                                   uint32_t lanes, const tsr_vector_mode *mode)
{
    (void)low, (void)mode;
    dst_put(high, odd, lanes, dst_shuffle(dst_flush(_mm512_loadu_si512(d))),
            dst_shuffle(dst_flush(_mm512_loadu_si512(d + 16))));
}

static TSR_TARGET void store_whole(uint16_t *high, uint16_t *low, const uint32_t *d, bool odd,
                                   uint32_t lanes, const tsr_vector_mode *mode)
{
    __m512i first = _mm512_loadu_si512(d), last = _mm512_loadu_si512(d + 16);
    if (mode->modifier == MOD0_FMT_FP32) {
        first = dst_flush(first);
        last = dst_flush(last);
    }
    dst_put(low, odd, lanes, _mm512_slli_epi32(first, 16), _mm512_slli_epi32(last, 16));
    dst_put(high, odd, lanes, dst_shuffle(first), dst_shuffle(last));
}

#define VECTOR_OWN_ZEROS
#define VECTOR_OWN_CASTS
#define VECTOR_OWN_SWAPS
#define VECTOR_OWN_PRODUCTS
#define VECTOR_OWN_KERNELS [TSR_VECTOR_MUL24] = vector_mul24,

#include "kernels/vector_tmpl.h"

static tsr_vector_fn *choose_own_lanes(const tsr_vector_mode *mode)
{
    if (mode->op == TSR_VECTOR_ARECIP)
        return mode->modifier < 2 ? vector_arecip : NULL;
    if (mode->op == TSR_VECTOR_FMA)
        return choose_fma(mode);
    if (mode->op == TSR_VECTOR_LUT || mode->op == TSR_VECTOR_LUTFP32)
        return choose_table(mode);
    if (rounds_floats(mode))
        return vector_round;
    return choose_lanes(mode);
}

static tsr_vector_load_fn *choose_own_load(const tsr_vector_mode *mode)
{
    switch (mode->modifier) {
    case MOD0_FMT_BF16:
        return load_upper;
    case MOD0_FMT_FP32:
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_ALL:
        return load_whole;
    default:
        return choose_load(mode);
    }
}

static tsr_vector_store_fn *choose_own_store(const tsr_vector_mode *mode)
{
    switch (mode->modifier) {
    case MOD0_FMT_BF16:
        return store_upper;
    case MOD0_FMT_FP32:
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_ALL:
        return store_whole;
    default:
        return choose_store(mode);
    }
}

const struct tsr_vector_kernels tsr_vector_avx512 = {choose_own_lanes, choose_swap, choose_own_load,
                                                     choose_own_store};

#endif
