// SPDX-License-Identifier: Apache-2.0
// The regions of machine/addresses.def and what a load from each costs (machine/riscv_timing.def).
// Pages: BabyRISCV/README.md and PushTensixInstruction.md of each chip.
#include "riscv/riscv_regions.h"

enum {
#define REGION(name, ...) AT_##name,
#include "machine/addresses.def"
    REGIONS
};

struct region {
    uint32_t base, size;
};

static const struct region regions[TSR_ARCH_COUNT][REGIONS] = {
    {
#define WH(base, size, ...)                                                                        \
    {                                                                                              \
        base, size                                                                                 \
    }
#define WH_NONE                                                                                    \
    {                                                                                              \
        0, 0                                                                                       \
    }
#define REGION(name, wh, bh, page) wh,
#include "machine/addresses.def"
    },
    {
#define BH(base, size, ...)                                                                        \
    {                                                                                              \
        base, size                                                                                 \
    }
#define BH_NONE                                                                                    \
    {                                                                                              \
        0, 0                                                                                       \
    }
#define REGION(name, wh, bh, page) bh,
#include "machine/addresses.def"
    },
};

// 0: a region without a row.
static const uint8_t cycles[TSR_ARCH_COUNT][REGIONS] = {
    {
#define RISCV_LOAD(region, wh, bh, source) [AT_##region] = wh,
#include "machine/riscv_timing.def"
    },
    {
#define RISCV_LOAD(region, wh, bh, source) [AT_##region] = bh,
#include "machine/riscv_timing.def"
    },
};

uint32_t tsr_riscv_push_address(void)
{
    return regions[TSR_BLACKHOLE_A0][AT_PUSH].base; // and Wormhole's
}

static bool in_region(tsr_arch arch, int region, uint32_t address)
{
    return address - regions[arch][region].base < regions[arch][region].size;
}

enum tsr_riscv_place_of tsr_riscv_where(tsr_arch arch, uint32_t address)
{
    if (in_region(arch, AT_L1, address))
        return TSR_RISCV_L1;
    // The RAM of a T core is the first part of what B's takes.
    return in_region(arch, AT_LOCAL_RAM, address) ? TSR_RISCV_OWN_RAM : TSR_RISCV_ELSEWHERE;
}

bool tsr_riscv_is_dst(tsr_arch arch, uint32_t address)
{
    return in_region(arch, AT_DST_WINDOW, address);
}

uint32_t tsr_riscv_load_cycles(tsr_arch arch, uint32_t address)
{
    for (int i = 0; i < REGIONS; i++)
        if (cycles[arch][i] && in_region(arch, i, address))
            return cycles[arch][i];
    return cycles[arch][AT_L1];
}
