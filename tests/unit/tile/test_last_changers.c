// SPDX-License-Identifier: Apache-2.0
// A wait says who changed last what it waits for: tsr_wait.changed, and the sentence of a deadlock.
#include "rig/tile_rig.h"

static tsr_wait wait_of(tsr_tile *tile, const char *who)
{
    tsr_wait waits[16];
    int count = tsr_waits(tile, waits, 16);
    for (int i = 0; i < count; i++)
        if (strcmp(waits[i].who, who) == 0)
            return waits[i];
    fail_msg("%s does not wait", who);
    return (tsr_wait){0};
}

static void changed_by(tsr_tile *tile, const char *who, const char *changed, int thread,
                       uint64_t sequence)
{
    const tsr_wait wait = wait_of(tile, who);
    assert_string_equal(wait.changed, changed);
    assert_int_equal(wait.changed_thread, thread);
    assert_int_equal(wait.changed_sequence, sequence);
}

static void test_semaphores(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        tsr_tile *tile = tile_default(arch);
        tile_do(tile, 0, "SEMINIT sem_sel=1 init_value=1 max_value=2");
        tile_push(tile, 2, "NOP");
        tile_do(tile, 2, "SEMGET sem_sel=1");
        tile_push(tile, 1, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=0x1ff");
        tile_push(tile, 1, "NOP");
        assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
        changed_by(tile, "thread 1", "thread 2's SEMGET, instruction 2", 2, 2);
        tile_says(tile, "instruction-deadlock",
                  "semaphore 0, which is 0 (last changed by thread 2's SEMGET, instruction 2)");
        tsr_tile_destroy(tile);
        tile = tile_default(arch);
        tile_do(tile, 0, "SEMINIT sem_sel=1 init_value=2 max_value=2");
        tile_push(tile, 1, "SEMWAIT sem_sel=1 wait_sem_cond=2 stall_res=0x1ff");
        tile_push(tile, 1, "NOP");
        assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
        changed_by(tile, "thread 1", "thread 0's SEMINIT, instruction 1", 0, 1);
        tsr_tile_destroy(tile);
        tile = tile_default(arch);
        tile_push(tile, 1, "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=0x1ff");
        tile_push(tile, 1, "NOP");
        assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
        changed_by(tile, "thread 1", "", -1, 0);
        tsr_tile_destroy(tile);
    }
}

// Which instruction waits: at its thread's gate, or in its unit; none with a core's access.
static void test_who_waits(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++)
        for (int timing = 0; timing < 2; timing++) {
            tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_SILICON);
            tsr_wait wait;
            tile_push(tile, 1, "NOP");
            tile_push(tile, 1, "SETRWC");
            tile_push(tile, 1, "MOVA2D addr_mode=1");
            tile_push(tile, 2, "ATCAS SwapVal=1 CmpVal=1 AddrRegIndex=4");
            assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
            wait = wait_of(tile, "thread 1");
            assert_int_equal(wait.thread, 1);
            assert_int_equal(wait.sequence, 3);
            assert_int_equal(wait.word, tile_word(tile, "MOVA2D addr_mode=1"));
            assert_false(wait.pushed);
            wait = wait_of(tile, "scalar");
            assert_int_equal(wait.thread, 2);
            assert_int_equal(wait.sequence, 1);
            assert_int_equal(wait.word, tile_word(tile, "ATCAS SwapVal=1 CmpVal=1 AddrRegIndex=4"));
            assert_int_equal(tsr_explain_busy(tile, TSR_CORE_T0, 0xffe40000u, true, &wait), TSR_OK);
            assert_int_equal(wait.thread, -1);
            tsr_tile_destroy(tile);
        }
}

static void test_others(void **state)
{
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_SILICON);
        tile_do(tile, 0, "ATGETM mutex_index=0");
        tile_push(tile, 2, "ATGETM mutex_index=0");
        tsr_limits limits = tsr_limits_default();
        limits.external = true;
        assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
        changed_by(tile, "thread 2", "thread 0's ATGETM, instruction 1", 0, 1);
        tsr_tile_destroy(tile);
        // The matrix unit gives SrcA's bank back and wants the other one.
        tile = tile_new(arch, false, TSR_PROFILE_SILICON);
        tile_do(tile, 0, "SETDVALID setvalid=1");
        tile_do(tile, 1, "SETRWC clear_ab_vld=1");
        tile_push(tile, 1, "MOVA2D");
        assert_int_equal(tile_run(tile), TSR_END_DEADLOCK);
        changed_by(tile, "thread 1", "thread 0's SETDVALID, instruction 1", 0, 1);
        tsr_tile_destroy(tile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_semaphores),
        cmocka_unit_test(test_who_waits),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
