// SPDX-License-Identifier: Apache-2.0
// The MOP expander: a MOP becomes the words of template 0 (a mask chooses between two groups) or
// template 1 (two nested loops); everything else passes. The nine configuration words are read as
// they are needed. Page: MOPExpander.md.
#include "frontend/mop_expander.h"

#include "state/report.h"

#include <string.h>

enum phase { START, LOOP, END0, END1 };
enum { HAS_B = 1, HAS_A123 = 2 };

static bool is_nop(const struct tsr_env *env, uint32_t word)
{
    return tsr_op_of(env->isa, word) == OP_NOP;
}

// The words of one template-0 iteration, by step; false after the last one.
static bool template0_word(const uint32_t *config, const struct tsr_mop *mop, uint32_t *word)
{
    static const uint8_t one[] = {3, 2}, four[] = {3, 4, 5, 6, 2}, skip[] = {7, 8};
    const uint8_t *list = mop->mask & 1 ? skip : (config[1] & HAS_A123) != 0 ? four : one;
    unsigned count = list == four ? 5 : 2;
    if (!(config[1] & HAS_B))
        count--;
    if (mop->step >= count)
        return false;
    *word = config[list[mop->step]];
    return true;
}

static bool next_template0(const uint32_t *config, struct tsr_mop *mop, uint32_t *word)
{
    while (mop->outer < mop->outer_count) {
        if (template0_word(config, mop, word)) {
            mop->step++;
            return true;
        }
        mop->step = 0;
        mop->mask >>= 1;
        mop->outer++;
    }
    return false;
}

// The inner loop's next word. The very last inner iteration has a word of its own, and another one
// if it belongs to the last outer iteration.
static uint32_t loop_word(const uint32_t *config, struct tsr_mop *mop)
{
    uint32_t word = mop->loop;
    if (mop->inner == mop->inner_count - 1)
        word = config[mop->outer == mop->outer_count - 1 ? 7 : 8];
    mop->loop ^= mop->flip;
    mop->inner++;
    return word;
}

// One phase's word, if it has one; moves on to the next phase.
static bool template1_phase(const struct tsr_env *env, const uint32_t *config, struct tsr_mop *mop,
                            uint32_t *word)
{
    switch (mop->phase) {
    case START:
        mop->phase = LOOP;
        mop->inner = 0;
        *word = config[2];
        return !is_nop(env, *word);
    case LOOP:
        if (mop->inner < mop->inner_count) {
            *word = loop_word(config, mop);
            return true;
        }
        mop->phase = END0;
        return false;
    case END0:
        mop->phase = END1;
        *word = config[3];
        return !is_nop(env, *word);
    default:
        mop->phase = START;
        mop->outer++;
        *word = config[4];
        return !is_nop(env, config[3]) && !is_nop(env, *word);
    }
}

// False: the MOP has no more words.
static bool next_word(const struct tsr_env *env, const uint32_t *config, struct tsr_mop *mop,
                      uint32_t *word)
{
    if (!mop->template1)
        return next_template0(config, mop, word);
    while (mop->outer < mop->outer_count)
        if (template1_phase(env, config, mop, word))
            return true;
    return false;
}

// The MOP that begins.
struct beginning {
    uint32_t word;
    int thread;
};

static struct tsr_inflight cause_of(const struct beginning *from)
{
    return (struct tsr_inflight){.word = from->word, .op = OP_MOP, .thread = (uint8_t)from->thread};
}

static __attribute__((noinline)) bool unsupported(struct tsr_env *env, const struct beginning *from,
                                                  const char *what)
{
    struct tsr_inflight cause = cause_of(from);
    return tsr_report(env, FINDING_MOP_UNSUPPORTED, &cause, NULL,
                      "A MOP of template 1 %s, which the page calls unsupported.",
                      what) != TSR_HALT;
}

// What the page does not support, a bit for each.
enum odd { COUNTS_IN_WORD = 1, BARE_ENDS = 2 };

// Blackhole's counts may stand in the instruction: the outer one in bits 19:10, the inner one in
// bits 9:0, each if it is not 0.
static unsigned take_counts(const struct tsr_env *env, uint32_t word, const uint32_t *config,
                            struct tsr_mop *mop)
{
    uint32_t mask = tsr_mask32(env->chip->mop_count_bits);
    mop->outer_count = (uint16_t)(config[0] & mask);
    mop->inner_count = (uint16_t)(config[1] & mask);
    if (!env->chip->mop_counts_in_word || (word & tsr_mask32(20)) == 0)
        return 0;
    uint32_t outer = word >> env->chip->mop_count_bits & mask, inner = word & mask;
    if (outer)
        mop->outer_count = (uint16_t)outer;
    if (inner)
        mop->inner_count = (uint16_t)inner;
    return COUNTS_IN_WORD;
}

// The page's hardware bug: end words without a start and without a loop come too often.
static unsigned count_bare_ends(const struct tsr_env *env, const uint32_t *config,
                                struct tsr_mop *mop)
{
    if (!is_nop(env, config[2]) || mop->inner_count != 0 || is_nop(env, config[3]))
        return 0;
    if (is_nop(env, config[4]))
        mop->outer_count++;
    else if (mop->outer_count == 1)
        mop->outer_count = (uint16_t)(mop->outer_count + (1u << env->chip->mop_count_bits));
    return BARE_ENDS;
}

// As it begins, and what is odd about it.
static unsigned template1(const struct tsr_env *env, const uint32_t *config, uint32_t word,
                          struct tsr_mop *mop)
{
    *mop = (struct tsr_mop){.active = true, .template1 = true, .loop = config[5]};
    unsigned odd = take_counts(env, word, config, mop);
    if (!is_nop(env, config[6])) {
        mop->flip = config[5] ^ config[6];
        mop->inner_count = (uint16_t)(mop->inner_count * 2);
    }
    return odd | count_bare_ends(env, config, mop);
}

static void template0(const struct tsr_env *env, const struct tsr_frontend *frontend, uint32_t word,
                      struct tsr_mop *mop)
{
    *mop = (struct tsr_mop){.active = true};
    uint32_t low = tsr_operand(env->isa, OP_MOP, word, OPERAND_zmask_lo16) |
                   tsr_operand(env->isa, OP_MOP, word, OPERAND_zmask_lo16_or_loop_count);
    mop->mask = (uint32_t)frontend->mop_mask_high << 16 | low;
    mop->outer_count = (uint16_t)(tsr_operand(env->isa, OP_MOP, word, OPERAND_loop_count) + 1);
}

// Words of the configuration that the template may read.
static uint16_t words_needed(const struct tsr_frontend *frontend, bool template1)
{
    if (template1)
        return 0x1ff;
    uint32_t flags = frontend->mop_config[1];
    return (uint16_t)(0x8a | ((flags & HAS_B) ? 0x104 : 0) | ((flags & HAS_A123) ? 0x70 : 0));
}

static __attribute__((noinline)) bool report_missing(struct tsr_env *env,
                                                     const struct beginning *from, unsigned missing)
{
    struct tsr_inflight cause = cause_of(from);
    return tsr_report(env, FINDING_UNINITIALISED_CONFIG, &cause, NULL,
                      "A MOP reads words of the MOP configuration that were never written (mask "
                      "0x%03x).",
                      missing) != TSR_HALT;
}

// Words that it needs and nobody has written.
static unsigned missing_words(const struct tsr_env *env, const struct tsr_frontend *frontend,
                              uint32_t word, bool *is_template1)
{
    *is_template1 = tsr_operand(env->isa, OP_MOP, word, OPERAND_mop_type) != 0;
    return words_needed(frontend, *is_template1) & ~(unsigned)frontend->mop_config_written;
}

// False: a finding stopped the tile; nothing has begun.
static bool begin(struct tsr_env *env, int thread, uint32_t word)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    const struct beginning from = {word, thread};
    struct tsr_mop mop;
    bool is_template1;
    unsigned missing = missing_words(env, frontend, word, &is_template1);
    if (missing && !report_missing(env, &from, missing))
        return false;
    if (is_template1) {
        unsigned odd = template1(env, frontend->mop_config, word, &mop);
        if (((odd & COUNTS_IN_WORD) && !unsupported(env, &from, "has counts in the instruction")) ||
            ((odd & BARE_ENDS) && !unsupported(env, &from,
                                               "has an end word without a start and "
                                               "without a loop")))
            return false;
    } else {
        template0(env, frontend, word, &mop);
    }
    frontend->mop = mop;
    return true;
}

bool tsr_mop_peek(const struct tsr_env *env, const struct tsr_frontend *frontend, uint32_t word,
                  struct tsr_mop *mop)
{
    bool is_template1;
    if (missing_words(env, frontend, word, &is_template1))
        return false;
    if (is_template1)
        return template1(env, frontend->mop_config, word, mop) == 0;
    template0(env, frontend, word, mop);
    return true;
}

// Keeps the mask of a MOP_CFG; all bits of a MOP are operands. False: a finding stopped the tile.
static __attribute__((noinline)) bool take_mask(struct tsr_env *env, int thread, uint32_t word)
{
    struct tsr_inflight cause = {.word = word, .op = OP_MOP_CFG, .thread = (uint8_t)thread};
    if (tsr_reserved_bits(env->isa, OP_MOP_CFG, word) != 0 &&
        tsr_report_stray_bits(env, &cause) == TSR_HALT)
        return false;
    env->state->frontend[thread].mop_mask_high =
        (uint16_t)tsr_operand(env->isa, OP_MOP_CFG, word, OPERAND_zmask_hi16);
    return true;
}

// True: the word belongs to the expander and is gone.
static bool consume(struct tsr_env *env, int thread, uint32_t word)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    enum tsr_op op = tsr_op_of(env->isa, word);
    uint64_t tag = tsr_fifo_front_tag(&frontend->before_mop);
    if (op == OP_MOP) {
        if (!begin(env, thread, word))
            return false;
        if (env->races)
            env->races->ops->expands(env->races, thread, (uint32_t)(tag >> 32));
        frontend->mop_tag = tsr_tag(tag, TSR_FROM_MOP);
    } else if (op != OP_MOP_CFG || !take_mask(env, thread, word)) {
        return false;
    }
    tsr_fifo_pop(&frontend->before_mop);
    return true;
}

static bool is_mop_next(const struct tsr_env *env, const struct tsr_frontend *frontend)
{
    return frontend->before_mop.count > 0 &&
           tsr_op_of(env->isa, tsr_fifo_front(&frontend->before_mop)) == OP_MOP;
}

// One word of the present MOP, or of the one after it: between MOPs there is no pause.
static bool emit(struct tsr_env *env, int thread)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    uint32_t word;
    if (frontend->before_replay.count >= DEPTH_BEFORE_REPLAY)
        return false;
    while (!next_word(env, frontend->mop_config, &frontend->mop, &word)) {
        frontend->mop.active = false;
        if (is_mop_next(env, frontend)) {
            if (!consume(env, thread, tsr_fifo_front(&frontend->before_mop)))
                return true;
        } else {
            if (env->timing)
                frontend->mop_idle_until = env->state->now + env->isa->rate[RATE_MOP_IDLE];
            return true;
        }
    }
    tsr_fifo_push_from(&frontend->before_replay, DEPTH_BEFORE_REPLAY, word, frontend->mop_tag);
    return true;
}

bool tsr_mop_step(struct tsr_env *env, int thread)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (frontend->mop.active)
        return emit(env, thread);
    if (frontend->before_mop.count == 0 || env->state->now < frontend->mop_idle_until)
        return false;
    uint32_t word = tsr_fifo_front(&frontend->before_mop);
    if (consume(env, thread, word)) {
        if (frontend->mop.active)
            emit(env, thread); // a MOP's first word leaves in the cycle in which it comes in
        return true;
    }
    if (env->findings->stopped ||
        !tsr_fifo_push_from(&frontend->before_replay, DEPTH_BEFORE_REPLAY, word,
                            tsr_fifo_front_tag(&frontend->before_mop)))
        return false;
    tsr_fifo_pop(&frontend->before_mop);
    return true;
}

static bool has_replay(const struct tsr_env *env, const uint32_t *config, const struct tsr_mop *mop)
{
    bool any = tsr_op_of(env->isa, mop->loop) == OP_REPLAY ||
               tsr_op_of(env->isa, mop->loop ^ mop->flip) == OP_REPLAY;
    for (unsigned i = 2; i < TSR_MOP_WORDS; i++)
        any |= tsr_op_of(env->isa, config[i]) == OP_REPLAY;
    return any;
}

// Of template 1: those of the present outer iteration, and of those after it.
static unsigned count_loops(const struct tsr_env *env, const uint32_t *config,
                            const struct tsr_mop *mop)
{
    unsigned starts = !is_nop(env, config[2]), ends = !is_nop(env, config[3]);
    unsigned second_ends = ends && !is_nop(env, config[4]);
    unsigned left = second_ends;
    if (mop->outer >= mop->outer_count)
        return 0;
    if (mop->phase != END1)
        left += ends;
    if (mop->phase == START || mop->phase == LOOP)
        left += (unsigned)mop->inner_count - (mop->phase == LOOP ? mop->inner : 0u);
    if (mop->phase == START)
        left += starts;
    return left +
           (mop->outer_count - mop->outer - 1u) * (starts + mop->inner_count + ends + second_ends);
}

unsigned tsr_mop_words_left(const struct tsr_env *env, const uint32_t *config, struct tsr_mop mop,
                            unsigned most)
{
    uint32_t word;
    unsigned count = 0;
    if (mop.template1 && !has_replay(env, config, &mop)) {
        count = count_loops(env, config, &mop);
        return count < most ? count : most;
    }
    for (; count < most && next_word(env, config, &mop, &word); count++)
        if (tsr_op_of(env->isa, word) == OP_REPLAY)
            return most + 1;
    return count;
}

// ---------------------------------------------------------------- without the stages

static __attribute__((noinline)) bool begin_new(struct tsr_env *env, int thread, uint32_t word,
                                                struct tsr_mop_beginning *beginning)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (tsr_op_of(env->isa, word) != OP_MOP)
        return consume(env, thread, word);
    bool quiet = tsr_mop_peek(env, frontend, word, &beginning->mop);
    beginning->word = quiet ? word : 0;
    beginning->mask_high = frontend->mop_mask_high;
    beginning->written = frontend->mop_config_written;
    memcpy(beginning->config, frontend->mop_config, sizeof beginning->config);
    return consume(env, thread, word);
}

bool tsr_mop_begin(struct tsr_env *env, int thread, struct tsr_mop_expansion *expansion)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    struct tsr_mop_beginning *beginning = &expansion->beginning;
    const uint32_t word = tsr_fifo_front(&frontend->before_mop);
    if (beginning->word != word || word == 0 || env->races ||
        beginning->mask_high != frontend->mop_mask_high ||
        beginning->written != frontend->mop_config_written ||
        !tsr_same_words(beginning->config, frontend->mop_config, sizeof beginning->config))
        return begin_new(env, thread, word, beginning);
    frontend->mop_tag = tsr_tag(tsr_fifo_front_tag(&frontend->before_mop), TSR_FROM_MOP);
    frontend->mop = beginning->mop;
    tsr_fifo_pop(&frontend->before_mop);
    return true;
}

static void make_expansion(const struct tsr_env *env, const struct tsr_frontend *frontend,
                           struct tsr_mop_expansion *expansion)
{
    memcpy(expansion->config, frontend->mop_config, sizeof expansion->config);
    struct tsr_mop mop = expansion->after[0] = frontend->mop;
    unsigned count = 0;
    while (count < TSR_MOP_EXPANSION &&
           next_word(env, expansion->config, &mop, &expansion->word[count]))
        expansion->after[++count] = mop;
    mop.active = false;
    expansion->end = mop;
    memset(expansion->alike, 0, count);
    memset(expansion->lane, 0, count);
    expansion->made++;
    expansion->at = 0;
    expansion->count = (uint8_t)count;
    expansion->places = (uint8_t)(count + (count < TSR_MOP_EXPANSION));
}

static bool stands_at(const struct tsr_mop_expansion *expansion, unsigned at,
                      const struct tsr_mop *mop)
{
    return expansion->after[at].inner == mop->inner && expansion->after[at].outer == mop->outer &&
           memcmp(&expansion->after[at], mop, sizeof *mop) == 0;
}

// Where the MOP stands in what is kept: there, at its beginning, or somewhere behind words that
// took the stages; at its end, too, unless more follow than there is room for. False: nowhere.
static bool find_place(struct tsr_mop_expansion *expansion, const struct tsr_frontend *frontend)
{
    const unsigned end = expansion->places;
    unsigned at = expansion->at;
    if (memcmp(expansion->config, frontend->mop_config, sizeof expansion->config) != 0)
        return false;
    if (at >= end || !stands_at(expansion, at, &frontend->mop))
        for (at = 0; at < end && !stands_at(expansion, at, &frontend->mop);)
            at++;
    expansion->at = (uint8_t)at;
    return at < end;
}

void tsr_mop_find_words(const struct tsr_env *env, const struct tsr_frontend *frontend,
                        struct tsr_mop_expansion *expansion)
{
    if (!find_place(expansion, frontend))
        make_expansion(env, frontend, expansion);
}

void tsr_mop_end(struct tsr_frontend *frontend, struct tsr_mop_expansion *expansion)
{
    frontend->mop = expansion->end;
    expansion->at = 0;
}

void tsr_mop_take(struct tsr_frontend *frontend, struct tsr_mop_expansion *expansion,
                  unsigned count)
{
    expansion->at = (uint8_t)(expansion->at + count);
    frontend->mop = expansion->after[expansion->at];
}
