// SPDX-License-Identifier: Apache-2.0
// What the vector unit does with one lane as integers or as the fields of a float: shifts, sums,
// fields, products of 23 bits, approximations by table, the generator of random bits.
// Pages: SFPABS.md, SFPARECIP.md, SFPDIVP2.md, SFPEXEXP.md, SFPEXMAN.md, SFPIADD.md, SFPLZ.md,
// SFPMUL24.md, SFPSETEXP.md, SFPSETMAN.md, SFPSETSGN.md, SFPSHFT.md, SFPSHFT2.md, VectorUnit.md
// ("PRNG").
#include "base/random.h"
#include "numerics/sfpu.h"

#define SIGN 0x80000000u
#define EXPONENT 0x7f800000u
#define MANTISSA 0x007fffffu

// ---------------------------------------------------------------- fields of a float

uint32_t tsr_sfpu_divp2(unsigned modifier, uint8_t immediate, uint32_t c)
{
    uint32_t exponent = c >> 23 & 0xffu;
    if ((modifier & 1u) == 0)
        exponent = immediate;
    else if (exponent != 255)
        exponent = (exponent + immediate) & 0xffu;
    return (c & ~EXPONENT) | exponent << 23;
}

uint32_t tsr_sfpu_exexp(unsigned modifier, uint32_t c)
{
    return (c >> 23 & 0xffu) - ((modifier & 1u) != 0 ? 0 : 127u);
}

uint32_t tsr_sfpu_exman(unsigned modifier, uint32_t c)
{
    return (c & MANTISSA) | ((modifier & 1u) != 0 ? 0 : 1u << 23);
}

uint32_t tsr_sfpu_setexp(unsigned modifier, uint8_t immediate, uint32_t c, uint32_t d)
{
    uint32_t exponent = (modifier & 1u) != 0   ? immediate
                        : (modifier & 2u) != 0 ? d >> 23 & 0xffu
                                               : d & 0xffu;
    return (c & ~EXPONENT) | exponent << 23;
}

uint32_t tsr_sfpu_setman(unsigned modifier, uint16_t immediate, uint32_t c, uint32_t d)
{
    uint32_t mantissa = (modifier & 1u) != 0 ? (immediate & 0xfffu) << 11 : d & MANTISSA;
    return (c & ~MANTISSA) | mantissa;
}

uint32_t tsr_sfpu_setsgn(unsigned modifier, unsigned immediate, uint32_t c, uint32_t d)
{
    uint32_t sign = (modifier & 1u) != 0 ? (immediate & 1u) << 31 : d & SIGN;
    return (c & ~SIGN) | sign;
}

uint32_t tsr_sfpu_abs(unsigned modifier, uint32_t c)
{
    if ((c & SIGN) == 0)
        return c;
    if ((modifier & 1u) == 0)
        return 0u - c;
    return c > 0xff800000u ? c : c & ~SIGN; // a NaN keeps its sign
}

// ---------------------------------------------------------------- integers

static uint32_t sign_extend12(uint16_t immediate)
{
    return (uint32_t)((int32_t)((uint32_t)immediate << 20) >> 20);
}

uint32_t tsr_sfpu_lz(unsigned modifier, uint32_t c)
{
    if ((modifier & 4u) != 0)
        c &= ~SIGN;
    return c != 0 ? (uint32_t)__builtin_clz(c) : 32;
}

uint32_t tsr_sfpu_iadd(unsigned modifier, uint16_t immediate, uint32_t c, uint32_t d)
{
    if ((modifier & 1u) != 0)
        return c + sign_extend12(immediate);
    return (modifier & 2u) != 0 ? c - d : c + d;
}

// Left by `amount`, right by its negative; only the lowest five bits of either count.
static uint32_t shift(uint32_t value, uint32_t amount, bool arithmetic)
{
    if ((amount & SIGN) == 0)
        return value << (amount & 31u);
    unsigned right = (0u - amount) & 31u;
    return arithmetic ? (uint32_t)((int32_t)value >> right) : value >> right;
}

uint32_t tsr_sfpu_shft(tsr_arch arch, unsigned modifier, uint16_t immediate, uint32_t c, uint32_t d)
{
    bool immediately = (modifier & 1u) != 0, bh = arch == TSR_BLACKHOLE_A0;
    uint32_t value = bh && immediately && (modifier & 4u) != 0 ? c : d;
    return shift(value, immediately ? sign_extend12(immediate) : c, bh && (modifier & 2u) != 0);
}

uint32_t tsr_sfpu_shft2(unsigned modifier, uint16_t immediate, uint32_t b, uint32_t c)
{
    return shift(b, modifier == 6 ? sign_extend12(immediate) : c, false);
}

// What is left of a float's addition of c behind the product, because the multiplier is shared.
static uint32_t add_behind(uint32_t product, uint32_t c)
{
    const uint32_t exponent = c >> 23 & 0xffu, fixed = 129;
    if (exponent == 0)
        return product;
    uint32_t top = exponent > fixed ? exponent : fixed;
    uint32_t addend = ((c & MANTISSA) | 1u << 23) << 3;
    unsigned distance = (top - exponent) & 31u;
    uint32_t aligned = addend >> distance;
    product >>= (top - fixed) & 31u;
    if (aligned == 0)
        return product;
    product += aligned;
    product += (uint32_t)((aligned << distance ^ addend) > 0xffffu) << 16;
    return product & MANTISSA;
}

uint32_t tsr_sfpu_mul24(unsigned modifier, uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t product = (uint64_t)(a & MANTISSA) * (b & MANTISSA);
    uint32_t part = (uint32_t)((modifier & 1u) != 0 ? product >> 23 : product & MANTISSA);
    return c != 0 ? add_behind(part, c) : part;
}

bool tsr_sfpu_less_than(uint32_t a, uint32_t b)
{
    return tsr_sfpu_less(a, b);
}

// ---------------------------------------------------------------- SFPARECIP

const uint8_t tsr_sfpu_reciprocals[128] = {
    127, 125, 123, 121, 119, 117, 116, 114, 112, 110, 109, 107, 105, 104, 102, 100, 99, 97, 96,
    94,  93,  91,  90,  88,  87,  85,  84,  83,  81,  80,  79,  77,  76,  75,  74,  72, 71, 70,
    69,  68,  66,  65,  64,  63,  62,  61,  60,  59,  58,  57,  56,  55,  54,  53,  52, 51, 50,
    49,  48,  47,  46,  45,  44,  43,  42,  41,  40,  40,  39,  38,  37,  36,  35,  35, 34, 33,
    32,  31,  31,  30,  29,  28,  28,  27,  26,  25,  25,  24,  23,  23,  22,  21,  21, 20, 19,
    19,  18,  17,  17,  16,  15,  15,  14,  14,  13,  12,  12,  11,  11,  10,  9,   9,  8,  8,
    7,   7,   6,   5,   5,   4,   4,   3,   3,   2,   2,   1,   1,   0,
};

// The mantissa's upper seven bits of e^x at the lower end of each interval of x that has the same
// upper sixteen bits, from 2^-6 on, rounded down. From 4 on bit 7 is a carry into the exponent.
static const uint8_t EXPONENTIALS[896] = {
    2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,
    2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,
    2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,   2,
    2,   2,   2,   2,   2,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,
    3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,
    3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,
    3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   3,   4,   4,   4,   4,   4,   4,   4,   4,
    4,   4,   4,   4,   4,   4,   4,   4,   4,   4,   4,   4,   4,   4,   4,   4,   4,   4,   4,
    4,   4,   4,   4,   4,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,
    5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   5,   6,   6,
    6,   6,   6,   6,   6,   6,   6,   6,   6,   6,   6,   6,   6,   6,   6,   6,   6,   6,   6,
    6,   6,   6,   6,   6,   6,   6,   6,   6,   6,   7,   7,   7,   7,   7,   7,   7,   7,   7,
    7,   7,   7,   7,   7,   7,   7,   7,   7,   7,   7,   7,   7,   7,   7,   7,   7,   7,   7,
    7,   7,   8,   8,   8,   8,   8,   8,   8,   8,   8,   8,   8,   8,   8,   8,   8,   8,   8,
    8,   8,   9,   9,   9,   9,   9,   9,   9,   9,   9,   9,   9,   9,   9,   9,   9,   10,  10,
    10,  10,  10,  10,  10,  10,  10,  10,  10,  10,  10,  10,  11,  11,  11,  11,  11,  11,  11,
    11,  11,  11,  11,  11,  11,  11,  11,  12,  12,  12,  12,  12,  12,  12,  12,  12,  12,  12,
    12,  12,  12,  12,  13,  13,  13,  13,  13,  13,  13,  13,  13,  13,  13,  13,  13,  13,  14,
    14,  14,  14,  14,  14,  14,  14,  14,  14,  14,  14,  14,  14,  15,  15,  15,  15,  15,  15,
    15,  15,  15,  15,  15,  15,  15,  15,  15,  16,  16,  16,  16,  16,  16,  16,  16,  16,  16,
    16,  16,  16,  16,  17,  17,  17,  17,  17,  17,  17,  18,  18,  18,  18,  18,  18,  18,  19,
    19,  19,  19,  19,  19,  19,  20,  20,  20,  20,  20,  20,  20,  21,  21,  21,  21,  21,  21,
    21,  22,  22,  22,  22,  22,  22,  22,  23,  23,  23,  23,  23,  23,  24,  24,  24,  24,  24,
    24,  24,  25,  25,  25,  25,  25,  25,  25,  26,  26,  26,  26,  26,  26,  27,  27,  27,  27,
    27,  27,  27,  28,  28,  28,  28,  28,  28,  28,  29,  29,  29,  29,  29,  29,  30,  30,  30,
    30,  30,  30,  30,  31,  31,  31,  31,  31,  31,  32,  32,  32,  32,  32,  32,  33,  33,  33,
    33,  33,  33,  33,  34,  34,  34,  34,  34,  34,  35,  35,  35,  35,  35,  35,  36,  36,  36,
    36,  36,  37,  37,  37,  38,  38,  38,  39,  39,  39,  40,  40,  40,  41,  41,  41,  42,  42,
    42,  43,  43,  43,  44,  44,  44,  45,  45,  45,  46,  46,  46,  47,  47,  47,  48,  48,  49,
    49,  49,  50,  50,  50,  51,  51,  51,  52,  52,  52,  53,  53,  53,  54,  54,  54,  55,  55,
    56,  56,  56,  57,  57,  57,  58,  58,  58,  59,  59,  60,  60,  60,  61,  61,  61,  62,  62,
    63,  63,  63,  64,  64,  64,  65,  65,  66,  66,  66,  67,  67,  67,  68,  68,  69,  69,  69,
    70,  70,  71,  71,  71,  72,  72,  72,  73,  73,  74,  74,  74,  75,  75,  76,  76,  76,  77,
    77,  78,  78,  78,  79,  79,  80,  80,  80,  81,  81,  82,  82,  83,  83,  84,  85,  86,  87,
    88,  88,  89,  90,  91,  92,  93,  94,  94,  95,  96,  97,  98,  99,  100, 101, 101, 102, 103,
    104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 113, 114, 115, 116, 117, 118, 119, 120, 121,
    122, 123, 124, 125, 126, 127, 0,   0,   1,   1,   2,   2,   3,   3,   4,   4,   5,   5,   6,
    6,   7,   8,   8,   9,   9,   10,  10,  11,  11,  12,  12,  13,  13,  14,  15,  15,  16,  16,
    17,  17,  18,  19,  19,  20,  20,  21,  21,  22,  23,  23,  24,  24,  25,  26,  26,  27,  27,
    28,  29,  29,  30,  31,  31,  32,  32,  33,  34,  34,  35,  36,  36,  37,  38,  38,  39,  39,
    40,  41,  41,  42,  43,  43,  44,  45,  45,  47,  48,  50,  51,  52,  54,  55,  57,  58,  60,
    61,  63,  64,  66,  67,  69,  70,  72,  73,  75,  76,  78,  80,  81,  83,  85,  86,  88,  90,
    91,  93,  95,  97,  98,  100, 102, 104, 106, 107, 109, 111, 113, 115, 117, 119, 121, 123, 125,
    127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 139, 140, 141, 142, 143, 144, 145, 146,
    147, 149, 150, 151, 152, 153, 155, 156, 157, 158, 159, 161, 162, 163, 165, 166, 167, 168, 170,
    171, 172, 174, 175, 177, 178, 179, 181, 182, 184, 185, 187, 188, 189, 191, 192, 194, 196, 197,
    199, 200, 202, 203, 205, 207, 208, 210, 211, 213, 215, 216, 218, 220, 222, 223, 225, 227, 229,
    230, 232, 234,
};

static uint32_t reciprocal(uint32_t x)
{
    if (x < 0x00800000u)
        return EXPONENT;
    if (x >= 0x7e800000u)
        return 0;
    return (253 - (x >> 23)) << 23 | (uint32_t)tsr_sfpu_reciprocals[x >> 16 & 0x7fu] << 16;
}

static uint32_t exponential(uint32_t x)
{
    uint32_t below = x & 0xffffu;
    if (x < 0x00800000u)
        return 0x3f800000u;
    if (x < 0x3c800000u)
        return 0x3f810000u | below;
    if (x >= 0x40000000u)
        return 0x40800000u | below;
    uint32_t mantissa = (uint32_t)EXPONENTIALS[(x >> 16) - 0x3c80u] << 16;
    return (x < 0x3f320000u ? 0x3f800000u : 0x40000000u) | mantissa | below; // below 0.695: below 2
}

uint32_t tsr_sfpu_arecip(unsigned modifier, uint32_t b, uint32_t c)
{
    uint32_t sign = c & SIGN, size = c & ~SIGN;
    switch (modifier) {
    case 0:
        return sign | reciprocal(size);
    case 1:
        return (b & SIGN) != 0 ? reciprocal(size) : c;
    default:
        return sign | exponential(size);
    }
}

// ---------------------------------------------------------------- random bits

uint32_t tsr_sfpu_random(uint32_t *state)
{
    return state ? tsr_prng_next(state) : 0;
}

void tsr_sfpu_seed(uint32_t seed, uint32_t states[32])
{
    if (!states)
        return;
    for (int step = 0; step < 32; step++)
        (void)tsr_prng_next(&seed);
    for (int lane = 31; lane >= 0; lane--) {
        (void)tsr_prng_next(&seed);
        (void)tsr_prng_next(&seed);
        states[lane] = seed;
    }
}
