// SPDX-License-Identifier: Apache-2.0
// What the NoC finds at a node's addresses.
#ifndef TESSERA_CHIP_NODE_ACCESS_H
#define TESSERA_CHIP_NODE_ACCESS_H

#include "chip/chip_state.h"

// What a node has at an address of the NoC, effective at once: L1 and registers of a Tensix tile,
// DRAM, an Ethernet tile's L1, registers of ARC and PCI Express tiles, the host's memory. Some
// tiles show the interface of the NoC by which the access comes.
// TSR_UNMAPPED, without a finding: something of it is nowhere; what comes before may have been
// moved where it is registers.
tsr_status tsr_node_read(tsr_chip *chip, struct tsr_node *node, unsigned noc, uint64_t address,
                         void *bytes, size_t size);
tsr_status tsr_node_write(tsr_chip *chip, struct tsr_node *node, unsigned noc, uint64_t address,
                          const void *bytes, size_t size);

// The same for a host, with a finding where nothing is; it then reads ones.
tsr_status tsr_host_read_node(tsr_chip *chip, struct tsr_node *node, unsigned noc, uint64_t address,
                              void *bytes, size_t size);
tsr_status tsr_host_write_node(tsr_chip *chip, struct tsr_node *node, unsigned noc,
                               uint64_t address, const void *bytes, size_t size);

#endif
