// SPDX-License-Identifier: Apache-2.0
// How a core that the tile interprets is interrupted. Page: BlackholeA0/TensixTile/PIC.md.
#ifndef TESSERA_TILE_CORE_INTERRUPT_H
#define TESSERA_TILE_CORE_INTERRUPT_H

#include "tile/core_runs.h"

// Of a core that tsr_core_interrupted() tells of: its next instruction is the handler's first.
void tsr_core_interrupt(struct tsr_tile *tile, unsigned core);

#endif
