// SPDX-License-Identifier: Apache-2.0
// Loops of the vector unit's operations on 32 lanes, and the choice among them. vector_SET.c of
// each vectorised set defines TSR_TARGET, vector_merge() and vector_signs(), and what it does by
// hand, and includes this. Must equal vector_reference.c. Pages: SFP*.md.
//
// Results are made for all lanes and then merged into those of the mask: a lane costs no branch.
#include "kernels/vector_lane.h"
#include "numerics/dst_layout.h"
#include "numerics/sfpu.h"

#define VECTOR TSR_INLINE TSR_TARGET
#define VECTOR_SIGN 0x80000000u
#define VECTOR_EXPONENT 0x7f800000u
#define VECTOR_MANTISSA 0x007fffffu

// Which operands there are depends on the operation.
#define VECTOR_KERNEL(name)                                                                        \
    static TSR_TARGET uint32_t name(uint32_t *d, const uint32_t *a, const uint32_t *b,             \
                                    const uint32_t *c, uint32_t lanes,                             \
                                    const tsr_vector_mode *mode)
#define VECTOR_BEGIN                                                                               \
    uint32_t out[TSR_VECTOR_LANES];                                                                \
    (void)a, (void)b, (void)c, (void)mode
#define VECTOR_EACH(value)                                                                         \
    do {                                                                                           \
        for (int i = 0; i < TSR_VECTOR_LANES; i++)                                                 \
            out[i] = (value);                                                                      \
    } while (0)

VECTOR uint32_t vector_end(uint32_t *d, const uint32_t *out, uint32_t lanes)
{
    vector_merge(d, out, lanes);
    return 0;
}

VECTOR uint32_t vector_sign_extend12(uint16_t immediate)
{
    return (uint32_t)((int32_t)((uint32_t)immediate << 20) >> 20);
}

// ---------------------------------------------------------------- fields of floats

VECTOR_KERNEL(vector_divp2)
{
    VECTOR_BEGIN;
    uint32_t exponent = (uint32_t)(uint8_t)mode->immediate << 23;
    if ((mode->modifier & 1u) == 0)
        VECTOR_EACH((c[i] & ~VECTOR_EXPONENT) | exponent);
    else
        VECTOR_EACH((c[i] & VECTOR_EXPONENT) == VECTOR_EXPONENT
                        ? c[i]
                        : (c[i] & ~VECTOR_EXPONENT) | ((c[i] + exponent) & VECTOR_EXPONENT));
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_exexp)
{
    VECTOR_BEGIN;
    uint32_t bias = (mode->modifier & 1u) != 0 ? 0 : 127;
    VECTOR_EACH((c[i] >> 23 & 0xffu) - bias);
    vector_merge(d, out, lanes);
    return vector_signs(out) & lanes;
}

VECTOR_KERNEL(vector_exman)
{
    VECTOR_BEGIN;
    uint32_t hidden = (mode->modifier & 1u) != 0 ? 0 : 1u << 23;
    VECTOR_EACH((c[i] & VECTOR_MANTISSA) | hidden);
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_setexp)
{
    VECTOR_BEGIN;
    uint32_t exponent = (uint32_t)(uint8_t)mode->immediate << 23;
    if ((mode->modifier & 1u) != 0)
        VECTOR_EACH((c[i] & ~VECTOR_EXPONENT) | exponent);
    else if ((mode->modifier & 2u) != 0)
        VECTOR_EACH((c[i] & ~VECTOR_EXPONENT) | (d[i] & VECTOR_EXPONENT));
    else
        VECTOR_EACH((c[i] & ~VECTOR_EXPONENT) | (d[i] << 23 & VECTOR_EXPONENT));
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_setman)
{
    VECTOR_BEGIN;
    uint32_t mantissa = (mode->immediate & 0xfffu) << 11;
    if ((mode->modifier & 1u) != 0)
        VECTOR_EACH((c[i] & ~VECTOR_MANTISSA) | mantissa);
    else
        VECTOR_EACH((c[i] & ~VECTOR_MANTISSA) | (d[i] & VECTOR_MANTISSA));
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_setsgn)
{
    VECTOR_BEGIN;
    uint32_t sign = (uint32_t)(mode->immediate & 1u) << 31;
    if ((mode->modifier & 1u) != 0)
        VECTOR_EACH((c[i] & ~VECTOR_SIGN) | sign);
    else
        VECTOR_EACH((c[i] & ~VECTOR_SIGN) | (d[i] & VECTOR_SIGN));
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_abs)
{
    VECTOR_BEGIN;
    if ((mode->modifier & 1u) == 0)
        VECTOR_EACH((int32_t)c[i] < 0 ? 0u - c[i] : c[i]);
    else
        VECTOR_EACH(c[i] > 0xff800000u ? c[i] : c[i] & ~VECTOR_SIGN);
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_mov)
{
    VECTOR_BEGIN;
    uint32_t flip = (uint32_t)(mode->modifier & 1u) << 31;
    VECTOR_EACH(c[i] ^ flip);
    return vector_end(d, out, lanes);
}

// ---------------------------------------------------------------- integers

#ifndef VECTOR_OWN_ZEROS
// By halves: 32 for 0.
VECTOR uint32_t vector_zeros(uint32_t value)
{
    uint32_t zeros = 0;
    for (unsigned step = 16; step > 0; step /= 2) {
        uint32_t clear = tsr_lane_if(value >> (32 - step) == 0);
        value = (value << step & clear) | (value & ~clear);
        zeros += step & clear;
    }
    return zeros + (value == 0);
}

VECTOR_KERNEL(vector_lz)
{
    VECTOR_BEGIN;
    uint32_t counted = (mode->modifier & 4u) != 0 ? ~VECTOR_SIGN : ~0u;
    VECTOR_EACH(tsr_lane_if((c[i] & counted) != 0));
    uint32_t nonzero = vector_signs(out) & lanes;
    VECTOR_EACH(vector_zeros(c[i] & counted));
    vector_merge(d, out, lanes);
    return nonzero;
}
#endif

VECTOR_KERNEL(vector_iadd)
{
    VECTOR_BEGIN;
    uint32_t immediate = vector_sign_extend12(mode->immediate);
    if ((mode->modifier & 1u) != 0)
        VECTOR_EACH(c[i] + immediate);
    else if ((mode->modifier & 2u) != 0)
        VECTOR_EACH(c[i] - d[i]);
    else
        VECTOR_EACH(c[i] + d[i]);
    vector_merge(d, out, lanes);
    return vector_signs(out) & lanes;
}

// All lanes of v by the same distance: left, or right if it is negative.
VECTOR void vector_shift_all(uint32_t *out, const uint32_t *v, uint32_t amount, bool arithmetic)
{
    unsigned left = amount & 31u, right = (0u - amount) & 31u;
    if ((amount & VECTOR_SIGN) == 0)
        VECTOR_EACH(v[i] << left);
    else if (arithmetic)
        VECTOR_EACH((uint32_t)((int32_t)v[i] >> right));
    else
        VECTOR_EACH(v[i] >> right);
}

VECTOR void vector_shift_each(uint32_t *out, const uint32_t *v, const uint32_t *by, bool arithmetic)
{
    if (arithmetic)
        VECTOR_EACH((int32_t)by[i] >= 0 ? tsr_lane_left(v[i], by[i] & 31u)
                                        : (uint32_t)((int32_t)v[i] >> ((0u - by[i]) & 31u)));
    else
        VECTOR_EACH((int32_t)by[i] >= 0 ? tsr_lane_left(v[i], by[i] & 31u)
                                        : v[i] >> ((0u - by[i]) & 31u));
}

VECTOR_KERNEL(vector_shft)
{
    VECTOR_BEGIN;
    vector_shift_each(out, d, c, mode->arch == TSR_BLACKHOLE_A0 && (mode->modifier & 2u) != 0);
    return vector_end(d, out, lanes);
}

// By an immediate: Blackhole may shift VC, and a shift to the right may be an arithmetic one.
VECTOR_KERNEL(vector_shft_left)
{
    VECTOR_BEGIN;
    bool from_c = mode->arch == TSR_BLACKHOLE_A0 && (mode->modifier & 4u) != 0;
    const uint32_t *v = from_c ? c : d;
    unsigned distance = mode->immediate & 31u;
    VECTOR_EACH(v[i] << distance);
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_shft_right)
{
    VECTOR_BEGIN;
    bool bh = mode->arch == TSR_BLACKHOLE_A0;
    vector_shift_all(out, bh && (mode->modifier & 4u) != 0 ? c : d,
                     vector_sign_extend12(mode->immediate), bh && (mode->modifier & 2u) != 0);
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_shft2)
{
    VECTOR_BEGIN;
    if (mode->modifier == 6)
        vector_shift_all(out, b, vector_sign_extend12(mode->immediate), false);
    else
        vector_shift_each(out, b, c, false);
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_loadi)
{
    VECTOR_BEGIN;
    uint32_t value = tsr_sfpu_loadi(mode->modifier, mode->immediate, 0);
    uint32_t keep = tsr_sfpu_loadi(mode->modifier, mode->immediate, ~0u) ^ value;
    VECTOR_EACH((d[i] & keep) | value);
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_and)
{
    VECTOR_BEGIN;
    VECTOR_EACH(b[i] & c[i]);
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_or)
{
    VECTOR_BEGIN;
    VECTOR_EACH(b[i] | c[i]);
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_xor)
{
    VECTOR_BEGIN;
    VECTOR_EACH(b[i] ^ c[i]);
    return vector_end(d, out, lanes);
}

VECTOR_KERNEL(vector_not)
{
    VECTOR_BEGIN;
    VECTOR_EACH(~c[i]);
    return vector_end(d, out, lanes);
}

// A new bit at the top: even parity of bits 0, 1, 21 and 31.
VECTOR_KERNEL(vector_random)
{
    VECTOR_BEGIN;
    VECTOR_EACH(~(d[i] ^ d[i] >> 1 ^ d[i] >> 21 ^ d[i] >> 31) << 31 | d[i] >> 1);
    return vector_end(d, out, lanes);
}

// ---------------------------------------------------------------- conversions

#ifndef VECTOR_OWN_CASTS
VECTOR void vector_cast_nearest(uint32_t *out, const uint32_t *c)
{
    VECTOR_EACH(tsr_lane_cast(c[i], 0, false));
}
#endif

VECTOR_KERNEL(vector_cast)
{
    VECTOR_BEGIN;
    unsigned modifier = mode->modifier & (mode->arch == TSR_BLACKHOLE_A0 ? 3u : 1u);
    if (modifier == 0)
        vector_cast_nearest(out, c);
    else if (modifier == 1)
        VECTOR_EACH(tsr_lane_cast(c[i], a ? a[i] : 0, true));
    else if (modifier == 2)
        VECTOR_EACH((int32_t)c[i] < 0 ? 0u - c[i] : c[i]);
    else
        VECTOR_EACH((int32_t)c[i] < 0 ? VECTOR_SIGN | (0u - c[i]) : c[i]);
    return vector_end(d, out, lanes);
}

// Half of what goes, or 2^-23 less than all of it, of 23 bits; or random bits, in each lane others.
#define VECTOR_ROUND(function, ...)                                                                \
    do {                                                                                           \
        if (fixed)                                                                                 \
            VECTOR_EACH(function(c[i], __VA_ARGS__, threshold));                                   \
        else                                                                                       \
            VECTOR_EACH(function(c[i], __VA_ARGS__, random[i] & 0x7fffffu));                       \
    } while (0)

// To floats of 10 or 7 bits.
VECTOR_KERNEL(vector_shorten)
{
    bool fixed = mode->rounding == 0 || mode->rounding == 2 || !a;
    uint32_t threshold = mode->rounding == 0 ? 0x400000u : mode->rounding == 2 ? 0x7fffffu : 0;
    const uint32_t *random = a;
    VECTOR_BEGIN;
    if ((mode->modifier & 7u) == 0)
        VECTOR_ROUND(tsr_lane_shorten, 13);
    else
        VECTOR_ROUND(tsr_lane_shorten, 16);
    return vector_end(d, out, lanes);
}

// To integers.
VECTOR_KERNEL(vector_stoch_rnd)
{
    static const uint32_t mosts[8] = {0, 0, 255, 127, 255, 127, 65535, 32767};
    bool fixed = mode->rounding == 0 || mode->rounding == 2 || !a;
    uint32_t threshold = mode->rounding == 0 ? 0x400000u : mode->rounding == 2 ? 0x7fffffu : 0;
    const uint32_t *random = a;
    uint32_t places = mode->immediate & 31u;
    unsigned modifier = mode->modifier & 7u;
    uint32_t most = mosts[modifier];
    bool keep_sign = (modifier & 1u) != 0;
    VECTOR_BEGIN;
    if (modifier != 4 && modifier != 5)
        VECTOR_ROUND(tsr_lane_float_to_integer, most, keep_sign);
    else if (b)
        VECTOR_ROUND(tsr_lane_scale_integer, b[i] & 31u, most, keep_sign);
    else
        VECTOR_ROUND(tsr_lane_scale_integer, places, most, keep_sign);
    return vector_end(d, out, lanes);
}

#ifndef VECTOR_OWN_PRODUCTS
// Upper or lower 23 bits; what `c` adds is the reference's.
VECTOR_KERNEL(vector_mul24)
{
    VECTOR_BEGIN;
    VECTOR_EACH(tsr_lane_if(c[i] != 0));
    uint32_t odd = vector_signs(out) & lanes;
    if ((mode->modifier & 1u) != 0)
        VECTOR_EACH(
            (uint32_t)((uint64_t)(a[i] & VECTOR_MANTISSA) * (b[i] & VECTOR_MANTISSA) >> 23));
    else
        VECTOR_EACH((a[i] & VECTOR_MANTISSA) * (b[i] & VECTOR_MANTISSA) & VECTOR_MANTISSA);
    for (; odd != 0; odd &= odd - 1) {
        int i = __builtin_ctz(odd);
        out[i] = tsr_sfpu_mul24(mode->modifier, a[i], b[i], c[i]);
    }
    return vector_end(d, out, lanes);
}

// Reciprocals; the exponential is the reference's.
VECTOR_KERNEL(vector_arecip)
{
    uint32_t found[TSR_VECTOR_LANES];
    VECTOR_BEGIN;
    for (int i = 0; i < TSR_VECTOR_LANES; i++)
        found[i] = tsr_sfpu_reciprocals[c[i] >> 16 & 0x7fu];
    for (int i = 0; i < TSR_VECTOR_LANES; i++) {
        uint32_t size = c[i] & ~VECTOR_SIGN, small = tsr_lane_if(size < 0x00800000u);
        uint32_t value = (253 - (size >> 23)) << 23 | found[i] << 16;
        value = (value & tsr_lane_if(size < 0x7e800000u) & ~small) | (VECTOR_EXPONENT & small);
        found[i] = value;
    }
    if (mode->modifier == 0)
        VECTOR_EACH((c[i] & VECTOR_SIGN) | found[i]);
    else
        VECTOR_EACH((int32_t)b[i] < 0 ? found[i] : c[i]);
    return vector_end(d, out, lanes);
}

#define VECTOR_PRODUCTS [TSR_VECTOR_MUL24] = vector_mul24, [TSR_VECTOR_ARECIP] = vector_arecip,
#else
#define VECTOR_PRODUCTS
#endif

// ---------------------------------------------------------------- lanes to flags, SFPSWAP

// As integers in two's complement, in the order of sign and magnitude.
VECTOR int32_t vector_key(uint32_t value)
{
    return (int32_t)(value ^ (uint32_t)((int32_t)value >> 31) >> 1);
}

VECTOR_KERNEL(vector_less)
{
    VECTOR_BEGIN;
    (void)d;
    VECTOR_EACH(tsr_lane_if(vector_key(b[i]) < vector_key(c[i])));
    return vector_signs(out) & lanes;
}

VECTOR_KERNEL(vector_test)
{
    VECTOR_BEGIN;
    (void)d;
    if ((mode->modifier & 2u) == 0)
        return vector_signs(c) & lanes;
    VECTOR_EACH(tsr_lane_if(c[i] != 0));
    return vector_signs(out) & lanes;
}

#ifndef VECTOR_OWN_SWAPS
static TSR_TARGET uint32_t vector_swap(uint32_t *c, uint32_t *d, uint32_t lanes,
                                       const tsr_vector_mode *mode)
{
    uint32_t out[TSR_VECTOR_LANES], other[TSR_VECTOR_LANES];
    if (mode->modifier != 0) {
        VECTOR_EACH(tsr_lane_if(vector_key(c[i]) < vector_key(d[i])));
        uint32_t minimum = tsr_vector_minimum_lanes(mode->modifier);
        lanes &= ~(vector_signs(out) ^ minimum) ^ mode->inverted;
    }
    memcpy(other, c, sizeof other);
    memcpy(out, d, sizeof out);
    vector_merge(c, out, lanes);
    vector_merge(d, other, lanes);
    return lanes;
}
#endif

// ---------------------------------------------------------------- Dst

// Two columns of Dst, the even one in the lower half.
VECTOR uint32_t vector_pair(const uint16_t *cells, int lane)
{
    return tsr_lane_get32((const uint8_t *)(cells + 2 * lane));
}

VECTOR void vector_columns(uint32_t *out, const uint16_t *cells, bool odd)
{
    if (odd)
        VECTOR_EACH(vector_pair(cells, i) >> 16);
    else
        VECTOR_EACH(vector_pair(cells, i) & 0xffffu);
}

VECTOR void vector_put_columns(uint16_t *cells, const uint32_t *in, bool odd, uint32_t lanes)
{
    uint32_t pair[TSR_VECTOR_LANES], out[TSR_VECTOR_LANES];
    if (odd)
        VECTOR_EACH(TSR_LITTLE32((vector_pair(cells, i) & 0xffffu) | in[i] << 16));
    else
        VECTOR_EACH(TSR_LITTLE32((vector_pair(cells, i) & 0xffff0000u) | in[i]));
    if (lanes == ~0u) {
        memcpy(cells, out, sizeof out);
        return;
    }
    memcpy(pair, cells, sizeof pair);
    vector_merge(pair, out, lanes);
    memcpy(cells, pair, sizeof pair);
}

VECTOR uint32_t vector_load_fp16(uint32_t cell, uint32_t inf)
{
    uint32_t exponent = cell & 0x1fu;
    exponent += tsr_lane_if(exponent != 0) & 112u;
    uint32_t value = exponent << 23 | (cell >> 5 & 0x3ffu) << 13;
    uint32_t infinite = tsr_lane_if((cell & 0x7fffu) == 0x7fffu) & inf;
    value = (value & ~infinite) | (VECTOR_EXPONENT & infinite);
    return (cell & 0x8000u) << 16 | value;
}

VECTOR uint32_t vector_unshuffle(uint32_t cell)
{
    return (cell & 0x8000u) | (cell & 0xffu) << 7 | (cell >> 8 & 0x7fu);
}

VECTOR uint32_t vector_shuffle(uint32_t value)
{
    return (value & 0x8000u) | (value & 0x7fu) << 8 | (value >> 7 & 0xffu);
}

static TSR_TARGET void vector_load_bf16(uint32_t *d, const uint16_t *high, const uint16_t *low,
                                        bool odd, uint32_t lanes, const tsr_vector_mode *mode)
{
    uint32_t out[TSR_VECTOR_LANES], cell[TSR_VECTOR_LANES];
    (void)low, (void)mode;
    vector_columns(cell, high, odd);
    VECTOR_EACH(vector_unshuffle(cell[i]) << 16);
    vector_merge(d, out, lanes);
}

static TSR_TARGET void vector_load_16(uint32_t *d, const uint16_t *high, const uint16_t *low,
                                      bool odd, uint32_t lanes, const tsr_vector_mode *mode)
{
    uint32_t out[TSR_VECTOR_LANES], cell[TSR_VECTOR_LANES];
    uint32_t inf = tsr_lane_if(mode->fp16a_inf);
    (void)low;
    vector_columns(cell, high, odd);
    switch (mode->modifier & 15u) {
    case MOD0_FMT_FP16:
        VECTOR_EACH(vector_load_fp16(cell[i], inf));
        break;
    case MOD0_FMT_LO16_ONLY:
        VECTOR_EACH((d[i] & 0xffff0000u) | cell[i]);
        break;
    case MOD0_FMT_HI16_ONLY:
        VECTOR_EACH((d[i] & 0xffffu) | cell[i] << 16);
        break;
    case MOD0_FMT_INT16:
        VECTOR_EACH((cell[i] & 0x8000u) << 16 | (cell[i] & 0x7fffu));
        break;
    case MOD0_FMT_HI16:
        VECTOR_EACH(cell[i] << 16);
        break;
    default: // UINT16, LO16
        VECTOR_EACH(cell[i]);
        break;
    }
    vector_merge(d, out, lanes);
}

static TSR_TARGET void vector_load_32(uint32_t *d, const uint16_t *high, const uint16_t *low,
                                      bool odd, uint32_t lanes, const tsr_vector_mode *mode)
{
    uint32_t out[TSR_VECTOR_LANES], cell[TSR_VECTOR_LANES], below[TSR_VECTOR_LANES];
    vector_columns(cell, high, odd);
    vector_columns(below, low, odd);
    VECTOR_EACH(vector_unshuffle(cell[i]) << 16 | below[i]);
    if (mode->modifier == MOD0_FMT_INT32_SM && mode->arch == TSR_WORMHOLE_B0)
        VECTOR_EACH((int32_t)out[i] < 0 ? 0u - (out[i] & ~VECTOR_SIGN) : out[i]);
    vector_merge(d, out, lanes);
}

VECTOR uint32_t vector_flush(uint32_t value)
{
    return value & (VECTOR_SIGN | tsr_lane_if((value & VECTOR_EXPONENT) != 0));
}

VECTOR uint32_t vector_store_fp16(uint32_t value)
{
    int32_t exponent = (int32_t)(value >> 23 & 0xffu) - 112;
    uint32_t large = tsr_lane_if(exponent > 31), small = tsr_lane_if(exponent <= 0);
    uint32_t size = (value >> 13 & 0x3ffu) << 5 | ((uint32_t)exponent & 0x1fu);
    return (value >> 16 & 0x8000u) | (((size & ~large) | (0x7fffu & large)) & ~small);
}

static TSR_TARGET void vector_store_16(uint16_t *high, uint16_t *low, const uint32_t *d, bool odd,
                                       uint32_t lanes, const tsr_vector_mode *mode)
{
    uint32_t out[TSR_VECTOR_LANES];
    (void)low;
    switch (mode->modifier & 15u) {
    case MOD0_FMT_FP16:
        VECTOR_EACH(vector_store_fp16(d[i]));
        break;
    case MOD0_FMT_BF16:
        VECTOR_EACH(vector_shuffle(vector_flush(d[i]) >> 16));
        break;
    case MOD0_FMT_HI16_ONLY:
        VECTOR_EACH(d[i] >> 16);
        break;
    case MOD0_FMT_INT16:
        VECTOR_EACH((d[i] >> 16 & 0x8000u) | (d[i] & 0x7fffu));
        break;
    default: // UINT16, LO16_ONLY
        VECTOR_EACH(d[i] & 0xffffu);
        break;
    }
    vector_put_columns(high, out, odd, lanes);
}

static TSR_TARGET void vector_store_32(uint16_t *high, uint16_t *low, const uint32_t *d, bool odd,
                                       uint32_t lanes, const tsr_vector_mode *mode)
{
    uint32_t out[TSR_VECTOR_LANES];
    uint32_t flush = mode->modifier == MOD0_FMT_FP32 ? 0 : VECTOR_EXPONENT;
    if (mode->modifier == MOD0_FMT_INT32_SM && mode->arch == TSR_WORMHOLE_B0)
        VECTOR_EACH((int32_t)d[i] < 0 ? VECTOR_SIGN | (0u - d[i]) : d[i]);
    else // an exponent that is not 0, or all that counts as one
        VECTOR_EACH(d[i] & (VECTOR_SIGN | tsr_lane_if(((d[i] & VECTOR_EXPONENT) | flush) != 0)));
    uint32_t value[TSR_VECTOR_LANES];
    memcpy(value, out, sizeof value);
    VECTOR_EACH(value[i] & 0xffffu);
    vector_put_columns(low, out, odd, lanes);
    VECTOR_EACH(vector_shuffle(value[i] >> 16));
    vector_put_columns(high, out, odd, lanes);
}

// ---------------------------------------------------------------- choice

static tsr_vector_fn *choose_lanes(const tsr_vector_mode *mode)
{
    static tsr_vector_fn *const kernels[TSR_VECTOR_OPS] = {
        VECTOR_OWN_KERNELS VECTOR_PRODUCTS // of the set
            [TSR_VECTOR_CAST] = vector_cast,
        [TSR_VECTOR_STOCH_RND] = vector_stoch_rnd,
        [TSR_VECTOR_DIVP2] = vector_divp2,
        [TSR_VECTOR_EXEXP] = vector_exexp,
        [TSR_VECTOR_EXMAN] = vector_exman,
        [TSR_VECTOR_SETEXP] = vector_setexp,
        [TSR_VECTOR_SETMAN] = vector_setman,
        [TSR_VECTOR_SETSGN] = vector_setsgn,
        [TSR_VECTOR_ABS] = vector_abs,
        [TSR_VECTOR_LZ] = vector_lz,
        [TSR_VECTOR_IADD] = vector_iadd,
        [TSR_VECTOR_SHFT] = vector_shft,
        [TSR_VECTOR_SHFT2] = vector_shft2,
        [TSR_VECTOR_LOADI] = vector_loadi,
        [TSR_VECTOR_AND] = vector_and,
        [TSR_VECTOR_OR] = vector_or,
        [TSR_VECTOR_XOR] = vector_xor,
        [TSR_VECTOR_NOT] = vector_not,
        [TSR_VECTOR_MOV] = vector_mov,
        [TSR_VECTOR_RANDOM] = vector_random,
        [TSR_VECTOR_LESS] = vector_less,
        [TSR_VECTOR_TEST] = vector_test,
    };
    if (mode->op == TSR_VECTOR_SHFT && (mode->modifier & 1u) != 0)
        return (mode->immediate & 0x800u) != 0 ? vector_shft_right : vector_shft_left;
    if (mode->op == TSR_VECTOR_STOCH_RND && (mode->modifier & 7u) < 2)
        return vector_shorten;
    if (mode->op == TSR_VECTOR_ARECIP && mode->modifier > 1)
        return NULL;
    return kernels[mode->op];
}

static tsr_vector_swap_fn *choose_swap(const tsr_vector_mode *mode)
{
    (void)mode;
    return vector_swap;
}

// Integers "8" and zeroes are the reference's.
static tsr_vector_load_fn *choose_load(const tsr_vector_mode *mode)
{
    switch (mode->modifier) {
    case MOD0_FMT_BF16:
        return vector_load_bf16;
    case MOD0_FMT_FP32:
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_ALL:
    case MOD0_FMT_INT32_SM:
        return vector_load_32;
    case MOD0_FMT_INT8:
    case MOD0_FMT_INT8_COMP:
    case MOD0_FMT_ZERO:
    case MOD0_FMT_SRCB:
        return NULL;
    default:
        return vector_load_16;
    }
}

static tsr_vector_store_fn *choose_store(const tsr_vector_mode *mode)
{
    switch (mode->modifier) {
    case MOD0_FMT_FP32:
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_ALL:
    case MOD0_FMT_INT32_SM:
        return vector_store_32;
    case MOD0_FMT_FP16:
    case MOD0_FMT_BF16:
    case MOD0_FMT_HI16_ONLY:
    case MOD0_FMT_LO16_ONLY:
    case MOD0_FMT_INT16:
    case MOD0_FMT_UINT16:
        return vector_store_16;
    default:
        return NULL;
    }
}
