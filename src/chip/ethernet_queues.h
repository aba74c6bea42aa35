// SPDX-License-Identifier: Apache-2.0
// The registers of an Ethernet tile's queues, for its own cores, the NoC and a host.
#ifndef TESSERA_CHIP_ETHERNET_QUEUES_H
#define TESSERA_CHIP_ETHERNET_QUEUES_H

#include "chip/chip_state.h"

// A whole word at an absolute address, at cycle `now`. TSR_UNMAPPED: no such register. A core of
// the tile may call them on any host thread while it has the tile; nothing outside the tile's
// queues changes. What they find waits for tsr_ethernet_report().
tsr_status tsr_ethernet_queue_load(struct tsr_node *node, uint32_t address, uint32_t *value,
                                   uint64_t now);
tsr_status tsr_ethernet_queue_store(struct tsr_node *node, uint32_t address, uint32_t value,
                                    uint64_t now);
// False: no such register. Else before which cycle a load gives the same unless somebody stores,
// a frame comes or tsr_ethernet_advance() says that a command has moved; UINT64_MAX: in all.
bool tsr_ethernet_queue_quiet(const struct tsr_node *node, uint32_t address, uint64_t *until);
// What the tile's overlay sends over the link. False: there is none, or no memory.
bool tsr_ethernet_queue_overlay(struct tsr_node *node, const struct tsr_overlay_piece *piece);
// The node's queues, made if need be. NULL: no memory, or no Ethernet tile.
struct tsr_ethernet_queues *tsr_ethernet_queues_of(struct tsr_node *node);
// On the chip's thread: what has been found since the last time.
void tsr_ethernet_report(struct tsr_node *node);
// Frees the node's queues; the next touch makes them as firmware leaves them.
void tsr_ethernet_queues_free(struct tsr_node *node);

#endif
