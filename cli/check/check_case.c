// SPDX-License-Identifier: Apache-2.0
// Reading a conformance case from JSON. Everything is looked at before anything runs, so that a
// typing error is a sentence with a place and never a case that quietly tests less.
#include "check/check_case.h"

#include "common/cli_options.h"

#include <inttypes.h>
#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is being read; `place` says where.
struct reader {
    char place[512];
    struct conformance_case *out;
    struct message *why;
};

static const struct {
    const char *name;
    int numbers;
} ops[CASE_OP_COUNT] = {
    [CASE_PUSH] = {"push", 1},   [CASE_STORE] = {"store", 2}, [CASE_LOAD] = {"load", 2},
    [CASE_DRAIN] = {"drain", 0}, [CASE_WAIT] = {"wait", 2},   [CASE_POST] = {"post", 2},
};

const char *case_op_name(enum case_op op)
{
    return ops[op].name;
}

int case_op_numbers(enum case_op op)
{
    return ops[op].numbers;
}

static bool refuse(struct reader *reader, const char *what)
{
    return message_set(reader->why, "%s: %s", reader->place, what);
}

static bool refuse_word(struct reader *reader, const char *what, const char *word)
{
    return message_set(reader->why, "%s: %s '%s'", reader->place, what, word);
}

// What a list holds: its name is `before` and the key, and each item is read by `read`.
struct list_kind {
    const char *before, *item;
    size_t size; // of an item
    bool (*read)(struct reader *reader, json_t *node, void *out);
};

// The items that were begun are counted, so that case_free() finds what they own.
static bool read_list(struct reader *reader, const struct list_kind *kind, const char *key,
                      json_t *node, void **items, size_t *count)
{
    struct reader inner = *reader;
    size_t index, length = json_array_size(node);
    json_t *item;

    if (!json_is_array(node))
        return message_set(reader->why, "%s: not a list: %s'%s'", reader->place, kind->before, key);
    *items = calloc(length > 0 ? length : 1, kind->size); // of nothing it may be a null pointer
    if (*items == NULL)
        return message_no_memory(reader->why, reader->place);
    json_array_foreach(node, index, item)
    {
        snprintf(inner.place, sizeof inner.place, "%.400s: %s%s, %s %zu", reader->place,
                 kind->before, key, kind->item, index + 1);
        ++*count;
        if (!kind->read(&inner, item, (char *)*items + index * kind->size))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- ranges of bytes

static bool read_hex(struct reader *reader, const char *text, struct case_range *range)
{
    size_t digits = strlen(text);

    if (digits == 0 || digits % 2 != 0)
        return refuse(reader, "'hex' is not a whole number of bytes");
    range->size = digits / 2;
    range->bytes = malloc(range->size);
    if (range->bytes == NULL)
        return message_no_memory(reader->why, reader->place);
    for (size_t i = 0; i < range->size; i++) {
        int high = hex_digit(text[2 * i]);
        int low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return message_set(reader->why, "%s: 'hex' holds '%.2s', which is not hexadecimal",
                               reader->place, text + 2 * i);
        range->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static bool read_range(struct reader *reader, json_t *node, void *out)
{
    struct case_range *range = out;
    json_t *address = json_object_get(node, "addr");
    json_t *hex = json_object_get(node, "hex");
    size_t l1_size = tsr_l1_size(reader->out->arch);
    const char *key;
    json_t *value;

    json_object_foreach(node, key, value)
    {
        if (strcmp(key, "addr") != 0 && strcmp(key, "hex") != 0)
            return refuse_word(reader, "unknown key", key);
    }
    if (!json_is_integer(address) || !json_is_string(hex))
        return refuse(reader, "a range is an object with 'addr', a number, and 'hex', a string");
    json_int_t first = json_integer_value(address);
    if (!read_hex(reader, json_string_value(hex), range))
        return false;
    if (first < 0 || (uint64_t)first > l1_size || range->size > l1_size - (size_t)first)
        return message_set(reader->why, "%s: %zu bytes at %lld leave L1, which has %zu",
                           reader->place, range->size, (long long)first, l1_size);
    range->address = (uint32_t)first;
    return true;
}

static bool read_ranges(struct reader *reader, const char *key, json_t *root,
                        struct case_ranges *ranges)
{
    static const struct list_kind kind = {"", "range", sizeof(struct case_range), read_range};
    void *items = NULL;
    bool ok = read_list(reader, &kind, key, json_object_get(root, key), &items, &ranges->count);

    ranges->items = items;
    return ok;
}

// ---------------------------------------------------------------- commands

// A hexadecimal number of at most 32 bits, with or without 0x.
static bool read_number(struct reader *reader, const char *text, uint32_t *number)
{
    const char *digits = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? text + 2 : text;
    uint64_t value = 0;

    for (const char *digit = digits; *digit != '\0'; digit++) {
        if (hex_digit(*digit) < 0)
            return refuse_word(reader, "not a hexadecimal number:", text);
        value = value << 4 | (uint64_t)hex_digit(*digit);
        if (value > UINT32_MAX)
            return refuse_word(reader, "does not fit 32 bits:", text);
    }
    if (*digits == '\0')
        return refuse_word(reader, "not a hexadecimal number:", text);
    *number = (uint32_t)value;
    return true;
}

// Flags, and the place that gets a loaded value, are words of L1.
static bool check_l1_word(struct reader *reader, uint32_t address)
{
    if (address % 4 == 0 && address < tsr_l1_size(reader->out->arch))
        return true;
    return message_set(reader->why, "%s: 0x%08" PRIx32 " is not a word of L1", reader->place,
                       address);
}

static bool read_command(struct reader *reader, json_t *node, void *out)
{
    struct case_command *command = out;
    uint32_t *numbers[] = {&command->a, &command->b};
    size_t words = json_array_size(node); // 0 if it is no array
    size_t index;
    json_t *word;

    bool strings = words > 0;
    json_array_foreach(node, index, word)
    {
        strings = strings && json_is_string(word);
    }
    if (!strings)
        return refuse(reader, "a command is a list of strings");
    const char *name = json_string_value(json_array_get(node, 0));
    command->op = CASE_PUSH;
    while (command->op < CASE_OP_COUNT && strcmp(name, ops[command->op].name) != 0)
        command->op++;
    if (command->op == CASE_OP_COUNT)
        return refuse_word(reader, "unknown command", name);
    size_t wanted = (size_t)ops[command->op].numbers;
    if (words < 1 + wanted || words > 2 + wanted)
        return message_set(reader->why, "%s: '%s' takes %zu numbers and at most one comment",
                           reader->place, name, wanted);
    for (size_t i = 0; i < wanted; i++)
        if (!read_number(reader, json_string_value(json_array_get(node, i + 1)), numbers[i]))
            return false;
    if (command->op == CASE_WAIT || command->op == CASE_POST)
        return check_l1_word(reader, command->a);
    return command->op != CASE_LOAD || check_l1_word(reader, command->b);
}

static bool read_threads(struct reader *reader, json_t *node)
{
    static const struct list_kind commands = {"thread ", "command", sizeof(struct case_command),
                                              read_command};
    const char *key;
    json_t *list;

    if (!json_is_object(node))
        return refuse(reader, "'threads' is not an object");
    json_object_foreach(node, key, list)
    {
        if (strlen(key) != 1 || key[0] < '0' || key[0] >= '0' + TSR_THREADS)
            return refuse_word(reader, "'threads' has an unknown key", key);
        struct case_list *out = &reader->out->threads[key[0] - '0'];
        void *items = NULL;
        bool ok = read_list(reader, &commands, key, list, &items, &out->count);
        out->commands = items;
        if (!ok)
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- the whole

static bool check_keys(struct reader *reader, json_t *root)
{
    static const char *const known[] = {"name", "arch",    "origin", "about",
                                        "l1",   "threads", "expect"};
    const char *key;
    json_t *value;

    if (!json_is_object(root))
        return refuse(reader, "a case is a JSON object");
    json_object_foreach(root, key, value)
    {
        size_t i = 0;
        while (i < sizeof known / sizeof known[0] && strcmp(key, known[i]) != 0)
            i++;
        if (i == sizeof known / sizeof known[0])
            return refuse_word(reader, "unknown key", key);
        if (i < 4 && !json_is_string(value))
            return refuse_word(reader, "not a string:", key);
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i], "origin") != 0 && strcmp(known[i], "about") != 0 &&
            json_object_get(root, known[i]) == NULL)
            return refuse_word(reader, "missing key", known[i]);
    return true;
}

static bool read_case(struct reader *reader, json_t *root)
{
    struct conformance_case *out = reader->out;

    if (!check_keys(reader, root))
        return false;
    const char *name = json_string_value(json_object_get(root, "name"));
    const char *arch = json_string_value(json_object_get(root, "arch"));
    if (tsr_arch_from_name(arch, &out->arch) != TSR_OK)
        return refuse_word(reader, "unknown architecture", arch);
    const char *origin = json_string_value(json_object_get(root, "origin"));
    out->from_simulator = origin != NULL && strncmp(origin, "ttsim", 5) == 0;
    out->name = strdup(name);
    if (out->name == NULL)
        return message_no_memory(reader->why, reader->place);
    if (!read_ranges(reader, "l1", root, &out->l1) ||
        !read_ranges(reader, "expect", root, &out->expect) ||
        !read_threads(reader, json_object_get(root, "threads")))
        return false;
    return out->expect.count > 0 || refuse(reader, "'expect' is empty, so nothing is compared");
}

bool case_parse(const char *text, size_t size, const char *file, unsigned line,
                struct conformance_case *out, struct message *why)
{
    struct reader reader = {.out = out, .why = why};
    json_error_t error;

    *out = (struct conformance_case){0};
    if (line != 0)
        snprintf(reader.place, sizeof reader.place, "%.400s:%u", file, line);
    else
        snprintf(reader.place, sizeof reader.place, "%.400s", file);
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        return message_set(why, "%s:%u:%d: not JSON: %s", file,
                           line != 0 ? line : (unsigned)error.line, error.column, error.text);
    bool ok = read_case(&reader, root);
    json_decref(root);
    return ok;
}

static void free_ranges(struct case_ranges *ranges)
{
    for (size_t i = 0; i < ranges->count; i++)
        free(ranges->items[i].bytes);
    free(ranges->items);
}

void case_free(struct conformance_case *item)
{
    free(item->name);
    free_ranges(&item->l1);
    free_ranges(&item->expect);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        free(item->threads[thread].commands);
    *item = (struct conformance_case){0};
}
