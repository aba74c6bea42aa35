// SPDX-License-Identifier: Apache-2.0
// The lines of a text that was read as a whole. The text's end is given: searching for it at every
// line would read a long file as often as it has lines.
#ifndef CLI_TEXT_LINES_H
#define CLI_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// In characters, without the newline.
static inline size_t line_length(const char *line, const char *end)
{
    const char *newline = memchr(line, '\n', (size_t)(end - line));

    return (size_t)((newline != NULL ? newline : end) - line);
}

// Where the line after this one begins, `end` after the last.
static inline const char *line_after(const char *line, size_t length, const char *end)
{
    return line + length == end ? end : line + length + 1;
}

static inline bool line_is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

#endif
