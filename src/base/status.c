// SPDX-License-Identifier: Apache-2.0
// A phrase for each status. The statuses themselves are promises of tessera.h.
#include <tessera/tessera.h>

const char *tsr_status_text(tsr_status status)
{
    switch (status) {
    case TSR_OK:
        return "done";
    case TSR_BAD_ARGUMENT:
        return "an argument is outside what is allowed";
    case TSR_NO_MEMORY:
        return "out of memory";
    case TSR_BUSY:
        return "the core would have to wait";
    case TSR_STOPPED:
        return "a finding stopped the tile";
    case TSR_NOT_FOUND:
        return "nothing has that name";
    case TSR_UNMAPPED:
        return "nothing is mapped at that address";
    case TSR_UNIMPLEMENTED:
        return "unimplemented";
    }
    return "no status";
}
