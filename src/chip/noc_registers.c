// SPDX-License-Identifier: Apache-2.0
// Where the interfaces stand in the address spaces of the kinds of tiles.
// Pages: NoC/MemoryMap.md of each chip, BabyRISCV/README.md.
#include "chip/noc_registers.h"

#include "chip/niu.h"
#include "chip/overlay.h"
#include "isa/isa.h"

static tsr_status node_load(void *self, struct tsr_noc_access *access)
{
    struct tsr_noc_node *node = self;
    return access->unit == TSR_NOC_OVERLAY ? tsr_overlay_load(node, access)
                                           : tsr_niu_load(node, access->unit, access);
}

static tsr_status node_store(void *self, struct tsr_noc_access *access)
{
    struct tsr_noc_node *node = self;
    return access->unit == TSR_NOC_OVERLAY ? tsr_overlay_store(node, access)
                                           : tsr_niu_store(node, access->unit, access);
}

static uint64_t node_quiet_until(const void *self, int unit, uint32_t offset, uint64_t now)
{
    return unit == TSR_NOC_OVERLAY ? tsr_overlay_quiet_until(self, offset)
                                   : tsr_niu_quiet_until(self, unit, offset, now);
}

struct tsr_noc_port tsr_noc_port_of(struct tsr_noc *noc, unsigned node)
{
    return (struct tsr_noc_port){.self = &noc->node[node],
                                 .load = node_load,
                                 .store = node_store,
                                 .quiet_until = node_quiet_until};
}

enum { FOR_ROUTERS = 1, FOR_OTHERS = 2 };
enum {
#define NOC_INTERFACE_BYTES(kind, bytes) kind##_INTERFACE = (bytes),
#include "machine/noc_tiles.def"
};

static const struct range {
    uint8_t arch, kinds;
    uint32_t bytes;
    uint64_t first, last;
} range_of[] = {
#define WH TSR_WORMHOLE_B0
#define BH TSR_BLACKHOLE_A0
#define NOC_RANGE(chip, kinds, first, last, bytes) {chip, kinds, bytes, first, last},
#include "machine/noc_tiles.def"
};

static const struct {
    uint8_t arch, channel, x, y;
    uint64_t base;
} dram_of[] = {
#define NOC_DRAM_INTERFACES(chip, channel, base, x, y) {chip, channel, x, y, base},
#include "machine/noc_tiles.def"
};

static const struct {
    uint8_t arch, noc;
    uint64_t base;
} arc_of[] = {
#define NOC_ARC_INTERFACE(chip, base, noc) {chip, noc, base},
#include "machine/noc_tiles.def"
#undef WH
#undef BH
};

// As a Tensix tile has them, and an Ethernet tile.
static bool at_tile_base(const struct tsr_noc *noc, uint32_t address, int units, int *unit,
                         uint32_t *offset)
{
    const struct tsr_region *region = tsr_isa(noc->arch)->region;
    static const enum tsr_region_id at[] = {REGION_NOC0, REGION_NOC1, REGION_NOC_OVERLAY};
    for (*unit = 0; *unit < units; ++*unit) {
        *offset = address - region[at[*unit]].base;
        if (*offset < region[at[*unit]].size)
            return true;
    }
    return false;
}

// Of the tiles that are no Tensix, Ethernet or DRAM tiles: any address of the range is the
// interface's through which the access comes.
static bool seen_from_outside(const struct tsr_noc *noc, tsr_node_kind kind, uint64_t address,
                              uint32_t *offset)
{
    for (size_t i = 0; i < sizeof range_of / sizeof *range_of; i++) {
        const struct range *range = &range_of[i];
        bool meant = (kind == TSR_NODE_ROUTER ? FOR_ROUTERS : FOR_OTHERS) & range->kinds;
        if (range->arch != noc->arch || !meant || address < range->first || address > range->last)
            continue;
        *offset = (uint32_t)address & (range->bytes - 1);
        return true;
    }
    return false;
}

// Wormhole's DRAM tiles show the interfaces of all tiles of their channels among the peripherals.
static bool of_a_sibling(const struct tsr_noc *noc, unsigned *node, unsigned channel,
                         uint64_t address, int *unit, uint32_t *offset)
{
    for (size_t i = 0; i < sizeof dram_of / sizeof *dram_of; i++) {
        uint64_t at = address - dram_of[i].base;
        if (dram_of[i].arch != noc->arch || dram_of[i].channel != channel ||
            at >= TSR_NOCS * DRAM_INTERFACE)
            continue;
        *node = dram_of[i].y * noc->width + dram_of[i].x;
        *unit = (int)(at / DRAM_INTERFACE);
        *offset = (uint32_t)at % DRAM_INTERFACE;
        return true;
    }
    return false;
}

// Wormhole's ARC tile has its interfaces among its peripherals, and DRAM D0 at its low addresses.
static bool of_arc(const struct tsr_noc *noc, unsigned *node, uint64_t address, int *unit,
                   uint32_t *offset)
{
    for (size_t i = 0; i < sizeof arc_of / sizeof *arc_of; i++)
        if (arc_of[i].arch == noc->arch && address - arc_of[i].base < ARC_INTERFACE) {
            *unit = arc_of[i].noc;
            *offset = (uint32_t)(address - arc_of[i].base);
            return true;
        }
    return of_a_sibling(noc, node, 0, address, unit, offset);
}

bool tsr_noc_own_registers(const struct tsr_noc *noc, unsigned *node, int which, uint64_t address,
                           int *unit, uint32_t *offset)
{
    tsr_node_kind kind = noc->node[*node].place.info.kind;
    if (kind == TSR_NODE_TENSIX)
        return false;
    if (kind == TSR_NODE_ETHERNET)
        return at_tile_base(noc, (uint32_t)address, TSR_NOC_OVERLAY + 1, unit, offset);
    if (kind == TSR_NODE_DRAM && noc->arch == TSR_BLACKHOLE_A0)
        return at_tile_base(noc, (uint32_t)address, TSR_NOCS, unit, offset);
    unsigned channel = noc->node[*node].place.info.unit;
    if (kind == TSR_NODE_DRAM && of_a_sibling(noc, node, channel, address, unit, offset))
        return true;
    if (kind == TSR_NODE_ARC && of_arc(noc, node, address, unit, offset))
        return true;
    *unit = which;
    return seen_from_outside(noc, kind, address, offset);
}

tsr_status tsr_noc_own_access(struct tsr_noc *noc, unsigned node, int unit, uint32_t offset,
                              bool store, uint32_t *value)
{
    struct tsr_noc_access access = {.unit = unit,
                                    .agent = TSR_AGENT_HOST,
                                    .offset = offset & ~3u,
                                    .value = *value,
                                    .now = noc->now,
                                    .reported = UINT8_MAX};
    tsr_status status =
        store ? node_store(&noc->node[node], &access) : node_load(&noc->node[node], &access);
    *value = access.value;
    return status;
}
