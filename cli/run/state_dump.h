// SPDX-License-Identifier: Apache-2.0
// The tile's insides as text, for --dump.
#ifndef CLI_STATE_DUMP_H
#define CLI_STATE_DUMP_H

#include "run/dump_words.h"

#include <stdio.h>

void dump_write(FILE *file, const struct dump_list *list, const tsr_tile *tile);

#endif
