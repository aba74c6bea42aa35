// SPDX-License-Identifier: Apache-2.0
// Sentences on stderr. What is quoted from a file may hold any byte, so control characters are
// replaced before they reach a terminal.
#include "common/message.h"

#include <stdio.h>

static void clean(char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 0x20 || byte == 0x7f)
            *text = '?';
    }
}

static void format_into(struct message *message, const char *format, va_list arguments)
{
    vsnprintf(message->text, sizeof message->text, format, arguments);
    clean(message->text);
}

_Bool message_set(struct message *message, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    format_into(message, format, arguments);
    va_end(arguments);
    return 0;
}

int report_bad_input(const char *format, ...)
{
    struct message message;
    va_list arguments;

    va_start(arguments, format);
    format_into(&message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "tessera: %s\n", message.text);
    return STATUS_BAD_INPUT;
}

int report_internal(const char *format, ...)
{
    struct message message;
    va_list arguments;

    va_start(arguments, format);
    format_into(&message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "tessera: internal fault: %s\n", message.text);
    return STATUS_INTERNAL;
}
