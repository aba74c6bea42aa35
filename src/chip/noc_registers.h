// SPDX-License-Identifier: Apache-2.0
// The registers of a node's interfaces and of its NoC overlay, for its tile and for others.
// Page: NoC/MemoryMap.md of each chip.
#ifndef TESSERA_CHIP_NOC_REGISTERS_H
#define TESSERA_CHIP_NOC_REGISTERS_H

#include "chip/noc_state.h"

// For the tile at a node.
struct tsr_noc_port tsr_noc_port_of(struct tsr_noc *noc, unsigned node);

// Whether the address is one of the interfaces' (unit 0 or 1) or of the overlay's (TSR_NOC_OVERLAY)
// in a node that is no Tensix tile, as seen through a NoC; *offset counts from its base. A DRAM
// tile shows those of its siblings, too: *node becomes whose they are.
bool tsr_noc_own_registers(const struct tsr_noc *noc, unsigned *node, int which, uint64_t address,
                           int *unit, uint32_t *offset);
// A load or store there by a host or a packet, of a whole word.
tsr_status tsr_noc_own_access(struct tsr_noc *noc, unsigned node, int unit, uint32_t offset,
                              bool store, uint32_t *value);

#endif
