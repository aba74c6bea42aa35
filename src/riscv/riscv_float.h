// SPDX-License-Identifier: Apache-2.0
// F and Zfh instructions of Blackhole's cores.
// Pages: InstructionSet.md and CSRs.md of BlackholeA0/TensixTile/BabyRISCV.
#ifndef TESSERA_RISCV_RISCV_FLOAT_H
#define TESSERA_RISCV_RISCV_FLOAT_H

#include "riscv/riscv_access.h"

enum tsr_riscv_went tsr_riscv_execute_float(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                            struct tsr_riscv_place place,
                                            const struct tsr_riscv_op *op);

#endif
