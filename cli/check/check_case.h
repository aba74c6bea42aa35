// SPDX-License-Identifier: Apache-2.0
// A conformance case in memory, and reading one (docs/conformance.md, "Cases").
#ifndef CLI_CHECK_CASE_H
#define CLI_CHECK_CASE_H

#include "common/message.h"

#include <tessera/tessera.h>

enum case_op { CASE_PUSH, CASE_STORE, CASE_LOAD, CASE_DRAIN, CASE_WAIT, CASE_POST, CASE_OP_COUNT };

// push: a is the word. The others: a is an address, b a value, or for load where to put the value.
struct case_command {
    enum case_op op;
    uint32_t a, b;
};

struct case_list {
    size_t count;
    struct case_command *commands;
};

struct case_range {
    uint32_t address;
    size_t size;
    uint8_t *bytes;
};

struct case_ranges {
    size_t count;
    struct case_range *items;
};

struct conformance_case {
    char *name;
    tsr_arch arch;
    bool from_simulator;           // its origin is a version of ttsim
    struct case_ranges l1, expect; // every range lies inside that chip's L1
    struct case_list threads[TSR_THREADS];
};

const char *case_op_name(enum case_op op);
int case_op_numbers(enum case_op op); // how many numbers follow the command's name

// One JSON text. `file` and `line` (0: a file that holds this case only) are for the sentence. The
// caller gives *out to case_free(), after a failure too.
bool case_parse(const char *text, size_t size, const char *file, unsigned line,
                struct conformance_case *out, struct message *why);
void case_free(struct conformance_case *item);

#endif
