// SPDX-License-Identifier: Apache-2.0
// The replay expander: records words and plays them back. Page: REPLAY.md.
#ifndef TESSERA_FRONTEND_REPLAY_EXPANDER_H
#define TESSERA_FRONTEND_REPLAY_EXPANDER_H

#include "state/state.h"

// Hands on at most one word towards the wait gate, and says whether anything moved.
bool tsr_replay_step(struct tsr_env *env, int thread);

#endif
