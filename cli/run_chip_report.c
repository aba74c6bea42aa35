// SPDX-License-Identifier: Apache-2.0
// What a run of a chip reports; see run_chip_report.h.
#include "run_chip_report.h"
#include "chip/chip_report.h"
#include "common/in_file.h"
#include "common/out_file.h"
#include "common/paint.h"
#include "run/finding_filter.h"

#include <stdio.h>
#include <stdlib.h>

// A tile that nobody has touched is in its power-on state.
static void write_dumps(FILE *file, const struct chip_order *order)
{
    for (int i = 0; i < order->dump_count; i++) {
        const struct chip_area *place = &order->dumps[i].tile;
        tsr_tile *tile;
        char name[AREA_TEXT];
        chips_tile_text(&order->job.chips, place->on, place->first_x, place->first_y, name);
        fprintf(file, "%stile %s:\n", i == 0 ? "" : "\n", name);
        if (tsr_chip_tile(order->chips[place->on], place->first_x, place->first_y, &tile) == TSR_OK)
            dump_write(file, &order->dumps[i].what, tile);
        else
            fputs("fused off\n", file);
    }
}

char *chip_dump_text(const struct chip_order *order, const struct run_places *places)
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
    struct chips_finding of;

    for (int i = 0; (order->findings_fail != NULL || races) &&
                    chips_finding_at(order->chips, order->job.chips.count, i, &of);
         i++) {
        const tsr_diagnostic *finding = of.found.diagnostic;
        if ((order->findings_fail != NULL && filter_takes(order->findings_fail, finding)) ||
            (races && finding->category == TSR_RACE))
            return finding;
    }
    return NULL;
}

static int report_missed(const struct chip_order *order)
{
    return report_bad_input("%s: the programs ended before that place '%s'",
                            order->stop_at != NULL ? "--stop-at" : "--dump-at",
                            order->stop_at != NULL ? order->stop_at
                                                   : places_missed(&order->places)->word);
}

// The tiles that have programs, as the list of waits takes them. NULL: no memory.
static struct tile_picture *tiles_of(const struct chip_picture *picture, struct wait_order *waits)
{
    unsigned nodes = tsr_grid_columns(picture->job->arch) * tsr_grid_rows(picture->job->arch) *
                     picture->job->chips.count;
    struct tile_picture *tiles = calloc(nodes, sizeof *tiles);
    struct run_picture *runs = calloc(nodes, sizeof *runs);

    waits->tiles = runs;
    waits->tile_count = 0;
    for (unsigned node = 0; tiles != NULL && runs != NULL;) {
        int next = waits->tile_count;
        if (!picture_next(picture, &node, &tiles[next]))
            break;
        runs[next] = tiles[next].run;
        waits->tile_count++;
    }
    if (tiles == NULL || runs == NULL) {
        free(tiles);
        free(runs);
        return NULL;
    }
    return tiles;
}

// As text, or into the picture; how that went.
static int report_orders(FILE *file, const struct chip_order *order, struct chip_picture *picture,
                         struct wait_order *waits)
{
    struct message why;
    struct tile_picture *tiles = tiles_of(picture, waits);

    if (tiles == NULL)
        return report_no_memory("--waits");
    if (order->json)
        picture->wait_list = waits_json(waits, &why);
    bool ok = order->json ? picture->wait_list != NULL : waits_write(file, waits, &why);
    free(tiles);
    free((void *)waits->tiles);
    return ok ? STATUS_OK : report_message(&why);
}

int report_chip_run(const struct chip_order *order, tsr_end end, int status,
                    struct wait_order *waits)
{
    const tsr_diagnostic *failing = status == STATUS_OK ? failing_finding(order) : NULL;
    char *dump = chip_dump_text(order, &order->places);
    struct chip_picture picture = {.job = &order->job,
                                   .chips = order->chips,
                                   .timing = order->choice.options.timing,
                                   .end = end,
                                   .status = failing == NULL ? status : STATUS_BROKEN,
                                   .stop_at = order->stop_at,
                                   .dump = dump};
    FILE *file = output_is_taken(order) ? stderr : stdout;
    bool ok = true;
    int listed = STATUS_OK;
    struct message why;

    if (!order->json)
        chip_report_text(file, &picture);
    if (order->waits)
        listed = report_orders(file, order, &picture, waits);
    if (order->json)
        ok = chip_report_json(file, &picture);
    json_decref(picture.wait_list);
    bool arrived = output_arrives(file, &why); // before what goes to stderr
    free(dump);
    if (!arrived)
        return report_message(&why);
    if (status == STATUS_BAD_INPUT)
        return report_missed(order);
    if (status != STATUS_OK)
        chip_report_reason(stderr, &picture);
    if (failing != NULL)
        fprintf(stderr, "%stessera:%s %s: %s: there is a finding of %s (%s)\n",
                paint(stderr, PAINT_BAD), paint(stderr, PAINT_NONE), chip_job_path(&order->job),
                order->findings_fail == NULL ? "--races" : "--findings-fail",
                tsr_category_name(failing->category), failing->code);
    if (listed != STATUS_OK)
        return listed;
    return ok ? picture.status : report_no_memory("the report");
}
