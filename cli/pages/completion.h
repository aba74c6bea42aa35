// SPDX-License-Identifier: Apache-2.0
// Scripts that complete words of `tessera` in a shell, made of the commands' rows.
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "common/command.h"

#include <stdbool.h>

// False if no shell has that name: bash, zsh, fish.
bool completion_print(const char *shell, const struct command *const commands[], int count);

#endif
