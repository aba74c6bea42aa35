// SPDX-License-Identifier: Apache-2.0
// How many datums come out of a PACR: downsampling, row padding, and blocks that more than one PACR
// fills. Pages: Packers/Downsampling.md, Packers/README.md (pipeline), PACR.md of each chip.
#include "rig/pack_rig.h"

static tsr_tile *counting(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 1);
    return tile;
}

// What follows in L1 is exactly this, padded to a line.
static void assert_out(tsr_tile *tile, const unsigned *want, unsigned count)
{
    unsigned lines = (count + 7) / 8;
    for (unsigned i = 0; i < 8 * lines; i++)
        assert_int_equal(out16(tile, i), i < count ? want[i] : 0);
    assert_false(was_written(tile, OUT + 16 * lines, 1));
}

// ---------------------------------------------------------------- downsampling

static void test_downsample(int arch)
{
    static const struct {
        uint32_t mask;
        unsigned count;
    } rows[] = {{0x5555, 8}, {0x8001, 2}, {0x0100, 1}, {0xfffe, 15}, {0, 16}, {0xffff, 16}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        tsr_tile *tile = counting(arch);
        unsigned want[16], count = 0;
        tile_field(tile, 0, PACKER(0, Downsample_mask), rows[r].mask);
        for (unsigned i = 0; i < 16; i++)
            if (rows[r].mask == 0 || rows[r].mask >> i & 1)
                want[count++] = i + 1;
        assert_int_equal(count, rows[r].count);
        pack_one(tile, "Last=1");
        assert_out(tile, want, count);
        assert_int_equal(tile_found(tile, "legacy-mode") != NULL, count < 16);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_downsample)

// Bit 0 goes with the first datum of a PACR, whatever its column, and comes again after sixteen.
static void test_downsample_from_a_column(int arch)
{
    tsr_tile *tile = counting(arch);
    tile_field(tile, 0, PACKER(0, Downsample_mask), 0x0009);
    pack_datums(tile, 5, 6); // datums 5 to 10 are 6 to 11
    pack_one(tile, "");
    pack_one(tile, "Last=1");
    assert_out(tile, (const unsigned[]){6, 9, 6, 9}, 4);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_downsample_from_a_column)

static void test_downsample_long(void **state)
{
    (void)state;
    tsr_tile *tile = counting(WH);
    tile_field(tile, 0, PACKER(0, Downsample_mask), 0x0801);
    pack_datums(tile, 3, 40); // goes round with the datums, not with Dst's rows
    pack_one(tile, "Last=1");
    assert_out(tile, (const unsigned[]){4, 15, 20, 31, 36}, 5); // 0, 11, 16, 27, 32 of 3 + 1
    tsr_tile_destroy(tile);
}

// Blackhole: each interface's row begins the mask again.
static void test_downsample_interfaces(void **state)
{
    (void)state;
    tsr_tile *tile = counting(BH);
    tile_field(tile, 0, PACKER(0, Downsample_mask), 0x0014);
    pack_datums(tile, 0, 6);
    tile_do(tile, 0, "PACR ReadIntfSel=5 Last=1");
    assert_out(tile, (const unsigned[]){3, 5, 35, 37}, 4);
    tsr_tile_destroy(tile);
}

// The rate field has no page, and does nothing.
static void test_downsample_rate(int arch)
{
    tsr_tile *tile = counting(arch);
    unsigned want[16];
    for (unsigned i = 0; i < 16; i++)
        want[i] = i + 1;
    tile_field(tile, 0, PACKER(0, Downsample_rate), 3);
    pack_one(tile, "Last=1");
    assert_out(tile, want, 16);
    assert_non_null(tile_found(tile, "field-without-effect"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_downsample_rate)

// ---------------------------------------------------------------- row padding

// RowPadZero 1 to 3: every row to sixteen datums; 5 to 7: what was packed so far. 2 and 6 not with
// Concat, 3 and 7 only with Last.
static void check_padding(unsigned pad, const char *rest, const unsigned *want, unsigned count)
{
    tsr_tile *tile = counting(BH);
    char text[90];
    pack_datums(tile, 2, 3);
    snprintf(text, sizeof text, "PACR ReadIntfSel=3 RowPadZero=%u %s", pad, rest);
    tile_do(tile, 0, text);
    tile_do(tile, 0, "PACR Flush=1");
    assert_out(tile, want, count);
    assert_int_equal(tile_found(tile, "undocumented-mode") != NULL, pad != 0);
    tsr_tile_destroy(tile);
}

static void test_padding(void **state)
{
    (void)state;
    static const unsigned unpadded[6] = {3, 4, 5, 19, 20, 21};
    static const unsigned rows[32] = {3, 4, 5, [16] = 19, 20, 21};
    static const unsigned whole[16] = {3, 4, 5, 19, 20, 21};
    check_padding(0, "", unpadded, 6);
    check_padding(4, "Last=1", unpadded, 6);
    check_padding(1, "", rows, 32);
    check_padding(5, "", whole, 16);
    check_padding(2, "", rows, 32);
    check_padding(2, "Concat=1", unpadded, 6);
    check_padding(6, "", whole, 16);
    check_padding(6, "Concat=1", unpadded, 6);
    check_padding(3, "", unpadded, 6);
    check_padding(3, "Last=1", rows, 32);
    check_padding(7, "", unpadded, 6);
    check_padding(7, "Last=1", whole, 16);
}

// What was packed before counts for the cumulative kind, by either path; a full row gets nothing.
static void test_padding_goes_on(void **state)
{
    (void)state;
    tsr_tile *tile = counting(BH);
    pack_datums(tile, 0, 4);
    tile_do(tile, 0, "PACR ReadIntfSel=7"); // 12 datums
    tile_do(tile, 0, "PACR ReadIntfSel=3 RowPadZero=5");
    tile_do(tile, 0, "PACR ReadIntfSel=15 RowPadZero=5 Last=1");
    static const unsigned want[48] = {1,  2,  3,  4,  17, 18, 19, 20, 33,       34, 35, 36,
                                      1,  2,  3,  4,  17, 18, 19, 20, [32] = 1, 2,  3,  4,
                                      17, 18, 19, 20, 33, 34, 35, 36, 49,       50, 51, 52};
    assert_out(tile, want, 48);
    pack_datums(tile, 0, 5);
    tile_do(tile, 0, "PACR ReadIntfSel=1 Last=1");
    tile_do(tile, 0, "PACR ReadIntfSel=1 RowPadZero=5"); // a section counts anew
    tile_do(tile, 0, "PACR ReadIntfSel=1 Last=1");
    for (unsigned i = 0; i < 21; i++)
        assert_int_equal(out16(tile, i), i < 5 ? i + 1 : i < 16 ? 0 : i - 15);
    tsr_tile_destroy(tile);
}

// Rows that downsampling thinned are filled up as well.
static void test_padding_downsampled(void **state)
{
    (void)state;
    tsr_tile *tile = counting(BH);
    tile_field(tile, 0, PACKER(0, Downsample_mask), 0x8000);
    tile_do(tile, 0, "PACR ReadIntfSel=3 RowPadZero=1 Last=1");
    assert_out(tile, (const unsigned[32]){16, [16] = 32}, 32);
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- blocks

// 10 datums, then 22: the first block is 10 and 6 of them. 1.0 under the exponent 127 is 0x40;
// under 128 (2.0 = 0x40 there) it is 0x20.
static void test_blocks_across(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BFP8, false);
    uint16_t row[16];
    for (unsigned i = 0; i < 16; i++)
        row[i] = i == 15 ? 0x4000 : 0x3f80;
    dst_bf16(tile, 0, row, 16);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 1);
    pack_datums(tile, 0, 10);
    pack_one(tile, "");
    assert_false(was_written(tile, OUT, 64));
    pack_datums(tile, 0, 6);
    pack_one(tile, "");
    assert_true(was_written(tile, OUT + 16, 16));
    pack_datums(tile, 0, 16);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 4), 128 << 8 | 127);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(out_at(tile, OUT + 16 + i, 1), i < 16 ? 0x40 : i == 31 ? 0x40 : 0x20);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_blocks_across)

// Last and Flush fill a begun block with zeroes, in every width.
static void test_blocks_cut_short(int arch)
{
    static const struct {
        int out;
        unsigned bits, element; // of 1.0 under its own exponent
    } rows[] = {{BFP8, 8, 0x40}, {BFP4, 4, 0x4}, {BFP2, 2, 0x1}};
    for (unsigned r = 0; r < 3; r++) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, rows[r].out, false);
        uint16_t row[16];
        for (unsigned i = 0; i < 16; i++)
            row[i] = 0x3f80;
        dst_bf16(tile, 0, row, 16);
        tile_field(tile, 0, PACKER(0, Exp_section_size), 1);
        pack_datums(tile, 0, 5);
        pack_one(tile, r ? "Last=1" : "");
        if (r == 0)
            pack_one(tile, "Flush=1");
        assert_int_equal(out_at(tile, OUT, 4), 127);
        for (unsigned i = 0; i < 16; i++) {
            unsigned at = i * rows[r].bits;
            uint32_t got = out_at(tile, OUT + 16 + at / 8, 1) >> at % 8 & tsr_mask32(rows[r].bits);
            assert_int_equal(got, i < 5 ? rows[r].element : 0);
        }
        assert_false(was_written(tile, OUT + 32, 16));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_blocks_cut_short)

// So does PACR_SETREG's flush, after which the next PACR has new addresses.
static void test_blocks_flushed(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BFP8, false);
    dst_bf16(tile, 0, (const uint16_t[16]){0x3f80, 0x3f80}, 16);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 1);
    pack_datums(tile, 0, 2);
    pack_one(tile, "");
    tile_do(tile, 0, arch == WH ? "PACR_SETREG Flush=1 PackSel=1" : "PACR_SETREG Flush=1");
    assert_int_equal(out_at(tile, OUT, 4), 127);
    assert_int_equal(out_at(tile, OUT + 16, 4), 0x4040);
    assert_false(was_written(tile, OUT + 32, 16));
    tile_field(tile, 0, PACKER(0, L1_Dest_addr), OUT / 16 + 15);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT + 272, 4), 0x4040);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_blocks_flushed)

// Five exponent bits (decision 13): 1.0 is 15, 2.0 is 16; 1.0 under 16 is 0x20, in four bits 2.
static void test_blocks_e5(int arch)
{
    static const struct {
        int out;
        unsigned bits;
        uint8_t want[4];
    } rows[] = {{BFP8A, 8, {0x20, 0xc0, 0x7f, 0x01}},
                {BFP4A, 4, {0x2, 0xc, 0x7, 0x0}},
                {BFP2A, 2, {0x0, 0x3, 0x1, 0x0}}};
    static const uint16_t in[4] = {0x3c00, 0xc000, 0x43ff, 0x2800}; // 1, -2, 3.998, 2^-5
    for (unsigned r = 0; r < 3; r++) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, FP16, rows[r].out, false);
        for (unsigned i = 0; i < 16; i++)
            dst_put(tile, 0, i, tsr_dst_encode_fp16(i < 4 ? in[i] : 0), false);
        tile_field(tile, 0, PACKER(0, Exp_section_size), 1);
        pack_one(tile, "Last=1");
        assert_int_equal(out_at(tile, OUT, 1), 16);
        for (unsigned i = 0; i < 4; i++) {
            unsigned at = i * rows[r].bits;
            assert_int_equal(out_at(tile, OUT + 16 + at / 8, 1) >> at % 8 &
                                 tsr_mask32(rows[r].bits),
                             rows[r].want[i]);
        }
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_blocks_e5)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_downsample),
        TILE_TEST(test_downsample_from_a_column),
        cmocka_unit_test(test_downsample_long),
        cmocka_unit_test(test_downsample_interfaces),
        TILE_TEST(test_downsample_rate),
        cmocka_unit_test(test_padding),
        cmocka_unit_test(test_padding_goes_on),
        cmocka_unit_test(test_padding_downsampled),
        TILE_TEST(test_blocks_across),
        TILE_TEST(test_blocks_cut_short),
        TILE_TEST(test_blocks_flushed),
        TILE_TEST(test_blocks_e5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
