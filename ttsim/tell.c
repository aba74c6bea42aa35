// SPDX-License-Identifier: Apache-2.0
// Findings as text and as JSON lines, who waits for what as JSON lines, and events as lines of a
// trace.
#include "tell.h"

#include <stdlib.h>

static const char *core_name(int core)
{
    return core >= 0 ? tsr_core_name((tsr_core)core) : "";
}

// The other place of a race.
static void tell_other(FILE *file, const tsr_diagnostic *found)
{
    const tsr_finding_place *other = &found->other;
    fputs("    other:", file);
    if (other->has_node)
        fprintf(file, " tile %u-%u", other->node_x, other->node_y);
    if (other->core >= 0)
        fprintf(file, " core %s", core_name(other->core));
    if (other->thread >= 0)
        fprintf(file, " thread %d: %s", other->thread, other->instruction);
    if (other->has_pc || other->pushed)
        fprintf(file, " pc 0x%08x", (unsigned)(other->has_pc ? other->pc : other->pushed_pc));
    fprintf(file, "\n    missing: %s\n", found->wait);
}

static void tell_lines(FILE *file, int device, const tsr_chip_finding *finding)
{
    const tsr_diagnostic *found = finding->diagnostic;
    const tsr_node_info *node = &finding->node;
    fputs("tessera: ", file);
    if (device >= 0)
        fprintf(file, "device %d, ", device);
    fprintf(file, "tile %u-%u (%s)", node->x, node->y, tsr_node_kind_name(node->kind));
    if (found->core >= 0)
        fprintf(file, ", core %s", core_name(found->core));
    if (found->thread >= 0)
        fprintf(file, ", thread %d", found->thread);
    if (found->has_pc)
        fprintf(file, ", pc 0x%08x", (unsigned)found->pc);
    else if (found->pushed)
        fprintf(file, ", pushed by core %s at pc 0x%08x", core_name(found->pushed_core),
                (unsigned)found->pushed_pc);
    fprintf(file, ", cycle %llu: %s (%s)%s: %s\n", (unsigned long long)found->cycle,
            tsr_category_name(found->category), found->code,
            found->action == TSR_ACTION_STOP ? ", the tile stops" : "", found->sentence);
    if (found->instruction[0])
        fprintf(file, "    instruction: %s\n", found->instruction);
    if (found->has_other)
        tell_other(file, found);
    for (int i = 0; i < found->field_count; i++)
        fprintf(file, "    %s = %u\n", found->fields[i].name, (unsigned)found->fields[i].value);
    fprintf(file, "    page: %s; tessera explain %s\n", found->page, found->code);
}

// stderr has no buffer, and hosts write there, too: a finding is one write, so that nothing of
// theirs lands inside of it.
void ttsim_tell_finding(FILE *file, int device, const tsr_chip_finding *finding)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    tell_lines(lines ? lines : file, device, finding);
    if (lines && fclose(lines) == 0)
        fwrite(text, 1, size, file);
    free(text);
}

static void json_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, ",\"%s\":\"", name);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, file);
    fputc('"', file);
}

// The beginning of a line.
static void json_node(FILE *file, int device, tsr_arch arch, const tsr_node_info *node)
{
    fprintf(file, "{\"x\":%u,\"y\":%u", node->x, node->y);
    if (device >= 0)
        fprintf(file, ",\"device\":%d", device);
    json_text(file, "chip", tsr_arch_name(arch));
    json_text(file, "tile", tsr_node_kind_name(node->kind));
}

static void json_other(FILE *file, const tsr_diagnostic *found)
{
    const tsr_finding_place *other = &found->other;
    fprintf(file, ",\"other\":{\"thread\":%d", other->thread);
    if (other->has_node)
        fprintf(file, ",\"x\":%u,\"y\":%u", other->node_x, other->node_y);
    if (other->core >= 0)
        json_text(file, "core", core_name(other->core));
    if (other->has_pc || other->pushed)
        fprintf(file, ",\"pc\":%u", (unsigned)(other->has_pc ? other->pc : other->pushed_pc));
    json_text(file, "instruction", other->instruction);
    fputc('}', file);
    json_text(file, "missing", found->wait);
}

void ttsim_tell_json(FILE *file, int device, tsr_arch arch, const tsr_chip_finding *finding)
{
    const tsr_diagnostic *found = finding->diagnostic;
    json_node(file, device, arch, &finding->node);
    json_text(file, "code", found->code);
    json_text(file, "category", tsr_category_name(found->category));
    json_text(file, "action", tsr_action_name(found->action));
    fprintf(file, ",\"cycle\":%llu", (unsigned long long)found->cycle);
    if (found->core >= 0)
        json_text(file, "core", core_name(found->core));
    if (found->thread >= 0)
        fprintf(file, ",\"thread\":%d,\"sequence\":%llu", found->thread,
                (unsigned long long)found->sequence);
    if (found->has_pc)
        fprintf(file, ",\"pc\":%u", (unsigned)found->pc);
    if (found->pushed) {
        json_text(file, "pushed_core", core_name(found->pushed_core));
        fprintf(file, ",\"pushed_pc\":%u", (unsigned)found->pushed_pc);
    }
    if (found->instruction[0])
        json_text(file, "instruction", found->instruction);
    json_text(file, "sentence", found->sentence);
    if (found->has_other)
        json_other(file, found);
    json_text(file, "page", found->page);
    fputs(",\"fields\":{", file);
    for (int i = 0; i < found->field_count; i++)
        fprintf(file, "%s\"%s\":%u", i ? "," : "", found->fields[i].name,
                (unsigned)found->fields[i].value);
    fputs("}}\n", file);
    fflush(file);
}

void ttsim_tell_waits(FILE *file, int device, const tsr_node_info *node, const tsr_tile *tile)
{
    enum { MOST_WAITS = 32 };
    tsr_wait waits[MOST_WAITS];
    tsr_core_state state;
    int count = tsr_waits(tile, waits, MOST_WAITS);
    for (int i = 0; i < count && i < MOST_WAITS; i++) {
        int core = waits[i].core;
        json_node(file, device, tsr_tile_arch(tile), node);
        json_text(file, "who", waits[i].who);
        json_text(file, "waits", waits[i].what);
        if (waits[i].release[0])
            json_text(file, "release", waits[i].release);
        if (waits[i].changed[0])
            json_text(file, "changed", waits[i].changed);
        if (core >= 0 && tsr_view_core(tile, (tsr_core)core, &state) == TSR_OK) {
            json_text(file, "core", core_name(core));
            fprintf(file, ",\"pc\":%u", (unsigned)state.pc);
        } else if (waits[i].pushed) {
            json_text(file, "pushed_core", core_name(waits[i].pushed_core));
            fprintf(file, ",\"pushed_pc\":%u", (unsigned)waits[i].pushed_pc);
        }
        fprintf(file, ",\"since\":%llu}\n", (unsigned long long)waits[i].since);
    }
}

void ttsim_tell_event(FILE *file, int device, tsr_arch arch, const tsr_node_info *node,
                      const tsr_event *event)
{
    char text[TSR_INSTRUCTION_TEXT] = "";
    if (event->kind == TSR_EVENT_WAIT)
        snprintf(text, sizeof text, "waits: %s", tsr_reason_name(event->reason));
    else if (event->kind == TSR_EVENT_RESET)
        snprintf(text, sizeof text, "core %s %s 0x%08x", core_name(event->core),
                 event->word ? "held in reset, from" : "starts at", (unsigned)event->pc);
    else if (event->kind == TSR_EVENT_REFUSED && event->core >= 0)
        snprintf(text, sizeof text, "refused: core %s at 0x%08x, word 0x%08x (%s)",
                 core_name(event->core), (unsigned)event->pc, (unsigned)event->word, event->code);
    else if (event->kind == TSR_EVENT_REFUSED)
        snprintf(text, sizeof text, "refused: word 0x%08x (%s)", (unsigned)event->word,
                 event->code);
    else
        tsr_disassemble(arch, event->word, text, sizeof text);
    if (device >= 0)
        fprintf(file, "%d:", device);
    fprintf(file, "%u-%u\t%d\t%s\t%llu\t%llu\t%llu\t%llu\t%s\n", node->x, node->y, event->thread,
            event->unit < TSR_UNIT_COUNT ? tsr_unit_name(event->unit) : "frontend",
            (unsigned long long)event->sequence, (unsigned long long)event->accepted,
            (unsigned long long)event->executed, (unsigned long long)event->completed, text);
}
