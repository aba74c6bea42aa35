// SPDX-License-Identifier: Apache-2.0
// Words on their way to the gate: both expanders, and what moves words along between them
// (expand.c, mop_expander.c, replay_expander.c).
#ifndef TESSERA_FRONTEND_EXPAND_H
#define TESSERA_FRONTEND_EXPAND_H

#include "frontend/engine.h"

// Each moves what can move at the present cycle and says whether anything did.
bool tsr_expand(struct tsr_engine *engine, int thread);      // words towards the gate
bool tsr_mop_step(struct tsr_engine *engine, int thread);    // at most one word
bool tsr_replay_step(struct tsr_engine *engine, int thread); // at most one word

// Nothing to do for the thread's frontend, and that is noted already.
static inline bool tsr_frontend_quiet(const struct tsr_frontend *frontend)
{
    return (frontend->before_gate.count | frontend->before_replay.count |
            frontend->before_mop.count | frontend->replay.play_left) == 0 &&
           !frontend->mop.active && frontend->reason == TSR_REASON_EMPTY;
}

// Nothing in any FIFO and nothing in flight for the thread.
bool tsr_frontend_drained(const struct tsr_env *env, int thread);

#endif
