// SPDX-License-Identifier: Apache-2.0
// A request initiator's registers become packets.
// Pages: NoC/MemoryMap.md, NoC/Counters.md, NoC/Alignment.md of each chip.
#ifndef TESSERA_CHIP_NIU_ISSUE_H
#define TESSERA_CHIP_NIU_ISSUE_H

#include "chip/noc_state.h"

// A store of 1 to NOC_CMD_CTRL. TSR_BUSY: something is wrong (noc_fault.h).
tsr_status tsr_niu_issue(struct tsr_noc_node *node, int which, unsigned initiator,
                         struct tsr_noc_access *access);

#endif
