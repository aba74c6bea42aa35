// SPDX-License-Identifier: Apache-2.0
// Manual pages, made of the commands' rows: `tessera man | man -l -`.
#ifndef CLI_MAN_PAGE_H
#define CLI_MAN_PAGE_H

#include "common/command.h"

// tessera-NAME(1); the others are named under SEE ALSO.
void man_page(const struct command *command, const struct command *const commands[], int count);
// tessera(1).
void man_page_all(const struct command *const commands[], int count);

#endif
