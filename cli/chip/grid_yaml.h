// SPDX-License-Identifier: Apache-2.0
// Keys and values of a description's YAML, and sentences about them. libyaml reads the document,
// every scalar as text.
#ifndef CLI_GRID_YAML_H
#define CLI_GRID_YAML_H

#include "chip/chip_place.h"

#include <yaml.h>

struct chip_job;
struct grid_reader {
    struct chip_job *job;
    const char *path;
    yaml_document_t document;
    struct message *why;
};

enum { GRID_KEYS = 10 };

// The values of a mapping by the place of their keys in `names`; NULL: not given.
struct grid_keys {
    yaml_node_t *value[GRID_KEYS];
};

// File and line of a node, for sentences; and such a sentence, as message_set() makes it.
void grid_line(const struct grid_reader *reader, const yaml_node_t *node, char text[FROM_TEXT]);
__attribute__((format(printf, 3, 4))) bool
grid_refuse(struct grid_reader *reader, const yaml_node_t *node, const char *format, ...);

// Read a mapping, a text, a number; false: `why` is set.
bool grid_keys_of(struct grid_reader *reader, yaml_node_t *node, const char *const names[],
                  int count, struct grid_keys *keys);
bool grid_text(struct grid_reader *reader, const yaml_node_t *node, const char *key,
               const char **text);
bool grid_number(struct grid_reader *reader, const yaml_node_t *node, const char *key,
                 uint64_t most, uint64_t *value);
// Each item of a list, which may be missing.
bool grid_each(struct grid_reader *reader, yaml_node_t *list, const char *key,
               bool (*take)(struct grid_reader *reader, yaml_node_t *item));
// A file's name, relative to the folder of the description; for free(). NULL: no memory.
char *grid_path(struct grid_reader *reader, const char *name);

#endif
