// SPDX-License-Identifier: Apache-2.0
// What the rows of cli/explain/fields.def say about configuration fields.
#ifndef CLI_MEANINGS_H
#define CLI_MEANINGS_H

#include <stdbool.h>

struct meaning {
    const char *fields; // patterns
    const char *means, *values, *readers;
};

extern const char value_is_format[]; // `values` of a field that holds a data format

// A null pointer if no row names the field.
const struct meaning *field_meaning(const char *name);
int meaning_count(void);
const struct meaning *meaning_at(int index);
// Whether one of the patterns, between which | stands, is the name; a * stands for a number.
bool pattern_fits(const char *patterns, const char *name);

#endif
