// SPDX-License-Identifier: Apache-2.0
// The oracle of the vector unit: multiply-add, tables, approximations, integers. The conversions
// are in sfpu_oracle_convert.c.
#include "sfpu_oracle.h"

#include <stddef.h>

__extension__ typedef __int128 wide;

static wide two_to(int places)
{
    wide result = 1;
    while (places-- > 0)
        result *= 2;
    return result;
}

static uint32_t field(uint32_t value, int high, int low)
{
    return (uint32_t)((value / two_to(low)) % two_to(high - low + 1));
}

typedef struct real {
    bool negative, nan, infinite;
    wide m; // 0, or 2^23 to 2^24 - 1
    int e;  // biased; m counts units of 2^(e - 150)
} real;

static real real_of(uint32_t bits)
{
    real r = {.negative = field(bits, 31, 31) == 1, .e = (int)field(bits, 30, 23)};
    wide mantissa = field(bits, 22, 0);
    r.nan = r.e == 255 && mantissa != 0;
    r.infinite = r.e == 255 && mantissa == 0;
    r.m = r.e == 0 ? 0 : two_to(23) + mantissa;
    return r;
}

static uint32_t sign_bit(bool negative)
{
    return negative ? 0x80000000u : 0;
}

// value / 2^places; an odd quotient stands for all that is not exact.
static wide to_odd(wide value, int places)
{
    wide quotient = places > 100 ? 0 : value / two_to(places);
    if (quotient * two_to(places > 100 ? 100 : places) != value && quotient % 2 == 0)
        quotient++;
    return quotient;
}

// The same, but what is smaller than a unit is nothing.
static wide align(wide value, int places)
{
    return places > 100 || value < two_to(places) ? 0 : to_odd(value, places);
}

static wide nearest_even(wide value, int places)
{
    wide unit = two_to(places), quotient = value / unit, rest = value % unit;
    if (2 * rest > unit || (2 * rest == unit && quotient % 2 == 1))
        quotient++;
    return quotient;
}

// The sum m, positive, in units of 2^(e - 153), as bits without a sign; UINT32_MAX above all
// normal numbers, 0 for what is flushed.
static uint32_t encode(bool wormhole, wide m, int e)
{
    int more = 0;
    while (m >= two_to(27 + more))
        more++;
    while (m < two_to(26 + more))
        more--;
    e += more;
    if (e >= 255)
        return UINT32_MAX;
    if (wormhole && e < 0)
        return 0;
    if (!wormhole && e <= 0) {
        more++;
        e = 0;
    }
    if (more < 0)
        m *= two_to(-more);
    else if (wormhole && more == 2)
        m = to_odd(m / 4 * 2 + m % 2, 1); // the upper of the two places is not looked at
    else
        m = to_odd(m, more);
    wide whole = m / 8 % two_to(23), rest = m % 8;
    whole += (wide)e * two_to(23);
    if (rest > 4 || (rest == 4 && whole % 2 == 1))
        whole++;
    return (uint32_t)whole;
}

uint32_t oracle_sfpu_fma(bool wormhole, uint32_t x_bits, uint32_t y_bits, uint32_t z_bits)
{
    real x = real_of(x_bits), y = real_of(y_bits), z = real_of(z_bits);
    bool negative = x.negative != y.negative;
    int pe = x.e + y.e - 127;
    bool inf_product = x.infinite || y.infinite, large = inf_product || pe >= 255;
    bool invalid = x.nan || y.nan || (x.infinite && y.m == 0) || (y.infinite && x.m == 0) ||
                   (z.infinite && z.negative != negative && (wormhole ? large : inf_product));
    uint32_t nan = 0;
    if (invalid || z.nan) {
        if (!wormhole)
            return 0x7fc00000u;
        nan = sign_bit(invalid ? negative : z.negative) | 0x7f800001u;
        pe = pe > 255 ? 255 : pe;
    } else if (z.infinite) {
        return z_bits;
    } else if (large) {
        return sign_bit(negative) | 0x7f800000u;
    }
    uint32_t zero = sign_bit(!wormhole && negative && z.negative);
    wide p = to_odd(8 * x.m * y.m, 23), q = 8 * z.m;
    if (p == 0 || pe < 0) {
        if (nan == 0)
            return z.m == 0 ? zero : z_bits;
        p = 0;
        pe = 0;
    }
    int e = pe > z.e ? pe : z.e;
    p = align(p, e - pe);
    q = align(q, e - z.e);
    wide sum = (negative ? -p : p) + (z.negative ? -q : q);
    if (sum == 0)
        return nan != 0 ? nan : zero;
    uint32_t size = encode(wormhole, sum < 0 ? -sum : sum, e);
    if (nan != 0)
        return size == UINT32_MAX ? nan : nan | size;
    if (size == UINT32_MAX)
        return sign_bit(sum < 0) | 0x7f800000u;
    if (size < 0x00800000u)
        return wormhole ? 0 : sign_bit(sum < 0);
    return sign_bit(sum < 0) | size;
}

bool oracle_sfpu_exact(uint32_t x_bits, uint32_t y_bits, uint32_t z_bits, uint32_t *result)
{
    real x = real_of(x_bits), y = real_of(y_bits), z = real_of(z_bits);
    int pe = x.e + y.e - 150, distance = pe - z.e; // of the units
    if (x.e == 255 || y.e == 255 || z.e == 255)
        return false;
    wide p = x.m * y.m, q = z.m;
    if (p != 0 && q != 0 && (distance > 60 || distance < -60))
        return false;
    if (p == 0 || (q != 0 && distance > 0))
        p *= p == 0 ? 1 : two_to(distance);
    else if (q != 0)
        q *= two_to(-distance);
    int e = p == 0 ? z.e : q == 0 ? pe : distance > 0 ? z.e : pe;
    wide sum = (x.negative != y.negative ? -p : p) + (z.negative ? -q : q);
    wide m = sum < 0 ? -sum : sum;
    int more = 0;
    if (m == 0)
        return false;
    while (m >= two_to(24 + more))
        more++;
    while (m < two_to(23 + more))
        more--;
    m = more > 0 ? nearest_even(m, more) : m * two_to(-more);
    e += more;
    if (m == two_to(24)) {
        m = two_to(23);
        e++;
    }
    *result = sign_bit(sum < 0) | (uint32_t)(m - two_to(23) + (wide)e * two_to(23));
    return e >= 2 && e <= 254;
}

// ---------------------------------------------------------------- tables

static uint32_t coefficient8(uint32_t bits)
{
    uint32_t exponent = 127 - field(bits, 6, 4);
    if (bits == 255)
        return 0;
    return sign_bit(field(bits, 7, 7) == 1) + (uint32_t)(exponent * two_to(23)) +
           (uint32_t)(field(bits, 3, 0) * two_to(19));
}

static uint32_t coefficient16(uint32_t bits)
{
    uint32_t exponent = field(bits, 14, 10);
    uint32_t sign = sign_bit(field(bits, 15, 15) == 1);
    if (exponent == 31)
        return sign; // a denormal, which is zero
    return sign + (uint32_t)((exponent - 15 + 127) * two_to(23)) +
           (uint32_t)(field(bits, 9, 0) * two_to(13));
}

static uint32_t line(bool wormhole, uint32_t slope, uint32_t x, uint32_t offset, bool keep)
{
    uint32_t result = oracle_sfpu_fma(wormhole, slope, x % 0x80000000u, offset);
    return keep ? result % 0x80000000u + sign_bit(x >= 0x80000000u) : result;
}

uint32_t oracle_sfpu_lut(bool wormhole, unsigned modifier, const uint32_t lreg[4])
{
    uint32_t e = field(lreg[3], 30, 23);
    uint32_t pair = lreg[e < 127 ? 0 : e == 127 ? 1 : 2];
    return line(wormhole, coefficient8(field(pair, 15, 8)), lreg[3],
                coefficient8(field(pair, 7, 0)), modifier / 4 % 2 == 1);
}

uint32_t oracle_sfpu_lutfp32(bool wormhole, unsigned modifier, const uint32_t lreg[7])
{
    uint32_t size = lreg[3] % 0x80000000u, e = field(size, 30, 23);
    unsigned i = e < 127 ? 0 : e == 127 ? 1 : 2;
    bool keep = modifier / 4 % 2 == 1;
    switch (modifier & ~4u) {
    case 10:
    case 11:
        return line(wormhole, coefficient16(field(lreg[i], 31, 16)), lreg[3],
                    coefficient16(field(lreg[i], 15, 0)), keep);
    case 2:
    case 3: {
        static const uint32_t ends[] = {0x3f000000, 0x3f800000, 0x3fc00000, 0x40000000, 0};
        uint32_t last = modifier % 2 == 1 ? 0x40800000 : 0x40400000;
        int part = 0;
        while (part < 5 && size >= (part == 4 ? last : ends[part]))
            part++;
        int high = part % 2 == 1 ? 31 : 15;
        return line(wormhole, coefficient16(field(lreg[part / 2], high, high - 15)), lreg[3],
                    coefficient16(field(lreg[4 + part / 2], high, high - 15)), keep);
    }
    default:
        return line(wormhole, lreg[i], lreg[3], lreg[4 + i], keep);
    }
}

// ---------------------------------------------------------------- approximations

// e^x in units of 2^-100, rounded down (the error is far below a unit in the last place that is
// looked at): x is m * 2^(e - 150), from 2^-6 up to 2.
static wide exponential(wide m, int e)
{
    const int places = 100;
    wide x = m * two_to(places - 40), term = two_to(places), sum = 0; // x in units of 2^-100
    int right = 150 - e - 40;
    x = right >= 0 ? x / two_to(right) : x * two_to(-right);
    for (int k = 1; term > 0; k++) {
        sum += term;
        term = (term / two_to(40)) * (x / two_to(40)) / two_to(places - 80) / k;
    }
    return sum;
}

static uint32_t approximate_exp(uint32_t x)
{
    uint32_t below = field(x, 15, 0), e = field(x, 30, 23);
    if (e == 0)
        return 0x3f800000u;
    if (e < 121)
        return 0x3f810000u + below;
    if (e >= 128)
        return 0x40800000u + below;
    // 7 bits of mantissa, rounded down; a part of two is worth one of the result's halves there.
    wide value = exponential(two_to(23) + field(x, 22, 16) * two_to(16), (int)e);
    bool small = x < 0x3f320000u;
    wide sevenths = value / two_to(100 - (small ? 7 : 6)); // of 1, or of 2
    if (sevenths >= 256)
        return 0x40800000u + (uint32_t)((sevenths / 2 - 128) * two_to(16)) + below;
    return (small ? 0x3f800000u : 0x40000000u) + (uint32_t)((sevenths - 128) * two_to(16)) + below;
}

static uint32_t approximate_reciprocal(uint32_t x)
{
    uint32_t e = field(x, 30, 23), i = field(x, 22, 16);
    if (e == 0)
        return 0x7f800000u;
    if (e >= 253)
        return 0;
    // The middle of the interval is (257 + 2 i) / 256; twice its reciprocal has 7 bits of mantissa.
    uint32_t twice = 65536 * 2 / (257 + 2 * i), rounded = (twice + 1) / 2 - 128;
    return (uint32_t)((253 - e) * two_to(23)) + (uint32_t)(rounded * two_to(16));
}

uint32_t oracle_sfpu_arecip(unsigned modifier, uint32_t condition, uint32_t value)
{
    uint32_t sign = sign_bit(value >= 0x80000000u), size = value - sign;
    if (modifier == 0)
        return sign + approximate_reciprocal(size);
    if (modifier == 1)
        return condition >= 0x80000000u ? approximate_reciprocal(size) : value;
    return sign + approximate_exp(size);
}

// ---------------------------------------------------------------- integers

uint32_t oracle_sfpu_mul24(unsigned modifier, uint32_t a, uint32_t b, uint32_t c)
{
    wide product = (wide)(a % two_to(23)) * (wide)(b % two_to(23));
    wide part = modifier % 2 == 1 ? product / two_to(23) : product % two_to(23);
    uint32_t e = field(c, 30, 23);
    if (c == 0 || e == 0)
        return (uint32_t)part;
    int top = e > 129 ? (int)e : 129, product_places = (top - 129) % 32;
    int places = (top - (int)e) % 32;
    wide addend = 8 * (two_to(23) + field(c, 22, 0)), aligned = addend / two_to(places);
    part /= two_to(product_places);
    if (aligned == 0)
        return (uint32_t)part;
    part += aligned + (addend % two_to(places) >= two_to(16) ? two_to(16) : 0);
    return (uint32_t)(part % two_to(23));
}

uint32_t oracle_sfpu_shift(uint32_t value, int64_t amount, bool arithmetic)
{
    int places = (int)((amount < 0 ? -amount : amount) % 32);
    wide number = value;
    if (amount >= 0)
        return (uint32_t)(number * two_to(places) % two_to(32));
    if (arithmetic && value >= 0x80000000u) // toward minus infinity
        return (uint32_t)(two_to(32) - (two_to(32) - number + two_to(places) - 1) / two_to(places));
    return (uint32_t)(number / two_to(places));
}

uint32_t oracle_sfpu_zeros(uint32_t value, bool ignore_sign)
{
    uint32_t zeros = 0;
    if (ignore_sign)
        value %= 0x80000000u;
    while (zeros < 32 && value < two_to(31 - (int)zeros))
        zeros++;
    return zeros;
}

bool oracle_sfpu_less(uint32_t a, uint32_t b)
{
    // -0 is one half below 0.
    int64_t size_a = a % 0x80000000u, size_b = b % 0x80000000u;
    int64_t place_a = a >= 0x80000000u ? -2 * size_a - 1 : 2 * size_a;
    int64_t place_b = b >= 0x80000000u ? -2 * size_b - 1 : 2 * size_b;
    return place_a < place_b;
}

uint32_t oracle_sfpu_random_step(uint32_t state)
{
    uint32_t taps =
        field(state, 0, 0) + field(state, 1, 1) + field(state, 21, 21) + field(state, 31, 31);
    return state / 2 + sign_bit(taps % 2 == 0);
}
