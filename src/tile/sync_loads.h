// SPDX-License-Identifier: Apache-2.0
// What a T core must not begin before a load of TTSync has returned.
#ifndef TESSERA_TILE_SYNC_LOADS_H
#define TESSERA_TILE_SYNC_LOADS_H

#include "state/state.h"

struct tsr_sync_follower {
    uint32_t pc, address; // of a load
};

// Whether a load that may begin before the core's load of TTSync at env->core_at has returned goes
// where none may.
bool tsr_sync_is_passed(const struct tsr_env *env, unsigned core,
                        struct tsr_sync_follower *follower);

#endif
