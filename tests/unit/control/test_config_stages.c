// SPDX-License-Identifier: Apache-2.0
// When the configuration unit takes instructions of several threads, with timing on: its page has a
// table of throughputs on Wormhole and a pipeline with two documented defects on Blackhole
// (ConfigurationUnit.md of each chip, RDCFG.md, STREAMWRCFG.md). Cycles are worked by hand.
#include "rig/event_log.h"
#include "rig/tile_rig.h"

// Runs one list of instructions a thread (NULL ends it), and says when each was taken, counted from
// the first of all.
static void run_lists(tsr_tile *tile, struct event_log *log, const char *const lists[3][4])
{
    event_log_start(log, tile);
    for (int gpr = 0; gpr < 4; gpr++)
        for (int thread = 0; thread < 3; thread++)
            tile_set_gpr(tile, thread, gpr, 0);
    for (int thread = 0; thread < 3; thread++)
        for (int i = 0; i < 4 && lists[thread][i]; i++)
            tile_push(tile, thread, lists[thread][i]);
    tile_idle(tile);
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < log->count; i++)
        first = log->event[i].accepted < first ? log->event[i].accepted : first;
    for (int i = 0; i < log->count; i++) {
        log->event[i].accepted -= first;
        log->event[i].completed -= first;
    }
}

static int taken(const struct event_log *log, int thread, uint64_t sequence)
{
    return (int)event_log_find(log, thread, sequence)->accepted;
}

#define RMW "RMWCIB0 Mask=1 Data=1 CfgRegAddr=70"
#define WRITE "WRCFG GprAddress=1 CfgReg=70"
#define READ "RDCFG GprAddress=2 CfgReg=70"
#define MASK "CFGSHIFTMASK CfgReg=70 mask_width=31"
#define STREAM "STREAMWRCFG CfgReg=70"
#define SET "SETC16 setc16_reg=5 setc16_value=1"

struct expected {
    const char *lists[3][4];
    int cycles[3][4];
};

static void check(int arch, const struct expected *expected, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        static struct event_log log;
        tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
        assert_int_equal(tsr_tile_set_policy(tile, "unimplemented", TSR_ACTION_RECORD), TSR_OK);
        run_lists(tile, &log, expected[k].lists);
        for (int thread = 0; thread < 3; thread++)
            for (int i = 0; i < 4 && expected[k].lists[thread][i]; i++) {
                int seen = taken(&log, thread, (uint64_t)i + 1);
                if (seen != expected[k].cycles[thread][i])
                    fail_msg("list %d: %s of thread %d at %d, not %d", (int)k,
                             expected[k].lists[thread][i], thread, seen,
                             expected[k].cycles[thread][i]);
            }
        tsr_tile_destroy(tile);
    }
}

// SETC16: one a thread a cycle, whatever else is there.
static void test_setc16(int arch)
{
    static const struct expected lists[] = {
        {{{SET, SET, SET}, {SET, SET}, {SET}}, {{0, 1, 2}, {0, 1}, {0}}},
        {{{WRITE, SET}, {SET}, {SET, RMW}}, {{0, 1}, {0}, {0, 2}}},
    };
    check(arch, lists, sizeof lists / sizeof lists[0]);
}
TILE_BOTH(test_setc16)

// One WRCFG a cycle of all threads; one RMWCIB or RDCFG a cycle, and none right after a WRCFG or
// an RDCFG of anybody. RDCFG holds its own thread for two cycles.
static void test_wormhole(void **state)
{
    (void)state;
    static const struct expected lists[] = {
        {{{WRITE, WRITE, WRITE}}, {{0, 1, 2}}},
        {{{RMW, RMW, RMW}}, {{0, 1, 2}}},
        {{{WRITE, RMW}}, {{0, 2}}}, // cycle 1 is right after the WRCFG
        {{{READ, RMW}}, {{0, 2}}},
        {{{READ}, {SET, RMW}}, {{0}, {0, 2}}},
        {{{WRITE}, {RMW}}, {{0}, {0}}},                             // go together
        {{{WRITE, WRITE, WRITE}, {SET, RMW}}, {{0, 1, 2}, {0, 4}}}, // starved
    };
    check(WH, lists, sizeof lists / sizeof lists[0]);
}

// RMWCIB and RDCFG work in stage 0. WRCFG enters at -1 and keeps stage 0 in its second cycle.
// CFGSHIFTMASK has stage 0 for two cycles and keeps others out of -1 in the first.
static void test_blackhole(void **state)
{
    (void)state;
    static const struct expected lists[] = {
        {{{WRITE, WRITE, WRITE}}, {{0, 1, 2}}},
        {{{RMW, RMW, RMW}}, {{0, 1, 2}}},
        {{{READ, READ, READ}}, {{0, 1, 2}}},              // pipelined, and the thread goes on
        {{{WRITE, RMW}}, {{0, 2}}},                       // stage 0 is the WRCFG's in cycle 1
        {{{WRITE}, {RMW}}, {{0}, {0}}},                   // into different stages in one cycle
        {{{WRITE, WRITE}, {SET, RMW}}, {{0, 1}, {0, 3}}}, // -1 or 0 taken in cycles 1 and 2
        {{{MASK, MASK, MASK}}, {{0, 2, 4}}},
        {{{MASK, RMW}}, {{0, 2}}},
        {{{MASK, WRITE, RMW}}, {{0, 1, 3}}}, // WRCFG in -1 beside the second half
        {{{MASK}, {SET, WRITE}, {SET, RMW}}, {{0}, {0, 1}, {0, 3}}}, // 0 is taken, twice
    };
    check(BH, lists, sizeof lists / sizeof lists[0]);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// The same instruction in three threads, which take turns: who comes first is open, when is not.
static void test_three_threads(int arch)
{
    static const struct {
        const char *text;
        int apart;
    } rows[] = {{WRITE, 1}, {RMW, 1}, {MASK, 2}};
    for (int i = 0; i < (arch == WH ? 2 : 3); i++) {
        const char *const lists[3][4] = {{rows[i].text}, {rows[i].text}, {rows[i].text}};
        static struct event_log log;
        tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
        run_lists(tile, &log, lists);
        int cycles[3] = {taken(&log, 0, 1), taken(&log, 1, 1), taken(&log, 2, 1)};
        qsort(cycles, 3, sizeof cycles[0], compare);
        assert_int_equal(cycles[0], 0);
        assert_int_equal(cycles[1], rows[i].apart);
        assert_int_equal(cycles[2], 2 * rows[i].apart);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_three_threads)

// Not into -1 beside the first half of a CFGSHIFTMASK, nor the other way round.
static void test_mask_and_write(void **state)
{
    (void)state;
    static const char *const lists[3][4] = {{MASK}, {WRITE}};
    static struct event_log log;
    tsr_tile *tile = tile_new(BH, true, TSR_PROFILE_SILICON);
    run_lists(tile, &log, lists);
    int mask = taken(&log, 0, 1), write = taken(&log, 1, 1);
    assert_true((mask == 0 && write == 1) || (write == 0 && mask == 2));
    tsr_tile_destroy(tile);
}

// STREAMWRCFG enters at -4 and reaches stage 0 in its cycle 4. Nobody waits for it while it is in
// -4: first defect. From -3 on every thread does, not its own alone: second defect.
static void test_blackhole_stream(void **state)
{
    (void)state;
    static const struct expected lists[] = {
        {{{STREAM, STREAM, STREAM}}, {{0, 1, 2}}},
        {{{STREAM, RMW}}, {{0, 5}}},                   // stages -3, -2, -1, 0 in cycles 1 to 4
        {{{STREAM, WRITE}}, {{0, 4}}},                 // into -1 while it is in 0
        {{{STREAM}, {RMW}, {WRITE}}, {{0}, {0}, {0}}}, // all in the first cycle
        {{{STREAM}, {SET, RMW}, {SET, WRITE}}, {{0}, {0, 5 + 1}, {0, 4}}}, // 0 is WRCFG's in 5
        {{{STREAM}, {SET, STREAM}}, {{0}, {0, 1}}},
    };
    check(BH, lists, sizeof lists / sizeof lists[0]);
}

// Two RDCFGs in one cycle: Wormhole loses one. Both run here; the second's register is tainted.
static void test_rdcfg_together(void **state)
{
    (void)state;
    static const char *const lists[3][4] = {{READ}, {"RDCFG GprAddress=3 CfgReg=70"}};
    for (int arch = WH; arch <= BH; arch++) {
        static struct event_log log;
        tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
        tsr_config_write(tile_env(tile), 0, 70, 9, 0xffffffffu);
        run_lists(tile, &log, lists);
        const tsr_diagnostic *found = tile_found(tile, "rdcfg-together");
        assert_true((found != NULL) == (arch == WH));
        assert_int_equal(taken(&log, 1, 1), arch == WH ? 0 : 1);
        assert_int_equal(tile_gpr(tile, 0, 2), 9);
        assert_int_equal(tile_gpr(tile, 1, 3), 9);
        uint64_t tainted =
            tile_state(tile)->gprs.tainted[0] >> 2 | tile_state(tile)->gprs.tainted[1] >> 3;
        assert_int_equal(tainted & 1, arch == WH);
        tsr_tile_destroy(tile);
    }
    // Without time there is no cycle to share, and the policy can stop it with time.
    tsr_tile *tile = tile_new(WH, false, TSR_PROFILE_STRICT);
    static struct event_log log;
    run_lists(tile, &log, lists);
    assert_null(tile_found(tile, "rdcfg-together"));
    tsr_tile_destroy(tile);
    tile = tile_new(WH, true, TSR_PROFILE_STRICT);
    tile_push(tile, 0, READ);
    tile_push(tile, 1, READ);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_non_null(tile_found(tile, "rdcfg-together"));
    tsr_tile_destroy(tile);
}

// STALLWAIT C12 sees an RMWCIB of any thread in the cycle after it, too. With pairs of both in
// three threads the three go on together when there was none for a cycle, one after the other, and
// wait again: 5 cycles, as on a card (4.95).
static void test_waits_for_unit(void **state)
{
    (void)state;
    enum { PAIRS = 40 };
    for (int threads = 1; threads <= 3; threads++) {
        static struct event_log log;
        tsr_tile *tile = tile_new(BH, true, TSR_PROFILE_STRICT);
        event_log_start(&log, tile);
        for (int i = 0; i < 2 * PAIRS; i++)
            for (int thread = 0; thread < threads; thread++)
                tile_push(tile, thread, i % 2 ? RMW : "STALLWAIT stall_res=128 wait_res=4096");
        tile_idle(tile);
        for (int thread = 0; thread < threads; thread++) {
            int first = taken(&log, thread, 20), last = taken(&log, thread, 60);
            if (abs(last - first - 20 * (2 + threads)) > 3) // turns are not all alike
                fail_msg("%d threads: 20 pairs of thread %d in %d cycles", threads, thread,
                         last - first);
        }
        tsr_tile_destroy(tile);
    }
}

// ---------------------------------------------------------------- RDCFG and who reads its GPR

// A pair of RDCFG and ADDDMAREG takes 5.00 cycles on a Wormhole card and 3.00 on a Blackhole one.
static void test_pairs(int arch)
{
    static struct event_log log;
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    event_log_start(&log, tile);
    tile_state(tile)->config.bank[0][70] = 7;
    tile_state(tile)->config.bank_written[0][70] = 0xffffffffu;
    tile_set_gpr(tile, 0, 3, 0);
    for (int i = 0; i < 10; i++) {
        tile_push(tile, 0, "RDCFG GprAddress=2 CfgReg=70");
        tile_push(tile, 0, "ADDDMAREG OpARegIndex=3 OpBRegIndex=3 ResultRegIndex=3");
    }
    tile_idle(tile);
    assert_int_equal(event_log_find(&log, 0, 20)->accepted - event_log_find(&log, 0, 2)->accepted,
                     9 * (arch == WH ? 5 : 3));
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_pairs)

// Shipped kernels read the GPR in the next instruction and write the sum back: the next UNPACR's
// address. Both chips have the value; Blackhole's page forbids it, which is a finding.
static void test_next_instruction(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_new(arch, timing, TSR_PROFILE_STRICT);
        tile_state(tile)->config.bank[0][70] = 700;
        tile_state(tile)->config.bank_written[0][70] = 0xffffffffu;
        tile_set_gpr(tile, 0, 2, 1);
        tile_set_gpr(tile, 0, 3, 50);
        tile_push(tile, 0, READ);
        tile_push(tile, 0, "ADDDMAREG OpARegIndex=3 OpBRegIndex=2 ResultRegIndex=2");
        tile_push(tile, 0, "WRCFG GprAddress=2 CfgReg=70");
        tile_push(tile, 0, "RDCFG GprAddress=4 CfgReg=70");
        tile_push(tile, 0, "WRCFG GprAddress=4 CfgReg=71");
        tile_push(tile, 0, READ); // a younger writer of the same GPR wins
        tile_push(tile, 0, "SETDMAREG RegIndex16b=4 Payload_SigSel=9");
        tile_push(tile, 0, "SETDMAREG RegIndex16b=5");
        tile_idle(tile);
        assert_int_equal(tile_state(tile)->config.bank[0][70], 750);
        assert_int_equal(tile_state(tile)->config.bank[0][71], 750);
        assert_int_equal(tile_gpr(tile, 0, 2), 9);
        assert_int_equal(tsr_diagnostic_count(tile), arch == BH && timing ? 2 : 0);
        assert_true((tile_found(tile, "rdcfg-result-early") != NULL) == (arch == BH && timing));
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_next_instruction)

// From the acceptance to the result: SETC16 and RMWCIB 1, WRCFG, RDCFG and CFGSHIFTMASK 2,
// STREAMWRCFG 5.
static void test_latencies(int arch)
{
    static const struct {
        const char *text;
        int cycles;
    } rows[] = {{SET, 1}, {RMW, 1}, {WRITE, 2}, {READ, 2}, {MASK, 2}, {STREAM, 5}};
    for (size_t i = 0; i < (arch == WH ? 4 : 6); i++) {
        const char *const lists[3][4] = {{rows[i].text}};
        static struct event_log log;
        tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
        assert_int_equal(tsr_tile_set_policy(tile, "unimplemented", TSR_ACTION_RECORD), TSR_OK);
        run_lists(tile, &log, lists);
        assert_int_equal(log.count, 1);
        assert_int_equal(log.event[0].completed, rows[i].cycles);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_latencies)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_setc16),
        TILE_TEST(test_three_threads),
        cmocka_unit_test(test_mask_and_write),
        cmocka_unit_test(test_wormhole),
        cmocka_unit_test(test_blackhole),
        cmocka_unit_test(test_blackhole_stream),
        cmocka_unit_test(test_rdcfg_together),
        cmocka_unit_test(test_waits_for_unit),
        TILE_TEST(test_pairs),
        TILE_TEST(test_next_instruction),
        TILE_TEST(test_latencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
