// SPDX-License-Identifier: Apache-2.0
// The end of a thread's frontend, where words go to their units (issue.c).
#ifndef TESSERA_FRONTEND_ISSUE_H
#define TESSERA_FRONTEND_ISSUE_H

#include "frontend/stages.h"

// One instruction into a unit, if it can go now. True: something moved.
bool tsr_issue(struct tsr_engine *engine, int thread);
// The same for a word that lies there. True: it is gone, nearly always into its unit.
bool tsr_offer(struct tsr_engine *engine, int thread, uint32_t word, enum tsr_word_at at);
// The word waits at the gate, until `retry_at` if only the clock ends the wait (0: an event does).
// Always false.
bool tsr_hold(struct tsr_engine *engine, int thread, tsr_reason reason, uint32_t word,
              uint64_t retry_at);

// The thread's next instruction is the one before which the run shall stop. Runs stop between two
// rounds, so that a run that breaks and goes on is the run without the break, but for one thing:
// with timing off the bypass looks at a MOP when its turn has come, the stages ahead of it.
static inline bool tsr_at_break(const struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    return thread == engine->break_thread && frontend->before_gate.count > 0 &&
           engine->env.state->now >= frontend->next_issue &&
           frontend->sequence + 1 == engine->break_sequence;
}

// The thread has issued as many words as it may in this run, which ends as at a break.
static inline bool tsr_words_used_up(const struct tsr_engine *engine, int thread)
{
    return engine->max_words != 0 &&
           engine->env.state->frontend[thread].sequence - engine->words_from[thread] >=
               engine->max_words;
}
static inline bool tsr_any_words_used_up(const struct tsr_engine *engine)
{
    bool any = false;
    for (int thread = 0; thread < TSR_THREADS && engine->max_words != 0; thread++)
        any |= tsr_words_used_up(engine, thread);
    return any;
}

#endif
