// SPDX-License-Identifier: Apache-2.0
// How many instructions and cycles a tile of 32x32 BF16 costs a packer thread in the loops of the
// vendor's kernels: packing it as it lies, and row by row into a row-major array. The instruction
// counts are those of tt-llk issue 916; the cycles are what docs/timing.md compares with cards.
#include "rig/pack_rig.h"

enum { T2 = 2, MOP_WORDS = 9 };
#define MOP_CONFIG 0xffb80000u

// Template 1: outer and inner count, start, two ends, loop, its second, last of all, last of inner.
static void program_mop(tsr_tile *tile, uint32_t outer, uint32_t inner, const char *const text[7])
{
    uint32_t words[MOP_WORDS] = {outer, inner};
    for (int i = 0; i < 7; i++)
        words[2 + i] = tile_word(tile, text[i]);
    for (uint32_t i = 0; i < MOP_WORDS; i++)
        assert_int_equal(tsr_store(tile, TSR_CORE_T2, MOP_CONFIG + 4 * i, words[i], 4), TSR_OK);
}

static tsr_tile *rate_tile(int arch, uint32_t datums)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    pack_formats(tile, BF16, BF16, false);
    dst_count(tile, 0);
    for (int i = 0; i < 2; i++)
        tile_state(tile)->adcs.channel[T2][TSR_ADC_PACKERS][i].x = i ? datums - 1 : 0;
    return tile;
}

struct cost {
    uint64_t cycles, pacrs, others; // instructions after the expanders
};

static struct cost cost_of(const tsr_tile *tile)
{
    tsr_run_report report;
    struct cost cost = {0};
    tsr_get_report(tile, &report);
    cost.cycles = report.cycles;
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++)
        *(unit == TSR_UNIT_PACKER ? &cost.pacrs : &cost.others) += report.unit_instructions[unit];
    return cost;
}

// ---------------------------------------------------------------- row by row

// A row of each of the four faces at once, for `across` tiles beside each other, eight rows.
static void untilize_wh(tsr_tile *tile, uint32_t across)
{
    static const char *const mop[7] = {"PACR PackSel=15",
                                       "PACR PackSel=15 AddrMode=1",
                                       "INCADCZW CntSetMask=4 Ch0_Y=1",
                                       "INCADCXY CntSetMask=4 Ch0_Y=1",
                                       "NOP",
                                       "INCADCXY CntSetMask=4 Ch0_Y=1",
                                       "INCADCXY CntSetMask=4 Ch0_Y=1"};
    program_mop(tile, across, 1, mop);
    for (int row = 0; row < 8; row++) {
        tile_push(tile, T2, "SETADC CntSetMask=4 DimensionIndex=3 Value=0");
        tile_push(tile, T2, "MOP mop_type=1");
        tile_push(tile, T2, "ADDRCRXY CntSetMask=4 Ch0_Y=0 BitMask=2");
    }
    tile_push(tile, T2, "PACR PackSel=15 Flush=1 Last=1");
}

// A row of two faces at once through two read interfaces; sixteen rows, then the lower faces.
static void untilize_bh(tsr_tile *tile, uint32_t across)
{
    static const char *const mop[7] = {"ADDRCRZW CntSetMask=4 BitMask=2",
                                       "INCADCXY CntSetMask=4 Ch0_Y=1",
                                       "REPLAY start_idx=0 len=4",
                                       "INCADCZW CntSetMask=4 Ch0_Y=0",
                                       "PACR ReadIntfSel=3 DstAccessMode=1",
                                       "PACR ReadIntfSel=3 DstAccessMode=1 Last=1",
                                       "PACR ReadIntfSel=3 DstAccessMode=1 Last=1"};
    char text[60];
    tile_push(tile, T2, "REPLAY start_idx=0 len=4 load_mode=1");
    tile_push(tile, T2, "ADDDMAREG OpBisConst=0 ResultRegIndex=4 OpARegIndex=4 OpBRegIndex=8");
    tile_push(tile, T2, "STALLWAIT stall_res=128 wait_res=1");
    snprintf(text, sizeof text, "WRCFG GprAddress=4 CfgReg=%d",
             tile_env(tile)->isa->field[FIELD_THCON_SEC0_REG1_L1_Dest_addr].addr32);
    tile_push(tile, T2, text);
    tile_push(tile, T2, "NOP");
    program_mop(tile, 16, across, mop);
    for (int half = 0; half < 2; half++)
        tile_push(tile, T2, "MOP mop_type=1");
}

static struct cost untilize(int arch, uint32_t across)
{
    tsr_tile *tile = rate_tile(arch, 16);
    if (arch == WH) {
        untilize_wh(tile, across);
    } else {
        tile_field(tile, 0, FIELD_DEST_ACCESS_CFG_remap_addrs, 1);
        tile_field(tile, 0, FIELD_DEST_ACCESS_CFG_swizzle_32b, 1);
        tile_set_gpr(tile, T2, 4, OUT / 16 - 1);
        tile_set_gpr(tile, T2, 8, 0);
        untilize_bh(tile, across);
    }
    tile_idle(tile);
    struct cost cost = cost_of(tile);
    tsr_tile_destroy(tile);
    return cost;
}

// WH: 16 PACRs and 16 others a tile, 17 for all tiles that lie beside each other.
// BH: 32 PACRs and 32 others a tile, 192 for all. NOP does not leave the frontend here, so a row
// has one instruction less than the issue counts.
static void test_instructions(void **state)
{
    (void)state;
    for (uint32_t across = 1; across <= 8; across++) {
        struct cost wh = untilize(WH, across), bh = untilize(BH, across);
        assert_int_equal(wh.pacrs, 16 * across + 1);
        assert_int_equal(wh.pacrs + wh.others, 32 * across + 17);
        assert_int_equal(bh.pacrs, 32 * across);
        assert_int_equal(bh.pacrs + bh.others, 64 * across + 192 - 32);
    }
}

// ---------------------------------------------------------------- tiles with their addresses

// What the vendor's kernel does for a tile besides packing it: Dst's W, and L1's address through a
// GPR; no other work between tiles.
static void address_tile_bh(tsr_tile *tile)
{
    char wrcfg[60], low[60];
    snprintf(low, sizeof low, "SETDMAREG Payload_SigSel=%d RegIndex16b=8", OUT / 16 - 1);
    snprintf(wrcfg, sizeof wrcfg, "WRCFG GprAddress=4 CfgReg=%d",
             tile_env(tile)->isa->field[FIELD_THCON_SEC0_REG1_L1_Dest_addr].addr32);
    tile_push(tile, T2, "SETADC CntSetMask=4 DimensionIndex=3 Value=0");
    tile_push(tile, T2, low);
    tile_push(tile, T2, "SETDMAREG Payload_SigSel=0 RegIndex16b=9");
    tile_push(tile, T2, "STALLWAIT stall_res=128 wait_res=1");
    tile_push(tile, T2, wrcfg);
    tile_push(tile, T2, "SETDMAREG Payload_SigSel=0 RegIndex16b=9");
    tile_push(tile, T2, "DMANOP");
}

// Four rows a PACR by four read interfaces.
static void program_pack_bh(tsr_tile *tile)
{
    static const char *const mop[7] = {"NOP",
                                       "NOP",
                                       "NOP",
                                       "PACR ReadIntfSel=15",
                                       "NOP",
                                       "PACR ReadIntfSel=15 Last=1",
                                       "PACR ReadIntfSel=15"};
    program_mop(tile, 4, 4, mop);
}

// After a tilize, every second of four rows belongs to the next face: two read interfaces a PACR.
static void program_pack_tilized_bh(tsr_tile *tile)
{
    static const char *const mop[7] = {"NOP",
                                       "SETADCZW CntSetMask=4 Ch1_X=2 BitMask=4",
                                       "NOP",
                                       "REPLAY start_idx=0 len=15",
                                       "PACR ReadIntfSel=10",
                                       "PACR ReadIntfSel=10 Last=1",
                                       "PACR ReadIntfSel=10"};
    tile_push(tile, T2, "REPLAY start_idx=0 len=15 load_mode=1");
    for (int i = 0; i < 15; i++)
        tile_push(tile, T2, i < 8 ? "PACR ReadIntfSel=5" : "PACR ReadIntfSel=10");
    program_mop(tile, 2, 1, mop);
}

// Cycles a tile, as the slope.
static uint64_t addressed_tile_cycles(void program(tsr_tile *tile))
{
    uint64_t cycles[2];
    for (int run = 0; run < 2; run++) {
        tsr_tile *tile = rate_tile(BH, 16);
        program(tile);
        tile_idle(tile);
        uint64_t begin = tsr_cycle(tile);
        for (int i = 0; i < 10 * (run + 1); i++) {
            address_tile_bh(tile);
            tile_push(tile, T2, "MOP mop_type=1");
            tile_push(tile, T2, "SETADCZW CntSetMask=4 BitMask=5");
        }
        tile_idle(tile);
        cycles[run] = tsr_cycle(tile) - begin;
        tsr_tile_destroy(tile);
    }
    return (cycles[1] - cycles[0]) / 10;
}

// ---------------------------------------------------------------- cycles

// Of the last of many tiles, as the slope.
static uint64_t tile_cycles(int arch)
{
    uint64_t cycles[2];
    for (int run = 0; run < 2; run++) {
        tsr_tile *tile = rate_tile(arch, arch == WH ? 256 : 16);
        for (int i = 0; i < 10 * (run + 1); i++) {
            for (int row = 0; arch == BH && row < 15; row++)
                tile_push(tile, T2, "PACR ReadIntfSel=15");
            tile_push(tile, T2,
                      arch == BH ? "PACR ReadIntfSel=15 Last=1" : "PACR PackSel=15 Last=1");
        }
        tile_idle(tile);
        cycles[run] = tsr_cycle(tile);
        tsr_tile_destroy(tile);
    }
    return (cycles[1] - cycles[0]) / 10;
}

// docs/timing.md has these figures beside the cards'.
static void test_cycles(void **state)
{
    (void)state;
    assert_int_equal(tile_cycles(WH), 33);
    assert_int_equal(tile_cycles(BH), 16);
    assert_int_equal(addressed_tile_cycles(program_pack_bh), 25);
    assert_int_equal(addressed_tile_cycles(program_pack_tilized_bh), 43);
    // Eight tiles beside each other, and how much each of them adds.
    assert_int_equal(untilize(WH, 8).cycles, 406);
    assert_int_equal(untilize(WH, 8).cycles - untilize(WH, 7).cycles, 48);
    assert_int_equal(untilize(BH, 8).cycles, 807);
    assert_int_equal(untilize(BH, 8).cycles - untilize(BH, 7).cycles, 64);
}

// Blackhole: bytes of as many rows as read interfaces are enabled, 32 a cycle each, whether or not
// they are added to what L1 holds; of L1 or of nothing, too.
static void test_interface_rates(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int out;
        bool adds, from_l1;
        uint64_t cycles;
    } rows[] = {{"PACR ReadIntfSel=1 Last=1", BF16, false, false, 1},
                {"PACR ReadIntfSel=1 Last=1", FP32, false, false, 2},
                {"PACR ReadIntfSel=5 Last=1", FP32, false, false, 2},
                {"PACR ReadIntfSel=15 Last=1", FP32, false, false, 2},
                {"PACR ReadIntfSel=0 Last=1", BF16, false, false, 1},
                {"PACR ReadIntfSel=1 Last=1", FP32, true, false, 2},
                {"PACR ReadIntfSel=15 Last=1", FP32, true, false, 2},
                {"PACR ReadIntfSel=3 ZeroWrite=1 Last=1", FP32, false, false, 2},
                {"PACR ReadIntfSel=0 Last=1", BF16, false, true, 16}}; // 512 bytes of L1
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        tsr_tile *tile = rate_tile(BH, rows[r].from_l1 ? 256 : 16);
        assert_int_equal(tsr_l1_mark_written(tile, 0, OUT + 0x1000), TSR_OK);
        tile_field(tile, 0, PACKER(0, Out_data_format), (uint32_t)rows[r].out);
        tile_field(tile, 0, PACKER(0, Pack_L1_Acc), rows[r].adds);
        tile_field(tile, 0, PACKER(0, Source_interface_selection), rows[r].from_l1);
        tile_do(tile, T2, rows[r].text);
        tsr_run_report report;
        tsr_get_report(tile, &report);
        if (report.unit_busy[TSR_UNIT_PACKER] != rows[r].cycles)
            fail_msg("row %d: %d cycles", (int)r, (int)report.unit_busy[TSR_UNIT_PACKER]);
        tsr_tile_destroy(tile);
    }
}

// A long ZeroWrite without a selection of interfaces has all four: 256 datums, 512 bytes.
static void test_rate_of_zeroes(void **state)
{
    (void)state;
    tsr_tile *tile = rate_tile(BH, 256);
    tile_do(tile, T2, "PACR ReadIntfSel=0 ZeroWrite=1 Last=1");
    tsr_run_report report;
    tsr_get_report(tile, &report);
    assert_int_equal(report.unit_busy[TSR_UNIT_PACKER], 4);
    tsr_tile_destroy(tile);
}

// What comes out counts: half of the datums with every second downsampled, and of 256 zeroes in one
// compressed row the first, one after every 15 dropped, and the last: 17 datums that fill a group
// of 32 (64 bytes) with their counts (16 bytes).
static void test_fewer_datums(void **state)
{
    (void)state;
    for (int compress = 0; compress < 2; compress++) {
        tsr_tile *tile = rate_tile(WH, 256);
        if (compress) {
            tile_field(tile, 0, PACKER(0, Disable_zero_compress), 0);
            tile_field(tile, 0, PACKER(0, Row_start_section_size), 1);
            for (unsigned i = 0; i < 256; i++)
                dst_put(tile, i / 16, i % 16, 0, false);
        } else {
            tile_field(tile, 0, PACKER(0, Downsample_mask), 0x5555);
        }
        tile_do(tile, T2, "PACR PackSel=1 Last=1");
        tsr_run_report report;
        tsr_get_report(tile, &report);
        assert_int_equal(report.unit_busy[TSR_UNIT_PACKER], (compress ? 80 / 16 : 16) + 1);
        tsr_tile_destroy(tile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions), cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_interface_rates), cmocka_unit_test(test_rate_of_zeroes),
        cmocka_unit_test(test_fewer_datums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
