// SPDX-License-Identifier: Apache-2.0
// Loops that do nothing but load two words, branch, and jump back as long as the first word is less
// than a value, as those do that wait for the wall clock. Page: BabyRISCV/README.md.
#ifndef TESSERA_RISCV_RISCV_CLOCK_LOOP_H
#define TESSERA_RISCV_RISCV_CLOCK_LOOP_H

#include "riscv/riscv_decode.h"

// The loads of the body.
struct tsr_riscv_clock_loads {
    const struct tsr_riscv_op *low, *high; // high: NULL if it has none
};

// The low half comes first: it is what keeps the high half that the other load gets. False:
// instructions from `first` to the jump back are no such loop, or branch on the low half in
// another place. Where they load from is not looked at.
bool tsr_riscv_clock_loop(const struct tsr_riscv_op *first, const struct tsr_riscv_op *jump,
                          struct tsr_riscv_clock_loads *loads);

#endif
