// SPDX-License-Identifier: Apache-2.0
// An interface sends one packet after the other into its router, a flit a cycle. With timing off a
// request has left as soon as it is there. Page: NoC/Counters.md of each chip.
#include "chip/niu_outbox.h"

#include <stdlib.h>

void tsr_niu_outstanding(struct tsr_niu *niu, unsigned transaction, int32_t by)
{
    uint32_t *count = &niu->counter[NIU_MST_REQS_OUTSTANDING_ID + transaction];
    bool was_zero = (*count & 0xff) == 0;
    *count += (uint32_t)by;
    if (!was_zero && (*count & 0xff) == 0)
        niu->reached_zero |= 1u << transaction;
}

// A request has its virtual channel.
static void note_start(struct tsr_niu *niu, const struct tsr_noc_packet *packet)
{
    uint32_t *counter = niu->counter;
    counter[NIU_MST_CMD_ACCEPTED]++;
    if (packet->kind == NOC_READ)
        counter[NIU_MST_RD_REQ_STARTED]++;
    else if (packet->kind == NOC_ATOMIC)
        counter[NIU_MST_NONPOSTED_ATOMIC_STARTED] += packet->marked;
    else
        counter[packet->marked ? NIU_MST_NONPOSTED_WR_REQ_STARTED
                               : NIU_MST_POSTED_WR_REQ_STARTED]++;
}

// Its last flit has left the tile.
static void note_leave(struct tsr_niu *niu, const struct tsr_noc_packet *packet)
{
    uint32_t *counter = niu->counter;
    if (packet->kind == NOC_READ) {
        counter[NIU_MST_RD_REQ_SENT]++;
        return;
    }
    if (packet->kind == NOC_ATOMIC) {
        counter[packet->marked ? NIU_MST_NONPOSTED_ATOMIC_SENT : NIU_MST_POSTED_ATOMIC_SENT]++;
        return;
    }
    counter[packet->marked ? NIU_MST_NONPOSTED_WR_REQ_SENT : NIU_MST_POSTED_WR_REQ_SENT]++;
    if (packet->inline_data)
        return;
    counter[packet->marked ? NIU_MST_NONPOSTED_WR_DATA_WORD_SENT
                           : NIU_MST_POSTED_WR_DATA_WORD_SENT] += packet->flits;
    counter[NIU_MST_WRITE_REQS_OUTGOING_ID + packet->transaction]--;
}

void tsr_niu_advance(const struct tsr_noc *noc, struct tsr_niu *niu, uint64_t now)
{
    while (niu->started < niu->count && (!noc->timing || niu->packet[niu->started].starts <= now))
        note_start(niu, &niu->packet[niu->started++]);
    while (niu->left < niu->started && (!noc->timing || niu->packet[niu->left].leaves <= now))
        note_leave(niu, &niu->packet[niu->left++]);
}

bool tsr_niu_send(struct tsr_noc *noc, struct tsr_noc_packet *packet, uint64_t now)
{
    struct tsr_niu *niu = &noc->node[packet->node].niu[packet->noc];
    if (niu->count == niu->capacity) {
        unsigned capacity = niu->capacity ? 2 * niu->capacity : 8;
        struct tsr_noc_packet *more = realloc(niu->packet, capacity * sizeof *more);
        if (!more)
            return false;
        niu->packet = more;
        niu->capacity = capacity;
    }
    const uint16_t *cost = noc->layout->cost;
    packet->due = packet->starts = packet->leaves = now;
    packet->sequence = ++niu->sequence;
    if (noc->timing) {
        packet->starts = now + cost[NOC_COST_ISSUE];
        if (packet->starts < niu->link_free)
            packet->starts = niu->link_free;
        packet->leaves = packet->starts + (1 + packet->flits) * cost[NOC_COST_LINK_FLIT];
        niu->link_free = packet->leaves;
    }
    niu->packet[niu->count++] = *packet;
    noc->pending[packet->node] = 1;
    tsr_niu_advance(noc, niu, now);
    return true;
}
