// SPDX-License-Identifier: Apache-2.0
// Sentences on stderr. What is quoted from a file may hold any byte, so control characters are
// replaced before they reach a terminal.
#include "common/message.h"

#include "common/paint.h"

#include <stdio.h>
#include <string.h>

static void format_into(struct message *message, const char *format, va_list arguments)
{
    vsnprintf(message->text, sizeof message->text, format, arguments);
    for (char *text = message->text; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 0x20 || byte == 0x7f)
            *text = '?';
    }
}

bool message_set(struct message *message, const char *format, ...)
{
    va_list arguments;

    message->status = STATUS_BAD_INPUT;
    va_start(arguments, format);
    format_into(message, format, arguments);
    va_end(arguments);
    return false;
}

bool message_io(struct message *message, const char *path, const char *what, int error)
{
    const char *name = path;

    if (strcmp(path, "-") == 0)
        name = strcmp(what, "written") == 0 ? "standard output" : "standard input";
    else if (*path == '\0')
        name = "''";
    message_set(message, "%s: the file cannot be %s%s%s", name, what, error == 0 ? "" : ": ",
                error == 0 ? "" : strerror(error));
    message->status = STATUS_IO;
    return false;
}

bool message_no_memory(struct message *message, const char *path)
{
    message_set(message, "%s: no memory", path);
    message->status = STATUS_INTERNAL;
    return false;
}

static void print_sentence(const char *sentence)
{
    fprintf(stderr, "%stessera:%s %s\n", paint(stderr, PAINT_BAD), paint(stderr, PAINT_NONE),
            sentence);
}

int report_message(const struct message *message)
{
    print_sentence(message->text);
    return message->status;
}

int report_bad_input(const char *format, ...)
{
    struct message message;
    va_list arguments;

    va_start(arguments, format);
    format_into(&message, format, arguments);
    va_end(arguments);
    print_sentence(message.text);
    return STATUS_BAD_INPUT;
}

int report_internal(const char *format, ...)
{
    struct message message;
    va_list arguments;

    va_start(arguments, format);
    format_into(&message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%stessera: internal fault:%s %s\n", paint(stderr, PAINT_BAD),
            paint(stderr, PAINT_NONE), message.text);
    return STATUS_INTERNAL;
}

int report_no_memory(const char *what)
{
    struct message message;

    message_no_memory(&message, what);
    return report_message(&message);
}
