// SPDX-License-Identifier: Apache-2.0
// The report as one JSON object (docs/cli.md, "The report as JSON"). jansson gives a null pointer
// where memory ends, and passes it on, so that only the whole has to be checked.
#include "run/report_json.h"

#include <stdlib.h>
#include <string.h>

// The bytes of a UTF-8 character; 0 for what is none (RFC 3629, 4).
static size_t character_size(const unsigned char *bytes, size_t left)
{
    size_t size = bytes[0] < 0x80   ? 1
                  : bytes[0] < 0xc2 ? 0
                  : bytes[0] < 0xe0 ? 2
                  : bytes[0] < 0xf0 ? 3
                  : bytes[0] < 0xf5 ? 4
                                    : 0;

    if (size > left)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    if (size < 3)
        return size;
    // Overlong forms, surrogates, and what lies behind the last code point.
    bool bad = (bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xed && bytes[1] >= 0xa0) ||
               (bytes[0] == 0xf0 && bytes[1] < 0x90) || (bytes[0] == 0xf4 && bytes[1] >= 0x90);
    return bad ? 0 : size;
}

// Names of files may hold any byte, JSON holds characters: U+FFFD for each byte of none.
json_t *report_text_json(const char *text, size_t length)
{
    char *valid = malloc(3 * length + 1);
    size_t used = 0;

    if (valid == NULL)
        return NULL;
    for (size_t i = 0; i < length;) {
        size_t size = character_size((const unsigned char *)text + i, length - i);
        memcpy(valid + used, size == 0 ? "\xef\xbf\xbd" : text + i, size == 0 ? 3 : size);
        used += size == 0 ? 3 : size;
        i += size == 0 ? 1 : size;
    }
    json_t *json = json_stringn(valid, used);
    free(valid);
    return json;
}

void report_file_json(json_t *object, const char *file, const char *path)
{
    const char *whole = path != NULL && path[0] != '\0' ? path : file;

    json_object_set_new(object, "file",
                        file == NULL ? json_null() : report_text_json(file, strlen(file)));
    json_object_set_new(object, "path",
                        file == NULL ? json_null() : report_text_json(whole, strlen(whole)));
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *report_units_json(const struct run_picture *picture, const tsr_run_report *report)
{
    json_t *units = json_array();

    for (int i = 0; i < TSR_UNIT_COUNT; i++) {
        json_t *unit = json_object();
        json_object_set_new(unit, "name", json_string(tsr_unit_name((tsr_unit)i)));
        json_object_set_new(unit, "instructions", number(report->unit_instructions[i]));
        if (picture->timing) {
            json_object_set_new(unit, "busy_cycles", number(report->unit_busy[i]));
            json_object_set_new(unit, "busy_share",
                                json_real(report->cycles == 0 ? 0.0
                                                              : (double)report->unit_busy[i] /
                                                                    (double)report->cycles));
        }
        json_array_append_new(units, unit);
    }
    return units;
}

static json_t *threads_json(const struct run_picture *picture, const tsr_run_report *report)
{
    json_t *threads = json_array();

    for (int i = 0; i < TSR_THREADS; i++) {
        json_t *thread = json_object(), *waited = json_object();
        json_object_set_new(thread, "words", number(picture->words[i]));
        json_object_set_new(thread, "issued", number(report->issued[i]));
        json_object_set_new(thread, "refused", number(report->refused[i]));
        for (int reason = 1; reason < TSR_REASON_COUNT; reason++)
            if (report->waited[i][reason] > 0)
                json_object_set_new(waited, tsr_reason_name((tsr_reason)reason),
                                    number(report->waited[i][reason]));
        json_object_set_new(thread, "waited_cycles", waited);
        json_array_append_new(threads, thread);
    }
    return threads;
}

// The other place of a race.
static json_t *other_json(const struct run_picture *picture, const tsr_diagnostic *finding)
{
    const tsr_diagnostic at = other_place(&finding->other);
    struct finding_place place = find_other_place(picture, &finding->other);
    json_t *object = json_object();

    if (finding->other.has_node)
        json_object_set_new(
            object, "tile",
            json_pack("[i,i]", (int)finding->other.node_x, (int)finding->other.node_y));
    report_file_json(object, place.file, place.path);
    json_object_set_new(object, "line", place.line > 0 ? json_integer(place.line) : json_null());
    json_object_set_new(object, "thread", json_integer(at.thread));
    json_object_set_new(object, "core", json_integer(at.core));
    json_object_set_new(object, "pc",
                        at.has_pc   ? number(at.pc)
                        : at.pushed ? number(at.pushed_pc)
                                    : json_null());
    json_object_set_new(object, "sequence", number(at.sequence));
    json_object_set_new(object, "instruction", json_string(finding->other.instruction));
    return object;
}

json_t *report_finding_json(const struct run_picture *picture, const tsr_diagnostic *finding)
{
    json_t *object = json_object(), *fields = json_object();
    struct finding_place place = picture->place(picture->source, finding);

    for (int i = 0; i < finding->field_count; i++)
        json_object_set_new(fields, finding->fields[i].name, number(finding->fields[i].value));
    json_object_set_new(object, "category", json_string(tsr_category_name(finding->category)));
    json_object_set_new(object, "code", json_string(finding->code));
    json_object_set_new(object, "action", json_string(tsr_action_name(finding->action)));
    json_object_set_new(object, "sentence",
                        report_text_json(finding->sentence, strlen(finding->sentence)));
    report_file_json(object, place.file, place.path);
    json_object_set_new(object, "line", place.line > 0 ? json_integer(place.line) : json_null());
    json_object_set_new(object, "cycle", number(finding->cycle));
    json_object_set_new(object, "thread", json_integer(finding->thread));
    json_object_set_new(object, "core", json_integer(finding->core));
    if (picture->core_count > 0) {
        json_object_set_new(object, "pc",
                            finding->has_pc   ? number(finding->pc)
                            : finding->pushed ? number(finding->pushed_pc)
                                              : json_null());
        json_object_set_new(object, "function",
                            place.function == NULL
                                ? json_null()
                                : report_text_json(place.function, strlen(place.function)));
    }
    json_object_set_new(object, "sequence", number(finding->sequence));
    json_object_set_new(object, "word", number(finding->word));
    json_object_set_new(object, "instruction", json_string(finding->instruction));
    if (finding->has_other) {
        json_object_set_new(object, "other", other_json(picture, finding));
        json_object_set_new(object, "missing",
                            report_text_json(finding->wait, strlen(finding->wait)));
    }
    json_object_set_new(object, "fields", fields);
    json_object_set_new(object, "page", json_string(finding->page));
    json_object_set_new(object, "repeats", number(finding->repeats));
    return object;
}

static json_t *findings_json(const struct run_picture *picture)
{
    json_t *findings = json_array();

    for (int i = 0; i < tsr_diagnostic_count(picture->tile); i++)
        json_array_append_new(findings,
                              report_finding_json(picture, tsr_diagnostic_at(picture->tile, i)));
    return findings;
}

json_t *report_waits_json(const struct run_picture *picture)
{
    json_t *waits = json_array();

    for (int i = 0; i < picture->wait_count; i++) {
        const tsr_wait *wait = &picture->waits[i];
        json_t *object = json_object();
        json_object_set_new(object, "who", json_string(wait->who));
        json_object_set_new(object, "what", json_string(wait->what));
        json_object_set_new(object, "release", json_string(wait->release));
        json_object_set_new(object, "since", number(wait->since));
        json_object_set_new(object, "changed", json_string(wait->changed));
        const struct finding_place place = find_wait_place(picture, wait);
        bool known = place.line > 0;
        report_file_json(object, known ? place.file : NULL, place.path);
        json_object_set_new(object, "line", known ? json_integer(place.line) : json_null());
        json_array_append_new(waits, object);
    }
    return waits;
}

json_t *report_cores_json(const struct run_picture *picture)
{
    json_t *cores = json_array();

    for (int i = 0; i < picture->core_count; i++) {
        const struct core_line *core = &picture->cores[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", json_string(core->name));
        json_object_set_new(object, "instructions", number(core->retired));
        json_object_set_new(object, "refused", number(core->refused));
        json_object_set_new(object, "state", json_string(core->state));
        json_object_set_new(object, "pc", core->has_pc ? number(core->pc) : json_null());
        json_object_set_new(object, "function",
                            core->has_pc ? report_text_json(core->function, strlen(core->function))
                                         : json_null());
        report_file_json(object, core->has_pc ? core->file : NULL, core->path);
        json_object_set_new(object, "line",
                            core->line > 0 ? json_integer(core->line) : json_null());
        json_array_append_new(cores, object);
    }
    return cores;
}

json_t *report_lines_json(const char *text)
{
    json_t *lines = json_array();

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        json_array_append_new(lines, report_text_json(text, length));
        text += length + (text[length] == '\n');
    }
    return lines;
}

bool report_json(FILE *file, const struct run_picture *picture)
{
    json_t *root = json_object();
    tsr_run_report report;

    tsr_get_report(picture->tile, &report);
    json_object_set_new(root, "tessera", json_string(tsr_version()));
    json_object_set_new(root, "program", report_text_json(picture->path, strlen(picture->path)));
    json_object_set_new(root, "arch", json_string(tsr_arch_name(picture->arch)));
    json_object_set_new(root, "timing", json_boolean(picture->timing));
    json_object_set_new(root, "end", json_string(tsr_end_name(picture->end)));
    json_object_set_new(root, "status", json_integer(picture->status));
    json_object_set_new(root, "cycles",
                        picture->timing           ? number(report.cycles)
                        : picture->core_count > 0 ? number(tsr_cycle(picture->tile))
                                                  : json_null());
    json_object_set_new(root, "units", report_units_json(picture, &report));
    json_object_set_new(root, "threads", threads_json(picture, &report));
    if (picture->core_count > 0)
        json_object_set_new(root, "cores", report_cores_json(picture));
    json_object_set_new(root, "plans_made", number(report.plans_made));
    json_object_set_new(root, "plans_reused", number(report.plans_reused));
    json_object_set_new(root, "waits", report_waits_json(picture));
    json_object_set_new(root, "findings", findings_json(picture));
    json_object_set_new(root, "findings_dropped", number(tsr_diagnostics_dropped(picture->tile)));
    if (picture->wait_list != NULL)
        json_object_set(root, "wait_list", picture->wait_list);
    if (picture->deletion_list != NULL)
        json_object_set(root, "deletion_list", picture->deletion_list);
    if (picture->dump != NULL)
        json_object_set_new(root, "dump", report_lines_json(picture->dump));
    bool ok = root != NULL && json_dumpf(root, file, JSON_INDENT(2)) == 0;
    fputc('\n', file);
    json_decref(root);
    return ok;
}
