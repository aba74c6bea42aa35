// SPDX-License-Identifier: Apache-2.0
// The debug interface of the cores that a Tensix tile interprets. Page:
// BabyRISCV/DebugInterface.md.
#ifndef TESSERA_TILE_CORE_DEBUG_H
#define TESSERA_TILE_CORE_DEBUG_H

#include "tile/access.h"
#include "tile/debug_interface.h"
#include "tile/tile_state.h"

// RISC_DBG_CNTL_0 and what follows it, by their place from there.
tsr_status tsr_access_core_debug(struct tsr_access *access, unsigned index);

// Every instruction of the core has to be looked at.
static inline bool tsr_core_debugged(const struct tsr_state *state, unsigned core)
{
    return core < TSR_DEBUGGED_CORES && state->cores.debug[core].looks;
}
// Before an instruction of such a core. False: it has paused instead.
bool tsr_core_debug_begin(struct tsr_tile *tile, unsigned core, struct tsr_riscv_next *next);
// Behind that instruction, of which `executed` were executed, 0 or 1: pauses the core where it has
// to.
void tsr_core_debug_end(struct tsr_tile *tile, unsigned core, const struct tsr_riscv_next *next,
                        uint64_t executed);

#endif
