// SPDX-License-Identifier: Apache-2.0
// Sentences on stderr. What is quoted from a file may hold any byte, so control characters are
// replaced before they reach a terminal.
#include "common/message.h"

#include <stdio.h>

static void format_into(struct message *message, const char *format, va_list arguments)
{
    vsnprintf(message->text, sizeof message->text, format, arguments);
    for (char *text = message->text; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 0x20 || byte == 0x7f)
            *text = '?';
    }
}

_Bool message_set(struct message *message, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    format_into(message, format, arguments);
    va_end(arguments);
    return 0;
}

static void print_sentence(const char *begin, const char *format, va_list arguments)
{
    struct message message;

    format_into(&message, format, arguments);
    fprintf(stderr, "tessera: %s%s\n", begin, message.text);
}

int report_bad_input(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_sentence("", format, arguments);
    va_end(arguments);
    return STATUS_BAD_INPUT;
}

int report_internal(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_sentence("internal fault: ", format, arguments);
    va_end(arguments);
    return STATUS_INTERNAL;
}
