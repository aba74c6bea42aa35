// SPDX-License-Identifier: Apache-2.0
// Instructions of two cycles: what is a finding behind each, on which chip, the same with timing on
// and off; and, with timing on, what hardware holds and for how long.
// Pages, under "Instruction scheduling": SFPMAD.md, SFPSWAP.md, SFPSHFT2.md, SFPCONFIG.md.
#include "rig/vector_rig.h"

#include <tessera/numerics.h>

#define MAD "SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3 lreg_dest=4"

// 1: a finding on Wormhole, 2: on Blackhole, whose logic sees the reads of the others.
struct follower {
    const char *first, *second;
    unsigned found;
};

static const struct follower followers[] = {
    {MAD, "SFPABS lreg_c=4 lreg_dest=5", 1},
    {MAD, "SFPABS lreg_c=3 lreg_dest=4", 0},
    {MAD, "SFPSTORE lreg_ind=4 instr_mod0=4", 1},
    {MAD, "SFPMUL lreg_src_a=4 lreg_src_b=1 lreg_src_c=9 lreg_dest=5", 1},
    {MAD, "SFPADDI imm16_math=1 lreg_dest=4", 1},
    {MAD, "SFPAND lreg_c=1 lreg_dest=4", 1},
    {MAD, "SFPIADD lreg_c=4 lreg_dest=5 instr_mod1=5", 1},
    {MAD, "SFPIADD lreg_c=1 lreg_dest=4 instr_mod1=4", 3},
    {MAD, "SFPSHFT lreg_c=1 lreg_dest=4", 3},
    {MAD, "SFPSWAP lreg_src_c=4 lreg_dest=5 instr_mod1=1", 3},
    {MAD, "SFPSWAP lreg_src_c=4 lreg_dest=5", 1},
    {MAD, "SFPSHFT2 lreg_src_c=4 lreg_dest=5 instr_mod1=3", 3},
    {MAD, "SFPSHFT2 imm12_math=4 lreg_src_c=1 lreg_dest=5 instr_mod1=5", 3},
    {MAD, "SFPLOADI lreg_ind=4 instr_mod0=8 imm16=1", 1}, // the other half is read
    {MAD, "SFPLOADI lreg_ind=4 instr_mod0=10 imm16=1", 1},
    {MAD, "SFPLOADI lreg_ind=4 instr_mod0=2 imm16=1", 0},
    {MAD, "SFPLOAD lreg_ind=4 instr_mod0=14", 1},
    {MAD, "SFPLOAD lreg_ind=4 instr_mod0=9", 0},
    {MAD, "SFPLOADMACRO lreg_ind=0 instr_mod0=15 dest_reg_addr=1", 1},
    {MAD, "SFPSETCC lreg_c=4", 1},
    {MAD, "SFPSETCC lreg_c=4 instr_mod1=1", 0},
    {"SFPADDI imm16_math=1 lreg_dest=0", "SFPCONFIG config_dest=12", 3},
    {"SFPADDI imm16_math=1 lreg_dest=0", "SFPCONFIG config_dest=12 instr_mod1=1", 0},
    {"SFPMULI imm16_math=1 lreg_dest=3", "SFPLUT lreg_ind=5", 1},
    {"SFPLUTFP32 lreg_dest=6", "SFPLUTFP32 lreg_dest=5", 1},
    {"SFPADDI imm16_math=1 lreg_dest=7", "SFPLUTFP32 lreg_dest=5 instr_mod1=10", 3},
    {"SFPADDI imm16_math=1 lreg_dest=7", "SFPLUTFP32 lreg_dest=5", 0},
    {"SFPSWAP lreg_src_c=1 lreg_dest=2 instr_mod1=1", "SFPABS lreg_c=1 lreg_dest=3", 0},
    {"SFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=3", "SFPSTORE lreg_ind=2 instr_mod0=4", 1},
    {"SFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=3", "SFPABS lreg_c=5 lreg_dest=6", 1},
    {"SFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=3", "SFPSETCC lreg_c=5", 0},
    {"SFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=2", "SFPLOADI lreg_ind=3", 1},
    {"SFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=2", "SFPLOADI lreg_ind=0", 0},
    {"SFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=2", "SFPLOADMACRO lreg_ind=3 instr_mod0=4", 1},
    {"SFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=2", "SFPLOADMACRO lreg_ind=0 instr_mod0=4", 0},
    {"SFPSHFT2 lreg_src_c=1 lreg_dest=14 instr_mod1=2", "SFPABS lreg_c=2 lreg_dest=5", 0},
    {"SFPMAD lreg_dest=13 instr_mod1=8", "SFPABS lreg_c=4 lreg_dest=5", 0}, // templates
    {MAD, "SFPABS lreg_c=4 lreg_dest=13", 0},
    {"SFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=0", "SFPABS lreg_c=1 lreg_dest=6", 0},
};

static void check_follower(int arch, const struct follower *pair, bool timing, const char *between)
{
    tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_SILICON);
    vector_fill(tile);
    tile_push(tile, 1, pair->first);
    if (between)
        tile_push(tile, 1, between);
    tile_push(tile, 1, pair->second);
    tile_idle(tile);
    bool expected = !between && (pair->found >> (arch == BH) & 1);
    if ((tile_found(tile, "vector-result-early") != NULL) != expected)
        fail_msg("%s behind %s: %s", pair->second, pair->first, expected ? "nothing" : "found");
    if (expected) {
        tile_says(tile, "vector-result-early", "one SFPNOP is missing");
        assert_int_equal(tile_found(tile, "vector-result-early")->sequence, 2);
    }
    tsr_tile_destroy(tile);
}

static void test_followers(int arch)
{
    for (size_t i = 0; i < sizeof followers / sizeof *followers; i++)
        for (int timing = 0; timing < 2; timing++) {
            check_follower(arch, &followers[i], timing, NULL);
            check_follower(arch, &followers[i], timing, "SFPNOP");
            check_follower(arch, &followers[i], timing, "NOP");
        }
}
TILE_BOTH(test_followers)

// What is written and read early is what L7 names in the lanes that act, and nothing where no lane
// does, or where the result goes nowhere.
static void test_exactly(int arch)
{
    static const struct {
        const char *before;
        struct follower pair;
    } exact[] = {
        {"SFPLOADI lreg_ind=7 instr_mod0=2 imm16=2",
         {"SFPMUL lreg_src_a=1 lreg_src_b=3 lreg_src_c=9 lreg_dest=4 instr_mod1=8",
          "SFPABS lreg_c=2 lreg_dest=5", 1}},
        {"SFPLOADI lreg_ind=7 instr_mod0=2 imm16=2",
         {"SFPMUL lreg_src_a=1 lreg_src_b=3 lreg_src_c=9 lreg_dest=4 instr_mod1=8",
          "SFPABS lreg_c=4 lreg_dest=5", 0}},
        {"SFPLOADI lreg_ind=7 instr_mod0=2 imm16=7",
         {"SFPMUL lreg_src_a=1 lreg_src_b=3 lreg_src_c=9 lreg_dest=4 instr_mod1=8",
          "SFPIADD lreg_c=1 lreg_dest=7 instr_mod1=4", 1}}, // BH takes any for late, and holds
        {"SFPLOADI lreg_ind=7 instr_mod0=2 imm16=2",
         {MAD, "SFPMUL lreg_src_a=0 lreg_src_b=1 lreg_src_c=9 lreg_dest=5 instr_mod1=4", 0}},
        {"SFPLOADI lreg_ind=7 instr_mod0=2 imm16=4",
         {MAD, "SFPMUL lreg_src_a=0 lreg_src_b=1 lreg_src_c=9 lreg_dest=5 instr_mod1=4", 1}},
        {"SFPENCC imm12_math=1 instr_mod1=10",
         {MAD, "SFPIADD lreg_c=1 lreg_dest=4 instr_mod1=4", 0}},
        {"SFPNOP", {MAD, "SFPIADD lreg_c=1 lreg_dest=4 instr_mod1=4", 3}},
        {"SFPNOP", {MAD, "SFPABS lreg_c=4 lreg_dest=9", 0}},
        {"SFPNOP", {MAD, "SFPSETCC lreg_c=4 lreg_dest=9", 1}},
    };
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        for (int timing = 0; timing < 2; timing++) {
            const struct follower *pair = &exact[i].pair;
            tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_SILICON);
            vector_fill(tile);
            tile_push(tile, 1, exact[i].before);
            tile_push(tile, 1, pair->first);
            tile_push(tile, 1, pair->second);
            tile_idle(tile);
            bool expected = pair->found >> (arch == BH) & 1;
            if ((tile_found(tile, "vector-result-early") != NULL) != expected)
                fail_msg("%s, %s behind %s: %s", exact[i].before, pair->second, pair->first,
                         expected ? "nothing" : "found");
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_exactly)

// Blackhole's stalling logic looks at the second copy of SFPLUTFP32's modifier, whether L7 names
// VD.
static void test_mirror(void **state)
{
    static const struct {
        const char *first, *second;
        bool found;
    } pairs[] = {
        {"SFPADDI imm16_math=1 lreg_dest=7", "SFPLUTFP32 lreg_dest=5 instr_mod1=10 Mod1Mirror=8",
         false},
        {"SFPLUTFP32 lreg_dest=5 instr_mod1=10", "SFPABS lreg_c=2 lreg_dest=6", true},
        {"SFPLUTFP32 lreg_dest=5 instr_mod1=10", "SFPABS lreg_c=5 lreg_dest=6", false},
        {"SFPLUTFP32 lreg_dest=2 instr_mod1=10", "SFPABS lreg_c=2 lreg_dest=6", false},
        {"SFPLUTFP32 lreg_dest=5 instr_mod1=10 Mod1Mirror=15", "SFPABS lreg_c=2 lreg_dest=6",
         false},
        {"SFPLUTFP32 lreg_dest=5 instr_mod1=10 Mod1Mirror=2", "SFPABS lreg_c=2 lreg_dest=6", true},
        {"SFPLUTFP32 lreg_dest=9 instr_mod1=10", "SFPABS lreg_c=2 lreg_dest=6", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int timing = 0; timing < 2; timing++) {
            tsr_tile *tile = tile_new(BH, timing, TSR_PROFILE_SILICON);
            vector_fill(tile);
            tile_push(tile, 1, "SFPLOADI lreg_ind=7 instr_mod0=2 imm16=2");
            tile_push(tile, 1, pairs[i].first);
            tile_push(tile, 1, pairs[i].second);
            tile_idle(tile);
            assert_null(tile_found(tile, "stray-operand-bits"));
            if ((tile_found(tile, "vector-result-early") != NULL) != pairs[i].found)
                fail_msg("%s behind %s: %s", pairs[i].second, pairs[i].first,
                         pairs[i].found ? "nothing" : "found");
            tsr_tile_destroy(tile);
        }
}

// Without the stalling logic Blackhole is as Wormhole.
static void test_disabled_logic(void **state)
{
    (void)state;
    tsr_tile *tile = vector_tile(BH);
    tile_field(tile, 0, FIELD_CHICKEN_BITS_sfpu_scbd_disable, 1);
    const char *const texts[] = {MAD, "SFPABS lreg_c=4 lreg_dest=5"};
    vector_run(tile, texts, 2);
    tile_says(tile, "vector-result-early",
              "SFPABS reads LReg[4] in the cycle after SFPMAD "
              "(instruction 1)");
    tsr_tile_destroy(tile);
}

// The value is the new one and tainted; strict stops without an effect.
static void test_value(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    const char *const texts[] = {MAD, "SFPSHFT imm12_math=1 lreg_dest=4 lreg_c=1 instr_mod1=1"};
    vector_run(tile, texts, 2);
    uint32_t sum =
        tsr_sfpu_fma((tsr_arch)arch, vector_value(1, 0), vector_value(2, 0), vector_value(3, 0));
    assert_int_equal(vector_lane(tile, 4, 0), sum << 1);
    assert_int_equal(vector_of(tile)->tainted[4], ~0u);
    tsr_tile_destroy(tile);
    tile = tile_default(arch);
    vector_fill(tile);
    tile_push(tile, 1, texts[0]);
    tile_push(tile, 1, texts[1]);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_int_equal(vector_lane(tile, 4, 0), sum);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_value)

static void test_backdoor(int arch)
{
    tsr_tile *tile = vector_tile(arch);
    const char *const texts[] = {"SFPCONFIG config_dest=15 imm16_math=2 instr_mod1=1",
                                 "SFPSTORE lreg_ind=12 instr_mod0=4"};
    vector_run(tile, texts, 2);
    tile_says(tile, "vector-backdoor-early", "One SFPNOP is missing");
    tsr_tile_reset(tile);
    vector_fill(tile);
    const char *const same[] = {"SFPCONFIG config_dest=15 imm16_math=1 instr_mod1=1",
                                "SFPSTORE lreg_ind=12 instr_mod0=4"};
    vector_run(tile, same, 2);
    assert_null(tile_found(tile, "vector-backdoor-early"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_backdoor)

// Cycles for a hundred of each pair, beside a hundred of SFPNOP and SFPNOP.
static uint64_t cycles_of(int arch, const char *first, const char *second)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    vector_fill(tile);
    for (int i = 0; i < 100; i++) {
        tile_push(tile, 1, first);
        tile_push(tile, 1, second);
    }
    tile_idle(tile);
    uint64_t cycles = tsr_cycle(tile);
    tsr_tile_destroy(tile);
    return cycles;
}

static void test_cycles(int arch)
{
    uint64_t plain = cycles_of(arch, "SFPNOP", "SFPNOP");
    assert_in_range(plain, 200, 210);
    static const char *const swap = "SFPSWAP lreg_src_c=1 lreg_dest=2 instr_mod1=1";
    static const char *const turn = "SFPSHFT2 lreg_src_c=1 lreg_dest=2 instr_mod1=3";
    static const char *const abs = "SFPABS lreg_c=4 lreg_dest=5";
    // Only an SFPNOP shares the second cycle of a swap, and of Blackhole's shuffles.
    assert_in_range(cycles_of(arch, swap, "SFPNOP"), plain, plain + 1);
    assert_in_range(cycles_of(arch, swap, abs), plain + 99, plain + 101);
    uint64_t more = arch == BH ? 100 : 0;
    assert_in_range(cycles_of(arch, turn, abs), plain + more - 1 + !more, plain + more + 1);
    // Blackhole holds who reads the result of the MAD sub-unit.
    assert_in_range(cycles_of(arch, MAD, abs), plain + more - 1 + !more, plain + more + 1);
    assert_in_range(cycles_of(arch, MAD, "SFPABS lreg_c=1 lreg_dest=5"), plain, plain + 1);
}
TILE_BOTH(test_cycles)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_followers),     TILE_TEST(test_exactly),
        cmocka_unit_test(test_mirror), cmocka_unit_test(test_disabled_logic),
        TILE_TEST(test_value),         TILE_TEST(test_backdoor),
        TILE_TEST(test_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
