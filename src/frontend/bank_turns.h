// SPDX-License-Identifier: Apache-2.0
// Threads 0 and 1 that take turns at the banks of Src (bank_turns.c).
#ifndef TESSERA_FRONTEND_BANK_TURNS_H
#define TESSERA_FRONTEND_BANK_TURNS_H

#include "frontend/engine.h"

// With timing off, at the beginning of a round between which and the next nobody looks at the tile:
// as many rounds as units and threads 0 and 1 alone make, both in the middle of a MOP, and perhaps
// the beginning of one.
enum tsr_turns_end tsr_take_bank_turns(struct tsr_engine *engine, struct tsr_turns *turns);

// Thread 0 is about to begin the words of a MOP: whether they go that way if its turn ends here.
bool tsr_bank_turns_follow(const struct tsr_engine *engine);

// Whether threads 0 and 1 are both in a MOP, without which the above need not be asked.
static inline bool tsr_bank_turns_near(const struct tsr_engine *engine)
{
    const struct tsr_frontend *frontend = engine->env.state->frontend;
    return frontend[0].mop.active && frontend[1].mop.active;
}

#endif
