// SPDX-License-Identifier: Apache-2.0
// Blocks go on behind branches and jump inside themselves: nothing of that shows, however a run is
// cut, whatever is pushed at once, and whoever changes the code.
// Pages: BabyRISCV/README.md, PushTensixInstruction.md.
#include "rig/riscv_rig.h"

#include "riscv/riscv_blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { T0 = 5, T1 = 6, T2 = 7, SUM = 10, AT = 11, SEEN = 12 };

static uint64_t run(struct riscv_rig *rig, uint64_t most)
{
    return tsr_riscv_run(rig->riscv, &rig->hart, most);
}

// Two loops, one in the other, with branches ahead, words that are pushed, loads and stores.
static struct riscv_rig *nested(tsr_arch arch, tsr_core core)
{
    struct riscv_rig *rig = rig_new(arch, core);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    rig->room = 1 << 20;
    rig_li(rig, AT, RIG_DATA);
    rig_add(rig, rv_i(RISCV_ADDI, T0, 0, 6));
    uint32_t outer = rig->end;
    rig_add(rig, rv_i(RISCV_ADDI, T1, T0, 3));
    uint32_t inner = rig->end;
    rig_add(rig, rv_i(RISCV_ANDI, T2, T1, 1));
    rig_add(rig, rv_b(RISCV_BEQ, T2, 0, 16)); // over the next three
    rig_add(rig, rv_ttinsn(0x80000000 | 0x1234));
    rig_add(rig, rv_ttinsn(0x80000000 | 0x1235));
    rig_add(rig, rv_i(RISCV_ADDI, SUM, SUM, 5));
    rig_add(rig, rv_s(RISCV_SW, SUM, AT, 0));
    rig_add(rig, rv_i(RISCV_LW, 0, AT, 0)); // is not kept
    rig_add(rig, rv_i(RISCV_LW, SEEN, AT, 0));
    rig_add(rig, rv_r(RISCV_ADD, SUM, SEEN, T1));
    rig_add(rig, rv_i(RISCV_ADDI, T1, T1, -1));
    rig_add(rig, rv_b(RISCV_BLT, 0, T1, (int32_t)(inner - rig->end)));
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, -1));
    rig_add(rig, rv_b(RISCV_BNE, T0, 0, (int32_t)(outer - rig->end)));
    rig_add(rig, tsr_riscv_row(RISCV_EBREAK)->match);
    return rig;
}

// The next instruction alone, as with timing on.
static uint64_t run_one(struct riscv_rig *rig)
{
    if (rig->hart.retired == 0)
        return run(rig, 1);
    const struct tsr_riscv_block *block = tsr_riscv_block_at(rig->riscv, rig->hart.pc);
    const struct tsr_riscv_op *op = &block->op[(rig->hart.pc - block->pc) / 4];
    bool done = tsr_riscv_run_op(rig->riscv, &rig->hart, op, rig->now);
    rig->now += done;
    return done;
}

// In pieces of `most`, or one by one.
static void check_nested(const struct riscv_rig *whole, tsr_arch arch, tsr_core core, uint64_t most)
{
    struct riscv_rig *rig = nested(arch, core);
    for (uint64_t done = 1; rig->hart.rest == TSR_HART_RUNS && done > 0;) {
        done = most > 0 ? run(rig, most) : run_one(rig);
        assert_true(done <= (most > 0 ? most : 1));
        assert_int_equal(rig->now, rig->hart.retired);
    }
    assert_int_equal(rig->hart.rest, TSR_HART_PAUSED);
    assert_int_equal(rig->hart.retired, whole->hart.retired);
    assert_int_equal(rig->hart.pc, whole->hart.pc);
    assert_memory_equal(rig->hart.x, whole->hart.x, sizeof rig->hart.x);
    assert_int_equal(rig->pushes, whole->pushes);
    assert_int_equal(rig->groups, whole->groups);
    rig_free(rig);
}

static void test_nothing_depends_on_how_it_is_cut(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        struct riscv_rig *whole = nested((tsr_arch)arch, TSR_CORE_T1);
        run(whole, 100000);
        assert_int_equal(whole->hart.rest, TSR_HART_PAUSED);
        assert_int_equal(whole->hart.x[0], 0);
        assert_int_equal(whole->hart.x[SUM], 9 * 10 / 2 + 8 * 9 / 2 + 7 * 8 / 2 + 6 * 7 / 2 +
                                                 5 * 6 / 2 + 4 * 5 / 2 +
                                                 5 * (5 + 4 + 4 + 3 + 3 + 2));
        assert_int_equal(whole->pushes, 2 * (5 + 4 + 4 + 3 + 3 + 2));
        for (uint64_t most = 0; most < 80; most++)
            check_nested(whole, (tsr_arch)arch, TSR_CORE_T1, most);
        rig_free(whole);
    }
}

// A row of .ttinsn is cut where 32 instructions stand in one stretch without a branch, counted from
// where it was entered: what is pushed in one instruction of time must not depend on what else the
// block has.
static void test_a_long_stretch_begins_a_block(void **state)
{
    (void)state;
    enum { BEFORE = 30, WORDS = 8 };
    for (int into = 0; into < 20; into++) { // the branch jumps so far into the stretch behind it
        struct riscv_rig *rig = rig_new(TSR_BLACKHOLE_A0, TSR_CORE_T0);
        rig_add(rig, rv_b(RISCV_BNE, 0, 0, 8));
        rig_add(rig, rv_b(into > 0 ? RISCV_BEQ : RISCV_BNE, 0, 0, 4 + 4 * into));
        for (int i = 0; i < BEFORE; i++)
            rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 1));
        for (int i = 0; i < WORDS; i++)
            rig_add(rig, rv_ttinsn(0x80000000));
        rig_add(rig, tsr_riscv_row(RISCV_EBREAK)->match);
        int first = 32 - (BEFORE - into); // words within 32 instructions
        int groups = first < WORDS ? (first + 3) / 4 + (WORDS - first + 3) / 4 : WORDS / 4;
        assert_int_equal(run(rig, 1000), 2 + BEFORE - into + groups + 1);
        assert_int_equal(rig->groups, groups);
        assert_int_equal(rig->pushes, WORDS);
        rig_free(rig);
    }
}

// Code that the core writes behind a branch of the block that it is in.
static void test_code_behind_a_branch_is_written(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig->hart.x[T0] = rv_i(RISCV_ADDI, SUM, SUM, 100);
    rig_li(rig, AT, RIG_CODE);
    uint32_t loop = rig->end;
    uint32_t changed = loop + 12;
    rig_add(rig, rv_i(RISCV_ADDI, T1, T1, 1));
    rig_add(rig, rv_b(RISCV_BEQ, T1, 0, 8));
    rig_add(rig, rv_s(RISCV_SW, T0, AT, (int32_t)(changed - RIG_CODE)));
    rig_add(rig, rv_i(RISCV_ADDI, SUM, SUM, 1));
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 0)); // NOP
    rig_add(rig, rv_b(RISCV_BNE, T1, T2, (int32_t)(loop - rig->end)));
    rig->hart.x[T2] = 3;
    rig_add(rig, tsr_riscv_row(RISCV_EBREAK)->match);
    assert_int_equal(run(rig, 1000), 2 + 3 * 6 + 1);
    assert_int_equal(rig->hart.x[SUM], 300);
    rig_free(rig);
}

// Each stretch of what nobody wrote is told where execution comes to it.
static void test_unwritten_stretches(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_T0);
    memset(rig->l1_written, 0, sizeof rig->l1_written);
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 1));
    rig_add(rig, rv_b(RISCV_BNE, 0, 0, 8));
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 1));
    rig_add(rig, tsr_riscv_row(RISCV_EBREAK)->match);
    assert_int_equal(run(rig, 100), 4);
    assert_int_equal(rig->findings, 2);
    assert_int_equal(rig->finding_pc, RIG_CODE + 8);
    rig_free(rig);
}

// Blocks are looked for from where the first one stands: below it, and where two have one place.
static void test_places_of_blocks(void **state)
{
    (void)state;
    enum { SAME_PLACE = RIG_CODE + 4 * TSR_BLOCKS, BELOW = RIG_CODE - 0x800, PASSES = 5 };
    struct riscv_rig *rig = rig_new(TSR_BLACKHOLE_A0, TSR_CORE_T0);
    rig_add(rig, rv_i(RISCV_ADDI, SUM, SUM, 1));
    rig_add(rig, rv_jal(0, SAME_PLACE - (int32_t)rig->end));
    rig->end = SAME_PLACE;
    rig_add(rig, rv_i(RISCV_ADDI, SUM, SUM, 16));
    rig_add(rig, rv_jal(0, BELOW - (int32_t)rig->end));
    rig->end = BELOW;
    rig_add(rig, rv_i(RISCV_ADDI, SUM, SUM, 256));
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, -1));
    rig_add(rig, rv_b(RISCV_BNE, T0, 0, RIG_CODE - (int32_t)rig->end));
    rig_add(rig, tsr_riscv_row(RISCV_EBREAK)->match);
    for (unsigned life = 0; life < 2; life++) { // the second one begins below
        uint32_t begin = life == 0 ? RIG_CODE : BELOW;
        tsr_hart_reset(&rig->hart, begin, 0);
        rig->hart.x[T0] = PASSES;
        rig->hart.x[SUM] = 0;
        run(rig, 1000);
        assert_int_equal(rig->hart.rest, TSR_HART_PAUSED);
        assert_int_equal(rig->hart.x[SUM], (PASSES - life) * 0x11 + PASSES * 0x100);
        assert_ptr_equal(tsr_riscv_block_number(rig->riscv, begin),
                         &rig->riscv->block[TSR_BLOCKS - 1]);
        assert_int_equal(tsr_riscv_block_at(rig->riscv, BELOW)->pc, BELOW);
        assert_int_equal(tsr_riscv_block_at(rig->riscv, RIG_CODE)->pc, RIG_CODE);
        assert_int_equal(tsr_riscv_block_at(rig->riscv, SAME_PLACE)->pc, SAME_PLACE);
        tsr_riscv_clear_blocks(rig->riscv);
    }
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_depends_on_how_it_is_cut),
        cmocka_unit_test(test_a_long_stretch_begins_a_block),
        cmocka_unit_test(test_code_behind_a_branch_is_written),
        cmocka_unit_test(test_unwritten_stretches),
        cmocka_unit_test(test_places_of_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
