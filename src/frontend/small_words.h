// SPDX-License-Identifier: Apache-2.0
// With timing off: small words, where they lie (small_words.c).
#ifndef TESSERA_FRONTEND_SMALL_WORDS_H
#define TESSERA_FRONTEND_SMALL_WORDS_H

#include "frontend/engine.h"
#include "state/pushes.h"

enum tsr_small_kind { TSR_SMALL_NOT, TSR_SMALL_NOP, TSR_SMALL_OF_UNIT };

void tsr_small_word_decode(const struct tsr_engine *engine, uint32_t word,
                           struct tsr_small_word *small);

// What the word is as a small one.
static inline const struct tsr_small_word *tsr_small_word_of(struct tsr_engine *engine,
                                                             uint32_t word)
{
    struct tsr_small_word *small = &engine->small[word * 0x9e3779b1u >> 24];
    if (small->word != word)
        tsr_small_word_decode(engine, word, small);
    return small;
}
_Static_assert(TSR_SMALL_WORDS == 1 << (32 - 24), "a place for each hash");

// Of a thread without a latched wait: if it was idle, the small words that come next in its FIFOs
// are executed as tsr_run_thread() would. True: there is nothing left. `*moved`: there was one.
bool tsr_run_small_words(struct tsr_engine *engine, int thread, bool *moved);

// The small words that come first, of a thread without a latched wait and while the scalar unit
// holds nothing, up to a wait that is not met. How many; the caller removes them and counts them as
// issued. `*nops` more of them need no unit.
unsigned tsr_run_small(struct tsr_engine *engine, int thread, const uint32_t *words, unsigned count,
                       unsigned *nops);

// The small words that come next in its FIFO of that place, which holds words, up to a wait that is
// not met. How many; they are gone, and not yet counted as issued. `*nops` of them need no unit.
unsigned tsr_run_small_some(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                            enum tsr_word_at at, unsigned *nops);
static inline unsigned tsr_run_small_row(struct tsr_engine *engine, struct tsr_frontend *frontend,
                                         int thread, enum tsr_word_at at, unsigned *nops)
{
    const struct tsr_fifo *fifo = at == TSR_AT_B ? &frontend->before_replay : &frontend->before_mop;
    if (tsr_small_word_of(engine, tsr_fifo_front(fifo))->kind == TSR_SMALL_NOT)
        return 0;
    return tsr_run_small_some(engine, frontend, thread, at, nops);
}

#endif
