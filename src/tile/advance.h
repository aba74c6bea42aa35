// SPDX-License-Identifier: Apache-2.0
// What moves without the threads: the units' queues and the mover (advance.c).
#ifndef TESSERA_TILE_ADVANCE_H
#define TESSERA_TILE_ADVANCE_H

#include "frontend/engine.h"

// Something goes on without the threads: in a unit, on its way back to a GPR, or in the mover.
static inline bool tsr_work_behind_gates(const struct tsr_state *state)
{
    return state->queues.active || state->scalar.requests > 0 || state->mover.busy ||
           state->tdma.count > 0;
}

// What the units' queues can do at the present cycle. True: something moved.
bool tsr_advance_units(struct tsr_engine *engine);
// The end of the mover's work, and the next command of TDMA-RISC.
bool tsr_advance_mover(struct tsr_engine *engine);

#endif
