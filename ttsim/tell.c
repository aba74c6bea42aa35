// SPDX-License-Identifier: Apache-2.0
// Findings as text and as JSON lines, and events as lines of a trace.
#include "tell.h"

static const char *core_name(int core)
{
    static const char *const names[] = {"B", "T0", "T1", "T2", "NC"};
    return core >= 0 && core <= TSR_CORE_NC ? names[core] : "";
}

void ttsim_tell_finding(FILE *file, const tsr_chip_finding *finding)
{
    const tsr_diagnostic *found = finding->diagnostic;
    const tsr_node_info *node = &finding->node;
    fprintf(file, "tessera: tile %u-%u (%s)", node->x, node->y, tsr_node_kind_name(node->kind));
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
    for (int i = 0; i < found->field_count; i++)
        fprintf(file, "    %s = %u\n", found->fields[i].name, (unsigned)found->fields[i].value);
    fprintf(file, "    page: %s; tessera explain %s\n", found->page, found->code);
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

void ttsim_tell_json(FILE *file, const tsr_chip_finding *finding)
{
    const tsr_diagnostic *found = finding->diagnostic;
    fprintf(file, "{\"x\":%u,\"y\":%u", finding->node.x, finding->node.y);
    json_text(file, "tile", tsr_node_kind_name(finding->node.kind));
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
    json_text(file, "page", found->page);
    fputs(",\"fields\":{", file);
    for (int i = 0; i < found->field_count; i++)
        fprintf(file, "%s\"%s\":%u", i ? "," : "", found->fields[i].name,
                (unsigned)found->fields[i].value);
    fputs("}}\n", file);
    fflush(file);
}

void ttsim_tell_event(FILE *file, tsr_arch arch, const tsr_node_info *node, const tsr_event *event)
{
    char text[TSR_INSTRUCTION_TEXT] = "";
    if (event->kind == TSR_EVENT_WAIT)
        snprintf(text, sizeof text, "waits: %s", tsr_reason_name(event->reason));
    else
        tsr_disassemble(arch, event->word, text, sizeof text);
    fprintf(file, "%u-%u\t%d\t%s\t%llu\t%llu\t%llu\t%llu\t%s\n", node->x, node->y, event->thread,
            event->unit < TSR_UNIT_COUNT ? tsr_unit_name(event->unit) : "frontend",
            (unsigned long long)event->sequence, (unsigned long long)event->accepted,
            (unsigned long long)event->executed, (unsigned long long)event->completed, text);
}
