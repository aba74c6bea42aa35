// SPDX-License-Identifier: Apache-2.0
// Numeric vectors: a text file of inputs and results of one operation (docs/conformance.md,
// "Vectors"). The file's name says which operation.
#ifndef CLI_CHECK_VECTORS_H
#define CLI_CHECK_VECTORS_H

#include "check/check_result.h"
#include "common/message.h"

#include <tessera/tessera.h>

struct vector_kind;

struct vector_file {
    char *path;
    char *text; // the whole file, with a zero byte at its end
    const struct vector_kind *kind;
    tsr_arch arch; // of a kind whose lines do not name the chip
};

// Finds the kind and reads every line once. `text` must be from malloc(); the file owns it, after a
// failure too.
bool vectors_open(const char *path, char *text, struct vector_file *file, struct message *why);
void vectors_run(const struct vector_file *file, struct check_result *result);
void vectors_close(struct vector_file *file);

#endif
