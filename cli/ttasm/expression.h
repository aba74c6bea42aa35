// SPDX-License-Identifier: Apache-2.0
// Values that a line of .ttasm computes.
#ifndef CLI_EXPRESSION_H
#define CLI_EXPRESSION_H

#include "ttasm/assembler.h"

bool expression(struct cursor *cursor, int64_t *value);

#endif
