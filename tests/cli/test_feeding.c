// SPDX-License-Identifier: Apache-2.0
// Programs longer than the FIFOs, in which no wait orders two threads: where one thread's words end
// in the middle of what the other relies on makes no difference.
#include "run/program_run.h"

#include <setjmp.h>
#include <stdarg.h>
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
    struct run_order order = {.program = &program, .tile = tile, .break_thread = -1};
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
