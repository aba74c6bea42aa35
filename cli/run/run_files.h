// SPDX-License-Identifier: Apache-2.0
// The files that a run is asked to read and write: none may be two things at once.
#ifndef CLI_RUN_FILES_H
#define CLI_RUN_FILES_H

#include "ttasm/program.h"

struct run_files {
    const char *program, *trace; // no trace: a null pointer
    const struct ttasm_files *arrays;
};

// Do both names lead to one file?
bool same_file(const char *left, const char *right);
// False if two outputs are one file, an output is an input, or two inputs are the standard input.
bool files_check(const struct run_files *files, struct message *why);
// Once the program is assembled: false if an output is one of the files that it includes.
bool files_spare_includes(const struct run_files *files, const struct ttasm_program *program,
                          struct message *why);
// Does an array or the trace go to the standard output?
bool files_take_output(const struct run_files *files);

#endif
