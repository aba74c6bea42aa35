// SPDX-License-Identifier: Apache-2.0
// Cores that the tile interprets, beside the coprocessor and each other: what they wait for, what
// wakes them, soft reset while they run, how runs end, and that no slicing changes anything.
// Pages: BabyRISCV/README.md, Mailboxes.md, PCBufs.md, TTSync.md, PushTensixInstruction.md,
// DebugInterface.md, SoftReset.md of each chip.
#include "rig/core_rig.h"
#include "rig/state_compare.h"

enum { T0_CODE = 0x6000, T1_CODE = 0xa000, T2_CODE = 0xe000, NC_CODE = 0x12000, DATA = 0x20000 };

static tsr_end run_for(tsr_tile *tile, uint64_t cycles)
{
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = cycles;
    return tsr_run(tile, &limits);
}

static void both_modes(int arch, void (*test)(int arch, bool timing))
{
    test(arch, false);
    test(arch, true);
}

// ---------------------------------------------------------------- alone

static void one_core(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_STRICT);
    struct code code = code_at(tile, 0);
    code_store(&code, DATA, 0x12345678);
    code_store(&code, AT_RAM + 0x100, 77);
    code_load(&code, A0, AT_RAM + 0x100);
    code_li(&code, A1, DATA);
    code_sw(&code, A0, A1, 4);
    code_end(&code);
    assert_int_equal(run_for(tile, 1000), TSR_END_IDLE);
    assert_int_equal(tsr_cycle(tile), 0); // held in reset
    core_start(tile, TSR_CORE_B, 0);
    assert_true(tsr_has_work(tile));
    assert_int_equal(run_for(tile, 3000), TSR_END_IDLE);
    assert_false(tsr_has_work(tile));
    assert_int_equal(tile_l1(tile, DATA), 0x12345678);
    assert_int_equal(tile_l1(tile, DATA + 4), 77);
    assert_int_equal(core_view(tile, TSR_CORE_B).rest, TSR_CORE_ENDED);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}

static void test_one_core(int arch)
{
    both_modes(arch, one_core);
}
TILE_BOTH(test_one_core)

static void clock_moves(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_STRICT);
    struct code code = code_at(tile, 0);
    code_load(&code, A0, AT_WALL_CLOCK);
    code_spend(&code, 500);
    code_load(&code, A1, AT_WALL_CLOCK);
    code_put(&code, rv_i(RISCV_EBREAK, 0, 0, 1));
    core_start(tile, TSR_CORE_B, 0);
    assert_int_equal(run_for(tile, 100000), TSR_END_IDLE);
    tsr_core_state view = core_view(tile, TSR_CORE_B);
    assert_int_equal(view.rest, TSR_CORE_PAUSED);
    assert_in_range(view.x[A1] - view.x[A0], 1000, 1000 + 20);
    assert_int_equal(view.retired, 3 + 4 + 1000 + 3 + 1);
    tsr_tile_destroy(tile);
}

static void test_clock(int arch)
{
    both_modes(arch, clock_moves);
}
TILE_BOTH(test_clock)

// Core B loads the clock without a call, a T core by the bus: both see the same, the upper half as
// it was when the lower one was loaded, and narrower loads their part.
static void clock_views(int arch, bool timing)
{
    tsr_core_state view[2];
    for (int i = 0; i < 2; i++) {
        tsr_core core = i ? TSR_CORE_T0 : TSR_CORE_B;
        tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_STRICT);
        tile_state(tile)->now = timing ? 0x1ffffffd0ull : 0x1fffffff8ull;
        struct code code = code_at(tile, 0);
        code_li(&code, A4, AT_WALL_CLOCK);
        code_lw(&code, A0, A4, 0);
        code_spend(&code, timing ? 30 : 10);
        code_li(&code, A4, AT_WALL_CLOCK);
        code_lw(&code, A1, A4, 4);
        code_lw(&code, A2, A4, 8);
        code_lw(&code, A3, A4, 0);
        code_lw(&code, A5, A4, 8);
        code_put(&code, rv_i(RISCV_LHU, RA, A4, 2));
        code_put(&code, rv_i(RISCV_EBREAK, 0, 0, 1));
        core_start(tile, core, 0);
        assert_int_equal(run_for(tile, 100000), TSR_END_IDLE);
        view[i] = core_view(tile, core);
        tsr_tile_destroy(tile);
    }
    if (timing)
        assert_in_range(view[0].x[A0], 0xffffffd0u, 0xffffffffu);
    else
        assert_int_equal(view[0].x[A0], 0xfffffff8u + 2);
    assert_int_equal(view[0].x[A1], 2);
    assert_int_equal(view[0].x[A2], 1);
    assert_in_range(view[0].x[A3], 12, 60);
    assert_int_equal(view[0].x[A5], 2);
    assert_memory_equal(view[0].x, view[1].x, sizeof view[0].x);
}

static void test_clock_views(int arch)
{
    both_modes(arch, clock_views);
}
TILE_BOTH(test_clock_views)

// ---------------------------------------------------------------- with the coprocessor

// More words than the FIFO takes, and a wait for the last of them.
static void pushes(int arch, bool timing)
{
    enum { ROUNDS = 200 };
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_STRICT);
    for (int thread = 0; thread < 3; thread++) {
        struct code code = code_at(tile, T0_CODE + 0x4000u * (uint32_t)thread);
        code_li(&code, A0, 0);
        code_li(&code, A1, ROUNDS);
        code_li(&code, A2, AT_PUSH);
        code_li(&code, A3,
                tile_word(tile, "ADDDMAREG OpBisConst=1 ResultRegIndex=3 "
                                "OpBRegIndex=1 OpARegIndex=3"));
        code_push(&code, "SETDMAREG Payload_SigSel=0 RegIndex16b=6");
        code_push(&code, "SETDMAREG Payload_SigSel=0 RegIndex16b=7");
        uint32_t loop = code.at;
        code_sw(&code, A3, A2, 0);
        code_addi(&code, A0, A0, 1);
        code_branch(&code, RISCV_BNE, A0, A1, loop);
        code_li(&code, A2, AT_TTSYNC);
        code_lw(&code, A0, A2, 0);
        code_load(&code, A1, 0xffe00000u + 4 * 3);
        code_end(&code);
        core_start(tile, TSR_CORE_T0 + thread, T0_CODE + 0x4000u * (uint32_t)thread);
    }
    assert_int_equal(run_for(tile, 100000), TSR_END_IDLE);
    for (int thread = 0; thread < 3; thread++) {
        assert_int_equal(core_view(tile, TSR_CORE_T0 + thread).x[A1], ROUNDS);
        assert_int_equal(tile_gpr(tile, thread, 3), ROUNDS);
    }
    tsr_tile_destroy(tile);
}

static void test_pushes(int arch)
{
    both_modes(arch, pushes);
}
TILE_BOTH(test_pushes)

// Core B waits for the T core to wait, and for its thread.
static void pc_buffer(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_STRICT);
    struct code code = code_at(tile, 0);
    for (uint32_t i = 0; i < 20; i++) // more than it holds
        code_store(&code, AT_PC_BUFFER, 100 + i);
    code_load(&code, A0, AT_PC_BUFFER);
    code_load(&code, A1, DATA);
    code_end(&code);
    code = code_at(tile, T0_CODE);
    code_spend(&code, 300);
    code_li(&code, A0, 0);
    code_li(&code, A1, 20);
    code_li(&code, A2, AT_PC_BUFFER);
    code_li(&code, A4, DATA);
    uint32_t loop = code.at;
    code_lw(&code, A3, A2, 0);
    code_put(&code, rv_r(RISCV_ADD, A0, A0, A3));
    code_addi(&code, A1, A1, -1);
    code_branch(&code, RISCV_BNE, A1, ZERO, loop);
    code_sw(&code, A0, A4, 0);
    code_lw(&code, A3, A2, 0); // for ever
    code_end(&code);
    core_start(tile, TSR_CORE_B, 0);
    core_start(tile, TSR_CORE_T0, T0_CODE);
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = 10000;
    limits.external = true;
    limits.until_address = DATA;
    limits.until_value = 100 * 20 + 190;
    limits.until_mask = ~0u;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_UNTIL);
    limits.until_mask = 0;
    limits.max_cycles = 0;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    assert_int_equal(core_view(tile, TSR_CORE_B).x[A1], 100 * 20 + 190);
    tsr_core_state view = core_view(tile, TSR_CORE_T0);
    assert_int_equal(view.rest, TSR_CORE_BLOCKED);
    assert_int_equal(view.waits_at, AT_PC_BUFFER);
    assert_false(view.waits_to_store);
    tsr_wait waits[4];
    assert_int_equal(tsr_waits(tile, waits, 4), 1);
    assert_string_equal(waits[0].who, "core T0");
    assert_int_equal(waits[0].core, TSR_CORE_T0);
    assert_int_equal(waits[0].unit, -1);
    assert_int_equal(waits[0].thread, -1);
    assert_non_null(strstr(waits[0].what, "0xffe80000"));
    assert_non_null(strstr(waits[0].release, "core B"));
    limits.external = false;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_DEADLOCK);
    tile_says(tile, "instruction-deadlock", "core T0");
    tsr_tile_destroy(tile);
}

static void test_pc_buffer(int arch)
{
    both_modes(arch, pc_buffer);
}
TILE_BOTH(test_pc_buffer)

static void mailboxes(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_STRICT);
    struct code code = code_at(tile, T1_CODE); // T1 to T0
    for (uint32_t i = 0; i < 10; i++)
        code_store(&code, AT_MAILBOXES + 0x1000, i * i);
    code_end(&code);
    code = code_at(tile, T0_CODE); // from T1
    code_spend(&code, 100);
    code_li(&code, A0, 0);
    code_li(&code, A1, AT_MAILBOXES + 0x2000);
    for (int i = 0; i < 10; i++) {
        code_lw(&code, A2, A1, 0);
        code_put(&code, rv_r(RISCV_ADD, A0, A0, A2));
    }
    code_end(&code);
    core_start(tile, TSR_CORE_T0, T0_CODE);
    core_start(tile, TSR_CORE_T1, T1_CODE);
    assert_int_equal(run_for(tile, 10000), TSR_END_IDLE);
    assert_int_equal(core_view(tile, TSR_CORE_T0).x[A0], 285);
    tsr_tile_destroy(tile);
}

static void test_mailboxes(int arch)
{
    both_modes(arch, mailboxes);
}
TILE_BOTH(test_mailboxes)

// ---------------------------------------------------------------- polls

// NC waits for T2, T2 for B, B for nobody; each for long.
static void polls(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_STRICT);
    const uint8_t zeroes[64] = {0};
    assert_int_equal(tsr_l1_write(tile, DATA, zeroes, sizeof zeroes), TSR_OK);
    struct code code = code_at(tile, 0);
    code_spend(&code, 5000);
    code_store(&code, DATA, 1);
    code_end(&code);
    code = code_at(tile, T2_CODE);
    code_wait_for(&code, DATA, 1);
    code_spend(&code, 2000);
    code_store(&code, DATA + 4, 2);
    code_end(&code);
    code = code_at(tile, NC_CODE);
    code_wait_for(&code, DATA + 4, 2);
    code_load(&code, A0, AT_WALL_CLOCK);
    code_store(&code, DATA + 8, 3);
    code_end(&code);
    core_start(tile, TSR_CORE_NC, NC_CODE);
    core_start(tile, TSR_CORE_T2, T2_CODE);
    core_start(tile, TSR_CORE_B, 0);
    assert_int_equal(run_for(tile, 100000), TSR_END_IDLE);
    assert_int_equal(tile_l1(tile, DATA + 8), 3);
    tsr_core_state view = core_view(tile, TSR_CORE_NC);
    assert_in_range(view.x[A0], 13900, 14300);
    // The wait counts as if it had been executed.
    if (timing) // a load takes its time
        assert_in_range(view.retired, view.x[A0] / 6, view.x[A0]);
    else
        assert_in_range(view.retired, view.x[A0] - 130, view.x[A0] + 130);
    tsr_tile_destroy(tile);
}

static void test_polls(int arch)
{
    both_modes(arch, polls);
}
TILE_BOTH(test_polls)

// With timing on a loop that sleeps goes on in the cycle in which it would have if it had run.
static void test_sleep_is_exact(int arch)
{
    tsr_core_state asleep[2], awake[2];
    for (int delay = 100; delay < 140; delay++) {
        for (int kind = 0; kind < 2; kind++) {
            tsr_tile *tile = tile_with_cores(arch, true, TSR_PROFILE_STRICT);
            const uint8_t zeroes[64] = {0};
            assert_int_equal(tsr_l1_write(tile, DATA, zeroes, sizeof zeroes), TSR_OK);
            struct code code = code_at(tile, 0);
            code_spend(&code, 70);
            for (int i = 100; i < delay; i++)
                code_addi(&code, A0, A0, 1);
            code_store(&code, DATA, 1);
            code_end(&code);
            code = code_at(tile, T2_CODE);
            code_wait_for(&code, DATA, 1);
            code_load(&code, A0, AT_WALL_CLOCK);
            code_end(&code);
            core_start(tile, TSR_CORE_B, 0);
            core_start(tile, TSR_CORE_T2, T2_CODE);
            for (int cycle = 0; kind == 1 && cycle < 500; cycle++) {
                uint32_t value; // news for those that wait
                assert_int_equal(tsr_host_load(tile, AT_SOFT_RESET, &value, 4), TSR_OK);
                tsr_run_cycles(tile, 1);
            }
            assert_int_equal(run_for(tile, 1000), TSR_END_IDLE);
            for (int i = 0; i < 2; i++)
                (kind ? awake : asleep)[i] = core_view(tile, i ? TSR_CORE_T2 : TSR_CORE_B);
            tsr_tile_destroy(tile);
        }
        assert_int_equal(asleep[1].x[A0], awake[1].x[A0]);
        for (int i = 0; i < 2; i++)
            assert_int_equal(asleep[i].retired, awake[i].retired);
    }
}
TILE_BOTH(test_sleep_is_exact)

// A store between a loop's load and its jump is not lost, wherever it falls.
static void no_lost_wake(int arch, bool timing)
{
    for (uint32_t delay = 0; delay < 150; delay++) {
        tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_STRICT);
        const uint8_t zeroes[64] = {0};
        assert_int_equal(tsr_l1_write(tile, DATA, zeroes, sizeof zeroes), TSR_OK);
        struct code code = code_at(tile, T2_CODE);
        for (uint32_t i = 0; i < delay; i++)
            code_addi(&code, A0, A0, 1);
        code_store(&code, DATA, 1);
        code_end(&code);
        code = code_at(tile, 0);
        code_li(&code, A4, DATA);
        code_li(&code, A5, 1);
        uint32_t loop = code.at;
        code_lw(&code, A3, A4, 0);
        for (int i = 0; i < 9; i++)
            code_addi(&code, A2, A3, i);
        if (arch == BH)
            code_put(&code, 0x0000000f); // fence
        code_branch(&code, RISCV_BNE, A3, A5, loop);
        code_end(&code);
        core_start(tile, TSR_CORE_B, 0);
        core_start(tile, TSR_CORE_T2, T2_CODE);
        assert_int_equal(run_for(tile, 10000), TSR_END_IDLE);
        tsr_tile_destroy(tile);
    }
}

static void test_no_lost_wake(int arch)
{
    both_modes(arch, no_lost_wake);
}
TILE_BOTH(test_no_lost_wake)

static void poll_deadlock(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
    const uint8_t zeroes[64] = {0};
    assert_int_equal(tsr_l1_write(tile, DATA, zeroes, sizeof zeroes), TSR_OK);
    struct code code = code_at(tile, T0_CODE);
    code_wait_for(&code, DATA, 1);
    code_end(&code);
    code = code_at(tile, T1_CODE);
    code_wait_for(&code, AT_SEMAPHORES + 4 * 3, 1);
    code_end(&code);
    core_start(tile, TSR_CORE_T0, T0_CODE);
    core_start(tile, TSR_CORE_T1, T1_CODE);
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    tsr_wait waits[4];
    assert_int_equal(tsr_waits(tile, waits, 4), 2);
    assert_string_equal(waits[0].who, "core T0");
    assert_non_null(strstr(waits[0].what, "reads 0x00020000 again and again"));
    assert_non_null(strstr(waits[1].what, "semaphore 3"));
    // Time passes if somebody outside asks for it.
    uint64_t start = tsr_cycle(tile), retired = core_view(tile, TSR_CORE_T0).retired;
    assert_int_equal(tsr_run_cycles(tile, 6400), TSR_END_TIMEOUT);
    assert_int_equal(tsr_cycle(tile), start + 6400);
    uint64_t more = core_view(tile, TSR_CORE_T0).retired - retired;
    assert_in_range(more, timing ? 6400 / 6 : 6400 - 64, 6400);
    // A host ends one of the two waits.
    assert_int_equal(tsr_host_store(tile, DATA, 1, 4), TSR_OK);
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    assert_int_equal(core_view(tile, TSR_CORE_T0).rest, TSR_CORE_ENDED);
    limits.external = false;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_DEADLOCK);
    tile_says(tile, "instruction-deadlock", "core T1");
    tsr_tile_destroy(tile);
}

static void test_poll_deadlock(int arch)
{
    both_modes(arch, poll_deadlock);
}
TILE_BOTH(test_poll_deadlock)

// ---------------------------------------------------------------- soft reset

// B stops T0 in its loop and starts it again; NC puts itself into reset.
static void resets(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_STRICT);
    struct code code = code_at(tile, T0_CODE);
    code_li(&code, A1, DATA);
    uint32_t loop = code.at;
    code_addi(&code, A0, A0, 1);
    code_sw(&code, A0, A1, 0);
    code_jump(&code, loop);
    code = code_at(tile, NC_CODE);
    code_li(&code, A1, DATA);
    code_li(&code, A2, AT_SOFT_RESET);
    code_lw(&code, A3, A2, 0);
    code_li(&code, A4, 1u << 18);
    code_put(&code, rv_r(RISCV_OR, A3, A3, A4));
    code_sw(&code, A3, A2, 0);
    code_sw(&code, A2, A1, 4); // never
    code_end(&code);
    code = code_at(tile, 0);
    code_store(&code, DATA + 8, 1);
    code_li(&code, A0, AT_SOFT_RESET);
    code_spend(&code, 1000);
    code_lw(&code, A1, A0, 0);
    code_li(&code, A2, 1u << 12);
    code_put(&code, rv_r(RISCV_OR, A1, A1, A2));
    code_sw(&code, A1, A0, 0);
    code_li(&code, A2, DATA);
    code_lw(&code, A3, A2, 0);
    code_sw(&code, A3, A2, 12);
    code_spend(&code, 100);
    code_lw(&code, A3, A2, 0); // the same
    code_sw(&code, A3, A2, 16);
    code_li(&code, A2, ~(1u << 12));
    code_put(&code, rv_r(RISCV_AND, A1, A1, A2));
    code_sw(&code, A1, A0, 0);
    code_end(&code);
    core_start(tile, TSR_CORE_B, 0);
    core_start(tile, TSR_CORE_T0, T0_CODE);
    core_start(tile, TSR_CORE_NC, NC_CODE);
    assert_int_equal(run_for(tile, 2304), TSR_END_TIMEOUT);
    assert_true(core_view(tile, TSR_CORE_NC).in_reset);
    assert_false(core_view(tile, TSR_CORE_T0).in_reset);
    assert_in_range(tile_l1(tile, DATA + 12), 300, 700);
    assert_int_equal(tile_l1(tile, DATA + 12), tile_l1(tile, DATA + 16));
    assert_in_range(tile_l1(tile, DATA), 1, 100); // from 0 again
    uint8_t never[4];
    assert_int_equal(tsr_l1_read(tile, DATA + 4, never, 4), TSR_OK);
    assert_int_equal(never[0] | never[1] | never[2] | never[3], 0);
    assert_int_equal(tsr_core_hold(tile, TSR_CORE_T0), TSR_OK);
    assert_int_equal(run_for(tile, 1000), TSR_END_IDLE);
    tsr_tile_destroy(tile);
}

static void test_resets(int arch)
{
    both_modes(arch, resets);
}
TILE_BOTH(test_resets)

// Blackhole: the first access to the own RAM waits until it has been cleared, a word a cycle,
// unless the core's reset leaves it as it is.
static void test_cleared_ram(int arch)
{
    for (int core = TSR_CORE_B; core <= TSR_CORE_NC; core++)
        for (int kept = 0; kept <= (arch == TSR_BLACKHOLE_A0); kept++)
            for (int stores = 0; stores < 2; stores++) {
                bool t_core = core >= TSR_CORE_T0 && core <= TSR_CORE_T2;
                uint64_t words = arch == TSR_WORMHOLE_B0 || kept ? 0 : t_core ? 1024 : 2048;
                tsr_tile *tile = tile_with_cores(arch, true, TSR_PROFILE_SILICON);
                struct code code = code_at(tile, core == TSR_CORE_B ? 0 : T0_CODE);
                if (kept)
                    assert_int_equal(tsr_host_store(tile, 0xffb12224u, 0x3ff, 4), TSR_OK);
                core_start(tile, core, code.at);
                code_li(&code, A1, AT_RAM);
                if (stores)
                    code_sw(&code, A0, A1, 0);
                else
                    code_lw(&code, A0, A1, 0);
                code_end(&code);
                run_for(tile, words + 40);
                assert_true(core_view(tile, core).rest == TSR_CORE_ENDED);
                tsr_tile_reset(tile);
                tsr_tile_destroy(tile);
                if (words == 0)
                    continue;
                tile = tile_with_cores(arch, true, TSR_PROFILE_SILICON);
                code = code_at(tile, core == TSR_CORE_B ? 0 : T0_CODE);
                core_start(tile, core, code.at);
                code_li(&code, A1, AT_RAM);
                code_lw(&code, A0, A1, 0);
                code_end(&code);
                run_for(tile, words - 1);
                assert_int_equal(core_view(tile, core).retired, 2);
                tsr_tile_destroy(tile);
            }
}
TILE_BOTH(test_cleared_ram)

static void test_pc_snapshot(void **state)
{
    (void)state;
    static const uint32_t begin[5] = {0, 0x12000, 0x6000, 0xa000, 0xe000};
    tsr_tile *tile = tile_with_cores(BH, false, TSR_PROFILE_STRICT);
    assert_int_equal(tsr_host_store(tile, AT_SOFT_RESET, 0, 4), TSR_OK);
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t pc;
        assert_int_equal(tsr_host_store(tile, 0xffb13138u + 4 * i, 1, 4), TSR_OK); // read-only
        assert_int_equal(tsr_host_load(tile, 0xffb13138u + 4 * i, &pc, 4), TSR_OK);
        assert_int_equal(pc, begin[i]);
    }
    tsr_tile_destroy(tile);
}

// ---------------------------------------------------------------- findings

static void findings(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
    struct code code = code_at(tile, 0);
    code_li(&code, A1, DATA);
    uint32_t first = code.at;
    code_lw(&code, A0, A1, 0);
    code_lw(&code, A0, A1, 4);
    code_lw(&code, A0, ZERO, 0x7fc); // nothing there: zeroes, and nobody wrote them
    code_li(&code, A1, 0xffe00000u);
    code_lw(&code, A0, A1, 0);
    uint32_t hang = code.at + 8;
    code_load(&code, A0, 0xff000000u);
    core_start(tile, TSR_CORE_B, 0);
    assert_int_equal(run_for(tile, 1000), TSR_END_IDLE);
    assert_int_equal(tsr_diagnostic_count(tile), 5);
    for (int i = 0; i < 3; i++) {
        const tsr_diagnostic *found = tsr_diagnostic_at(tile, i);
        assert_string_equal(found->code, "uninitialised-l1");
        assert_int_equal(found->core, TSR_CORE_B);
        assert_true(found->has_pc);
        assert_int_equal(found->pc, first + 4 * (uint32_t)i);
        assert_int_equal(found->cycle, (timing ? 8 : 0) + 2 + i); // the first fetch
    }
    assert_string_equal(tsr_diagnostic_at(tile, 3)->code, "uninitialised-gpr");
    assert_string_equal(tsr_diagnostic_at(tile, 4)->code, "unmapped-address");
    assert_int_equal(tsr_diagnostic_at(tile, 4)->pc, hang);
    assert_int_equal(core_view(tile, TSR_CORE_B).rest, TSR_CORE_HUNG);
    tsr_tile_destroy(tile);
}

static void test_findings(int arch)
{
    both_modes(arch, findings);
}
TILE_BOTH(test_findings)

// ---------------------------------------------------------------- slicing

// Five cores that push, wait for each other and poll, for about 5000 cycles.
static tsr_tile *busy_tile(int arch, bool timing)
{
    tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
    const uint8_t zeroes[64] = {0};
    assert_int_equal(tsr_l1_write(tile, DATA, zeroes, sizeof zeroes), TSR_OK);
    struct code code = code_at(tile, 0);
    code_spend(&code, 150);
    for (uint32_t i = 0; i < 40; i++) {
        code_store(&code, AT_PC_BUFFER + 0x10000 * (i % 3), i);
        code_spend(&code, 1 + i * 7 % 50);
    }
    code_store(&code, DATA, 1);
    code_end(&code);
    for (uint32_t thread = 0; thread < 3; thread++) {
        code = code_at(tile, T0_CODE + 0x4000 * thread);
        code_li(&code, A0, AT_PC_BUFFER);
        code_li(&code, A1, 13);
        uint32_t loop = code.at;
        code_lw(&code, A2, A0, 0);
        for (uint32_t i = 0; i < 10 + 5 * thread; i++)
            code_push(&code, i % 3 ? "SEMPOST sem_sel=2" : "SEMGET sem_sel=2");
        code_li(&code, A3, AT_TTSYNC);
        code_lw(&code, A4, A3, 0);
        code_addi(&code, A1, A1, -1);
        code_branch(&code, RISCV_BNE, A1, ZERO, loop);
        code_wait_for(&code, DATA, 1);
        code_store(&code, DATA + 4 * (1 + thread), thread);
        code_end(&code);
        core_start(tile, TSR_CORE_T0 + (int)thread, T0_CODE + 0x4000 * thread);
    }
    code = code_at(tile, NC_CODE);
    code_wait_for(&code, DATA + 12, 2);
    code_load(&code, A0, AT_WALL_CLOCK);
    code_end(&code);
    core_start(tile, TSR_CORE_NC, NC_CODE);
    core_start(tile, TSR_CORE_B, 0);
    return tile;
}

static uint32_t below(uint32_t *random, uint32_t end)
{
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 16) % end;
}

static void slices(int arch, bool timing)
{
    uint32_t random = 7;
    tsr_tile *whole = busy_tile(arch, timing);
    assert_int_equal(run_for(whole, 100000), TSR_END_IDLE);
    for (int round = 0; round < 20; round++) {
        tsr_tile *tile = busy_tile(arch, timing);
        tsr_end end;
        do {
            tsr_limits limits = tsr_limits_default();
            uint32_t kind = below(&random, 4);
            limits.external = kind == 3;
            limits.max_words = kind == 1 ? 1 + below(&random, 9) : 0;
            if (kind == 0)
                limits.max_steps = 1 + below(&random, 20);
            else
                limits.max_cycles = 1 + below(&random, 300);
            end = kind == 2 && tsr_step(tile) ? TSR_END_TIMEOUT : tsr_run(tile, &limits);
        } while ((end == TSR_END_TIMEOUT || end == TSR_END_WORDS) && tsr_has_work(tile));
        // What external runs add is time in which nothing moves.
        tile_state(tile)->now = tile_state(whole)->now;
        const char *difference = tile_difference(whole, tile);
        if (difference)
            fail_msg("%s differs", difference);
        tsr_tile_destroy(tile);
    }
    tsr_tile_destroy(whole);
}

static void test_slices(int arch)
{
    both_modes(arch, slices);
}
TILE_BOTH(test_slices)

// A break may come in the middle of a quantum; going on leaves what a run without it does.
static void breaks(int arch, bool timing)
{
    tsr_tile *whole = busy_tile(arch, timing), *tile = busy_tile(arch, timing);
    assert_int_equal(run_for(whole, 100000), TSR_END_IDLE);
    uint64_t issued = tile_state(whole)->frontend[1].sequence;
    tsr_limits limits = tsr_limits_default();
    limits.break_thread = 1;
    for (uint64_t at = 1; at <= issued; at += 7) {
        limits.break_sequence = at;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
        assert_int_equal(tile_state(tile)->frontend[1].sequence, at - 1);
    }
    limits.break_thread = -1;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(tile_l1(tile, DATA + 4 * i), tile_l1(whole, DATA + 4 * i));
    for (int core = 0; core < 5; core++)
        assert_int_equal(core_view(tile, core).retired, core_view(whole, core).retired);
    assert_int_equal(tsr_cycle(tile), tsr_cycle(whole));
    tsr_tile_destroy(tile);
    tsr_tile_destroy(whole);
}

static void test_breaks(int arch)
{
    both_modes(arch, breaks);
}
TILE_BOTH(test_breaks)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_one_core),
        TILE_TEST(test_clock),
        TILE_TEST(test_clock_views),
        TILE_TEST(test_pushes),
        TILE_TEST(test_pc_buffer),
        TILE_TEST(test_mailboxes),
        TILE_TEST(test_polls),
        TILE_TEST(test_sleep_is_exact),
        TILE_TEST(test_no_lost_wake),
        TILE_TEST(test_poll_deadlock),
        TILE_TEST(test_resets),
        TILE_TEST(test_cleared_ram),
        TILE_TEST(test_findings),
        TILE_TEST(test_slices),
        cmocka_unit_test(test_pc_snapshot),
        TILE_TEST(test_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
