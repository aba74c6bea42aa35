// SPDX-License-Identifier: Apache-2.0
// The address map and the debug registers as data (machine/addresses.def, debug_registers.def), for
// those who write programs. Pages: BabyRISCV/README.md of each chip, TileControlDebugStatus.md.
#include "isa/isa.h"

enum { ALL_CORES = (1 << TSR_CORE_TENSIX) - 1 };

tsr_status tsr_memory_at(tsr_arch arch, int index, tsr_memory_info *out)
{
    if ((unsigned)arch >= TSR_ARCH_COUNT || index < 0)
        return TSR_BAD_ARGUMENT;
    for (int i = 0; i < REGION_COUNT; i++) {
        const struct tsr_region *region = &tsr_isa(arch)->region[i];
        if (region->size == 0 || index-- > 0)
            continue;
        if (out != NULL)
            *out = (tsr_memory_info){region->name, region->base, region->size,
                                     region->cores & ALL_CORES, region->page};
        return TSR_OK;
    }
    return TSR_NOT_FOUND;
}

struct register_row {
    const char *name;
    uint16_t offset;
    uint8_t chips;
    const char *page;
};

enum chips { WH = 1 << TSR_WORMHOLE_B0, BH = 1 << TSR_BLACKHOLE_A0, BOTH = WH | BH };

static const struct register_row registers[] = {
#define DEBUG_REGISTER(name, offset, chips, rule, page) {#name, offset, chips, page},
#include "machine/debug_registers.def"
};

tsr_status tsr_register_at(tsr_arch arch, int index, tsr_register_info *out)
{
    if ((unsigned)arch >= TSR_ARCH_COUNT || index < 0)
        return TSR_BAD_ARGUMENT;
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        if ((registers[i].chips >> arch & 1) == 0 || index-- > 0)
            continue;
        if (out != NULL)
            *out = (tsr_register_info){
                registers[i].name, tsr_isa(arch)->region[REGION_DEBUG].base + registers[i].offset,
                registers[i].page};
        return TSR_OK;
    }
    return TSR_NOT_FOUND;
}
