// SPDX-License-Identifier: Apache-2.0
// Blocks that PACRs share or cut, and accumulation in L1, worked by hand from the ISA pages by a
// reader who had not seen the code. Nothing is computed by the test.
// Pages: Packers/FormatConversion, Packers/OutputAddressGenerator (output alignment), L1.

#include "rig/pack_vectors_rig.h"

static void halves(tsr_tile *tile, uint32_t first, uint32_t second)
{
    for (unsigned i = 0; i < 16; i++) {
        dst_value(tile, DST_BF16, 0, i, first);
        dst_value(tile, DST_BF16, 1, i, second);
    }
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_section_size, 1);
}

// Sixteen datums share an exponent, not a PACR's: two PACRs of eight are one block with X = 128.
static void blocks_across(int arch)
{
    tsr_tile *tile = vec_tile(arch, BF16, BFP8, false);
    halves(tile, 0x3f80, 0x4000);
    pack_datums(tile, 0, 8);
    pack_one(tile, "");
    vec_at_row(tile, 1);
    pack_one(tile, "Last=1");
    IS(tile, "exponent", OUT, 1, 128, 0, 0, 0);
    IS(tile, "datums", OUT + 16, 1, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x40, 0x40,
       0x40, 0x40, 0x40, 0x40, 0x40, 0x40);
    tsr_tile_destroy(tile);

    // 8 and 16: the second block is the last eight, with their own exponent 128.
    tile = vec_tile(arch, BF16, BFP8, false);
    halves(tile, 0x3f80, 0x4000);
    pack_datums(tile, 0, 8);
    pack_one(tile, "");
    vec_at_row(tile, 1);
    pack_datums(tile, 0, 16);
    pack_one(tile, "Last=1");
    IS(tile, "exponents", OUT, 1, 128, 128, 0, 0);
    IS(tile, "second block", OUT + 32, 1, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0, 0, 0,
       0, 0, 0, 0, 0);
    tsr_tile_destroy(tile);
}

// Last with a part of a block: its exponent is that of the datums there are; the line is filled.
static void blocks_cut(int arch)
{
    static const struct {
        int out;
        unsigned datums;
        uint32_t line[8];
    } rows[] = {
        {BFP8, 4, {0x40, 0x40, 0x40, 0x40, 0, 0, 0, 0}},
        {BFP4, 6, {0x44, 0x44, 0x44, 0, 0, 0, 0, 0}},
        {BFP2, 5, {0x55, 0x01, 0, 0, 0, 0, 0, 0}},
        {BFP8A, 3, {0x40, 0x40, 0x40, 0, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = vec_tile(arch, BF16, rows[i].out, false);
        halves(tile, 0x3f80, 0x4000);
        vec_fill(tile, OUT, 64, 0xee);
        dst_value(tile, DST_BF16, 0, 15, 0x4380); // beyond the PACR
        pack_datums(tile, 0, rows[i].datums);
        pack_one(tile, "Last=1");
        IS(tile, "exponent", OUT, 1, rows[i].out == BFP8A ? 15 : 127, 0, 0, 0);
        vec_is(tile, "cut", OUT + 16, 1, rows[i].line, 8);
        IS(tile, "behind", OUT + 32, 1, 0xee, 0xee); // nothing but one line
        tsr_tile_destroy(tile);
    }
}

// The next section is at fresh addresses and starts a fresh block.
static void block_after_cut(int arch)
{
    tsr_tile *tile = vec_tile(arch, BF16, BFP8, false);
    halves(tile, 0x4000, 0x3f80);
    pack_datums(tile, 0, 4);
    pack_one(tile, "Last=1");
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 - 1 + 0x10);
    vec_at_row(tile, 1);
    pack_one(tile, "Last=1");
    IS(tile, "first", OUT, 1, 128, 0);
    IS(tile, "second", OUT + 0x100, 1, 127, 0);
    IS(tile, "second datums", OUT + 0x110, 1, 0x40, 0x40, 0x40, 0x40, 0, 0);
    tsr_tile_destroy(tile);
}

// L1 += datum, sign and magnitude, saturating.
static void accumulate_int32(int arch)
{
    static const uint32_t rows[][3] = {
        {1, 2, 3},
        {5, 0x80000003, 2},
        {3, 0x80000005, 0x80000002},
        {0x7fffffff, 1, 0x7fffffff},
        {0xffffffff, 0x80000001, 0xffffffff},
        {0x80000007, 0x80000001, 0x80000008},
        {0x7fffffff, 0xffffffff, 0},
        {0x7ffffff0, 0x7ffffff0, 0x7fffffff},
        {0x80000001, 3, 2},
        {7, 0, 7},
    };
    tsr_tile *tile = vec_tile(arch, INT32, INT32, true);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Pack_L1_Acc, 1);
    dst_row(tile, DST_32, 0, (const uint32_t[16]){0});
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t old = rows[i][0];
        uint8_t b[4] = {(uint8_t)old, (uint8_t)(old >> 8), (uint8_t)(old >> 16),
                        (uint8_t)(old >> 24)};
        assert_int_equal(tsr_l1_write(tile, OUT + 4 * i, b, 4), TSR_OK);
        dst_value(tile, DST_32, 0, i, rows[i][1]);
    }
    pack_one(tile, "Last=1");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        IS(tile, "INT32", OUT + 4 * i, 4, rows[i][2]);
    // Without the bit the same datums replace what is there.
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Pack_L1_Acc, 0);
    pack_one(tile, "Last=1");
    IS(tile, "replaced", OUT, 4, 2, 0x80000003, 0x80000005, 1);
    tsr_tile_destroy(tile);
}

// L1 has an adder for FP32, INT32, FP16 and BF16 alone; anything else is a finding.
static void accumulate_blocks(int arch)
{
    static const int outs[] = {BFP8, BFP4, BFP2};
    for (size_t i = 0; i < sizeof outs / sizeof *outs; i++) {
        tsr_tile *tile = vec_tile(arch, BF16, outs[i], false);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Pack_L1_Acc, 1);
        halves(tile, 0x3f80, 0x3f80);
        pack_one(tile, "Last=1");
        if (tsr_diagnostic_count(tile) == 0)
            fail_msg("accumulation of format %d is not reported", outs[i]);
        tsr_tile_destroy(tile);
    }
}

TILE_BOTH(blocks_across)
TILE_BOTH(blocks_cut)
TILE_BOTH(block_after_cut)
TILE_BOTH(accumulate_int32)
TILE_BOTH(accumulate_blocks)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(blocks_across),    TILE_TEST(blocks_cut),        TILE_TEST(block_after_cut),
        TILE_TEST(accumulate_int32), TILE_TEST(accumulate_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
