// SPDX-License-Identifier: Apache-2.0
// The tile's side of the comparison: brings a tile to where a program begins, gives it the words,
// and finds the first thing in which it and the model differ.
// Pages: as sfpu_model.h.
#ifndef TESTS_ORACLE_SFPU_TILE_H
#define TESTS_ORACLE_SFPU_TILE_H

#include "oracle/sfpu_maker.h"

struct sfpu_tile {
    tsr_tile *tile;
    bool refused; // something is not implemented
    char message[600];
};

struct sfpu_tile_kind {
    bool blackhole, timing, reference, staged;
};

bool sfpu_tile_open(struct sfpu_tile *t, struct sfpu_tile_kind kind);
void sfpu_tile_close(struct sfpu_tile *t);
// As the model is at the beginning of a program.
void sfpu_tile_load(struct sfpu_tile *t, const struct sfpu_model *m, uint32_t prng_seed);
// The first `count` words. NULL, or how it ended if that is not idle.
const char *sfpu_tile_run(struct sfpu_tile *t, const struct sfpu_program *p, unsigned count);
// NULL, or the first difference.
const char *sfpu_tile_differs(struct sfpu_tile *t, const struct sfpu_model *m);

#endif
