// SPDX-License-Identifier: Apache-2.0
// The multiply-add of the vector unit, the only place that multiplies or adds floats for it, and
// the tables of straight lines that end in one (docs/arithmetic.md, "The vector unit").
// Pages: SFPMAD.md, SFPADD.md, SFPADDI.md, SFPMUL.md, SFPMULI.md, SFPLUT.md, SFPLUTFP32.md.
#include "numerics/sfpu.h"

enum { EXPONENT_MAX = 255, BIAS = 127, GUARD_BITS = 3, MANTISSA_BITS = 23 };

#define SIGN 0x80000000u
#define INFINITE 0x7f800000u
#define BH_NAN 0x7fc00000u
#define WH_NAN 0x7f800001u

// Sign, exponent and significand; denormals are zeros that keep their sign.
struct number {
    uint32_t sign, m;
    int32_t e;
};

static struct number number_of(uint32_t bits)
{
    struct number number = {bits & SIGN, bits & 0x7fffffu, (int32_t)(bits >> 23 & 0xffu)};
    number.m = number.e != 0 ? number.m | 0x800000u : 0;
    return number;
}

static bool is_nan(const struct number *x)
{
    return x->e == EXPONENT_MAX && x->m != 0x800000u;
}

// Right by `distance`; bit 0 also says that something went, unless nothing is left.
static uint32_t shift_sticky(uint32_t m, int32_t distance)
{
    uint32_t kept = distance < 32 ? m >> distance : 0;
    return kept != 0 && kept << distance != m ? kept | 1u : kept;
}

// What a NaN or an infinity among the operands, or a product that overflows, makes of the result:
// `result`, or on WH with a NaN `nan`, into which the sum goes on to leak.
struct special {
    bool decided;
    uint32_t result, nan;
};

static struct special special_of(bool bh, const struct number *x, const struct number *y,
                                 const struct number *z, const struct number *p)
{
    bool x_inf = x->e == EXPONENT_MAX, y_inf = y->e == EXPONENT_MAX, z_inf = z->e == EXPONENT_MAX;
    bool opposite = z_inf && z->m == 0x800000u && z->sign != p->sign;
    // WH also takes a product of finite factors that overflows for an infinite one here.
    bool invalid = is_nan(x) || is_nan(y) || (x_inf && y->m == 0) || (y_inf && x->m == 0) ||
                   (opposite && (x_inf || y_inf || (!bh && p->e >= EXPONENT_MAX)));
    if (bh && (invalid || is_nan(z)))
        return (struct special){true, BH_NAN, 0};
    if (invalid || is_nan(z))
        return (struct special){false, 0, (invalid ? p->sign : z->sign) | WH_NAN};
    if (z_inf)
        return (struct special){true, z->sign | INFINITE, 0};
    return (struct special){true, p->sign | INFINITE, 0};
}

// r at exponent e with three guard bits, to nearest even. `right` on WH keeps bit 0 alone of what
// goes, so that of two places the upper one is lost; BH keeps both.
static uint32_t round_sum(bool bh, uint32_t sign, uint32_t r, int32_t e, uint32_t nan)
{
    int32_t right = 32 - __builtin_clz(r) - (MANTISSA_BITS + 1 + GUARD_BITS);
    e += right;
    if (e >= EXPONENT_MAX)
        return nan ? nan : sign | INFINITE;
    if (e <= 0 && bh) {
        right++;
        e = 0;
    }
    if (e < 0)
        return nan;
    if (right <= 0)
        r <<= -right;
    else
        r = bh ? shift_sticky(r, right) : r >> right | (r & 1u);
    uint32_t value = ((uint32_t)e << 23) + (r >> GUARD_BITS & 0x7fffffu);
    value += (r & 7u) + (value & 1u) > 4;
    if (nan)
        return nan | value;
    if (value >> 23 == 0)
        return bh ? sign : 0;
    return sign | value;
}

uint32_t tsr_sfpu_fma(tsr_arch arch, uint32_t a, uint32_t b, uint32_t c)
{
    bool bh = arch == TSR_BLACKHOLE_A0;
    struct number x = number_of(a), y = number_of(b), z = number_of(c);
    struct number p = {x.sign ^ y.sign, 0, x.e + y.e - BIAS};
    uint64_t product = (uint64_t)x.m * y.m;
    p.m = (uint32_t)(product >> (MANTISSA_BITS - GUARD_BITS));
    p.m |= (product & ((1u << (MANTISSA_BITS - GUARD_BITS)) - 1u)) != 0;
    uint32_t nan = 0;
    if (x.e == EXPONENT_MAX || y.e == EXPONENT_MAX || p.e >= EXPONENT_MAX || z.e == EXPONENT_MAX) {
        struct special special = special_of(bh, &x, &y, &z, &p);
        if (special.decided)
            return special.result;
        nan = special.nan;
        p.e = p.e < EXPONENT_MAX ? p.e : EXPONENT_MAX;
    }
    uint32_t zero = bh ? z.sign & p.sign : 0;
    if (p.m == 0 || p.e < 0) {
        if (!nan)
            return z.m != 0 ? c : zero;
        p.m = 0;
        p.e = 0;
    }
    z.m <<= GUARD_BITS;
    int32_t e = p.e > z.e ? p.e : z.e;
    p.m = shift_sticky(p.m, e - p.e);
    z.m = shift_sticky(z.m, e - z.e);
    uint32_t sign = p.m >= z.m ? p.sign : z.sign;
    uint32_t r = p.sign == z.sign ? p.m + z.m : p.m >= z.m ? p.m - z.m : z.m - p.m;
    if (r == 0)
        return nan ? nan : zero;
    return round_sum(bh, sign, r, e, nan);
}

// ---------------------------------------------------------------- tables of straight lines

uint32_t tsr_sfpu_lut8(uint8_t coefficient)
{
    if (coefficient == 0xff)
        return 0;
    uint32_t exponent = BIAS - (coefficient >> 4 & 7u);
    return (coefficient & 0x80u) << 24 | exponent << 23 | (coefficient & 0xfu) << 19;
}

uint32_t tsr_sfpu_lut16(uint16_t coefficient)
{
    uint32_t exponent = coefficient >> 10 & 0x1fu;
    exponent = exponent == 31 ? 0 : exponent + 112;
    return (coefficient & 0x8000u) << 16 | exponent << 23 | (coefficient & 0x3ffu) << 13;
}

// Which of three registers holds the line for |x|.
static unsigned line_of(uint32_t size)
{
    return size < 0x3f800000u ? 0 : size < 0x40000000u ? 1 : 2; // below 1, below 2
}

static uint32_t line_at(tsr_arch arch, uint32_t slope, uint32_t x, uint32_t offset, bool keep_sign)
{
    uint32_t y = tsr_sfpu_fma(arch, slope, x & ~SIGN, offset);
    return keep_sign ? (y & ~SIGN) | (x & SIGN) : y;
}

uint32_t tsr_sfpu_lut(tsr_arch arch, unsigned modifier, const uint32_t lreg[4])
{
    if (!lreg)
        return 0;
    uint32_t pair = lreg[line_of(lreg[3] & ~SIGN)];
    return line_at(arch, tsr_sfpu_lut8((uint8_t)(pair >> 8)), lreg[3], tsr_sfpu_lut8((uint8_t)pair),
                   (modifier & 4u) != 0);
}

uint32_t tsr_sfpu_lutfp32(tsr_arch arch, unsigned modifier, const uint32_t lreg[7])
{
    if (!lreg)
        return 0;
    uint32_t size = lreg[3] & ~SIGN;
    unsigned i = line_of(size);
    bool keep_sign = (modifier & 4u) != 0;
    if ((modifier & 2u) == 0)
        return line_at(arch, lreg[i], lreg[3], lreg[4 + i], keep_sign);
    if ((modifier & 8u) != 0)
        return line_at(arch, tsr_sfpu_lut16((uint16_t)(lreg[i] >> 16)), lreg[3],
                       tsr_sfpu_lut16((uint16_t)lreg[i]), keep_sign);
    // Each of the three intervals in two, at 0.5, 1.5 and 3 or 4.
    const uint32_t middle[3] = {0x3f000000u, 0x3fc00000u,
                                (modifier & 1u) != 0 ? 0x40800000u : 0x40400000u};
    unsigned upper = size < middle[i] ? 0 : 16;
    return line_at(arch, tsr_sfpu_lut16((uint16_t)(lreg[i] >> upper)), lreg[3],
                   tsr_sfpu_lut16((uint16_t)(lreg[4 + i] >> upper)), keep_sign);
}
