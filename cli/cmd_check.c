// SPDX-License-Identifier: Apache-2.0
// `tessera check`: everything is read first, then run by a few workers with a tile of its own for
// each case, and printed in the order in which it was given (docs/conformance.md).
#include "check/check_items.h"
#include "check/check_run.h"
#include "commands.h"
#include "common/paint.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum check_option {
    CHECK_TIMING,
    CHECK_KERNELS,
    CHECK_PIPELINE,
    CHECK_SCHEDULE,
    CHECK_POLICY,
    CHECK_RACES,
    CHECK_JOBS,
    CHECK_QUIET,
    CHECK_VERBOSE,
    CHECK_OPTIONS
};

static const struct option_row check_options[CHECK_OPTIONS] = {
    [CHECK_TIMING] = {"timing", "on|off", "with or without the costs in time (default: off)",
                      "on off", false},
    [CHECK_KERNELS] = {"kernels", "SETS", "auto (default), reference, or names of kernel sets",
                       "auto reference portable avx2 avx512", false},
    [CHECK_PIPELINE] = {"pipeline", "auto|staged",
                        "auto (default), or staged: without shortcuts, slower", "auto staged",
                        false},
    [CHECK_SCHEDULE] = {"schedule", "WORD",
                        "card (default), eager, late or random:SEED: the order of what nothing "
                        "orders (--timing off)",
                        "card eager late random:", false},
    [CHECK_POLICY] = {"policy", "WORD[,WORD…]",
                      "conformance (default), strict, silicon, or CODE=stop|record|use|ignore",
                      "conformance strict silicon", false},
    [CHECK_RACES] = {"races", NULL,
                     "a case fails, too, if it has accesses that conflict and that no wait orders",
                     NULL, false},
    [CHECK_JOBS] = {"jobs", "N", "cases at a time (default: the number of processors)", "", false},
    [CHECK_QUIET] = {"quiet", NULL, "only failures and the counts", NULL, false},
    [CHECK_VERBOSE] = {"verbose", NULL, "a line for what passed and for what was skipped, too",
                       NULL, false},
};

const struct command command_check = {
    .name = "check",
    .run = cmd_check,
    .summary = "run conformance cases and numeric vectors",
    .usage = "FILE|FOLDER… [OPTION…]",
    .text = "Runs conformance cases (.json; .jsonl with one a line) and numeric vectors (.txt); "
            "looks into folders for them. - is the standard input, with cases as in .jsonl. Prints "
            "a line for each failure, then what was skipped because it is unimplemented, then "
            "`N passed, N failed, N skipped`.\n\n"
            "docs/conformance.md describes the files and how a failure reads.",
    .options = check_options,
    .option_count = CHECK_OPTIONS,
    .operands = OPERAND_FILES,
};

enum { MAX_JOBS = 64 };

struct check_choice {
    struct tile_choice tile;
    unsigned jobs;
    bool quiet, verbose;
};

// ---------------------------------------------------------------- workers

struct work {
    struct check_items *items;
    const struct check_choice *options;
    atomic_size_t next, done;
    bool shows_progress;
};

// Only one worker draws, so that lines do not mix.
static void show_progress(struct work *work, bool draws)
{
    size_t done = atomic_fetch_add(&work->done, 1) + 1;

    if (work->shows_progress && draws)
        fprintf(stderr, "\rchecking %zu of %zu", done, work->items->count);
}

static void run_items(struct work *work, bool draws)
{
    size_t index;

    while ((index = atomic_fetch_add(&work->next, 1)) < work->items->count) {
        struct check_item *item = &work->items->items[index];
        if (item->is_case)
            case_run(&item->item, &work->options->tile, &item->result);
        else
            vectors_run(&item->vectors, &item->result);
        show_progress(work, draws);
    }
}

static void *worker(void *argument)
{
    run_items(argument, false);
    return NULL;
}

// The caller is one of the workers, so a thread that cannot be started only costs time.
static void run_all(struct check_items *items, const struct check_choice *options)
{
    struct work work = {.items = items,
                        .options = options,
                        .shows_progress = !options->quiet && isatty(STDERR_FILENO)};
    pthread_t threads[MAX_JOBS];
    unsigned started = 0;

    while (started + 1 < options->jobs && started + 1 < items->count &&
           pthread_create(&threads[started], NULL, worker, &work) == 0)
        started++;
    run_items(&work, true);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    if (work.shows_progress)
        fprintf(stderr, "\r\033[K");
}

// ---------------------------------------------------------------- output

static void print_items(const struct check_items *items, bool verbose)
{
    static const char *const words[CHECK_VERDICT_COUNT] = {"PASS", "FAIL", "SKIP"};
    static const enum paint colours[CHECK_VERDICT_COUNT] = {PAINT_GOOD, PAINT_BAD, PAINT_WARNING};

    for (size_t i = 0; i < items->count; i++) {
        const struct check_item *item = &items->items[i];
        enum check_verdict verdict = item->result.verdict;
        if (!verbose && verdict != CHECK_FAILED)
            continue;
        printf("%s%s%s %s%s%s\n", paint(stdout, colours[verdict]), words[verdict],
               paint(stdout, PAINT_NONE), item->label, verdict == CHECK_PASSED ? "" : ": ",
               verdict == CHECK_PASSED ? "" : item->result.text);
    }
}

struct reason {
    const char *text;
    size_t count;
};

static int by_text(const void *left, const void *right)
{
    return strcmp(((const struct reason *)left)->text, ((const struct reason *)right)->text);
}

static int by_count(const void *left, const void *right)
{
    const struct reason *a = left;
    const struct reason *b = right;

    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return strcmp(a->text, b->text);
}

// Equal reasons become one with their number.
static size_t merge_reasons(struct reason *reasons, size_t count)
{
    size_t kept = 0;

    qsort(reasons, count, sizeof *reasons, by_text);
    for (size_t i = 0; i < count; i++)
        if (kept > 0 && strcmp(reasons[kept - 1].text, reasons[i].text) == 0)
            reasons[kept - 1].count++;
        else
            reasons[kept++] = reasons[i];
    qsort(reasons, kept, sizeof *reasons, by_count);
    return kept;
}

static bool print_reasons(const struct check_items *items)
{
    struct reason *reasons = calloc(items->count, sizeof *reasons);
    size_t count = 0;

    if (reasons == NULL)
        return false;
    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].result.verdict == CHECK_SKIPPED)
            reasons[count++] = (struct reason){items->items[i].result.text, 1};
    count = merge_reasons(reasons, count);
    for (size_t i = 0; i < count; i++)
        printf("skipped: %zu × %s\n", reasons[i].count, reasons[i].text);
    free(reasons);
    return true;
}

static int print_all(const struct check_items *items, const struct check_choice *options)
{
    size_t counts[CHECK_VERDICT_COUNT] = {0};

    for (size_t i = 0; i < items->count; i++)
        counts[items->items[i].result.verdict]++;
    print_items(items, options->verbose);
    if (!options->quiet && !print_reasons(items))
        return report_no_memory("check");
    printf("%zu passed, %zu failed, %zu skipped\n", counts[CHECK_PASSED], counts[CHECK_FAILED],
           counts[CHECK_SKIPPED]);
    return counts[CHECK_FAILED] > 0 ? STATUS_BROKEN : STATUS_OK;
}

// ---------------------------------------------------------------- options

static bool take_option(struct check_choice *options, int option, struct message *why)
{
    uint64_t jobs;

    switch (option) {
    case CHECK_TIMING:
        return choose_timing(&options->tile, optarg, why);
    case CHECK_POLICY:
        return choose_policy(&options->tile, optarg, why);
    case CHECK_KERNELS:
        options->tile.options.kernels = optarg;
        return true;
    case CHECK_SCHEDULE:
        return choose_schedule(&options->tile, optarg, why);
    case CHECK_PIPELINE:
        return choose_pipeline(&options->tile, optarg, why);
    case CHECK_RACES:
        options->tile.options.find_races = true;
        return true;
    case CHECK_JOBS:
        if (!parse_number(optarg, &jobs) || jobs < 1 || jobs > MAX_JOBS)
            return message_set(why, "--jobs: not a number from 1 to %d: '%s'", MAX_JOBS, optarg);
        options->jobs = (unsigned)jobs;
        return true;
    case CHECK_QUIET:
        options->quiet = true;
        return true;
    default: // CHECK_VERBOSE
        options->verbose = true;
        return true;
    }
}

// OPTION_END if all are read; otherwise OPTION_HELP or OPTION_BAD, which has been reported.
static int read_options(int argc, char **argv, struct check_choice *options)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct message why;
    int option;

    *options = (struct check_choice){0};
    options->tile.options = tsr_options_default(TSR_WORMHOLE_B0);
    options->tile.options.profile = TSR_PROFILE_CONFORMANCE;
    options->jobs = processors < 1 ? 1 : processors > MAX_JOBS ? MAX_JOBS : (unsigned)processors;
    while ((option = next_option(&command_check, argc, argv)) != OPTION_END) {
        if (option == OPTION_BAD || option == OPTION_HELP)
            return option;
        if (!take_option(options, option, &why)) {
            report_message(&why);
            return OPTION_BAD;
        }
    }
    return OPTION_END;
}

int cmd_check(int argc, char **argv)
{
    struct check_choice options;
    struct check_items items = {0};
    struct message why;
    int option = read_options(argc, argv, &options);

    if (option == OPTION_HELP)
        return STATUS_OK;
    if (option == OPTION_BAD)
        return STATUS_BAD_INPUT;
    if (optind == argc)
        return report_bad_input("check: no file or folder is given");
    // A wrong kernel set or policy is the user's mistake, not a failure of every case.
    tsr_tile *tile = make_tile(&options.tile, &why);
    bool ok = tile != NULL;
    tsr_tile_destroy(tile);
    for (int i = optind; ok && i < argc; i++)
        ok = items_add(&items, argv[i], &why);
    int status;
    if (ok) {
        run_all(&items, &options);
        status = print_all(&items, &options);
    } else {
        status = report_message(&why);
    }
    items_free(&items);
    return status;
}
