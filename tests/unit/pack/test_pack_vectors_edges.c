// SPDX-License-Identifier: Apache-2.0
// PACR's edge masks, worked by hand from the ISA pages by a reader who had not seen the code: face
// sets, minus infinity, and the tile position on both chips. Nothing is computed by the test.
// Pages: Packers/EdgeMasking, Packers/README (order of the stages), Blackhole's PACR; decision 21.

#include "rig/pack_vectors_rig.h"

// One PACR a row, rows 0 to n - 1 in one section.
static void pack_rows(tsr_tile *tile, unsigned rows)
{
    for (unsigned row = 0; row < rows; row++) {
        vec_at_row(tile, row);
        pack_one(tile, row == rows - 1 ? "Last=1" : "");
    }
}

// INT16 rows of all ones, 0x7777: what is left of a row shows its mask.
static tsr_tile *ones_tile(int arch, unsigned rows, unsigned plane)
{
    tsr_tile *tile = vec_tile(arch, INT16, INT16, false);
    for (unsigned i = 0; i < rows * 16; i++)
        dst_put(tile, i / 16, i % 16, 0x7777, false);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, plane);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC1_mask, 0x00ff);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC2_mask, 0x0f0f);
    tile_field(tile, 0, FIELD_PCK_EDGE_OFFSET_SEC3_mask, 0x8001);
    return tile;
}

static const uint16_t sections[4] = {0xffff, 0x00ff, 0x0f0f, 0x8001};

// Row `row` of the output has 0x7777 exactly where section `section` has a bit.
static void masked_as(const tsr_tile *tile, const char *what, uint32_t out, unsigned row,
                      unsigned section)
{
    for (unsigned i = 0; i < 16; i++) {
        uint32_t got = out_at(tile, out + 32 * row + 2 * i, 2);
        if (got != (sections[section] >> i & 1 ? 0x7777u : 0))
            fail_msg("%s: row %u column %u is 0x%x, and the page has section %u for it", what, row,
                     i, got, section);
    }
}

#define ROWS_MASKED(tile, what, ...)                                                               \
    do {                                                                                           \
        static const unsigned masked[] = {__VA_ARGS__};                                            \
        for (unsigned row = 0; row < sizeof masked / sizeof *masked; row++)                        \
            masked_as(tile, what, OUT, row, masked[row]);                                          \
    } while (0)

static void row_map(tsr_tile *tile, int set, uint32_t entries)
{
    static const enum tsr_field first[4] = {
        FIELD_TILE_ROW_SET_MAPPING_0_row_set_mapping_0,
        FIELD_TILE_ROW_SET_MAPPING_1_row_set_mapping_0,
        FIELD_TILE_ROW_SET_MAPPING_2_row_set_mapping_0,
        FIELD_TILE_ROW_SET_MAPPING_3_row_set_mapping_0,
    };
    pack_mapping(tile, first[set], entries);
}

static void face_map(tsr_tile *tile, int set, uint32_t entries)
{
    static const enum tsr_field first[4] = {
        FIELD_TILE_FACE_SET_MAPPING_0_face_set_mapping_0,
        FIELD_TILE_FACE_SET_MAPPING_1_face_set_mapping_0,
        FIELD_TILE_FACE_SET_MAPPING_2_face_set_mapping_0,
        FIELD_TILE_FACE_SET_MAPPING_3_face_set_mapping_0,
    };
    pack_mapping(tile, first[set], entries);
}

static void face_sets(tsr_tile *tile, uint32_t select)
{
    tile_field(tile, 0, FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_enable, 1);
    tile_field(tile, 0, FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_select, select);
}

// Two rows a plane. Face set 1 maps z 0 to row set 2 and z 1 to row set 3; row set 2 has sections
// 1, 0 for y 0, 1, and row set 3 has 3, 2. The row set select (1) has no say.
static void faces(int arch)
{
    tsr_tile *tile = ones_tile(arch, 4, 2);
    face_sets(tile, 1);
    tile_field(tile, 0, FIELD_PCK_EDGE_TILE_ROW_SET_SELECT_select, 1);
    face_map(tile, 1, 2 | 3 << 2);
    row_map(tile, 2, 1 | 0 << 2);
    row_map(tile, 3, 3 | 2 << 2);
    pack_rows(tile, 4);
    ROWS_MASKED(tile, "faces", 1, 0, 3, 2);
    tsr_tile_destroy(tile);
}

// ZOffset 14 with one row a plane: z is 14, 15, 16 & 15 = 0, 1. Face set 0 maps those to row sets
// 1, 0, 2, 3, and row set k has section k for y 0.
static void face_offset(int arch)
{
    tsr_tile *tile = ones_tile(arch, 4, 1);
    face_sets(tile, 0);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset, 14);
    face_map(tile, 0, 2 | 3 << 2 | 1u << 28);
    for (int set = 0; set < 4; set++)
        row_map(tile, set, (uint32_t)set);
    pack_rows(tile, 4);
    ROWS_MASKED(tile, "z offset", 1, 0, 2, 3);
    tsr_tile_destroy(tile);
}

// Not enabled: the face sets have no say, the row set of the packer's two select bits has.
static void faces_off(int arch)
{
    tsr_tile *tile = ones_tile(arch, 3, 16);
    tile_field(tile, 0, FIELD_PCK_EDGE_TILE_FACE_SET_SELECT_select, 1);
    tile_field(tile, 0, FIELD_PCK_EDGE_TILE_ROW_SET_SELECT_select, 3);
    face_map(tile, 1, 0);
    row_map(tile, 3, 2 | 3 << 2 | 1 << 4);
    pack_rows(tile, 3);
    ROWS_MASKED(tile, "row set 3", 2, 3, 1);
    tsr_tile_destroy(tile);
}

// Packers 1 and 2 have select bits 3:2 and 5:4, their own rows, positions and planes: 0x24 is face
// set 1 for packer 1 and face set 2 for packer 2.
static void faces_of_packers(int arch)
{
    tsr_tile *tile = ones_tile(arch, 128, 1);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC1_pack_reads_per_xy_plane, 1);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC2_pack_reads_per_xy_plane, 2);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 16);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, 32);
    face_sets(tile, 0x24);
    face_map(tile, 1, 1 | 2 << 2); // z 0, 1: row sets 1, 2
    face_map(tile, 2, 3 | 3 << 2);
    row_map(tile, 1, 3); // y 0: section 3
    row_map(tile, 2, 2);
    row_map(tile, 3, 1 | 0 << 2);
    pack_datums(tile, 0, 32);
    tile_do(tile, 0, "PACR PackSel=2 Last=1");
    tile_do(tile, 0, "PACR PackSel=4 Last=1");
    masked_as(tile, "packer 1", OUT + 0x10000, 0, 3); // z 0
    masked_as(tile, "packer 1", OUT + 0x10000, 1, 2); // z 1
    masked_as(tile, "packer 2", OUT + 0x20000, 0, 1); // z 0, y 0
    masked_as(tile, "packer 2", OUT + 0x20000, 1, 0); // z 0, y 1
    tsr_tile_destroy(tile);
}

// Z counts before Y, and wraps at pack_reads_per_xy_plane: rows are (y, z) = (0, 0), (0, 1),
// (1, 0), (1, 1).
static void transposed(int arch)
{
    // By rows: y 0 is section 1, y 1 is section 2.
    tsr_tile *tile = ones_tile(arch, 4, 2);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_yz_transposed, 1);
    row_map(tile, 0, 1 | 2 << 2);
    pack_rows(tile, 4);
    ROWS_MASKED(tile, "transposed rows", 1, 1, 2, 2);
    tsr_tile_destroy(tile);

    // By faces: z 0, 1 are row sets 0, 1, with sections 1, 2 and 3, 0.
    tile = ones_tile(arch, 4, 2);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_yz_transposed, 1);
    face_sets(tile, 0);
    face_map(tile, 0, 0 | 1 << 2);
    row_map(tile, 0, 1 | 2 << 2);
    row_map(tile, 1, 3 | 0 << 2);
    pack_rows(tile, 4);
    ROWS_MASKED(tile, "transposed faces", 1, 3, 2, 0);
    tsr_tile_destroy(tile);

    // Three planes: y steps with every third row. y 0, 1 are sections 3, 1.
    tile = ones_tile(arch, 5, 3);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_yz_transposed, 1);
    row_map(tile, 0, 3 | 1 << 2);
    pack_rows(tile, 5);
    ROWS_MASKED(tile, "three planes", 3, 3, 3, 1, 1);
    tsr_tile_destroy(tile);
}

// The position goes on behind Last: only its own wrap takes it back (decision 21). Two rows a
// plane: the second tile's row has y 1, the third's y 0.
static void position_stays(int arch)
{
    tsr_tile *tile = ones_tile(arch, 1, 2);
    row_map(tile, 0, 1 | 2 << 2);
    for (uint32_t i = 0; i < 3; i++) {
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 - 1 + 0x10 * i);
        pack_one(tile, "Last=1");
    }
    masked_as(tile, "first", OUT, 0, 1);
    masked_as(tile, "second", OUT + 0x100, 0, 2);
    masked_as(tile, "third", OUT + 0x200, 0, 1);
    tsr_tile_destroy(tile);
}

// Half rows. Wormhole counts datums: the second half has y 0 too, the third y 1. Blackhole counts
// interfaces: y is 0, 1, 2. Sections 1, 2, 3 are for y 0, 1, 2.
static void half_rows(int arch)
{
    tsr_tile *tile = ones_tile(arch, 3, 4);
    row_map(tile, 0, 1 | 2 << 2 | 3 << 4);
    pack_datums(tile, 0, 8);
    pack_rows(tile, 3);
    // Columns 0 to 7 of sections 1 (00ff), 2 (0f0f), 3 (8001).
    IS(tile, "first half", OUT, 2, 0x7777, 0x7777, 0x7777, 0x7777, 0x7777, 0x7777, 0x7777, 0x7777);
    if (arch == WH) {
        IS(tile, "second", OUT + 16, 2, 0x7777, 0x7777, 0x7777, 0x7777, 0x7777, 0x7777);
        IS(tile, "third", OUT + 32, 2, 0x7777, 0x7777, 0x7777, 0x7777, 0, 0, 0, 0);
    } else {
        IS(tile, "second", OUT + 16, 2, 0x7777, 0x7777, 0x7777, 0x7777, 0, 0, 0, 0);
        IS(tile, "third", OUT + 32, 2, 0x7777, 0, 0, 0, 0, 0, 0, 0);
    }
    tsr_tile_destroy(tile);
}

// Only enabled interfaces count: mask 5 reads rows 0 and 2 at y 0 and 1, and the next PACR starts
// at y 2. Mask 10 reads rows 1 and 3 at y 2 and 3.
static void interfaces(int arch)
{
    (void)arch;
    tsr_tile *tile = ones_tile(BH, 4, 4);
    row_map(tile, 0, 1 | 2 << 2 | 3 << 4 | 0 << 6);
    tile_do(tile, 0, "PACR ReadIntfSel=5");
    tile_do(tile, 0, "PACR ReadIntfSel=10 Last=1");
    ROWS_MASKED(tile, "masks 5 and 10", 1, 2, 3, 0);
    tsr_tile_destroy(tile);

    // Mask 7 twice with four rows a plane: 0, 1, 2, then 3, 4, 5, since 6 is not 4. Sections 1, 1,
    // 1, 2, 3, 0 for y 0 to 5; a wrap at 4 would give section 1 for the last two.
    tile = ones_tile(BH, 4, 4);
    row_map(tile, 0, 1 | 1 << 2 | 1 << 4 | 2 << 6 | 3 << 8 | 0 << 10);
    tile_do(tile, 0, "PACR ReadIntfSel=7");
    tile_do(tile, 0, "PACR ReadIntfSel=7 Last=1");
    ROWS_MASKED(tile, "steps over", 1, 1, 1, 2, 3, 0);
    tsr_tile_destroy(tile);

    // Mask 0 is all four, and lands on 4: the next plane begins, with face set 0: z 0, 1 are row
    // sets 0, 1.
    tile = ones_tile(BH, 4, 4);
    face_sets(tile, 0);
    face_map(tile, 0, 0 | 1 << 2);
    row_map(tile, 0, 0 | 1 << 2 | 2 << 4 | 3 << 6);
    row_map(tile, 1, 3 | 2 << 2 | 1 << 4 | 0 << 6);
    tile_do(tile, 0, "PACR ReadIntfSel=0");
    tile_do(tile, 0, "PACR ReadIntfSel=15 Last=1");
    ROWS_MASKED(tile, "two planes", 0, 1, 2, 3, 3, 2, 1, 0);
    tsr_tile_destroy(tile);
}

#define MINUS_INFINITY                                                                             \
    {FIELD_PCK_EDGE_MODE_mode, 1},                                                                 \
    {                                                                                              \
        FIELD_PCK_EDGE_OFFSET_SEC0_mask, 0x0005                                                    \
    }

// Columns 0 and 2 are read; what is masked is minus infinity.
static const struct vector infinite[] = {
    {"BF16",
     DST_BF16,
     BF16,
     BF16,
     NULL,
     {MINUS_INFINITY},
     {0x3f80, 0x4000, 0xc000, 0x4040},
     GIVES(0, 2, 0x3f80, 0xff80, 0xc000, 0xff80, 0xff80, 0xff80)},
    {"FP32",
     DST_32,
     FP32,
     FP32,
     NULL,
     {MINUS_INFINITY},
     {0x3f800001, 0x40000000, 0x00000001},
     GIVES(0, 4, 0x3f800001, 0xff800000, 0x00000001, 0xff800000)},
    {"BF16 to FP32",
     DST_BF16,
     BF16,
     FP32,
     NULL,
     {MINUS_INFINITY},
     {0x3f80, 0x4000, 0xc000},
     GIVES(0, 4, 0x3f800000, 0xff800000, 0xc0000000, 0xff800000)},
    // Narrowing saturates: FP16's largest magnitude.
    {"FP32 to FP16",
     DST_32,
     FP32,
     FP16,
     NULL,
     {MINUS_INFINITY},
     {0x3f800000, 0x40000000, 0xc0000000},
     GIVES(0, 2, 0x3c00, 0xffff, 0xc000, 0xffff)},
    // FP16 has no infinity of its own: its largest magnitude stands for it.
    {"FP16",
     DST_FP16,
     FP16,
     FP16,
     NULL,
     {MINUS_INFINITY},
     {0x3c00, 0x4000, 0xc000},
     GIVES(0, 2, 0x3c00, 0xffff, 0xc000, 0xffff)},
    {"FP16 to FP8",
     DST_FP16,
     FP16,
     FP8,
     NULL,
     {MINUS_INFINITY},
     {0x3c00, 0x4000, 0xc000},
     GIVES(0, 1, 0x3c, 0xff, 0xc0, 0xff)},
    {"TF32",
     DST_32,
     TF32,
     TF32,
     NULL,
     {MINUS_INFINITY},
     {0x3f800000, 0x40000000, 0xc0000000},
     GIVES(0, 4, 0x3f800000, 0xff800000, 0xc0000000, 0xff800000)},
    // Shared exponent 255: magnitude (128 + 1) / 2 = 64 with the sign; 127 is 128 below and gone.
    {"BFP8",
     DST_BF16,
     BFP8,
     BFP8,
     NULL,
     {MINUS_INFINITY, P0(Exp_section_size, 1)},
     {0x3f80, 0x4000, 0xc000},
     GIVES(0, 1, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)},
    {"BFP8 datums",
     DST_BF16,
     BFP8,
     BFP8,
     NULL,
     {MINUS_INFINITY, P0(Exp_section_size, 1)},
     {0x3f80, 0x4000, 0xc000},
     GIVES(16, 1, 0, 0xc0, 0, 0xc0, 0xc0, 0xc0)},
    // ReLU is behind the mask, so it turns minus infinity into zero.
    {"ReLU",
     DST_BF16,
     BF16,
     BF16,
     NULL,
     {MINUS_INFINITY, {FIELD_STACC_RELU_ApplyRelu, 1}},
     {0x3f80, 0x4000, 0xc000},
     GIVES(0, 2, 0x3f80, 0, 0, 0)},
    // Thresholds too: its exponent is 255, which is below none; 127 is below 128.
    {"threshold",
     DST_BF16,
     BF16,
     BF16,
     NULL,
     {MINUS_INFINITY, P0(Exp_threshold_en, 1), P0(Exp_threshold, 128)},
     {0x3f80, 0x4000, 0xc000},
     GIVES(0, 2, 0, 0xff80, 0xc000, 0xff80)},
};

static void infinity(int arch)
{
    RUN_ALL(arch, infinite);
}

TILE_BOTH(faces)
TILE_BOTH(face_offset)
TILE_BOTH(faces_off)
TILE_BOTH(transposed)
TILE_BOTH(position_stays)
TILE_BOTH(half_rows)
TILE_BOTH(infinity)

static void faces_of_packers_wh(void **state)
{
    (void)state;
    faces_of_packers(WH);
}

static void interfaces_bh(void **state)
{
    (void)state;
    interfaces(BH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(faces),
        TILE_TEST(face_offset),
        TILE_TEST(faces_off),
        TILE_TEST(transposed),
        TILE_TEST(position_stays),
        TILE_TEST(half_rows),
        TILE_TEST(infinity),
        cmocka_unit_test(faces_of_packers_wh),
        cmocka_unit_test(interfaces_bh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
