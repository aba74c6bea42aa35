// SPDX-License-Identifier: Apache-2.0
// RISCV_DEBUG_REG_SOFT_RESET_0, which is among the debug registers.
// Page: SoftReset.md of each chip.
#ifndef TESSERA_TILE_SOFT_RESET_H
#define TESSERA_TILE_SOFT_RESET_H

#include "tile/access.h"

tsr_status tsr_access_soft_reset(struct tsr_access *access);

#endif
