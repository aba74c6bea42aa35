// SPDX-License-Identifier: Apache-2.0
// How the command line tool says that something is wrong: one sentence, `tessera: PLACE: REASON`.
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdarg.h>

// A sentence without the leading `tessera: `. What can fail takes one and returns false.
struct message {
    char text[640];
};

// Always returns false, so that a caller can write `return message_set(why, …);`.
__attribute__((format(printf, 2, 3))) _Bool message_set(struct message *message, const char *format,
                                                        ...);

// Print the sentence to stderr and give back the exit status.
__attribute__((format(printf, 1, 2))) int report_bad_input(const char *format, ...);
__attribute__((format(printf, 1, 2))) int report_internal(const char *format, ...);

#endif
