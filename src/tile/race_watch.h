// SPDX-License-Identifier: Apache-2.0
// Looking for races in a tile: the record (observe/), and findings of what it finds. docs/races.md.
#ifndef TESSERA_TILE_RACE_WATCH_H
#define TESSERA_TILE_RACE_WATCH_H

#include "observe/race_finding.h"
#include "tile/tile_state.h"

// False: no memory.
bool tsr_race_watch_begin(struct tsr_tile *tile);
// Who plays the thread's core was told that the thread has nothing under way.
void tsr_race_watch_drained(const struct tsr_tile *tile, int thread);

#endif
