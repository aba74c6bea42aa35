// SPDX-License-Identifier: Apache-2.0
// ATGETM and ATRELM on both chips: who gets a mutex and when, indices that are not there, misuse,
// and a mutex that is never released. The simulator refuses all but index 0 (refused-by-ttsim.csv),
// so every expectation is worked out from ATGETM.md, ATRELM.md and SyncUnit.md; the comments say
// how.
#include "rig/sync_rig.h"

static void get(struct sync_rig *rig, int thread, int index)
{
    char text[40];
    snprintf(text, sizeof text, "ATGETM mutex_index=%d", index);
    sync_push(rig, thread, text);
}

static void release(struct sync_rig *rig, int thread, int index)
{
    char text[40];
    snprintf(text, sizeof text, "ATRELM mutex_index=%d", index);
    sync_push(rig, thread, text);
}

// ATGETM.md: "if (Index == 1 || Index > 7) wait for ever", on Blackhole "> 4". So 0 and 2..7 of
// Wormhole and 0 and 2..4 of Blackhole pass; 1, 5 (Blackhole), 8 and 0x100 do not; ATRELM.md has
// the same lines.
static void test_indices(void **state)
{
    (void)state;
    static const int indices[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0x100, 0xffff};
    for (int arch = 0; arch < 2; arch++) {
        for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
            int index = indices[i], last = arch == TSR_WORMHOLE_B0 ? 7 : 4;
            bool there = index == 0 || (index >= 2 && index <= last);
            for (int op = 0; op < 2; op++) {
                struct sync_rig *rig = sync_new(arch, op, TSR_PROFILE_STRICT);
                if (op == 0 || there)
                    get(rig, 1, index);
                release(rig, 1, index);
                tsr_end end = sync_run(rig, false);
                assert_int_equal(end, there ? TSR_END_IDLE : TSR_END_DEADLOCK);
                assert_int_equal(tsr_diagnostic_count(rig->tile), !there);
                if (!there) {
                    char what[60];
                    snprintf(what, sizeof what, "waits for ever for mutex %d", index);
                    tile_says(rig->tile, "instruction-deadlock", what);
                    sync_waits(rig, 1, what, "nothing");
                }
                sync_free(rig);
            }
        }
    }
}

// T0 takes mutex 3, T1 and T2 stand before it. T0's release lets (0 + 1) % 3 = T1 go first, T1's
// lets (1 + 1) % 3 = T2 (ATRELM.md, last paragraph).
static void test_fairness(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        for (int timing = 0; timing < 2; timing++) {
            struct sync_rig *rig = sync_new(arch, timing, TSR_PROFILE_STRICT);
            get(rig, 0, 3);
            assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
            for (int thread = 2; thread >= 1; thread--) {
                get(rig, thread, 3);
                release(rig, thread, 3);
            }
            assert_int_equal(sync_run(rig, true), TSR_END_BLOCKED);
            sync_waits(rig, 1, "waits for mutex 3, which thread 0 holds",
                       "an ATRELM of mutex 3 by thread 0");
            release(rig, 0, 3);
            get(rig, 0, 3); // after those who wait
            release(rig, 0, 3);
            assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
            static const int order[] = {0, 0, 1, 1, 2, 2, 0, 0};
            assert_int_equal(rig->log.count, 8);
            for (int i = 0; i < 8; i++)
                assert_int_equal(rig->log.event[i].thread, order[i]);
            assert_int_equal(tsr_diagnostic_count(rig->tile), 0);
            sync_free(rig);
        }
    }
}

// SyncUnit.md: up to three a cycle if they are of different mutexes, one a mutex otherwise. The
// first two of each thread: three ATGETM of three mutexes in one cycle, three ATRELM in the next.
static void test_throughput(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = sync_new(arch, true, TSR_PROFILE_STRICT);
        for (int thread = 0; thread < 3; thread++) {
            get(rig, thread, 2 + thread);
            release(rig, thread, 2 + thread);
        }
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        for (int thread = 0; thread < 3; thread++)
            for (int i = 1; i <= 2; i++)
                assert_int_equal(sync_cycle(rig, thread, i), sync_cycle(rig, 0, 1) + i - 1);
        sync_free(rig);
        // Of one mutex, released by all three though nobody holds it: one a cycle.
        rig = sync_new(arch, true, TSR_PROFILE_STRICT);
        for (int thread = 0; thread < 3; thread++)
            release(rig, thread, 0);
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        uint64_t seen = 0, first = UINT64_MAX;
        for (int thread = 0; thread < 3; thread++)
            if (sync_cycle(rig, thread, 1) < first)
                first = sync_cycle(rig, thread, 1);
        for (int thread = 0; thread < 3; thread++)
            seen |= 1u << (sync_cycle(rig, thread, 1) - first);
        assert_int_equal(seen, 7);
        sync_free(rig);
    }
}

// ATGETM.md: taking what the thread holds passes; ATRELM.md: releasing what it does not hold
// changes nothing. So after the release by T1 the mutex is still T0's, and T2 waits.
static void test_misuse(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        struct sync_rig *rig = sync_new(arch, arch, TSR_PROFILE_STRICT);
        get(rig, 0, 4);
        get(rig, 0, 4);
        assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
        tile_says(rig->tile, "mutex-held-already", "T0's ATGETM mutex_index=4 (instruction 1)");
        release(rig, 1, 4);
        assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
        tile_says(rig->tile, "mutex-not-held", "T0's ATGETM mutex_index=4");
        get(rig, 2, 4);
        assert_int_equal(sync_run(rig, true), TSR_END_BLOCKED);
        release(rig, 0, 4); // one is enough for two ATGETM
        assert_int_equal(sync_run(rig, true), TSR_END_IDLE);
        assert_null(tile_found(rig->tile, "mutex-left")); // something outside may still release it
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        const tsr_diagnostic *left = tile_found(rig->tile, "mutex-left");
        assert_non_null(left);
        assert_int_equal(left->thread, 2);
        assert_int_equal(left->sequence, 1);
        sync_free(rig);
        rig = sync_new(arch, arch, TSR_PROFILE_STRICT);
        release(rig, 2, 2);
        assert_int_equal(sync_run(rig, false), TSR_END_IDLE);
        tile_says(rig->tile, "mutex-not-held", "its holder is nobody");
        sync_free(rig);
    }
}

// A policy that stops leaves the mutex as it was.
static void test_stop(void **state)
{
    (void)state;
    struct sync_rig *rig = sync_new(TSR_WORMHOLE_B0, false, TSR_PROFILE_STRICT);
    assert_int_equal(tsr_tile_set_policy(rig->tile, "mutex-not-held", TSR_ACTION_STOP), TSR_OK);
    release(rig, 0, 7);
    assert_int_equal(sync_run(rig, false), TSR_END_STOPPED);
    sync_free(rig);
    rig = sync_new(TSR_WORMHOLE_B0, false, TSR_PROFILE_STRICT);
    assert_int_equal(tsr_tile_set_policy(rig->tile, "mutex-left", TSR_ACTION_STOP), TSR_OK);
    get(rig, 0, 7);
    assert_int_equal(sync_run(rig, false), TSR_END_STOPPED);
    sync_free(rig);
    rig = sync_new(TSR_WORMHOLE_B0, false, TSR_PROFILE_STRICT);
    assert_int_equal(tsr_tile_set_policy(rig->tile, "mutex-held-already", TSR_ACTION_STOP), TSR_OK);
    get(rig, 0, 7);
    get(rig, 0, 7);
    assert_int_equal(sync_run(rig, false), TSR_END_STOPPED);
    sync_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indices),    cmocka_unit_test(test_fairness),
        cmocka_unit_test(test_throughput), cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
