// SPDX-License-Identifier: Apache-2.0
// A run of one tile, which `tessera run` makes of a .ttasm program or of compiled programs.
#ifndef CLI_RUN_TILE_JOB_H
#define CLI_RUN_TILE_JOB_H

#include "common/cli_options.h"
#include "common/out_file.h"
#include "run/core_job.h"
#include "run/program_run.h"
#include "run/run_files.h"
#include "run/run_places.h"
#include "run/state_dump.h"
#include "run/tensor_io.h"
#include "run/trace_json.h"
#include "run_options.h"
#include "ttasm/ttasm.h"

enum { MAX_BINDINGS = 64 };

struct run_job {
    const char *path;
    struct tile_choice choice;
    struct binding in[MAX_BINDINGS], out[MAX_BINDINGS];
    struct ttasm_files files;
    struct dump_list dumps;
    struct run_places places; // of --dump-at
    const char *trace_path, *stop_at;
    const char *findings_fail; // a null pointer: none; "": any
    uint64_t max_cycles;
    const char *max_cycles_given; // the word
    bool json, trace_window, waits, deletions;
    struct core_job cores; // --elf
    // Made from those.
    struct ttasm_program program;
    struct run_order order;
    struct tensor_outputs outputs;
    struct out_file trace_file;
    struct trace_order trace_order;
    struct trace_writer trace;
    tsr_tile *tile;
    bool given_up; // a signal ended the run
};

#endif
