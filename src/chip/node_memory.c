// SPDX-License-Identifier: Apache-2.0
// Memories and registers of nodes that are not Tensix tiles: DRAM, an Ethernet tile's L1, ARC's RAM
// and peripherals, the host's memory behind the PCI Express tile. Registers of Ethernet tiles that
// do something are ethernet_registers.c's and ethernet_queues.c's. Pages: DRAMTile/README.md,
// ARCTile/README.md, ARCTile/ResetUnit.md, PCIExpressTile/README.md, EthernetTile/README.md.
#include "chip/node_memory.h"

#include "chip/chip_findings.h"
#include "chip/ethernet_debug.h"
#include "chip/ethernet_findings.h"
#include "chip/ethernet_queues.h"
#include "chip/ethernet_registers.h"
#include "chip/ethernet_tile.h"
#include "chip/host_memory.h"

#include <string.h>

struct part {
    uint8_t arch, kind, what;
    uint64_t base, size;
};

struct word {
    uint8_t arch;
    uint32_t offset, value;
};

static const struct part part_of[] = {
#define MEMORY(chip, kind, what, base, size)                                                       \
    {TSR_##chip, TSR_NODE_##kind, TSR_PART_##what, base, size},
#include "machine/chip_memory.def"
};

static const struct word word_of[] = {
#define ARC_WORD(chip, offset, value) {TSR_##chip, offset, value},
#include "machine/chip_memory.def"
};

static const struct part *find(const tsr_chip *chip, const struct tsr_node *node, uint64_t address,
                               size_t size)
{
    for (size_t i = 0; i < sizeof part_of / sizeof *part_of; i++) {
        const struct part *part = &part_of[i];
        if (part->arch == chip->options.tile.arch && part->kind == node->info.kind &&
            address >= part->base && address - part->base < part->size &&
            size <= part->size - (address - part->base))
            return part;
    }
    return NULL;
}

bool tsr_node_misses(const tsr_chip *chip, const struct tsr_node *node, uint64_t address)
{
    const struct part *part = find(chip, node, address, 1);
    return part && part->what == TSR_PART_MISSING;
}

// What the part keeps its bytes in; NULL: the host does, or nobody.
static struct tsr_sparse *storage(tsr_chip *chip, struct tsr_node *node, enum tsr_memory_part what)
{
    switch (what) {
    case TSR_PART_MEMORY:
        return node->info.kind == TSR_NODE_DRAM ? &chip->dram[node->info.unit]
                                                : &chip->ethernet[node->info.unit];
    case TSR_PART_DRAM0:
        return &chip->dram[0];
    case TSR_PART_CSM:
        return &chip->arc_csm;
    case TSR_PART_APB:
        return &chip->arc_apb;
    case TSR_PART_REGISTERS:
    case TSR_PART_CONTROL:
        return &chip->ethernet_registers[node->info.unit];
    default:
        return NULL;
    }
}

bool tsr_node_memories_create(tsr_chip *chip)
{
    for (unsigned i = 0; i < chip->columns * chip->rows; i++)
        for (size_t k = 0; k < sizeof part_of / sizeof *part_of; k++) {
            const struct part *part = &part_of[k];
            struct tsr_node *node = &chip->node[i];
            if (part->arch != chip->options.tile.arch || part->kind != node->info.kind)
                continue;
            struct tsr_sparse *memory = storage(chip, node, (enum tsr_memory_part)part->what);
            if (part->what == TSR_PART_MEMORY)
                node->memory = memory;
            if (memory && !memory->page && !tsr_sparse_init(memory, part->size))
                return false;
        }
    return tsr_node_memories_reset(chip);
}

static void each_memory(tsr_chip *chip, void (*act)(struct tsr_sparse *memory))
{
    for (unsigned i = 0; i < TSR_DRAM_CHANNELS; i++)
        act(&chip->dram[i]);
    for (unsigned i = 0; i < TSR_ETHERNET_TILES; i++) {
        act(&chip->ethernet[i]);
        act(&chip->ethernet_registers[i]);
    }
    act(&chip->arc_csm);
    act(&chip->arc_apb);
}

void tsr_node_memories_destroy(tsr_chip *chip)
{
    each_memory(chip, tsr_sparse_free);
}

bool tsr_node_memories_reset(tsr_chip *chip)
{
    bool done = true;
    each_memory(chip, tsr_sparse_clear);
    for (size_t i = 0; i < sizeof word_of / sizeof *word_of; i++)
        if (word_of[i].arch == chip->options.tile.arch)
            done &= tsr_sparse_write(&chip->arc_apb, word_of[i].offset, &word_of[i].value, 4);
    uint32_t held = tsr_ethernet_held_at_first(chip->options.tile.arch);
    for (unsigned i = 0; i < TSR_ETHERNET_TILES; i++)
        if (chip->ethernet_registers[i].page)
            done &= tsr_sparse_write(&chip->ethernet_registers[i],
                                     ETHERNET_AT(SOFT_RESET) - ETHERNET_AT(REGISTERS), &held, 4);
    return done;
}

// ---------------------------------------------------------------- registers that do something

enum {
#define ARC_REGISTER(name, offset) name = (offset),
#include "machine/chip_memory.def"
    BH_ARC_INTERRUPT = 16
};

// The 64 bits of a counter at the reference clock's pace, as if a core's clock ran at 1 GHz.
static void update_counter(tsr_chip *chip, uint64_t offset, size_t size)
{
    enum { MEGAHERTZ_REFERENCE = 27, MEGAHERTZ = 1000 };
    if (offset >= REFCLK_COUNTER + 8 || offset + size <= REFCLK_COUNTER)
        return;
    uint64_t count = chip->now * MEGAHERTZ_REFERENCE / MEGAHERTZ;
    (void)tsr_sparse_write(&chip->arc_apb, REFCLK_COUNTER, &count, sizeof count);
}

static bool covers(uint64_t offset, size_t size, uint64_t word)
{
    return offset <= word && offset + size >= word + 4;
}

// Who waits for an answer of a core that nobody interprets had better know.
static void note_core(tsr_chip *chip, struct tsr_node *node, enum tsr_memory_part what,
                      uint64_t offset, const uint8_t *bytes, size_t size)
{
    uint32_t value;
    if (what != TSR_PART_APB || !covers(offset, size, ARC_MISC_CONTROL))
        return;
    memcpy(&value, bytes + (ARC_MISC_CONTROL - offset), 4);
    if (value >> BH_ARC_INTERRUPT & 1)
        tsr_chip_report(chip, node, FINDING_NODE_CORE, ARC_MISC_CONTROL,
                        "The host interrupts ARC, whose firmware is not there to answer.");
}

// ---------------------------------------------------------------- an Ethernet tile's registers

// Whether the range has a word that does something; only then there must be cores.
static bool has_control(const tsr_chip *chip, uint64_t address, size_t size)
{
    for (uint64_t at = address & ~UINT64_C(3); at < address + size; at += 4)
        if (tsr_ethernet_is_control(chip->options.tile.arch, (uint32_t)at))
            return true;
    return false;
}

// Word by word; what a write has of a word is put into what is read there.
static tsr_status access_control(tsr_chip *chip, struct tsr_node *node, uint64_t address,
                                 uint8_t *read, const uint8_t *written, size_t size)
{
    unsigned unit = node->info.unit;
    if (!node->ethernet)
        node->ethernet =
            tsr_ethernet_make(node, &chip->ethernet[unit], &chip->ethernet_registers[unit]);
    if (!node->ethernet)
        return TSR_NO_MEMORY;
    if (written)
        tsr_ethernet_touch(node);
    node->ethernet->now = chip->now;
    for (size_t at = 0, part; at < size; at += part) {
        unsigned first = (address + at) % 4;
        part = size - at < 4 - first ? size - at : 4 - first;
        uint32_t word = (uint32_t)(address + at) - first;
        bool debugs = tsr_ethernet_is_debug(word);
        uint32_t value = 0;
        if ((part < 4 || !written) && debugs)
            tsr_ethernet_debug(node->ethernet, TSR_AGENT_HOST, word, false, &value);
        else if (part < 4 || !written)
            value = tsr_ethernet_load(node->ethernet, word);
        if (!written)
            memcpy(read + at, (const uint8_t *)&value + first, part);
        else
            memcpy((uint8_t *)&value + first, written + at, part);
        if (written && debugs)
            tsr_ethernet_debug(node->ethernet, TSR_AGENT_HOST, word, true, &value);
        else if (written)
            tsr_ethernet_store(node->ethernet, word, value);
    }
    const char *fault = written ? tsr_ethernet_iram_fault(node->ethernet) : NULL;
    if (fault)
        tsr_ethernet_report_iram(node->ethernet, TSR_ETHERNET_CORES, fault);
    return TSR_OK;
}

// ---------------------------------------------------------------- Ethernet queues

// Whole words only, read or written. TSR_UNMAPPED: something of it is no register of a queue; what
// comes before that is done.
static tsr_status queue_words(struct tsr_node *node, uint64_t address, uint8_t *read,
                              const uint8_t *written, size_t size)
{
    if (node->info.kind != TSR_NODE_ETHERNET || address > UINT32_MAX || address % 4 != 0 ||
        size % 4 != 0)
        return TSR_UNMAPPED;
    tsr_status status = TSR_UNMAPPED;
    size_t at = 0;
    for (; at < size; at += 4) {
        uint32_t value = 0, word = (uint32_t)(address + at);
        if (written)
            memcpy(&value, written + at, 4);
        status = written ? tsr_ethernet_queue_store(node, word, value, node->chip->now)
                         : tsr_ethernet_queue_load(node, word, &value, node->chip->now);
        if (status != TSR_OK)
            break;
        if (read)
            memcpy(read + at, &value, 4);
    }
    tsr_ethernet_report(node);
    if (written && at > 0)
        tsr_ethernet_touch(node);
    return status;
}

// Of whole words that change nothing.
static bool stays_off(const struct tsr_node *node, uint64_t address, const uint8_t *written,
                      size_t size)
{
    bool off = node->info.kind == TSR_NODE_ETHERNET && address % 4 == 0 && size % 4 == 0 &&
               address <= UINT32_MAX;
    for (size_t at = 0; off && at < size; at += 4) {
        uint32_t value;
        memcpy(&value, written + at, sizeof value);
        off =
            tsr_ethernet_stays_off(node->chip->options.tile.arch, (uint32_t)(address + at), value);
    }
    return off;
}

// ---------------------------------------------------------------- accesses

tsr_status tsr_node_memory_read(tsr_chip *chip, struct tsr_node *node, uint64_t address,
                                void *bytes, size_t size)
{
    const struct part *part = find(chip, node, address, size);
    if (!part || part->what == TSR_PART_MISSING)
        return queue_words(node, address, bytes, NULL, size);
    struct tsr_sparse *memory = storage(chip, node, (enum tsr_memory_part)part->what);
    uint64_t offset = address - part->base;
    if (!memory) {
        if (node->info.unit != 0) // the tile that is not in use
            return TSR_UNMAPPED;
        if (!tsr_host_memory_read(chip, offset, bytes, size))
            tsr_chip_report(chip, node, FINDING_HOST_MEMORY, offset,
                            "The device reads %zu bytes at 0x%llx of the host's memory.", size,
                            (unsigned long long)offset);
        return TSR_OK;
    }
    if ((part->what == TSR_PART_REGISTERS || part->what == TSR_PART_CONTROL) &&
        has_control(chip, address, size))
        return access_control(chip, node, address, bytes, NULL, size);
    if (part->what == TSR_PART_APB)
        update_counter(chip, offset, size);
    tsr_sparse_read(memory, offset, bytes, size);
    return TSR_OK;
}

tsr_status tsr_node_memory_write(tsr_chip *chip, struct tsr_node *node, uint64_t address,
                                 const void *bytes, size_t size)
{
    const struct part *part = find(chip, node, address, size);
    if (part && part->what == TSR_PART_MISSING && stays_off(node, address, bytes, size))
        return TSR_OK;
    if (!part || part->what == TSR_PART_MISSING)
        return queue_words(node, address, NULL, bytes, size);
    struct tsr_sparse *memory = storage(chip, node, (enum tsr_memory_part)part->what);
    uint64_t offset = address - part->base;
    if (!memory) {
        if (node->info.unit != 0)
            return TSR_UNMAPPED;
        if (!tsr_host_memory_write(chip, offset, bytes, size))
            tsr_chip_report(chip, node, FINDING_HOST_MEMORY, offset,
                            "The device writes %zu bytes at 0x%llx of the host's memory.", size,
                            (unsigned long long)offset);
        return TSR_OK;
    }
    if ((part->what == TSR_PART_REGISTERS || part->what == TSR_PART_CONTROL) &&
        has_control(chip, address, size))
        return access_control(chip, node, address, NULL, bytes, size);
    note_core(chip, node, (enum tsr_memory_part)part->what, offset, bytes, size);
    if (!tsr_sparse_write(memory, offset, bytes, size))
        return TSR_NO_MEMORY;
    if (part->what == TSR_PART_MEMORY && node->ethernet)
        tsr_ethernet_wrote(node, offset, size);
    else if (part->what == TSR_PART_REGISTERS)
        tsr_ethernet_touch(node);
    return TSR_OK;
}
