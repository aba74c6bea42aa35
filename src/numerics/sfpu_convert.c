// SPDX-License-Identifier: Apache-2.0
// Conversions of the vector unit, one lane: between numbers of an LReg, into it from Dst and from
// immediates, and out of it into Dst. Pages: SFPCAST.md (BH: SFPCAST_IntFloat.md,
// SFPCAST_IntInt.md, SFPCAST_IntAbs.md), SFPSTOCHRND.md and the three pages of its modes,
// SFPLOADI.md, SFPLOAD.md, SFPSTORE.md.
#include "numerics/dst_layout.h"
#include "numerics/float_narrow.h"
#include "numerics/sfpu.h"

#define SIGN 0x80000000u

static uint32_t negate_if_negative(uint32_t value)
{
    return (value & SIGN) != 0 ? 0u - value : value;
}

// ---------------------------------------------------------------- SFPCAST

static uint32_t float_of_integer(uint32_t value, bool stochastic, uint32_t random)
{
    uint32_t magnitude = value & ~SIGN;
    if (magnitude == 0)
        return value; // the sign of zero stays
    unsigned zeros = (unsigned)__builtin_clz(magnitude);
    uint32_t norm = magnitude << zeros;
    uint32_t result = ((157 - zeros) << 23) + (norm >> 8);
    if (stochastic)
        result += (norm & 0xfeu) > (random >> 9 & 0xfeu); // seven bits of each
    else
        result += (norm & 0x80u) != 0 && (norm & 0x17fu) != 0; // ties to even
    return (value & SIGN) + result;
}

uint32_t tsr_sfpu_cast(tsr_arch arch, unsigned modifier, uint32_t value, uint32_t random)
{
    if (arch == TSR_BLACKHOLE_A0 && (modifier & 2u) != 0) {
        uint32_t magnitude = negate_if_negative(value);
        return (modifier & 1u) != 0 ? (value & SIGN) | magnitude : magnitude;
    }
    return float_of_integer(value, (modifier & 1u) != 0, random);
}

// ---------------------------------------------------------------- SFPSTOCHRND

// Drops `dropped` bits of the mantissa. A carry may make an infinity.
static uint32_t shorten(uint32_t value, unsigned dropped, uint32_t threshold)
{
    uint32_t exponent = value >> 23 & 0xffu;
    if (exponent == 0)
        return 0;
    if (exponent == 255)
        return value & 0xff800000u;
    uint32_t cut = value & ((1u << dropped) - 1u);
    return value - cut + (cut >= threshold >> (23 - dropped) ? 1u << dropped : 0);
}

static uint32_t bounded_integer(uint32_t value, uint32_t most, bool keep_sign, uint32_t threshold)
{
    int32_t exponent = (int32_t)(value >> 23 & 0xffu) - 127;
    uint32_t sign = keep_sign ? value & SIGN : 0;
    if (exponent < -1)
        return 0;
    if (exponent >= 16)
        return sign | most;
    uint64_t m = (value & 0x7fffffu) | 0x800000u;
    m = exponent >= 0 ? m << exponent : m >> 1;
    uint32_t whole = (uint32_t)(m >> 23) + ((m & 0x7fffffu) >= threshold);
    if (whole == 0)
        return 0;
    return sign | (whole < most ? whole : most);
}

static uint32_t scaled_integer(uint32_t value, unsigned shift, uint32_t most, bool keep_sign,
                               uint32_t threshold)
{
    uint64_t m = (uint64_t)(value & ~SIGN) << 23 >> (shift & 31u);
    uint64_t whole = (m >> 23) + ((m & 0x7fffffu) >= threshold);
    if (whole == 0)
        return 0;
    return (keep_sign ? value & SIGN : 0) | (uint32_t)(whole < most ? whole : most);
}

uint32_t tsr_sfpu_stoch_rnd(unsigned modifier, unsigned rounding, uint32_t value, unsigned shift,
                            uint32_t random)
{
    // What the 23 bits that go, as a fraction, have to reach to round up.
    uint32_t threshold = rounding == 0 ? 0x400000u : rounding == 2 ? 0x7fffffu : random & 0x7fffffu;
    switch (modifier & 7u) {
    case 0:
        return shorten(value, 13, threshold);
    case 1:
        return shorten(value, 16, threshold);
    case 2:
        return bounded_integer(value, 255, false, threshold);
    case 3:
        return bounded_integer(value, 127, true, threshold);
    case 4:
        return scaled_integer(value, shift, 255, false, threshold);
    case 5:
        return scaled_integer(value, shift, 127, true, threshold);
    case 6:
        return bounded_integer(value, 65535, false, threshold);
    default:
        return bounded_integer(value, 32767, true, threshold);
    }
}

// ---------------------------------------------------------------- SFPLOADI

uint32_t tsr_sfpu_loadi(unsigned mode, uint16_t immediate, uint32_t old)
{
    switch (mode) {
    case 0: // BF16
        return (uint32_t)immediate << 16;
    case 1: // FP16, without special cases
        return (uint32_t)(immediate & 0x8000u) << 16 |
               (((immediate & 0x7fffu) << 13) + (112u << 23));
    case 2:
        return immediate;
    case 4:
        return (uint32_t)(int32_t)(int16_t)immediate;
    case 8:
        return (uint32_t)immediate << 16 | (old & 0xffffu);
    case 10:
        return (old & 0xffff0000u) | immediate;
    default: // undefined
        return old;
    }
}

// ---------------------------------------------------------------- SFPLOAD

static uint32_t load_fp16(uint16_t stored, bool fp16a_inf)
{
    uint16_t value = tsr_dst_unshuffle_fp16(stored);
    if (fp16a_inf && (value & 0x7fffu) == 0x7fffu)
        return (value & 0x8000u) << 16 | 0x7f800000u;
    return tsr_widen_from_fp16(value);
}

// An integer "8": its sign and the lowest `bits` of its magnitude.
static uint32_t load_int8(uint16_t stored, unsigned bits)
{
    return (stored & 0x8000u) << 16 | (stored >> 5 & ((1u << bits) - 1u));
}

// Minus zero becomes zero.
static uint32_t twos_complement(uint32_t value)
{
    return (value & SIGN) != 0 ? 0u - (value & ~SIGN) : value;
}

uint32_t tsr_sfpu_load(tsr_arch arch, unsigned mode, uint32_t stored, uint32_t old, bool fp16a_inf)
{
    bool wh = arch == TSR_WORMHOLE_B0;
    uint16_t cell = (uint16_t)stored;
    switch (mode & 15u) {
    case MOD0_FMT_FP16:
        return load_fp16(cell, fp16a_inf);
    case MOD0_FMT_SRCB:
    case MOD0_FMT_BF16:
        return (uint32_t)tsr_dst_unshuffle_bf16(cell) << 16;
    case MOD0_FMT_INT32_SM:
        stored = tsr_dst_unshuffle_fp32(stored);
        return wh ? twos_complement(stored) : stored;
    case MOD0_FMT_INT8:
        return load_int8(cell, wh ? 7 : 8);
    case MOD0_FMT_INT8_COMP:
        return wh ? twos_complement(load_int8(cell, 10)) : load_int8(cell, 10);
    case MOD0_FMT_LO16_ONLY:
        return (old & 0xffff0000u) | cell;
    case MOD0_FMT_HI16_ONLY:
        return (uint32_t)cell << 16 | (old & 0xffffu);
    case MOD0_FMT_INT16:
        return (cell & 0x8000u) << 16 | (cell & 0x7fffu);
    case MOD0_FMT_UINT16:
    case MOD0_FMT_LO16:
        return cell;
    case MOD0_FMT_HI16:
        return (uint32_t)cell << 16;
    case MOD0_FMT_ZERO:
        return 0;
    default: // FP32, INT32, INT32_ALL
        return tsr_dst_unshuffle_fp32(stored);
    }
}

// ---------------------------------------------------------------- SFPSTORE

static uint32_t flush(uint32_t value)
{
    return (value & 0x7f800000u) == 0 ? value & SIGN : value;
}

static uint32_t store_fp16(uint32_t value)
{
    uint32_t size = value & ~SIGN;
    uint16_t fp16 =
        size < 113u << 23 ? (uint16_t)(value >> 16 & 0x8000u) : tsr_narrow_to_fp16(value);
    return tsr_dst_shuffle_fp16(fp16);
}

static uint32_t store_int8(uint32_t value)
{
    return tsr_dst_shuffle_fp16((uint16_t)((value >> 16 & 0x8000u) | 16u << 10 | (value & 0x3ffu)));
}

// -2^31 becomes minus zero.
static uint32_t sign_magnitude(uint32_t value)
{
    return (value & SIGN) | negate_if_negative(value);
}

uint32_t tsr_sfpu_store(tsr_arch arch, unsigned mode, uint32_t value)
{
    bool wh = arch == TSR_WORMHOLE_B0;
    switch (mode & 15u) {
    case MOD0_FMT_FP16:
        return store_fp16(value);
    case MOD0_FMT_SRCB:
    case MOD0_FMT_BF16:
        return tsr_dst_shuffle_bf16((uint16_t)(flush(value) >> 16));
    case MOD0_FMT_FP32:
        return tsr_dst_shuffle_fp32(flush(value));
    case MOD0_FMT_INT32_SM:
        return tsr_dst_shuffle_fp32(wh ? sign_magnitude(value) : value);
    case MOD0_FMT_INT8:
        return store_int8(value);
    case MOD0_FMT_INT8_COMP:
        return store_int8(wh ? sign_magnitude(value) : value);
    case MOD0_FMT_HI16_ONLY:
        return value >> 16;
    case MOD0_FMT_INT16:
        return (value >> 16 & 0x8000u) | (value & 0x7fffu);
    case MOD0_FMT_UINT16:
    case MOD0_FMT_LO16_ONLY:
        return value & 0xffffu;
    case MOD0_FMT_LO16:
        return value << 16 | value >> 16;
    case MOD0_FMT_HI16:
        return value;
    case MOD0_FMT_ZERO:
        return 0;
    default: // INT32, INT32_ALL
        return tsr_dst_shuffle_fp32(value);
    }
}
