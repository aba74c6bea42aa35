// SPDX-License-Identifier: Apache-2.0
// Which region of the address map an address is in, by the pages that it divides into.
// Page: BabyRISCV/README.md of each chip.
#ifndef TESSERA_ISA_REGION_INDEX_H
#define TESSERA_ISA_REGION_INDEX_H

#include "isa/isa.h"

// L1 is at the bottom of the map, and all else between these addresses.
#define TSR_REGIONS_LOW 0xffb00000u
enum { TSR_REGION_PAGE = 0x1000, TSR_REGION_PAGES = 0x400, TSR_REGION_COLUMNS = TSR_CORE_NOC + 1 };

// For each column of the map: the first region that has bytes in the page. Others may follow.
struct tsr_region_index {
    uint8_t first[TSR_REGION_COLUMNS][TSR_REGION_PAGES];
};

void tsr_region_index_fill(struct tsr_region_index *index, const struct tsr_isa *isa);

// `column`: a tsr_core, TSR_CORE_TENSIX or TSR_CORE_NOC. REGION_COUNT: nothing is mapped there.
static inline enum tsr_region_id tsr_region_find(const struct tsr_region_index *index,
                                                 const struct tsr_isa *isa, unsigned column,
                                                 uint32_t address)
{
    if (address < isa->region[REGION_L1].size)
        return REGION_L1;
    uint32_t page = (address - TSR_REGIONS_LOW) / TSR_REGION_PAGE;
    if (page >= TSR_REGION_PAGES)
        return REGION_COUNT;
    for (unsigned i = index->first[column][page]; i < REGION_COUNT; i++) {
        const struct tsr_region *region = &isa->region[i];
        if (address - region->base < region->size && (region->cores >> column & 1))
            return (enum tsr_region_id)i;
    }
    return REGION_COUNT;
}

static inline bool tsr_is_t_core(int core)
{
    return core >= TSR_CORE_T0 && core <= TSR_CORE_T2;
}

// Where a core finds its own data RAM, which is as large as that region.
static inline enum tsr_region_id tsr_local_ram_region(int core)
{
    return tsr_is_t_core(core) ? REGION_LOCAL_RAM_T : REGION_LOCAL_RAM;
}

#endif
