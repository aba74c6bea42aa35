// SPDX-License-Identifier: Apache-2.0
// How far the parts of a chip are simulated, from machine/chip_parts.def.
#include <tessera/chip.h>

static const tsr_chip_part_info parts[] = {
#define PART(name, implemented, page, note) {name, TSR_IMPLEMENTED_##implemented, page, note},
#include "machine/chip_parts.def"
};

tsr_status tsr_chip_part_at(int index, tsr_chip_part_info *out)
{
    if (index < 0 || !out)
        return TSR_BAD_ARGUMENT;
    if ((size_t)index >= sizeof parts / sizeof *parts)
        return TSR_NOT_FOUND;
    *out = parts[index];
    return TSR_OK;
}
