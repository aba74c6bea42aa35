// SPDX-License-Identifier: Apache-2.0
// The NoCs of a chip: making them, and the order in which packets are performed: by the cycle in
// which they are due, then by their sender's node, NoC and sequence. Nothing else decides.
// Pages: NoC/README.md, NoC/Ordering.md of each chip.
#include "chip/noc_delivery.h"

#include "chip/niu_check.h"
#include "chip/niu_outbox.h"
#include "chip/noc_perform.h"
#include "chip/noc_route.h"
#include "chip/stream_phase.h"
#include "chip/stream_registers.h"

#include <stdlib.h>
#include <string.h>

enum { DRAM_PARTS = 2, DRAM_TIMES = TSR_DRAM_CHANNELS * DRAM_PARTS };

static unsigned nodes(const struct tsr_noc *noc)
{
    return noc->width * noc->height;
}

static size_t links(const struct tsr_noc *noc)
{
    return (size_t)TSR_NOCS * nodes(noc) * TSR_ROUTER_PORTS;
}

// ---------------------------------------------------------------- making one

bool tsr_noc_create(struct tsr_noc *noc, tsr_arch arch, bool timing,
                    const struct tsr_noc_chip *chip)
{
    *noc = (struct tsr_noc){.arch = arch,
                            .layout = tsr_niu_layout(arch),
                            .timing = timing,
                            .width = tsr_grid_columns(arch),
                            .height = tsr_grid_rows(arch),
                            .chip = *chip};
    noc->node = calloc(nodes(noc), sizeof *noc->node);
    noc->link = calloc(links(noc), sizeof *noc->link);
    noc->dram_free = calloc(DRAM_TIMES, sizeof *noc->dram_free);
    if (!noc->node || !noc->link || !noc->dram_free) {
        tsr_noc_destroy(noc);
        return false;
    }
    tsr_node_info infos[TSR_GRID_COLUMNS * TSR_GRID_ROWS];
    tsr_grid_fill(arch, infos);
    for (unsigned i = 0; i < nodes(noc); i++) {
        noc->node[i].noc = noc;
        noc->node[i].index = (uint16_t)i;
        noc->node[i].place.info = infos[i];
    }
    tsr_stream_index(noc);
    return true;
}

static void drop_packets(struct tsr_niu *niu)
{
    for (unsigned i = 0; i < niu->count; i++)
        free(niu->packet[i].bytes);
    free(niu->packet);
    free(niu->arrived);
}

static void drop_all(struct tsr_noc *noc)
{
    for (unsigned i = 0; noc->node && i < nodes(noc); i++) {
        drop_packets(&noc->node[i].niu[0]);
        drop_packets(&noc->node[i].niu[1]);
        tsr_stream_free(&noc->node[i]);
    }
    for (unsigned i = 0; i < noc->flying; i++)
        free(noc->flight[noc->turn[i].at].bytes);
    noc->flying = 0;
}

void tsr_noc_destroy(struct tsr_noc *noc)
{
    drop_all(noc);
    free(noc->node);
    free(noc->link);
    free(noc->dram_free);
    free(noc->flight);
    free(noc->turn);
    *noc = (struct tsr_noc){0};
}

void tsr_noc_reset(struct tsr_noc *noc, uint32_t harvested, bool translation)
{
    drop_all(noc);
    memset(noc->link, 0, links(noc) * sizeof *noc->link);
    memset(noc->dram_free, 0, DRAM_TIMES * sizeof *noc->dram_free);
    noc->now = noc->delivered = 0;
    memset(noc->pending, 0, sizeof noc->pending);
    memset(noc->polled, 0, sizeof noc->polled);
    memset(noc->streams, 0, sizeof noc->streams);
    for (unsigned i = 0; i < nodes(noc); i++) {
        struct tsr_noc_node *node = &noc->node[i];
        memset(node->niu, 0, sizeof node->niu);
        memset(node->poll, 0, sizeof node->poll);
        node->place.harvested = tsr_grid_fused_off(noc->arch, &node->place.info, harvested);
    }
    tsr_noc_configure(noc, translation);
}

// ---------------------------------------------------------------- the order of delivery

static bool before(const struct tsr_noc_turn *a, const struct tsr_noc_turn *b)
{
    return a->due != b->due ? a->due < b->due : a->sender < b->sender;
}

static struct tsr_noc_turn turn_of(const struct tsr_noc_packet *packet, unsigned at)
{
    enum { SEQUENCE_BITS = 32 };
    uint64_t sender = (uint64_t)packet->node * TSR_NOCS + packet->noc;
    return (struct tsr_noc_turn){
        .due = packet->due, .sender = sender << SEQUENCE_BITS | packet->sequence, .at = at};
}

// Places for so many more packets.
static bool make_room(struct tsr_noc *noc, unsigned more)
{
    unsigned capacity = noc->flight_capacity ? noc->flight_capacity : 64;
    if (noc->flying + more <= noc->flight_capacity)
        return true;
    while (capacity < noc->flying + more)
        capacity *= 2;
    struct tsr_noc_packet *flight = realloc(noc->flight, capacity * sizeof *flight);
    if (!flight)
        return false;
    noc->flight = flight;
    struct tsr_noc_turn *turn = realloc(noc->turn, capacity * sizeof *turn);
    if (!turn)
        return false;
    noc->turn = turn;
    for (unsigned i = noc->flight_capacity; i < capacity; i++)
        noc->turn[i].at = i;
    noc->flight_capacity = capacity;
    return true;
}

// There is room for it.
static void push(struct tsr_noc *noc, const struct tsr_noc_packet *packet)
{
    unsigned at = noc->flying++;
    const struct tsr_noc_turn turn = turn_of(packet, noc->turn[at].at);
    noc->flight[turn.at] = *packet;
    for (; at > 0 && before(&turn, &noc->turn[(at - 1) / 2]); at = (at - 1) / 2)
        noc->turn[at] = noc->turn[(at - 1) / 2];
    noc->turn[at] = turn;
}

static struct tsr_noc_packet pop(struct tsr_noc *noc)
{
    struct tsr_noc_turn *turn = noc->turn, last = turn[--noc->flying];
    unsigned first = turn[0].at, at = 0;
    for (unsigned child; (child = 2 * at + 1) < noc->flying; at = child) {
        child += child + 1 < noc->flying && before(&turn[child + 1], &turn[child]);
        if (!before(&turn[child], &last))
            break;
        turn[at] = turn[child];
    }
    turn[at] = last;
    turn[noc->flying].at = first; // free now
    return noc->flight[first];
}

// ---------------------------------------------------------------- sending

// With timing on: that an interface knows when its packets have come to each node.
static bool knows_arrivals(struct tsr_noc *noc, struct tsr_niu *niu)
{
    if (noc->timing && !niu->arrived)
        niu->arrived = calloc(nodes(noc), sizeof *niu->arrived);
    return !noc->timing || niu->arrived;
}

// When the packet comes to the node: not before those that its interface has sent there earlier.
static uint64_t arrives_at(struct tsr_noc *noc, const struct tsr_noc_packet *packet, unsigned to)
{
    struct tsr_niu *niu = &noc->node[packet->node].niu[packet->noc];
    uint64_t due = tsr_noc_travel(noc, packet, to);
    if (due < niu->arrived[to])
        due = niu->arrived[to];
    niu->arrived[to] = due;
    return due;
}

// Of a broadcast's bytes, one for each receiver. False: there is no memory, and no copy.
static bool copy_bytes(const struct tsr_noc_packet *packet, uint8_t **copy, unsigned receivers)
{
    for (unsigned i = 0; i < receivers; i++) {
        copy[i] = packet->bytes ? malloc(packet->length > 0 ? packet->length : 1) : NULL;
        if (packet->bytes && !copy[i]) {
            while (i > 0)
                free(copy[--i]);
            return false;
        }
        if (packet->bytes)
            memcpy(copy[i], packet->bytes, packet->length);
    }
    return true;
}

// With timing on each receiver of a broadcast has its own packet from here on.
static bool send_to_each(struct tsr_noc *noc, struct tsr_noc_packet *packet)
{
    uint8_t *copy[TSR_GRID_COLUMNS * TSR_GRID_ROWS];
    unsigned to = TSR_NOC_NOWHERE, receivers = 0;
    while ((to = tsr_noc_next_receiver(noc, packet, to)) != TSR_NOC_NOWHERE)
        receivers++;
    if (!make_room(noc, receivers) || !copy_bytes(packet, copy, receivers))
        return false;
    for (unsigned i = 0; i < receivers; i++) {
        struct tsr_noc_packet one = *packet;
        unsigned x, y;
        to = tsr_noc_next_receiver(noc, packet, to);
        one.due = arrives_at(noc, packet, to);
        one.bytes = copy[i];
        tsr_noc_coordinates(noc, packet->noc, to, &x, &y);
        one.x = (uint8_t)x;
        one.y = (uint8_t)y;
        one.broadcast = false;
        push(noc, &one);
    }
    free(packet->bytes);
    return true;
}

// False: there is no memory for it.
static bool send(struct tsr_noc *noc, struct tsr_noc_packet *packet)
{
    if (noc->timing && packet->broadcast)
        return send_to_each(noc, packet);
    if (!make_room(noc, 1))
        return false;
    if (noc->timing)
        packet->due =
            arrives_at(noc, packet, tsr_noc_node_at(noc, packet->noc, packet->x, packet->y));
    push(noc, packet);
    return true;
}

// The first node from `from` on that is set in `of`; behind the last one: none.
static unsigned next_set(const struct tsr_noc *noc, const uint8_t *of, unsigned from)
{
    const uint8_t *found = from < nodes(noc) ? memchr(of + from, 1, nodes(noc) - from) : NULL;
    return found ? (unsigned)(found - of) : nodes(noc);
}

// The first node from `from` on that has packets in an outbox.
static unsigned next_pending(const struct tsr_noc *noc, unsigned from)
{
    return next_set(noc, noc->pending, from);
}

// Of an interface: what has left the tile by `cycle`. What there is no memory for goes with the
// next window.
static void gather(struct tsr_noc *noc, struct tsr_niu *niu, uint64_t cycle)
{
    unsigned sent = 0;
    if (niu->count == 0)
        return;
    tsr_niu_advance(noc, niu, cycle);
    while (sent < niu->left && knows_arrivals(noc, niu) && send(noc, &niu->packet[sent]))
        sent++;
    niu->count -= sent;
    niu->started -= sent;
    niu->left -= sent;
    memmove(niu->packet, niu->packet + sent, niu->count * sizeof *niu->packet);
}

// ---------------------------------------------------------------- responses

// When the receiver has done what the request asks for, up to the response's first flit.
static uint64_t answered_at(struct tsr_noc *noc, const struct tsr_noc_packet *packet, unsigned node,
                            uint32_t flits)
{
    enum { TENTHS = 10, CHANNEL_BIT = 30 };
    const uint16_t *cost = noc->layout->cost;
    const struct tsr_noc_place *place = &noc->node[node].place;
    switch (place->info.kind) {
    case TSR_NODE_TENSIX:
    case TSR_NODE_ETHERNET:
        return packet->due + cost[tsr_noc_space_of(noc, node, packet->address) == TSR_SPACE_MMIO
                                      ? NOC_COST_MMIO_ACCESS
                                      : NOC_COST_L1_ACCESS];
    case TSR_NODE_DRAM: {
        unsigned part = noc->arch == TSR_WORMHOLE_B0 ? packet->address >> CHANNEL_BIT & 1 : 0;
        uint64_t *free = &noc->dram_free[place->info.unit * DRAM_PARTS + part];
        uint64_t start = packet->due > *free ? packet->due : *free;
        *free = start + (flits * cost[NOC_COST_DRAM_FLIT_TENTHS] + TENTHS - 1) / TENTHS;
        return start + cost[NOC_COST_DRAM_ACCESS];
    }
    case TSR_NODE_PCIE:
        return packet->due + cost[NOC_COST_HOST_ACCESS];
    default:
        return packet->due + cost[NOC_COST_OTHER_ACCESS];
    }
}

static void answer(struct tsr_noc *noc, const struct tsr_noc_packet *packet, unsigned node,
                   struct tsr_noc_packet *response)
{
    struct tsr_niu *niu = &noc->node[node].niu[packet->noc];
    const uint16_t *cost = noc->layout->cost;
    response->sequence = ++niu->sequence;
    if (noc->timing) {
        uint32_t moved = response->flits > packet->flits ? response->flits : packet->flits;
        response->starts = answered_at(noc, packet, node, moved);
        if (response->starts < niu->link_free)
            response->starts = niu->link_free;
        response->leaves = response->starts + (1 + response->flits) * cost[NOC_COST_LINK_FLIT];
        niu->link_free = response->leaves;
    }
    send(noc, response);
}

static void arrive(struct tsr_noc *noc, const struct tsr_noc_packet *packet, unsigned node)
{
    struct tsr_noc_packet response;
    if (tsr_noc_perform(noc, packet, node, &response))
        answer(noc, packet, node, &response);
}

// Memory for what the next packet needs: its responses, what a read reads, and when the response of
// a single receiver arrives.
static bool prepare_next(struct tsr_noc *noc)
{
    struct tsr_noc_packet *packet = &noc->flight[noc->turn[0].at];
    if (packet->broadcast)
        return make_room(noc, nodes(noc));
    // A single response takes the packet's place.
    unsigned node = tsr_noc_node_at(noc, packet->noc, packet->x, packet->y);
    if (packet->kind == NOC_READ && !packet->bytes)
        packet->bytes = malloc(packet->length > 0 ? packet->length : 1);
    return (packet->kind != NOC_READ || packet->bytes) &&
           knows_arrivals(noc, &noc->node[node].niu[packet->noc]);
}

static void deliver_one(struct tsr_noc *noc, const struct tsr_noc_packet *packet)
{
    if (!packet->broadcast) {
        arrive(noc, packet, tsr_noc_node_at(noc, packet->noc, packet->x, packet->y));
        return;
    }
    unsigned to = tsr_noc_next_receiver(noc, packet, TSR_NOC_NOWHERE);
    for (; to != TSR_NOC_NOWHERE; to = tsr_noc_next_receiver(noc, packet, to))
        arrive(noc, packet, to);
}

// What they send leaves with the next window.
static void advance_streams(struct tsr_noc *noc)
{
    for (unsigned i = next_set(noc, noc->streams, 0); i < nodes(noc);
         i = next_set(noc, noc->streams, i + 1)) {
        noc->streams[i] = noc->node[i].overlay && !tsr_streams_advance(&noc->node[i]);
        noc->chip.wake(noc->chip.self, i);
    }
}

void tsr_noc_deliver(struct tsr_noc *noc, uint64_t cycle)
{
    noc->now = cycle;
    for (unsigned i = next_pending(noc, 0); i < nodes(noc); i = next_pending(noc, i + 1)) {
        gather(noc, &noc->node[i].niu[0], cycle);
        gather(noc, &noc->node[i].niu[1], cycle);
        noc->pending[i] = noc->node[i].niu[0].count > 0 || noc->node[i].niu[1].count > 0;
    }
    while (noc->flying > 0 && (!noc->timing || noc->turn[0].due <= cycle) && prepare_next(noc)) {
        struct tsr_noc_packet packet = pop(noc);
        deliver_one(noc, &packet);
        if (packet.kind != NOC_READ) // whose bytes its response has
            free(packet.bytes);
    }
    advance_streams(noc);
}

bool tsr_noc_busy(const struct tsr_noc *noc)
{
    return noc->flying > 0 || next_pending(noc, 0) < nodes(noc) ||
           next_set(noc, noc->streams, 0) < nodes(noc);
}
