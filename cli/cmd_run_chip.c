// SPDX-License-Identifier: Apache-2.0
// `tessera run --chip` and `--grid`: compiled programs on tiles of a whole chip. Options and exit
// statuses: docs/cli.md.
#include "chip/chip_io.h"
#include "chip/chip_report.h"
#include "chip/grid_file.h"
#include "common/cli_options.h"
#include "common/in_file.h"
#include "common/paint.h"
#include "common/signals.h"
#include "run/core_run.h"
#include "run/finding_filter.h"
#include "run/run_files.h"
#include "run/run_places.h"
#include "run/state_dump.h"
#include "run/trace_json.h"
#include "run_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Cycles between two questions whether to give up; most threads of --threads.
enum { SLICE = 1 << 18, MAX_THREADS = 256 };

// --trace: one tile of the chip.
struct tile_trace {
    struct chip_area tile;
    const char *path; // NULL: none
    bool window;      // --trace-from or --trace-to
    struct out_file file;
    struct trace_order order;
    struct trace_writer writer;
};

// --dump: registers of one tile.
struct tile_dump {
    struct chip_area tile;
    struct dump_list what;
};
enum { MAX_TILE_DUMPS = 16 };

struct chip_order {
    struct tile_choice choice;
    struct chip_job job;
    const char *grid_path;
    const char *findings_fail; // a null pointer: none; "": any
    const char *stop_at;       // a null pointer: none
    bool stops;                // programs have places at which the run that comes ends
    struct tile_dump dumps[MAX_TILE_DUMPS];
    int dump_count;
    struct run_places places; // of --dump-at
    uint64_t max_cycles, threads, harvested;
    bool json;
    struct tile_trace trace;
    tsr_chip *chip;
    bool given_up; // a signal ended the run
};

// ---------------------------------------------------------------- options

static bool take_number(uint64_t *value, const char *option, const char *word, struct message *why)
{
    return parse_number(word, value) ||
           message_set(why, "%s: this is not a number '%s'", option, word);
}

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
           (order->threads <= MAX_THREADS ||
            message_set(why, "--threads: more than %d '%s'", MAX_THREADS, word));
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
    case RUN_WAITS:
        return message_set(why, "--waits: it runs one tile once more for each wait; a whole chip "
                                "is not run so");
    default:
        return message_set(why, "--%s: it does not go with --chip or --grid",
                           run_options[option].name);
    }
}

static bool take_option(struct chip_order *order, const struct given_option *given,
                        struct message *why)
{
    const char *word = given->word;

    switch ((enum run_option)given->option) {
    case RUN_CHIP:
        return take_chip(order, word, why);
    case RUN_GRID:
        if (order->grid_path != NULL)
            return message_set(why, "--grid: only one file can describe a chip, not '%s'", word);
        order->grid_path = word;
        return true;
    case RUN_ELF:
        return chip_job_elf(&order->job, word, why);
    case RUN_LOAD:
        return chip_job_load(&order->job, word, why);
    case RUN_NOC_WRITE:
        return chip_job_noc_write(&order->job, word, why);
    case RUN_UNTIL:
        return chip_job_until(&order->job, word, why);
    case RUN_DUMP:
        return take_dump(order, word, why);
    case RUN_DUMP_AT:
        return places_add(&order->places, word, why);
    case RUN_STOP_AT:
        order->stop_at = word;
        return true;
    case RUN_HARVESTED:
        return take_number(&order->harvested, "--harvested", word, why);
    case RUN_TIMING:
        return choose_timing(&order->choice, word, why);
    case RUN_POLICY:
        return choose_policy(&order->choice, word, why);
    case RUN_FINDINGS_FAIL:
        order->findings_fail = word == NULL ? "" : word;
        return filter_check(order->findings_fail, why);
    case RUN_TRACE:
        return take_trace(&order->trace, word, why);
    case RUN_TRACE_FROM:
    case RUN_TRACE_TO:
        return take_trace_limit(order, given->option, word, why);
    case RUN_JSON:
        order->json = true;
        return true;
    case RUN_KERNELS:
        order->choice.options.kernels = word;
        return true;
    case RUN_PIPELINE:
        return choose_pipeline(&order->choice, word, why);
    case RUN_SCHEDULE:
        return choose_schedule(&order->choice, word, why);
    case RUN_MAX_CYCLES:
        return take_number(&order->max_cycles, "--max-cycles", word, why);
    case RUN_SEED:
        return take_number(&order->choice.options.seed, "--seed", word, why);
    case RUN_RACES:
        order->choice.options.find_races = true;
        return true;
    case RUN_THREADS:
        return take_threads(order, word, why);
    default:
        return refuse_option((enum run_option)given->option, why);
    }
}

static bool check_trace(const struct chip_order *order, struct message *why)
{
    const struct tile_trace *trace = &order->trace;

    if (trace->window && (trace->path == NULL || !order->choice.options.timing))
        return message_set(why, "--trace-from and --trace-to need --trace and --timing on");
    if (trace->window && trace->order.from > trace->order.to)
        return message_set(why, "--trace-to lies before --trace-from");
    for (int i = 0; trace->path != NULL && i < order->job.dump_count; i++)
        if (same_file(trace->path, order->job.dumps[i].path))
            return message_set(why, "--trace: this is a file of --dump, too '%s'", trace->path);
    return trace->path == NULL || area_check(&trace->tile, order->job.arch, true, "--trace", why);
}

static bool check_dumps(const struct chip_order *order, struct message *why)
{
    if (order->places.count > 0 && order->dump_count == 0)
        return message_set(why, "--dump-at needs --dump X,Y:WHAT");
    for (int i = 0; i < order->dump_count; i++)
        if (!area_check(&order->dumps[i].tile, order->job.arch, true, "--dump", why) ||
            !dump_check(&order->dumps[i].what, order->job.arch, why))
            return false;
    return true;
}

static bool is_harvested(const struct chip_order *order, unsigned x, unsigned y)
{
    return order->harvested >> (order->job.arch == TSR_WORMHOLE_B0 ? y : x) & 1;
}

// Rows and columns of the grid, and no program on what is fused off.
static bool check_harvested(const struct chip_order *order, struct message *why)
{
    bool rows = order->job.arch == TSR_WORMHOLE_B0;
    unsigned columns = tsr_grid_columns(order->job.arch), lines = tsr_grid_rows(order->job.arch);

    if (order->harvested >> (rows ? lines : columns) != 0)
        return message_set(why, "--harvested: %s has %u %s, and 0x%llx names others",
                           tsr_arch_name(order->job.arch), rows ? lines : columns,
                           rows ? "rows" : "columns", (unsigned long long)order->harvested);
    for (unsigned y = 0; y < lines; y++)
        for (unsigned x = 0; x < columns; x++)
            if (is_harvested(order, x, y) && chip_job_group(&order->job, x, y) != NULL)
                return message_set(why, "--harvested: tile %u,%u is fused off, and has a program",
                                   x, y);
    return true;
}

// In the programs of any tile.
static bool place_stops(struct chip_order *order, const char *option, const char *word,
                        struct message *why)
{
    order->stops = false;
    for (int i = 0; i < order->job.group_count; i++)
        order->stops |= core_job_stop_at(&order->job.groups[i]->cores, option, word, why);
    return order->stops;
}

static void forget_stops(struct chip_order *order)
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

static bool read_options(struct chip_order *order, const struct given_option *given, int count,
                         struct message *why)
{
    order->trace.order.to = UINT64_MAX;
    const char *races = getenv("TESSERA_RACES");
    order->choice.options = tsr_options_default(TSR_WORMHOLE_B0);
    order->choice.options.watch_config = true;
    order->choice.options.find_races = races != NULL && strcmp(races, "1") == 0;
    for (int i = 0; i < count; i++)
        if (!take_option(order, &given[i], why))
            return false;
    settle_seed(&order->choice);
    return (order->grid_path == NULL || grid_file_read(&order->job, order->grid_path, why)) &&
           chip_job_check(&order->job, why) && schedule_fits(&order->choice, why) &&
           check_trace(order, why) && check_dumps(order, why) && check_harvested(order, why) &&
           check_places(order, why);
}

// ---------------------------------------------------------------- the run

static tsr_chip *make_chip(const struct chip_order *order, struct message *why)
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
    options.harvested = (uint32_t)order->harvested;
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

static bool used_up(const struct chip_order *order)
{
    return order->max_cycles != 0 && tsr_chip_cycle(order->chip) >= order->max_cycles;
}

// Whether `find` finds a core of a tile that has programs.
static bool any_core(const struct chip_order *order,
                     int (*find)(const struct core_job *cores, const tsr_tile *tile))
{
    const struct chip_job *job = &order->job;
    tsr_tile *tile;

    for (unsigned y = 0; y < tsr_grid_rows(job->arch); y++)
        for (unsigned x = 0; x < tsr_grid_columns(job->arch); x++) {
            const struct chip_group *group = chip_job_group(job, x, y);
            if (group != NULL && tsr_chip_tile(order->chip, x, y, &tile) == TSR_OK &&
                find(&group->cores, tile) >= 0)
                return true;
        }
    return false;
}

// Up to what `limits` say, and at most for the cycles of --max-cycles.
static tsr_end run_slices(struct chip_order *order, tsr_chip_limits limits)
{
    uint64_t start = tsr_chip_cycle(order->chip), most = limits.max_cycles;

    while (true) {
        uint64_t now = tsr_chip_cycle(order->chip), left = SLICE;
        if (most != 0 && most - (now - start) < left)
            left = most - (now - start);
        if (order->max_cycles != 0 && order->max_cycles - now < left)
            left = order->max_cycles - now;
        limits.max_cycles = left;
        limits.break_at_pause = order->stops;
        tsr_end end = tsr_chip_run(order->chip, &limits);
        if (end == TSR_END_BREAK && !any_core(order, core_at_stop))
            end = TSR_END_TIMEOUT; // an ebreak of the program's own
        order->given_up = signals_seen();
        now = tsr_chip_cycle(order->chip);
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
    return run_slices(order, limits);
}

// The host lets time pass: what waits meanwhile may wait for it.
static tsr_end run_cycles(struct chip_order *order, uint64_t cycles)
{
    tsr_chip_limits limits = tsr_chip_limits_default();

    limits.max_cycles = cycles;
    limits.external = true;
    return cycles == 0 ? TSR_END_TIMEOUT : run_slices(order, limits);
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
            if (!chip_write(job, &step->data, order->chip, why))
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
                            : run_slices(order, tsr_chip_limits_default());
}

static int status_of(const struct chip_order *order, tsr_end end)
{
    const tsr_diagnostic *finding = chip_stopping_finding(order->chip);

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
        (end != TSR_END_IDLE || order->job.until || any_core(order, core_fallen)))
        return STATUS_BROKEN;
    return places_missed(&order->places) == NULL ? STATUS_OK : STATUS_BAD_INPUT;
}

// ---------------------------------------------------------------- --dump and --dump-at

// A tile that nobody has touched is in its power-on state.
static void write_dumps(FILE *file, const struct chip_order *order)
{
    for (int i = 0; i < order->dump_count; i++) {
        const struct chip_area *place = &order->dumps[i].tile;
        tsr_tile *tile;
        fprintf(file, "%stile %u,%u:\n", i == 0 ? "" : "\n", place->first_x, place->first_y);
        if (tsr_chip_tile(order->chip, place->first_x, place->first_y, &tile) == TSR_OK)
            dump_write(file, &order->dumps[i].what, tile);
        else
            fputs("fused off\n", file);
    }
}

// Of the chip as it is, behind `places`, if that is no null pointer. For free(); a null pointer:
// nothing is to be dumped, or there is no memory.
static char *dump_text(const struct chip_order *order, const struct run_places *places)
{
    char *text = NULL;
    size_t size;
    FILE *file = order->dump_count > 0 ? open_memstream(&text, &size) : NULL;

    if (file == NULL)
        return NULL;
    if (places != NULL && places->count > 0) {
        places_write(file, places);
        fputs("at the end:\n", file);
    }
    write_dumps(file, order);
    fclose(file);
    return text;
}

// The whole run up to there, on a chip of its own.
static bool dump_at(struct chip_order *order, struct run_place *place, struct message *why)
{
    tsr_end end = TSR_END_NO_TILE;

    bool ok = place_stops(order, "--dump-at", place->word, why);
    order->chip = ok ? make_chip(order, why) : NULL;
    if (order->chip != NULL && chip_begin(&order->job, order->chip, why))
        end = run_all(order, why);
    if (end == TSR_END_BREAK) {
        place->dump = dump_text(order, NULL);
        ok = place->dump != NULL || message_no_memory(why, place->word);
    }
    tsr_chip_destroy(order->chip);
    order->chip = NULL;
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
    if (tsr_chip_tile(order->chip, trace->tile.first_x, trace->tile.first_y, &trace->order.tile) !=
        TSR_OK)
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
    return message_io(why, trace->path, "written", 0);
}

// ---------------------------------------------------------------- afterwards

static bool output_is_taken(const struct chip_order *order)
{
    const struct chip_job *job = &order->job;

    if (order->trace.path != NULL && is_standard_stream(order->trace.path))
        return true;
    for (int i = 0; i < job->dump_count; i++)
        if (is_standard_stream(job->dumps[i].path))
            return true;
    return false;
}

static const tsr_diagnostic *failing_finding(const struct chip_order *order)
{
    bool races = order->choice.options.find_races;
    tsr_chip_finding found;

    for (int i = 0; (order->findings_fail != NULL || races) &&
                    tsr_chip_finding_at(order->chip, i, &found) == TSR_OK;
         i++)
        if ((order->findings_fail != NULL &&
             filter_takes(order->findings_fail, found.diagnostic)) ||
            (races && found.diagnostic->category == TSR_RACE))
            return found.diagnostic;
    return NULL;
}

static int report_missed(const struct chip_order *order)
{
    return report_bad_input("%s: the programs ended before that place '%s'",
                            order->stop_at != NULL ? "--stop-at" : "--dump-at",
                            order->stop_at != NULL ? order->stop_at
                                                   : places_missed(&order->places)->word);
}

static int report(const struct chip_order *order, tsr_end end, int status)
{
    const tsr_diagnostic *failing = status == STATUS_OK ? failing_finding(order) : NULL;
    char *dump = dump_text(order, &order->places);
    struct chip_picture picture = {.job = &order->job,
                                   .chip = order->chip,
                                   .timing = order->choice.options.timing,
                                   .end = end,
                                   .status = failing == NULL ? status : STATUS_BROKEN,
                                   .stop_at = order->stop_at,
                                   .dump = dump};
    FILE *file = output_is_taken(order) ? stderr : stdout;
    bool ok = true;

    if (order->json)
        ok = chip_report_json(file, &picture);
    else
        chip_report_text(file, &picture);
    fflush(file); // before what goes to stderr
    free(dump);
    if (status == STATUS_BAD_INPUT)
        return report_missed(order);
    if (status != STATUS_OK)
        chip_report_reason(stderr, &picture);
    if (failing != NULL)
        fprintf(stderr, "%stessera:%s %s: %s: there is a finding of %s (%s)\n",
                paint(stderr, PAINT_BAD), paint(stderr, PAINT_NONE), chip_job_path(&order->job),
                order->findings_fail == NULL ? "--races" : "--findings-fail",
                tsr_category_name(failing->category), failing->code);
    return ok ? picture.status : report_internal("no memory for the report");
}

static int run(struct chip_order *order)
{
    struct message why;

    signals_watch();
    if (!dump_on_the_way(order, &why))
        return report_message(&why);
    order->chip = make_chip(order, &why);
    if (order->chip == NULL || !chip_begin(&order->job, order->chip, &why))
        return report_message(&why);
    if ((order->stop_at == NULL && !chip_open_dumps(&order->job, order->chip, &why)) ||
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
                chip_job_path(&order->job), (unsigned long long)tsr_chip_cycle(order->chip));
        return STATUS_BROKEN;
    }
    int status = status_of(order, end);
    if (status == STATUS_OK && order->stop_at == NULL &&
        !chip_write_dumps(&order->job, order->chip, &why))
        return report_message(&why);
    signals_leave(); // nothing is left to be removed
    return report(order, end, status);
}

int run_chip(const struct given_option *given, int count)
{
    struct chip_order *order = calloc(1, sizeof *order);
    struct message why;

    if (order == NULL)
        return report_internal("no memory");
    int status = read_options(order, given, count, &why) ? run(order) : report_message(&why);
    out_discard(&order->trace.file);
    tsr_chip_destroy(order->chip);
    chip_job_free(&order->job);
    places_free(&order->places);
    if (order->given_up)
        signals_end();
    signals_leave();
    free(order);
    return status;
}
