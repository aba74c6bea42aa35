// SPDX-License-Identifier: Apache-2.0
// Random UNPACRs on a tile and on the model, and the comparison of what both leave: SrcA, SrcB,
// Dst, owners, implied formats, SrcRow, context counters and ADCs.
// Pages: as unpacr_model.h.
#ifndef TESTS_ORACLE_UNPACR_TRIALS_H
#define TESTS_ORACLE_UNPACR_TRIALS_H

#include "oracle/unpacr_cases.h"

struct unpacr_trials;

// What is counted for each chip.
struct unpacr_counts {
    uint64_t words, cases, waits;
    uint64_t path[PATH_COUNT];
    uint64_t pair[3][16][16];             // SrcA, SrcB, Dst; input and output format
    uint32_t cell[PATH_COUNT][3][16][16]; // the same for each path, of cases with one word
};

struct unpacr_trials *unpacr_trials_new(uint64_t seed);
void unpacr_trials_free(struct unpacr_trials *t);
// At least `words` instructions. NULL, or a report of the first difference, that is valid as long
// as the trials. A model with a mistake reports its first difference without looking closer.
const char *unpacr_trials_run(struct unpacr_trials *t, uint64_t words, enum unpacr_fault fault);
// One undefined instruction. NULL if the tile stops for it, or a report. `why`: the page's reason.
const char *unpacr_trials_undefined(struct unpacr_trials *t, const char **why);
const struct unpacr_counts *unpacr_trials_counts(const struct unpacr_trials *t, bool blackhole);

#endif
