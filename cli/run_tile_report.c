// SPDX-License-Identifier: Apache-2.0
// The report of a run of one tile; see run_tile_report.h.
#include "run_tile_report.h"
#include "common/in_file.h"
#include "common/out_file.h"
#include "common/paint.h"
#include "common/signals.h"
#include "run/core_run.h"
#include "run/deletion_list.h"
#include "run/finding_filter.h"
#include "run/run_report.h"
#include "run/tensor_io.h"
#include "run/wait_list.h"
#include "run_tile_options.h"

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

// ---------------------------------------------------------------- --waits

static void *another_tile(void *run, struct message *why)
{
    const struct run_job *job = run;

    return make_tile(&job->choice, why);
}

static tsr_tile *that_tile(void *run, void *made, int tile)
{
    (void)run;
    (void)tile;
    return made;
}

static bool run_again(void *run, void *made, struct message *why)
{
    struct run_job *job = run;
    struct run_order again = {.program = &job->program,
                              .tile = made,
                              .max_cycles = job->max_cycles,
                              .timing = job->choice.options.timing,
                              .stop = signals_seen,
                              .break_thread = -1};

    if (job->cores.given) {
        if (!core_job_begin(&job->cores, made, why))
            return false;
        core_run(&job->cores, made, job->max_cycles, signals_seen);
        return true;
    }
    if (!tensors_to_l1(&job->program, made, why))
        return false;
    program_run(&again);
    return true;
}

static void destroy_tile(void *made)
{
    tsr_tile_destroy(made);
}

// How that went.
static int report_orders(struct run_job *job, FILE *file, struct run_picture *picture)
{
    struct message why;
    const struct wait_order order = {.tiles = picture,
                                     .tile_count = 1,
                                     .stop = signals_seen,
                                     .run = job,
                                     .make = another_tile,
                                     .tile = that_tile,
                                     .again = run_again,
                                     .destroy = destroy_tile};

    const struct deletion_order removals = {&job->choice, &job->cores, signals_seen};
    // What a removal changes is seen beside a run that completes.
    bool deletions =
        job->deletions && (picture->end == TSR_END_IDLE || picture->end == TSR_END_UNTIL);
    bool ok = true;

    if (job->waits && job->json)
        ok = (picture->wait_list = waits_json(&order, &why)) != NULL;
    else if (job->waits)
        ok = waits_write(file, &order, &why);
    if (ok && deletions && job->json)
        ok = (picture->deletion_list = deletions_json(picture, &removals, &why)) != NULL;
    else if (ok && deletions)
        ok = deletions_write(file, picture, &removals, &why);
    return ok ? STATUS_OK : report_message(&why);
}

// ---------------------------------------------------------------- the report

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
    int listed = STATUS_OK;
    struct message why;

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
    if (job->waits || job->deletions)
        listed = report_orders(job, file, &picture);
    if (job->json)
        ok = report_json(file, &picture);
    json_decref(picture.wait_list);
    json_decref(picture.deletion_list);
    bool arrived = output_arrives(file, &why); // before what goes to stderr
    free(dump);
    if (!arrived)
        return report_message(&why);
    if (end != TSR_END_IDLE && (status == STATUS_BROKEN || status == STATUS_LACKING))
        report_reason(stderr, &picture);
    if (listed != STATUS_OK)
        return listed;
    return ok ? status : report_no_memory("the report");
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

static void report_failing(const struct run_job *job, const tsr_diagnostic *failing)
{
    fprintf(stderr, "%stessera:%s %s: %s: there is a finding of %s (%s)\n",
            paint(stderr, PAINT_BAD), paint(stderr, PAINT_NONE), job->path,
            job->findings_fail == NULL ? "--races" : "--findings-fail",
            tsr_category_name(failing->category), failing->code);
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

static int report_missed(const struct run_job *job)
{
    return report_bad_input("%s: the program ended before that place '%s'",
                            job->stop_at != NULL ? "--stop-at" : "--dump-at",
                            job->stop_at != NULL ? job->stop_at
                                                 : places_missed(&job->places)->word);
}

int report_run(struct run_job *job, tsr_end end, int status)
{
    const tsr_diagnostic *failing = failing_finding(job, status);
    int reported = report(job, end, failing == NULL ? status : STATUS_BROKEN);

    if (reported == STATUS_IO)
        return reported;
    if (failing != NULL)
        report_failing(job, failing);
    else if (job->cores.given && reported == STATUS_BROKEN && end == TSR_END_IDLE)
        report_fall(job);
    return reported == STATUS_BAD_INPUT ? report_missed(job) : reported;
}
