// SPDX-License-Identifier: Apache-2.0
// SFPLOAD and SFPSTORE: which rows and columns, with every address modifier, exchange and block of
// LaneConfig, what instr_mod0=0 means, the stack of INT32_ALL, and the shadow state.
// Pages: SFPLOAD.md, SFPSTORE.md of each chip, RWCs.md.
#include "rig/vector_rig.h"

#include "base/format_codes.h"

#include <tessera/numerics.h>

static tsr_tile *filled_tile(int arch, tsr_profile profile)
{
    tsr_tile *tile = tile_new(arch, false, profile);
    vector_fill(tile);
    struct tsr_dst *dst = &tile_state(tile)->dst;
    for (unsigned row = 0; row < TSR_DST_ROWS; row++) {
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            dst->bits[row][column] = (uint16_t)(row << 4 | column);
        dst->written[row] = 0xffff;
    }
    return tile;
}

static void load(tsr_tile *tile, unsigned address, unsigned mode)
{
    char text[80];
    snprintf(text, sizeof text, "SFPLOAD lreg_ind=1 instr_mod0=%u dest_reg_addr=%u", mode, address);
    vector_do(tile, text);
}

// The address is a sum of 10 bits; bits 9 to 2 choose the rows, bit 1 the columns.
static void test_addresses(int arch)
{
    tsr_tile *tile = filled_tile(arch, TSR_PROFILE_STRICT);
    tile_field(tile, 1, FIELD_DEST_TARGET_REG_CFG_MATH_Offset, 0x104);
    tile_field(tile, 0, FIELD_DEST_REGW_BASE_Base, 0x20);
    tile_state(tile)->rwcs.thread[1].dst = 0x3f3;
    for (unsigned address = 0; address < 1024; address += 37) {
        load(tile, address, 6); // 16 bits as they are
        unsigned sum = (address + 0x104 + 0x20 + 0x3f3) & 1023;
        for (unsigned lane = 0; lane < TSR_LANES; lane++) {
            unsigned row = (sum & ~3u) + lane / 8, column = lane % 8 * 2 + (sum >> 1 & 1);
            assert_int_equal(vector_lane(tile, 1, lane), row << 4 | column);
        }
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_addresses)

// Loads and stores step what the matrix unit steps, but for the fidelity phase.
static void test_counters(int arch)
{
    tsr_tile *tile = filled_tile(arch, TSR_PROFILE_STRICT);
    tile_field(tile, 1, FIELD_ADDR_MOD_DST_SEC3_DestIncr, 6);
    tile_field(tile, 1, FIELD_ADDR_MOD_DST_SEC3_FidelityIncr, 1);
    tile_field(tile, 1, FIELD_ADDR_MOD_AB_SEC3_SrcAIncr, 5);
    vector_do(tile, "SFPLOAD lreg_ind=1 instr_mod0=6 sfpu_addr_mode=3");
    vector_do(tile, "SFPSTORE lreg_ind=1 instr_mod0=6 sfpu_addr_mode=3");
    tsr_rwc rwc;
    tsr_view_rwc(tile, 1, &rwc);
    assert_int_equal(rwc.dst, 12);
    assert_int_equal(rwc.srca, 10);
    assert_int_equal(rwc.fidelity, 0);
    if (arch == WH) {
        tile_field(tile, 1, FIELD_ADDR_MOD_SET_Base, 1);
        tile_field(tile, 1, FIELD_ADDR_MOD_DST_SEC7_DestIncr, 20);
        vector_do(tile, "SFPLOAD lreg_ind=1 instr_mod0=6 sfpu_addr_mode=3");
    } else {
        tile_field(tile, 1, FIELD_ADDR_MOD_DST_SEC7_DestIncr, 20);
        vector_do(tile, "SFPLOADMACRO lreg_ind=1 instr_mod0=6 sfpu_addr_mode=7");
    }
    tsr_view_rwc(tile, 1, &rwc);
    assert_int_equal(rwc.dst, 32);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_counters)

// A load that a finding stops has stepped nothing.
static void test_stop_restores(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_field(tile, 1, FIELD_ADDR_MOD_DST_SEC1_DestIncr, 6);
    tile_push(tile, 1, "SFPLOAD lreg_ind=1 instr_mod0=6 sfpu_addr_mode=1");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tile_says(tile, "uninitialised-dst", "physical row 0 of Dst");
    assert_int_equal(tile_state(tile)->rwcs.thread[1].dst, 0);
    assert_int_equal(vector_of(tile)->written[1], 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stop_restores)

static void test_lane_config(int arch)
{
    tsr_tile *tile = filled_tile(arch, TSR_PROFILE_SILICON);
    struct tsr_vector *vector = vector_of(tile);
    tsr_vector_configure_lanes(vector, 2, 1u << TSR_LANE_READ_EXCHANGE);
    tsr_vector_configure_lanes(vector, 3, 1u << TSR_LANE_BLOCK_READ);
    tsr_vector_configure_lanes(vector, 4, 1u << TSR_LANE_WRITE_EXCHANGE);
    tsr_vector_configure_lanes(vector, 5, 1u << TSR_LANE_BLOCK_WRITE);
    load(tile, 16, 6);
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        unsigned column = lane % 8, at = column * 2 + (column == 2);
        assert_int_equal(vector_lane(tile, 1, lane),
                         column == 3 ? vector_value(1, lane) : (16 + lane / 8) << 4 | at);
    }
    vector_do(tile, "SFPLOADI lreg_ind=2 imm16=0xabcd instr_mod0=2");
    vector_do(tile, "SFPSTORE lreg_ind=2 instr_mod0=6 dest_reg_addr=32");
    for (unsigned row = 32; row < 36; row++)
        for (unsigned column = 0; column < TSR_COLUMNS; column++) {
            bool exchanged = column == 9, stays = column == 8 || column == 10;
            bool stored = exchanged || (column % 2 == 0 && !stays);
            assert_int_equal(tile_state(tile)->dst.bits[row][column],
                             stored ? 0xabcd : row << 4 | column);
        }
    // Where a datum is from, into L5.
    for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++)
        tsr_vector_configure_lanes(vector, column, 0xc);
    load(tile, 102, 6);
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        assert_int_equal(vector_lane(tile, 5, lane), (100 + lane / 8) << 4 | (lane % 8 * 2 + 1));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_lane_config)

static void test_fp16_infinity(int arch)
{
    tsr_tile *tile = filled_tile(arch, TSR_PROFILE_SILICON);
    tile_state(tile)->dst.bits[0][0] = 0xffff;
    load(tile, 0, 1);
    assert_int_equal(vector_lane(tile, 1, 0), 0xc7ffe000);
    vector_configure(tile, 1);
    load(tile, 0, 1);
    assert_int_equal(vector_lane(tile, 1, 0), 0xff800000);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_fp16_infinity)

// What instr_mod0=0 stores, by its result for 1.5.
static uint32_t stored(tsr_tile *tile)
{
    vector_do(tile, "SFPLOADI lreg_ind=2 imm16=0x3fc0");
    vector_do(tile, "SFPSTORE lreg_ind=2 dest_reg_addr=0");
    uint32_t datum = tile_state(tile)->dst.bits[0][0];
    vector_do(tile, "SFPLOAD lreg_ind=3 dest_reg_addr=0"); // takes it for the same
    assert_int_equal(vector_lane(tile, 3, 0), 0x3fc00000);
    return datum;
}

static void test_mode_0(int arch)
{
    tsr_tile *tile = filled_tile(arch, TSR_PROFILE_SILICON);
    uint32_t fp16 = tsr_dst_encode_fp16(0x3e00), bf16 = tsr_dst_encode_bf16(0x3fc0);
    for (unsigned format = 0; format < 16; format++) {
        tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, format);
        static const uint16_t e8 =
            1 << 0 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 15;
        assert_int_equal(stored(tile), e8 >> format & 1 ? bf16 : fp16);
    }
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG_SrcB_val, TSR_FORMAT_FP16);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG_SrcB_override, 1);
    assert_int_equal(stored(tile), fp16);
    if (arch == BH) {
        tile_field(tile, 1, FIELD_SFPU_DEST_FMT_Base, TSR_FORMAT_BF16);
        tile_field(tile, 1, FIELD_SFPU_DEST_FMT_Enable, 1);
        assert_int_equal(stored(tile), bf16);
        tile_field(tile, 1, FIELD_SFPU_DEST_FMT_Base, TSR_FORMAT_FP16);
        tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG_SrcB_val, TSR_FORMAT_BF16);
        assert_int_equal(stored(tile), fp16);
    }
    tile_field(tile, 0, FIELD_ALU_ACC_CTRL_SFPU_Fp32_enabled, 1);
    tile_state(tile)->dst.bits[8][0] = 0x55;
    stored(tile);
    assert_int_equal(tile_state(tile)->dst.bits[8][0], 0); // the low half, too
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_mode_0)

// Wormhole keeps only the low bits of the counter; Blackhole has a stack. Flags are ignored.
static void test_int32_all(int arch)
{
    tsr_tile *tile = filled_tile(arch, TSR_PROFILE_SILICON);
    vector_enable(tile, 0);
    tile_state(tile)->rwcs.thread[1].dst = 0x42;
    if (arch == BH) {
        tile_field(tile, 1, FIELD_SFPU_STACK_Incr, 4);
        tile_field(tile, 0, FIELD_DEST_SP_BASE_Base, 0x80);
    }
    vector_do(tile, "SFPSTORE lreg_ind=1 instr_mod0=10 dest_reg_addr=0");
    vector_do(tile, "SFPSTORE lreg_ind=2 instr_mod0=10 dest_reg_addr=0");
    unsigned base = arch == BH ? 0x80 : 0;
    tsr_dst_datums row;
    tsr_view_dst_datums(tile, true, (int)base, &row);
    assert_int_equal(tsr_dst_decode_fp32(row.bits[1]), vector_value(arch == BH ? 1 : 2, 0));
    if (arch == BH) {
        tsr_view_dst_datums(tile, true, 0x84, &row);
        assert_int_equal(tsr_dst_decode_fp32(row.bits[1]), vector_value(2, 0));
        vector_do(tile, "SFPLOAD lreg_ind=5 instr_mod0=10 dest_reg_addr=0");
        vector_do(tile, "SFPLOAD lreg_ind=6 instr_mod0=10 dest_reg_addr=0");
        assert_int_equal(vector_lane(tile, 5, 7), vector_value(2, 7));
        assert_int_equal(vector_lane(tile, 6, 7), vector_value(1, 7));
        // Other modes add the pointer's low bits.
        vector_enable(tile, ~0u);
        vector_of(tile)->stack_pointer[1] = 2;
        tile_state(tile)->rwcs.thread[1].dst = 0;
        load(tile, 0, 6);
        assert_int_equal(vector_lane(tile, 1, 0), tile_state(tile)->dst.bits[0][1]);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_int32_all)

static void test_shadow(int arch)
{
    tsr_tile *tile = filled_tile(arch, TSR_PROFILE_SILICON);
    struct tsr_dst *dst = &tile_state(tile)->dst;
    dst->written[9] = 0xfffe;
    dst->tainted[10] = 0x0004;
    dst->valid[11] = false;
    load(tile, 8, 6);
    tile_says(tile, "uninitialised-dst",
              "physical row 9 of Dst, where nothing has written the "
              "columns of mask 0x0001");
    assert_int_equal(vector_of(tile)->tainted[1], 1u << 17);
    assert_int_equal(vector_lane(tile, 1, 24), 0); // a row that is not valid
    vector_do(tile, "SFPSTORE lreg_ind=1 instr_mod0=6 dest_reg_addr=64");
    assert_int_equal(dst->tainted[66], 0x0004);
    dst->written[80] = 0xffff;
    dst->valid[80] = false;
    vector_do(tile, "SFPSTORE lreg_ind=1 instr_mod0=6 dest_reg_addr=80");
    assert_true(dst->valid[80]);
    assert_int_equal(dst->written[80], 0x5555); // the odd columns hold what was there before
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_shadow)

// What ZEROACC has cleared is 0 for packers and the matrix unit; a vector load of it is undefined.
static void test_cleared_rows(int arch)
{
    tsr_tile *tile = filled_tile(arch, TSR_PROFILE_SILICON);
    tile_state(tile)->dst.valid[11] = false;
    load(tile, 12, 6);
    assert_null(tile_found(tile, "uninitialised-dst"));
    vector_do(tile, "SFPLOAD lreg_ind=1 instr_mod0=11 dest_reg_addr=8"); // reads nothing
    assert_null(tile_found(tile, "uninitialised-dst"));
    load(tile, 8, 6);
    tile_says(tile, "uninitialised-dst",
              "physical row 11 of Dst, in the columns of mask 0x5555, which ZEROACC has left "
              "undefined");
    assert_int_equal(vector_lane(tile, 1, 24), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_cleared_rows)

// Modes whose conversion only Wormhole has, and rows that 32 bits do not reach.
static void test_findings(int arch)
{
    tsr_tile *tile = filled_tile(arch, TSR_PROFILE_SILICON);
    load(tile, 0, 12);
    assert_true((tile_found(tile, "vector-mode-differs") != NULL) == (arch == BH));
    load(tile, 0x208, 4);
    tile_says(tile, "dst-row-range", "from row 520");
    tsr_tile_destroy(tile);
    // Right behind the matrix unit's write, where writers are watched.
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.watch_config = true;
    tile = tile_with(&options);
    for (int i = 0; i < 2; i++)
        tile_state(tile)->src[0].bank[i].matrix_owns = true;
    const char *const texts[] = {
        "MOVA2D dst=0 instr_mod=2",        "NOP", "NOP",
        "SFPLOAD lreg_ind=1 instr_mod0=6", "NOP", "SFPLOAD lreg_ind=2 instr_mod0=6"};
    vector_run(tile, texts, 6);
    tile_says(tile, "vector-dst-early", "2 instructions come between them, and 3 must");
    assert_int_equal(tile_found(tile, "vector-dst-early")->repeats, 0);
    assert_int_equal(tile_found(tile, "vector-dst-early")->sequence, 4);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_findings)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_addresses),   TILE_TEST(test_counters),      TILE_TEST(test_stop_restores),
        TILE_TEST(test_lane_config), TILE_TEST(test_fp16_infinity), TILE_TEST(test_mode_0),
        TILE_TEST(test_int32_all),   TILE_TEST(test_shadow),        TILE_TEST(test_cleared_rows),
        TILE_TEST(test_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
