// SPDX-License-Identifier: Apache-2.0
// What each wait of a program is for (run --waits): the program is run once more for each place of
// a wait, with a tile for which that wait orders nothing, and what races then is what it orders, or
// what no page orders then. Tiles are one, or those of a chip.
#ifndef CLI_WAIT_LIST_H
#define CLI_WAIT_LIST_H

#include "common/message.h"
#include "run/run_report.h"

#include <jansson.h>

// What has run, and how the same is run once more.
struct wait_order {
    const struct run_picture *tiles; // whose waits are listed
    int tile_count;
    bool (*stop)(void); // true: give up
    void *run;          // for these:
    // A tile or chip like the one that has run, to which nothing has happened yet; NULL: `why` says
    // what failed.
    void *(*make)(void *run, struct message *why);
    tsr_tile *(*tile)(void *run, void *made, int tile);
    bool (*again)(void *run, void *made, struct message *why);
    void (*destroy)(void *made);
};

// Writes a line for each place of a wait that the tiles have had. False: `why` says what failed.
bool waits_write(FILE *file, const struct wait_order *order, struct message *why);
// The same as an array of JSON. NULL: `why` says what failed.
json_t *waits_json(const struct wait_order *order, struct message *why);

#endif
