// SPDX-License-Identifier: Apache-2.0
// Datums that do not come from Dst: ZeroWrite's zeroes and packer 0's L1 source.
// Pages: Packers/InputAddressGenerator.md, Packers/FormatConversion.md, PACR.md of each chip.
#include "rig/pack_rig.h"

enum { SOURCE = 0x80000 };

static tsr_adc_channel *adc_of(tsr_tile *tile, int channel)
{
    return &tile_state(tile)->adcs.channel[0][TSR_ADC_PACKERS][channel];
}

// ---------------------------------------------------------------- ZeroWrite

// Dst holds what a strict tile would stop for, and is not looked at; counters step as ever.
static void test_zero_write(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, false);
    memset(tile_state(tile)->l1.bytes + OUT, 0xee, 256);
    tile_field(tile, 0, FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 2);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0);
    tile_field(tile, 0, FIELD_PCK_EDGE_MODE_mode, 1); // masks datums from Dst alone
    pack_one(tile, "ZeroWrite=1 Last=1");
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out16(tile, i), 0);
    assert_int_equal(out16(tile, 16), 0xeeee);
    assert_int_equal(adc_of(tile, 0)->y, 2);
    assert_int_equal(tile_state(tile)->packers.packer[0].x, 0);
    assert_int_equal(tile_state(tile)->packers.packer[0].y, 0);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_zero_write)

// Zeroes between datums; a block of zeroes has the exponent 0.
static void test_zero_write_formats(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BFP8, false);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_bf16(0x3f80), false);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 1);
    pack_one(tile, "");
    pack_one(tile, "ZeroWrite=1");
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 4), 0x007f007f);
    assert_int_equal(out_at(tile, OUT + 16, 1), 0x40);
    assert_int_equal(out_at(tile, OUT + 32, 4), 0);
    assert_int_equal(out_at(tile, OUT + 44, 4), 0);
    assert_int_equal(out_at(tile, OUT + 48, 1), 0x40);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_zero_write_formats)

// Blackhole: as many datums as the interfaces would bring; without any, whole rows from X=0.
static void test_zero_write_interfaces(void **state)
{
    (void)state;
    static const struct {
        unsigned mask, first, count, datums; // datums 0: refused
    } rows[] = {{1, 0, 16, 16},   {5, 0, 16, 32}, {15, 3, 4, 16}, {0, 0, 16, 16},
                {0, 0, 320, 320}, {0, 0, 24, 0},  {0, 16, 16, 0}, {1, 0, 17, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = pack_tile(BH, TSR_PROFILE_SILICON, INT16, INT16, false);
        char text[60];
        pack_datums(tile, rows[i].first, rows[i].count);
        snprintf(text, sizeof text, "PACR ReadIntfSel=%u ZeroWrite=1 Last=1", rows[i].mask);
        tile_do(tile, 0, text);
        unsigned bytes = (rows[i].datums * 2 + 15) / 16 * 16;
        assert_int_equal(tsr_l1_first_unwritten(&tile_state(tile)->l1, OUT, 4096), bytes);
        assert_int_equal(tile_found(tile, "pack-x-range") != NULL, rows[i].datums == 0);
        tsr_tile_destroy(tile);
    }
}

// ---------------------------------------------------------------- L1

static void l1_put(tsr_tile *tile, uint32_t address, const void *bytes, size_t size)
{
    tsr_l1_put(&tile_state(tile)->l1, address, bytes, size, false);
}

// The high part of the address stands in the configuration, in units of 256 KiB.
static tsr_tile *from_l1(int arch, tsr_profile profile, int between, int out, uint32_t address)
{
    tsr_tile *tile = pack_tile(arch, profile, between, out, false);
    tile_field(tile, 0, PACKER(0, Source_interface_selection), 1);
    tile_field(tile, 0, PACKER(0, L1_source_addr), address >> 18);
    tile_field(tile, 0, FIELD_PCK0_ADDR_BASE_REG_0_Base, address & 0xffff);
    return tile;
}

struct passage {
    int between, out;
    uint32_t in[4], want[4]; // a datum of the size of its format each
};

// No early conversion, so denormals, NaN and minus zero pass; then late conversion.
static const struct passage passages[] = {
    {FP32,
     FP32,
     {0x3f800001, 0x00000001, 0xffc00000, 0x80000000},
     {0x3f800001, 0x00000001, 0xffc00000, 0x80000000}},
    {FP32, BF16, {0x3f80ffff, 0x00000001, 0xffc00000, 0x7f000000}, {0x3f80, 0, 0xffc0, 0x7f00}},
    {BF16, BF16, {0x0001, 0x7fc1, 0x8000, 0x3f80}, {0x0001, 0x7fc1, 0x8000, 0x3f80}},
    {BF16, FP32, {0x0001, 0x7fc1, 0x8000, 0x3f80}, {0x10000, 0x7fc10000, 0x80000000, 0x3f800000}},
    {FP16, FP16, {0x0001, 0x7fff, 0x8000, 0x3c01}, {0x0001, 0x7fff, 0x8000, 0x3c01}},
    {FP16, FP8, {0x3c01, 0xfbff, 0x0001, 0x4200}, {0x3c, 0xfb, 0, 0x42}},
    // An FP8 is five exponent bits and two of mantissa: as FP16 it is shifted up by eight.
    {FP8, FP8, {0x3c, 0xff, 0x01, 0x80}, {0x3c, 0xff, 0x01, 0x80}},
    {FP8, FP16, {0x3c, 0xff, 0x01, 0x80}, {0x3c00, 0xff00, 0x0100, 0x8000}},
    // Signs and mantissas of blocks, with an exponent of zero.
    {BFP8, BF16, {0x81, 0x7f, 0x40, 0}, {0x8001, 0x007f, 0x0040, 0}},
    {BFP8A, FP16, {0x81, 0x7f, 0x40, 0}, {0x8008, 0x03f8, 0x0200, 0}},
    {INT32, INT32, {0x80000005, 7, 0xffffffff, 0}, {0x80000005, 7, 0xffffffff, 0}},
    {INT16, INT16, {0x8005, 7, 0xffff, 0}, {0x8005, 7, 0xffff, 0}},
    {INT8, INT8, {0x85, 7, 0xff, 0}, {0x85, 7, 0xff, 0}},
};

static unsigned bytes_of(int format)
{
    return (format & 3) == 0 ? 4 : (format & 3) == 1 ? 2 : 1;
}

static void test_l1_formats(int arch)
{
    for (size_t i = 0; i < sizeof passages / sizeof *passages; i++) {
        const struct passage *row = &passages[i];
        tsr_tile *tile = from_l1(arch, TSR_PROFILE_STRICT, row->between, row->out, 0x80000);
        for (unsigned k = 0; k < 4; k++)
            l1_put(tile, 0x80000 + bytes_of(row->between) * k, &row->in[k], bytes_of(row->between));
        pack_datums(tile, 0, 4);
        pack_one(tile, "Last=1");
        for (unsigned k = 0; k < 4; k++) {
            unsigned size = bytes_of(row->out);
            uint32_t got = out_at(tile, OUT + size * k, size);
            if (got != row->want[k])
                fail_msg("passage %u, datum %u: 0x%x", (unsigned)i, k, (unsigned)got);
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_l1_formats)

// 18 bits of counters and base, of which X brings what is below 16 bytes: base 0x100, Y = 3 at 40
// bytes makes 0x178, X = 3 adds 3 datums of two bytes to 0x170. More datums than a row of Dst.
static void test_l1_addresses(int arch)
{
    tsr_tile *tile = from_l1(arch, TSR_PROFILE_STRICT, INT16, INT16, 0x40100);
    for (unsigned i = 0; i < 0x1000; i += 2)
        l1_put(tile, 0x40000 + i, &(uint16_t){(uint16_t)i}, 2);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 40);
    tile_field(tile, 0, PACKER(0, L1_Dest_addr), 0x30000 / 16 - 1);
    adc_of(tile, 0)->y = 3;
    pack_datums(tile, 3, 40);
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(out_at(tile, 0x30000 + 2 * i, 2), 0x176 + 2 * i);
    assert_int_equal(tile_state(tile)->packers.packer[0].x, 0); // no place in the tile
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_l1_addresses)

static void test_l1_shadow(int arch)
{
    tsr_tile *tile = from_l1(arch, TSR_PROFILE_STRICT, INT16, INT16, SOURCE);
    uint16_t datums[16] = {0};
    l1_put(tile, SOURCE, datums, 30);
    tile_push(tile, 0, "PACR Last=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "uninitialised-l1"));
    tsr_tile_destroy(tile);
    tile = from_l1(arch, TSR_PROFILE_SILICON, INT16, INT16, SOURCE);
    tsr_l1_put(&tile_state(tile)->l1, SOURCE, datums, 32, true);
    tile_do(tile, 0, "PACR Last=1");
    assert_true(tsr_l1_any_tainted(&tile_state(tile)->l1, OUT, 32));
    tsr_tile_destroy(tile);
    tile = from_l1(arch, TSR_PROFILE_SILICON, INT16, INT16, 0x1ffff0); // past the end
    pack_datums(tile, 0, 200);
    tile_do(tile, 0, "PACR Last=1");
    assert_non_null(tile_found(tile, "l1-out-of-range"));
    assert_int_equal(out16(tile, 199), 0);
    assert_true(tsr_l1_any_tainted(&tile_state(tile)->l1, OUT, 400));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_l1_shadow)

// Neither ReLU nor thresholds nor the histogram see what comes from L1; ZeroWrite comes first.
static void test_l1_skips_stages(int arch)
{
    tsr_tile *tile = from_l1(arch, TSR_PROFILE_STRICT, BF16, BF16, SOURCE);
    uint16_t datums[16] = {0xbf80, 0x0080};
    l1_put(tile, SOURCE, datums, 32);
    tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, 1);
    tile_field(tile, 0, PACKER(0, Exp_threshold_en), 1);
    tile_field(tile, 0, PACKER(0, Exp_threshold), 200);
    tile_field(tile, 0, FIELD_ENABLE_ACC_STATS_Enable, 1);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0);
    pack_one(tile, "Last=1");
    assert_int_equal(out16(tile, 0), 0xbf80);
    assert_int_equal(out16(tile, 1), 0x0080);
    assert_int_equal(pack_state(tile, 9, 0, 0), 0);
    assert_int_equal(pack_state(tile, 6, 0, 0), 0);
    pack_one(tile, "ZeroWrite=1 Last=1");
    assert_int_equal(out16(tile, 0), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_l1_skips_stages)

// Blocks from L1 without the exponent assembler come out as they are.
static void test_l1_to_l1_of_blocks(int arch)
{
    tsr_tile *tile = from_l1(arch, TSR_PROFILE_STRICT, BFP8, BFP8, SOURCE);
    uint8_t elements[32];
    for (unsigned i = 0; i < 32; i++)
        elements[i] = (uint8_t)(i * 37 + 5);
    l1_put(tile, SOURCE, elements, 32);
    tile_field(tile, 0, PACKER(0, Dis_shared_exp_assembler), 1);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 1);
    pack_datums(tile, 0, 32);
    pack_one(tile, "Last=1");
    assert_memory_equal(tile_state(tile)->l1.bytes + OUT + 16, elements, 32);
    assert_false(was_written(tile, OUT, 16)); // no exponents
    assert_non_null(tile_found(tile, "undocumented-mode"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_l1_to_l1_of_blocks)

// Wormhole's packers 1 to 3 have no way from L1, and the bit means nothing there.
static void test_only_packer_0(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 0);
    for (int i = 1; i < 4; i++)
        tile_field(tile, 0, PACKER(i, Source_interface_selection), 1);
    tile_field(tile, 0, PACKER(1, L1_Dest_addr), 0x50000 / 16 - 1);
    tile_do(tile, 0, "PACR PackSel=2 Last=1");
    assert_int_equal(out_at(tile, 0x50002, 2), 1);
    tsr_tile_destroy(tile);
}

static void test_refused_sources(int arch)
{
    tsr_tile *tile = from_l1(arch, TSR_PROFILE_STRICT, TF32, TF32, SOURCE);
    tile_push(tile, 0, "PACR Last=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    const tsr_diagnostic *found = tile_found(tile, "pack-format-pair");
    assert_non_null(found);
    assert_non_null(strstr(found->sentence, "32-bit L1"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_refused_sources)

// The late table's "No" holds for a packer as it is set, also where the mask drops the only datum;
// going on packs nothing, and no row of compressed datums begins.
static void test_refused_without_datums(int arch)
{
    tsr_tile *tile = from_l1(arch, TSR_PROFILE_SILICON, FP32, TF32, SOURCE);
    uint32_t datum = 0x3f800000;
    l1_put(tile, SOURCE, &datum, sizeof datum);
    tile_field(tile, 0, PACKER(0, Downsample_mask), 0x1fe4);
    tile_field(tile, 0, PACKER(0, Disable_zero_compress), 0);
    tile_field(tile, 0, PACKER(0, Row_start_section_size), 1);
    pack_datums(tile, 0, 1);
    pack_one(tile, "Last=1");
    assert_non_null(tile_found(tile, "pack-format-pair"));
    assert_int_equal(tile_state(tile)->packers.packer[0].last_tile_size, 0);
    assert_false(was_written(tile, OUT, 16));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_refused_without_datums)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_zero_write),
        TILE_TEST(test_zero_write_formats),
        cmocka_unit_test(test_zero_write_interfaces),
        TILE_TEST(test_l1_formats),
        TILE_TEST(test_l1_addresses),
        TILE_TEST(test_l1_shadow),
        TILE_TEST(test_l1_skips_stages),
        TILE_TEST(test_l1_to_l1_of_blocks),
        cmocka_unit_test(test_only_packer_0),
        TILE_TEST(test_refused_sources),
        TILE_TEST(test_refused_without_datums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
