// SPDX-License-Identifier: Apache-2.0
// The cores' turns with timing on (core_cycles.c).
#ifndef TESSERA_TILE_CORE_CYCLES_H
#define TESSERA_TILE_CORE_CYCLES_H

#include "tile/core_runs.h"

// A round, or if `most` is 0 as many as nobody looks at between them: up to engine->end_cycle, a
// pause or a stop, and a round at a time where reference periods may end. False: nothing moved in
// the last one, and time has not passed.
bool tsr_core_cycles(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                     uint64_t most, uint64_t *steps);

#endif
