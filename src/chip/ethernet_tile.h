// SPDX-License-Identifier: Apache-2.0
// An Ethernet tile with cores: made when a register that does something is accessed, and run by the
// chip's windows. Page: EthernetTile/BabyRISCV/README.md of each chip.
#ifndef TESSERA_CHIP_ETHERNET_TILE_H
#define TESSERA_CHIP_ETHERNET_TILE_H

#include "chip/chip_state.h"
#include "chip/ethernet_state.h"

// Of an Ethernet node, whose L1 is `l1` and whose kept registers are `registers`. NULL: no memory.
struct tsr_ethernet *tsr_ethernet_make(struct tsr_node *node, struct tsr_sparse *l1,
                                       struct tsr_sparse *registers);
void tsr_ethernet_free(struct tsr_ethernet *tile); // NULL is allowed
// Somebody outside acts on the tile, if it has been made: its cores hear of it.
void tsr_ethernet_touch(struct tsr_node *node);
// Bytes of L1 that somebody outside has written.
void tsr_ethernet_wrote(struct tsr_node *node, uint64_t address, size_t size);

// Runs up to the cycle, a window's end. True: nothing moves any more until somebody outside acts.
bool tsr_ethernet_run_to(struct tsr_ethernet *tile, uint64_t cycle);
// A core executes, or waits for something; `core` is a number from 0, whether there is one or not.
bool tsr_ethernet_core_alive(const struct tsr_ethernet *tile, unsigned core);
bool tsr_ethernet_has_work(const struct tsr_ethernet *tile);
// Whether the core is one of the chip's.
bool tsr_ethernet_core_of(tsr_arch arch, tsr_core core, unsigned *number);
void tsr_ethernet_core_state(const struct tsr_ethernet *tile, unsigned core, tsr_core_state *out);

#endif
