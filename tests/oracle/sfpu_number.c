// SPDX-License-Identifier: Apache-2.0
// Numbers of the vector unit: the multiply-add of each chip, conversions, tables.
// Pages: SFPMAD.md, SFPMUL24.md, SFPCAST*.md, SFPSTOCHRND_*.md, SFPLUT.md, SFPLUTFP32.md,
// SFPARECIP.md, SFPSWAP.md; docs/arithmetic.md, "Vector unit".
#include "oracle/sfpu_model.h"

#include <math.h>

struct number {
    uint32_t sign;
    int exponent;
    uint64_t significand; // 0 for zeros and denormals
};

static struct number open_number(uint32_t bits)
{
    struct number n = {bits & 0x80000000u, (int)(bits >> 23 & 255), 0};
    if (n.exponent)
        n.significand = (bits & 0x7fffff) | 0x800000;
    return n;
}

static bool is_nan(const struct number *n)
{
    return n->exponent == 255 && n->significand != 0x800000;
}

static int bit_length(uint64_t value)
{
    int n = 0;
    while (value >> n)
        n++;
    return n;
}

// To the right, the lowest bit standing for itself and what was lost below it; but nothing stays of
// a value that is lost as a whole.
static uint64_t align(uint64_t value, int by, bool forgets)
{
    if (by == 0)
        return value;
    if (by > 62)
        return 0;
    uint64_t kept = value >> by;
    if (kept && kept << by != value && !forgets)
        kept |= 1;
    return kept;
}

// x * y with three bits below an FP32's last one.
static uint64_t product(const struct number *x, const struct number *y)
{
    uint64_t full = x->significand * y->significand * 8;
    return full >> 23 | ((full & 0x7fffff) != 0);
}

// The sum of two values at one exponent; *sign becomes that of the larger, the product's of equals.
static uint64_t add(uint64_t p, uint32_t p_sign, uint64_t q, uint32_t q_sign, uint32_t *sign)
{
    *sign = p >= q ? p_sign : q_sign;
    if (p_sign == q_sign)
        return p + q;
    return p >= q ? p - q : q - p;
}

static uint32_t nearest(int exponent, uint64_t sum, enum sfpu_fault fault)
{
    uint32_t v = (uint32_t)exponent << 23 | (uint32_t)(sum >> 3 & 0x7fffff);
    uint32_t odd = fault == SFPU_FAULT_TIE ? !(v & 1) : v & 1;
    return v + ((uint32_t)(sum & 7) + odd > 4);
}

uint32_t sfpu_fma_bh(uint32_t xb, uint32_t yb, uint32_t zb, enum sfpu_fault fault)
{
    struct number x = open_number(xb), y = open_number(yb), z = open_number(zb);
    uint32_t p_sign = x.sign ^ y.sign, sign;
    int exponent = x.exponent + y.exponent - 127;
    uint64_t p = product(&x, &y), q = z.significand * 8;
    bool endless = x.exponent == 255 || y.exponent == 255;
    if (endless || z.exponent == 255 || exponent >= 255) {
        bool none = is_nan(&x) || is_nan(&y) || is_nan(&z) ||
                    (endless && (x.significand == 0 || y.significand == 0)) ||
                    (endless && z.exponent == 255 && z.sign != p_sign);
        if (none)
            return 0x7fc00000;
        return z.exponent == 255 ? zb : p_sign | 0x7f800000;
    }
    if (p == 0 || exponent < 0)
        return q ? zb : z.sign & p_sign;
    int larger = exponent > z.exponent ? exponent : z.exponent;
    p = align(p, larger - exponent, fault == SFPU_FAULT_STICKY);
    q = align(q, larger - z.exponent, fault == SFPU_FAULT_STICKY);
    uint64_t sum = add(p, p_sign, q, z.sign, &sign);
    if (sum == 0)
        return fault == SFPU_FAULT_ZERO_SIGN ? p_sign : z.sign & p_sign;
    int by = bit_length(sum) - 27;
    larger += by;
    if (larger >= 255)
        return sign | 0x7f800000;
    if (larger <= 0) {
        by++;
        larger = 0;
    }
    if (by > 0) {
        uint64_t kept = sum >> by;
        sum = kept | (kept << by != sum);
    } else {
        sum <<= -by;
    }
    uint32_t v = nearest(larger, sum, fault);
    return v >> 23 ? sign | v : sign;
}

// What a NaN on Wormhole begins as; 0 if there is none.
static uint32_t wh_nan(const struct number *x, const struct number *y, const struct number *z,
                       uint32_t p_sign, bool overflows)
{
    bool endless = x->exponent == 255 || y->exponent == 255;
    bool invalid =
        is_nan(x) || is_nan(y) || (endless && (x->significand == 0 || y->significand == 0)) ||
        ((endless || overflows) && z->exponent == 255 && !is_nan(z) && z->sign != p_sign);
    if (invalid)
        return p_sign | 0x7f800001;
    return is_nan(z) ? z->sign | 0x7f800001 : 0;
}

uint32_t sfpu_fma_wh(uint32_t xb, uint32_t yb, uint32_t zb, enum sfpu_fault fault)
{
    struct number x = open_number(xb), y = open_number(yb), z = open_number(zb);
    uint32_t p_sign = x.sign ^ y.sign, sign, nan = 0;
    int exponent = x.exponent + y.exponent - 127;
    uint64_t p = product(&x, &y), q = z.significand * 8;
    bool overflows = exponent >= 255;
    if (x.exponent == 255 || y.exponent == 255 || z.exponent == 255 || overflows) {
        nan = wh_nan(&x, &y, &z, p_sign, overflows);
        if (!nan)
            return z.exponent == 255 ? zb : p_sign | 0x7f800000;
        if (overflows)
            exponent = 255;
    }
    if (p == 0 || exponent < 0) {
        if (!nan)
            return q ? zb : 0;
        p = 0;
        exponent = 0;
    }
    int larger = exponent > z.exponent ? exponent : z.exponent;
    p = align(p, larger - exponent, fault == SFPU_FAULT_STICKY);
    q = align(q, larger - z.exponent, fault == SFPU_FAULT_STICKY);
    uint64_t sum = add(p, p_sign, q, z.sign, &sign);
    if (sum == 0)
        return fault == SFPU_FAULT_ZERO_SIGN ? nan | p_sign : nan;
    int by = bit_length(sum) - 27;
    larger += by;
    if (larger >= 255)
        return nan ? nan : sign | 0x7f800000;
    if (larger < 0)
        return nan;
    sum = by > 0 ? sum >> by | (sum & 1) : sum << -by;
    uint32_t v = nearest(larger, sum, fault);
    if (nan)
        return v >> 23 ? nan | v : nan;
    return v >> 23 ? sign | v : 0;
}

// The addend goes through the float adder as if the product's exponent were 129.
uint32_t sfpu_mul24(uint32_t a, uint32_t b, uint32_t c, bool upper)
{
    uint64_t whole = (uint64_t)(a & 0x7fffff) * (b & 0x7fffff);
    uint32_t d = (uint32_t)(upper ? whole >> 23 : whole & 0x7fffff);
    uint32_t exponent = c >> 23 & 255;
    if (exponent == 0)
        return d;
    uint32_t larger = exponent > 129 ? exponent : 129, by = (larger - exponent) & 31;
    uint32_t addend = (0x800000 | (c & 0x7fffff)) << 3, moved = addend >> by;
    d >>= (larger - 129) & 31;
    if (moved == 0)
        return d;
    uint32_t lost = addend - (moved << by);
    return (d + moved + (lost > 0xffff ? 0x10000u : 0)) & 0x7fffff;
}

// ---------------------------------------------------------------- conversions

uint32_t sfpu_int_to_float(uint32_t c, int random)
{
    uint32_t sign = c & 0x80000000u, magnitude = c & 0x7fffffff;
    if (magnitude == 0)
        return sign;
    uint32_t exponent = 157, normal = magnitude;
    while (!(normal & 0x80000000u)) {
        normal <<= 1;
        exponent--;
    }
    // The leading one of `normal >> 8` adds the last one to the exponent.
    uint32_t d = sign + (exponent << 23) + (normal >> 8), rest = normal & 0xff;
    if (random >= 0)
        return d + ((rest & 0xfe) > ((uint32_t)random & 0xfe));
    bool up = rest > 0x80 || (rest == 0x80 && normal & 0x100);
    return d + up;
}

static bool rounds_up(uint64_t rest, uint32_t bits, bool above)
{
    return above ? rest > bits : rest >= bits;
}

uint32_t sfpu_float_to_float(uint32_t c, bool to_bf16, uint32_t bits, bool above)
{
    uint32_t exponent = c >> 23 & 255, dropped = to_bf16 ? 16 : 13;
    if (exponent == 0)
        return 0;
    if (exponent == 255)
        return c & 0xff800000;
    uint32_t rest = c & ((1u << dropped) - 1);
    bool up = rounds_up(rest, bits >> (23 - dropped), above);
    return c - rest + ((uint32_t)up << dropped);
}

static uint32_t limited(uint64_t magnitude, uint32_t max, uint32_t sign)
{
    if (magnitude > max)
        magnitude = max;
    return magnitude ? sign | (uint32_t)magnitude : 0;
}

uint32_t sfpu_float_to_int(uint32_t c, bool sign, uint32_t max, uint32_t bits, bool above)
{
    int exponent = (int)(c >> 23 & 255) - 127;
    uint32_t kept_sign = sign ? c & 0x80000000u : 0;
    if (exponent < -1)
        return 0;
    if (exponent >= 16)
        return kept_sign | max;
    uint64_t m = 0x800000 | (c & 0x7fffff);
    m = exponent < 0 ? m >> 1 : m << exponent;
    return limited((m >> 23) + rounds_up(m & 0x7fffff, bits, above), max, kept_sign);
}

uint32_t sfpu_int_to_int(uint32_t c, bool sign, unsigned shift, uint32_t bits, bool above)
{
    uint64_t m = (uint64_t)(c & 0x7fffffff) << 23 >> shift;
    uint64_t magnitude = (m >> 23) + rounds_up(m & 0x7fffff, bits, above);
    return limited(magnitude, sign ? 127 : 255, sign ? c & 0x80000000u : 0);
}

// ---------------------------------------------------------------- tables

uint32_t sfpu_lut8(uint32_t x)
{
    x &= 0xff;
    return x == 0xff ? 0 : (x >> 7) << 31 | (127 - (x >> 4 & 7)) << 23 | (x & 15) << 19;
}

uint32_t sfpu_lut16(uint32_t x)
{
    x &= 0xffff;
    uint32_t exponent = x >> 10 & 31;
    return (x >> 15) << 31 | (exponent == 31 ? 0 : 112 + exponent) << 23 | (x & 0x3ff) << 13;
}

// Of a magnitude.
uint32_t sfpu_reciprocal(uint32_t x)
{
    if (x < 0x00800000)
        return 0x7f800000;
    if (x >= 0x7e800000)
        return 0;
    uint32_t step = x >> 16 & 127, below = 257 + 2 * step;
    uint32_t entry = (2 * 65536 + below) / (2 * below) - 128; // to the nearest
    return (253 - (x >> 23)) << 23 | entry << 16;
}

// Of a magnitude. Each of the page's 896 entries is e to the input without its low half, cut to
// seven bits of mantissa.
uint32_t sfpu_exponential(uint32_t x)
{
    uint32_t low = x & 0xffff, high = x >> 16;
    if (x < 0x00800000)
        return 0x3f800000;
    if (x < 0x3c800000)
        return 0x3f810000 | low;
    if (x >= 0x40000000)
        return 0x40800000 | low;
    double input = ldexp(128 + (high & 127), (int)(high >> 7) - 127 - 7), e = exp(input);
    uint32_t entry;
    if (x < 0x3f320000)
        entry = (uint32_t)floor((e - 1) * 128);
    else
        entry =
            e < 4 ? (uint32_t)floor((e / 2 - 1) * 128) : 128 + (uint32_t)floor((e / 4 - 1) * 128);
    return (x < 0x3f320000 ? 0x3f800000u : 0x40000000u) | entry << 16 | low;
}

bool sfpu_smaller(uint32_t c, uint32_t d)
{
    int64_t a = c & 0x80000000u ? -(int64_t)(c & 0x7fffffff) - 1 : (int64_t)c;
    int64_t b = d & 0x80000000u ? -(int64_t)(d & 0x7fffffff) - 1 : (int64_t)d;
    return a < b;
}
