// SPDX-License-Identifier: Apache-2.0
// Loops that do nothing but look at the wall clock until it has come to a value
// (riscv_clock_wait.c). Page: BabyRISCV/README.md.
#ifndef TESSERA_RISCV_RISCV_CLOCK_WAIT_H
#define TESSERA_RISCV_RISCV_CLOCK_WAIT_H

#include "riscv/riscv_blocks.h"

// A loop in a block, as it comes to its jump back.
struct tsr_riscv_clock_wait {
    const struct tsr_riscv_op *first, *jump;
    uint64_t done, left; // instructions before `first` in this run, and that may still follow
};

// If it is such a loop, which begins once more: its passes are executed up to where one would leave
// it, the run ends, or a jump back is one to look at. Returns how many instructions.
uint64_t tsr_riscv_wait_for_clock(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                  const struct tsr_riscv_clock_wait *loop);

#endif
