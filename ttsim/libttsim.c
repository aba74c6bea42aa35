// SPDX-License-Identifier: Apache-2.0
// The entry points of <tessera/ttsim.h> over a tsr_chip for each device. The vendor's interface has
// no handle, so the one simulator of a process stands here.
#include "environment.h"
#include "tell.h"

#include <tessera/ttsim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Which chip this library simulates. The build links once and replaces the section in a copy for
// the other chip (cmake/ttsim.cmake); volatile, so that no compiler decides on what stands here.
__attribute__((section(".tessera_chip"))) static const volatile char chip_name[16] =
    "wormhole_b0\n";

static struct {
    unsigned chips;                   // 0: not running
    tsr_chip *chip[TSR_CHIP_DEVICES]; // device by device
    // Of each the least device that links connect it with: they share a clock.
    unsigned group[TSR_CHIP_DEVICES];
    int told[TSR_CHIP_DEVICES]; // findings
    struct ttsim_environment environment;
    void (*read)(uint64_t paddr, void *dst, uint32_t size);
    void (*write)(uint64_t paddr, const void *src, uint32_t size);
} simulator;

// ---------------------------------------------------------------- the host's memory

enum { MOST_AT_ONCE = 1 << 30 };

static void read_host(void *user, uint64_t address, void *bytes, size_t size)
{
    (void)user;
    for (uint8_t *to = bytes; size > 0;) {
        uint32_t part = size < MOST_AT_ONCE ? (uint32_t)size : MOST_AT_ONCE;
        simulator.read(address, to, part);
        to += part;
        address += part;
        size -= part;
    }
}

static void write_host(void *user, uint64_t address, const void *bytes, size_t size)
{
    (void)user;
    for (const uint8_t *from = bytes; size > 0;) {
        uint32_t part = size < MOST_AT_ONCE ? (uint32_t)size : MOST_AT_ONCE;
        simulator.write(address, from, part);
        from += part;
        address += part;
        size -= part;
    }
}

static void connect_host(void)
{
    const tsr_host_memory memory = {.read = simulator.read ? read_host : NULL,
                                    .write = simulator.write ? write_host : NULL};
    for (unsigned i = 0; i < simulator.chips; i++)
        (void)tsr_chip_set_host_memory(simulator.chip[i], &memory);
}

void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t paddr, void *dst, uint32_t size),
                                        void (*write)(uint64_t paddr, const void *src,
                                                      uint32_t size))
{
    simulator.read = read;
    simulator.write = write;
    connect_host();
}

// ---------------------------------------------------------------- what it tells

// What things are told with: nothing, where there is one chip.
static int number_of(unsigned device)
{
    return simulator.chips > 1 ? (int)device : -1;
}

// True: a tile stops.
static bool tell_findings_of(unsigned device)
{
    tsr_chip *chip = simulator.chip[device];
    tsr_chip_finding finding;
    bool stops = false;
    int count = tsr_chip_finding_count(chip), *told = &simulator.told[device];
    for (; *told < count; ++*told) {
        if (tsr_chip_finding_at(chip, *told, &finding) != TSR_OK)
            continue;
        ttsim_tell_finding(stderr, number_of(device), &finding);
        if (simulator.environment.findings)
            ttsim_tell_json(simulator.environment.findings, number_of(device), tsr_chip_arch(chip),
                            &finding);
        stops |= finding.diagnostic->action == TSR_ACTION_STOP;
    }
    return stops;
}

// Each finding once, when the call that brought it about is over. Nothing of the trace stays in
// this process's memory, which a fork before the next call would have twice.
static void tell_findings(void)
{
    bool stops = false;
    for (unsigned i = 0; i < simulator.chips; i++)
        stops |= tell_findings_of(i);
    if (simulator.environment.trace)
        fflush(simulator.environment.trace);
    if (stops && simulator.environment.exits) {
        ttsim_environment_close(&simulator.environment);
        _Exit(1);
    }
}

// Of a host that gives up: what its kernels were waiting for.
static void tell_waits(unsigned device)
{
    tsr_chip *chip = simulator.chip[device];
    const tsr_arch arch = tsr_chip_arch(chip);
    tsr_node_info node;
    tsr_tile *tile;
    for (unsigned y = 0; y < tsr_grid_rows(arch); y++)
        for (unsigned x = 0; x < tsr_grid_columns(arch); x++)
            if (tsr_chip_has_tile(chip, x, y) && tsr_node_at(arch, x, y, &node) == TSR_OK &&
                tsr_chip_tile(chip, x, y, &tile) == TSR_OK)
                ttsim_tell_waits(simulator.environment.waits, number_of(device), &node, tile);
}

// `user`: where the chip stands.
static void tell_event(void *user, const tsr_node_info *node, const tsr_event *event)
{
    tsr_chip *const *chip = user;
    ttsim_tell_event(simulator.environment.trace, number_of((unsigned)(chip - simulator.chip)),
                     tsr_chip_arch(*chip), node, event);
}

static bool runs(const char *function)
{
    if (simulator.chips > 0)
        return true;
    fprintf(stderr, "tessera: %s() does nothing before libttsim_init().\n", function);
    return false;
}

// ---------------------------------------------------------------- life

static tsr_arch arch_of_library(void)
{
    char name[sizeof chip_name] = {0};
    for (size_t i = 0; i + 1 < sizeof name && chip_name[i] != '\n'; i++)
        name[i] = chip_name[i];
    tsr_arch arch = TSR_WORMHOLE_B0;
    (void)tsr_arch_from_name(name, &arch);
    return arch;
}

static void destroy(void)
{
    while (simulator.chips > 0)
        tsr_chip_destroy(simulator.chip[--simulator.chips]);
    ttsim_environment_close(&simulator.environment);
}

static bool create(unsigned device)
{
    tsr_chip_options options = simulator.environment.options;
    tsr_chip **chip = &simulator.chip[device];
    options.device = device;
    if (tsr_chip_create(&options, chip) != TSR_OK)
        return false;
    simulator.chips = device + 1;
    simulator.told[device] = 0;
    ttsim_environment_apply(&simulator.environment, *chip, device == 0);
    if (simulator.environment.trace)
        (void)tsr_chip_observe(*chip, tell_event, chip);
    return true;
}

void libttsim_init(void)
{
    if (simulator.chips > 0) {
        fprintf(stderr, "tessera: libttsim_init() does nothing while the simulator runs.\n");
        return;
    }
    simulator.environment = ttsim_environment_read(arch_of_library());
    for (unsigned i = 0; i < simulator.environment.chips; i++)
        if (!create(i)) {
            fprintf(stderr, "tessera: libttsim_init() finds no memory for chip %u.\n", i);
            destroy();
            return;
        }
    ttsim_environment_link(&simulator.environment, simulator.chip, simulator.group);
    connect_host();
}

void libttsim_exit(void)
{
    if (!runs("libttsim_exit"))
        return;
    tell_findings();
    for (unsigned i = 0; simulator.environment.waits && i < simulator.chips; i++)
        tell_waits(i);
    destroy();
}

static void pass(uint64_t cycles)
{
    for (unsigned i = 0; i < simulator.chips; i++)
        if (simulator.group[i] == i)
            (void)tsr_chip_clock(simulator.chip[i], cycles);
}

void libttsim_clock(uint32_t n_clocks)
{
    if (!runs("libttsim_clock"))
        return;
    pass(n_clocks);
    tell_findings();
}

// ---------------------------------------------------------------- accesses

// Devices that are not there say so as on a bus, by ones. All are functions 0 of bus 0.
static tsr_chip *device_of(const char *function, uint32_t bus_device_function)
{
    const uint32_t device = bus_device_function >> 3 & 31;
    if (!runs(function))
        return NULL;
    if (bus_device_function != device << 3) {
        fprintf(stderr, "tessera: %s() knows no function but 0 of bus 0, not 0x%x.\n", function,
                (unsigned)bus_device_function);
        return NULL;
    }
    return device < simulator.chips ? simulator.chip[device] : NULL;
}

uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset)
{
    uint32_t value = UINT32_MAX;
    tsr_chip *chip = device_of("libttsim_pci_config_rd32", bus_device_function);
    if (!chip)
        return value;
    (void)tsr_chip_config_read(chip, offset, &value);
    tell_findings();
    return value;
}

void libttsim_pci_config_wr32(uint32_t bus_device_function, uint32_t offset, uint32_t data)
{
    tsr_chip *chip = device_of("libttsim_pci_config_wr32", bus_device_function);
    if (!chip)
        return;
    (void)tsr_chip_config_write(chip, offset, data);
    tell_findings();
}

// Where no device is, the first one tells that it has none of it.
static tsr_chip *chip_at(uint64_t paddr)
{
    unsigned device = tsr_chip_device_at(paddr);
    return simulator.chip[device < simulator.chips ? device : 0];
}

// On a card a host's access takes longer than many cycles of the chip: before the data of a read
// are there, and before anything that comes behind a write.
static void take_time(void)
{
    if (simulator.environment.access_cycles > 0)
        pass(simulator.environment.access_cycles);
}

void libttsim_pci_mem_rd_bytes(uint64_t paddr, void *dst, uint32_t size)
{
    if (dst)
        memset(dst, 0xff, size);
    if (!runs("libttsim_pci_mem_rd_bytes"))
        return;
    take_time();
    (void)tsr_chip_host_read(chip_at(paddr), paddr, dst, size);
    tell_findings();
}

void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void *src, uint32_t size)
{
    if (!runs("libttsim_pci_mem_wr_bytes"))
        return;
    (void)tsr_chip_host_write(chip_at(paddr), paddr, src, size);
    take_time();
    tell_findings();
}

void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t addr, void *dst, uint32_t size)
{
    if (dst)
        memset(dst, 0xff, size);
    if (!runs("libttsim_tile_rd_bytes"))
        return;
    (void)tsr_chip_read(simulator.chip[0], x, y, addr, dst, size);
    tell_findings();
}

void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t addr, const void *src, uint32_t size)
{
    if (!runs("libttsim_tile_wr_bytes"))
        return;
    (void)tsr_chip_write(simulator.chip[0], x, y, addr, src, size);
    tell_findings();
}
