// SPDX-License-Identifier: Apache-2.0
// The tile's control, debug and status registers in the address map.
// Page: TileControlDebugStatus.md.
#ifndef TESSERA_TILE_MAP_DEBUG_H
#define TESSERA_TILE_MAP_DEBUG_H

#include "tile/access.h"

tsr_status tsr_access_debug(struct tsr_access *access);

#endif
