// SPDX-License-Identifier: Apache-2.0
// The registers of a NoC interface (NIU) as a core, a host or the NoC sees them.
// Pages: NoC/MemoryMap.md, NoC/Counters.md of each chip.
#ifndef TESSERA_CHIP_NIU_H
#define TESSERA_CHIP_NIU_H

#include "chip/noc_state.h"

// As struct tsr_noc_port has them. Offsets are those of words.
tsr_status tsr_niu_load(struct tsr_noc_node *node, int which, struct tsr_noc_access *access);
tsr_status tsr_niu_store(struct tsr_noc_node *node, int which, struct tsr_noc_access *access);
uint64_t tsr_niu_quiet_until(const struct tsr_noc_node *node, int which, uint32_t offset,
                             uint64_t now);
// Transactions that have come to zero, or which of them count, have changed: Blackhole's interface
// may interrupt cores.
void tsr_niu_weigh(const struct tsr_noc_node *node, int which);
// Of 16 counters of transactions the first one's.
const char *tsr_niu_counter_name(unsigned index);

#endif
