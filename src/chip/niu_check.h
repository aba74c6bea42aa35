// SPDX-License-Identifier: Apache-2.0
// What is wrong with a request before it is sent.
// Pages: NoC/MemoryMap.md, NoC/Alignment.md of each chip, NoC/Atomics.md.
#ifndef TESSERA_CHIP_NIU_CHECK_H
#define TESSERA_CHIP_NIU_CHECK_H

#include "chip/niu_decode.h"

enum tsr_niu_verdict {
    TSR_NIU_SEND,
    TSR_NIU_DROP, // going on, nothing can be sent
    TSR_NIU_ASK   // access->finding says what is wrong
};

enum tsr_niu_verdict tsr_niu_check(const struct tsr_noc_node *node, int which,
                                   const struct tsr_niu_request *request,
                                   struct tsr_noc_access *access);

// Addresses of a Tensix or Ethernet tile are L1's or registers'.
enum tsr_noc_space { TSR_SPACE_L1, TSR_SPACE_MMIO, TSR_SPACE_OTHER };
enum tsr_noc_space tsr_noc_space_of(const struct tsr_noc *noc, unsigned node, uint64_t address);

#endif
