// SPDX-License-Identifier: Apache-2.0
// Loads of semaphores take a short way where nobody looks for races and timing is off. It gives
// what the address map gives, for every core, address and width, and where races are looked for it
// is not taken, so that who waits for a semaphore is known to. Pages: SyncUnit.md,
// BabyRISCV/README.md.
#include "rig/core_rig.h"

#define DATA 0x30000u
enum { LOADS_AT = 0x4000, STORES_AT = 0x6000, CORES = 4 };

static tsr_tile *tile_of(int arch, bool races)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.timing = false;
    options.profile = TSR_PROFILE_SILICON;
    options.cores = true;
    options.find_races = races;
    return tile_with(&options);
}

// A core that loads from there, semaphore 0 to 7 being 0 to 7, and how many findings there are.
static tsr_core_state after_load(int arch, bool races, int core, enum tsr_riscv_code load,
                                 uint32_t address, int *findings)
{
    tsr_tile *tile = tile_of(arch, races);
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t posts = 0; posts < i; posts++)
            assert_int_equal(tsr_store(tile, TSR_CORE_T0, AT_SEMAPHORES + 4 * i, 0, 4), TSR_OK);
    struct code code = code_at(tile, core == TSR_CORE_B ? 0 : LOADS_AT);
    code_li(&code, A4, address);
    code_put(&code, rv_i(load, A0, A4, 0));
    code_li(&code, A1, 9);
    code_end(&code);
    core_start(tile, core, core == TSR_CORE_B ? 0 : LOADS_AT);
    tsr_run_cycles(tile, 640);
    tsr_core_state state = core_view(tile, core);
    *findings = tsr_diagnostic_count(tile);
    tsr_tile_destroy(tile);
    return state;
}

static void test_same_as_the_address_map(int arch)
{
    static const enum tsr_riscv_code loads[] = {RISCV_LW, RISCV_LHU, RISCV_LB};
    for (int core = 0; core < CORES; core++)
        for (int load = 0; load < 3; load++)
            for (uint32_t at = 0; at < 40; at += at < 8 ? 1 : 4) {
                int told_a, told_b;
                uint32_t address = AT_SEMAPHORES + at;
                tsr_core_state a = after_load(arch, false, core, loads[load], address, &told_a);
                tsr_core_state b = after_load(arch, true, core, loads[load], address, &told_b);
                assert_int_equal(told_a, told_b);
                assert_memory_equal(a.x, b.x, sizeof a.x);
                assert_int_equal(a.rest, b.rest);
                assert_int_equal(a.pc, b.pc);
                assert_int_equal(a.retired, b.retired);
                if (core != TSR_CORE_B && load == 0 && at % 4 == 0 && at < 32)
                    assert_int_equal(a.x[A0], at / 4);
            }
}
TILE_BOTH(test_same_as_the_address_map)

// T0 stores and posts; T1 stores there, too, once it has seen the post, or at once.
static unsigned findings(int arch, bool waits)
{
    tsr_tile *tile = tile_of(arch, true);
    const uint8_t zeroes[64] = {0};
    assert_int_equal(tsr_l1_write(tile, DATA, zeroes, sizeof zeroes), TSR_OK);
    struct code code = code_at(tile, LOADS_AT);
    if (waits)
        code_wait_for(&code, AT_SEMAPHORES + 4, 1);
    code_store(&code, DATA, 78);
    code_end(&code);
    code = code_at(tile, STORES_AT);
    code_store(&code, DATA, 77);
    code_load(&code, A0, DATA);
    code_store(&code, AT_SEMAPHORES + 4, 0);
    code_end(&code);
    core_start(tile, TSR_CORE_T1, LOADS_AT);
    core_start(tile, TSR_CORE_T0, STORES_AT);
    tsr_run_cycles(tile, 6400);
    unsigned count = (unsigned)tsr_diagnostic_count(tile);
    tsr_tile_destroy(tile);
    return count;
}

static void test_races_know_it(int arch)
{
    assert_int_equal(findings(arch, true), 0);
    assert_true(findings(arch, false) > 0);
}
TILE_BOTH(test_races_know_it)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_same_as_the_address_map),
        TILE_TEST(test_races_know_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
