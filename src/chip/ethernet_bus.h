// SPDX-License-Identifier: Apache-2.0
// What a core of an Ethernet tile sees of it. Page: EthernetTile/BabyRISCV/README.md of each chip.
#ifndef TESSERA_CHIP_ETHERNET_BUS_H
#define TESSERA_CHIP_ETHERNET_BUS_H

#include "chip/chip_state.h"
#include "chip/ethernet_state.h"

// `l1`: the tile's, in one piece.
void tsr_ethernet_bus_fill(struct tsr_ethernet *tile, unsigned core, uint8_t *l1);

#endif
