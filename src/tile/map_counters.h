// SPDX-License-Identifier: Apache-2.0
// The performance counters' registers in the address map (tt-llk, counters.h).
#ifndef TESSERA_TILE_MAP_COUNTERS_H
#define TESSERA_TILE_MAP_COUNTERS_H

#include "tile/access.h"

tsr_status tsr_access_counters(struct tsr_access *access);

// A bank in the mode of a reference period stops at its end, before anything else happens in that
// cycle. engine->end_cycle becomes that one, if it comes first.
void tsr_counters_limit(struct tsr_engine *engine);
// Stops the banks whose period is over by now.
void tsr_counters_end_periods(struct tsr_engine *engine);

#endif
