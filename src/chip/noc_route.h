// SPDX-License-Identifier: Apache-2.0
// Where coordinates of a NoC lead, and how long a packet is on its way.
// Pages: NoC/Coordinates.md, NoC/RoutingPaths.md, NoC/README.md of each chip.
#ifndef TESSERA_CHIP_NOC_ROUTE_H
#define TESSERA_CHIP_NOC_ROUTE_H

#include "chip/noc_state.h"

enum { TSR_NOC_NOWHERE = 0xffff, TSR_ROUTER_PORTS = 3 };

// A node by its coordinates in one of the NoCs, and back. NoC 1 counts from the other corner.
unsigned tsr_noc_node_at(const struct tsr_noc *noc, int which, unsigned x, unsigned y);
void tsr_noc_coordinates(const struct tsr_noc *noc, int which, unsigned node, unsigned *x,
                         unsigned *y);
// Coordinates as the interface's tables translate them, if it does.
void tsr_noc_translate(const struct tsr_noc *noc, const struct tsr_niu *niu, unsigned *x,
                       unsigned *y);
// What firmware writes into the configuration of all interfaces.
void tsr_noc_configure(struct tsr_noc *noc, bool translation);

// The receivers of a broadcast, one after the other: the first node behind `after`
// (TSR_NOC_NOWHERE: the first of all) that takes it; TSR_NOC_NOWHERE: no other.
unsigned tsr_noc_next_receiver(const struct tsr_noc *noc, const struct tsr_noc_packet *packet,
                               unsigned after);
// A receiver as the sender's own masks have it, which are as everybody's: other tiles may be
// running on other threads now.
unsigned tsr_noc_some_receiver(const struct tsr_noc *noc, const struct tsr_noc_packet *packet);

// On one axis: whether `at` is from start to end, round the edge of the grid if end is first.
bool tsr_noc_in_span(unsigned at, unsigned start, unsigned end);
// On one axis: whether `at` is `from` or behind it (`up`), or before it, in the order in which the
// places from start to end are passed if that is round the edge.
bool tsr_noc_beyond(unsigned at, unsigned from, bool up, unsigned start, unsigned end,
                    unsigned size);

// By which ways it leaves its first router, as bits 10 to 12 of NOC_CTRL: 1 the tile's own
// interface, 2 along y, 4 along x.
unsigned tsr_noc_first_ports(const struct tsr_noc *noc, const struct tsr_noc_packet *packet);

// With timing on: takes the packet's links one after the other and returns when its last flit is
// in the receiver's interface. Links that the same broadcast has taken before are not taken again.
uint64_t tsr_noc_travel(struct tsr_noc *noc, const struct tsr_noc_packet *packet, unsigned to);

#endif
