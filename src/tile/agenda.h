// SPDX-License-Identifier: Apache-2.0
// With timing on: rounds that visit only what may move, by an agenda of what is due when
// (agenda.c, agenda_round.c).
#ifndef TESSERA_TILE_AGENDA_H
#define TESSERA_TILE_AGENDA_H

#include "frontend/engine.h"

// Rounds at the present cycle and those after it, as tsr_clock_round() and tsr_clock_next() have
// them: at most so many, up to engine->end_cycle. Adds how many to `rounds`. False: nothing moved
// in the last one, and nothing is due.
bool tsr_agenda_run(struct tsr_engine *engine, uint64_t most, uint64_t *rounds);
// One round, with what a run of one does behind it.
bool tsr_agenda_step(struct tsr_engine *engine);
// A round would move nothing in this cycle either.
static inline bool tsr_agenda_is_quiet(const struct tsr_engine *engine)
{
    return engine->env.touched == 0 && engine->env.state->now < engine->agenda.quiet_until;
}

#endif
