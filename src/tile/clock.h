// SPDX-License-Identifier: Apache-2.0
// With timing on: what happens in a cycle, and the next cycle in which something is due (clock.c).
#ifndef TESSERA_TILE_CLOCK_H
#define TESSERA_TILE_CLOCK_H

#include "frontend/engine.h"

// A round at the present cycle. True: something moved.
bool tsr_clock_round(struct tsr_engine *engine);
// The earliest cycle after now at which something is due; UINT64_MAX if nothing is.
uint64_t tsr_clock_next(const struct tsr_engine *engine);

// Parts of these: the order in which the threads are served in this cycle, which begins as 0, 1, 2;
// and what else than the units and the threads is due before `best`.
void tsr_clock_order(const struct tsr_engine *engine, uint8_t order[TSR_THREADS]);
// A bit for the unit that the thread asks in this cycle; of the unpackers, which share their
// address phase, for the first. 0: none.
static inline uint32_t tsr_clock_asks(const struct tsr_engine *engine, int thread)
{
    const struct tsr_frontend *frontend = &engine->env.state->frontend[thread];
    if (frontend->before_gate.count == 0 || engine->env.state->now < frontend->next_issue)
        return 0;
    return engine->route[tsr_fifo_front(&frontend->before_gate) >> 24].asks;
}
uint64_t tsr_clock_others_due(const struct tsr_engine *engine, uint64_t best);

static inline void tsr_earlier(uint64_t *best, uint64_t at, uint64_t now)
{
    if (at > now && at < *best)
        *best = at;
}

// The next cycle at which something is due in the thread.
static inline uint64_t tsr_clock_thread_due(const struct tsr_engine *engine,
                                            const struct tsr_frontend *frontend, int thread)
{
    const struct tsr_state *state = engine->env.state;
    const struct tsr_gate_latch *latch = &state->sync.latch[thread];
    uint64_t best = UINT64_MAX;
    if (frontend->before_gate.count > 0) {
        tsr_earlier(&best, frontend->next_issue, state->now);
        tsr_earlier(&best, frontend->retry_at, state->now);
    }
    if (frontend->before_mop.count + frontend->before_replay.count > 0 || frontend->mop.active ||
        frontend->replay.play_left > 0) {
        tsr_earlier(&best, frontend->next_expand, state->now);
        tsr_earlier(&best, frontend->mop_idle_until, state->now);
    }
    if (latch->latched && latch->met)
        tsr_earlier(&best, latch->met_at + engine->env.isa->rate[RATE_WAIT_LAG], state->now);
    return best;
}

#endif
