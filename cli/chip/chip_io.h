// SPDX-License-Identifier: Apache-2.0
// Moves what a job names into its chips before its run, and out of it afterwards.
#ifndef CLI_CHIP_IO_H
#define CLI_CHIP_IO_H

#include "chip/chip_job.h"

// Makes the links of chips that exist, in the order of the job's list. False: no memory.
bool chip_connect_all(const struct chip_job *job, tsr_chip *const chips[], struct message *why);
// Writes arrays, files and words into the chips, then loads the programs and starts core B of each
// tile, or without a program for it all cores that have one.
bool chip_begin(struct chip_job *job, tsr_chip *const chips[], struct message *why);
// One of what is written, at any time.
bool chip_write(const struct chip_job *job, struct chip_data *data, tsr_chip *const chips[],
                struct message *why);
// The files of --dump: before the run, and after one that has completed.
bool chip_open_dumps(struct chip_job *job, tsr_chip *const chips[], struct message *why);
bool chip_write_dumps(struct chip_job *job, tsr_chip *const chips[], struct message *why);

#endif
