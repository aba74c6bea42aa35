// SPDX-License-Identifier: Apache-2.0
// Which formats, destinations and modes of UNPACR met in random cases, as the table of
// docs/unpackers.md.
// Pages: as unpacr_model.h.
#ifndef TESTS_ORACLE_UNPACR_TABLE_H
#define TESTS_ORACLE_UNPACR_TABLE_H

#include "oracle/unpacr_trials.h"

#include <stdio.h>

// A line for each mode, a column for each conversion; A, B and D are SrcA, SrcB and Dst on both
// chips, a, b and d on Blackhole alone.
void unpacr_table_print(FILE *file, const struct unpacr_counts *wh, const struct unpacr_counts *bh);

#endif
