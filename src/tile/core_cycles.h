// SPDX-License-Identifier: Apache-2.0
// The cores' turns with timing on (core_cycles.c).
#ifndef TESSERA_TILE_CORE_CYCLES_H
#define TESSERA_TILE_CORE_CYCLES_H

#include "tile/core_runs.h"

// A round. False: nothing moved, and time has not passed.
bool tsr_core_cycle(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                    uint64_t *steps);

#endif
