// SPDX-License-Identifier: Apache-2.0
// Soft reset, reset program counters, cycle counters, and the load of the instruction RAM. All
// other registers of tile control keep what is written and do nothing else (errata 537).
// Pages: WormholeB0/EthernetTile/CycleCounters.md, BabyRISCV/InstructionCache.md there,
// EthernetTile/BabyRISCV/README.md of each chip.
#include "chip/ethernet_registers.h"

#include "chip/sparse.h"

#include <limits.h>
#include <string.h>

enum { REGISTERS = (int)0xffb10000, REGISTERS_BYTES = 0x10000 };
enum control_register {
    PREFETCH_CTRL = 0x20b8, // ETH_RISC_PREFECTH_CTRL, and where the last address is
    PREFETCH_PC = 0x20bc,
    SOFT_RESET = 0x21b0,
    WDT = 0x21e0,
    WDT_CNTL = 0x21e4,
    WDT_STATUS = 0x21e8,
    WALL_CLOCK_L = 0x21f0,
    WALL_CLOCK_1 = 0x21f4,
    WALL_CLOCK_H = 0x21f8
};
// Wormhole's, from ETH_CTRL_REGS_START.
enum { TEST_SUM = (int)0xffb94080, IRAM_LOAD = (int)0xffb94098 };

static const struct core_row {
    uint8_t arch, core, reset_bit;
    uint32_t pc, pc_register;
} row_of[] = {
#define ETHERNET_CORE(chip, name, program, reset_bit, pc, pc_register)                             \
    {TSR_##chip, TSR_CORE_##name, reset_bit, pc, pc_register},
#include "machine/cores.def"
};

// NULL: the chip has no such core.
static const struct core_row *row(tsr_arch arch, unsigned core)
{
    for (size_t i = 0; i < sizeof row_of / sizeof *row_of; i++)
        if (row_of[i].arch == arch && core-- == 0)
            return &row_of[i];
    return NULL;
}

unsigned tsr_ethernet_core_count(tsr_arch arch)
{
    unsigned count = 0;
    while (row(arch, count))
        count++;
    return count;
}

tsr_core tsr_ethernet_core_name(tsr_arch arch, unsigned core)
{
    return (tsr_core)row(arch, core)->core;
}

// ---------------------------------------------------------------- words that are kept

static uint32_t kept(const struct tsr_ethernet *tile, uint32_t offset)
{
    uint32_t value;
    tsr_sparse_read(tile->registers, offset, &value, sizeof value);
    return value;
}

static void keep(struct tsr_ethernet *tile, uint32_t offset, uint32_t value)
{
    (void)tsr_sparse_write(tile->registers, offset, &value, sizeof value);
}

// ---------------------------------------------------------------- soft reset

bool tsr_ethernet_core_held(const struct tsr_ethernet *tile, unsigned core)
{
    return kept(tile, SOFT_RESET) >> row(tile->arch, core)->reset_bit & 1;
}

static uint32_t reset_pc(const struct tsr_ethernet *tile, unsigned core)
{
    const struct core_row *of = row(tile->arch, core);
    uint32_t pc = of->pc_register ? kept(tile, of->pc_register - (uint32_t)REGISTERS) : 0;
    return pc ? pc : of->pc;
}

// Blackhole's local data RAM is cleared meanwhile, a word a cycle, as in a Tensix tile (errata
// 439).
static void leave_reset(struct tsr_ethernet *tile, unsigned number)
{
    struct tsr_ethernet_core *core = &tile->core[number];
    tsr_hart_reset(&core->hart, reset_pc(tile, number), tile->now);
    memset(&core->poll, 0, sizeof core->poll);
    core->next = core->since = tile->now;
    if (tile->arch == TSR_BLACKHOLE_A0) {
        memset(core->ram, 0, sizeof core->ram);
        core->hart.times.ram_cleared = tile->now + sizeof core->ram / 4;
    }
}

static void set_soft_reset(struct tsr_ethernet *tile, uint32_t value)
{
    uint32_t leaving = kept(tile, SOFT_RESET) & ~value;
    keep(tile, SOFT_RESET, value);
    for (unsigned core = 0; core < tsr_ethernet_core_count(tile->arch); core++)
        if (leaving >> row(tile->arch, core)->reset_bit & 1)
            leave_reset(tile, core);
}

// ---------------------------------------------------------------- counters

static uint32_t watchdog(const struct tsr_ethernet *tile)
{
    const struct tsr_ethernet_control *control = &tile->control;
    uint64_t passed = control->watchdog_runs ? tile->now - control->counted : 0;
    return passed < control->watchdog ? control->watchdog - (uint32_t)passed : 0;
}

static void set_watchdog(struct tsr_ethernet *tile, uint32_t value)
{
    tile->control.watchdog = value;
    tile->control.counted = tile->now;
}

// 16 KiB of L1 from a unit of 16 bytes on, at once.
static void load_iram(struct tsr_ethernet *tile, uint32_t unit)
{
    enum { UNIT = 16 };
    uint64_t from = (uint64_t)unit * UNIT, size = sizeof tile->iram;
    if (from >= tile->l1->size)
        size = 0;
    else if (size > tile->l1->size - from)
        size = tile->l1->size - from;
    memset(tile->iram, 0, sizeof tile->iram);
    tsr_sparse_read(tile->l1, from, tile->iram, (size_t)size);
    tile->code.generation++;
}

// ---------------------------------------------------------------- accesses

bool tsr_ethernet_is_control(tsr_arch arch, uint32_t address)
{
    switch (address - (uint32_t)REGISTERS) {
    case SOFT_RESET:
    case WDT:
    case WDT_CNTL:
    case WDT_STATUS:
    case WALL_CLOCK_L:
    case WALL_CLOCK_1:
    case WALL_CLOCK_H:
        return true;
    default:
        return arch == TSR_WORMHOLE_B0 &&
               (address == (uint32_t)TEST_SUM || address == (uint32_t)IRAM_LOAD);
    }
}

bool tsr_ethernet_quiet(tsr_arch arch, uint32_t address)
{
    uint32_t offset = address - (uint32_t)REGISTERS;
    return !tsr_ethernet_is_control(arch, address) || offset == SOFT_RESET || offset == WDT_CNTL ||
           address == (uint32_t)TEST_SUM || address == (uint32_t)IRAM_LOAD;
}

uint32_t tsr_ethernet_load(struct tsr_ethernet *tile, uint32_t address)
{
    struct tsr_ethernet_control *control = &tile->control;
    if (address == (uint32_t)TEST_SUM)
        return control->test_sum;
    if (address == (uint32_t)IRAM_LOAD)
        return 0; // complete
    switch (address - (uint32_t)REGISTERS) {
    case WDT:
        return watchdog(tile);
    case WDT_STATUS:
        return control->watchdog_runs && watchdog(tile) == 0;
    case WALL_CLOCK_L:
        control->clock_high = (uint32_t)(tile->now >> 32);
        return (uint32_t)tile->now;
    case WALL_CLOCK_1:
        return (uint32_t)(tile->now >> 32);
    case WALL_CLOCK_H:
        return control->clock_high;
    default:
        return kept(tile, address - (uint32_t)REGISTERS);
    }
}

void tsr_ethernet_store(struct tsr_ethernet *tile, uint32_t address, uint32_t value)
{
    struct tsr_ethernet_control *control = &tile->control;
    if (address == (uint32_t)TEST_SUM)
        control->test_sum += value;
    else if (address == (uint32_t)IRAM_LOAD)
        load_iram(tile, value);
    else
        switch (address - (uint32_t)REGISTERS) {
        case SOFT_RESET:
            set_soft_reset(tile, value);
            break;
        case WDT:
            set_watchdog(tile, value);
            break;
        case WDT_CNTL:
            set_watchdog(tile, watchdog(tile));
            control->watchdog_runs = value & 1;
            keep(tile, WDT_CNTL, value);
            break;
        case WALL_CLOCK_L:
            control->clock_high = (uint32_t)(tile->now >> 32);
            break;
        case WDT_STATUS:
        case WALL_CLOCK_1:
        case WALL_CLOCK_H:
            break;
        default:
            keep(tile, address - (uint32_t)REGISTERS, value);
            break;
        }
}

struct tsr_riscv_clock tsr_ethernet_clock(struct tsr_ethernet *tile)
{
    return (struct tsr_riscv_clock){.low_at = (uint32_t)REGISTERS + WALL_CLOCK_L,
                                    .high_at = (uint32_t)REGISTERS + WALL_CLOCK_H,
                                    .high = &tile->control.clock_high};
}

// As long as nobody has written the word that enables it, it works without a limit (errata 488).
unsigned tsr_ethernet_prefetches(const struct tsr_ethernet *tile, uint32_t address)
{
    enum { MOST_AT = 8, MOST = 0xff };
    uint32_t control = kept(tile, PREFETCH_CTRL), end = kept(tile, PREFETCH_PC);
    if (end != 0 && address > end)
        return 0;
    if (control == 0)
        return UINT_MAX;
    return control & 1 ? control >> MOST_AT & MOST : 0;
}
