// SPDX-License-Identifier: Apache-2.0
// Reads what state_dump.c and number_dump.c print; see dump_rows.h.
#include "run/dump_rows.h"

#include "common/in_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 160 };

// Where a line stands: what --dump-at has said before, the storage, and a part of that.
struct place {
    char at[NAME_SIZE], storage[NAME_SIZE], part[NAME_SIZE];
    bool columns;
};

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

// ---------------------------------------------------------------- a row

// The text behind `mark` is cut off and given; "" if it is not there.
static char *cut(char *text, const char *mark)
{
    char *place = strstr(text, mark);

    if (place == NULL)
        return strdup("");
    char *part = strdup(place + 2);
    *place = '\0';
    return part;
}

// One blank between words, none around them: how wide numbers are printed is no difference.
static char *squeeze(const char *text)
{
    char *result = malloc(strlen(text) + 1), *end = result;

    for (text += strspn(text, " "); result != NULL && *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        if (end > result)
            *end++ = ' ';
        memcpy(end, text, length);
        end += length;
        text += length;
    }
    if (result != NULL)
        *end = '\0';
    return result;
}

static bool add_row(struct dump_rows *rows, const struct place *place, const char *label,
                    char *values)
{
    static const char *const marks[] = {"  invalid", "  written ", "  tainted "};
    char name[4 * NAME_SIZE];

    if (rows->count % 256 == 0) {
        void *more = realloc(rows->rows, (rows->count + 256) * sizeof rows->rows[0]);
        if (more == NULL)
            return false;
        rows->rows = more;
    }
    struct dump_row *row = &rows->rows[rows->count++];
    *row = (struct dump_row){.columns = place->columns};
    snprintf(name, sizeof name, "%s%s%s%s%s", place->at, place->storage, place->part,
             *label == '\0' ? "" : " ", label);
    row->name = strdup(name);
    row->writer = cut(values, "  by ");
    for (size_t i = 0; i < sizeof marks / sizeof marks[0] && row->marks == NULL; i++)
        if (strstr(values, marks[i]) != NULL)
            row->marks = cut(values, marks[i]);
    if (row->marks == NULL)
        row->marks = strdup("");
    row->values = squeeze(values);
    return row->name != NULL && row->writer != NULL && row->marks != NULL && row->values != NULL;
}

// ---------------------------------------------------------------- lines

// True if a storage's dump begins with this line.
static bool enter_storage(struct place *place, const char *line)
{
    static const char *const names[] = {"dst", "srca", "srcb", "l1",  "cfg",
                                        "adc", "rwc",  "gpr",  "sem", "lreg"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);
        if (!begins(line, names[i]) || (line[length] != ':' && !begins(line + length, " as ")))
            continue;
        snprintf(place->storage, sizeof place->storage, "%.*s", (int)strcspn(line, ":"), line);
        place->part[0] = '\0';
        place->columns = i < 4;
        return true;
    }
    return false;
}

static bool take_columns(struct dump_rows *rows, struct place *place, char *line)
{
    char label[NAME_SIZE];
    char *begin = line + strspn(line, " ");
    size_t length = strcspn(begin, " !");

    snprintf(label, sizeof label, "row %.*s", (int)(length < 20 ? length : 20), begin);
    return add_row(rows, place, label, begin + length + (begin[length] == '!'));
}

static bool take_line(struct dump_rows *rows, struct place *place, char *line)
{
    char part[24];

    if (*line == '\0') {
        place->storage[0] = '\0';
        return true;
    }
    if (begins(line, "at ") && line[strlen(line) - 1] == ':') {
        snprintf(place->at, sizeof place->at, "%.*s ", (int)strlen(line), line);
        return true;
    }
    if (enter_storage(place, line)) {
        rows->found = true;
        return true;
    }
    if (place->storage[0] == '\0')
        return true;
    if (sscanf(line, "tile %20[0-9] at", part) == 1) {
        snprintf(place->part, sizeof place->part, " tile %s", part);
        return true;
    }
    if (sscanf(line, "bank %20[0-9] ", part) == 1) {
        snprintf(place->part, sizeof place->part, " bank %s", part);
        place->columns = false;
        bool ok = add_row(rows, place, "", line + strlen("bank 0 "));
        place->columns = true;
        return ok;
    }
    if (place->columns && begins(line, "unpacker ")) {
        place->columns = false;
        bool ok = add_row(rows, place, "banks", line);
        place->columns = true;
        return ok;
    }
    if (place->columns)
        return take_columns(rows, place, line);
    char *equals = strstr(line, " = "), *values = equals != NULL ? equals : strchr(line, ':');
    if (values == NULL)
        return add_row(rows, place, line, line + strlen(line));
    *values = '\0';
    return add_row(rows, place, line, values + (equals != NULL ? 3 : 1));
}

bool dump_rows_read(struct dump_rows *rows, const char *path, struct message *why)
{
    bool ok = true;
    FILE *file = in_open(path, why);
    struct place place = {.columns = false};
    char *line = NULL;
    size_t room = 0;

    *rows = (struct dump_rows){.count = 0};
    if (file == NULL)
        return false;
    for (ssize_t length; ok && (length = getline(&line, &room, file)) >= 0;) {
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        ok = take_line(rows, &place, line);
    }
    bool readable = ferror(file) == 0;
    int error = errno;
    free(line);
    in_close(file);
    if (!ok)
        return message_no_memory(why, path);
    if (!readable)
        return message_io(why, path, "read", error);
    return rows->found || message_set(why, "%s: there is no dump in this file", path);
}

void dump_rows_free(struct dump_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->rows[i].name);
        free(rows->rows[i].values);
        free(rows->rows[i].marks);
        free(rows->rows[i].writer);
    }
    free(rows->rows);
    *rows = (struct dump_rows){.count = 0};
}
