// SPDX-License-Identifier: Apache-2.0
// A case's three command lists play the part of the baby cores T0, T1 and T2: in each round every
// list goes as far as it can, then the tile runs until it settles. What a core would do goes
// through the tile's address map; only testing a flag and noting a loaded value are the host's.
//
// Pages: TensixTile/BabyRISCV/README.md (address map), PushTensixInstruction.md
#include "check/check_run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PUSH_ADDRESS = 0xffe40000u, // a word stored here goes into the core's own FIFO
    STEP_LIMIT = 1000000,       // rounds of the engine between two commands; cases need thousands
    SHOWN_WAITS = 4
};

enum progress { WENT_ON, MUST_WAIT, IS_OVER };

struct case_play {
    const struct conformance_case *item;
    tsr_tile *tile;
    size_t next[TSR_THREADS]; // command of each list
    struct check_result *result;
};

__attribute__((format(printf, 3, 4))) static enum progress
end_with(struct case_play *play, enum check_verdict verdict, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(play->result->text, sizeof play->result->text, format, arguments);
    va_end(arguments);
    play->result->verdict = verdict;
    return IS_OVER;
}

// ---------------------------------------------------------------- what went wrong

static void describe_command(const struct case_play *play, int thread, char *text, size_t size)
{
    const struct case_list *list = &play->item->threads[thread];
    size_t index = play->next[thread];
    int length = snprintf(text, size, "thread %d, command %zu (%s", thread, index + 1,
                          case_op_name(list->commands[index].op));
    int numbers = case_op_numbers(list->commands[index].op);

    if (numbers > 0)
        length += snprintf(text + length, size - (size_t)length, " 0x%08" PRIx32,
                           list->commands[index].a);
    if (numbers > 1)
        length += snprintf(text + length, size - (size_t)length, " 0x%08" PRIx32,
                           list->commands[index].b);
    snprintf(text + length, size - (size_t)length, ")");
}

// `place` is the command that stopped the tile, or empty for what ran by itself.
static enum progress end_stopped(struct case_play *play, const char *place)
{
    const tsr_diagnostic *finding = stopping_finding(play->tile);
    char instruction[TSR_INSTRUCTION_TEXT + 32] = "";

    if (finding == NULL)
        return end_with(play, CHECK_FAILED, "the tile stopped without a finding");
    if (finding->category == TSR_UNIMPLEMENTED_FEATURE)
        return end_with(play, CHECK_SKIPPED, "%s", finding->sentence);
    if (finding->thread >= 0)
        snprintf(instruction, sizeof instruction, " (thread %d, %s)", finding->thread,
                 finding->instruction);
    return end_with(play, CHECK_FAILED, "%sstopped by %s%s: %s", place, finding->code, instruction,
                    finding->sentence);
}

// Everyone who waits: the lists first, then what the tile says.
static enum progress end_stuck(struct case_play *play, const char *what)
{
    char text[900];
    size_t length = 0;
    tsr_wait waits[SHOWN_WAITS];

    text[0] = '\0';
    for (int thread = 0; thread < TSR_THREADS; thread++)
        if (play->next[thread] < play->item->threads[thread].count) {
            char command[100];
            describe_command(play, thread, command, sizeof command);
            length += (size_t)snprintf(text + length, sizeof text - length, "; %s", command);
        }
    int count = tsr_waits(play->tile, waits, SHOWN_WAITS);
    for (int i = 0; i < count && i < SHOWN_WAITS && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "; %s: %s", waits[i].who,
                                   waits[i].what);
    return end_with(play, CHECK_FAILED, "%s%s", what, text);
}

static enum progress judge(struct case_play *play, int thread, tsr_status status)
{
    char place[110];

    if (status == TSR_OK)
        return WENT_ON;
    if (status == TSR_BUSY)
        return MUST_WAIT;
    describe_command(play, thread, place, sizeof place - 2);
    strcat(place, ": ");
    if (status == TSR_STOPPED)
        return end_stopped(play, place);
    return end_with(play, status == TSR_UNIMPLEMENTED ? CHECK_SKIPPED : CHECK_FAILED, "%s%s", place,
                    tsr_status_text(status));
}

// ---------------------------------------------------------------- commands

static tsr_status load_into_l1(struct case_play *play, tsr_core core,
                               const struct case_command *command)
{
    uint32_t value = 0;
    tsr_status status = tsr_load(play->tile, core, command->a, &value, 4);

    if (status != TSR_OK)
        return status;
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                        (uint8_t)(value >> 24)};
    return tsr_l1_write(play->tile, command->b, bytes, sizeof bytes);
}

static tsr_status test_flag(struct case_play *play, tsr_core core,
                            const struct case_command *command)
{
    uint8_t bytes[4];
    tsr_status status = tsr_l1_read(play->tile, command->a, bytes, sizeof bytes);

    if (status != TSR_OK)
        return status;
    uint32_t word = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                    (uint32_t)bytes[3] << 24;
    if (word != command->b)
        return TSR_BUSY;
    // As its core's load, which tells those who look for races what the flag orders.
    return tsr_load(play->tile, core, command->a, &word, 4);
}

static tsr_status perform(struct case_play *play, int thread, const struct case_command *command)
{
    tsr_core core = (tsr_core)(TSR_CORE_T0 + thread);

    switch (command->op) {
    case CASE_PUSH:
        return tsr_store(play->tile, core, PUSH_ADDRESS, command->a, 4);
    case CASE_STORE:
    case CASE_POST:
        return tsr_store(play->tile, core, command->a, command->b, 4);
    case CASE_LOAD:
        return load_into_l1(play, core, command);
    case CASE_WAIT:
        return test_flag(play, core, command);
    default: // CASE_DRAIN
        return tsr_thread_drained(play->tile, thread) ? TSR_OK : TSR_BUSY;
    }
}

// Every list goes as far as it can; WENT_ON once all have ended. `moved`: any went on at all.
static enum progress play_round(struct case_play *play, bool *moved)
{
    enum progress all = WENT_ON;

    *moved = false;
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        const struct case_list *list = &play->item->threads[thread];
        while (play->next[thread] < list->count) {
            tsr_status status = perform(play, thread, &list->commands[play->next[thread]]);
            enum progress progress = judge(play, thread, status);
            if (progress == IS_OVER)
                return IS_OVER;
            if (progress == MUST_WAIT) {
                all = MUST_WAIT;
                break;
            }
            play->next[thread]++;
            *moved = true;
        }
    }
    return all;
}

// The tile, until it settles. `lists_left`: a command that is still to come could release it.
static enum progress settle(struct case_play *play, bool lists_left)
{
    tsr_limits limits = tsr_limits_default();

    limits.external = lists_left;
    limits.max_steps = STEP_LIMIT;
    switch (tsr_run(play->tile, &limits)) {
    case TSR_END_IDLE:
    case TSR_END_BLOCKED:
        return WENT_ON;
    case TSR_END_STOPPED:
        return end_stopped(play, "");
    case TSR_END_DEADLOCK:
        return end_stuck(play, "deadlock after the last command");
    default:
        return end_stuck(play, "no end after a million steps");
    }
}

static enum progress play_case(struct case_play *play)
{
    bool settled = false;
    bool moved;

    while (true) {
        enum progress progress = play_round(play, &moved);
        if (progress == IS_OVER)
            return IS_OVER;
        if (progress == WENT_ON)
            return settle(play, false);
        if (settled && !moved)
            return end_stuck(play, "deadlock");
        if (settle(play, true) == IS_OVER)
            return IS_OVER;
        settled = true;
    }
}

// ---------------------------------------------------------------- comparing

// The aligned word around `offset` of a range, most significant byte first; -- is outside of it.
static void word_text(const struct case_range *range, const uint8_t *bytes, size_t offset,
                      char text[9])
{
    size_t first = (range->address + offset) & ~(size_t)3;

    for (size_t i = 0; i < 4; i++) {
        size_t address = first + 3 - i;
        bool inside = address >= range->address && address - range->address < range->size;
        if (inside)
            snprintf(text + 2 * i, 3, "%02x", bytes[address - range->address]);
        else
            memcpy(text + 2 * i, "--", 3);
    }
}

static void report_difference(struct case_play *play, const struct case_range *range,
                              const uint8_t *got, size_t offset, size_t differences)
{
    char want_word[9], got_word[9];
    int findings = tsr_diagnostic_count(play->tile);
    char note[120] = "";

    word_text(range, range->bytes, offset, want_word);
    word_text(range, got, offset, got_word);
    if (findings > 0)
        snprintf(note, sizeof note, "; findings: %d, first %.80s", findings,
                 tsr_diagnostic_at(play->tile, 0)->code);
    end_with(play, CHECK_FAILED,
             "L1 0x%05zx: expected %02x, got %02x (word at 0x%05zx: expected %s, got %s; "
             "%zu of %zu bytes differ%s)",
             range->address + offset, range->bytes[offset], got[offset],
             (range->address + offset) & ~(size_t)3, want_word, got_word, differences, range->size,
             note);
}

static bool compare_range(struct case_play *play, const struct case_range *range, uint8_t *got)
{
    size_t differences = 0, first = 0;

    tsr_status status = tsr_l1_read(play->tile, range->address, got, range->size);
    if (status != TSR_OK) {
        end_with(play, CHECK_FAILED, "L1 0x%05" PRIx32 ": %s", range->address,
                 tsr_status_text(status));
        return false;
    }
    for (size_t i = range->size; i-- > 0;)
        if (got[i] != range->bytes[i]) {
            differences++;
            first = i;
        }
    if (differences == 0)
        return true;
    report_difference(play, range, got, first, differences);
    return false;
}

// A case that a race decides is none, whatever its result here.
static void look_for_races(struct case_play *play)
{
    int races = 0;
    const tsr_diagnostic *first = NULL;

    for (int i = 0; i < tsr_diagnostic_count(play->tile); i++) {
        const tsr_diagnostic *finding = tsr_diagnostic_at(play->tile, i);
        if (finding->category == TSR_RACE && races++ == 0)
            first = finding;
    }
    if (first != NULL)
        end_with(play, CHECK_FAILED, "%d race%s; %s; instructions %llu and %llu; missing: %s",
                 races, races == 1 ? "" : "s", first->sentence, (unsigned long long)first->sequence,
                 (unsigned long long)first->other.sequence, first->wait);
}

static void compare(struct case_play *play)
{
    for (size_t i = 0; i < play->item->expect.count; i++) {
        const struct case_range *range = &play->item->expect.items[i];
        uint8_t *got = malloc(range->size);
        if (got == NULL) {
            end_with(play, CHECK_FAILED, "no memory");
            return;
        }
        bool same = compare_range(play, range, got);
        free(got);
        if (!same)
            return;
    }
    play->result->verdict = CHECK_PASSED;
    look_for_races(play);
}

// ---------------------------------------------------------------- the whole

// Decision 22: every byte of L1 counts as written; what the case does not give is 0.
static tsr_status fill_l1(struct case_play *play)
{
    tsr_status status = tsr_l1_mark_written(play->tile, 0, tsr_l1_size(play->item->arch));

    for (size_t i = 0; i < play->item->l1.count && status == TSR_OK; i++) {
        const struct case_range *range = &play->item->l1.items[i];
        status = tsr_l1_write(play->tile, range->address, range->bytes, range->size);
    }
    return status;
}

void case_run(const struct conformance_case *item, const struct tile_choice *choice,
              struct check_result *result)
{
    struct case_play play = {.item = item, .result = result};
    struct tile_choice mine = *choice;
    struct message why;

    mine.options.arch = item->arch;
    mine.options.waits_hold_thread = true;                 // as docs/conformance.md defines a case
    mine.options.dst_rows_in_place = item->from_simulator; // which moves no rows of Dst
    play.tile = make_tile(&mine, &why);
    if (play.tile == NULL) {
        end_with(&play, CHECK_FAILED, "%s", why.text);
        return;
    }
    tsr_status status = fill_l1(&play);
    if (status != TSR_OK)
        end_with(&play, CHECK_FAILED, "L1 cannot be filled: %s", tsr_status_text(status));
    else if (play_case(&play) != IS_OVER)
        compare(&play);
    tsr_tile_destroy(play.tile);
}
