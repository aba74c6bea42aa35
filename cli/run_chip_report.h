// SPDX-License-Identifier: Apache-2.0
// What a run of a chip reports.
#ifndef CLI_RUN_CHIP_REPORT_H
#define CLI_RUN_CHIP_REPORT_H

#include "run/wait_list.h"
#include "run_chip_order.h"

// What --dump is to show of the chip as it is, behind `places`, if that is no null pointer. For
// free(); a null pointer: nothing is to be dumped, or there is no memory.
char *chip_dump_text(const struct chip_order *order, const struct run_places *places);

// Reports a run that ended so; with --waits it is run again as `waits` says, whose tiles are filled
// in here. The exit status, `status` or that of a finding that makes the run fail.
int report_chip_run(const struct chip_order *order, tsr_end end, int status,
                    struct wait_order *waits);

#endif
