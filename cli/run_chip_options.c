// SPDX-License-Identifier: Apache-2.0
// The options of `tessera run --chip` and `--grid`; see run_chip_options.h.
#include "run_chip_options.h"
#include "chip/grid_file.h"
#include "run/finding_filter.h"
#include "run/run_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take_chip(struct chip_order *order, const char *word, struct message *why)
{
    if (tsr_arch_from_name(word, &order->job.arch) != TSR_OK)
        return message_set(why, "--chip: no chip is called '%s' (wh or bh)", word);
    order->job.arch_given = true;
    return true;
}

static bool take_threads(struct chip_order *order, const char *word, struct message *why)
{
    return take_number(&order->threads, "--threads", word, why) &&
           (order->threads <= TSR_CHIP_THREADS ||
            message_set(why, "--threads: more than %d '%s'", TSR_CHIP_THREADS, word));
}

static bool take_dump(struct chip_order *order, const char *word, struct message *why)
{
    const char *what;

    if (strchr(word, '=') != NULL)
        return chip_job_dump(&order->job, word, why);
    if (order->dump_count == MAX_TILE_DUMPS)
        return message_set(why, "--dump: registers of more than %d tiles", MAX_TILE_DUMPS);
    struct tile_dump *dump = &order->dumps[order->dump_count++];
    return area_before(&dump->tile, word, &what, "--dump", why) &&
           (!dump->tile.range ||
            message_set(why, "--dump: one tile is meant here, not a range '%s'", word)) &&
           dump_parse(&dump->what, what, why);
}

static bool take_trace(struct tile_trace *trace, const char *word, struct message *why)
{
    const char *equals = strchr(word, '=');
    char place[AREA_TEXT];

    if (trace->path != NULL)
        return message_set(why, "--trace: only one tile can be traced, not '%s'", word);
    if (equals == NULL || equals[1] == '\0' || (size_t)(equals - word) >= sizeof place)
        return message_set(why, "--trace: with --chip this is not X,Y=FILE '%s'", word);
    snprintf(place, sizeof place, "%.*s", (int)(equals - word), word);
    trace->path = equals + 1;
    return area_parse(&trace->tile, place, "--trace", why) &&
           (!trace->tile.range ||
            message_set(why, "--trace: one tile is meant here, not a range '%s'", place));
}

static bool take_trace_limit(struct chip_order *order, int option, const char *word,
                             struct message *why)
{
    order->trace.window = true;
    return option == RUN_TRACE_FROM
               ? take_number(&order->trace.order.from, "--trace-from", word, why)
               : take_number(&order->trace.order.to, "--trace-to", word, why);
}

// What a single tile has only.
static bool refuse_option(enum run_option option, struct message *why)
{
    switch (option) {
    case RUN_ARCH:
        return message_set(why, "--arch: with --chip or --grid the chip is --chip wh or --chip bh");
    case RUN_IN:
    case RUN_OUT:
        return message_set(why,
                           "--%s: compiled programs have no tensors; 'write' and 'dump' of --grid "
                           "move arrays",
                           run_options[option].name);
    default:
        return message_set(why, "--%s: it does not go with --chip or --grid",
                           run_options[option].name);
    }
}

// What is on the chips, and what goes in and comes out. False and an unset *taken: it is none of
// these.
static bool take_job(struct chip_order *order, const struct given_option *given, bool *taken,
                     struct message *why)
{
    struct chip_job *job = &order->job;
    const char *word = given->word;

    *taken = true;
    switch ((enum run_option)given->option) {
    case RUN_CHIP:
        return take_chip(order, word, why);
    case RUN_LINKS:
        return chips_add_links(&job->chips, word, why);
    case RUN_GRID:
        if (order->grid_path != NULL)
            return message_set(why, "--grid: only one file can describe a chip, not '%s'", word);
        order->grid_path = word;
        return true;
    case RUN_ELF:
        return chip_job_elf(job, word, why);
    case RUN_LOAD:
        return chip_job_load(job, word, why);
    case RUN_NOC_WRITE:
        return chip_job_noc_write(job, word, why);
    case RUN_UNTIL:
        return chip_job_until(job, word, why);
    case RUN_DUMP:
        return take_dump(order, word, why);
    case RUN_HARVESTED:
        order->harvested_given = true;
        return take_number(&order->harvested, "--harvested", word, why);
    default:
        *taken = false;
        return false;
    }
}

static bool take_option(struct chip_order *order, const struct given_option *given,
                        struct message *why)
{
    const char *word = given->word;
    bool taken;

    if (given->option == RUN_DELETIONS)
        return refuse_option(RUN_DELETIONS, why);
    order->waits |= given->option == RUN_WAITS;
    bool ok = take_job(order, given, &taken, why);
    if (!taken)
        ok = run_choice(&order->choice, given->option, word, &taken, why);
    if (taken)
        return ok;
    switch ((enum run_option)given->option) {
    case RUN_DUMP_AT:
        return places_add(&order->places, word, why);
    case RUN_STOP_AT:
        order->stop_at = word;
        return true;
    case RUN_FINDINGS_FAIL:
        order->findings_fail = word == NULL ? "" : word;
        return word == NULL || filter_check(word, why);
    case RUN_TRACE:
        return take_trace(&order->trace, word, why);
    case RUN_TRACE_FROM:
    case RUN_TRACE_TO:
        return take_trace_limit(order, given->option, word, why);
    case RUN_JSON:
        order->json = true;
        return true;
    case RUN_MAX_CYCLES:
        return take_number(&order->max_cycles, "--max-cycles", word, why);
    case RUN_THREADS:
        return take_threads(order, word, why);
    default:
        return refuse_option((enum run_option)given->option, why);
    }
}

static bool check_trace(struct chip_order *order, struct message *why)
{
    struct tile_trace *trace = &order->trace;

    if (trace->window && (trace->path == NULL || !order->choice.options.timing))
        return message_set(why, "--trace-from and --trace-to need --trace and --timing on");
    if (trace->window && trace->order.from > trace->order.to)
        return message_set(why, "--trace-to lies before --trace-from");
    for (int i = 0; trace->path != NULL && i < order->job.dump_count; i++)
        if (same_file(trace->path, order->job.dumps[i].path))
            return message_set(why, "--trace: this is a file of --dump, too '%s'", trace->path);
    if (trace->path != NULL && !chip_job_spares(&order->job, "--trace", trace->path, why))
        return false;
    return trace->path == NULL || chip_job_area(&order->job, &trace->tile, true, "--trace", why);
}

static bool check_dumps(struct chip_order *order, struct message *why)
{
    if (order->places.count > 0 && order->dump_count == 0)
        return message_set(why, "--dump-at needs --dump X,Y:WHAT");
    for (int i = 0; i < order->dump_count; i++)
        if (!chip_job_area(&order->job, &order->dumps[i].tile, true, "--dump", why) ||
            !dump_check(&order->dumps[i].what, order->job.arch, why))
            return false;
    return true;
}

static bool is_harvested(const struct chip_job *job, unsigned chip, unsigned x, unsigned y)
{
    return job->chips.entry[chip].harvested >> (job->arch == TSR_WORMHOLE_B0 ? y : x) & 1;
}

// Rows and columns of the grid, and no program on what is fused off.
static bool check_harvested_chip(const struct chip_job *job, unsigned chip, struct message *why)
{
    bool rows = job->arch == TSR_WORMHOLE_B0;
    unsigned columns = tsr_grid_columns(job->arch), lines = tsr_grid_rows(job->arch);
    const struct chip_entry *entry = &job->chips.entry[chip];
    char tile[AREA_TEXT];

    if (entry->harvested >> (rows ? lines : columns) != 0)
        return message_set(why, "%s: %s has %u %s, and 0x%llx names others", entry->from,
                           tsr_arch_name(job->arch), rows ? lines : columns,
                           rows ? "rows" : "columns", (unsigned long long)entry->harvested);
    for (unsigned y = 0; y < lines; y++)
        for (unsigned x = 0; x < columns; x++)
            if (is_harvested(job, chip, x, y) && chip_job_group(job, chip, x, y) != NULL) {
                chips_tile_text(&job->chips, chip, x, y, tile);
                return message_set(why, "%s: tile %s is fused off, and has a program", entry->from,
                                   tile);
            }
    return true;
}

static bool check_harvested(struct chip_order *order, struct message *why)
{
    struct chip_list *chips = &order->job.chips;

    if (order->harvested_given && chips->count > 1)
        return message_set(why,
                           "--harvested: there are %u chips, each with 'harvested' of its own in "
                           "the description's 'chips'",
                           chips->count);
    if (order->harvested_given) {
        chips->entry[0].harvested = order->harvested;
        snprintf(chips->entry[0].from, sizeof chips->entry[0].from, "--harvested");
    }
    for (unsigned i = 0; i < chips->count; i++)
        if (!check_harvested_chip(&order->job, i, why))
            return false;
    return true;
}

// The record of races knows the tiles of one chip, and not what a link orders.
static bool check_races(const struct chip_order *order, struct message *why)
{
    unsigned chips = order->job.chips.count;

    return chips == 1 || !order->choice.options.find_races ||
           message_set(why,
                       "--%s: races are looked for on one chip, without what links order, and "
                       "there are %u chips",
                       order->waits ? "waits" : "races", chips);
}

bool place_stops(struct chip_order *order, const char *option, const char *word,
                 struct message *why)
{
    order->stops = false;
    if (order->job.group_count == 0)
        return message_set(why,
                           "%s: a run stops at places of Tensix tiles only, and none has a "
                           "program '%s'",
                           option, word);
    for (int i = 0; i < order->job.group_count; i++)
        order->stops |= core_job_stop_at(&order->job.groups[i]->cores, option, word, why);
    return order->stops;
}

void forget_stops(struct chip_order *order)
{
    order->stops = false;
    for (int i = 0; i < order->job.group_count; i++)
        order->job.groups[i]->cores.stop_count = 0;
}

// All places are known before anything runs.
static bool check_places(struct chip_order *order, struct message *why)
{
    for (int i = 0; i < order->places.count; i++)
        if (!place_stops(order, "--dump-at", order->places.list[i].word, why))
            return false;
    return order->stop_at == NULL || place_stops(order, "--stop-at", order->stop_at, why);
}

bool chip_options(struct chip_order *order, const struct given_option *given, int count,
                  struct message *why)
{
    order->trace.order.to = UINT64_MAX;
    order->choice.options = tsr_options_default(TSR_WORMHOLE_B0);
    order->choice.options.watch_config = true;
    if (!choose_races_by_environment(&order->choice, why))
        return false;
    for (int i = 0; i < count; i++)
        if (!take_option(order, &given[i], why))
            return false;
    settle_seed(&order->choice);
    return (order->grid_path == NULL || grid_file_read(&order->job, order->grid_path, why)) &&
           chip_job_check(&order->job, why) && schedule_fits(&order->choice, why) &&
           check_races(order, why) && check_trace(order, why) && check_dumps(order, why) &&
           check_harvested(order, why) && check_places(order, why);
}
