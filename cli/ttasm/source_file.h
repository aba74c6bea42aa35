// SPDX-License-Identifier: Apache-2.0
// The bytes of a .ttasm file, which must be text.
#ifndef CLI_SOURCE_FILE_H
#define CLI_SOURCE_FILE_H

#include "common/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_file {
    char *text; // to be freed; not terminated
    size_t size;
    uint64_t device, number; // tell whether two paths lead to the same file
};

// Reads a file ("-" is the standard input) and checks its characters: UTF-8 without a byte order
// mark and without NUL. `why` names line and column, both from 1, in characters.
bool source_file_read(struct source_file *file, const char *path, struct message *why);

// Bytes of the UTF-8 character at `text`, of which `left` bytes are there; 0 if it is none.
size_t utf8_length(const char *text, size_t left);

#endif
