// SPDX-License-Identifier: Apache-2.0
// Places of a run: before an instruction of a thread, or a cycle; of compiled programs functions
// and lines (run/core_run.h). --stop-at names one, --dump-at several.
#ifndef CLI_RUN_PLACES_H
#define CLI_RUN_PLACES_H

#include "common/cli_options.h"
#include "run/dump_words.h"
#include "run/program_run.h"

#include <stdio.h>

enum { MAX_PLACES = 32 };

struct run_place {
    char word[64];   // as it was given
    int thread;      // -1: a cycle
    uint64_t number; // of the instruction, or the cycle
    char *dump;      // a null pointer: the run did not come there
};

struct run_places {
    struct run_place list[MAX_PLACES];
    int count;
};

// `word` as THREAD:NUMBER, THREAD:LABEL or a cycle, which needs timing. `option` is for the
// sentence.
bool place_find(struct run_place *place, const char *option, const char *word,
                const struct ttasm_program *program, bool timing, struct message *why);
// What is given to program_run(), so that it ends there.
void place_break(const struct run_place *place, struct run_order *order);

// Words that commas separate; and what they mean in a program.
bool places_add(struct run_places *places, const char *words, struct message *why);
bool places_find(struct run_places *places, const struct ttasm_program *program, bool timing,
                 struct message *why);
// Runs the program to each place, on a tile of its own, and dumps there.
bool places_dump(struct run_places *places, const struct tile_choice *choice,
                 const struct dump_list *dumps, const struct run_order *order, struct message *why);
// Of a tile that is there. False: no memory.
bool place_keep_dump(struct run_place *place, const struct dump_list *dumps, const tsr_tile *tile);
// The dumps in the order in which the places were given.
void places_write(FILE *file, const struct run_places *places);
// The first one that was not reached; a null pointer if all were.
const struct run_place *places_missed(const struct run_places *places);
void places_free(struct run_places *places);

#endif
