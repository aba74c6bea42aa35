// SPDX-License-Identifier: Apache-2.0
// Words that come into their unit's queue to wait there (parking.c).
#ifndef TESSERA_FRONTEND_PARKING_H
#define TESSERA_FRONTEND_PARKING_H

#include "frontend/engine.h"
#include "state/pushes.h"

// How it ended.
enum tsr_parking {
    TSR_PARKED,         // all of them wait, or the next one would not
    TSR_PARKING_FULL,   // the next one finds a full queue, which is noted
    TSR_PARKING_STOPPED // a finding stopped the tile
};

// With timing off: puts words into their units' queues, as long as they would wait in their unit or
// behind what waits in it. Returns how many, which are no longer where they lay (`at`).
unsigned tsr_park_words(struct tsr_engine *engine, struct tsr_frontend *frontend, int thread,
                        const uint32_t *words, unsigned count, enum tsr_word_at at,
                        enum tsr_parking *end);

// Whether the gate and the units' state let words be parked at all.
static inline bool tsr_may_park(const struct tsr_engine *engine, int thread)
{
    const struct tsr_state *state = engine->env.state;
    return !state->sync.latch[thread].latched && !(state->queues.active >> TSR_UNIT_SCALAR & 1) &&
           (state->debug.soft_reset & TSR_RESET_COPROCESSOR) == 0;
}

#endif
