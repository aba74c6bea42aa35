// SPDX-License-Identifier: Apache-2.0
// Loops that wait: what they load is known as long as that is bytes in memory at addresses that the
// loop does not compute, and then a look at those bytes says that they go on waiting.
// Page: BabyRISCV/README.md.
#include "rig/riscv_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { AT = 5, RD = 6, OTHER = 7, DATA = 0x2000 };

// Runs the loop, which ends with a jump back to its first instruction, until it waits.
static struct riscv_rig *waiting(const uint32_t *words, int count)
{
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_T0);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    rig->hart.x[AT] = DATA;
    for (uint32_t i = 0; i < 64; i++)
        rig_put(rig, DATA + 4 * i, 0);
    for (int i = 0; i < count; i++)
        rig_add(rig, words[i]);
    rig_add(rig, rv_jal(0, -4 * count));
    tsr_riscv_run(rig->riscv, &rig->hart, 1000);
    assert_int_equal(rig->hart.rest, TSR_HART_POLLS);
    return rig;
}

static void test_known_loads(void **state)
{
    (void)state;
    const uint32_t words[] = {rv_i(RISCV_LW, RD, AT, 8), rv_b(RISCV_BNE, RD, 0, 8),
                              rv_i(RISCV_LBU, OTHER, AT, 33), rv_i(RISCV_LH, RD, AT, 64)};
    static const struct {
        uint32_t address;
        bool matters;
    } rows[] = {{DATA + 8, true},  {DATA + 11, true},  {DATA + 12, false}, {DATA + 32, false},
                {DATA + 33, true}, {DATA + 34, false}, {DATA + 65, true},  {DATA + 66, false}};
    struct riscv_rig *rig = waiting(words, 4);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(tsr_riscv_still_polls(rig->riscv));
        rig->l1[rows[i].address] = 1;
        assert_int_equal(tsr_riscv_still_polls(rig->riscv), !rows[i].matters);
        rig->l1[rows[i].address] = 0;
    }
    tsr_code_changed(&rig->code, RIG_CODE, 4); // what it executes may be something else
    assert_false(tsr_riscv_still_polls(rig->riscv));
    rig_free(rig);
}

// An address that changes in the loop, though it is the same in each pass; more loads than are
// kept.
static void test_unknown_loads(void **state)
{
    (void)state;
    const uint32_t moves[] = {rv_i(RISCV_ADDI, OTHER, AT, 4), rv_i(RISCV_LW, RD, OTHER, 0)};
    const uint32_t many[] = {rv_i(RISCV_LW, RD, AT, 0), rv_i(RISCV_LW, RD, AT, 4),
                             rv_i(RISCV_LW, RD, AT, 8), rv_i(RISCV_LW, RD, AT, 12),
                             rv_i(RISCV_LW, RD, AT, 16)};
    struct riscv_rig *rig = waiting(moves, 2);
    assert_false(tsr_riscv_still_polls(rig->riscv));
    rig_free(rig);
    rig = waiting(many, 5);
    assert_false(tsr_riscv_still_polls(rig->riscv));
    rig_free(rig);
    rig = waiting(many, 4);
    assert_true(tsr_riscv_still_polls(rig->riscv));
    rig->bus.l1.size = 0; // somebody watches
    assert_false(tsr_riscv_still_polls(rig->riscv));
    rig_free(rig);
}

// A loop that begins in the middle of a block and is entered from before it.
static void test_inside_a_block(void **state)
{
    (void)state;
    const uint32_t words[] = {rv_i(RISCV_ADDI, OTHER, 0, 1), rv_i(RISCV_LW, RD, AT, 8),
                              rv_b(RISCV_BEQ, RD, 0, -4)};
    struct riscv_rig *rig = waiting(words, 3);
    assert_int_equal(rig->hart.pc, RIG_CODE + 4);
    assert_true(tsr_riscv_still_polls(rig->riscv));
    rig->l1[DATA + 9] = 1;
    assert_false(tsr_riscv_still_polls(rig->riscv));
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_loads),
                                       cmocka_unit_test(test_unknown_loads),
                                       cmocka_unit_test(test_inside_a_block)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
