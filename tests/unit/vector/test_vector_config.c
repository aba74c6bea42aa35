// SPDX-License-Identifier: Apache-2.0
// SFPCONFIG in all modes, every bit of LaneConfig, templates that are stored by executing them, and
// the indirect registers. Pages: SFPCONFIG.md, VectorUnit.md, SFPMAD.md.
#include "rig/vector_rig.h"

#include <tessera/numerics.h>

static void test_constants(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    static const uint32_t usual[4] = {0xbf800000, 0x3b000000, 0xbf2cc4c7, 0xbeb08ff9};
    vector_do(tile, "SFPADD lreg_src_a=10 lreg_src_b=12 lreg_src_c=9 lreg_dest=1");
    tile_says(tile, "uninitialised-lreg", "LReg[12]");
    vector_fill(tile);
    for (unsigned lreg = 11; lreg < 15; lreg++) {
        char text[80];
        snprintf(text, sizeof text, "SFPCONFIG config_dest=%u", lreg);
        vector_do(tile, text);
        for (unsigned lane = 0; lane < TSR_LANES; lane++)
            assert_int_equal(vector_lane(tile, lreg, lane), vector_value(0, lane % 8));
        snprintf(text, sizeof text, "SFPCONFIG config_dest=%u imm16_math=77 instr_mod1=1", lreg);
        vector_do(tile, text);
        for (unsigned lane = 0; lane < TSR_LANES; lane++)
            assert_int_equal(vector_lane(tile, lreg, lane), usual[lreg - 11]);
    }
    // Columns 1 and 3 of the mask; and flags of the first eight lanes.
    vector_do(tile, "SFPCONFIG config_dest=12 imm16_math=0x44 instr_mod1=8");
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        assert_int_equal(vector_lane(tile, 12, lane),
                         lane % 8 == 1 || lane % 8 == 3 ? vector_value(0, lane % 8) : usual[1]);
    vector_enable(tile, 0xffffff10);
    vector_do(tile, "SFPCONFIG config_dest=14");
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        assert_int_equal(vector_lane(tile, 14, lane),
                         lane % 8 == 4 ? vector_value(0, 4) : usual[3]);
    vector_do(tile, "SFPCONFIG config_dest=9");
    tile_says(tile, "vector-reserved-mode", "config_dest=9");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_constants)

// Misc and LaneConfig: assign, or, and, xor; an immediate does not reach the high bits.
static void test_operations(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    struct tsr_vector *vector = vector_of(tile);
    static const uint32_t expected[4] = {0x0f0, 0xff3 | 0x0f0, 0x0f0 & 0xff3, 0x0f0 ^ 0xff3};
    for (unsigned operation = 0; operation < 4; operation++) {
        char text[80];
        vector_do(tile, "SFPCONFIG config_dest=8 imm16_math=0xff3 instr_mod1=1");
        snprintf(text, sizeof text, "SFPCONFIG config_dest=8 imm16_math=0xf0f0 instr_mod1=%u",
                 operation * 2 + 1);
        vector_do(tile, text);
        assert_int_equal(vector->macro.misc[7], expected[operation]);
    }
    for (unsigned lane = 0; lane < 8; lane++)
        vector->lreg[0][lane] = 0x30200;
    vector_do(tile, "SFPCONFIG config_dest=15");
    assert_int_equal(vector->lane_config[2], 0x30200);
    assert_int_equal(tile_state(tile)->matrix.kept_columns, 0x5555); // BLOCK_DEST_MOV
    vector_do(tile, "SFPCONFIG config_dest=15 imm16_math=0xfdff instr_mod1=5");
    assert_int_equal(vector->lane_config[2], 0x30000);
    assert_int_equal(tile_state(tile)->matrix.kept_columns, 0);
    vector_do(tile, "SFPCONFIG config_dest=15 imm16_math=0x1 instr_mod1=1");
    assert_int_equal(vector->lane_config[2], 0x30001);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_operations)

static void test_row_mask(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    vector_configure(tile, 0x5000); // rows 0 and 2
    vector_do(tile, "SFPLOADI lreg_ind=1 imm16=7 instr_mod0=2");
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        assert_int_equal(vector_lane(tile, 1, lane), lane / 8 % 2 ? 7 : vector_value(1, lane));
    vector_do(tile, "SFPMOV lreg_c=9 lreg_dest=2 instr_mod1=2"); // ignores flags and rows
    assert_int_equal(vector_lane(tile, 2, 0), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_row_mask)

// Words with a VD of 12 and more become templates, in columns without DISABLE_BACKDOOR_LOAD.
static void test_templates(int arch)
{
    static const char *const texts[] = {
        "SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3 lreg_dest=12",
        "SFPABS lreg_c=1 lreg_dest=13", "SFPSTORE lreg_ind=14",
        "SFPSHFT2 lreg_src_c=3 lreg_dest=15 instr_mod1=3"};
    tsr_tile *tile = vector_tile(arch);
    struct tsr_vector *vector = vector_of(tile);
    vector_enable(tile, 0); // which makes no difference
    for (unsigned i = 0; i < 4; i++) {
        vector_do(tile, texts[i]);
        for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++)
            assert_int_equal(vector->macro.template_word[i][column], tile_word(tile, texts[i]));
    }
    vector_enable(tile, ~0u);
    for (unsigned column = 0; column < 4; column++)
        tsr_vector_configure_lanes(vector, column, 1u << TSR_LANE_NO_BACKDOOR);
    vector_do(tile, "SFPSWAP lreg_src_c=1 lreg_dest=12");
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        bool executes = lane % 8 < 4;
        assert_int_equal(vector_lane(tile, 1, lane), executes ? 0x3b000000 : vector_value(1, lane));
        assert_true((vector->macro.template_word[0][lane % 8] == tile_word(tile, texts[0])) ==
                    executes);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_templates)

// Loads are templates that nothing schedules; sums and products have no other operands.
static void test_misuse(int arch)
{
    static const struct {
        const char *text, *says; // NULL: nothing
    } words[] = {
        {"SFPADD lreg_src_a=10 lreg_src_b=1 lreg_src_c=2 lreg_dest=3", NULL},
        {"SFPADD lreg_src_a=1 lreg_src_b=10 lreg_src_c=2 lreg_dest=3", NULL},
        {"SFPADD lreg_src_a=1 lreg_src_b=2 lreg_src_c=2 lreg_dest=3", "LReg[1] by LReg[2]"},
        {"SFPMUL lreg_src_a=10 lreg_src_b=1 lreg_src_c=9 lreg_dest=3", NULL},
        {"SFPMUL lreg_src_a=10 lreg_src_b=1 lreg_src_c=2 lreg_dest=3", "adds LReg[2]"}};
    tsr_tile *tile = vector_tile(arch);
    struct tsr_vector *vector = vector_of(tile);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const int before = tsr_diagnostic_count(tile);
        vector_do(tile, words[i].text);
        vector_do(tile, "SFPNOP");
        assert_int_equal(tsr_diagnostic_count(tile) - before, words[i].says != NULL);
        if (words[i].says)
            assert_non_null(strstr(tsr_diagnostic_at(tile, before)->sentence, words[i].says));
    }
    assert_non_null(strstr(tile_found(tile, "vector-reserved-operand")->page, "/SFPADD.md"));
    vector_do(tile, "SFPABS lreg_c=1 lreg_dest=13");
    assert_null(tile_found(tile, "vector-template-unused"));
    vector_do(tile, "SFPLOADI lreg_ind=13 imm16=3");
    tile_says(tile, "vector-template-unused", "SFPLOADI into LReg[13] stores itself as template 1");
    for (unsigned column = 0; column < TSR_LANE_COLUMNS; column++)
        tsr_vector_configure_lanes(vector, column, 1u << TSR_LANE_NO_BACKDOOR);
    vector_do(tile, "SFPLOADI lreg_ind=14 imm16=3"); // executes, and writes nothing
    assert_int_equal(tsr_diagnostic_count(tile), 3);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_misuse)

// The low bits of L7 name VA and VD, in each lane others.
static void test_indirect(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    struct tsr_vector *vector = vector_of(tile);
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        vector->lreg[7][lane] = lane % 16 + 0x50;
    struct tsr_vector before = *vector;
    vector_do(tile, "SFPMAD lreg_src_a=9 lreg_src_b=10 lreg_src_c=1 lreg_dest=2 instr_mod1=12");
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        unsigned named = lane % 16;
        uint32_t sum = tsr_sfpu_fma((tsr_arch)arch, before.lreg[named][lane], 0x3f800000,
                                    before.lreg[1][lane]);
        for (unsigned lreg = 0; lreg < 8; lreg++)
            assert_int_equal(vector_lane(tile, lreg, lane),
                             lreg == named ? sum : before.lreg[lreg][lane]);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_indirect)

// Only what a lane names is read, for findings and for taint.
static void test_indirect_shadow(int arch)
{
    static const char mad[] =
        "SFPMAD lreg_src_a=0 lreg_src_b=10 lreg_src_c=2 lreg_dest=3 instr_mod1=4";
    tsr_tile *tile = vector_tile(arch);
    struct tsr_vector *vector = vector_of(tile);
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        vector->lreg[7][lane] = lane & 1;
    vector->written[4] = vector->written[5] = 0;
    vector->tainted[6] = ~0u;
    vector->unclean |= 1u << 4 | 1u << 5 | 1u << 6;
    vector_do(tile, mad);
    assert_null(tile_found(tile, "uninitialised-lreg"));
    assert_int_equal(vector->tainted[3], 0);
    vector->lreg[7][3] = 6;
    vector_do(tile, mad);
    assert_int_equal(vector->tainted[3], 1u << 3);
    vector->lreg[7][9] = 5;
    vector_do(tile, mad);
    tile_says(tile, "uninitialised-lreg",
              "LReg[5], which nothing has written in the lanes of mask 0x00000200");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_indirect_shadow)

// Blackhole inverts signs; Wormhole does not know the bits.
static void test_negate(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    vector_do(tile, "SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3 lreg_dest=4 instr_mod1=3");
    uint32_t sign = arch == WH ? 0 : 1u << 31;
    for (unsigned lane = 0; lane < TSR_LANES; lane++)
        assert_int_equal(vector_lane(tile, 4, lane),
                         tsr_sfpu_fma((tsr_arch)arch, vector_value(1, lane) ^ sign,
                                      vector_value(2, lane), vector_value(3, lane) ^ sign));
    assert_true((tile_found(tile, "vector-reserved-mode") != NULL) == (arch == WH));
    vector_do(tile, "SFPADDI imm16_math=0x4080 lreg_dest=5 instr_mod1=2");
    assert_int_equal(vector_lane(tile, 5, 6), tsr_sfpu_fma((tsr_arch)arch, 0x40800000, 0x3f800000,
                                                           vector_value(5, 6) ^ sign));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_negate)

// Blackhole's constants may shift VC; without a constant that bit means nothing.
static void test_shifts_vc(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    vector_do(tile, "SFPSHFT imm12_math=1 lreg_c=1 lreg_dest=2 instr_mod1=5");
    assert_int_equal(vector_lane(tile, 2, 3), vector_value(arch == WH ? 2 : 1, 3) << 1);
    assert_true((tile_found(tile, "vector-reserved-mode") != NULL) == (arch == WH));
    vector_do(tile, "SFPLOADI imm16=3 lreg_ind=1 instr_mod0=2");
    vector_do(tile, "SFPSHFT lreg_c=1 lreg_dest=3 instr_mod1=4");
    assert_int_equal(vector_lane(tile, 3, 3), vector_value(3, 3) << 3);
    assert_non_null(tile_found(tile, "vector-reserved-mode"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_shifts_vc)

// Of the lookup tables the sign, the indirect VD, and the mode whose bits overlap with that.
static void test_tables(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    struct tsr_vector *vector = vector_of(tile);
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        vector->lreg[3][lane] = (lane & 1) << 31 | (0x3e000000 + (lane << 21));
        vector->lreg[7][lane] = lane % 8;
    }
    for (unsigned mod = 0; mod < 16; mod++) {
        struct tsr_vector before = *vector;
        char text[80];
        snprintf(text, sizeof text, "SFPLUTFP32 lreg_dest=6 instr_mod1=%u", mod);
        vector_do(tile, text);
        for (unsigned lane = 0; lane < TSR_LANES; lane++) {
            uint32_t lreg[7];
            for (unsigned i = 0; i < 7; i++)
                lreg[i] = before.lreg[i][lane];
            unsigned vd = mod & 8 ? lane % 8 : 6;
            assert_int_equal(vector_lane(tile, vd, lane),
                             tsr_sfpu_lutfp32((tsr_arch)arch, mod, lreg));
        }
        memcpy(vector->lreg, before.lreg, sizeof before.lreg);
    }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_tables)

static void test_index_erratum(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    vector_configure(tile, 4);
    vector_do(tile, "SFPABS lreg_c=1 lreg_dest=3");
    vector_do(tile, "SFPLOADI lreg_ind=6 instr_mod0=2 imm16=7");
    vector_do(tile, "SFPTRANSP");
    vector_do(tile, "SFPSWAP lreg_src_c=4 lreg_dest=5 instr_mod1=1");
    assert_null(tile_found(tile, "vector-index-erratum"));
    vector_do(tile, "SFPABS lreg_c=1 lreg_dest=5");
    tile_says(tile, "vector-index-erratum", "SFPABS writes LReg[5]");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_index_erratum)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_constants), TILE_TEST(test_operations),      TILE_TEST(test_row_mask),
        TILE_TEST(test_templates), TILE_TEST(test_misuse),          TILE_TEST(test_indirect),
        TILE_TEST(test_negate),    TILE_TEST(test_tables),          TILE_TEST(test_index_erratum),
        TILE_TEST(test_shifts_vc), TILE_TEST(test_indirect_shadow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
