// SPDX-License-Identifier: Apache-2.0
// The codes of data formats, some of which no format has.
#ifndef CLI_FORMAT_LIST_H
#define CLI_FORMAT_LIST_H

#include <tessera/tessera.h>

enum { FORMAT_CODES = 16 };

static inline bool is_format(uint8_t code)
{
    uint8_t found;

    return tsr_format_find(tsr_format_name(code), &found) == TSR_OK && found == code;
}

#endif
