// SPDX-License-Identifier: Apache-2.0
// The performance counters: banks that start and stop, the counter that an output shows, and what
// is not built. As tt-llk's counters.h uses them.
#include "rig/core_rig.h"

#include <tessera/trace.h>

static const uint32_t debug_regs = 0xffb12000u;
enum { INSTRN = 0x000, UNPACK = 0x00c, FPU = 0x018, PACK = 0x0f0, ALL = 0x03c };
enum { OUT_INSTRN = 0x100, OUT_UNPACK = 0x108, OUT_PACK = 0x110, OUT_FPU = 0x120 };

static void put(tsr_tile *tile, uint32_t offset, uint32_t value)
{
    assert_int_equal(tsr_host_store(tile, debug_regs + offset, value, 4), TSR_OK);
}

static uint32_t get(tsr_tile *tile, uint32_t offset)
{
    uint32_t value;
    assert_int_equal(tsr_host_load(tile, debug_regs + offset, &value, 4), TSR_OK);
    return value;
}

static void start(tsr_tile *tile, uint32_t bank)
{
    put(tile, bank, 0xffffffff);
    put(tile, bank + 4, 0);
    put(tile, bank + 8, 0);
    put(tile, bank + 8, 1);
}

static void stop(tsr_tile *tile, uint32_t bank)
{
    put(tile, bank + 8, 0);
    put(tile, bank + 8, 2);
}

static uint32_t counted(tsr_tile *tile, uint32_t bank, uint32_t output, uint32_t counter)
{
    put(tile, bank + 4, counter << 8);
    return get(tile, output + 4);
}

static void run_some(tsr_tile *tile)
{
    for (int i = 0; i < 5; i++) {
        tile_push(tile, 0, "SEMPOST sem_sel=1");
        tile_push(tile, 0, "SEMGET sem_sel=1");
    }
    tile_push(tile, 1, "ZEROACC clear_mode=3");
    tile_push(tile, 1, "SETRWC BitMask=15");
    tile_push(tile, 2, "SFPLOADI imm16=1");
    tile_idle(tile);
}

static void test_banks(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    run_some(tile); // before
    tsr_run_report before, after;
    tsr_get_report(tile, &before);
    start(tile, INSTRN);
    start(tile, FPU);
    start(tile, UNPACK);
    run_some(tile);
    assert_true(get(tile, OUT_FPU) > 0); // while it runs
    stop(tile, INSTRN);
    stop(tile, FPU);
    stop(tile, UNPACK);
    tsr_get_report(tile, &after);
    run_some(tile); // after
    assert_int_equal(get(tile, OUT_INSTRN), after.cycles - before.cycles);
    for (uint32_t thread = 0; thread < 3; thread++)
        assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 256 + thread),
                         after.issued[thread] - before.issued[thread]);
    assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 256), 10);
    assert_int_equal(counted(tile, UNPACK, OUT_UNPACK, 3), 2);
    assert_int_equal(counted(tile, FPU, OUT_FPU, 0),
                     after.unit_busy[TSR_UNIT_MATRIX] - before.unit_busy[TSR_UNIT_MATRIX]);
    assert_int_equal(counted(tile, FPU, OUT_FPU, 1),
                     after.unit_busy[TSR_UNIT_VECTOR] - before.unit_busy[TSR_UNIT_VECTOR]);
    // The mode without a reference, and both banks at once.
    put(tile, FPU + 4, 2);
    put(tile, ALL, 0);
    put(tile, ALL, 1);
    run_some(tile);
    put(tile, ALL, 0);
    put(tile, ALL, 2);
    assert_int_equal(get(tile, OUT_FPU), 0);
    assert_true(get(tile, OUT_INSTRN) > 0);
    assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 256), 10);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_banks)

static void test_unpackers(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    const char *const of_b = arch == TSR_WORMHOLE_B0 ? "UNPACR_NOP NoOp=1 Unpack_block_selection=1"
                                                     : "UNPACR_NOP Unpack_Pop=1 Unpacker_Select=1";
    const char *const of_a =
        arch == TSR_WORMHOLE_B0 ? "UNPACR_NOP NoOp=1" : "UNPACR_NOP Unpack_Pop=1";
    start(tile, UNPACK);
    tile_push(tile, 0, of_b);
    tile_push(tile, 1, of_a);
    tile_push(tile, 1, of_a);
    tile_idle(tile);
    stop(tile, UNPACK);
    tsr_run_report report;
    tsr_get_report(tile, &report);
    for (uint32_t thread = 0; thread < 2; thread++)
        for (uint32_t unpacker = 0; unpacker < 2; unpacker++) {
            uint32_t cycles = counted(tile, UNPACK, OUT_UNPACK, 7 + 2 * thread + unpacker);
            assert_int_equal(cycles, report.thread_busy[TSR_UNIT_UNPACKER0 + unpacker][thread]);
            assert_int_equal(cycles > 0, thread != unpacker);
        }
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_unpackers)

static void test_waits(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    start(tile, INSTRN);
    tile_push(tile, 1, "ELWADD");
    tsr_run_cycles(tile, 100);
    uint32_t waited = counted(tile, INSTRN, OUT_INSTRN, 29);
    assert_in_range(waited, 80, 100);
    assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 25), waited);
    assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 24), 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_waits)

// An instruction is available while it waits at its gate, and in the cycle that issues it.
static void test_available(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    static const uint8_t first[] = {0, 3, 6, 12, 15, 18, 21};
    start(tile, INSTRN);
    start(tile, UNPACK);
    run_some(tile);
    tile_push(tile, 2, "ADDDMAREG");
    tile_push(tile, 2, "SETDMAREG");
    tile_idle(tile);
    tile_push(tile, 1, "ELWADD"); // waits for SrcA
    tsr_run_cycles(tile, 100);
    tsr_run_report report;
    tsr_get_report(tile, &report);
    static const tsr_unit units[] = {TSR_UNIT_CONFIG, TSR_UNIT_SYNC,   TSR_UNIT_SCALAR,
                                     TSR_UNIT_MOVER,  TSR_UNIT_MATRIX, TSR_UNIT_UNPACKER0,
                                     TSR_UNIT_PACKER};
    for (uint32_t i = 0; i < 7; i++)
        for (uint32_t thread = 0; thread < 3; thread++) {
            uint64_t cycles = report.available[thread][units[i]];
            if (units[i] == TSR_UNIT_MATRIX)
                cycles += report.available[thread][TSR_UNIT_VECTOR];
            if (units[i] == TSR_UNIT_UNPACKER0)
                cycles += report.available[thread][TSR_UNIT_UNPACKER1];
            assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, first[i] + thread), cycles);
        }
    assert_in_range(report.available[0][TSR_UNIT_SYNC], 10, 30); // SEMPOST and SEMGET
    assert_in_range(report.available[1][TSR_UNIT_MATRIX], 80, 105);
    assert_int_equal(report.available[2][TSR_UNIT_VECTOR], 1);
    assert_in_range(report.available[2][TSR_UNIT_SCALAR], 2, 8);
    assert_int_equal(report.available[2][TSR_UNIT_MATRIX], 0);
    assert_int_equal(counted(tile, UNPACK, OUT_UNPACK, 4), report.available[1][TSR_UNIT_MATRIX]);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_available)

// What a latched wait holds its thread for: each condition as long as it holds.
static void test_conditions(int arch)
{
    uint32_t counts[2][3];
    for (int staged = 0; staged < 2; staged++) {
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.timing = true;
        options.profile = TSR_PROFILE_SILICON;
        options.pipeline = staged ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO;
        tsr_tile *tile = tile_with(&options);
        tile_push(tile, 0, "SEMINIT max_value=2 sem_sel=2");
        tile_idle(tile);
        start(tile, INSTRN);
        tile_push(tile, 1, "SEMWAIT stall_res=64 sem_sel=2 wait_sem_cond=1"); // nonzero
        tile_push(tile, 1, "SETRWC BitMask=15");
        tsr_run_cycles(tile, 100);
        uint32_t zero = counted(tile, INSTRN, OUT_INSTRN, 44);
        assert_in_range(zero, 90, 100);
        tile_push(tile, 0, "SEMPOST sem_sel=2");
        tsr_run_cycles(tile, 50);
        assert_in_range(counted(tile, INSTRN, OUT_INSTRN, 44), zero, zero + 10);
        zero = counted(tile, INSTRN, OUT_INSTRN, 44);
        tile_push(tile, 0, "SEMPOST sem_sel=2");
        tsr_run_cycles(tile, 50);
        // Both conditions, of which one holds.
        tile_push(tile, 1, "SEMWAIT stall_res=64 sem_sel=2 wait_sem_cond=3");
        tile_push(tile, 1, "SETRWC BitMask=15");
        tsr_run_cycles(tile, 70);
        uint32_t full = counted(tile, INSTRN, OUT_INSTRN, 47);
        assert_in_range(full, 60, 70);
        assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 44), zero);
        stop(tile, INSTRN);
        tsr_run_cycles(tile, 70);
        assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 47), full);
        start(tile, INSTRN); // in the middle of the wait
        tsr_run_cycles(tile, 70);
        assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 47), 70);
        tile_push(tile, 0, "SEMGET sem_sel=2");
        tile_idle(tile);
        start(tile, INSTRN);
        tile_push(tile, 1, "LOADIND");
        tile_push(tile, 1, "STALLWAIT stall_res=64 wait_res=3"); // scalar unit, unpacker 0
        tile_push(tile, 1, "SETRWC BitMask=15");
        tile_idle(tile);
        assert_in_range(counted(tile, INSTRN, OUT_INSTRN, 32), 2, 40);
        for (uint32_t other = 31; other < 58; other++)
            if (other != 32 && (other < 52 || other > 54))
                assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, other), 0);
        counts[staged][0] = zero;
        counts[staged][1] = full;
        counts[staged][2] = counted(tile, INSTRN, OUT_INSTRN, 32);
        tsr_tile_destroy(tile);
    }
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
}
TILE_BOTH(test_conditions)

enum { LONGEST = 400 };

struct seen {
    bool works[LONGEST]; // the matrix unit or the vector unit, by cycle
};

static void see(void *user, const tsr_event *event)
{
    struct seen *seen = user;
    if (event->kind != TSR_EVENT_INSTRUCTION ||
        (event->unit != TSR_UNIT_MATRIX && event->unit != TSR_UNIT_VECTOR))
        return;
    for (uint64_t cycle = event->accepted; cycle < event->completed; cycle++) {
        assert_true(cycle < LONGEST);
        seen->works[cycle] = true;
    }
}

// Cycles in which a unit or both work, alone, together, and one after the other; as an observer
// sees them, and at any time.
static void test_either(int arch)
{
    static const char *const words[3][4] = {
        {"SFPLOADI imm16=1", "NOP", "NOP", "SFPMAD"},
        {"ZEROACC clear_mode=3", "SETRWC BitMask=15", "SETRWC BitMask=15", "NOP"},
        {"ADDDMAREG", "NOP", "SFPLOADI imm16=1", "SFPMOV"},
    };
    uint32_t at[LONGEST] = {0};
    for (int way = 0; way < 12; way++) {
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.timing = true;
        options.profile = TSR_PROFILE_SILICON;
        options.pipeline = way & 1 ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO;
        tsr_tile *tile = tile_with(&options);
        struct seen seen = {{false}};
        if (way % 4 == 0)
            tsr_tile_observe(tile, see, &seen);
        start(tile, FPU);
        for (int i = 0; i < 14; i++)
            for (int thread = way < 8 ? 1 : 0; thread < (way < 4 ? 2 : 3); thread++)
                tile_push(tile, thread, words[thread][i / 2 % 4]);
        uint32_t cycles = 0;
        for (uint32_t now = 0; now < LONGEST; now += way & 2 ? 100 : 1) {
            if (now > 0)
                tsr_run_cycles(tile, way & 2 ? 100 : 1);
            at[now] = way % 4 == 0 ? counted(tile, FPU, OUT_FPU, 257) : at[now];
            assert_int_equal(counted(tile, FPU, OUT_FPU, 257), at[now]);
        }
        for (uint32_t now = 0; way % 4 == 0 && now < LONGEST; now++) {
            assert_int_equal(at[now], cycles);
            cycles += seen.works[now];
        }
        uint32_t matrix = counted(tile, FPU, OUT_FPU, 0), vector = counted(tile, FPU, OUT_FPU, 1);
        uint32_t either = counted(tile, FPU, OUT_FPU, 257);
        assert_true(matrix > 0 && either >= matrix && either <= matrix + vector);
        assert_int_equal(either < matrix + vector, way >= 4);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_either)

static void start_period(tsr_tile *tile, uint32_t bank, uint32_t period)
{
    put(tile, bank, period);
    put(tile, bank + 4, 1);
    put(tile, bank + 8, 0);
    put(tile, bank + 8, 1);
}

// 37 cycles of it, and of another bank fewer, whether they pass with work, without, or both.
static void test_period(int arch)
{
    for (int busy = 0; busy < 2; busy++) {
        tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
        tile_push(tile, 1, "ELWADD"); // waits for SrcA
        tsr_run_cycles(tile, 50);
        start_period(tile, INSTRN, 37);
        start_period(tile, FPU, 10);
        for (int i = 0; busy && i < 14; i++)
            tile_push(tile, 0, "ADDDMAREG");
        tsr_run_cycles(tile, 20);
        assert_int_equal(get(tile, OUT_INSTRN), 20);
        assert_int_equal(get(tile, OUT_FPU), 10);
        uint32_t issued = counted(tile, INSTRN, OUT_INSTRN, 256);
        put(tile, INSTRN + 4, 29u << 8); // the mode counts when it starts
        assert_int_equal(get(tile, OUT_INSTRN + 4), 20);
        tsr_run_cycles(tile, 200);
        assert_int_equal(get(tile, OUT_INSTRN), 37);
        assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 29), 37);
        assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 25), 37);
        assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 256) > issued, busy);
        stop(tile, INSTRN); // no more
        assert_int_equal(get(tile, OUT_INSTRN), 37);
        start_period(tile, INSTRN, 1000);
        tsr_run_cycles(tile, 30);
        stop(tile, INSTRN); // before its end
        tsr_run_cycles(tile, 2000);
        assert_int_equal(get(tile, OUT_INSTRN), 30);
        start_period(tile, INSTRN, 0);
        tsr_run_cycles(tile, 30);
        assert_int_equal(get(tile, OUT_INSTRN), 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_period)

// Counts are those up to the period's end, however the run is cut, in blocks or stage by stage.
static void test_period_of_work(int arch)
{
    enum { PERIOD = 21, WORDS = 14 };
    static const tsr_pipeline pipelines[] = {TSR_PIPELINE_AUTO, TSR_PIPELINE_STAGED};
    tsr_run_report cut = {0};
    for (int way = 0; way < 4; way++) {
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.timing = true;
        options.profile = TSR_PROFILE_SILICON;
        options.pipeline = pipelines[way & 1];
        tsr_tile *tile = tile_with(&options);
        start_period(tile, INSTRN, PERIOD);
        start_period(tile, UNPACK, PERIOD);
        for (int i = 0; i < WORDS; i++) {
            tile_push(tile, 0, "ADDDMAREG");
            tile_push(tile, 1, i % 3 ? "SETRWC BitMask=15" : "ZEROACC clear_mode=3");
            tile_push(tile, 2, "SFPLOADI imm16=1");
        }
        if (way < 2) {
            tsr_run_cycles(tile, PERIOD);
            tsr_get_report(tile, &cut);
        }
        tsr_run_cycles(tile, 1000);
        for (uint32_t thread = 0; thread < 3; thread++)
            assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 256 + thread), cut.issued[thread]);
        assert_int_equal(counted(tile, UNPACK, OUT_UNPACK, 3),
                         cut.unit_instructions[TSR_UNIT_MATRIX]);
        assert_true(cut.issued[0] > 0 && cut.issued[0] < WORDS);
        assert_int_equal(get(tile, OUT_INSTRN), PERIOD);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_period_of_work)

// A core starts it, and has nothing else to do, or something for longer than the period.
static void test_period_of_core(int arch)
{
    for (int spends = 0; spends < 2; spends++) {
        tsr_tile *tile = tile_with_cores(arch, true, TSR_PROFILE_SILICON);
        struct code code = code_at(tile, 0);
        code_store(&code, debug_regs + INSTRN, 37);
        code_store(&code, debug_regs + INSTRN + 4, 1);
        code_store(&code, debug_regs + INSTRN + 8, 1);
        if (spends)
            code_spend(&code, 200);
        code_end(&code);
        tile_push(tile, 1, "ELWADD"); // waits for SrcA
        core_start(tile, TSR_CORE_B, 0);
        tsr_run_cycles(tile, 3000);
        assert_int_equal(get(tile, OUT_INSTRN), 37);
        assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 29), 37);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_period_of_core)

// A thread starts it, while a core has something to do for longer.
static void test_period_of_thread(int arch)
{
    tsr_tile *tile = tile_with_cores(arch, true, TSR_PROFILE_SILICON);
    struct code code = code_at(tile, 0);
    code_spend(&code, 400);
    code_end(&code);
    put(tile, INSTRN, 37);
    put(tile, INSTRN + 4, 1);
    put(tile, INSTRN + 8, 0);
    tile_push(tile, 0, "SETDMAREG RegIndex16b=8 Payload_SigSel=1");
    tile_push(tile, 0, "SETDMAREG RegIndex16b=9");
    tile_push(tile, 0, "STOREREG TdmaDataRegIndex=4 RegAddr=0x4802");
    tile_push(tile, 1, "ELWADD"); // waits for SrcA
    core_start(tile, TSR_CORE_B, 0);
    tsr_run_cycles(tile, 3000);
    assert_int_equal(get(tile, OUT_INSTRN), 37);
    assert_int_equal(counted(tile, INSTRN, OUT_INSTRN, 29), 37);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_period_of_thread)

static void test_not_built(int arch)
{
    tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_SILICON);
    uint32_t value;
    put(tile, PACK + 4, 11u << 8);
    assert_int_equal(tsr_host_load(tile, debug_regs + OUT_PACK + 4, &value, 4), TSR_STOPPED);
    tile_says(tile, "unimplemented-mode", "counter 11 of bank TDMA_PACK");
    tsr_tile_reset(tile);
    put(tile, PACK + 4, 3);
    assert_int_equal(tsr_host_store(tile, debug_regs + PACK + 8, 1, 4), TSR_STOPPED);
    tile_says(tile, "unimplemented-mode", "mode 3 of bank TDMA_PACK");
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_not_built)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_banks),          TILE_TEST(test_unpackers),
        TILE_TEST(test_waits),          TILE_TEST(test_available),
        TILE_TEST(test_period),         TILE_TEST(test_period_of_work),
        TILE_TEST(test_conditions),     TILE_TEST(test_either),
        TILE_TEST(test_period_of_core), TILE_TEST(test_period_of_thread),
        TILE_TEST(test_not_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
