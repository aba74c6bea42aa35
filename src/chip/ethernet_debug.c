// SPDX-License-Identifier: Apache-2.0
// The debug interface of an Ethernet tile's cores, which is that of a Tensix tile's, and what the
// debug daisychain shows of them (errata 445).
// Pages: WormholeB0/EthernetTile/TileControlDebugStatus.md, SoftReset.md,
// WormholeB0/TensixTile/BabyRISCV/DebugInterface.md, WormholeB0/TensixTile/DebugDaisychain.md.
#include "chip/ethernet_debug.h"

#include "chip/ethernet_findings.h"
#include "chip/ethernet_registers.h"
#include "chip/sparse.h"
#include "tile/daisy_signals.h"
#include "tile/debug_interface.h"

#include <stdio.h>
#include <string.h>

enum { SENTENCE = 160 };

enum {
#define DEBUG_DR(name, number) DR_##name = (number),
#include "machine/core_debug.def"
#define DAISY_CONTROL(name, first, width)                                                          \
    CONTROL_##name = (first), CONTROL_##name##_WIDTH = (width),
#define DAISY_SAMPLE(name, first, width) SAMPLE_##name = (first), SAMPLE_##name##_WIDTH = (width),
#define DAISY_MODE(name, value) MODE_##name = (value),
#include "machine/debug_daisychain.def"
};

static tsr_core name_of(const struct tsr_ethernet *tile, unsigned core)
{
    return tsr_ethernet_core_name(tile->arch, core);
}

static bool held(void *self, unsigned core)
{
    return tsr_ethernet_core_held(self, core);
}

static bool keeps(void *self, unsigned core)
{
    (void)self, (void)core;
    return false;
}

static uint32_t reset_pc(void *self, unsigned core)
{
    return tsr_ethernet_reset_pc(self, core);
}

static tsr_status load(void *self, unsigned core, uint32_t address, uint32_t *value)
{
    struct tsr_ethernet *tile = self;
    return tile->core[core].bus.load(tile, (int)name_of(tile, core), address, value, 4);
}

static void store(void *self, unsigned core, uint32_t address, uint32_t value)
{
    struct tsr_ethernet *tile = self;
    tile->core[core].bus.store(tile, (int)name_of(tile, core), address, value, 4);
}

static void rests(void *self, unsigned core)
{
    struct tsr_ethernet *tile = self;
    tile->core[core].since = tile->now == UINT64_MAX ? tile->due : tile->now; // not tried
    memset(&tile->core[core].poll, 0, sizeof tile->core[core].poll);
}

static void find(void *self, int agent, enum tsr_finding code, const char *sentence)
{
    struct tsr_ethernet *tile = self;
    int number = agent - (int)name_of(tile, 0);
    bool known = number >= 0 && number < TSR_ETHERNET_CORES;
    tsr_ethernet_core_report(tile, known ? (unsigned)number : TSR_ETHERNET_CORES, known,
                             known ? tile->core[number].hart.pc : ETHERNET_AT(DEBUG), tile->now,
                             code, sentence);
}

static struct tsr_debugger debugger_of(struct tsr_ethernet *tile)
{
    static const struct tsr_debugger_ops ops = {.held = held,
                                                .keeps = keeps,
                                                .reset_pc = reset_pc,
                                                .load = load,
                                                .store = store,
                                                .rests = rests,
                                                .find = find};
    static const uint8_t valid_bit[] = {
#define DEBUG_ETHERNET_VALID(chip, bit) [chip] = bit,
#include "machine/core_debug.def"
    };
    static const uint8_t new_pc[] = {
#define DEBUG_ETHERNET_NEW_PC(chip, register) [chip] = register,
#include "machine/core_debug.def"
    };
    struct tsr_debugger on = {.arch = tile->arch,
                              .first = (int)name_of(tile, 0),
                              .cores = tsr_ethernet_core_count(tile->arch),
                              .debug = tile->debug,
                              .select = &tile->debug_select,
                              .valid_bit = valid_bit[tile->arch],
                              .new_pc = new_pc[tile->arch],
                              .l1 = tile->core[0].bus.l1.bytes,
                              .l1_bytes = (uint32_t)tile->l1->size,
                              .ops = &ops,
                              .self = tile};
    for (unsigned core = 0; core < TSR_ETHERNET_CORES; core++)
        on.hart[core] = &tile->core[core].hart;
    return on;
}

// ---------------------------------------------------------------- the debug daisychain

enum group { RETIRING, DECODING };

static const struct daisy_row {
    uint8_t arch, part, signal, group, core;
} daisy_rows[] = {
#define DAISY_ETHERNET(chip, part, signal, group, core) {TSR_##chip, part, signal, group, core},
#include "machine/debug_daisychain.def"
};

#define CONTROL(word, name) ((word) >> CONTROL_##name & ((1u << CONTROL_##name##_WIDTH) - 1))

#define SAMPLE(word, name) ((word) >> SAMPLE_##name & ((1u << SAMPLE_##name##_WIDTH) - 1))

// What DBG_BUS_CNTL_REG selects.
static void present(struct tsr_ethernet *tile, int agent, uint32_t word[TSR_DAISY_WORDS])
{
    uint32_t control = tsr_ethernet_load(tile, ETHERNET_AT(DAISY_CONTROL));
    unsigned part = CONTROL(control, PART), signal = CONTROL(control, SIGNAL);
    memset(word, 0, TSR_DAISY_WORDS * sizeof *word);
    if (!CONTROL(control, ENABLED))
        return;
    for (size_t i = 0; i < sizeof daisy_rows / sizeof *daisy_rows; i++) {
        const struct daisy_row *row = &daisy_rows[i];
        if (row->arch != tile->arch || row->part != part || row->signal != signal)
            continue;
        uint32_t pc = tile->core[row->core].hart.pc;
        if (row->group == RETIRING)
            tsr_daisy_retiring(pc, word);
        else
            tsr_daisy_decoding(pc, word);
        return;
    }
    char sentence[SENTENCE];
    snprintf(sentence, sizeof sentence,
             "Signal %u of part %u of an Ethernet tile's debug daisychain is read as 0.", signal,
             part);
    find(tile, agent, FINDING_DAISYCHAIN_SIGNAL, sentence);
}

static uint32_t daisy_data(struct tsr_ethernet *tile, int agent)
{
    uint32_t word[TSR_DAISY_WORDS];
    present(tile, agent, word);
    return word[CONTROL(tsr_ethernet_load(tile, ETHERNET_AT(DAISY_CONTROL)), WORD)];
}

// Lines of what is there now; of those behind L1 nothing is left.
static void write_lines(struct tsr_ethernet *tile, int agent, uint32_t count)
{
    enum { LINE = 16 };
    uint32_t word[TSR_DAISY_WORDS];
    uint64_t at =
        ((uint64_t)tsr_ethernet_load(tile, ETHERNET_AT(DAISY_SAMPLE)) + tile->debug_lines) * LINE;
    present(tile, agent, word);
    for (; count > 0 && at + LINE <= tile->l1->size; count--, at += LINE) {
        (void)tsr_sparse_write(tile->l1, at, word, LINE);
        tsr_code_note_write(&tile->code, (uint32_t)at, LINE);
    }
    tile->news++;
    if (count > 0)
        find(tile, agent, FINDING_L1_OUT_OF_RANGE,
             "The debug daisychain of an Ethernet tile writes behind L1.");
}

// As in a Tensix tile (debug_daisychain.c): WriteTrigger writes when it rises.
static void sample(struct tsr_ethernet *tile, int agent, uint32_t now)
{
    uint32_t before = tsr_ethernet_load(tile, ETHERNET_AT(DAISY_TRIGGER)), mode = SAMPLE(now, MODE);
    tsr_ethernet_store(tile, ETHERNET_AT(DAISY_TRIGGER), now);
    if (mode == MODE_PREPARE)
        tile->debug_lines = 0;
    if (!SAMPLE(now, TRIGGER) || SAMPLE(before, TRIGGER))
        return;
    if (mode == MODE_SERIES) {
        uint32_t first = tsr_ethernet_load(tile, ETHERNET_AT(DAISY_SAMPLE));
        uint32_t end = tsr_ethernet_load(tile, ETHERNET_AT(DAISY_END));
        write_lines(tile, agent, end > first ? end - first : 0);
    } else if (mode == MODE_SAME_LINE || mode == MODE_NEXT_LINE) {
        write_lines(tile, agent, 1);
        tile->debug_lines += mode == MODE_NEXT_LINE;
    } else
        find(tile, agent, FINDING_UNIMPLEMENTED_MODE,
             "The debug daisychain of an Ethernet tile gets a WriteMode that no page has.");
}

// ---------------------------------------------------------------- registers

void tsr_ethernet_debug(struct tsr_ethernet *tile, int agent, uint32_t address, bool store_it,
                        uint32_t *value)
{
    static const char *const who[] = {"Core E", "Core E0", "Core E1"};
    if (address == ETHERNET_AT(DAISY_DATA)) {
        *value = store_it ? *value : daisy_data(tile, agent);
        return;
    }
    if (address == ETHERNET_AT(DAISY_TRIGGER)) {
        if (store_it)
            sample(tile, agent, *value);
        else
            *value = tsr_ethernet_load(tile, address);
        return;
    }
    struct tsr_debugger on = debugger_of(tile);
    unsigned index = (address - ETHERNET_AT(DEBUG)) / 4;
    on.who = agent == TSR_AGENT_HOST ? "The host" : who[agent - TSR_CORE_E];
    if (store_it)
        tsr_debug_store(&on, agent, index, *value);
    else
        *value = tsr_debug_load(&on, index);
}

uint64_t tsr_ethernet_debug_execute(struct tsr_ethernet *tile, unsigned number)
{
    struct tsr_ethernet_core *core = &tile->core[number];
    struct tsr_debugger on = debugger_of(tile);
    struct tsr_riscv_next next;
    uint64_t count = 0;
    if (tsr_debug_begin(&on, number, core->riscv, &next))
        count = tile->timing ? tsr_riscv_step(core->riscv, &core->hart, tile->due, &core->next)
                             : tsr_riscv_run(core->riscv, &core->hart, 1);
    tsr_debug_end(&on, number, &next, count);
    return count;
}
