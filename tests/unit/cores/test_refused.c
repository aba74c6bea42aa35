// SPDX-License-Identifier: Apache-2.0
// What threads and cores are refused is counted, each time, and is an event: words that no unit
// takes, instructions that a core lacks, accesses to what is unimplemented, pushes to a FIFO that
// the debug registers have. Pages: BabyRISCV/README.md, PushTensixInstruction.md of each chip.
#include "rig/core_rig.h"
#include "rig/event_log.h"

#define AT_NOT_BUILT 0xffb12094u // RISCV_DEBUG_REG_DBG_INVALID_INSTRN
#define AT_PUSH_CONTROL 0xffb120a0u

enum { PROGRAM = 0x1000, NO_INSTRUCTION = 0xff000000, RSTDMA = 0x44000000, NO_WORD = 0x0000007b };

static void go(tsr_tile *tile)
{
    tsr_limits limits = tsr_limits_default();
    limits.max_cycles = 20000;
    assert_int_equal(tsr_run(tile, &limits), TSR_END_IDLE);
}

static int of_kind(const struct event_log *log, tsr_event_kind kind, const tsr_event **last)
{
    int count = 0;
    for (int i = 0; i < log->count; i++)
        if (log->event[i].kind == kind) {
            *last = &log->event[i];
            count++;
        }
    return count;
}

static tsr_run_report report_of(const tsr_tile *tile)
{
    tsr_run_report report;
    tsr_get_report(tile, &report);
    return report;
}

// With and without an observer, in both pipelines and with timing off and on the counts are the
// same; the instructions around are issued.
static void test_words(int arch)
{
    for (int way = 0; way < 8; way++) {
        tsr_options options = tsr_options_default((tsr_arch)arch);
        options.profile = TSR_PROFILE_SILICON;
        options.timing = way & 1;
        options.pipeline = way & 2 ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO;
        tsr_tile *tile = tile_with(&options);
        struct event_log log = {.waits = true};
        assert_int_equal(tsr_tile_set_policy(tile, "no-specification", TSR_ACTION_RECORD), TSR_OK);
        assert_int_equal(tsr_tile_set_policy(tile, "unknown-instruction", TSR_ACTION_RECORD),
                         TSR_OK);
        if (way & 4)
            event_log_start(&log, tile);
        tile_push(tile, 1, "SEMPOST sem_sel=1");
        for (int i = 0; i < 3; i++)
            tile_push_word(tile, 1, NO_INSTRUCTION);
        tile_push_word(tile, 1, RSTDMA);
        tile_push(tile, 1, "SEMPOST sem_sel=1");
        assert_int_equal(tile_run(tile), TSR_END_IDLE);
        tsr_run_report report = report_of(tile);
        assert_int_equal(report.refused[0], 0);
        assert_int_equal(report.refused[1], 4);
        assert_int_equal(report.issued[1], 2);
        const tsr_event *last = NULL;
        assert_int_equal(of_kind(&log, TSR_EVENT_REFUSED, &last), way & 4 ? 4 : 0);
        if (last) {
            assert_int_equal(last->thread, 1);
            assert_int_equal(last->core, -1);
            assert_int_equal(last->word, RSTDMA);
            assert_int_equal(last->sequence, 5);
            assert_string_equal(last->code, "no-specification");
        }
        assert_int_equal(of_kind(&log, TSR_EVENT_INSTRUCTION, &last), way & 4 ? 2 : 0);
        if (last) {
            assert_int_equal(last->core, -1);
            assert_string_equal(last->code, "");
        }
        tsr_tile_reset(tile);
        report = report_of(tile);
        assert_int_equal(report.refused[1], 0);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_words)

// What stops the tile has not been skipped.
static void test_stopped(int arch)
{
    tsr_tile *tile = tile_default(arch);
    tile_push_word(tile, 1, NO_INSTRUCTION);
    assert_int_equal(tile_run(tile), TSR_END_STOPPED);
    tsr_run_report report = report_of(tile);
    assert_int_equal(report.refused[1], 0);
    tsr_tile_destroy(tile);
}
TILE_BOTH(test_stopped)

// A loop with one: the finding is kept once, and the count and the events are one a pass.
static void test_core_instruction(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
        struct event_log log = {.waits = true};
        struct code code = code_at(tile, PROGRAM);
        code_li(&code, A4, 0);
        code_li(&code, A5, 7);
        uint32_t loop = code.at;
        code_put(&code, NO_WORD);
        code_addi(&code, A4, A4, 1);
        code_branch(&code, RISCV_BNE, A4, A5, loop);
        code_end(&code);
        event_log_start(&log, tile);
        core_start(tile, TSR_CORE_T1, PROGRAM);
        go(tile);
        tsr_run_report report = report_of(tile);
        assert_int_equal(report.core_refused[TSR_CORE_T1], 7);
        assert_int_equal(report.core_refused[TSR_CORE_B], 0);
        assert_int_equal(tile_found(tile, "core-unknown-instruction")->repeats, 6);
        const tsr_event *last = NULL;
        assert_int_equal(of_kind(&log, TSR_EVENT_REFUSED, &last), 7);
        assert_int_equal(last->core, TSR_CORE_T1);
        assert_int_equal(last->thread, -1);
        assert_int_equal(last->pc, loop);
        assert_int_equal(last->word, NO_WORD);
        assert_true(last->accepted > 0);
        assert_string_equal(last->code, "core-unknown-instruction");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_core_instruction)

// The same in a loop that polls: who makes it look again, and finds it polling, changes no count.
static void test_core_polls(int arch)
{
    uint64_t refused[2];
    uint32_t repeats[2];
    for (int slices = 0; slices < 2; slices++) {
        enum { FLAG = 0x20000, ELSEWHERE = 0x30000, SLICES = 50, CYCLES = 128 };
        tsr_tile *tile = tile_with_cores(arch, false, TSR_PROFILE_SILICON);
        struct code code = code_at(tile, PROGRAM);
        code_li(&code, A3, FLAG);
        uint32_t loop = code.at;
        code_put(&code, NO_WORD);
        code_lw(&code, A4, A3, 0);
        code_branch(&code, RISCV_BEQ, A4, ZERO, loop);
        code_end(&code);
        assert_int_equal(tsr_host_store(tile, FLAG, 0, 4), TSR_OK);
        core_start(tile, TSR_CORE_T1, PROGRAM);
        for (int i = 0; i < SLICES; i++) {
            if (slices)
                assert_int_equal(tsr_host_store(tile, ELSEWHERE, (uint32_t)i, 4), TSR_OK);
            if (slices || i == 0)
                tsr_run_cycles(tile, slices ? CYCLES : SLICES * CYCLES);
        }
        refused[slices] = report_of(tile).core_refused[TSR_CORE_T1];
        repeats[slices] = (uint32_t)tile_found(tile, "core-unknown-instruction")->repeats;
        tsr_tile_destroy(tile);
    }
    assert_true(refused[0] > 1);
    assert_int_equal(refused[1], refused[0]);
    assert_int_equal(repeats[1], repeats[0]);
}
TILE_BOTH(test_core_polls)

static void test_core_accesses(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
        struct event_log log = {.waits = true};
        struct code code = code_at(tile, PROGRAM);
        code_load(&code, A0, AT_NOT_BUILT);
        code_store(&code, AT_NOT_BUILT, 1);
        code_end(&code);
        assert_int_equal(tsr_tile_set_policy(tile, "unimplemented-mode", TSR_ACTION_RECORD),
                         TSR_OK);
        event_log_start(&log, tile);
        core_start(tile, TSR_CORE_T0, PROGRAM);
        go(tile);
        tsr_run_report report = report_of(tile);
        assert_int_equal(report.core_refused[TSR_CORE_T0], 2);
        const tsr_event *last = NULL;
        assert_int_equal(of_kind(&log, TSR_EVENT_REFUSED, &last), 2);
        assert_int_equal(last->word, rv_s(RISCV_SW, A5, A4, 0));
        assert_string_equal(last->code, "unimplemented-mode");
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_core_accesses)

// Both by .ttinsn and by a store.
static void test_core_pushes(int arch)
{
    for (int timing = 0; timing < 2; timing++) {
        tsr_tile *tile = tile_with_cores(arch, timing, TSR_PROFILE_SILICON);
        struct code code = code_at(tile, PROGRAM);
        code_store(&code, AT_PUSH_CONTROL, 1);
        code_push(&code, "SEMPOST sem_sel=1");
        code_push(&code, "SEMPOST sem_sel=1");
        code_store(&code, AT_PUSH, tile_word(tile, "SEMPOST sem_sel=1"));
        code_store(&code, AT_PUSH_CONTROL, 0);
        code_push(&code, "SEMPOST sem_sel=1");
        code_end(&code);
        core_start(tile, TSR_CORE_T0, PROGRAM);
        go(tile);
        tsr_run_report report = report_of(tile);
        assert_int_equal(report.core_refused[TSR_CORE_T0], 3);
        assert_int_equal(report.issued[0], 1);
        tsr_tile_destroy(tile);
    }
}
TILE_BOTH(test_core_pushes)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(test_words),      TILE_TEST(test_stopped),       TILE_TEST(test_core_instruction),
        TILE_TEST(test_core_polls), TILE_TEST(test_core_accesses), TILE_TEST(test_core_pushes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
