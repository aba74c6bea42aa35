// SPDX-License-Identifier: Apache-2.0
// How long PACRs of Wormhole keep the packers: reads of Dst one packer after another where their
// rows lie in one of its four banks, a cycle between two PACRs, and the way to L1, for which only
// waits for the packers wait. The figures are those of docs/timing.md.
#include "rig/core_rig.h"
#include "rig/event_log.h"
#include "rig/pack_rig.h"

enum { T2 = 2, TO_L1 = 13 }; // TO_L1: from a PACR's completion on, if no packer had to wait

#define ALL_PACKERS "STALLWAIT stall_res=511 wait_res=0x78"

static tsr_tile *timed_tile(int arch, uint32_t datums, int out)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
    pack_formats(tile, out == BF16 || out == BFP8 ? BF16 : FP32, out, false);
    dst_count(tile, 0);
    pack_datums(tile, 0, datums);
    for (int i = 0; i < 2; i++)
        tile_state(tile)->adcs.channel[T2][TSR_ADC_PACKERS][i].x = i ? datums - 1 : 0;
    return tile;
}

// Rows at which the packers begin.
static void begin_at(tsr_tile *tile, const uint32_t row[4])
{
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC0_Offset, row[0]);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC1_Offset, row[1]);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC2_Offset, row[2]);
    tile_field(tile, 0, FIELD_DEST_TARGET_REG_CFG_PACK_SEC3_Offset, row[3]);
}

// Cycles from the completion of the PACR, thread 2's first instruction, until a wait behind it has
// let the next instruction pass; a wait that has nothing to wait for takes as long as `least`.
struct waited {
    uint64_t pacr, after;
};

static struct waited wait_for(tsr_tile *tile, const char *pacr, const char *wait)
{
    static struct event_log log;
    event_log_start(&log, tile);
    tile_push(tile, T2, pacr);
    tile_push(tile, T2, wait);
    tile_push(tile, T2, "SETADC CntSetMask=0");
    tile_idle(tile);
    const tsr_event *first = event_log_find(&log, T2, 1), *last = event_log_find(&log, T2, 3);
    struct waited waited = {first->completed - first->accepted, last->accepted - first->completed};
    tsr_tile_destroy(tile);
    return waited;
}

// The wait ends in the cycle after the one in which its condition has ended.
static void check(struct waited seen, uint64_t pacr, uint64_t drain)
{
    assert_int_equal(seen.pacr, pacr);
    assert_int_equal(seen.after, drain + 1);
}

static void test_banks_of_dst(void **state)
{
    (void)state;
    static const struct {
        uint32_t row[4];
        const char *pacr;
        unsigned turns; // of the packer that begins last, of two cycles each
    } rows[] = {
        {{0, 16, 32, 48}, "PACR PackSel=15 Last=1", 3}, // all begin in bank 0
        {{0, 16, 32, 48}, "PACR PackSel=1 Last=1", 0},
        {{0, 16, 32, 48}, "PACR PackSel=3 Last=1", 1},
        {{0, 19, 34, 49}, "PACR PackSel=15 Last=1", 0}, // as if each came two cycles later
        {{0, 17, 34, 51}, "PACR PackSel=15 Last=1", 0},
        {{0, 16, 33, 49}, "PACR PackSel=15 Last=1", 3}, // the last finds three banks taken
        {{0, 18, 32, 50}, "PACR PackSel=15 Last=1", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tile *tile = timed_tile(WH, 256, BF16);
        begin_at(tile, rows[i].row);
        struct waited seen = wait_for(tile, rows[i].pacr, ALL_PACKERS);
        if (seen.after != TO_L1 + 2 * rows[i].turns + 1)
            fail_msg("row %d: %d cycles", (int)i, (int)seen.after);
        assert_int_equal(seen.pacr, 33);
    }
}

// A row takes a packer as long as its bytes: FP32 four cycles, BFP8 one. Of BFP8 the exponents go
// out, too: 16 * 17 bytes.
static void test_formats(void **state)
{
    (void)state;
    const uint32_t row[4] = {0, 16, 32, 48};
    tsr_tile *fp32 = timed_tile(WH, 256, FP32), *bfp8 = timed_tile(WH, 256, BFP8);
    begin_at(fp32, row);
    begin_at(bfp8, row);
    check(wait_for(fp32, "PACR PackSel=15 Last=1", ALL_PACKERS), 64 + 1, TO_L1 + 3 * 4);
    struct waited seen = wait_for(bfp8, "PACR PackSel=15 Last=1", ALL_PACKERS);
    assert_int_equal(seen.after, TO_L1 + 3 + 1);
}

// Only who waits for a packer that had bytes waits, and only the thread whose they are.
static void test_who_waits(void **state)
{
    (void)state;
    const char *const pack_1 = "PACR PackSel=2 Last=1";
    check(wait_for(timed_tile(WH, 256, BF16), pack_1, "STALLWAIT stall_res=511 wait_res=0x10"), 33,
          TO_L1);
    struct waited other =
        wait_for(timed_tile(WH, 256, BF16), pack_1, "STALLWAIT stall_res=511 wait_res=8");
    assert_true(other.after > UINT64_MAX / 2); // it passes before the PACR is complete
    static struct event_log log;
    tsr_tile *tile = timed_tile(WH, 256, BF16);
    event_log_start(&log, tile);
    tile_push(tile, T2, "PACR PackSel=15 Last=1");
    tile_push(tile, 1, "NOP");
    tile_push(tile, 1, ALL_PACKERS);
    tile_push(tile, 1, "SETADC CntSetMask=0");
    tile_idle(tile);
    assert_true(event_log_find(&log, 1, 3)->accepted < 10);
    tsr_tile_destroy(tile);
}

// Cycle in which `thread`, kept from its wait for 42 cycles, goes on behind it.
static uint64_t goes_on_at(tsr_tile *tile, int thread, const char *wait)
{
    static struct event_log log;
    event_log_start(&log, tile);
    tile_set_gpr(tile, thread, 0, 0);
    for (int i = 0; i < 14; i++)
        tile_push(tile, thread, "ADDDMAREG OpBisConst=1");
    tile_push(tile, thread, wait);
    tile_push(tile, thread, "SETADC CntSetMask=0");
    tile_idle(tile);
    uint64_t cycle = event_log_find(&log, thread, 16)->accepted;
    tsr_tile_destroy(tile);
    return cycle;
}

// What thread 2 has on its way is nothing to thread 1.
static void test_of_another_thread(void **state)
{
    (void)state;
    tsr_tile *idle = timed_tile(WH, 256, BF16), *busy = timed_tile(WH, 256, BF16);
    tile_push(busy, T2, "PACR PackSel=15 Last=1");
    assert_int_equal(goes_on_at(busy, 1, ALL_PACKERS), goes_on_at(idle, 1, ALL_PACKERS));
}

// A short PACR behind a long one is in L1 before it.
static void test_one_behind_another(void **state)
{
    (void)state;
    static struct event_log log;
    tsr_tile *tile = timed_tile(WH, 256, BF16);
    begin_at(tile, (const uint32_t[4]){0, 16, 32, 48});
    event_log_start(&log, tile);
    tile_push(tile, T2, "PACR PackSel=15");
    tile_push(tile, T2, "SETADCXX CntSetMask=4 x_end2=15");
    tile_push(tile, T2, "PACR PackSel=1 Last=1");
    tile_push(tile, T2, ALL_PACKERS);
    tile_push(tile, T2, "SETADC CntSetMask=0");
    tile_idle(tile);
    uint64_t begun = event_log_find(&log, T2, 1)->accepted;
    assert_int_equal(event_log_find(&log, T2, 3)->completed, begun + 33 + 3);
    assert_int_equal(event_log_find(&log, T2, 5)->accepted, begun + 33 + TO_L1 + 6 + 1);
    tsr_tile_destroy(tile);
}

// A flush moves nothing, and what came before it is on its way as long as without it.
static void test_flush(void **state)
{
    (void)state;
    check(wait_for(timed_tile(WH, 256, BF16), "PACR PackSel=15 Flush=1 Last=1", ALL_PACKERS), 2, 0);
    static struct event_log log;
    tsr_tile *tile = timed_tile(WH, 256, BF16);
    event_log_start(&log, tile);
    tile_push(tile, T2, "PACR PackSel=1");
    tile_push(tile, T2, "PACR PackSel=1 Flush=1 Last=1");
    tile_push(tile, T2, ALL_PACKERS);
    tile_push(tile, T2, "SETADC CntSetMask=0");
    tile_idle(tile);
    uint64_t begun = event_log_find(&log, T2, 1)->accepted;
    assert_int_equal(event_log_find(&log, T2, 2)->completed, begun + 33 + 2);
    assert_int_equal(event_log_find(&log, T2, 4)->accepted, begun + 33 + TO_L1 + 1);
    tsr_tile_destroy(tile);
}

// The clock of a run goes on until all is in L1, and a soft reset of the packers ends the way.
static void test_end_of_run(void **state)
{
    (void)state;
    tsr_tile *tile = timed_tile(WH, 256, BF16);
    tile_do(tile, T2, "PACR PackSel=1 Last=1");
    uint64_t whole = tsr_cycle(tile);
    assert_int_equal(whole, 2 + 33 + TO_L1);
    tsr_tile_destroy(tile);
    tile = timed_tile(WH, 256, BF16);
    tile_push(tile, T2, "PACR PackSel=1 Last=1");
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = whole - 5;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_TIMEOUT);
    assert_true(tile_state(tile)->queues.drain.until > tsr_cycle(tile));
    assert_int_equal(tsr_store(tile, TSR_CORE_B, 0xffb121b0, 0x3c, 4), TSR_OK);
    assert_int_equal(tile_state(tile)->queues.drain.until, 0);
    tsr_tile_destroy(tile);
}

// The vendor's loop that waits for the packers before each tile takes 55 cycles on a card, and 35
// without the wait.
static uint64_t cycles_a_tile(int arch, bool waits)
{
    uint64_t cycles[2];
    for (int run = 0; run < 2; run++) {
        tsr_tile *tile = timed_tile(arch, 256, BF16);
        begin_at(tile, (const uint32_t[4]){0, 16, 32, 48});
        for (int i = 0; i < 10 * (run + 1); i++) {
            if (waits)
                tile_push(tile, T2, "STALLWAIT stall_res=4 wait_res=0x78");
            tile_push(tile, T2, "SETADC CntSetMask=4 DimensionIndex=3 Value=0");
            tile_push(tile, T2, "SETDMAREG Payload_SigSel=0 RegIndex16b=9");
            tile_push(tile, T2, "PACR PackSel=15 Flush=1");
            tile_push(tile, T2, "SETDMAREG Payload_SigSel=0 RegIndex16b=9");
            tile_push(tile, T2, "PACR PackSel=15 Last=1");
        }
        tile_idle(tile);
        cycles[run] = tsr_cycle(tile);
        tsr_tile_destroy(tile);
    }
    return (cycles[1] - cycles[0]) / 10;
}

static void test_loops(void **state)
{
    (void)state;
    assert_int_equal(cycles_a_tile(WH, false), 35);
    assert_int_equal(cycles_a_tile(WH, true), 55);
}

// A wait ends in the same cycle whatever another thread does meanwhile, alone or with nobody awake.
static void test_beside_another_thread(void **state)
{
    (void)state;
    uint64_t cycles[3];
    for (int nops = 0; nops < 3; nops++) {
        tsr_tile *tile = timed_tile(WH, 256, BF16);
        tile_set_gpr(tile, T2, 0, 0);
        tile_push(tile, T2, "PACR PackSel=15 Last=1");
        tile_push(tile, T2, ALL_PACKERS);
        for (int i = 0; i < 10; i++)
            tile_push(tile, T2, "ADDDMAREG OpBisConst=1");
        for (int i = 0; i < 30 * nops; i++)
            tile_push(tile, 0, "SETADC CntSetMask=0");
        tile_idle(tile);
        cycles[nops] = tsr_cycle(tile);
        tsr_tile_destroy(tile);
    }
    assert_int_equal(cycles[1], cycles[0]);
    assert_int_equal(cycles[2], cycles[0]);
}

// ... and while a core runs: when thread 2 posts behind its wait, and when the core that polls the
// packers' status of TDMA-RISC sees them idle.
static void beside_core(tsr_pipeline pipeline, bool polls, uint64_t seen[2])
{
    enum { CODE = 0x1000, STATUS = 0xffb11024 };
    static struct event_log log;
    tsr_options options = tsr_options_default(TSR_WORMHOLE_B0);
    options.timing = options.cores = true;
    options.pipeline = pipeline;
    tsr_tile *tile = tile_with(&options);
    pack_formats(tile, BF16, BF16, false);
    dst_count(tile, 0);
    tile_state(tile)->adcs.channel[T2][TSR_ADC_PACKERS][1].x = 255;
    struct code code = code_at(tile, CODE);
    code_spend(&code, 20);
    if (polls)
        code_wait_for(&code, STATUS, 0);
    else
        code_spend(&code, 200);
    code_put(&code, rv_i(RISCV_EBREAK, 0, 0, 1));
    event_log_start(&log, tile);
    tile_push(tile, T2, "PACR PackSel=15 Last=1");
    tile_push(tile, T2, ALL_PACKERS);
    tile_push(tile, T2, "SEMPOST sem_sel=1");
    core_start(tile, TSR_CORE_T0, CODE);
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = 2000;
    (void)tsr_run(tile, &limits);
    seen[0] = event_log_find(&log, T2, 3)->accepted;
    seen[1] = core_view(tile, TSR_CORE_T0).retired;
    tsr_tile_destroy(tile);
}

static void test_beside_a_core(void **state)
{
    (void)state;
    for (int polls = 0; polls < 2; polls++) {
        uint64_t seen[2][2];
        beside_core(TSR_PIPELINE_AUTO, polls, seen[0]);
        beside_core(TSR_PIPELINE_STAGED, polls, seen[1]);
        assert_int_equal(seen[0][0], seen[1][0]);
        assert_int_equal(seen[0][1], seen[1][1]);
    }
}

// Words that could be executed as one take as long as one by one.
static void test_short_packs(void **state)
{
    (void)state;
    for (uint32_t datums = 8; datums <= 16; datums += 8) {
        tsr_tile *tile = timed_tile(WH, datums, BF16);
        tsr_run_report report;
        for (int i = 0; i < 30; i++)
            tile_push(tile, T2, "PACR PackSel=1");
        tile_idle(tile);
        tsr_get_report(tile, &report);
        assert_int_equal(report.unit_busy[TSR_UNIT_PACKER], 30 * (datums / 8 + 1));
        tsr_tile_destroy(tile);
    }
}

// No figure is known: a PACR is in L1 when it is complete.
static void test_blackhole(void **state)
{
    (void)state;
    check(wait_for(timed_tile(BH, 16, BF16), "PACR ReadIntfSel=15 Last=1",
                   "STALLWAIT stall_res=511 wait_res=8"),
          1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_banks_of_dst),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_who_waits),
        cmocka_unit_test(test_of_another_thread),
        cmocka_unit_test(test_one_behind_another),
        cmocka_unit_test(test_flush),
        cmocka_unit_test(test_end_of_run),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_blackhole),
        cmocka_unit_test(test_short_packs),
        cmocka_unit_test(test_beside_another_thread),
        cmocka_unit_test(test_beside_a_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
