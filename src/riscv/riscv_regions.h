// SPDX-License-Identifier: Apache-2.0
// What of the address map the cores themselves need: where L1 is, where .ttinsn is stored to, and
// how long a load takes from where.
// Pages: BabyRISCV/README.md and PushTensixInstruction.md of each chip.
#ifndef TESSERA_RISCV_RISCV_REGIONS_H
#define TESSERA_RISCV_RISCV_REGIONS_H

#include "isa/isa.h"
#include "riscv/riscv_blocks.h"

static inline bool tsr_riscv_in_region(const struct tsr_riscv *riscv, enum tsr_region_id id,
                                       uint32_t address)
{
    const struct tsr_region *region = &tsr_isa(riscv->arch)->region[id];
    return address - region->base < region->size;
}

static inline bool tsr_riscv_is_l1(const struct tsr_riscv *riscv, uint32_t address)
{
    return tsr_riscv_in_region(riscv, REGION_L1, address);
}

// The RAM of a T core is the first part of what B's takes.
static inline bool tsr_riscv_is_own_ram(const struct tsr_riscv *riscv, uint32_t address)
{
    return tsr_riscv_in_region(riscv, REGION_LOCAL_RAM, address);
}

// In the window of Blackhole's T cores.
static inline bool tsr_riscv_is_dst(const struct tsr_riscv *riscv, uint32_t address)
{
    return tsr_riscv_in_region(riscv, REGION_DST_WINDOW, address);
}

static inline uint32_t tsr_riscv_push_address(const struct tsr_riscv *riscv)
{
    return tsr_isa(riscv->arch)->region[REGION_PUSH].base;
}

// Whether it is a core of an Ethernet tile, whose map is the chip's (src/chip/ethernet_bus.c) and
// has L1 and the local RAM where a Tensix tile has them.
static inline bool tsr_riscv_of_ethernet(int core)
{
    return core >= TSR_CORE_E;
}

// From the cycle in which a load begins to where its value can be used.
uint32_t tsr_riscv_load_cycles(const struct tsr_riscv *riscv, uint32_t address);
// The same of L1 and the own RAM, which is noted in `riscv`.
void tsr_riscv_note_memories(struct tsr_riscv *riscv);

#endif
