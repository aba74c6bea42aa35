// SPDX-License-Identifier: Apache-2.0
// Reading keys and values of YAML; see grid_yaml.h.
#include "chip/grid_yaml.h"

#include "common/cli_options.h"
#include "common/in_file.h"
#include "common/nearest.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_TEXT = FROM_TEXT - 40 }; // characters of a path; a line's number is behind it

// ---------------------------------------------------------------- sentences

void grid_line(const struct grid_reader *reader, const yaml_node_t *node, char text[FROM_TEXT])
{
    // Of a long path its end, with the file's name.
    size_t length = strlen(reader->path), skipped = length > PATH_TEXT ? length - PATH_TEXT : 0;

    while ((reader->path[skipped] & 0xc0) == 0x80) // inside of a character
        skipped++;
    snprintf(text, FROM_TEXT, "%s%s:%zu", skipped > 0 ? "..." : "", reader->path + skipped,
             node->start_mark.line + 1);
}

bool grid_refuse(struct grid_reader *reader, const yaml_node_t *node, const char *format, ...)
{
    char from[FROM_TEXT], reason[300];
    va_list arguments;

    grid_line(reader, node, from);
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return message_set(reader->why, "%s: %s", from, reason);
}

// ---------------------------------------------------------------- YAML

// NULL for what is no scalar.
static const char *text_of(const yaml_node_t *node)
{
    return node != NULL && node->type == YAML_SCALAR_NODE &&
                   strlen((const char *)node->data.scalar.value) == node->data.scalar.length
               ? (const char *)node->data.scalar.value
               : NULL;
}

// `key`: NULL if it is no text.
static bool unknown_key(struct grid_reader *reader, const yaml_node_t *node, const char *key,
                        const char *const names[], int count)
{
    struct nearest nearest = nearest_to(key == NULL ? "" : key);
    char all[200] = "";

    for (int i = 0; i < count; i++) {
        nearest_offer(&nearest, names[i]);
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    if (key == NULL)
        return grid_refuse(reader, node, "a key is a word; there are %s", all);
    uint64_t number;
    return grid_refuse(reader, node, "no key is called '%.60s'; there are %s%s%s", key, all,
                       nearest_text(&nearest).text,
                       parse_number(key, &number) ? " (between braces X,Y has to be quoted)" : "");
}

bool grid_keys_of(struct grid_reader *reader, yaml_node_t *node, const char *const names[],
                  int count, struct grid_keys *keys)
{
    *keys = (struct grid_keys){0};
    if (node->type != YAML_MAPPING_NODE)
        return grid_refuse(reader, node, "keys with values are expected here, as in '%s: …'",
                           names[0]);
    yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = yaml_document_get_node(&reader->document, pair->key);
        const char *name = text_of(key);
        int i = 0;
        while (name != NULL && i < count && strcmp(names[i], name) != 0)
            i++;
        if (name == NULL || i == count)
            return unknown_key(reader, key, name, names, count);
        if (keys->value[i] != NULL)
            return grid_refuse(reader, key, "'%s' stands here twice", name);
        keys->value[i] = yaml_document_get_node(&reader->document, pair->value);
    }
    return true;
}

bool grid_text(struct grid_reader *reader, const yaml_node_t *node, const char *key,
               const char **text)
{
    *text = text_of(node);
    return (*text != NULL && **text != '\0') ||
           grid_refuse(reader, node, "'%s' has no text as its value", key);
}

bool grid_number(struct grid_reader *reader, const yaml_node_t *node, const char *key,
                 uint64_t most, uint64_t *value)
{
    const char *text = text_of(node);
    enum number_status status =
        text == NULL ? NUMBER_NONE : parse_digits(text, strlen(text), value);

    if (status == NUMBER_NONE)
        return grid_refuse(reader, node, "'%s' is no number%s%.60s%s", key,
                           text == NULL ? "" : " '", text == NULL ? "" : text,
                           text == NULL ? "" : "'");
    return (status == NUMBER_OK && *value <= most) ||
           grid_refuse(reader, node, "'%s' is too large '%.60s'", key, text);
}

bool grid_each(struct grid_reader *reader, yaml_node_t *list, const char *key,
               bool (*take)(struct grid_reader *reader, yaml_node_t *item))
{
    if (list == NULL)
        return true;
    if (list->type != YAML_SEQUENCE_NODE)
        return grid_refuse(reader, list, "'%s' is a list, each item behind a '-'", key);
    yaml_node_item_t *item = list->data.sequence.items.start;
    for (; item < list->data.sequence.items.top; item++)
        if (!take(reader, yaml_document_get_node(&reader->document, *item)))
            return false;
    return true;
}

char *grid_path(struct grid_reader *reader, const char *name)
{
    const char *slash = strrchr(reader->path, '/');
    size_t folder = slash == NULL || name[0] == '/' || is_standard_stream(name)
                        ? 0
                        : (size_t)(slash - reader->path) + 1;
    char *path = malloc(folder + strlen(name) + 1);

    if (path == NULL) {
        message_no_memory(reader->why, name);
        return NULL;
    }
    memcpy(path, reader->path, folder);
    strcpy(path + folder, name);
    return path;
}
