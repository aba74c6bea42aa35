// SPDX-License-Identifier: Apache-2.0
// How hosts boot kernels: core B serves commands that a host leaves in L1, sets the coprocessor up
// and lets the T cores go; or, on Blackhole, T0 does so. The host uses the public functions only.
// Pages: SoftReset.md, BabyRISCV/README.md, Mailboxes.md, TTSync.md of each chip,
// DebugTimestamper.md.
#include "rig/boot_kernels.h"

// ---------------------------------------------------------------- the host

static uint32_t host_word(tsr_tile *tile, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tsr_host_load(tile, address, &value, 4), TSR_OK);
    return value;
}

static void host_put(tsr_tile *tile, uint32_t address, uint32_t value)
{
    assert_int_equal(tsr_host_store(tile, address, value, 4), TSR_OK);
}

static void run_until(tsr_tile *tile, uint32_t address, uint32_t value)
{
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    limits.max_cycles = 100000;
    limits.until_address = address;
    limits.until_value = value;
    limits.until_mask = ~0u;
    tsr_end end = tsr_run(tile, &limits);
    for (int i = 0; end == TSR_END_STOPPED && i < tsr_diagnostic_count(tile); i++)
        print_error("%s\n", tsr_diagnostic_at(tile, i)->sentence);
    assert_int_equal(end, TSR_END_UNTIL);
}

static void set_reset_pcs(tsr_tile *tile, int arch)
{
    for (uint32_t i = 0; i < 3; i++)
        host_put(tile, arch == WH ? BOOT_STARTS + 4 * i : 0xffb12228u + 4 * i, boot_trisc_code[i]);
    if (arch == BH)
        host_put(tile, 0xffb12234u, 7);
}

static void check_results(tsr_tile *tile)
{
    for (uint32_t i = 0; i < 3; i++)
        run_until(tile, BOOT_MAILBOXES + 4 * i, 0xff);
    assert_int_equal(host_word(tile, BOOT_RESULTS), 3 + 107 + 5);
}

static void brisc_mode(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
    boot_write_brisc(tile, arch);
    boot_write_triscs(tile);
    host_put(tile, AT_SOFT_RESET, BOOT_HELD);
    set_reset_pcs(tile, arch);
    host_put(tile, AT_SOFT_RESET, BOOT_TRISCS | 1u << 18); // core B goes
    assert_int_equal(tsr_run_cycles(tile, 2000), TSR_END_TIMEOUT);
    for (uint32_t served = 0; served < 6; served += 2) {
        host_put(tile, BOOT_RESULTS, 0);
        host_put(tile, BOOT_COMMANDS + 4 * (served & 1),
                 arch == WH ? BOOT_NEW_STARTS : BOOT_START_TRISCS);
        run_until(tile, BOOT_DONE, served + 1);
        check_results(tile);
        assert_int_equal(host_word(tile, AT_SOFT_RESET), 1u << 18);
        host_put(tile, BOOT_COMMANDS + 4 * (~served & 1), BOOT_RESET_TRISCS);
        run_until(tile, BOOT_DONE, served + 2);
        assert_int_equal(host_word(tile, AT_SOFT_RESET), BOOT_TRISCS | 1u << 18);
    }
    assert_int_equal(core_view(tile, TSR_CORE_B).rest, TSR_CORE_RUNS);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}

static void test_brisc_mode(int arch)
{
    brisc_mode(arch, false);
    brisc_mode(arch, true);
}
TILE_BOTH(test_brisc_mode)

static void trisc_mode(bool timing)
{
    tsr_tile *tile = tile_with_cores(BH, timing, TSR_PROFILE_SILICON);
    boot_write_triscs(tile);
    boot_write_trisc0(tile);
    host_put(tile, 0xffb12234u, 6); // T1, T2
    host_put(tile, 0xffb1222cu, boot_trisc_code[1]);
    host_put(tile, 0xffb12230u, boot_trisc_code[2]);
    host_put(tile, AT_SOFT_RESET, BOOT_HELD & ~(1u << 12));
    check_results(tile);
    assert_int_equal(host_word(tile, AT_SOFT_RESET), 1u << 11 | 1u << 18);
    tsr_tile_destroy(tile);
}

static void test_trisc_mode(void **state)
{
    (void)state;
    trisc_mode(false);
    trisc_mode(true);
}

// A failed assertion of a kernel is an ebreak: the core pauses, and the host sees where.
static void test_assertion(int arch)
{
    tsr_tile *tile = tile_with_cores(arch, false, TSR_PROFILE_SILICON);
    struct code code = code_at(tile, 0xa000);
    code_li(&code, A0, 5);
    uint32_t place = code.at;
    code_put(&code, rv_i(RISCV_EBREAK, 0, 0, 1));
    code_store(&code, BOOT_RESULTS, 1);
    code_end(&code);
    core_start(tile, TSR_CORE_T1, 0xa000);
    assert_int_equal(tsr_run(tile, NULL), TSR_END_IDLE);
    assert_int_equal(core_view(tile, TSR_CORE_T1).rest, TSR_CORE_PAUSED);
    assert_int_equal(core_view(tile, TSR_CORE_T1).pc, place + 4);
    core_start(tile, TSR_CORE_T1, place + 4); // soft reset is the way out
    assert_int_equal(tsr_run(tile, NULL), TSR_END_IDLE);
    assert_int_equal(core_view(tile, TSR_CORE_T1).rest, TSR_CORE_ENDED);
    assert_int_equal(host_word(tile, BOOT_RESULTS), 1);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_assertion)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_brisc_mode),
        cmocka_unit_test(test_trisc_mode),
        TILE_TEST(test_assertion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
