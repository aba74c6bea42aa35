// SPDX-License-Identifier: Apache-2.0
// With timing off a loop that waits is not run again as long as the bytes in memory that it loads
// stay as they are. Whatever it loads, it wakes when they change, and it and the others have
// executed as many instructions as if each quantum had been a run of its own, in which every load
// of the loop happens. Page: BabyRISCV/README.md.
#include "rig/core_rig.h"

#define DATA 0x30000u
enum { WAITS = 0x4000, CHANGES = 0x6000, QUANTUM = 64 };

enum loop { ONE_LOAD, TWO_LOADS, ADDRESS_INSIDE, A_BYTE, JUMPS_INSIDE, MAILBOX_TOO, LOOPS };

// Waits for 1 in A3, whatever else it loads.
static void put_loop(struct code *code, enum loop loop)
{
    code_li(code, A4, DATA);
    code_li(code, A5, 1);
    code_li(code, A2, AT_MAILBOXES + 4); // is there a word from B?
    uint32_t top = code->at;
    if (loop == TWO_LOADS)
        code_lw(code, A1, A4, 64);
    if (loop == ADDRESS_INSIDE)
        code_li(code, A4, DATA);
    if (loop == JUMPS_INSIDE) {
        code_lw(code, A0, A4, 64);
        code_branch(code, RISCV_BEQ, A0, ZERO, code->at + 8);
        code_lw(code, A1, A4, 128);
    }
    if (loop == MAILBOX_TOO)
        code_lw(code, A1, A2, 0);
    code_put(code, rv_i(loop == A_BYTE ? RISCV_LBU : RISCV_LW, A3, A4, 0));
    code_branch(code, RISCV_BNE, A3, A5, top);
    code_li(code, A0, 77);
    code_end(code);
}

// Core B computes for long, stores what does not matter, what the loop loads, and what it waits
// for. T2 computes on.
static tsr_tile *waiting(int arch, enum loop loop, uint32_t delay)
{
    tsr_tile *tile = tile_with_cores(arch, false, TSR_PROFILE_STRICT);
    const uint8_t zeroes[256] = {0};
    assert_int_equal(tsr_l1_write(tile, DATA, zeroes, sizeof zeroes), TSR_OK);
    struct code code = code_at(tile, WAITS);
    put_loop(&code, loop);
    code = code_at(tile, 0);
    code_spend(&code, 500);
    for (uint32_t i = 0; i < delay; i++)
        code_addi(&code, A0, A0, 1);
    code_store(&code, DATA + 0x1000, 5);
    code_spend(&code, 300);
    code_store(&code, DATA + 64, 9);
    code_spend(&code, 300);
    code_store(&code, DATA + 64, 0);
    code_spend(&code, 100);
    code_store(&code, DATA, 1);
    code_end(&code);
    code = code_at(tile, CHANGES);
    code_spend(&code, 3000);
    code_end(&code);
    core_start(tile, TSR_CORE_T0, WAITS);
    core_start(tile, TSR_CORE_T2, CHANGES);
    core_start(tile, TSR_CORE_B, 0);
    return tile;
}

static void test_same_as_quanta(int arch)
{
    for (int loop = 0; loop < LOOPS; loop++)
        for (uint32_t delay = 0; delay < 64; delay += 7) {
            tsr_tile *whole = waiting(arch, (enum loop)loop, delay);
            tsr_tile *cut = waiting(arch, (enum loop)loop, delay);
            tsr_limits limits = tsr_limits_default();
            limits.max_cycles = 20000;
            assert_int_equal(tsr_run(whole, &limits), TSR_END_IDLE);
            for (int i = 0; tsr_has_work(cut) && i < 1000; i++) {
                uint32_t value; // news for all that wait
                assert_int_equal(tsr_host_load(cut, AT_SOFT_RESET, &value, 4), TSR_OK);
                tsr_run_cycles(cut, QUANTUM);
            }
            assert_int_equal(core_view(whole, TSR_CORE_T0).x[A0], 77);
            for (int core = TSR_CORE_B; core <= TSR_CORE_T2; core++) {
                tsr_core_state a = core_view(whole, core), b = core_view(cut, core);
                assert_int_equal(a.retired, b.retired);
                assert_int_equal(a.rest, b.rest);
                assert_memory_equal(a.x, b.x, sizeof a.x);
            }
            tsr_tile_destroy(whole);
            tsr_tile_destroy(cut);
        }
}
TILE_BOTH(test_same_as_quanta)

// A host writes the loop's own jump, while the loop sleeps.
static void test_code_changes(int arch)
{
    tsr_tile *tile = tile_with_cores(arch, false, TSR_PROFILE_STRICT);
    const uint8_t zeroes[64] = {0};
    assert_int_equal(tsr_l1_write(tile, DATA, zeroes, sizeof zeroes), TSR_OK);
    struct code code = code_at(tile, WAITS);
    code_li(&code, A4, DATA);
    uint32_t top = code.at;
    code_lw(&code, A3, A4, 0);
    code_branch(&code, RISCV_BEQ, A3, ZERO, top);
    code_li(&code, A0, 77);
    code_end(&code);
    core_start(tile, TSR_CORE_T0, WAITS);
    tsr_run_cycles(tile, 640);
    assert_int_equal(core_view(tile, TSR_CORE_T0).rest, TSR_CORE_POLLS);
    assert_int_equal(tsr_host_store(tile, top + 4, rv_i(RISCV_ADDI, ZERO, ZERO, 0), 4), TSR_OK);
    tsr_run_cycles(tile, 640);
    assert_int_equal(core_view(tile, TSR_CORE_T0).x[A0], 77);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_code_changes)

// The core's reset forgets what its loop has loaded.
static void test_reset(int arch)
{
    tsr_tile *tile = waiting(arch, ONE_LOAD, 0);
    tsr_run_cycles(tile, 640);
    assert_int_equal(core_view(tile, TSR_CORE_T0).rest, TSR_CORE_POLLS);
    core_start(tile, TSR_CORE_T0, CHANGES);
    tsr_run_cycles(tile, 640);
    assert_int_equal(core_view(tile, TSR_CORE_T0).rest, TSR_CORE_RUNS);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_reset)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_same_as_quanta),
        TILE_TEST(test_code_changes),
        TILE_TEST(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
