// SPDX-License-Identifier: Apache-2.0
// The replay expander: 32 words a thread that REPLAY loads from the stream and plays back. What is
// played is forwarded as it is, never expanded again. Page: REPLAY.md.
#include "frontend/replay_expander.h"

#include "state/report.h"

static bool forward(struct tsr_frontend *frontend, uint32_t word, uint64_t tag)
{
    return tsr_fifo_push_from(&frontend->before_gate, DEPTH_BEFORE_GATE, word, tag);
}

static uint8_t source_of_front(const struct tsr_frontend *frontend)
{
    return (uint8_t)(tsr_fifo_front_tag(&frontend->before_replay) & TSR_TAG_SOURCE);
}

static bool play(struct tsr_frontend *frontend)
{
    struct tsr_replay *replay = &frontend->replay;
    if (!forward(frontend, replay->word[replay->play_index], tsr_replay_tag(replay, 0)))
        return false;
    tsr_replay_skip(replay, 1);
    return true;
}

static bool load(struct tsr_frontend *frontend, uint32_t word)
{
    struct tsr_replay *replay = &frontend->replay;
    uint64_t tag = tsr_fifo_front_tag(&frontend->before_replay);
    if (replay->forward && !forward(frontend, word, tag))
        return false;
    replay->word[replay->load_index] = word;
    replay->tag[replay->load_index] = tag;
    replay->load_index = (uint8_t)((replay->load_index + 1) % TSR_REPLAY_WORDS);
    replay->load_left--;
    tsr_fifo_pop(&frontend->before_replay);
    return true;
}

static void begin_play(struct tsr_replay *replay, uint8_t start, uint32_t count, uint8_t source)
{
    replay->play_left = (uint8_t)count;
    replay->play_index = start;
    replay->source = source == TSR_FROM_CORE ? TSR_FROM_REPLAY : source;
}

// More than 32 words are not supported, and no page has a rule for them; the count is taken as
// it is (docs/errata.md).
static bool begin(struct tsr_env *env, int thread, uint32_t word)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    struct tsr_replay *replay = &frontend->replay;
    uint32_t count = tsr_operand(env->isa, OP_REPLAY, word, OPERAND_len);
    uint8_t start = (uint8_t)tsr_operand(env->isa, OP_REPLAY, word, OPERAND_start_idx);
    struct tsr_inflight cause = {.word = word, .op = OP_REPLAY, .thread = (uint8_t)thread};
    if (tsr_reserved_bits(env->isa, OP_REPLAY, word) != 0 &&
        tsr_report_stray_bits(env, &cause) == TSR_HALT)
        return false;
    if (count > TSR_REPLAY_WORDS &&
        tsr_report(env, FINDING_UNDOCUMENTED_MODE, &cause, NULL,
                   "REPLAY of %u words; more than 32 are not supported.",
                   (unsigned)count) == TSR_HALT)
        return false;
    count = count ? count : TSR_REPLAY_WORDS;
    if (tsr_operand(env->isa, OP_REPLAY, word, OPERAND_load_mode)) {
        replay->load_left = (uint8_t)count;
        replay->load_index = start;
        replay->forward =
            tsr_operand(env->isa, OP_REPLAY, word, OPERAND_execute_while_loading) != 0;
    } else {
        begin_play(replay, start, count, source_of_front(frontend));
        replay->push = (uint32_t)(tsr_fifo_front_tag(&frontend->before_replay) >> 32);
    }
    tsr_fifo_pop(&frontend->before_replay);
    return true;
}

bool tsr_replay_step(struct tsr_env *env, int thread)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (frontend->replay.play_left)
        return play(frontend);
    if (frontend->before_replay.count == 0)
        return false;
    uint32_t word = tsr_fifo_front(&frontend->before_replay);
    if (frontend->replay.load_left)
        return load(frontend, word);
    if (tsr_op_of(env->isa, word) == OP_REPLAY) {
        if (!begin(env, thread, word))
            return false;
        if (frontend->replay.play_left)
            play(frontend); // the first word leaves in the cycle in which REPLAY comes in
        return true;
    }
    if (!forward(frontend, word, tsr_fifo_front_tag(&frontend->before_replay)))
        return false;
    tsr_fifo_pop(&frontend->before_replay);
    return true;
}

bool tsr_replay_begin_play(struct tsr_env *env, int thread, uint32_t word,
                           enum tsr_word_source source)
{
    struct tsr_replay *replay = &env->state->frontend[thread].replay;
    uint32_t count = tsr_operand(env->isa, OP_REPLAY, word, OPERAND_len);
    if (tsr_reserved_bits(env->isa, OP_REPLAY, word) != 0 || count == 0 ||
        count > TSR_REPLAY_WORDS || replay->load_left || replay->play_left ||
        tsr_operand(env->isa, OP_REPLAY, word, OPERAND_load_mode))
        return false;
    begin_play(replay, (uint8_t)tsr_operand(env->isa, OP_REPLAY, word, OPERAND_start_idx), count,
               (uint8_t)source);
    return true;
}
