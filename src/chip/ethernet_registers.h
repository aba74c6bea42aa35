// SPDX-License-Identifier: Apache-2.0
// Tile control of an Ethernet tile, for its cores, the NoC and a host.
// Pages: WormholeB0/EthernetTile/TileControlDebugStatus.md, EthernetTile/BabyRISCV/README.md of
// each chip.
#ifndef TESSERA_CHIP_ETHERNET_REGISTERS_H
#define TESSERA_CHIP_ETHERNET_REGISTERS_H

#include "chip/ethernet_state.h"
#include "chip/sparse.h"

// What the memory map of the chip's Ethernet tiles says of an address beyond L1 and data RAM.
enum tsr_ethernet_place {
    TSR_ETHERNET_NOTHING, // it is none of these
    TSR_ETHERNET_REGISTER,
    TSR_ETHERNET_MISSING
};
enum tsr_ethernet_place tsr_ethernet_place_of(tsr_arch arch, uint32_t address);

// Addresses of registers, to be had by ETHERNET_AT().
enum tsr_ethernet_register {
#define ETHERNET_REGISTER(name, address) TSR_ETHERNET_##name = (int)(address),
#define ETHERNET_CONTROL(name, address, size)                                                      \
    TSR_ETHERNET_##name = (int)(address), TSR_ETHERNET_##name##_BYTES = (size),
#include "machine/chip_memory.def"
};
#define ETHERNET_AT(name) ((uint32_t)TSR_ETHERNET_##name)

static inline bool tsr_ethernet_is_debug(uint32_t address)
{
    return address - ETHERNET_AT(DEBUG) < ETHERNET_AT(DEBUG_END) - ETHERNET_AT(DEBUG) ||
           address == ETHERNET_AT(DAISY_DATA) || address == ETHERNET_AT(DAISY_TRIGGER);
}

// As firmware leaves the registers, of one whose bytes are all 0.
void tsr_ethernet_control_begin(struct tsr_ethernet_control *control);
// Whether the aligned word at the address is one that does something, or shows what does.
bool tsr_ethernet_is_control(tsr_arch arch, uint32_t address);
// Such a word, or one of those that keep what is written, at cycle `tile->now`.
uint32_t tsr_ethernet_load(struct tsr_ethernet *tile, uint32_t address);
void tsr_ethernet_store(struct tsr_ethernet *tile, uint32_t address, uint32_t value);
// Up to which cycle a load there changes nothing, and gives the same unless something in the tile
// changes. 0: it does not.
uint64_t tsr_ethernet_quiet_until(const struct tsr_ethernet *tile, uint32_t address);

// Whether a store of `value` to what is TSR_ETHERNET_MISSING switches off what is off already.
bool tsr_ethernet_stays_off(tsr_arch arch, uint32_t address, uint32_t value);
// What soft reset holds at first: all cores that the chip has.
uint32_t tsr_ethernet_held_at_first(tsr_arch arch);
// Of the cores that the chip has.
unsigned tsr_ethernet_core_count(tsr_arch arch);
tsr_core tsr_ethernet_core_name(tsr_arch arch, unsigned core);
uint32_t tsr_ethernet_reset_pc(struct tsr_ethernet *tile, unsigned core); // where it begins
bool tsr_ethernet_core_held(const struct tsr_ethernet *tile, unsigned core);

// Wormhole's instruction RAM: whether a core that is not in reset executes from there, whether it
// is being loaded, and what was wrong with the last load that was asked for (NULL: nothing, or that
// has been asked already).
bool tsr_ethernet_in_iram(const struct tsr_ethernet *tile, unsigned core);
bool tsr_ethernet_iram_busy(const struct tsr_ethernet *tile, uint64_t now);
const char *tsr_ethernet_iram_fault(struct tsr_ethernet *tile);

// Where the cores find the wall clock, so that a load of it takes no call.
struct tsr_riscv_clock tsr_ethernet_clock(struct tsr_ethernet *tile);
// How far the prefetcher of a core's instruction cache goes (tsr_riscv_bus.prefetches).
unsigned tsr_ethernet_prefetches(const struct tsr_ethernet *tile, uint32_t address);

#endif
