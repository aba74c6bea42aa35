// SPDX-License-Identifier: Apache-2.0
// What edge masks put in place of datums, and the row sets that faces select.
// Page: Packers/EdgeMasking.md.
#include "rig/pack_rig.h"

// ---------------------------------------------------------------- minus infinity

// Columns 1, 3, … are masked; `want` is what stands there in L1.
static void check_infinity(int arch, bool wide, int between, int out, unsigned bytes, uint32_t want)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, between, out, wide);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, 0, wide);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0x5555);
    tile_field(tile, 0, FIELD_PCK_EDGE_MODE_mode, 1);
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 16; i++) {
        uint32_t got = out_at(tile, OUT + i * bytes, bytes);
        if (got != (i % 2 ? want : 0))
            fail_msg("%d to %d: column %u is 0x%x", between, out, i, (unsigned)got);
    }
    tsr_tile_destroy(tile);
}

// The largest pattern stands for infinity in formats with five exponent bits (FloatBitPatterns.md).
// An E5M6 has six mantissa bits of it: 31 + 112 = 143 as an exponent, and 0x3f0 of 0x3ff.
static void test_infinity(int arch)
{
    check_infinity(arch, false, BF16, BF16, 2, 0xff80);
    check_infinity(arch, false, BF16, FP32, 4, 0xff800000);
    check_infinity(arch, false, BFP8, BF16, 2, 0xff80);
    check_infinity(arch, true, FP32, FP32, 4, 0xff800000);
    check_infinity(arch, true, TF32, TF32, 4, 0xff800000);
    check_infinity(arch, true, FP32, FP16, 2, 0xffff); // saturates
    check_infinity(arch, true, BF16, FP8, 1, 0xff);
    check_infinity(arch, false, FP16, FP16, 2, 0xffff);
    check_infinity(arch, false, FP16, FP32, 4, 0xc7ffe000); // widened: 31 + 112, 0x3ff << 13
    check_infinity(arch, false, BFP8A, BF16, 2, 0xc7fe);    // 143 << 7 | 0x3f0 >> 3
    check_infinity(arch, false, FP16, FP8, 1, 0xff);
    check_infinity(arch, true, INT32, INT32, 4, 0xffffffff);
    check_infinity(arch, false, INT16, INT16, 2, 0xffff);
    check_infinity(arch, true, INT8, INT8, 1, 0xff);
}
TILE_BOTH(test_infinity)

// In a block minus infinity is the largest exponent, 255, with the hidden bit alone: 0x80 rounded
// to seven bits is 0x40, and a sign. Next to it 1.0, 128 binades down, is nothing.
static void test_infinity_in_blocks(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BFP8, false);
    for (unsigned i = 0; i < 16; i++)
        dst_put(tile, 0, i, tsr_dst_encode_bf16(0x3f80), false);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0x7fff);
    tile_field(tile, 0, FIELD_PCK_EDGE_MODE_mode, 1);
    tile_field(tile, 0, PACKER(0, Exp_section_size), 1);
    pack_one(tile, "Last=1");
    assert_int_equal(out_at(tile, OUT, 1), 255);
    assert_int_equal(out_at(tile, OUT + 16, 1), 0);
    assert_int_equal(out_at(tile, OUT + 31, 1), 0xc0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_infinity_in_blocks)

// ReLU comes after the mask.
static void test_infinity_and_relu(int arch)
{
    for (unsigned relu = 0; relu < 4; relu++) {
        tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, BF16, BF16, false);
        dst_bf16(tile, 0, (const uint16_t[16]){0x3f80, 0x3f80}, 16);
        tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0xfffd);
        tile_field(tile, 0, FIELD_PCK_EDGE_MODE_mode, 1);
        tile_field(tile, 0, FIELD_STACC_RELU_ApplyRelu, relu);
        tile_field(tile, 0, FIELD_STACC_RELU_ReluThreshold, 0x4000);
        pack_one(tile, "Last=1");
        assert_int_equal(out16(tile, 0), relu == 2 ? 0 : 0x3f80); // 1.0 is below 2.0
        assert_int_equal(out16(tile, 1), relu ? 0 : 0xff80);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_infinity_and_relu)

static void test_integers_are_reported(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 0);
    tile_field(tile, 0, FIELD_PCK_EDGE_MODE_mode, 1);
    pack_one(tile, "Last=1");
    assert_null(tile_found(tile, "undocumented-mode")); // no mask
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0xfffe);
    pack_one(tile, "Last=1");
    assert_non_null(tile_found(tile, "undocumented-mode"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_integers_are_reported)

// ---------------------------------------------------------------- face sets

// Z selects a row set: entry z of mapping 1 is (z + 1) & 3. Row set b masks all rows with mask b,
// of which bits 4 b to 4 b + 3 are set.
static void set_faces(tsr_tile *tile)
{
    static const enum tsr_field rows[4] = {FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0,
                                           FIELD_TILE_ROW_SET_MAPPING_1_row_set_mapping_0,
                                           FIELD_TILE_ROW_SET_MAPPING_2_row_set_mapping_0,
                                           FIELD_TILE_ROW_SET_MAPPING_3_row_set_mapping_0};
    static const enum tsr_field mask[4] = {
        FIELD_PCK_EDGE_OFFSET_SEC0_mask, FIELD_PCK_EDGE_OFFSET_SEC1_mask,
        FIELD_PCK_EDGE_OFFSET_SEC2_mask, FIELD_PCK_EDGE_OFFSET_SEC3_mask};
    uint32_t faces = 0;
    for (uint32_t z = 0; z < 16; z++)
        faces |= ((z + 1) & 3) << (2 * z);
    pack_mapping(tile, FIELD_TILE_FACE_SET_MAPPING_1_face_set_mapping_0, faces);
    for (uint32_t b = 0; b < 4; b++) {
        pack_mapping(tile, rows[b], b * 0x55555555u);
        tile_field(tile, 0, mask[b], 0xfu << (4 * b));
    }
    tile_field(tile, 0, FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_enable, 1);
    tile_field(tile, 0, FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_select, 1); // packer 0: mapping 1
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 2);
}

static void check_faces(int arch, unsigned z_offset, bool transposed)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 1);
    set_faces(tile);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset, z_offset);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_yz_transposed, transposed);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);
    tile_field(tile, 0, FIELD_ADDR_MOD_PACK_SEC0_YsrcIncr, 1);
    for (unsigned row = 0; row < 10; row++)
        pack_one(tile, row == 9 ? "Last=1" : "");
    for (unsigned i = 0; i < 160; i++) {
        // Two rows a plane: Z counts planes, or with Y and Z exchanged the rows of one.
        unsigned row = i / 16, z = transposed ? row % 2 : row / 2;
        unsigned set = (z + z_offset + 1) & 3;
        assert_int_equal(out16(tile, i), i % 16 / 4 == set ? i + 1 : 0);
    }
    tsr_tile_destroy(tile);
}

static void test_faces(int arch)
{
    check_faces(arch, 0, false);
    check_faces(arch, 14, false); // 14 + 2 is 0 again
    check_faces(arch, 61, false); // six bits, of which four count
    check_faces(arch, 0, true);
    check_faces(arch, 3, true);
}
TILE_BOTH(test_faces)

// Off, the offset and the mapping of faces count for nothing.
static void test_faces_off(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 1);
    set_faces(tile);
    tile_field(tile, 0, FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_enable, 0);
    tile_field(tile, 0, FIELD_PCK_EDGE_TILE_ROW_SET_SELECT_select, 3);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset, 2);
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(out16(tile, i), i >= 12 ? i + 1 : 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_faces_off)

// Masked is the second row of each section of three, with planes of five rows: Last takes the
// position back to the beginning, and so does a Flush.
static void test_position_of_sections(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 1);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC1_mask, 0xff);
    pack_mapping(tile, FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0, 1 << 2); // of row 1 alone
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 5);
    for (uint32_t section = 0; section < 4; section++) {
        const bool by_flush = section % 2 == 0;
        uint32_t at = OUT + 0x100 * section;
        tile_field(tile, 0, PACKER(0, L1_Dest_addr), at / 16 - 1);
        pack_one(tile, "");
        assert_int_equal(tile_found(tile, "pack-position-begins") != NULL, section > 0);
        pack_one(tile, "");
        pack_one(tile, by_flush ? "" : "Last=1");
        if (by_flush)
            pack_one(tile, "Flush=1"); // reads no row
        for (uint32_t i = 0; i < 48; i++)
            assert_int_equal(out_at(tile, at + 2 * i, 2),
                             i / 16 != 1 || i % 16 < 8 ? i % 16 + 1 : 0);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_position_of_sections)

// A section of whole planes leaves nothing to say, nor does one without masks that ends elsewhere
// before one without masks.
static void test_position_is_no_matter(int arch)
{
    tsr_tile *tile = pack_tile(arch, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 1);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 2);
    pack_one(tile, "Last=1");
    pack_one(tile, "");
    pack_one(tile, "Last=1");
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC1_mask, 0xff);
    pack_mapping(tile, FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0, 1 << 2);
    pack_one(tile, "");
    pack_one(tile, "Last=1");
    pack_one(tile, "Last=1");
    assert_null(tile_found(tile, "pack-position-begins"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_position_is_no_matter)

// Each packer of Wormhole has its own selection, offset and position.
static void test_faces_of_packers(void **state)
{
    (void)state;
    tsr_tile *tile = pack_tile(WH, TSR_PROFILE_STRICT, INT16, INT16, false);
    dst_count(tile, 1);
    set_faces(tile);
    tile_field(tile, 0, FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_select, 0x55);
    for (int i = 1; i < 4; i++)
        tile_field(tile, 0, PACKER(i, L1_Dest_addr), OUT / 16 - 1 + 0x100u * (unsigned)i);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_ZOffset, 1);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_ZOffset, 2);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_ZOffset, 3);
    tile_do(tile, 0, "PACR PackSel=15 Last=1");
    for (unsigned p = 0; p < 4; p++)
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(out_at(tile, OUT + 0x1000 * p + 2 * i, 2),
                             i / 4 == ((p + 1) & 3) ? i + 1 : 0);
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_infinity),
        TILE_TEST(test_infinity_in_blocks),
        TILE_TEST(test_infinity_and_relu),
        TILE_TEST(test_integers_are_reported),
        TILE_TEST(test_faces),
        TILE_TEST(test_faces_off),
        TILE_TEST(test_position_of_sections),
        TILE_TEST(test_position_is_no_matter),
        cmocka_unit_test(test_faces_of_packers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
