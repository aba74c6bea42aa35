// SPDX-License-Identifier: Apache-2.0
// The five baby cores of a tile that interprets them, and how they take turns with the coprocessor
// (core_turns.c). Pages: BabyRISCV/README.md, DebugInterface.md.
#ifndef TESSERA_TILE_CORE_TURNS_H
#define TESSERA_TILE_CORE_TURNS_H

#include "tile/core_runs.h"

// Makes the interpreters of a tile with tsr_options.cores. False: no memory.
bool tsr_cores_create(struct tsr_tile *tile);
void tsr_cores_destroy(struct tsr_tile *tile);
// Power-on: all cores are held in reset.
void tsr_cores_begin(struct tsr_tile *tile);

// With timing off a quantum, or up to the place of a break in it, or if `most` is 0 as many quanta
// as one core computes for itself; with timing on a round, or if `most` is 0 as many as nobody
// looks at between them. False: nothing moved, and time has not passed.
bool tsr_cores_step(struct tsr_tile *tile, const struct tsr_cores_coprocessor *coprocessor,
                    uint64_t most, uint64_t *steps);
// Lets time pass up to the cycle, or the end of its quantum, in which nothing moves.
void tsr_cores_sleep(struct tsr_tile *tile, uint64_t cycle);

// Instructions since the core left reset, with those of a loop that sleeps.
uint64_t tsr_core_retired(const struct tsr_tile *tile, unsigned core);
bool tsr_cores_alive(const struct tsr_tile *tile);
#endif
