// SPDX-License-Identifier: Apache-2.0
// What a core that the tile interprets waits for, in words.
// Pages: BabyRISCV/README.md, Mailboxes.md, PCBufs.md, TTSync.md.
#ifndef TESSERA_TILE_CORE_WAITS_H
#define TESSERA_TILE_CORE_WAITS_H

#include "tile/tile_state.h"

// False: the core waits for nothing.
bool tsr_core_waits(const struct tsr_tile *tile, unsigned core);
void tsr_core_explain(const struct tsr_tile *tile, unsigned core, tsr_wait *wait);

#endif
