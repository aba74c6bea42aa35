// SPDX-License-Identifier: Apache-2.0
// The index over the regions of the address map, made of their rows.
// Page: BabyRISCV/README.md of each chip.
#include "isa/region_index.h"

#include <string.h>

_Static_assert(REGION_L1 == 0 && REGION_COUNT <= 0xff, "L1 is asked first, and a byte is enough");

void tsr_region_index_fill(struct tsr_region_index *index, const struct tsr_isa *isa)
{
    memset(index->first, REGION_COUNT, sizeof index->first);
    for (int i = REGION_COUNT - 1; i > REGION_L1; i--) {
        const struct tsr_region *region = &isa->region[i];
        if (region->size == 0)
            continue;
        uint32_t from = (region->base - TSR_REGIONS_LOW) / TSR_REGION_PAGE;
        uint32_t to = (region->base - TSR_REGIONS_LOW + region->size - 1) / TSR_REGION_PAGE;
        for (unsigned column = 0; column < TSR_REGION_COLUMNS; column++)
            if (region->cores >> column & 1)
                memset(&index->first[column][from], i, to - from + 1);
    }
}
