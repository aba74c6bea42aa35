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
    uint32_t strided;          // what a multicast leaves out of its rectangle
};

// False: no window is at that offset in the BAR.
bool tsr_tlb_find(const tsr_chip *chip, unsigned bar, uint64_t offset,
                  struct tsr_tlb_target *target);

// The rectangle of a multicast, x and y, in raw coordinates of its NoC, and how large that is.
struct tsr_tlb_rectangle {
    unsigned start[2], end[2], size[2];
};

// Whether a window's `strided` leaves the place out of the rectangle.
bool tsr_tlb_leaves_out(uint32_t strided, const struct tsr_tlb_rectangle *in, const unsigned at[2]);
// False: software says another number of receivers, or none where it has to, or has a pattern go
// round the edge that cannot.
bool tsr_tlb_is_right(uint32_t strided, const struct tsr_tlb_rectangle *in, unsigned receivers);

#endif
