// SPDX-License-Identifier: Apache-2.0
// Accumulation onto L1 a second time: sums are wide integers with an exponent, rounded once or,
// where the chip was seen to go by way of a wider format, twice.
// Pages: Packers/README.md; docs/arithmetic.md, "Accumulation onto L1".
#include "oracle/pacr_number.h"

// ±magnitude · 2^exponent
struct number {
    bool negative;
    uint64_t magnitude;
    int exponent;
};

bool pacr_accumulates(unsigned format)
{
    return format == PF_FP32 || format == PF_FP16 || format == PF_BF16 || format == PF_INT32;
}

// Exact, but where the smaller one lies below the last of `room` more bits: there it counts as one
// unit, which rounds like it.
static struct number add(struct number a, struct number b, int room)
{
    if (a.magnitude == 0 && b.magnitude == 0)
        return (struct number){a.negative && b.negative, 0, 0};
    if (a.magnitude == 0 || b.magnitude == 0)
        return a.magnitude ? a : b;
    if (a.exponent < b.exponent) {
        struct number c = a;
        a = b;
        b = c;
    }
    int distance = a.exponent - b.exponent;
    int64_t x = (int64_t)(a.magnitude << room);
    int64_t y = distance > room ? 1 : (int64_t)(b.magnitude << (room - distance));
    int64_t sum = (a.negative ? -x : x) + (b.negative ? -y : y);
    return (struct number){sum < 0, (uint64_t)(sum < 0 ? -sum : sum), a.exponent - room};
}

// To `bits` bits, nearest, ties to even.
static struct number round_to(struct number a, int bits, bool away)
{
    while (a.magnitude >> bits) {
        int drop = 0;
        while (a.magnitude >> drop >> bits)
            drop++;
        uint64_t half = 1ull << (drop - 1), rest = a.magnitude & (2 * half - 1);
        uint64_t kept = a.magnitude >> drop;
        if (rest > half || (rest == half && ((kept & 1) || away)))
            kept++;
        a.magnitude = kept;
        a.exponent += drop;
    }
    return a;
}

// Scaled so that the magnitude has exactly `bits` bits.
static struct number normal(struct number a, int bits)
{
    while (a.magnitude && !(a.magnitude >> (bits - 1))) {
        a.magnitude <<= 1;
        a.exponent--;
    }
    return a;
}

static uint32_t add_fp32(uint32_t old, uint32_t datum, bool away)
{
    struct number n[2];
    uint32_t in[2] = {old, datum};
    bool infinite[2];
    for (int i = 0; i < 2; i++) {
        uint32_t e = in[i] >> 23 & 0xff, m = in[i] & 0x7fffff;
        if (e == 255 && m)
            return 0x7fc00000;
        infinite[i] = e == 255;
        n[i] = (struct number){in[i] >> 31, e ? m | 0x800000 : 0, (int)e - 150};
    }
    if (infinite[0] && infinite[1] && n[0].negative != n[1].negative)
        return 0x7fc00000;
    if (infinite[0] || infinite[1])
        return infinite[0] ? old : datum;
    struct number s = normal(round_to(add(n[0], n[1], 38), 24, away), 24);
    uint32_t sign = (uint32_t)s.negative << 31;
    if (s.magnitude == 0 || s.exponent + 150 <= 0)
        return sign;
    if (s.exponent + 150 >= 255)
        return sign | 0x7f800000;
    return sign | (uint32_t)(s.exponent + 150) << 23 | (uint32_t)(s.magnitude & 0x7fffff);
}

static uint32_t add_bf16(uint32_t old, uint32_t datum, bool away)
{
    uint32_t in[2] = {old, datum};
    struct number n[2];
    bool infinite[2];
    for (int i = 0; i < 2; i++) {
        uint32_t e = in[i] >> 7 & 0xff, m = in[i] & 0x7f;
        infinite[i] = e == 255 && m == 0;
        n[i] = (struct number){in[i] >> 15, e ? m | 0x80 : 0, (int)e - 134};
    }
    if (infinite[0] && infinite[1] && n[0].negative != n[1].negative)
        return 0x7fc0;
    if (infinite[1])
        return datum;
    if ((old & 0x7fff) >= 0x7f80) // an infinity, or a NaN that counts as something huge
        return (old & 0x8000) | 0x7f80;
    // A NaN that arrives is a number here. The sum is binary64 before it is cut to eight bits.
    struct number s = normal(round_to(add(n[0], n[1], 54), 53, false), 53);
    uint32_t sign = (uint32_t)s.negative << 15;
    int e = s.exponent + 52 + 127;
    if (s.magnitude == 0 || e <= 0)
        return sign;
    if (e >= 255)
        return sign | 0x7f80;
    s = normal(round_to(s, 8, away), 8);
    return sign | ((uint32_t)(s.exponent + 7 + 127) << 7) | (uint32_t)(s.magnitude & 0x7f);
}

static uint32_t add_fp16(uint32_t old, uint32_t datum, bool away)
{
    uint32_t in[2] = {old, datum};
    struct number n[2];
    for (int i = 0; i < 2; i++) {
        uint32_t e = in[i] >> 10 & 0x1f, m = in[i] & 0x3ff;
        n[i] = (struct number){in[i] >> 15 & 1, e ? m | 0x400 : 0, (int)e - 25};
    }
    struct number s = normal(round_to(add(n[0], n[1], 40), 24, false), 24);
    uint32_t sign = (uint32_t)s.negative << 15;
    int e = s.exponent + 23 + 15;
    if (s.magnitude == 0)
        return sign | ((old >> 10 & 0x1f) >= 30 ? 0x7fff : 0);
    if (e < 0 || e > 31)
        return sign | 0x7fff;
    if (e == 0)
        return sign;
    s = normal(round_to(s, 11, away), 11);
    e = s.exponent + 10 + 15;
    return e > 31 ? sign | 0x7fff : sign | (uint32_t)e << 10 | (uint32_t)(s.magnitude & 0x3ff);
}

static uint32_t add_int32(uint32_t old, uint32_t datum)
{
    int64_t a = old & 0x7fffffff, b = datum & 0x7fffffff;
    int64_t sum = (old >> 31 ? -a : a) + (datum >> 31 ? -b : b);
    int64_t magnitude = sum < 0 ? -sum : sum;
    if (magnitude > 0x7fffffff)
        magnitude = 0x7fffffff;
    return (sum < 0 ? 1u << 31 : 0) | (uint32_t)magnitude;
}

uint32_t pacr_accumulate(unsigned format, uint32_t old, uint32_t datum, bool away)
{
    switch (format) {
    case PF_FP32:
        return add_fp32(old, datum, away);
    case PF_FP16:
        return add_fp16(old & 0xffff, datum & 0xffff, away);
    case PF_BF16:
        return add_bf16(old & 0xffff, datum & 0xffff, away);
    default:
        return add_int32(old, datum);
    }
}
