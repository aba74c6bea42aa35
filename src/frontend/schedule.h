// SPDX-License-Identifier: Apache-2.0
// With timing off: in which order what nothing orders happens, if tsr_options.schedule asks for
// another order than the one that a card shows in practice (tile/scheduled_round.c).
#ifndef TESSERA_FRONTEND_SCHEDULE_H
#define TESSERA_FRONTEND_SCHEDULE_H

#include "state/state.h"

// Who can do something: threads issue, units execute and complete, loads come back, TDMA-RISC takes
// a command. What stands behind TSR_ACTOR_CORES waits while a core runs.
enum tsr_actor {
    TSR_ACTOR_THREAD = 0,
    TSR_ACTOR_EXECUTE = TSR_ACTOR_THREAD + TSR_THREADS,
    TSR_ACTOR_COMPLETE = TSR_ACTOR_EXECUTE + TSR_UNIT_COUNT,
    TSR_ACTOR_LOADS = TSR_ACTOR_COMPLETE + TSR_UNIT_COUNT,
    TSR_ACTOR_TDMA,
    TSR_ACTOR_CORES,
    TSR_ACTOR_COUNT
};

struct tsr_schedule_state {
    uint8_t kind;                   // tsr_schedule
    bool cores_run;                 // a core does not rest
    bool kept_waiting;              // in the last round somebody, for the cores' sake
    uint8_t last_thread;            // that has issued
    uint8_t order[TSR_ACTOR_COUNT]; // RANDOM: who is asked first
    uint8_t change_bits;            // RANDOM: the order changes once in 2^change_bits moves
    uint32_t waited;                // rounds in which somebody was kept waiting, in a row
    uint64_t random;
    tsr_schedule_cut cut;
    tsr_schedule_step step; // what tsr_view_schedule() tells
};

// Whether it depends on the schedule when what the unit has accepted executes and completes. The
// others take a fixed number of cycles by their pages.
static inline bool tsr_schedule_moves(tsr_unit unit)
{
    enum {
        MOVES = 1 << TSR_UNIT_UNPACKER0 | 1 << TSR_UNIT_UNPACKER1 | 1 << TSR_UNIT_MATRIX |
                1 << TSR_UNIT_VECTOR | 1 << TSR_UNIT_PACKER | 1 << TSR_UNIT_SCALAR |
                1 << TSR_UNIT_MOVER
    };
    return MOVES >> unit & 1;
}

// A wait for the matrix unit's bank waits for that which its accepted instructions will leave, as
// their successors at the gate do (docs/errata.md, 528).
bool tsr_schedule_keeps_wait(const struct tsr_env *env, const struct tsr_gate_latch *latch);

// Whether the unit takes no instruction yet; whether one that it takes executes later.
bool tsr_schedule_keeps_out(const struct tsr_env *env, tsr_unit unit, enum tsr_op op,
                            unsigned thread);
bool tsr_schedule_delays(const struct tsr_env *env, tsr_unit unit, enum tsr_op op);

static inline uint64_t tsr_schedule_random(struct tsr_schedule_state *schedule)
{
    uint64_t mixed = schedule->random += 0x9e3779b97f4a7c15u; // splitmix64
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

#endif
