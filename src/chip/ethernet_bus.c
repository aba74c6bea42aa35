// SPDX-License-Identifier: Apache-2.0
// The memory map of an Ethernet tile's cores, and where their instructions come from. Plain L1 and
// local data RAM are accessed without coming here; all other addresses, and findings about them,
// are below.
// Pages: EthernetTile/BabyRISCV/README.md of each chip, InstructionRAM.md of Wormhole's.
#include "chip/ethernet_bus.h"

#include "chip/ethernet_debug.h"
#include "chip/ethernet_findings.h"
#include "chip/ethernet_queues.h"
#include "chip/ethernet_registers.h"
#include "chip/noc_registers.h"
#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

enum { SENTENCE = 200 };

struct access {
    struct tsr_ethernet *tile;
    unsigned core;
    uint32_t address, value;
    int width;
    bool store;
};

static unsigned number_of(const struct tsr_ethernet *tile, int core)
{
    return (unsigned)core - (unsigned)tsr_ethernet_core_name(tile->arch, 0);
}

// ---------------------------------------------------------------- findings

static bool report(const struct access *access, enum tsr_finding code, const char *why)
{
    char text[SENTENCE];
    struct tsr_ethernet *tile = access->tile;
    snprintf(text, sizeof text, "Core %s %s %d bytes at 0x%08x, %s.",
             tsr_core_name(tsr_ethernet_core_name(tile->arch, access->core)),
             access->store ? "stores" : "loads", access->width, (unsigned)access->address, why);
    return tsr_ethernet_core_report(tile, access->core, true, tile->core[access->core].hart.pc,
                                    tile->now, code, text);
}

static tsr_status hangs(const struct access *access, const char *why)
{
    return report(access, FINDING_UNMAPPED_ADDRESS, why) ? TSR_UNMAPPED : TSR_STOPPED;
}

static tsr_status unimplemented(const struct access *access, const char *why)
{
    return report(access, FINDING_UNIMPLEMENTED_MODE, why) ? TSR_UNIMPLEMENTED : TSR_STOPPED;
}

// What the pass of a loop that polls tells again does not count.
static bool bus_find(void *self, int core, uint32_t pc, int finding, const char *sentence)
{
    struct tsr_ethernet *tile = self;
    unsigned number = number_of(tile, core);
    const struct tsr_finding_about about = {.thread = -1, .core = core, .has_pc = true, .at = pc};
    if (tile->findings.action[finding] != TSR_ACTION_STOP &&
        tsr_riscv_looks_again(tile->core[number].riscv) &&
        tsr_findings_repeat(&tile->findings, (enum tsr_finding)finding, &about, 0))
        return true;
    return tsr_ethernet_core_report(tile, number, true, pc, tile->now, (enum tsr_finding)finding,
                                    sentence);
}

// ---------------------------------------------------------------- registers

// False: the address is no NoC interface's and not the overlay's.
static bool is_noc(const struct access *access, int *unit, uint32_t *offset)
{
    static const enum tsr_region_id at[] = {REGION_NOC0, REGION_NOC1, REGION_NOC_OVERLAY};
    const struct tsr_region *region = tsr_isa(access->tile->arch)->region;
    for (*unit = 0; *unit <= TSR_NOC_OVERLAY; ++*unit) {
        *offset = access->address - region[at[*unit]].base;
        if (*offset < region[at[*unit]].size)
            return true;
    }
    return false;
}

static tsr_status access_noc(struct access *access, int unit, uint32_t offset)
{
    struct tsr_ethernet *tile = access->tile;
    uint32_t pc = tile->core[access->core].hart.pc;
    const struct tsr_noc_port *port = &tile->noc;
    struct tsr_noc_access at = {.unit = unit,
                                .agent = (int)access->core,
                                .offset = offset & ~3u,
                                .value = access->value,
                                .has_pc = true,
                                .at = pc,
                                .now = tile->now};
    tsr_status status;
    for (;; at.reported++) {
        status = access->store ? port->store(port->self, &at) : port->load(port->self, &at);
        if (status != TSR_BUSY || at.finding < 0)
            break;
        if (!tsr_ethernet_core_report(tile, access->core, true, pc, tile->now,
                                      (enum tsr_finding)at.finding, at.sentence))
            return TSR_STOPPED;
    }
    if (status == TSR_UNMAPPED)
        return unimplemented(access, "a register of the NoC's that is not there");
    access->value = at.value;
    return status == TSR_OK && tile->findings.stopped ? TSR_STOPPED : status;
}

static bool is_tile_control(tsr_arch arch, uint32_t address)
{
    return tsr_ethernet_place_of(arch, address) == TSR_ETHERNET_REGISTER;
}

static tsr_status access_control(struct access *access)
{
    struct tsr_ethernet *tile = access->tile;
    int agent = (int)tsr_ethernet_core_name(tile->arch, access->core);
    if (tsr_ethernet_is_debug(access->address)) {
        tsr_ethernet_debug(tile, agent, access->address, access->store, &access->value);
        return tile->findings.stopped ? TSR_STOPPED : TSR_OK;
    }
    if (!access->store) {
        access->value = tsr_ethernet_load(tile, access->address);
        return TSR_OK;
    }
    tsr_ethernet_store(tile, access->address, access->value);
    const char *fault = tsr_ethernet_iram_fault(tile);
    if (fault)
        tsr_ethernet_report_iram(tile, access->core, fault);
    return tile->findings.stopped ? TSR_STOPPED : TSR_OK;
}

// What it finds is the core's.
static tsr_status access_queue(struct access *access)
{
    struct tsr_ethernet *tile = access->tile;
    struct tsr_node *node = tile->node;
    tsr_status status =
        access->store ? tsr_ethernet_queue_store(node, access->address, access->value, tile->now)
                      : tsr_ethernet_queue_load(node, access->address, &access->value, tile->now);
    struct tsr_ethernet_queues *queues = node->chip->queues[node->info.unit];
    for (unsigned i = 0; queues && i < queues->faults; i++)
        tsr_ethernet_core_report(tile, access->core, true, tile->core[access->core].hart.pc,
                                 tile->now, queues->fault[i].code, queues->fault[i].sentence);
    if (queues)
        queues->faults = 0;
    return status == TSR_OK && tile->findings.stopped ? TSR_STOPPED : status;
}

enum {
#define ETHERNET_SUBSYSTEM(address, size) SUBSYSTEM = (int)(address), SUBSYSTEM_BYTES = (size)
#include "machine/chip_memory.def"
};

// Of a whole word.
static tsr_status access_register(struct access *access)
{
    int unit;
    uint32_t offset;
    struct tsr_ethernet *tile = access->tile;
    if (is_noc(access, &unit, &offset))
        return access_noc(access, unit, offset);
    bool subsystem = access->address - (uint32_t)SUBSYSTEM < SUBSYSTEM_BYTES;
    tsr_status status = subsystem ? access_queue(access) : TSR_UNMAPPED;
    if (status != TSR_UNMAPPED)
        return status;
    if (is_tile_control(tile->arch, access->address))
        return access_control(access);
    if (access->store && tsr_ethernet_stays_off(tile->arch, access->address, access->value))
        return TSR_OK;
    access->value = access->store ? access->value : 0;
    if (subsystem)
        return unimplemented(access, "a register of the Ethernet subsystem that is unimplemented");
    if (tsr_ethernet_place_of(tile->arch, access->address) == TSR_ETHERNET_MISSING)
        return unimplemented(access,
                             "where the interrupt controller of an Ethernet tile is unimplemented");
    return hangs(access, "where nothing is mapped for it; a core on silicon would hang");
}

// ---------------------------------------------------------------- memory that is not aligned

static uint8_t *byte_at(const struct access *access, uint32_t address)
{
    const struct tsr_riscv_bus *bus = &access->tile->core[access->core].bus;
    if (address - bus->l1.base < bus->l1.size)
        return bus->l1.bytes + (address - bus->l1.base);
    return address - bus->ram.base < bus->ram.size ? bus->ram.bytes + (address - bus->ram.base)
                                                   : NULL;
}

static void put_byte(const struct access *access, uint32_t address, uint8_t value)
{
    uint8_t *byte = byte_at(access, address);
    if (!byte)
        return;
    *byte = value;
    if (address < access->tile->l1->size)
        tsr_code_note_write(&access->tile->code, address, 1);
}

// As in a Tensix tile (errata 149): rounded down, but what Blackhole's cores store to L1 goes where
// an aligned store has each byte.
static tsr_status access_memory(struct access *access)
{
    enum { LINE = 16 };
    uint32_t width = (uint32_t)access->width, rest = access->address % width;
    uint32_t first = access->address - rest, last = first + width;
    bool askew = access->store && rest != 0 && access->tile->arch == TSR_BLACKHOLE_A0 &&
                 access->address < access->tile->l1->size;
    if (askew) {
        first = access->address;
        last = first + width < (first | (LINE - 1)) + 1 ? first + width : (first | (LINE - 1)) + 1;
    }
    if (rest != 0 && !report(access, FINDING_UNALIGNED_ACCESS,
                             askew ? "each of which goes where an aligned store has it"
                                   : "which is rounded down"))
        return TSR_STOPPED;
    if (!access->store)
        access->value = 0;
    for (uint32_t at = first; at < last; at++) {
        unsigned shift = at % width * 8;
        if (access->store)
            put_byte(access, at, (uint8_t)(access->value >> shift));
        else
            access->value |= (uint32_t)*byte_at(access, at) << shift;
    }
    return TSR_OK;
}

// Only the load that a register asks for writes there, and only the core's frontend reads.
static bool is_iram(const struct access *access)
{
    const struct tsr_region *iram = &tsr_isa(access->tile->arch)->region[REGION_IRAM];
    return access->address - iram->base < iram->size;
}

static tsr_status perform(struct access *access)
{
    if (access->tile->findings.stopped)
        return TSR_STOPPED;
    if (byte_at(access, access->address))
        return access_memory(access);
    uint32_t rest = access->address % (uint32_t)access->width;
    if (rest != 0 && !report(access, FINDING_UNALIGNED_ACCESS, "which is rounded down"))
        return TSR_STOPPED;
    access->address -= rest;
    if (is_iram(access))
        return access->store ? TSR_OK // discarded
                             : hangs(access, "and loads from the instruction RAM never return");
    if (access->width == 4)
        return access_register(access);
    if (access->store)
        return hangs(access, "where whole words alone can be stored");
    unsigned shift = access->address % 4 * 8;
    access->address &= ~3u;
    tsr_status status = access_register(access);
    access->value = access->value >> shift & ((1u << 8 * access->width) - 1);
    return status;
}

// ---------------------------------------------------------------- the bus

static tsr_status bus_load(void *self, int core, uint32_t address, uint32_t *value, int width)
{
    struct tsr_ethernet *tile = self;
    struct access access = {
        .tile = tile, .core = number_of(tile, core), .address = address, .width = width};
    tsr_status status = perform(&access);
    *value = access.value;
    return status;
}

// A core that puts itself into reset goes no further.
static tsr_status bus_store(void *self, int core, uint32_t address, uint32_t value, int width)
{
    struct tsr_ethernet *tile = self;
    struct access access = {.tile = tile,
                            .core = number_of(tile, core),
                            .address = address,
                            .value = value,
                            .width = width,
                            .store = true};
    tsr_status status = perform(&access);
    return tsr_ethernet_core_held(tile, access.core) ? TSR_STOPPED : status;
}

static uint64_t bus_quiet_until(void *self, int core, uint32_t address)
{
    struct tsr_ethernet *tile = self;
    struct access access = {.tile = tile, .core = number_of(tile, core), .address = address & ~3u};
    int unit;
    uint32_t offset;
    if (byte_at(&access, address))
        return UINT64_MAX;
    if (is_noc(&access, &unit, &offset))
        return tile->noc.quiet_until(tile->noc.self, unit, offset, tile->now);
    uint64_t until;
    if (tsr_ethernet_queue_quiet(tile->node, access.address, &until))
        return until;
    return is_tile_control(tile->arch, access.address)
               ? tsr_ethernet_quiet_until(tile, access.address)
               : 0;
}

static const uint8_t *bus_fetch(void *self, int core, uint32_t address, uint32_t *size)
{
    const struct tsr_ethernet *tile = self;
    const struct tsr_riscv_bus *bus = &tile->core[number_of(tile, core)].bus;
    const struct tsr_region *iram = &tsr_isa(tile->arch)->region[REGION_IRAM];
    if (address < bus->l1.size) {
        *size = bus->l1.size - address;
        return bus->l1.bytes + address;
    }
    uint32_t offset = address - iram->base;
    if (iram->size == 0 || offset >= sizeof tile->iram)
        return NULL;
    *size = (uint32_t)sizeof tile->iram - offset;
    return tile->iram + offset;
}

static unsigned bus_prefetches(void *self, int core, uint32_t address)
{
    (void)core;
    return tsr_ethernet_prefetches(self, address);
}

void tsr_ethernet_bus_fill(struct tsr_ethernet *tile, unsigned number, uint8_t *l1)
{
    struct tsr_ethernet_core *core = &tile->core[number];
    const struct tsr_region *ram = &tsr_isa(tile->arch)->region[REGION_LOCAL_RAM];
    core->bus = (struct tsr_riscv_bus){
        .self = tile,
        .recent = &tile->recent,
        .load = bus_load,
        .store = bus_store,
        .find = bus_find,
        .quiet_until = bus_quiet_until,
        .fetch = bus_fetch,
        .times_fetches = true,
        .prefetches = bus_prefetches,
        .now = &tile->now,
        .l1 = {.size = (uint32_t)tile->l1->size, .bytes = l1, .code = &tile->code},
        .ram = {.base = ram->base, .size = ram->size, .bytes = core->ram},
        .clock = tsr_ethernet_clock(tile)};
}
