// SPDX-License-Identifier: Apache-2.0
// What each wait of a program is for (run --waits): the program is run once more for each place of
// a wait, with a tile for which that wait orders nothing, and what races then is what it orders, or
// what no page orders then.
#ifndef CLI_WAIT_LIST_H
#define CLI_WAIT_LIST_H

#include "common/cli_options.h"
#include "run/core_job.h"
#include "run/run_report.h"
#include "ttasm/program.h"

#include <jansson.h>

// How the program is run.
struct wait_order {
    const struct tile_choice *choice;
    struct core_job *cores; // NULL: `program`
    const struct ttasm_program *program;
    uint64_t max_cycles;
    bool (*stop)(void); // true: give up
};

// Writes a line for each place of a wait that `picture`'s tile has had. False: `why` says what
// failed.
bool waits_write(FILE *file, const struct run_picture *picture, const struct wait_order *order,
                 struct message *why);
// The same as an array of JSON. NULL: `why` says what failed.
json_t *waits_json(const struct run_picture *picture, const struct wait_order *order,
                   struct message *why);

#endif
