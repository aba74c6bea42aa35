// SPDX-License-Identifier: Apache-2.0
// Random programs on a tile and on the model. A difference is looked for word by word, and the
// program made small before it is reported.
// Pages: as sfpu_model.h.
#ifndef TESTS_ORACLE_SFPU_TRIALS_H
#define TESTS_ORACLE_SFPU_TRIALS_H

#include "oracle/sfpu_tile.h"

struct sfpu_trials;

struct sfpu_trials *sfpu_trials_new(uint64_t seed, bool macros);
void sfpu_trials_free(struct sfpu_trials *t);
// At least `words` words. NULL, or a report of the first difference, valid until the trials are
// freed. A model with a mistake reports its first difference without looking closer.
const char *sfpu_trials_run(struct sfpu_trials *t, uint64_t words, enum sfpu_fault fault);
const struct sfpu_counts *sfpu_trials_counts(const struct sfpu_trials *t, bool blackhole);
uint64_t sfpu_trials_refused(const struct sfpu_trials *t); // programs with what is not implemented

// Findings that call something undefined or unpredictable, though the pages define the programs.
struct sfpu_complaint {
    const char *code;
    uint64_t programs, seed; // of the first
    char sentence[320];
};
// NULL beyond the last.
const struct sfpu_complaint *sfpu_trials_complaint(const struct sfpu_trials *t, unsigned n);

#endif
