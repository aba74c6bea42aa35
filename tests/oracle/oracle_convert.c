// SPDX-License-Identifier: Apache-2.0
// The oracle of the conversions: what a pattern is worth is computed, and the result is searched
// for among all patterns of the target, or built by doubling and dividing. See oracle.h.
#include "oracle.h"

#include <float.h>
#include <math.h>
#include <string.h>

static uint16_t gather(uint16_t value, const int sources[16])
{
    uint16_t result = 0;
    for (int i = 0; i < 16; i++) {
        result = (uint16_t)(result * 2 + (value / (1u << sources[i])) % 2);
    }
    return result;
}

uint16_t oracle_dst_bf16(uint16_t value)
{
    static const int sources[16] = {15, 6, 5, 4, 3, 2, 1, 0, 14, 13, 12, 11, 10, 9, 8, 7};
    return gather(value, sources);
}

uint16_t oracle_dst_fp16(uint16_t value)
{
    static const int sources[16] = {15, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 14, 13, 12, 11, 10};
    return gather(value, sources);
}

// Every exponent is a binade, 0 included: that is the order in which truncation sees patterns.
static double binade_value(uint32_t pattern, int mantissa_bits, int bias)
{
    uint32_t scale = 1u << mantissa_bits;
    double fraction = 1.0 + (double)(pattern % scale) / scale;
    return ldexp(fraction, (int)(pattern / scale) - bias);
}

uint16_t oracle_fp32_to_fp16(uint32_t value)
{
    uint16_t sign = value >= 0x80000000u ? 0x8000 : 0;
    double wanted = binade_value(value % 0x80000000u, 23, 127);
    if (wanted < binade_value(0, 10, 15)) {
        return sign;
    }
    uint32_t low = 0;
    uint32_t high = 0x8000;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (binade_value(middle, 10, 15) <= wanted) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (uint16_t)(sign + low);
}

uint8_t oracle_fp16_to_e4m3(uint16_t value)
{
    uint8_t sign = value >= 0x8000 ? 0x80 : 0;
    double wanted = binade_value(value % 0x8000u, 10, 15);
    uint8_t best = 0;
    for (uint32_t pattern = 8; pattern < 128; pattern++) { // exponent 0 is never produced
        if (binade_value(pattern, 3, 7) <= wanted) {
            best = (uint8_t)pattern;
        }
    }
    return (uint8_t)(sign + best);
}

// Doubles until the leading one is where a mantissa has its hidden bit.
static void normalise_magnitude(uint8_t datum, int *exponent, int *fraction)
{
    int magnitude = datum % 128;
    while (magnitude < 64) {
        magnitude *= 2;
        (*exponent)--;
    }
    *fraction = magnitude - 64; // of 64
}

uint16_t oracle_bfp8_to_bf16(uint8_t datum, uint8_t exponent)
{
    if (datum % 128 == 0) {
        return datum == 0 ? 0 : 0xff80;
    }
    int e = exponent;
    int fraction;
    normalise_magnitude(datum, &e, &fraction);
    e = (e + 256) % 256;
    return (uint16_t)((datum / 128) * 0x8000 + e * 128 + fraction * 2);
}

uint16_t oracle_bfp8a_to_fp16(uint8_t datum, uint8_t exponent)
{
    if (datum % 128 == 0) {
        return datum == 0 ? 0 : 0xfc00;
    }
    int e = exponent;
    int fraction;
    normalise_magnitude(datum, &e, &fraction);
    e = (e + 256) % 32;
    return (uint16_t)((datum / 128) * 0x8000 + e * 1024 + fraction * 16);
}

uint32_t oracle_round_fp32(uint32_t value, int dropped)
{
    uint32_t sign = value / 0x80000000u * 0x80000000u;
    uint64_t magnitude = value % 0x80000000u;
    if (magnitude > 0x7f800000u) {
        return sign + 0x7f800000u;
    }
    uint64_t unit = 1;
    while (dropped-- > 0) {
        unit *= 2;
    }
    uint64_t down = magnitude / unit * unit;
    uint64_t rounded = 2 * (magnitude - down) >= unit && unit > 1 ? down + unit : down;
    return rounded < 0x800000u ? 0 : sign + (uint32_t)rounded;
}

uint16_t oracle_round_e5m6(uint16_t value)
{
    uint16_t sign = value >= 0x8000 ? 0x8000 : 0;
    uint32_t magnitude = value % 0x8000u;
    uint32_t steps = magnitude / 16 + (magnitude % 16 >= 8 ? 1 : 0);
    uint32_t rounded = steps > 0x7ff ? 0x7ff0 : steps * 16;
    return rounded < 0x400 ? 0 : (uint16_t)(sign + rounded);
}

uint32_t oracle_descale_int8(uint32_t value, bool is_unsigned, int shift)
{
    bool negative = value >= 0x80000000u;
    double magnitude = floor(ldexp((double)(value % 0x80000000u), -shift) + 0.5);
    double limit = is_unsigned ? 255 : 127;
    uint32_t result = (uint32_t)(magnitude > limit ? limit : magnitude);
    if (!negative) {
        return result;
    }
    return is_unsigned ? 0 : 128 + result;
}

void oracle_block(bool e5, int bits, const uint32_t *patterns, uint8_t *exponent, uint8_t *out)
{
    uint32_t exponents[16];
    double worth[16];
    uint32_t top = 0;
    for (int i = 0; i < 16; i++) {
        uint32_t magnitude = patterns[i] % 0x8000u;
        uint32_t mantissa = e5 ? magnitude % 1024 / 8 : magnitude % 128;
        exponents[i] = e5 ? magnitude / 1024 : magnitude / 128;
        worth[i] = ldexp(exponents[i] != 0 ? 128.0 + mantissa : mantissa, (int)exponents[i]);
        top = exponents[i] > top ? exponents[i] : top;
    }
    for (int i = 0; i < 16; i++) {
        double steps = floor(ldexp(worth[i], -(int)top - 1) + 0.5);
        int element = steps > 127 ? 127 : (int)steps;
        for (int dropped = bits; dropped < 8; dropped++) {
            element /= 2;
        }
        bool negative = patterns[i] / 0x8000u % 2 == 1 && element != 0;
        out[i] = (uint8_t)(element + (negative ? 1 << (bits - 1) : 0));
    }
    *exponent = (uint8_t)top;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t flush(uint32_t bits)
{
    return bits % 0x80000000u < 0x800000u ? bits / 0x80000000u * 0x80000000u : bits;
}

uint32_t oracle_accumulate_fp32(uint32_t old_value, uint32_t datum)
{
    volatile float sum = float_of(flush(old_value)) + float_of(flush(datum));
    return isnan(sum) ? 0x7fc00000u : flush(bits_of(sum));
}

static double bf16_number(uint32_t pattern, bool is_old)
{
    uint32_t exponent = pattern / 128 % 256;
    uint32_t mantissa = pattern % 128;
    double sign = pattern >= 0x8000u ? -1.0 : 1.0;
    if (exponent == 0) {
        return sign * 0.0;
    }
    if (exponent == 255 && mantissa == 0) {
        return sign * INFINITY;
    }
    if (exponent == 255 && is_old) {
        return sign * DBL_MAX;
    }
    return sign * ldexp(1.0 + mantissa / 128.0, (int)exponent - 127);
}

uint32_t oracle_accumulate_bf16(uint32_t old_value, uint32_t datum)
{
    volatile double sum = bf16_number(old_value, true) + bf16_number(datum, false);
    if (isnan(sum)) {
        return 0x7fc0;
    }
    uint32_t sign = signbit(sum) ? 0x8000 : 0;
    if (sum == 0) {
        return sign;
    }
    if (isinf(sum)) {
        return sign + 0x7f80;
    }
    int exponent;
    double fraction = frexp(fabs(sum), &exponent); // 0.5 <= fraction < 1
    exponent += 126;
    if (exponent <= 0) {
        return sign;
    }
    if (exponent >= 255) {
        return sign + 0x7f80;
    }
    double steps = nearbyint(fraction * 256); // the host rounds to even; 128 .. 256
    return sign + (uint32_t)exponent * 128 + (uint32_t)(steps - 128);
}

static float fp16_number(uint32_t pattern)
{
    uint32_t magnitude = pattern % 0x8000u;
    float value = magnitude < 1024 ? 0.0f : (float)binade_value(magnitude, 10, 15);
    return pattern >= 0x8000u ? -value : value;
}

uint32_t oracle_accumulate_fp16(uint32_t old_value, uint32_t datum)
{
    volatile float sum = fp16_number(old_value) + fp16_number(datum);
    uint32_t sign = signbit(sum) ? 0x8000 : 0;
    if (sum == 0) {
        return old_value / 1024 % 32 >= 30 ? sign + 0x7fff : sign;
    }
    int exponent;
    float fraction = frexpf(fabsf(sum), &exponent);
    exponent += 14;
    if (exponent == 0) {
        return sign;
    }
    double steps = nearbyint((double)fraction * 2048); // 1024 .. 2048
    double pattern = exponent * 1024.0 + steps - 1024;
    return exponent < 0 || pattern > 0x7fff ? sign + 0x7fff : sign + (uint32_t)pattern;
}
