// SPDX-License-Identifier: Apache-2.0
// Tile sizes, tile headers and the metadata FIFO of the packers, worked by hand from the ISA pages
// by a reader who had not seen the code. Nothing is computed by the test. Pages: SETDMAREG_Special,
// TDMA-RISC; decision 27.

#include "rig/pack_vectors_rig.h"

// Sixteen BF16 are two lines of 16 bytes.
static tsr_tile *sized_tile(int arch)
{
    tsr_tile *tile = vec_tile(arch, BF16, BF16, false);
    dst_row(tile, DST_BF16, 0, (const uint32_t[16]){0x3f80, 0x4000, 0xc000});
    return tile;
}

// The size of the last tile, and above it the sum of this thread's tiles.
static void tile_sizes(int arch)
{
    tsr_tile *tile = sized_tile(arch);
    pack_one(tile, "Last=1");
    assert_int_equal(pack_state(tile, 0, 0, 0), 0x00020002);
    pack_one(tile, ""); // no tile yet
    pack_one(tile, "Last=1");
    assert_int_equal(pack_state(tile, 0, 0, 0), 0x00060004);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Add_tile_header_size, 1);
    pack_one(tile, "Last=1"); // 6 + 2 + 1
    assert_int_equal(pack_state(tile, 0, 0, 0), 0x00090002);
    // A flush ends no tile.
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Add_tile_header_size, 0);
    pack_one(tile, "");
    pack_one(tile, "Flush=1");
    assert_int_equal(pack_state(tile, 0, 0, 0) >> 16, 9);
    tsr_tile_destroy(tile);
}

// Thread 1's tile: thread 0 has its own sum, and a last tile of 0.
static void sizes_of_threads(int arch)
{
    tsr_tile *tile = sized_tile(arch);
    pack_one(tile, "Last=1");
    tile_state(tile)->adcs.channel[1][TSR_ADC_PACKERS][1].x = 7; // eight datums: one line
    tile_do(tile, 1, arch == WH ? "PACR PackSel=1 Last=1" : "PACR ReadIntfSel=1 Last=1");
    assert_int_equal(pack_state(tile, 0, 0, 0), 0x00020000);
    assert_int_equal(vec_load(tile, 0xffb11018), 0); // PackerTileSize(0, 0)
    assert_int_equal(vec_load(tile, 0xffb1101c), 2); // AccTileSize[0]
    assert_int_equal(vec_load(tile, 0xffb11058), 1); // thread 1
    assert_int_equal(vec_load(tile, 0xffb1105c), 1);
    assert_int_equal(vec_load(tile, 0xffb11098), 0); // thread 2
    assert_int_equal(vec_load(tile, 0xffb1109c), 0);
    // Reset through TDMA-RISC: bit 16 is packer 0, all threads; the low half is its L1 offset.
    assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb1101c, 0x00010020, 4), TSR_OK);
    assert_int_equal(vec_load(tile, 0xffb1101c), 0);
    assert_int_equal(vec_load(tile, 0xffb1105c), 0);
    assert_int_equal(vec_load(tile, 0xffb11058), 1); // the last size is no sum
    pack_one(tile, "Last=1");                        // the offset is not asked for
    IS(tile, "without offset", OUT + 0x200, 2, 0, 0);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Add_l1_dest_addr_offset, 1);
    pack_one(tile, "Last=1");
    IS(tile, "offset 0x20 lines", OUT + 0x200, 2, 0x3f80, 0x4000, 0xc000, 0);
    // Without bit 16 nothing changes.
    assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb1101c, 0x00020000, 4), TSR_OK);
    assert_int_equal(vec_load(tile, 0xffb1101c), 4);
    tsr_tile_destroy(tile);
}

// Source 8 resets the sums of the packers that WhichPackers names, and nothing else.
static void sizes_reset(int arch)
{
    tsr_tile *tile = sized_tile(arch);
    pack_one(tile, "Last=1");
    pack_state(tile, 8, 0xe, 0); // not packer 0
    assert_int_equal(pack_state(tile, 0, 0, 0), 0x00020002);
    pack_state(tile, 8, 1, 0);
    assert_int_equal(pack_state(tile, 0, 0, 0), 0x00000002);
    assert_int_equal(vec_load(tile, 0xffb1101c), 0);
    pack_one(tile, "Last=1");
    assert_int_equal(pack_state(tile, 0, 0, 0), 0x00020002);
    tsr_tile_destroy(tile);
}

// A line of exponents and a line of datums.
static void sizes_of_blocks(int arch)
{
    tsr_tile *tile = vec_tile(arch, BF16, BFP8, false);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Exp_section_size, 1);
    dst_row(tile, DST_BF16, 0, (const uint32_t[16]){0x3f80});
    pack_one(tile, "Last=1");
    assert_int_equal(pack_state(tile, 0, 0, 0), 0x00020002);
    assert_int_equal(pack_state(tile, 2, 0, 1), 0x00160000); // BFP8, zero compression disabled
    tsr_tile_destroy(tile);
}

static void special(tsr_tile *tile, unsigned size, unsigned source, unsigned half, unsigned result)
{
    char text[120];
    snprintf(text, sizeof text,
             "SETDMAREG SetSignalsMode=1 Payload_SigSelSize=%u Payload_SigSel=%u RegIndex16b=%u",
             size, source << 3 | half, result);
    tile_do(tile, 0, text);
}

static void group_is(tsr_tile *tile, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    assert_int_equal(tile_gpr(tile, 0, 8), a);
    assert_int_equal(tile_gpr(tile, 0, 9), b);
    assert_int_equal(tile_gpr(tile, 0, 10), c);
    assert_int_equal(tile_gpr(tile, 0, 11), d);
}

static void group_set(tsr_tile *tile, uint32_t value)
{
    for (int i = 8; i < 12; i++)
        tile_set_gpr(tile, 0, i, value);
}

// The header of packer 0's tile: size 2 + 1; BF16 (5) at bit 16 and the disabled compression at bit
// 20 of the second word; no flags.
static void headers(int arch)
{
    tsr_tile *tile = sized_tile(arch);
    pack_one(tile, "Last=1");
    group_set(tile, 0x99999999);
    special(tile, 2, 2, 0, 16); // 128 bits
    group_is(tile, 3, 0x00150000, 0, 0);
    group_set(tile, 0xffffffff);
    special(tile, 3, 2, 0, 16); // reserved bits stay: 31:16, then 15:0 and 31:24, then all
    group_is(tile, 0xffff0003, 0xff15ffff, 0, 0xffffffff);
    group_set(tile, 0x99999999);
    special(tile, 0, 2, 3, 17); // half 3 of the header to half 17, the upper one of GPR 8
    group_is(tile, 0x00159999, 0x99999999, 0x99999999, 0x99999999);
    special(tile, 0, 2, 0, 22); // half 0 to the lower half of GPR 11
    group_is(tile, 0x00159999, 0x99999999, 0x99999999, 0x99990003);
    group_set(tile, 0x99999999);
    special(tile, 1, 2, 2, 18); // word 1 to GPR 9
    group_is(tile, 0x99999999, 0x00150000, 0x99999999, 0x99999999);
    special(tile, 2, 0, 0, 23); // 23 >> 1 = 11, & 0x3c = 8
    assert_int_equal(tile_gpr(tile, 0, 8), 0x00020002);
    special(tile, 2, 10, 0, 16); // no such source: zeroes
    group_is(tile, 0, 0, 0, 0);
    tsr_tile_destroy(tile);
}

// The other packers' headers and sizes; Blackhole has no other packer.
static void headers_of_packers(int arch)
{
    tsr_tile *tile = sized_tile(arch);
    if (arch == BH) {
        pack_state(tile, 3, 0, 0);
        vec_found(tile, "packer 1", "setdmareg-packer");
        tsr_tile_destroy(tile);
        return;
    }
    tile_field(tile, 0, FIELD_THCON_SEC0_REG8_Out_data_format, FP32);
    tile_do(tile, 0, "PACR PackSel=2 Last=1");      // packer 1: 64 bytes
    assert_int_equal(pack_state(tile, 3, 0, 0), 5); // 4 + 1
    assert_int_equal(pack_state(tile, 3, 0, 1), 0x00100000);
    assert_int_equal(pack_state(tile, 2, 0, 0), 1); // packer 0: 0 + 1
    assert_int_equal(pack_state(tile, 0, 0, 1), 0x00040004);
    assert_int_equal(vec_load(tile, 0xffb11118), 4);
    assert_int_equal(vec_load(tile, 0xffb1111c), 4);
    assert_int_equal(vec_load(tile, 0xffb11218), 0);
    tsr_tile_destroy(tile);
}

// Last pushes size and flags if the packer has Enable_out_fifo; four fit (decision 27). Status: two
// bits a packer, empty and full; PackRegAddrRaw is above.
static void metadata_fifo(int arch)
{
    tsr_tile *tile = sized_tile(arch);
    assert_int_equal(vec_load(tile, 0xffb11038) & 3, 1);
    pack_one(tile, "Last=1");
    assert_int_equal(vec_load(tile, 0xffb11038) & 3, 1); // not enabled
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Enable_out_fifo, 1);
    pack_one(tile, "");
    assert_int_equal(vec_load(tile, 0xffb11038) & 3, 1); // no tile yet
    pack_one(tile, "Last=1");                            // four lines
    assert_int_equal(vec_load(tile, 0xffb11038) & 3, 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(vec_load(tile, 0xffb11038) & 3, 0);
        pack_one(tile, "Last=1"); // two lines
    }
    assert_int_equal(vec_load(tile, 0xffb11038) & 3, 2); // full
    pack_datums(tile, 0, 8);
    pack_one(tile, "Last=1");                        // dropped: one line
    assert_int_equal(vec_load(tile, 0xffb11030), 4); // a look takes nothing
    assert_int_equal(vec_load(tile, 0xffb11030), 4);
    assert_int_equal(vec_load(tile, 0xffb11034), 0); // flags, and it is gone
    assert_int_equal(vec_load(tile, 0xffb11030), 2);
    assert_int_equal(vec_load(tile, 0xffb11038) & 3, 0);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb11034, 7, 4), TSR_OK); // pops too
    vec_load(tile, 0xffb11034);
    assert_int_equal(vec_load(tile, 0xffb11030), 2); // the fourth
    vec_load(tile, 0xffb11034);
    assert_int_equal(vec_load(tile, 0xffb11038) & 3, 1);
    vec_load(tile, 0xffb11034);
    vec_found(tile, "popped empty", "metadata-fifo-empty");
    tsr_tile_destroy(tile);
}

// With compression an entry has its tile's flags: rows 0 and 2 are zero, then none.
static void metadata_flags(int arch)
{
    tsr_tile *tile = vec_tile(arch, BF16, BF16, false);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Disable_zero_compress, 0);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Row_start_section_size, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Enable_out_fifo, 1);
    dst_row(tile, DST_BF16, 0, (const uint32_t[16]){0});
    dst_row(tile, DST_BF16, 1, (const uint32_t[16]){0x3f80});
    for (unsigned row = 0; row < 3; row++) {
        vec_at_row(tile, row & 1);
        pack_one(tile, row == 2 ? "Last=1" : "");
    }
    vec_at_row(tile, 1);
    pack_one(tile, "Last=1");
    vec_load(tile, 0xffb11030);
    assert_int_equal(vec_load(tile, 0xffb11034), 5);
    assert_int_equal(vec_load(tile, 0xffb11034), 0);
    assert_int_equal(vec_load(tile, 0xffb11038) & 3, 1);
    tsr_tile_destroy(tile);
}

TILE_BOTH(tile_sizes)
TILE_BOTH(sizes_of_threads)
TILE_BOTH(sizes_reset)
TILE_BOTH(sizes_of_blocks)
TILE_BOTH(headers)
TILE_BOTH(headers_of_packers)
TILE_BOTH(metadata_fifo)
TILE_BOTH(metadata_flags)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(tile_sizes),      TILE_TEST(sizes_of_threads), TILE_TEST(sizes_reset),
        TILE_TEST(sizes_of_blocks), TILE_TEST(headers),          TILE_TEST(headers_of_packers),
        TILE_TEST(metadata_fifo),   TILE_TEST(metadata_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
