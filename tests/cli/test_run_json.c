// SPDX-License-Identifier: Apache-2.0
// The report of `tessera run --json`: jansson must be able to read it, and it must say what
// happened. The trace has a test of its own, test_trace.c.
#include "run/program_run.h"
#include "run/run_report.h"
#include "ttasm/ttasm.h"

#include "cli/cli_fixtures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

// Thread 1 waits for a semaphore that thread 0 posts; nine instructions in all.
static const char text[] = ".thread 0\nNOP\nNOP\nSEMPOST sem_sel=1\n"
                           "SETADCXX CntSetMask=1 x_end2=9\n"
                           ".thread 1\nSEMINIT sem_sel=2 max_value=1\n"
                           "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=0x1ff\n"
                           "SETRWC BitMask=15\nSEMGET sem_sel=1\nSEMGET sem_sel=1\n";

struct json_run {
    struct ttasm_program program;
    tsr_tile *tile;
    char *json; // what was written
    size_t size;
    FILE *file;
};

static void begin(struct json_run *run, bool timing)
{
    struct ttasm_files files = {.in_count = 0};
    struct message why;
    tsr_options options = tsr_options_default(TSR_BLACKHOLE_A0);

    options.timing = timing;
    if (!ttasm_assemble(fixture_file("json.ttasm", text, strlen(text)), TSR_BLACKHOLE_A0, &files,
                        &run->program, &why))
        fail_msg("%s", why.text);
    assert_int_equal(tsr_tile_create(&options, &run->tile), TSR_OK);
    run->file = open_memstream(&run->json, &run->size);
    assert_non_null(run->file);
}

static tsr_end go(struct json_run *run)
{
    struct run_order order = {.program = &run->program, .tile = run->tile, .break_thread = -1};

    return program_run(&order).end;
}

static json_t *finish(struct json_run *run)
{
    json_error_t error;

    fclose(run->file);
    json_t *root = json_loadb(run->json, run->size, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("line %d: %s", error.line, error.text);
    free(run->json);
    tsr_tile_destroy(run->tile);
    ttasm_free(&run->program);
    return root;
}

// ---------------------------------------------------------------- the report

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void check_report(bool timing)
{
    struct json_run run;

    begin(&run, timing);
    struct run_picture picture = {.path = run.program.path,
                                  .arch = run.program.arch,
                                  .place = program_place,
                                  .source = &run.program,
                                  .tile = run.tile,
                                  .timing = timing,
                                  .dump = "one\ntwo \"quoted\"\n"};
    for (int i = 0; i < TSR_THREADS; i++)
        picture.words[i] = run.program.threads[i].count;
    picture.end = go(&run);
    assert_true(report_json(run.file, &picture));
    json_t *root = finish(&run);
    assert_string_equal(text_of(root, "end"), "idle");
    assert_string_equal(text_of(root, "arch"), "blackhole_a0");
    assert_int_equal(json_is_null(json_object_get(root, "cycles")), !timing);
    const json_t *threads = json_object_get(root, "threads");
    assert_int_equal(json_array_size(threads), TSR_THREADS);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(threads, 1), "issued")), 5);
    assert_int_equal(json_array_size(json_object_get(root, "units")), TSR_UNIT_COUNT);
    // The second SEMGET found the semaphore at zero: line 11 of the text.
    const json_t *finding = json_array_get(json_object_get(root, "findings"), 0);
    assert_string_equal(text_of(finding, "code"), "semaphore-at-zero");
    assert_string_equal(text_of(finding, "action"), "record");
    assert_int_equal(json_integer_value(json_object_get(finding, "line")), 11);
    assert_non_null(strstr(json_string_value(json_object_get(finding, "file")), ".ttasm"));
    assert_string_equal(json_string_value(json_array_get(json_object_get(root, "dump"), 1)),
                        "two \"quoted\"");
    json_decref(root);
}

static void test_report(void **state)
{
    (void)state;
    check_report(true);
    check_report(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    fixture_remove_all();
    return failed;
}
