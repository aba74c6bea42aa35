// SPDX-License-Identifier: Apache-2.0
// Words on their way from a thread's FIFO to the wait gate.
#ifndef TESSERA_FRONTEND_EXPAND_H
#define TESSERA_FRONTEND_EXPAND_H

#include "frontend/engine.h"

// Moves words towards the gate, as far as they can go at the present cycle and, with timing off,
// the gate needs them; whether any moved.
bool tsr_expand(struct tsr_engine *engine, int thread);
// With timing off: a word that was offered where it lies, and is held, comes to the gate; also when
// the tile has stopped since.
bool tsr_expand_held(struct tsr_engine *engine, int thread);
// As tsr_expand() with timing on, quicker where all words pass the expanders as they are.
bool tsr_expand_words(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread);
// With timing off: fills the FIFOs before the gate, for who asks what they hold. A finding may stop
// the tile. With timing on they are as full as they can be.
void tsr_expand_all(struct tsr_env *env, int thread);

// Words that the thread's core stores, `together` at a time; or core B, after the MOP expander.
// Returns how many were taken; there may be room for more. 0: there is none.
unsigned tsr_frontend_push(struct tsr_env *env, int thread, const uint32_t *words, unsigned count,
                           unsigned together, bool after_mop);
// For how many words from outside there certainly is room before the MOP expander, if nothing
// moves: those FIFOs that count hold so much less than the first may now.
static inline unsigned tsr_frontend_room(const struct tsr_env *env, int thread)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    unsigned depth = (unsigned)env->isa->rate[RATE_FIFO_TAKES_T0 + thread] + frontend->lent[0];
    unsigned held = frontend->before_mop.count;
    if (env->isa->rate[RATE_FIFO_COUNTS_PASSED])
        held += (unsigned)frontend->before_replay.count + frontend->before_gate.count;
    return held < depth ? depth - held : 0;
}
// The same as tsr_frontend_push() of a word that comes from outside, before the MOP expander.
// False: it takes the long way.
static inline bool tsr_frontend_push_short(struct tsr_env *env, int thread, uint32_t word)
{
    struct tsr_frontend *frontend = &env->state->frontend[thread];
    return tsr_frontend_room(env, thread) > 0 && !env->races && !env->core_has_pc &&
           tsr_fifo_push(&frontend->before_mop, TSR_FIFO_MAX, word);
}
// With timing on: one word of the core's instruction at `pc`, while nobody looks for races. False:
// there is no room.
bool tsr_frontend_push_timed(struct tsr_env *env, int thread, uint32_t word, uint32_t pc,
                             bool after_mop);
// The same of several before the MOP expander, `together` at a time; the first is that instruction.
// Returns how many were taken.
unsigned tsr_frontend_push_row_timed(struct tsr_env *env, int thread, const uint32_t *words,
                                     unsigned count, unsigned together, uint32_t pc);
// With timing on: it would take none.
bool tsr_frontend_full(const struct tsr_env *env, int thread, bool after_mop);
// It takes one without asking for the room that its words would leave.
bool tsr_frontend_has_room(const struct tsr_env *env, int thread, bool after_mop);
// With timing off, of one that has no room so: it takes none until a word has moved. False: it has
// room now, or whoever pushes finds out.
bool tsr_frontend_keeps_out(struct tsr_env *env, int thread, bool after_mop);
static inline unsigned tsr_count_of_core(const struct tsr_fifo *fifo)
{
    unsigned count = 0, end = fifo->first + fifo->count;
    unsigned last = end < TSR_FIFO_MAX ? end : TSR_FIFO_MAX;
    for (unsigned at = fifo->first; at < last; at++)
        count += (fifo->tag[at] & TSR_TAG_SOURCE) == TSR_FROM_CORE;
    for (unsigned at = TSR_FIFO_MAX; at < end; at++)
        count += (fifo->tag[at - TSR_FIFO_MAX] & TSR_TAG_SOURCE) == TSR_FROM_CORE;
    return count;
}
// The words of its core that have left the first FIFO and count as in it until they pass the gate.
static inline unsigned tsr_frontend_passed(const struct tsr_env *env,
                                           const struct tsr_frontend *frontend)
{
    if ((frontend->before_replay.count | frontend->before_gate.count) == 0 ||
        !env->isa->rate[RATE_FIFO_COUNTS_PASSED])
        return 0;
    return tsr_count_of_core(&frontend->before_replay) + tsr_count_of_core(&frontend->before_gate);
}
// The first FIFO and those words hold at least so many. Often the FIFOs' counts tell.
static inline bool tsr_frontend_holds(const struct tsr_env *env,
                                      const struct tsr_frontend *frontend, unsigned words)
{
    unsigned all = (unsigned)frontend->before_mop.count + frontend->before_replay.count +
                   frontend->before_gate.count;
    return frontend->before_mop.count >= words ||
           (all >= words &&
            frontend->before_mop.count + tsr_frontend_passed(env, frontend) >= words);
}
// Words are taken while the FIFO holds fewer.
unsigned tsr_frontend_depth(const struct tsr_env *env, int thread, bool after_mop);

// What leaves the MOP expander is the next word at the replay expander, which loads and plays none.
static inline bool tsr_mop_is_next(const struct tsr_frontend *frontend)
{
    return (frontend->before_replay.count | frontend->replay.play_left |
            frontend->replay.load_left) == 0;
}
// And nothing stands at the gate.
static inline bool tsr_mop_is_next_at_gate(const struct tsr_frontend *frontend)
{
    return frontend->before_gate.count == 0 && tsr_mop_is_next(frontend);
}

// Nothing to do for the thread's frontend, and that is noted already.
static inline bool tsr_frontend_quiet(const struct tsr_frontend *frontend)
{
    return frontend->reason == TSR_REASON_EMPTY && // which tells most that are not
           (frontend->before_gate.count | frontend->before_replay.count |
            frontend->before_mop.count | frontend->replay.play_left | frontend->mop.active) == 0;
}

// Nothing in any FIFO and nothing in flight for the thread.
static inline bool tsr_frontend_drained(const struct tsr_env *env, int thread)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    return frontend->before_mop.count == 0 && frontend->before_replay.count == 0 &&
           frontend->before_gate.count == 0 && frontend->in_flight == 0 && !frontend->mop.active &&
           frontend->replay.play_left == 0;
}

#endif
