// SPDX-License-Identifier: Apache-2.0
// Output files that appear whole, and only when all went right; until then an older one stays.
#ifndef CLI_OUT_FILE_H
#define CLI_OUT_FILE_H

#include "common/message.h"

#include <stdbool.h>
#include <stdio.h>

// A file that is written beside its final name and moved there at the end. The standard output (-)
// has neither name.
struct out_file {
    char *path, *temporary;
    FILE *file;
};

// Opens the temporary file; fails if the folder cannot be written to. Symbolic links are followed.
bool out_open(struct out_file *out, const char *path, struct message *why);
// Moves the file to its name. False if any write failed; the old file is still there then.
bool out_commit(struct out_file *out, struct message *why);
// Removes the temporary file, if one is there.
void out_discard(struct out_file *out);

// Has all that was printed arrived? `why` says what the system says, while it is known.
bool output_arrives(FILE *file, struct message *why);

#endif
