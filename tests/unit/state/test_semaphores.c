// SPDX-License-Identifier: Apache-2.0
// Semaphores and waits on both chips: several at once, both ends, both conditions, zero masks, the
// places of the sync unit, STREAMWAIT. What the simulator refuses (several semaphores, two
// conditions, zero masks, values above the maximum, waiting for Blackhole's bank to be free) is
// worked out from SEMINIT.md, SEMPOST.md, SEMGET.md, SEMWAIT.md and STALLWAIT.md in the comments.
#include "rig/sync_rig.h"

// Timing is on for Blackhole (arch 1) only.
static struct sync_rig *strict_rig(int arch)
{
    return sync_new(arch, arch, TSR_PROFILE_STRICT);
}

static void store(struct sync_rig *rig, int index, uint32_t value)
{
    uint32_t address = 0xffe80020u + 4u * (unsigned)index;
    assert_int_equal(tsr_store(rig->tile, TSR_CORE_T2, address, value, 4), TSR_OK);
}

// Three vectors for several semaphores. Mask 0xa5 = semaphores 0, 2, 5, 7.
// SEMINIT 3 of 9 with 0xa5: those are 3, the others 0. SEMPOST 0x81: 0 and 7 are 4. SEMGET 0x24:
// 2 and 5 are 2. SEMGET 0xff: each falls by one if it is not 0: 3 0 1 0 0 1 0 3.
static void test_several(void **state)
{
    (void)state;
    static const unsigned expected[8] = {3, 0, 1, 0, 0, 1, 0, 3};
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = strict_rig(arch);
        sync_push(rig, 0, "SEMINIT sem_sel=0xa5 init_value=3 max_value=9");
        sync_push(rig, 0, "SEMPOST sem_sel=0x81");
        sync_push(rig, 0, "SEMGET sem_sel=0x24");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        tile_says(rig->tile, "semaphore-multi", "mask 0xa5");
        assert_null(tile_found(rig->tile, "semaphore-at-zero"));
        sync_push(rig, 0, "SEMGET sem_sel=0xff");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        assert_non_null(tile_found(rig->tile, "semaphore-at-zero"));
        for (int i = 0; i < 8; i++)
            assert_int_equal(tile_semaphore(rig->tile, i), expected[i]);
        sync_free(rig);
    }
}

// With a policy that stops, SEMPOST 0x6 of semaphore 1 at 2 and semaphore 2 at 15 changes neither.
static void test_stop_changes_none(void **state)
{
    (void)state;
    struct sync_rig *rig = strict_rig(0);
    assert_int_equal(tsr_tile_set_policy(rig->tile, "semaphore-at-maximum", TSR_ACTION_STOP),
                     TSR_OK);
    sync_push(rig, 0, "SEMINIT sem_sel=2 init_value=2 max_value=9");
    sync_push(rig, 0, "SEMINIT sem_sel=4 init_value=15 max_value=15");
    sync_push(rig, 0, "SEMPOST sem_sel=6");
    assert_int_equal(sync_run(rig, false), TSR_END_STOPPED);
    assert_int_equal(tile_semaphore(rig->tile, 1), 2);
    assert_int_equal(tile_semaphore(rig->tile, 2), 15);
    sync_free(rig);
}

// Both sites: T1 posts semaphore 3 up to 15, T2 took one out in between.
static void test_ends(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = strict_rig(arch);
        sync_push(rig, 2, "SEMINIT sem_sel=8 init_value=15 max_value=15");
        sync_push(rig, 2, "SEMGET sem_sel=8");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        sync_push(rig, 1, "SEMPOST sem_sel=8");
        sync_push(rig, 1, "SEMPOST sem_sel=8");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        tile_says(rig->tile, "semaphore-at-maximum",
                  "SEMPOST of semaphore 3, whose value is 15, changes nothing; it must come after "
                  "the next SEMGET (the last SEMGET: T2's SEMGET (instruction 2)): SEMWAIT "
                  "stall_res=p_stall.STALL_SYNC wait_sem_cond=p_stall.STALL_ON_MAX sem_sel=8 "
                  "before it orders them.");
        assert_int_equal(tile_found(rig->tile, "semaphore-at-maximum")->thread, 1);
        assert_int_equal(tile_found(rig->tile, "semaphore-at-maximum")->sequence, 2);
        assert_int_equal(tile_semaphore(rig->tile, 3), 15);
        sync_push(rig, 0, "SEMGET sem_sel=16");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        tile_says(rig->tile, "semaphore-at-zero",
                  "SEMGET of semaphore 4, whose value is 0, changes "
                  "nothing; it must come after the next SEMPOST (the last SEMPOST: none yet): "
                  "SEMWAIT stall_res=p_stall.STALL_SYNC wait_sem_cond=p_stall.STALL_ON_ZERO "
                  "sem_sel=16 before it orders them.");
        sync_free(rig);
        // The other end is a core's store.
        rig = strict_rig(arch);
        store(rig, 4, 0);
        sync_push(rig, 0, "SEMGET sem_sel=16");
        sync_push(rig, 0, "SEMGET sem_sel=16");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        tile_says(rig->tile, "semaphore-at-zero", "the last SEMPOST: core T2's store)");
        store(rig, 4, 3);
        assert_int_equal(tsr_diagnostic_at(rig->tile, 1)->core, TSR_CORE_T2);
        assert_non_null(strstr(tsr_diagnostic_at(rig->tile, 1)->sentence,
                               "gets semaphore 4, whose value is 0 and whose maximum is 0: no "
                               "change; it must come after the next SEMPOST (the last SEMPOST: "
                               "core T2's store): SEMWAIT "));
        sync_free(rig);
    }
}

// SEMPOST.md: Max has no effect on SEMPOST, so 2 of 2 becomes 3, and more above it.
static void test_above_max(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = strict_rig(arch);
        sync_push(rig, 0, "SEMINIT sem_sel=1 init_value=1 max_value=2");
        sync_push(rig, 0, "SEMPOST sem_sel=1");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        assert_int_equal(tsr_diagnostic_count(rig->tile), 0);
        sync_push(rig, 0, "SEMPOST sem_sel=1");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        tile_says(rig->tile, "semaphore-above-max", "from 2, beyond its maximum of 2");
        assert_int_equal(tile_semaphore(rig->tile, 0), 3);
        store(rig, 0, 0);
        assert_int_equal(tile_semaphore(rig->tile, 0), 4);
        assert_int_equal(tsr_diagnostic_count(rig->tile), 2);
        assert_string_equal(tsr_diagnostic_at(rig->tile, 1)->code, "semaphore-above-max");
        sync_push(rig, 1, "SEMINIT sem_sel=2 init_value=5 max_value=2");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        tile_says(rig->tile, "semaphore-init", "a value of 5 and a maximum of 2");
        assert_int_equal(tile_semaphore(rig->tile, 1), 5);
        // Nobody has given semaphore 6 a maximum: no finding until it is full.
        for (int i = 0; i < 15; i++)
            store(rig, 6, 0);
        assert_int_equal(tsr_diagnostic_count(rig->tile), 3);
        store(rig, 6, 0);
        assert_int_equal(tile_semaphore(rig->tile, 6), 15);
        assert_int_equal(tsr_diagnostic_count(rig->tile), 4);
        sync_free(rig);
    }
}

// SEMWAIT.md, both conditions at once: waits while any chosen semaphore is 0 or at its maximum.
// Semaphore 0 at 0 of 2 and 1 at 1 of 2: C0 holds. After a post of 0: neither. At 2 of 2: C1.
static void test_both_conditions(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = strict_rig(arch);
        sync_push(rig, 0, "SEMINIT sem_sel=1 init_value=0 max_value=2");
        sync_push(rig, 0, "SEMINIT sem_sel=2 init_value=1 max_value=2");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        for (int round = 0; round < 2; round++) {
            int before = rig->log.count;
            sync_push(rig, 1, "SEMWAIT wait_sem_cond=3 sem_sel=3 stall_res=0x40");
            sync_push(rig, 1, "INCRWC");
            assert_int_equal(sync_run(rig, true), TSR_END_BLOCKED);
            assert_int_equal(rig->log.count, before + 1);
            sync_waits(rig, 1,
                       round ? "semaphore 0, which is 2 of at most 2" : "semaphore 0, which is 0",
                       round ? "a SEMGET of semaphore 0" : "a SEMPOST of semaphore 0");
            sync_push(rig, 0, round ? "SEMGET sem_sel=1" : "SEMPOST sem_sel=1");
            assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
            sync_push(rig, 0, "SEMPOST sem_sel=1");
            assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        }
        // No semaphore at all: nothing to wait for.
        sync_push(rig, 1, "SEMWAIT wait_sem_cond=3 sem_sel=0 stall_res=0x40");
        sync_push(rig, 1, "INCRWC");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        sync_free(rig);
    }
}

// No condition is undefined: strict stops, recording goes on with a wait that is met at once.
static void test_no_condition(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = strict_rig(arch);
        sync_push(rig, 1, "SEMWAIT sem_sel=1 stall_res=0x1ff");
        assert_int_equal(sync_run(rig, false), TSR_END_STOPPED);
        sync_free(rig);
        rig = sync_new(arch, arch, TSR_PROFILE_SILICON);
        sync_push(rig, 1, "SEMWAIT sem_sel=1 stall_res=0x1ff");
        sync_push(rig, 1, "INCRWC");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        tile_says(rig->tile, "semwait-no-condition", "selects no condition");
        sync_free(rig);
    }
}

// STALLWAIT.md: a block mask of 0 stands for B6 alone. The wait for a bank that nobody fills holds
// INCRWC (B6) and lets SETADCXX (B0), SEMPOST (B1) and SETC16 (B7) pass.
static void test_zero_block(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = strict_rig(arch);
        sync_push(rig, 0, arch ? "STALLWAIT wait_res=0x80" : "STALLWAIT wait_res=0x400");
        sync_push(rig, 0, "SETADCXX CntSetMask=1");
        sync_push(rig, 0, "SEMPOST sem_sel=1");
        sync_push(rig, 0, "SETC16 setc16_reg=1");
        sync_push(rig, 0, "INCRWC");
        assert_int_equal(sync_run(rig, true), TSR_END_BLOCKED);
        assert_int_equal(rig->log.count, 4);
        sync_waits(rig, 0,
                   arch ? "INCRWC is held by a STALLWAIT for C7"
                        : "INCRWC is held by a STALLWAIT for C10",
                   "the end of C");
        sync_free(rig);
    }
}

// A condition mask of 0 stands for C0..C6 on Wormhole, C0..C3 on Blackhole: scalar unit, unpackers
// and packers, no bank. Right after reset all are idle, so the wait is met; had it stood for the
// bank conditions too, INCRWC would stay.
static void test_zero_conditions(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = strict_rig(arch);
        sync_push(rig, 0, "STALLWAIT wait_res=0 stall_res=0x1ff");
        sync_push(rig, 0, "INCRWC");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        sync_free(rig);
    }
    // The scalar unit is busy for a cycle, so the wait after it is met when that is over: accepted
    // at c, STALLWAIT at c + 1, met at c + 2, INCRWC at c + 3.
    struct sync_rig *rig = sync_new(TSR_WORMHOLE_B0, true, TSR_PROFILE_STRICT);
    sync_push(rig, 0, "SETDMAREG");
    sync_push(rig, 0, "STALLWAIT wait_res=0 stall_res=0x1ff");
    sync_push(rig, 0, "INCRWC");
    assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
    assert_int_equal(sync_cycle(rig, 0, 3), sync_cycle(rig, 0, 1) + 3);
    sync_free(rig);
}

// Every bank condition of each chip: it holds while the banks are not as it says. After reset all
// banks are the unpackers', so C10 and C11 (Blackhole C7, C8) hold and C8, C9 (C5, C6) do not;
// handing one bank over changes its two: the unpackers' pointer has gone on to the other bank,
// which is still theirs, so a second hand-over is needed for C8, C9.
static void test_bank_conditions(void **state)
{
    (void)state;
    static const struct {
        unsigned wormhole, blackhole;
        const char *change;
        int changes; // until the condition changes
        bool holds_first;
    } rows[] = {
        {8, 5, "SETDVALID setvalid=1", 2, false},
        {9, 6, "SETDVALID setvalid=2", 2, false},
        {10, 7, "SETDVALID setvalid=1", 1, true},
        {11, 8, "SETDVALID setvalid=2", 1, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int arch = 0; arch < 2; arch++) {
            for (int handed_over = 0; handed_over < 2; handed_over++) {
                struct sync_rig *rig = strict_rig(arch);
                char text[60];
                snprintf(text, sizeof text, "STALLWAIT wait_res=%u stall_res=0x1ff",
                         1u << (arch ? rows[i].blackhole : rows[i].wormhole));
                for (int change = 0; handed_over && change < rows[i].changes; change++)
                    sync_push(rig, 1, rows[i].change);
                assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
                sync_push(rig, 0, text);
                sync_push(rig, 0, "INCRWC");
                assert_int_equal(sync_run(rig, true), rows[i].holds_first != (handed_over == 1)
                                                          ? TSR_END_BLOCKED
                                                          : TSR_END_IDLE);
                sync_free(rig);
            }
        }
    }
}

// Blackhole's C12: any thread's instruction in the configuration unit. T1's SETC16 is in it for a
// cycle; T0's wait is met without it all the same, and without C12 a cycle sooner or not at all
// later, so only that it ends is checked here (the oracle has the cycles of the rest).
static void test_c12(void **state)
{
    (void)state;
    struct sync_rig *rig = sync_new(TSR_BLACKHOLE_A0, true, TSR_PROFILE_STRICT);
    sync_push(rig, 1, "SETC16 setc16_reg=1");
    sync_push(rig, 0, "STALLWAIT wait_res=0x1000 stall_res=0x1ff");
    sync_push(rig, 0, "INCRWC");
    assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
    assert_int_equal(tsr_diagnostic_count(rig->tile), 0);
    sync_free(rig);
}

// SyncUnit.md: one semaphore or wait instruction a cycle, whatever they are; a mutex besides.
static void test_throughput(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = sync_new(arch, true, TSR_PROFILE_STRICT);
        sync_push(rig, 0, "SEMPOST sem_sel=1");
        sync_push(rig, 1, "STALLWAIT wait_res=1 stall_res=1");
        sync_push(rig, 2, "ATRELM mutex_index=0");
        sync_push(rig, 2, "SEMINIT sem_sel=4 max_value=1");
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        uint64_t post = sync_cycle(rig, 0, 1), stall = sync_cycle(rig, 1, 1);
        uint64_t init = sync_cycle(rig, 2, 2), mutex = sync_cycle(rig, 2, 1);
        uint64_t first = post < stall ? post : stall;
        assert_int_equal(mutex, first);
        assert_true(post != stall && post != init && stall != init);
        assert_true(post <= first + 2 && stall <= first + 2 && init <= first + 2);
        sync_free(rig);
        // A core's write takes the place of this cycle.
        rig = sync_new(arch, true, TSR_PROFILE_STRICT);
        sync_push(rig, 0, "NOP");
        sync_push(rig, 0, "SEMGET sem_sel=1");
        tsr_limits limits = tsr_limits_default();
        limits.break_thread = 0;
        limits.break_sequence = 2;
        assert_int_equal(tsr_run(rig->tile, &limits), TSR_END_BREAK);
        uint64_t now = tsr_cycle(rig->tile);
        store(rig, 0, 0);
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        assert_int_equal(sync_cycle(rig, 0, 2), now + 1);
        sync_free(rig);
    }
}

// STREAMWAIT.md: waits while the register is below the target; 0 is below nothing. Any other
// target needs the overlay. The target's high bits stand in ThreadConfig words 57 and 58.
static void test_streamwait(void **state)
{
    (void)state;
    struct sync_rig *rig = sync_new(TSR_BLACKHOLE_A0, true, TSR_PROFILE_STRICT);
    sync_push(rig, 0, "STREAMWAIT target_sel=1 wait_stream_sel=2");
    sync_push(rig, 0, "SETADCXX CntSetMask=1"); // B0: not held by a mask of 0, which is B6
    sync_push(rig, 0, "INCRWC");
    assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
    assert_int_equal(sync_cycle(rig, 0, 2), sync_cycle(rig, 0, 1) + 1);
    assert_int_equal(sync_cycle(rig, 0, 3), sync_cycle(rig, 0, 1) + 2);
    sync_push(rig, 1, "SETC16 setc16_reg=61 setc16_value=17");
    sync_push(rig, 1, "SETC16 setc16_reg=58 setc16_value=3");
    sync_push(rig, 1, "STREAMWAIT target_sel=1 wait_stream_sel=2 target_value=5");
    assert_int_equal(sync_run(rig, false), TSR_END_STOPPED);
    tile_says(rig->tile, "unimplemented-mode",
              "the messages received of stream 17 of the NoC overlay "
              "with 3077"); // 3 * 1024 + 5
    sync_free(rig);
    rig = sync_new(TSR_BLACKHOLE_A0, false, TSR_PROFILE_STRICT);
    assert_int_equal(tsr_tile_set_policy(rig->tile, "unimplemented-mode", TSR_ACTION_RECORD),
                     TSR_OK);
    sync_push(rig, 1, "STREAMWAIT target_value=9 stall_res=0x1ff");
    sync_push(rig, 1, "INCRWC");
    assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
    tile_says(rig->tile, "unimplemented-mode", "the phase of stream 0 of the NoC overlay with 9");
    sync_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_stop_changes_none),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_above_max),
        cmocka_unit_test(test_both_conditions),
        cmocka_unit_test(test_no_condition),
        cmocka_unit_test(test_zero_block),
        cmocka_unit_test(test_zero_conditions),
        cmocka_unit_test(test_bank_conditions),
        cmocka_unit_test(test_c12),
        cmocka_unit_test(test_throughput),
        cmocka_unit_test(test_streamwait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
