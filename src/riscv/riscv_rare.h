// SPDX-License-Identifier: Apache-2.0
// Instructions that the inner loop leaves to others: CSRs, atomics, floating point, and all
// that is refused.
// Pages: CSRs.md and MemoryOrdering.md of BlackholeA0/TensixTile/BabyRISCV.
#ifndef TESSERA_RISCV_RISCV_RARE_H
#define TESSERA_RISCV_RISCV_RARE_H

#include "riscv/riscv_access.h"

enum tsr_riscv_went tsr_riscv_execute_rare(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                           struct tsr_riscv_place place,
                                           const struct tsr_riscv_op *op);

#endif
