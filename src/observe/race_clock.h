// SPDX-License-Identifier: Apache-2.0
// Vector clocks: a count for each agent whose events are in an order of their own. What a clock
// has of an agent is how many of that agent's events are known to be over.
// Pages: TensixCoprocessor/README.md (order of instructions), BabyRISCV/MemoryOrdering.md.
#ifndef TESSERA_OBSERVE_RACE_CLOCK_H
#define TESSERA_OBSERVE_RACE_CLOCK_H

#include "observe/race_far.h"

#include <tessera/trace.h>

#include <stdbool.h>
#include <stdint.h>

// A thread's instructions pass the gate in order, and those of a thread in a unit execute in
// order: both count by the thread's sequence numbers. Cores count what they do; what a core stores
// outside L1 may come later than what it pushes (its port).
enum {
    RACE_CORES = 8, // tsr_core, TSR_AGENT_HOST, TSR_RACE_AGENT_TDMA
    RACE_PORTS = 4, // of B, T0, T1, T2
    RACE_THREAD = 0,
    RACE_UNIT = RACE_THREAD + TSR_THREADS,
    RACE_CORE = RACE_UNIT + TSR_UNIT_COUNT * TSR_THREADS,
    RACE_PORT = RACE_CORE + RACE_CORES,
    RACE_MOP = RACE_PORT + RACE_PORTS, // a thread's MOP expander; counts by pushes
    RACE_AGENTS = RACE_MOP + TSR_THREADS,
    // Requests over the NoC, by their numbers. No clock counts them: facts tell (race_far.h).
    RACE_PACKET = RACE_AGENTS
};

struct tsr_race_clock {
    uint32_t at[RACE_AGENTS];
    const struct tsr_race_far *far; // of other tiles and of the NoC; NULL: nothing
};

static inline unsigned tsr_race_unit_agent(unsigned unit, unsigned thread)
{
    return RACE_UNIT + unit * TSR_THREADS + thread;
}

static inline bool tsr_race_is_unit(unsigned agent)
{
    return agent >= RACE_UNIT && agent < RACE_CORE;
}

static inline unsigned tsr_race_unit_of(unsigned agent)
{
    return (agent - RACE_UNIT) / TSR_THREADS;
}

// The thread of an instruction.
static inline unsigned tsr_race_thread_of(unsigned agent)
{
    return agent < RACE_UNIT ? agent : (agent - RACE_UNIT) % TSR_THREADS;
}

static inline void tsr_race_raise(struct tsr_race_clock *clock, unsigned agent, uint32_t count)
{
    if (clock->at[agent] < count)
        clock->at[agent] = count;
}

static inline void tsr_race_join(struct tsr_race_clock *clock, const struct tsr_race_clock *other)
{
    for (unsigned i = 0; i < RACE_AGENTS; i++)
        clock->at[i] = clock->at[i] < other->at[i] ? other->at[i] : clock->at[i];
    if (clock->far != other->far)
        clock->far = tsr_race_far_join(clock->far, other->far);
}

#endif
