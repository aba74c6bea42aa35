// SPDX-License-Identifier: Apache-2.0
// The debug interface of an Ethernet tile's cores. Page: BabyRISCV/DebugInterface.md.
#ifndef TESSERA_CHIP_ETHERNET_DEBUG_H
#define TESSERA_CHIP_ETHERNET_DEBUG_H

#include "chip/ethernet_state.h"

// A word of those for which tsr_ethernet_is_debug() says so; `agent` is a tsr_core of the tile, or
// TSR_AGENT_HOST.
void tsr_ethernet_debug(struct tsr_ethernet *tile, int agent, uint32_t address, bool store,
                        uint32_t *value);

// Every instruction of the core has to be looked at.
static inline bool tsr_ethernet_debugged(const struct tsr_ethernet *tile, unsigned core)
{
    return tile->debug[core].looks;
}
// One of the core's at most, at cycle `tile->now`, by tsr_riscv_step() with timing on. Returns how
// many it executed.
uint64_t tsr_ethernet_debug_execute(struct tsr_ethernet *tile, unsigned core);

#endif
