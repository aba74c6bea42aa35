// SPDX-License-Identifier: Apache-2.0
// Numbers and orders of arrays in tiles, against oracles that are slow and use host floats: the
// nearest representable number is searched among all of them.
#include "tensor/tiles.h"

#include "cli/cli_fixtures.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double float32_value(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

// Tensix FP16: exponent 31 is a binade like the others.
static double fp16_value(uint32_t bits)
{
    int exponent = (int)(bits >> 10 & 31), mantissa = (int)(bits & 0x3ff);
    double value = exponent == 0 ? ldexp(mantissa, -24) : ldexp(1024 + mantissa, exponent - 25);

    return (bits & 0x8000) != 0 ? -value : value;
}

// The magnitude pattern of `count` ascending ones that is nearest; ties to an even pattern.
static uint32_t nearest(double magnitude, uint32_t count, double (*value)(uint32_t))
{
    uint32_t low = 0, high = count - 1;

    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (value(middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    double below = magnitude - value(low), above = value(high) - magnitude;
    if (below == above)
        return low % 2 == 0 ? low : high;
    return below < above ? low : high;
}

static double bf16_value(uint32_t bits)
{
    // 7f80 stands for the next power of two here, so that overflow rounds as it should.
    return bits == 0x7f80 ? ldexp(1.0, 128) : float32_value(bits << 16);
}

static uint32_t interesting_float(int i)
{
    static const uint32_t specials[] = {
        0,          1,          0x7fffff,   0x800000,   0x7f7fffff, 0x7f7f8000,
        0x7f7f7fff, 0x3f808000, 0x3f818000, 0x477fe000, 0x477fefff, 0x477ff000,
        0x47800000, 0x47ffe000, 0x47ffefff, 0x47fff000, 0x38800000, 0x387fffff,
        0x38000000, 0x33800000, 0x33000000, 0x33000001, 0x32ffffff,
    };
    uint32_t random = fixture_random();

    if (i < (int)(sizeof specials / sizeof specials[0]))
        return specials[i] | (random & 0x80000000);
    if (i % 2 == 0) // near the range of FP16
        return (random & 0x807fffff) | (95 + fixture_random() % 52) << 23;
    return (random & 0x7f800000) == 0x7f800000 ? random & 0x807fffff : random;
}

static void test_bf16(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint32_t bits = interesting_float(i);
        uint32_t expected = nearest(fabs(float32_value(bits)), 0x7f81, bf16_value);
        assert_int_equal(bf16_from_float32(bits), expected | bits >> 31 << 15);
    }
    assert_int_equal(bf16_from_float32(0x7f800000), 0x7f80);
    assert_int_equal(bf16_from_float32(0xff800001), 0xffc0);
}

static void test_fp16(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint32_t bits = interesting_float(i);
        uint32_t expected = nearest(fabs(float32_value(bits)), 0x8000, fp16_value);
        assert_int_equal(fp16_from_float32(bits), expected | bits >> 31 << 15);
    }
    assert_int_equal(fp16_from_float32(0x7f800000), 0x7fff);
    assert_int_equal(fp16_from_float32(0xffc00000), 0xffff);
}

static void test_float16(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        uint32_t wide = float32_from_float16((uint16_t)bits);
        if ((bits & 0x7c00) != 0x7c00) {
            assert_true(float32_value(wide) == fp16_value(bits));
            assert_int_equal(wide >> 31, bits >> 15);
            assert_int_equal(fp16_from_float32(wide), bits);
            assert_int_equal(float16_from_fp16((uint16_t)bits), bits);
        } else {
            assert_int_equal(wide & 0x7f800000, 0x7f800000);
            assert_int_equal(float16_from_fp16((uint16_t)bits), bits & 0xfc00);
        }
    }
}

// ---------------------------------------------------------------- block formats

static void check_block(int width, const uint32_t in[16])
{
    int shared = 0;
    uint8_t exponent, out[16];

    for (int i = 0; i < 16; i++)
        if ((int)(in[i] >> 23 & 0xff) > shared)
            shared = (int)(in[i] >> 23 & 0xff);
    bfp_encode(width, in, &exponent, out);
    assert_int_equal(exponent, shared);
    double unit = ldexp(1.0, shared - 127 - (width - 2)), most = (1 << (width - 1)) - 1;
    for (int i = 0; i < 16; i++) {
        double value = (in[i] & 0x7f800000) == 0 ? 0.0 : fabs(float32_value(in[i]));
        double magnitude = fmin(floor(value / unit + 0.5), most);
        bool negative = magnitude != 0 && in[i] >> 31 != 0;
        assert_int_equal(out[i], (int)magnitude | negative << (width - 1));
        double decoded = float32_value(bfp_decode(width, exponent, out[i]));
        assert_true(decoded == (negative ? -magnitude : magnitude) * unit);
    }
}

static void test_blocks(void **state)
{
    static const int widths[] = {8, 4, 2};

    (void)state;
    for (int round = 0; round < 3000; round++) {
        uint32_t in[16];
        uint32_t base = round % 8 == 0 ? 1 : 1 + fixture_random() % 240;
        for (int i = 0; i < 16; i++)
            in[i] = (fixture_random() & 0x807fffff) |
                    (base + (uint32_t)(fixture_random() % (round % 3 == 0 ? 2 : 12))) << 23;
        in[round % 16] = round % 5 == 0 ? 0x80000000 : in[0];
        check_block(widths[round % 3], in);
    }
}

static void test_block_corners(void **state)
{
    // The group of docs/arithmetic.md's packer example, here from float32.
    uint32_t in[16] = {0x3f800000, 0x3f810000, 0xbfff0000, 0x40000000, 0x3b800000, 0xbb7f0000};
    uint8_t exponent, out[16];

    (void)state;
    bfp_encode(8, in, &exponent, out);
    assert_int_equal(exponent, 128);
    assert_int_equal(out[0], 0x20);
    assert_int_equal(out[1], 0x20);
    assert_int_equal(out[2], 0xc0);
    assert_int_equal(out[3], 0x40);
    assert_int_equal(out[4], 0x00);
    assert_int_equal(bfp_decode(8, 127, 0x80), 0xff800000); // a sign alone is minus infinity
    assert_int_equal(bfp_decode(8, 127, 0x40), 0x3f800000);
    assert_int_equal(bfp_decode(8, 0, 0x01), 0x00010000);   // a denormal, exactly
    assert_int_equal(bfp_decode(8, 255, 0xff), 0xff800000); // beyond float32
    assert_int_equal(bfp_decode(4, 127, 0x5), 0x3fa00000);
    assert_int_equal(bfp_decode(2, 127, 0x3), 0xbf800000);
}

// ---------------------------------------------------------------- integers

static void test_integers(void **state)
{
    static const struct {
        const char *format;
        int32_t value;
        uint32_t datum;
        bool fits;
    } cases[] = {
        {"int8", -127, 0xff, true},
        {"int8", -1, 0x81, true},
        {"int8", 127, 0x7f, true},
        {"int8", -128, 0, false},
        {"int8", 128, 0, false},
        {"uint8", 255, 0xff, true},
        {"uint8", 256, 0, false},
        {"uint8", -1, 0, false},
        {"int16", -1, 0xffff, true},
        {"int16", -32768, 0x8000, true},
        {"int16", 32768, 0, false},
        {"uint16", 65535, 0xffff, true},
        {"uint16", -1, 0, false},
        {"int32", -1, 0x80000001, true},
        {"int32", INT32_MAX, 0x7fffffff, true},
        {"int32", INT32_MIN, 0, false},
        {"int32", -INT32_MAX, 0xffffffff, true},
        {"int32", 0, 0, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct array_format *format = array_format_find(cases[i].format);
        uint8_t item[4];
        struct npy_array array = {.type = NPY_INT32, .count = 1, .data = item};
        uint32_t datum = 0;
        npy_store(&array, 0, (uint32_t)cases[i].value);
        assert_int_equal(datum_encode(format, &array, 0, &datum), cases[i].fits);
        if (!cases[i].fits)
            continue;
        assert_int_equal(datum, cases[i].datum);
        array.type = format->output;
        npy_store(&array, 0, datum_decode(format, datum));
        assert_int_equal(npy_integer(&array, 0), cases[i].value);
    }
    assert_int_equal(datum_decode(array_format_find("int8"), 0x80), 0);
    assert_int_equal(datum_decode(array_format_find("INT32"), 0x80000000), 0);
    assert_null(array_format_find("int64"));
}

// ---------------------------------------------------------------- orders

static void test_order_of_a_tile(void **state)
{
    struct tile_layout layout = {.format = array_format_find("fp32"),
                                 .tiled = true,
                                 .tile_rows = 32,
                                 .tile_cols = 32,
                                 .rows = 64,
                                 .cols = 96};

    (void)state;
    assert_int_equal(layout_tiles(&layout), 6);
    assert_int_equal(layout_tile_bytes(&layout), 4096);
    assert_int_equal(layout_index(&layout, 0, 0), 0);
    assert_int_equal(layout_index(&layout, 0, 15), 15);
    assert_int_equal(layout_index(&layout, 0, 16), 96);       // next row of F0
    assert_int_equal(layout_index(&layout, 0, 256), 16);      // F1
    assert_int_equal(layout_index(&layout, 0, 512), 16 * 96); // F2
    assert_int_equal(layout_index(&layout, 0, 1023), 31 * 96 + 31);
    assert_int_equal(layout_index(&layout, 1, 0), 32);
    assert_int_equal(layout_index(&layout, 3, 0), 32 * 96);
    layout.tile_rows = 8; // a small tile: faces of eight rows
    assert_int_equal(layout_index(&layout, 0, 128), 16);
    assert_int_equal(layout_index(&layout, 3, 0), 8 * 96);
}

static void check_layout(const char *format, bool tiled, uint32_t rows, uint32_t cols,
                         uint32_t header)
{
    struct tile_layout layout = {.format = array_format_find(format),
                                 .tiled = tiled,
                                 .tile_rows = rows,
                                 .tile_cols = cols,
                                 .rows = 2 * rows,
                                 .cols = 3 * cols,
                                 .header = header};
    size_t count = layout.rows * layout.cols,
           bytes = layout_tiles(&layout) * layout_tile_bytes(&layout);
    bool floats = layout.format->family == FAMILY_FLOAT || layout.format->family == FAMILY_BLOCK;
    struct npy_array in = {.type = floats ? NPY_FLOAT32 : NPY_UINT8,
                           .dims = 2,
                           .shape = {layout.rows, layout.cols},
                           .count = count,
                           .data = calloc(count, 4)},
                     out = {
                         .type = layout.format->output, .count = count, .data = calloc(count, 4)};
    uint8_t *l1 = malloc(bytes);
    struct message why;

    // Powers of two between 1/2 and 1 (1 for BFP2, which has one bit) survive every float format.
    for (size_t i = 0; i < count; i++)
        npy_store(&in, i,
                  floats ? 0x3f800000 | (fixture_random() & 0x80000000) : fixture_random() % 128);
    assert_true(tiles_from_array(&layout, &in, l1, &why));
    for (uint32_t i = 0; i < header; i++)
        assert_int_equal(l1[i], 0);
    tiles_to_array(&layout, l1, &out);
    for (size_t i = 0; i < count; i++)
        assert_true(floats ? item_float32(&out, i) == npy_bits(&in, i)
                           : npy_integer(&out, i) == npy_integer(&in, i));
    npy_free(&in);
    npy_free(&out);
    free(l1);
}

static void test_there_and_back(void **state)
{
    static const char *const formats[] = {"fp32",  "bf16",  "fp16", "bfp8",   "bfp4", "bfp2",
                                          "int32", "int16", "int8", "uint16", "uint8"};

    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        check_layout(formats[i], true, 32, 32, 0);
        check_layout(formats[i], true, 1, 16, 0);
        check_layout(formats[i], true, 16, 48, 16);
        check_layout(formats[i], true, 4, 32, 32);
        check_layout(formats[i], false, 8, 16, 0);
    }
}

static void test_sizes(void **state)
{
    struct tile_layout layout = {.format = array_format_find("bfp8"),
                                 .tiled = true,
                                 .tile_rows = 32,
                                 .tile_cols = 32,
                                 .rows = 32,
                                 .cols = 32};

    (void)state;
    assert_int_equal(layout_exponents(&layout), 64);
    assert_int_equal(layout_tile_bytes(&layout), 64 + 1024);
    layout.format = array_format_find("bfp2");
    assert_int_equal(layout_tile_bytes(&layout), 64 + 256);
    layout.tile_rows = layout.rows = 1;
    layout.tile_cols = layout.cols = 16;
    assert_int_equal(layout_tile_bytes(&layout), 16 + 16);
    assert_true(tile_sides_ok(8, 16));
    assert_true(tile_sides_ok(48, 32));
    assert_false(tile_sides_ok(3, 16));
    assert_false(tile_sides_ok(24, 16));
    assert_false(tile_sides_ok(16, 8));
    assert_false(tile_sides_ok(0, 16));
}

static void test_element_that_does_not_fit(void **state)
{
    struct tile_layout layout = {.format = array_format_find("int8"),
                                 .tiled = true,
                                 .tile_rows = 16,
                                 .tile_cols = 16,
                                 .rows = 32,
                                 .cols = 16};
    uint8_t items[32 * 16 * 2] = {0}, l1[512];
    struct npy_array array = {
        .type = NPY_INT16, .dims = 3, .shape = {2, 16, 16}, .count = 512, .data = items};
    struct message why;

    (void)state;
    npy_store(&array, 256 + 3 * 16 + 5, 300);
    assert_false(tiles_from_array(&layout, &array, l1, &why));
    assert_string_equal(why.text, "element [1, 3, 5] is outside -127 .. 127 of int8 '300'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bf16),
        cmocka_unit_test(test_fp16),
        cmocka_unit_test(test_float16),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_block_corners),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_order_of_a_tile),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_element_that_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
