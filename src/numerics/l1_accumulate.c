// SPDX-License-Identifier: Apache-2.0
// Accumulation of a packer onto L1 (Pack_L1_Acc; Packers/README.md names the formats, and
// docs/arithmetic.md the rules, which differ in kind). Every sum is formed exactly; those of floats
// are then rounded to nearest even as often as the hardware does it.
#include "base/format_codes.h"

#include <tessera/numerics.h>

// magnitude * 2^scale; magnitude 0 is a signed zero.
typedef struct exact {
    bool negative;
    int32_t scale;
    uint64_t magnitude;
} exact;

static uint32_t sign_of(exact x, unsigned bit)
{
    return x.negative ? 1u << bit : 0;
}

// Significands have at most 24 bits. Beyond 39 places the smaller operand can only say which side
// of the larger one the sum is on, and one unit below says that too.
static exact add_exact(exact a, exact b)
{
    if (a.magnitude == 0 || b.magnitude == 0) {
        exact sum = a.magnitude != 0 ? a : b;
        if (a.magnitude == b.magnitude)
            sum.negative = a.negative && b.negative;
        return sum;
    }
    exact high = a.scale >= b.scale ? a : b;
    exact low = a.scale >= b.scale ? b : a;
    int32_t distance = high.scale - low.scale;
    if (distance > 39) {
        distance = 39;
        low.magnitude = 1;
    }
    int64_t sum = (int64_t)(high.magnitude << distance);
    sum = high.negative ? -sum : sum;
    sum += low.negative ? -(int64_t)low.magnitude : (int64_t)low.magnitude;
    return (exact){
        .negative = sum < 0,
        .scale = high.scale - distance,
        .magnitude = (uint64_t)(sum < 0 ? -sum : sum),
    };
}

// Exactly `bits` significant bits, ties to even; not for zero.
static exact round_to(exact x, unsigned bits)
{
    unsigned length = 64 - (unsigned)__builtin_clzll(x.magnitude);
    if (length <= bits) {
        x.magnitude <<= bits - length;
        x.scale -= (int32_t)(bits - length);
        return x;
    }
    unsigned shift = length - bits;
    uint64_t half = UINT64_C(1) << (shift - 1);
    uint64_t rest = x.magnitude & (2 * half - 1);
    x.magnitude >>= shift;
    x.scale += (int32_t)shift;
    if (rest > half || (rest == half && (x.magnitude & 1u) != 0))
        x.magnitude++;
    if (x.magnitude >> bits != 0) {
        x.magnitude >>= 1;
        x.scale++;
    }
    return x;
}

static exact split_fp32(uint32_t v)
{
    uint32_t exponent = v >> 23 & 0xffu;
    uint32_t magnitude = exponent != 0 ? (v & 0x7fffffu) | 0x800000u : 0;
    return (exact){v >> 31 != 0, (int32_t)exponent - 150, magnitude};
}

// IEEE, except that denormals are zero on the way in and out and there is one NaN.
static uint32_t accumulate_fp32(uint32_t old_value, uint32_t datum)
{
    bool old_special = (old_value & 0x7f800000u) == 0x7f800000u;
    bool new_special = (datum & 0x7f800000u) == 0x7f800000u;
    if (old_special || new_special) {
        bool nan = (old_special && (old_value & 0x7fffffu) != 0) ||
                   (new_special && (datum & 0x7fffffu) != 0) ||
                   (old_special && new_special && old_value != datum);
        return nan ? 0x7fc00000u : old_special ? old_value : datum;
    }
    exact sum = add_exact(split_fp32(old_value), split_fp32(datum));
    uint32_t sign = sign_of(sum, 31);
    if (sum.magnitude == 0)
        return sign;
    sum = round_to(sum, 24);
    int32_t exponent = sum.scale + 150;
    if (exponent <= 0)
        return sign;
    if (exponent >= 255)
        return sign | 0x7f800000u;
    return sign | (uint32_t)exponent << 23 | ((uint32_t)sum.magnitude & 0x7fffffu);
}

// NaN patterns go through as numbers of the next binade.
static exact split_bf16(uint32_t v)
{
    uint32_t exponent = v >> 7 & 0xffu;
    uint32_t magnitude = exponent != 0 ? (v & 0x7fu) | 0x80u : 0;
    return (exact){(v & 0x8000u) != 0, (int32_t)exponent - 134, magnitude};
}

// The sum passes through a binary64, whose exponent alone decides on zero and infinity.
static uint32_t accumulate_bf16(uint32_t old_value, uint32_t datum)
{
    bool old_infinite = (old_value & 0x7fffu) == 0x7f80;
    bool new_infinite = (datum & 0x7fffu) == 0x7f80;
    bool old_nan = (old_value & 0x7fffu) > 0x7f80;
    if (old_infinite && new_infinite && old_value != datum)
        return 0x7fc0;
    if (new_infinite)
        return datum;
    if (old_infinite || old_nan) {
        // A NaN in L1 counts as the largest binary64, which nothing finite can bring back.
        return (old_value & 0x8000u) | 0x7f80;
    }
    exact sum = add_exact(split_bf16(old_value), split_bf16(datum));
    uint32_t sign = sign_of(sum, 15);
    if (sum.magnitude == 0)
        return sign;
    sum = round_to(sum, 53);
    int32_t exponent = sum.scale + 52 + 127;
    if (exponent <= 0)
        return sign;
    if (exponent >= 255)
        return sign | 0x7f80;
    sum = round_to(sum, 8);
    exponent = sum.scale + 134;
    return sign | (uint32_t)exponent << 7 | ((uint32_t)sum.magnitude & 0x7fu);
}

static exact split_fp16(uint32_t v)
{
    uint32_t exponent = v >> 10 & 0x1fu;
    uint32_t magnitude = exponent != 0 ? (v & 0x3ffu) | 0x400u : 0;
    return (exact){(v & 0x8000u) != 0, (int32_t)exponent - 25, magnitude};
}

// The sum passes through a binary32, which is wide enough to do no harm. A sum too small for FP16
// comes out as the largest pattern, as does an exact zero from a large old value.
static uint32_t accumulate_fp16(uint32_t old_value, uint32_t datum)
{
    exact sum = add_exact(split_fp16(old_value), split_fp16(datum));
    uint32_t sign = sign_of(sum, 15);
    if (sum.magnitude == 0)
        return sign | ((old_value >> 10 & 0x1fu) >= 30 ? 0x7fffu : 0);
    sum = round_to(sum, 24);
    int32_t exponent = sum.scale + 23 + 15;
    if (exponent < 0 || exponent > 31)
        return sign | 0x7fff;
    if (exponent == 0)
        return sign;
    sum = round_to(sum, 11);
    exponent = sum.scale + 25;
    if (exponent > 31)
        return sign | 0x7fff;
    return sign | (uint32_t)exponent << 10 | ((uint32_t)sum.magnitude & 0x3ffu);
}

// A sign and 31 bits of magnitude, saturating; a sum of zero is plus zero.
static uint32_t accumulate_int32(uint32_t old_value, uint32_t datum)
{
    int64_t a = old_value & 0x7fffffffu, b = datum & 0x7fffffffu;
    int64_t sum = (old_value >> 31 ? -a : a) + (datum >> 31 ? -b : b);
    uint32_t sign = sum < 0 ? 0x80000000u : 0;
    int64_t magnitude = sum < 0 ? -sum : sum;
    return sign | (uint32_t)(magnitude < 0x7fffffff ? magnitude : 0x7fffffff);
}

tsr_status tsr_pack_accumulate(uint8_t format, uint32_t old_value, uint32_t datum, uint32_t *out)
{
    if (!out)
        return TSR_BAD_ARGUMENT;
    switch (format) {
    case TSR_FORMAT_FP32:
        *out = accumulate_fp32(old_value, datum);
        return TSR_OK;
    case TSR_FORMAT_FP16:
        *out = accumulate_fp16(old_value & 0xffffu, datum & 0xffffu);
        return TSR_OK;
    case TSR_FORMAT_BF16:
        *out = accumulate_bf16(old_value & 0xffffu, datum & 0xffffu);
        return TSR_OK;
    case TSR_FORMAT_INT32:
        *out = accumulate_int32(old_value, datum);
        return TSR_OK;
    default:
        return TSR_BAD_ARGUMENT;
    }
}
