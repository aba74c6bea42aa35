// SPDX-License-Identifier: Apache-2.0
// Random PACRs on a tile and on the model, and the comparison of what both leave: L1, tile
// positions, ADCs, sizes, flags, histograms, and what instructions and cores read of them.
// Pages: as pacr_model.h.
#ifndef TESTS_ORACLE_PACR_TRIALS_H
#define TESTS_ORACLE_PACR_TRIALS_H

#include "oracle/pacr_cases.h"

struct pacr_trials;

struct pacr_trials *pacr_trials_new(uint64_t seed);
void pacr_trials_free(struct pacr_trials *t);
// At least `words` PACRs. NULL, or a report of the first difference, which is valid as long as the
// trials. A model with a mistake reports its first difference without looking closer.
const char *pacr_trials_run(struct pacr_trials *t, uint64_t words, enum pacr_fault fault);
const struct pacr_counts *pacr_trials_counts(const struct pacr_trials *t, bool blackhole);
uint64_t pacr_trials_refused(const struct pacr_trials *t); // cases that are not implemented

#endif
