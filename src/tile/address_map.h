// SPDX-License-Identifier: Apache-2.0
// The tile's address map as units and cores see it.
// Page: BabyRISCV/README.md of each chip.
#ifndef TESSERA_TILE_ADDRESS_MAP_H
#define TESSERA_TILE_ADDRESS_MAP_H

#include "tile/tile_state.h"

// The port of tile->engine.env.
struct tsr_port tsr_address_map(struct tsr_tile *tile);

#endif
