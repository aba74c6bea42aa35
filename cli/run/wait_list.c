// SPDX-License-Identifier: Apache-2.0
// The waits of a program and what they order; see wait_list.h.
#include "run/wait_list.h"

#include "common/paint.h"
#include "run/report_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The waits of one place of a tile.
struct wait_group {
    int tile;
    tsr_finding_place first;
    struct finding_place place;
    uint64_t count, cycles;
    bool written;
};

struct wait_table {
    const struct wait_order *order;
    struct wait_group *groups;
    int count;
    int *group_of; // each wait, tile by tile
    int waits;
    void *with; // what has run with all waits, and tells what no page orders, too
};

// ---------------------------------------------------------------- places

static bool same_place(const struct wait_group *group, int tile, const tsr_finding_place *wait,
                       const struct finding_place *place)
{
    if (group->tile != tile || group->first.thread != wait->thread ||
        group->first.core != wait->core)
        return false;
    if (place->line > 0)
        return group->place.line == place->line && strcmp(group->place.file, place->file) == 0 &&
               group->first.word == wait->word;
    return group->first.word == wait->word && group->first.pushed_pc == wait->pushed_pc &&
           group->first.pc == wait->pc;
}

static int group_of(struct wait_table *table, int tile, const tsr_finding_place *wait)
{
    const struct run_picture *picture = &table->order->tiles[tile];
    const tsr_diagnostic at = other_place(wait);
    struct finding_place place = picture->place(picture->source, &at);

    for (int i = 0; i < table->count; i++)
        if (same_place(&table->groups[i], tile, wait, &place))
            return i;
    table->groups[table->count] = (struct wait_group){.tile = tile, .first = *wait, .place = place};
    return table->count++;
}

static bool fill(struct wait_table *table)
{
    const struct wait_order *order = table->order;
    int next = 0;

    for (int tile = 0; tile < order->tile_count; tile++)
        table->waits += tsr_latched_wait_count(order->tiles[tile].tile);
    table->groups = calloc((size_t)table->waits + 1, sizeof *table->groups);
    table->group_of = calloc((size_t)table->waits + 1, sizeof *table->group_of);
    if (table->groups == NULL || table->group_of == NULL)
        return false;
    for (int tile = 0; tile < order->tile_count; tile++)
        for (int i = 0; i < tsr_latched_wait_count(order->tiles[tile].tile); i++, next++) {
            tsr_finding_place wait;
            uint64_t cycles = 0;
            if (tsr_latched_wait_at(order->tiles[tile].tile, i, &wait, &cycles) != TSR_OK)
                return false;
            table->group_of[next] = group_of(table, tile, &wait);
            table->groups[table->group_of[next]].count++;
            table->groups[table->group_of[next]].cycles += cycles;
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

// What comes of the lack of a wait, and in which tile.
struct lack {
    const tsr_diagnostic *race; // NULL: nothing
    int tile;
};

static struct lack new_of(const struct wait_table *table, void *without, tsr_category category)
{
    const struct wait_order *order = table->order;

    for (int tile = 0; tile < order->tile_count; tile++) {
        const tsr_tile *of = order->tile(order->run, without, tile);
        const tsr_tile *with = order->tile(order->run, table->with, tile);
        for (int i = 0; i < tsr_diagnostic_count(of); i++) {
            const tsr_diagnostic *race = tsr_diagnostic_at(of, i);
            if (race->category == category && !has_race(with, race))
                return (struct lack){race, tile};
        }
    }
    return (struct lack){NULL, 0};
}

// The first race that is not there with the wait, or else the first order that no page guarantees.
static struct lack lack_of(const struct wait_table *table, void *without)
{
    struct lack lack = new_of(table, without, TSR_RACE);

    return lack.race != NULL ? lack : new_of(table, without, TSR_UNGUARANTEED_ORDER);
}

static void ignore(tsr_tile *tile, const tsr_finding_place *wait)
{
    if (wait->thread < 0)
        tsr_ignore_load(tile, (tsr_core)wait->core, wait->pc);
    else
        tsr_ignore_wait(tile, wait->thread, wait->sequence);
}

// Without a group of waits; -1: with all of them. NULL: `why` says what failed.
static void *run_without(const struct wait_table *table, int group, struct message *why)
{
    const struct wait_order *order = table->order;
    void *made = order->make(order->run, why);
    int next = 0;

    for (int tile = 0; made != NULL && tile < order->tile_count; tile++) {
        tsr_tile *of = order->tile(order->run, made, tile);
        tsr_tile_set_policy(of, tsr_category_name(TSR_UNGUARANTEED_ORDER), TSR_ACTION_RECORD);
        for (int i = 0; i < tsr_latched_wait_count(order->tiles[tile].tile); i++, next++) {
            tsr_finding_place wait;
            if (table->group_of[next] == group &&
                tsr_latched_wait_at(order->tiles[tile].tile, i, &wait, NULL) == TSR_OK)
                ignore(of, &wait);
        }
    }
    if (made != NULL && !order->again(order->run, made, why)) {
        order->destroy(made);
        made = NULL;
    }
    return made;
}

// ---------------------------------------------------------------- lines

static void print_place(FILE *file, const struct finding_place *place)
{
    fputs(place->file, file);
    if (place->line > 0)
        fprintf(file, ":%d", place->line);
}

static void print_agent(FILE *file, const tsr_finding_place *place)
{
    if (place->thread >= 0)
        fprintf(file, "thread %d", place->thread);
    else
        fprintf(file, "core %s", tsr_core_name((tsr_core)place->core));
}

static void print_group(FILE *file, const struct wait_table *table, const struct wait_group *group,
                        struct lack lack)
{
    const struct run_picture *picture = &table->order->tiles[group->tile];
    const tsr_diagnostic *race = lack.race;

    if (picture->tile_name != NULL)
        fprintf(file, "tile %s: ", picture->tile_name);
    print_place(file, &group->place);
    const char *what = race == NULL                 ? "redundant"
                       : race->category == TSR_RACE ? "needed"
                                                    : "needed by the pages alone";
    fputs(": ", file);
    print_agent(file, &group->first);
    fprintf(file, ": %s%s:%s %s", paint(file, race ? PAINT_GOOD : PAINT_WARNING), what,
            paint(file, PAINT_NONE), group->first.instruction);
    if (group->first.thread < 0) // which is listed once
        fputs("\n", file);
    else
        fprintf(file, " (%" PRIu64 " time%s", group->count, group->count == 1 ? "" : "s");
    if (group->first.thread >= 0 && picture->timing)
        fprintf(file, ", held its thread for %" PRIu64 " cycles", group->cycles);
    if (group->first.thread >= 0)
        fputs(")\n", file);
    if (race == NULL)
        return;
    const struct run_picture *other = &table->order->tiles[lack.tile];
    struct finding_place places[2] = {other->place(other->source, race),
                                      find_other_place(other, &race->other)};
    fputs("    without it: ", file);
    if (other->tile_name != NULL)
        fprintf(file, "tile %s: ", other->tile_name);
    fprintf(file, "%s (", race->sentence);
    print_place(file, &places[0]);
    fputs(", ", file);
    print_place(file, &places[1]);
    fputs(")\n", file);
}

// In the order of tiles, then of threads and their instructions, and of cores and their places,
// whatever the order in which waits ended.
static bool comes_first(const struct wait_group *a, const struct wait_group *b)
{
    const tsr_finding_place *one = &a->first, *other = &b->first;

    if (a->tile != b->tile)
        return a->tile < b->tile;
    if ((one->thread < 0) != (other->thread < 0))
        return one->thread >= 0;
    if (one->thread < 0)
        return one->core != other->core ? one->core < other->core : one->pc < other->pc;
    return one->thread != other->thread ? one->thread < other->thread
                                        : one->sequence < other->sequence;
}

static int next_group(const struct wait_table *table)
{
    int next = -1;

    for (int i = 0; i < table->count; i++)
        if (!table->groups[i].written &&
            (next < 0 || comes_first(&table->groups[i], &table->groups[next])))
            next = i;
    return next;
}

// The same for JSON.
static json_t *group_json(const struct wait_table *table, const struct wait_group *group,
                          struct lack lack)
{
    const struct run_picture *picture = &table->order->tiles[group->tile];
    bool of_thread = group->first.thread >= 0;
    json_t *object = json_object();

    if (picture->tile_name != NULL)
        json_object_set_new(object, "tile", json_string(picture->tile_name));
    report_file_json(object, group->place.file, group->place.path);
    json_object_set_new(object, "line",
                        group->place.line > 0 ? json_integer(group->place.line) : json_null());
    json_object_set_new(object, "thread",
                        of_thread ? json_integer(group->first.thread) : json_null());
    if (!of_thread)
        json_object_set_new(object, "core", json_integer(group->first.core));
    json_object_set_new(object, "instruction", json_string(group->first.instruction));
    json_object_set_new(object, "needed", json_boolean(lack.race != NULL));
    json_object_set_new(object, "by_pages_alone",
                        json_boolean(lack.race != NULL && lack.race->category != TSR_RACE));
    json_object_set_new(object, "times",
                        of_thread ? json_integer((json_int_t)group->count) : json_null());
    json_object_set_new(object, "held_cycles",
                        of_thread && picture->timing ? json_integer((json_int_t)group->cycles)
                                                     : json_null());
    json_object_set_new(object, "without_it",
                        lack.race != NULL
                            ? report_finding_json(&table->order->tiles[lack.tile], lack.race)
                            : json_null());
    return object;
}

// Where the waits go: `list`, or lines of `file`.
static bool write_all(FILE *file, json_t *list, const struct wait_order *order, struct message *why)
{
    struct wait_table table = {.order = order};
    bool ok = (fill(&table) || message_no_memory(why, "--waits")) &&
              (table.with = run_without(&table, -1, why)) != NULL;

    if (ok && list == NULL)
        fprintf(file, "\nwaits: %d\n", table.count);
    for (int i = 0; ok && i < table.count && !order->stop(); i++) {
        int next = next_group(&table);
        struct wait_group *group = &table.groups[next];
        void *without = run_without(&table, next, why);
        ok = without != NULL;
        if (ok && list != NULL)
            json_array_append_new(list, group_json(&table, group, lack_of(&table, without)));
        else if (ok)
            print_group(file, &table, group, lack_of(&table, without));
        group->written = true;
        if (ok)
            order->destroy(without);
    }
    if (table.with != NULL)
        order->destroy(table.with);
    free(table.groups);
    free(table.group_of);
    return ok;
}

bool waits_write(FILE *file, const struct wait_order *order, struct message *why)
{
    return write_all(file, NULL, order, why);
}

json_t *waits_json(const struct wait_order *order, struct message *why)
{
    json_t *list = json_array();

    if (list == NULL)
        message_no_memory(why, "--waits");
    else if (write_all(NULL, list, order, why))
        return list;
    json_decref(list);
    return NULL;
}
