// SPDX-License-Identifier: Apache-2.0
// Trace events in the JSON Array Format of Chrome's trace viewer: process 1 has a track for each
// unit, process 2 one for each thread. A microsecond of the trace is a cycle; with timing off,
// where no cycles pass, it is a place in the order of completion.
#include "run/trace_json.h"

#include <inttypes.h>

enum { PROCESS_UNITS = 1, PROCESS_THREADS = 2 };

static void name_track(FILE *file, int process, int track, const char *what, const char *name)
{
    fprintf(file,
            "{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":\"%s\"}},\n",
            process, track, what, name);
}

static void write_tracks(FILE *file)
{
    name_track(file, PROCESS_UNITS, 0, "process_name", "units");
    name_track(file, PROCESS_THREADS, 0, "process_name", "threads");
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++)
        name_track(file, PROCESS_UNITS, unit + 1, "thread_name", tsr_unit_name((tsr_unit)unit));
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        char name[32];
        snprintf(name, sizeof name, "thread %d", thread);
        name_track(file, PROCESS_THREADS, thread + 1, "thread_name", name);
    }
}

static void write_slice(struct trace_writer *writer, int process, int track, const char *name,
                        uint64_t begin, uint64_t end)
{
    // Nothing that happened may be invisible: a slice is at least one unit long.
    uint64_t length = end > begin ? end - begin : 1;

    fprintf(writer->file,
            "{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
            ",\"name\":\"%s\"",
            process, track, begin, length, name);
}

static void write_instruction(struct trace_writer *writer, const tsr_event *event)
{
    const tsr_instruction_info *info = tsr_instruction_decode(writer->arch, event->word);
    const char *name = info == NULL ? "unknown" : info->mnemonic;
    char text[TSR_INSTRUCTION_TEXT];
    uint64_t begin = writer->timing ? event->accepted : writer->events;
    uint64_t end = writer->timing ? event->completed : writer->events + 1;

    tsr_disassemble(writer->arch, event->word, text, sizeof text);
    if (event->unit < TSR_UNIT_COUNT) {
        write_slice(writer, PROCESS_UNITS, (int)event->unit + 1, name, begin, end);
        fprintf(writer->file,
                ",\"args\":{\"thread\":%d,\"sequence\":%" PRIu64 ",\"instruction\":\"%s\","
                "\"accepted\":%" PRIu64 ",\"executed\":%" PRIu64 ",\"completed\":%" PRIu64 "}},\n",
                event->thread, event->sequence, text, event->accepted, event->executed,
                event->completed);
    }
    write_slice(writer, PROCESS_THREADS, event->thread + 1, name, begin, begin + 1);
    fprintf(writer->file, ",\"args\":{\"sequence\":%" PRIu64 ",\"instruction\":\"%s\"}},\n",
            event->sequence, text);
}

static void write_wait(struct trace_writer *writer, const tsr_event *event)
{
    uint64_t begin = writer->timing ? event->accepted : writer->events;
    uint64_t end = writer->timing ? event->completed : writer->events + 1;

    // NOP and what the expanders take belong to no unit.
    const char *unit = event->unit < TSR_UNIT_COUNT ? tsr_unit_name(event->unit) : "none";

    write_slice(writer, PROCESS_THREADS, event->thread + 1, tsr_reason_name(event->reason), begin,
                end);
    fprintf(writer->file, ",\"args\":{\"sequence\":%" PRIu64 ",\"unit\":\"%s\"}},\n",
            event->sequence, unit);
}

static void observe(void *user, const tsr_event *event)
{
    struct trace_writer *writer = user;

    if (event->kind == TSR_EVENT_WAIT)
        write_wait(writer, event);
    else
        write_instruction(writer, event);
    writer->events++;
}

void trace_begin(struct trace_writer *writer, FILE *file, tsr_tile *tile, bool timing)
{
    *writer = (struct trace_writer){.file = file, .arch = tsr_tile_arch(tile), .timing = timing};
    fputs("{\"traceEvents\":[\n", file);
    write_tracks(file);
    tsr_tile_observe(tile, observe, writer);
}

void trace_end(struct trace_writer *writer, tsr_tile *tile)
{
    tsr_tile_observe(tile, NULL, NULL);
    // No comma follows the last entry.
    fprintf(writer->file,
            "{\"ph\":\"M\",\"pid\":%d,\"tid\":0,\"name\":\"process_sort_index\","
            "\"args\":{\"sort_index\":%d}}\n],\n\"otherData\":{\"tessera\":\"%s\",\"arch\":\"%s\","
            "\"clock\":\"%s\",\"events\":%" PRIu64 "}}\n",
            PROCESS_THREADS, PROCESS_THREADS, tsr_version(), tsr_arch_name(writer->arch),
            writer->timing ? "cycles" : "order of completion", writer->events);
}
