// SPDX-License-Identifier: Apache-2.0
// `tessera run` on one tile: assembles a .ttasm program, puts its arrays into L1, runs it, writes
// its arrays back and reports; or loads compiled programs for the baby cores and lets them run.
#include "common/signals.h"
#include "run/core_run.h"
#include "run_tile_options.h"
#include "run_tile_report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    return message_io(why, job->trace_path, "written", job->trace.output.error);
}

static int given_up(const struct run_job *job)
{
    fprintf(stderr, "tessera: %s: stopped by a signal at cycle %llu%s\n", job->path,
            (unsigned long long)tsr_cycle(job->tile),
            job->trace_path == NULL ? "" : "; the trace ends there");
    return STATUS_BROKEN;
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
    return report_run(job, end->end, status);
}

static int run_program(struct run_job *job)
{
    struct run_files files = files_of(job);
    struct message why;

    if (!ttasm_assemble(job->path, job->choice.options.arch, &job->files, &job->program, &why) ||
        !files_spare_includes(&files, &job->program, &why) || !read_stop_at(job, &why) ||
        !dump_on_the_way(job, &why) || !prepare(job, &why))
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
    return report_run(job, run.end, status);
}

int run_tile(const struct given_option *given, int count, int argc, char **argv)
{
    struct run_job *job = calloc(1, sizeof *job);

    if (job == NULL)
        return report_no_memory("run");
    int status = tile_options(job, given, count, argc, argv);
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
