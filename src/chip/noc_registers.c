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

static bool node_quiet(const void *self, int unit, uint32_t offset, uint64_t now)
{
    return unit == TSR_NOC_OVERLAY || tsr_niu_quiet(self, unit, offset, now);
}

struct tsr_noc_port tsr_noc_port_of(struct tsr_noc *noc, unsigned node)
{
    return (struct tsr_noc_port){
        .self = &noc->node[node], .load = node_load, .store = node_store, .quiet = node_quiet};
}

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

bool tsr_noc_own_registers(const struct tsr_noc *noc, unsigned node, int which, uint64_t address,
                           int *unit, uint32_t *offset)
{
    enum { WORMHOLE_TOP = 0xf, WORMHOLE_BYTES = 0x1000 };
    uint32_t low = (uint32_t)address, high = (uint32_t)(address >> 32);
    tsr_node_kind kind = noc->node[node].place.info.kind;
    if (kind == TSR_NODE_TENSIX)
        return false;
    if (kind == TSR_NODE_ETHERNET)
        return at_tile_base(noc, low, TSR_NOC_OVERLAY + 1, unit, offset);
    if (noc->arch == TSR_WORMHOLE_B0) {
        *unit = which;
        *offset = low % WORMHOLE_BYTES;
        return high == WORMHOLE_TOP;
    }
    bool there = at_tile_base(noc, low, TSR_NOCS, unit, offset);
    if (kind == TSR_NODE_DRAM)
        return there;
    *unit = which;
    return there && high == (kind == TSR_NODE_ROUTER ? 0 : UINT32_MAX);
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
