// SPDX-License-Identifier: Apache-2.0
// The early conversion's shift for INT8, stochastic rounding, and sums of INT32 in L1.
// Pages: Packers/FormatConversion.md, VectorUnit.md ("PRNG"), L1.md.
#include "rig/pack_rig.h"

// ---------------------------------------------------------------- INT_DESCALE

static tsr_tile *int8_tile(int arch, const uint32_t *values, unsigned count, bool is_unsigned)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT8, INT8, true);
    for (unsigned row = 0; row < 16; row++)
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, row, i, tsr_dst_encode_fp32(i < count ? values[i] : 0), true);
    tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Read_unsigned, is_unsigned);
    return tile;
}

// Half away from zero, then limited: 24 / 16 is 1.5 and 23 / 16 less; 2040 / 16 = 127.5.
static void test_descale(int arch)
{
    static const uint32_t in[8] = {24,   23,         0x80000018, 0x80000017,
                                   2031, 0x800007f8, 4079,       0x7fffffff};
    static const uint8_t want_signed[8] = {2, 1, 0x82, 0x81, 127, 0xff, 127, 127};
    static const uint8_t want_unsigned[8] = {2, 1, 0, 0, 127, 0, 255, 255};
    for (unsigned is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
        tsr_tile *tile = int8_tile(arch, in, 8, is_unsigned);
        tile_field(tile, 0, FIELD_INT_DESCALE_Enable, 1);
        tile_field(tile, 0, FIELD_INT_DESCALE_VALUES_SEC0_Value, 0xffffffe4); // five bits: 4
        pack_one(tile, "Last=1");
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(out_at(tile, OUT + i, 1),
                             (is_unsigned ? want_unsigned : want_signed)[i]);
        tile_field(tile, 0, FIELD_INT_DESCALE_VALUES_SEC0_Value, 31); // 2^31 - 1 is nearly 1
        pack_one(tile, "Last=1");
        assert_int_equal(out_at(tile, OUT + 6, 1), 0);
        assert_int_equal(out_at(tile, OUT + 7, 1), 1);
        tile_field(tile, 0, FIELD_INT_DESCALE_Enable, 0);
        pack_one(tile, "Last=1");
        assert_int_equal(out_at(tile, OUT, 1), 24);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_descale)

// Read_raw takes low bits and knows no shift.
static void test_descale_raw(int arch)
{
    static const uint32_t in[3] = {0x1ff, 0x80000081, 0x80};
    tsr_tile *tile = int8_tile(arch, in, 3, false);
    tile_field(tile, 0, FIELD_INT_DESCALE_Enable, 1);
    tile_field(tile, 0, FIELD_INT_DESCALE_VALUES_SEC0_Value, 4);
    tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Read_int8, 1);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 1), 0x7f);
    assert_int_equal(out_at(tile, OUT + 1, 1), 0x81);
    assert_int_equal(out_at(tile, OUT + 2, 1), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_descale_raw)

// Mode 1: a byte of shift for each Z of the tile, four a word; here the shift is z + 1 (decision
// 12), in the plane z of two rows. 1 << 12 over that is 1 << (11 - z), at most 127.
static void test_descale_by_z(int arch)
{
    static const uint32_t in[1] = {1 << 12};
    tsr_tile *tile = int8_tile(arch, in, 1, false);
    tile_field(tile, 0, FIELD_INT_DESCALE_Enable, 1);
    tile_field(tile, 0, FIELD_INT_DESCALE_Mode, 1);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 2);
    const struct tsr_field_place *place =
        &tile_env(tile)->isa->field[FIELD_INT_DESCALE_VALUES_SEC0_Value];
    for (unsigned z = 0; z < 64; z += 4)
        tsr_config_write(tile_env(tile), 0, place->addr32 + z / 4, 0x04030201u + z * 0x01010101u,
                         0xffffffff);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 0);
    for (unsigned row = 0; row < 24; row++)
        pack_one(tile, row == 23 ? "Last=1" : "");
    for (unsigned row = 0; row < 24; row++) {
        unsigned z = row / 2, want = z > 11 ? 1 : 1u << (11 - z);
        assert_int_equal(out_at(tile, OUT + 16 * row, 1), want < 127 ? want : 127);
    }
    pack_one(tile, "");
    tile_state(tile)->packers.packer[0].z = 64 + 8; // six bits of Z count
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT + 16, 1), 1 << 3);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_descale_by_z)

// ---------------------------------------------------------------- stochastic rounding

// The page's generator, written out once more: 23 new bits for each number.
static uint32_t draw(uint32_t *state)
{
    uint32_t result = *state & 0x7fffff;
    for (unsigned step = 0; step < 23; step++) {
        uint32_t taps = 0;
        for (unsigned bit = 0; bit < 32; bit++)
            taps ^= (0x80200003u >> bit & 1) & (*state >> bit & 1);
        *state = (taps ^ 1) << 31 | *state >> 1;
    }
    return result;
}

// BF16 from FP32 drops 16 bits, which are compared with 23 random ones: up if they are more.
static void test_stochastic(int arch)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.seed = 0x123456789abcdef0;
    tsr_tile *tile = tile_with(&options);
    uint32_t begin = tsr_prng_begin(options.seed), state = begin;
    for (unsigned pass = 0; pass < 2; pass++) {
        pack_formats(tile, BF16, BF16, true);
        pack_datums(tile, 0, 16);
        tile_field(tile, 0, FIELD_ALU_ROUNDING_MODE_Gasket_srnd_en, 1);
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, 0, i, tsr_dst_encode_fp32(0xbf800000u | i << 12), true);
        pack_one(tile, "Last=1");
        unsigned ups = 0;
        for (unsigned i = 0; i < 16; i++) {
            bool up = (i << 12 << 7) > draw(&state);
            assert_int_equal(out16(tile, i), 0xbf80 + up);
            ups += up;
        }
        assert_true(ups > 0 && ups < 16);
        assert_non_null(tile_found(tile, "undocumented-mode"));
        if (pass == 0) { // a reset begins the stream again
            tsr_tile_reset(tile);
            state = begin;
        }
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stochastic)

// Infinity stays, what is below the normal numbers is zero, and what needs no rounding is left
// alone, whatever is drawn.
static void test_stochastic_limits(int arch)
{
    static const uint32_t in[4] = {0x7f800000, 0x7fc00000, 0x80000001, 0x3f810000};
    static const uint16_t want[4] = {0x7f80, 0x7f80, 0, 0x3f81};
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, true);
    tile_field(tile, 0, FIELD_ALU_ROUNDING_MODE_Gasket_srnd_en, 1);
    tile_state(tile)->packers.random = 0x2aaaaaaa;
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_fp32(in[i % 4]), true);
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out16(tile, i), want[i % 4]);
    pack_datums(tile, 0, 1);
    for (unsigned i = 0; i < 4; i++) {
        tile_state(tile)->packers.random = 0; // the least number
        dst_put(tile, 0, 0, tsr_dst_encode_fp32(in[i]), true);
        pack_one(tile, "Last=1");
        assert_int_equal(out16(tile, 0), want[i]);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stochastic_limits)

// In a block of BFP8 under the exponent 130 a datum of 127 drops 4 bits: 1.0625 is 0x88, of which
// 8 sixteenths of a unit are cut.
static void test_stochastic_blocks(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BFP8, false);
    tile_field(tile, 0, FIELD_ALU_ROUNDING_MODE_Packer_srnd_en, 1);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 1);
    uint32_t state = tile_state(tile)->packers.random = 0x5eed5eed;
    uint16_t row[16];
    for (unsigned i = 0; i < 16; i++)
        row[i] = i ? 0x3f88 : 0x4100;
    dst_bf16(tile, 0, row, 16);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 1), 130);
    draw(&state); // of datum 0, 0x80 without its lowest bit, which is 0
    assert_int_equal(out_at(tile, OUT + 16, 1), 0x40);
    for (unsigned i = 1; i < 16; i++)
        assert_int_equal(out_at(tile, OUT + 16 + i, 1), 8u + ((8u << 19) > draw(&state)));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stochastic_blocks)

// Writing PRNG_SEED seeds this generator too.
static void test_seeding(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_field(tile, 0, FIELD_PRNG_SEED_Seed_Val, 0x1234);
    assert_int_equal(tile_state(tile)->packers.random, 0x5f642f87);   // splitmix64
    tsr_packers_seed(&tile_state(tile)->packers, 0x17d12ff2d11d7062); // to what never moves
    assert_int_equal(tile_state(tile)->packers.random, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_seeding)

// ---------------------------------------------------------------- INT32 in L1

static void test_int32_sums(int arch)
{
    static const uint32_t old[8] = {5,          0x80000005, 0x7ffffffe, 0xffffffff,
                                    0x80000003, 7,          0x80000000, 0};
    static const uint32_t add[8] = {7, 7, 5, 0x80000001, 3, 0x80000009, 0x80000000, 0x80000000};
    static const uint32_t sum[8] = {12, 2, 0x7fffffff, 0xffffffff, 0, 0x80000002, 0, 0};
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT32, INT32, true);
    tile_field(tile, 0, PACKER(0, Pack_L1_Acc), 1);
    for (unsigned i = 0; i < 16; i++) {
        tsr_l1_put(&tile_state(tile)->l1, OUT + 4 * i, &old[i % 8], 4, false);
        dst_put(tile, 0, i, tsr_dst_encode_fp32(add[i % 8]), true);
    }
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out_at(tile, OUT + 4 * i, 4), sum[i % 8]);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_int32_sums)

// ---------------------------------------------------------------- two names for the same bits

struct names {
    int between, in, out; // intermediate, In_data_format, Out_data_format
    bool wide, raw, round10;
    uint32_t dst, l1;
};

// The page's ways to FP32, INT32, TF32 and BF16 where IntermediateFormat is not LateFromFormat.
static void test_two_names(int arch)
{
    static const struct names rows[] = {
        {INT32, FP32, FP32, true, false, false, 0x3fc00001, 0x3fc00001},
        {TF32, FP32, FP32, true, true, false, 0x3fc00001, 0x3fc00001},
        {FP32, INT32, INT32, true, false, false, 0x80000005, 0x80000005},
        {FP32, INT32, INT32, true, true, true, 0x80000005, 0x80000005},
        {FP32, TF32, TF32, true, false, true, 0x3f801000, 0x3f802000}, // a tie, away from zero
        {BF16, TF32, FP16, true, false, true, 0x3f801000, 0x3c01},
        {FP32, TF32, TF32, false, false, true, 0x3fc0, 0x3fc00000},
        {BFP8, BF16, BF16, true, true, false, 0x3f81ffff, 0x3f81},
        {BFP8, BF16, BF16, false, true, false, 0x3f81, 0x3f81}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct names *row = &rows[i];
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, row->between, row->out, row->wide);
        tile_field(tile, 0, PACKER(0, In_data_format), (uint32_t)row->in);
        tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Read_int8, row->raw);
        tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Round_10b_mant, row->round10);
        dst_put(tile, 0, 0,
                row->wide ? tsr_dst_encode_fp32(row->dst) : tsr_dst_encode_bf16((uint16_t)row->dst),
                row->wide);
        pack_datums(tile, 0, 1);
        pack_one(tile, "Last=1");
        if (tsr_diagnostic_count(tile) || out_at(tile, OUT, 4) != row->l1)
            fail_msg("row %d: 0x%x", (int)i, out_at(tile, OUT, 4));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_two_names)

// Names that are not for the same bits: FP32 is not rounded, and E8M6 is no BF16.
static void test_other_names(int arch)
{
    static const int rows[][2] = {{FP32, TF32}, {BFP8, BF16}, {BF16, FP32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, rows[i][0], FP32, true);
        tile_field(tile, 0, PACKER(0, In_data_format), (uint32_t)rows[i][1]);
        tile_push(tile, 0, arch == WH ? "PACR PackSel=1 Last=1" : "PACR ReadIntfSel=1 Last=1");
        assert_int_equal(tile_run(tile), TSR_END_STOPPED);
        assert_non_null(tile_found(tile, "pack-format-pair"));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_other_names)

// E5M7 and E5M6 lose mantissa on the way to e5m2, and with it their denormals; e5m2 keeps its own.
static void test_denormals_to_e5m2(int arch)
{
    for (int in = BFP8A; in <= FP8; in += FP8 - BFP8A) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, in, FP8, false);
        tile_field(tile, 0, FIELD_PCK_DEST_RD_CTRL_Read_int8, 1);
        dst_put(tile, 0, 0, tsr_dst_encode_fp16(0x8300), false);
        pack_datums(tile, 0, 1);
        pack_one(tile, "Last=1");
        assert_int_equal(out_at(tile, OUT, 1), in == FP8 ? 0x83 : 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_denormals_to_e5m2)

// A PACR that reads nothing is not asked for a conversion from L1, and the next one that reads is.
static void test_nothing_from_l1(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, TF32, FP32, false);
    tile_field(tile, 0, PACKER(0, Source_interface_selection), 1);
    pack_one(tile, "ZeroWrite=1 Last=1");
    assert_true(was_written(tile, OUT, 1));
    assert_int_equal(out_at(tile, OUT, 4), 0);
    pack_one(tile, "Flush=1");
    tile_push(tile, 0, arch == WH ? "PACR PackSel=1 Last=1" : "PACR ReadIntfSel=1 Last=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "pack-format-pair"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_nothing_from_l1)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_two_names),         TILE_TEST(test_other_names),
        TILE_TEST(test_denormals_to_e5m2), TILE_TEST(test_nothing_from_l1),
        TILE_TEST(test_descale),           TILE_TEST(test_descale_raw),
        TILE_TEST(test_descale_by_z),      TILE_TEST(test_stochastic),
        TILE_TEST(test_stochastic_limits), TILE_TEST(test_stochastic_blocks),
        TILE_TEST(test_seeding),           TILE_TEST(test_int32_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
