// SPDX-License-Identifier: Apache-2.0
// One move of the mover, and the client that it is for. Page: Mover.md.
#ifndef TESSERA_CONTROL_MOVER_WORK_H
#define TESSERA_CONTROL_MOVER_WORK_H

#include "state/state.h"

// Addresses and size in bytes, multiples of 16.
struct tsr_mover_move {
    uint32_t target, source, bytes;
    uint8_t way; // enum tsr_mover_way
    bool discarded;
};

// Who is named in a finding: an instruction, or the core whose command it is.
struct tsr_mover_client {
    const struct tsr_inflight *inst;
    int core;
};

// Moves, and makes the mover busy. False: a finding stopped the tile, and nothing was moved.
bool tsr_mover_run(struct tsr_env *env, const struct tsr_mover_client *client,
                   const struct tsr_mover_move *move);

#endif
