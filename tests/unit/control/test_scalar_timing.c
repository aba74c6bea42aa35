// SPDX-License-Identifier: Apache-2.0
// The scalar unit's time: how long each instruction keeps the unit and its thread, when results of
// loads and atomics arrive, and what waits for them. Pages: ScalarUnit.md, ADDDMAREG.md,
// LOADIND.md, LOADREG.md, ATINCGET.md, ATSWAP.md, ATCAS.md, ATINCGETPTR.md, FLUSHDMA.md,
// STALLWAIT.md.
#include "rig/event_log.h"
#include "rig/scalar_rig.h"

static tsr_tile *timed(int arch, struct event_log *log, struct scalar_port *port)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    event_log_start(log, tile);
    *port = (struct scalar_port){.answer = TSR_OK, .value = 9};
    scalar_plug(tile, port);
    scalar_ramp(tile);
    for (int thread = 0; thread < 3; thread++)
        for (int i = 0; i < 64; i++)
            tile_set_gpr(tile, thread, i, i == 1 ? 0x100 : 0);
    return tile;
}

// Cycles between two of the same, and how long one keeps its thread from another unit.
static void test_cycles(int arch)
{
    static const struct {
        const char *text;
        unsigned apart, holds;
    } cases[] = {
        {"DMANOP", 1, 1},
        {"SETDMAREG RegIndex16b=40", 1, 1},
        {"SETDMAREG SetSignalsMode=1 Payload_SigSelSize=2 RegIndex16b=40", 1, 1},
        {"FLUSHDMA FlushSpec=1", 2, 2},
        {"ADDDMAREG OpARegIndex=4 OpBRegIndex=7 ResultRegIndex=40", 3, 3},
        {"ADDDMAREG OpARegIndex=4 OpBRegIndex=8 ResultRegIndex=40", 4, 4},
        {"ADDDMAREG OpARegIndex=4 OpBRegIndex=8 OpBisConst=1 ResultRegIndex=40", 3, 3},
        {"SUBDMAREG OpARegIndex=4 OpBRegIndex=7 ResultRegIndex=40", 3, 3},
        {"SUBDMAREG OpARegIndex=3 OpBRegIndex=4 ResultRegIndex=40", 4, 4},
        {"MULDMAREG OpARegIndex=4 OpBRegIndex=7 ResultRegIndex=40", 3, 3},
        {"MULDMAREG OpARegIndex=3 OpBRegIndex=4 ResultRegIndex=40", 4, 4},
        {"BITWOPDMAREG OpARegIndex=4 OpBRegIndex=7 ResultRegIndex=40", 3, 3},
        {"BITWOPDMAREG OpARegIndex=3 OpBRegIndex=4 ResultRegIndex=40", 4, 4},
        {"SHIFTDMAREG OpARegIndex=4 OpBRegIndex=7 ResultRegIndex=40", 3, 3},
        {"SHIFTDMAREG OpARegIndex=3 OpBRegIndex=4 ResultRegIndex=40", 4, 4},
        {"CMPDMAREG OpARegIndex=4 OpBRegIndex=7 ResultRegIndex=40", 3, 3},
        {"CMPDMAREG OpARegIndex=3 OpBRegIndex=4 ResultRegIndex=40", 4, 4},
        {"LOADIND SizeSel=1 OffsetIndex=4 DataRegIndex=40 AddrRegIndex=1", 3, 3},
        {"STOREIND MemHierSel=1 OffsetIndex=4 DataRegIndex=40 AddrRegIndex=1", 3, 3},
        {"STOREIND OffsetIndex=4 DataRegIndex=40 AddrRegIndex=2", 3, 3},
        {"STOREREG TdmaDataRegIndex=2 RegAddr=0x4400", 3, 3},
        {"LOADREG TdmaDataRegIndex=40 RegAddr=0x4400", 3, 3},
        {"ATINCGETPTR WrapVal=3 NoIncr=1 DataRegIndex=40 AddrRegIndex=1", 15, 15},
        {"ATCAS CmpVal=0 SwapVal=0 AddrRegIndex=2", 15, 15},
        // The first goes through in three cycles, the next leaves twelve after it.
        {"ATSWAP SwapMask=1 DataRegIndex=40 AddrRegIndex=2", 12, 3},
        {"ATINCGET DataRegIndex=41 AddrRegIndex=2", 12, 3},
    };
    static struct event_log log;
    struct scalar_port port;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tsr_tile *tile = timed(arch, &log, &port);
        bool again = strstr(cases[i].text, "ATINCGET D") == NULL; // the next would read its result
        scalar_word(tile, 0, 0);
        tile_push(tile, 0, cases[i].text);
        tile_push(tile, 0, "SEMINIT sem_sel=1");
        tile_idle(tile);
        // Blackhole lets the thread go on a cycle before the unit takes another.
        bool early = arch == BH && strstr(cases[i].text, "OpARegIndex") != NULL;
        assert_int_equal(event_log_find(&log, 0, 2)->accepted -
                             event_log_find(&log, 0, 1)->accepted,
                         cases[i].holds - early);
        for (int k = 0; k < 3; k++)
            tile_push(tile, again ? 1 : k, cases[i].text);
        tile_idle(tile);
        uint64_t first = event_log_find(&log, 1, 1)->executed;
        uint64_t last =
            again ? event_log_find(&log, 1, 3)->executed : event_log_find(&log, 2, 1)->executed;
        if (last - first != cases[i].apart * (again ? 2 : 1))
            fail_msg("%s: %d cycles", cases[i].text, (int)(last - first));
        assert_int_equal(tsr_diagnostic_count(tile), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_cycles)

// The unit takes the next instruction, of whatever thread, when it is done with the one before.
static void test_one_at_a_time(int arch)
{
    static struct event_log log;
    struct scalar_port port;
    tsr_tile *tile = timed(arch, &log, &port);
    for (int thread = 0; thread < 3; thread++)
        for (int i = 0; i < 4; i++)
            tile_push(tile, thread, "ADDDMAREG OpARegIndex=4 OpBRegIndex=5 ResultRegIndex=40");
    tile_idle(tile);
    uint64_t at[12];
    for (int i = 0; i < 12; i++)
        at[i] = log.event[i].accepted; // events come in the order of completion
    for (int i = 1; i < 12; i++)
        assert_int_equal(at[i] - at[i - 1], 3);
    tsr_run_report report;
    tsr_get_report(tile, &report);
    assert_int_equal(report.unit_busy[TSR_UNIT_SCALAR], 36);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_one_at_a_time)

// Instructions of one cycle between a load or an atomic and a reader of its result.
static const struct {
    const char *text;
    int nops; // that are enough (LOADIND.md, LOADREG.md, ATINCGET.md)
    uint32_t value;
} late[] = {{"LOADIND SizeSel=1 OffsetIndex=4 DataRegIndex=40 AddrRegIndex=1", 7, 0x33221100},
            {"LOADREG TdmaDataRegIndex=40 RegAddr=0x4400", 7, 9},
            {"ATINCGET DataRegIndex=40 AddrRegIndex=1", 24, 0x33221100}};

static void test_late_results(int arch)
{
    static struct event_log log;
    struct scalar_port port;
    for (int i = 0; i < 3; i++)
        for (int missing = 0; missing < 2; missing++) {
            tsr_tile *tile = timed(arch, &log, &port);
            if (missing)
                tsr_tile_set_policy(tile, "gpr-loading", TSR_ACTION_RECORD);
            tile_push(tile, 0, late[i].text);
            for (int k = 0; k < late[i].nops - missing; k++)
                tile_push(tile, 0, "DMANOP");
            tile_push(tile, 0, "ADDDMAREG OpARegIndex=40 OpBisConst=1 ResultRegIndex=44");
            tile_idle(tile);
            assert_int_equal(tile_gpr(tile, 0, 40), late[i].value);
            assert_int_equal(tile_gpr(tile, 0, 44), missing ? 0 : late[i].value);
            assert_int_equal(tsr_diagnostic_count(tile), missing);
            if (missing)
                tile_says(tile, "gpr-loading", "GPR 40 of thread 0");
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_late_results)

// It stops a strict run; another thread's GPR of the same number is another.
static void test_loading_stops(int arch)
{
    static struct event_log log;
    struct scalar_port port;
    tsr_tile *tile = timed(arch, &log, &port);
    tile_push(tile, 0, "LOADIND SizeSel=0 OffsetIndex=4 DataRegIndex=40 AddrRegIndex=1");
    tile_push(tile, 1, "ADDDMAREG OpARegIndex=43 OpBisConst=1 ResultRegIndex=44");
    tile_push(tile, 0, "ADDDMAREG OpARegIndex=44 OpBisConst=1 ResultRegIndex=45");
    tile_push(tile, 0, "ADDDMAREG OpARegIndex=43 OpBisConst=1 ResultRegIndex=45");
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    assert_int_equal(tsr_diagnostic_count(tile), 1);
    tile_says(tile, "gpr-loading", "GPR 43 of thread 0");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_loading_stops)

// STALLWAIT and FLUSHDMA with C0 wait for the result, and so does the end of the thread.
static void test_waiting_for_results(int arch)
{
    static struct event_log log;
    struct scalar_port port;
    static const char *const waits[] = {"FLUSHDMA FlushSpec=1", "FLUSHDMA",
                                        "STALLWAIT stall_res=0x1ff wait_res=1"};
    for (int i = 0; i < 3; i++)
        for (int w = 0; w < 3; w++) {
            tsr_tile *tile = timed(arch, &log, &port);
            tile_push(tile, 0, late[i].text);
            tile_push(tile, 0, "DMANOP"); // completes without ending the request
            tile_push(tile, 0, waits[w]);
            tile_push(tile, 0, "ADDDMAREG OpARegIndex=40 OpBisConst=1 ResultRegIndex=44");
            tile_idle(tile);
            assert_int_equal(tile_gpr(tile, 0, 44), late[i].value);
            uint64_t sent = event_log_find(&log, 0, 1)->accepted, back = sent + 3 + late[i].nops;
            if (w < 2) // the condition is met when the result is there, and a cycle goes by
                assert_int_equal(event_log_find(&log, 0, 3)->completed, back + 1);
            assert_int_equal(event_log_find(&log, 0, 4)->accepted, back + 1);
            assert_int_equal(tsr_diagnostic_count(tile), 0);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_waiting_for_results)

// Requests of other threads are not waited for. The thread has work until the result is there.
static void test_whose_requests(int arch)
{
    static struct event_log log;
    struct scalar_port port;
    tsr_tile *tile = timed(arch, &log, &port);
    tile_push(tile, 0, late[2].text);
    tile_push(tile, 1, "NOP");
    tile_push(tile, 1, "NOP");
    tile_push(tile, 1, "FLUSHDMA FlushSpec=1");
    tsr_limits limits = tsr_limits_default();
    limits.break_cycle = 12;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
    assert_true(tsr_thread_drained(tile, 1));
    assert_false(tsr_thread_drained(tile, 0));
    assert_int_equal(tile_gpr(tile, 0, 40), 0);
    assert_int_equal(tile_l1(tile, 0x1000), 0x33221100); // plus 0
    tile_idle(tile);
    assert_int_equal(tile_gpr(tile, 0, 40), 0x33221100);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_whose_requests)

// Every attempt takes fifteen cycles: L1 changes in the second, so the third succeeds.
static void test_attempts(int arch)
{
    static const char *const texts[] = {"ATCAS CmpVal=3 SwapVal=4 AddrRegIndex=2",
                                        "ATINCGETPTR WrapVal=8 DataRegIndex=40 AddrRegIndex=2"};
    static struct event_log log;
    struct scalar_port port;
    for (int i = 0; i < 2; i++)
        for (unsigned at = 16; at <= 30; at += 7) {
            tsr_tile *tile = timed(arch, &log, &port);
            scalar_word(tile, 0, 0);
            scalar_word(tile, 4, 0);
            tile_push(tile, 0, texts[i]);
            tsr_limits limits = tsr_limits_default();
            limits.external = true;
            assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
            uint64_t start = tile_state(tile)->queues.of[TSR_UNIT_SCALAR].inst[0].accepted_at;
            tile_state(tile)->now = start + at;
            scalar_word(tile, 0, i == 0 ? 3 : 9);
            tile_idle(tile);
            assert_int_equal(event_log_find(&log, 0, 1)->executed - start, 30);
            assert_int_equal(event_log_find(&log, 0, 1)->completed - start, 45);
            tsr_tile_destroy(tile);
        }
}
TILE_BOTH(test_attempts)

// If another took what an attempt was about to find, it goes on waiting.
static void test_attempt_too_late(int arch)
{
    static struct event_log log;
    struct scalar_port port;
    tsr_tile *tile = timed(arch, &log, &port);
    scalar_word(tile, 0, 0);
    tile_push(tile, 0, "ATCAS CmpVal=3 SwapVal=4 AddrRegIndex=2");
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    uint64_t start = tile_state(tile)->queues.of[TSR_UNIT_SCALAR].inst[0].accepted_at;
    tile_state(tile)->now = start + 20;
    scalar_word(tile, 0, 3);
    limits.break_cycle = start + 25;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
    scalar_word(tile, 0, 5);
    limits.break_cycle = 0;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    assert_int_equal(tile_l1(tile, 0), 5);
    tile_state(tile)->now = start + 46;
    scalar_word(tile, 0, 3);
    tile_idle(tile);
    assert_int_equal(event_log_find(&log, 0, 1)->executed - start, 60);
    assert_int_equal(tile_l1(tile, 0), 4);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_attempt_too_late)

// A burst of loads and atomics: every result arrives, whatever the order.
static void test_burst(int arch)
{
    static struct event_log log;
    struct scalar_port port;
    tsr_tile *tile = timed(arch, &log, &port);
    for (int i = 0; i < 8; i++) {
        scalar_push(tile, 0, "ATINCGET WrapVal=31 DataRegIndex=%d AddrRegIndex=1", 16 + i);
        scalar_push(tile, 0, "LOADIND SizeSel=1 OffsetIndex=4 DataRegIndex=%d AddrRegIndex=1",
                    32 + i);
        tile_set_gpr(tile, 0, 16 + i, 1);
    }
    tile_idle(tile);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(tile_gpr(tile, 0, 16 + (int)i), 0x33221100 + i);
        assert_int_equal(tile_gpr(tile, 0, 32 + (int)i), 0x33221101 + i);
    }
    assert_int_equal(tile_state(tile)->scalar.requests, 0);
    assert_int_equal(tile_state(tile)->scalar.outstanding[0], 0);
    assert_int_equal(tsr_diagnostic_count(tile), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_burst)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_cycles),
        TILE_TEST(test_one_at_a_time),
        TILE_TEST(test_late_results),
        TILE_TEST(test_loading_stops),
        TILE_TEST(test_waiting_for_results),
        TILE_TEST(test_whose_requests),
        TILE_TEST(test_attempts),
        TILE_TEST(test_attempt_too_late),
        TILE_TEST(test_burst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
