// SPDX-License-Identifier: Apache-2.0
// Findings that a user names: categories and codes with commas between; "" is any finding.
#ifndef CLI_FINDING_FILTER_H
#define CLI_FINDING_FILTER_H

#include "common/message.h"

#include <tessera/tessera.h>

// False if a word is neither.
bool filter_check(const char *words, struct message *why);
bool filter_takes(const char *words, const tsr_diagnostic *finding);
// The first finding of the tile that the words name; a null pointer if there is none.
const tsr_diagnostic *filter_first(const char *words, const tsr_tile *tile);

#endif
