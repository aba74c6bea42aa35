// SPDX-License-Identifier: Apache-2.0
// Requests, accesses and counters as observe/race_chip.h has them; see noc_races.h.
// Pages: NoC/Ordering.md, NoC/Counters.md, NoC/MemoryMap.md of each chip.
#include "chip/noc_races.h"

#include "chip/chip_findings.h"
#include "chip/noc_route.h"
#include "tile/tile_state.h"

// ---------------------------------------------------------------- requests

static bool is_l1(const struct tsr_noc *noc, unsigned node, uint64_t address)
{
    return noc->node[node].place.info.kind == TSR_NODE_TENSIX && address < tsr_l1_size(noc->arch);
}

static unsigned receivers(const struct tsr_noc *noc, const struct tsr_noc_packet *packet)
{
    unsigned count = 0, to = TSR_NOC_NOWHERE;
    while (packet->broadcast && (to = tsr_noc_next_receiver(noc, packet, to)) != TSR_NOC_NOWHERE)
        count++;
    return packet->broadcast ? count : 1;
}

// The same for requests that take one virtual channel, and one tree if they are broadcasts.
static uint32_t channel_of(const struct tsr_niu_request *request, bool linked)
{
    enum { LINKED = 16, FIELD = NOC_COORDINATE_BITS, TREE = 0x9e3779b1u, KEPT = 0x7fffffff };
    const struct tsr_noc_packet *packet = &request->packet;
    unsigned chosen = tsr_niu_chosen_channel(request);
    uint32_t channel = chosen                                                    ? chosen
                       : linked || NOC_BITS(request->control, NOC_CMD_VC_LINKED) ? LINKED
                                                                                 : 0;
    uint32_t corners = (uint32_t)packet->x | (uint32_t)packet->y << FIELD |
                       (uint32_t)packet->start_x << 2 * FIELD |
                       (uint32_t)packet->start_y << 3 * FIELD | (uint32_t)packet->y_major << 31;
    if (channel == 0 || !packet->broadcast)
        return channel;
    return ((corners * TREE ^ channel) & KEPT) | 1u << 30;
}

// At most 16 bytes in one unit of memory.
static bool is_flag(const struct tsr_noc_packet *packet, uint64_t length)
{
    return packet->kind == NOC_ATOMIC || packet->inline_data ||
           (packet->kind == NOC_WRITE && !packet->masked && length > 0 &&
            packet->address % NOC_WORD_BYTES + length <= NOC_WORD_BYTES);
}

static uint32_t send(const struct tsr_noc *noc, const struct tsr_noc_packet *packet,
                     const struct tsr_race_request *request, uint32_t packets)
{
    unsigned to = TSR_NOC_NOWHERE;
    uint32_t number = tsr_race_chip_send(noc->races, request);
    if (number != 0 && !packet->broadcast)
        tsr_race_chip_expect(noc->races, request, request->to, packets);
    while (number != 0 && packet->broadcast &&
           (to = tsr_noc_next_receiver(noc, packet, to)) != TSR_NOC_NOWHERE)
        tsr_race_chip_expect(noc->races, request, to, packets);
    return number;
}

void tsr_noc_race_stream(const struct tsr_noc *noc, struct tsr_noc_packet *packet, unsigned stream)
{
    unsigned to = packet->broadcast ? tsr_noc_some_receiver(noc, packet)
                                    : tsr_noc_node_at(noc, packet->noc, packet->x, packet->y);
    const struct tsr_race_request told = {.node = packet->node,
                                          .to = (uint16_t)to,
                                          .kind = TSR_RACE_NOC_WRITE,
                                          .noc = packet->noc,
                                          .agent = packet->origin.agent,
                                          .stream = (uint8_t)(1 + stream),
                                          .broadcast = packet->broadcast,
                                          .flag = is_flag(packet, packet->length),
                                          .has_pc = packet->origin.has_pc,
                                          .at = packet->origin.at,
                                          .parts = receivers(noc, packet)};
    packet->race = send(noc, packet, &told, 1);
}

void tsr_noc_race_served(const struct tsr_noc *noc, const struct tsr_noc_packet *packet,
                         unsigned node)
{
    tsr_node_kind kind = noc->node[node].place.info.kind;
    bool has_streams = kind == TSR_NODE_TENSIX || kind == TSR_NODE_ETHERNET;
    if (packet->race == 0)
        return;
    tsr_race_chip_served(noc->races, packet->race, node);
    if (packet->to_stream && has_streams)
        tsr_race_chip_to_stream(noc->races, packet->race, node, packet->to_stream - 1u);
}

uint32_t tsr_noc_race_send(const struct tsr_noc *noc, const struct tsr_niu_request *request,
                           bool linked, uint32_t packets)
{
    static const uint8_t kinds[] = {[NOC_READ] = TSR_RACE_NOC_READ,
                                    [NOC_WRITE] = TSR_RACE_NOC_WRITE,
                                    [NOC_ATOMIC] = TSR_RACE_NOC_ATOMIC};
    const struct tsr_noc_packet *packet = &request->packet;
    unsigned to = packet->broadcast ? tsr_noc_some_receiver(noc, packet)
                                    : tsr_noc_node_at(noc, packet->noc, packet->x, packet->y);
    unsigned back = tsr_noc_node_at(noc, packet->noc, packet->response_x, packet->response_y);
    const struct tsr_race_request told = {.node = packet->node,
                                          .to = (uint16_t)to,
                                          .kind = kinds[packet->kind],
                                          .noc = packet->noc,
                                          .transaction = packet->transaction,
                                          .agent = packet->origin.agent,
                                          .broadcast = packet->broadcast,
                                          .linked = NOC_BITS(request->control, NOC_CMD_VC_LINKED),
                                          .marked = packet->marked,
                                          .answered = packet->marked && back == packet->node,
                                          .flag = is_flag(packet, request->length),
                                          .has_pc = packet->origin.has_pc,
                                          .at = packet->origin.at,
                                          .channel = channel_of(request, linked),
                                          .parts =
                                              (packets > 0 ? packets : 1) * receivers(noc, packet)};
    return send(noc, packet, &told, packets > 0 ? packets : 1);
}

// False: registers, or nothing.
static bool memory_at(const struct tsr_noc *noc, unsigned node, uint64_t address,
                      struct tsr_race_memory *memory)
{
    const tsr_node_info *info = &noc->node[node].place.info;
    *memory = (struct tsr_race_memory){.l1 = is_l1(noc, node, address), .node = (uint16_t)node};
    if (info->kind == TSR_NODE_ETHERNET)
        memory->number = (uint16_t)(TSR_RACE_ETHERNET + info->unit);
    else
        memory->number = (uint16_t)info->unit;
    return memory->l1 || ((info->kind == TSR_NODE_DRAM || info->kind == TSR_NODE_ETHERNET) &&
                          address < info->memory);
}

void tsr_noc_race_fetch(const struct tsr_noc *noc, const struct tsr_noc_packet *packet,
                        uint64_t source, uint32_t size)
{
    const struct tsr_race_memory memory = {.l1 = true, .node = packet->node};
    if (is_l1(noc, packet->node, source))
        tsr_race_chip_access(noc->races, packet->race, TSR_RACE_AT_SOURCE, &memory, source, size,
                             false);
}

void tsr_noc_race_access(const struct tsr_noc *noc, const struct tsr_noc_packet *packet,
                         unsigned node, uint64_t address, size_t size, bool write)
{
    const struct tsr_noc_place *place = &noc->node[node].place;
    bool response = packet->kind > NOC_ATOMIC;
    struct tsr_race_memory memory;
    if (packet->race == 0)
        return;
    if (!memory_at(noc, node, address, &memory)) {
        if (place->info.kind == TSR_NODE_TENSIX && write)
            tsr_race_chip_signal(noc->races, packet->race, node);
        return;
    }
    tsr_race_chip_access(noc->races, packet->race,
                         response ? TSR_RACE_AT_RETURN : TSR_RACE_AT_TARGET, &memory, address, size,
                         write);
}

// ---------------------------------------------------------------- counters

// What a counter tells of: TSR_RACE_NO_COUNTER if nothing.
static enum tsr_race_counter told_by(unsigned counter, unsigned *which)
{
    static const struct {
        uint8_t counter, tells, which;
    } rows[] = {
        {NIU_MST_ATOMIC_RESP_RECEIVED, TSR_RACE_OF_KIND, TSR_RACE_NOC_ATOMIC},
        {NIU_MST_WR_ACK_RECEIVED, TSR_RACE_OF_KIND, TSR_RACE_NOC_WRITE},
        {NIU_MST_RD_RESP_RECEIVED, TSR_RACE_OF_KIND, TSR_RACE_NOC_READ},
        {NIU_MST_RD_DATA_WORD_RECEIVED, TSR_RACE_OF_KIND, TSR_RACE_NOC_READ},
        {NIU_MST_NONPOSTED_WR_REQ_SENT, TSR_RACE_HAS_LEFT, 1},
        {NIU_MST_NONPOSTED_WR_DATA_WORD_SENT, TSR_RACE_HAS_LEFT, 1},
        {NIU_MST_POSTED_WR_REQ_SENT, TSR_RACE_HAS_LEFT, 0},
        {NIU_MST_POSTED_WR_DATA_WORD_SENT, TSR_RACE_HAS_LEFT, 0},
        {NIU_SLV_ATOMIC_RESP_SENT, TSR_RACE_SERVED, TSR_RACE_CLASS_ATOMIC},
        {NIU_SLV_WR_ACK_SENT, TSR_RACE_SERVED, TSR_RACE_CLASS_WRITE},
        {NIU_SLV_RD_RESP_SENT, TSR_RACE_SERVED, TSR_RACE_CLASS_READ},
        {NIU_SLV_RD_DATA_WORD_SENT, TSR_RACE_SERVED, TSR_RACE_CLASS_READ},
        {NIU_SLV_NONPOSTED_ATOMIC_RECEIVED, TSR_RACE_SERVED_RELIED, TSR_RACE_CLASS_ATOMIC},
        {NIU_SLV_POSTED_ATOMIC_RECEIVED, TSR_RACE_SERVED_RELIED, TSR_RACE_CLASS_POSTED_ATOMIC},
        {NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED, TSR_RACE_SERVED_RELIED, TSR_RACE_CLASS_WRITE},
        {NIU_SLV_POSTED_WR_DATA_WORD_RECEIVED, TSR_RACE_SERVED_RELIED, TSR_RACE_CLASS_POSTED_WRITE},
        {NIU_SLV_NONPOSTED_WR_REQ_RECEIVED, TSR_RACE_SERVED_RELIED, TSR_RACE_CLASS_WRITE},
        {NIU_SLV_POSTED_WR_REQ_RECEIVED, TSR_RACE_SERVED_RELIED, TSR_RACE_CLASS_POSTED_WRITE},
    };
    *which = counter % TSR_NIU_TRANSACTIONS;
    if (counter - NIU_MST_REQS_OUTSTANDING_ID < TSR_NIU_TRANSACTIONS)
        return TSR_RACE_OF_ID;
    if (counter - NIU_MST_WRITE_REQS_OUTGOING_ID < TSR_NIU_TRANSACTIONS)
        return TSR_RACE_OUTGOING;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].counter == counter) {
            *which = rows[i].which;
            return (enum tsr_race_counter)rows[i].tells;
        }
    return TSR_RACE_NO_COUNTER;
}

void tsr_noc_race_counter(const struct tsr_noc_node *node, int noc, unsigned counter,
                          const char *text)
{
    const struct tsr_niu *niu = &node->niu[noc];
    const struct tsr_race_counter_name name = {text, counter % TSR_NIU_TRANSACTIONS};
    unsigned which;
    enum tsr_race_counter told = told_by(counter, &which);
    bool all = told == TSR_RACE_OUTGOING ? niu->counter[counter] == 0 : niu->left == niu->count;
    if (told != TSR_RACE_NO_COUNTER)
        tsr_race_chip_counter(node->noc->races, node->index, (unsigned)noc, told, which, all, name);
}

// ---------------------------------------------------------------- the chip

bool tsr_chip_races_create(struct tsr_chip *chip)
{
    if (!chip->options.tile.find_races)
        return true;
    chip->noc.races =
        tsr_race_chip_create(chip->columns * chip->rows, chip->columns, TSR_RACE_MEMORIES);
    return chip->noc.races != NULL;
}

void tsr_chip_races_attach(struct tsr_chip *chip, const struct tsr_node *node)
{
    if (chip->noc.races)
        tsr_race_chip_attach(chip->noc.races, (unsigned)(node - chip->node),
                             node->tile->engine.env.races);
}

static bool busy(void *user, unsigned node)
{
    const struct tsr_chip *chip = user;
    return tsr_has_work(chip->node[node].tile);
}

void tsr_chip_races_settle(struct tsr_chip *chip)
{
    tsr_race_chip_settle(chip->noc.races, busy, chip);
}

void tsr_chip_races_host_read(struct tsr_chip *chip, const struct tsr_node *node, uint64_t address,
                              size_t size)
{
    struct tsr_race_memory memory;
    if (!memory_at(&chip->noc, (unsigned)(node - chip->node), address, &memory))
        return;
    uint32_t found = tsr_race_chip_found(chip->noc.races);
    tsr_race_chip_host_read(chip->noc.races, &memory, address, size);
    for (unsigned i = 0;
         tsr_race_chip_found(chip->noc.races) != found && i < chip->columns * chip->rows; i++)
        if (chip->node[i].tile)
            tsr_chip_collect(chip, &chip->node[i]);
}

bool tsr_chip_races_delivered(struct tsr_chip *chip)
{
    if (!chip->noc.races)
        return false;
    tsr_race_chip_collect(chip->noc.races);
    return tsr_race_chip_found(chip->noc.races) > 0;
}
