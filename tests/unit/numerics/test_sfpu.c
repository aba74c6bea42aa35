// SPDX-License-Identifier: Apache-2.0
// The vector unit's functions of tessera/numerics.h: values worked by hand from the pages of its
// instructions, and what NULL gives.
#include <tessera/numerics.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define WH TSR_WORMHOLE_B0
#define BH TSR_BLACKHOLE_A0

static void same(uint32_t got, uint32_t want)
{
    assert_int_equal(got, want);
}

static void test_fma(void **state)
{
    (void)state;
    static const uint32_t rows[][5] = {
        {0x3f800000, 0x3f800000, 0x33800000, 0x3f800000, 0x3f800000}, // a tie
        {0x3f800001, 0x3f800001, 0xbf800002, 0x32800000, 0x32800000},
        {0x3f99a3eb, 0x3fbc3e8b, 0xbb7689c1, 0x3fe1788e, 0x3fe1788e}, // fused would end in f
        {0xbffa771d, 0xc07d90d3, 0x3e7f6e02, 0x4100086c, 0x4100086d}, // 29 bits
        {0x80800000, 0x3f000000, 0x80000000, 0x00000000, 0x80000000},
        {0x00ffffff, 0x3f000000, 0x00000000, 0x00000000, 0x00800000}, // rounded up to normal
        {0xbf800000, 0x3f800000, 0x3f800000, 0x00000000, 0x00000000},
        {0x80000000, 0x3f800000, 0x80000000, 0x00000000, 0x80000000},
        {0x3f800000, 0x807fffff, 0x80000000, 0x00000000, 0x80000000}, // a denormal
        {0x7f7fffff, 0x40000000, 0xff800000, 0x7fffffff, 0xff800000}, // overflow and infinity
        {0x7f800000, 0x00000000, 0x3f800000, 0x7f800001, 0x7fc00000},
        {0xffc00000, 0x3f800000, 0x40490fdb, 0xff800001, 0x7fc00000},
        {0x7fc00000, 0x00800000, 0x3f800000, 0x7fe00001, 0x7fc00000}, // the sum leaks
        {0x7f800000, 0x3f800000, 0xff800000, 0x7f800001, 0x7fc00000},
        {0x3f800000, 0x3f800000, 0xff800000, 0xff800000, 0xff800000},
        {0x7f7fffff, 0x40000000, 0xff7fffff, 0x7f800000, 0x7f800000}, // the product alone decides
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        same(tsr_sfpu_fma(WH, rows[i][0], rows[i][1], rows[i][2]), rows[i][3]);
        same(tsr_sfpu_fma(BH, rows[i][0], rows[i][1], rows[i][2]), rows[i][4]);
    }
}

static void test_lut(void **state)
{
    (void)state;
    same(tsr_sfpu_lut8(0xff), 0);
    same(tsr_sfpu_lut8(0x00), 0x3f800000);
    same(tsr_sfpu_lut8(0x1f), 0x3f780000); // 0.96875
    same(tsr_sfpu_lut8(0xf0), 0xbc000000); // -0.0078125
    uint32_t lreg[4] = {0x0010, 0x10ff, 0x8000, 0x3f000000};
    same(tsr_sfpu_lut(WH, 0, lreg), 0x3f800000); // 1 * 0.5 + 0.5
    lreg[3] = 0xbf800000;
    same(tsr_sfpu_lut(BH, 0, lreg), 0x3f000000); // 0.5 * 1 + 0
    same(tsr_sfpu_lut(BH, 4, lreg), 0xbf000000);
    lreg[3] = 0x40000000;
    same(tsr_sfpu_lut(WH, 0, lreg), 0xbf800000); // -1 * 2 + 1
    same(tsr_sfpu_lut(WH, 4, lreg), 0x3f800000);
    same(tsr_sfpu_lut(WH, 4, NULL), 0);
}

static void test_lutfp32(void **state)
{
    (void)state;
    same(tsr_sfpu_lut16(0x3c00), 0x3f800000);
    same(tsr_sfpu_lut16(0xc000), 0xc0000000);
    same(tsr_sfpu_lut16(0x0000), 0x38000000); // 2^-15
    same(tsr_sfpu_lut16(0xfc01), 0x80002000); // a denormal, which counts as zero
    // As FP32, halves of FP16 are far off, so a wrong mode shows.
    uint32_t lreg[7] = {0x40000000, 0x3c00c000, 0x40003c00, 0, 0x3c000000, 0x40003c00, 0x3c004000};
    lreg[3] = 0x3e800000;                            // 0.25
    same(tsr_sfpu_lutfp32(WH, 0, lreg), 0x3f020000); // 2 * 0.25 + 2^-7
    same(tsr_sfpu_lutfp32(BH, 2, lreg), 0x38200000); // 2^-15 * 0.25 + 2^-15
    lreg[3] = 0xbf000000;                            // in the upper half of the first interval
    same(tsr_sfpu_lutfp32(BH, 2, lreg), 0x40000000); // 2 * 0.5 + 1
    same(tsr_sfpu_lutfp32(BH, 6, lreg), 0xc0000000);
    lreg[3] = 0x3fa00000;                             // 1.25: lower
    same(tsr_sfpu_lutfp32(WH, 2, lreg), 0xbfc00000);  // -2 * 1.25 + 1
    same(tsr_sfpu_lutfp32(WH, 10, lreg), 0xbf400000); // 1 * 1.25 - 2
    same(tsr_sfpu_lutfp32(WH, 8, lreg), tsr_sfpu_lutfp32(WH, 0, lreg));
    lreg[3] = 0x40600000;                            // 3.5: above 3, below 4
    same(tsr_sfpu_lutfp32(BH, 2, lreg), 0x41000000); // 2 * 3.5 + 1
    same(tsr_sfpu_lutfp32(BH, 3, lreg), 0x40b00000); // 1 * 3.5 + 2
    same(tsr_sfpu_lutfp32(BH, 3, NULL), 0);
}

static void test_cast(void **state)
{
    (void)state;
    same(tsr_sfpu_cast(WH, 0, 0x01000001, 0), 0x4b800000);
    same(tsr_sfpu_cast(WH, 0, 0x01000003, 0), 0x4b800002);
    same(tsr_sfpu_cast(WH, 0, 0x80000000, 0), 0x80000000);
    same(tsr_sfpu_cast(WH, 2, 0x7fffffff, 0), 0x4f000000);
    same(tsr_sfpu_cast(WH, 1, 0x01000001, 0), 0x4b800001);
    same(tsr_sfpu_cast(WH, 1, 0x01000001, 0x80 << 9), 0x4b800000);
    same(tsr_sfpu_cast(BH, 1, 0x81000001, 0x7e << 9), 0xcb800001);
    same(tsr_sfpu_cast(BH, 2, 0xfffffffb, 0), 5);
    same(tsr_sfpu_cast(BH, 2, 0x80000000, 0), 0x80000000);
    same(tsr_sfpu_cast(BH, 3, 0xfffffffb, 0), 0x80000005);
    same(tsr_sfpu_cast(BH, 3, 0x80000005, 0), 0xfffffffb);
    same(tsr_sfpu_cast(BH, 7, 0x80000000, 0), 0x80000000);
}

static void test_stoch_rnd(void **state)
{
    (void)state;
    // modifier, rounding, c, shift, random, result
    static const uint32_t rows[][6] = {
        {0, 0, 0x3f801000, 0, 0, 0x3f802000},
        {0, 0, 0xbf800fff, 0, 0, 0xbf800000},
        {0, 2, 0x3f801ffe, 0, 0, 0x3f800000},
        {0, 2, 0x3f801fff, 0, 0, 0x3f802000},     // not toward zero
        {0, 1, 0x3f800000, 0, 0x3ff, 0x3f802000}, // the ten lower bits do not count
        {0, 1, 0x3f800000, 0, 0x400, 0x3f800000},
        {1, 0, 0x3f808000, 0, 0, 0x3f810000},
        {1, 0, 0x7f7fffff, 0, 0, 0x7f800000},
        {1, 0, 0xff800001, 0, 0, 0xff800000},
        {1, 0, 0x807fffff, 0, 0, 0},
        {1, 3, 0x3f800001, 0, 0x80, 0x3f810000}, // stochastic
        {1, 1, 0x3f800001, 0, 0x100, 0x3f800000},
        {2, 0, 0x437f8000, 0, 0, 0xff},
        {2, 0, 0xc0200000, 0, 0, 3},
        {2, 2, 0x3fffffff, 0, 0, 2}, // one of three that do not go toward zero
        {2, 2, 0x3ffffffe, 0, 0, 1},
        {3, 0, 0xbf000000, 0, 0, 0x80000001},
        {3, 0, 0xbeffffff, 0, 0, 0},
        {3, 1, 0xbeffffff, 0, 0, 0}, // below one half nothing is random
        {3, 1, 0xbf000000, 0, 0x400001, 0},
        {3, 0, 0xc2ff0000, 0, 0, 0x8000007f},
        {4, 0, 0x80000178, 4, 0, 24},
        {4, 0, 0x7fffffff, 0, 0, 255},
        {5, 0, 0x80000178, 36, 0, 0x80000018},
        {5, 2, 0x80000007, 4, 0, 0},
        {5, 1, 0x00000007, 4, 0x380000, 1},
        {5, 1, 0x00000007, 4, 0x380001, 0},
        {6, 0, 0xc7800000, 0, 0, 0xffff},
        {7, 0, 0xc7800000, 0, 0, 0x80007fff},
        {7, 0, 0x7fc00000, 0, 0, 0x7fff},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t *row = rows[i];
        same(tsr_sfpu_stoch_rnd(row[0], row[1], row[2], row[3], row[4]), row[5]);
    }
}

static void test_loadi(void **state)
{
    (void)state;
    same(tsr_sfpu_loadi(0, 0xbf80, 7), 0xbf800000);
    same(tsr_sfpu_loadi(1, 0xbc00, 7), 0xbf800000);
    same(tsr_sfpu_loadi(1, 0x0001, 7), 0x38002000);
    same(tsr_sfpu_loadi(1, 0x7fff, 7), 0x47ffe000);
    same(tsr_sfpu_loadi(2, 0x8001, 7), 0x8001);
    same(tsr_sfpu_loadi(4, 0x8001, 7), 0xffff8001);
    same(tsr_sfpu_loadi(8, 0x1234, 0x56789abc), 0x12349abc);
    same(tsr_sfpu_loadi(10, 0x1234, 0x56789abc), 0x56781234);
    same(tsr_sfpu_loadi(3, 0x1234, 7), 7);
}

static void test_load(void **state)
{
    (void)state;
    same(tsr_sfpu_load(WH, 1, 0xffff, 0, false), 0xc7ffe000);
    same(tsr_sfpu_load(WH, 1, 0xffff, 0, true), 0xff800000);
    same(tsr_sfpu_load(WH, 1, 0x0020, 0, false), 0x00002000); // a denormal
    same(tsr_sfpu_load(BH, 2, 0x007f, 0, false), 0x3f800000);
    same(tsr_sfpu_load(BH, 3, 0x817f1234, 0, false), 0xbf811234);
    same(tsr_sfpu_load(WH, 5, 0x9ff0, 0, false), 0x8000007f);
    same(tsr_sfpu_load(BH, 5, 0x9ff0, 0, false), 0x800000ff);
    same(tsr_sfpu_load(WH, 13, 0x8050, 0, false), 0xfffffffe);
    same(tsr_sfpu_load(BH, 13, 0xffff, 0, false), 0x800003ff);
    same(tsr_sfpu_load(BH, 6, 0x8001, 9, false), 0x8001);
    same(tsr_sfpu_load(BH, 7, 0x8001, 9, false), 0x80010000);
    same(tsr_sfpu_load(BH, 8, 0x8001, 9, false), 0x80000001);
    same(tsr_sfpu_load(BH, 9, 0x8001, 9, false), 0x8001);
    same(tsr_sfpu_load(WH, 11, 0x8001, 9, false), 0);
    same(tsr_sfpu_load(WH, 12, 0x80000000, 9, false), 0);
    same(tsr_sfpu_load(WH, 12, 0x80000003, 9, false), 0xfffffffd);
    same(tsr_sfpu_load(BH, 12, 0x80000003, 9, false), 0x80000003);
    same(tsr_sfpu_load(WH, 14, 0x1234, 0x56789abc, false), 0x56781234);
    same(tsr_sfpu_load(WH, 15, 0x1234, 0x56789abc, false), 0x12349abc);
}

static void test_store(void **state)
{
    (void)state;
    same(tsr_sfpu_store(WH, 1, 0xbf800000), 0x800f);
    same(tsr_sfpu_store(WH, 1, 0xff800000), 0xffff);
    same(tsr_sfpu_store(WH, 1, 0xb87fffff), 0x8000); // below 2^-14
    same(tsr_sfpu_store(BH, 2, 0x3f81ffff), 0x017f);
    same(tsr_sfpu_store(BH, 2, 0x807fffff), 0x8000);
    same(tsr_sfpu_store(WH, 3, 0x807fffff), 0x80000000);
    same(tsr_sfpu_store(WH, 4, 0x807fffff), 0xff00ffff);
    same(tsr_sfpu_store(WH, 5, 0x800003ff), 0xfff0);
    same(tsr_sfpu_store(WH, 13, 0xffffffff), 0x8030);
    same(tsr_sfpu_store(BH, 13, 0x80000001), 0x8030);
    same(tsr_sfpu_store(BH, 6, 0x12345678), 0x5678);
    same(tsr_sfpu_store(BH, 7, 0x12345678), 0x12345678);
    same(tsr_sfpu_store(BH, 8, 0x92345678), 0xd678);
    same(tsr_sfpu_store(BH, 9, 0x12345678), 0x56781234);
    same(tsr_sfpu_store(BH, 11, 0x12345678), 0);
    same(tsr_sfpu_store(WH, 12, 0xfffffffd), 0x80000003);
    same(tsr_sfpu_store(WH, 12, 0x80000000), 0x80000000);
    same(tsr_sfpu_store(BH, 14, 0x12345678), 0x5678);
    same(tsr_sfpu_store(BH, 15, 0x12345678), 0x1234);
}

static void test_fields(void **state)
{
    (void)state;
    same(tsr_sfpu_divp2(0, 200, 0xbf812345), 0xe4012345);
    same(tsr_sfpu_divp2(1, 200, 0xbf812345), 0xa3812345); // wraps
    same(tsr_sfpu_divp2(1, 1, 0xff812345), 0xff812345);
    same(tsr_sfpu_exexp(0, 0x00812345), 0xffffff82);
    same(tsr_sfpu_exexp(1, 0x80812345), 1);
    same(tsr_sfpu_exman(0, 0xff812345), 0x00812345);
    same(tsr_sfpu_exman(1, 0xff812345), 0x00012345);
    same(tsr_sfpu_setexp(1, 200, 0xbf812345, 0x7fffffff), 0xe4012345);
    same(tsr_sfpu_setexp(2, 200, 0xbf812345, 0x64000000), 0xe4012345);
    same(tsr_sfpu_setexp(0, 1, 0xbf812345, 0xffffffc8), 0xe4012345);
    same(tsr_sfpu_setman(1, 0xf801, 0xbfffffff, 0), 0xbfc00800);
    same(tsr_sfpu_setman(0, 0x801, 0xbfffffff, 0xff812345), 0xbf812345);
    same(tsr_sfpu_setsgn(1, 1, 0x3f800000, 0), 0xbf800000);
    same(tsr_sfpu_setsgn(0, 1, 0xbf800000, 0x7fffffff), 0x3f800000);
    same(tsr_sfpu_abs(0, 0xffffffff), 1);
    same(tsr_sfpu_abs(0, 0x80000000), 0x80000000);
    same(tsr_sfpu_abs(1, 0xbf800000), 0x3f800000);
    same(tsr_sfpu_abs(1, 0xff800000), 0x7f800000);
    same(tsr_sfpu_abs(1, 0xff800001), 0xff800001);
}

static void test_integers(void **state)
{
    (void)state;
    same(tsr_sfpu_lz(0, 0), 32);
    same(tsr_sfpu_lz(0, 0x80000001), 0);
    same(tsr_sfpu_lz(4, 0x80000001), 31);
    same(tsr_sfpu_lz(4, 0x80000000), 32);
    same(tsr_sfpu_iadd(0, 0, 7, 0xffffffff), 6);
    same(tsr_sfpu_iadd(1, 0xfff, 7, 9), 6);
    same(tsr_sfpu_iadd(2, 0, 7, 9), 0xfffffffe);
    same(tsr_sfpu_shft(WH, 0, 0, 33, 3), 6);
    same(tsr_sfpu_shft(WH, 2, 0, 0xffffffff, 0x80000000), 0x40000000);
    same(tsr_sfpu_shft(BH, 2, 0, 0xffffffff, 0x80000000), 0xc0000000);
    same(tsr_sfpu_shft(BH, 5, 0xffc, 0x80000010, 0), 0x08000001);
    same(tsr_sfpu_shft(BH, 7, 0xffc, 0x80000010, 0), 0xf8000001);
    same(tsr_sfpu_shft(WH, 5, 0xffc, 0x10, 0x20), 2);
    same(tsr_sfpu_shft(BH, 4, 0, 1, 3), 6);     // reserved: as 0
    same(tsr_sfpu_shft(BH, 1, 0xfe0, 0, 3), 3); // by -32
    same(tsr_sfpu_shft2(5, 0, 3, 0xffffffff), 1);
    same(tsr_sfpu_shft2(6, 4, 3, 0), 0x30);
    assert_true(tsr_sfpu_less_than(0xffffffff, 0xff800000)); // -NaN, -inf
    assert_true(tsr_sfpu_less_than(0xbf800000, 0x80000000));
    assert_true(tsr_sfpu_less_than(0x80000000, 0));
    assert_false(tsr_sfpu_less_than(0, 0x80000000));
    assert_true(tsr_sfpu_less_than(0x7f800000, 0x7fffffff));
    assert_false(tsr_sfpu_less_than(5, 5));
}

static void test_blackhole(void **state)
{
    (void)state;
    same(tsr_sfpu_arecip(0, 0, 0x3f800000), 0x3f7f0000);
    same(tsr_sfpu_arecip(0, 0, 0xc0400000), 0xbeaa0000);
    same(tsr_sfpu_arecip(0, 0, 0x80000001), 0xff800000);
    same(tsr_sfpu_arecip(0, 0, 0xfe800000), 0x80000000);
    same(tsr_sfpu_arecip(1, 0x80000000, 0xc0400000), 0x3eaa0000);
    same(tsr_sfpu_arecip(1, 0, 0xc0400000), 0xc0400000);
    same(tsr_sfpu_arecip(2, 0, 0xbf801234), 0xc02d1234); // 2.703125
    same(tsr_sfpu_arecip(3, 0, 0x00000001), 0x3f800000);
    same(tsr_sfpu_arecip(2, 0, 0x3c7fffff), 0x3f81ffff);
    same(tsr_sfpu_arecip(2, 0, 0x3fff0000), 0x40ea0000);
    same(tsr_sfpu_arecip(2, 0, 0x7fc01234), 0x40801234);
    same(tsr_sfpu_mul24(0, 0xff800003, 5, 0), 15);
    same(tsr_sfpu_mul24(1, 0xffffffff, 0x007fffff, 0), 0x7ffffe);
    same(tsr_sfpu_mul24(0, 3, 5, 0x3c000000), 0x2000f);
    same(tsr_sfpu_mul24(0, 3, 5, 0x34ffffff), 0x10016);
    same(tsr_sfpu_mul24(0, 3, 5, 0x007fffff), 15); // a denormal
}

static void test_random(void **state)
{
    (void)state;
    uint32_t one = 0x80200003u, states[32];
    same(tsr_sfpu_random(&one), 0x80200003u);
    same(one, 0xc0100001u); // four taps: even
    same(tsr_sfpu_random(&one), 0xc0100001u);
    same(one, 0xe0080000u); // two
    same(tsr_sfpu_random(NULL), 0);
    tsr_sfpu_seed(5, NULL);
    tsr_sfpu_seed(0xffffffffu, states); // which no step leaves
    same(states[0], 0xffffffffu);
    tsr_sfpu_seed(12345, states);
    uint32_t next = states[31];
    for (int lane = 30; lane >= 0; lane--) {
        (void)tsr_sfpu_random(&next);
        (void)tsr_sfpu_random(&next);
        same(states[lane], next);
    }
    uint32_t first = 12345;
    for (int i = 0; i < 34; i++)
        (void)tsr_sfpu_random(&first);
    same(states[31], first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fma),       cmocka_unit_test(test_lut),
        cmocka_unit_test(test_lutfp32),   cmocka_unit_test(test_cast),
        cmocka_unit_test(test_stoch_rnd), cmocka_unit_test(test_loadi),
        cmocka_unit_test(test_load),      cmocka_unit_test(test_store),
        cmocka_unit_test(test_fields),    cmocka_unit_test(test_integers),
        cmocka_unit_test(test_blackhole), cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
