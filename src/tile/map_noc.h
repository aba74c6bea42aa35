// SPDX-License-Identifier: Apache-2.0
// The NoC interfaces and the NoC overlay in a tile's address map.
// Pages: BabyRISCV/README.md, NoC/MemoryMap.md of each chip.
#ifndef TESSERA_TILE_MAP_NOC_H
#define TESSERA_TILE_MAP_NOC_H

#include "tile/access.h"

// `unit`: the NoC, or TSR_NOC_OVERLAY.
tsr_status tsr_access_noc(struct tsr_access *access, int unit);

#endif
