// SPDX-License-Identifier: Apache-2.0
// Dst: 1024 rows of 16 datums of 16 bits, a valid bit a row, and the two views onto it. The views
// are the only way in: only tsr_dst_at() has the place of a row. Page: Dst.md of each chip.
#ifndef TESSERA_STATE_DST_H
#define TESSERA_STATE_DST_H

#include "state/origin.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { TSR_DST_ROWS = 1024, TSR_DST_LOW = 8, TSR_DST_FACE_ROWS = 16 };
// The unit of the write-to-read rule: aligned groups of 8 physical rows (decision 25).
enum { TSR_DST_BLOCK_ROWS = 8, TSR_DST_BLOCKS = TSR_DST_ROWS / TSR_DST_BLOCK_ROWS };

// The order of rows: bits that an instruction samples with its configuration (tsr_dst_order).
enum {
    TSR_DST_REMAP = 1,      // DEST_ACCESS_CFG_remap_addrs
    TSR_DST_SWIZZLE = 2,    // DEST_ACCESS_CFG_swizzle_32b
    TSR_DST_HIGH_HALVES = 4 // feature-disable bit 11: 16-bit rows are halves of 32-bit ones
};

struct tsr_dst {
    uint16_t bits[TSR_DST_ROWS][16];
    bool valid[TSR_DST_ROWS];       // by physical row
    uint16_t written[TSR_DST_ROWS]; // a bit for each column
    uint16_t tainted[TSR_DST_ROWS];
    // A bit for each row that was written since tsr_rows_note() looked (row_writers.h).
    uint64_t marks[TSR_DST_ROWS / 64];
    struct tsr_origin writer[TSR_DST_ROWS];
};

static inline void tsr_dst_mark(struct tsr_dst *dst, unsigned row, unsigned rows)
{
    while (rows > 0) {
        unsigned part = 64 - row % 64 < rows ? 64 - row % 64 : rows;
        dst->marks[row / 64] |= UINT64_MAX >> (64 - part) << row % 64;
        row += part;
        rows -= part;
    }
}

// What was written when, with timing on: one cycle after the last write of each block, and of all;
// 0: none yet.
struct tsr_dst_writes {
    uint64_t block[TSR_DST_BLOCKS], last;
};

// Where a 32-bit row's high half lies if nothing is remapped; the low half lies TSR_DST_LOW rows
// further.
static inline unsigned tsr_dst_row32(unsigned row)
{
    return (row & 0x1f8) << 1 | (row & 0x207);
}

// The page's Adj16 and Adj32.
static inline unsigned tsr_dst_adj16(unsigned order, unsigned row)
{
    row &= TSR_DST_ROWS - 1;
    if (order & TSR_DST_REMAP)
        row = (row & 0x3c7) ^ (row & 0x030) >> 1 ^ (row & 0x008) << 2;
    return row;
}

static inline unsigned tsr_dst_adj32(unsigned order, unsigned row)
{
    row = tsr_dst_adj16(order, row);
    if (order & TSR_DST_SWIZZLE)
        row = (row & 0x3f3) ^ (row & 0x018) >> 1 ^ (row & 0x004) << 1;
    return tsr_dst_row32(row);
}

static inline bool tsr_dst_folds(unsigned order, bool wide)
{
    return wide || order & TSR_DST_HIGH_HALVES;
}

// The physical row of a 16-bit row, or of a 32-bit row's high half.
static inline unsigned tsr_dst_place(unsigned order, unsigned row, bool wide)
{
    return tsr_dst_folds(order, wide) ? tsr_dst_adj32(order, row) : tsr_dst_adj16(order, row);
}

// How many rows from `row` on are contiguous.
static inline unsigned tsr_dst_run(unsigned order, unsigned row, bool wide)
{
    bool folds = tsr_dst_folds(order, wide);
    row &= TSR_DST_ROWS - 1;
    if (folds && order & TSR_DST_SWIZZLE)
        return 4 - (row & 3);
    return folds || order & TSR_DST_REMAP ? 8 - (row & 7) : TSR_DST_ROWS - row;
}

// One row through a view. `low` is NULL in the 16-bit view.
struct tsr_dst_view {
    uint16_t *high, *low;
    unsigned physical; // row of `high`
    bool wide;
    bool spoils_low; // a 16-bit row that is a high half: writing it spoils the low one
};

static inline struct tsr_dst_view tsr_dst_at(struct tsr_dst *dst, unsigned order, unsigned row,
                                             bool wide)
{
    unsigned physical = tsr_dst_place(order, row, wide);
    struct tsr_dst_view view = {dst->bits[physical], 0, physical, wide,
                                !wide && order & TSR_DST_HIGH_HALVES};
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

// The shadow state of a write to some columns of a row. Columns of an invalid row that it leaves
// alone hold what was there before: as good as never written. The valid bit belongs to the row of
// the high half alone.
void tsr_dst_wrote(struct tsr_dst *dst, const struct tsr_dst_view *view, uint16_t columns,
                   uint16_t tainted);
// The shadow state of `rows` contiguous whole rows, from `view` on.
void tsr_dst_wrote_rows(struct tsr_dst *dst, const struct tsr_dst_view *view, unsigned rows,
                        const uint16_t *tainted);

// The same of any number of rows without taint.
void tsr_dst_wrote_untainted(struct tsr_dst *dst, const struct tsr_dst_view *view, unsigned rows);
// The same of rows of 16 bits that stand where their numbers say, and spoil nothing.
void tsr_dst_wrote_plain_rows(struct tsr_dst *dst, unsigned row, unsigned rows);
// A face, which is 16 of them from a multiple of 16 on, but for the marks.
static inline void tsr_dst_wrote_face(struct tsr_dst *dst, unsigned row)
{
    memset(&dst->written[row], 0xff, TSR_DST_FACE_ROWS * sizeof dst->written[0]);
    memset(&dst->tainted[row], 0, TSR_DST_FACE_ROWS * sizeof dst->tainted[0]);
    memset(&dst->valid[row], true, TSR_DST_FACE_ROWS * sizeof dst->valid[0]);
}
static inline void tsr_dst_wrote_plain(struct tsr_dst *dst, unsigned row, unsigned rows)
{
    if (rows != TSR_DST_FACE_ROWS || row % TSR_DST_FACE_ROWS != 0) {
        tsr_dst_wrote_plain_rows(dst, row, rows);
        return;
    }
    dst->marks[row / 64] |= (uint64_t)0xffff << row % 64; // what kernels nearly always write
    tsr_dst_wrote_face(dst, row);
}

// How many of at most `most` contiguous rows, from `view` on, can be read
// without a check: valid, every datum written, none tainted.
unsigned tsr_dst_untainted_rows(const struct tsr_dst *dst, const struct tsr_dst_view *view,
                                unsigned most);
// Whether all of so many rows of 16 bits can that stand where their numbers say.
bool tsr_dst_plain_untainted(const struct tsr_dst *dst, unsigned row, unsigned rows);

#endif
