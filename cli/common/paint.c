// SPDX-License-Identifier: Apache-2.0
// The escape sequences of ECMA-48 (SGR), which every terminal takes that does not call itself dumb.
#include "common/paint.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool takes_colours(FILE *file)
{
    const char *terminal = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    int descriptor = fileno(file);

    return descriptor >= 0 && isatty(descriptor) && (no_colour == NULL || *no_colour == '\0') &&
           terminal != NULL && strcmp(terminal, "dumb") != 0;
}

const char *paint(FILE *file, enum paint colour)
{
    static const char *const sequences[] = {
        [PAINT_NONE] = "\033[0m",
        [PAINT_GOOD] = "\033[32m",
        [PAINT_WARNING] = "\033[33m",
        [PAINT_BAD] = "\033[1;31m",
    };

    return takes_colours(file) ? sequences[colour] : "";
}
