// SPDX-License-Identifier: Apache-2.0
// Blackhole's interrupts: who is interrupted, what the handler finds, the order of handlers, mret,
// and that no slicing changes anything, with timing off and on.
// Pages: BlackholeA0/TensixTile/PIC.md, BlackholeA0/TensixTile/BabyRISCV/CSRs.md.
#include "base/finding_codes.h"
#include "rig/core_rig.h"
#include "rig/state_compare.h"

enum { T0_CODE = 0x6000, NC_CODE = 0x12000, HANDLER = 0x18000, OTHER = 0x1a000 };
// Words of L1: how many entries the log has, and where it is; what main programs say.
enum { COUNT = 0x20000, LOG = 0x20100, DONE = 0x28000 };
enum { T0 = 5, T1 = 6, T2 = 7, T3 = 28, T4 = 29 }; // registers of a handler

#define PIC 0xffb13000u
#define SW_EN(nc) (PIC + 0x0c * (nc))
#define HW_EN(nc) (PIC + 4 + 0x0c * (nc))
#define INT_NO(nc) (PIC + 8 + 0x0c * (nc))
#define SW_INT(i) (PIC + 0x18 + 4 * (i))
#define SW_PC(i) (PIC + 0xa8 + 4 * (i))
#define MRET 0x30200073u
#define INTP_RESTORE_PC 0xbca
#define SCRATCH 0x7c3

static void put_csr(struct code *code, enum tsr_riscv_code op, unsigned rd, unsigned rs, int csr)
{
    code_put(code, rv_i(op, rd, rs, csr));
}

static tsr_tile *begin(bool timing)
{
    tsr_tile *tile = tile_with_cores(BH, timing, TSR_PROFILE_STRICT);
    for (uint32_t at = 0; at < 0x400; at += 4)
        assert_int_equal(tsr_host_store(tile, COUNT + at, 0, 4), TSR_OK);
    assert_int_equal(tsr_host_store(tile, DONE, 0, 4), TSR_OK);
    assert_int_equal(tsr_host_store(tile, DONE + 4, 0, 4), TSR_OK);
    return tile;
}

// Logs INT_NO, the request's value and intp_restore_pc, counts, and says DONE when it has counted
// to `most`. `raise`: stores 1 there when it has taken its request.
static void put_handler(tsr_tile *tile, uint32_t at, int nc, uint32_t raise, uint32_t most)
{
    struct code code = code_at(tile, at);
    code_li(&code, T0, COUNT);
    code_lw(&code, T1, T0, 0);
    put_csr(&code, RISCV_CSRRS, T3, ZERO, INTP_RESTORE_PC);
    code_li(&code, T2, INT_NO(nc));
    code_lw(&code, T2, T2, 0);
    code_put(&code, rv_i(RISCV_SLLI, T4, T1, 4));
    code_put(&code, rv_r(RISCV_ADD, T4, T4, T0));
    code_sw(&code, T2, T4, LOG - COUNT);
    code_sw(&code, T3, T4, LOG - COUNT + 8);
    code_put(&code, rv_i(RISCV_SLLI, T2, T2, 2));
    code_li(&code, T3, SW_INT(0));
    code_put(&code, rv_r(RISCV_ADD, T3, T3, T2));
    code_lw(&code, T3, T3, 0);
    code_sw(&code, T3, T4, LOG - COUNT + 4);
    if (raise) {
        code_li(&code, T2, raise);
        code_addi(&code, T4, ZERO, 1);
        code_sw(&code, T4, T2, 0);
    }
    code_addi(&code, T1, T1, 1);
    code_sw(&code, T1, T0, 0);
    code_li(&code, T2, most);
    code_branch(&code, RISCV_BNE, T1, T2, code.at + 16);
    code_li(&code, T0, DONE);
    code_sw(&code, T1, T0, 0);
    code_put(&code, MRET);
}

struct entry {
    uint32_t number, value, from;
};

static struct entry entry(tsr_tile *tile, uint32_t i)
{
    uint32_t at = LOG + 16 * i;
    return (struct entry){tile_l1(tile, at), tile_l1(tile, at + 4), tile_l1(tile, at + 8)};
}

static tsr_end run_in(tsr_tile *tile, uint64_t cycles, uint64_t slice)
{
    tsr_end end = TSR_END_TIMEOUT;
    for (uint64_t done = 0; done < cycles && end == TSR_END_TIMEOUT; done += slice) {
        tsr_limits limits = tsr_limits_default();
        limits.max_cycles = slice;
        end = tsr_run(tile, &limits);
    }
    return end;
}

static tsr_end run_for(tsr_tile *tile, uint64_t cycles)
{
    return run_in(tile, cycles, cycles);
}

static void run_and_wait(tsr_tile *tile, uint64_t cycles)
{
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = cycles;
    limits.external = true;
    (void)tsr_run(tile, &limits);
}

static void host_store(tsr_tile *tile, uint32_t address, uint32_t value)
{
    assert_int_equal(tsr_host_store(tile, address, value, 4), TSR_OK);
}

static void in_both(void (*test)(bool timing))
{
    test(false);
    test(true);
}

// ---------------------------------------------------------------- another core raises one

// B polls a word that its handler writes; T0 raises the request.
static tsr_tile *one_request(bool timing, int core, uint64_t slice)
{
    const int nc = core == TSR_CORE_NC;
    tsr_tile *tile = begin(timing);
    uint32_t start = nc ? NC_CODE : 0;
    put_handler(tile, HANDLER, nc, 0, 1);
    struct code code = code_at(tile, start);
    code_store(&code, SW_PC(3), HANDLER);
    code_store(&code, SW_EN(nc), 1 << 3);
    code_wait_for(&code, DONE, 1);
    code_load(&code, A2, INT_NO(nc));
    code_end(&code);
    code = code_at(tile, T0_CODE);
    code_spend(&code, 1000);
    code_store(&code, SW_INT(3), 55);
    code_end(&code);
    core_start(tile, core, start);
    core_start(tile, TSR_CORE_T0, T0_CODE);
    assert_int_equal(run_in(tile, 20000, slice), TSR_END_IDLE);
    return tile;
}

static void another_raises(bool timing)
{
    for (int i = 0; i < 2; i++) {
        int core = i ? TSR_CORE_NC : TSR_CORE_B;
        tsr_tile *tile = one_request(timing, core, 20000);
        struct entry first = entry(tile, 0);
        assert_int_equal(tile_l1(tile, COUNT), 1);
        assert_int_equal(first.number, 3);
        assert_int_equal(first.value, 55);
        assert_int_equal(first.from, (i ? NC_CODE : 0) + 4 * (5 + 5 + 4)); // its loop
        assert_int_equal(core_view(tile, core).x[A2], 3);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        static const uint64_t slices[] = {1, 7, 64, 1000};
        for (size_t s = 0; s < sizeof slices / sizeof *slices; s++) {
            tsr_tile *sliced = one_request(timing, core, slices[s]);
            assert_null(state_difference(tile_state(tile), tile_state(sliced)));
            assert_int_equal(tsr_cycle(tile), tsr_cycle(sliced));
            tsr_tile_destroy(sliced);
        }
        tsr_tile_destroy(tile);
    }
}

static void test_another_raises(void **state)
{
    (void)state;
    in_both(another_raises);
}

// ---------------------------------------------------------------- loops that never end

// The tile is idle, and a host's request is handled all the same; mret goes back to the loop.
static void host_raises(bool timing)
{
    tsr_tile *tile = begin(timing);
    put_handler(tile, HANDLER, 0, 0, 1);
    struct code code = code_at(tile, 0);
    code_end(&code);
    core_start(tile, TSR_CORE_B, 0);
    host_store(tile, SW_PC(31), HANDLER);
    assert_int_equal(run_for(tile, 3000), TSR_END_IDLE);
    assert_int_equal(core_view(tile, TSR_CORE_B).rest, TSR_CORE_ENDED);
    host_store(tile, SW_INT(31), 9); // which nobody has enabled
    assert_false(tsr_has_work(tile));
    assert_int_equal(run_for(tile, 3000), TSR_END_IDLE);
    assert_int_equal(tile_l1(tile, COUNT), 0);
    host_store(tile, SW_EN(1), UINT32_MAX); // of the other core, which is in reset
    assert_false(tsr_has_work(tile));
    host_store(tile, SW_EN(0), 1u << 31);
    assert_true(tsr_has_work(tile));
    assert_int_equal(run_for(tile, 3000), TSR_END_IDLE);
    assert_int_equal(tile_l1(tile, COUNT), 1);
    assert_int_equal(entry(tile, 0).number, 31);
    assert_int_equal(entry(tile, 0).value, 9);
    assert_int_equal(entry(tile, 0).from, 0);
    assert_int_equal(core_view(tile, TSR_CORE_B).pc, 0);
    host_store(tile, SW_EN(0), 0);
    host_store(tile, SW_INT(31), 9);
    assert_int_equal(run_for(tile, 3000), TSR_END_IDLE);
    assert_int_equal(tile_l1(tile, COUNT), 1);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}

static void test_host_raises(void **state)
{
    (void)state;
    in_both(host_raises);
}

// The handler finds the passes of a loop in minstret: of one that polls, and of one that reads
// nothing, as many as of one that counts, which is executed. `cuts`: of the run.
enum { COUNTS, POLLS, READS_NOTHING, LOOPS };
static tsr_tile *long_loop(bool timing, int kind, int cuts)
{
    tsr_tile *tile = begin(timing);
    struct code code = code_at(tile, HANDLER);
    put_csr(&code, RISCV_CSRRS, T1, ZERO, 0xb02); // minstret
    put_csr(&code, RISCV_CSRRS, T2, ZERO, 0xb00); // mcycle
    code_li(&code, T0, LOG);
    code_sw(&code, T1, T0, 0);
    code_sw(&code, T2, T0, 4);
    code_li(&code, T1, SW_EN(0));
    code_sw(&code, ZERO, T1, 0);
    code_put(&code, MRET);
    code = code_at(tile, 0);
    code_li(&code, T0, DONE);
    uint32_t loop = code.at;
    if (kind == POLLS)
        code_lw(&code, T1, T0, 0);
    else
        code_addi(&code, T1, kind == COUNTS ? T1 : ZERO, 1);
    code_addi(&code, T2, ZERO, 2);
    code_jump(&code, loop);
    core_start(tile, TSR_CORE_B, 0);
    host_store(tile, SW_PC(3), HANDLER);
    for (int i = 0; i < cuts; i++)
        run_and_wait(tile, 6400 / (uint64_t)cuts);
    assert_int_equal(core_view(tile, TSR_CORE_B).rest, kind == COUNTS  ? TSR_CORE_RUNS
                                                       : kind == POLLS ? TSR_CORE_POLLS
                                                                       : TSR_CORE_ENDED);
    host_store(tile, SW_INT(3), 1);
    host_store(tile, SW_EN(0), 1u << 3);
    run_and_wait(tile, 1000);
    assert_true(tile_l1(tile, LOG + 4) > 6000);
    return tile;
}

static void counts_passes(bool timing)
{
    for (int kind = 0; kind < LOOPS; kind++) {
        tsr_tile *tile = long_loop(timing, kind, 1);
        tsr_tile *cut = long_loop(timing, kind, 100), *counts = long_loop(timing, COUNTS, 1);
        assert_null(tile_difference(tile, cut));
        // The one that counts is interrupted within a pass.
        uint64_t executed = tile_l1(counts, LOG), cycles = tile_l1(counts, LOG + 4);
        assert_in_range(tile_l1(tile, LOG + 4), cycles - 10, cycles + 10);
        assert_in_range(tile_l1(tile, LOG), executed - 3, executed + 3);
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
        tsr_tile_destroy(cut);
        tsr_tile_destroy(counts);
    }
}

static void test_long_loops(void **state)
{
    (void)state;
    in_both(counts_passes);
}

// ---------------------------------------------------------------- order

// The handler raises the first request anew: it is not interrupted by that, and the two that wait
// come first. The core raises them itself, and is interrupted before its next instruction.
static void takes_turns(bool timing)
{
    static const uint32_t expected[] = {4, 7, 30, 4, 7};
    enum { ROUNDS = sizeof expected / sizeof *expected };
    tsr_tile *tile = begin(timing);
    put_handler(tile, HANDLER, 0, SW_INT(4), ROUNDS);
    put_handler(tile, OTHER, 0, 0, ROUNDS);
    host_store(tile, SW_PC(4), HANDLER);
    host_store(tile, SW_PC(7), OTHER);
    host_store(tile, SW_PC(30), OTHER);
    struct code code = code_at(tile, 0);
    code_store(&code, SW_INT(7), 1);
    code_store(&code, SW_INT(30), 1);
    code_store(&code, SW_INT(4), 1);
    uint32_t enables = code.at;
    code_store(&code, SW_EN(0), 1u << 4 | 1 << 7 | 1 << 30);
    uint32_t next = code.at;
    code_load(&code, A0, COUNT);
    code_end(&code);
    core_start(tile, TSR_CORE_B, 0);
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = 1000;
    (void)tsr_run(tile, &limits);
    assert_true(tile_l1(tile, COUNT) >= 4);
    // Request 4 is raised again and again, so the core gets no further.
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(entry(tile, i).number, expected[i]);
    for (uint32_t i = 3; i < 10; i++)
        assert_int_equal(entry(tile, i).number, 4);
    assert_int_equal(entry(tile, 0).value, 1);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(entry(tile, i).from, next);
    assert_true(enables < next);
    host_store(tile, SW_EN(0), 1 << 7);
    assert_int_equal(run_for(tile, 3000), TSR_END_IDLE);
    assert_true(core_view(tile, TSR_CORE_B).x[A0] > 10);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}

static void test_turns(void **state)
{
    (void)state;
    in_both(takes_turns);
}

// Both cores are interrupted by one request, and one of them gets its value. With timing off B has
// taken it before NC looks.
static void both_cores(bool timing)
{
    enum { TOLD = 0x100 };
    tsr_tile *tile = begin(timing);
    struct code code = code_at(tile, HANDLER);
    code_li(&code, T0, SW_INT(0));
    code_lw(&code, T1, T0, 0);
    code_addi(&code, T1, T1, 100);
    code_li(&code, T0, AT_RAM + TOLD);
    code_sw(&code, T1, T0, 0);
    code_put(&code, MRET);
    host_store(tile, SW_PC(0), HANDLER);
    for (int nc = 0; nc < 2; nc++) {
        code = code_at(tile, nc ? NC_CODE : 0);
        code_end(&code);
        core_start(tile, nc ? TSR_CORE_NC : TSR_CORE_B, nc ? NC_CODE : 0);
        host_store(tile, SW_EN(nc), 1);
    }
    assert_int_equal(run_for(tile, 5000), TSR_END_IDLE);
    host_store(tile, SW_INT(0), 5);
    assert_int_equal(run_for(tile, 5000), TSR_END_IDLE);
    uint32_t told[2] = {0};
    assert_int_equal(tsr_core_ram_read(tile, TSR_CORE_B, TOLD, &told[0], 4), TSR_OK);
    assert_int_equal(tsr_core_ram_read(tile, TSR_CORE_NC, TOLD, &told[1], 4), TSR_OK);
    assert_int_equal(told[0], 105);
    assert_int_equal(told[1], timing ? 100 : 0);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}

static void test_both_cores(void **state)
{
    (void)state;
    in_both(both_cores);
}

// ---------------------------------------------------------------- what the core is at

// B waits for a mailbox: the load comes to its end first.
static void waits_first(bool timing)
{
    tsr_tile *tile = begin(timing);
    put_handler(tile, HANDLER, 0, 0, 1);
    host_store(tile, SW_PC(0), HANDLER);
    host_store(tile, SW_EN(0), 1);
    struct code code = code_at(tile, 0);
    code_li(&code, A4, AT_MAILBOXES + 0x2000); // from T1
    uint32_t load = code.at;
    code_lw(&code, A0, A4, 0);
    code_end(&code);
    code = code_at(tile, T0_CODE); // of T1
    code_wait_for(&code, DONE + 4, 1);
    code_store(&code, AT_MAILBOXES, 77);
    code_end(&code);
    core_start(tile, TSR_CORE_B, 0);
    core_start(tile, TSR_CORE_T1, T0_CODE);
    run_and_wait(tile, 1024);
    assert_int_equal(core_view(tile, TSR_CORE_B).rest, TSR_CORE_BLOCKED);
    host_store(tile, SW_INT(0), 3);
    run_and_wait(tile, 1024);
    assert_int_equal(tile_l1(tile, COUNT), 0);
    host_store(tile, DONE + 4, 1);
    assert_int_equal(run_for(tile, 3000), TSR_END_IDLE);
    assert_int_equal(tile_l1(tile, COUNT), 1);
    assert_int_equal(entry(tile, 0).from, load + 4);
    assert_int_equal(core_view(tile, TSR_CORE_B).x[A0], 77);
    tsr_tile_destroy(tile);
}

static void test_waits_first(void **state)
{
    (void)state;
    in_both(waits_first);
}

// A handler that does not return keeps others away, until soft reset.
static void reset(bool timing)
{
    tsr_tile *tile = begin(timing);
    struct code code = code_at(tile, OTHER);
    code_end(&code);
    code = code_at(tile, 0);
    code_end(&code);
    put_handler(tile, HANDLER, 0, 0, 1);
    host_store(tile, SW_PC(1), OTHER);
    host_store(tile, SW_PC(2), HANDLER);
    host_store(tile, SW_EN(0), 6);
    core_start(tile, TSR_CORE_B, 0);
    host_store(tile, SW_INT(1), 1);
    assert_int_equal(run_for(tile, 1024), TSR_END_IDLE);
    host_store(tile, SW_INT(2), 1);
    assert_int_equal(run_for(tile, 1024), TSR_END_IDLE);
    assert_int_equal(core_view(tile, TSR_CORE_B).pc, OTHER);
    host_store(tile, SW_INT(1), 0);
    assert_int_equal(tsr_core_hold(tile, TSR_CORE_B), TSR_OK);
    assert_false(tsr_has_work(tile));
    assert_int_equal(run_for(tile, 1024), TSR_END_IDLE);
    assert_int_equal(tile_l1(tile, COUNT), 0);
    core_start(tile, TSR_CORE_B, 0);
    assert_int_equal(run_for(tile, 1024), TSR_END_IDLE);
    assert_int_equal(tile_l1(tile, COUNT), 1);
    assert_int_equal(entry(tile, 0).number, 2);
    tsr_tile_destroy(tile);
}

static void test_reset(void **state)
{
    (void)state;
    in_both(reset);
}

// Code that computes is interrupted in its middle, and goes on as if it were not. T0 raises two
// requests again and again: nothing is executed between their handlers.
static void computes(bool timing)
{
    enum { ROUNDS = 3000, TIMES = 9 };
    uint64_t cycles[3];
    for (size_t i = 0; i < 3; i++) {
        tsr_tile *tile = begin(timing);
        put_handler(tile, HANDLER, 0, 0, 2 * TIMES);
        host_store(tile, SW_PC(0), HANDLER);
        host_store(tile, SW_PC(1), HANDLER);
        host_store(tile, SW_EN(0), 3);
        struct code code = code_at(tile, 0);
        code_li(&code, A0, 0);
        code_li(&code, A1, ROUNDS);
        uint32_t loop = code.at;
        code_put(&code, rv_r(RISCV_ADD, A2, A2, A0));
        code_addi(&code, A0, A0, 1);
        code_branch(&code, RISCV_BNE, A0, A1, loop);
        code_load(&code, A3, AT_WALL_CLOCK);
        code_end(&code);
        code = code_at(tile, T0_CODE);
        for (int n = 0; n < TIMES; n++) {
            code_spend(&code, 97);
            code_store(&code, SW_INT(0), 1 + (uint32_t)n);
            code_store(&code, SW_INT(1), 1 + (uint32_t)n);
        }
        code_end(&code);
        core_start(tile, TSR_CORE_B, 0);
        core_start(tile, TSR_CORE_T0, T0_CODE);
        static const uint64_t slices[] = {100000, 64, 7};
        assert_int_equal(run_in(tile, 100000, slices[i]), TSR_END_IDLE);
        tsr_core_state view = core_view(tile, TSR_CORE_B);
        assert_int_equal(view.x[A2], ROUNDS * (ROUNDS - 1) / 2);
        assert_int_equal(tile_l1(tile, COUNT), 2 * TIMES);
        for (uint32_t n = 0; n < 2 * TIMES; n++) {
            assert_int_equal(entry(tile, n).number, n % 2);
            assert_int_equal(entry(tile, n).value, n / 2 + 1);
            assert_in_range(entry(tile, n).from, loop, loop + 8);
            assert_int_equal(entry(tile, n).from, entry(tile, n & ~1u).from);
        }
        cycles[i] = view.x[A3];
        tsr_tile_destroy(tile);
    }
    assert_int_equal(cycles[0], cycles[1]);
    assert_int_equal(cycles[0], cycles[2]);
}

static void test_computes(void **state)
{
    (void)state;
    in_both(computes);
}

// ---------------------------------------------------------------- races

// T0 writes a word and raises the request, or the other way round; the handler writes it as well.
static int races(bool timing, bool raises_first)
{
    tsr_options options = tsr_options_default(TSR_BLACKHOLE_A0);
    options.cores = true;
    options.find_races = true;
    options.timing = timing;
    options.profile = TSR_PROFILE_SILICON;
    tsr_tile *tile = tile_with(&options);
    struct code code = code_at(tile, HANDLER);
    code_store(&code, DONE, 8);
    code_store(&code, SW_INT(0), 0);
    code_put(&code, MRET);
    code = code_at(tile, 0);
    code_end(&code);
    code = code_at(tile, T0_CODE);
    if (raises_first)
        code_store(&code, SW_INT(0), 1);
    code_store(&code, DONE, 7);
    if (!raises_first)
        code_store(&code, SW_INT(0), 1);
    code_end(&code);
    host_store(tile, SW_PC(0), HANDLER);
    host_store(tile, SW_EN(0), 1);
    core_start(tile, TSR_CORE_B, 0);
    core_start(tile, TSR_CORE_T0, T0_CODE);
    assert_int_equal(run_for(tile, 3000), TSR_END_IDLE);
    int count = 0;
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        count += strncmp(tsr_diagnostic_at(tile, i)->code, "race", 4) == 0;
    tsr_tile_destroy(tile);
    return count;
}

static void test_races(void **state)
{
    (void)state;
    for (int timing = 0; timing < 2; timing++) {
        assert_int_equal(races(timing, false), 0);
        assert_int_equal(races(timing, true), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_another_raises), cmocka_unit_test(test_host_raises),
        cmocka_unit_test(test_long_loops),     cmocka_unit_test(test_turns),
        cmocka_unit_test(test_both_cores),     cmocka_unit_test(test_waits_first),
        cmocka_unit_test(test_reset),          cmocka_unit_test(test_computes),
        cmocka_unit_test(test_races),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
