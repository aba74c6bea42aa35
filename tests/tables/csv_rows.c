// SPDX-License-Identifier: Apache-2.0
// Reading the specification's CSV files, where they are at hand.
#include "tables/csv_rows.h"

#include <stdlib.h>
#include <string.h>

#ifndef TESSERA_SOURCE_DIR
#define TESSERA_SOURCE_DIR "."
#endif

FILE *csv_open(const char *name)
{
    const char *shared = getenv("SHARED_DIR");
    if (shared == NULL)
        shared = TESSERA_SOURCE_DIR "/../shared";
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/spec/%s", shared, name);
    return length < (int)sizeof path ? fopen(path, "r") : NULL;
}

bool csv_read(FILE *file, struct csv_row *row)
{
    if (fgets(row->text, sizeof row->text, file) == NULL)
        return false;
    row->text[strcspn(row->text, "\r\n")] = '\0';
    row->count = 0;
    char *at = row->text;
    while (row->count < CSV_CELLS) {
        row->cell[row->count++] = at;
        at = strchr(at, ',');
        if (at == NULL)
            break;
        *at++ = '\0';
    }
    return true;
}
