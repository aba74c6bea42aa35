// SPDX-License-Identifier: Apache-2.0
// A line of tiles gets its share of a factor: the line's first tile reads it from DRAM, a tile of
// numbers at a time, and broadcasts it to the others, which see from a count how many have come.
#ifndef GRID_FEED_H
#define GRID_FEED_H

#include "grid_job.h"

struct line {
    uint32_t noc;
    uint32_t dram;         // the node
    uint32_t address;      // of the line's first tile of numbers there
    uint32_t step;         // from one to the next, in bytes
    uint32_t first, last;  // the line's ends, where the NoC goes from the first to the last
    uint32_t panel, count; // in L1
};

// The `count`-th one; `before`: acknowledgements before the first.
static inline void broadcast(const struct line *line, uint32_t address, uint32_t bytes,
                             uint32_t before, uint32_t count)
{
    const uint32_t id = 2;

    tt_noc_multicast(0, line->noc, id, address, line->first << 12 | line->last, address, bytes);
    tt_noc_wait_acks(line->noc, before, count * (SIDE - 1));
    tt_noc_clear(line->noc, id);
}

static inline void feed(const struct line *line)
{
    const uint32_t id = 1, before = tt_noc_acks(line->noc);

    for (uint32_t i = 0; i < SIDE; i++) {
        uint32_t to = line->panel + i * TILE_BYTES;
        tt_noc_read(line->noc, id, line->dram, line->address + i * line->step, to, TILE_BYTES);
        tt_noc_wait(line->noc, id);
        broadcast(line, to, TILE_BYTES, before, 2 * i + 1);
        // All have the numbers; now they may know of it.
        tt_store(line->count, i + 1);
        tt_wait_for(tt_load(line->count));
        broadcast(line, line->count, 4, before, 2 * i + 2);
    }
}

#endif
