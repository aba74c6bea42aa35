// SPDX-License-Identifier: Apache-2.0
// Blackhole's PACR, worked by hand from the ISA pages by a reader who had not seen the code: masks
// of read interfaces, RowPadZero, CtxtCtrl and CfgContext. Nothing is computed by the test.
// Pages: Blackhole's PACR; decision 9 for unaligned rows, decision 10 for what only tt-llk's
// operand descriptions say.

#include "rig/pack_vectors_rig.h"

// Datum c of row r is 0x100 r + c.
static tsr_tile *rows_tile(unsigned rows)
{
    tsr_tile *tile = vec_tile(BH, INT16, INT16, false);
    dst_rows16(tile, rows);
    vec_fill(tile, OUT, 512, 0xee);
    return tile;
}

static void row_is(const tsr_tile *tile, const char *what, unsigned at, unsigned row)
{
    for (unsigned i = 0; i < 16; i++)
        IS(tile, what, OUT + 32 * at + 2 * i, 2, row << 8 | i);
}

// Rows start & ~3 | i for each enabled interface, in order and without a gap.
static void masks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned start, count, rows[4];
    } all[] = {
        {"PACR ReadIntfSel=2 Last=1", 0, 1, {1}},
        {"PACR ReadIntfSel=4 Last=1", 0, 1, {2}},
        {"PACR ReadIntfSel=8 Last=1", 8, 1, {11}},
        {"PACR ReadIntfSel=15 Last=1", 0, 4, {0, 1, 2, 3}},
        {"PACR ReadIntfSel=15 Last=1", 4, 4, {4, 5, 6, 7}},
        {"PACR ReadIntfSel=0 Last=1", 8, 4, {8, 9, 10, 11}},
        {"PACR ReadIntfSel=7 Last=1", 4, 3, {4, 5, 6}},
        {"PACR ReadIntfSel=9 Last=1", 0, 2, {0, 3}},
        {"PACR ReadIntfSel=6 Last=1", 0, 2, {1, 2}},
        {"PACR ReadIntfSel=14 Last=1", 4, 3, {5, 6, 7}},
        {"PACR ReadIntfSel=12 Last=1", 0, 2, {2, 3}},
        // Decision 9: the mask is taken from the start row on.
        {"PACR ReadIntfSel=3 Last=1", 1, 2, {1, 2}},
        {"PACR ReadIntfSel=3 Last=1", 6, 2, {6, 7}},
        {"PACR ReadIntfSel=1 Last=1", 7, 1, {7}},
        {"PACR ReadIntfSel=5 Last=1", 1, 2, {1, 3}},
        {"PACR ReadIntfSel=2 Last=1", 2, 1, {3}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tsr_tile *tile = rows_tile(12);
        vec_at_row(tile, all[i].start);
        tile_do(tile, 0, all[i].text);
        for (unsigned k = 0; k < all[i].count; k++)
            row_is(tile, all[i].text, k, all[i].rows[k]);
        IS(tile, "behind", OUT + 32 * all[i].count, 2, 0xeeee);
        tsr_tile_destroy(tile);
    }
}

// A mask that leaves the group of four.
static void masks_outside(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned start;
    } all[] = {{"PACR ReadIntfSel=15 Last=1", 1},
               {"PACR ReadIntfSel=2 Last=1", 3},
               {"PACR ReadIntfSel=0 Last=1", 2},
               {"PACR ReadIntfSel=4 Last=1", 2}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tsr_tile *tile = rows_tile(12);
        vec_at_row(tile, all[i].start);
        tile_do(tile, 0, all[i].text);
        vec_found(tile, all[i].text, "pack-interface-mask");
        tsr_tile_destroy(tile);
    }
}

// Mask 2 of a half row, a block format and a 32-bit format: 16 datums a set bit, or what X says.
static void masks_and_formats(void **state)
{
    (void)state;
    tsr_tile *tile = rows_tile(4);
    pack_datums(tile, 4, 8);
    tile_do(tile, 0, "PACR ReadIntfSel=10 Last=1"); // rows 1 and 3, columns 4 to 11
    IS(tile, "row 1", OUT, 2, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109, 0x10a, 0x10b);
    IS(tile, "row 3", OUT + 16, 2, 0x304, 0x305, 0x306, 0x307, 0x308, 0x309, 0x30a, 0x30b);
    IS(tile, "behind", OUT + 32, 2, 0xeeee);
    tsr_tile_destroy(tile);

    // An exponent a row: rows of 3f80, 4000, 4080, 4100 have 127 to 130, and 0x40 each.
    tile = vec_tile(BH, BF16, BFP8, false);
    vec_fill(tile, OUT, 128, 0xee);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_section_size, 1);
    for (unsigned i = 0; i < 64; i++)
        dst_value(tile, DST_BF16, i / 16, i % 16, 0x3f80 + 0x80 * (i / 16));
    tile_do(tile, 0, "PACR ReadIntfSel=15 Last=1");
    IS(tile, "four exponents", OUT, 1, 127, 128, 129, 130, 0, 0);
    IS(tile, "first", OUT + 16, 1, 0x40, 0x40);
    IS(tile, "last", OUT + 16 + 63, 1, 0x40, 0xee);
    tsr_tile_destroy(tile);

    // 48 datums of BFP4 are 24 bytes; Last zeroes the rest of the second line, and no more.
    tile = vec_tile(BH, BF16, BFP4, false);
    vec_fill(tile, OUT, 128, 0xee);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_section_size, 1);
    for (unsigned i = 0; i < 64; i++)
        dst_value(tile, DST_BF16, i / 16, i % 16, 0x4000);
    tile_do(tile, 0, "PACR ReadIntfSel=7 Last=1");
    IS(tile, "three exponents", OUT, 1, 128, 128, 128, 0);
    IS(tile, "BFP4", OUT + 16, 4, 0x44444444, 0x44444444, 0x44444444, 0x44444444, 0x44444444,
       0x44444444, 0, 0, 0xeeeeeeee);
    tsr_tile_destroy(tile);

    // 32-bit rows.
    tile = vec_tile(BH, INT32, INT32, true);
    for (unsigned row = 0; row < 4; row++)
        dst_row(tile, DST_32, row, (const uint32_t[16]){row + 1, [15] = 0x80000010 + row});
    tile_do(tile, 0, "PACR ReadIntfSel=10 Last=1");
    IS(tile, "INT32 row 1", OUT, 4, 2, 0);
    IS(tile, "INT32 row 1's end", OUT + 60, 4, 0x80000011, 4, 0);
    IS(tile, "INT32 row 3's end", OUT + 124, 4, 0x80000013);
    tsr_tile_destroy(tile);
}

struct padding {
    const char *what;
    unsigned downsample;
    const char *text[3]; // of rows 0 and 1, 4 and 5, 8 and 9
    unsigned count;      // datums and zeroes
    uint32_t expected[48];
};

#define TEN(row)                                                                                   \
    (row) << 8, (row) << 8 | 1, (row) << 8 | 2, (row) << 8 | 3, (row) << 8 | 4, (row) << 8 | 5,    \
        (row) << 8 | 6, (row) << 8 | 7, (row) << 8 | 8, (row) << 8 | 9
#define FOUR 0, 0, 0, 0
#define SIX 0, 0, 0, 0, 0, 0

// X is 0 to 9: ten datums a row. Bits 1:0: 1 always, 2 without Concat, 3 with Last; bit 2: fill up
// what is packed so far instead of each row. Filled to 16 datums; Last alone fills eight of them.
static const struct padding paddings[] = {
    {"none", 0, {"ReadIntfSel=3 Last=1"}, 24, {TEN(0), TEN(1), FOUR}},
    {"all rows", 0, {"ReadIntfSel=3 RowPadZero=1 Last=1"}, 32, {TEN(0), SIX, TEN(1), SIX}},
    {"all together", 0, {"ReadIntfSel=3 RowPadZero=5 Last=1"}, 32, {TEN(0), TEN(1), SIX, SIX}},
    {"4 is none",
     0,
     {"ReadIntfSel=3 RowPadZero=4", "ReadIntfSel=1 Last=1"},
     32,
     {TEN(0), TEN(1), TEN(4), 0, 0}},
    // Rows 0 and 4 are each ten and six; row 8 is not filled by its own PACR.
    {"rows",
     0,
     {"ReadIntfSel=1 RowPadZero=1", "ReadIntfSel=1 RowPadZero=1", "ReadIntfSel=1 Last=1"},
     48,
     {TEN(0), SIX, TEN(4), SIX, TEN(8), SIX}},
    // Ten of the first PACR, which has Concat, then ten and six zeroes: 26. Ten more: 36 of 40.
    {"rows without Concat",
     0,
     {"ReadIntfSel=1 RowPadZero=2 Concat=1", "ReadIntfSel=1 RowPadZero=2", "ReadIntfSel=1 Last=1"},
     40,
     {TEN(0), TEN(4), SIX, TEN(8), FOUR}},
    // Ten and ten are filled up to 32. Ten more: 42 of 48.
    {"together without Concat",
     0,
     {"ReadIntfSel=1 RowPadZero=6 Concat=1", "ReadIntfSel=1 RowPadZero=6", "ReadIntfSel=1 Last=1"},
     48,
     {TEN(0), TEN(4), SIX, SIX, TEN(8), SIX}},
    // Twenty datums, twelve zeroes, however they are counted; no padding without Last.
    {"rows with Last",
     0,
     {"ReadIntfSel=1 RowPadZero=3", "ReadIntfSel=1 RowPadZero=3 Last=1"},
     32,
     {TEN(0), TEN(4), SIX, SIX}},
    {"together with Last",
     0,
     {"ReadIntfSel=1 RowPadZero=7", "ReadIntfSel=1 RowPadZero=7 Last=1"},
     32,
     {TEN(0), TEN(4), SIX, SIX}},
    // Rows cut by downsampling: datums 0 and 8 of ten.
    {"downsampled rows",
     0x0101,
     {"ReadIntfSel=3 RowPadZero=1 Last=1"},
     32,
     {0x000, 0x008, FOUR, FOUR, SIX, 0x100, 0x108, FOUR, FOUR, SIX}},
    {"downsampled together",
     0x0101,
     {"ReadIntfSel=3 RowPadZero=5 Last=1"},
     16,
     {0x000, 0x008, 0x100, 0x108, SIX, SIX}},
};

static void pads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof paddings / sizeof *paddings; i++) {
        const struct padding *p = &paddings[i];
        tsr_tile *tile = rows_tile(12);
        pack_datums(tile, 0, 10);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Downsample_mask, p->downsample);
        for (unsigned k = 0; k < 3 && p->text[k]; k++) {
            char text[120];
            snprintf(text, sizeof text, "PACR %s", p->text[k]);
            vec_at_row(tile, 4 * k);
            tile_do(tile, 0, text);
        }
        vec_is(tile, p->what, OUT, 2, p->expected, p->count);
        IS(tile, p->what, OUT + 2 * p->count, 2, 0xeeee);
        if (strstr(p->text[0], "RowPadZero"))
            vec_found(tile, p->what, "undocumented-mode"); // decision 10: recorded
        tsr_tile_destroy(tile);
    }
}

// Four datums twice, with Last in the second: 3 makes its row 16, which is 4 + 16 = 20 datums in
// three lines of eight; 7 makes the eight datums 16, in two lines.
static void pads_with_last(void **state)
{
    (void)state;
    for (int together = 0; together < 2; together++) {
        tsr_tile *tile = rows_tile(8);
        pack_datums(tile, 0, 4);
        tile_do(tile, 0,
                together ? "PACR ReadIntfSel=1 RowPadZero=7" : "PACR ReadIntfSel=1 RowPadZero=3");
        vec_at_row(tile, 4);
        tile_do(tile, 0,
                together ? "PACR ReadIntfSel=1 RowPadZero=7 Last=1"
                         : "PACR ReadIntfSel=1 RowPadZero=3 Last=1");
        IS(tile, "rows", OUT, 2, 0, 1, 2, 3, 0x400, 0x401, 0x402, 0x403);
        IS(tile, "second line", OUT + 16, 4, 0, 0, 0, 0);
        IS(tile, "third line", OUT + 32, 2, together ? 0xeeee : 0);
        IS(tile, "fourth line", OUT + 48, 2, 0xeeee);
        tsr_tile_destroy(tile);
    }
}

// Each context has its own output address, as the configurations of Wormhole's four packers lie.
static tsr_tile *contexts(unsigned count)
{
    static const enum tsr_field out[4] = {
        FIELD_THCON_SEC0_REG1_L1_Dest_addr, FIELD_THCON_SEC0_REG8_L1_Dest_addr,
        FIELD_THCON_SEC1_REG1_L1_Dest_addr, FIELD_THCON_SEC1_REG8_L1_Dest_addr};
    tsr_tile *tile = rows_tile(1);
    for (int i = 0; i < 4; i++) {
        tile_field(tile, 0, PACKER(i, In_data_format), INT16);
        tile_field(tile, 0, PACKER(i, Out_data_format), INT16);
        tile_field(tile, 0, PACKER(i, Disable_zero_compress), 1);
        tile_field(tile, 0, out[i], OUT / 16 - 1 + 0x10 * (uint32_t)i);
    }
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt, count);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC1_auto_ctxt_inc_xys_cnt, count);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC2_auto_ctxt_inc_xys_cnt, count);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC3_auto_ctxt_inc_xys_cnt, count);
    return tile;
}

// A PACR of 16 datums, all with `mark` in the first, and where it went.
static unsigned went_to(tsr_tile *tile, const char *rest)
{
    static uint32_t mark;
    char text[120];
    mark = (mark + 1) & 0xff;
    dst_put(tile, 0, 0, 0x5500 | mark, false);
    snprintf(text, sizeof text, "PACR ReadIntfSel=1 %s", rest);
    tile_do(tile, 0, text);
    for (unsigned i = 0; i < 4; i++)
        if (out_at(tile, OUT + 0x100 * i, 2) == (0x5500 | mark))
            return i;
    return 4; // nowhere
}

static void cfg_contexts(void **state)
{
    (void)state;
    tsr_tile *tile = contexts(0);
    assert_int_equal(went_to(tile, "CfgContext=1 Last=1"), 1);
    vec_found(tile, "CfgContext", "undocumented-mode");
    assert_int_equal(went_to(tile, "CfgContext=2 Last=1"), 2);
    assert_int_equal(went_to(tile, "CfgContext=3 Last=1"), 3);
    assert_int_equal(went_to(tile, "CfgContext=0 Last=1"), 0);
    tsr_tile_destroy(tile);
}

// CtxtCtrl 1: the context that is kept, which Last moves on, modulo four; CfgContext has no say.
static void tracked_contexts(void **state)
{
    (void)state;
    tsr_tile *tile = contexts(0);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(went_to(tile, "CtxtCtrl=1 CfgContext=2 Last=1"), i % 4);
    vec_found(tile, "CtxtCtrl", "undocumented-mode");
    // Context 2 next; a PACR without CtxtCtrl does not move it.
    assert_int_equal(went_to(tile, "Last=1"), 0);
    assert_int_equal(went_to(tile, "CtxtCtrl=1 Last=1"), 2);
    // 2 resets it and packs nothing, whatever else it says.
    assert_int_equal(went_to(tile, "CtxtCtrl=2 Last=1"), 4);
    assert_int_equal(went_to(tile, "CtxtCtrl=1 Last=1"), 0);
    // Not the last of a tile: no step.
    assert_int_equal(went_to(tile, "CtxtCtrl=1"), 1);
    went_to(tile, "CtxtCtrl=1 Last=1");
    assert_int_equal(went_to(tile, "CtxtCtrl=1 Last=1"), 2);
    tsr_tile_destroy(tile);
}

// With auto_ctxt_inc_xys_cnt the context moves on after so many planes, not with Last.
static void counted_contexts(void **state)
{
    (void)state;
    tsr_tile *tile = contexts(2);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC1_pack_reads_per_xy_plane, 1);
    tile_field(tile, 0, FIELD_PACK_COUNTERS_SEC2_pack_reads_per_xy_plane, 1);
    assert_int_equal(went_to(tile, "CtxtCtrl=1 Last=1"), 0);
    assert_int_equal(went_to(tile, "CtxtCtrl=1 Last=1"), 0); // the second plane ends here
    assert_int_equal(went_to(tile, "CtxtCtrl=1 Last=1"), 1);
    assert_int_equal(went_to(tile, "CtxtCtrl=1 Last=1"), 1);
    assert_int_equal(went_to(tile, "CtxtCtrl=1 Last=1"), 2);
    tsr_tile_destroy(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks),
        cmocka_unit_test(masks_outside),
        cmocka_unit_test(masks_and_formats),
        cmocka_unit_test(pads),
        cmocka_unit_test(pads_with_last),
        cmocka_unit_test(cfg_contexts),
        cmocka_unit_test(tracked_contexts),
        cmocka_unit_test(counted_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
