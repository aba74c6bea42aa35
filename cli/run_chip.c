// SPDX-License-Identifier: Apache-2.0
// `tessera run --chip` and `--grid`: compiled programs on tiles of a whole chip, or of several that
// links connect. Options and exit statuses: docs/cli.md.
#include "chip/chip_report.h"
#include "common/signals.h"
#include "run/core_run.h"
#include "run_chip_options.h"
#include "run_chip_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Cycles between two questions whether to give up.
enum { SLICE = 1 << 18 };

static tsr_chip *make_chip(const struct chip_order *order, unsigned number, struct message *why)
{
    const struct tile_choice *choice = &order->choice;
    tsr_chip_options options = tsr_chip_options_default(order->job.arch);
    tsr_profile silicon = options.tile.profile;
    tsr_chip *chip = NULL;

    options.tile = choice->options;
    options.tile.arch = order->job.arch;
    options.tile.cores = true;
    if (!choice->profile_given)
        options.tile.profile = silicon;
    options.threads = (unsigned)order->threads;
    options.harvested = (uint32_t)order->job.chips.entry[number].harvested;
    options.device = number;
    tsr_status status = tsr_chip_create(&options, &chip);
    if (status == TSR_BAD_ARGUMENT && choice->options.kernels != NULL)
        message_set(why, "--kernels: this build has no such kernel set '%s' (it has %s)",
                    choice->options.kernels, tsr_kernel_sets());
    else if (status != TSR_OK)
        message_no_memory(why, "a chip");
    for (int i = 0; chip != NULL && i < choice->policy_count; i++) {
        status = tsr_chip_set_policy(chip, choice->policies[i].what, choice->policies[i].action);
        if (status != TSR_OK) {
            policy_refused(choice->policies[i].what, status, why);
            tsr_chip_destroy(chip);
            return NULL;
        }
    }
    return chip;
}

static void destroy_chips(struct chip_order *order)
{
    for (unsigned i = 0; i < TSR_CHIP_DEVICES; i++) {
        tsr_chip_destroy(order->chips[i]);
        order->chips[i] = NULL;
    }
}

// All of them with their links, and what is in them at the start.
static bool begin_chips(struct chip_order *order, struct message *why)
{
    for (unsigned i = 0; i < order->job.chips.count; i++) {
        order->chips[i] = make_chip(order, i, why);
        if (order->chips[i] == NULL)
            return false;
    }
    return chip_connect_all(&order->job, order->chips, why) &&
           chip_begin(&order->job, order->chips, why);
}

// The time of all chips.
static uint64_t cycle_of(const struct chip_order *order)
{
    return tsr_chip_cycle(order->chips[0]);
}

static bool used_up(const struct chip_order *order)
{
    return order->max_cycles != 0 && cycle_of(order) >= order->max_cycles;
}

// Whether `find` finds a core of a tile that has programs.
static bool any_core(const struct chip_order *order,
                     int (*find)(const struct core_job *cores, const tsr_tile *tile))
{
    const struct chip_job *job = &order->job;
    tsr_tile *tile;

    for (unsigned i = 0; i < job->chips.count; i++)
        for (unsigned y = 0; y < tsr_grid_rows(job->arch); y++)
            for (unsigned x = 0; x < tsr_grid_columns(job->arch); x++) {
                const struct chip_group *group = chip_job_group(job, i, x, y);
                if (group != NULL && tsr_chip_tile(order->chips[i], x, y, &tile) == TSR_OK &&
                    find(&group->cores, tile) >= 0)
                    return true;
            }
    return false;
}

// Up to what `limits` say of a chip, and at most for the cycles of --max-cycles.
static tsr_end run_slices(struct chip_order *order, unsigned chip, tsr_chip_limits limits)
{
    uint64_t start = cycle_of(order), most = limits.max_cycles;

    limits.group = true;
    while (true) {
        uint64_t now = cycle_of(order), left = SLICE;
        if (most != 0 && most - (now - start) < left)
            left = most - (now - start);
        if (order->max_cycles != 0 && order->max_cycles - now < left)
            left = order->max_cycles - now;
        limits.max_cycles = left;
        limits.break_at_pause = order->stops;
        tsr_end end = tsr_chip_run(order->chips[chip], &limits);
        if (end == TSR_END_BREAK && !any_core(order, core_at_stop))
            end = TSR_END_TIMEOUT; // an ebreak of the program's own
        order->given_up = signals_seen();
        now = cycle_of(order);
        if (end != TSR_END_TIMEOUT || order->given_up || used_up(order) ||
            (most != 0 && now - start >= most))
            return end;
    }
}

static tsr_end run_until(struct chip_order *order, const struct chip_address *place, uint32_t value)
{
    tsr_chip_limits limits = tsr_chip_limits_default();

    limits.until_x = place->area.first_x;
    limits.until_y = place->area.first_y;
    limits.until_address = place->address;
    limits.until_value = value;
    limits.until_mask = UINT32_MAX;
    return run_slices(order, place->area.on, limits);
}

// The host lets time pass: what waits meanwhile may wait for it.
static tsr_end run_cycles(struct chip_order *order, uint64_t cycles)
{
    tsr_chip_limits limits = tsr_chip_limits_default();

    limits.max_cycles = cycles;
    limits.external = true;
    return cycles == 0 ? TSR_END_TIMEOUT : run_slices(order, 0, limits);
}

// What the host does after the start. False: a finding, or the word that it waits for does not
// come; or `why` is set, if *end is TSR_END_NO_TILE.
static bool run_steps(struct chip_order *order, tsr_end *end, struct message *why)
{
    struct chip_job *job = &order->job;

    for (int i = 0; i < job->step_count; i++) {
        struct chip_step *step = &job->steps[i];
        *end = TSR_END_NO_TILE;
        if (step->kind == STEP_WRITE) {
            if (!chip_write(job, &step->data, order->chips, why))
                return false;
            continue;
        }
        bool waits = step->kind == STEP_UNTIL;
        *end = waits ? run_until(order, &step->data.place, step->value)
                     : run_cycles(order, step->cycles);
        if (waits && *end != TSR_END_UNTIL &&
            *end != TSR_END_BREAK) { // the report says which word did not come
            job->until = true;
            snprintf(job->until_from, sizeof job->until_from, "%s", step->data.from);
            return false;
        }
        if (order->given_up || *end == TSR_END_STOPPED || *end == TSR_END_BREAK || used_up(order))
            return false;
    }
    return true;
}

// All of a run. TSR_END_NO_TILE: `why` is set.
static tsr_end run_all(struct chip_order *order, struct message *why)
{
    tsr_end end = TSR_END_IDLE;

    if (!run_steps(order, &end, why))
        return end;
    return order->job.until ? run_until(order, &order->job.until_place, order->job.until_value)
                            : run_slices(order, 0, tsr_chip_limits_default());
}

static int status_of(const struct chip_order *order, tsr_end end)
{
    const tsr_diagnostic *finding = chip_stopping_finding(order->chips, order->job.chips.count);

    if (end == TSR_END_BREAK)
        return STATUS_OK;
    if (end == TSR_END_STOPPED)
        return finding != NULL && (finding->category == TSR_UNIMPLEMENTED_FEATURE ||
                                   finding->category == TSR_MISSING_SPECIFICATION)
                   ? STATUS_LACKING
                   : STATUS_BROKEN;
    if (order->stop_at != NULL && (end == TSR_END_IDLE || end == TSR_END_UNTIL))
        return STATUS_BAD_INPUT;
    if (end != TSR_END_UNTIL &&
        (end != TSR_END_IDLE || order->job.until || any_core(order, core_fallen) ||
         ethernet_fallen(&order->job.ethernet, order->chips)))
        return STATUS_BROKEN;
    return places_missed(&order->places) == NULL ? STATUS_OK : STATUS_BAD_INPUT;
}

// ---------------------------------------------------------------- --dump-at

// The whole run up to there, on chips of its own.
static bool dump_at(struct chip_order *order, struct run_place *place, struct message *why)
{
    tsr_end end = TSR_END_NO_TILE;

    bool ok = place_stops(order, "--dump-at", place->word, why);
    if (ok && begin_chips(order, why))
        end = run_all(order, why);
    if (end == TSR_END_BREAK) {
        place->dump = chip_dump_text(order, NULL);
        ok = place->dump != NULL || message_no_memory(why, place->word);
    }
    destroy_chips(order);
    forget_stops(order);
    return ok && end != TSR_END_NO_TILE;
}

static bool dump_on_the_way(struct chip_order *order, struct message *why)
{
    for (int i = 0; i < order->places.count && !order->given_up; i++)
        if (!dump_at(order, &order->places.list[i], why))
            return false;
    return order->stop_at == NULL || place_stops(order, "--stop-at", order->stop_at, why);
}

// ---------------------------------------------------------------- the trace of a tile

static bool begin_trace(struct chip_order *order, struct message *why)
{
    struct tile_trace *trace = &order->trace;

    if (trace->path == NULL)
        return true;
    size_t length = strlen(trace->path);
    if (tsr_chip_tile(order->chips[trace->tile.on], trace->tile.first_x, trace->tile.first_y,
                      &trace->order.tile) != TSR_OK)
        return message_no_memory(why, "a tile");
    if (!out_open(&trace->file, trace->path, why))
        return false;
    trace->order.file = trace->file.file;
    trace->order.timing = order->choice.options.timing;
    trace->order.compress = length > 3 && strcmp(trace->path + length - 3, ".gz") == 0;
    return trace_begin(&trace->writer, &trace->order) || message_no_memory(why, trace->path);
}

// However the run ended: what went wrong is what a trace is read for.
static bool keep_trace(struct chip_order *order, struct message *why)
{
    struct tile_trace *trace = &order->trace;

    if (trace->path == NULL || trace_end(&trace->writer))
        return trace->path == NULL || out_commit(&trace->file, why);
    out_discard(&trace->file);
    return message_io(why, trace->path, "written", trace->writer.output.error);
}

// ---------------------------------------------------------------- --waits, of one chip

static void *another_chip(void *run, struct message *why)
{
    return make_chip(run, 0, why);
}

// That of the tiles with programs.
static tsr_tile *tile_of(void *run, void *made, int tile)
{
    const struct chip_job *job = &((const struct chip_order *)run)->job;
    tsr_tile *found = NULL;

    for (unsigned y = 0; y < tsr_grid_rows(job->arch); y++)
        for (unsigned x = 0; x < tsr_grid_columns(job->arch); x++)
            if (chip_job_group(job, 0, x, y) != NULL &&
                tsr_chip_tile(made, x, y, &found) == TSR_OK && tile-- == 0)
                return found;
    return NULL;
}

static bool run_again(void *run, void *made, struct message *why)
{
    struct chip_order *order = run;
    tsr_chip *first = order->chips[0];
    bool until = order->job.until;

    order->chips[0] = made;
    bool ok = chip_connect_all(&order->job, order->chips, why) &&
              chip_begin(&order->job, order->chips, why) && run_all(order, why) != TSR_END_NO_TILE;
    order->chips[0] = first;
    order->job.until = until;
    return ok;
}

static void destroy_chip(void *made)
{
    tsr_chip_destroy(made);
}

// ---------------------------------------------------------------- the run

static int run(struct chip_order *order)
{
    struct message why;

    signals_watch();
    if (!dump_on_the_way(order, &why))
        return report_message(&why);
    if (!begin_chips(order, &why))
        return report_message(&why);
    if ((order->stop_at == NULL && !chip_open_dumps(&order->job, order->chips, &why)) ||
        !begin_trace(order, &why))
        return report_message(&why);
    tsr_end end = run_all(order, &why);
    struct message untraced;
    if (!keep_trace(order, &untraced))
        return report_message(&untraced);
    if (end == TSR_END_NO_TILE)
        return report_message(&why);
    if (order->given_up) {
        fprintf(stderr, "tessera: %s: stopped by a signal at cycle %llu\n",
                chip_job_path(&order->job), (unsigned long long)cycle_of(order));
        return STATUS_BROKEN;
    }
    int status = status_of(order, end);
    if (status == STATUS_OK && order->stop_at == NULL &&
        !chip_write_dumps(&order->job, order->chips, &why))
        return report_message(&why);
    if (!order->waits)
        signals_leave(); // nothing is left to be removed
    struct wait_order waits = {.stop = signals_seen,
                               .run = order,
                               .make = another_chip,
                               .tile = tile_of,
                               .again = run_again,
                               .destroy = destroy_chip};
    return report_chip_run(order, end, status, &waits);
}

int run_chip(const struct given_option *given, int count)
{
    struct chip_order *order = calloc(1, sizeof *order);
    struct message why;

    if (order == NULL)
        return report_no_memory("run");
    int status = chip_options(order, given, count, &why) ? run(order) : report_message(&why);
    out_discard(&order->trace.file);
    destroy_chips(order);
    chip_job_free(&order->job);
    places_free(&order->places);
    if (order->given_up)
        signals_end();
    signals_leave();
    free(order);
    return status;
}
