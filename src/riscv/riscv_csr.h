// SPDX-License-Identifier: Apache-2.0
// The control and status registers of Blackhole's cores.
// Page: BlackholeA0/TensixTile/BabyRISCV/CSRs.md.
#ifndef TESSERA_RISCV_RISCV_CSR_H
#define TESSERA_RISCV_RISCV_CSR_H

#include "riscv/riscv_access.h"

// CSRRW and its kin. False: a finding stopped the tile, and nothing has changed.
bool tsr_riscv_execute_csr(struct tsr_riscv *riscv, struct tsr_hart *hart,
                           struct tsr_riscv_place place, const struct tsr_riscv_op *op);

#endif
