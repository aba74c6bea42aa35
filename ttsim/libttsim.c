// SPDX-License-Identifier: Apache-2.0
// The entry points of <tessera/ttsim.h> over a tsr_chip. The vendor's interface has no handle, so
// the one simulator of a process stands here.
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
    tsr_chip *chip; // NULL: not running
    struct ttsim_environment environment;
    int told; // findings
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
    (void)tsr_chip_set_host_memory(simulator.chip, &memory);
}

void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t paddr, void *dst, uint32_t size),
                                        void (*write)(uint64_t paddr, const void *src,
                                                      uint32_t size))
{
    simulator.read = read;
    simulator.write = write;
    if (simulator.chip)
        connect_host();
}

// ---------------------------------------------------------------- what it tells

// Each finding once, when the call that brought it about is over.
static void tell_findings(void)
{
    tsr_chip_finding finding;
    bool stops = false;
    int count = tsr_chip_finding_count(simulator.chip);
    for (; simulator.told < count; simulator.told++) {
        if (tsr_chip_finding_at(simulator.chip, simulator.told, &finding) != TSR_OK)
            continue;
        ttsim_tell_finding(stderr, &finding);
        if (simulator.environment.findings)
            ttsim_tell_json(simulator.environment.findings, tsr_chip_arch(simulator.chip),
                            &finding);
        stops |= finding.diagnostic->action == TSR_ACTION_STOP;
    }
    if (stops && simulator.environment.exits) {
        ttsim_environment_close(&simulator.environment);
        _Exit(1);
    }
}

// Of a host that gives up: what its kernels were waiting for.
static void tell_waits(void)
{
    const tsr_arch arch = tsr_chip_arch(simulator.chip);
    tsr_node_info node;
    tsr_tile *tile;
    for (unsigned y = 0; y < tsr_grid_rows(arch); y++)
        for (unsigned x = 0; x < tsr_grid_columns(arch); x++)
            if (tsr_chip_has_tile(simulator.chip, x, y) &&
                tsr_node_at(arch, x, y, &node) == TSR_OK &&
                tsr_chip_tile(simulator.chip, x, y, &tile) == TSR_OK)
                ttsim_tell_waits(simulator.environment.waits, &node, tile);
}

static void tell_event(void *user, const tsr_node_info *node, const tsr_event *event)
{
    (void)user;
    ttsim_tell_event(simulator.environment.trace, tsr_chip_arch(simulator.chip), node, event);
}

static bool runs(const char *function)
{
    if (simulator.chip)
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

void libttsim_init(void)
{
    if (simulator.chip) {
        fprintf(stderr, "tessera: libttsim_init() does nothing while the simulator runs.\n");
        return;
    }
    simulator.environment = ttsim_environment_read(arch_of_library());
    simulator.told = 0;
    if (tsr_chip_create(&simulator.environment.options, &simulator.chip) != TSR_OK) {
        fprintf(stderr, "tessera: libttsim_init() finds no memory for a chip.\n");
        ttsim_environment_close(&simulator.environment);
        return;
    }
    ttsim_environment_apply(&simulator.environment, simulator.chip);
    if (simulator.environment.trace)
        (void)tsr_chip_observe(simulator.chip, tell_event, NULL);
    connect_host();
}

void libttsim_exit(void)
{
    if (!runs("libttsim_exit"))
        return;
    tell_findings();
    if (simulator.environment.waits)
        tell_waits();
    tsr_chip_destroy(simulator.chip);
    simulator.chip = NULL;
    ttsim_environment_close(&simulator.environment);
}

void libttsim_clock(uint32_t n_clocks)
{
    if (!runs("libttsim_clock"))
        return;
    (void)tsr_chip_clock(simulator.chip, n_clocks);
    tell_findings();
}

// ---------------------------------------------------------------- accesses

// There is device 0; others are not there, as on a bus. All are functions 0 of bus 0.
static bool has_device(const char *function, uint32_t bus_device_function)
{
    const uint32_t device = 31u << 3;
    if (!runs(function))
        return false;
    if (bus_device_function & ~device)
        fprintf(stderr, "tessera: %s() knows no function but 0 of bus 0, not 0x%x.\n", function,
                (unsigned)bus_device_function);
    return bus_device_function == 0;
}

uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset)
{
    uint32_t value = UINT32_MAX;
    if (!has_device("libttsim_pci_config_rd32", bus_device_function))
        return value;
    (void)tsr_chip_config_read(simulator.chip, offset, &value);
    tell_findings();
    return value;
}

void libttsim_pci_config_wr32(uint32_t bus_device_function, uint32_t offset, uint32_t data)
{
    if (!has_device("libttsim_pci_config_wr32", bus_device_function))
        return;
    (void)tsr_chip_config_write(simulator.chip, offset, data);
    tell_findings();
}

// On a card a host's access takes longer than many cycles of the chip: before the data of a read
// are there, and before anything that comes behind a write.
static void take_time(void)
{
    if (simulator.environment.access_cycles > 0)
        (void)tsr_chip_clock(simulator.chip, simulator.environment.access_cycles);
}

void libttsim_pci_mem_rd_bytes(uint64_t paddr, void *dst, uint32_t size)
{
    if (dst)
        memset(dst, 0xff, size);
    if (!runs("libttsim_pci_mem_rd_bytes"))
        return;
    take_time();
    (void)tsr_chip_host_read(simulator.chip, paddr, dst, size);
    tell_findings();
}

void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void *src, uint32_t size)
{
    if (!runs("libttsim_pci_mem_wr_bytes"))
        return;
    (void)tsr_chip_host_write(simulator.chip, paddr, src, size);
    take_time();
    tell_findings();
}

void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t addr, void *dst, uint32_t size)
{
    if (dst)
        memset(dst, 0xff, size);
    if (!runs("libttsim_tile_rd_bytes"))
        return;
    (void)tsr_chip_read(simulator.chip, x, y, addr, dst, size);
    tell_findings();
}

void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t addr, const void *src, uint32_t size)
{
    if (!runs("libttsim_tile_wr_bytes"))
        return;
    (void)tsr_chip_write(simulator.chip, x, y, addr, src, size);
    tell_findings();
}
