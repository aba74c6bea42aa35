// SPDX-License-Identifier: Apache-2.0
// The numerics against the oracle: special values, each with its reason, in all combinations, and
// random ones that are shaped so that operands meet.
#include "oracle.h"

#include "numerics/fpu.h"
#include "rig/sample.h"

#include <tessera/numerics.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { RANDOM_RUNS = RIG_SAMPLE(200000), MODES = 32 };
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct special {
    uint32_t bits;
    const char *reason;
} special;

static const special SRC_SPECIALS[] = {
    {0x00000, "plus zero"},
    {0x40000, "minus zero: its sign must be dropped"},
    {0x00001, "smallest denormal: flushed"},
    {0x403ff, "largest negative denormal: flushed, or exponent 0 with a hidden bit if not"},
    {0x00400, "smallest normal: products underflow"},
    {0x03c00, "one in FP16"},
    {0x43c01, "minus one and a unit in FP16: the unit is never used in SrcA"},
    {0x04000, "two in FP16"},
    {0x07800, "2^15 in FP16: exponent 30"},
    {0x07c00, "2^16 in FP16: exponent 31 is a number"},
    {0x07fff, "largest FP16"},
    {0x19c00, "2^-24: a tie against one in FP32"},
    {0x59c00, "-2^-24: the same tie, which goes the other way"},
    {0x1d000, "2^-11: half of the adder's last place against one"},
    {0x5cc00, "-2^-12: lost beside one"},
    {0x1dc00, "2^-8: a tie against one in BF16"},
    {0x1fc00, "one"},
    {0x5fc00, "minus one"},
    {0x1fc01, "lowest mantissa bit of TF32: only the low slice of B sees it"},
    {0x1fc08, "lowest mantissa bit of BF16: only the low slice of A sees it"},
    {0x1fc10, "the high slice of B's lowest bit"},
    {0x1fc40, "the high slice of A's lowest bit"},
    {0x5ffff, "all mantissa bits: carries"},
    {0x24c00, "a large power of two: slices of zeros with a large exponent"},
    {0x3f800, "2^127: products overflow"},
    {0x3fc00, "the pattern of infinity is a number"},
    {0x7ffff, "all ones is a number"},
};

static const special ACC_SPECIALS[] = {
    {0x00000000, "plus zero"},
    {0x80000000, "minus zero"},
    {0x007fffff, "largest denormal: zero"},
    {0x00800000, "smallest normal"},
    {0x3f800000, "one: cancels minus one"},
    {0xbf800000, "minus one: cancels one"},
    {0xbf800001, "one unit beyond minus one: sum of minus one unit with one"},
    {0x3f800001, "one unit beyond one"},
    {0xc0000001, "one unit beyond minus two, for the adder"},
    {0xb3800000, "-2^-24: a tie against one"},
    {0x34000000, "2^-23"},
    {0x12345678, "exponent 36: below what an FP16 product of zeros has"},
    {0x28345678, "exponent 80: likewise, but some bits remain"},
    {0x07800000, "one in the five-bit frame"},
    {0x0f800000, "2^16 in the five-bit frame"},
    {0x8fffe000, "largest in the five-bit frame, negative"},
    {0x7f7fffff, "largest finite"},
    {0x7f800000, "infinity's pattern is a number"},
    {0xffffffff, "all ones is a number"},
};

static uint64_t random_state;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static int reseed(void **state)
{
    (void)state;
    random_state = UINT64_C(0x9e3779b97f4a7c15);
    return 0;
}

static tsr_fpu_mode mode_at(uint32_t index)
{
    return (tsr_fpu_mode){
        .arch = (index & 1u) != 0 ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0,
        .e8 = (index & 2u) != 0,
        .acc32 = (index & 4u) != 0,
        .phase = (uint8_t)(index >> 3 & 3u),
    };
}

static oracle_mode oracle_mode_of(const tsr_fpu_mode *mode)
{
    return (oracle_mode){mode->arch == TSR_WORMHOLE_B0, mode->e8, mode->acc32, mode->phase};
}

// The frame of a 16-bit Dst has zeros below the mantissa, and five exponent bits for FP16.
static uint32_t fit_acc(const tsr_fpu_mode *mode, uint32_t acc)
{
    if (mode->acc32)
        return acc;
    return acc & (mode->e8 ? 0xffff0000u : 0x8fffe000u);
}

static uint32_t fit_src(const tsr_fpu_mode *mode, uint32_t datum)
{
    return mode->e8 ? datum & 0x7ffffu : datum & 0x47fffu;
}

// Exponents of a block around `centre`, so that aligning, cancelling and rounding all happen;
// some mantissas are all zeros or all ones.
static uint32_t random_src(const tsr_fpu_mode *mode, uint32_t centre, uint32_t spread)
{
    uint32_t bits = random_bits();
    uint32_t exponent = centre + random_bits() % spread;
    uint32_t mantissa = bits & 0x3ffu;
    if ((bits >> 20 & 15u) == 0)
        return fit_src(mode, SRC_SPECIALS[random_bits() % COUNT(SRC_SPECIALS)].bits);
    if ((bits >> 24 & 7u) == 0)
        mantissa = (bits >> 27 & 1u) != 0 ? 0 : 0x3ff;
    return fit_src(mode, (bits >> 31) << 18 | (exponent & 0xffu) << 10 | mantissa);
}

static uint32_t random_acc(const tsr_fpu_mode *mode, uint32_t centre, uint32_t spread)
{
    uint32_t bits = random_bits();
    uint32_t exponent = (centre + random_bits() % spread) & 0xffu;
    if ((random_bits() & 15u) == 0)
        return fit_acc(mode, ACC_SPECIALS[random_bits() % COUNT(ACC_SPECIALS)].bits);
    return fit_acc(mode, (bits & 0x807fffffu) | exponent << 23);
}

static uint32_t exponent_of_product(const tsr_fpu_mode *mode, uint32_t a, uint32_t b)
{
    int sum = (int)(a >> 10 & 0xffu) + (int)(b >> 10 & 0xffu);
    sum += mode->e8 ? -127 : mode->acc32 ? 97 : -15;
    return (uint32_t)(sum < 12 ? 12 : sum > 255 ? 255 : sum);
}

static void check_mul(const tsr_fpu_mode *mode, uint32_t acc, uint32_t a, uint32_t b, bool flush)
{
    uint32_t expected = oracle_mul(oracle_mode_of(mode), acc, a, b, flush);
    uint32_t got = tsr_fpu_mul(mode, acc, a, b, flush);
    if (expected != got) {
        fail_msg("mul bh%d e8=%d acc32=%d phase %d flush %d: %08x + %05x * %05x: %08x, not %08x",
                 mode->arch, mode->e8, mode->acc32, mode->phase, flush, acc, a, b, got, expected);
    }
}

static void check_add(const tsr_fpu_mode *mode, bool accumulate, uint32_t acc, uint32_t a,
                      uint32_t b, bool flush)
{
    if (!flush && (a & 0x3fc00u) == 0 && b == 0x40000)
        return; // 0 + (-0) unflushed is outside of the specification
    uint32_t expected = oracle_add(oracle_mode_of(mode), accumulate, acc, a, b, flush);
    uint32_t got = tsr_fpu_add(mode, accumulate, acc, a, b, flush);
    if (expected != got) {
        fail_msg("add bh%d e8=%d acc32=%d flush %d acc %d: %08x + %05x + %05x: %08x, not %08x",
                 mode->arch, mode->e8, mode->acc32, flush, accumulate, acc, a, b, got, expected);
    }
}

static void check_dot(const tsr_fpu_mode *mode, uint32_t acc, const uint32_t *a, const uint32_t *b)
{
    uint32_t expected = oracle_dot16(oracle_mode_of(mode), acc, a, b);
    uint32_t got = tsr_fpu_dot16(mode, acc, a, b);
    if (expected != got) {
        fail_msg("dot bh%d e8=%d acc32=%d phase %d acc %08x a0 %05x b0 %05x: %08x, not %08x",
                 mode->arch, mode->e8, mode->acc32, mode->phase, acc, a[0], b[0], got, expected);
    }
}

static void test_element_specials(void **state)
{
    (void)state;
    for (uint32_t m = 0; m < MODES; m++) {
        tsr_fpu_mode mode = mode_at(m);
        for (size_t i = 0; i < COUNT(SRC_SPECIALS) * COUNT(SRC_SPECIALS); i++) {
            uint32_t a = fit_src(&mode, SRC_SPECIALS[i % COUNT(SRC_SPECIALS)].bits);
            uint32_t b = fit_src(&mode, SRC_SPECIALS[i / COUNT(SRC_SPECIALS)].bits);
            for (size_t k = 0; k < COUNT(ACC_SPECIALS); k++) {
                uint32_t acc = fit_acc(&mode, ACC_SPECIALS[k].bits);
                check_mul(&mode, acc, a, b, true);
                check_mul(&mode, acc, a, b, false);
                check_add(&mode, true, acc, a, b, true);
                check_add(&mode, true, acc, a, b, false);
                check_add(&mode, false, acc, a, b, true);
                check_add(&mode, false, acc, a, b, false);
            }
        }
    }
}

// One pair in every lane in turn, beside a lane of ones: the other group, the same group.
static void test_dot_specials(void **state)
{
    (void)state;
    for (uint32_t m = 0; m < MODES; m++) {
        tsr_fpu_mode mode = mode_at(m);
        uint32_t one = mode.e8 ? 0x1fc00 : 0x03c00;
        for (size_t i = 0; i < COUNT(SRC_SPECIALS) * COUNT(SRC_SPECIALS); i++) {
            uint32_t a[16] = {one};
            uint32_t b[16] = {one};
            size_t lane = 1 + i % 15;
            a[lane] = fit_src(&mode, SRC_SPECIALS[i % COUNT(SRC_SPECIALS)].bits);
            b[lane] = fit_src(&mode, SRC_SPECIALS[i / COUNT(SRC_SPECIALS)].bits);
            for (size_t k = 0; k < COUNT(ACC_SPECIALS); k++)
                check_dot(&mode, fit_acc(&mode, ACC_SPECIALS[k].bits), a, b);
        }
    }
}

static void test_mul_random(void **state)
{
    (void)state;
    for (int i = 0; i < RANDOM_RUNS; i++) {
        tsr_fpu_mode mode = mode_at(random_bits());
        uint32_t spread = (i & 1) != 0 ? 256 : 16;
        uint32_t centre = mode.e8 ? 60 + random_bits() % 100 : random_bits() % 20;
        uint32_t a = random_src(&mode, centre, spread);
        uint32_t b = random_src(&mode, centre, spread);
        uint32_t product = exponent_of_product(&mode, a, b);
        check_mul(&mode, random_acc(&mode, product - 12, 24), a, b, (random_bits() & 1u) != 0);
    }
}

static void test_add_random(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * RANDOM_RUNS; i++) {
        tsr_fpu_mode mode = mode_at(random_bits() & ((i & 2) != 0 ? 31u : 7u));
        uint32_t centre = random_bits() % 240;
        uint32_t a = random_src(&mode, centre, 14);
        uint32_t b = random_src(&mode, centre, 14);
        uint32_t top = (!mode.e8 && mode.acc32 ? 112 : 0) + (a >> 10 & 0xffu);
        uint32_t acc = random_acc(&mode, top - 12, 24);
        check_add(&mode, (i & 1) != 0, acc, a, b, (random_bits() & 1u) != 0);
    }
}

static void test_dot_random(void **state)
{
    (void)state;
    static const uint32_t spreads[] = {2, 6, 16, 60, 256};
    for (int i = 0; i < RANDOM_RUNS; i++) {
        tsr_fpu_mode mode = mode_at(random_bits());
        uint32_t spread = spreads[random_bits() % COUNT(spreads)];
        uint32_t centre = mode.e8 ? 60 + random_bits() % 100 : random_bits() % 24;
        uint32_t a[16];
        uint32_t b[16];
        for (int k = 0; k < 16; k++) {
            a[k] = random_src(&mode, centre, spread);
            b[k] = random_src(&mode, centre, spread);
        }
        uint32_t product = exponent_of_product(&mode, a[0], b[0]);
        check_dot(&mode, random_acc(&mode, product - 12, 26), a, b);
    }
}

// Sums of one or a few units are where normalising goes wrong; random data hardly ever has them.
static void test_near_cancellation(void **state)
{
    (void)state;
    for (int i = 0; i < RANDOM_RUNS; i++) {
        tsr_fpu_mode mode = mode_at((random_bits() & ~4u) | 4u); // acc32
        uint32_t a = random_src(&mode, mode.e8 ? 120 : 10, 8);
        uint32_t b = random_src(&mode, mode.e8 ? 120 : 10, 8);
        mode.phase = 0;
        uint32_t acc = tsr_fpu_mul(&mode, 0, a, b, true) ^ 0x80000000u;
        check_mul(&mode, acc + random_bits() % 5 - 2, a, b, true);
        acc = tsr_fpu_add(&mode, false, 0, a, b, true) ^ 0x80000000u;
        check_add(&mode, true, acc + random_bits() % 5 - 2, a, b, true);
    }
}

static void test_operand(void **state)
{
    (void)state;
    for (uint32_t format = 0; format < 16; format++) {
        bool e5 = format == 1 || format == 2 || format == 3 || format == 10 || format == 11 ||
                  format == 14;
        assert_int_equal(tsr_fpu_format_is_e5((uint8_t)format), e5);
        uint32_t all = tsr_fpu_operand((uint8_t)format, 0x7ffff);
        assert_int_equal(all, e5 ? 0x47fff : format == 4 ? 0x7ffff : 0x7fff8);
    }
}

static void test_int8(void **state)
{
    (void)state;
    for (int i = 0; i < RANDOM_RUNS; i++) {
        uint32_t a[16];
        uint32_t b[16];
        for (int k = 0; k < 16; k++) {
            uint32_t noise = random_bits();
            a[k] = (noise & 0x403ffu) | ((noise >> 20 & 7u) != 0 ? 16u << 10 : 0);
            b[k] = (noise >> 8 & 0x403ffu) | ((noise >> 24 & 7u) != 0 ? 16u << 10 : 0);
        }
        uint8_t phase = random_bits() & 3u;
        bool flush = (random_bits() & 1u) != 0;
        uint32_t acc = random_bits() | ((i & 1) != 0 ? 0x7fff0000u : 0); // near saturation
        int32_t dot = tsr_fpu_int8_dot16(phase, a, b, flush);
        assert_int_equal(tsr_fpu_int8_accumulate(acc, dot),
                         oracle_int8_dot(phase, acc, a, b, 16, flush));
        int32_t product = tsr_fpu_int8_mul(phase, a[0], b[0], flush);
        assert_int_equal(tsr_fpu_int8_accumulate(acc, product),
                         oracle_int8_dot(phase, acc, a, b, 1, flush));
        int32_t sum = tsr_fpu_int8_add(a[0], b[0], flush);
        assert_int_equal(tsr_fpu_int8_accumulate(acc, sum),
                         oracle_int8_add(true, acc, a[0], b[0], flush));
        assert_int_equal(tsr_fpu_int8_accumulate(0, sum),
                         oracle_int8_add(false, acc, a[0], b[0], flush));
    }
}

// The four phases together are the whole product of eight bits by ten.
static void test_int8_phases_add_up(void **state)
{
    (void)state;
    for (uint32_t m = 0; m < 1024 * 16; m++) {
        uint32_t a = 16u << 10 | (m & 0x3ffu);
        uint32_t b = 0x40000u | 16u << 10 | (m * 61 & 0x3ffu);
        int32_t sum = 0;
        for (uint8_t phase = 0; phase < 4; phase++)
            sum += tsr_fpu_int8_mul(phase, a, b, true);
        assert_int_equal(sum, -(int32_t)((a & 0xffu) * (b & 0x3ffu)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_element_specials, reseed),
        cmocka_unit_test_setup(test_dot_specials, reseed),
        cmocka_unit_test_setup(test_mul_random, reseed),
        cmocka_unit_test_setup(test_add_random, reseed),
        cmocka_unit_test_setup(test_dot_random, reseed),
        cmocka_unit_test_setup(test_near_cancellation, reseed),
        cmocka_unit_test_setup(test_operand, reseed),
        cmocka_unit_test_setup(test_int8, reseed),
        cmocka_unit_test_setup(test_int8_phases_add_up, reseed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
