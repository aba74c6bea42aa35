// SPDX-License-Identifier: Apache-2.0
// `tessera locate`: function, file and line of findings and waits that a library wrote as lines of
// JSON (TESSERA_FINDINGS, TESSERA_WAITS of docs/running-real-kernels.md). The libraries have
// program counters only, as they see bytes that a host writes and no ELF files.
#include "chip/chip_job.h"
#include "commands.h"
#include "common/cli_options.h"
#include "common/in_file.h"
#include "common/paint.h"
#include "run/core_run.h"
#include "run/report_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum locate_option { LOCATE_ELF, LOCATE_JSON, LOCATE_OPTIONS };

static const struct option_row locate_options[LOCATE_OPTIONS] = {
    [LOCATE_ELF] = {"elf", "CORE=FILE[,CORE=FILE…]",
                    "the programs of all tiles; X,Y:CORE=FILE for those of one, or of a range as "
                    "1-4,2-5; may be repeated",
                    "brisc= trisc0= trisc1= trisc2= ncrisc=", false},
    [LOCATE_JSON] = {"json", NULL, "the same lines of JSON, with file, line and function of each",
                     NULL, false},
};

const struct command command_locate = {
    .name = "locate",
    .run = cmd_locate,
    .summary = "file and line of a library's findings",
    .usage = "FILE --elf CORE=FILE… [--json]",
    .text = "Reads the lines of JSON that libttsim_wh.so and libttsim_bh.so write for "
            "TESSERA_FINDINGS and TESSERA_WAITS, and says for each program counter in which "
            "function, file and line of the ELF files it lies.\n\n"
            "- is the standard input. Lines without a program counter, or of a core whose ELF "
            "file is not given, are printed without a place.",
    .options = locate_options,
    .option_count = LOCATE_OPTIONS,
    .operands = OPERAND_FILES,
};

struct locate_job {
    struct core_job everywhere; // programs of all tiles that have none of their own
    struct chip_job tiles;
    bool read, json;
    const char *path;
};

// ---------------------------------------------------------------- the programs

static bool take_elf(struct locate_job *job, const char *word, struct message *why)
{
    const char *colon = strchr(word, ':'), *equals = strchr(word, '=');

    if (colon != NULL && (equals == NULL || colon < equals))
        return chip_job_elf(&job->tiles, word, why);
    job->everywhere.given = true;
    return core_job_elf(&job->everywhere, word, why);
}

// The first line says for which chip.
static bool read_programs(struct locate_job *job, const char *chip, int number, struct message *why)
{
    if (job->read)
        return true;
    if (chip == NULL)
        return message_set(why, "%s:%d: this line does not say its chip", job->path, number);
    if (tsr_arch_from_name(chip, &job->tiles.arch) != TSR_OK)
        return message_set(why, "%s:%d: no chip is called '%s'", job->path, number, chip);
    job->tiles.arch_given = job->read = true;
    return (job->tiles.group_count == 0 || chip_job_check(&job->tiles, why)) &&
           (!job->everywhere.given || core_job_read(&job->everywhere, job->tiles.arch, why));
}

// ---------------------------------------------------------------- a line

static const char *text_of(const json_t *line, const char *name)
{
    return json_string_value(json_object_get(line, name));
}

static int core_of(const char *name)
{
    for (int i = 0; name != NULL && i < CORE_COUNT; i++)
        if (strcmp(name, tsr_core_name((tsr_core)i)) == 0)
            return i;
    return -1;
}

// As far as core_finding_place() looks at it.
static tsr_diagnostic program_counter(const json_t *line)
{
    const json_t *pc = json_object_get(line, "pc"), *pushed = json_object_get(line, "pushed_pc");
    tsr_diagnostic at = {.thread = -1,
                         .core = core_of(text_of(line, "core")),
                         .has_pc = pc != NULL,
                         .pc = (uint32_t)json_integer_value(pc),
                         .pushed = pushed != NULL,
                         .pushed_core = core_of(text_of(line, "pushed_core")),
                         .pushed_pc = (uint32_t)json_integer_value(pushed)};

    return at;
}

static struct finding_place place_of(const struct locate_job *job, const json_t *line)
{
    tsr_diagnostic at = program_counter(line);
    unsigned x = (unsigned)json_integer_value(json_object_get(line, "x"));
    unsigned y = (unsigned)json_integer_value(json_object_get(line, "y"));
    const struct chip_group *group = chip_job_group(&job->tiles, 0, x, y);
    struct finding_place place = {.file = ""};
    int core = at.has_pc ? at.core : at.pushed ? at.pushed_core : -1;
    const struct core_job *programs = group != NULL ? &group->cores : &job->everywhere;

    if (core < 0 || programs->paths[core] == NULL)
        return place;
    return core_finding_place(programs, &at);
}

static bool print_json(const struct finding_place *place, json_t *line)
{
    if (place->line > 0) {
        report_file_json(line, place->file, place->path);
        json_object_set_new(line, "line", json_integer(place->line));
    }
    if (place->function != NULL && place->function[0] != '\0')
        json_object_set_new(line, "function", json_string(place->function));
    return json_dumpf(line, stdout, JSON_COMPACT) == 0 && putchar('\n') != EOF;
}

static void print_text(const struct finding_place *place, const json_t *line)
{
    const char *who = text_of(line, "who"), *code = text_of(line, "code");
    const char *release = text_of(line, "release"), *changed = text_of(line, "changed");
    const char *instruction = text_of(line, "instruction"), *page = text_of(line, "page");

    printf("tile %d,%d: ", (int)json_integer_value(json_object_get(line, "x")),
           (int)json_integer_value(json_object_get(line, "y")));
    if (place->line > 0)
        printf("%s:%d: ", place->file, place->line);
    if (code != NULL)
        printf("%s%s (%s):%s %s\n", paint(stdout, PAINT_WARNING), text_of(line, "category"), code,
               paint(stdout, PAINT_NONE), text_of(line, "sentence"));
    else
        printf("%s: %s%s%s%s%s\n", who, text_of(line, "waits"),
               changed != NULL ? "; last changed by " : "", changed != NULL ? changed : "",
               release != NULL ? "; " : "", release != NULL ? release : "");
    if (place->origin[0] != '\0')
        printf("    core: %s\n", place->origin);
    if (instruction != NULL)
        printf("    instruction: %s\n", instruction);
    if (page != NULL)
        printf("    page: %s; tessera explain %s\n", page, code == NULL ? "" : code);
}

// A finding, or a wait.
static bool is_ours(const json_t *line)
{
    bool finding = text_of(line, "code") != NULL && text_of(line, "category") != NULL &&
                   text_of(line, "sentence") != NULL;

    return finding || (text_of(line, "who") != NULL && text_of(line, "waits") != NULL);
}

static bool locate(struct locate_job *job, const char *text, size_t length, int number,
                   struct message *why)
{
    json_error_t error;
    json_t *line = json_loadb(text, length, 0, &error);
    bool ok = false;

    if (line == NULL || !is_ours(line)) {
        message_set(why, "%s:%d: this is no line of TESSERA_FINDINGS or TESSERA_WAITS%s%s",
                    job->path, number, line == NULL ? ": " : "", line == NULL ? error.text : "");
    } else if (read_programs(job, text_of(line, "chip"), number, why)) {
        struct finding_place place = place_of(job, line);
        ok = true;
        if (!job->json)
            print_text(&place, line);
        else if (!print_json(&place, line))
            ok = message_io(why, "-", "written", 0);
    }
    json_decref(line);
    return ok;
}

static bool locate_all(struct locate_job *job, struct message *why)
{
    enum { MOST = 1 << 30 };
    size_t size;
    char *text = in_read(job->path, MOST, &size, why);
    bool ok = text != NULL;
    int number = 1;

    for (size_t at = 0; ok && at < size; number++) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end == NULL ? size - at : (size_t)(end - text) - at;
        ok = length == 0 || locate(job, text + at, length, number, why);
        at += length + 1;
    }
    free(text);
    return ok;
}

// ---------------------------------------------------------------- the command

static bool read_words(struct locate_job *job, int argc, char **argv, bool *done,
                       struct message *why)
{
    for (int option; (option = next_option(&command_locate, argc, argv)) != OPTION_END;) {
        *done = option == OPTION_HELP || option == OPTION_BAD;
        if (*done) {
            why->status = option == OPTION_HELP ? STATUS_OK : STATUS_BAD_INPUT;
            return true;
        }
        if (option == LOCATE_ELF && !take_elf(job, optarg, why))
            return false;
        job->json = job->json || option == LOCATE_JSON;
    }
    if (optind + 1 != argc)
        return message_set(why, "locate: exactly one FILE of findings or waits is needed");
    job->path = argv[optind];
    return job->everywhere.given || job->tiles.group_count > 0 ||
           message_set(why, "locate: --elf is needed, with programs of Tensix tiles");
}

int cmd_locate(int argc, char **argv)
{
    struct locate_job *job = calloc(1, sizeof *job);
    struct message why = {.status = STATUS_OK};
    bool done = false;

    if (job == NULL)
        return report_no_memory("locate");
    bool ok = read_words(job, argc, argv, &done, &why) && (done || locate_all(job, &why));
    core_job_free(&job->everywhere);
    chip_job_free(&job->tiles);
    free(job);
    return ok ? (int)why.status : report_message(&why);
}
