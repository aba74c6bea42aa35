// SPDX-License-Identifier: Apache-2.0
// The configuration of the cores' frontends, with timing on. Prefetchers: fields that nobody has
// written change nothing, then each core has its bit, all the same limit, each its last address.
// Branch predictors: each core has a bit that turns its own off.
// Pages: WormholeB0/TensixTile/BabyRISCV/InstructionCache.md, DebugInterface.md.
#include "rig/core_rig.h"

enum { PLACE = 0x4000, LINES = 16 };

static const char *const enables[] = {
    "RISC_PREFETCH_CTRL_Enable_Brisc", "RISC_PREFETCH_CTRL_Enable_Trisc",
    "RISC_PREFETCH_CTRL_Enable_Trisc", "RISC_PREFETCH_CTRL_Enable_Trisc",
    "RISC_PREFETCH_CTRL_Enable_NocRisc"};
static const char *const ends[] = {"BRISC_END_PC_PC", "TRISC_END_PC_SEC0_PC",
                                   "TRISC_END_PC_SEC1_PC", "TRISC_END_PC_SEC2_PC",
                                   "NOC_RISC_END_PC_PC"};

static void write_field(tsr_tile *tile, const char *name, uint32_t value)
{
    const tsr_field_info *info = tsr_field_find(tsr_tile_arch(tile), name);
    uint32_t at = AT_CONFIG + 4u * info->addr32, old;
    uint32_t mask = (info->width < 32 ? (1u << info->width) - 1 : UINT32_MAX) << info->first_bit;
    assert_int_equal(tsr_load(tile, TSR_CORE_B, at, &old, 4), TSR_OK);
    value = (old & ~mask) | (value << info->first_bit & mask);
    assert_int_equal(tsr_store(tile, TSR_CORE_B, at, value, 4), TSR_OK);
}

// Instructions in a row that the core executes in as many cycles.
static uint64_t retired(tsr_tile *tile, int core)
{
    uint32_t at = core == TSR_CORE_B ? 0 : PLACE;
    struct code code = code_at(tile, at);
    for (int i = 0; i < 4 * LINES; i++)
        code_addi(&code, A0, A0, 1);
    code_end(&code);
    core_start(tile, core, at);
    assert_int_equal(tsr_run_cycles(tile, 4 * LINES), TSR_END_TIMEOUT);
    return core_view(tile, core).retired;
}

enum way { UNTOUCHED, ENABLED, DISABLED, ONE_AT_A_TIME, LIMITED, WAYS };

static uint64_t retired_with(int arch, int core, enum way way)
{
    tsr_tile *tile = tile_with_cores(arch, true, TSR_PROFILE_SILICON);
    bool t_core = core >= TSR_CORE_T0 && core <= TSR_CORE_T2;
    uint32_t bit = t_core ? 1u << (core - TSR_CORE_T0) : 1;
    if (way == ENABLED || way == ONE_AT_A_TIME)
        write_field(tile, enables[core], bit);
    if (way == DISABLED) // all others
        write_field(tile, t_core ? enables[core] : "RISC_PREFETCH_CTRL_Enable_Trisc",
                    t_core ? 7 & ~bit : 7);
    if (way != UNTOUCHED && way != LIMITED)
        write_field(tile, "RISC_PREFETCH_CTRL_Max_Req_Count", way == ONE_AT_A_TIME ? 1 : 8);
    if (way == LIMITED)
        write_field(tile, ends[core], (core == TSR_CORE_B ? 0 : PLACE) + 16 * LINES / 2);
    uint64_t count = retired(tile, core);
    tsr_tile_destroy(tile);
    return count;
}

static void test_prefetch_fields(int arch)
{
    for (int core = TSR_CORE_B; core <= TSR_CORE_NC; core++) {
        uint64_t count[WAYS];
        for (int way = 0; way < WAYS; way++)
            count[way] = retired_with(arch, core, (enum way)way);
        assert_true(count[UNTOUCHED] > 4 * LINES - 12);
        assert_true(count[ENABLED] == count[UNTOUCHED]);
        assert_true(count[ONE_AT_A_TIME] < count[ENABLED]);
        assert_true(count[DISABLED] < count[ONE_AT_A_TIME]);
        assert_true(count[DISABLED] <= 4 * LINES / 3 + 4);
        assert_true(count[LIMITED] < count[ENABLED]);
        assert_true(count[LIMITED] > count[DISABLED]);
    }
}
TILE_BOTH(test_prefetch_fields)

static const char *const predictors[] = {
    "DISABLE_RISC_BP_Disable_main", "DISABLE_RISC_BP_Disable_trisc",
    "DISABLE_RISC_BP_Disable_trisc", "DISABLE_RISC_BP_Disable_trisc",
    "DISABLE_RISC_BP_Disable_ncrisc"};

// Rounds of a loop of two instructions that the core makes while `other` has no predictor.
static uint64_t rounds_without(int arch, int core, int other)
{
    tsr_tile *tile = tile_with_cores(arch, true, TSR_PROFILE_SILICON);
    bool t_core = other >= TSR_CORE_T0 && other <= TSR_CORE_T2;
    uint32_t at = core == TSR_CORE_B ? 0 : PLACE;
    write_field(tile, predictors[other], t_core ? 1u << (other - TSR_CORE_T0) : 1);
    struct code code = code_at(tile, at);
    code_spend(&code, 10000);
    core_start(tile, core, at);
    tsr_run_cycles(tile, 1024);
    uint64_t rounds = core_view(tile, core).x[A4];
    tsr_tile_destroy(tile);
    return rounds;
}

static void test_predictor_fields(int arch)
{
    uint64_t pass = arch == TSR_WORMHOLE_B0 ? 4 : 6; // the bubble of 2 or 4
    for (int core = TSR_CORE_B; core <= TSR_CORE_NC; core++)
        for (int other = TSR_CORE_B; other <= TSR_CORE_NC; other++) {
            uint64_t rounds = 1024 / (core == other ? pass : 2);
            assert_in_range(rounds_without(arch, core, other), rounds - 16, rounds);
        }
}
TILE_BOTH(test_predictor_fields)

int main(void)
{
    const struct CMUnitTest tests[] = {TILE_TEST(test_prefetch_fields),
                                       TILE_TEST(test_predictor_fields)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
