// SPDX-License-Identifier: Apache-2.0
// Exponent thresholds, histogram and maximum, and how the latter are read and cleared.
// Pages: Packers/ExponentThresholding.md, Packers/ExponentHistogram.md, SETDMAREG_Special.md,
// CLREXPHIST.md.
#include "rig/pack_rig.h"

static void set_threshold(tsr_tile *tile, uint32_t threshold)
{
    tile_field(tile, 0, PACKER(0, Exp_threshold_en), 1);
    tile_field(tile, 0, PACKER(0, Exp_threshold), threshold);
}

// ---------------------------------------------------------------- thresholds

// 0x3f80 has the exponent 127, 0x3f00 126, 0xc000 128; below the threshold is zero, sign and all.
static void test_threshold_e8(int arch)
{
    static const uint16_t in[6] = {0x3f80, 0x3f7f, 0xbf00, 0xc000, 0xbf80, 0x0000};
    static const uint16_t want[3][6] = {{0x3f80, 0x3f7f, 0xbf00, 0xc000, 0xbf80, 0},
                                        {0x3f80, 0, 0, 0xc000, 0xbf80, 0},
                                        {0, 0, 0, 0xc000, 0, 0}};
    for (unsigned i = 0; i < 3; i++) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, false);
        uint16_t row[16] = {0};
        memcpy(row, in, sizeof in);
        dst_bf16(tile, 0, row, 16);
        set_threshold(tile, 126 + i);
        pack_one(tile, "Last=1");
        for (unsigned k = 0; k < 6; k++)
            assert_int_equal(out16(tile, k), want[i][k]);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_threshold_e8)

// Without the enable bit the threshold means nothing.
static void test_threshold_off(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, false);
    dst_bf16(tile, 0, (const uint16_t[16]){0x0080}, 16);
    tile_field(tile, 0, PACKER(0, Exp_threshold), 255);
    pack_one(tile, "Last=1");
    assert_int_equal(out16(tile, 0), 0x0080);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_threshold_off)

// Exponents of five bits: 0x3c00 has 15, 0x3800 14. No value reaches a threshold of 32.
static void test_threshold_e5(int arch)
{
    for (unsigned threshold = 14; threshold <= 32; threshold += 9) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, FP16, FP16, false);
        static const uint16_t in[4] = {0x3c00, 0x3bff, 0xb7ff, 0x7fff}; // 15, 14, 13, 31
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, 0, i, tsr_dst_encode_fp16(in[i % 4]), false);
        set_threshold(tile, threshold);
        pack_one(tile, "Last=1");
        assert_int_equal(out16(tile, 0), threshold <= 15 ? 0x3c00 : 0);
        assert_int_equal(out16(tile, 1), threshold <= 14 ? 0x3bff : 0);
        assert_int_equal(out16(tile, 2), 0);
        assert_int_equal(out16(tile, 3), threshold <= 31 ? 0x7fff : 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_threshold_e5)

// After the early conversion: 1.99609375 (0x3fff8000) rounds up to 2.0, whose exponent is 128.
// Integers have no exponent.
static void test_threshold_place(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, true);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_fp32(i % 2 ? 0x3fff8000 : 0x3fff7fff), true);
    set_threshold(tile, 128);
    pack_one(tile, "Last=1");
    assert_int_equal(out16(tile, 0), 0);
    assert_int_equal(out16(tile, 1), 0x4000);
    tsr_tile_destroy(tile);
    tile = pack_tile(arch, TSR_PROFILE_STRICT, INT32, INT32, true);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_fp32(i), true);
    set_threshold(tile, 255);
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out_at(tile, OUT + 4 * i, 4), i);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_threshold_place)

// Blackhole's FP16 from a 32-bit Dst is a TF32 until ReLU, where 1.0 has the exponent 127; the
// threshold sees the 15 of an FP16 (docs/errata.md).
static void test_threshold_of_narrowed(void **state)
{
    (void)state;
    for (unsigned threshold = 127; threshold < 129; threshold++) {
        tsr_tile *tile = pack_tile(BH, TSR_PROFILE_STRICT, FP16, FP16, true);
        tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Round_10b_mant, 1);
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, 0, i, tsr_dst_encode_fp32(0x3f800000), true);
        pack_one(tile, "Last=1"); // known from elsewhere
        assert_int_equal(out16(tile, 3), 0x3c00);
        assert_null(tile_found(tile, "pack-format-reliance"));
        set_threshold(tile, threshold);
        pack_one(tile, "Last=1");
        assert_int_equal(out16(tile, 3), threshold == 127 ? 0x3c00 : 0);
        assert_int_equal(pack_state(tile, 9, 0, 0), 127);
        assert_non_null(strstr(tile_found(tile, "pack-format-reliance")->sentence, "tt-llk"));
        tsr_tile_destroy(tile);
    }
}

// The vendor's kernels pack blocks of five-bit exponents from a 32-bit Dst by way of BFP8a, or of
// FP16 with Round_10b_mant, and set the threshold to the smallest exponent of eight bits that five
// can hold. What is smaller would become a denormal, and is zero.
static void check_narrow_blocks(int arch, int between, int out)
{
    static const struct {
        uint32_t value;
        uint8_t exponent, element; // of BFP8a, in a block of its own
    } rows[] = {{0x3f800000, 15, 0x40},
                {0xbf800000, 15, 0xc0},
                {0x3fc00000, 15, 0x60},
                {0x38800000, 1, 0x40}, // 2^-14
                {0x387c0000, 0, 0},    // less
                {0x00000001, 0, 0},
                {0x38fe0000, 1, 0x7f},
                {0xc77e0000, 30, 0xff},
                {0x7f000000, 31, 0x7f}, // saturates
                {0, 0, 0}};
    unsigned bits = out == BFP8A ? 8 : 4, count = sizeof rows / sizeof *rows;
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, between, out, true);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 1);
    tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Round_10b_mant, between == FP16);
    set_threshold(tile, 113);
    for (unsigned r = 0; r < count; r++) {
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, 0, i, tsr_dst_encode_fp32(i == 3 ? rows[r].value : 0), true);
        pack_one(tile, "Last=1");
        unsigned element = out_at(tile, OUT + 16 + 3 * bits / 8, 1);
        unsigned want = bits == 8 ? rows[r].element
                                  : (rows[r].element >> 7 << 3 | (rows[r].element & 0x7f) >> 4);
        if (bits == 4)
            element >>= 4; // the odd datum of a byte
        if (out_at(tile, OUT, 1) != rows[r].exponent || element != want)
            fail_msg("row %d by way of %d: exponent %d, element 0x%x", (int)r, between,
                     (int)out_at(tile, OUT, 1), element);
    }
    assert_non_null(strstr(tile_found(tile, "pack-format-reliance")->sentence, "tt-llk"));
    tsr_tile_destroy(tile);
}

static void test_narrow_blocks(int arch)
{
    check_narrow_blocks(arch, BFP8A, BFP8A);
    check_narrow_blocks(arch, BFP8A, BFP4A);
    check_narrow_blocks(arch, FP16, BFP8A);
    check_narrow_blocks(arch, FP16, BFP4A);
}
TILE_BOTH(test_narrow_blocks)

// Minus infinity after an edge mask has the largest exponent; a masked zero has none.
static void test_threshold_and_edges(int arch)
{
    for (unsigned infinity = 0; infinity < 2; infinity++) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, false);
        tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0);
        tile_field(tile, 0, FIELD_PCK_EDGE_MODE_mode, infinity);
        set_threshold(tile, 255);
        pack_one(tile, "Last=1");
        assert_int_equal(out16(tile, 7), infinity ? 0xff80 : 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_threshold_and_edges)

// ---------------------------------------------------------------- histogram

// A bin's byte of packer `packer`, read as programs read it.
static unsigned bin_of(tsr_tile *tile, unsigned packer, unsigned bin)
{
    return pack_state(tile, 6 + bin / 16, packer, bin % 16 / 4) >> (bin % 4 * 8) & 0xff;
}

// Eight-bit exponents count by their low five: 127 and 95 are both bin 31, 128 is bin 0.
static void test_histogram(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, false);
    static const uint16_t row[16] = {0x3f80, 0xbf80, 0x2f80, 0x4000, 0x4080, 0x0001, 0x7fc0};
    dst_bf16(tile, 0, row, 16);
    pack_one(tile, "Last=1"); // nobody asked
    assert_int_equal(bin_of(tile, 0, 31), 0);
    tile_field(tile, 2, FIELD_ENABLE_ACC_STATS_Enable, 1); // any thread's bit will do
    pack_one(tile, "Last=1");
    assert_int_equal(bin_of(tile, 0, 31), 4);     // 127, 127, 95 and NaN's 255
    assert_int_equal(bin_of(tile, 0, 0), 1 + 10); // 128, and ten zeroes: 0001 is flushed
    assert_int_equal(bin_of(tile, 0, 1), 1);      // 129
    assert_int_equal(bin_of(tile, 0, 2), 0);
    tile_do(tile, 0, "CLREXPHIST");
    assert_int_equal(bin_of(tile, 0, 31), 0);
    assert_int_equal(pack_state(tile, 9, 0, 0), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_histogram)

// Bins stop at 255, and the datums of a PACR that downsampling drops have counted before.
static void test_histogram_saturates(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, FP16, FP16, false);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_fp16(i ? 0x3c00 : 0x4000), false); // 16 and 15 times 15
    tile_field(tile, 0, FIELD_ENABLE_ACC_STATS_Enable, 1);
    tile_field(tile, 0, PACKER(0, Downsample_mask), 1);
    set_threshold(tile, 31); // comes later
    for (unsigned i = 0; i < 17; i++)
        pack_one(tile, "");
    assert_int_equal(bin_of(tile, 0, 15), 255);
    assert_int_equal(bin_of(tile, 0, 16), 17);
    pack_one(tile, "Last=1");
    assert_int_equal(bin_of(tile, 0, 15), 255);
    assert_int_equal(bin_of(tile, 0, 16), 18);
    assert_int_equal(pack_state(tile, 9, 0, 0), 16);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_histogram_saturates)

// INT32 counts as FP32, INT16 by its low eight bits, INT8 by its magnitude (decision 21).
static void test_histogram_of_integers(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT32, INT32, true);
    tile_field(tile, 0, FIELD_ENABLE_ACC_STATS_Enable, 1);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_fp32(0x80000000u | 5u << 23 | i), true);
    pack_one(tile, "Last=1");
    assert_int_equal(bin_of(tile, 0, 5), 16);
    tsr_tile_destroy(tile);
    tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    tile_field(tile, 0, FIELD_ENABLE_ACC_STATS_Enable, 1);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, 0xab00 | (i % 2 ? 0xc3 : 0x22), false);
    pack_one(tile, "Last=1");
    assert_int_equal(bin_of(tile, 0, 3), 8); // 0xc3 & 31
    assert_int_equal(bin_of(tile, 0, 2), 8);
    assert_int_equal(pack_state(tile, 9, 0, 0), 0xc3);
    tsr_tile_destroy(tile);
    tile = pack_tile(arch, TSR_PROFILE_STRICT, INT8, INT8, true);
    tile_field(tile, 0, FIELD_ENABLE_ACC_STATS_Enable, 1);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_fp32(i % 4 ? 0x80000021 : 500), true);
    pack_one(tile, "Last=1");
    assert_int_equal(bin_of(tile, 0, 1), 12); // 0x21 & 31
    assert_int_equal(bin_of(tile, 0, 31), 4); // 127 & 31
    assert_int_equal(pack_state(tile, 9, 0, 0), 127);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_histogram_of_integers)

// ---------------------------------------------------------------- maximum

// It needs no enable bit. ReLU and edge masks come before it, thresholds after it.
static void test_maximum(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, false);
    dst_bf16(tile, 0, (const uint16_t[16]){0x3f80, 0xc100, 0x4000}, 16); // 127, 130, 128
    tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, 1);
    pack_one(tile, "Last=1");
    assert_int_equal(pack_state(tile, 9, 0, 0), 128);
    tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, 0);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0xfffd);
    pack_one(tile, "Last=1");
    assert_int_equal(pack_state(tile, 9, 0, 0), 128);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0xffff);
    set_threshold(tile, 255);
    pack_one(tile, "Last=1");
    assert_int_equal(pack_state(tile, 9, 0, 0), 130);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_maximum)

// 0x3fff8000 rounds up into the exponent 128, which is new even where 127 has been seen.
static void test_maximum_of_rounded(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, true);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, 0, i, tsr_dst_encode_fp32(pass ? 0x3fff8000 : 0x3fff7fff), true);
        pack_one(tile, "Last=1");
        assert_int_equal(pack_state(tile, 9, 0, 0), 127 + pass);
    }
    tsr_tile_destroy(tile);
    tile = pack_tile(arch, TSR_PROFILE_STRICT, BFP8A, BFP8A, false); // E5M6: 0x3ff8 becomes 0x4000
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, 0, i, tsr_dst_encode_fp16(pass ? 0x3ff8 : 0x3ff7), false);
        pack_one(tile, "Last=1");
        assert_int_equal(pack_state(tile, 9, 0, 0), 15 + pass);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_maximum_of_rounded)

// Each of Wormhole's packers counts its own; only packer 0's maximum is known.
static void test_packers_count_apart(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, FP16, FP16, false);
    for (unsigned row = 0; row < 4; row++)
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, row, i, tsr_dst_encode_fp16((uint16_t)((20 + row) << 10)), false);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 1);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, 2);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_Offset, 3);
    tile_field(tile, 0, FIELD_ENABLE_ACC_STATS_Enable, 1);
    tile_do(tile, 0, "PACR PackSel=15 Last=1");
    for (unsigned packer = 0; packer < 4; packer++)
        for (unsigned bin = 18; bin < 26; bin++)
            assert_int_equal(bin_of(tile, packer, bin), bin == 20 + packer ? 16 : 0);
    assert_int_equal(pack_state(tile, 9, 0, 0), 20);
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_threshold_e8),
        TILE_TEST(test_threshold_off),
        TILE_TEST(test_threshold_e5),
        TILE_TEST(test_threshold_place),
        cmocka_unit_test(test_threshold_of_narrowed),
        TILE_TEST(test_narrow_blocks),
        TILE_TEST(test_threshold_and_edges),
        TILE_TEST(test_histogram),
        TILE_TEST(test_histogram_saturates),
        TILE_TEST(test_histogram_of_integers),
        TILE_TEST(test_maximum),
        TILE_TEST(test_maximum_of_rounded),
        cmocka_unit_test(test_packers_count_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
