// SPDX-License-Identifier: Apache-2.0
// L1: the bytes of the tile's memory, and beside each byte whether it was written and whether what
// was written is tainted. Timing and ports are not here. Page: L1.md of each chip.
#ifndef TESSERA_STATE_L1_H
#define TESSERA_STATE_L1_H

#include "base/bits.h"
#include "base/hart.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TSR_L1_MAX = 1536 * 1024, TSR_L1_GRANULE = 16 };

struct tsr_l1 {
    uint8_t bytes[TSR_L1_MAX];
    uint16_t written[TSR_L1_MAX / TSR_L1_GRANULE]; // a bit for each byte of a granule
    uint16_t tainted[TSR_L1_MAX / TSR_L1_GRANULE];
    uint32_t size; // bytes
    bool any_tainted;
    struct tsr_code_lines code;
};

static inline bool tsr_l1_holds(const struct tsr_l1 *l1, uint64_t address, uint64_t size)
{
    return address <= l1->size && size <= l1->size - address;
}

// The range must be in L1.
void tsr_l1_mark_any(struct tsr_l1 *l1, uint32_t address, size_t size, bool tainted);
static inline void tsr_l1_mark(struct tsr_l1 *l1, uint32_t address, size_t size, bool tainted)
{
    tsr_code_note_write(&l1->code, address, size);
    if ((address | size) % TSR_L1_GRANULE == 0 && !tainted && !l1->any_tainted)
        memset(&l1->written[address / TSR_L1_GRANULE], 0xff,
               size / TSR_L1_GRANULE * sizeof l1->written[0]);
    else
        tsr_l1_mark_any(l1, address, size, tainted);
}
void tsr_l1_put(struct tsr_l1 *l1, uint32_t address, const void *bytes, size_t size, bool tainted);
bool tsr_l1_granules_written(const struct tsr_l1 *l1, uint32_t granule, size_t count);
bool tsr_l1_all_bytes_written(const struct tsr_l1 *l1, uint32_t address, size_t size);
static inline bool tsr_l1_all_written(const struct tsr_l1 *l1, uint32_t address, size_t size)
{
    if ((address | size) % TSR_L1_GRANULE == 0)
        return tsr_l1_granules_written(l1, address / TSR_L1_GRANULE, size / TSR_L1_GRANULE);
    return tsr_l1_all_bytes_written(l1, address, size);
}
// The first byte of the range that was never written; `size` if there is none.
size_t tsr_l1_first_unwritten(const struct tsr_l1 *l1, uint32_t address, size_t size);
bool tsr_l1_any_tainted(const struct tsr_l1 *l1, uint32_t address, size_t size);

// At most four bytes that lie in one granule: what a core loads or stores.
static inline bool tsr_l1_few_written(const struct tsr_l1 *l1, uint32_t address, unsigned size)
{
    unsigned mask = (1u << size) - 1u;
    return (l1->written[address / TSR_L1_GRANULE] >> address % TSR_L1_GRANULE & mask) == mask;
}
static inline void tsr_l1_put_few(struct tsr_l1 *l1, uint32_t address, uint32_t value,
                                  unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        l1->bytes[address + i] = (uint8_t)(value >> (8 * i));
    uint16_t mask = (uint16_t)(((1u << size) - 1u) << address % TSR_L1_GRANULE);
    l1->written[address / TSR_L1_GRANULE] |= mask;
    l1->tainted[address / TSR_L1_GRANULE] &= (uint16_t)~mask;
    tsr_code_note_write(&l1->code, address, size);
}

static inline uint32_t tsr_l1_word(const struct tsr_l1 *l1, uint32_t address)
{
    return tsr_word_at(l1->bytes + address);
}

#endif
