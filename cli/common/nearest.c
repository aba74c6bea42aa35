// SPDX-License-Identifier: Apache-2.0
// The nearest name: fewest letters that are wrong, missing, too much or exchanged with their
// neighbour, in any case.
#include "common/nearest.h"

#include <tessera/tessera.h>

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = NEAREST_NAME, PART_LENGTH = 4 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int letter(char c)
{
    return tolower((unsigned char)c);
}

// Three rows of the table of distances between beginnings are enough for exchanged neighbours.
static int distance(const char *word, size_t word_length, const char *name, size_t name_length)
{
    int rows[3][LONGEST + 1];

    for (size_t j = 0; j <= name_length; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= word_length; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *twice_above = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= name_length; j++) {
            bool same = letter(word[i - 1]) == letter(name[j - 1]);
            row[j] = smaller(above[j - 1] + !same, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && letter(word[i - 1]) == letter(name[j - 2]) &&
                letter(word[i - 2]) == letter(name[j - 1]))
                row[j] = smaller(row[j], twice_above[j - 2] + 1);
        }
    }
    return rows[word_length % 3][name_length];
}

static bool contains(const char *name, const char *word, size_t length)
{
    for (; *name != '\0'; name++)
        if (strncasecmp(name, word, length) == 0)
            return true;
    return false;
}

struct nearest nearest_to(const char *word)
{
    size_t length = strlen(word);

    return (struct nearest){.word = word, .best = length < 3 ? 1 : (int)(length / 3) + 1};
}

void nearest_offer(struct nearest *nearest, const char *name)
{
    size_t word_length = strlen(nearest->word), name_length = strlen(name);

    if (word_length > LONGEST || name_length >= LONGEST)
        return;
    int found = distance(nearest->word, word_length, name, name_length);
    // Long names are often called by a part; a name that is only misspelt comes first.
    if (found >= nearest->best && nearest->name[0] == '\0' && word_length >= PART_LENGTH &&
        contains(name, nearest->word, word_length))
        snprintf(nearest->name, sizeof nearest->name, "%s", name);
    // Of names equally near the first in the alphabet, as folders are listed in no order.
    bool near = found < nearest->best ||
                (found == nearest->best && nearest->misspelt && strcmp(name, nearest->name) < 0);
    if (!near)
        return;
    nearest->misspelt = true;
    nearest->best = found;
    snprintf(nearest->name, sizeof nearest->name, "%s", name);
}

struct nearest_text nearest_text(const struct nearest *nearest)
{
    struct nearest_text text = {""};

    if (nearest->name[0] != '\0')
        snprintf(text.text, sizeof text.text, " (nearest: '%s')", nearest->name);
    return text;
}

struct nearest_text nearest_finding(const char *word)
{
    struct nearest nearest = nearest_to(word);

    for (int i = 0; i < TSR_CATEGORY_COUNT; i++)
        nearest_offer(&nearest, tsr_category_name((tsr_category)i));
    for (int i = 0; i < tsr_finding_count(); i++)
        nearest_offer(&nearest, tsr_finding_at(i)->code);
    return nearest_text(&nearest);
}

struct nearest_text nearest_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct nearest nearest = nearest_to(slash == NULL ? path : slash + 1);
    char folder[4096];

    snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path) + 1,
             slash == NULL ? "." : path);
    DIR *names = opendir(folder);
    if (names != NULL) {
        for (const struct dirent *entry; (entry = readdir(names)) != NULL;)
            if (entry->d_name[0] != '.')
                nearest_offer(&nearest, entry->d_name);
        closedir(names);
    }
    return nearest_text(&nearest);
}
