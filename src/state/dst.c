// SPDX-License-Identifier: Apache-2.0
// The shadow state that writes to Dst leave: which columns of a row are written and tainted.
// Page: Dst.md of each chip.
#include "state/dst.h"

#include <string.h>

enum { TILE_ROWS = 4 * TSR_DST_FACE_ROWS };

// What a write of a high half alone leaves in the low one is unpredictable, so it counts as not
// written.
static void spoil(struct tsr_dst *dst, unsigned row, uint16_t columns)
{
    dst->written[row] &= (uint16_t)~columns;
    dst->tainted[row] &= (uint16_t)~columns;
}

void tsr_dst_wrote(struct tsr_dst *dst, const struct tsr_dst_view *view, uint16_t columns,
                   uint16_t tainted)
{
    bool valid = tsr_dst_valid(dst, view);
    for (unsigned half = 0; half <= (unsigned)view->wide; half++) {
        unsigned row = view->physical + half * TSR_DST_LOW;
        dst->written[row] = (uint16_t)(valid ? dst->written[row] | columns : columns);
        dst->tainted[row] = (uint16_t)((dst->tainted[row] & ~columns) | (tainted & columns));
        tsr_dst_mark(dst, row, 1);
    }
    if (view->spoils_low)
        spoil(dst, view->physical + TSR_DST_LOW, columns);
    dst->valid[view->physical] = true;
}

static inline void wrote_rows(struct tsr_dst *dst, const struct tsr_dst_view *view, unsigned rows,
                              const uint16_t *tainted)
{
    for (unsigned half = 0; half <= (unsigned)view->wide; half++) {
        unsigned row = view->physical + half * TSR_DST_LOW;
        memset(&dst->written[row], 0xff, rows * sizeof dst->written[0]);
        memcpy(&dst->tainted[row], tainted, rows * sizeof tainted[0]);
        tsr_dst_mark(dst, row, rows);
    }
    for (unsigned i = 0; view->spoils_low && i < rows; i++)
        spoil(dst, view->physical + i + TSR_DST_LOW, 0xffff);
    memset(&dst->valid[view->physical], true, rows * sizeof dst->valid[0]);
}

// Eight rows are the common case; a number that the compiler knows becomes a store or two, others
// become string instructions, which take longer to begin than all the rest.
void tsr_dst_wrote_rows(struct tsr_dst *dst, const struct tsr_dst_view *view, unsigned rows,
                        const uint16_t *tainted)
{
    if (rows == TSR_DST_BLOCK_ROWS)
        wrote_rows(dst, view, TSR_DST_BLOCK_ROWS, tainted);
    else
        wrote_rows(dst, view, rows, tainted);
}

static inline void wrote_untainted(struct tsr_dst *dst, unsigned row, unsigned rows)
{
    memset(&dst->written[row], 0xff, rows * sizeof dst->written[0]);
    memset(&dst->tainted[row], 0, rows * sizeof dst->tainted[0]);
    tsr_dst_mark(dst, row, rows);
}

// A face, and eight rows, are the common cases (see above).
void tsr_dst_wrote_untainted(struct tsr_dst *dst, const struct tsr_dst_view *view, unsigned rows)
{
    static const uint16_t none[TSR_DST_BLOCK_ROWS];
    struct tsr_dst_view at = *view;
    for (; !at.wide && !at.spoils_low && rows >= TSR_DST_FACE_ROWS;
         rows -= TSR_DST_FACE_ROWS, at.physical += TSR_DST_FACE_ROWS) {
        wrote_untainted(dst, at.physical, TSR_DST_FACE_ROWS);
        memset(&dst->valid[at.physical], true, TSR_DST_FACE_ROWS * sizeof dst->valid[0]);
    }
    for (; rows >= TSR_DST_BLOCK_ROWS;
         rows -= TSR_DST_BLOCK_ROWS, at.physical += TSR_DST_BLOCK_ROWS)
        wrote_rows(dst, &at, TSR_DST_BLOCK_ROWS, none);
    if (rows > 0)
        wrote_rows(dst, &at, rows, none);
}

void tsr_dst_wrote_plain_rows(struct tsr_dst *dst, unsigned row, unsigned rows)
{
    const unsigned end = row + rows;
    tsr_dst_mark(dst, row, rows);
    for (; row + TSR_DST_FACE_ROWS <= end; row += TSR_DST_FACE_ROWS)
        tsr_dst_wrote_face(dst, row);
    for (; row + TSR_DST_BLOCK_ROWS <= end; row += TSR_DST_BLOCK_ROWS) {
        memset(&dst->written[row], 0xff, TSR_DST_BLOCK_ROWS * sizeof dst->written[0]);
        memset(&dst->tainted[row], 0, TSR_DST_BLOCK_ROWS * sizeof dst->tainted[0]);
        memset(&dst->valid[row], true, TSR_DST_BLOCK_ROWS * sizeof dst->valid[0]);
    }
    for (; row < end; row++) {
        dst->written[row] = 0xffff;
        dst->tainted[row] = 0;
        dst->valid[row] = true;
    }
}

// Four rows at a time: their masks fill a word each.
static bool four_untainted_written(const struct tsr_dst *dst, unsigned row)
{
    uint64_t written, tainted;
    memcpy(&written, &dst->written[row], sizeof written);
    memcpy(&tainted, &dst->tainted[row], sizeof tainted);
    return written == UINT64_MAX && tainted == 0;
}

static bool four_valid(const struct tsr_dst *dst, unsigned row)
{
    static const bool all[4] = {true, true, true, true};
    return memcmp(&dst->valid[row], all, sizeof all) == 0;
}

// The same of many rows, a multiple of sixteen; 16 bytes at a time, which a host's vector holds.
typedef uint64_t vector __attribute__((vector_size(16)));

static inline vector load(const void *from)
{
    vector loaded;
    memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

static inline bool all_untainted_written(const struct tsr_dst *dst, unsigned row, unsigned rows)
{
    const vector one = {UINT64_C(0x0101010101010101), UINT64_C(0x0101010101010101)};
    const uint16_t *written = &dst->written[row], *tainted = &dst->tainted[row];
    const bool *is_valid = &dst->valid[row];
    vector all = ~(vector){0, 0}, some = {0, 0}, valid = one;
    for (unsigned i = 0; i < rows; i += 16) {
        all &= load(&written[i]) & load(&written[i + 8]);
        some |= load(&tainted[i]) | load(&tainted[i + 8]);
        valid &= load(&is_valid[i]);
    }
    some |= ~all | (valid ^ one);
    return (some[0] | some[1]) == 0;
}

unsigned tsr_dst_untainted_rows(const struct tsr_dst *dst, const struct tsr_dst_view *view,
                                unsigned most)
{
    struct tsr_dst_view at = *view;
    unsigned rows = 0;
    for (; !at.wide && rows + TILE_ROWS <= most; rows += TILE_ROWS, at.physical += TILE_ROWS)
        if (!all_untainted_written(dst, at.physical, TILE_ROWS))
            break;
    for (; !at.wide && rows + TSR_DST_FACE_ROWS <= most;
         rows += TSR_DST_FACE_ROWS, at.physical += TSR_DST_FACE_ROWS)
        if (!all_untainted_written(dst, at.physical, TSR_DST_FACE_ROWS))
            break;
    for (; rows + 4 <= most; rows += 4, at.physical += 4)
        if (!four_valid(dst, at.physical) || !four_untainted_written(dst, at.physical) ||
            (at.wide && !four_untainted_written(dst, at.physical + TSR_DST_LOW)))
            break;
    for (; rows < most; rows++, at.physical++)
        if (!tsr_dst_valid(dst, &at) || tsr_dst_written(dst, &at) != 0xffff ||
            tsr_dst_tainted(dst, &at))
            break;
    return rows;
}

bool tsr_dst_plain_untainted(const struct tsr_dst *dst, unsigned row, unsigned rows)
{
    const struct tsr_dst_view view = {.physical = row};
    if (rows == TILE_ROWS) // what kernels nearly always pack
        return all_untainted_written(dst, row, TILE_ROWS);
    return tsr_dst_untainted_rows(dst, &view, rows) == rows;
}
