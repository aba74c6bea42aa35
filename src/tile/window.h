// SPDX-License-Identifier: Apache-2.0
// How a chip makes its tiles, and lets their time pass, window by window.
#ifndef TESSERA_TILE_WINDOW_H
#define TESSERA_TILE_WINDOW_H

#include "tile/tile_state.h"

// NULL: no memory. tsr_tile_tables_free() allows that.
struct tsr_tile_tables *tsr_tile_tables_create(tsr_arch arch);
void tsr_tile_tables_free(struct tsr_tile_tables *tables);
// As tsr_tile_create(), with tables that live longer than the tile.
tsr_status tsr_tile_create_with(const tsr_options *options, const struct tsr_tile_tables *tables,
                                tsr_tile **out);

// Runs up to the cycle, as tsr_run() with `external` does. True: nothing of the tile moves any more
// until somebody outside acts, or a finding has stopped it; its clock stands where that was.
bool tsr_tile_run_to(struct tsr_tile *tile, uint64_t cycle);
// Somebody outside looks at the tile, or acts on it, behind such a run.
void tsr_tile_seen(struct tsr_tile *tile);
// Lets time pass up to the cycle for a tile that rests.
void tsr_tile_sleep_to(struct tsr_tile *tile, uint64_t cycle);

#endif
