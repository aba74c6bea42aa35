// SPDX-License-Identifier: Apache-2.0
// The tile's side of the comparison: brings a tile to a model's state, takes it through a step, and
// finds the first thing in which the two differ.
// Pages: as pacr_model.h.
#ifndef TESTS_ORACLE_PACR_TILE_H
#define TESTS_ORACLE_PACR_TILE_H

#include "oracle/pacr_cases.h"

#include <tessera/tessera.h>

struct pacr_tile {
    tsr_tile *tile;
    bool blackhole, refused;  // refused: something is not implemented
    struct pacr_config known; // as it was last written
    char message[600];
};

bool pacr_tile_open(struct pacr_tile *t, bool blackhole, bool timing, bool reference);
void pacr_tile_close(struct pacr_tile *t);
void pacr_tile_load(struct pacr_tile *t, const struct pacr_model *m);
void pacr_tile_l1(struct pacr_tile *t, const struct pacr_model *m, uint32_t address, uint32_t size);
void pacr_tile_dst(struct pacr_tile *t, const struct pacr_model *m);
// Runs the tile. NULL, or how it ended if that is not idle.
const char *pacr_tile_run(struct pacr_tile *t);
// The step's configuration, counters and PACR. NULL, or how it ended if that is not idle.
const char *pacr_tile_step(struct pacr_tile *t, const struct pacr_step *step);
// All of a case whose PACRs belong together.
const char *pacr_tile_burst(struct pacr_tile *t, const struct pacr_case *c);
// Whether what ran last found an address past the end of L1.
bool pacr_tile_past_l1(const struct pacr_tile *t);
const char *pacr_tile_differs_past_l1(struct pacr_tile *t, bool found);
// NULL, or the first difference. `open`: streams that wait hold back lines of L1.
const char *pacr_tile_differs(struct pacr_tile *t, const struct pacr_model *m, bool l1);
// The same by instruction and by a core's loads. Modes that reset something do so in both.
const char *pacr_tile_reads_back(struct pacr_tile *t, struct pacr_model *m, uint64_t *random,
                                 struct pacr_counts *counts);
void pacr_tile_describe(const struct pacr_tile *t, const struct pacr_case *c, char *text,
                        size_t size);

#endif
