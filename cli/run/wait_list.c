// SPDX-License-Identifier: Apache-2.0
// The waits of a program and what they order; see wait_list.h.
#include "run/wait_list.h"

#include "common/paint.h"
#include "run/core_run.h"
#include "run/program_run.h"
#include "run/report_json.h"
#include "run/tensor_io.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The waits of one place.
struct wait_group {
    tsr_finding_place first;
    struct finding_place place;
    uint64_t count, cycles;
    bool written;
};

struct wait_table {
    struct wait_group *groups;
    int count;
    int *group_of; // each wait
    int waits;
    tsr_tile *with; // that has run with all waits, and tells what no page orders, too
};

// ---------------------------------------------------------------- places

static bool same_place(const struct wait_group *group, const tsr_finding_place *wait,
                       const struct finding_place *place)
{
    if (group->first.thread != wait->thread)
        return false;
    if (place->line > 0)
        return group->place.line == place->line && strcmp(group->place.file, place->file) == 0 &&
               group->first.word == wait->word;
    return group->first.word == wait->word && group->first.pushed_pc == wait->pushed_pc;
}

static int group_of(struct wait_table *table, const struct run_picture *picture,
                    const tsr_finding_place *wait)
{
    const tsr_diagnostic at = other_place(wait);
    struct finding_place place = picture->place(picture->source, &at);

    for (int i = 0; i < table->count; i++)
        if (same_place(&table->groups[i], wait, &place))
            return i;
    table->groups[table->count] = (struct wait_group){.first = *wait, .place = place};
    return table->count++;
}

static bool fill(struct wait_table *table, const struct run_picture *picture)
{
    table->waits = tsr_latched_wait_count(picture->tile);
    table->groups = calloc((size_t)table->waits + 1, sizeof *table->groups);
    table->group_of = calloc((size_t)table->waits + 1, sizeof *table->group_of);
    if (table->groups == NULL || table->group_of == NULL)
        return false;
    for (int i = 0; i < table->waits; i++) {
        tsr_finding_place wait;
        uint64_t cycles = 0;
        if (tsr_latched_wait_at(picture->tile, i, &wait, &cycles) != TSR_OK)
            return false;
        table->group_of[i] = group_of(table, picture, &wait);
        table->groups[table->group_of[i]].count++;
        table->groups[table->group_of[i]].cycles += cycles;
    }
    return true;
}

// ---------------------------------------------------------------- what they order

static bool has_race(const tsr_tile *tile, const tsr_diagnostic *race)
{
    for (int i = 0; i < tsr_diagnostic_count(tile); i++) {
        const tsr_diagnostic *one = tsr_diagnostic_at(tile, i);
        if (one->code == race->code && one->sequence == race->sequence &&
            one->other.sequence == race->other.sequence &&
            strcmp(one->sentence, race->sentence) == 0)
            return true;
    }
    return false;
}

static const tsr_diagnostic *new_of(const tsr_tile *with, const tsr_tile *without,
                                    tsr_category category)
{
    for (int i = 0; i < tsr_diagnostic_count(without); i++) {
        const tsr_diagnostic *race = tsr_diagnostic_at(without, i);
        if (race->category == category && !has_race(with, race))
            return race;
    }
    return NULL;
}

// The first race that is not there with the wait, or else the first order that no page guarantees;
// NULL: there is none.
static const tsr_diagnostic *new_race(const tsr_tile *with, const tsr_tile *without)
{
    const tsr_diagnostic *race = new_of(with, without, TSR_RACE);

    return race != NULL ? race : new_of(with, without, TSR_UNGUARANTEED_ORDER);
}

static bool run_again(const struct wait_order *order, tsr_tile *tile, struct message *why)
{
    struct run_order again = {.program = order->program,
                              .tile = tile,
                              .max_cycles = order->max_cycles,
                              .timing = order->choice->options.timing,
                              .stop = order->stop,
                              .break_thread = -1};

    if (order->cores != NULL) {
        if (!core_job_begin(order->cores, tile, why))
            return false;
        core_run(order->cores, tile, order->max_cycles, order->stop);
        return true;
    }
    if (!tensors_to_l1(order->program, tile, why))
        return false;
    program_run(&again);
    return true;
}

// Without a group of waits; -1: with all of them. NULL: `why` says what failed.
static tsr_tile *run_without(const struct wait_table *table, int group,
                             const struct run_picture *picture, const struct wait_order *order,
                             struct message *why)
{
    tsr_tile *tile = make_tile(order->choice, why);

    tsr_tile_set_policy(tile, tsr_category_name(TSR_UNGUARANTEED_ORDER), TSR_ACTION_RECORD);
    for (int i = 0; tile != NULL && i < table->waits; i++) {
        tsr_finding_place wait;
        if (table->group_of[i] == group &&
            tsr_latched_wait_at(picture->tile, i, &wait, NULL) == TSR_OK)
            tsr_ignore_wait(tile, wait.thread, wait.sequence);
    }
    if (tile != NULL && !run_again(order, tile, why)) {
        tsr_tile_destroy(tile);
        tile = NULL;
    }
    return tile;
}

static void print_place(FILE *file, const struct finding_place *place)
{
    fputs(place->file, file);
    if (place->line > 0)
        fprintf(file, ":%d", place->line);
}

static void print_group(FILE *file, const struct wait_group *group,
                        const struct run_picture *picture, const tsr_diagnostic *race)
{
    print_place(file, &group->place);
    const char *what = race == NULL                 ? "redundant"
                       : race->category == TSR_RACE ? "needed"
                                                    : "needed by the pages alone";
    fprintf(file, ": thread %d: %s%s:%s %s", group->first.thread,
            paint(file, race ? PAINT_GOOD : PAINT_WARNING), what, paint(file, PAINT_NONE),
            group->first.instruction);
    fprintf(file, " (%" PRIu64 " time%s", group->count, group->count == 1 ? "" : "s");
    if (picture->timing)
        fprintf(file, ", held its thread for %" PRIu64 " cycles", group->cycles);
    fputs(")\n", file);
    if (race == NULL)
        return;
    const tsr_diagnostic other = other_place(&race->other);
    struct finding_place places[2] = {picture->place(picture->source, race),
                                      picture->place(picture->source, &other)};
    fprintf(file, "    without it: %s (", race->sentence);
    print_place(file, &places[0]);
    fputs(", ", file);
    print_place(file, &places[1]);
    fputs(")\n", file);
}

// In the order of the threads and their instructions, whatever the order in which waits ended.
static int next_group(const struct wait_table *table)
{
    int next = -1;

    for (int i = 0; i < table->count; i++) {
        const tsr_finding_place *one = &table->groups[i].first;
        const tsr_finding_place *best = next < 0 ? NULL : &table->groups[next].first;
        if (!table->groups[i].written &&
            (best == NULL || one->thread < best->thread ||
             (one->thread == best->thread && one->sequence < best->sequence)))
            next = i;
    }
    return next;
}

// The same for JSON.
static json_t *group_json(const struct wait_group *group, const struct run_picture *picture,
                          const tsr_diagnostic *race)
{
    json_t *object = json_object();

    json_object_set_new(object, "file",
                        report_text_json(group->place.file, strlen(group->place.file)));
    json_object_set_new(object, "line",
                        group->place.line > 0 ? json_integer(group->place.line) : json_null());
    json_object_set_new(object, "thread", json_integer(group->first.thread));
    json_object_set_new(object, "instruction", json_string(group->first.instruction));
    json_object_set_new(object, "needed", json_boolean(race != NULL));
    json_object_set_new(object, "by_pages_alone",
                        json_boolean(race != NULL && race->category != TSR_RACE));
    json_object_set_new(object, "times", json_integer((json_int_t)group->count));
    json_object_set_new(object, "held_cycles",
                        picture->timing ? json_integer((json_int_t)group->cycles) : json_null());
    json_object_set_new(object, "without_it",
                        race != NULL ? report_finding_json(picture, race) : json_null());
    return object;
}

// Where the waits go: `list`, or lines of `file`.
static bool write_all(FILE *file, json_t *list, const struct run_picture *picture,
                      const struct wait_order *order, struct message *why)
{
    struct wait_table table = {0};
    bool ok = (fill(&table, picture) || message_set(why, "--waits: no memory")) &&
              (table.with = run_without(&table, -1, picture, order, why)) != NULL;

    if (ok && list == NULL)
        fprintf(file, "\nwaits: %d\n", table.count);
    for (int i = 0; ok && i < table.count && !order->stop(); i++) {
        int next = next_group(&table);
        struct wait_group *group = &table.groups[next];
        tsr_tile *tile = run_without(&table, next, picture, order, why);
        ok = tile != NULL;
        if (ok && list != NULL)
            json_array_append_new(list, group_json(group, picture, new_race(table.with, tile)));
        else if (ok)
            print_group(file, group, picture, new_race(table.with, tile));
        group->written = true;
        tsr_tile_destroy(tile);
    }
    tsr_tile_destroy(table.with);
    free(table.groups);
    free(table.group_of);
    return ok;
}

bool waits_write(FILE *file, const struct run_picture *picture, const struct wait_order *order,
                 struct message *why)
{
    return write_all(file, NULL, picture, order, why);
}

json_t *waits_json(const struct run_picture *picture, const struct wait_order *order,
                   struct message *why)
{
    json_t *list = json_array();

    if (list != NULL && write_all(NULL, list, picture, order, why))
        return list;
    json_decref(list);
    return NULL;
}
