// SPDX-License-Identifier: Apache-2.0
// Comparing the words of an assembly line with names of the tables; ASCII only, no locale.
#ifndef TESSERA_ISA_ISA_WORDS_H
#define TESSERA_ISA_ISA_WORDS_H

#include <stdbool.h>
#include <stddef.h>

static inline char tsr_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Whether the `length` characters at `word` are `name`, in any case.
static inline bool tsr_same_word(const char *word, size_t length, const char *name)
{
    for (size_t i = 0; i < length; i++)
        if (name[i] == '\0' || tsr_lower(word[i]) != tsr_lower(name[i]))
            return false;
    return name[length] == '\0';
}

#endif
