// SPDX-License-Identifier: Apache-2.0
// The tiles of a chip, which are made when they are touched.
#ifndef TESSERA_CHIP_NODE_TILE_H
#define TESSERA_CHIP_NODE_TILE_H

#include "chip/chip_state.h"

// The tile of a Tensix node, made if need be, at the chip's cycle, and active from now on. NULL: no
// memory, or not a Tensix node.
tsr_tile *tsr_node_tile(tsr_chip *chip, struct tsr_node *node);

#endif
