// SPDX-License-Identifier: Apache-2.0
// Input files; `-` is the standard input.
#ifndef CLI_IN_FILE_H
#define CLI_IN_FILE_H

#include "common/message.h"

#include <stddef.h>
#include <stdio.h>

bool is_standard_stream(const char *path); // "-"

// A null pointer if the file cannot be opened, `why` being set.
FILE *in_open(const char *path, struct message *why);
// To be called instead of fclose(), which the standard input does not need.
void in_close(FILE *file);
// The whole file with a zero byte behind its `size` bytes, for free(); a null pointer on failure.
char *in_read(const char *path, size_t limit, size_t *size, struct message *why);

#endif
