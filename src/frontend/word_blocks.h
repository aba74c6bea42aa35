// SPDX-License-Identifier: Apache-2.0
// With timing off: a thread's next words as one, as far as they go to the units of one kind, and
// these take them so (tsr_unit_ops.run_block; docs/architecture.md, Blocks). The words stay where
// they lie.
#ifndef TESSERA_FRONTEND_WORD_BLOCKS_H
#define TESSERA_FRONTEND_WORD_BLOCKS_H

#include "base/bits.h"
#include "frontend/stages.h"
#include "frontend/wait_gate.h"
#include "matrix/matrix_unit.h"

static inline void tsr_count_block(struct tsr_engine *engine, const struct tsr_route *first,
                                   const uint32_t *words, unsigned count)
{
    uint64_t *of_unit = engine->tally.unit_instructions;
    engine->in_blocks += count;
    if (first->second == 0)
        of_unit[first->unit] += count;
    for (unsigned i = 0; first->second != 0 && i < count; i++)
        of_unit[tsr_route_unit(first, words[i])]++;
}

// Whether the wait that is latched holds such words, or they may be what it is for.
static inline bool tsr_latch_holds(const struct tsr_engine *engine, const struct tsr_route *route,
                                   int thread)
{
    return !route->block_behind_wait ||
           tsr_gate_blocks(&engine->env, thread, (enum tsr_op)route->op) != TSR_REASON_NONE;
}

// How many of the words one block may take, whatever the state is.
static inline unsigned tsr_words_alike(const struct tsr_engine *engine, const uint32_t *words,
                                       unsigned count)
{
    const struct tsr_route *route = &engine->route[words[0] >> 24];
    const unsigned block_of = route->block_of;
    unsigned n = 0;
    uint32_t word = words[0];
    while (route->block_of == block_of && (word & route->reserved) == 0) {
        const uint32_t same = word;
        do { // kernels repeat words
            if (++n == count)
                return n;
            word = words[n];
        } while (word == same);
        route = &engine->route[word >> 24];
    }
    return n;
}

// The same of a MOP's words, which are the same again and again.
static inline unsigned tsr_mop_words_alike(struct tsr_engine *engine, int thread,
                                           const uint32_t *words, unsigned count)
{
    struct tsr_mop_expansion *expansion = &engine->expansion[thread];
    uint8_t *alike = &expansion->alike[words - expansion->word];
    if (*alike == 0)
        *alike = (uint8_t)tsr_words_alike(engine, words, count);
    return *alike;
}

// Of `count` such words those before the first that the latched wait holds, or whose unit holds
// something.
static inline unsigned tsr_words_free(const struct tsr_engine *engine, int thread,
                                      const uint32_t *words, unsigned count, bool latched)
{
    const uint32_t active = engine->env.state->queues.active;
    for (unsigned i = 0; i < count; i++) {
        const struct tsr_route *route = &engine->route[words[i] >> 24];
        if ((latched && tsr_latch_holds(engine, route, thread)) ||
            active >> tsr_route_unit(route, words[i]) & 1)
            return i;
    }
    return count;
}

// Its unit holds something, or the scalar unit may hold the thread.
static inline bool tsr_held_by_unit(const struct tsr_engine *engine, const struct tsr_route *route,
                                    uint32_t word)
{
    return (engine->env.state->queues.active &
            (1u << tsr_route_unit(route, word) | 1u << TSR_UNIT_SCALAR)) != 0;
}

// Executes as one as many of these words as their unit takes so. 0: none. `latched`: a wait is.
// `refused`: the unit would not take the next one alone, either.
TSR_INLINE unsigned tsr_run_word_block(struct tsr_engine *engine, const struct tsr_route *first,
                                       int thread, const uint32_t *words, unsigned count,
                                       enum tsr_word_at at, bool latched, bool *refused)
{
    struct tsr_env *env = &engine->env;
    const uint32_t active = env->state->queues.active;
    unsigned n = 0;
    const bool among = (active & first->among) != 0 || latched; // most often none
    if (among && (tsr_held_by_unit(engine, first, words[0]) ||
                  (latched && tsr_latch_holds(engine, first, thread))))
        return 0;
    if (first->ops->kept_block && !latched && count >= first->block_least)
        n = first->ops->kept_block(env, words, count);
    if (n == 0 && at == TSR_AT_MOP)
        n = tsr_mop_words_alike(engine, thread, words, count);
    else if (n == 0)
        n = tsr_words_alike(engine, words, count);
    if (among && (latched || first->second != 0)) // the others have one unit
        n = tsr_words_free(engine, thread, words, n, latched);
    if (n < first->block_least)
        return 0;
    unsigned done = first->ops->run_block(env, thread, words, n);
    env->state->frontend[thread].sequence += done;
    *refused = done < n && first->ops->blocks_to_refused;
    if (done > 0)
        tsr_count_block(engine, first, words, done);
    return done;
}

// The words before these have executed, or are in their units: they are no longer where they lay.
static inline void tsr_words_gone(struct tsr_engine *engine, struct tsr_frontend *frontend,
                                  int thread, enum tsr_word_at at, unsigned count)
{
    tsr_note_pushes(engine, frontend, thread, at, frontend->sequence - count + 1, count);
    tsr_take_words(engine, frontend, thread, at, count);
}

// So many words have executed or are in their units: nothing holds the thread, and they are gone.
static inline void tsr_words_issued(struct tsr_engine *engine, struct tsr_frontend *frontend,
                                    int thread, enum tsr_word_at at, unsigned count)
{
    if (count == 0)
        return;
    if (frontend->reason != TSR_REASON_NONE)
        tsr_note_wait(engine, thread, TSR_REASON_NONE, 0);
    engine->tally.issued[thread] += count;
    tsr_words_gone(engine, frontend, thread, at, count);
}

// A word that a finding stopped on its way past the gate.
static inline void tsr_stand_at_gate(struct tsr_engine *engine, int thread, uint32_t word,
                                     enum tsr_word_at at)
{
    struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    if (at == TSR_AT_GATE)
        return;
    uint64_t tag = tsr_word_tag(frontend, at, 0);
    tsr_take_words(engine, frontend, thread, at, 1);
    tsr_fifo_push_from(&frontend->before_gate, DEPTH_BEFORE_GATE, word, tag);
}

// The bank that the word waits for at the gate; TSR_REASON_NONE: something else may hold it.
static inline tsr_reason tsr_bank_awaited(struct tsr_engine *engine, int thread, uint32_t word)
{
    const struct tsr_route *route = &engine->route[word >> 24];
    if (!route->bypass || route->unit != TSR_UNIT_MATRIX || (word & route->reserved) != 0 ||
        tsr_held_by_unit(engine, route, word))
        return TSR_REASON_NONE;
    return tsr_matrix_awaited(&engine->env, thread, word);
}

#endif
