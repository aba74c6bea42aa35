// SPDX-License-Identifier: Apache-2.0
// Reads and writes of a node's addresses as they come from the NoC or a host, effective at once.
// Pages: DRAMTile/README.md, ARCTile/README.md, PCIExpressTile/README.md, BabyRISCV/README.md.
#include "chip/node_access.h"

#include "chip/chip_findings.h"
#include "chip/ethernet_tile.h"
#include "chip/noc_races.h"
#include "chip/noc_registers.h"
#include "chip/node_memory.h"
#include "chip/node_tile.h"
#include "tile/tile_state.h"

#include <string.h>

// ---------------------------------------------------------------- Tensix tiles

// The bytes up to the next whole word, of which the tile's registers take no more at once.
static int width_at(uint64_t address, size_t left)
{
    return address % 4 == 0 && left >= 4 ? 4 : address % 2 == 0 && left >= 2 ? 2 : 1;
}

// Wormhole's tiles show the interfaces whatever the bits above 32 say (NoC/MemoryMap.md).
static uint64_t without_high_bits(const tsr_tile *tile, uint64_t address)
{
    const struct tsr_env *env = &tile->engine.env;
    if (address <= UINT32_MAX || env->isa->arch != TSR_WORMHOLE_B0)
        return address;
    enum tsr_region_id region =
        tsr_region_find(&tile->tables->regions, env->isa, TSR_CORE_NOC, (uint32_t)address);
    return region == REGION_NOC0 || region == REGION_NOC1 ? (uint32_t)address : address;
}

// Whether the tile has something at both ends of the range. What is nowhere is a mistake of who
// sends the access, and no finding of the tile's.
static bool has(const tsr_tile *tile, uint64_t address, size_t size)
{
    const struct tsr_isa *isa = tile->engine.env.isa;
    uint64_t last = address + size - 1;
    return last <= UINT32_MAX && last >= address &&
           tsr_region_find(&tile->tables->regions, isa, TSR_CORE_NOC, (uint32_t)address) !=
               REGION_COUNT &&
           tsr_region_find(&tile->tables->regions, isa, TSR_CORE_NOC, (uint32_t)last) !=
               REGION_COUNT;
}

static tsr_status read_tensix(tsr_tile *tile, uint32_t address, uint8_t *bytes, size_t size)
{
    if (tsr_l1_read(tile, address, bytes, size) == TSR_OK)
        return TSR_OK;
    for (int width; size > 0; address += (uint32_t)width, bytes += width, size -= (size_t)width) {
        uint32_t value = 0;
        width = width_at(address, size);
        tsr_status status = tsr_host_load(tile, address, &value, width);
        if (status != TSR_OK)
            return status;
        memcpy(bytes, &value, (size_t)width);
    }
    return TSR_OK;
}

static tsr_status write_tensix(tsr_tile *tile, uint32_t address, const uint8_t *bytes, size_t size)
{
    if (tsr_l1_write(tile, address, bytes, size) == TSR_OK)
        return TSR_OK;
    for (int width; size > 0; address += (uint32_t)width, bytes += width, size -= (size_t)width) {
        uint32_t value = 0;
        width = width_at(address, size);
        memcpy(&value, bytes, (size_t)width);
        tsr_status status = tsr_host_store(tile, address, value, width);
        if (status != TSR_OK)
            return status;
    }
    return TSR_OK;
}

// ---------------------------------------------------------------- interfaces of other nodes

// False: the word is none of the NoC's registers.
static bool noc_register(tsr_chip *chip, const struct tsr_node *node, unsigned noc,
                         uint64_t address, size_t size, bool store, void *bytes, tsr_status *status)
{
    unsigned index = (unsigned)(node - chip->node);
    int unit;
    uint32_t offset, value = 0;
    if (size != 4 || address % 4 != 0 ||
        !tsr_noc_own_registers(&chip->noc, &index, (int)noc, address, &unit, &offset))
        return false;
    if (store)
        memcpy(&value, bytes, 4);
    *status = tsr_noc_own_access(&chip->noc, index, unit, offset, store, &value);
    if (!store)
        memcpy(bytes, &value, 4);
    else
        tsr_ethernet_touch(&chip->node[index]); // a core may poll it
    return true;
}

// ---------------------------------------------------------------- all nodes

tsr_status tsr_node_read(tsr_chip *chip, struct tsr_node *node, unsigned noc, uint64_t address,
                         void *bytes, size_t size)
{
    memset(bytes, 0, size);
    if (node->harvested)
        return TSR_UNMAPPED;
    if (node->info.kind == TSR_NODE_TENSIX) {
        tsr_tile *tile = tsr_node_tile(chip, node);
        if (!tile)
            return TSR_NO_MEMORY;
        address = without_high_bits(tile, address);
        return has(tile, address, size) ? read_tensix(tile, (uint32_t)address, bytes, size)
                                        : TSR_UNMAPPED;
    }
    tsr_status status;
    if (noc_register(chip, node, noc, address, size, false, bytes, &status))
        return status;
    return tsr_node_memory_read(chip, node, address, bytes, size);
}

tsr_status tsr_node_write(tsr_chip *chip, struct tsr_node *node, unsigned noc, uint64_t address,
                          const void *bytes, size_t size)
{
    if (node->harvested)
        return TSR_UNMAPPED;
    if (node->info.kind == TSR_NODE_TENSIX) {
        tsr_tile *tile = tsr_node_tile(chip, node);
        if (!tile)
            return TSR_NO_MEMORY;
        address = without_high_bits(tile, address);
        return has(tile, address, size) ? write_tensix(tile, (uint32_t)address, bytes, size)
                                        : TSR_UNMAPPED;
    }
    tsr_status status;
    uint32_t word = 0;
    memcpy(&word, bytes, size == 4 ? 4 : 0);
    if (noc_register(chip, node, noc, address, size, true, &word, &status))
        return status;
    return tsr_node_memory_write(chip, node, address, bytes, size);
}

// ---------------------------------------------------------------- from a host

// What silicon gives for a read that nobody answers.
static void read_ones(void *bytes, size_t size)
{
    memset(bytes, 0xff, size);
}

static void tell_nothing(tsr_chip *chip, const struct tsr_node *node, const char *does,
                         uint64_t address, size_t size)
{
    bool missing = tsr_node_misses(chip, node, address);
    tsr_chip_report(chip, node, missing ? FINDING_NODE_MISSING : FINDING_HOST_UNMAPPED, address,
                    "The host %s %zu bytes at 0x%llx of node %u-%u (%s), %s.", does, size,
                    (unsigned long long)address, node->info.x, node->info.y,
                    tsr_node_kind_name(node->info.kind),
                    missing ? "which is unimplemented" : "where nothing is");
}

tsr_status tsr_host_read_node(tsr_chip *chip, struct tsr_node *node, unsigned noc, uint64_t address,
                              void *bytes, size_t size)
{
    if (chip->noc.races)
        tsr_chip_races_host_read(chip, node, address, size);
    tsr_status status = tsr_node_read(chip, node, noc, address, bytes, size);
    if (status == TSR_UNMAPPED) {
        tell_nothing(chip, node, "reads", address, size);
        read_ones(bytes, size);
    }
    if (tsr_chip_findings_of(node))
        tsr_chip_collect(chip, node);
    return status;
}

tsr_status tsr_host_write_node(tsr_chip *chip, struct tsr_node *node, unsigned noc,
                               uint64_t address, const void *bytes, size_t size)
{
    if (chip->noc.races)
        tsr_chip_races_settle(chip);
    tsr_status status = tsr_node_write(chip, node, noc, address, bytes, size);
    if (status == TSR_UNMAPPED)
        tell_nothing(chip, node, "writes", address, size);
    if (tsr_chip_findings_of(node))
        tsr_chip_collect(chip, node);
    return status;
}
