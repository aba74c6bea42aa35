// SPDX-License-Identifier: Apache-2.0
// Dst: 1024 rows of 16 datums of 16 bits, a valid bit a row, and the two views onto it. The views
// are the only way in. Page: Dst.md of each chip.
#ifndef TESSERA_STATE_DST_H
#define TESSERA_STATE_DST_H

#include <stdbool.h>
#include <stdint.h>

enum { TSR_DST_ROWS = 1024, TSR_DST_LOW = 8 };

struct tsr_dst {
    uint16_t bits[TSR_DST_ROWS][16];
    bool valid[TSR_DST_ROWS];        // by physical row
    uint16_t written[TSR_DST_ROWS];  // a bit for each column
    uint16_t tainted[TSR_DST_ROWS];
};

// The physical row of the high half of a 32-bit row; the low half lies TSR_DST_LOW rows further.
static inline unsigned tsr_dst_row32(unsigned row)
{
    return (row & 0x1f8) << 1 | (row & 0x207);
}

// One row through a view. `low` is NULL in the 16-bit view.
struct tsr_dst_view {
    uint16_t *high, *low;
    unsigned physical; // row of `high`
    bool wide;
};

static inline struct tsr_dst_view tsr_dst_at(struct tsr_dst *dst, unsigned row, bool wide)
{
    unsigned physical = wide ? tsr_dst_row32(row & 1023) : (row & 1023);
    struct tsr_dst_view view = {dst->bits[physical], 0, physical, wide};
    if (wide)
        view.low = dst->bits[physical + TSR_DST_LOW];
    return view;
}

static inline bool tsr_dst_valid(const struct tsr_dst *dst, const struct tsr_dst_view *view)
{
    return dst->valid[view->physical];
}

static inline uint16_t tsr_dst_written(const struct tsr_dst *dst, const struct tsr_dst_view *view)
{
    uint16_t mask = dst->written[view->physical];
    return view->wide ? (uint16_t)(mask & dst->written[view->physical + TSR_DST_LOW]) : mask;
}

static inline uint16_t tsr_dst_tainted(const struct tsr_dst *dst, const struct tsr_dst_view *view)
{
    uint16_t mask = dst->tainted[view->physical];
    return view->wide ? (uint16_t)(mask | dst->tainted[view->physical + TSR_DST_LOW]) : mask;
}

// The story of a write to some columns; the valid bit belongs to the row of the high half alone.
static inline void tsr_dst_wrote(struct tsr_dst *dst, const struct tsr_dst_view *view,
                                 uint16_t columns, uint16_t tainted)
{
    for (unsigned half = 0; half <= (unsigned)view->wide; half++) {
        unsigned row = view->physical + half * TSR_DST_LOW;
        dst->written[row] |= columns;
        dst->tainted[row] = (uint16_t)((dst->tainted[row] & ~columns) | (tainted & columns));
    }
    dst->valid[view->physical] = true;
}

#endif
