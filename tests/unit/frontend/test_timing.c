// SPDX-License-Identifier: Apache-2.0
// Time: it delays and never changes a value; the three stages of an instruction; occupancy and
// latency of the frontend and the units. Pages: TensixCoprocessor/README.md, MOPExpander.md,
// REPLAY.md, UNPACR_Regular.md, MiscellaneousUnit.md, ConfigurationUnit.md, SyncUnit.md.
#include "rig/event_log.h"
#include "rig/face_rig.h"

static struct event_log *watched(tsr_tile *tile)
{
    struct event_log *log = calloc(1, sizeof *log);
    assert_non_null(log);
    log->waits = true;
    event_log_start(log, tile);
    return log;
}

// ---------------------------------------------------------------- values

static void test_same_values(int arch)
{
    tsr_tile *tile[2];
    for (int timing = 0; timing < 2; timing++) {
        tile[timing] = tile_new(arch, timing, TSR_PROFILE_STRICT);
        face_load(tile[timing], arch, 11);
        tile_idle(tile[timing]);
        assert_true(face_right(tile[timing], 11));
    }
    struct tsr_state *off = tile_state(tile[0]), *on = tile_state(tile[1]);
    assert_int_equal(tsr_cycle(tile[0]), 0);
    assert_memory_equal(&off->dst, &on->dst, sizeof off->dst);
    assert_memory_equal(&off->src, &on->src, sizeof off->src);
    assert_memory_equal(&off->l1, &on->l1, sizeof off->l1);
    assert_memory_equal(&off->adcs, &on->adcs, sizeof off->adcs);
    assert_memory_equal(&off->rwcs, &on->rwcs, sizeof off->rwcs);
    assert_memory_equal(&off->config, &on->config, sizeof off->config);
    assert_memory_equal(&off->packers, &on->packers, sizeof off->packers);
    tsr_tile_destroy(tile[0]);
    tsr_tile_destroy(tile[1]);
}
TILE_BOTH(test_same_values)

// ----------------------------------------------------------------- the three stages

static void test_stages(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    struct event_log *log = watched(tile);
    face_load(tile, arch, 1);
    tile_idle(tile);
    uint64_t last = 0;
    int executed_later = 0, waits = 0;
    for (int i = 0; i < log->count; i++) {
        const tsr_event *event = &log->event[i];
        assert_true(event->accepted <= event->executed && event->executed <= event->completed);
        executed_later += event->executed > event->accepted;
        if (event->kind == TSR_EVENT_WAIT) {
            assert_true(event->completed > event->accepted);
            assert_true(event->unit < TSR_UNIT_COUNT);
            assert_true(event->word != 0);
            waits++;
            continue;
        }
        assert_true(event->completed > event->accepted);
        assert_true(event->completed >= last); // in the order in which they complete
        last = event->completed;
    }
    assert_true(executed_later >= 4 && waits > 0);         // the UNPACRs' address phase
    for (int thread = 0; thread < TSR_THREADS; thread++) { // accepted in thread order
        uint64_t at = 0;
        for (uint64_t s = 1; s <= tile_state(tile)->frontend[thread].sequence; s++) {
            const tsr_event *event = event_log_find(log, thread, s);
            assert_true(event->accepted > at);
            at = event->accepted;
        }
    }
    assert_int_equal(last, tsr_cycle(tile));
    free(log);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stages)

// With timing off nothing takes time, and the stages are still reported apart.
static void test_stages_without_time(int arch)
{
    tsr_tile *tile = tile_new(arch, false, TSR_PROFILE_STRICT);
    struct event_log *log = watched(tile);
    face_load(tile, arch, 1);
    tile_idle(tile);
    int count = 0;
    for (int i = 0; i < log->count; i++) {
        assert_int_equal(log->event[i].kind, TSR_EVENT_INSTRUCTION);
        assert_int_equal(log->event[i].completed, 0);
        count++;
    }
    assert_int_equal(count, 4 + 11 + (arch == WH ? 8 : 14));
    free(log);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stages_without_time)

// The address phase: two cycles in which the thread, and any other UNPACR, wait.
static void test_unpacr_holds_its_thread(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    face_load(tile, arch, 1);
    tile_idle(tile);
    struct event_log *log = watched(tile);
    uint64_t first = tile_state(tile)->frontend[0].sequence + 1;
    for (int i = 0; i < 4; i++)
        tile_push(tile, 0, "NOP");
    tile_push(tile, 0, "UNPACR OvrdThreadId=1");
    tile_push(tile, 0, "SETADCXX CntSetMask=2 x_end2=255");
    tile_push(tile, 0, "UNPACR Unpack_block_selection=1 OvrdThreadId=1");
    tile_push(tile, 0, "UNPACR Unpack_block_selection=0 OvrdThreadId=1");
    tile_idle(tile);
    const tsr_event *a = event_log_find(log, 0, first + 4),
                    *misc = event_log_find(log, 0, first + 5);
    const tsr_event *b = event_log_find(log, 0, first + 6), *c = event_log_find(log, 0, first + 7);
    assert_int_equal(a->executed, a->accepted + 2);
    assert_int_equal(misc->accepted, a->accepted + 2);
    assert_int_equal(b->accepted, misc->accepted + 1);
    assert_int_equal(c->accepted, b->accepted + 2);
    assert_true(c->executed >= a->completed); // one at a time
    assert_true(b->executed < a->completed);  // the other unpacker works beside it
    free(log);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_unpacr_holds_its_thread)

// RDCFG takes two cycles; what it read is there at once, for the instruction after it.
static void test_rdcfg_completes_later(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    tile_state(tile)->config.bank[0][70] = 99;
    tile_push(tile, 0, "RDCFG GprAddress=7 CfgReg=70");
    while (tile_state(tile)->queues.of[TSR_UNIT_CONFIG].count == 0)
        assert_true(tsr_step(tile));
    assert_int_equal(tile_gpr(tile, 0, 7), 99);
    tile_state(tile)->config.bank[0][70] = 5; // it has been read already
    uint64_t accepted = tile_state(tile)->queues.of[TSR_UNIT_CONFIG].inst[0].accepted_at;
    tile_idle(tile);
    assert_int_equal(tile_gpr(tile, 0, 7), 99);
    assert_int_equal(tsr_cycle(tile), accepted + 2);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_rdcfg_completes_later)

// ---------------------------------------------------------------- rates

// Cycles between the first and the last acceptance, over all threads.
static uint64_t span(const struct event_log *log)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (int i = 0; i < log->count; i++) {
        if (log->event[i].kind != TSR_EVENT_INSTRUCTION)
            continue;
        low = log->event[i].accepted < low ? log->event[i].accepted : low;
        high = log->event[i].accepted > high ? log->event[i].accepted : high;
    }
    return high - low;
}

static uint64_t span_of(int arch, const char *text, int threads, int count)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    for (int gpr = 0; gpr < TSR_GPRS; gpr++)
        tile_set_gpr(tile, 0, gpr, 0);
    struct event_log *log = watched(tile);
    for (int i = 0; i < count; i++)
        for (int thread = 0; thread < threads; thread++)
            tile_push(tile, thread, text);
    tile_idle(tile);
    uint64_t cycles = span(log);
    free(log);
    tsr_tile_destroy(tile);
    return cycles;
}

static void test_rates(int arch)
{
    static const struct {
        const char *text;
        uint64_t one, two; // cycles between ten instructions of one thread, of two threads each
    } rows[] = {{"SETADCXX CntSetMask=1 x_end2=1", 9, 9}, // one a thread a cycle
                {"SETC16 setc16_reg=30 setc16_value=1", 9, 9},
                {"SEMPOST sem_sel=1", 9, 19}, // one a cycle
                {"RMWCIB0 CfgRegAddr=80", 9, 19},
                {"SETRWC BitMask=15", 9, 19},
                {"SETDMAREG RegIndex16b=8", 9, 19}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t one = span_of(arch, rows[i].text, 1, 10), two = span_of(arch, rows[i].text, 2, 10);
        if (one != rows[i].one || two != rows[i].two)
            fail_msg("%s: %d and %d cycles", rows[i].text, (int)one, (int)two);
    }
}
TILE_BOTH(test_rates)

// A word passes the expanders in a cycle each, also where the next thing that is due lies far off.
static void test_clock_skips_nothing(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    face_load(tile, arch, 1);
    tile_idle(tile);
    struct event_log *log = watched(tile);
    uint64_t first = tile_state(tile)->frontend[0].sequence + 1;
    uint64_t other = tile_state(tile)->frontend[1].sequence + 1;
    tile_push(tile, 0, "UNPACR OvrdThreadId=1");
    tsr_limits limits = tsr_limits_default();
    limits.break_cycle = tsr_cycle(tile) + 5;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BREAK);
    assert_int_equal(tile_state(tile)->queues.of[TSR_UNIT_UNPACKER0].executed, 1);
    uint64_t start = tsr_cycle(tile); // the unpacker moves its data
    tile_push(tile, 1, "SETADCXX CntSetMask=1 x_end2=1");
    tile_idle(tile);
    assert_int_equal(event_log_find(log, 1, other)->accepted, start + 2);
    assert_true(event_log_find(log, 0, first)->completed > start + 2);
    free(log);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_clock_skips_nothing)

// An unpacker goes on in the cycle in which the matrix unit gives its bank back.
static void test_bank_wakes_unpacker(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    face_load(tile, arch, 1);
    tile_idle(tile);
    struct event_log *log = watched(tile);
    uint64_t first = tile_state(tile)->frontend[0].sequence + 1;
    uint64_t matrix = tile_state(tile)->frontend[1].sequence + 1;
    for (int i = 0; i < 3; i++)
        tile_push(tile, 0, "UNPACR OvrdThreadId=1 SetDatValid=1");
    tsr_limits limits = tsr_limits_default();
    limits.external = true;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_BLOCKED);
    tile_push(tile, 1, "SETRWC clear_ab_vld=1");
    tile_push(tile, 2, "PACR Last=1"); // something else that is due only later
    assert_int_equal(tile_run(tile), TSR_END_IDLE);
    assert_int_equal(event_log_find(log, 0, first + 2)->executed,
                     event_log_find(log, 1, matrix)->completed);
    free(log);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_bank_wakes_unpacker)

// ---------------------------------------------------------------- expanders

static void set_mop(tsr_tile *tile, uint32_t outer, uint32_t inner, const char *text)
{
    struct tsr_frontend *frontend = &tile_state(tile)->frontend[0];
    frontend->mop_config[0] = outer;
    frontend->mop_config[1] = inner;
    for (int i = 2; i < TSR_MOP_WORDS; i++)
        frontend->mop_config[i] = tile_word(tile, i == 5 || i > 6 ? text : "NOP");
    frontend->mop_config_written = 0x1ff;
}

// One word a cycle; a cycle's pause after a MOP, unless a MOP follows. A REPLAY costs none.
static void test_expander_rates(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    struct event_log *log = watched(tile);
    set_mop(tile, 1, 5, "SETADCXX CntSetMask=1 x_end2=1");
    tile_push(tile, 0, "MOP mop_type=1");
    tile_push(tile, 0, "MOP mop_type=1");
    tile_push(tile, 0, "SETADCXX CntSetMask=1 x_end2=2");
    tile_push(tile, 0, "SETADCXX CntSetMask=1 x_end2=2");
    tile_idle(tile);
    assert_int_equal(log->count, 12);
    for (uint64_t i = 2; i <= 12; i++)
        assert_int_equal(event_log_find(log, 0, i)->accepted -
                             event_log_find(log, 0, i - 1)->accepted,
                         i == 11 ? 2 : 1);
    log->count = 0;
    tile_push(tile, 0, "REPLAY len=4 load_mode=1 execute_while_loading=1");
    for (int i = 0; i < 4; i++)
        tile_push(tile, 0, "SETADCXX CntSetMask=1 x_end2=3");
    tile_push(tile, 0, "REPLAY len=4");
    tile_push(tile, 0, "REPLAY len=2");
    tile_push(tile, 0, "SETADCXX CntSetMask=1 x_end2=2");
    tile_idle(tile);
    assert_int_equal(log->count, 11);
    assert_int_equal(span(log), 10);
    free(log);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_expander_rates)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_same_values),           TILE_TEST(test_stages),
        TILE_TEST(test_stages_without_time),   TILE_TEST(test_unpacr_holds_its_thread),
        TILE_TEST(test_rdcfg_completes_later), TILE_TEST(test_rates),
        TILE_TEST(test_clock_skips_nothing),   TILE_TEST(test_bank_wakes_unpacker),
        TILE_TEST(test_expander_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
