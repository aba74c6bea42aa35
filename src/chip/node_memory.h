// SPDX-License-Identifier: Apache-2.0
// What lies at the addresses of nodes that are not Tensix tiles, made of machine/chip_memory.def.
#ifndef TESSERA_CHIP_NODE_MEMORY_H
#define TESSERA_CHIP_NODE_MEMORY_H

#include "chip/chip_state.h"

// Makes the memories of all nodes, without pages. False: no memory.
bool tsr_node_memories_create(tsr_chip *chip);
void tsr_node_memories_destroy(tsr_chip *chip);
// Power-on, with what firmware has left.
bool tsr_node_memories_reset(tsr_chip *chip);

// Whether pages say that something is at the address, and there is nothing here.
bool tsr_node_misses(const tsr_chip *chip, const struct tsr_node *node, uint64_t address);
tsr_status tsr_node_memory_read(tsr_chip *chip, struct tsr_node *node, uint64_t address,
                                void *bytes, size_t size);
tsr_status tsr_node_memory_write(tsr_chip *chip, struct tsr_node *node, uint64_t address,
                                 const void *bytes, size_t size);

#endif
