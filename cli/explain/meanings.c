// SPDX-License-Identifier: Apache-2.0
// The rows of cli/explain/fields.def as a table.
#include "explain/meanings.h"

#include <stddef.h>
#include <string.h>

const char value_is_format[] = "format";

#define FORMAT value_is_format
#define MEANING(fields, means, values, readers) {fields, means, values, readers},
static const struct meaning meanings[] = {
#include "explain/fields.def"
};

int meaning_count(void)
{
    return (int)(sizeof meanings / sizeof meanings[0]);
}

const struct meaning *meaning_at(int index)
{
    return &meanings[index];
}

static bool one_fits(const char *pattern, const char *name)
{
    while (*pattern != '\0' && *pattern != '|') {
        if (*pattern == '*') {
            size_t digits = strspn(name, "0123456789");
            if (digits == 0)
                return false;
            pattern++;
            name += digits;
        } else if (*pattern++ != *name++) {
            return false;
        }
    }
    return *name == '\0';
}

bool pattern_fits(const char *patterns, const char *name)
{
    while (!one_fits(patterns, name)) {
        patterns = strchr(patterns, '|');
        if (patterns == NULL)
            return false;
        patterns++;
    }
    return true;
}

const struct meaning *field_meaning(const char *name)
{
    for (int i = 0; i < meaning_count(); i++)
        if (pattern_fits(meanings[i].fields, name))
            return &meanings[i];
    return NULL;
}
