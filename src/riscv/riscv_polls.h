// SPDX-License-Identifier: Apache-2.0
// Finds out that a loop only waits: it came back to the same place with the same registers, and in
// between it stored nothing and read nothing that changes by itself.
// Page: BabyRISCV/README.md.
#ifndef TESSERA_RISCV_RISCV_POLLS_H
#define TESSERA_RISCV_RISCV_POLLS_H

#include "riscv/riscv_blocks.h"

// After a backward jump to hart->pc. True: the loop waits, and hart->rest says so.
bool tsr_riscv_look_for_poll(struct tsr_riscv *riscv, struct tsr_hart *hart);
// The hart begins a run. If it has waited before, polls.woken is set until it turns out that
// something has changed.
void tsr_riscv_wake(struct tsr_riscv *riscv, const struct tsr_hart *hart);
// The same of a hart that is not fresh from reset and did not poll.
static inline void tsr_riscv_wake_running(struct tsr_riscv *riscv)
{
    riscv->polls.woken = false;
    riscv->polls.watched = 0;
}

#endif
