// SPDX-License-Identifier: Apache-2.0
// `tessera run`: assembles a .ttasm program, puts its arrays into L1, runs it, writes its arrays
// back and reports. Options and exit statuses: docs/cli.md.
#include "commands.h"
#include "common/cli_options.h"
#include "run/program_run.h"
#include "run/run_report.h"
#include "run/state_dump.h"
#include "run/tensor_io.h"
#include "run/trace_json.h"
#include "ttasm/ttasm.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char help_run[] =
    "usage: tessera run PROGRAM.ttasm --arch wh|bh [OPTION…]\n\n"
    "Assembles the program, puts its arrays into L1, runs it and reports.\n\n"
    "  --arch wh|bh           the chip\n"
    "  --in NAME=FILE.npy     the array of a tensor; may be repeated\n"
    "  --out NAME=FILE.npy    where a tensor is written after a run that completed\n"
    "  --timing on|off        count cycles (default: off)\n"
    "  --policy WORD[,WORD…]  strict (default), silicon, conformance, or CODE=stop|record|use,\n"
    "                         CODE being a finding or a category\n"
    "  --trace FILE.json      events for Perfetto or chrome://tracing\n"
    "  --stop-at PLACE        THREAD:NUMBER or THREAD:LABEL: before that instruction;\n"
    "                         a number alone: at that cycle (--timing on). Writes no arrays.\n"
    "  --dump WHAT[,WHAT…]    dst, srca, srcb, cfg, adc, rwc, gpr, sem, l1:ADDRESS:LENGTH\n"
    "  --json                 the report as JSON\n"
    "  --kernels SETS         auto (default), reference, or names of kernel sets\n"
    "  --pipeline WAY         auto (default), or staged: without the bypass of timing off\n"
    "  --max-cycles N         a run that takes longer is a time-out\n"
    "  --seed N               of the tile's random numbers (default: 0)\n\n"
    "Exit status: 0 the run completed or stopped at --stop-at, 1 a finding stopped it, a\n"
    "deadlock, a time-out, 2 wrong input, 3 internal fault.\n";

enum { MAX_BINDINGS = 64 };

struct run_job {
    const char *path;
    struct tile_choice choice;
    struct binding in[MAX_BINDINGS], out[MAX_BINDINGS];
    struct ttasm_files files;
    struct dump_list dumps;
    const char *trace_path, *stop_at;
    uint64_t max_cycles;
    bool json;
    // Made from those.
    struct ttasm_program program;
    struct run_order order;
    struct tensor_outputs outputs;
    struct out_file trace_file;
    struct trace_writer trace;
    tsr_tile *tile;
};

// ---------------------------------------------------------------- options

enum run_option {
    RUN_ARCH = 256,
    RUN_IN,
    RUN_OUT,
    RUN_TIMING,
    RUN_POLICY,
    RUN_TRACE,
    RUN_STOP_AT,
    RUN_DUMP,
    RUN_JSON,
    RUN_KERNELS,
    RUN_PIPELINE,
    RUN_MAX_CYCLES,
    RUN_SEED
};

static const struct option run_options[] = {
    {"arch", required_argument, NULL, RUN_ARCH},
    {"in", required_argument, NULL, RUN_IN},
    {"out", required_argument, NULL, RUN_OUT},
    {"timing", required_argument, NULL, RUN_TIMING},
    {"policy", required_argument, NULL, RUN_POLICY},
    {"trace", required_argument, NULL, RUN_TRACE},
    {"stop-at", required_argument, NULL, RUN_STOP_AT},
    {"dump", required_argument, NULL, RUN_DUMP},
    {"json", no_argument, NULL, RUN_JSON},
    {"kernels", required_argument, NULL, RUN_KERNELS},
    {"pipeline", required_argument, NULL, RUN_PIPELINE},
    {"max-cycles", required_argument, NULL, RUN_MAX_CYCLES},
    {"seed", required_argument, NULL, RUN_SEED},
    {NULL, 0, NULL, 0},
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
    case RUN_IN:
        return add_binding(job->in, &job->files.in_count, "--in", word, why);
    case RUN_OUT:
        return add_binding(job->out, &job->files.out_count, "--out", word, why);
    case RUN_TIMING:
        return choose_timing(&job->choice, word, why);
    case RUN_POLICY:
        return choose_policy(&job->choice, word, why);
    case RUN_TRACE:
        job->trace_path = word;
        return true;
    case RUN_STOP_AT:
        job->stop_at = word;
        return true;
    case RUN_DUMP:
        return dump_parse(&job->dumps, word, why);
    case RUN_JSON:
        job->json = true;
        return true;
    case RUN_KERNELS:
        job->choice.options.kernels = word;
        return true;
    case RUN_PIPELINE:
        return choose_pipeline(&job->choice, word, why);
    case RUN_MAX_CYCLES:
        return take_number(&job->max_cycles, "--max-cycles", word, why);
    default:
        return take_number(&job->choice.options.seed, "--seed", word, why);
    }
}

static bool same_file_twice(const struct run_job *job, struct message *why)
{
    for (int i = 0; i < job->files.out_count; i++) {
        const char *path = job->out[i].path;
        if (job->trace_path != NULL && strcmp(path, job->trace_path) == 0)
            return message_set(why, "--trace and --out name the same file '%s'", path);
        for (int k = 0; k < i; k++)
            if (strcmp(path, job->out[k].path) == 0)
                return message_set(why, "--out: two tensors name the same file '%s'", path);
    }
    return true;
}

// STATUS_OK if the run may start; -1 if only the help was asked for.
static int read_options(struct run_job *job, int argc, char **argv)
{
    struct message why;

    job->choice.options = tsr_options_default(TSR_WORMHOLE_B0);
    job->choice.options.watch_config = true;
    job->files = (struct ttasm_files){.in = job->in, .out = job->out};
    for (int option; (option = next_option("run", argc, argv, run_options)) != OPTION_END;) {
        if (option == OPTION_BAD)
            return STATUS_BAD_INPUT;
        if (option == OPTION_HELP) {
            fputs(help_run, stdout);
            return -1;
        }
        if (!take_option(job, option, optarg, &why))
            return report_bad_input("%s", why.text);
    }
    if (optind + 1 != argc)
        return optind == argc ? report_bad_input("run: a program is missing")
                              : report_bad_input("run: only one program can be run, not '%s'",
                                                 argv[optind + 1]);
    if (!job->choice.arch_given)
        return report_bad_input("run: the architecture is missing: --arch wh or --arch bh");
    job->path = argv[optind];
    if (!same_file_twice(job, &why) || !dump_check(&job->dumps, job->choice.options.arch, &why))
        return report_bad_input("%s", why.text);
    return STATUS_OK;
}

// ---------------------------------------------------------------- --stop-at

static bool stop_at_place(struct run_job *job, int thread, const char *place, struct message *why)
{
    const struct ttasm_program *program = &job->program;
    uint64_t sequence;

    if (!parse_number(place, &sequence)) {
        tsr_status status = ttasm_label_sequence(program, thread, place, &sequence);
        if (status == TSR_NOT_FOUND)
            return message_set(why, "--stop-at: thread %d has no such label '%s'", thread, place);
        if (status != TSR_OK)
            return message_set(why,
                               "--stop-at: a MOP stands before this label, so that its "
                               "instruction's number is not known '%s'",
                               place);
    }
    if (sequence == 0 || (program->mapped_all[thread] && sequence > program->issued[thread].count))
        return message_set(why, "--stop-at: thread %d issues instructions 1 .. %zu, not '%s'",
                           thread, program->issued[thread].count, place);
    job->order.break_thread = thread;
    job->order.break_sequence = sequence;
    return true;
}

static bool read_stop_at(struct run_job *job, struct message *why)
{
    const char *word = job->stop_at;

    job->order.break_thread = -1;
    if (word == NULL)
        return true;
    if (word[0] >= '0' && word[0] < '0' + TSR_THREADS && word[1] == ':')
        return stop_at_place(job, word[0] - '0', word + 2, why);
    if (!parse_number(word, &job->order.break_cycle) || job->order.break_cycle == 0)
        return message_set(why,
                           "--stop-at: this is neither THREAD:NUMBER, THREAD:LABEL nor a "
                           "cycle '%s'",
                           word);
    return job->choice.options.timing ||
           message_set(why, "--stop-at: a cycle needs --timing on '%s'", word);
}

// ---------------------------------------------------------------- before and after the run

static bool prepare(struct run_job *job, struct message *why)
{
    job->tile = make_tile(&job->choice, why);
    if (job->tile == NULL || !tensors_to_l1(&job->program, job->tile, why))
        return false;
    job->order.program = &job->program;
    job->order.tile = job->tile;
    job->order.timing = job->choice.options.timing;
    job->order.max_cycles = job->max_cycles;
    job->order.progress = isatty(STDERR_FILENO) != 0;
    if (job->trace_path != NULL && !out_open(&job->trace_file, job->trace_path, why))
        return false;
    // A run that is to be stopped on its way has no results.
    return job->stop_at != NULL || outputs_open(&job->outputs, &job->program, why);
}

static int status_of(const struct run_job *job, const struct run_end *end)
{
    if (end->end == TSR_END_BREAK)
        return STATUS_OK;
    if (end->end != TSR_END_IDLE)
        return end->end == TSR_END_BLOCKED ? STATUS_INTERNAL : STATUS_BROKEN;
    for (int i = 0; i < TSR_THREADS; i++)
        if (end->pushed[i] < job->program.threads[i].count)
            return STATUS_INTERNAL;
    return job->stop_at == NULL ? STATUS_OK : STATUS_BAD_INPUT;
}

// A trace of a run that failed may help to see why, yet must not replace an older file.
static bool keep_trace(struct run_job *job, int status, struct message *why)
{
    if (job->trace_path == NULL)
        return true;
    if (status == STATUS_OK || access(job->trace_path, F_OK) != 0)
        return out_commit(&job->trace_file, why);
    out_discard(&job->trace_file);
    fprintf(stderr, "tessera: %s: left unchanged, as the run did not complete\n", job->trace_path);
    return true;
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
    dump_write(file, &job->dumps, job->tile);
    fclose(file);
    return text;
}

static int report(const struct run_job *job, const struct run_end *end, int status)
{
    char *dump = dump_text(job);
    struct run_picture picture = {
        .program = &job->program,
        .tile = job->tile,
        .timing = job->choice.options.timing,
        .end = end->end,
        .status = status,
        .dump = dump,
    };
    bool ok = true;

    if (end->end != TSR_END_IDLE) {
        picture.wait_count = tsr_waits(job->tile, picture.waits, MAX_WAITS);
        if (picture.wait_count > MAX_WAITS)
            picture.wait_count = MAX_WAITS;
    }
    if (job->json)
        ok = report_json(stdout, &picture);
    else
        report_text(stdout, &picture);
    ok = fflush(stdout) == 0 && ok;
    if (status == STATUS_BROKEN)
        report_reason(stderr, &picture);
    free(dump);
    return ok ? status : report_internal("the report cannot be written");
}

static int finish(struct run_job *job, const struct run_end *end)
{
    struct message why;
    int status = status_of(job, end);

    if (!keep_trace(job, status, &why))
        return report_internal("%s", why.text);
    if (status == STATUS_INTERNAL)
        return report_internal("%s: the run ended before all words were taken", job->program.path);
    if (status == STATUS_OK && end->end == TSR_END_IDLE &&
        !outputs_commit(&job->outputs, &job->program, job->tile, &why))
        return report_internal("%s", why.text);
    status = report(job, end, status);
    if (status == STATUS_BAD_INPUT)
        return report_bad_input("--stop-at: the program ended before that place '%s'",
                                job->stop_at);
    return status;
}

static int run_program(struct run_job *job)
{
    struct message why;

    if (!ttasm_assemble(job->path, job->choice.options.arch, &job->files, &job->program, &why) ||
        !read_stop_at(job, &why) || !prepare(job, &why))
        return report_bad_input("%s", why.text);
    if (job->trace_path != NULL)
        trace_begin(&job->trace, job->trace_file.file, job->tile, job->choice.options.timing);
    struct run_end end = program_run(&job->order);
    if (job->trace_path != NULL)
        trace_end(&job->trace, job->tile);
    return finish(job, &end);
}

int cmd_run(int argc, char **argv)
{
    struct run_job *job = calloc(1, sizeof *job);

    if (job == NULL)
        return report_internal("no memory");
    int status = read_options(job, argc, argv);
    if (status == STATUS_OK)
        status = run_program(job);
    outputs_discard(&job->outputs);
    out_discard(&job->trace_file);
    tsr_tile_destroy(job->tile);
    ttasm_free(&job->program);
    free(job);
    return status < 0 ? STATUS_OK : status;
}
