// SPDX-License-Identifier: Apache-2.0
// A dump that --dump has printed, read again: its rows, each with a name of its own.
#ifndef CLI_DUMP_ROWS_H
#define CLI_DUMP_ROWS_H

#include "common/message.h"

#include <stdbool.h>
#include <stddef.h>

struct dump_row {
    char *name;   // "dst as FP32 row 12", "cfg ALU_ACC_CTRL_Fp32_enabled (bank 0)"
    char *values; // what stands behind the row's label
    char *marks;  // "written 00ff", "invalid"; "" if none
    char *writer; // "by thread 1 #33 MVMUL"; "" if not known
    bool columns; // the values are columns, separated by blanks
};

struct dump_rows {
    struct dump_row *rows;
    size_t count;
    bool found; // a dump, which may have no rows
};

// `path` holds a dump alone or behind the report of its run; "-" is the standard input. False if it
// cannot be read or holds no dump.
bool dump_rows_read(struct dump_rows *rows, const char *path, struct message *why);
void dump_rows_free(struct dump_rows *rows);

#endif
