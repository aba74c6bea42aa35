// SPDX-License-Identifier: Apache-2.0
// Each wait of compiled programs removed; see deletion_list.h.
#include "run/deletion_list.h"

#include "common/paint.h"
#include "run/core_run.h"
#include "run/report_json.h"
#include "run/step_places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// How a removal shows, the plainest first.
enum shown {
    SHOWN_RACE,
    SHOWN_DEADLOCK,
    SHOWN_FINDING,   // another one
    SHOWN_TIME_OUT,  // the run is at least four times as long
    SHOWN_BYTES,     // the run leaves something else in L1
    SHOWN_ORDER,     // with units as fast or as slow as can be it does one of these
    SHOWN_SEMAPHORE, // it leaves something else in a semaphore
    SHOWN_PAGES,     // hardware keeps the order, and no page says so
    SHOWN_REDUNDANT,
    SHOWN_NOT_REMOVED,
    SHOWN_KINDS
};

static const char *const shown_names[SHOWN_KINDS] = {
    [SHOWN_RACE] = "race",
    [SHOWN_DEADLOCK] = "deadlock",
    [SHOWN_FINDING] = "finding",
    [SHOWN_TIME_OUT] = "time-out",
    [SHOWN_BYTES] = "other bytes",
    [SHOWN_ORDER] = "another order",
    [SHOWN_SEMAPHORE] = "semaphore left",
    [SHOWN_PAGES] = "needed by the pages alone",
    [SHOWN_REDUNDANT] = "redundant",
    [SHOWN_NOT_REMOVED] = "not removed",
};

enum { SEMAPHORES = 8, MAX_TEXT = 600 };

// A run and what it leaves.
struct trial {
    tsr_tile *tile;
    struct core_run run;
    uint8_t *l1;
};

struct verdict_text {
    enum shown shown;
    char text[MAX_TEXT];
};

// Everything that the list is made of.
struct deletions {
    const struct run_picture *picture;
    const struct deletion_order *order;
    struct step_places places;
    struct trial with; // with all of them
    uint64_t max_cycles;
    int totals[SHOWN_KINDS];
};

// ---------------------------------------------------------------- runs

static void trial_free(struct trial *trial)
{
    tsr_tile_destroy(trial->tile);
    free(trial->l1);
    *trial = (struct trial){0};
}

// `place` NULL: nothing is removed.
static bool try_without(const struct deletions *list, const struct step_place *place,
                        tsr_schedule schedule, struct trial *trial, struct message *why)
{
    const struct deletion_order *order = list->order;
    struct tile_choice choice = *order->choice;
    size_t size = tsr_l1_size(choice.options.arch);

    if (schedule != TSR_SCHEDULE_CARD)
        choice.options.schedule = schedule;
    *trial = (struct trial){.tile = make_tile(&choice, why), .l1 = malloc(size)};
    if (trial->tile == NULL || trial->l1 == NULL)
        return trial->tile != NULL && message_no_memory(why, "--deletions");
    tsr_tile_set_policy(trial->tile, tsr_category_name(TSR_UNGUARANTEED_ORDER), TSR_ACTION_RECORD);
    if (!core_job_begin(order->cores, trial->tile, why))
        return false;
    if (place != NULL) {
        uint32_t instead = step_place_removed(place);
        tsr_l1_write(trial->tile, place->pc, &instead, sizeof instead);
    }
    trial->run = core_run(order->cores, trial->tile, list->max_cycles, order->stop);
    tsr_l1_read(trial->tile, 0, trial->l1, size);
    if (place != NULL) // that is no difference
        memcpy(trial->l1 + place->pc, list->with.l1 + place->pc, 4);
    return true;
}

// ---------------------------------------------------------------- what is new

static enum shown kind_of(const tsr_diagnostic *finding)
{
    return finding->category == TSR_RACE                 ? SHOWN_RACE
           : finding->category == TSR_UNGUARANTEED_ORDER ? SHOWN_PAGES
           : finding->category == TSR_DEADLOCK           ? SHOWN_DEADLOCK
                                                         : SHOWN_FINDING;
}

static bool same_finding(const tsr_diagnostic *one, const tsr_diagnostic *other)
{
    return strcmp(one->code, other->code) == 0 && one->pc == other->pc &&
           one->pushed_pc == other->pushed_pc && one->other.pc == other->other.pc &&
           one->other.pushed_pc == other->other.pushed_pc;
}

// As often, too: findings that have a count stand for more than one place.
static bool has_finding(const tsr_tile *tile, const tsr_diagnostic *finding)
{
    for (int i = 0; i < tsr_diagnostic_count(tile); i++)
        if (same_finding(tsr_diagnostic_at(tile, i), finding) &&
            (kind_of(finding) != SHOWN_FINDING ||
             tsr_diagnostic_at(tile, i)->repeats >= finding->repeats))
            return true;
    return false;
}

static void note(struct verdict_text *verdict, enum shown shown, const char *text)
{
    size_t used = strlen(verdict->text);

    if (shown < verdict->shown)
        verdict->shown = shown;
    snprintf(verdict->text + used, sizeof verdict->text - used, "%s%s%s%s", used > 0 ? "; " : "",
             shown_names[shown], text[0] == '\0' ? "" : ": ", text);
}

// The codes that the run has of a kind and the one with everything has not.
static void note_findings(const struct deletions *list, const struct trial *trial, enum shown shown,
                          struct verdict_text *verdict)
{
    char codes[200] = "";

    for (int i = 0; i < tsr_diagnostic_count(trial->tile); i++) {
        const tsr_diagnostic *finding = tsr_diagnostic_at(trial->tile, i);
        size_t used = strlen(codes);
        if (kind_of(finding) == shown && strstr(codes, finding->code) == NULL &&
            !has_finding(list->with.tile, finding))
            snprintf(codes + used, sizeof codes - used, "%s%s", used > 0 ? ", " : "",
                     finding->code);
    }
    if (codes[0] != '\0')
        note(verdict, shown, codes);
}

// Of those who wait, one that waits for a semaphore or a mutex.
static void note_deadlock(const struct trial *trial, struct verdict_text *verdict)
{
    tsr_wait waits[MAX_WAITS];
    int count = tsr_waits(trial->tile, waits, MAX_WAITS), best = 0;
    char text[400] = "";

    for (int i = (count < MAX_WAITS ? count : MAX_WAITS) - 1; i >= 0; i--)
        if (strstr(waits[i].what, "semaphore") != NULL || strstr(waits[i].what, "mutex") != NULL)
            best = i;
    if (count > 0)
        snprintf(text, sizeof text, "%s: %s", waits[best].who, waits[best].what);
    note(verdict, SHOWN_DEADLOCK, text);
}

static bool bytes_differ(const struct deletions *list, const struct trial *trial)
{
    const struct core_job *job = list->order->cores;

    if (job->dump_count == 0)
        return memcmp(trial->l1, list->with.l1, tsr_l1_size(list->places.arch)) != 0;
    for (int i = 0; i < job->dump_count; i++)
        if (memcmp(trial->l1 + job->dumps[i].address, list->with.l1 + job->dumps[i].address,
                   job->dumps[i].size) != 0)
            return true;
    return false;
}

static void note_semaphores(const struct deletions *list, const struct trial *trial,
                            struct verdict_text *verdict)
{
    for (int i = 0; i < SEMAPHORES; i++) {
        uint8_t with = 0, without = 0, max;
        char text[64];
        if (tsr_view_semaphore(list->with.tile, i, &with, &max) != TSR_OK ||
            tsr_view_semaphore(trial->tile, i, &without, &max) != TSR_OK || with == without)
            continue;
        snprintf(text, sizeof text, "%d is %d, not %d", i, without, with);
        note(verdict, SHOWN_SEMAPHORE, text);
    }
}

// What nothing has shown yet leaves the same in other orders, too, if nobody needs it.
static bool try_orders(const struct deletions *list, const struct step_place *place,
                       struct verdict_text *verdict, struct message *why)
{
    static const tsr_schedule schedules[] = {TSR_SCHEDULE_EAGER, TSR_SCHEDULE_LATE};
    static const char *const names[] = {"eager", "late"};
    const tsr_options *options = &list->order->choice->options;
    bool ok = true;

    if (verdict->shown < SHOWN_SEMAPHORE || options->timing)
        return true;
    for (int i = 0; ok && i < 2; i++) {
        struct trial trial = {0};
        ok = try_without(list, place, schedules[i], &trial, why);
        if (ok && (trial.run.end != list->with.run.end || bytes_differ(list, &trial)))
            note(verdict, SHOWN_ORDER, names[i]);
        trial_free(&trial);
    }
    return ok;
}

static void judge(const struct deletions *list, const struct trial *trial,
                  struct verdict_text *verdict)
{
    *verdict = (struct verdict_text){.shown = SHOWN_REDUNDANT};
    note_findings(list, trial, SHOWN_RACE, verdict);
    if (trial->run.end == TSR_END_DEADLOCK)
        note_deadlock(trial, verdict);
    note_findings(list, trial, SHOWN_FINDING, verdict);
    if (trial->run.end == TSR_END_TIMEOUT)
        note(verdict, SHOWN_TIME_OUT, "");
    if (trial->run.end == list->with.run.end) {
        if (bytes_differ(list, trial))
            note(verdict, SHOWN_BYTES, "");
        note_semaphores(list, trial, verdict);
    }
    note_findings(list, trial, SHOWN_PAGES, verdict);
}

// ---------------------------------------------------------------- the list

static void print_place(FILE *file, const struct deletions *list, const struct step_place *place,
                        const struct verdict_text *verdict, const char *step)
{
    struct elf_frame frame = elf_place(list->order->cores->lines[place->core], place->pc);

    if (frame.line > 0)
        fprintf(file, "%s:%d: ", frame.file, frame.line);
    fprintf(file, "%s 0x%08" PRIx32 ": %s%s%s: %s\n", tsr_core_program_name((tsr_core)place->core),
            place->pc, paint(file, verdict->shown >= SHOWN_PAGES ? PAINT_WARNING : PAINT_GOOD),
            verdict->text, paint(file, PAINT_NONE), step);
}

static json_t *place_json(const struct deletions *list, const struct step_place *place,
                          const struct verdict_text *verdict, const char *step)
{
    struct elf_frame frame = elf_place(list->order->cores->lines[place->core], place->pc);
    json_t *object = json_object();

    report_file_json(object, frame.file, frame.path);
    json_object_set_new(object, "line", frame.line > 0 ? json_integer(frame.line) : json_null());
    json_object_set_new(object, "core", json_string(tsr_core_program_name((tsr_core)place->core)));
    json_object_set_new(object, "pc", json_integer(place->pc));
    json_object_set_new(object, "step", json_string(step));
    json_object_set_new(object, "shown", json_string(shown_names[verdict->shown]));
    json_object_set_new(object, "text", json_string(verdict->text));
    return object;
}

static void print_totals(FILE *file, const struct deletions *list)
{
    bool first = true;

    for (int i = 0; i < SHOWN_KINDS; i++) {
        if (list->totals[i] == 0)
            continue;
        fprintf(file, "%s%s: %d", first ? "" : ", ", shown_names[i], list->totals[i]);
        first = false;
    }
    if (!first)
        fputs("\n", file);
}

static bool write_one(FILE *file, json_t *array, struct deletions *list,
                      const struct step_place *place, struct message *why)
{
    struct verdict_text verdict = {.shown = SHOWN_NOT_REMOVED};
    struct trial trial = {0};
    char step[200];
    bool ok = true;

    if (step_place_removed(place) == 0) {
        note(&verdict, SHOWN_NOT_REMOVED, "");
    } else {
        ok = try_without(list, place, TSR_SCHEDULE_CARD, &trial, why);
        if (ok)
            judge(list, &trial, &verdict);
        ok = ok && try_orders(list, place, &verdict, why);
        if (ok && verdict.text[0] == '\0')
            note(&verdict, SHOWN_REDUNDANT, "");
    }
    step_place_text(&list->places, place, step, sizeof step);
    list->totals[verdict.shown]++;
    if (ok && array != NULL)
        json_array_append_new(array, place_json(list, place, &verdict, step));
    else if (ok)
        print_place(file, list, place, &verdict, step);
    trial_free(&trial);
    return ok;
}

// Where they go: `array`, or lines of `file`.
static bool write_all(FILE *file, json_t *array, const struct run_picture *picture,
                      const struct deletion_order *order, struct message *why)
{
    enum { TIMES = 4, AT_LEAST = 100000 };
    struct deletions *list = calloc(1, sizeof *list);

    if (list == NULL)
        return message_no_memory(why, "--deletions");
    list->picture = picture;
    list->order = order;
    list->max_cycles = TIMES * tsr_cycle(picture->tile) + AT_LEAST;
    bool ok = step_places_find(&list->places, order->cores, order->choice, list->max_cycles,
                               order->stop, why) &&
              try_without(list, NULL, TSR_SCHEDULE_CARD, &list->with, why);
    if (ok && array == NULL)
        fprintf(file, "\nremoved: %d\n", list->places.count);
    for (int i = 0; ok && i < list->places.count && !order->stop(); i++)
        ok = write_one(file, array, list, &list->places.list[i], why);
    if (ok && array == NULL)
        print_totals(file, list);
    trial_free(&list->with);
    free(list);
    return ok;
}

bool deletions_write(FILE *file, const struct run_picture *picture,
                     const struct deletion_order *order, struct message *why)
{
    return write_all(file, NULL, picture, order, why);
}

json_t *deletions_json(const struct run_picture *picture, const struct deletion_order *order,
                       struct message *why)
{
    json_t *array = json_array();

    if (array == NULL)
        message_no_memory(why, "--deletions");
    else if (write_all(NULL, array, picture, order, why))
        return array;
    json_decref(array);
    return NULL;
}
