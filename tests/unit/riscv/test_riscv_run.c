// SPDX-License-Identifier: Apache-2.0
// How a core runs: jumps, loads and stores, waiting, what it refuses, code that changes, loops that
// only wait, and that nothing depends on how a run is sliced.
// Pages: BabyRISCV/README.md, InstructionCache.md, PushTensixInstruction.md, DebugInterface.md.
#include "rig/riscv_rig.h"

#include "base/finding_codes.h"
#include "riscv/riscv_blocks.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { T0 = 5, T1 = 6, T2 = 7 };

static uint64_t run(struct riscv_rig *rig, uint64_t most)
{
    return tsr_riscv_run(rig->riscv, &rig->hart, most);
}

// ---------------------------------------------------------------- jumps

static void check_branch(enum tsr_riscv_code code, uint32_t a, uint32_t b, bool taken)
{
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_T1);
    rig->hart.x[T0] = a;
    rig->hart.x[T1] = b;
    rig_add(rig, rv_b(code, T0, T1, -0x800));
    assert_int_equal(run(rig, 1), 1);
    assert_int_equal(rig->hart.pc, taken ? RIG_CODE - 0x800 : RIG_CODE + 4);
    rig_free(rig);
}

static void test_branches(void **state)
{
    (void)state;
    static const struct {
        enum tsr_riscv_code code;
        bool less, equal, more; // signed -1 against 1, 1 against 1, 1 against -1
    } rows[] = {
        {RISCV_BEQ, false, true, false},  {RISCV_BNE, true, false, true},
        {RISCV_BLT, true, false, false},  {RISCV_BGE, false, true, true},
        {RISCV_BLTU, false, false, true}, {RISCV_BGEU, true, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_branch(rows[i].code, 0xffffffff, 1, rows[i].less);
        check_branch(rows[i].code, 1, 1, rows[i].equal);
        check_branch(rows[i].code, 1, 0xffffffff, rows[i].more);
    }
}

static void test_jumps(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig_add(rig, rv_jal(1, 8));
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 1)); // left out
    rig_add(rig, rv_i(RISCV_JALR, 1, 1, 13));  // bit 0 does not count
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 2)); // left out
    rig_add(rig, rv_jal(0, -8));               // at +16: back to +8
    assert_int_equal(run(rig, 2), 2);
    assert_int_equal(rig->hart.pc, RIG_CODE + 16);
    assert_int_equal(rig->hart.x[1], RIG_CODE + 12);
    assert_int_equal(run(rig, 1), 1);
    assert_int_equal(rig->hart.pc, RIG_CODE + 8);
    assert_int_equal(rig->hart.x[T0], 0);
    assert_int_equal(rig->hart.x[0], 0);
    assert_int_equal(rig->findings, 0);
    rig_free(rig);
}

static void test_jump_elsewhere(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig_li(rig, T0, 0xffb00000);
    rig_add(rig, rv_i(RISCV_JALR, 0, T0, 0));
    assert_int_equal(run(rig, 10), 3);
    assert_int_equal(rig->hart.rest, TSR_HART_HUNG);
    assert_int_equal(rig->finding, FINDING_CORE_FETCH);
    assert_int_equal(rig->finding_pc, 0xffb00000);
    assert_int_equal(run(rig, 10), 0);
    rig_free(rig);
}

static void test_jump_to_half_a_word(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig_add(rig, rv_jal(0, 10));
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 1));
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 2));
    assert_int_equal(run(rig, 2), 2);
    assert_int_equal(rig->finding, FINDING_CORE_MISALIGNED_JUMP);
    assert_int_equal(rig->hart.x[T0], 2);
    rig_free(rig);
}

// ---------------------------------------------------------------- loads and stores

static void test_widths(void **state)
{
    (void)state;
    static const struct {
        enum tsr_riscv_code code;
        int32_t offset;
        uint32_t result;
    } loads[] = {
        {RISCV_LW, 0, 0x8182f3f4}, {RISCV_LH, 0, 0xfffff3f4}, {RISCV_LH, 2, 0xffff8182},
        {RISCV_LHU, 2, 0x8182},    {RISCV_LB, 3, 0xffffff81}, {RISCV_LBU, 1, 0xf3},
    };
    for (int where = 0; where < 2; where++) {
        struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
        uint32_t at = where ? RIG_RAM_AT + 0x40 : RIG_DATA;
        rig->hart.x[T0] = at + 4;
        rig->hart.x[T1] = 0x8182f3f4;
        rig_add(rig, rv_s(RISCV_SW, T1, T0, -4));
        for (int i = 0; i < 6; i++)
            rig_add(rig, rv_i(loads[i].code, 10 + (unsigned)i, T0, loads[i].offset - 4));
        rig_add(rig, rv_s(RISCV_SB, T1, T0, 1));
        rig_add(rig, rv_s(RISCV_SH, T1, T0, 2));
        rig_add(rig, rv_i(RISCV_LW, 20, T0, 0));
        rig_add(rig, rv_i(RISCV_LW, 0, T0, 0));
        assert_int_equal(run(rig, 11), 11);
        for (int i = 0; i < 6; i++)
            assert_int_equal(rig->hart.x[10 + i], loads[i].result);
        assert_int_equal(rig->hart.x[20], 0xf3f4f400);
        assert_int_equal(rig->hart.x[0], 0);
        assert_int_equal(rig->loads + rig->stores, 0);
        rig_free(rig);
    }
}

// Unaligned accesses, bytes that nobody wrote, and memory that somebody watches take the bus.
static void test_what_takes_the_bus(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig->hart.x[T0] = RIG_DATA;
    rig->l1_written[(RIG_DATA + 8) / 8] = 0x0f;
    rig_add(rig, rv_i(RISCV_LW, T1, T0, 2));
    rig_add(rig, rv_s(RISCV_SH, T1, T0, 1));
    rig_add(rig, rv_i(RISCV_LW, T1, T0, 8));
    rig_add(rig, rv_i(RISCV_LHU, T1, T0, 12));
    rig_add(rig, rv_s(RISCV_SH, T1, T0, 12));
    rig_add(rig, rv_i(RISCV_LHU, T1, T0, 12));
    rig_add(rig, rv_i(RISCV_LW, T1, T0, 4));
    run(rig, 2);
    assert_int_equal(rig->loads, 1);
    assert_int_equal(rig->stores, 1);
    run(rig, 2);
    assert_int_equal(rig->loads, 2); // the second one's bytes
    run(rig, 2);
    assert_int_equal(rig->loads, 2); // written now
    assert_int_equal(rig->l1_written[(RIG_DATA + 8) / 8], 0x3f);
    rig->bus.l1.size = 0;
    run(rig, 1);
    assert_int_equal(rig->loads, 3);
    rig_free(rig);
}

static void test_blocked_load(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_T0);
    rig->device = 77;
    rig->status = TSR_BUSY;
    rig_li(rig, T0, RIG_DEVICE);
    rig_add(rig, rv_i(RISCV_LW, T1, T0, 0));
    rig_add(rig, rv_i(RISCV_ADDI, T2, T2, 1));
    assert_int_equal(run(rig, 10), 2);
    assert_int_equal(rig->hart.rest, TSR_HART_BLOCKED);
    assert_int_equal(rig->hart.waits_at, RIG_DEVICE);
    assert_false(rig->hart.waits_to_store);
    assert_int_equal(rig->hart.pc, RIG_CODE + 8);
    assert_int_equal(run(rig, 10), 0);
    rig->status = TSR_OK;
    assert_int_equal(run(rig, 2), 2);
    assert_int_equal(rig->hart.rest, TSR_HART_RUNS);
    assert_int_equal(rig->hart.x[T1], 77);
    assert_int_equal(rig->hart.retired, 4);
    assert_int_equal(rig->now, 4);
    rig_free(rig);
}

static void test_access_that_never_returns(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_T0);
    rig->status = TSR_UNMAPPED;
    rig_li(rig, T0, RIG_DEVICE);
    rig_add(rig, rv_s(RISCV_SW, T1, T0, 4));
    assert_int_equal(run(rig, 10), 2);
    assert_int_equal(rig->hart.rest, TSR_HART_HUNG);
    assert_int_equal(rig->hart.waits_at, RIG_DEVICE + 4);
    assert_true(rig->hart.waits_to_store);
    rig_free(rig);
}

// ---------------------------------------------------------------- .ttinsn

static void add_tensix_words(struct riscv_rig *rig, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        rig_add(rig, rv_ttinsn(0x80000000 + i * 0x11111111 % 0x3fffffff));
}

static void check_pushed(const struct riscv_rig *rig, int count)
{
    assert_int_equal(rig->pushes, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(rig->pushed[i], 0x80000000 + (uint32_t)i * 0x11111111 % 0x3fffffff);
}

static void test_words_one_by_one(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_T2);
    add_tensix_words(rig, 6);
    assert_int_equal(run(rig, 6), 6);
    check_pushed(rig, 6);
    assert_int_equal(rig->groups, 6);
    rig_free(rig);
}

// Blackhole's T cores push up to four in an instruction's time, however the run is sliced.
static void test_words_together(void **state)
{
    (void)state;
    for (uint64_t slice = 1; slice < 5; slice++) {
        struct riscv_rig *rig = rig_new(TSR_BLACKHOLE_A0, TSR_CORE_T2);
        add_tensix_words(rig, 6);
        rig_add(rig, rv_i(RISCV_ADDI, T0, 0, 1));
        uint64_t done = 0;
        while (rig->hart.pc != rig->end)
            done += run(rig, slice < 3 - done ? slice : 3 - done);
        assert_int_equal(done, 3);
        assert_int_equal(rig->groups, 2);
        check_pushed(rig, 6);
        assert_int_equal(rig->hart.x[T0], 1);
        rig_free(rig);
    }
}

// Of a core without fusion all that lie next to each other go by one call of the bus, an
// instruction each.
static void test_words_in_a_row(void **state)
{
    (void)state;
    static const struct {
        tsr_arch arch;
        tsr_core core;
    } who[] = {{TSR_WORMHOLE_B0, TSR_CORE_T1}, {TSR_BLACKHOLE_A0, TSR_CORE_B}};
    for (int i = 0; i < 2; i++) {
        struct riscv_rig *rig = rig_new(who[i].arch, who[i].core);
        add_tensix_words(rig, 20);
        rig_add(rig, rv_i(RISCV_ADDI, T0, 0, 1));
        assert_int_equal(run(rig, 7), 7);
        check_pushed(rig, 7);
        assert_int_equal(rig->rows, 1);
        assert_int_equal(run(rig, 14), 14);
        check_pushed(rig, 20);
        assert_int_equal(rig->rows, 2);
        assert_int_equal(rig->groups, 20);
        assert_int_equal(rig->stores, 0);
        assert_int_equal(rig->hart.x[T0], 1);
        rig_free(rig);
    }
}

// Bytes of L1 that nobody wrote are reported where execution comes to them, and executed.
static void test_unwritten_code(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_T0);
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 1));
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 1));
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 1));
    rig_add(rig, rv_jal(0, -12));
    rig->l1_written[(RIG_CODE + 4) / 8] = 0x0f; // the second one is not
    assert_int_equal(run(rig, 1), 1);
    assert_int_equal(rig->findings, 0);
    assert_int_equal(run(rig, 3), 3);
    assert_int_equal(rig->findings, 1);
    assert_int_equal(rig->finding, FINDING_CORE_UNWRITTEN_CODE);
    assert_int_equal(rig->finding_pc, RIG_CODE + 4);
    assert_int_equal(rig->hart.x[T0], 3);
    run(rig, 8);
    assert_int_equal(rig->findings, 1);
    rig_free(rig);
}

static void test_full_fifo(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_BLACKHOLE_A0, TSR_CORE_T0);
    add_tensix_words(rig, 8);
    rig_add(rig, rv_i(RISCV_ADDI, T0, 0, 1));
    rig->room = 2;
    assert_int_equal(run(rig, 10), 1); // two of four
    assert_int_equal(rig->hart.rest, TSR_HART_BLOCKED);
    assert_int_equal(rig->hart.waits_at, 0xffe40000);
    assert_true(rig->hart.waits_to_store);
    check_pushed(rig, 2);
    rig->room = 100;
    assert_int_equal(run(rig, 2), 2); // four, and two
    check_pushed(rig, 8);
    rig_free(rig);
}

// NC's is a store to the address that the others push to, and fails as one.
static void test_word_of_core_nc(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_BLACKHOLE_A0, TSR_CORE_NC);
    rig_add(rig, rv_ttinsn(0x02000000));
    assert_int_equal(run(rig, 1), 1);
    assert_int_equal(rig->stored_at, 0xffe40000);
    assert_int_equal(rig->stored, 0x02000000);
    rig_free(rig);
}

// ---------------------------------------------------------------- what is refused

static void test_pauses(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
        rig_add(rig, tsr_riscv_row(i ? RISCV_ECALL : RISCV_EBREAK)->match);
        rig_add(rig, rv_i(RISCV_ADDI, T0, 0, 1));
        assert_int_equal(run(rig, 10), 1);
        assert_int_equal(rig->hart.rest, TSR_HART_PAUSED);
        assert_int_equal(rig->hart.pc, RIG_CODE + 4);
        assert_int_equal(run(rig, 10), 0);
        rig->hart.rest = TSR_HART_RUNS;
        assert_int_equal(run(rig, 1), 1);
        assert_int_equal(rig->hart.x[T0], 1);
        rig_free(rig);
    }
}

static void check_refused(tsr_arch arch, int core, uint32_t word, int finding)
{
    struct riscv_rig *rig = rig_new(arch, core);
    rig->hart.x[T0] = 5;
    rig_add(rig, word);
    rig->stops = true;
    assert_int_equal(run(rig, 3), 0);
    assert_int_equal(rig->hart.pc, RIG_CODE);
    rig->stops = false;
    assert_int_equal(run(rig, 1), 1); // as a nop
    assert_int_equal(rig->findings, 2);
    assert_int_equal(rig->finding, finding);
    assert_int_equal(rig->finding_pc, RIG_CODE);
    assert_int_equal(rig->hart.pc, RIG_CODE + 4);
    assert_int_equal(rig->hart.x[T0], 5);
    rig_free(rig);
}

// Nothing of RISC-V that a core lacks is executed.
static void test_refused_instructions(void **state)
{
    (void)state;
    check_refused(TSR_WORMHOLE_B0, TSR_CORE_B, 0xffffffff, FINDING_CORE_UNKNOWN_INSTRUCTION);
    check_refused(TSR_WORMHOLE_B0, TSR_CORE_B, 0x0000707f, FINDING_CORE_UNKNOWN_INSTRUCTION);
    for (int code = 0; code < RISCV_ROWS; code++) {
        const struct tsr_riscv_row *row = tsr_riscv_row(code);
        for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
            for (int core = 0; core < 5; core++) {
                bool has = row->cores[arch] >> core & 1;
                if (!has || !row->implemented)
                    check_refused((tsr_arch)arch, core, row->match | (T0 << 7 & ~row->mask),
                                  has ? FINDING_CORE_UNIMPLEMENTED_INSTRUCTION
                                      : FINDING_CORE_LACKS_INSTRUCTION);
            }
    }
}

// The finding says who has the instruction, if others do.
static void test_who_has_it(void **state)
{
    (void)state;
    static const struct {
        tsr_arch arch;
        enum tsr_riscv_code code;
        const char *who;
    } rows[] = {
        {TSR_BLACKHOLE_A0, RISCV_MRET, "which only cores B and NC have."},
        {TSR_BLACKHOLE_A0, RISCV_VADD_VV, "which only core T2 has."},
        {TSR_WORMHOLE_B0, RISCV_MRET, "which this chip's cores do not have."},
    };
    for (int i = 0; i < 3; i++) {
        struct riscv_rig *rig = rig_new(rows[i].arch, TSR_CORE_T0);
        rig_add(rig, tsr_riscv_row(rows[i].code)->match);
        assert_int_equal(run(rig, 1), 1);
        assert_non_null(strstr(rig->said, rows[i].who));
        rig_free(rig);
    }
}

static void test_fences(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig_add(rig, 0x0ff0000f); // fence iorw, iorw
    rig_add(rig, 0x8330000f); // fence.tso
    rig_add(rig, 0x0000100f); // fence.i
    assert_int_equal(run(rig, 3), 3);
    assert_int_equal(rig->findings, 0);
    rig_free(rig);
}

// ---------------------------------------------------------------- code that changes

static void test_code_written_by_the_core(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig->hart.x[T0] = RIG_CODE + 4;
    rig->hart.x[T1] = rv_i(RISCV_ADDI, T2, 0, 99);
    rig_add(rig, rv_s(RISCV_SW, T1, T0, 0)); // the next one
    rig_add(rig, rv_i(RISCV_ADDI, T2, 0, 1));
    assert_int_equal(run(rig, 2), 2);
    assert_int_equal(rig->hart.x[T2], 99);
    rig_free(rig);
}

static void test_code_written_by_others(void **state)
{
    (void)state;
    for (int watched = 0; watched < 2; watched++) {
        struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
        if (watched)
            rig->bus.l1.size = 0;
        rig_add(rig, rv_i(RISCV_ADDI, T2, 0, 1));
        rig_add(rig, rv_jal(0, -4));
        assert_int_equal(run(rig, 2), 2);
        rig_put(rig, RIG_CODE, rv_i(RISCV_ADDI, T2, 0, 2));
        assert_int_equal(run(rig, 1), 1);
        assert_int_equal(rig->hart.x[T2], 2);
        rig_free(rig);
    }
}

// ---------------------------------------------------------------- loops that wait

static void test_polling_l1(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig_li(rig, T0, RIG_DATA);
    rig_add(rig, rv_i(RISCV_LW, T1, T0, 8));
    rig_add(rig, rv_b(RISCV_BEQ, T1, 0, -4));
    rig_add(rig, rv_i(RISCV_ADDI, T2, 0, 7));
    assert_true(run(rig, 100000) < 1000);
    assert_int_equal(rig->hart.rest, TSR_HART_POLLS);
    assert_int_equal(rig->hart.waits_at, RIG_DATA + 8);
    assert_int_equal(rig->hart.pc, RIG_CODE + 8);
    uint64_t now = rig->now, retired = rig->hart.retired;
    assert_int_equal(run(rig, 100000), 0); // the same again
    assert_int_equal(rig->hart.rest, TSR_HART_POLLS);
    assert_int_equal(rig->hart.retired, retired);
    assert_int_equal(rig->now, now);
    rig_put(rig, RIG_DATA + 8, 1);
    assert_int_equal(run(rig, 3), 3);
    assert_int_equal(rig->hart.x[T2], 7);
    assert_int_equal(rig->hart.rest, TSR_HART_RUNS);
    rig_free(rig);
}

// A loop that reads a device waits only if the bus calls the device quiet.
static void test_polling_a_device(void **state)
{
    (void)state;
    for (int quiet = 0; quiet < 2; quiet++) {
        struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
        rig->quiet = quiet;
        rig_li(rig, T0, RIG_DEVICE);
        rig_add(rig, rv_i(RISCV_LW, T1, T0, 0));
        rig_add(rig, rv_b(RISCV_BEQ, T1, 0, -4));
        uint64_t effects = tsr_riscv_effects(rig->riscv);
        uint64_t done = run(rig, 10000);
        assert_int_equal(done == 10000, !quiet);
        assert_int_equal(rig->hart.rest, quiet ? TSR_HART_POLLS : TSR_HART_RUNS);
        assert_int_equal(tsr_riscv_effects(rig->riscv) == effects, quiet);
        rig_free(rig);
    }
}

static void test_loops_that_do_not_wait(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig_add(rig, rv_i(RISCV_ADDI, T0, T0, 1)); // counts
    rig_add(rig, rv_jal(0, -4));
    assert_int_equal(run(rig, 10001), 10001);
    assert_int_equal(rig->hart.x[T0], 5001);
    rig_free(rig);
    rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig->hart.x[T0] = RIG_DATA;
    rig_add(rig, rv_s(RISCV_SW, T1, T0, 0)); // stores the same again
    rig_add(rig, rv_jal(0, -4));
    assert_int_equal(run(rig, 10000), 10000);
    rig_free(rig);
    rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig_add(rig, rv_jal(0, 0)); // never goes on
    assert_true(run(rig, 10000) < 200);
    assert_int_equal(rig->hart.rest, TSR_HART_ENDED);
    assert_int_equal(run(rig, 10000), 0);
    rig_free(rig);
}

// A core that comes from reset finds out at the same instruction as a new one.
static void test_polling_after_reset(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig_li(rig, T0, RIG_DATA);
    rig_add(rig, rv_i(RISCV_ADDI, T2, 0, 100)); // computes first
    rig_add(rig, rv_i(RISCV_ADDI, T2, T2, -1));
    rig_add(rig, rv_b(RISCV_BNE, T2, 0, -4));
    rig_add(rig, rv_i(RISCV_LW, T1, T0, 0));
    rig_add(rig, rv_b(RISCV_BEQ, T1, 0, -4));
    uint64_t first = run(rig, 100000);
    assert_int_equal(rig->hart.rest, TSR_HART_POLLS);
    tsr_hart_reset(&rig->hart, RIG_CODE, 0);
    assert_int_equal(run(rig, 100000), first);
    rig_free(rig);
}

// Loops inside the loop, with calls: dispatch firmware waits so.
static void test_polling_two_places(void **state)
{
    (void)state;
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    rig->hart.x[T0] = RIG_DATA;
    rig_add(rig, rv_i(RISCV_LW, T1, T0, 0));
    rig_add(rig, rv_b(RISCV_BNE, T1, 0, 24));
    rig_add(rig, rv_i(RISCV_ADDI, T2, 0, 4)); // a delay
    rig_add(rig, rv_i(RISCV_ADDI, T2, T2, -1));
    rig_add(rig, rv_b(RISCV_BNE, T2, 0, -4));
    rig_add(rig, rv_i(RISCV_LW, T1, T0, 4));
    rig_add(rig, rv_b(RISCV_BEQ, T1, 0, -24));
    rig_add(rig, rv_i(RISCV_ADDI, 10, 0, 1));
    assert_true(run(rig, 100000) < 5000);
    assert_int_equal(rig->hart.rest, TSR_HART_POLLS);
    rig_put(rig, RIG_DATA + 4, 1);
    assert_true(run(rig, 20) > 0);
    assert_int_equal(rig->hart.x[10], 1);
    rig_free(rig);
}

// ---------------------------------------------------------------- more code than is kept

// Blocks of 31 instructions, the last of them a jump to the next, which add other numbers to T0.
// Entered at each of their first places they are more than a core keeps decoded.
static void test_more_code_than_is_kept(void **state)
{
    (void)state;
    enum { LENGTH = 31, BLOCKS = 480, PLACES = 3 };
    struct riscv_rig *rig = rig_new(TSR_WORMHOLE_B0, TSR_CORE_B);
    for (int k = 0; k < BLOCKS; k++) {
        for (int i = 0; i + 1 < LENGTH; i++)
            rig_add(rig, rv_i(RISCV_ADDI, T0, T0, k + i));
        rig_add(rig, rv_jal(0, 4));
    }
    bool began_again = false;
    for (int place = 0; place < PLACES; place++) {
        for (int k = 0; k < BLOCKS; k++) {
            uint32_t kept = rig->riscv->used, sum = 0;
            for (int i = place; i + 1 < LENGTH; i++)
                sum += (uint32_t)(k + i);
            rig->hart.x[T0] = 0;
            rig->hart.pc = RIG_CODE + 4 * (uint32_t)(k * LENGTH + place);
            assert_int_equal(run(rig, (uint64_t)(LENGTH - place)), LENGTH - place);
            assert_int_equal(rig->hart.x[T0], sum);
            began_again = began_again || rig->riscv->used < kept;
        }
    }
    assert_true(began_again);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_jump_elsewhere),
        cmocka_unit_test(test_jump_to_half_a_word),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_what_takes_the_bus),
        cmocka_unit_test(test_blocked_load),
        cmocka_unit_test(test_access_that_never_returns),
        cmocka_unit_test(test_words_one_by_one),
        cmocka_unit_test(test_words_together),
        cmocka_unit_test(test_words_in_a_row),
        cmocka_unit_test(test_unwritten_code),
        cmocka_unit_test(test_full_fifo),
        cmocka_unit_test(test_word_of_core_nc),
        cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_refused_instructions),
        cmocka_unit_test(test_who_has_it),
        cmocka_unit_test(test_fences),
        cmocka_unit_test(test_code_written_by_the_core),
        cmocka_unit_test(test_code_written_by_others),
        cmocka_unit_test(test_polling_l1),
        cmocka_unit_test(test_polling_a_device),
        cmocka_unit_test(test_loops_that_do_not_wait),
        cmocka_unit_test(test_polling_after_reset),
        cmocka_unit_test(test_polling_two_places),
        cmocka_unit_test(test_more_code_than_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
