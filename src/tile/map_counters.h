// SPDX-License-Identifier: Apache-2.0
// The performance counters' registers in the address map (tt-llk, counters.h).
#ifndef TESSERA_TILE_MAP_COUNTERS_H
#define TESSERA_TILE_MAP_COUNTERS_H

#include "tile/access.h"

tsr_status tsr_access_counters(struct tsr_access *access);

#endif
