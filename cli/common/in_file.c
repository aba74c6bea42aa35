// SPDX-License-Identifier: Apache-2.0
// Opening and reading input files, with the reason why if that fails.
#include "common/in_file.h"

#include "common/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool is_standard_stream(const char *path)
{
    return strcmp(path, "-") == 0;
}

FILE *in_open(const char *path, struct message *why)
{
    FILE *file = is_standard_stream(path) ? stdin : fopen(path, "rb");

    if (file == NULL) {
        int error = errno;
        message_io(why, path, "opened", error);
        size_t length = strlen(why->text);
        if (error == ENOENT)
            snprintf(why->text + length, sizeof why->text - length, "%s", nearest_file(path).text);
    }
    return file;
}

void in_close(FILE *file)
{
    if (file != stdin)
        fclose(file);
}

// Pipes do not tell their size, so that the room grows while there is more.
static char *read_all(FILE *file, const char *path, size_t limit, size_t *size, struct message *why)
{
    char *text = NULL;
    size_t room = 0;

    *size = 0;
    do {
        room = room > 0 ? 2 * room : 1 << 16;
        char *larger = realloc(text, room + 1);
        if (larger == NULL) {
            free(text);
            message_no_memory(why, path);
            return NULL;
        }
        text = larger;
        *size += fread(text + *size, 1, room - *size, file);
    } while (*size == room && *size <= limit);
    if (ferror(file) == 0 && *size <= limit) {
        text[*size] = '\0';
        return text;
    }
    if (ferror(file) != 0)
        message_io(why, path, "read", errno);
    else
        message_set(why, "%s: the file has more than %zu bytes", path, limit);
    free(text);
    return NULL;
}

char *in_read(const char *path, size_t limit, size_t *size, struct message *why)
{
    FILE *file = in_open(path, why);

    if (file == NULL)
        return NULL;
    char *text = read_all(file, path, limit, size, why);
    in_close(file);
    return text;
}
