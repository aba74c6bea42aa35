// SPDX-License-Identifier: Apache-2.0
// What --help prints, made of the commands' rows.
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "common/command.h"

// What an exit status means, as a sentence without its end; a null pointer behind the last one.
const char *status_meaning(int status);

// Sentences that help and manual page share: what the tool is, and its environment variable.
extern const char help_tool[], help_no_colour[];

void help_print(const struct command *command);
// Of the tool as a whole.
void help_print_all(const struct command *const commands[], int count);

#endif
