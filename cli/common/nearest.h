// SPDX-License-Identifier: Apache-2.0
// Which of the names that there are somebody meant by a word that is none of them.
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stdbool.h>

enum { NEAREST_NAME = 96 };

struct nearest {
    const char *word;
    int best;                // distance of `name`; one more than what is near enough at first
    bool misspelt;           // `name` is near, and does not only contain the word
    char name[NEAREST_NAME]; // empty until something is near
};

struct nearest_text {
    char text[NEAREST_NAME + 16];
};

struct nearest nearest_to(const char *word);
void nearest_offer(struct nearest *nearest, const char *name);
// " (nearest: 'NAME')" for the end of a sentence; empty if nothing is near.
struct nearest_text nearest_text(const struct nearest *nearest);
// The same among the codes and categories of findings.
struct nearest_text nearest_finding(const char *word);
// The same for a file that is not there, among the files of its folder.
struct nearest_text nearest_file(const char *path);

#endif
