// SPDX-License-Identifier: Apache-2.0
// Turns a folder of conformance cases, one a file, into the committed form: a case a line. Comments
// of commands, white space and the leading zeroes of their numbers go; all else stays.
//
//   pack_cases OUTPUT.jsonl CASE.json...
//
// Cases are written in the order given. test_same_as_shared.sh builds and runs this.
#include <jansson.h>

#include <stdio.h>
#include <string.h>

// How many words a command has without its comment; 0 for a command that is not known.
static size_t words_of(const char *command)
{
    static const struct {
        const char *name;
        size_t words;
    } commands[] = {{"push", 2}, {"store", 3}, {"load", 3}, {"drain", 1}, {"wait", 3}, {"post", 3}};

    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(command, commands[i].name) == 0)
            return commands[i].words;
    return 0;
}

static int shorten_number(json_t *word)
{
    const char *text = json_string_value(word);
    char number[32];

    if (strncmp(text, "0x", 2) != 0 || strlen(text) > 18 || text[2] == '\0')
        return -1;
    const char *digits = text + 2 + strspn(text + 2, "0");
    snprintf(number, sizeof number, "0x%s", *digits != '\0' ? digits : "0");
    return json_string_set(word, number);
}

static int pack_command(json_t *command)
{
    const char *name = json_string_value(json_array_get(command, 0));
    size_t words = name != NULL ? words_of(name) : 0;

    if (words == 0 || json_array_size(command) < words || json_array_size(command) > words + 1)
        return -1;
    if (json_array_size(command) > words)
        json_array_remove(command, words);
    for (size_t i = 1; i < words; i++)
        if (!json_is_string(json_array_get(command, i)) ||
            shorten_number(json_array_get(command, i)) != 0)
            return -1;
    return 0;
}

static int pack_threads(json_t *threads)
{
    const char *key;
    json_t *list, *command;
    size_t index;

    json_object_foreach(threads, key, list)
        json_array_foreach(list, index, command) if (pack_command(command) != 0) return -1;
    return 0;
}

static int pack_file(const char *path, FILE *output)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

    if (root == NULL) {
        fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
        return -1;
    }
    int failed = pack_threads(json_object_get(root, "threads"));
    if (failed != 0)
        fprintf(stderr, "%s: a command is not as docs/conformance.md has it\n", path);
    else
        failed = json_dumpf(root, output, JSON_COMPACT) != 0 || fputc('\n', output) == EOF;
    json_decref(root);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: pack_cases OUTPUT.jsonl CASE.json...\n");
        return 2;
    }
    FILE *output = fopen(argv[1], "wb");
    if (output == NULL) {
        perror(argv[1]);
        return 2;
    }
    int failed = 0;
    for (int i = 2; i < argc && !failed; i++)
        failed = pack_file(argv[i], output);
    return fclose(output) != 0 || failed ? 1 : 0;
}
