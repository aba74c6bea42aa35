// SPDX-License-Identifier: Apache-2.0
// Running the cores and describing them; see core_run.h.
#include "run/core_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Cycles, and words of a thread, between two questions whether to give up.
enum { SLICE = 1 << 20 };

// ---------------------------------------------------------------- running

// The instruction at which the core is: a pause leaves the pc behind the ebreak
// (DebugInterface.md).
static uint32_t place_of(const tsr_core_state *state)
{
    return state->rest == TSR_CORE_PAUSED ? state->pc - 4 : state->pc;
}

static bool is_stop(const struct core_job *job, int core, uint32_t pc)
{
    for (int i = 0; i < job->stop_count; i++)
        if ((int)job->stops[i].core == core && job->stops[i].pc == pc)
            return true;
    return false;
}

int core_at_stop(const struct core_job *job, const tsr_tile *tile)
{
    tsr_core_state state;

    for (int i = 0; i < CORE_COUNT; i++)
        if (tsr_view_core(tile, (tsr_core)i, &state) == TSR_OK && !state.in_reset &&
            state.rest == TSR_CORE_PAUSED && is_stop(job, i, place_of(&state)))
            return i;
    return -1;
}

int core_fallen(const struct core_job *job, const tsr_tile *tile)
{
    tsr_core_state state;

    for (int i = 0; i < CORE_COUNT; i++)
        if (tsr_view_core(tile, (tsr_core)i, &state) == TSR_OK && !state.in_reset &&
            (state.rest == TSR_CORE_HUNG ||
             (state.rest == TSR_CORE_PAUSED && !is_stop(job, i, place_of(&state)))))
            return i;
    return -1;
}

struct core_run core_run(const struct core_job *job, tsr_tile *tile, uint64_t max_cycles,
                         bool (*stop)(void))
{
    struct core_run run = {.end = TSR_END_IDLE, .stopped = -1};
    tsr_limits limits = tsr_limits_default();

    limits.break_at_pause = job->stop_count > 0;
    limits.max_words = SLICE;
    if (job->until) {
        limits.until_address = job->until_address;
        limits.until_value = job->until_value;
        limits.until_mask = UINT32_MAX;
    }
    while (true) {
        uint64_t left = max_cycles == 0 ? SLICE : max_cycles - tsr_cycle(tile);
        limits.max_cycles = left < SLICE ? left : SLICE;
        run.end = tsr_run(tile, &limits);
        run.stopped = core_at_stop(job, tile);
        run.given_up = stop != NULL && stop();
        if (run.stopped >= 0)
            run.end = TSR_END_BREAK;
        else if (run.end == TSR_END_BREAK) // an ebreak of the program's own
            continue;
        bool goes_on = run.end == TSR_END_TIMEOUT || run.end == TSR_END_WORDS;
        if (!goes_on || run.given_up || (max_cycles != 0 && tsr_cycle(tile) >= max_cycles))
            return run;
    }
}

static bool run_to(struct core_job *job, struct run_place *place, const struct dump_list *dumps,
                   tsr_tile *tile, uint64_t max_cycles, bool (*stop)(void), struct message *why)
{
    if (!core_job_begin(job, tile, why))
        return false;
    if (core_run(job, tile, max_cycles, stop).stopped < 0)
        return true;
    return place_keep_dump(place, dumps, tile) || message_no_memory(why, "--dump-at");
}

bool core_places_dump(struct core_job *job, struct run_places *places,
                      const struct tile_choice *choice, const struct dump_list *dumps,
                      uint64_t max_cycles, bool (*stop)(void), struct message *why)
{
    bool ok = true;

    for (int i = 0; i < places->count && ok; i++) {
        struct run_place *place = &places->list[i];
        if (!core_job_stop_at(job, "--dump-at", place->word, why))
            return false;
        tsr_tile *tile = make_tile(choice, why);
        if (tile == NULL)
            return false;
        ok = run_to(job, place, dumps, tile, max_cycles, stop, why);
        tsr_tile_destroy(tile);
    }
    job->stop_count = 0;
    return ok;
}

// ---------------------------------------------------------------- where a core is

// "main (unpack.c:59)", with the functions between inlined ones and the program's own.
static void describe_pc(struct elf_lines *lines, uint32_t pc, char *text, size_t size)
{
    struct elf_frame frames[MAX_FRAMES];
    int count = elf_frames(lines, pc, frames);
    size_t used = (size_t)snprintf(text, size, "0x%08" PRIx32, pc);

    for (int i = 0; i < count && used < size; i++) {
        const struct elf_frame *frame = &frames[i];
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s%s", i == 0 ? " in " : ", inlined in ",
                             frame->function[0] == '\0' ? "?" : frame->function, "");
        if (used < size && frame->line > 0)
            used +=
                (size_t)snprintf(text + used, size - used, " (%s:%d)", frame->file, frame->line);
    }
}

static void describe_rest(const tsr_core_state *state, bool stopped, char *text, size_t size)
{
    static const char *const rests[] = {
        [TSR_CORE_RUNS] = "runs",   [TSR_CORE_BLOCKED] = "waits",
        [TSR_CORE_POLLS] = "polls", [TSR_CORE_PAUSED] = "paused by ebreak",
        [TSR_CORE_HUNG] = "hangs",  [TSR_CORE_ENDED] = "ended",
    };

    if (state->in_reset || stopped)
        snprintf(text, size, state->in_reset ? "in reset" : "stopped");
    else if (state->rest == TSR_CORE_BLOCKED || state->rest == TSR_CORE_POLLS)
        snprintf(text, size, "%s for 0x%08" PRIx32, rests[state->rest], state->waits_at);
    else
        snprintf(text, size, "%s", rests[state->rest]);
}

void core_line_fill(struct core_line *line, tsr_core core, const tsr_core_state *state,
                    struct elf_lines *lines, bool stopped)
{
    *line = (struct core_line){
        .core = (int)core, .name = tsr_core_program_name(core), .retired = state->retired};
    describe_rest(state, stopped, line->state, sizeof line->state);
    if (state->in_reset)
        return;
    uint32_t pc = place_of(state);
    struct elf_frame place = elf_place(lines, pc);
    describe_pc(lines, pc, line->place, sizeof line->place);
    line->has_pc = true;
    line->pc = pc;
    line->file = place.file;
    line->path = place.line > 0 ? place.path : NULL;
    line->function = place.function;
    line->line = place.line;
}

int core_lines(const struct core_job *job, const tsr_tile *tile, struct core_line lines[])
{
    tsr_run_report report;
    int count = 0;

    tsr_get_report(tile, &report);
    for (int i = 0; i < CORE_COUNT; i++) {
        struct core_line *line = &lines[count];
        tsr_core_state state;
        if (tsr_view_core(tile, (tsr_core)i, &state) != TSR_OK ||
            (job->paths[i] == NULL && state.retired == 0))
            continue;
        core_line_fill(line, (tsr_core)i, &state, job->lines[i],
                       state.rest == TSR_CORE_PAUSED && is_stop(job, i, place_of(&state)));
        line->refused = report.core_refused[i];
        count++;
    }
    return count;
}

struct finding_place core_place_of(struct elf_lines *lines, const char *path,
                                   const tsr_diagnostic *finding)
{
    int core = finding->has_pc ? finding->core : finding->pushed_core;
    uint32_t pc = finding->has_pc ? finding->pc : finding->pushed_pc;
    struct elf_frame frame = elf_place(lines, pc);
    struct finding_place place = {.file = frame.line > 0 ? frame.file : path,
                                  .path = frame.line > 0 ? frame.path : NULL,
                                  .line = frame.line,
                                  .function = frame.function};
    char where[sizeof place.origin - 16];

    describe_pc(lines, pc, where, sizeof where);
    snprintf(place.origin, sizeof place.origin, "%s %s %s", tsr_core_program_name((tsr_core)core),
             finding->has_pc ? "at" : "pushed it at", where);
    return place;
}

struct finding_place core_finding_place(const void *source, const tsr_diagnostic *finding)
{
    const struct core_job *job = source;
    int core = finding->has_pc ? finding->core : finding->pushed ? finding->pushed_core : -1;

    if (core < 0 || core >= CORE_COUNT)
        return (struct finding_place){.file = core_job_path(job)};
    return core_place_of(job->lines[core],
                         job->paths[core] != NULL ? job->paths[core] : core_job_path(job), finding);
}
