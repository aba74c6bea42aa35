// SPDX-License-Identifier: Apache-2.0
// Paths are static: NoC 0 goes along x and then along y, NoC 1 along y and then along x, each in
// its own coordinates, which grow in the direction of flow. A broadcast goes along its major axis
// to the rectangle's first row or column, then along the other axis, then along the major one
// again. Pages: NoC/RoutingPaths.md, NoC/README.md.
#include "chip/noc_route.h"

#include <string.h>

enum port { PORT_X, PORT_Y, PORT_NIU };

unsigned tsr_noc_node_at(const struct tsr_noc *noc, int which, unsigned x, unsigned y)
{
    if (x >= noc->width || y >= noc->height)
        return TSR_NOC_NOWHERE;
    unsigned node = y * noc->width + x;
    return which == 0 ? node : noc->width * noc->height - 1 - node;
}

void tsr_noc_coordinates(const struct tsr_noc *noc, int which, unsigned node, unsigned *x,
                         unsigned *y)
{
    if (which != 0)
        node = noc->width * noc->height - 1 - node;
    *x = node % noc->width;
    *y = node / noc->width;
}

// ---------------------------------------------------------------- receivers of a broadcast

bool tsr_noc_in_span(unsigned at, unsigned start, unsigned end)
{
    return start <= end ? start <= at && at <= end : at <= end || start <= at;
}

bool tsr_noc_beyond(unsigned at, unsigned from, bool up, unsigned start, unsigned end,
                    unsigned size)
{
    if (start > end) {
        at = (at + size - start) % size;
        from = (from + size - start) % size;
    }
    return up ? at >= from : at <= from;
}

// Blackhole: what lies from NOC_BRCST_EXCLUDE's corner on, in its directions (errata 553).
static bool excluded(const struct tsr_noc *noc, const struct tsr_noc_packet *packet, unsigned x,
                     unsigned y)
{
    uint32_t exclude = packet->exclude;
    if (!NOC_BITS(exclude, EXCLUDE_ENABLED))
        return false;
    return tsr_noc_beyond(x, NOC_BITS(exclude, EXCLUDE_START_X),
                          NOC_BITS(exclude, EXCLUDE_DIRECTION_X) != 0, packet->start_x, packet->x,
                          noc->width) &&
           tsr_noc_beyond(y, NOC_BITS(exclude, EXCLUDE_START_Y),
                          NOC_BITS(exclude, EXCLUDE_DIRECTION_Y) != 0, packet->start_y, packet->y,
                          noc->height);
}

// `config`: of the interface whose masks count.
static bool receives(const struct tsr_noc *noc, const struct tsr_noc_packet *packet, unsigned node,
                     const uint32_t *config)
{
    const struct tsr_niu_layout *layout = noc->layout;
    unsigned x, y;
    tsr_noc_coordinates(noc, packet->noc, node, &x, &y);
    if (!tsr_noc_in_span(x, packet->start_x, packet->x) ||
        !tsr_noc_in_span(y, packet->start_y, packet->y))
        return false;
    if (config[layout->config[ROUTER_CFG_1]] >> x & 1 ||
        config[layout->config[ROUTER_CFG_3]] >> y & 1)
        return false;
    return (node != packet->node || packet->include_self) && !excluded(noc, packet, x, y);
}

unsigned tsr_noc_next_receiver(const struct tsr_noc *noc, const struct tsr_noc_packet *packet,
                               unsigned after)
{
    unsigned node = after == TSR_NOC_NOWHERE ? 0 : after + 1;
    for (; node < noc->width * noc->height; node++)
        if (receives(noc, packet, node, noc->node[node].niu[packet->noc].config))
            return node;
    return TSR_NOC_NOWHERE;
}

unsigned tsr_noc_some_receiver(const struct tsr_noc *noc, const struct tsr_noc_packet *packet)
{
    const uint32_t *own = noc->node[packet->node].niu[packet->noc].config;
    for (unsigned node = 0; node < noc->width * noc->height; node++)
        if (receives(noc, packet, node, own))
            return node;
    return TSR_NOC_NOWHERE;
}

// ---------------------------------------------------------------- the first step

// The bit of tsr_noc_first_ports() for the way to one receiver: as tsr_noc_travel() walks.
static unsigned first_port(const struct tsr_noc *noc, const struct tsr_noc_packet *packet,
                           unsigned to)
{
    enum { OWN = 1, ALONG_Y = 2, ALONG_X = 4 };
    unsigned x, y, at_x, at_y;
    tsr_noc_coordinates(noc, packet->noc, packet->node, &at_x, &at_y);
    tsr_noc_coordinates(noc, packet->noc, to, &x, &y);
    bool y_first = packet->broadcast ? !packet->y_major : packet->noc == 1;
    if (packet->broadcast && packet->y_major && at_y != packet->start_y)
        return ALONG_Y;
    if (packet->broadcast && !packet->y_major && at_x != packet->start_x)
        return ALONG_X;
    if (at_y != y && (y_first || at_x == x))
        return ALONG_Y;
    return at_x != x ? ALONG_X : OWN;
}

unsigned tsr_noc_first_ports(const struct tsr_noc *noc, const struct tsr_noc_packet *packet)
{
    if (!packet->broadcast)
        return first_port(noc, packet, tsr_noc_node_at(noc, packet->noc, packet->x, packet->y));
    const uint32_t *own = noc->node[packet->node].niu[packet->noc].config;
    unsigned ports = 0;
    for (unsigned node = 0; node < noc->width * noc->height; node++)
        if (receives(noc, packet, node, own))
            ports |= first_port(noc, packet, node);
    return ports;
}

// ---------------------------------------------------------------- time

struct walk {
    struct tsr_noc *noc;
    const struct tsr_noc_packet *packet;
    uint64_t at; // when the head can go on
    unsigned x, y;
};

static void drop_gap(struct tsr_noc_link *link, unsigned at)
{
    link->gaps--;
    memmove(&link->gap[at], &link->gap[at + 1], (link->gaps - at) * sizeof *link->gap);
}

static void add_gap(struct tsr_noc_link *link, unsigned at, uint64_t start, uint64_t end)
{
    if (start == end)
        return;
    if (link->gaps == TSR_NOC_GAPS) {
        if (at == 0)
            return;
        drop_gap(link, 0);
        at--;
    }
    memmove(&link->gap[at + 1], &link->gap[at], (link->gaps - at) * sizeof *link->gap);
    link->gap[at].start = start;
    link->gap[at].end = end;
    link->gaps++;
}

// The first time from `at` on when the link is free for so many cycles, and takes it. No packet
// asks for what lies well before `now`.
static uint64_t find_room(struct tsr_noc_link *link, uint64_t now, uint64_t at, uint64_t cycles)
{
    enum { WINDOWS = 128 };
    while (link->gaps > 0 && link->gap[0].end + WINDOWS < now)
        drop_gap(link, 0);
    for (unsigned i = 0; at < link->free && i < link->gaps; i++) {
        uint64_t first = link->gap[i].start, end = link->gap[i].end;
        uint64_t start = at > first ? at : first;
        if (start + cycles > end)
            continue;
        drop_gap(link, i);
        add_gap(link, i, start + cycles, end);
        add_gap(link, i, first, start);
        return start;
    }
    uint64_t start = at > link->free ? at : link->free;
    add_gap(link, link->gaps, link->free, start);
    link->free = start + cycles;
    return start;
}

static void take(struct walk *walk, enum port port)
{
    const struct tsr_noc *noc = walk->noc;
    const struct tsr_noc_packet *packet = walk->packet;
    unsigned router = walk->y * noc->width + walk->x;
    unsigned routers = noc->width * noc->height;
    struct tsr_noc_link *link =
        &noc->link[(packet->noc * routers + router) * TSR_ROUTER_PORTS + port];
    const uint16_t *cost = noc->layout->cost;
    bool taken = link->sequence == packet->sequence && link->node == packet->node + 1u;
    if (!taken) {
        link->start =
            find_room(link, noc->now, walk->at, (1 + packet->flits) * cost[NOC_COST_LINK_FLIT]);
        link->sequence = packet->sequence;
        link->node = (uint16_t)(packet->node + 1);
    }
    walk->at =
        link->start + cost[port == PORT_NIU ? NOC_COST_ROUTER_TO_NIU : NOC_COST_ROUTER_TO_ROUTER];
    if (port == PORT_X)
        walk->x = (walk->x + 1) % noc->width;
    else if (port == PORT_Y)
        walk->y = (walk->y + 1) % noc->height;
}

static void walk_x(struct walk *walk, unsigned x)
{
    while (walk->x != x)
        take(walk, PORT_X);
}

static void walk_y(struct walk *walk, unsigned y)
{
    while (walk->y != y)
        take(walk, PORT_Y);
}

uint64_t tsr_noc_travel(struct tsr_noc *noc, const struct tsr_noc_packet *packet, unsigned to)
{
    const uint16_t *cost = noc->layout->cost;
    struct walk walk = {
        .noc = noc, .packet = packet, .at = packet->starts + cost[NOC_COST_NIU_TO_ROUTER]};
    unsigned x, y;
    tsr_noc_coordinates(noc, packet->noc, packet->node, &walk.x, &walk.y);
    tsr_noc_coordinates(noc, packet->noc, to, &x, &y);
    if (packet->broadcast && packet->reserves)
        walk.at += cost[NOC_COST_RESERVE_HOP] * (noc->width + noc->height);
    if (packet->broadcast && packet->y_major) {
        walk_y(&walk, packet->start_y);
        walk_x(&walk, x);
    } else if (packet->broadcast) {
        walk_x(&walk, packet->start_x);
        walk_y(&walk, y);
    } else if (packet->noc == 0) {
        walk_x(&walk, x);
    }
    walk_y(&walk, y);
    walk_x(&walk, x);
    take(&walk, PORT_NIU);
    return walk.at + packet->flits * cost[NOC_COST_LINK_FLIT];
}
