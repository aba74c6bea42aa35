// SPDX-License-Identifier: Apache-2.0
// TDMA-RISC's registers in the address map. Page: TDMA-RISC.md.
#ifndef TESSERA_TILE_MAP_TDMA_H
#define TESSERA_TILE_MAP_TDMA_H

#include "tile/access.h"

tsr_status tsr_access_tdma(struct tsr_access *access);

#endif
