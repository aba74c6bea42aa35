// SPDX-License-Identifier: Apache-2.0
// How a chip lets the time of its tiles pass, window by window.
#ifndef TESSERA_TILE_WINDOW_H
#define TESSERA_TILE_WINDOW_H

#include "tile/tile_state.h"

// Runs up to the cycle, as tsr_run() with `external` does. True: nothing of the tile moves any more
// until somebody outside acts, or a finding has stopped it; its clock stands where that was.
bool tsr_tile_run_to(struct tsr_tile *tile, uint64_t cycle);
// Somebody outside looks at the tile, or acts on it, behind such a run.
void tsr_tile_seen(struct tsr_tile *tile);
// Lets time pass up to the cycle for a tile that rests.
void tsr_tile_sleep_to(struct tsr_tile *tile, uint64_t cycle);

#endif
