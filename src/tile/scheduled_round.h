// SPDX-License-Identifier: Apache-2.0
// The order of tsr_options.schedule (scheduled_round.c).
#ifndef TESSERA_TILE_SCHEDULED_ROUND_H
#define TESSERA_TILE_SCHEDULED_ROUND_H

#include "frontend/engine.h"

// After power-on.
void tsr_schedule_begin(struct tsr_schedule_state *schedule, const tsr_options *options);
// A round, in which one actor does one thing. False: nothing moved.
bool tsr_scheduled_round(struct tsr_engine *engine);

// The cores' turns: which is the first of `cores`, and how many of `most` instructions it executes.
unsigned tsr_schedule_first_core(struct tsr_schedule_state *schedule, unsigned cores);
uint64_t tsr_schedule_share(struct tsr_schedule_state *schedule, uint64_t most);

#endif
