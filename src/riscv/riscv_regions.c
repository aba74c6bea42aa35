// SPDX-License-Identifier: Apache-2.0
// What a load from each region of the address map costs (machine/riscv_timing.def).
// Page: BabyRISCV/README.md of each chip.
#include "riscv/riscv_regions.h"

// 0: a region without a row.
static const uint8_t cycles[TSR_ARCH_COUNT][REGION_COUNT] = {
    {
#define RISCV_LOAD(region, wh, bh, source) [REGION_##region] = wh,
#include "machine/riscv_timing.def"
    },
    {
#define RISCV_LOAD(region, wh, bh, source) [REGION_##region] = bh,
#include "machine/riscv_timing.def"
    },
};

enum place { RAM, ELSEWHERE, PLACES };
static const uint8_t of_ethernet[TSR_ARCH_COUNT][PLACES] = {
    {
#define RISCV_ETHERNET_LOAD(where, wh, bh, source) [where] = wh,
#include "machine/riscv_timing.def"
    },
    {
#define RISCV_ETHERNET_LOAD(where, wh, bh, source) [where] = bh,
#include "machine/riscv_timing.def"
    },
};

uint32_t tsr_riscv_load_cycles(const struct tsr_riscv *riscv, uint32_t address)
{
    if (tsr_riscv_of_ethernet(riscv->core))
        return of_ethernet[riscv->arch][tsr_riscv_is_own_ram(riscv, address) ? RAM : ELSEWHERE];
    enum tsr_region_id region =
        tsr_region_find(riscv->bus->regions, tsr_isa(riscv->arch), (unsigned)riscv->core, address);
    uint32_t found = region < REGION_COUNT ? cycles[riscv->arch][region] : 0;
    return found ? found : cycles[riscv->arch][REGION_L1];
}

void tsr_riscv_note_memories(struct tsr_riscv *riscv)
{
    bool ethernet = tsr_riscv_of_ethernet(riscv->core);
    enum tsr_region_id ram = tsr_local_ram_region(riscv->core);
    const uint8_t *of = cycles[riscv->arch], *there = of_ethernet[riscv->arch];
    riscv->ram_size = tsr_isa(riscv->arch)->region[ram].size;
    riscv->ram_cycles = ethernet ? there[RAM] : of[ram];
    riscv->l1_cycles = ethernet ? there[ELSEWHERE] : of[REGION_L1];
}
