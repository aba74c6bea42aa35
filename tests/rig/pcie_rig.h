// SPDX-License-Identifier: Apache-2.0
// A chip as a host sees it: words of its BARs, TLB windows, the host's memory.
// Pages: PCIExpressTile/README.md, PCIExpressTile/TLBs.md.
#ifndef TESSERA_TESTS_RIG_PCIE_RIG_H
#define TESSERA_TESTS_RIG_PCIE_RIG_H

#include "rig/chip_rig.h"
#include "rig/each_chip.h"

#define TLB_CONFIG 0x1fc00000u

static inline uint64_t bar(int arch, int number)
{
    uint64_t address = 0, size = 0;
    assert_int_equal(tsr_chip_bar((tsr_arch)arch, number, &address, &size), TSR_OK);
    return address;
}

static inline const tsr_diagnostic *last_found(tsr_chip *chip)
{
    tsr_chip_finding found;
    int count = tsr_chip_finding_count(chip);
    return tsr_chip_finding_at(chip, count - 1, &found) == TSR_OK ? found.diagnostic : NULL;
}

static inline void put(tsr_chip *chip, uint64_t address, const void *bytes, size_t size)
{
    if (tsr_chip_host_write(chip, address, bytes, size) != TSR_OK)
        fail_msg("%s", last_found(chip)->sentence);
}

static inline void put_word(tsr_chip *chip, uint64_t address, uint32_t word)
{
    put(chip, address, &word, sizeof word);
}

static inline uint32_t word_at(tsr_chip *chip, uint64_t address)
{
    uint32_t word = 0;
    assert_int_equal(tsr_chip_host_read(chip, address, &word, sizeof word), TSR_OK);
    return word;
}

struct entry {
    uint64_t local;
    unsigned x, y, start_x, start_y, noc, multicast;
};

// An entry of a window with so many address bits, where a field's place is counted by hand.
static inline void set_window(tsr_chip *chip, int arch, unsigned index, unsigned bits,
                              struct entry e)
{
    unsigned local = (arch == WH ? 36 : 64) - bits, bytes = arch == WH ? 8 : 12;
    const struct {
        unsigned first, width;
        uint64_t value;
    } field[] = {{0, local, e.local},
                 {local, 6, e.x},
                 {local + 6, 6, e.y},
                 {local + 12, 6, e.start_x},
                 {local + 18, 6, e.start_y},
                 {local + 24, 1, e.noc},
                 {local + (arch == WH ? 25 : 26), 1, e.multicast}};
    uint8_t entry[12] = {0};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        for (unsigned bit = 0; bit < field[i].width; bit++)
            if (field[i].value >> bit & 1)
                entry[(field[i].first + bit) / 8] |= (uint8_t)(1u << (field[i].first + bit) % 8);
    put(chip, bar(arch, 0) + TLB_CONFIG + index * bytes, entry, bytes);
}

struct host {
    uint8_t bytes[256];
    uint64_t base;
};

static inline void host_read(void *user, uint64_t address, void *bytes, size_t size)
{
    struct host *host = user;
    assert_true(address >= host->base && address + size <= host->base + sizeof host->bytes);
    memcpy(bytes, host->bytes + (address - host->base), size);
}

static inline void host_write(void *user, uint64_t address, const void *bytes, size_t size)
{
    struct host *host = user;
    assert_true(address >= host->base && address + size <= host->base + sizeof host->bytes);
    memcpy(host->bytes + (address - host->base), bytes, size);
}

#endif
