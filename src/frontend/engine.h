// SPDX-License-Identifier: Apache-2.0
// What the frontends and the units' queues share while the tile runs: the environment, the counts
// for the report, who watches, and where to break.
#ifndef TESSERA_FRONTEND_ENGINE_H
#define TESSERA_FRONTEND_ENGINE_H

#include "base/findings.h"
#include "frontend/mop_expander.h"
#include "frontend/units.h"

#include <tessera/trace.h>

struct tsr_engine {
    struct tsr_env env;
    struct tsr_route route[256];
    tsr_run_report tally;
    uint64_t in_blocks; // instructions that a unit took with others as one
    struct tsr_inflight inst;                        // that takes the bypass now
    struct tsr_mop_expansion expansion[TSR_THREADS]; // with timing off
    tsr_observer *observer;
    void *observer_user;
    int break_thread; // -1: none
    uint64_t break_sequence;
    uint64_t end_cycle;    // the clock does not jump over it; 0: none
    int8_t broken_thread;  // with timing off: the thread that a break stopped; -1: none
    bool staged;           // every word takes every stage (TSR_PIPELINE_STAGED)
    bool external;         // who runs the tile may still push words
    uint32_t still_rounds; // in which nothing moved, one after the other
};

#endif
