// SPDX-License-Identifier: Apache-2.0
// No public function crashes on NULL: each is called with each of its pointers NULL, one at a time,
// and does what its comment in the header says. The headers are read, so that a function or a
// pointer without such a call fails the test.
#include "rig/each_chip.h"

#include <tessera/chip.h>
#include <tessera/numerics.h>
#include <tessera/trace.h>

#include <ctype.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_FUNCTIONS = 256 };

struct function {
    char name[64];
    int pointers; // parameters of its prototype
    int calls;    // made here with one of them NULL
};

static struct function functions[MAX_FUNCTIONS];
static int function_count;

static struct function *find_function(const char *name)
{
    for (int i = 0; i < function_count; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

// ---------------------------------------------------------------- reading the headers

// A declaration without comments, directives and what is in braces, up to its semicolon.
static void take_declaration(const char *text)
{
    const char *open = strchr(text, '(');

    if (open == NULL || strstr(text, "typedef") != NULL || strncmp(open - 1, " ", 1) == 0)
        return;
    const char *begin = open;
    while (begin > text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
        begin--;
    if (strncmp(begin, "tsr_", 4) != 0)
        return;
    assert_true(function_count < MAX_FUNCTIONS);
    struct function *function = &functions[function_count++];
    *function = (struct function){0};
    snprintf(function->name, sizeof function->name, "%.*s", (int)(open - begin), begin);
    bool pointer = false;
    for (const char *c = open; *c != '\0'; c++) {
        pointer = pointer || *c == '*' || *c == '[';
        if (*c == ',' || *c == ')') {
            function->pointers += pointer;
            pointer = false;
        }
    }
}

static void read_header(const char *path)
{
    char line[256], text[2048] = "";
    size_t used = 0;
    int depth = 0;
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char *comment = strstr(line, "//");
        if (comment != NULL)
            *comment = '\0';
        if (line[0] == '#' || strncmp(line, "extern \"C\"", 10) == 0)
            continue;
        for (const char *c = line; *c != '\0'; c++)
            if (*c == '{' || (*c == '}' && depth > 0))
                depth += *c == '{' ? 1 : -1;
            else if (*c == ';' && depth == 0) {
                text[used] = '\0';
                take_declaration(text);
                used = 0;
            } else if (depth == 0 && used < sizeof text - 1)
                text[used++] = *c;
    }
    fclose(file);
}

static void read_headers(const char *folder)
{
    DIR *entries = opendir(folder);

    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strstr(entry->d_name, ".h") != NULL)
            read_header(path);
    }
    closedir(entries);
}

// ---------------------------------------------------------------- the calls

static void count_call(const char *name)
{
    struct function *function = find_function(name);
    if (function == NULL)
        fail_msg("%s is in no public header", name);
    else
        function->calls++;
}

#define IS(function, arguments, expected)                                                          \
    (count_call(#function), assert_int_equal(function arguments, expected))
#define IS_BAD(function, arguments) IS(function, arguments, TSR_BAD_ARGUMENT)
#define IS_NULL(function, arguments) (count_call(#function), assert_null(function arguments))
#define RETURNS(function, arguments) (count_call(#function), function arguments)

static void observe_nothing(void *user, const tsr_event *event)
{
    (void)user;
    (void)event;
}

static void observe_no_tile(void *user, const tsr_node_info *node, const tsr_event *event)
{
    (void)user;
    (void)node;
    (void)event;
}

static void call_names(tsr_arch arch)
{
    uint32_t number;
    tsr_arch found;
    uint8_t code;
    uint32_t word = 7;
    char error[100] = "", text[100];

    IS_BAD(tsr_arch_from_name, (NULL, &found));
    IS_BAD(tsr_arch_from_name, ("wh", NULL));
    IS_NULL(tsr_finding_find, (NULL));
    IS_NULL(tsr_instruction_find, (arch, NULL));
    IS_NULL(tsr_field_find, (arch, NULL));
    IS(tsr_constant_at, (arch, 0, NULL), TSR_OK);
    IS(tsr_constant_find, (arch, NULL, &number), TSR_NOT_FOUND);
    IS(tsr_constant_find, (arch, "p_stall.STALL_CFG", NULL), TSR_OK);
    IS(tsr_memory_at, (arch, 0, NULL), TSR_OK);
    IS(tsr_register_at, (arch, 0, NULL), TSR_OK);
    IS(tsr_number_at, (arch, 0, NULL), TSR_OK);
    IS_BAD(tsr_format_find, (NULL, &code));
    IS_BAD(tsr_format_find, ("bf16", NULL));
    IS(tsr_disassemble, (arch, 0x02000000, NULL, sizeof text),
       tsr_disassemble(arch, 0x02000000, text, sizeof text));
    IS_BAD(tsr_assemble, (arch, NULL, &word, error, sizeof error));
    assert_true(error[0] != '\0');
    IS_BAD(tsr_assemble, (arch, "NOP", NULL, error, sizeof error));
    IS(tsr_assemble, (arch, "NOTHING", &word, NULL, sizeof error), TSR_NOT_FOUND);
    assert_int_equal(word, 7);
}

static void call_options(tsr_arch arch)
{
    tsr_options options = tsr_options_default(arch);
    tsr_tile *tile = NULL;

    IS_BAD(tsr_tile_create, (NULL, &tile));
    IS_BAD(tsr_tile_create, (&options, NULL));
    RETURNS(tsr_tile_destroy, (NULL));
    RETURNS(tsr_tile_reset, (NULL));
    IS(tsr_tile_arch, (NULL), TSR_WORMHOLE_B0);
    IS(tsr_core_instruction_at, (0, NULL), false);
}

static void call_memories(tsr_tile *tile)
{
    uint8_t bytes[4] = {0};

    IS_BAD(tsr_l1_write, (NULL, 0, bytes, 4));
    IS_BAD(tsr_l1_write, (tile, 0, NULL, 4));
    assert_int_equal(tsr_l1_write(tile, 0, NULL, 0), TSR_OK);
    IS_BAD(tsr_l1_read, (NULL, 0, bytes, 4));
    IS_BAD(tsr_l1_read, (tile, 0, NULL, 4));
    assert_int_equal(tsr_l1_read(tile, 0, NULL, 0), TSR_OK);
    IS_BAD(tsr_l1_mark_written, (NULL, 0, 4));
    IS_BAD(tsr_core_ram_write, (NULL, TSR_CORE_B, 0, bytes, 4));
    IS_BAD(tsr_core_ram_write, (tile, TSR_CORE_B, 0, NULL, 4));
    assert_int_equal(tsr_core_ram_write(tile, TSR_CORE_B, 0, NULL, 0), TSR_OK);
    IS_BAD(tsr_core_ram_read, (NULL, TSR_CORE_B, 0, bytes, 4));
    IS_BAD(tsr_core_ram_read, (tile, TSR_CORE_B, 0, NULL, 4));
    assert_int_equal(tsr_core_ram_read(tile, TSR_CORE_B, 0, NULL, 0), TSR_OK);
    IS_BAD(tsr_iram_write, (NULL, 0, bytes, 4));
    IS_BAD(tsr_iram_write, (tile, 0, NULL, 4));
    IS_BAD(tsr_iram_read, (NULL, 0, bytes, 4));
    IS_BAD(tsr_iram_read, (tile, 0, NULL, 4));
}

// What cores and hosts do at the tile's addresses.
static void call_accesses(tsr_tile *tile)
{
    uint32_t value;

    IS_BAD(tsr_store, (NULL, TSR_CORE_B, 0, 0, 4));
    IS_BAD(tsr_load, (NULL, TSR_CORE_B, 0, &value, 4));
    IS_BAD(tsr_load, (tile, TSR_CORE_B, 0, NULL, 4));
    IS_BAD(tsr_host_store, (NULL, 0, 0, 4));
    IS_BAD(tsr_host_load, (NULL, 0, &value, 4));
    IS_BAD(tsr_host_load, (tile, 0, NULL, 4));
    IS_BAD(tsr_core_start, (NULL, TSR_CORE_B, 0));
    IS_BAD(tsr_core_hold, (NULL, TSR_CORE_B));
    IS_BAD(tsr_push, (NULL, 0, 0x02000000));
}

static void call_runs(tsr_tile *tile)
{
    tsr_limits limits = tsr_limits_default();

    IS(tsr_run, (NULL, &limits), TSR_END_NO_TILE);
    IS(tsr_run, (tile, NULL), TSR_END_IDLE);
    IS(tsr_step, (NULL), false);
    IS(tsr_cycle, (NULL), 0);
    IS(tsr_run_cycles, (NULL, 1), TSR_END_NO_TILE);
    IS(tsr_has_work, (NULL), false);
    IS(tsr_thread_drained, (NULL, 0), false);
    RETURNS(tsr_tile_observe, (NULL, observe_nothing, tile));
    RETURNS(tsr_tile_observe, (tile, NULL, tile));
    RETURNS(tsr_tile_observe, (tile, observe_nothing, NULL));
    assert_false(tsr_step(tile));
}

// What races look at: without find_races there are no latched waits, and none can be left out.
static void call_latched_waits(tsr_tile *tile)
{
    tsr_finding_place place;

    IS(tsr_latched_wait_count, (NULL), 0);
    IS_BAD(tsr_latched_wait_at, (NULL, 0, NULL, NULL));
    IS_BAD(tsr_latched_wait_at, (tile, 0, NULL, NULL));
    IS_BAD(tsr_latched_wait_at, (tile, 0, &place, NULL));
    IS_BAD(tsr_ignore_wait, (NULL, 0, 1));
    assert_int_equal(tsr_ignore_wait(tile, 0, 1), TSR_BAD_ARGUMENT);
    IS_BAD(tsr_ignore_load, (NULL, TSR_CORE_B, 4));
    assert_int_equal(tsr_ignore_load(tile, TSR_CORE_B, 4), TSR_BAD_ARGUMENT);
}

// A thread that waits for ever is counted, though there is nowhere to say it.
static void call_waits(tsr_tile *tile)
{
    tsr_wait wait;
    uint32_t word;

    IS(tsr_waits, (NULL, &wait, 1), 0);
    IS_BAD(tsr_explain_busy, (NULL, TSR_CORE_B, 0, false, &wait));
    IS_BAD(tsr_explain_busy, (tile, TSR_CORE_B, 0, false, NULL));
    assert_int_equal(tsr_assemble(tsr_tile_arch(tile), "ATGETM mutex_index=1", &word, NULL, 0),
                     TSR_OK);
    assert_int_equal(tsr_push(tile, 0, word), TSR_OK);
    assert_int_equal(tsr_run(tile, NULL), TSR_END_DEADLOCK);
    IS(tsr_waits, (tile, NULL, 1), 1);
}

static void call_findings(tsr_tile *tile)
{
    tsr_run_report report;

    IS_BAD(tsr_tile_set_policy, (NULL, "deadlock", TSR_ACTION_RECORD));
    IS_BAD(tsr_tile_set_policy, (tile, NULL, TSR_ACTION_RECORD));
    IS(tsr_diagnostic_count, (NULL), 0);
    IS_NULL(tsr_diagnostic_at, (NULL, 0));
    IS(tsr_diagnostics_dropped, (NULL), 0);
    memset(&report, 0xff, sizeof report);
    RETURNS(tsr_get_report, (NULL, &report));
    assert_int_equal(report.cycles, 0);
    RETURNS(tsr_get_report, (tile, NULL));
}

static void call_tile(tsr_arch arch)
{
    tsr_options options = tsr_options_default(arch);
    tsr_tile *tile = NULL;

    call_options(arch);
    assert_int_equal(tsr_tile_create(&options, &tile), TSR_OK);
    call_memories(tile);
    call_accesses(tile);
    call_runs(tile);
    call_latched_waits(tile);
    call_findings(tile);
    call_waits(tile);
    tsr_tile_destroy(tile);
}

static void call_views(tsr_arch arch)
{
    static const char field[] = "ALU_FORMAT_SPEC_REG0_SrcA";
    tsr_options options = tsr_options_default(arch);
    tsr_tile *tile = NULL;
    tsr_dst_row dst;
    tsr_dst_datums datums;
    tsr_src_row src;
    tsr_src_banks banks;
    tsr_field_writer writer;
    tsr_row_writer row;
    tsr_adc_channel adc;
    tsr_rwc rwc;
    tsr_lreg lreg;
    tsr_lanes lanes;
    tsr_schedule_step step;
    tsr_core_state core;
    uint32_t value;
    uint8_t number, max;
    bool written;

    assert_int_equal(tsr_tile_create(&options, &tile), TSR_OK);
    IS_BAD(tsr_view_dst, (NULL, 0, &dst));
    IS_BAD(tsr_view_dst, (tile, 0, NULL));
    IS_BAD(tsr_view_dst_datums, (NULL, true, 0, &datums));
    IS_BAD(tsr_view_dst_datums, (tile, true, 0, NULL));
    IS_BAD(tsr_view_dst_writer, (NULL, 0, &row));
    IS_BAD(tsr_view_dst_writer, (tile, 0, NULL));
    IS_BAD(tsr_view_src_writer, (NULL, 0, 0, 0, &row));
    IS_BAD(tsr_view_src_writer, (tile, 0, 0, 0, NULL));
    IS_BAD(tsr_view_src, (NULL, 0, 0, 0, &src));
    IS_BAD(tsr_view_src, (tile, 0, 0, 0, NULL));
    IS_BAD(tsr_view_src_banks, (NULL, 0, &banks));
    IS_BAD(tsr_view_src_banks, (tile, 0, NULL));
    IS_BAD(tsr_view_field, (NULL, field, 0, &value, &written));
    IS_BAD(tsr_view_field, (tile, NULL, 0, &value, &written));
    IS_BAD(tsr_view_field, (tile, field, 0, NULL, &written));
    IS(tsr_view_field, (tile, field, 0, &value, NULL), TSR_OK);
    IS_BAD(tsr_view_field_writer, (NULL, field, 0, &writer));
    IS_BAD(tsr_view_field_writer, (tile, NULL, 0, &writer));
    IS_BAD(tsr_view_field_writer, (tile, field, 0, NULL));
    IS_BAD(tsr_view_adc, (NULL, 0, 0, 0, &adc));
    IS_BAD(tsr_view_adc, (tile, 0, 0, 0, NULL));
    IS_BAD(tsr_view_rwc, (NULL, 0, &rwc));
    IS_BAD(tsr_view_rwc, (tile, 0, NULL));
    IS_BAD(tsr_view_gpr, (NULL, 0, 0, &value, &written));
    IS_BAD(tsr_view_gpr, (tile, 0, 0, NULL, &written));
    IS(tsr_view_gpr, (tile, 0, 0, &value, NULL), TSR_OK);
    IS_BAD(tsr_view_lreg, (NULL, 0, &lreg));
    IS_BAD(tsr_view_lreg, (tile, 0, NULL));
    IS_BAD(tsr_view_lanes, (NULL, &lanes));
    IS_BAD(tsr_view_lanes, (tile, NULL));
    IS_BAD(tsr_view_core, (NULL, TSR_CORE_B, &core));
    IS_BAD(tsr_view_core, (tile, TSR_CORE_B, NULL));
    IS_BAD(tsr_view_schedule, (NULL, &step));
    IS_BAD(tsr_view_schedule, (tile, NULL));
    assert_int_equal(tsr_view_schedule(tile, &step), TSR_NOT_FOUND);
    IS_BAD(tsr_view_semaphore, (NULL, 0, &number, &max));
    IS_BAD(tsr_view_semaphore, (tile, 0, NULL, &max));
    IS_BAD(tsr_view_semaphore, (tile, 0, &number, NULL));
    tsr_tile_destroy(tile);
}

static void call_links(tsr_chip *chip)
{
    tsr_link_options link = tsr_link_options_default();
    tsr_chip *peer;
    unsigned peer_ethernet;

    IS_BAD(tsr_chip_connect, (NULL, 0, chip, 1, &link));
    IS_BAD(tsr_chip_connect, (chip, 0, NULL, 1, &link));
    IS_BAD(tsr_chip_peer, (NULL, 0, &peer, &peer_ethernet));
    IS(tsr_chip_connect, (chip, 0, chip, 1, NULL), TSR_OK);
    IS(tsr_chip_peer, (chip, 0, NULL, &peer_ethernet), TSR_OK);
    IS(tsr_chip_peer, (chip, 0, &peer, NULL), TSR_OK);
    IS_BAD(tsr_chip_disconnect, (NULL, 0));
    assert_int_equal(tsr_chip_disconnect(chip, 1), TSR_OK);
}

static void call_chip(tsr_arch arch)
{
    tsr_chip_options options = tsr_chip_options_default(arch);
    tsr_chip_limits limits = tsr_chip_limits_default();
    tsr_chip_finding finding;
    tsr_host_memory memory = {0};
    uint64_t address, size;
    uint32_t value;
    tsr_chip *chip = NULL;
    tsr_tile *tile = NULL;
    tsr_core_state core;
    uint8_t bytes[4] = {0};

    IS_BAD(tsr_node_at, (arch, 0, 0, NULL));
    IS_BAD(tsr_chip_part_at, (0, NULL));
    IS_BAD(tsr_chip_create, (NULL, &chip));
    IS_BAD(tsr_chip_create, (&options, NULL));
    assert_int_equal(tsr_chip_create(&options, &chip), TSR_OK);
    RETURNS(tsr_chip_destroy, (NULL));
    RETURNS(tsr_chip_reset, (NULL));
    IS(tsr_chip_arch, (NULL), TSR_WORMHOLE_B0);
    IS_BAD(tsr_chip_tile, (NULL, 1, 2, &tile));
    IS_BAD(tsr_chip_tile, (chip, 1, 2, NULL));
    IS(tsr_chip_has_tile, (NULL, 1, 2), 0);
    IS_BAD(tsr_chip_view_core, (NULL, 1, 2, TSR_CORE_B, &core));
    IS_BAD(tsr_chip_view_core, (chip, 1, 2, TSR_CORE_B, NULL));
    IS_BAD(tsr_ethernet_core_at, (arch, TSR_CORE_E, NULL));
    IS_BAD(tsr_chip_read, (NULL, 1, 2, 0, bytes, 4));
    IS_BAD(tsr_chip_read, (chip, 1, 2, 0, NULL, 4));
    assert_int_equal(tsr_chip_read(chip, 1, 2, 0, NULL, 0), TSR_OK);
    IS_BAD(tsr_chip_write, (NULL, 1, 2, 0, bytes, 4));
    IS_BAD(tsr_chip_write, (chip, 1, 2, 0, NULL, 4));
    IS_BAD(tsr_chip_clock, (NULL, 64));
    IS(tsr_chip_cycle, (NULL), 0);
    IS_BAD(tsr_chip_observe, (NULL, observe_no_tile, chip));
    IS(tsr_chip_observe, (chip, NULL, chip), TSR_OK);
    IS(tsr_chip_observe, (chip, observe_no_tile, NULL), TSR_OK);
    IS_BAD(tsr_chip_config_read, (NULL, 0, &value));
    IS_BAD(tsr_chip_config_read, (chip, 0, NULL));
    IS_BAD(tsr_chip_config_write, (NULL, 0, 0));
    IS_BAD(tsr_chip_bar, (arch, 0, NULL, &size));
    IS_BAD(tsr_chip_bar, (arch, 0, &address, NULL));
    IS_BAD(tsr_chip_host_read, (NULL, 0, bytes, 4));
    IS_BAD(tsr_chip_host_read, (chip, 0, NULL, 4));
    IS_BAD(tsr_chip_host_write, (NULL, 0, bytes, 4));
    IS_BAD(tsr_chip_host_write, (chip, 0, NULL, 4));
    IS_BAD(tsr_chip_set_host_memory, (NULL, &memory));
    IS(tsr_chip_set_host_memory, (chip, NULL), TSR_OK);
    IS(tsr_chip_run, (NULL, &limits), TSR_END_NO_TILE);
    IS(tsr_chip_run, (chip, NULL), TSR_END_IDLE);
    IS_BAD(tsr_chip_set_policy, (NULL, "deadlock", TSR_ACTION_RECORD));
    IS_BAD(tsr_chip_set_policy, (chip, NULL, TSR_ACTION_RECORD));
    IS(tsr_chip_finding_count, (NULL), 0);
    IS_BAD(tsr_chip_finding_at, (NULL, 0, &finding));
    IS_BAD(tsr_chip_finding_at, (chip, 0, NULL));
    call_links(chip);
    tsr_chip_destroy(chip);
}

static void call_numerics(tsr_arch arch)
{
    const tsr_fpu_mode fpu = {.arch = arch, .e8 = true};
    const tsr_unpack_mode unpack = {.arch = arch, .in_format = 6, .out_format = 6}; // BFP8
    const tsr_pack_mode pack = {.arch = arch, .in_format = 5, .out_format = 6};     // BF16, BFP8
    const uint32_t a[16] = {0};
    uint32_t out[16], datum;
    uint8_t bytes[64] = {0}, exponents[1] = {0};
    double numbers[16];

    IS(tsr_fpu_dot16, (NULL, 5, a, a), 5);
    IS(tsr_fpu_dot16, (&fpu, 5, NULL, a), 5);
    IS(tsr_fpu_dot16, (&fpu, 5, a, NULL), 5);
    IS(tsr_fpu_mul, (NULL, 5, 0, 0, true), 5);
    IS(tsr_fpu_add, (NULL, true, 5, 0, 0, true), 5);
    IS_BAD(tsr_unpack_datum, (NULL, 0, 0, &datum));
    IS_BAD(tsr_unpack_datum, (&unpack, 0, 0, NULL));
    IS_BAD(tsr_pack_datum, (NULL, 0, &datum));
    IS_BAD(tsr_pack_datum, (&pack, 0, NULL));
    IS(tsr_sfpu_lut, (arch, 0, NULL), 0);
    IS(tsr_sfpu_lutfp32, (arch, 0, NULL), 0);
    IS(tsr_sfpu_random, (NULL), 0);
    RETURNS(tsr_sfpu_seed, (1, NULL));
    IS_BAD(tsr_pack_block, (6, NULL, exponents, bytes));
    IS_BAD(tsr_pack_block, (6, a, NULL, bytes));
    IS_BAD(tsr_pack_block, (6, a, exponents, NULL));
    IS_BAD(tsr_pack_accumulate, (0, 0, 0, NULL));
    IS_BAD(tsr_unpack_array, (NULL, bytes, exponents, 16, out, numbers));
    IS_BAD(tsr_unpack_array, (&unpack, NULL, exponents, 16, out, numbers));
    IS_BAD(tsr_unpack_array, (&unpack, bytes, NULL, 16, out, numbers));
    IS(tsr_unpack_array, (&unpack, bytes, exponents, 16, NULL, numbers), TSR_OK);
    IS(tsr_unpack_array, (&unpack, bytes, exponents, 16, out, NULL), TSR_OK);
    assert_int_equal(tsr_unpack_array(&unpack, bytes, exponents, 16, NULL, NULL), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_unpack_array(&unpack, NULL, NULL, 0, NULL, NULL), TSR_OK);
    IS_BAD(tsr_datum_numbers, (NULL, a, 16, numbers));
    IS_BAD(tsr_datum_numbers, (&unpack, NULL, 16, numbers));
    IS_BAD(tsr_datum_numbers, (&unpack, a, 16, NULL));
    IS_BAD(tsr_pack_array, (NULL, a, 16, bytes, exponents));
    IS_BAD(tsr_pack_array, (&pack, NULL, 16, bytes, exponents));
    IS_BAD(tsr_pack_array, (&pack, a, 16, NULL, exponents));
    IS_BAD(tsr_pack_array, (&pack, a, 16, bytes, NULL));
    assert_int_equal(tsr_pack_array(&pack, NULL, 0, NULL, NULL), TSR_OK);
}

// ---------------------------------------------------------------- tests

static void calls_every_function_with_null(int chip)
{
    function_count = 0;
    read_headers(TESSERA_SOURCE_DIR "/include/tessera");
    assert_true(function_count > 70);
    call_names((tsr_arch)chip);
    call_tile((tsr_arch)chip);
    call_views((tsr_arch)chip);
    call_chip((tsr_arch)chip);
    call_numerics((tsr_arch)chip);
    for (int i = 0; i < function_count; i++)
        if (functions[i].calls != functions[i].pointers)
            fail_msg("%s takes %d pointers, and %d calls have one that is NULL", functions[i].name,
                     functions[i].pointers, functions[i].calls);
}
TILE_BOTH(calls_every_function_with_null)

static void no_such_chip(void **state)
{
    const tsr_arch arch = (tsr_arch)TSR_ARCH_COUNT;
    tsr_options options = tsr_options_default(arch);
    tsr_tile *tile;
    tsr_ethernet_core_info start;
    uint32_t word;
    char text[40];

    (void)state;
    assert_string_equal(tsr_arch_name(arch), "none");
    assert_string_equal(tsr_core_name((tsr_core)TSR_CORES), "none");
    assert_string_equal(tsr_core_program_name((tsr_core)-1), "none");
    assert_string_equal(tsr_end_name((tsr_end)-1), "none");
    assert_string_equal(tsr_end_name((tsr_end)(TSR_END_WORDS + 1)), "none");
    assert_string_equal(tsr_end_name(TSR_END_UNTIL), "until");
    assert_string_equal(tsr_end_name(TSR_END_WORDS), "words");
    assert_int_equal(tsr_l1_size(arch), 0);
    assert_int_equal(tsr_instruction_count(arch), 0);
    assert_null(tsr_instruction_at(arch, 0));
    assert_null(tsr_instruction_find(arch, "NOP"));
    assert_null(tsr_instruction_decode(arch, 0x02000000));
    assert_int_equal(tsr_field_count(arch), 0);
    assert_null(tsr_field_at(arch, 0));
    assert_null(tsr_field_find(arch, "ALU_FORMAT_SPEC_REG0_SrcA"));
    assert_int_equal(tsr_disassemble(arch, 0x02000000, text, sizeof text), 16);
    assert_string_equal(text, ".word 0x02000000");
    assert_int_equal(tsr_assemble(arch, "NOP", &word, NULL, 0), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_tile_create(&options, &tile), TSR_BAD_ARGUMENT);
    assert_int_equal(tsr_ethernet_core_at(arch, TSR_CORE_E, &start), TSR_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TILE_TEST(calls_every_function_with_null),
        cmocka_unit_test(no_such_chip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
