// SPDX-License-Identifier: Apache-2.0
// The report of a run of one tile.
#ifndef CLI_RUN_TILE_REPORT_H
#define CLI_RUN_TILE_REPORT_H

#include "run_tile_job.h"

// Reports a run that ended so, behind what it computed. The exit status, `status` or that of a
// finding that makes the run fail.
int report_run(struct run_job *job, tsr_end end, int status);

#endif
