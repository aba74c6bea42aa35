// SPDX-License-Identifier: Apache-2.0
// A request is checked, counted, cut into packets of at most 256 data flits, and put into the
// outbox. What it writes is read now, before anything else of the tile happens (errata 545).
// Pages: NoC/MemoryMap.md, NoC/Counters.md of each chip.
#include "chip/niu_issue.h"

#include "base/finding_codes.h"
#include "chip/niu_check.h"
#include "chip/niu_outbox.h"
#include "chip/noc_fault.h"
#include "chip/noc_races.h"
#include "chip/noc_route.h"

#include <stdlib.h>
#include <string.h>

static bool has_length(const struct tsr_noc_packet *packet)
{
    return packet->kind == NOC_READ ||
           (packet->kind == NOC_WRITE && !packet->inline_data && !packet->masked);
}

// What the packet writes, out of the tile's own memory. False: no memory of the host's.
static bool fetch(const struct tsr_noc_node *node, struct tsr_noc_packet *packet, uint64_t source)
{
    enum { WORD = 4 };
    const struct tsr_noc *noc = node->noc;
    bool from_register = tsr_noc_space_of(noc, node->index, source) == TSR_SPACE_MMIO;
    uint32_t size = packet->length;
    packet->bytes = malloc(size > 0 ? size : 1);
    if (!packet->bytes)
        return false;
    uint32_t once = packet->masked && from_register ? WORD : size;
    if (noc->races && !from_register)
        tsr_noc_race_fetch(noc, packet, source, size);
    if (size > 0 && !noc->chip.read(noc->chip.self, node->index, source, packet->bytes, once)) {
        memset(packet->bytes, 0, once);
        noc->chip.find(noc->chip.self, &packet->origin, FINDING_NOC_ADDRESS,
                       "The tile has nothing at the address that a write request takes its data "
                       "from; it sends zeros.");
    }
    for (uint32_t i = once; i < size; i++) // a register's word again and again
        packet->bytes[i] = packet->bytes[i % WORD];
    return true;
}

static void count_request(struct tsr_niu *niu, const struct tsr_noc_packet *packet, int32_t packets)
{
    if (packet->marked)
        tsr_niu_outstanding(niu, packet->transaction, packets);
    if (packet->kind == NOC_WRITE && !packet->inline_data)
        niu->counter[NIU_MST_WRITE_REQS_OUTGOING_ID + packet->transaction] += (uint32_t)packets;
}

static void put_back(const struct tsr_noc *noc, struct tsr_niu *niu, unsigned initiator,
                     const struct tsr_niu_request *request, bool sent)
{
    uint32_t *words = niu->initiator[initiator];
    if (noc->arch != TSR_WORMHOLE_B0) // errata 551; and no page has its bits of NOC_CTRL
        return;
    unsigned ports = sent ? tsr_noc_first_ports(noc, &request->packet) : 0;
    words[NOC_CTRL] &= ~(tsr_mask32(OUTPUT_PORTS_WIDTH) << OUTPUT_PORTS_FIRST);
    words[NOC_CTRL] |= ports << OUTPUT_PORTS_FIRST;
    tsr_niu_put_place(noc, words, NOC_TARG_ADDR_LO, request->targ_place);
    tsr_niu_put_place(noc, words, NOC_RET_ADDR_LO, request->ret_place);
}

// What a mask chooses from: bytes of L1, or a register's word again and again.
static uint64_t mask_begins(const struct tsr_noc_node *node, uint64_t source)
{
    bool from_register = tsr_noc_space_of(node->noc, node->index, source) == TSR_SPACE_MMIO;
    return source & ~(from_register ? 3ull : 15ull);
}

static tsr_status send_packets(struct tsr_noc_node *node, int which, unsigned initiator,
                               const struct tsr_niu_request *request, uint64_t now)
{
    struct tsr_noc *noc = node->noc;
    struct tsr_niu *niu = &node->niu[which];
    uint32_t *words = niu->initiator[initiator];
    bool measured = has_length(&request->packet);
    uint64_t left = measured ? request->length : 1,
             most = measured ? tsr_niu_packet_bytes(noc->layout) : 1;
    uint64_t source = request->packet.masked ? mask_begins(node, request->source) : request->source;
    struct tsr_noc_packet packet = request->packet;
    do {
        packet.length = measured ? (uint32_t)(left < most ? left : most)
                        : packet.masked && !packet.inline_data ? noc->layout->fact[NOC_MASK_BYTES]
                                                               : 0;
        packet.flits = 0;
        packet.ends_message = request->packet.ends_message && left <= most;
        if (packet.kind == NOC_WRITE && !packet.inline_data)
            packet.flits = tsr_niu_data_flits(noc->layout, measured ? source : 0, packet.length);
        packet.bytes = NULL;
        if (packet.kind == NOC_WRITE && !packet.inline_data && !fetch(node, &packet, source))
            return TSR_NO_MEMORY;
        if (!tsr_niu_send(noc, &packet, now)) {
            free(packet.bytes);
            return TSR_NO_MEMORY;
        }
        left -= measured ? packet.length : 1;
        if (left > 0) {
            source += packet.length;
            packet.address += packet.length;
            packet.response_address += packet.length;
            words[NOC_AT_LEN_BE] -= packet.length;
            tsr_niu_step_address(noc, words, NOC_TARG_ADDR_LO, packet.length);
            tsr_niu_step_address(noc, words, NOC_RET_ADDR_LO, packet.length);
        }
    } while (left > 0);
    niu->busy_until[initiator] = niu->packet[niu->count - 1].starts;
    if (measured && request->length > most)
        niu->split_until = niu->busy_until[initiator];
    return TSR_OK;
}

static void note_link(struct tsr_niu *niu, const struct tsr_niu_request *request)
{
    const struct tsr_noc_packet *packet = &request->packet;
    niu->linked = NOC_BITS(request->control, NOC_CMD_VC_LINKED);
    niu->linked_broadcast = packet->broadcast;
    niu->linked_y_major = packet->y_major;
    niu->linked_channel = (uint8_t)tsr_niu_chosen_channel(request);
    niu->linked_to = packet->kind == NOC_WRITE && !packet->inline_data ? request->ret_place
                                                                       : request->targ_place;
}

tsr_status tsr_niu_issue(struct tsr_noc_node *node, int which, unsigned initiator,
                         struct tsr_noc_access *access)
{
    const struct tsr_noc *noc = node->noc;
    struct tsr_niu *niu = &node->niu[which];
    struct tsr_niu_request request;
    tsr_niu_decode(node, which, initiator, &request);
    struct tsr_noc_packet *packet = &request.packet;
    enum tsr_niu_verdict verdict = tsr_niu_check(node, which, &request, access);
    if (verdict == TSR_NIU_ASK)
        return TSR_BUSY;
    packet->origin = (struct tsr_noc_origin){.node = node->index,
                                             .agent = (uint8_t)access->agent,
                                             .has_pc = access->has_pc,
                                             .at = access->at,
                                             .cycle = access->now};
    put_back(noc, niu, initiator, &request, verdict == TSR_NIU_SEND);
    uint64_t most = tsr_niu_packet_bytes(noc->layout);
    if (has_length(packet) && request.length > most * UINT8_MAX) // more cannot be counted
        request.length = most * UINT8_MAX;
    uint64_t packets = has_length(packet) ? (request.length + most - 1) / most : 1;
    count_request(niu, packet, (int32_t)(packets > 0 ? packets : 1));
    bool linked = niu->linked;
    note_link(niu, &request);
    if (verdict == TSR_NIU_DROP)
        return TSR_OK;
    if (noc->races)
        packet->race = tsr_noc_race_send(noc, &request, linked, (uint32_t)packets);
    return send_packets(node, which, initiator, &request, access->now);
}
