// SPDX-License-Identifier: Apache-2.0
// L1 storage: writes with their shadow state, and queries over ranges. Page: L1.md of each chip.
#include "state/l1.h"

// The bits of one granule that a range covers, and how many bytes that is.
static uint16_t span_mask(uint32_t address, size_t size, size_t *covered)
{
    unsigned first = address % TSR_L1_GRANULE;
    size_t room = TSR_L1_GRANULE - first;
    size_t count = size < room ? size : room;
    *covered = count;
    return (uint16_t)(((1u << count) - 1u) << first);
}

void tsr_l1_mark_any(struct tsr_l1 *l1, uint32_t address, size_t size, bool tainted)
{
    bool clear_taint = l1->any_tainted && !tainted;
    l1->any_tainted |= tainted;
    if ((address | size) % TSR_L1_GRANULE == 0) {
        uint32_t granule = address / TSR_L1_GRANULE;
        size_t count = size / TSR_L1_GRANULE;
        memset(&l1->written[granule], 0xff, count * sizeof l1->written[0]);
        if (l1->any_tainted)
            memset(&l1->tainted[granule], tainted ? 0xff : 0, count * sizeof l1->tainted[0]);
        return;
    }
    while (size > 0) {
        size_t covered;
        uint16_t mask = span_mask(address, size, &covered);
        uint32_t granule = address / TSR_L1_GRANULE;
        l1->written[granule] |= mask;
        if (tainted)
            l1->tainted[granule] |= mask;
        else if (clear_taint)
            l1->tainted[granule] &= (uint16_t)~mask;
        address += (uint32_t)covered;
        size -= covered;
    }
}

void tsr_l1_put(struct tsr_l1 *l1, uint32_t address, const void *bytes, size_t size, bool tainted)
{
    memcpy(l1->bytes + address, bytes, size);
    tsr_l1_mark(l1, address, size, tainted);
}

// Sixteen granules at a time, in two of the host's vectors; the result is not tested before the
// end.
static inline bool granules_written(const uint16_t *written, size_t count)
{
    typedef uint64_t vector __attribute__((vector_size(16)));
    vector all = ~(vector){0, 0}, eight[2];
    const uint16_t *end = written + count;
    for (; end - written >= 16; written += 16) {
        memcpy(eight, written, sizeof eight);
        all &= eight[0] & eight[1];
    }
    for (; written < end; written++)
        if (*written != UINT16_MAX)
            return false;
    return (all[0] & all[1]) == UINT64_MAX;
}

// A face of 16-bit datums is what unpackers read most; the compiler makes no loop of it.
bool tsr_l1_granules_written(const struct tsr_l1 *l1, uint32_t granule, size_t count)
{
    enum { FACE = 16 * 16 * 2 / TSR_L1_GRANULE };
    const uint16_t *written = &l1->written[granule];
    return count == FACE ? granules_written(written, FACE) : granules_written(written, count);
}

bool tsr_l1_all_bytes_written(const struct tsr_l1 *l1, uint32_t address, size_t size)
{
    while (size > 0) {
        size_t covered, whole = size / TSR_L1_GRANULE;
        if (address % TSR_L1_GRANULE == 0 && whole > 0) {
            if (!tsr_l1_granules_written(l1, address / TSR_L1_GRANULE, whole))
                return false;
            covered = whole * TSR_L1_GRANULE;
        } else {
            uint16_t mask = span_mask(address, size, &covered);
            if ((l1->written[address / TSR_L1_GRANULE] & mask) != mask)
                return false;
        }
        address += (uint32_t)covered;
        size -= covered;
    }
    return true;
}

size_t tsr_l1_first_unwritten(const struct tsr_l1 *l1, uint32_t address, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint32_t at = address + (uint32_t)i;
        if (!(l1->written[at / TSR_L1_GRANULE] >> (at % TSR_L1_GRANULE) & 1))
            return i;
    }
    return size;
}

bool tsr_l1_any_tainted(const struct tsr_l1 *l1, uint32_t address, size_t size)
{
    if (!l1->any_tainted)
        return false;
    while (size > 0) {
        size_t covered;
        uint16_t mask = span_mask(address, size, &covered);
        if (l1->tainted[address / TSR_L1_GRANULE] & mask)
            return true;
        address += (uint32_t)covered;
        size -= covered;
    }
    return false;
}
