// SPDX-License-Identifier: Apache-2.0
// How the command says that something is wrong: one sentence, `tessera: PLACE: REASON`, and an exit
// status.
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdarg.h>

enum exit_status {
    STATUS_OK = 0,        // the command did what it was asked for
    STATUS_BROKEN = 1,    // the program that was simulated broke a rule, hung or timed out
    STATUS_BAD_INPUT = 2, // what the user gave cannot be used; one sentence says why
    STATUS_INTERNAL = 3   // a fault of Tessera or of the system below it
};

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
