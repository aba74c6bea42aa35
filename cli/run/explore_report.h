// SPDX-License-Identifier: Apache-2.0
// What `tessera explore` prints.
#ifndef CLI_EXPLORE_REPORT_H
#define CLI_EXPLORE_REPORT_H

#include "run/explore_search.h"

enum { MAX_EXPLORE_WORDS = 256 };

// Options of `tessera run` that repeat the run.
struct explore_words {
    struct {
        const char *option, *value;
    } word[MAX_EXPLORE_WORDS];
    int count;
};

struct explore_result {
    uint64_t runs;
    size_t differing;
    const struct schedule_choice *choice;
    const struct outcome *wanted, *got, *raced;
    const struct culprit *culprit;
    const struct explore_words *words;
};

bool words_add(struct explore_words *words, const char *option, const char *value);
void explore_same(const struct explore_program *program, uint64_t runs,
                  const struct outcome *wanted);
void explore_difference(const struct explore_program *program, const struct explore_result *result);

#endif
