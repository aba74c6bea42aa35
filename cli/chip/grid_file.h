// SPDX-License-Identifier: Apache-2.0
// The description file of --grid: a YAML document that says which tiles get which programs, and
// which arrays go where (docs/cli.md, "A whole chip"). Names of files are relative to its folder.
#ifndef CLI_GRID_FILE_H
#define CLI_GRID_FILE_H

#include "chip/chip_job.h"

// Adds to the job what the file says; `why` names the line.
bool grid_file_read(struct chip_job *job, const char *path, struct message *why);
// The same of text that is in memory already.
bool grid_file_parse(struct chip_job *job, const char *path, const char *text, size_t size,
                     struct message *why);

#endif
