// SPDX-License-Identifier: Apache-2.0
// With timing on: what unpackers and the mover fetch from L1 and packers and the mover write to it
// now, and how fast.
// Who begins or ends changes the speed of those with whom it shares something from that cycle on,
// and with it the cycle in which they complete.
// Pages: UNPACR_Regular.md (Performance), L1.md (ports).
#ifndef TESSERA_STATE_L1_TRAFFIC_H
#define TESSERA_STATE_L1_TRAFFIC_H

#include "isa/isa.h"

struct tsr_l1_stream {
    uint64_t since; // the cycle from which `left` counts
    uint32_t left;  // bytes; of the mover, halves of the cycles that it needs alone
    uint16_t alone; // as many a cycle of a client that shares nothing
    uint16_t rate;  // as many a cycle now; 0: nothing goes on
    uint8_t speed;  // of unpackers: enum tsr_unpack_speed
};

struct tsr_l1_traffic {
    struct tsr_l1_stream stream[TSR_L1_CLIENTS];
};

struct tsr_env;

// Bytes begin to move; no bytes are no stream. `speed` counts for unpackers only.
void tsr_l1_begin(struct tsr_env *env, enum tsr_l1_client client, uint32_t bytes, uint16_t alone,
                  unsigned speed);
// What the client's instruction has not moved is forgotten.
void tsr_l1_end(struct tsr_env *env, enum tsr_l1_client client);
// Cycles from now until the last of `count` clients from `first` on is done; 0 if none moves.
uint32_t tsr_l1_cycles(const struct tsr_env *env, enum tsr_l1_client first, unsigned count);

#endif
