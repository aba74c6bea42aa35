// SPDX-License-Identifier: Apache-2.0
// Which line an issued instruction stands in.
#ifndef CLI_ISSUE_MAP_H
#define CLI_ISSUE_MAP_H

#include "ttasm/program.h"

// Fills issued[thread], mapped_all[thread] and the labels of that thread. False without memory.
bool map_issue(struct ttasm_program *program, int thread);

#endif
