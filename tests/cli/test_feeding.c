// SPDX-License-Identifier: Apache-2.0
// Programs longer than the FIFOs, in which no wait orders two threads: where one thread's words end
// in the middle of what the other relies on makes no difference. With timing on the tile runs on
// between two words, and must do what it does if each word comes as early as it can.
#include "run/program_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 60, ALL_WORDS = 8 * ROUNDS };

static void append(struct ttasm_stream *stream, tsr_arch arch, const char *text)
{
    char error[200] = "";
    assert_true(stream->count < ALL_WORDS);
    if (tsr_assemble(arch, text, &stream->words[stream->count++], error, sizeof error) != TSR_OK)
        fail_msg("%s: %s", text, error);
}

static int found(const tsr_tile *tile, const char *code)
{
    int count = 0;
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        count += strcmp(tsr_diagnostic_at(tile, i)->code, code) == 0;
    return count;
}

// Thread 0 hands a bank of SrcA over once a round, after `before` NOPs; thread 1 gives it back.
static void check(tsr_arch arch, int before, bool timing)
{
    uint32_t words[2][ALL_WORDS];
    struct ttasm_program program = {.arch = arch};
    tsr_options options = tsr_options_default(arch);
    tsr_tile *tile;

    options.profile = TSR_PROFILE_SILICON;
    options.timing = timing;
    assert_int_equal(tsr_tile_create(&options, &tile), TSR_OK);
    program.threads[0].words = words[0];
    program.threads[1].words = words[1];
    for (int round = 0; round < ROUNDS; round++) {
        append(&program.threads[0], arch,
               arch == TSR_WORMHOLE_B0 ? "STALLWAIT stall_res=1 wait_res=0x100"
                                       : "STALLWAIT stall_res=1 wait_res=0x20");
        for (int i = 0; i < before; i++)
            append(&program.threads[0], arch, "NOP");
        append(&program.threads[0], arch, "SETDVALID setvalid=1");
        if (timing)
            append(&program.threads[1], arch,
                   arch == TSR_WORMHOLE_B0 ? "STALLWAIT stall_res=0x40 wait_res=0x400"
                                           : "STALLWAIT stall_res=0x40 wait_res=0x80");
        append(&program.threads[1], arch, "SETRWC clear_ab_vld=1");
    }
    struct run_order order = {
        .program = &program, .tile = tile, .timing = timing, .break_thread = -1};
    assert_int_equal(program_run(&order).end, TSR_END_IDLE);
    assert_int_equal(found(tile, "src-bank-taken"), 0);
    assert_int_equal(found(tile, "src-bank-unordered"), timing ? 0 : 1);
    tsr_tile_destroy(tile);
}

static void test_long_programs(void **state)
{
    (void)state;
    for (int before = 0; before < 5; before++)
        for (int timing = 0; timing < 2; timing++) {
            check(TSR_WORMHOLE_B0, before, timing);
            check(TSR_BLACKHOLE_A0, before, timing);
        }
}

// ---------------------------------------------------------------- timing on, in runs and in steps

// How the program ends, with the tile that it leaves.
static struct run_end run_fed(tsr_arch arch, const struct ttasm_program *program, bool in_runs,
                              uint64_t max_cycles, tsr_tile **tile)
{
    tsr_options options = tsr_options_default(arch);
    options.profile = TSR_PROFILE_SILICON;
    options.timing = true;
    assert_int_equal(tsr_tile_create(&options, tile), TSR_OK);
    const struct run_order order = {.program = program,
                                    .tile = *tile,
                                    .timing = in_runs,
                                    .max_cycles = max_cycles,
                                    .break_thread = -1};
    return program_run(&order);
}

static void same_fed(tsr_arch arch, const struct ttasm_program *program, uint64_t max_cycles,
                     tsr_end end)
{
    tsr_tile *tile[2];
    tsr_run_report report[2];
    struct run_end ends[2];
    for (int in_runs = 0; in_runs < 2; in_runs++) {
        ends[in_runs] = run_fed(arch, program, in_runs, max_cycles, &tile[in_runs]);
        tsr_get_report(tile[in_runs], &report[in_runs]);
        assert_int_equal(ends[in_runs].end, end);
    }
    assert_int_equal(report[1].cycles, report[0].cycles);
    assert_memory_equal(report[1].waited, report[0].waited, sizeof report[0].waited);
    assert_memory_equal(report[1].issued, report[0].issued, sizeof report[0].issued);
    assert_memory_equal(report[1].unit_busy, report[0].unit_busy, sizeof report[0].unit_busy);
    assert_int_equal(tsr_diagnostic_count(tile[1]), tsr_diagnostic_count(tile[0]));
    for (int in_runs = 0; in_runs < 2; in_runs++)
        tsr_tile_destroy(tile[in_runs]);
}

// Words that wait for the other thread, that take one cycle, and that keep their thread for longer.
static void append_thread(struct ttasm_stream *stream, tsr_arch arch, int thread)
{
    char text[100];
    for (int round = 0; round < ROUNDS; round++) {
        snprintf(text, sizeof text, "SEMWAIT stall_res=511 wait_sem_cond=1 sem_sel=%d", 1 + thread);
        if (round > 0 || thread == 1)
            append(stream, arch, text);
        for (int i = 0; i < (round + thread) % 4; i++)
            append(stream, arch, i == 2 ? "ADDDMAREG OpBRegIndex=1" : "NOP");
        snprintf(text, sizeof text, "SEMPOST sem_sel=%d", 2 - thread);
        append(stream, arch, text);
        if (round > 0 || thread == 1) {
            snprintf(text, sizeof text, "SEMGET sem_sel=%d", 1 + thread);
            append(stream, arch, text);
        }
    }
}

static void test_fed_in_runs(void **state)
{
    (void)state;
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        uint32_t words[TSR_THREADS][ALL_WORDS];
        struct ttasm_program program = {.arch = (tsr_arch)arch};
        for (int thread = 0; thread < TSR_THREADS; thread++)
            program.threads[thread].words = words[thread];
        append(&program.threads[0], (tsr_arch)arch, "SEMINIT max_value=15 sem_sel=3");
        append(&program.threads[1], (tsr_arch)arch, "NOP");
        for (int i = 0; i < 100; i++)
            append(&program.threads[2], (tsr_arch)arch, "NOP");
        for (int thread = 0; thread < 2; thread++)
            append_thread(&program.threads[thread], (tsr_arch)arch, thread);
        same_fed((tsr_arch)arch, &program, 0, TSR_END_IDLE);
        for (uint64_t cycles = 90; cycles < 110; cycles += 7)
            same_fed((tsr_arch)arch, &program, cycles, TSR_END_TIMEOUT);
        // A wait for a post that does not come, with words left for both.
        program.threads[0].count = 40;
        append(&program.threads[0], (tsr_arch)arch,
               "SEMWAIT stall_res=511 wait_sem_cond=1 sem_sel=4");
        program.threads[0].count = ALL_WORDS / 2;
        same_fed((tsr_arch)arch, &program, 0, TSR_END_DEADLOCK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_programs),
                                       cmocka_unit_test(test_fed_in_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
