// SPDX-License-Identifier: Apache-2.0
// What `tessera check` is given: files and folders become a list of cases and vector files.
#ifndef CLI_CHECK_ITEMS_H
#define CLI_CHECK_ITEMS_H

#include "check/check_case.h"
#include "check/check_result.h"
#include "check/check_vectors.h"

struct check_item {
    char *label; // for the output: "matrix/elwadd/seed1 [wormhole_b0]", or a vector file's path
    bool is_case;
    struct conformance_case item; // is_case
    struct vector_file vectors;   // otherwise
    struct check_result result;
};

struct check_items {
    size_t count, room;
    struct check_item *items;
};

// Appends what `path` holds: .json (one case), .jsonl (a case a line), .txt (vectors), or a folder,
// of which it takes all such files, in the order of their names, folders included.
bool items_add(struct check_items *items, const char *path, struct message *why);
void items_free(struct check_items *items);

#endif
