// SPDX-License-Identifier: Apache-2.0
// The worked examples of the arithmetic specification, one row each with the reason that the
// specification has. Rows marked WH/BH differ between the chips.
#include "numerics/fpu.h"

#include <tessera/numerics.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define WH TSR_WORMHOLE_B0
#define BH TSR_BLACKHOLE_A0

typedef enum dst_kind { DST_FP32, DST_BF16, DST_FP16, DST_FP32_OF_FP16 } dst_kind;

static tsr_fpu_mode mode_of(int arch, dst_kind kind, int phase)
{
    return (tsr_fpu_mode){
        .arch = (tsr_arch)arch,
        .e8 = kind == DST_FP32 || kind == DST_BF16,
        .acc32 = kind == DST_FP32 || kind == DST_FP32_OF_FP16,
        .phase = (uint8_t)phase,
    };
}

typedef struct dot_example {
    const char *what;
    uint32_t a0, a1_to_7, a8, a9_to_15;
    uint32_t b0, b1_to_7, b8, b9_to_15;
    uint32_t acc;
    dst_kind kind;
    int phase;
    uint32_t wh, bh;
} dot_example;

static const dot_example DOTS[] = {
    {"1.5 times 1.25", 0x1fe00, 0, 0, 0, 0x1fd00, 0, 0, 0, 0, DST_FP32, 0, 0x3ff00000, 0x3ff00000},
    {"phase 0 does not see A's low bits", 0x1fc08, 0, 0, 0, 0x1fc00, 0, 0, 0, 0, DST_FP32, 0,
     0x3f800000, 0x3f800000},
    {"phase 1 brings them", 0x1fc08, 0, 0, 0, 0x1fc00, 0, 0, 0, 0x3f800000, DST_FP32, 1, 0x3f810000,
     0x3f810000},
    {"A's last bit is never used", 0x1fc01, 0, 0, 0, 0x1fc01, 0, 0, 0, 0x3f800000, DST_FP32, 1,
     0x3f800000, 0x3f800000},
    {"phase 2 brings B's low bits", 0x1fc01, 0, 0, 0, 0x1fc01, 0, 0, 0, 0x3f800000, DST_FP32, 2,
     0x3f802000, 0x3f802000},
    {"16 + 7 * 2^-8 in a group: small terms vanish", 0x20c00, 0x1fc00, 0, 0, 0x1fc00, 0x1dc00, 0, 0,
     0, DST_FP32, 0, 0x41800000, 0x41800000},
    {"1 + 7 * 2^-11 in a group: each rounds up", 0x1fc00, 0x1fc00, 0, 0, 0x1fc00, 0x1d000, 0, 0, 0,
     DST_FP32, 0, 0x3f80e000, 0x3f80e000},
    {"the same in the other group: exact", 0x1fc00, 0, 0x1fc00, 0x1fc00, 0x1fc00, 0, 0, 0x1d000, 0,
     DST_FP32, 0, 0x3f807000, 0x3f807000},
    {"2^-24 from the other group: a tie, up", 0x1fc00, 0, 0x1fc00, 0, 0x1fc00, 0, 0x19c00, 0, 0,
     DST_FP32, 0, 0x3f800001, 0x3f800001},
    {"-2^-24 from the other group: a tie, dropped", 0x1fc00, 0, 0x1fc00, 0, 0x1fc00, 0, 0x59c00, 0,
     0, DST_FP32, 0, 0x3f800000, 0x3f800000},
    {"-2^-24 from Dst: a tie, away", 0x1fc00, 0, 0, 0, 0x1fc00, 0, 0, 0, 0xb3800000, DST_FP32, 0,
     0x3f7ffffe, 0x3f7ffffe},
    {"a sum of minus one unit", 0x1fc00, 0, 0, 0, 0x1fc00, 0, 0, 0, 0xbf800001, DST_FP32, 0,
     0xc1800000, 0xb4000000},
    {"a sum of one unit", 0x5fc00, 0, 0, 0, 0x1fc00, 0, 0, 0, 0x3f800001, DST_FP32, 0, 0x34000000,
     0x34000000},
    {"cancellation gives plus zero", 0x1fc00, 0, 0, 0, 0x1fc00, 0, 0, 0, 0xbf800000, DST_FP32, 0, 0,
     0},
    {"minus zero in Dst", 0, 0, 0, 0, 0, 0, 0, 0, 0x80000000, DST_FP32, 0, 0, 0},
    {"overflow", 0x3f800, 0, 0, 0, 0x3f800, 0, 0, 0, 0, DST_FP32, 0, 0x7f800000, 0x7f800000},
    {"a NaN pattern is a number", 0x3fe00, 0, 0, 0, 0x1fc00, 0, 0, 0, 0, DST_FP32, 0, 0x7f800000,
     0x7f800000},
    {"zero slices with a big exponent erase Dst", 0x24c00, 0, 0, 0, 0x24c00, 0, 0, 0, 0x3f800000,
     DST_FP32, 3, 0, 0},
    {"1 + 2^-8 in BF16", 0x1fc00, 0, 0, 0, 0x1dc00, 0, 0, 0, 0x3f800000, DST_BF16, 0, 0x3f810000,
     0x3f810000},
    {"-1 - 2^-8 in BF16", 0x1fc00, 0, 0, 0, 0x5dc00, 0, 0, 0, 0xbf800000, DST_BF16, 0, 0xbf810000,
     0xbf810000},
    {"2^16 fits FP16", 0x07800, 0, 0, 0, 0x04000, 0, 0, 0, 0, DST_FP16, 0, 0x0f800000, 0x0f800000},
    {"2^17 does not", 0x07c00, 0, 0, 0, 0x04000, 0, 0, 0, 0, DST_FP16, 0, 0x0fffe000, 0x0fffe000},
    {"FP16 into FP32", 0x03c00, 0, 0, 0, 0x03c00, 0, 0, 0, 0, DST_FP32_OF_FP16, 0, 0x3f800000,
     0x3f800000},
    {"zeros have exponent 97: a small Dst is lost", 0, 0, 0, 0, 0, 0, 0, 0, 0x12345678,
     DST_FP32_OF_FP16, 0, 0, 0},
    {"and a larger one in part", 0, 0, 0, 0, 0, 0, 0, 0, 0x28345678, DST_FP32_OF_FP16, 0,
     0x28340000, 0x28340000},
};

static void fill(uint32_t lanes[16], uint32_t first, uint32_t rest, uint32_t eighth, uint32_t tail)
{
    for (int k = 0; k < 16; k++)
        lanes[k] = k == 0 ? first : k < 8 ? rest : k == 8 ? eighth : tail;
}

static void test_dot(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(DOTS); i++) {
        const dot_example *x = &DOTS[i];
        uint32_t a[16], b[16];
        fill(a, x->a0, x->a1_to_7, x->a8, x->a9_to_15);
        fill(b, x->b0, x->b1_to_7, x->b8, x->b9_to_15);
        if (x->a9_to_15 != 0) {
            b[8] = x->b9_to_15; // seven lanes from 8 on
            a[15] = b[15] = 0;
        }
        for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
            tsr_fpu_mode mode = mode_of(arch, x->kind, x->phase);
            uint32_t expected = arch == WH ? x->wh : x->bh;
            uint32_t got = tsr_fpu_dot16(&mode, x->acc, a, b);
            if (got != expected)
                fail_msg("%s: %08x, not %08x", x->what, got, expected);
        }
    }
}

static const struct add_example {
    const char *what;
    uint32_t a, b, acc;
    dst_kind kind;
    bool accumulate;
    uint32_t wh, bh;
} ADDS[] = {
    {"1 + 2^-11 rounds up", 0x1fc00, 0x1d000, 0, DST_FP32, false, 0x3f802000, 0x3f802000},
    {"1 - 2^-11", 0x1fc00, 0x5d000, 0, DST_FP32, false, 0x3f7fc000, 0x3f7fc000},
    {"1 - 2^-12 is lost", 0x1fc00, 0x5cc00, 0, DST_FP32, false, 0x3f800000, 0x3f800000},
    {"-0 + -0", 0x40000, 0x40000, 0, DST_FP32, false, 0, 0},
    {"a sum of minus one unit", 0x1fc00, 0x1fc00, 0xc0000001, DST_FP32, true, 0xc2000000,
     0xb4800000},
    {"1 + 2^-8 in BF16", 0x1fc00, 0x1dc00, 0, DST_BF16, false, 0x3f810000, 0x3f810000},
    {"FP16 saturates", 0x07fff, 0x07fff, 0, DST_FP16, false, 0x0fffe000, 0x0fffe000},
};

static void test_add(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ADDS); i++) {
        const struct add_example *x = &ADDS[i];
        for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
            tsr_fpu_mode mode = mode_of(arch, x->kind, 0);
            uint32_t expected = arch == WH ? x->wh : x->bh;
            uint32_t got = tsr_fpu_add(&mode, x->accumulate, x->acc, x->a, x->b, true);
            if (got != expected)
                fail_msg("%s: %08x, not %08x", x->what, got, expected);
        }
    }
}

static void test_mul(void **state)
{
    (void)state;
    static const uint32_t chained[2][4] = {
        {0xc0761000, 0xc07d0200, 0xc07dfa00, 0xc07e0100},
        {0xc0760000, 0xc07d0000, 0xc07e0000, 0xc07e0000},
    };
    for (int kind = 0; kind < 2; kind++) {
        uint32_t acc = 0;
        for (int phase = 0; phase < 4; phase++) {
            tsr_fpu_mode mode = mode_of(WH, kind == 0 ? DST_FP32 : DST_BF16, phase);
            acc = tsr_fpu_mul(&mode, acc, 0x1fff8, 0x5fff8, true);
            assert_int_equal(acc, chained[kind][phase]);
        }
    }
    tsr_fpu_mode mode = mode_of(BH, DST_FP32, 0);
    // 2^-100 squared underflows and leaves Dst alone; zero times infinity's pattern is zero.
    assert_int_equal(tsr_fpu_mul(&mode, 0x00800000, 27 << 10, 27 << 10, true), 0x00800000);
    assert_int_equal(tsr_fpu_mul(&mode, 0x3f800000, 0, 0x3fc00, true), 0x3f800000);
}

// Moves are the matrix unit's; what they need of layouts and operands is checked here.
static void test_layouts(void **state)
{
    (void)state;
    uint32_t src = 0x1fc0f;
    assert_int_equal(tsr_dst_encode_bf16((uint16_t)(src >> 3)), 0x017f);
    assert_int_equal(tsr_dst_encode_fp32(src << 13), 0x017fe000);
    assert_int_equal(tsr_dst_encode_fp16(0x8c01 + 0x3000), 0x802f);
    assert_int_equal(tsr_fpu_operand(1, 0x5bc01) & 0x7fff, 0x3c01);
    assert_int_equal(tsr_dst_encode_fp16(0xbc01), 0x802f);
    assert_int_equal(tsr_dst_encode_bf16((uint16_t)(0x40008 >> 3)), 0x8100);
    assert_int_equal(tsr_dst_encode_fp32(tsr_fpu_operand(5, 0x1fc0f) << 13), 0x017f0000);
    assert_int_equal((uint32_t)tsr_dst_decode_bf16(0x0181) << 3, 0x20408);
    assert_int_equal(tsr_dst_decode_fp32(0x017fffff) >> 13, 0x1fc0f);
    assert_int_equal(tsr_dst_decode_fp32(0x017fffff) >> 13 & ~7u, 0x1fc08);
    uint32_t low_half = tsr_dst_decode_bf16(0x81aa);
    assert_int_equal(low_half << 3, 0x6a808);
    assert_int_equal(tsr_dst_decode_fp16(0x8c2f), 0xbc61);
}

static const struct unpack_example {
    tsr_unpack_mode mode;
    uint32_t datum;
    uint8_t exponent;
    uint32_t expected;
} UNPACKS[] = {
    {{.in_format = 0, .out_format = 1}, 0x38800000, 0, 0x00400},
    {{.in_format = 0, .out_format = 1}, 0x38400000, 0, 0x00200},
    {{.in_format = 0, .out_format = 1}, 0x38000001, 0, 0x00000},
    {{.in_format = 0, .out_format = 1}, 0x47ffffff, 0, 0x07fff},
    {{.in_format = 0, .out_format = 1}, 0xff800000, 0, 0x47fff},
    {{.in_format = 0, .out_format = 4}, 0x3f801fff, 0, 0x1fc00},
    {{.in_format = 0, .out_format = 4}, 0x80000001, 0, 0x40000},
    {{.in_format = 0, .out_format = 5}, 0x807fffff, 0, 0x40000},
    {{.in_format = 0, .out_format = 5}, 0x7f800001, 0, 0x3fc00},
    {{.in_format = 6, .out_format = 6}, 0x81, 128, 0x5e800},
    {{.in_format = 6, .out_format = 6}, 0x80, 128, 0x7fc00},
    {{.in_format = 6, .out_format = 6}, 0x01, 3, 0x3f400},
    {{.in_format = 7, .out_format = 7}, 0x9, 127, 0x5f400},
    {{.in_format = 15, .out_format = 15}, 0x3, 127, 0x5fc00},
    {{.in_format = 15, .out_format = 15}, 0x2, 127, 0x7fc00},
    {{.in_format = 9, .out_format = 9}, 0x1234, 0, 0x0d090},
    {{.in_format = 14, .out_format = 14}, 0x85, 0, 0x44005},
    {{.in_format = 14, .out_format = 14}, 0x80, 0, 0x40000},
    {{.in_format = 14, .out_format = 14, .int8_unsigned = true}, 0x85, 0, 0x04085},
    {{.arch = WH, .in_format = 10, .out_format = 10}, 0x7f, 0, 0x07f00},
    {{.arch = BH, .in_format = 10, .out_format = 10}, 0x7f, 0, 0x07fff},
    {{.arch = BH, .in_format = 10, .out_format = 10, .lf8_4b_exp = true}, 0x7f, 0, 0x05fff},
    {{.arch = BH, .in_format = 10, .out_format = 10, .lf8_4b_exp = true}, 0x78, 0, 0x05c00},
    {{.arch = BH, .in_format = 10, .out_format = 10, .lf8_4b_exp = true}, 0x38, 0, 0x03c00},
    {{.arch = BH, .in_format = 10, .out_format = 10, .lf8_4b_exp = true}, 0x08, 0, 0x02400},
    {{.arch = BH, .in_format = 10, .out_format = 10, .lf8_4b_exp = true}, 0x07, 0, 0x00380},
    {{.arch = BH, .in_format = 10, .out_format = 10, .lf8_4b_exp = true}, 0xff, 0, 0x45fff},
    {{.in_format = 0, .out_format = 0, .to_dst = true}, 0x3fc12345, 0, 0x417f2345},
};

static void test_unpack(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(UNPACKS); i++) {
        const struct unpack_example *x = &UNPACKS[i];
        uint32_t got = 0;
        assert_int_equal(tsr_unpack_datum(&x->mode, x->datum, x->exponent, &got), TSR_OK);
        assert_int_equal(got, x->expected);
    }
}

#define FROM32 .read_32b = true
static const struct pack_example {
    tsr_pack_mode mode;
    uint32_t value; // as a number; stored in the layout of its width and format
    uint32_t expected;
} PACKS[] = {
    {{FROM32, .in_format = 5, .out_format = 5}, 0x3f808000, 0x3f81},
    {{FROM32, .in_format = 5, .out_format = 5}, 0xbf808000, 0xbf81},
    {{FROM32, .in_format = 5, .out_format = 5}, 0x7f7fffff, 0x7f80},
    {{FROM32, .in_format = 5, .out_format = 5}, 0xffc00000, 0xff80},
    {{FROM32, .in_format = 5, .out_format = 5}, 0x007f8000, 0x0080},
    {{FROM32, .in_format = 0, .out_format = 1}, 0x3f801fff, 0x3c00},
    {{FROM32, .in_format = 0, .out_format = 1}, 0x38400000, 0x0200},
    {{FROM32, .in_format = 0, .out_format = 1}, 0x37ffffff, 0x0000},
    {{FROM32, .in_format = 0, .out_format = 1}, 0xffc00000, 0xffff},
    {{FROM32, .arch = BH, .in_format = 1, .out_format = 1, .round_10b = true}, 0x3f801000, 0x3c01},
    {{FROM32, .arch = BH, .in_format = 1, .out_format = 10, .round_10b = true, .lf8_4b_exp = true},
     0x3fdfffff,
     0x3e},
    {{FROM32, .arch = BH, .in_format = 1, .out_format = 10, .round_10b = true, .lf8_4b_exp = true},
     0x43e00000,
     0x7e},
    {{FROM32, .arch = BH, .in_format = 1, .out_format = 10, .round_10b = true, .lf8_4b_exp = true},
     0x43f80000,
     0x7f},
    {{FROM32, .arch = BH, .in_format = 1, .out_format = 10, .round_10b = true, .lf8_4b_exp = true},
     0x44000000,
     0x7f},
    {{.in_format = 1, .out_format = 0}, 0x3c01, 0x3f802000},
    {{.in_format = 1, .out_format = 0}, 0x8001, 0x00000000},
    {{.in_format = 1, .out_format = 5}, 0x3c07, 0x3f80},
    {{.in_format = 2, .out_format = 6}, 0x3c18, 0x3f84},
    {{FROM32, .in_format = 14, .out_format = 14}, 0x80000000 + 300, 0xff},
    {{FROM32, .in_format = 14, .out_format = 14}, 0x80000000, 0x80},
    {{FROM32, .in_format = 14, .out_format = 14, .read_unsigned = true}, 300, 0xff},
    {{FROM32, .in_format = 14, .out_format = 14, .read_unsigned = true}, 0x80000005, 0x00},
    {{FROM32, .relu_mode = 3, .relu_threshold = 0x4000}, 0x40000001, 0x40000001},
    {{FROM32, .relu_mode = 3, .relu_threshold = 0x4000}, 0x40001fff, 0x40001fff},
    {{FROM32, .relu_mode = 3, .relu_threshold = 0x4000}, 0x40002000, 0x40000000},
    {{FROM32, .relu_mode = 3, .relu_threshold = 0x4000}, 0x80000000, 0},
    {{.in_format = 5, .out_format = 5, .relu_mode = 2, .relu_threshold = 0x3f80}, 0x3f80, 0},
    {{.in_format = 5, .out_format = 5, .relu_mode = 2, .relu_threshold = 0x3f80}, 0x3f81, 0x3f81},
};

static uint32_t stored(const tsr_pack_mode *mode, uint32_t value)
{
    if (mode->read_32b)
        return tsr_dst_encode_fp32(value);
    bool e8 = mode->in_format == 5;
    return e8 ? tsr_dst_encode_bf16((uint16_t)value) : tsr_dst_encode_fp16((uint16_t)value);
}

static void test_pack(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(PACKS); i++) {
        const struct pack_example *x = &PACKS[i];
        uint32_t got = 0;
        assert_int_equal(tsr_pack_datum(&x->mode, stored(&x->mode, x->value), &got), TSR_OK);
        assert_int_equal(got, x->expected);
    }
}

static void check_block(uint8_t format, const uint32_t in[16], const uint8_t expected[16])
{
    uint8_t exponent, out[16];
    assert_int_equal(tsr_pack_block(format, in, &exponent, out), TSR_OK);
    assert_int_equal(exponent, 128);
    assert_memory_equal(out, expected, 16);
}

static void test_blocks(void **state)
{
    (void)state;
    const uint32_t in[16] = {0x3f80, 0x3f81, 0xbfff, 0x4000, 0x3b80, 0xbb7f, 0x0001};
    check_block(6, in, (const uint8_t[16]){0x20, 0x20, 0xc0, 0x40});
    check_block(7, in, (const uint8_t[16]){0x2, 0x2, 0xc, 0x4});
    check_block(15, in, (const uint8_t[16]){0, 0, 3, 1});
    const uint32_t largest[16] = {0x407f, 0xc07f};
    check_block(6, largest, (const uint8_t[16]){0x7f, 0xff});
}

static const struct accumulate_example {
    uint8_t format;
    uint32_t old_value, datum, expected;
} ACCUMULATIONS[] = {
    {5, 0x3f80, 0x3b80, 0x3f80},
    {5, 0x3f81, 0x3b80, 0x3f82},
    {5, 0x7fc0, 0xff80, 0xff80},
    {5, 0x3f80, 0xbf80, 0x0000},
    {1, 0x3c00, 0xbc00, 0x0000},
    {1, 0x7800, 0xf800, 0x7fff},
    {1, 0x0401, 0x8400, 0x7fff},
    {1, 0x7bff, 0x7bff, 0x7fff},
    {0, 0x00800001, 0x80800000, 0x00000000},
    {0, 0x7f800000, 0xff800000, 0x7fc00000},
    {0, 0x80000001, 0x80000000, 0x80000000},
};

static void test_accumulate(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ACCUMULATIONS); i++) {
        const struct accumulate_example *x = &ACCUMULATIONS[i];
        uint32_t got = 0xdeadbeef;
        assert_int_equal(tsr_pack_accumulate(x->format, x->old_value, x->datum, &got), TSR_OK);
        assert_int_equal(got, x->expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dot),    cmocka_unit_test(test_add),
        cmocka_unit_test(test_mul),    cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_unpack), cmocka_unit_test(test_pack),
        cmocka_unit_test(test_blocks), cmocka_unit_test(test_accumulate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
