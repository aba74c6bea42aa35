// SPDX-License-Identifier: Apache-2.0
// What the NoC tells those who look for races (observe/race_chip.h); called if there are any.
// Pages: NoC/Ordering.md, NoC/Counters.md of each chip.
#ifndef TESSERA_CHIP_NOC_RACES_H
#define TESSERA_CHIP_NOC_RACES_H

#include "chip/chip_state.h"
#include "chip/niu_decode.h"
#include "observe/race_chip.h"

// A request is about to be sent in so many packets; `linked`: it is behind one that was linked. Its
// number.
uint32_t tsr_noc_race_send(const struct tsr_noc *noc, const struct tsr_niu_request *request,
                           bool linked, uint32_t packets);
// The same of a packet that a stream sends by itself.
void tsr_noc_race_stream(const struct tsr_noc *noc, struct tsr_noc_packet *packet, unsigned stream);
// The packet has been carried out at its receiver.
void tsr_noc_race_served(const struct tsr_noc *noc, const struct tsr_noc_packet *packet,
                         unsigned node);
// What a write sends is read.
void tsr_noc_race_fetch(const struct tsr_noc *noc, const struct tsr_noc_packet *packet,
                        uint64_t source, uint32_t size);
// The packet accesses a node's memory or registers.
void tsr_noc_race_access(const struct tsr_noc *noc, const struct tsr_noc_packet *packet,
                         unsigned node, uint64_t address, size_t size, bool write);
// A core of the node loads a counter, which is called so.
void tsr_noc_race_counter(const struct tsr_noc_node *node, int noc, unsigned counter,
                          const char *text);

// False: no memory.
bool tsr_chip_races_create(struct tsr_chip *chip);
// The node's tile has been made.
void tsr_chip_races_attach(struct tsr_chip *chip, const struct tsr_node *node);
// A host acts, or nothing moves any more.
void tsr_chip_races_settle(struct tsr_chip *chip);
void tsr_chip_races_host_read(struct tsr_chip *chip, const struct tsr_node *node, uint64_t address,
                              size_t size);
// After a delivery. True: the NoC has found races.
bool tsr_chip_races_delivered(struct tsr_chip *chip);

#endif
