// SPDX-License-Identifier: Apache-2.0
// Threads 0 and 1 that hand faces to each other from the middle of their MOPs (bank_turns.c): the
// tile is the same as when every word takes every stage, also where a finding, a limit or a word of
// another kind ends it. Random programs of the kind: tests/oracle/test_run_oracle.c.
// Pages: MOPExpander.md, SrcASrcB.md.
#include "rig/face_rig.h"
#include "rig/state_compare.h"

enum { FACES = 4 };

// For each face thread 0 clears a bank of SrcA and one of SrcB and hands them over; thread 1 adds
// and gives them back. A pipeline, and the tile after some words of each thread.
struct way {
    tsr_pipeline pipeline;
    tsr_arch arch;
    tsr_tile *tile;
    tsr_end end;
};

static void run(struct way *way, uint64_t most, const char *const *zero, const char *const *one)
{
    static const char *const unpack[TSR_ARCH_COUNT][7] = {
        {"UNPACR_NOP NoOp=1", "UNPACR_NOP Unpack_block_selection=1 NoOp=1",
         "UNPACR_NOP Unpack_block_selection=1 NoOp=7", "UNPACR_NOP NoOp=7", "NOP",
         "UNPACR_NOP NoOp=7", "UNPACR_NOP NoOp=7"},
        {"UNPACR_NOP Unpack_Pop=1", "UNPACR_NOP Unpacker_Select=1 Unpack_Pop=1",
         "UNPACR_NOP Unpacker_Select=1 Unpack_Pop=3 Src_ClrVal_Ctrl=1",
         "UNPACR_NOP Unpack_Pop=3 Src_ClrVal_Ctrl=1", "NOP",
         "UNPACR_NOP Unpack_Pop=3 Src_ClrVal_Ctrl=1", "UNPACR_NOP Unpack_Pop=3 Src_ClrVal_Ctrl=1"}};
    static const char *const add[7] = {
        "ELWADD dst=0", "SETRWC clear_ab_vld=3", "NOP",         "ELWADD dst=8",
        "NOP",          "ELWADD dst=8",          "ELWADD dst=8"};
    tsr_options options = tsr_options_default(way->arch);
    tsr_limits limits = tsr_limits_default();
    options.pipeline = way->pipeline;
    tsr_tile *tile = way->tile = tile_with(&options);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG0_SrcA, 5);
    tile_field(tile, 0, FIELD_ALU_FORMAT_SPEC_REG1_SrcB, 5);
    assert_int_equal(tsr_tile_set_policy(tile, "src-bank-unordered", TSR_ACTION_RECORD), TSR_OK);
    assert_int_equal(tsr_tile_set_policy(tile, "mop-unsupported", TSR_ACTION_STOP), TSR_OK);
    face_mop(tile, 0, FACES, 1, unpack[way->arch]);
    face_mop(tile, 1, FACES, 1, add);
    for (; *zero; zero++)
        tile_push_word(tile, 0, tile_word(tile, *zero) | (**zero == 'N')); // a bit that is reserved
    for (; *one; one++)
        tile_push(tile, 1, *one);
    limits.external = true;
    limits.max_steps = most;
    way->end = tsr_run(tile, &limits);
}

// Returns how many of thread 0's words the threads' turns took.
static uint64_t same_on(tsr_arch arch, uint64_t most, const char *const *zero,
                        const char *const *one, tsr_end end)
{
    struct way turns = {.pipeline = TSR_PIPELINE_AUTO, .arch = arch};
    struct way staged = {.pipeline = TSR_PIPELINE_STAGED, .arch = arch};
    run(&turns, most, zero, one);
    run(&staged, most, zero, one);
    assert_int_equal(turns.end, end);
    assert_int_equal(staged.end, end);
    const char *different = tile_difference(turns.tile, staged.tile);
    if (different)
        fail_msg("%s differ(s)", different);
    uint64_t in_turns = turns.tile->engine.in_turns;
    assert_int_equal(staged.tile->engine.in_turns, 0);
    tsr_tile_destroy(turns.tile);
    tsr_tile_destroy(staged.tile);
    return in_turns;
}

static uint64_t same_both_ways(uint64_t most, const char *const *zero, const char *const *one,
                               tsr_end end)
{
    return same_on(TSR_WORMHOLE_B0, most, zero, one, end);
}

static const char *const mop[] = {"MOP mop_type=1", NULL};
static const char *const mops[] = {"MOP mop_type=1", "MOP mop_type=1", "MOP mop_type=1", NULL};

static void faces_go_by_turns(void **unused)
{
    (void)unused;
    assert_true(same_both_ways(0, mops, mops, TSR_END_IDLE) > 2 * FACES);
}

// One of the threads waits for the other at the end, or has other words between.
static void one_thread_has_less(void **unused)
{
    (void)unused;
    static const char *const between[] = {"MOP mop_type=1", "SETRWC BitMask=3", "SETC16",
                                          "MOP mop_type=1", "SEMPOST",          NULL};
    assert_true(same_both_ways(0, mops, mop, TSR_END_BLOCKED) > 0);
    assert_true(same_both_ways(0, mop, mops, TSR_END_BLOCKED) > 0);
    assert_true(same_both_ways(0, mops, between, TSR_END_BLOCKED) > 0);
    assert_true(same_both_ways(0, between, mops, TSR_END_BLOCKED) > 0);
}

// Behind its MOP thread 0 meets what stops the tile, while thread 1 waits for a bank.
static void a_finding_ends_them(void **unused)
{
    (void)unused;
    static const char *const stops[] = {"MOP mop_type=1", "NOP", NULL};
    assert_true(same_both_ways(0, stops, mops, TSR_END_STOPPED) > 0);
}

// Thread 1 is stopped where its next MOP begins, while words of thread 0 wait in their unpackers.
static void a_finding_in_the_middle(void **unused)
{
    (void)unused;
    static const char *const bad[] = {"MOP mop_type=1", "MOP mop_type=1 zmask_lo16_or_loop_count=1",
                                      NULL};
    assert_true(same_on(TSR_BLACKHOLE_A0, 0, mops, mops, TSR_END_IDLE) > 2 * FACES);
    assert_true(same_on(TSR_BLACKHOLE_A0, 0, mops, bad, TSR_END_STOPPED) > 0);
}

// Somebody looks after each round: there are none.
static void none_with_a_limit(void **unused)
{
    (void)unused;
    for (uint64_t most = 1; most < 12; most++)
        assert_int_equal(same_both_ways(most, mops, mops, TSR_END_TIMEOUT), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_go_by_turns),   cmocka_unit_test(one_thread_has_less),
        cmocka_unit_test(a_finding_ends_them), cmocka_unit_test(a_finding_in_the_middle),
        cmocka_unit_test(none_with_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
