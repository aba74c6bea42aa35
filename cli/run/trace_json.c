// SPDX-License-Identifier: Apache-2.0
// Trace events in the JSON Array Format of Chrome's trace viewer. Process 1 has the units, process
// 2 the threads: for each a track of what it issued and one of what it waited for. A microsecond of
// the trace is a cycle; with timing off, where no cycles pass, it is a place in the order of
// completion.
//
// Slices of one track may nest, but must not overlap in part: viewers drop those that do. A unit
// that works on several instructions at once has a track for each of them, called lanes here.
#include "run/trace_json.h"

#include <inttypes.h>

enum { PROCESS_UNITS = 1, PROCESS_THREADS = 2 };

static const char *comma(struct trace_writer *writer)
{
    return writer->written++ == 0 ? "" : ",\n";
}

// ---------------------------------------------------------------- tracks

static int unit_track(tsr_unit unit, int lane)
{
    return 1 + (int)unit * TRACE_LANES + lane;
}

static int issue_track(int thread)
{
    return 1 + 2 * thread;
}

static int wait_track(int thread)
{
    return 2 + 2 * thread;
}

static void name_track(struct trace_writer *writer, int process, int track, const char *what,
                       const char *name)
{
    trace_output_print(
        &writer->output,
        "%s{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s_name\",\"args\":{\"name\":\"%s\"}}",
        comma(writer), process, track, what, name);
    trace_output_print(&writer->output,
                       "%s{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s_sort_index\","
                       "\"args\":{\"sort_index\":%d}}",
                       comma(writer), process, track, what, track == 0 ? process : track);
}

static void name_lane(struct trace_writer *writer, tsr_unit unit, int lane)
{
    char name[64];

    if (lane == 0)
        snprintf(name, sizeof name, "%s", tsr_unit_name(unit));
    else
        snprintf(name, sizeof name, "%s (%d)", tsr_unit_name(unit), lane + 1);
    name_track(writer, PROCESS_UNITS, unit_track(unit, lane), "thread", name);
}

// The vector unit has a track for each of its sub-units, which work side by side.
static void name_sub_units(struct trace_writer *writer)
{
    for (int sub_unit = 0; *tsr_sub_unit_name(sub_unit) != '\0'; sub_unit++) {
        char name[64];
        snprintf(name, sizeof name, "%s, %s", tsr_unit_name(TSR_UNIT_VECTOR),
                 tsr_sub_unit_name(sub_unit));
        name_track(writer, PROCESS_UNITS, unit_track(TSR_UNIT_VECTOR, sub_unit), "thread", name);
    }
}

static void name_tracks(struct trace_writer *writer)
{
    name_track(writer, PROCESS_UNITS, 0, "process", "units");
    name_track(writer, PROCESS_THREADS, 0, "process", "threads");
    for (int unit = 0; unit < TSR_UNIT_COUNT; unit++)
        if (unit != TSR_UNIT_VECTOR)
            name_lane(writer, (tsr_unit)unit, 0);
    name_sub_units(writer);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        char name[32];
        snprintf(name, sizeof name, "thread %d", thread);
        name_track(writer, PROCESS_THREADS, issue_track(thread), "thread", name);
        snprintf(name, sizeof name, "thread %d waits", thread);
        name_track(writer, PROCESS_THREADS, wait_track(thread), "thread", name);
    }
}

// Instructions come in the order in which they complete: then the lane that has ended last, of
// those that have ended by `begin`, leaves as many as possible for the others.
static int take_lane(struct trace_writer *writer, tsr_unit unit, uint64_t begin, uint64_t end)
{
    uint64_t *ends = writer->lane_end[unit];
    int best = -1;

    for (int lane = 0; lane < TRACE_LANES; lane++)
        if (ends[lane] != 0 && ends[lane] <= begin && (best < 0 || ends[lane] > ends[best]))
            best = lane;
    for (int lane = 0; best < 0 && lane < TRACE_LANES; lane++)
        if (ends[lane] == 0) {
            best = lane;
            if (lane > 0)
                name_lane(writer, unit, lane);
        }
    if (best >= 0)
        ends[best] = end;
    return best;
}

// ---------------------------------------------------------------- entries

struct slice {
    uint64_t begin, end;
    bool seen; // in the cycles that were asked for
};

// Nothing that happened may be invisible: a slice is at least one unit long.
static struct slice make_slice(const struct trace_writer *writer, uint64_t begin, uint64_t end)
{
    if (!writer->order.timing)
        return (struct slice){writer->events, writer->events + 1, true};
    struct slice slice = {.begin = begin, .end = end > begin ? end : begin + 1};
    slice.seen = slice.begin <= writer->order.to && slice.end > writer->order.from;
    return slice;
}

static void write_slice(struct trace_writer *writer, int process, int track, const char *name,
                        const struct slice *slice)
{
    trace_output_print(&writer->output,
                       "%s{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
                       ",\"name\":\"%s\"",
                       comma(writer), process, track, slice->begin, slice->end - slice->begin,
                       name);
}

static void write_instruction(struct trace_writer *writer, const tsr_event *event)
{
    const tsr_instruction_info *info = tsr_instruction_decode(writer->arch, event->word);
    const char *name = info == NULL ? "unknown" : info->mnemonic;
    char text[TSR_INSTRUCTION_TEXT];
    // A sub-unit begins one in each cycle, however long its result takes.
    uint64_t end = event->sub_unit >= 0 ? event->accepted + 1 : event->completed;
    struct slice slice = make_slice(writer, event->accepted, end);
    struct slice issue = make_slice(writer, event->accepted, event->accepted);

    tsr_disassemble(writer->arch, event->word, text, sizeof text);
    if (slice.seen && event->unit < TSR_UNIT_COUNT) {
        int lane = event->sub_unit >= 0 ? event->sub_unit
                                        : take_lane(writer, event->unit, slice.begin, slice.end);
        if (lane >= 0) {
            write_slice(writer, PROCESS_UNITS, unit_track(event->unit, lane), name, &slice);
            trace_output_print(&writer->output,
                               ",\"args\":{\"thread\":%d,\"sequence\":%" PRIu64
                               ",\"instruction\":\"%s\",\"accepted\":%" PRIu64
                               ",\"executed\":%" PRIu64 ",\"completed\":%" PRIu64 "}}",
                               event->thread, event->sequence, text, event->accepted,
                               event->executed, event->completed);
        }
    }
    if (issue.seen && event->kind != TSR_EVENT_SCHEDULED) {
        write_slice(writer, PROCESS_THREADS, issue_track(event->thread), name, &issue);
        trace_output_print(&writer->output,
                           ",\"args\":{\"sequence\":%" PRIu64 ",\"instruction\":\"%s\"}}",
                           event->sequence, text);
    }
}

static void write_wait(struct trace_writer *writer, const tsr_event *event)
{
    struct slice slice = make_slice(writer, event->accepted, event->completed);
    // NOP and what the expanders take belong to no unit.
    const char *unit = event->unit < TSR_UNIT_COUNT ? tsr_unit_name(event->unit) : "none";

    if (!slice.seen)
        return;
    write_slice(writer, PROCESS_THREADS, wait_track(event->thread), tsr_reason_name(event->reason),
                &slice);
    trace_output_print(&writer->output, ",\"args\":{\"sequence\":%" PRIu64 ",\"unit\":\"%s\"}}",
                       event->sequence, unit);
}

// An instant across all tracks.
static void write_reset(struct trace_writer *writer, const tsr_event *event)
{
    struct slice slice = make_slice(writer, event->accepted, event->accepted);

    if (slice.seen)
        trace_output_print(&writer->output,
                           "%s{\"ph\":\"i\",\"pid\":%d,\"tid\":0,\"ts\":%" PRIu64
                           ",\"s\":\"g\",\"cat\":\"reset\",\"name\":\"%s\",\"args\":{\"core\":%d,"
                           "\"pc\":\"0x%08x\"}}",
                           comma(writer), PROCESS_THREADS, slice.begin,
                           event->word ? "core held" : "core starts", event->core,
                           (unsigned)event->pc);
}

// An instant on its thread's track, or of a core across all tracks.
static void write_refused(struct trace_writer *writer, const tsr_event *event)
{
    struct slice slice = make_slice(writer, event->accepted, event->accepted);
    bool of_thread = event->thread >= 0;
    char text[TSR_INSTRUCTION_TEXT];

    if (!slice.seen)
        return;
    trace_output_print(
        &writer->output,
        "%s{\"ph\":\"i\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64
        ",\"s\":\"%s\",\"cat\":\"refused\",\"name\":\"refused\",\"args\":{\"code\":\"%s\"",
        comma(writer), PROCESS_THREADS, of_thread ? issue_track(event->thread) : 0, slice.begin,
        of_thread ? "t" : "g", event->code);
    if (of_thread) {
        tsr_disassemble(writer->arch, event->word, text, sizeof text);
        trace_output_print(&writer->output, ",\"sequence\":%" PRIu64 ",\"instruction\":\"%s\"}}",
                           event->sequence, text);
    } else {
        trace_output_print(&writer->output, ",\"core\":%d,\"pc\":\"0x%08x\",\"word\":\"0x%08x\"}}",
                           event->core, (unsigned)event->pc, (unsigned)event->word);
    }
}

// An instant on its thread's track; of a core or of the whole tile, across all tracks.
static void write_finding(struct trace_writer *writer, const tsr_diagnostic *finding)
{
    struct slice slice = make_slice(writer, finding->cycle, finding->cycle);
    bool of_thread = finding->thread >= 0;

    if (!slice.seen)
        return;
    trace_output_print(&writer->output,
                       "%s{\"ph\":\"i\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64
                       ",\"s\":\"%s\",\"cat\":\"finding\",\"name\":\"%s\",\"args\":{\"category\":"
                       "\"%s\",\"action\":\"%s\",\"sequence\":%" PRIu64 ",\"page\":\"%s\"",
                       comma(writer), PROCESS_THREADS, of_thread ? issue_track(finding->thread) : 0,
                       slice.begin, of_thread ? "t" : "g", finding->code,
                       tsr_category_name(finding->category), tsr_action_name(finding->action),
                       finding->sequence, finding->page);
    trace_output_print(&writer->output, ",\"instruction\":");
    trace_output_string(&writer->output, finding->instruction);
    trace_output_print(&writer->output, ",\"sentence\":");
    trace_output_string(&writer->output, finding->sentence);
    trace_output_print(&writer->output, "}}");
}

static void write_new_findings(struct trace_writer *writer)
{
    int count = tsr_diagnostic_count(writer->order.tile);

    while (writer->findings < count)
        write_finding(writer, tsr_diagnostic_at(writer->order.tile, writer->findings++));
}

// ---------------------------------------------------------------- what is pending at the end

static void write_pending(struct trace_writer *writer, const tsr_wait *wait)
{
    struct slice slice = make_slice(writer, wait->since, tsr_cycle(writer->order.tile));
    tsr_unit unit = (tsr_unit)wait->unit;

    if (!slice.seen || wait->core >= 0)
        return;
    int lane = wait->unit < 0 ? 0 : take_lane(writer, unit, slice.begin, slice.end);
    if (lane < 0)
        return;
    if (wait->unit < 0)
        write_slice(writer, PROCESS_THREADS, wait_track(wait->thread), "pending", &slice);
    else
        write_slice(writer, PROCESS_UNITS, unit_track(unit, lane), "pending", &slice);
    trace_output_print(&writer->output, ",\"cat\":\"pending\",\"args\":{\"what\":");
    trace_output_string(&writer->output, wait->what);
    trace_output_print(&writer->output, ",\"release\":");
    trace_output_string(&writer->output, wait->release);
    trace_output_print(&writer->output, "}}");
}

// ---------------------------------------------------------------- begin and end

static void observe(void *user, const tsr_event *event)
{
    struct trace_writer *writer = user;

    write_new_findings(writer);
    if (event->kind == TSR_EVENT_WAIT)
        write_wait(writer, event);
    else if (event->kind == TSR_EVENT_RESET)
        write_reset(writer, event);
    else if (event->kind == TSR_EVENT_REFUSED)
        write_refused(writer, event);
    else
        write_instruction(writer, event);
    writer->events++;
}

bool trace_begin(struct trace_writer *writer, const struct trace_order *order)
{
    *writer = (struct trace_writer){.order = *order, .arch = tsr_tile_arch(order->tile)};
    if (!trace_output_open(&writer->output, order->file, order->compress))
        return false;
    trace_output_print(&writer->output, "{\"traceEvents\":[\n");
    name_tracks(writer);
    tsr_tile_observe(order->tile, observe, writer);
    return true;
}

bool trace_end(struct trace_writer *writer)
{
    tsr_wait waits[TSR_THREADS + TSR_UNIT_COUNT];
    int count = tsr_waits(writer->order.tile, waits, TSR_THREADS + TSR_UNIT_COUNT);

    tsr_tile_observe(writer->order.tile, NULL, NULL);
    for (int i = 0; i < count; i++)
        write_pending(writer, &waits[i]);
    write_new_findings(writer);
    trace_output_print(&writer->output,
                       "\n],\n\"otherData\":{\"tessera\":\"%s\",\"arch\":\"%s\","
                       "\"clock\":\"%s\",\"events\":%" PRIu64 ",\"cycles\":%" PRIu64 "}}\n",
                       tsr_version(), tsr_arch_name(writer->arch),
                       writer->order.timing ? "cycles" : "order of completion", writer->events,
                       tsr_cycle(writer->order.tile));
    return trace_output_close(&writer->output);
}
