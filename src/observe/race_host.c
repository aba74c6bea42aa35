// SPDX-License-Identifier: Apache-2.0
// A host that reads memory: words that cores store, and those that requests write at once, tell it
// how far tiles are; all else must come before that. Hosts that have not read any such word are not
// judged. Pages: NoC/Ordering.md, NoC/Counters.md.
#include "observe/race_chip.h"

#include "base/port.h"
#include "observe/race_memory.h"
#include "observe/race_packet.h"

struct host_read {
    struct tsr_race_chip *chip;
    struct tsr_race_record *record; // NULL: the memory is no L1
    enum tsr_race_storage storage;
};

static void add(struct tsr_race_chip *chip, const struct tsr_race_fact *fact)
{
    chip->host.far = tsr_race_far_with(&chip->pool, chip->host.far, fact);
    chip->host_knows = true;
}

static void learn_from_core(const struct host_read *read, unsigned core)
{
    struct tsr_race_chip *chip = read->chip;
    struct tsr_race_record *record = read->record;
    const struct tsr_race_release *release =
        tsr_race_release_make(chip, record->node, core, &record->core[core]);
    if (!release)
        return;
    chip->host.far = tsr_race_far_join(chip->host.far, record->core[core].far);
    add(chip, &(struct tsr_race_fact){.key = tsr_race_fact_key(FACT_RELEASE, record->node, core, 0),
                                      .upto = ++chip->last,
                                      .release = release});
}

static void learn_from_packet(const struct host_read *read, uint32_t number, uint32_t granule)
{
    struct tsr_race_fact facts[RACE_LEARNT];
    const struct tsr_race_packet *packet = tsr_race_packet_of(read->chip, number);
    if (!packet)
        return;
    unsigned to = read->record ? read->record->node : packet->request.to;
    unsigned count = tsr_race_packet_facts(read->chip, packet, to, granule, facts);
    read->chip->host.far = tsr_race_far_join(read->chip->host.far, packet->far);
    for (unsigned i = 0; i < count; i++)
        add(read->chip, &facts[i]);
}

static void learn(const struct host_read *read, const struct tsr_race_cell *cell, uint32_t granule,
                  uint32_t mask)
{
    for (unsigned i = 0; i < RACE_ENTRIES; i++) {
        const struct tsr_race_entry *entry = &cell->entry[i];
        if (!entry->write || !(entry->mask & mask))
            continue;
        if (entry->agent == RACE_PACKET && (entry->until & RACE_ENTRY_FLAG))
            learn_from_packet(read, entry->count, granule);
        else if (read->record && entry->agent >= RACE_CORE &&
                 entry->agent < RACE_CORE + RACE_LOADERS)
            learn_from_core(read, entry->agent - RACE_CORE);
    }
}

// A record in whose name to tell: that of the tile, or of who has sent the request.
static struct tsr_race_record *teller(const struct host_read *read,
                                      const struct tsr_race_entry *entry)
{
    const struct tsr_race_packet *packet =
        entry->agent == RACE_PACKET ? tsr_race_packet_of(read->chip, entry->count) : NULL;
    if (read->record)
        return read->record;
    return packet ? read->chip->sender[packet->request.node].record : NULL;
}

static void judge(const struct host_read *read, const struct tsr_race_cell *cell, uint32_t granule,
                  uint32_t mask)
{
    struct tsr_race_clock clock;
    for (unsigned i = 0; i < RACE_ENTRIES; i++) {
        const struct tsr_race_entry *entry = &cell->entry[i];
        struct tsr_race_record *record = teller(read, entry);
        bool told = entry->agent == RACE_PACKET ? entry->until & RACE_ENTRY_FLAG
                                                : !tsr_race_is_unit(entry->agent);
        if (!entry->write || !(entry->mask & mask) || !record || told)
            continue;
        tsr_race_packet_clock(&read->chip->host, read->record, &clock);
        struct tsr_race_actor before = record->actor;
        record->actor = (struct tsr_race_actor){
            .there = true, .unit = TSR_UNIT_COUNT, .packet = &read->chip->host, .clock = &clock};
        record->granule = read->record ? granule : RACE_NO_GRANULE;
        const struct tsr_race_entry fresh = {
            .agent = RACE_PACKET, .until = RACE_ENTRY_HOST, .mask = entry->mask & mask};
        enum tsr_race_order order =
            tsr_race_order_of(record, read->storage, entry, RACE_PACKET, false);
        if (order != RACE_BEFORE)
            tsr_race_tell(record, order == RACE_APART ? TSR_RACE_OVER_NOC : TSR_RACE_RELIED_NOC,
                          read->storage, granule, fresh.mask, entry, &fresh);
        record->actor = before;
    }
}

typedef void visit_cell(const struct host_read *read, const struct tsr_race_cell *cell,
                        uint32_t granule, uint32_t mask);

static void each_cell(const struct host_read *read, unsigned memory, uint64_t address, size_t size,
                      visit_cell *visit)
{
    unsigned bytes = read->record ? TSR_RACE_GRANULE : TSR_RACE_MEMORY_BYTES;
    unsigned unit = read->record ? 1 : TSR_RACE_MEMORY_UNIT;
    uint64_t end = address + size;
    for (uint64_t granule = address / bytes; granule * bytes < end; granule++) {
        uint64_t base = granule * bytes;
        unsigned from = base < address ? (unsigned)(address - base) / unit : 0;
        unsigned to = end - base < bytes ? (unsigned)(end - base + unit - 1) / unit : bytes / unit;
        const struct tsr_race_cell *cell =
            read->record
                ? tsr_race_cell_at(read->record->cells, TSR_RACE_L1, (uint32_t)granule, false)
                : tsr_race_memory_find(read->chip, memory, granule);
        if (cell)
            visit(read, cell, (uint32_t)granule, (uint32_t)(((1ull << (to - from)) - 1) << from));
    }
}

void tsr_race_chip_host_read(struct tsr_race_chip *chip, const struct tsr_race_memory *memory,
                             uint64_t address, size_t size)
{
    const struct host_read read = {.chip = chip,
                                   .record = memory->l1 ? chip->sender[memory->node].record : NULL,
                                   .storage = memory->l1 ? TSR_RACE_L1 : TSR_RACE_MEMORY};
    if ((memory->l1 && !read.record) || size == 0)
        return;
    chip->memory = memory->number;
    each_cell(&read, memory->number, address, size, learn);
    if (chip->host_knows)
        each_cell(&read, memory->number, address, size, judge);
}
