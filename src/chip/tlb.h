// SPDX-License-Identifier: Apache-2.0
// TLB windows, made of machine/tlb.def.
#ifndef TESSERA_CHIP_TLB_H
#define TESSERA_CHIP_TLB_H

#include "chip/chip_state.h"

// Where a window sends an access.
struct tsr_tlb_target {
    uint64_t address; // in the node
    uint64_t left;    // bytes up to the window's end
    unsigned noc;
    bool multicast;
    unsigned x, y;             // of the node, or the end of the rectangle; coordinates of that NoC
    unsigned start_x, start_y; // of a multicast
};

// False: no window is at that offset in the BAR.
bool tsr_tlb_find(const tsr_chip *chip, unsigned bar, uint64_t offset,
                  struct tsr_tlb_target *target);

#endif
