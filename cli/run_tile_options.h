// SPDX-License-Identifier: Apache-2.0
// The options of `tessera run` for one tile; docs/cli.md.
#ifndef CLI_RUN_TILE_OPTIONS_H
#define CLI_RUN_TILE_OPTIONS_H

#include "run_tile_job.h"

// STATUS_OK if the run may start; argv from optind on has the program.
int tile_options(struct run_job *job, const struct given_option *given, int count, int argc,
                 char **argv);

// The program, what --in and --out name, and the trace.
struct run_files files_of(const struct run_job *job);

#endif
