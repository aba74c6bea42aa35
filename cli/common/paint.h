// SPDX-License-Identifier: Apache-2.0
// Colours, for terminals only (and not with NO_COLOR, see no-color.org).
#ifndef CLI_PAINT_H
#define CLI_PAINT_H

#include <stdio.h>

enum paint { PAINT_NONE, PAINT_GOOD, PAINT_WARNING, PAINT_BAD };

// What begins that colour in that file; PAINT_NONE ends it. "" where there are no colours.
const char *paint(FILE *file, enum paint colour);

#endif
