// SPDX-License-Identifier: Apache-2.0
// The report of a chip, or of several, as text. Plain ASCII unless it goes to a terminal.
#include "chip/chip_report.h"

#include "common/paint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// With more tiles than this, cores that have come to their end, or are held in reset, are counted
// only.
enum { TILES_LISTED = 8 };

static bool find_stopping(tsr_chip *const chips[], unsigned count, struct chips_finding *out)
{
    for (int i = 0; chips_finding_at(chips, count, i, out); i++)
        if (out->found.diagnostic->action == TSR_ACTION_STOP)
            return true;
    return false;
}

const tsr_diagnostic *chip_stopping_finding(tsr_chip *const chips[], unsigned count)
{
    struct chips_finding found;

    return find_stopping(chips, count, &found) ? found.found.diagnostic : NULL;
}

static void print_head(FILE *file, const struct chip_picture *picture)
{
    bool failed = picture->end == TSR_END_IDLE && picture->status != 0;
    char count[24] = "";

    if (picture->job->chips.count > 1)
        snprintf(count, sizeof count, "%u chips of ", picture->job->chips.count);
    fprintf(file, "%s on %s%s %s%s%s after %" PRIu64 " cycles%s\n", chip_job_path(picture->job),
            count, tsr_arch_name(picture->job->arch),
            paint(file, picture->status == 0 ? PAINT_GOOD : PAINT_BAD),
            failed ? "came to rest, but did not complete," : end_sentence(picture->end),
            paint(file, PAINT_NONE), tsr_chip_cycle(picture->chips[0]),
            picture->timing ? "" : " (timing off: one an instruction)");
}

static int print_units(FILE *file, const struct chip_picture *picture, struct tile_picture *tile)
{
    uint64_t instructions[TSR_UNIT_COUNT] = {0};
    tsr_run_report report;
    uint64_t refused = 0;
    int tiles = 0;

    for (unsigned node = 0; picture_next(picture, &node, tile); tiles++) {
        tsr_get_report(tile->run.tile, &report);
        for (int unit = 0; unit < TSR_UNIT_COUNT; unit++)
            instructions[unit] += report.unit_instructions[unit];
        for (int thread = 0; thread < TSR_THREADS; thread++)
            refused += report.refused[thread];
    }
    if (tiles == 0)
        return 0;
    fprintf(file, "\nunit of all %d tiles   instructions\n", tiles);
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++)
        if (instructions[unit] > 0)
            fprintf(file, "%-20s %14" PRIu64 "\n", tsr_unit_name((tsr_unit)unit),
                    instructions[unit]);
    if (refused > 0)
        fprintf(file, "%-20s %14" PRIu64 "\n", "refused", refused);
    return tiles;
}

static bool has_ended(const struct core_line *core)
{
    return strcmp(core->state, "ended") == 0 || strcmp(core->state, "in reset") == 0;
}

struct listed_cores {
    bool all;
    int ended, listed;
    int width; // of a tile's name
};

// With the longest name of a chip in front of a tile's.
static int name_width(const struct chip_list *chips)
{
    enum { TILE = 7 };
    size_t longest = 0;
    char text[CHIP_NAME];

    for (unsigned i = 0; chips->count > 1 && i < chips->count; i++) {
        size_t length = strlen(chips_name(chips, i, text)) + 1;
        longest = length > longest ? length : longest;
    }
    return TILE + (int)longest;
}

// The head of the table comes with its first line.
static void print_core(FILE *file, const struct tile_picture *tile, const struct core_line *core,
                       struct listed_cores *list)
{
    if (list->listed++ == 0)
        fprintf(file, "\n%-*s core     instructions\n", list->width, "tile");
    fprintf(file, "%-*s %-8s %12" PRIu64 "  %s%s%s\n", list->width, tile->name, core->name,
            core->retired, core->state, core->has_pc ? " at " : "", core->place);
}

static void list_cores(FILE *file, const struct tile_picture *tile, struct listed_cores *list)
{
    for (int i = 0; i < tile->run.core_count; i++) {
        const struct core_line *core = &tile->run.cores[i];
        if (!list->all && has_ended(core))
            list->ended++;
        else
            print_core(file, tile, core, list);
    }
}

static void print_cores(FILE *file, const struct chip_picture *picture, struct tile_picture *tile,
                        bool all)
{
    struct listed_cores list = {.all = all, .width = name_width(&picture->job->chips)};

    for (unsigned node = 0; picture_next(picture, &node, tile);)
        list_cores(file, tile, &list);
    for (unsigned number = 0; picture_next_ethernet(picture, &number, tile);)
        list_cores(file, tile, &list);
    if (list.ended > 0)
        fprintf(file, "\n%d cores have come to their end or are in reset\n", list.ended);
    for (unsigned node = 0; picture_next(picture, &node, tile);)
        report_refused(file, &tile->run);
}

static void print_waits(FILE *file, const struct chip_picture *picture, struct tile_picture *tile)
{
    bool any = false;

    for (unsigned node = 0; picture_next(picture, &node, tile);) {
        if (tile->run.wait_count > 0 && !any)
            fputs("\nwaiting\n", file);
        any |= tile->run.wait_count > 0;
        report_waits(file, &tile->run);
    }
}

// ---------------------------------------------------------------- findings

struct listed_finding {
    struct chips_finding of;
    bool shown;
};

// The same words about the same instruction of the same programs, wherever they run.
static bool same_finding(const struct chip_picture *picture, const struct chips_finding *one,
                         const struct chips_finding *other)
{
    const tsr_diagnostic *a = one->found.diagnostic, *b = other->found.diagnostic;

    return a->pc == b->pc && a->core == b->core && a->thread == b->thread && a->word == b->word &&
           a->has_pc == b->has_pc && a->action == b->action && a->pushed == b->pushed &&
           a->pushed_core == b->pushed_core && a->pushed_pc == b->pushed_pc &&
           chip_job_group(picture->job, one->chip, one->found.node.x, one->found.node.y) ==
               chip_job_group(picture->job, other->chip, other->found.node.x,
                              other->found.node.y) &&
           strcmp(a->code, b->code) == 0 && strcmp(a->sentence, b->sentence) == 0;
}

// Shows the first of `list` together with those like it.
static void print_alike(FILE *file, const struct chip_picture *picture, struct tile_picture *tile,
                        struct listed_finding *list, int count)
{
    enum { PLACE_TEXT = 8 + CHIP_NAME, ALL_TILES = PLACE_TEXT * 256 };
    char names[ALL_TILES];
    size_t used = 0;

    picture_node(picture, list->of.chip, &list->of.found.node, tile);
    tile->run.tile_name = names;
    for (int i = 0; i < count && used + PLACE_TEXT < sizeof names; i++) {
        const tsr_node_info *node = &list[i].of.found.node;
        char name[AREA_TEXT];
        if (list[i].shown || !same_finding(picture, &list->of, &list[i].of))
            continue;
        chips_tile_text(&picture->job->chips, list[i].of.chip, node->x, node->y, name);
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", i == 0 ? "" : " ", name);
        tile->run.tile_count++;
        list[i].shown = i > 0;
    }
    report_finding(file, &tile->run, list->of.found.diagnostic);
}

static void print_findings(FILE *file, const struct chip_picture *picture,
                           struct tile_picture *tile)
{
    enum { MOST_COMPARED = 4096 };
    int count = chips_finding_count(picture->chips, picture->job->chips.count);
    struct listed_finding *list = calloc((size_t)count + 1, sizeof *list);
    uint64_t dropped = 0;

    fprintf(file, "\nfindings: %d\n", count);
    for (int i = 0; list != NULL && i < count; i++)
        picture_finding(picture, i, &list[i].of);
    for (int i = 0; list != NULL && i < count; i++)
        if (!list[i].shown)
            print_alike(file, picture, tile, &list[i], count <= MOST_COMPARED ? count - i : 1);
    free(list);
    for (unsigned node = 0; picture_next(picture, &node, tile);)
        dropped += tsr_diagnostics_dropped(tile->run.tile);
    if (dropped > 0)
        fprintf(file, "%" PRIu64 " more were not kept\n", dropped);
}

void chip_report_text(FILE *file, const struct chip_picture *picture)
{
    struct tile_picture *tile = malloc(sizeof *tile);

    print_head(file, picture);
    if (tile == NULL)
        return;
    int tiles = print_units(file, picture, tile);
    print_cores(file, picture, tile, tiles <= TILES_LISTED);
    print_waits(file, picture, tile);
    print_findings(file, picture, tile);
    if (picture->dump != NULL)
        fprintf(file, "\n%s", picture->dump);
    free(tile);
}

// ---------------------------------------------------------------- one line for stderr

static bool has_failed(const struct core_line *core)
{
    return strncmp(core->state, "hangs", 5) == 0 || strncmp(core->state, "paused", 6) == 0;
}

static bool print_first_fallen(FILE *file, const struct tile_picture *tile)
{
    for (int i = 0; i < tile->run.core_count; i++) {
        const struct core_line *core = &tile->run.cores[i];
        if (!has_failed(core))
            continue;
        fprintf(file, "tile %s: %s: %s at %s\n", tile->name, core->name, core->state, core->place);
        return true;
    }
    return false;
}

static bool print_fallen(FILE *file, const struct chip_picture *picture, struct tile_picture *tile)
{
    for (unsigned node = 0; picture_next(picture, &node, tile);)
        if (print_first_fallen(file, tile))
            return true;
    for (unsigned number = 0; picture_next_ethernet(picture, &number, tile);)
        if (print_first_fallen(file, tile))
            return true;
    return false;
}

// The first one who waits ends the line; the report has all.
static void print_first_wait(FILE *file, const struct chip_picture *picture,
                             struct tile_picture *tile)
{
    for (unsigned node = 0; picture_next(picture, &node, tile);)
        if (tile->run.wait_count > 0) {
            tile->run.wait_count = 1;
            fputs(": ", file);
            report_waits(file, &tile->run);
            return;
        }
    fputc('\n', file);
}

void chip_report_reason(FILE *file, const struct chip_picture *picture)
{
    struct tile_picture *tile = malloc(sizeof *tile);
    struct chips_finding found;

    if (tile == NULL)
        return;
    fprintf(file, "%stessera:%s ", paint(file, PAINT_BAD), paint(file, PAINT_NONE));
    if (picture->end == TSR_END_STOPPED &&
        find_stopping(picture->chips, picture->job->chips.count, &found)) {
        picture_node(picture, found.chip, &found.found.node, tile);
        fprintf(file, "tile %s: ", tile->name);
        report_finding_line(file, &tile->run, found.found.diagnostic);
    } else if (picture->job->until && picture->end != TSR_END_IDLE) {
        fprintf(file, "%s: the word of %s did not come: %s\n", chip_job_path(picture->job),
                picture->job->until_from, tsr_end_name(picture->end));
    } else if (picture->end != TSR_END_IDLE) {
        fprintf(file, "%s: %s", chip_job_path(picture->job), tsr_end_name(picture->end));
        print_first_wait(file, picture, tile);
    } else if (!print_fallen(file, picture, tile)) {
        fprintf(file, "%s: the run ended before the word of %s came\n", chip_job_path(picture->job),
                picture->job->until_from);
    }
    free(tile);
}
