// SPDX-License-Identifier: Apache-2.0
// Tiles that run random programs: configured for BF16 tiles, with L1, Src and Dst that something
// has written, and what happens to a tile between two programs. The same `random` makes the same
// tile and the same change, so that it can be done to several tiles alike.
#ifndef TESSERA_TESTS_ORACLE_RUN_ORACLE_TILE_H
#define TESSERA_TESTS_ORACLE_RUN_ORACLE_TILE_H

#include "rig/tile_rig.h"

tsr_tile *run_tile_new(int arch, bool timing, tsr_pipeline pipeline, uint64_t random);
// A field, a thread's MOP, or the configuration as it was; seldom a soft reset there and back.
void run_tile_disturb(tsr_tile *tile, uint64_t random);
// MOPs for threads 0 and 1 that hand faces to each other.
void run_tile_set_turns(tsr_tile *tile, uint64_t random);
// What another thread would do for one that waits.
void run_tile_release(tsr_tile *tile);

#endif
