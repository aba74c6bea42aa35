// SPDX-License-Identifier: Apache-2.0
// XMOV in its four directions, its rates, who waits for the mover, and its undefined points.
// The vendor's simulator refuses XMOV, so every expected value here is worked from the pages
// Mover.md, XMOV.md, BackendConfiguration.md and SoftReset.md; the derivations stand beside them.
#include "rig/mover_rig.h"
#include "state/config_access.h"

// ---------------------------------------------------------------- where bytes go

// Vector 1: Destination 0x2000, Source 0x1000, Buffer_size 5, direction 3. Mover() gets each number
// shifted left by 4: memcpy(0x20000, 0x10000, 0x50). Bytes at 0x20050 stay.
static void test_copy(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        fill(tile, FROM, 0x50);
        fill(tile, TO + 0x50, 0x10);
        moved(tile, L1_TO_L1, TO, FROM, 0x50);
        assert_true(same(tile, FROM, TO, 0x50));
        assert_int_equal(tile_l1(tile, TO + 0x50), 0x04030201);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_copy)

// Vector 2: direction 0 is memset(0x20000, 0, 0x30) whatever the source, which may lie anywhere.
static void test_zero_l1(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        fill(tile, TO, 0x40);
        moved(tile, ZERO_TO_L1, TO, 0xffff0000u, 0x30);
        for (uint32_t i = 0; i < 0x30; i += 4)
            assert_int_equal(tile_l1(tile, TO + i), 0);
        assert_int_equal(tile_l1(tile, TO + 0x30), 0x34333231);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_zero_l1)

// Vector 3: direction 1, target 0x120: the window of the configuration, word 0x120 / 4 = 72 of bank
// 0. Word 72 + i gets L1's word i, for 8 words; bank 1, which begins after banked_words words,
// starts at byte 4 * 188 = 752 on Wormhole and 4 * 224 = 896 on Blackhole, both multiples of 16.
static void test_copy_to_config(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        struct tsr_config *config = &tile_state(tile)->config;
        uint32_t bank1 = arch == WH ? 752 : 896;
        fill(tile, FROM, 0x40);
        moved(tile, L1_TO_OUTSIDE, 40 * 4, FROM, 0x20);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(config->bank[0][40 + i], tile_l1(tile, FROM + 4 * i));
            assert_int_equal(config->bank_written[0][40 + i], 0xffffffff);
            assert_int_equal(config->bank[1][40 + i], 0);
        }
        assert_int_equal(config->bank[0][48], 0);
        moved(tile, L1_TO_OUTSIDE, bank1 + 40 * 4, FROM + 0x20, 0x10);
        assert_int_equal(config->bank[1][40], 0x24232221);
        assert_int_equal(config->bank[1][43], 0x302f2e2d);
        assert_int_equal(config->bank[0][40], 0x04030201);
        // A word from the global base on exists once.
        unsigned global = tile_env(tile)->isa->layout.global_base;
        moved(tile, L1_TO_OUTSIDE, global * 4, FROM, 0x10);
        assert_int_equal(config->bank[1][global], 0x04030201);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_copy_to_config)

// Vector 4: direction 2 is memset(configuration, 0, count).
static void test_zero_config(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        for (unsigned i = 8; i < 20; i++)
            tsr_config_write(tile_env(tile), 0, i, 0xffffffff, 0xffffffff);
        moved(tile, ZERO_TO_OUTSIDE, 12 * 4, 0, 0x10);
        assert_int_equal(tile_state(tile)->config.bank[0][11], 0xffffffff);
        for (unsigned i = 12; i < 16; i++)
            assert_int_equal(tile_state(tile)->config.bank[0][i], 0);
        assert_int_equal(tile_state(tile)->config.bank[0][16], 0xffffffff);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_zero_config)

// A whole word to STATE_RESET_EN clears the words below the global base; the move goes on.
static void test_config_side_effect(int arch)
{
    tsr_tile *tile = tile_default(arch);
    unsigned reset = tile_env(tile)->isa->field[FIELD_STATE_RESET_EN].addr32;
    assert_int_equal(reset % 4, 0);
    fill(tile, FROM, 0x10);
    tsr_config_write(tile_env(tile), 0, 20, 77, 0xffffffff);
    moved(tile, L1_TO_OUTSIDE, reset * 4, FROM, 0x10);
    assert_int_equal(tile_state(tile)->config.bank[0][20], 0);
    assert_int_equal(tile_state(tile)->config.bank[0][reset], 0);
    assert_int_equal(tile_state(tile)->config.bank[0][reset + 3], 0x100f0e0d);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_config_side_effect)

// Blackhole's third copy, at 2 * 4 * 224 = 1792, writes both banks.
static void test_dual_write(void **state)
{
    (void)state;
    tsr_tile *tile = tile_default(BH);
    fill(tile, FROM, 0x10);
    moved(tile, L1_TO_OUTSIDE, 1792 + 40 * 4, FROM, 0x10);
    assert_int_equal(tile_state(tile)->config.bank[0][42], 0x0c0b0a09);
    assert_int_equal(tile_state(tile)->config.bank[1][42], 0x0c0b0a09);
    tsr_tile_destroy(tile);
}

// 0x40000 to 0x4ffff is core NC's instruction RAM on Wormhole, of 16 KiB; no page gives Blackhole
// one. Other addresses are nowhere, and the move still takes its time.
static void test_outside(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    const uint8_t *iram = tile_state(tile)->cores.iram;
    fill(tile, FROM, 0x40);
    moved(tile, L1_TO_OUTSIDE, iram_offset + 0x20, FROM, 0x20);
    assert_int_equal(iram[0x1f], 0);
    assert_int_equal(iram[0x20], arch == WH ? 1 : 0);
    assert_int_equal(iram[0x3f], arch == WH ? 0x20 : 0);
    assert_int_equal(iram[0x40], 0);
    assert_int_equal(tile_found(tile, "undocumented-mode") != NULL, arch == BH);
    tsr_tile_reset(tile);
    fill(tile, FROM, 0x40);
    moved(tile, L1_TO_OUTSIDE, iram_offset + TSR_IRAM_BYTES - 0x10, FROM, 0x20);
    assert_int_equal(iram[TSR_IRAM_BYTES - 1], arch == WH ? 0x10 : 0);
    moved(tile, ZERO_TO_OUTSIDE, iram_offset + TSR_IRAM_BYTES - 0x10, 0, 0x10);
    assert_int_equal(iram[TSR_IRAM_BYTES - 1], 0);
    tsr_tile_reset(tile);
    fill(tile, FROM, 0x80);
    assert_int_equal(moved(tile, L1_TO_OUTSIDE, 0x20000, FROM, 0x80), 11);
    assert_int_equal(moved(tile, ZERO_TO_OUTSIDE, 0x50000, 0, 0x80), 8);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_outside)

// Fields come from the bank of the thread's state ID, and only 16 bits of the size count.
static void test_fields(int arch)
{
    tsr_tile *tile = tile_default(arch);
    fill(tile, FROM, 0x40);
    move_fields(tile, 0, L1_TO_L1, TO, FROM, 0x10);
    move_fields(tile, 1, L1_TO_L1, TO + 0x100, FROM + 0x10, 0x20);
    tile_field(tile, 1, FIELD_THCON_SEC0_REG6_Buffer_size, 0x30002);
    tile_field(tile, 2, FIELD_CFG_STATE_ID_StateID, 1);
    tile_do(tile, 2, "XMOV");
    assert_true(same(tile, FROM + 0x10, TO + 0x100, 0x20));
    assert_false(tile_state(tile)->l1.written[(TO + 0x120) / 16]);
    assert_false(tile_state(tile)->l1.written[TO / 16]);
    tile_do(tile, 1, "XMOV");
    assert_true(same(tile, FROM, TO, 0x10));
    // The shift drops what does not fit 32 bits: 0xf0001000 << 4 is 0x00010000.
    tile_field(tile, 0, FIELD_THCON_SEC0_REG6_Source_address, 0xf0001000u);
    tile_field(tile, 0, FIELD_THCON_SEC0_REG6_Destination_address, (TO + 0x200) / 16);
    tile_do(tile, 0, "XMOV");
    assert_true(same(tile, FROM, TO + 0x200, 0x10));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_fields)

// ---------------------------------------------------------------- rates

// Mover.md: eight reads and eight writes of 128 bits every 11 cycles; zeroes 128 bits a cycle.
static void test_rates(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    fill(tile, FROM, 0x1000);
    assert_int_equal(moved(tile, L1_TO_L1, TO, FROM, 8 * 16), 11);
    assert_int_equal(moved(tile, L1_TO_L1, TO, FROM, 256 * 16), 352);
    assert_int_equal(moved(tile, L1_TO_L1, TO, FROM, 16), 2);     // 11/8, in whole cycles
    assert_int_equal(moved(tile, L1_TO_L1, TO, FROM, 3 * 16), 5); // 33/8
    assert_int_equal(moved(tile, L1_TO_OUTSIDE, 0, FROM, 8 * 16), 11);
    assert_int_equal(moved(tile, ZERO_TO_L1, TO, 0, 8 * 16), 8);
    assert_int_equal(moved(tile, ZERO_TO_L1, TO, 0, 0xffff0), 0xffff);
    assert_int_equal(moved(tile, ZERO_TO_OUTSIDE, 0, 0, 8 * 16), 8);
    assert_int_equal(moved(tile, L1_TO_L1, TO, FROM, 0), 1); // XMOV's own cycle
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_rates)

// The thread stands at the gate until the mover can start; then XMOV takes a cycle.
static void test_second_xmov_waits(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    tsr_run_report report;
    fill(tile, FROM, 0x100);
    move_fields(tile, 0, L1_TO_L1, TO, FROM, 16 * 16);
    tile_push(tile, 0, "XMOV");
    tile_push(tile, 0, "XMOV");
    tile_idle(tile);
    tsr_get_report(tile, &report);
    // XMOV of 22 cycles is accepted at a cycle, the next is ready one later and waits 21.
    assert_int_equal(report.waited[0][TSR_REASON_UNIT_FULL], 21);
    assert_int_equal(report.unit_busy[TSR_UNIT_MOVER], 44);
    assert_int_equal(report.unit_instructions[TSR_UNIT_MOVER], 2);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_second_xmov_waits)

// STALLWAIT with the mover's condition (bit 12, Blackhole 9) holds until the mover has finished,
// whoever asked; CoprocessorDoneCheck does not, for XMOV itself is done.
static void test_who_waits(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    const struct tsr_state *state = tile_state(tile);
    fill(tile, FROM, 0x200);
    move_fields(tile, 0, L1_TO_L1, TO, FROM, 32 * 16); // 44 cycles
    tile_push(tile, 0, "XMOV");
    while (!state->mover.busy)
        assert_true(tsr_step(tile));
    uint64_t end = state->mover.until;
    assert_int_equal(end - state->mover.started, 44);
    tile_push(tile, 1,
              arch == WH ? "STALLWAIT stall_res=2 wait_res=4096"
                         : "STALLWAIT stall_res=2 wait_res=512");
    tile_push(tile, 1, "SEMPOST sem_sel=1");
    while (!tsr_thread_drained(tile, 0))
        assert_true(tsr_step(tile));
    assert_true(state->mover.busy);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + 0x14) & 1, 1);
    assert_int_equal(get(tile, TSR_CORE_T0, 0xffe80004u), 0);
    uint64_t posted = 0;
    while (state->sync.semaphore[0].value == 0) {
        posted = state->now;
        assert_true(tsr_step(tile));
    }
    assert_int_equal(posted, end + 1); // the gate's cycle of lag
    assert_int_equal(get(tile, TSR_CORE_B, tdma + 0x14) & 1, 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_who_waits)

// ---------------------------------------------------------------- undefined points

static tsr_tile *reported(int arch, const char *code)
{
    tsr_tile *tile = tile_default(arch);
    assert_int_equal(tsr_tile_set_policy(tile, code, TSR_ACTION_RECORD), TSR_OK);
    fill(tile, FROM, 0x100);
    return tile;
}

static void assert_reported(tsr_tile *tile, const char *code)
{
    const tsr_diagnostic *found = tile_found(tile, code);
    assert_non_null(found);
    assert_memory_equal(found->instruction, "XMOV", 4);
    assert_int_equal(tsr_diagnostic_count(tile), 1);
    tsr_tile_destroy(tile);
}

static void test_halts(int arch)
{
    tsr_tile *tile = tile_default(arch);
    move_fields(tile, 0, L1_TO_L1, TO, FROM, 0x20);
    tile_push(tile, 0, "XMOV");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(strstr(tile_found(tile, "uninitialised-l1")->sentence, "0x10000"));
    assert_false(tile_state(tile)->l1.written[TO / 16]);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_halts)

static void test_past_l1(int arch)
{
    uint32_t size = (uint32_t)tsr_l1_size((tsr_arch)arch);
    tsr_tile *tile = reported(arch, "l1-out-of-range");
    moved(tile, L1_TO_L1, size - 0x10, FROM, 0x20); // the second line is dropped
    assert_int_equal(tile_l1(tile, size - 0x10), 0x04030201);
    assert_int_equal(tile_state(tile)->l1.tainted[(size - 0x10) / 16], 0xffff);
    assert_reported(tile, "l1-out-of-range");
    tile = reported(arch, "l1-out-of-range");
    fill(tile, size - 0x10, 0x10);
    moved(tile, L1_TO_L1, TO, size - 0x10, 0x20);
    assert_int_equal(tile_l1(tile, TO), 0x04030201);
    assert_int_equal(tile_l1(tile, TO + 0x10), 0);
    assert_reported(tile, "l1-out-of-range");
    for (int way = ZERO_TO_L1; way <= L1_TO_L1; way++) { // where it begins, whatever its length
        tile = reported(arch, "l1-out-of-range");
        bool to_l1 = way == ZERO_TO_L1 || way == L1_TO_L1;
        moved(tile, way, to_l1 ? size : 0, way == L1_TO_OUTSIDE ? size : FROM, 0);
        assert_int_equal(tsr_diagnostic_count(tile), way != ZERO_TO_OUTSIDE);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_past_l1)

// Source 0x10000, target 0x10010: line by line from the first, line 0 goes everywhere.
static void test_overlap(int arch)
{
    tsr_tile *tile = reported(arch, "mover-overlap");
    moved(tile, L1_TO_L1, FROM + 0x10, FROM, 0x30);
    for (uint32_t line = 1; line <= 3; line++)
        assert_true(same(tile, FROM, FROM + 0x10 * line, 0x10));
    assert_int_equal(tile_state(tile)->l1.tainted[FROM / 16 + 3], 0xffff);
    assert_reported(tile, "mover-overlap");
    tile = reported(arch, "mover-overlap");
    moved(tile, L1_TO_L1, FROM + 0x30, FROM, 0x30); // side by side is no overlap
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    moved(tile, L1_TO_L1, FROM, FROM + 0x10, 0x20); // downwards nothing is lost
    assert_int_equal(tile_l1(tile, FROM), 0x14131211);
    assert_int_equal(tile_l1(tile, FROM + 0x10), 0x24232221);
    assert_reported(tile, "mover-overlap");
}
TILE_BOTH(test_overlap)

// The configuration's window has 0x10000 bytes; a move may not leave it. Where the window has no
// word that can be written, from the threads' words on, writes are left out.
static void test_config_range(int arch)
{
    tsr_tile *tile = reported(arch, "mover-range");
    tsr_tile_set_policy(tile, "config-index", TSR_ACTION_RECORD);
    moved(tile, ZERO_TO_OUTSIDE, 0xfff0, 0, 0x20);
    assert_non_null(tile_found(tile, "config-index"));
    assert_non_null(tile_found(tile, "mover-range"));
    tsr_tile_destroy(tile);
    tile = reported(arch, "mover-range");
    tsr_tile_set_policy(tile, "unpredictable", TSR_ACTION_RECORD);
    tsr_l1_mark_written(tile, FROM, 0x20);
    moved(tile, L1_TO_OUTSIDE, iram_offset + 0xfff0, FROM, 0x20);
    assert_non_null(tile_found(tile, "mover-range"));
    assert_int_equal(tile_state(tile)->cores.iram[0], 0);
    tsr_tile_destroy(tile);

    tile = reported(arch, "config-index");
    uint32_t threads = 4u * tile_env(tile)->isa->layout.banked_words * (arch == WH ? 2 : 3);
    moved(tile, L1_TO_OUTSIDE, threads - 0x10, FROM, 0x20);
    unsigned last = tile_env(tile)->isa->layout.banked_words - 1u;
    assert_int_equal(tile_state(tile)->config.bank[1][last], 0x100f0e0d);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(tile_state(tile)->config.thread[0][i], 0);
    assert_reported(tile, "config-index");
}
TILE_BOTH(test_config_range)

// Taint goes along a copy within L1, byte by byte, and is reported on its way to configuration.
static void test_taint(int arch)
{
    tsr_tile *tile = reported(arch, "tainted-datum-used");
    tsr_l1_mark(&tile_state(tile)->l1, FROM + 2, 1, true);
    moved(tile, L1_TO_L1, TO, FROM, 0x20);
    assert_int_equal(tile_state(tile)->l1.tainted[TO / 16], 1u << 2);
    assert_int_equal(tile_state(tile)->l1.tainted[TO / 16 + 1], 0);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    moved(tile, ZERO_TO_L1, TO, FROM, 0x20);
    assert_int_equal(tile_state(tile)->l1.tainted[TO / 16], 0);
    moved(tile, L1_TO_OUTSIDE, 0, FROM, 0x20);
    assert_reported(tile, "tainted-datum-used");
}
TILE_BOTH(test_taint)

// The page writes TT_XMOV(0, 0).
static void test_operands(int arch)
{
    tsr_tile *tile = reported(arch, "undocumented-mode");
    move_fields(tile, 0, L1_TO_L1, TO, FROM, 0x10);
    tile_do(tile, 0, "XMOV Mov_block_selection=1");
    assert_true(same(tile, FROM, TO, 0x10));
    assert_non_null(tile_found(tile, "undocumented-mode"));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_operands)

// ---------------------------------------------------------------- soft reset

static void test_soft_reset(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    fill(tile, FROM, 0x100);
    move_fields(tile, 0, L1_TO_L1, TO, FROM, 0x100);
    tile_push(tile, 0, "XMOV");
    while (!tile_state(tile)->mover.busy)
        assert_true(tsr_step(tile));
    put(tile, TSR_CORE_B, debug_regs + 0x1b0, 1u << 6);
    assert_false(tile_state(tile)->mover.busy);
    assert_int_equal(get(tile, TSR_CORE_B, tdma + 0x14) & 1, 0);
    tile_idle(tile);
    uint64_t before = tsr_cycle(tile);
    move_fields(tile, 0, L1_TO_L1, TO + 0x1000, FROM, 0x100);
    tile_do(tile, 0, "XMOV");                         // discarded
    put(tile, TSR_CORE_T1, tdma + 0x10, 0xc2001040u); // and so is a command
    tile_idle(tile);
    assert_true(tsr_cycle(tile) < before + 8);
    assert_false(tile_state(tile)->l1.written[(TO + 0x1000) / 16]);
    put(tile, TSR_CORE_B, debug_regs + 0x1b0, 0);
    tile_do(tile, 0, "XMOV");
    assert_true(same(tile, FROM, TO + 0x1000, 0x100));
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_soft_reset)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_copy),
        TILE_TEST(test_zero_l1),
        TILE_TEST(test_copy_to_config),
        TILE_TEST(test_zero_config),
        TILE_TEST(test_config_side_effect),
        cmocka_unit_test(test_dual_write),
        TILE_TEST(test_outside),
        TILE_TEST(test_fields),
        TILE_TEST(test_rates),
        TILE_TEST(test_second_xmov_waits),
        TILE_TEST(test_who_waits),
        TILE_TEST(test_halts),
        TILE_TEST(test_past_l1),
        TILE_TEST(test_overlap),
        TILE_TEST(test_config_range),
        TILE_TEST(test_taint),
        TILE_TEST(test_operands),
        TILE_TEST(test_soft_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
