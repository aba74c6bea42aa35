// SPDX-License-Identifier: Apache-2.0
// The debug daisychain's registers, which are among the debug registers. Page: DebugDaisychain.md.
#ifndef TESSERA_TILE_DEBUG_DAISYCHAIN_H
#define TESSERA_TILE_DEBUG_DAISYCHAIN_H

#include "tile/access.h"

// DBG_BUS_CNTL_REG, DBG_RD_DATA.
tsr_status tsr_access_daisy_control(struct tsr_access *access);
tsr_status tsr_access_daisy_data(struct tsr_access *access);
// DBG_L1_MEM_REG0 to DBG_L1_MEM_REG2, by their place from the first.
tsr_status tsr_access_daisy_sample(struct tsr_access *access, unsigned index);

#endif
