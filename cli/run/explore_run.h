// SPDX-License-Identifier: Apache-2.0
// One run of a program in one schedule, for `tessera explore`: what it leaves, and in what that
// differs from another run's.
#ifndef CLI_EXPLORE_RUN_H
#define CLI_EXPLORE_RUN_H

#include "common/cli_options.h"
#include "run/core_job.h"
#include "run/dump_words.h"
#include "ttasm/program.h"

struct explore_program {
    const char *path;
    struct tile_choice choice;
    struct ttasm_program program;
    struct core_job cores;  // --elf
    struct dump_list dumps; // compared, too
    uint64_t max_cycles;    // --elf; 0: none
};

// What a run leaves.
struct outcome {
    tsr_end end;
    char finding[64]; // that stopped the tile; empty: none
    char sentence[320];
    uint8_t *l1;
    char *dump; // NULL: none was asked for
    uint64_t cycles;
    tsr_schedule_step step;
    tsr_diagnostic *races; // if they were looked for
    int race_count;
};

struct schedule_choice {
    tsr_schedule schedule;
    uint64_t seed;
    tsr_schedule_cut cut;
    bool find_races;
};

// Bytes of L1 that differ.
struct l1_difference {
    uint32_t first;
    size_t count;
};

bool explore_run(struct explore_program *program, const struct schedule_choice *choice,
                 struct outcome *outcome, struct message *why);
bool outcomes_differ(const struct explore_program *program, const struct outcome *one,
                     const struct outcome *other);
struct l1_difference l1_differs(const struct explore_program *program, const struct outcome *one,
                                const struct outcome *other);
void outcome_free(struct outcome *outcome);

#endif
