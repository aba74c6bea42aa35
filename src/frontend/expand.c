// SPDX-License-Identifier: Apache-2.0
// Words on their way from a thread's FIFO through the MOP expander and the replay expander to the
// wait gate, with the depths of machine/timing.def; one word a stage a cycle with timing on. With
// timing off a word moves when the gate has none, or when somebody asks how full the FIFOs are.
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
    if (fifo->count == 0 || frontend->mop.active ||
        (frontend->before_replay.count | frontend->replay.load_left | frontend->replay.play_left) !=
            0)
        return false;
    uint32_t word = tsr_fifo_front(fifo);
    if (tsr_expands(tsr_op_of(env->isa, word)))
        return false;
    move_word(fifo, &frontend->before_gate, DEPTH_BEFORE_GATE);
    return true;
}

// Only what the gate needs: the others would go through every FIFO for nothing.
static bool expand_to_gate(struct tsr_env *env, int thread)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (frontend->before_gate.count > 0 || env->findings->stopped)
        return false;
    bool moved = pass_to_gate(env, frontend);
    while (frontend->before_gate.count == 0 && !env->findings->stopped &&
           (tsr_replay_step(env, thread) || (!env->findings->stopped && tsr_mop_step(env, thread))))
        moved = true;
    return moved;
}

// Something moved towards the gate in this cycle. What came to the gate issues in the next one at
// the earliest.
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
    if (!env->timing)
        return expand_to_gate(env, thread);
    return env->state->now >= frontend->next_expand && expand_once(env, thread) &&
           moved_in_cycle(env, frontend);
}

static bool is_for_expander(const struct tsr_engine *engine, const struct tsr_fifo *fifo)
{
    return fifo->count > 0 && engine->route[tsr_fifo_front(fifo) >> 24].expands;
}

bool tsr_expand_words(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread)
{
    struct tsr_env *env = &engine->env;
    struct tsr_fifo *cores = &frontend->before_mop, *middle = &frontend->before_replay;
    bool expanding = frontend->mop.active ||
                     (frontend->replay.play_left | frontend->replay.load_left) != 0 ||
                     is_for_expander(engine, middle) || is_for_expander(engine, cores);
    bool moved = false;
    if (env->state->now < frontend->next_expand)
        return false;
    if (expanding)
        return expand_once(env, thread) && moved_in_cycle(env, frontend);
    if (middle->count > 0 && frontend->before_gate.count < DEPTH_BEFORE_GATE) {
        move_word(middle, &frontend->before_gate, DEPTH_BEFORE_GATE);
        moved = true;
    }
    if (cores->count > 0 && middle->count < DEPTH_BEFORE_REPLAY &&
        env->state->now >= frontend->mop_idle_until) {
        move_word(cores, middle, DEPTH_BEFORE_REPLAY);
        moved = true;
    }
    return moved && moved_in_cycle(env, frontend);
}

void tsr_expand_all(struct tsr_env *env, int thread)
{
    env->state->frontend[thread].lent = 0;
    while (!env->timing && !env->findings->stopped && expand_once(env, thread)) {
    }
}

static unsigned room_ahead(const struct tsr_frontend *frontend)
{
    return DEPTH_BEFORE_GATE + DEPTH_BEFORE_REPLAY - (unsigned)frontend->before_gate.count;
}

// With timing off the FIFOs behind a full one would take words off it, were they moved now. What
// just passes the expanders may stay where it is instead: so many words, up to *most. False: words
// must be moved to know.
static bool room_behind(const struct tsr_env *env, const struct tsr_frontend *frontend,
                        unsigned *most)
{
    const struct tsr_fifo *fifo = &frontend->before_mop;
    unsigned room = room_ahead(frontend);
    *most = 0;
    if ((frontend->before_replay.count | frontend->replay.load_left | frontend->replay.play_left) !=
            0 ||
        frontend->mop.active)
        return false;
    while (*most < room &&
           !tsr_expands(tsr_op_of(env->isa, fifo->word[(fifo->first + *most) % TSR_FIFO_MAX])))
        ++*most;
    return *most == room;
}

static __attribute__((noinline)) bool push_into_full(struct tsr_env *env, int thread,
                                                     struct tsr_fifo *fifo, unsigned depth,
                                                     uint32_t word, uint32_t tag)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (env->timing)
        return false;
    if (fifo == &frontend->before_mop) {
        unsigned lent;
        if (frontend->lent > 0 && frontend->lent == room_ahead(frontend))
            return false; // all of it is taken, and no word has moved since it was found
        bool known = room_behind(env, frontend, &lent);
        frontend->lent = (uint8_t)lent;
        if (tsr_fifo_push_from(fifo, depth + lent, word, tag))
            return true;
        if (known)
            return false;
    }
    tsr_expand_all(env, thread);
    return !env->findings->stopped && tsr_fifo_push_from(fifo, depth, word, tag);
}

bool tsr_frontend_push(struct tsr_env *env, int thread, uint32_t word, bool after_mop)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    struct tsr_fifo *fifo = after_mop ? &frontend->before_replay : &frontend->before_mop;
    unsigned depth = after_mop ? DEPTH_BEFORE_REPLAY : thread == 0 ? DEPTH_FIFO_T0 : DEPTH_FIFO_T1;
    unsigned lent = after_mop ? 0 : frontend->lent;
    uint32_t tag =
        tsr_tag(env->core_has_pc ? env->core_at : 0, after_mop ? TSR_FROM_B : TSR_FROM_CORE);
    return tsr_fifo_push_from(fifo, depth + lent, word, tag) ||
           push_into_full(env, thread, fifo, depth, word, tag);
}

bool tsr_frontend_drained(const struct tsr_env *env, int thread)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    return frontend->before_mop.count == 0 && frontend->before_replay.count == 0 &&
           frontend->before_gate.count == 0 && frontend->in_flight == 0 && !frontend->mop.active &&
           frontend->replay.play_left == 0;
}
