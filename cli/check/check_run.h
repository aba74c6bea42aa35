// SPDX-License-Identifier: Apache-2.0
// Running a conformance case on a tile (docs/conformance.md, "How a case runs").
#ifndef CLI_CHECK_RUN_H
#define CLI_CHECK_RUN_H

#include "check/check_case.h"
#include "check/check_result.h"
#include "common/cli_options.h"

// Makes a tile of the case's chip with the other options of `choice`, runs, compares.
void case_run(const struct conformance_case *item, const struct tile_choice *choice,
              struct check_result *result);

#endif
