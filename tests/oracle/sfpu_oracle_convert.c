// SPDX-License-Identifier: Apache-2.0
// The oracle of the vector unit's conversions. See sfpu_oracle.h.
#include "sfpu_oracle.h"

static uint64_t two_to(int places)
{
    return (uint64_t)1 << places;
}

static uint32_t field(uint32_t value, int high, int low)
{
    return (uint32_t)(value / two_to(low) % two_to(high - low + 1));
}

static uint32_t sign_of(uint32_t value)
{
    return value - value % 0x80000000u;
}

// Modulo 2^32, so that -2^31 is its own negative.
static uint32_t negative_of(uint32_t value)
{
    return (uint32_t)(two_to(32) - value);
}

static uint32_t magnitude_of_twos(uint32_t value)
{
    return value >= 0x80000000u ? negative_of(value) : value;
}

uint32_t oracle_sfpu_cast(bool wormhole, unsigned modifier, uint32_t value, uint32_t random)
{
    unsigned mode = modifier % (wormhole ? 2 : 4);
    uint64_t m = value % 0x80000000u;
    int places = 0;
    if (mode == 2)
        return magnitude_of_twos(value);
    if (mode == 3)
        return sign_of(value) + magnitude_of_twos(value) % 0x80000000u;
    if (m == 0)
        return value;
    while (m >= two_to(24 + places))
        places++;
    uint64_t unit = two_to(places), rest = m % unit, whole = m / unit;
    if (mode == 1) // seven bits each; there are never more than seven to drop
        whole += rest * two_to(7 - places) > field(random, 16, 10);
    else
        whole += 2 * rest > unit || (2 * rest == unit && whole % 2 == 1);
    int exponent = 150 + places;
    while (whole < two_to(23)) {
        whole *= 2;
        exponent--;
    }
    return sign_of(value) + (uint32_t)(whole - two_to(23) + (uint64_t)exponent * two_to(23));
}

static uint32_t threshold_of(unsigned rounding, uint32_t random)
{
    if (rounding == 0)
        return 0x400000;
    return rounding == 2 ? 0x7fffff : field(random, 22, 0);
}

uint32_t oracle_sfpu_stoch_rnd(unsigned modifier, unsigned rounding, uint32_t value, unsigned shift,
                               uint32_t random)
{
    static const uint32_t most_of[8] = {0, 0, 255, 127, 255, 127, 65535, 32767};
    unsigned mode = modifier % 8;
    uint32_t threshold = threshold_of(rounding, random), most = most_of[mode], exponent;
    uint64_t units; // of 2^-23
    exponent = field(value, 30, 23);
    if (mode < 2) {
        int places = mode == 0 ? 13 : 16;
        uint64_t unit = two_to(places);
        if (exponent == 0)
            return 0;
        if (exponent == 255)
            return sign_of(value) + 0x7f800000u;
        bool up = value % unit >= threshold / two_to(23 - places);
        return (uint32_t)((value / unit + up) * unit);
    }
    if (mode == 4 || mode == 5) {
        units = (uint64_t)(value % 0x80000000u) * two_to(23) / two_to(shift % 32);
    } else {
        if (exponent < 126)
            return 0;
        if (exponent >= 143)
            return most + (mode % 2 == 1 ? sign_of(value) : 0);
        units = two_to(23) + field(value, 22, 0);
        units = exponent == 126 ? units / 2 : units * two_to((int)exponent - 127);
    }
    uint64_t whole = units / two_to(23) + (units % two_to(23) >= threshold);
    if (whole > most)
        whole = most;
    return (uint32_t)whole + (mode % 2 == 1 && whole != 0 ? sign_of(value) : 0);
}

// ---------------------------------------------------------------- Dst

enum { SRCB, FP16, BF16, FP32, INT32, INT8, UINT16, HI16, INT16, LO16, INT32_ALL, ZERO };
enum { INT32_SM = 12, INT8_COMP, LO16_ONLY, HI16_ONLY };

// Stored: sign, mantissa, exponent. `width` bits in all, `exponent` of them exponent.
static uint32_t from_dst(uint32_t stored, int width, int exponent)
{
    uint32_t sign = field(stored, width - 1, width - 1), e = field(stored, exponent - 1, 0);
    uint32_t m = field(stored, width - 2, exponent);
    return (uint32_t)(sign * two_to(width - 1) + e * two_to(width - 1 - exponent)) + m;
}

static uint32_t to_dst(uint32_t value, int width, int exponent)
{
    uint32_t sign = field(value, width - 1, width - 1);
    uint32_t e = field(value, width - 2, width - 1 - exponent);
    uint32_t m = field(value, width - 2 - exponent, 0);
    return (uint32_t)(sign * two_to(width - 1) + m * two_to(exponent)) + e;
}

static uint32_t from_dst32(uint32_t stored)
{
    return from_dst(field(stored, 31, 16), 16, 8) * 65536u + field(stored, 15, 0);
}

static uint32_t to_dst32(uint32_t value)
{
    return to_dst(field(value, 31, 16), 16, 8) * 65536u + field(value, 15, 0);
}

static uint32_t to_twos(uint32_t value)
{
    uint32_t magnitude = value % 0x80000000u;
    return value >= 0x80000000u ? negative_of(magnitude) : magnitude;
}

static uint32_t load_fp16(uint32_t stored, bool inf)
{
    uint32_t sign = field(stored, 15, 15) * 0x80000000u;
    uint32_t m = field(stored, 14, 5), e = field(stored, 4, 0);
    if (inf && m == 1023 && e == 31)
        return sign + 0x7f800000u;
    return sign + (uint32_t)((e == 0 ? 0 : e - 15 + 127) * two_to(23) + m * two_to(13));
}

uint32_t oracle_sfpu_load(bool wormhole, unsigned mode, uint32_t stored, uint32_t old, bool inf)
{
    uint32_t cell = stored % 65536u, sign = field(cell, 15, 15) * 0x80000000u;
    switch (mode) {
    case FP16:
        return load_fp16(cell, inf);
    case SRCB:
    case BF16:
        return from_dst(cell, 16, 8) * 65536u;
    case INT32_SM:
        return wormhole ? to_twos(from_dst32(stored)) : from_dst32(stored);
    case INT8:
        return sign + field(cell, wormhole ? 11 : 12, 5);
    case INT8_COMP:
        return wormhole ? to_twos(sign + field(cell, 14, 5)) : sign + field(cell, 14, 5);
    case UINT16:
    case LO16:
        return cell;
    case HI16:
        return cell * 65536u;
    case INT16:
        return sign + field(cell, 14, 0);
    case ZERO:
        return 0;
    case LO16_ONLY:
        return field(old, 31, 16) * 65536u + cell;
    case HI16_ONLY:
        return cell * 65536u + field(old, 15, 0);
    default:
        return from_dst32(stored);
    }
}

static uint32_t without_denormals(uint32_t value)
{
    return field(value, 30, 23) == 0 ? sign_of(value) : value;
}

static uint32_t store_fp16(uint32_t value)
{
    uint32_t sign = field(value, 31, 31) * 32768u;
    int exponent = (int)field(value, 30, 23) - 127 + 15;
    if (exponent <= 0)
        return to_dst(sign, 16, 5);
    if (exponent > 31)
        return to_dst(sign + 32767, 16, 5);
    return to_dst(sign + (uint32_t)exponent * 1024u + field(value, 22, 13), 16, 5);
}

static uint32_t store_int8(uint32_t value)
{
    return field(value, 31, 31) * 32768u + field(value, 9, 0) * 32u + 16u;
}

uint32_t oracle_sfpu_store(bool wormhole, unsigned mode, uint32_t value)
{
    uint32_t signed_value = sign_of(value) + magnitude_of_twos(value) % 0x80000000u;
    switch (mode) {
    case FP16:
        return store_fp16(value);
    case SRCB:
    case BF16:
        return to_dst(field(without_denormals(value), 31, 16), 16, 8);
    case FP32:
        return to_dst32(without_denormals(value));
    case INT32_SM:
        return to_dst32(wormhole ? signed_value : value);
    case INT8:
        return store_int8(value);
    case INT8_COMP:
        return store_int8(wormhole ? signed_value : value);
    case UINT16:
    case LO16_ONLY:
        return field(value, 15, 0);
    case HI16_ONLY:
        return field(value, 31, 16);
    case INT16:
        return field(value, 31, 31) * 32768u + field(value, 14, 0);
    case LO16:
        return field(value, 15, 0) * 65536u + field(value, 31, 16);
    case HI16:
        return value;
    case ZERO:
        return 0;
    default:
        return to_dst32(value);
    }
}
