// SPDX-License-Identifier: Apache-2.0
// Looks up categories and codes of findings.
#include "run/finding_filter.h"

#include "common/nearest.h"

#include <stdio.h>
#include <string.h>

static bool equals(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

static bool takes(const char *words, const char *code, tsr_category category)
{
    for (const char *word = words; *words != '\0';) {
        size_t length = strcspn(word, ",");
        if (equals(code, word, length) || equals(tsr_category_name(category), word, length))
            return true;
        if (word[length] == '\0')
            return false;
        word += length + 1;
    }
    return true;
}

static bool is_known(const char *word, size_t length)
{
    for (int i = 0; i < TSR_CATEGORY_COUNT; i++)
        if (equals(tsr_category_name((tsr_category)i), word, length))
            return true;
    for (int i = 0; i < tsr_finding_count(); i++)
        if (equals(tsr_finding_at(i)->code, word, length))
            return true;
    return false;
}

bool filter_check(const char *words, struct message *why)
{
    for (const char *word = words;;) {
        size_t length = strcspn(word, ",");
        if (!is_known(word, length)) {
            char name[96];
            snprintf(name, sizeof name, "%.*s", (int)(length < 90 ? length : 90), word);
            return message_set(why, "--findings-fail: no finding or category is called '%s'%s",
                               name, nearest_finding(name).text);
        }
        if (word[length] == '\0')
            return true;
        word += length + 1;
    }
}

bool filter_takes(const char *words, const tsr_diagnostic *finding)
{
    return takes(words, finding->code, finding->category);
}

const tsr_diagnostic *filter_first(const char *words, const tsr_tile *tile)
{
    for (int i = 0; i < tsr_diagnostic_count(tile); i++) {
        const tsr_diagnostic *finding = tsr_diagnostic_at(tile, i);
        if (filter_takes(words, finding))
            return finding;
    }
    return NULL;
}
