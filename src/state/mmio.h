// SPDX-License-Identifier: Apache-2.0
// Accesses of instructions to the registers that the tile shows them at 0xFFBxxxxx. Page:
// BabyRISCV/README.md of each chip (memory map, column "NoC").
#ifndef TESSERA_STATE_MMIO_H
#define TESSERA_STATE_MMIO_H

#include "state/state.h"

// 32 bits, through the tile's address map, which reports what it finds with `cause`.
tsr_status tsr_mmio_load(struct tsr_env *env, const struct tsr_inflight *cause, uint32_t address,
                         uint32_t *value);
tsr_status tsr_mmio_store(struct tsr_env *env, const struct tsr_inflight *cause, uint32_t address,
                          uint32_t value);

#endif
