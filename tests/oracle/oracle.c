// SPDX-License-Identifier: Apache-2.0
// The oracle of the FPU: dot product, element-wise product and sum, and the integer paths. See
// oracle.h for what it is; docs/arithmetic.md is what it follows, rule by rule.
#include "oracle.h"

__extension__ typedef __int128 wide;

enum { MOST_TERMS = 2 };

typedef struct term {
    bool negative;
    int exponent;
    wide magnitude;
} term;

static uint32_t take_bits(uint32_t value, int high, int low)
{
    uint32_t result = 0;
    for (int bit = high; bit >= low; bit--) {
        result = result * 2 + (value / ((uint32_t)1 << bit)) % 2;
    }
    return result;
}

static wide power_of_two(int exponent)
{
    wide result = 1;
    while (exponent-- > 0) {
        result *= 2;
    }
    return result;
}

static wide floor_divide(wide numerator, wide denominator)
{
    wide quotient = numerator / denominator;
    if (numerator % denominator < 0) {
        quotient--;
    }
    return quotient;
}

// To nearest; a tie goes toward plus infinity.
static wide nearest_up(wide value, int places)
{
    return floor_divide(2 * value + power_of_two(places), 2 * power_of_two(places));
}

// To nearest; a tie goes away from zero.
static wide nearest_away(wide value, int places)
{
    return value < 0 ? -nearest_up(-value, places) : nearest_up(value, places);
}

static wide align(wide value, int distance, bool is_term)
{
    if (distance >= 31) {
        return 0;
    }
    return is_term ? nearest_up(value, distance) : nearest_away(value, distance);
}

static wide cut_to_16_bits(oracle_mode mode, wide value, bool is_term)
{
    if (mode.acc32) {
        return value;
    }
    wide unit = power_of_two(13);
    return unit * (is_term ? nearest_up(value, 13) : nearest_away(value, 13));
}

static uint32_t overflowed(oracle_mode mode, bool negative)
{
    uint32_t largest = mode.acc32 || mode.e8 ? 0x7f800000u : 0x0fffe000u;
    return negative ? largest + 0x80000000u : largest;
}

static uint32_t normalise(oracle_mode mode, wide sum, int exponent)
{
    bool negative = sum < 0;
    wide magnitude = negative ? -sum : sum;
    int places = -24;
    for (wide rest = magnitude; rest > 0; rest /= 2) {
        places++;
    }
    if (mode.wormhole && sum == -1) {
        places = 4;
    }
    exponent += places;
    int cut = mode.acc32 ? 0 : mode.e8 ? 16 : 13;
    places += cut;
    magnitude = places > 0 ? nearest_up(magnitude, places) : magnitude * power_of_two(-places);
    magnitude *= power_of_two(cut);
    if ((magnitude / power_of_two(24)) % 2 == 1) {
        exponent++;
    }
    if (exponent <= 0) {
        return 0;
    }
    if (exponent >= (mode.acc32 || mode.e8 ? 255 : 32)) {
        return overflowed(mode, negative);
    }
    uint32_t mantissa = (uint32_t)(magnitude % power_of_two(23));
    return (negative ? 0x80000000u : 0) + (uint32_t)exponent * 0x800000u + mantissa;
}

static uint32_t final_sum(oracle_mode mode, const term *terms, int count, uint32_t acc)
{
    int acc_exponent = (int)take_bits(acc, 30, 23);
    wide acc_value = acc_exponent == 0 ? 0 : (wide)(0x800000u + take_bits(acc, 22, 0));
    if (take_bits(acc, 31, 31) == 1) {
        acc_value = -acc_value;
    }
    int top = acc_exponent;
    for (int i = 0; i < count; i++) {
        if (terms[i].exponent > top) {
            top = terms[i].exponent;
        }
    }
    if (top <= 0) {
        return 0;
    }
    wide sum = cut_to_16_bits(mode, align(acc_value, top - acc_exponent, false), false);
    for (int i = 0; i < count; i++) {
        wide value = terms[i].negative ? -terms[i].magnitude : terms[i].magnitude;
        sum += cut_to_16_bits(mode, align(value, top - terms[i].exponent, true), true);
    }
    return sum == 0 ? 0 : normalise(mode, sum, top);
}

static int product_bias(oracle_mode mode)
{
    int bias = mode.e8 ? -127 : mode.acc32 ? 97 : -15;
    if (mode.phase % 2 == 1) {
        bias -= 5;
    }
    if (mode.phase / 2 == 1) {
        bias -= 7;
    }
    return bias;
}

// In units of 2^-10; `zero` says that an operand counts as zero.
static term multiply(oracle_mode mode, uint32_t a, uint32_t b, bool zero)
{
    int bias = product_bias(mode);
    if (zero) {
        return (term){false, bias > 0 ? bias : 0, 0};
    }
    uint32_t m_a = 1024 + take_bits(a, 9, 0);
    uint32_t m_b = 1024 + take_bits(b, 9, 0);
    uint32_t slice_a = mode.phase % 2 == 0 ? take_bits(m_a, 10, 6) : take_bits(m_a, 5, 1);
    uint32_t slice_b = mode.phase / 2 == 0 ? take_bits(m_b, 10, 4) : take_bits(m_b, 3, 0) * 8;
    return (term){
        .negative = take_bits(a, 18, 18) != take_bits(b, 18, 18),
        .exponent = (int)take_bits(a, 17, 10) + (int)take_bits(b, 17, 10) + bias,
        .magnitude = (wide)slice_a * slice_b,
    };
}

static bool exponent_is_zero(uint32_t datum)
{
    return take_bits(datum, 17, 10) == 0;
}

static term sum_eight(oracle_mode mode, const uint32_t *a, const uint32_t *b)
{
    term products[8];
    int top = -1000;
    for (int k = 0; k < 8; k++) {
        products[k] = multiply(mode, a[k], b[k], exponent_is_zero(a[k]) || exponent_is_zero(b[k]));
        if (products[k].exponent > top) {
            top = products[k].exponent;
        }
    }
    if (top <= 0) {
        return (term){false, 0, 0};
    }
    wide sum = 0;
    for (int k = 0; k < 8; k++) {
        wide value = align(products[k].magnitude, top - products[k].exponent, false);
        sum += products[k].negative ? -value : value;
    }
    return (term){sum < 0, top, (sum < 0 ? -sum : sum) * power_of_two(13)};
}

uint32_t oracle_dot16(oracle_mode mode, uint32_t acc, const uint32_t *a, const uint32_t *b)
{
    term terms[MOST_TERMS] = {sum_eight(mode, a, b), sum_eight(mode, a + 8, b + 8)};
    return final_sum(mode, terms, 2, acc);
}

uint32_t oracle_mul(oracle_mode mode, uint32_t acc, uint32_t a, uint32_t b, bool flush_b)
{
    bool zero = exponent_is_zero(a) || (flush_b && exponent_is_zero(b));
    term t = multiply(mode, a, b, zero);
    if (!zero && t.exponent <= 0) {
        t = multiply(mode, a, b, true);
    }
    t.magnitude *= power_of_two(13);
    return final_sum(mode, &t, 1, acc);
}

static wide adder_significand(uint32_t datum)
{
    return datum == 0 ? 0 : (wide)(1024 + take_bits(datum, 9, 0));
}

uint32_t oracle_add(oracle_mode mode, bool accumulate, uint32_t acc, uint32_t a, uint32_t b,
                    bool flush_b)
{
    if (exponent_is_zero(a)) {
        a = 0;
    }
    if (flush_b && exponent_is_zero(b)) {
        b = 0;
    }
    if (take_bits(b, 17, 0) > take_bits(a, 17, 0)) {
        uint32_t other = a;
        a = b;
        b = other;
    }
    int exponent = (int)take_bits(a, 17, 10);
    int distance = exponent - (int)take_bits(b, 17, 10);
    wide small = distance < 12 ? nearest_up(adder_significand(b), distance) : 0;
    bool same = take_bits(a, 18, 18) == take_bits(b, 18, 18);
    wide sum = adder_significand(a) + (same ? small : -small);
    if (!mode.e8 && mode.acc32) {
        exponent = exponent == 0 ? 97 : exponent + 112;
    }
    exponent -= mode.phase % 2 * 5 + mode.phase / 2 * 7;
    term t = {take_bits(a, 18, 18) == 1, exponent, sum * power_of_two(13)};
    return final_sum(mode, &t, 1, accumulate ? acc : 0);
}

static int64_t int8_value(uint32_t datum, uint32_t kept, bool flush)
{
    if (flush && exponent_is_zero(datum)) {
        return 0;
    }
    int64_t value = 0;
    for (int bit = 0; bit < 10; bit++) {
        if (take_bits(kept, bit, bit) == 1 && take_bits(datum, bit, bit) == 1) {
            value += (int64_t)power_of_two(bit);
        }
    }
    return take_bits(datum, 18, 18) == 1 ? -value : value;
}

static uint32_t add_saturating(uint32_t acc, int64_t value)
{
    const int64_t limit = 2147483647;
    int64_t sum = (int64_t)take_bits(acc, 30, 0);
    sum = (take_bits(acc, 31, 31) == 1 ? -sum : sum) + value;
    sum = sum > limit ? limit : sum < -limit ? -limit : sum;
    return sum < 0 ? 0x80000000u + (uint32_t)-sum : (uint32_t)sum;
}

uint32_t oracle_int8_dot(int phase, uint32_t acc, const uint32_t *a, const uint32_t *b, int count,
                         bool flush_b)
{
    uint32_t kept_a = phase % 2 == 1 ? 0x01f : 0x0e0;
    uint32_t kept_b = phase / 2 == 1 ? 0x00f : 0x3f0;
    int64_t sum = 0;
    for (int k = 0; k < count; k++) {
        sum += int8_value(a[k], kept_a, true) * int8_value(b[k], kept_b, flush_b);
    }
    return add_saturating(acc, sum);
}

uint32_t oracle_int8_add(bool accumulate, uint32_t acc, uint32_t a, uint32_t b, bool flush_b)
{
    int64_t sum = int8_value(a, 0x3ff, true) + int8_value(b, 0x3ff, flush_b);
    return add_saturating(accumulate ? acc : 0, sum);
}
