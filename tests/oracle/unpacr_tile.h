// SPDX-License-Identifier: Apache-2.0
// The tile's side of the comparison: brings a tile to a model's state, runs words on it, and finds
// the first thing in which the two differ.
// Pages: as unpacr_model.h.
#ifndef TESTS_ORACLE_UNPACR_TILE_H
#define TESTS_ORACLE_UNPACR_TILE_H

#include "oracle/unpacr_cases.h"

#include <tessera/tessera.h>

struct unpacr_tile {
    tsr_tile *tile;
    // Configuration as it was last written, so that only changes are written again.
    uint32_t config[2][2][U_COUNT];
    uint32_t thread[3][T_COUNT];
    uint32_t global[G_COUNT];
    bool timing;
    tsr_end end; // of the last run
    char message[600];
};

// NULL members that are left over after unpacr_tile_close() may be opened again. False: no memory.
bool unpacr_tile_open(struct unpacr_tile *t, bool blackhole, bool timing, bool reference);
void unpacr_tile_close(struct unpacr_tile *t);
void unpacr_tile_load(struct unpacr_tile *t, const struct unpacr_model *m); // all of it
void unpacr_tile_configure(struct unpacr_tile *t, const struct unpacr_model *m);
void unpacr_tile_l1(struct unpacr_tile *t, const struct unpacr_model *m, uint32_t address,
                    uint32_t size);
uint32_t unpacr_tile_word(const struct unpacr_tile *t, const struct unpacr_word *word);
void unpacr_tile_give_back(struct unpacr_tile *t, int thread, int side);
void unpacr_tile_push(struct unpacr_tile *t, const struct unpacr_case *c);
// Runs until nothing moves. NULL, or how it ended if that is not idle (or not blocked).
const char *unpacr_tile_run(struct unpacr_tile *t, bool blocked);
// NULL, or the first difference.
const char *unpacr_tile_differs(struct unpacr_tile *t, const struct unpacr_model *m);
// What of the model's state is not zero, and the words, as text.
void unpacr_tile_describe(const struct unpacr_tile *t, const struct unpacr_model *m,
                          const struct unpacr_case *c, char *text, size_t size);

#endif
