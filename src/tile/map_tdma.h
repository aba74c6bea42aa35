// SPDX-License-Identifier: Apache-2.0
// TDMA-RISC's registers in the address map. Page: TDMA-RISC.md.
#ifndef TESSERA_TILE_MAP_TDMA_H
#define TESSERA_TILE_MAP_TDMA_H

#include "tile/access.h"

tsr_status tsr_access_tdma(struct tsr_access *access);
// A load from there changes nothing, and gives the same until something in the tile changes.
bool tsr_tdma_quiet(uint32_t offset);

#endif
