// SPDX-License-Identifier: Apache-2.0
// The replay expander: records words and plays them back. Page: REPLAY.md.
#ifndef TESSERA_FRONTEND_REPLAY_EXPANDER_H
#define TESSERA_FRONTEND_REPLAY_EXPANDER_H

#include "state/state.h"

// Hands on at most one word towards the wait gate, and says whether anything moved.
bool tsr_replay_step(struct tsr_env *env, int thread);

// Without the stages: begins to play what the REPLAY `word` names, if it plays and can be reported
// by nobody. False: it must take the stages.
bool tsr_replay_begin_play(struct tsr_env *env, int thread, uint32_t word,
                           enum tsr_word_source source);

#endif
