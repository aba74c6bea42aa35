// SPDX-License-Identifier: Apache-2.0
// A run as Chrome trace events, which Perfetto (ui.perfetto.dev) and chrome://tracing show.
#ifndef CLI_TRACE_JSON_H
#define CLI_TRACE_JSON_H

#include "run/trace_output.h"

#include <tessera/trace.h>

enum { TRACE_LANES = 32 };

struct trace_order {
    tsr_tile *tile;
    FILE *file;
    bool timing, compress;
    uint64_t from, to; // the cycles that are written, both included; with timing on
};

struct trace_writer {
    struct trace_order order;
    struct trace_output output;
    tsr_arch arch;
    uint64_t events; // also the clock with timing off
    uint64_t written;
    int findings;                                   // of the tile's, how many have been looked at
    uint64_t lane_end[TSR_UNIT_COUNT][TRACE_LANES]; // of a unit's tracks; 0: not yet in use
};

// Writes the head and watches the tile. `writer` must live until trace_end(). False if there is no
// memory.
bool trace_begin(struct trace_writer *writer, const struct trace_order *order);
// Adds the waits that are pending, stops watching and completes the JSON. False if anything could
// not be written.
bool trace_end(struct trace_writer *writer);

#endif
