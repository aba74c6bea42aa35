// SPDX-License-Identifier: Apache-2.0
// Loading a library with the vendor's interface, and TLB windows as a host writes them.
// Page: PCIExpressTile/TLBs.md.
#include "ttsim/host.h"

#include <dlfcn.h>
#include <string.h>

const char *host_library_path(int arch)
{
    return arch == TSR_WORMHOLE_B0 ? TESSERA_BINARY_DIR "/ttsim/wormhole_b0/libttsim_wh.so"
                                   : TESSERA_BINARY_DIR "/ttsim/blackhole_a0/libttsim_bh.so";
}

// ISO C has no conversion from void * to a function; POSIX wants it done so.
static void find(struct host *host, const char *name, void *function)
{
    void *symbol = dlsym(host->library, name);
    if (!symbol)
        fail_msg("no symbol %s", name);
    memcpy(function, &symbol, sizeof symbol);
}

void host_load(struct host *host, int arch)
{
    *host = (struct host){.arch = arch};
    host->library = dlopen(host_library_path(arch), RTLD_LAZY);
    if (!host->library)
        fail_msg("%s", dlerror());
    find(host, "libttsim_init", &host->init);
    find(host, "libttsim_exit", &host->exit);
    find(host, "libttsim_pci_config_rd32", &host->config_read);
    find(host, "libttsim_pci_config_wr32", &host->config_write);
    find(host, "libttsim_pci_mem_rd_bytes", &host->read);
    find(host, "libttsim_pci_mem_wr_bytes", &host->write);
    find(host, "libttsim_tile_rd_bytes", &host->tile_read);
    find(host, "libttsim_tile_wr_bytes", &host->tile_write);
    find(host, "libttsim_clock", &host->clock);
    find(host, "libttsim_set_pci_dma_mem_callbacks", &host->set_memory);
}

void host_unload(struct host *host)
{
    assert_int_equal(dlclose(host->library), 0);
}

static uint64_t bar(struct host *host, uint32_t offset)
{
    uint64_t low = host->config_read(0, offset), high = host->config_read(0, offset + 4);
    return (low | high << 32) & ~15ull;
}

void host_begin(struct host *host, int arch)
{
    host_load(host, arch);
    host->init();
    host->bar0 = bar(host, 0x10);
    host->bar2 = bar(host, 0x18);
    host->bar4 = bar(host, 0x20);
}

void host_end(struct host *host)
{
    host->exit();
    host_unload(host);
}

uint64_t host_window(struct host *host, unsigned x, unsigned y, uint64_t address)
{
    enum { CONFIG = 0x1fc00000, FIRST_16_MIB = 166, WINDOW_16_MIB = 0xb000000 };
    uint64_t place = x | (uint64_t)y << 6;
    if (host->arch == TSR_WORMHOLE_B0) {
        uint64_t entry = address >> 24 | place << 12;
        host->write(host->bar0 + CONFIG + FIRST_16_MIB * 8, &entry, sizeof entry);
        return host->bar0 + WINDOW_16_MIB + (address & 0xffffff);
    }
    const uint32_t entry[3] = {(uint32_t)(address >> 21),
                               (uint32_t)(address >> 53) | (uint32_t)place << 11, 0};
    for (unsigned i = 0; i < 3; i++)
        host->write(host->bar0 + CONFIG + 4 * i, &entry[i], 4);
    return host->bar0 + (address & 0x1fffff);
}

static uint32_t up_to_edge(const struct host *host, uint64_t address, uint32_t size)
{
    uint64_t window = host->arch == TSR_WORMHOLE_B0 ? 1 << 24 : 1 << 21;
    uint64_t left = window - address % window;
    return size < left ? size : (uint32_t)left;
}

void host_put(struct host *host, unsigned x, unsigned y, uint64_t address, const void *bytes,
              uint32_t size)
{
    for (const uint8_t *from = bytes; size > 0;) {
        uint32_t part = up_to_edge(host, address, size);
        host->write(host_window(host, x, y, address), from, part);
        from += part;
        address += part;
        size -= part;
    }
}

void host_get(struct host *host, unsigned x, unsigned y, uint64_t address, void *bytes,
              uint32_t size)
{
    for (uint8_t *to = bytes; size > 0;) {
        uint32_t part = up_to_edge(host, address, size);
        host->read(host_window(host, x, y, address), to, part);
        to += part;
        address += part;
        size -= part;
    }
}

void host_put_word(struct host *host, unsigned x, unsigned y, uint64_t address, uint32_t word)
{
    host_put(host, x, y, address, &word, sizeof word);
}

uint32_t host_word_of(struct host *host, unsigned x, unsigned y, uint64_t address)
{
    uint32_t word;
    host_get(host, x, y, address, &word, sizeof word);
    return word;
}
