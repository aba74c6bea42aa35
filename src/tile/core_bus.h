// SPDX-License-Identifier: Apache-2.0
// What a core that the tile interprets sees of it.
// Page: BabyRISCV/README.md of each chip.
#ifndef TESSERA_TILE_CORE_BUS_H
#define TESSERA_TILE_CORE_BUS_H

#include "tile/tile_state.h"

// `bus->self` is the tile, `bus->now` is tile->cores.now.
void tsr_core_bus_fill(struct tsr_tile *tile, unsigned core, struct tsr_riscv_bus *bus);
// Which memory and FIFO the core may touch without a call, now.
void tsr_core_bus_views(struct tsr_tile *tile, unsigned core);
// The same with timing on, where the core has no FIFO. Once there is a view of L1, it stays as long
// as nothing there is tainted.
static inline void tsr_core_bus_look(struct tsr_tile *tile, unsigned core)
{
    if (tile->cores.bus[core].l1.size == 0 || tile->engine.env.state->l1.any_tainted)
        tsr_core_bus_views(tile, core);
}

#endif
