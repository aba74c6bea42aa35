// SPDX-License-Identifier: Apache-2.0
// Stores of the cores that take a shorter way than the address map's; see core_stores.c.
#ifndef TESSERA_TILE_CORE_STORES_H
#define TESSERA_TILE_CORE_STORES_H

#include "tile/tile_state.h"

// A store of a whole word in the name of `core`, as the address map has it. False: nothing has
// changed, and the address map has to say.
bool tsr_core_store_at_once(struct tsr_tile *tile, int core, uint32_t address, uint32_t value);

// With timing off. The core has posted a semaphore, and now changes what units sample, before the
// coprocessor has had a turn.
bool tsr_core_store_overtakes(const struct tsr_tile *tile, int core, uint32_t address,
                              uint32_t value);
// The core has stored there. Notes a post until the coprocessor has its turn.
void tsr_core_note_post(struct tsr_tile *tile, int core, uint32_t address, uint32_t value);

#endif
