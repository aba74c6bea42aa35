// SPDX-License-Identifier: Apache-2.0
// Moves what a job names into a chip before its run, and out of it afterwards.
#ifndef CLI_CHIP_IO_H
#define CLI_CHIP_IO_H

#include "chip/chip_job.h"

// Writes arrays, files and words into the chip, then loads the programs and starts core B of each
// tile, or without a program for it all cores that have one.
bool chip_begin(struct chip_job *job, tsr_chip *chip, struct message *why);
// One of what is written, at any time.
bool chip_write(const struct chip_job *job, struct chip_data *data, tsr_chip *chip,
                struct message *why);
// The files of --dump: before the run, and after one that has completed.
bool chip_open_dumps(struct chip_job *job, tsr_chip *chip, struct message *why);
bool chip_write_dumps(struct chip_job *job, tsr_chip *chip, struct message *why);

#endif
