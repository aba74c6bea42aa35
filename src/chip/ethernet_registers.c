// SPDX-License-Identifier: Apache-2.0
// Soft reset, reset program counters, cycle counters, Wormhole's interrupt controller and the load
// of its instruction RAM. All other registers of tile control keep what is written and do nothing
// else (errata 537).
// Pages: WormholeB0/EthernetTile/SoftReset.md, TileControlDebugStatus.md, CycleCounters.md,
// BabyRISCV/InstructionCache.md and InstructionRAM.md there, WormholeB0/TensixTile/PIC.md,
// EthernetTile/BabyRISCV/README.md of each chip.
#include "chip/ethernet_registers.h"

#include "chip/grid.h"
#include "chip/sparse.h"
#include "isa/isa.h"
#include "tile/debug_interface.h"
#include "tile/map_interrupts.h"

#include <limits.h>
#include <string.h>

enum { MAC_ENABLE = 1 }; // of each of its two words

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

uint32_t tsr_ethernet_held_at_first(tsr_arch arch)
{
    uint32_t held = 0;
    for (unsigned core = 0; row(arch, core); core++)
        held |= 1u << row(arch, core)->reset_bit;
    return held;
}

tsr_status tsr_ethernet_core_at(tsr_arch arch, tsr_core core, tsr_ethernet_core_info *out)
{
    unsigned number = 0;
    if ((unsigned)arch >= TSR_ARCH_COUNT || !out)
        return TSR_BAD_ARGUMENT;
    while (row(arch, number) && row(arch, number)->core != core)
        number++;
    const struct core_row *of = row(arch, number);
    if (!of)
        return TSR_NOT_FOUND;
    *out = (tsr_ethernet_core_info){.soft_reset = ETHERNET_AT(SOFT_RESET),
                                    .pc = of->pc_register,
                                    .soft_reset_bit = of->reset_bit};
    return TSR_OK;
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

// ---------------------------------------------------------------- what is where

enum tsr_ethernet_place tsr_ethernet_place_of(tsr_arch arch, uint32_t address)
{
    static const uint8_t place_of[] = {[TSR_PART_REGISTERS] = TSR_ETHERNET_REGISTER,
                                       [TSR_PART_CONTROL] = TSR_ETHERNET_REGISTER,
                                       [TSR_PART_MISSING] = TSR_ETHERNET_MISSING};
    static const struct {
        uint8_t arch, kind, part;
        uint64_t base, size;
    } rows[] = {
#define MEMORY(chip, kind, what, base, size)                                                       \
    {TSR_##chip, TSR_NODE_##kind, TSR_PART_##what, base, size},
#include "machine/chip_memory.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].arch == arch && rows[i].kind == TSR_NODE_ETHERNET &&
            place_of[rows[i].part] != TSR_ETHERNET_NOTHING && address >= rows[i].base &&
            address - rows[i].base < rows[i].size)
            return (enum tsr_ethernet_place)place_of[rows[i].part];
    return TSR_ETHERNET_NOTHING;
}

bool tsr_ethernet_stays_off(tsr_arch arch, uint32_t address, uint32_t value)
{
    enum {
#define ETHERNET_MODES(address, size, count) MODES = (int)(address), COUNT = (count)
#include "machine/chip_memory.def"
    };
    return arch == TSR_BLACKHOLE_A0 && value == 0 && address - (uint32_t)MODES < 4 * COUNT;
}

// ---------------------------------------------------------------- words that are kept

static uint32_t kept(const struct tsr_ethernet *tile, uint32_t address)
{
    uint32_t value;
    tsr_sparse_read(tile->registers, address - ETHERNET_AT(REGISTERS), &value, sizeof value);
    return value;
}

static void keep(struct tsr_ethernet *tile, uint32_t address, uint32_t value)
{
    (void)tsr_sparse_write(tile->registers, address - ETHERNET_AT(REGISTERS), &value, sizeof value);
}

// Of those beyond the range. NULL: it does something else.
static uint32_t *word_at(struct tsr_ethernet *tile, uint32_t address)
{
    struct tsr_ethernet_control *control = &tile->control;
    uint32_t scratch = address - ETHERNET_AT(SCRATCH), mac = address - ETHERNET_AT(MAC);
    if (scratch < TSR_ETHERNET_SCRATCH_BYTES)
        return &control->scratch[scratch / 4];
    if (mac < TSR_ETHERNET_MAC_BYTES)
        return &control->mac[mac / 4];
    return tile->arch == TSR_WORMHOLE_B0 && address == row(tile->arch, 0)->pc_register
               ? &control->reset_pc
               : NULL;
}

// ---------------------------------------------------------------- soft reset

bool tsr_ethernet_core_held(const struct tsr_ethernet *tile, unsigned core)
{
    return kept(tile, ETHERNET_AT(SOFT_RESET)) >> row(tile->arch, core)->reset_bit & 1;
}

uint32_t tsr_ethernet_reset_pc(struct tsr_ethernet *tile, unsigned core)
{
    const struct core_row *of = row(tile->arch, core);
    const uint32_t *word = word_at(tile, of->pc_register);
    uint32_t pc = word ? *word : kept(tile, of->pc_register);
    return pc ? pc : of->pc;
}

// Blackhole's local data RAM is cleared meanwhile, a word a cycle, as in a Tensix tile (errata
// 439).
static void leave_reset(struct tsr_ethernet *tile, unsigned number)
{
    struct tsr_ethernet_core *core = &tile->core[number];
    tsr_hart_reset(&core->hart, tsr_ethernet_reset_pc(tile, number), tile->now);
    tsr_debug_leave_reset(&tile->debug[number]);
    memset(&core->poll, 0, sizeof core->poll);
    core->next = core->since = tile->now;
    if (tile->arch == TSR_BLACKHOLE_A0) {
        memset(core->ram, 0, sizeof core->ram);
        core->hart.times.ram_cleared = tile->now + sizeof core->ram / 4;
    }
}

static void set_soft_reset(struct tsr_ethernet *tile, uint32_t value)
{
    uint32_t before = kept(tile, ETHERNET_AT(SOFT_RESET)), leaving = before & ~value,
             entering = value & ~before;
    keep(tile, ETHERNET_AT(SOFT_RESET), value);
    for (unsigned core = 0; core < tsr_ethernet_core_count(tile->arch); core++) {
        unsigned bit = row(tile->arch, core)->reset_bit;
        if (entering >> bit & 1)
            tsr_debug_enter_reset(&tile->debug[core], &tile->core[core].hart);
        if (leaving >> bit & 1)
            leave_reset(tile, core);
    }
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

// ---------------------------------------------------------------- instruction RAM

bool tsr_ethernet_in_iram(const struct tsr_ethernet *tile, unsigned core)
{
    const struct tsr_region *iram = &tsr_isa(tile->arch)->region[REGION_IRAM];
    return !tsr_ethernet_core_held(tile, core) &&
           tile->core[core].hart.pc - iram->base < iram->size;
}

bool tsr_ethernet_iram_busy(const struct tsr_ethernet *tile, uint64_t now)
{
    return now < tile->control.iram_until;
}

const char *tsr_ethernet_iram_fault(struct tsr_ethernet *tile)
{
    const char *why = tile->control.iram_fault;
    tile->control.iram_fault = NULL;
    return why;
}

// 16 KiB of L1 from a unit of 16 bytes on, as they are now (errata 438).
static void load_iram(struct tsr_ethernet *tile, uint32_t unit)
{
    enum { UNIT = 16, IRAM_CYCLES = TSR_ETHERNET_IRAM / (2 * UNIT) };
    struct tsr_ethernet_control *control = &tile->control;
    uint64_t from = (uint64_t)unit * UNIT, size = sizeof tile->iram;
    if (from >= tile->l1->size)
        size = 0;
    else if (size > tile->l1->size - from)
        size = tile->l1->size - from;
    memset(tile->iram, 0, sizeof tile->iram);
    tsr_sparse_read(tile->l1, from, tile->iram, (size_t)size);
    tile->code.generation++;
    control->iram_until = tile->timing ? tile->now + IRAM_CYCLES : 0;
    control->iram_told = tsr_ethernet_in_iram(tile, 0);
    if (control->iram_told)
        control->iram_fault = "while the core executes from it";
    else if ((control->mac[0] | control->mac[1]) & MAC_ENABLE)
        control->iram_fault =
            "while MAC may send or receive (0xffba0000, 0xffba0004), whose access "
            "ports to L1 that takes";
}

// ---------------------------------------------------------------- accesses

bool tsr_ethernet_is_control(tsr_arch arch, uint32_t address)
{
    switch (address) {
    case ETHERNET_AT(SOFT_RESET):
    case ETHERNET_AT(WDT):
    case ETHERNET_AT(WDT_CNTL):
    case ETHERNET_AT(WDT_STATUS):
    case ETHERNET_AT(WALL_CLOCK_L):
    case ETHERNET_AT(WALL_CLOCK_1):
    case ETHERNET_AT(WALL_CLOCK_H):
        return true;
    default:
        return tsr_ethernet_is_debug(address) ||
               (arch == TSR_WORMHOLE_B0 && address >= ETHERNET_AT(PIC) &&
                tsr_ethernet_place_of(arch, address) == TSR_ETHERNET_REGISTER);
    }
}

uint64_t tsr_ethernet_quiet_until(const struct tsr_ethernet *tile, uint32_t address)
{
    enum { PIC_NEXT_AT = 4 };
    uint32_t status = address - ETHERNET_AT(DEBUG_STATUS); // a core may pause by itself
    if (status < ETHERNET_AT(DEBUG_END) - ETHERNET_AT(DEBUG_STATUS) ||
        address == ETHERNET_AT(DAISY_DATA))
        return 0;
    switch (address) {
    case ETHERNET_AT(WDT):
    case ETHERNET_AT(WDT_STATUS):
    case ETHERNET_AT(WALL_CLOCK_L):
    case ETHERNET_AT(WALL_CLOCK_1):
    case ETHERNET_AT(WALL_CLOCK_H):
        return 0;
    default:
        break;
    }
    if (tile->arch == TSR_WORMHOLE_B0 && address == ETHERNET_AT(PIC) + PIC_NEXT_AT)
        return 0;
    if (address == ETHERNET_AT(IRAM_LOAD) && tsr_ethernet_iram_busy(tile, tile->now))
        return tile->control.iram_until;
    return UINT64_MAX;
}

uint32_t tsr_ethernet_load(struct tsr_ethernet *tile, uint32_t address)
{
    struct tsr_ethernet_control *control = &tile->control;
    const uint32_t *word = word_at(tile, address);
    uint32_t value = 0;
    if (word)
        return *word;
    if (address == ETHERNET_AT(TEST_SUM))
        return control->test_sum;
    if (address == ETHERNET_AT(IRAM_LOAD))
        return tsr_ethernet_iram_busy(tile, tile->now);
    if (address - ETHERNET_AT(PIC) < TSR_ETHERNET_PIC_BYTES && tile->arch == TSR_WORMHOLE_B0) {
        tsr_interrupts_load(&control->interrupts, address - ETHERNET_AT(PIC), &value);
        return value;
    }
    switch (address) {
    case ETHERNET_AT(WDT):
        return watchdog(tile);
    case ETHERNET_AT(WDT_STATUS):
        return control->watchdog_runs && watchdog(tile) == 0;
    case ETHERNET_AT(WALL_CLOCK_L):
        control->clock_high = (uint32_t)(tile->now >> 32);
        return (uint32_t)tile->now;
    case ETHERNET_AT(WALL_CLOCK_1):
        return (uint32_t)(tile->now >> 32);
    case ETHERNET_AT(WALL_CLOCK_H):
        return control->clock_high;
    default:
        return kept(tile, address);
    }
}

static void store_in_range(struct tsr_ethernet *tile, uint32_t address, uint32_t value)
{
    struct tsr_ethernet_control *control = &tile->control;
    switch (address) {
    case ETHERNET_AT(SOFT_RESET):
        set_soft_reset(tile, value);
        break;
    case ETHERNET_AT(WDT):
        set_watchdog(tile, value);
        break;
    case ETHERNET_AT(WDT_CNTL):
        set_watchdog(tile, watchdog(tile));
        control->watchdog_runs = value & 1;
        keep(tile, ETHERNET_AT(WDT_CNTL), value);
        break;
    case ETHERNET_AT(WALL_CLOCK_L):
        control->clock_high = (uint32_t)(tile->now >> 32);
        break;
    case ETHERNET_AT(WDT_STATUS):
    case ETHERNET_AT(WALL_CLOCK_1):
    case ETHERNET_AT(WALL_CLOCK_H):
        break;
    default:
        keep(tile, address, value);
        break;
    }
}

void tsr_ethernet_store(struct tsr_ethernet *tile, uint32_t address, uint32_t value)
{
    struct tsr_ethernet_control *control = &tile->control;
    uint32_t *word = word_at(tile, address);
    if (word)
        *word = value;
    else if (address == ETHERNET_AT(TEST_SUM))
        control->test_sum += value;
    else if (address == ETHERNET_AT(IRAM_LOAD))
        load_iram(tile, value);
    else if (address - ETHERNET_AT(PIC) < TSR_ETHERNET_PIC_BYTES && tile->arch == TSR_WORMHOLE_B0)
        tsr_interrupts_store(&control->interrupts, address - ETHERNET_AT(PIC), value);
    else
        store_in_range(tile, address, value);
}

void tsr_ethernet_control_begin(struct tsr_ethernet_control *control)
{
    control->watchdog = UINT32_MAX;
    control->mac[0] = 0x30000000 | MAC_ENABLE;
    control->mac[1] = 6 | MAC_ENABLE;
}

struct tsr_riscv_clock tsr_ethernet_clock(struct tsr_ethernet *tile)
{
    return (struct tsr_riscv_clock){.low_at = ETHERNET_AT(WALL_CLOCK_L),
                                    .high_at = ETHERNET_AT(WALL_CLOCK_H),
                                    .high = &tile->control.clock_high};
}

// As long as nobody has written the word that enables it, it works without a limit (errata 488).
unsigned tsr_ethernet_prefetches(const struct tsr_ethernet *tile, uint32_t address)
{
    enum { MOST_AT = 8, MOST = 0xff };
    uint32_t control = kept(tile, ETHERNET_AT(PREFETCH_CTRL)),
             end = kept(tile, ETHERNET_AT(PREFETCH_PC));
    if (end != 0 && address > end)
        return 0;
    if (control == 0)
        return UINT_MAX;
    return control & 1 ? control >> MOST_AT & MOST : 0;
}
