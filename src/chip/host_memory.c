// SPDX-License-Identifier: Apache-2.0
// Reads and writes of the host's memory by the device, through the outbound address translation.
// Page: PCIExpressTile/README.md (Outbound iATU); its registers are those that tt-umd writes.
#include "chip/host_memory.h"

#include <string.h>

enum {
    REGIONS = 16,
    REGION_WORDS = 0x200 / 4,
    CONTROL_2 = 1, // bit 31: enabled
    BASE_LOW = 2,
    BASE_HIGH = 3,
    LIMIT_LOW = 4,
    TARGET_LOW = 5,
    TARGET_HIGH = 6,
    LIMIT_HIGH = 8
};

struct region {
    uint64_t base, limit, target;
};

static bool region_at(const tsr_chip *chip, unsigned index, struct region *region)
{
    const uint32_t *word = &chip->pcie.iatu[index * REGION_WORDS];
    uint32_t high = word[LIMIT_HIGH] > word[BASE_HIGH] ? word[LIMIT_HIGH] : word[BASE_HIGH];
    region->base = word[BASE_LOW] | (uint64_t)word[BASE_HIGH] << 32;
    region->limit = word[LIMIT_LOW] | (uint64_t)high << 32;
    region->target = word[TARGET_LOW] | (uint64_t)word[TARGET_HIGH] << 32;
    return word[CONTROL_2] >> 31;
}

// Where the host has it, and how many of `size` bytes lie there in one piece. What no region holds
// goes through as it is.
static uint64_t translate(const tsr_chip *chip, uint64_t offset, size_t *size)
{
    struct region region;
    for (unsigned i = 0; i < REGIONS; i++) {
        if (!region_at(chip, i, &region))
            continue;
        if (offset >= region.base && offset <= region.limit) {
            if (*size - 1 > region.limit - offset)
                *size = (size_t)(region.limit - offset) + 1;
            return region.target + (offset - region.base);
        }
        uint64_t before = region.base - offset;
        if (offset<region.base && * size> before)
            *size = (size_t)before;
    }
    return offset;
}

bool tsr_host_memory_read(tsr_chip *chip, uint64_t offset, void *bytes, size_t size)
{
    const tsr_host_memory *host = &chip->pcie.host;
    uint8_t *to = bytes;
    memset(to, 0, size);
    while (size > 0 && host->read) {
        size_t part = size;
        uint64_t address = translate(chip, offset, &part);
        host->read(host->user, address, to, part);
        to += part;
        offset += part;
        size -= part;
    }
    return host->read != NULL;
}

bool tsr_host_memory_write(tsr_chip *chip, uint64_t offset, const void *bytes, size_t size)
{
    const tsr_host_memory *host = &chip->pcie.host;
    for (const uint8_t *from = bytes; size > 0 && host->write;) {
        size_t part = size;
        uint64_t address = translate(chip, offset, &part);
        host->write(host->user, address, from, part);
        from += part;
        offset += part;
        size -= part;
    }
    return host->write != NULL;
}
