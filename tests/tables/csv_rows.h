// SPDX-License-Identifier: Apache-2.0
// Reading the specification's CSV files, which quote no cell that these tests look at.
#ifndef TESSERA_TESTS_CSV_ROWS_H
#define TESSERA_TESTS_CSV_ROWS_H

#include <stdbool.h>
#include <stdio.h>

enum { CSV_CELLS = 64 };

struct csv_row {
    int count;
    char *cell[CSV_CELLS];
    char text[4096];
};

// spec/NAME of SHARED_DIR, or of the folder `shared` beside the repository; NULL if there is none.
FILE *csv_open(const char *name);
bool csv_read(FILE *file, struct csv_row *row);

#endif
