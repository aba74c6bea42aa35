// SPDX-License-Identifier: Apache-2.0
// Loads and stores of an interface's registers: initiators, identification, configuration,
// counters. What no page describes (debug information, security fences, Blackhole's request FIFOs
// and packet counters) is not there.
// Pages: NoC/MemoryMap.md, NoC/Counters.md of each chip, BlackholeA0/NoC/Interrupts.md.
#include "chip/niu.h"

#include "base/finding_codes.h"
#include "chip/niu_issue.h"
#include "chip/niu_outbox.h"
#include "chip/noc_fault.h"
#include "chip/noc_races.h"
#include "chip/noc_route.h"

// ---------------------------------------------------------------- where an offset leads

enum part {
    PART_NONE,
    PART_INITIATOR,
    PART_NODE_ID,
    PART_ENDPOINT_ID,
    PART_CLEAR,
    PART_STATUS,
    PART_CONFIG,
    PART_COUNTER,
    PART_ZERO_NUM,
    PART_ZERO_SOURCE
};
struct where {
    enum part part;
    unsigned initiator, index; // its word; of the configuration or the counters
};

static struct where in_initiator(const struct tsr_niu_layout *layout, unsigned initiator,
                                 uint32_t offset)
{
    if (offset == layout->fact[NOC_NODE_ID])
        return (struct where){.part = PART_NODE_ID};
    if (offset == layout->fact[NOC_ENDPOINT_ID])
        return (struct where){.part = PART_ENDPOINT_ID};
    for (unsigned i = 0; i < NOC_INITIATOR_WORDS; i++)
        if (layout->initiator[i] == offset)
            return (struct where){PART_INITIATOR, initiator, i};
    return (struct where){.part = PART_NONE};
}

static struct where find(const struct tsr_niu_layout *layout, uint32_t offset)
{
    const uint16_t *fact = layout->fact;
    unsigned step = fact[NOC_INITIATOR_STEP], initiator = offset / step;
    if (offset >= fact[NOC_CONFIG] && offset < fact[NOC_CONFIG_END])
        return (struct where){.part = PART_CONFIG, .index = (offset - fact[NOC_CONFIG]) / 4};
    if (offset >= fact[NOC_COUNTERS] && offset < fact[NOC_COUNTERS_END])
        return (struct where){.part = PART_COUNTER, .index = (offset - fact[NOC_COUNTERS]) / 4};
    if (offset == fact[NOC_CLEAR_OUTSTANDING])
        return (struct where){.part = PART_CLEAR};
    if (offset == fact[NOC_COMBINED_STATUS])
        return (struct where){.part = PART_STATUS};
    if (offset == fact[NOC_TRANS_COUNT_RTZ_NUM])
        return (struct where){.part = PART_ZERO_NUM};
    if (offset == fact[NOC_TRANS_COUNT_RTZ_SOURCE])
        return (struct where){.part = PART_ZERO_SOURCE};
    if (initiator >= TSR_NIU_INITIATORS)
        return (struct where){.part = PART_NONE};
    return in_initiator(layout, initiator, offset % step);
}

// ---------------------------------------------------------------- what waits

static bool busy(const struct tsr_noc *noc, const struct tsr_niu *niu, unsigned initiator,
                 uint64_t now)
{
    return noc->timing && now < niu->busy_until[initiator];
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// Nothing changes before a request gets its virtual channel, or the last flit of one leaves.
uint64_t tsr_niu_quiet_until(const struct tsr_noc_node *node, int which, uint32_t offset,
                             uint64_t now)
{
    const struct tsr_niu *niu = &node->niu[which];
    uint64_t until = UINT64_MAX;
    if (find(node->noc->layout, offset).part == PART_ZERO_NUM)
        return 0;
    if (niu->started < niu->count)
        until = earlier(until, niu->packet[niu->started].starts);
    if (niu->left < niu->count)
        until = earlier(until, niu->packet[niu->left].leaves);
    for (unsigned i = 0; i < TSR_NIU_INITIATORS; i++)
        if (busy(node->noc, niu, i, now))
            until = earlier(until, niu->busy_until[i]);
    return until > now ? until : 0;
}

// ---------------------------------------------------------------- loads

static uint32_t node_id(const struct tsr_noc_node *node, int which)
{
    enum { WIDTH_AT = 12, HEIGHT_AT = 19, DATELINE_X = 26, DATELINE_Y = 27, X_FIRST = 28 };
    const struct tsr_noc *noc = node->noc;
    unsigned x, y;
    tsr_noc_coordinates(noc, which, node->index, &x, &y);
    return x | y << NOC_COORDINATE_BITS | noc->width << WIDTH_AT | noc->height << HEIGHT_AT |
           (uint32_t)(x == noc->width - 1) << DATELINE_X |
           (uint32_t)(y == noc->height - 1) << DATELINE_Y | (uint32_t)(which == 0) << X_FIRST;
}

static uint32_t endpoint_id(const struct tsr_noc_node *node, int which)
{
    static const uint16_t types[TSR_NODE_KIND_COUNT][TSR_ARCH_COUNT] = {
#define NOC_TILE(kind, wh, bh) [TSR_NODE_##kind] = {wh, bh},
#include "machine/noc_tiles.def"
    };
    enum { PCIE_INDEX = 2 };
    const struct tsr_noc_place *place = &node->place;
    uint32_t type = types[place->info.kind][node->noc->arch], noc = (uint32_t)which << 24;
    uint32_t unit = place->info.kind == TSR_NODE_PCIE ? PCIE_INDEX : place->info.unit;
    if (node->noc->arch == TSR_BLACKHOLE_A0)
        return unit | type << 8 | noc;
    if (place->info.kind == TSR_NODE_DRAM)
        return place->info.port | unit << 8 | type << 16 | noc;
    return unit | type << 16 | noc;
}

static uint32_t combined_status(const struct tsr_noc *noc, const struct tsr_niu *niu, uint64_t now)
{
    uint32_t status = 0;
    for (unsigned i = 0; i < TSR_NIU_INITIATORS; i++)
        status |= (uint32_t)busy(noc, niu, i, now) << i;
    return status;
}

void tsr_niu_weigh(const struct tsr_noc_node *node, int which)
{
    const struct tsr_noc *noc = node->noc;
    const struct tsr_niu *niu = &node->niu[which];
    if (noc->arch != TSR_BLACKHOLE_A0)
        return;
    uint32_t cfg = niu->config[noc->layout->config[NIU_TRANS_COUNT_RTZ_CFG]];
    noc->chip.interface_raises(noc->chip.self, node->index, which,
                               (niu->reached_zero & cfg & 0xffff) != 0);
}

// The transactions that raise an interrupt, one after the other.
static uint32_t take_zero(const struct tsr_noc *noc, struct tsr_niu *niu)
{
    enum { KEEPS = 28 };
    uint32_t cfg = niu->config[noc->layout->config[NIU_TRANS_COUNT_RTZ_CFG]];
    uint32_t raised = niu->reached_zero & cfg & 0xffff;
    for (unsigned i = 0; raised != 0 && i < TSR_NIU_TRANSACTIONS; i++) {
        unsigned at = (niu->next_zero + i) % TSR_NIU_TRANSACTIONS;
        if (!(raised >> at & 1))
            continue;
        niu->next_zero = (uint8_t)((at + 1) % TSR_NIU_TRANSACTIONS);
        if (!(cfg >> KEEPS & 1))
            niu->reached_zero &= ~(1u << at);
        return at;
    }
    if (!(cfg >> KEEPS & 1)) // the page clears the bit of what is returned
        niu->reached_zero &= ~1u;
    return 0;
}

static bool is_narrow(unsigned counter)
{
    return counter >= NIU_MST_REQS_OUTSTANDING_ID &&
           counter < NIU_MST_WRITE_REQS_OUTGOING_ID + TSR_NIU_TRANSACTIONS;
}

static void note_poll(struct tsr_noc_node *node, int which, const struct tsr_noc_access *access,
                      unsigned index)
{
    if (access->agent >= TSR_NOC_POLLERS || !access->has_pc)
        return;
    node->poll[access->agent] = (struct tsr_noc_poll){.loaded = true,
                                                      .noc = (uint8_t)which,
                                                      .index = (uint8_t)index,
                                                      .at = access->at,
                                                      .cycle = access->now,
                                                      .value = access->value};
    uint8_t *polled = &node->noc->polled[node->index];
    if (!*polled) // tiles on other threads write next to it
        *polled = 1;
}

const char *tsr_niu_counter_name(unsigned index)
{
    static const char *const names[TSR_NIU_COUNTERS] = {
#define NOC_COUNTER(name, index, count, width) [index] = #name,
#include "machine/noc_registers.def"
    };
    while (index > 0 && !names[index])
        index--;
    return names[index];
}

static tsr_status load_counter(struct tsr_niu *niu, struct tsr_noc_access *access, unsigned index)
{
    if (index >= TSR_NIU_COUNTERS)
        return TSR_UNMAPPED;
    int32_t count = (int32_t)niu->counter[index];
    access->value = (uint32_t)count & (is_narrow(index) ? 0xff : 0xffffffff);
    if (is_narrow(index) && count > 0xff &&
        tsr_noc_fault(access, FINDING_NOC_COUNTER,
                      "Transaction %u has %d requests under way, and its counter of 8 bits says "
                      "%u.",
                      (index - NIU_MST_REQS_OUTSTANDING_ID) % TSR_NIU_TRANSACTIONS, (int)count,
                      (unsigned)access->value))
        return TSR_BUSY;
    return TSR_OK;
}

tsr_status tsr_niu_load(struct tsr_noc_node *node, int which, struct tsr_noc_access *access)
{
    struct tsr_noc *noc = node->noc;
    struct tsr_niu *niu = &node->niu[which];
    struct where where = find(noc->layout, access->offset);
    tsr_noc_faults_begin(access);
    tsr_niu_advance(noc, niu, access->now);
    access->value = 0;
    switch (where.part) {
    case PART_INITIATOR:
        access->value = where.index == NOC_CMD_CTRL ? busy(noc, niu, where.initiator, access->now)
                                                    : niu->initiator[where.initiator][where.index];
        return TSR_OK;
    case PART_NODE_ID:
        access->value = node_id(node, which);
        return TSR_OK;
    case PART_ENDPOINT_ID:
        access->value = endpoint_id(node, which);
        return TSR_OK;
    case PART_STATUS:
        access->value = combined_status(noc, niu, access->now);
        return TSR_OK;
    case PART_CONFIG:
        if (where.index != noc->layout->config[NIU_TRANS_COUNT_RTZ_CLR])
            access->value = niu->config[where.index];
        return TSR_OK;
    case PART_COUNTER: {
        tsr_status status = load_counter(niu, access, where.index);
        if (status == TSR_OK && noc->races)
            tsr_noc_race_counter(node, which, where.index, tsr_niu_counter_name(where.index));
        if (status == TSR_OK)
            note_poll(node, which, access, where.index);
        return status;
    }
    case PART_ZERO_NUM:
        access->value = take_zero(noc, niu);
        tsr_niu_weigh(node, which);
        return TSR_OK;
    case PART_ZERO_SOURCE:
        access->value = niu->reached_zero;
        return TSR_OK;
    case PART_CLEAR: // write-only
        return TSR_OK;
    default:
        return TSR_UNMAPPED;
    }
}

// ---------------------------------------------------------------- stores

static void clear_outstanding(struct tsr_niu *niu, uint32_t which)
{
    for (unsigned i = 0; i < TSR_NIU_TRANSACTIONS; i++)
        if (which >> i & 1) {
            uint32_t *count = &niu->counter[NIU_MST_REQS_OUTSTANDING_ID + i];
            niu->reached_zero |= (uint32_t)((*count & 0xff) != 0) << i;
            *count = 0;
        }
}

static bool has_fifos(const struct tsr_noc *noc, const struct tsr_niu *niu)
{
    return noc->arch == TSR_BLACKHOLE_A0 &&
           NOC_BITS(niu->config[noc->layout->config[NIU_CFG_0]], NIU_CFG_0_CMD_BUFFER_FIFO_EN);
}

static tsr_status store_initiator(struct tsr_noc_node *node, int which,
                                  struct tsr_noc_access *access, struct where where)
{
    struct tsr_niu *niu = &node->niu[which];
    if (busy(node->noc, niu, where.initiator, access->now) && !has_fifos(node->noc, niu) &&
        tsr_noc_fault(access, FINDING_NOC_INITIATOR_BUSY,
                      "Initiator %u of NoC %d's interface is written to at offset 0x%03x while its "
                      "last request waits for a virtual channel.",
                      where.initiator, which, (unsigned)access->offset))
        return TSR_BUSY;
    if (where.index == NOC_CMD_CTRL && node->noc->timing && access->now < niu->split_until &&
        access->now >= niu->busy_until[where.initiator] &&
        tsr_noc_fault(access, FINDING_NOC_INITIATOR_BUSY,
                      "Initiator %u of NoC %d's interface is to send a request while another one "
                      "sends a request of several packets.",
                      where.initiator, which))
        return TSR_BUSY;
    tsr_node_kind kind = node->place.info.kind;
    bool initiates = kind == TSR_NODE_TENSIX || kind == TSR_NODE_ETHERNET ||
                     (kind == TSR_NODE_DRAM && node->noc->arch == TSR_BLACKHOLE_A0);
    if (where.index == NOC_CMD_CTRL && !initiates)
        return TSR_OK;
    if (where.index == NOC_CMD_CTRL)
        return access->value & 1 ? tsr_niu_issue(node, which, where.initiator, access) : TSR_OK;
    uint32_t mask = where.index == NOC_PACKET_TAG ? 0xffff : 0xffffffff;
    niu->initiator[where.initiator][where.index] = access->value & mask;
    return TSR_OK;
}

tsr_status tsr_niu_store(struct tsr_noc_node *node, int which, struct tsr_noc_access *access)
{
    struct tsr_noc *noc = node->noc;
    struct tsr_niu *niu = &node->niu[which];
    struct where where = find(noc->layout, access->offset);
    tsr_noc_faults_begin(access);
    tsr_niu_advance(noc, niu, access->now);
    switch (where.part) {
    case PART_INITIATOR:
        return store_initiator(node, which, access, where);
    case PART_CONFIG:
        if (where.index == noc->layout->config[NIU_TRANS_COUNT_RTZ_CLR])
            niu->reached_zero &= ~access->value;
        else
            niu->config[where.index] = access->value;
        tsr_niu_weigh(node, which);
        return TSR_OK;
    case PART_CLEAR:
        clear_outstanding(niu, access->value);
        tsr_niu_weigh(node, which);
        return TSR_OK;
    case PART_NONE:
        return TSR_UNMAPPED;
    default: // read-only
        return TSR_OK;
    }
}
