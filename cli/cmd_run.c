// SPDX-License-Identifier: Apache-2.0
// `tessera run`: assembles a .ttasm program, puts its arrays into L1, runs it, writes its arrays
// back and reports; or loads compiled programs for the baby cores and lets them run. Options and
// exit statuses: docs/cli.md.
#include "commands.h"
#include "common/cli_options.h"
#include "common/in_file.h"
#include "common/paint.h"
#include "common/signals.h"
#include "run/core_job.h"
#include "run/core_run.h"
#include "run/finding_filter.h"
#include "run/program_run.h"
#include "run/run_files.h"
#include "run/run_places.h"
#include "run/run_report.h"
#include "run/state_dump.h"
#include "run/tensor_io.h"
#include "run/trace_json.h"
#include "run/wait_list.h"
#include "run_options.h"
#include "ttasm/ttasm.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_BINDINGS = 64 };

struct run_job {
    const char *path;
    struct tile_choice choice;
    struct binding in[MAX_BINDINGS], out[MAX_BINDINGS];
    struct ttasm_files files;
    struct dump_list dumps;
    struct run_places places; // of --dump-at
    const char *trace_path, *stop_at;
    const char *findings_fail; // a null pointer: none; "": any
    uint64_t max_cycles;
    const char *max_cycles_given; // the word
    bool json, trace_window, waits;
    struct core_job cores; // --elf
    // Made from those.
    struct ttasm_program program;
    struct run_order order;
    struct tensor_outputs outputs;
    struct out_file trace_file;
    struct trace_order trace_order;
    struct trace_writer trace;
    tsr_tile *tile;
    bool given_up; // a signal ended the run
};

// ---------------------------------------------------------------- options

const struct command command_run = {
    .name = "run",
    .run = cmd_run,
    .summary = "run a .ttasm program on arrays, or compiled kernels",
    .usage = "PROGRAM.ttasm --arch wh|bh [OPTION…]\n"
             "--elf CORE=FILE[,CORE=FILE…] --arch wh|bh [--load FILE@ADDRESS…] [OPTION…]\n"
             "--chip wh|bh --elf X,Y:CORE=FILE[,CORE=FILE…] [--noc-write X,Y:ADDRESS=FILE…] "
             "[OPTION…]\n"
             "--grid FILE.yaml [--chip wh|bh] [OPTION…]",
    .text = "Assembles the program, puts its arrays into L1, runs it, writes its arrays and "
            "reports.\n\n"
            "With --elf it loads executables for the baby cores, starts brisc, or without it all "
            "cores that have a program, and runs them until all have come to their end.\n\n"
            "With --chip or --grid it does so on tiles of a whole chip, which share its NoCs and "
            "its DRAM.\n\n"
            "- instead of one input file is the standard input, and instead of one output file "
            "the standard output; the report goes to stderr then.",
    .options = run_options,
    .option_count = RUN_OPTIONS,
    .operands = OPERAND_FILES,
};

static bool add_binding(struct binding *bindings, int *count, const char *option, const char *word,
                        struct message *why)
{
    const char *equals = strchr(word, '=');

    if (equals == NULL || equals == word || equals[1] == '\0' ||
        (size_t)(equals - word) >= sizeof bindings[0].name)
        return message_set(why, "%s: this is not NAME=FILE '%s'", option, word);
    if (*count == MAX_BINDINGS)
        return message_set(why, "%s: more than %d files", option, MAX_BINDINGS);
    struct binding *binding = &bindings[*count];
    *binding = (struct binding){.path = equals + 1};
    memcpy(binding->name, word, (size_t)(equals - word));
    for (int i = 0; i < *count; i++)
        if (strcmp(bindings[i].name, binding->name) == 0)
            return message_set(why, "%s: two files for one tensor '%s'", option, binding->name);
    ++*count;
    return true;
}

static bool take_number(uint64_t *value, const char *option, const char *word, struct message *why)
{
    return parse_number(word, value) ||
           message_set(why, "%s: this is not a number '%s'", option, word);
}

static bool take_option(struct run_job *job, int option, const char *word, struct message *why)
{
    switch (option) {
    case RUN_ARCH:
        return choose_arch(&job->choice, word, why);
    case RUN_ELF:
        return core_job_elf(&job->cores, word, why);
    case RUN_LOAD:
        return core_job_load(&job->cores, word, why);
    case RUN_UNTIL:
        return core_job_until(&job->cores, word, why);
    case RUN_IN:
        return add_binding(job->in, &job->files.in_count, "--in", word, why);
    case RUN_OUT:
        return add_binding(job->out, &job->files.out_count, "--out", word, why);
    case RUN_TIMING:
        return choose_timing(&job->choice, word, why);
    case RUN_POLICY:
        return choose_policy(&job->choice, word, why);
    case RUN_FINDINGS_FAIL:
        job->findings_fail = word == NULL ? "" : word;
        return filter_check(job->findings_fail, why);
    case RUN_TRACE:
        job->trace_path = word;
        return true;
    case RUN_TRACE_FROM:
        job->trace_window = true;
        return take_number(&job->trace_order.from, "--trace-from", word, why);
    case RUN_TRACE_TO:
        job->trace_window = true;
        return take_number(&job->trace_order.to, "--trace-to", word, why);
    case RUN_STOP_AT:
        job->stop_at = word;
        return true;
    case RUN_DUMP:
        return strchr(word, '=') != NULL ? core_job_dump(&job->cores, word, why)
                                         : dump_parse(&job->dumps, word, why);
    case RUN_DUMP_AT:
        return places_add(&job->places, word, why);
    case RUN_JSON:
        job->json = true;
        return true;
    case RUN_KERNELS:
        job->choice.options.kernels = word;
        return true;
    case RUN_WAITS:
        job->waits = true;
        job->choice.options.find_races = true;
        return true;
    case RUN_RACES:
        job->choice.options.find_races = true;
        return true;
    case RUN_PIPELINE:
        return choose_pipeline(&job->choice, word, why);
    case RUN_SCHEDULE:
        return choose_schedule(&job->choice, word, why);
    case RUN_MAX_CYCLES:
        job->max_cycles_given = word;
        return take_number(&job->max_cycles, "--max-cycles", word, why);
    case RUN_SEED:
        return take_number(&job->choice.options.seed, "--seed", word, why);
    default:
        return message_set(why, "--%s needs --chip or --grid", run_options[option].name);
    }
}

static struct run_files files_of(const struct run_job *job)
{
    return (struct run_files){job->path, job->trace_path, &job->files};
}

static bool window_fits(const struct run_job *job, struct message *why)
{
    if (!job->trace_window)
        return true;
    if (job->trace_path == NULL)
        return message_set(why, "--trace-from and --trace-to need --trace");
    if (!job->choice.options.timing)
        return message_set(why, "--trace-from and --trace-to need --timing on");
    return job->trace_order.from <= job->trace_order.to ||
           message_set(why, "--trace-to lies before --trace-from");
}

static bool check_dump_files(const struct run_job *job, struct message *why)
{
    const struct core_job *cores = &job->cores;

    for (int i = 0; i < cores->dump_count; i++) {
        const char *path = cores->dumps[i].path;
        for (int k = 0; k < CORE_COUNT; k++)
            if (cores->paths[k] != NULL && same_file(path, cores->paths[k]))
                return message_set(why, "--dump: this file is a program '%s'", path);
        for (int k = 0; k < cores->load_count; k++)
            if (same_file(path, cores->loads[k].path))
                return message_set(why, "--dump: this file is one of --load '%s'", path);
    }
    return true;
}

static bool check_core_options(const struct run_job *job, struct message *why)
{
    const struct core_job *cores = &job->cores;

    if (!cores->given && (cores->load_count > 0 || cores->until || cores->dump_count > 0))
        return message_set(why, "%s needs --elf",
                           cores->load_count > 0 ? "--load"
                           : cores->until        ? "--until"
                                                 : "--dump ADDRESS:LENGTH=FILE");
    if (cores->given && (job->files.in_count > 0 || job->files.out_count > 0))
        return message_set(why,
                           "%s: compiled programs have no tensors; --load and --dump move "
                           "bytes",
                           job->files.in_count > 0 ? "--in" : "--out");
    if (job->places.count > 0 && job->dumps.count == 0)
        return message_set(why, "--dump-at needs --dump");
    return check_dump_files(job, why);
}

static bool check_options(const struct run_job *job, struct message *why)
{
    if (!check_core_options(job, why) || !schedule_fits(&job->choice, why))
        return false;
    if (job->cores.given)
        return window_fits(job, why) && dump_check(&job->dumps, job->choice.options.arch, why);
    if (job->max_cycles_given != NULL && !job->choice.options.timing)
        return message_set(why, "--max-cycles: no cycles pass without --timing on '%s'",
                           job->max_cycles_given);
    struct run_files files = files_of(job);

    return files_check(&files, why) && window_fits(job, why) &&
           dump_check(&job->dumps, job->choice.options.arch, why);
}

// STATUS_OK if the run may start.
static int read_options(struct run_job *job, const struct given_option *given, int count, int argc,
                        char **argv)
{
    struct message why;

    job->choice.options = tsr_options_default(TSR_WORMHOLE_B0);
    job->choice.options.watch_config = true;
    const char *races = getenv("TESSERA_RACES");
    job->choice.options.find_races = races != NULL && strcmp(races, "1") == 0;
    job->trace_order.to = UINT64_MAX;
    job->files = (struct ttasm_files){.in = job->in, .out = job->out};
    for (int i = 0; i < count; i++)
        if (!take_option(job, given[i].option, given[i].word, &why))
            return report_message(&why);
    if (job->cores.given && optind != argc)
        return report_bad_input("run: with --elf there is no program '%s'", argv[optind]);
    if (!job->cores.given && optind + 1 != argc)
        return optind == argc ? report_bad_input("run: a program is missing")
                              : report_bad_input("run: only one program can be run, not '%s'",
                                                 argv[optind + 1]);
    settle_seed(&job->choice);
    if (!job->choice.arch_given)
        return report_bad_input("run: the architecture is missing: --arch wh or --arch bh");
    job->path = job->cores.given ? core_job_path(&job->cores) : argv[optind];
    if (job->cores.given) {
        job->choice.options.cores = true;
        if (!job->choice.profile_given)
            job->choice.options.profile = TSR_PROFILE_SILICON;
    }
    return check_options(job, &why) ? STATUS_OK : report_message(&why);
}

// ---------------------------------------------------------------- --stop-at

static bool read_stop_at(struct run_job *job, struct message *why)
{
    struct run_place place;

    job->order.break_thread = -1;
    if (job->stop_at == NULL)
        return true;
    if (!place_find(&place, "--stop-at", job->stop_at, &job->program, job->choice.options.timing,
                    why))
        return false;
    place_break(&place, &job->order);
    return true;
}

// The dumps on the way, before the run that is reported.
static bool dump_on_the_way(struct run_job *job, struct message *why)
{
    const struct run_order order = {
        .program = &job->program,
        .max_cycles = job->max_cycles,
        .timing = job->choice.options.timing,
    };

    return places_find(&job->places, &job->program, job->choice.options.timing, why) &&
           places_dump(&job->places, &job->choice, &job->dumps, &order, why);
}

// ---------------------------------------------------------------- before and after the run

static bool begin_trace(struct run_job *job, struct message *why)
{
    if (job->trace_path == NULL)
        return true;
    size_t length = strlen(job->trace_path);
    job->trace_order.tile = job->tile;
    job->trace_order.file = job->trace_file.file;
    job->trace_order.timing = job->choice.options.timing;
    job->trace_order.compress = length > 3 && strcmp(job->trace_path + length - 3, ".gz") == 0;
    return trace_begin(&job->trace, &job->trace_order) || message_no_memory(why, job->trace_path);
}

static bool prepare(struct run_job *job, struct message *why)
{
    job->tile = make_tile(&job->choice, why);
    if (job->tile == NULL || !tensors_to_l1(&job->program, job->tile, why))
        return false;
    job->order.program = &job->program;
    job->order.tile = job->tile;
    job->order.max_cycles = job->max_cycles;
    job->order.timing = job->choice.options.timing;
    job->order.progress = isatty(STDERR_FILENO) != 0;
    job->order.stop = signals_seen;
    // From here on there are files under temporary names.
    signals_watch();
    if (job->trace_path != NULL && !out_open(&job->trace_file, job->trace_path, why))
        return false;
    // A run that is to be stopped on its way has no results.
    if (job->stop_at == NULL && !outputs_open(&job->outputs, &job->program, why))
        return false;
    return begin_trace(job, why);
}

// What Tessera lacks is no mistake of the program.
static int status_of_stop(const struct run_job *job)
{
    const tsr_diagnostic *finding = stopping_finding(job->tile);

    return finding != NULL && (finding->category == TSR_UNIMPLEMENTED_FEATURE ||
                               finding->category == TSR_MISSING_SPECIFICATION)
               ? STATUS_LACKING
               : STATUS_BROKEN;
}

static int status_of(const struct run_job *job, const struct run_end *end)
{
    if (end->end == TSR_END_BREAK)
        return STATUS_OK;
    if (end->end == TSR_END_STOPPED)
        return status_of_stop(job);
    if (end->end != TSR_END_IDLE)
        return end->end == TSR_END_BLOCKED ? STATUS_INTERNAL : STATUS_BROKEN;
    for (int i = 0; i < TSR_THREADS; i++)
        if (end->pushed[i] < job->program.threads[i].count)
            return STATUS_INTERNAL;
    return job->stop_at == NULL && places_missed(&job->places) == NULL ? STATUS_OK
                                                                       : STATUS_BAD_INPUT;
}

// However the run ended: what went wrong is what a trace is read for.
static bool keep_trace(struct run_job *job, struct message *why)
{
    if (job->trace_path == NULL)
        return true;
    if (trace_end(&job->trace))
        return out_commit(&job->trace_file, why);
    out_discard(&job->trace_file);
    return message_io(why, job->trace_path, "written", 0);
}

static int given_up(const struct run_job *job)
{
    fprintf(stderr, "tessera: %s: stopped by a signal at cycle %llu%s\n", job->path,
            (unsigned long long)tsr_cycle(job->tile),
            job->trace_path == NULL ? "" : "; the trace ends there");
    return STATUS_BROKEN;
}

static char *dump_text(const struct run_job *job)
{
    char *text = NULL;
    size_t size;

    if (job->dumps.count == 0)
        return NULL;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL)
        return NULL;
    places_write(file, &job->places);
    if (job->places.count > 0)
        fputs("at the end:\n", file);
    dump_write(file, &job->dumps, job->tile);
    fclose(file);
    return text;
}

// The report makes room for what else goes to the standard output.
static bool output_is_taken(const struct run_job *job)
{
    struct run_files files = files_of(job);

    for (int i = 0; i < job->cores.dump_count; i++)
        if (is_standard_stream(job->cores.dumps[i].path))
            return true;
    return files_take_output(&files);
}

static bool report_orders(struct run_job *job, FILE *file, struct run_picture *picture)
{
    struct message why;
    const struct wait_order order = {.choice = &job->choice,
                                     .cores = job->cores.given ? &job->cores : NULL,
                                     .program = &job->program,
                                     .max_cycles = job->max_cycles,
                                     .stop = signals_seen};

    if (job->json) {
        picture->wait_list = waits_json(picture, &order, &why);
        return picture->wait_list != NULL || report_message(&why) == STATUS_OK;
    }
    return waits_write(file, picture, &order, &why) || report_message(&why) == STATUS_OK;
}

static int report(struct run_job *job, tsr_end end, int status)
{
    char *dump = dump_text(job);
    FILE *file = output_is_taken(job) ? stderr : stdout;
    struct run_picture picture = {
        .path = job->path,
        .arch = job->choice.options.arch,
        .place = job->cores.given ? core_finding_place : program_place,
        .source = job->cores.given ? (const void *)&job->cores : &job->program,
        .tile = job->tile,
        .timing = job->choice.options.timing,
        .end = end,
        .status = status,
        .dump = dump,
    };
    bool ok = true;

    for (int i = 0; i < TSR_THREADS; i++)
        picture.words[i] = job->program.threads[i].count;
    if (job->cores.given)
        picture.core_count = core_lines(&job->cores, job->tile, picture.cores);
    if (end != TSR_END_IDLE && end != TSR_END_UNTIL) {
        picture.wait_count = tsr_waits(job->tile, picture.waits, MAX_WAITS);
        if (picture.wait_count > MAX_WAITS)
            picture.wait_count = MAX_WAITS;
    }
    if (!job->json)
        report_text(file, &picture);
    if (job->waits)
        ok = report_orders(job, file, &picture);
    if (job->json)
        ok = report_json(file, &picture) && ok;
    json_decref(picture.wait_list);
    fflush(file); // before what goes to stderr
    if (end != TSR_END_IDLE && (status == STATUS_BROKEN || status == STATUS_LACKING))
        report_reason(stderr, &picture);
    free(dump);
    return ok ? status : report_internal("no memory for the report");
}

static const tsr_diagnostic *failing_finding(const struct run_job *job, int status)
{
    const tsr_diagnostic *failing = NULL;

    if (status == STATUS_OK && job->findings_fail != NULL)
        failing = filter_first(job->findings_fail, job->tile);
    if (status == STATUS_OK && failing == NULL && job->choice.options.find_races)
        failing = filter_first(tsr_category_name(TSR_RACE), job->tile);
    return failing;
}

static int report_with(struct run_job *job, tsr_end end, int status, const tsr_diagnostic *failing)
{
    status = report(job, end, failing == NULL ? status : STATUS_BROKEN);
    if (failing != NULL)
        fprintf(stderr, "%stessera:%s %s: %s: there is a finding of %s (%s)\n",
                paint(stderr, PAINT_BAD), paint(stderr, PAINT_NONE), job->path,
                job->findings_fail == NULL ? "--races" : "--findings-fail",
                tsr_category_name(failing->category), failing->code);
    return status;
}

static int report_missed(const struct run_job *job)
{
    return report_bad_input("%s: the program ended before that place '%s'",
                            job->stop_at != NULL ? "--stop-at" : "--dump-at",
                            job->stop_at != NULL ? job->stop_at
                                                 : places_missed(&job->places)->word);
}

static int finish(struct run_job *job, const struct run_end *end)
{
    struct message why;
    int status = status_of(job, end);

    if (!keep_trace(job, &why))
        return report_message(&why);
    if (end->given_up)
        return given_up(job);
    if (status == STATUS_INTERNAL)
        return report_internal("%s: the run ended before all words were taken", job->program.path);
    if (status == STATUS_OK && end->end == TSR_END_IDLE &&
        !outputs_commit(&job->outputs, &job->program, job->tile, &why))
        return report_message(&why);
    outputs_discard(&job->outputs);
    signals_leave(); // nothing is left to be removed
    const tsr_diagnostic *failing = failing_finding(job, status);
    status = report_with(job, end->end, status, failing);
    if (status == STATUS_BAD_INPUT)
        return report_missed(job);
    return status;
}

static int run_program(struct run_job *job)
{
    struct message why;

    if (!ttasm_assemble(job->path, job->choice.options.arch, &job->files, &job->program, &why) ||
        !read_stop_at(job, &why) || !dump_on_the_way(job, &why) || !prepare(job, &why))
        return report_message(&why);
    struct run_end end = program_run(&job->order);
    job->given_up = end.given_up;
    return finish(job, &end);
}

// ---------------------------------------------------------------- compiled programs

static bool prepare_cores(struct run_job *job, struct message *why)
{
    struct core_job *cores = &job->cores;

    signals_watch();
    if (!core_job_read(cores, job->choice.options.arch, why) ||
        !core_places_dump(cores, &job->places, &job->choice, &job->dumps, job->max_cycles,
                          signals_seen, why) ||
        (job->stop_at != NULL && !core_job_stop_at(cores, "--stop-at", job->stop_at, why)))
        return false;
    job->tile = make_tile(&job->choice, why);
    if (job->tile == NULL || !core_job_begin(cores, job->tile, why))
        return false;
    if (job->trace_path != NULL && !out_open(&job->trace_file, job->trace_path, why))
        return false;
    return (job->stop_at != NULL || core_job_open_dumps(&job->cores, why)) && begin_trace(job, why);
}

static int status_of_cores(const struct run_job *job, const struct core_run *run)
{
    if (run->end == TSR_END_BREAK)
        return STATUS_OK;
    if (run->end == TSR_END_STOPPED)
        return status_of_stop(job);
    bool until = run->end == TSR_END_UNTIL;
    if (!until &&
        (run->end != TSR_END_IDLE || job->cores.until || core_fallen(&job->cores, job->tile) >= 0))
        return STATUS_BROKEN;
    return (until || job->stop_at == NULL) && places_missed(&job->places) == NULL
               ? STATUS_OK
               : STATUS_BAD_INPUT;
}

// Why a run that came to an end by itself is none that completed.
static void report_fall(const struct run_job *job)
{
    int core = core_fallen(&job->cores, job->tile);
    struct core_line lines[CORE_COUNT];
    int count = core_lines(&job->cores, job->tile, lines);

    for (int i = 0; i < count; i++)
        if (lines[i].core == core)
            fprintf(stderr, "%stessera:%s %s: %s at %s\n", paint(stderr, PAINT_BAD),
                    paint(stderr, PAINT_NONE), lines[i].name, lines[i].state, lines[i].place);
    if (core < 0)
        fprintf(stderr, "%stessera:%s %s: the run ended before the word of --until came\n",
                paint(stderr, PAINT_BAD), paint(stderr, PAINT_NONE), job->path);
}

static int run_cores(struct run_job *job)
{
    struct message why;

    if (!prepare_cores(job, &why))
        return report_message(&why);
    struct core_run run = core_run(&job->cores, job->tile, job->max_cycles, signals_seen);
    int status = status_of_cores(job, &run);
    job->given_up = run.given_up;
    if (!keep_trace(job, &why))
        return report_message(&why);
    if (run.given_up)
        return given_up(job);
    if (status == STATUS_OK && job->stop_at == NULL &&
        !core_job_write_dumps(&job->cores, job->tile, &why))
        return report_message(&why);
    signals_leave(); // nothing is left to be removed
    const tsr_diagnostic *failing = failing_finding(job, status);
    status = report_with(job, run.end, status, failing);
    if (status == STATUS_BROKEN && failing == NULL && run.end == TSR_END_IDLE)
        report_fall(job);
    return status == STATUS_BAD_INPUT ? report_missed(job) : status;
}

static int run_tile(const struct given_option *given, int count, int argc, char **argv)
{
    struct run_job *job = calloc(1, sizeof *job);

    if (job == NULL)
        return report_internal("no memory");
    int status = read_options(job, given, count, argc, argv);
    if (status == STATUS_OK)
        status = job->cores.given ? run_cores(job) : run_program(job);
    outputs_discard(&job->outputs);
    out_discard(&job->trace_file);
    tsr_tile_destroy(job->tile);
    core_job_free(&job->cores);
    ttasm_free(&job->program);
    places_free(&job->places);
    if (job->given_up)
        signals_end();
    signals_leave();
    free(job);
    return status;
}

// ---------------------------------------------------------------- the command

// The options in their order. Their number, or OPTION_BAD or OPTION_HELP.
static int collect(struct given_option *given, int argc, char **argv)
{
    int count = 0;

    for (int option; (option = next_option(&command_run, argc, argv)) != OPTION_END;) {
        if (option == OPTION_BAD || option == OPTION_HELP)
            return option;
        given[count++] = (struct given_option){option, optarg};
    }
    return count;
}

static bool wants_chip(const struct given_option *given, int count)
{
    for (int i = 0; i < count; i++)
        if (given[i].option == RUN_CHIP || given[i].option == RUN_GRID)
            return true;
    return false;
}

int cmd_run(int argc, char **argv)
{
    struct given_option *given = calloc((size_t)argc + 1, sizeof *given);

    if (given == NULL)
        return report_internal("no memory");
    int count = collect(given, argc, argv);
    int status =
        count == OPTION_BAD         ? STATUS_BAD_INPUT
        : count == OPTION_HELP      ? STATUS_OK
        : !wants_chip(given, count) ? run_tile(given, count, argc, argv)
        : optind == argc
            ? run_chip(given, count)
            : report_bad_input("run: with --chip or --grid there is no program '%s'", argv[optind]);
    free(given);
    return status;
}
