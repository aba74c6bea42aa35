// SPDX-License-Identifier: Apache-2.0
// A thread's words on their way from its FIFO through MOP expander and replay expander to the wait
// gate. The depths are in machine/timing.def. With timing on each stage moves one word a cycle.
// With timing off a word moves when the gate is empty, or when somebody asks how full the FIFOs
// are.
// Pages: TensixCoprocessor/README.md (frontend diagram), MOPExpander.md, REPLAY.md.
#include "frontend/expand.h"

#include "frontend/mop_expander.h"
#include "frontend/replay_expander.h"

static bool expand_once(struct tsr_env *env, int thread)
{
    bool moved = tsr_replay_step(env, thread);
    moved |= !env->findings->stopped && tsr_mop_step(env, thread);
    return moved;
}

static void move_word(struct tsr_fifo *from, struct tsr_fifo *to, unsigned depth)
{
    tsr_fifo_push_from(to, depth, tsr_fifo_front(from), tsr_fifo_front_tag(from));
    tsr_fifo_pop(from);
}

// A core's word that only passes the expanders, and finds nothing in its way.
static bool pass_to_gate(const struct tsr_env *env, struct tsr_frontend *frontend)
{
    struct tsr_fifo *fifo = &frontend->before_mop;
    if (fifo->count == 0 || frontend->mop.active || !tsr_mop_is_next(frontend))
        return false;
    uint32_t word = tsr_fifo_front(fifo);
    if (tsr_expands(tsr_op_of(env->isa, word)))
        return false;
    move_word(fifo, &frontend->before_gate, DEPTH_BEFORE_GATE);
    return true;
}

// Takes the next word of the active MOP straight to the gate, if the replay expander and the FIFO
// between are empty.
static bool mop_to_gate(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread)
{
    struct tsr_mop_expansion *expansion = &engine->expansion[thread];
    unsigned count;
    if (engine->staged || !frontend->mop.active || !tsr_mop_is_next(frontend))
        return false;
    const uint32_t *words = tsr_mop_words(&engine->env, frontend, expansion, &count);
    if (count == 0 || tsr_expands(tsr_op_of(engine->env.isa, words[0])))
        return false;
    tsr_fifo_push_from(&frontend->before_gate, DEPTH_BEFORE_GATE, words[0], frontend->mop_tag);
    tsr_mop_take(frontend, expansion, 1);
    return true;
}

// Moves words only until the gate has one. More would go through every FIFO without need.
static bool expand_to_gate(struct tsr_engine *engine, int thread)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (frontend->before_gate.count > 0 || env->findings->stopped)
        return false;
    bool moved = mop_to_gate(engine, frontend, thread) || pass_to_gate(env, frontend);
    while (frontend->before_gate.count == 0 && !env->findings->stopped &&
           (tsr_replay_step(env, thread) || (!env->findings->stopped && tsr_mop_step(env, thread))))
        moved = true;
    return moved;
}

bool tsr_expand_held(struct tsr_engine *engine, int thread)
{
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    return frontend->before_gate.count == 0 &&
           (mop_to_gate(engine, frontend, thread) || pass_to_gate(&engine->env, frontend) ||
            tsr_replay_step(&engine->env, thread));
}

// To be called when a word has moved in this cycle: the next move is a stage's time later, and a
// word that has come to the gate issues in the next cycle at the earliest.
static bool moved_in_cycle(const struct tsr_env *env, struct tsr_frontend *frontend)
{
    frontend->next_expand = env->state->now + env->isa->rate[RATE_EXPAND_CYCLES];
    if (frontend->before_gate.count > 0 && frontend->next_issue <= env->state->now)
        frontend->next_issue = env->state->now + 1;
    return true;
}

bool tsr_expand(struct tsr_engine *engine, int thread)
{
    struct tsr_env *env = &engine->env;
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (!env->timing) {
        bool moved = expand_to_gate(engine, thread);
        if (moved)
            tsr_lend_nothing(frontend);
        return moved;
    }
    return env->state->now >= frontend->next_expand && expand_once(env, thread) &&
           moved_in_cycle(env, frontend);
}

static bool is_for_expander(const struct tsr_engine *engine, const struct tsr_fifo *fifo)
{
    return fifo->count > 0 && engine->route[tsr_fifo_front(fifo) >> 24].expands;
}

// The MOP expander's step, most often with a MOP whose words are known.
static inline bool step_mop(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread)
{
    struct tsr_mop_expansion *expansion = &engine->expansion[thread];
    struct tsr_fifo *cores = &frontend->before_mop, *middle = &frontend->before_replay;
    if (frontend->mop.active) {
        unsigned count;
        if (middle->count >= DEPTH_BEFORE_REPLAY)
            return false;
        const uint32_t *words = tsr_mop_words(&engine->env, frontend, expansion, &count);
        if (count == 0) // it ends, or the next one begins
            return tsr_mop_step(&engine->env, thread);
        tsr_fifo_push_from(middle, DEPTH_BEFORE_REPLAY, words[0], frontend->mop_tag);
        tsr_mop_take(frontend, expansion, 1);
        return true;
    }
    if (cores->count == 0 || engine->env.state->now < frontend->mop_idle_until)
        return false;
    if (is_for_expander(engine, cores))
        return tsr_mop_step(&engine->env, thread);
    if (middle->count >= DEPTH_BEFORE_REPLAY)
        return false;
    move_word(cores, middle, DEPTH_BEFORE_REPLAY);
    return true;
}

bool tsr_expand_words(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread)
{
    struct tsr_env *env = &engine->env;
    struct tsr_fifo *middle = &frontend->before_replay;
    bool moved = false;
    if (env->state->now < frontend->next_expand)
        return false;
    if ((frontend->replay.play_left | frontend->replay.load_left) != 0 ||
        is_for_expander(engine, middle)) {
        moved = tsr_replay_step(env, thread);
        if (env->findings->stopped)
            return moved && moved_in_cycle(env, frontend);
    } else if (middle->count > 0 && frontend->before_gate.count < DEPTH_BEFORE_GATE) {
        move_word(middle, &frontend->before_gate, DEPTH_BEFORE_GATE);
        moved = true;
    }
    moved |= step_mop(engine, frontend, thread);
    return moved && moved_in_cycle(env, frontend);
}

// The gate is full, and the next word would only go there: no expander takes it.
static bool gate_holds_words(const struct tsr_env *env, const struct tsr_frontend *frontend)
{
    return frontend->before_gate.count >= DEPTH_BEFORE_GATE && frontend->replay.load_left == 0 &&
           (frontend->replay.play_left > 0 ||
            (frontend->before_replay.count > 0 &&
             tsr_op_of(env->isa, tsr_fifo_front(&frontend->before_replay)) != OP_REPLAY));
}

void tsr_expand_all(struct tsr_env *env, int thread)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    tsr_lend_nothing(frontend);
    while (
        !env->timing && !env->findings->stopped &&
        (gate_holds_words(env, frontend) ? tsr_mop_step(env, thread) : expand_once(env, thread))) {
    }
}

static unsigned room_ahead(const struct tsr_frontend *frontend, bool after_mop)
{
    return DEPTH_BEFORE_GATE + (after_mop ? 0 : DEPTH_BEFORE_REPLAY) -
           (unsigned)frontend->before_gate.count;
}

// How many words would leave a full FIFO if all words moved as far as they can.
struct leaving {
    unsigned words, mops; // those among them
};

static inline bool all_pass(const struct tsr_env *env, const uint32_t *words, unsigned count)
{
    for (const uint32_t *end = words + count; words < end; words++)
        if (tsr_expands(tsr_op_of(env->isa, *words)))
            return false;
    return true;
}

// All of the first words go through the expanders unchanged.
static bool only_pass(const struct tsr_env *env, const struct tsr_fifo *fifo, unsigned count)
{
    unsigned to_end = TSR_FIFO_MAX - (unsigned)fifo->first;
    if (count <= to_end)
        return all_pass(env, fifo->word + fifo->first, count);
    return all_pass(env, fifo->word + fifo->first, to_end) &&
           all_pass(env, fifo->word, count - to_end);
}

// With timing off words do not move before they must, but a FIFO has to have the same room as if
// they had: the FIFOs behind it take words, and a MOP leaves it when it comes to the front. Counts
// these. False: they cannot be counted without moving them.
static bool find_leaving(const struct tsr_env *env, const struct tsr_frontend *frontend,
                         bool after_mop, struct leaving *leaving)
{
    enum { MOST = 16 }; // words that may stay beyond a FIFO's depth
    const struct tsr_fifo *fifo = after_mop ? &frontend->before_replay : &frontend->before_mop;
    struct tsr_mop mop = frontend->mop;
    unsigned room = room_ahead(frontend, after_mop);
    *leaving = (struct leaving){0};
    if ((frontend->replay.load_left | frontend->replay.play_left) != 0 ||
        (!after_mop && frontend->before_replay.count > 0))
        return false;
    mop.active &= !after_mop;
    if (!mop.active && room <= fifo->count && only_pass(env, fifo, room)) {
        leaving->words = room;
        return true;
    }
    for (;;) {
        unsigned left = mop.active ? tsr_mop_words_left(env, frontend->mop_config, mop, room) : 0;
        if (left > room)
            return false;
        room -= left;
        mop.active = false;
        if (room == 0 || leaving->words == fifo->count || leaving->words == MOST)
            return room == 0;
        uint32_t word = fifo->word[(fifo->first + leaving->words) % TSR_FIFO_MAX];
        enum tsr_op op = tsr_op_of(env->isa, word);
        bool kept = after_mop ? op == OP_REPLAY : tsr_expands(op);
        if (kept && (op != OP_MOP || !tsr_mop_peek(env, frontend, word, &mop)))
            return false;
        leaving->words++;
        leaving->mops += kept;
        room -= !kept;
    }
}

unsigned tsr_frontend_depth(const struct tsr_env *env, int thread, bool after_mop)
{
    return after_mop ? DEPTH_BEFORE_REPLAY : env->isa->rate[RATE_FIFO_TAKES_T0 + thread];
}

static unsigned held_in(const struct tsr_env *env, const struct tsr_frontend *frontend,
                        bool after_mop)
{
    return after_mop ? frontend->before_replay.count
                     : frontend->before_mop.count + tsr_frontend_passed(env, frontend);
}

// It holds at least so many.
static inline bool holds(const struct tsr_env *env, const struct tsr_frontend *frontend,
                         bool after_mop, unsigned words)
{
    return after_mop ? frontend->before_replay.count >= words
                     : tsr_frontend_holds(env, frontend, words);
}

// Finds the room that the words of a full FIFO would leave.
static __attribute__((noinline)) void find_lent(const struct tsr_env *env,
                                                struct tsr_frontend *frontend, bool after_mop)
{
    struct leaving leaving;
    frontend->lent_all[after_mop] = find_leaving(env, frontend, after_mop, &leaving);
    frontend->lent[after_mop] =
        (uint8_t)(after_mop || !env->isa->rate[RATE_FIFO_COUNTS_PASSED] ? leaving.words
                                                                        : leaving.mops);
}

// Room for one more word in a full FIFO. Words that an expander takes may leave it.
static __attribute__((noinline)) bool make_room(struct tsr_env *env, int thread, bool after_mop,
                                                unsigned depth)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (env->timing)
        return false;
    find_lent(env, frontend, after_mop);
    if (!holds(env, frontend, after_mop, depth + frontend->lent[after_mop]))
        return true;
    if (frontend->lent_all[after_mop])
        return false;
    tsr_expand_all(env, thread);
    return !env->findings->stopped && !holds(env, frontend, after_mop, depth);
}

bool tsr_frontend_has_room(const struct tsr_env *env, int thread, bool after_mop)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    return !holds(env, frontend, after_mop,
                  tsr_frontend_depth(env, thread, after_mop) + frontend->lent[after_mop]);
}

bool tsr_frontend_keeps_out(struct tsr_env *env, int thread, bool after_mop)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (!frontend->lent_all[after_mop])
        find_lent(env, frontend, after_mop);
    return frontend->lent_all[after_mop] && !tsr_frontend_has_room(env, thread, after_mop);
}

bool tsr_frontend_full(const struct tsr_env *env, int thread, bool after_mop)
{
    return env->timing && holds(env, &env->state->frontend[thread], after_mop,
                                tsr_frontend_depth(env, thread, after_mop));
}

unsigned tsr_frontend_push(struct tsr_env *env, int thread, const uint32_t *words, unsigned count,
                           unsigned together, bool after_mop)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    struct tsr_fifo *fifo = after_mop ? &frontend->before_replay : &frontend->before_mop;
    unsigned depth = tsr_frontend_depth(env, thread, after_mop);
    unsigned held = held_in(env, frontend, after_mop);
    if (held >= depth + frontend->lent[after_mop]) {
        if (frontend->lent_all[after_mop])
            return 0; // all of it is taken, and no word has moved since it was found
        if (!make_room(env, thread, after_mop, depth))
            return 0;
        held = held_in(env, frontend, after_mop);
    }
    uint64_t from = env->core_has_pc ? env->core_at : 0;
    if (env->races)
        from |= (uint64_t)env->races->ops->push(env->races, thread) << 32;
    uint64_t tag = tsr_tag(from, after_mop ? TSR_FROM_B : TSR_FROM_CORE);
    uint32_t step = env->core_has_pc ? 4 : 0; // each is an instruction
    count = tsr_fifo_takes(held, depth + frontend->lent[after_mop], count, together);
    tsr_fifo_push_row(fifo, words, count, tag, step);
    return count;
}

bool tsr_frontend_push_timed(struct tsr_env *env, int thread, uint32_t word, uint32_t pc,
                             bool after_mop)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    struct tsr_fifo *fifo = after_mop ? &frontend->before_replay : &frontend->before_mop;
    TSR_FOUND(frontend);
    TSR_FOUND(fifo);
    if (holds(env, frontend, after_mop,
              tsr_frontend_depth(env, thread, after_mop) + frontend->lent[after_mop]))
        return false;
    uint64_t tag = tsr_tag(pc, after_mop ? TSR_FROM_B : TSR_FROM_CORE);
    return tsr_fifo_push_from(fifo, TSR_FIFO_MAX, word, tag);
}

unsigned tsr_frontend_push_row_timed(struct tsr_env *env, int thread, const uint32_t *words,
                                     unsigned count, unsigned together, uint32_t pc)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    count = tsr_fifo_takes(held_in(env, frontend, false), tsr_frontend_depth(env, thread, false),
                           count, together);
    tsr_fifo_push_row(&frontend->before_mop, words, count, tsr_tag(pc, TSR_FROM_CORE), 4);
    return count;
}
