// SPDX-License-Identifier: Apache-2.0
// The options of `tessera run`. Which of them count depends on what runs: a .ttasm program or
// compiled programs on one tile (run_tile.c), or on the tiles of a chip (run_chip.c).
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "common/cli_options.h"

enum run_option {
    RUN_ARCH,
    RUN_CHIP,
    RUN_GRID,
    RUN_ELF,
    RUN_LOAD,
    RUN_NOC_WRITE,
    RUN_HARVESTED,
    RUN_LINKS,
    RUN_UNTIL,
    RUN_IN,
    RUN_OUT,
    RUN_TIMING,
    RUN_POLICY,
    RUN_FINDINGS_FAIL,
    RUN_TRACE,
    RUN_TRACE_FROM,
    RUN_TRACE_TO,
    RUN_STOP_AT,
    RUN_DUMP,
    RUN_DUMP_AT,
    RUN_JSON,
    RUN_KERNELS,
    RUN_PIPELINE,
    RUN_SCHEDULE,
    RUN_MAX_CYCLES,
    RUN_SEED,
    RUN_THREADS,
    RUN_RACES,
    RUN_WAITS,
    RUN_DELETIONS,
    RUN_OPTIONS
};

extern const struct option_row run_options[RUN_OPTIONS];

// An option that says how tiles run: timing, policy, kernels, pipeline, schedule, seed, races and
// what needs their record. Otherwise false, and *taken is false.
bool run_choice(struct tile_choice *choice, int option, const char *word, bool *taken,
                struct message *why);

// An option as it was given.
struct given_option {
    int option;
    const char *word; // NULL: without a value
};

// A run of one tile, of the program that argv has from optind on or of --elf, and a run of a chip,
// which --chip or --grid asks for. The exit status.
int run_tile(const struct given_option *given, int count, int argc, char **argv);
int run_chip(const struct given_option *given, int count);

#endif
