// SPDX-License-Identifier: Apache-2.0
// What a wait is worth (run --deletions): each wait, semaphore step and mutex of compiled programs
// is removed, one at a time, the programs run without it, and how that shows is told: by a race, a
// deadlock, another finding, other bytes, or not at all.
#ifndef CLI_DELETION_LIST_H
#define CLI_DELETION_LIST_H

#include "common/cli_options.h"
#include "run/core_job.h"
#include "run/run_report.h"

#include <jansson.h>

// What has run, and when to give up.
struct deletion_order {
    const struct tile_choice *choice;
    struct core_job *cores;
    bool (*stop)(void);
};

// Writes a line for each place that `picture`'s tile has come to. False: `why` says what failed.
bool deletions_write(FILE *file, const struct run_picture *picture,
                     const struct deletion_order *order, struct message *why);
// The same as an array of JSON. NULL: `why` says what failed.
json_t *deletions_json(const struct run_picture *picture, const struct deletion_order *order,
                       struct message *why);

#endif
