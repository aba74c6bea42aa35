// SPDX-License-Identifier: Apache-2.0
// The cores' turns with timing off (core_quanta.c).
#ifndef TESSERA_TILE_CORE_QUANTA_H
#define TESSERA_TILE_CORE_QUANTA_H

#include "tile/core_runs.h"

static inline uint64_t tsr_quantum(const struct tsr_tile *tile)
{
    return tile->engine.env.isa->rate[RATE_CORE_QUANTUM];
}

// A quantum, or up to the place of a break in it, or if `most` is 0 as many quanta as one core
// computes for itself. False: nothing moved, and time has not passed.
bool tsr_core_quantum(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                      uint64_t most, uint64_t *steps);
// So many quanta pass. What polls has executed its loop in them.
void tsr_core_pass_quanta(struct tsr_tile *tile, uint64_t count);

#endif
