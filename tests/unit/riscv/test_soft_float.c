// SPDX-License-Identifier: Apache-2.0
// The cores' arithmetic against the host's, which has IEEE 754: binary32 and what can be had of
// binary16 and bfloat16 by way of it. Operands are random and at the edges.
// Page: BlackholeA0/TensixTile/BabyRISCV/InstructionSet.md (F, Zfh).
#include "riscv/soft_float.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { TRIALS = 200000 };

static uint64_t seed = 1;

static uint32_t any_bits(void)
{
    static const uint32_t edges[] = {0,          0x80000000, 1,          0x007fffff, 0x00800000,
                                     0x00800001, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                                     0x7f800001, 0x3f800000, 0xbf800000, 0x4b000000, 0x4f000000,
                                     0xcf000000, 0x3effffff, 0x3f000000};
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint32_t bits = (uint32_t)(seed >> 32);
    switch (seed >> 28 & 7) {
    case 0:
        return edges[bits % 18];
    case 1: // exponents near to each other
    case 2:
    case 3:
        return (bits & 0x807fffff) | (0x7c + (bits >> 23 & 7)) << 23;
    case 4:
        return bits & 0xffff0000;
    default:
        return bits;
    }
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
    return value != value ? 0x7fc00000 : bits;
}

static uint32_t flushed(uint32_t bits)
{
    return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

// What the host raised, as fcsr has it.
static unsigned raised(void)
{
    int host = fetestexcept(FE_ALL_EXCEPT);
    return (host & FE_INEXACT ? TSR_FLOAT_INEXACT : 0u) |
           (host & FE_UNDERFLOW ? TSR_FLOAT_UNDERFLOW : 0u) |
           (host & FE_OVERFLOW ? TSR_FLOAT_OVERFLOW : 0u) |
           (host & FE_INVALID ? TSR_FLOAT_INVALID : 0u);
}

static void check(const char *what, uint32_t a, uint32_t b, uint32_t bits, unsigned expected)
{
    unsigned flags = 0;
    uint32_t got = *what == 'a' ? tsr_float_add(&tsr_float32, a, b, &flags)
                                : tsr_float_mul(&tsr_float32, a, b, &flags);
    if (bits != flushed(bits)) {
        bits = flushed(bits);
        expected |= TSR_FLOAT_UNDERFLOW | TSR_FLOAT_INEXACT;
    }
    expected &= ~(unsigned)(bits << 1 == 0x01000000 ? TSR_FLOAT_UNDERFLOW : 0);
    if (got != bits || flags != expected)
        fail_msg("%s %08x %08x: %08x %x, not %08x %x", what, (unsigned)a, (unsigned)b,
                 (unsigned)got, flags, (unsigned)bits, expected);
}

static void test_add_and_multiply(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        uint32_t a = any_bits(), b = any_bits();
        volatile float x = float_of(flushed(a)), y = float_of(flushed(b)), result;
        feclearexcept(FE_ALL_EXCEPT);
        result = x + y;
        unsigned expected = raised();
        check("add", a, b, bits_of(result), expected);
        feclearexcept(FE_ALL_EXCEPT);
        result = x * y;
        expected = raised();
        check("mul", a, b, bits_of(result), expected);
    }
}

static void test_fma(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        uint32_t a = any_bits(), b = any_bits(), c = any_bits();
        unsigned flags = 0;
        uint32_t got = tsr_float_fma(&tsr_float32, a, b, c, &flags);
        uint32_t bits = flushed(
            bits_of(fmaf(float_of(flushed(a)), float_of(flushed(b)), float_of(flushed(c)))));
        if (got != bits)
            fail_msg("fma %08x %08x %08x: %08x, not %08x", (unsigned)a, (unsigned)b, (unsigned)c,
                     (unsigned)got, (unsigned)bits);
    }
}

static void test_comparisons(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        uint32_t a = any_bits(), b = i % 5 ? any_bits() : a;
        float x = float_of(a), y = float_of(b);
        unsigned flags = 0;
        assert_int_equal(tsr_float_equal(&tsr_float32, a, b, &flags), x == y);
        assert_int_equal(tsr_float_less(&tsr_float32, a, b, false, &flags), isless(x, y));
        assert_int_equal(tsr_float_less(&tsr_float32, a, b, true, &flags), islessequal(x, y));
        assert_int_equal(flags, x != x || y != y ? TSR_FLOAT_INVALID : 0);
        if (x == y && a != b)
            continue; // zeros
        bool nan = x != x || y != y;
        uint32_t number = x == x ? a : bits_of(y);
        assert_int_equal(tsr_float_min(&tsr_float32, a, b, false, &flags),
                         nan ? number : bits_of(fminf(x, y)));
        assert_int_equal(tsr_float_min(&tsr_float32, a, b, true, &flags),
                         nan ? number : bits_of(fmaxf(x, y)));
    }
    unsigned flags = 0;
    assert_int_equal(tsr_float_min(&tsr_float32, 0, 0x80000000, false, &flags), 0x80000000);
    assert_int_equal(tsr_float_min(&tsr_float32, 0x80000000, 0, true, &flags), 0);
    assert_int_equal(tsr_float_equal(&tsr_float32, 0x7fc00000, 0, &flags), 0);
    assert_int_equal(flags, 0);
    tsr_float_equal(&tsr_float32, 0x7f800001, 0, &flags);
    assert_int_equal(flags, TSR_FLOAT_INVALID);
}

static void test_integers(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        uint32_t a = any_bits(), bits;
        unsigned flags = 0;
        double exact = nearbyint(float_of(a));
        bool nan = exact != exact;
        bits = nan || exact > 2147483647.0 ? 0x7fffffff
               : exact < -2147483648.0     ? 0x80000000
                                           : (uint32_t)(int32_t)exact;
        assert_int_equal(tsr_float_to_int(&tsr_float32, a, true, &flags), bits);
        bits = nan || exact > 4294967295.0 ? UINT32_MAX : exact < 0 ? 0 : (uint32_t)exact;
        assert_int_equal(tsr_float_to_int(&tsr_float32, a, false, &flags), bits);
        assert_int_equal(tsr_float_from_int(&tsr_float32, a, true, &flags),
                         bits_of((float)(int32_t)a));
        assert_int_equal(tsr_float_from_int(&tsr_float32, a, false, &flags), bits_of((float)a));
    }
    unsigned flags = 0;
    assert_int_equal(tsr_float_to_int(&tsr_float32, 0xbf000000, false, &flags), 0); // -0.5
    assert_int_equal(flags, TSR_FLOAT_INEXACT);
    assert_int_equal(tsr_float_to_int(&tsr_float32, 0xbf800000, false, &flags), 0); // -1
    assert_int_equal(flags, TSR_FLOAT_INEXACT | TSR_FLOAT_INVALID);
}

static void test_classes(void **state)
{
    (void)state;
    static const uint32_t bits[10] = {0xff800000, 0xbf800000, 0x80000001, 0x80000000, 0,
                                      1,          0x3f800000, 0x7f800000, 0x7f800001, 0x7fc00000};
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(tsr_float_class(&tsr_float32, bits[i]), 1u << i);
    assert_int_equal(tsr_float_class(&tsr_float16, 0x8001), 1u << 2);
    assert_int_equal(tsr_float_class(&tsr_float16, 0x7c00), 1u << 7);
}

// The upper half of binary32 is bfloat16; each of binary16's numbers is one of binary32.
static void test_halves(void **state)
{
    (void)state;
    for (uint32_t half = 0; half < 0x10000; half++) {
        unsigned flags = 0;
        uint32_t whole = tsr_float_convert(&tsr_float32, &tsr_float16, half, &flags);
        bool nan = (half & 0x7fff) > 0x7c00;
        uint32_t e = half >> 10 & 31, m = half & 0x3ff;
        double value = ldexp(e ? 1024 + m : m, (int)(e ? e : 1) - 25);
        if (!nan && e != 31)
            assert_int_equal(whole, bits_of((float)(half >> 15 ? -value : value)));
        assert_int_equal(tsr_float_convert(&tsr_float16, &tsr_float32, whole, &flags),
                         nan ? 0x7e00 : half);
        uint32_t upper = half << 16;
        nan = (upper & 0x7fffffff) > 0x7f800000;
        assert_int_equal(tsr_float_convert(&tsr_float32, &tsr_bfloat16, half, &flags),
                         nan ? 0x7fc00000 : upper);
    }
    unsigned flags = 0;
    assert_int_equal(tsr_float_convert(&tsr_float16, &tsr_float32, 0x3f801000, &flags), 0x3c00);
    assert_int_equal(tsr_float_convert(&tsr_float16, &tsr_float32, 0x3f803000, &flags), 0x3c02);
    assert_int_equal(tsr_float_convert(&tsr_float16, &tsr_float32, 0x477ff000, &flags), 0x7c00);
    assert_int_equal(flags, TSR_FLOAT_INEXACT | TSR_FLOAT_OVERFLOW);
    assert_int_equal(tsr_float_add(&tsr_float16, 0x3c00, 0x1001, &flags), 0x3c01);
    assert_int_equal(tsr_float_add(&tsr_float16, 0x3c00, 0x1000, &flags), 0x3c00); // a tie
    assert_int_equal(tsr_float_mul(&tsr_float16, 0x7bff, 0x7bff, &flags), 0x7c00);
    assert_int_equal(tsr_float_add(&tsr_bfloat16, 0x3f80, 0x3bff, &flags), 0x3f81);
    assert_int_equal(tsr_float_add(&tsr_bfloat16_to_zero, 0x3f80, 0x3bff, &flags), 0x3f80);
    assert_int_equal(tsr_float_mul(&tsr_bfloat16_to_zero, 0x7f7f, 0x7f7f, &flags), 0x7f7f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_and_multiply), cmocka_unit_test(test_fma),
        cmocka_unit_test(test_comparisons),      cmocka_unit_test(test_integers),
        cmocka_unit_test(test_classes),          cmocka_unit_test(test_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
