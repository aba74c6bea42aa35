// SPDX-License-Identifier: Apache-2.0
// Loops that wait for the wall clock: passes that are executed as one leave what they leave one by
// one, as a core does that executes an instruction at a time. Loops like them, which do something
// else, are among the random ones.
// Page: BabyRISCV/README.md.
#include "rig/riscv_rig.h"

#include "riscv/riscv_access.h"
#include "riscv/riscv_clock_loop.h"
#include "riscv/riscv_clock_wait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { AT = 5, LOW = 6, HIGH = 7, UNTIL = 8, OTHER = 9, LOW_AT = 496, HIGH_AT = 504 };
static const uint32_t CLOCK = 0xffb12000;

struct way {
    struct riscv_rig *rig;
    uint32_t high;
};

static void begin(struct way *way, const uint32_t *words, int count, uint64_t now, uint32_t until)
{
    way->rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    struct riscv_rig *rig = way->rig;
    way->high = (uint32_t)(now >> 32);
    rig->bus.clock = (struct tsr_riscv_clock){CLOCK + LOW_AT, CLOCK + HIGH_AT, &way->high};
    rig->now = now;
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    rig->hart.retired = 1;
    rig->hart.x[AT] = rig->hart.x[LOW] = rig->hart.x[HIGH] = CLOCK;
    rig->hart.x[UNTIL] = until;
    rig->hart.x[OTHER] = (uint32_t)(now >> 32);
    for (int i = 0; i < count; i++)
        rig_add(rig, words[i]);
    for (int i = 0; i < 8; i++)
        rig_add(rig, rv_i(RISCV_ADDI, OTHER, OTHER, 1));
    rig_add(rig, rv_i(RISCV_LW, 10, AT, LOW_AT));
    rig_add(rig, rv_jal(0, -36));
}

static void check_same(const struct way *one, const struct way *other)
{
    const struct tsr_riscv *a = one->rig->riscv, *b = other->rig->riscv;
    assert_memory_equal(one->rig->hart.x, other->rig->hart.x, sizeof one->rig->hart.x);
    assert_int_equal(one->rig->hart.pc, other->rig->hart.pc);
    assert_int_equal(one->rig->hart.retired, other->rig->hart.retired);
    assert_int_equal(one->rig->hart.rest, other->rig->hart.rest);
    assert_int_equal(one->rig->now, other->rig->now);
    assert_int_equal(one->rig->loads, other->rig->loads);
    assert_int_equal(one->high, other->high);
    assert_int_equal(a->effects, b->effects);
    assert_int_equal(a->load_at, b->load_at);
    assert_int_equal(a->polls.jumps, b->polls.jumps);
    assert_int_equal(a->polls.armed, b->polls.armed);
}

// The loop in slices, and one by one: `slice` 0: any lengths.
static void compare(const uint32_t *words, int count, uint64_t now, uint32_t until, uint64_t slice,
                    uint32_t *seed)
{
    struct way fast, slow;
    begin(&fast, words, count, now, until);
    begin(&slow, words, count, now, until);
    for (uint64_t done = 0; done < 400;) {
        *seed = *seed * 1664525 + 1013904223;
        uint64_t most = slice ? slice : 1 + (*seed >> 8) % 90, went = 0;
        uint64_t ran = tsr_riscv_run(fast.rig->riscv, &fast.rig->hart, most);
        for (uint64_t last = 1; went < most && slow.rig->hart.rest == TSR_HART_RUNS; went += last)
            last = tsr_riscv_run(slow.rig->riscv, &slow.rig->hart, 1);
        assert_int_equal(ran, went);
        check_same(&fast, &slow);
        if (fast.rig->hart.rest != TSR_HART_RUNS)
            break; // it waits for nothing that comes
        done += most;
    }
    rig_free(fast.rig);
    rig_free(slow.rig);
}

// As kernels for core B have it: the inner loop is for a carry between the two loads.
static const uint32_t *usual(void)
{
    static uint32_t words[5];
    words[0] = rv_i(RISCV_LW, LOW, AT, LOW_AT);
    words[1] = rv_i(RISCV_LW, HIGH, AT, HIGH_AT);
    words[2] = rv_b(RISCV_BLTU, HIGH, OTHER, -8);
    words[3] = rv_b(RISCV_BNE, OTHER, HIGH, 20);
    words[4] = rv_b(RISCV_BLTU, LOW, UNTIL, -16);
    return words;
}

static void test_the_usual_one(void **state)
{
    static const uint64_t begins[] = {0, 1000, 0xffffff80, 0x1fffffff0, 0x700000000};
    static const uint32_t lengths[] = {0, 1, 4, 5, 6, 99, 100, 101, 102, 103, 104, 105, 5000};
    uint32_t seed = 1;
    (void)state;
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
            for (uint64_t slice = 0; slice < 70; slice += 9)
                compare(usual(), 5, begins[i], (uint32_t)(begins[i] + lengths[k]), slice, &seed);
}

// The high half ends it, since the low half is never found to be so large.
static void test_carry(void **state)
{
    uint32_t seed = 1;
    (void)state;
    for (uint32_t i = 0; i < 20; i++)
        for (uint32_t k = 1; k < 6; k++)
            compare(usual(), 5, 0xffffff80 + i, 0u - k, 0, &seed);
}

// It is as one that the passes are executed: 20 of 5 instructions until the clock has come there.
static void test_passes_are_one(void **state)
{
    struct way way;
    (void)state;
    begin(&way, usual(), 5, 1000, 1100);
    tsr_riscv_run(way.rig->riscv, &way.rig->hart, 5);
    const struct tsr_riscv_block *block = tsr_riscv_block_at(way.rig->riscv, RIG_CODE);
    struct tsr_riscv_clock_wait loop = {block->op, block->op + 4, 0, 1000};
    struct tsr_riscv_clock_loads loads;
    assert_true(tsr_riscv_clock_loop(loop.first, loop.jump, &loads));
    way.rig->riscv->start = 1005;
    way.rig->riscv->polls.jumps = 50;
    assert_int_equal(tsr_riscv_wait_for_clock(way.rig->riscv, &way.rig->hart, &loop), 19 * 5);
    assert_int_equal(way.rig->hart.x[LOW], 1095);
    assert_int_equal(way.rig->riscv->polls.jumps, 31);
    loop.left = 14;
    assert_int_equal(tsr_riscv_wait_for_clock(way.rig->riscv, &way.rig->hart, &loop), 10);
    way.rig->riscv->polls.jumps = 1;
    assert_int_equal(tsr_riscv_wait_for_clock(way.rig->riscv, &way.rig->hart, &loop), 5);
    way.rig->riscv->polls.jumps = 0; // the next jump is looked at
    assert_int_equal(tsr_riscv_wait_for_clock(way.rig->riscv, &way.rig->hart, &loop), 0);
    rig_free(way.rig);
}

// Who comes to the jump back from outside has loaded no high half yet: a branch before that load
// finds what the register held.
static void test_entered_at_its_end(void **state)
{
    uint32_t seed = 1;
    (void)state;
    for (unsigned turns = 10; turns < 30; turns++) { // of another loop, which is looked at before
        const uint32_t words[] = {rv_i(RISCV_ADDI, 12, 0, (int32_t)turns),
                                  rv_i(RISCV_ADDI, 11, 11, 1),
                                  rv_b(RISCV_BLTU, 11, 12, -4),
                                  rv_b(RISCV_BEQ, 0, 0, 16),
                                  rv_i(RISCV_LW, LOW, AT, LOW_AT),
                                  rv_b(RISCV_BNE, HIGH, OTHER, 12),
                                  rv_i(RISCV_LW, HIGH, AT, HIGH_AT),
                                  rv_b(RISCV_BLTU, LOW, UNTIL, -12)};
        compare(words, 8, 0x100000010, 0xfffffff0, 90, &seed);
    }
}

static uint32_t pick(uint32_t *seed, uint32_t count)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 10) % count;
}

static uint32_t any_word(uint32_t *seed, int at)
{
    static const enum tsr_riscv_code branches[] = {RISCV_BEQ, RISCV_BNE,  RISCV_BLT,
                                                   RISCV_BGE, RISCV_BLTU, RISCV_BGEU};
    unsigned a = LOW + pick(seed, 4), b = LOW + pick(seed, 4);
    unsigned base = pick(seed, 3) ? AT : LOW + pick(seed, 2);
    if (pick(seed, 20) == 0)
        return rv_i(RISCV_ADDI, b, a, 1);
    if (pick(seed, 2))
        return rv_b(branches[pick(seed, 6)], a, b, pick(seed, 3) ? 24 : -4 * at);
    return rv_i(pick(seed, 20) ? RISCV_LW : RISCV_LHU, pick(seed, 20) ? a : 0, base,
                pick(seed, 9) ? HIGH_AT : LOW_AT);
}

// Near a carry, or where what is loaded is where the clock is.
static uint64_t any_time(uint32_t *seed)
{
    uint64_t high = (uint64_t)(1 + pick(seed, 3)) << 32;
    switch (pick(seed, 3)) {
    case 0:
        return high - pick(seed, 200);
    case 1:
        return high + CLOCK - 5 * pick(seed, 4);
    default:
        return high + pick(seed, 1000);
    }
}

static void test_any_loops(void **state)
{
    uint32_t seed = 20261123;
    (void)state;
    for (int i = 0; i < 60000; i++) {
        uint32_t words[6];
        int count = 2 + (int)pick(&seed, 4);
        uint64_t now = any_time(&seed);
        for (int k = 0; k < count - 1; k++)
            words[k] = any_word(&seed, k);
        if (pick(&seed, 4))
            words[0] = rv_i(RISCV_LW, LOW, pick(&seed, 4) ? AT : LOW + pick(&seed, 2), LOW_AT);
        words[count - 1] = rv_b(RISCV_BLTU, pick(&seed, 8) ? LOW : HIGH,
                                pick(&seed, 8) ? UNTIL : OTHER, -4 * (count - 1));
        compare(words, count, now, (uint32_t)now + pick(&seed, 500), 0, &seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_usual_one), cmocka_unit_test(test_carry),
        cmocka_unit_test(test_passes_are_one), cmocka_unit_test(test_entered_at_its_end),
        cmocka_unit_test(test_any_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
