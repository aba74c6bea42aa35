// SPDX-License-Identifier: Apache-2.0
// `tessera explore`: runs a program in many orders of what nothing orders, and says what the
// results have to do with the order: which bytes, and which two steps. Options and exit statuses:
// docs/cli.md.
#include "commands.h"
#include "common/cli_options.h"
#include "common/paint.h"
#include "common/signals.h"
#include "run/explore_report.h"
#include "run/explore_search.h"
#include "ttasm/ttasm.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILES = 64, MAX_WORKERS = 64, DEFAULT_RUNS = 100, MAX_RUNS = 1000000, SEARCHED = 8 };

struct explore_job {
    struct explore_program program;
    struct binding in[MAX_FILES], out[MAX_FILES];
    struct ttasm_files files;
    struct explore_words words; // what `tessera run` is to be given again
    uint64_t runs;
    unsigned workers;
    // Made by the runs.
    struct outcome wanted;
    atomic_size_t next, done, differing;
    bool *differs;
    pthread_mutex_t lock;
    struct message why; // of a run that could not be made
    bool failed;
    bool shows_progress;
};

enum explore_option {
    EXPLORE_ARCH,
    EXPLORE_RUNS,
    EXPLORE_JOBS,
    EXPLORE_ELF,
    EXPLORE_LOAD,
    EXPLORE_UNTIL,
    EXPLORE_IN,
    EXPLORE_OUT,
    EXPLORE_DUMP,
    EXPLORE_POLICY,
    EXPLORE_MAX_CYCLES,
    EXPLORE_OPTIONS
};

static const struct option_row explore_options[EXPLORE_OPTIONS] = {
    [EXPLORE_ARCH] = {"arch", "wh|bh", "the chip", "wh bh", false},
    [EXPLORE_RUNS] = {"runs", "N", "how many orders: eager, late, random (default: 100)", "",
                      false},
    [EXPLORE_JOBS] = {"jobs", "N", "runs at a time (default: the number of processors)", "", false},
    [EXPLORE_ELF] = {"elf", "CORE=FILE[,CORE=FILE…]",
                     "compiled programs instead of PROGRAM.ttasm, as for `tessera run`",
                     "brisc= trisc0= trisc1= trisc2= ncrisc=", false},
    [EXPLORE_LOAD] = {"load", "FILE@ADDRESS", "bytes for L1 (--elf); may be repeated", NULL, false},
    [EXPLORE_UNTIL] = {"until", "ADDRESS=VALUE",
                       "end a run when that word of L1 has the value (--elf)", "", false},
    [EXPLORE_IN] = {"in", "NAME=FILE", "the array (.npy) of a tensor; may be repeated", NULL,
                    false},
    [EXPLORE_OUT] = {"out", "NAME=FILE",
                     "for the command that repeats a run; nothing is written here", NULL, false},
    [EXPLORE_DUMP] = {"dump", "WHAT[,WHAT…]",
                      "compare that, too, besides L1: dst, srca, cfg, … of `tessera run`",
                      "dst srca srcb cfg adc rwc gpr sem lreg l1:", false},
    [EXPLORE_POLICY] = {"policy", "WORD[,WORD…]",
                        "strict (default), silicon (default with --elf), conformance, or "
                        "CODE=stop|record|use|ignore",
                        "strict silicon conformance", false},
    [EXPLORE_MAX_CYCLES] = {"max-cycles", "N",
                            "a run that takes longer is a time-out (--elf; default: 16 times what "
                            "the first one takes)",
                            "", false},
};

const struct command command_explore = {
    .name = "explore",
    .run = cmd_explore,
    .summary = "run a program in many orders of what nothing orders",
    .usage = "PROGRAM.ttasm --arch wh|bh [OPTION…]\n"
             "--elf CORE=FILE[,CORE=FILE…] --arch wh|bh [OPTION…]",
    .text = "Runs the program as `tessera run` does, then with --schedule eager, late and random "
            "with the seeds from 1 on, and compares what is left in L1. A program without races "
            "leaves the same in each.\n\n"
            "If there are differences it prints the shortest one: the first bytes, the two steps "
            "whose order changed them, and the command that repeats the run. The exit status is 1 "
            "then.",
    .options = explore_options,
    .option_count = EXPLORE_OPTIONS,
    .operands = OPERAND_FILES,
};

// ---------------------------------------------------------------- options

static bool add_file(struct binding *bindings, int *count, const char *option, const char *word,
                     struct message *why)
{
    const char *equals = strchr(word, '=');

    if (equals == NULL || equals == word || equals[1] == '\0' ||
        (size_t)(equals - word) >= sizeof bindings[0].name)
        return message_set(why, "%s: this is not NAME=FILE '%s'", option, word);
    if (*count == MAX_FILES)
        return message_set(why, "%s: more than %d files", option, MAX_FILES);
    struct binding *binding = &bindings[(*count)++];
    *binding = (struct binding){.path = equals + 1};
    memcpy(binding->name, word, (size_t)(equals - word));
    return true;
}

static bool take_count(uint64_t *value, uint64_t most, const char *option, const char *word,
                       struct message *why)
{
    return (parse_number(word, value) && *value >= 1 && *value <= most) ||
           message_set(why, "%s: not a number from 1 to %llu: '%s'", option,
                       (unsigned long long)most, word);
}

static bool take_option(struct explore_job *job, int option, const char *word, struct message *why)
{
    struct explore_program *program = &job->program;
    uint64_t jobs = 0;

    if (option != EXPLORE_RUNS && option != EXPLORE_JOBS &&
        !words_add(&job->words, explore_options[option].name, word))
        return message_set(why, "more than %d options", MAX_EXPLORE_WORDS);
    switch (option) {
    case EXPLORE_ARCH:
        return choose_arch(&program->choice, word, why);
    case EXPLORE_RUNS:
        return take_count(&job->runs, MAX_RUNS, "--runs", word, why);
    case EXPLORE_JOBS:
        if (!take_count(&jobs, MAX_WORKERS, "--jobs", word, why))
            return false;
        job->workers = (unsigned)jobs;
        return true;
    case EXPLORE_ELF:
        return core_job_elf(&program->cores, word, why);
    case EXPLORE_LOAD:
        return core_job_load(&program->cores, word, why);
    case EXPLORE_UNTIL:
        return core_job_until(&program->cores, word, why);
    case EXPLORE_IN:
        return add_file(job->in, &job->files.in_count, "--in", word, why);
    case EXPLORE_OUT:
        return add_file(job->out, &job->files.out_count, "--out", word, why);
    case EXPLORE_DUMP:
        return dump_parse(&program->dumps, word, why);
    case EXPLORE_POLICY:
        return choose_policy(&program->choice, word, why);
    default:
        return take_count(&program->max_cycles, UINT64_MAX, "--max-cycles", word, why);
    }
}

// Options that only compiled programs have, or that only a .ttasm program has.
static bool check_core_options(const struct explore_job *job, struct message *why)
{
    const struct explore_program *program = &job->program;
    const struct core_job *cores = &program->cores;

    if (!cores->given && (cores->load_count > 0 || cores->until || program->max_cycles != 0))
        return message_set(why, "%s needs --elf",
                           cores->load_count > 0 ? "--load"
                           : cores->until        ? "--until"
                                                 : "--max-cycles");
    return !cores->given || (job->files.in_count == 0 && job->files.out_count == 0) ||
           message_set(why, "%s: compiled programs have no tensors",
                       job->files.in_count > 0 ? "--in" : "--out");
}

// STATUS_OK if the runs may start; -1 if only the help was asked for.
static int read_options(struct explore_job *job, int argc, char **argv)
{
    struct explore_program *program = &job->program;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct message why;

    program->choice.options = tsr_options_default(TSR_WORMHOLE_B0);
    program->choice.options.watch_config = true;
    job->files = (struct ttasm_files){.in = job->in, .out = job->out, .outs_may_lack = true};
    job->runs = DEFAULT_RUNS;
    job->workers = processors < 1             ? 1
                   : processors > MAX_WORKERS ? MAX_WORKERS
                                              : (unsigned)processors;
    for (int option; (option = next_option(&command_explore, argc, argv)) != OPTION_END;) {
        if (option == OPTION_BAD)
            return STATUS_BAD_INPUT;
        if (option == OPTION_HELP)
            return -1;
        if (!take_option(job, option, optarg, &why))
            return report_message(&why);
    }
    if (optind + !program->cores.given != argc)
        return optind >= argc ? report_bad_input("explore: a program is missing")
                              : report_bad_input("explore: there is more than one program '%s'",
                                                 argv[argc - 1]);
    if (!program->choice.arch_given)
        return report_bad_input("explore: the architecture is missing: --arch wh or --arch bh");
    program->path = program->cores.given ? core_job_path(&program->cores) : argv[optind];
    program->choice.options.cores = program->cores.given;
    if (program->cores.given && !program->choice.profile_given)
        program->choice.options.profile = TSR_PROFILE_SILICON;
    return check_core_options(job, &why) &&
                   dump_check(&program->dumps, program->choice.options.arch, &why)
               ? STATUS_OK
               : report_message(&why);
}

// ---------------------------------------------------------------- the runs

static struct schedule_choice choice_of(size_t run)
{
    if (run == 0)
        return (struct schedule_choice){.schedule = TSR_SCHEDULE_EAGER};
    if (run == 1)
        return (struct schedule_choice){.schedule = TSR_SCHEDULE_LATE};
    return (struct schedule_choice){.schedule = TSR_SCHEDULE_RANDOM, .seed = run - 1};
}

static void keep_failure(struct explore_job *job, const struct message *why)
{
    pthread_mutex_lock(&job->lock);
    if (!job->failed)
        job->why = *why;
    job->failed = true;
    pthread_mutex_unlock(&job->lock);
}

static void show_progress(struct explore_job *job, bool draws)
{
    size_t done = atomic_fetch_add(&job->done, 1) + 1;

    if (job->shows_progress && draws)
        fprintf(stderr, "\rexploring %zu of %llu, %zu differ", done, (unsigned long long)job->runs,
                atomic_load(&job->differing));
}

static void run_some(struct explore_job *job, bool draws)
{
    size_t run;

    while ((run = atomic_fetch_add(&job->next, 1)) < job->runs && !signals_seen()) {
        struct schedule_choice choice = choice_of(run);
        struct outcome outcome;
        struct message why;
        if (!explore_run(&job->program, &choice, &outcome, &why)) {
            keep_failure(job, &why);
            return;
        }
        job->differs[run] = outcomes_differ(&job->program, &outcome, &job->wanted);
        if (job->differs[run])
            atomic_fetch_add(&job->differing, 1);
        outcome_free(&outcome);
        show_progress(job, draws);
    }
}

static void *worker(void *argument)
{
    run_some(argument, false);
    return NULL;
}

// The caller is one of the workers, so a thread that cannot be started only costs time.
static void run_all(struct explore_job *job)
{
    pthread_t threads[MAX_WORKERS];
    unsigned started = 0;

    while (started + 1 < job->workers && started + 1 < job->runs &&
           pthread_create(&threads[started], NULL, worker, job) == 0)
        started++;
    run_some(job, true);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    if (job->shows_progress)
        fprintf(stderr, "\r\033[K");
}

// A pair of which both execute says more than one of threads that run ahead.
static int weight(const struct culprit *culprit)
{
    return culprit->found + culprit->both + (culprit->early.kind == TSR_STEP_EXECUTE) +
           (culprit->both && culprit->late.kind == TSR_STEP_EXECUTE);
}

// Of the first few that differ, the one with the best pair, and among equal ones that which takes
// the fewest steps of its schedule.
static bool find_shortest(struct explore_job *job, size_t *shortest, struct culprit *culprit,
                          struct message *why)
{
    unsigned searched = 0;
    bool any = false;

    for (size_t run = 0; run < job->runs && searched < SEARCHED; run++) {
        struct culprit found;
        struct schedule_choice choice = choice_of(run);
        if (!job->differs[run])
            continue;
        if (!search_culprit(&job->program, &choice, &job->wanted, &found, why))
            return false;
        searched++;
        bool better = !any || weight(&found) > weight(culprit) ||
                      (weight(&found) == weight(culprit) && found.steps < culprit->steps);
        if (better) {
            *shortest = run;
            *culprit = found;
        }
        any = true;
    }
    return true;
}

static int report(struct explore_job *job)
{
    struct message why;
    struct culprit culprit = {0};
    struct outcome outcome;
    size_t shortest = 0, differing = atomic_load(&job->differing);

    if (differing == 0) {
        explore_same(&job->program, job->runs, &job->wanted);
        return job->wanted.end == TSR_END_IDLE || job->wanted.end == TSR_END_UNTIL ? STATUS_OK
                                                                                   : STATUS_BROKEN;
    }
    if (!find_shortest(job, &shortest, &culprit, &why))
        return report_message(&why);
    struct schedule_choice choice = choice_of(shortest);
    // The races in the order of a card: there the step that must come first does.
    const struct schedule_choice card = {.schedule = TSR_SCHEDULE_CARD, .find_races = true};
    struct outcome raced;
    if (!explore_run(&job->program, &choice, &outcome, &why))
        return report_message(&why);
    if (!explore_run(&job->program, &card, &raced, &why)) {
        outcome_free(&outcome);
        return report_message(&why);
    }
    const struct explore_result result = {.runs = job->runs,
                                          .differing = differing,
                                          .choice = &choice,
                                          .wanted = &job->wanted,
                                          .got = &outcome,
                                          .raced = &raced,
                                          .culprit = &culprit,
                                          .words = &job->words};
    explore_difference(&job->program, &result);
    outcome_free(&outcome);
    outcome_free(&raced);
    return STATUS_BROKEN;
}

static int explore(struct explore_job *job)
{
    const struct schedule_choice card = {.schedule = TSR_SCHEDULE_CARD};
    struct explore_program *program = &job->program;
    struct message why;
    bool ok = program->cores.given
                  ? core_job_read(&program->cores, program->choice.options.arch, &why)
                  : ttasm_assemble(program->path, program->choice.options.arch, &job->files,
                                   &program->program, &why);

    if (!ok || !explore_run(program, &card, &job->wanted, &why))
        return report_message(&why);
    if (program->cores.given && program->max_cycles == 0)
        program->max_cycles = 16 * job->wanted.cycles + (1 << 20);
    job->differs = calloc(job->runs, sizeof *job->differs);
    if (job->differs == NULL)
        return report_no_memory("explore");
    job->shows_progress = isatty(STDERR_FILENO) != 0;
    signals_watch();
    run_all(job);
    if (signals_seen())
        return STATUS_BROKEN;
    signals_leave();
    return job->failed ? report_message(&job->why) : report(job);
}

int cmd_explore(int argc, char **argv)
{
    struct explore_job *job = calloc(1, sizeof *job);

    if (job == NULL)
        return report_no_memory("explore");
    pthread_mutex_init(&job->lock, NULL);
    int status = read_options(job, argc, argv);
    if (status == STATUS_OK)
        status = explore(job);
    outcome_free(&job->wanted);
    core_job_free(&job->program.cores);
    ttasm_free(&job->program.program);
    pthread_mutex_destroy(&job->lock);
    free(job->differs);
    free(job);
    signals_end();
    return status < 0 ? STATUS_OK : status;
}
