// SPDX-License-Identifier: Apache-2.0
// A run as Chrome trace events, which Perfetto (ui.perfetto.dev) and chrome://tracing show.
#ifndef CLI_TRACE_JSON_H
#define CLI_TRACE_JSON_H

#include <tessera/trace.h>

#include <stdio.h>

struct trace_writer {
    FILE *file;
    tsr_arch arch;
    bool timing;
    uint64_t events; // also the clock with timing off
};

// Writes the head and watches the tile. `writer` must live until trace_end().
void trace_begin(struct trace_writer *writer, FILE *file, tsr_tile *tile, bool timing);
// Stops watching and completes the JSON.
void trace_end(struct trace_writer *writer, tsr_tile *tile);

#endif
