// SPDX-License-Identifier: Apache-2.0
// Loading a library with the vendor's interface, and TLB windows as a host writes them.
// Page: PCIExpressTile/TLBs.md.
#include "ttsim/host.h"

void host_load(struct host *host, int arch)
{
    const char *why = host_open(host, arch, host_library_path(arch));
    if (why)
        fail_msg("%s", why);
}

void host_unload(struct host *host)
{
    assert_int_equal(dlclose(host->library), 0);
}

void host_begin(struct host *host, int arch)
{
    host_load(host, arch);
    host_start(host);
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
