// SPDX-License-Identifier: Apache-2.0
// The report as text. Plain ASCII unless it goes to a terminal.
#include "run/run_report.h"

#include "common/cli_options.h"
#include "common/paint.h"
#include "ttasm/program.h"

#include <inttypes.h>
#include <string.h>

struct finding_place program_place(const void *program, const tsr_diagnostic *finding)
{
    struct text_place place = ttasm_place(program, finding->thread, finding->sequence);

    return (struct finding_place){.file = place.path, .line = place.line};
}

tsr_diagnostic other_place(const tsr_finding_place *other)
{
    return (tsr_diagnostic){.thread = other->thread,
                            .core = other->core,
                            .sequence = other->sequence,
                            .word = other->word,
                            .has_pc = other->has_pc,
                            .pc = other->pc,
                            .pushed = other->pushed,
                            .pushed_core = other->pushed_core,
                            .pushed_pc = other->pushed_pc};
}

const char *end_sentence(tsr_end end)
{
    static const char *const sentences[] = {
        [TSR_END_IDLE] = "completed",
        [TSR_END_DEADLOCK] = "ended in a deadlock",
        [TSR_END_BLOCKED] = "is blocked",
        [TSR_END_TIMEOUT] = "used up its cycles",
        [TSR_END_STOPPED] = "was stopped by a finding",
        [TSR_END_BREAK] = "was stopped where --stop-at says",
        [TSR_END_NO_TILE] = "had no tile",
        [TSR_END_UNTIL] = "came to what --until says",
        [TSR_END_WORDS] = "used up its words",
    };

    return sentences[end];
}

static void print_head(FILE *file, const struct run_picture *picture, const tsr_run_report *report)
{
    // A run of cores may come to rest although one of them failed.
    bool failed = picture->core_count > 0 && picture->end == TSR_END_IDLE && picture->status != 0;
    fprintf(file, "%s on %s %s%s%s", picture->path, tsr_arch_name(picture->arch),
            paint(file, picture->status == 0 ? PAINT_GOOD : PAINT_BAD),
            failed ? "came to rest, but did not complete," : end_sentence(picture->end),
            paint(file, PAINT_NONE));
    if (picture->timing)
        fprintf(file, " after %" PRIu64 " cycles\n", report->cycles);
    else if (picture->core_count > 0)
        fprintf(file, " after %" PRIu64 " cycles (timing off: one an instruction)\n",
                tsr_cycle(picture->tile));
    else
        fputs(" (timing off: cycles are not counted)\n", file);
}

// ---------------------------------------------------------------- units

// The head of a table comes with its first line.
static void print_units(FILE *file, const struct run_picture *picture, const tsr_run_report *report)
{
    const char *head = picture->timing ? "\nunit             instructions   busy cycles    busy\n"
                                       : "\nunit             instructions\n";

    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++) {
        uint64_t busy = report->unit_busy[unit];
        if (report->unit_instructions[unit] == 0 && busy == 0)
            continue;
        fprintf(file, "%s%-16s %12" PRIu64, head, tsr_unit_name((tsr_unit)unit),
                report->unit_instructions[unit]);
        head = "";
        if (picture->timing)
            fprintf(file, "  %12" PRIu64 "  %5.1f %%", busy,
                    report->cycles == 0 ? 0.0 : 100.0 * (double)busy / (double)report->cycles);
        fputc('\n', file);
    }
    if (report->plans_made + report->plans_reused > 0)
        fprintf(file, "plans of unpackers and packers: %" PRIu64 " made, %" PRIu64 " reused\n",
                report->plans_made, report->plans_reused);
}

// ---------------------------------------------------------------- threads

static void print_threads(FILE *file, const struct run_picture *picture,
                          const tsr_run_report *report)
{
    const char *head = "\n";

    for (int thread = 0; thread < TSR_THREADS; thread++) {
        const char *separator = "; cycles waited: ";
        uint64_t refused = report->refused[thread];
        if (picture->words[thread] == 0 && report->issued[thread] == 0 && refused == 0)
            continue;
        fprintf(file, "%sthread %d: %" PRIu64 " instructions", head, thread,
                report->issued[thread]);
        head = "";
        if (refused > 0)
            fprintf(file, ", %" PRIu64 " refused", refused);
        for (int reason = 1; picture->timing && reason < TSR_REASON_COUNT; reason++) {
            if (report->waited[thread][reason] == 0)
                continue;
            fprintf(file, "%s%s %" PRIu64, separator, tsr_reason_name((tsr_reason)reason),
                    report->waited[thread][reason]);
            separator = ", ";
        }
        fputs(picture->timing && separator[0] == ';' ? "; cycles waited: none\n" : "\n", file);
    }
}

static void print_cores(FILE *file, const struct run_picture *picture)
{
    if (picture->core_count == 0)
        return;
    fputs("\ncore     instructions\n", file);
    for (int i = 0; i < picture->core_count; i++) {
        const struct core_line *core = &picture->cores[i];
        fprintf(file, "%-8s %12" PRIu64 "  %s%s%s\n", core->name, core->retired, core->state,
                core->has_pc ? " at " : "", core->place);
    }
    report_refused(file, picture);
}

void report_refused(FILE *file, const struct run_picture *picture)
{
    for (int i = 0; i < picture->core_count; i++) {
        const struct core_line *core = &picture->cores[i];
        if (core->refused == 0)
            continue;
        if (picture->tile_name != NULL)
            fprintf(file, "tile %s: ", picture->tile_name);
        fprintf(file, "%s: %" PRIu64 " of its instructions were refused and had no effect\n",
                core->name, core->refused);
    }
}

// Of a wait of a core the place of its program; else NULL.
static const struct core_line *core_of(const struct run_picture *picture, const char *who)
{
    if (strncmp(who, "core ", 5) != 0)
        return NULL;
    for (int i = 0; i < picture->core_count; i++)
        if (picture->cores[i].has_pc &&
            strcmp(who + 5, tsr_core_name((tsr_core)picture->cores[i].core)) == 0)
            return &picture->cores[i];
    return NULL;
}

static void print_change(FILE *file, const struct run_picture *picture, const tsr_wait *wait)
{
    const tsr_diagnostic by = {.thread = wait->changed_thread,
                               .core = -1,
                               .sequence = wait->changed_sequence,
                               .pushed = wait->changed_pushed,
                               .pushed_core = wait->changed_pushed_core,
                               .pushed_pc = wait->changed_pushed_pc};

    fprintf(file, "; last changed by %s", wait->changed);
    if (wait->changed_thread < 0)
        return;
    struct finding_place place = picture->place(picture->source, &by);
    if (place.line > 0)
        fprintf(file, " at %s:%d", place.file, place.line);
}

struct finding_place find_wait_place(const struct run_picture *picture, const tsr_wait *wait)
{
    const tsr_diagnostic by = {.thread = wait->thread,
                               .core = -1,
                               .sequence = wait->sequence,
                               .word = wait->word,
                               .pushed = wait->pushed,
                               .pushed_core = wait->pushed_core,
                               .pushed_pc = wait->pushed_pc};

    const struct core_line *core = core_of(picture, wait->who);

    if (core != NULL)
        return (struct finding_place){
            .file = core->file, .line = core->line, .function = core->function};
    if (wait->thread < 0)
        return (struct finding_place){.file = NULL};
    return picture->place(picture->source, &by);
}

void report_waits(FILE *file, const struct run_picture *picture)
{
    for (int i = 0; i < picture->wait_count; i++) {
        const tsr_wait *wait = &picture->waits[i];
        if (picture->tile_name != NULL)
            fprintf(file, "tile %s: ", picture->tile_name);
        fprintf(file, "%s: %s", wait->who, wait->what);
        if (picture->timing)
            fprintf(file, ", since cycle %" PRIu64, wait->since);
        const struct finding_place place = find_wait_place(picture, wait);
        if (core_of(picture, wait->who) != NULL)
            fprintf(file, ", at %s", core_of(picture, wait->who)->place);
        else if (place.line > 0)
            fprintf(file, ", at %s:%d", place.file, place.line);
        if (wait->changed[0] != '\0')
            print_change(file, picture, wait);
        if (wait->release[0] != '\0')
            fprintf(file, "; %s would release it", wait->release);
        fputc('\n', file);
    }
}

// ---------------------------------------------------------------- findings

void report_finding_line(FILE *file, const struct run_picture *picture,
                         const tsr_diagnostic *finding)
{
    struct finding_place place = picture->place(picture->source, finding);

    fputs(place.file, file);
    if (place.line > 0)
        fprintf(file, ":%d", place.line);
    fprintf(file, ": %s%s (%s):%s %s\n",
            paint(file, finding->action == TSR_ACTION_STOP ? PAINT_BAD : PAINT_WARNING),
            tsr_category_name(finding->category), finding->code, paint(file, PAINT_NONE),
            finding->sentence);
}

struct finding_place find_other_place(const struct run_picture *picture,
                                      const tsr_finding_place *other)
{
    const tsr_diagnostic at = other_place(other);

    return other->has_node && picture->place_in != NULL
               ? picture->place_in(picture->chip, other->node_x, other->node_y, &at)
               : picture->place(picture->source, &at);
}

// The other place of a race, and what is missing between the two.
static void print_other(FILE *file, const struct run_picture *picture,
                        const tsr_diagnostic *finding)
{
    const tsr_finding_place *other = &finding->other;
    struct finding_place place = find_other_place(picture, other);

    fprintf(file, "    other: %s", place.file);
    if (place.line > 0)
        fprintf(file, ":%d", place.line);
    if (other->has_node)
        fprintf(file, ": tile %u,%u", other->node_x, other->node_y);
    if (other->thread >= 0)
        fprintf(file, ": thread %d, number %" PRIu64 ": %s\n", other->thread, other->sequence,
                other->instruction);
    else
        fprintf(file, ": core %s\n", tsr_core_name((tsr_core)other->core));
    if (place.origin[0] != '\0')
        fprintf(file, "    other core: %s\n", place.origin);
    fprintf(file, "    missing: %s\n", finding->wait);
}

void report_finding(FILE *file, const struct run_picture *picture, const tsr_diagnostic *finding)
{
    report_finding_line(file, picture, finding);
    struct finding_place place = picture->place(picture->source, finding);
    if (picture->tile_name != NULL)
        fprintf(file, "    tile%s: %s\n", picture->tile_count > 1 ? "s" : "", picture->tile_name);
    if (place.origin[0] != '\0')
        fprintf(file, "    core: %s\n", place.origin);
    if (finding->instruction[0] != '\0')
        fprintf(file, "    instruction: thread %d, number %" PRIu64 ": %s\n", finding->thread,
                finding->sequence, finding->instruction);
    if (finding->has_other)
        print_other(file, picture, finding);
    if (picture->timing)
        fprintf(file, "    cycle: %" PRIu64 "\n", finding->cycle);
    for (int i = 0; i < finding->field_count; i++)
        fprintf(file, "    %s = 0x%" PRIx32 "\n", finding->fields[i].name,
                finding->fields[i].value);
    fprintf(file, "    action: %s", tsr_action_name(finding->action));
    if (finding->repeats > 0)
        fprintf(file, "; repeated %" PRIu64 " more times", finding->repeats);
    fprintf(file, "\n    page: %s; tessera explain %s\n", finding->page, finding->code);
}

static void print_findings(FILE *file, const struct run_picture *picture)
{
    int count = tsr_diagnostic_count(picture->tile);
    uint64_t dropped = tsr_diagnostics_dropped(picture->tile);

    fprintf(file, "\nfindings: %d\n", count);
    for (int i = 0; i < count; i++)
        report_finding(file, picture, tsr_diagnostic_at(picture->tile, i));
    if (dropped > 0)
        fprintf(file, "%" PRIu64 " more were not kept\n", dropped);
}

void report_text(FILE *file, const struct run_picture *picture)
{
    tsr_run_report report;

    tsr_get_report(picture->tile, &report);
    print_head(file, picture, &report);
    print_units(file, picture, &report);
    print_threads(file, picture, &report);
    print_cores(file, picture);
    if (picture->wait_count > 0)
        fputs("\nwaiting\n", file);
    report_waits(file, picture);
    print_findings(file, picture);
    if (picture->dump != NULL)
        fprintf(file, "\n%s", picture->dump);
}

void report_reason(FILE *file, const struct run_picture *picture)
{
    const tsr_diagnostic *finding = stopping_finding(picture->tile);

    if (finding != NULL) {
        fprintf(file, "%stessera:%s ", paint(file, PAINT_BAD), paint(file, PAINT_NONE));
        report_finding_line(file, picture, finding);
        return;
    }
    fprintf(file, "%stessera:%s %s: %s\n", paint(file, PAINT_BAD), paint(file, PAINT_NONE),
            picture->path, tsr_end_name(picture->end));
}
