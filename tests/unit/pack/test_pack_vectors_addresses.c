// SPDX-License-Identifier: Apache-2.0
// Where PACR writes and how its counters move, worked by hand from the ISA pages by a reader who
// had not seen the code. Nothing is computed by the test.
// Pages: Packers/OutputAddressGenerator, Packers/InputAddressGenerator, TDMA-RISC, ADCs.

#include "rig/pack_vectors_rig.h"

static tsr_adc_channel *adc(tsr_tile *tile, int channel)
{
    return &tile_state(tile)->adcs.channel[0][TSR_ADC_PACKERS][channel];
}

static tsr_tile *addressed_tile(int arch)
{
    tsr_tile *tile = vec_tile(arch, INT16, INT16, false);
    dst_rows16(tile, 64);
    return tile;
}

// Row `row` of Dst is at `at`, and the line before it is untouched.
static void packed_at(tsr_tile *tile, const char *what, uint32_t at, unsigned row)
{
    for (unsigned i = 0; i < 16; i++)
        IS(tile, what, at + 2 * i, 2, row << 8 | i);
    if (was_written(tile, at - 16, 16))
        fail_msg("%s: the line before 0x%x was written", what, at);
}

// L1_Dest_addr is a line before the output, unless Sub_l1_tile_header_size.
static void header_line(int arch)
{
    tsr_tile *tile = addressed_tile(arch);
    pack_one(tile, "Last=1");
    packed_at(tile, "behind a header", OUT, 0);
    tsr_tile_destroy(tile);
    tile = addressed_tile(arch);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Sub_l1_tile_header_size, 1);
    pack_one(tile, "Last=1");
    packed_at(tile, "without a header", OUT - 16, 0);
    tsr_tile_destroy(tile);
    // Seventeen bits of the line count: 0x20000 lines more are nothing.
    tile = addressed_tile(arch);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, 0x20000 + OUT / 16 - 1);
    pack_one(tile, "Last=1");
    packed_at(tile, "17 bits", OUT, 0);
    tsr_tile_destroy(tile);
}

// base + 16 bytes * (Y, Z, W by their strides): Wormhole counts lines and drops the low four bits,
// Blackhole counts bytes and drops them.
static void strides(int arch)
{
    static const struct {
        uint32_t base, y, ystride, z, zstride, w, wstride, wh, bh; // offsets in bytes
    } rows[] = {
        {0, 3, 0x20, 0, 0, 0, 0, 0x600, 0x60},
        {0, 1, 0x18, 0, 0, 0, 0, 0x100, 0x10}, // 0x18 & ~15 lines; 0x18 >> 4 lines
        {0x10, 2, 0x20, 1, 0x100, 1, 0x400, 0x5500, 0x550},
        {0x1f, 0, 0x20, 0, 0, 0, 0, 0x100, 0x10},
        {0x08, 1, 0x08, 0, 0, 0, 0, 0x100, 0x10}, // the sum is 0x10
        {0, 0, 0, 5, 0x30, 0, 0, 0xf00, 0xf0},
        {0, 0, 0, 0, 0, 3, 0x50, 0xf00, 0xf0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = addressed_tile(arch);
        tile_field(tile, 0, FIELD_PCK0_ADDR_BASE_REG_1_Base, rows[i].base);
        tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_1_Ystride, rows[i].ystride);
        tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_1_Zstride, rows[i].zstride);
        tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_ZW_REG_1_Wstride, rows[i].wstride);
        adc(tile, 1)->y = rows[i].y;
        adc(tile, 1)->z = rows[i].z;
        adc(tile, 1)->w = rows[i].w;
        pack_one(tile, "Last=1");
        packed_at(tile, "strides", OUT + (arch == WH ? rows[i].wh : rows[i].bh), 0);
        tsr_tile_destroy(tile);
    }
}

// An address beyond 2 * limit + 1 lines goes back by 2 * size lines, once.
static void limits(int arch)
{
    static const struct {
        uint32_t lines, limit, size, goes;
    } rows[] = {
        {0x4000, 0x1fff, 0x80, 0x3f00},                                 // 0x4000 > 0x3fff
        {0x4000, 0x2000, 0x80, 0x4000},                                 // not > 0x4001
        {0x4001, 0x2000, 0x80, 0x4001},                                 // equal
        {0x4002, 0x2000, 0x80, 0x3f02}, {0x4400, 0x2000, 0x80, 0x4300}, // still beyond: once only
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = addressed_tile(arch);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG9_Pack_0_2_limit_address, rows[i].limit);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG9_Pack_0_2_fifo_size, rows[i].size);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, rows[i].lines - 1);
        pack_one(tile, "Last=1");
        packed_at(tile, "limit", rows[i].goes * 16, 0);
        tsr_tile_destroy(tile);
    }
    // Only the start is compared: the second line of a row runs over the limit.
    tsr_tile *tile = addressed_tile(arch);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG9_Pack_0_2_limit_address, 0x1fff);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG9_Pack_0_2_fifo_size, 0x80);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, 0x3ffe);
    pack_one(tile, "Last=1");
    packed_at(tile, "over the limit", 0x3fff0, 0);
    tsr_tile_destroy(tile);
}

// Wormhole: bit 31 of packer 0's address makes the others relative to it, also when packer 0 has no
// work; its Y, Z and W are not in it.
static void relative(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        tsr_tile *tile = addressed_tile(WH);
        tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 16);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG1_L1_Dest_addr, 0x80003fff);
        tile_field(tile, 0, FIELD_THCON_SEC0_REG8_L1_Dest_addr, 0x0fff);
        tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_1_Ystride, 0x10);
        adc(tile, 1)->y = 1; // 0x10 lines for each
        tile_do(tile, 0, alone ? "PACR PackSel=2 Last=1" : "PACR PackSel=3 Last=1");
        packed_at(tile, "packer 1", 0x50100, 16); // 0x1000 + 0x4000 + 0x10 lines
        if (!alone)
            packed_at(tile, "packer 0", 0x40100, 0);
        tsr_tile_destroy(tile);
    }
    // Without bit 31 they are absolute.
    tsr_tile *tile = addressed_tile(WH);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 16);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG8_L1_Dest_addr, 0x0fff);
    tile_do(tile, 0, "PACR PackSel=3 Last=1");
    packed_at(tile, "absolute", 0x10000, 16);
    tsr_tile_destroy(tile);
}

// Wormhole: the offset that TDMA-RISC sets is each packer's: bit 17 is packer 1.
static void offsets(void **state)
{
    (void)state;
    tsr_tile *tile = addressed_tile(WH);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 16);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG1_Add_l1_dest_addr_offset, 1);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG8_Add_l1_dest_addr_offset, 1);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb1101c, 0x00020008, 4), TSR_OK);
    tile_do(tile, 0, "PACR PackSel=3 Last=1");
    packed_at(tile, "packer 0", OUT, 0);
    packed_at(tile, "packer 1", OUT + 0x10080, 16);
    tsr_tile_destroy(tile);
}

struct counters {
    uint32_t y, y_cr, z, z_cr;
};

// One PACR with AddrMode 2: what both channels' counters are afterwards. Channel 0's Y and Z give
// row 0 in any case (strides 0).
static const struct {
    const char *what;
    uint32_t incr, cr, clear, zincr, zclear; // alike for source and destination
    struct counters before, after;
} moves[] = {
    {"add", 3, 0, 0, 0, 0, {5, 2, 7, 1}, {8, 2, 7, 1}},
    {"carriage return", 3, 1, 0, 0, 0, {9, 2, 7, 1}, {5, 5, 7, 1}}, // Y_Cr 2 + 3, and Y from it
    {"return by 0", 0, 1, 0, 0, 0, {9, 2, 7, 1}, {2, 2, 7, 1}},
    {"clear", 3, 0, 1, 0, 0, {9, 2, 7, 1}, {0, 0, 7, 1}},
    {"clear before return", 3, 1, 1, 0, 0, {9, 2, 7, 1}, {0, 0, 7, 1}},
    {"z", 0, 0, 0, 1, 0, {9, 2, 7, 1}, {9, 2, 8, 1}},
    {"clear z", 0, 0, 0, 1, 1, {9, 2, 7, 1}, {9, 2, 0, 0}},
    {"thirteen bits", 15, 0, 0, 0, 0, {0x1ff8, 0, 0, 0}, {7, 0, 0, 0}},
};

static void channel_is(tsr_tile *tile, const char *what, int channel, const struct counters *c)
{
    const tsr_adc_channel *a = adc(tile, channel);
    if (a->y != c->y || a->y_cr != c->y_cr || a->z != c->z || a->z_cr != c->z_cr)
        fail_msg("%s: channel %d has %u %u %u %u", what, channel, a->y, a->y_cr, a->z, a->z_cr);
}

static void modifiers(int arch)
{
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        for (int channel = 0; channel < 2; channel++) {
            tsr_tile *tile = addressed_tile(arch);
            bool s = channel == 0;
            tile_field(tile, 0,
                       s ? FIELD_ADDR_MOD_PACK_SEC2_YsrcIncr : FIELD_ADDR_MOD_PACK_SEC2_YdstIncr,
                       moves[i].incr);
            tile_field(tile, 0,
                       s ? FIELD_ADDR_MOD_PACK_SEC2_YsrcCR : FIELD_ADDR_MOD_PACK_SEC2_YdstCR,
                       moves[i].cr);
            tile_field(tile, 0,
                       s ? FIELD_ADDR_MOD_PACK_SEC2_YsrcClear : FIELD_ADDR_MOD_PACK_SEC2_YdstClear,
                       moves[i].clear);
            tile_field(tile, 0,
                       s ? FIELD_ADDR_MOD_PACK_SEC2_ZsrcIncr : FIELD_ADDR_MOD_PACK_SEC2_ZdstIncr,
                       moves[i].zincr);
            tile_field(tile, 0,
                       s ? FIELD_ADDR_MOD_PACK_SEC2_ZsrcClear : FIELD_ADDR_MOD_PACK_SEC2_ZdstClear,
                       moves[i].zclear);
            for (int k = 0; k < 2; k++) {
                adc(tile, k)->y = moves[i].before.y;
                adc(tile, k)->y_cr = moves[i].before.y_cr;
                adc(tile, k)->z = moves[i].before.z;
                adc(tile, k)->z_cr = moves[i].before.z_cr;
            }
            pack_one(tile, "AddrMode=2 Last=1");
            channel_is(tile, moves[i].what, channel, &moves[i].after);
            channel_is(tile, "the other", !channel, &moves[i].before); // its modifiers are 0
            tsr_tile_destroy(tile);
        }
}

// The counters that an instruction finds are the ones it uses: rows 0, 4, 8 to 0x100 bytes apart.
static void modifiers_after(int arch)
{
    tsr_tile *tile = addressed_tile(arch);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);
    tile_field(tile, 0, FIELD_PCK0_ADDR_CTRL_XY_REG_1_Ystride, arch == WH ? 0x10 : 0x100);
    tile_field(tile, 0, FIELD_ADDR_MOD_PACK_SEC1_YsrcIncr, 4);
    tile_field(tile, 0, FIELD_ADDR_MOD_PACK_SEC1_YdstIncr, 1);
    for (int i = 0; i < 3; i++)
        pack_one(tile, "AddrMode=1 Last=1");
    packed_at(tile, "first", OUT, 0);
    packed_at(tile, "second", OUT + 0x100, 4);
    packed_at(tile, "third", OUT + 0x200, 8);
    // A flush moves them too.
    pack_one(tile, "AddrMode=1 Flush=1");
    assert_int_equal(adc(tile, 0)->y, 16);
    assert_int_equal(adc(tile, 1)->y, 4);
    tsr_tile_destroy(tile);
}

TILE_BOTH(header_line)
TILE_BOTH(strides)
TILE_BOTH(limits)
TILE_BOTH(modifiers)
TILE_BOTH(modifiers_after)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(header_line),    TILE_TEST(strides),         TILE_TEST(limits),
        TILE_TEST(modifiers),      TILE_TEST(modifiers_after), cmocka_unit_test(relative),
        cmocka_unit_test(offsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
