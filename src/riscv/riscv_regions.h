// SPDX-License-Identifier: Apache-2.0
// What of the address map the cores themselves need: where L1 is, where .ttinsn is stored to, and
// how long a load takes from where.
// Pages: BabyRISCV/README.md and PushTensixInstruction.md of each chip.
#ifndef TESSERA_RISCV_RISCV_REGIONS_H
#define TESSERA_RISCV_RISCV_REGIONS_H

#include <tessera/tessera.h>

#include <stdbool.h>

enum tsr_riscv_place_of { TSR_RISCV_L1, TSR_RISCV_OWN_RAM, TSR_RISCV_ELSEWHERE };

uint32_t tsr_riscv_push_address(void);
enum tsr_riscv_place_of tsr_riscv_where(tsr_arch arch, uint32_t address);
bool tsr_riscv_is_dst(tsr_arch arch, uint32_t address); // in the window of Blackhole's T cores
// From the cycle in which a load begins to where its value can be used.
uint32_t tsr_riscv_load_cycles(tsr_arch arch, uint32_t address);

#endif
