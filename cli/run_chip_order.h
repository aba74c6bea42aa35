// SPDX-License-Identifier: Apache-2.0
// A run of a whole chip or of several, which `tessera run --chip` or `--grid` makes of compiled
// programs on its tiles.
#ifndef CLI_RUN_CHIP_ORDER_H
#define CLI_RUN_CHIP_ORDER_H

#include "chip/chip_io.h"
#include "common/cli_options.h"
#include "common/out_file.h"
#include "run/run_places.h"
#include "run/state_dump.h"
#include "run/trace_json.h"
#include "run_options.h"

// --trace: one tile of the chip.
struct tile_trace {
    struct chip_area tile;
    const char *path; // NULL: none
    bool window;      // --trace-from or --trace-to
    struct out_file file;
    struct trace_order order;
    struct trace_writer writer;
};

// --dump: registers of one tile.
struct tile_dump {
    struct chip_area tile;
    struct dump_list what;
};
enum { MAX_TILE_DUMPS = 16 };

struct chip_order {
    struct tile_choice choice;
    struct chip_job job;
    const char *grid_path;
    const char *findings_fail; // a null pointer: none; "": any
    const char *stop_at;       // a null pointer: none
    bool stops;                // programs have places at which the run that comes ends
    struct tile_dump dumps[MAX_TILE_DUMPS];
    int dump_count;
    struct run_places places; // of --dump-at
    uint64_t max_cycles, threads, harvested;
    bool harvested_given, json, waits;
    struct tile_trace trace;
    tsr_chip *chips[TSR_CHIP_DEVICES]; // as many as the job has
    bool given_up;                     // a signal ended the run
};

#endif
