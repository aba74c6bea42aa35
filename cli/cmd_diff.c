// SPDX-License-Identifier: Apache-2.0
// `tessera diff`: what differs between two dumps, row by row.
#include "commands.h"
#include "common/cli_options.h"
#include "common/in_file.h"
#include "run/dump_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct command command_diff = {
    .name = "diff",
    .run = cmd_diff,
    .summary = "what differs between two dumps",
    .usage = "FILE FILE",
    .text = "Compares two dumps of tessera run --dump, each alone or behind the report of its run, "
            "row by row: which columns differ, and who wrote the row, where the second dump says "
            "so. Who wrote a row is not compared.\n\n"
            "- is the standard input. Exit status: 0 they are the same, 1 they differ, more if "
            "they cannot be compared.",
    .operands = OPERAND_FILES,
};

struct comparison {
    const char *paths[2];
    struct dump_rows dumps[2];
    bool *matched; // rows of the second dump
    size_t different;
};

// The row of that name, looked for from `from` on and then from the beginning; count if none.
static size_t find_row(const struct dump_rows *rows, const char *name, size_t from)
{
    for (size_t i = 0; i < rows->count; i++) {
        size_t index = (from + i) % rows->count;
        if (strcmp(rows->rows[index].name, name) == 0)
            return index;
    }
    return rows->count;
}

static const char *next_word(const char *text, size_t *length)
{
    text += strspn(text, " ");
    *length = strcspn(text, " ");
    return text;
}

// Of two rows of columns. Gives what stands before the next difference.
static const char *print_columns(const char *left, const char *right, const char *separator)
{
    for (int column = 0;; column++) {
        size_t lengths[2];
        left = next_word(left, &lengths[0]);
        right = next_word(right, &lengths[1]);
        if (lengths[0] == 0 && lengths[1] == 0)
            return separator;
        if (lengths[0] != lengths[1] || memcmp(left, right, lengths[0]) != 0) {
            printf("%s column %d: %.*s -> %.*s", separator, column, (int)lengths[0], left,
                   (int)lengths[1], right);
            separator = ",";
        }
        left += lengths[0];
        right += lengths[1];
    }
}

static void compare_rows(struct comparison *comparison, const struct dump_row *left,
                         const struct dump_row *right)
{
    bool same_values = strcmp(left->values, right->values) == 0;
    const char *separator = ":";

    if (same_values && strcmp(left->marks, right->marks) == 0)
        return;
    comparison->different++;
    fputs(right->name, stdout);
    if (!same_values && left->columns)
        separator = print_columns(left->values, right->values, separator);
    else if (!same_values)
        printf("%s %s -> %s", separator, left->values, right->values);
    if (strcmp(left->marks, right->marks) != 0)
        printf("%s %s -> %s", strcmp(separator, ":") == 0 && !same_values ? "," : separator,
               *left->marks == '\0' ? "no mark" : left->marks,
               *right->marks == '\0' ? "no mark" : right->marks);
    printf("%s%s\n", *right->writer == '\0' ? "" : "; ", right->writer);
}

static void print_alone(struct comparison *comparison, const struct dump_row *row, int which)
{
    comparison->different++;
    printf("%s: only in %s", row->name, comparison->paths[which]);
    if (row->columns)
        putchar('\n');
    else
        printf(", %s\n", row->values);
}

static bool compare(struct comparison *comparison)
{
    const struct dump_rows *left = &comparison->dumps[0], *right = &comparison->dumps[1];
    size_t next = 0;

    comparison->matched = calloc(right->count + 1, sizeof comparison->matched[0]);
    if (comparison->matched == NULL)
        return false;
    for (size_t i = 0; i < left->count; i++) {
        size_t found = find_row(right, left->rows[i].name, next);
        if (found == right->count) {
            print_alone(comparison, &left->rows[i], 0);
            continue;
        }
        compare_rows(comparison, &left->rows[i], &right->rows[found]);
        comparison->matched[found] = true;
        next = found + 1;
    }
    for (size_t i = 0; i < right->count; i++)
        if (!comparison->matched[i])
            print_alone(comparison, &right->rows[i], 1);
    if (comparison->different > 0)
        printf("%zu rows differ\n", comparison->different);
    return true;
}

static int read_and_compare(struct comparison *comparison)
{
    struct message why;

    for (int i = 0; i < 2; i++)
        if (!dump_rows_read(&comparison->dumps[i], comparison->paths[i], &why))
            return report_message(&why);
    if (!compare(comparison))
        return report_no_memory("diff");
    return comparison->different > 0 ? STATUS_BROKEN : STATUS_OK;
}

int cmd_diff(int argc, char **argv)
{
    for (int option; (option = next_option(&command_diff, argc, argv)) != OPTION_END;)
        return option == OPTION_BAD ? STATUS_BAD_INPUT : STATUS_OK;
    if (argc - optind != 2)
        return report_bad_input("diff: two files are compared, not %d", argc - optind);
    struct comparison comparison = {.paths = {argv[optind], argv[optind + 1]}};
    if (is_standard_stream(comparison.paths[0]) && is_standard_stream(comparison.paths[1]))
        return report_bad_input("diff: only one of the files can be the standard input");
    int status = read_and_compare(&comparison);
    for (int i = 0; i < 2; i++)
        dump_rows_free(&comparison.dumps[i]);
    free(comparison.matched);
    return status;
}
