// SPDX-License-Identifier: Apache-2.0
// From an instruction's number in its thread back to the line of the text. Words for the expanders
// are not issued themselves: MOP_CFG leaves nothing, and REPLAY records or plays words, so the
// replay buffer is followed here (REPLAY.md). What a MOP expands to depends on words that baby
// cores write, so the map ends at the first one.
#include "ttasm/issue_map.h"

#include "ttasm/emit.h"

#include <string.h>

enum { REPLAY_WORDS = 32 };

struct replay {
    uint32_t words[REPLAY_WORDS];
    struct text_place places[REPLAY_WORDS];
    unsigned recording; // words that are still to be recorded
    unsigned place;
    bool forwards; // while recording
};

static uint32_t operand_value(const tsr_instruction_info *info, const char *name, uint32_t word)
{
    const tsr_operand_info *operand = find_operand(info, name);

    if (operand == NULL)
        return 0;
    return word >> operand->first_bit & (uint32_t)((UINT64_C(1) << operand->width) - 1);
}

static bool follow_replay(struct replay *replay, const tsr_instruction_info *info, uint32_t word,
                          struct ttasm_stream *issued)
{
    unsigned length = operand_value(info, "len", word);
    unsigned start = operand_value(info, "start_idx", word);

    if (length == 0)
        length = REPLAY_WORDS; // docs/errata.md, 18
    if (operand_value(info, "load_mode", word) != 0) {
        replay->recording = length;
        replay->place = start;
        replay->forwards = operand_value(info, "execute_while_loading", word) != 0;
        return true;
    }
    for (unsigned i = 0; i < length; i++) {
        unsigned place = (start + i) % REPLAY_WORDS;
        if (!ttasm_append(issued, replay->words[place], replay->places[place]))
            return false;
    }
    return true;
}

static bool follow_word(struct replay *replay, const tsr_instruction_info *info, uint32_t word,
                        struct text_place place, struct ttasm_stream *issued)
{
    const char *mnemonic = info == NULL ? "" : info->mnemonic;

    if (strcmp(mnemonic, "MOP_CFG") == 0)
        return true;
    if (replay->recording > 0) {
        replay->recording--;
        replay->words[replay->place % REPLAY_WORDS] = word;
        replay->places[replay->place++ % REPLAY_WORDS] = place;
        return !replay->forwards || ttasm_append(issued, word, place);
    }
    if (strcmp(mnemonic, "REPLAY") == 0)
        return follow_replay(replay, info, word, issued);
    return ttasm_append(issued, word, place);
}

// Labels stand in the order of their positions. `next` goes past those that stand before word
// `position`, which the thread issues as number `sequence`.
static void place_labels(struct ttasm_program *program, int thread, size_t position,
                         uint64_t sequence, size_t *next)
{
    for (; *next < program->label_count; (*next)++) {
        struct ttasm_label *label = &program->labels[*next];
        if (label->thread != thread)
            continue;
        if (label->position > position)
            return;
        label->sequence = sequence;
    }
}

bool map_issue(struct ttasm_program *program, int thread)
{
    const struct ttasm_stream *pushed = &program->threads[thread];
    struct ttasm_stream *issued = &program->issued[thread];
    struct replay replay = {.recording = 0};
    size_t next_label = 0;

    for (int i = 0; i < REPLAY_WORDS; i++) // what is played before it is recorded
        replay.places[i] = (struct text_place){program->path, 0};
    program->mapped_all[thread] = false;
    for (size_t i = 0; i < pushed->count; i++) {
        const tsr_instruction_info *info = tsr_instruction_decode(program->arch, pushed->words[i]);
        place_labels(program, thread, i, issued->count + 1, &next_label);
        if (info != NULL && strcmp(info->mnemonic, "MOP") == 0)
            return true;
        if (!follow_word(&replay, info, pushed->words[i], pushed->places[i], issued))
            return false;
    }
    place_labels(program, thread, pushed->count, issued->count + 1, &next_label);
    program->mapped_all[thread] = true;
    return true;
}
