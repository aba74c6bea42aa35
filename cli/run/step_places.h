// SPDX-License-Identifier: Apache-2.0
// Where compiled programs wait for each other: the places of a run at which a core pushes a wait, a
// step of a semaphore or of a mutex, or itself loads or stores what such steps change.
// Pages: SyncUnit.md, PushTensixInstruction.md, TTSync.md.
#ifndef CLI_STEP_PLACES_H
#define CLI_STEP_PLACES_H

#include "common/cli_options.h"
#include "run/core_job.h"

enum step_kind {
    STEP_IN_STREAM,       // a Tensix word among the core's instructions
    STEP_PUSHED,          // a store that pushes a Tensix word
    STEP_SEMAPHORE_STORE, // a post, or a get
    STEP_SEMAPHORE_LOAD,  // to wait until it has a value
    STEP_SYNC_LOAD        // of TTSync, which returns when the thread is done
};

struct step_place {
    enum step_kind kind;
    int core;
    uint32_t pc, instruction; // of the core
    uint32_t word;            // the Tensix word, or the semaphore
    uint32_t value;           // that was loaded last, or is stored
};

enum { MAX_STEP_PLACES = 1024 };

struct step_places {
    tsr_arch arch;
    int count;
    struct step_place list[MAX_STEP_PLACES];
};

// Runs the programs, an instruction of each core at a time, for so many cycles or until the run
// ends. False: `why` says what failed.
bool step_places_find(struct step_places *places, struct core_job *job,
                      const struct tile_choice *choice, uint64_t cycles, bool (*stop)(void),
                      struct message *why);
// Writes what it does: "SEMPOST sem_sel=2", "a post of semaphore 5", …
void step_place_text(const struct step_places *places, const struct step_place *place, char *text,
                     size_t size);
// What stands there instead if it is removed: something that pushes a NOP, stores nothing, or
// finds the last value at once. 0: there is nothing of the kind.
uint32_t step_place_removed(const struct step_place *place);

#endif
