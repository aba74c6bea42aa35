// SPDX-License-Identifier: Apache-2.0
// What a packet does where it arrives.
// Pages: NoC/README.md, NoC/MemoryMap.md, NoC/Atomics.md, NoC/Counters.md of each chip.
#ifndef TESSERA_CHIP_NOC_PERFORM_H
#define TESSERA_CHIP_NOC_PERFORM_H

#include "chip/noc_state.h"

// Performs the packet at a node. True: *response is to be sent from there; it has its bytes, if
// any, and its place, and neither its time nor its sequence. A read's bytes are room for what it
// reads, and become the response's.
bool tsr_noc_perform(struct tsr_noc *noc, const struct tsr_noc_packet *packet, unsigned node,
                     struct tsr_noc_packet *response);

#endif
