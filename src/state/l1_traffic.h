// SPDX-License-Identifier: Apache-2.0
// Beginning and ending what moves between L1 and the units, with timing on.
// A stream that begins or ends changes the speed of those that share a port or the unpackers' fetch
// with it from that cycle on, and so the cycle in which they complete. What packers have read is on
// its way to L1 for some cycles more.
// Pages: UNPACR_Regular.md (Performance), L1.md (ports).
#ifndef TESSERA_STATE_L1_TRAFFIC_H
#define TESSERA_STATE_L1_TRAFFIC_H

#include "state/state.h"

// Bytes begin to move; no bytes are no stream. `rate`: bytes a cycle, not 0. `speed` counts for
// unpackers only.
void tsr_l1_begin(struct tsr_env *env, enum tsr_l1_client client, uint32_t bytes, uint16_t rate,
                  unsigned speed);
// The same of a packer from cycle `since` on, where no rate changes yet: nobody else moves bytes,
// or tsr_l1_packers_began() follows when all packers of the instruction have begun.
void tsr_l1_begin_quietly(struct tsr_env *env, enum tsr_l1_client client, uint64_t since,
                          uint32_t bytes, uint16_t rate);
void tsr_l1_packers_began(struct tsr_env *env);
// What the client's instruction has not moved is forgotten.
void tsr_l1_end(struct tsr_env *env, enum tsr_l1_client client);
void tsr_l1_end_packers(struct tsr_env *env);
// Cycles from now until the last of `count` clients from `first` on is done; 0 if none moves.
uint32_t tsr_l1_cycles(const struct tsr_env *env, enum tsr_l1_client first, unsigned count);
// Nobody moves bytes.
bool tsr_l1_quiet(const struct tsr_env *env);
// What packers had on its way to L1 is there now, of which waits for them hear. False: nothing was
// on its way, or it still is.
static inline bool tsr_l1_end_drain(struct tsr_env *env)
{
    struct tsr_drain *drain = &env->state->queues.drain;
    if (drain->until == 0 || drain->until > env->state->now)
        return false;
    drain->until = 0;
    env->touched |= 1u << TSR_UNIT_PACKER;
    return true;
}

#endif
