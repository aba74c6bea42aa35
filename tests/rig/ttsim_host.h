// SPDX-License-Identifier: Apache-2.0
// A library with the vendor's interface, loaded as a host loads it.
#ifndef TESSERA_TESTS_RIG_TTSIM_HOST_H
#define TESSERA_TESTS_RIG_TTSIM_HOST_H

#include <tessera/tessera.h>

#include <dlfcn.h>
#include <string.h>

struct host {
    int arch;
    void *library;
    uint64_t bar0, bar2, bar4;
    void (*init)(void);
    void (*exit)(void);
    uint32_t (*config_read)(uint32_t bus_device_function, uint32_t offset);
    void (*config_write)(uint32_t bus_device_function, uint32_t offset, uint32_t data);
    void (*read)(uint64_t address, void *bytes, uint32_t size);
    void (*write)(uint64_t address, const void *bytes, uint32_t size);
    void (*tile_read)(uint32_t x, uint32_t y, uint64_t address, void *bytes, uint32_t size);
    void (*tile_write)(uint32_t x, uint32_t y, uint64_t address, const void *bytes, uint32_t size);
    void (*clock)(uint32_t cycles);
    void (*set_memory)(void (*read)(uint64_t address, void *bytes, uint32_t size),
                       void (*write)(uint64_t address, const void *bytes, uint32_t size));
};

// The library of the build.
static inline const char *host_library_path(int arch)
{
    return arch == TSR_WORMHOLE_B0 ? TESSERA_BINARY_DIR "/ttsim/wormhole_b0/libttsim_wh.so"
                                   : TESSERA_BINARY_DIR "/ttsim/blackhole_a0/libttsim_bh.so";
}

// ISO C has no conversion from void * to a function; POSIX wants it done so.
static inline bool host_find(struct host *host, const char *name, void *function)
{
    void *symbol = dlsym(host->library, name);
    if (symbol)
        memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

// Loads the library of the path and finds all names; does not begin. NULL, or why not.
static inline const char *host_open(struct host *host, int arch, const char *path)
{
    *host = (struct host){.arch = arch};
    host->library = dlopen(path, RTLD_LAZY);
    bool found = host->library && host_find(host, "libttsim_init", &host->init) &&
                 host_find(host, "libttsim_exit", &host->exit) &&
                 host_find(host, "libttsim_pci_config_rd32", &host->config_read) &&
                 host_find(host, "libttsim_pci_config_wr32", &host->config_write) &&
                 host_find(host, "libttsim_pci_mem_rd_bytes", &host->read) &&
                 host_find(host, "libttsim_pci_mem_wr_bytes", &host->write) &&
                 host_find(host, "libttsim_tile_rd_bytes", &host->tile_read) &&
                 host_find(host, "libttsim_tile_wr_bytes", &host->tile_write) &&
                 host_find(host, "libttsim_clock", &host->clock) &&
                 host_find(host, "libttsim_set_pci_dma_mem_callbacks", &host->set_memory);
    return found ? NULL : dlerror();
}

// Begins, and reads where the BARs are.
static inline void host_start(struct host *host)
{
    uint64_t bar[3];
    host->init();
    for (uint32_t i = 0; i < 3; i++) {
        bar[i] = host->config_read(0, 0x10 + 8 * i);
        bar[i] |= (uint64_t)host->config_read(0, 0x14 + 8 * i) << 32;
        bar[i] &= ~15ull;
    }
    host->bar0 = bar[0];
    host->bar2 = bar[1];
    host->bar4 = bar[2];
}

#endif
