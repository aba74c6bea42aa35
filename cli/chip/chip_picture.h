// SPDX-License-Identifier: Apache-2.0
// The tiles of chips as the reports of one tile have them.
#ifndef CLI_CHIP_PICTURE_H
#define CLI_CHIP_PICTURE_H

#include "chip/chip_job.h"
#include "run/run_report.h"

// What the reports are made of.
struct chip_picture {
    const struct chip_job *job;
    tsr_chip *const *chips; // as many as the job has
    bool timing;
    tsr_end end;
    int status;          // exit status
    const char *stop_at; // the word of --stop-at, or NULL
    const char *dump;    // text of --dump; may be NULL
    void *wait_list;     // a json_t of --waits (run/wait_list.h); may be NULL
};

struct tile_picture {
    struct run_picture run;
    unsigned chip, x, y;
    char name[AREA_TEXT];
};

// The next tile that has a program, chip by chip, from *node on, which begins at 0: what its cores
// do, and unless the run ended by itself who waits there. False after the last one.
bool picture_next(const struct chip_picture *chip, unsigned *node, struct tile_picture *tile);
// The same of the Ethernet tiles with programs; none has a tsr_tile.
bool picture_next_ethernet(const struct chip_picture *chip, unsigned *number,
                           struct tile_picture *tile);
// For what concerns a node: the name, and places of its programs.
void picture_node(const struct chip_picture *chip, unsigned number, const tsr_node_info *node,
                  struct tile_picture *tile);
// The finding with that number, of all chips; false after the last one.
bool picture_finding(const struct chip_picture *chip, int index, struct chips_finding *out);

#endif
