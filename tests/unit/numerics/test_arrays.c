// SPDX-License-Identifier: Apache-2.0
// tsr_unpack_array() and tsr_pack_array(): values by hand from FloatBitPatterns.md and SrcASrcB.md,
// the datum functions on random input, parts of blocks, and what is refused.
#include "rig/short_formats.h"

#include <tessera/numerics.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t seed = 7;

static uint32_t next(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8 ^ seed << 16;
}

struct row {
    tsr_unpack_mode mode;
    uint32_t l1; // one datum
    uint8_t exponent;
    uint32_t datum;
    double number;
};

// Src: sign, exponent (8), mantissa (10). Dst: sign, mantissa, exponent.
static const struct row rows[] = {
    {{TSR_WORMHOLE_B0, FP32, TF32, false, false, false}, 0xc0490fdb, 0, 0x60248, -3.140625},
    {{TSR_WORMHOLE_B0, FP32, BF16, false, false, false}, 0x3f80ffff, 0, 0x1fc00, 1.0},
    {{TSR_WORMHOLE_B0, FP32, FP32, true, false, false}, 0x3fc00001, 0, 0x407f0001, 0x1.800002p0},
    {{TSR_WORMHOLE_B0, BF16, BF16, false, false, false}, 0x0001, 0, 0x00008, 0x1p-133},
    {{TSR_WORMHOLE_B0, BF16, BF16, true, false, false}, 0xc000, 0, 0x8080, -2.0},
    // The largest exponent of FP16 is a binade: 1.5 * 2^16.
    {{TSR_WORMHOLE_B0, FP16, FP16, false, false, false}, 0x7e00, 0, 0x07e00, 98304.0},
    {{TSR_WORMHOLE_B0, FP16, FP16, true, false, false}, 0x8001, 0, 0x8020, -0x1p-24},
    {{TSR_WORMHOLE_B0, FP8, FP8, false, false, false}, 0x3c, 0, 0x03c00, 1.0},
    {{TSR_BLACKHOLE_A0, FP8, FP8, false, false, true}, 0x38, 0, 0x03c00, 1.0},
    // Mag/64 * 2^(Exp-127): 0x60 / 64 * 2 = 3.
    {{TSR_WORMHOLE_B0, BFP8, BFP8, false, false, false}, 0x60, 128, 0x20200, 3.0},
    {{TSR_WORMHOLE_B0, BFP4, BFP4, false, false, false}, 0xb, 127, 0x5fa00, -0.75},
    {{TSR_WORMHOLE_B0, BFP2, BFP2, false, false, false}, 1, 130, 0x20800, 8.0},
    // Mag/64 * 2^(Exp-15): 0x41 / 64 = 1.015625.
    {{TSR_WORMHOLE_B0, BFP8A, BFP8A, false, false, false}, 0x41, 15, 0x03c10, 1.015625},
    {{TSR_WORMHOLE_B0, BFP4A, BFP4A, false, false, false}, 0x5, 16, 0x04100, 2.5},
    {{TSR_WORMHOLE_B0, BFP2A, BFP2A, false, false, false}, 3, 14, 0x43800, -0.5},
    {{TSR_WORMHOLE_B0, INT8, INT8, false, false, false}, 0x85, 0, 0x44005, -5.0},
    {{TSR_WORMHOLE_B0, INT8, INT8, false, true, false}, 0x85, 0, 0x04085, 133.0},
    {{TSR_WORMHOLE_B0, INT8, INT8, true, false, false}, 0x07, 0, 0x00f0, 7.0},
    // 0xff38: sign, raw bits 7:0, raw bits 14:8 and three zeroes.
    {{TSR_WORMHOLE_B0, INT16, INT16, false, false, false}, 0xff38, 0, 0x4e3f8, -200.0},
    {{TSR_WORMHOLE_B0, INT16, INT16, true, false, false}, 0x7fff, 0, 0x7fff, 32767.0},
    {{TSR_WORMHOLE_B0, INT32, INT32, true, false, false}, 0x80000003, 0, 0x80000003, -3.0},
};

static void test_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t datum = 0;
        double number = 0;
        uint8_t bytes[4];
        for (int k = 0; k < 4; k++)
            bytes[k] = (uint8_t)(rows[i].l1 >> (8 * k));
        assert_int_equal(
            tsr_unpack_array(&rows[i].mode, bytes, &rows[i].exponent, 1, &datum, &number), TSR_OK);
        if (datum != rows[i].datum || number != rows[i].number)
            fail_msg("row %d: 0x%x, %a", (int)i, datum, number);
    }
}

static void test_not_numbers(void **state)
{
    (void)state;
    const tsr_unpack_mode fp32 = {TSR_WORMHOLE_B0, FP32, FP32, true, false, false};
    const tsr_unpack_mode bfp8 = {TSR_WORMHOLE_B0, BFP8, BFP8, false, false, false};
    const uint32_t words[3] = {0x7f800000, 0xff800000, 0x7fc00000};
    double numbers[3];
    assert_int_equal(tsr_unpack_array(&fp32, words, NULL, 3, NULL, numbers), TSR_OK);
    assert_true(isinf(numbers[0]) && numbers[0] > 0);
    assert_true(isinf(numbers[1]) && numbers[1] < 0);
    assert_true(isnan(numbers[2]));
    const uint8_t minus_zero = 0x80, exponent = 3;
    assert_int_equal(tsr_unpack_array(&bfp8, &minus_zero, &exponent, 1, NULL, numbers), TSR_OK);
    assert_true(isinf(numbers[0]) && numbers[0] < 0);
}

// All pairs that exist, against the function for one datum.
static void test_against_datums(void **state)
{
    (void)state;
    enum { COUNT = 1003 };
    uint8_t bytes[4 * COUNT + 4], exponents[COUNT / 16 + 1];
    static uint32_t datums[COUNT];
    int pairs = 0;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)next();
    for (size_t i = 0; i < sizeof exponents; i++)
        exponents[i] = (uint8_t)(next() & 31);
    for (unsigned code = 0; code < 16 * 16 * 8; code++) {
        tsr_unpack_mode mode = {code >> 11 ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0,
                                (uint8_t)(code & 15),
                                (uint8_t)(code >> 4 & 15),
                                code >> 8 & 1,
                                code >> 9 & 1,
                                code >> 10 & 1};
        tsr_status status = tsr_unpack_array(&mode, bytes, exponents, COUNT, datums, NULL);
        uint32_t one;
        assert_int_equal(status, tsr_unpack_datum(&mode, 0, 0, &one));
        size_t bits = tsr_array_bytes(mode.in_format, 8);
        for (size_t i = 0; status == TSR_OK && i < COUNT; i++) {
            uint32_t l1 = 0;
            for (size_t k = 0; k < (bits + 7) / 8; k++)
                l1 |= (uint32_t)bytes[i * bits / 8 + k] << (8 * k);
            if (bits < 8)
                l1 = l1 >> (i * bits & 7) & ((1u << bits) - 1);
            assert_int_equal(tsr_unpack_datum(&mode, l1, exponents[i / 16], &one), TSR_OK);
            assert_int_equal(datums[i], one);
        }
        pairs += status == TSR_OK;
    }
    assert_true(pairs > 100);
}

// 16-bit and 32-bit Dst to each format, also a part of the last block. Nothing past it changes.
static void test_pack(void **state)
{
    (void)state;
    static const uint8_t outs[] = {FP32, FP16, BF16, BFP8, BFP4, BFP2, BFP8A, FP8, TF32};
    enum { COUNT = 277 };
    static uint32_t datums[COUNT];
    for (size_t o = 0; o < sizeof outs; o++)
        for (int wide = 0; wide < 2; wide++) {
            tsr_pack_mode mode = {.arch = TSR_WORMHOLE_B0,
                                  .read_32b = wide,
                                  .in_format = wide ? FP32 : BF16,
                                  .out_format = outs[o]};
            uint8_t bytes[4 * COUNT + 16], exponents[COUNT / 16 + 2];
            uint32_t one;
            memset(bytes, 0xaa, sizeof bytes);
            memset(exponents, 0xaa, sizeof exponents);
            for (int i = 0; i < COUNT; i++)
                datums[i] = wide ? next() : next() & 0xffff;
            tsr_status status = tsr_pack_array(&mode, datums, COUNT, bytes, exponents);
            assert_int_equal(status, tsr_pack_datum(&mode, 0, &one));
            if (status != TSR_OK)
                continue;
            assert_int_equal(bytes[tsr_array_bytes(outs[o], COUNT)], 0xaa);
            assert_int_equal(exponents[tsr_array_exponents(outs[o], COUNT)], 0xaa);
            if (tsr_array_exponents(outs[o], 16)) {
                uint32_t patterns[16];
                uint8_t exponent, elements[16];
                for (int i = 0; i < 16; i++)
                    assert_int_equal(tsr_pack_datum(&mode, datums[256 + i], &patterns[i]), TSR_OK);
                assert_int_equal(tsr_pack_block(outs[o], patterns, &exponent, elements), TSR_OK);
                assert_int_equal(exponents[16], exponent);
                unsigned bits = (unsigned)tsr_array_bytes(outs[o], 8);
                unsigned first = bytes[tsr_array_bytes(outs[o], 256)] & ((1u << bits) - 1);
                assert_int_equal(first, elements[0]);
            } else {
                uint32_t got = 0;
                size_t size = tsr_array_bytes(outs[o], 1);
                memcpy(&got, bytes + size * (COUNT - 1), size);
                assert_int_equal(tsr_pack_datum(&mode, datums[COUNT - 1], &one), TSR_OK);
                assert_int_equal(got, one);
            }
        }
}

// 1.0 to 16.0 to BFP8 and back: exact in seven bits of magnitude.
static void test_round_trip(void **state)
{
    (void)state;
    const tsr_pack_mode pack = {.arch = TSR_BLACKHOLE_A0, .in_format = BF16, .out_format = BFP8};
    const tsr_unpack_mode unpack = {TSR_BLACKHOLE_A0, BFP8, BFP8, false, false, false};
    uint32_t datums[16];
    uint8_t bytes[16], exponent;
    double numbers[16];
    for (int i = 0; i < 16; i++) {
        float value = (float)(i + 1);
        uint32_t bits;
        memcpy(&bits, &value, 4);
        datums[i] = tsr_dst_encode_bf16((uint16_t)(bits >> 16));
    }
    assert_int_equal(tsr_pack_array(&pack, datums, 16, bytes, &exponent), TSR_OK);
    assert_int_equal(exponent, 131);
    assert_int_equal(tsr_unpack_array(&unpack, bytes, &exponent, 16, NULL, numbers), TSR_OK);
    for (int i = 0; i < 16; i++)
        assert_true(numbers[i] == i + 1);
}

static void test_refused(void **state)
{
    (void)state;
    tsr_unpack_mode unpack = {TSR_WORMHOLE_B0, BF16, BF16, false, false, false};
    tsr_pack_mode pack = {.arch = TSR_WORMHOLE_B0, .in_format = BF16, .out_format = BFP8};
    uint32_t datum = 0;
    uint8_t byte[4] = {0};
    assert_int_equal(tsr_unpack_array(NULL, byte, NULL, 1, &datum, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_unpack_array(&unpack, NULL, NULL, 1, &datum, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_unpack_array(&unpack, byte, NULL, 1, NULL, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_unpack_array(&unpack, NULL, NULL, 0, NULL, NULL), TSR_OK);
    unpack.out_format = FP16;
    assert_int_equal(tsr_unpack_array(&unpack, byte, NULL, 1, &datum, NULL), TSR_BAD_ARGUMENT);
    unpack.in_format = unpack.out_format = 16 + BF16;
    assert_int_equal(tsr_unpack_array(&unpack, byte, NULL, 1, &datum, NULL), TSR_BAD_ARGUMENT);
    unpack.in_format = unpack.out_format = BFP8;
    assert_int_equal(tsr_unpack_array(&unpack, byte, NULL, 1, &datum, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_pack_array(&pack, &datum, 1, byte, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_pack_array(&pack, NULL, 1, byte, byte), TSR_BAD_ARGUMENT);
    pack.out_format = 12;
    assert_int_equal(tsr_pack_array(&pack, &datum, 1, byte, byte), TSR_BAD_ARGUMENT);
}

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(tsr_array_bytes(FP32, 5), 20);
    assert_int_equal(tsr_array_bytes(BF16, 5), 10);
    assert_int_equal(tsr_array_bytes(BFP4, 5), 3);
    assert_int_equal(tsr_array_bytes(BFP2A, 5), 2);
    assert_int_equal(tsr_array_exponents(BFP2A, 17), 2);
    assert_int_equal(tsr_array_exponents(INT8, 17), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),        cmocka_unit_test(test_not_numbers),
        cmocka_unit_test(test_against_datums), cmocka_unit_test(test_pack),
        cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
