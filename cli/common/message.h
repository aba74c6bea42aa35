// SPDX-License-Identifier: Apache-2.0
// How the command says that something is wrong: one sentence, `tessera: PLACE: REASON`, and an exit
// status.
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdarg.h>
#include <stdbool.h>

enum exit_status {
    STATUS_OK = 0,        // the command did what it was asked for
    STATUS_BROKEN = 1,    // the program that was simulated broke a rule, hung or timed out
    STATUS_BAD_INPUT = 2, // what the user gave cannot be used; one sentence says why
    STATUS_INTERNAL = 3,  // a fault of Tessera, or no memory
    STATUS_LACKING = 4,   // the program needs what Tessera does not have
    STATUS_IO = 5         // a file or a stream cannot be opened, read or written
};

// A sentence without the leading `tessera: `. What can fail takes one and returns false.
struct message {
    enum exit_status status;
    char text[640];
};

// All of these return false, so that a caller can write `return message_set(why, …);`.
// Wrong input.
__attribute__((format(printf, 2, 3))) bool message_set(struct message *message, const char *format,
                                                       ...);
// `path` is what cannot be opened, read or written; `error` is of errno, 0 if not known.
bool message_io(struct message *message, const char *path, const char *what, int error);
bool message_no_memory(struct message *message, const char *path);

// Print the sentence to stderr and give back the exit status.
int report_message(const struct message *message);
__attribute__((format(printf, 1, 2))) int report_bad_input(const char *format, ...);
__attribute__((format(printf, 1, 2))) int report_internal(const char *format, ...);
int report_no_memory(const char *what);

#endif
