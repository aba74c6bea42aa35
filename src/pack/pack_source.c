// SPDX-License-Identifier: Apache-2.0
// The datums of a PACR as they are stored: rows of Dst under the edge masks, or bytes of L1.
// Pages: Packers/InputAddressGenerator.md, Packers/EdgeMasking.md, Dst.md, PACR.md of each chip.
#include "pack/pack_source.h"

#include "pack/pack_report.h"

#include <string.h>

// ---------------------------------------------------------------- runs

static void enter_segment(struct tsr_pack_cursor *cursor)
{
    const struct tsr_pack_part *part = cursor->part;
    cursor->left = part->count;
    cursor->start = part->start[cursor->segment];
    if (cursor->by_interface)
        cursor->at =
            tsr_pack_interface_position(&part->config.edges, part->position, cursor->segment);
}

void tsr_pack_begin_runs(const struct tsr_env *env, const struct tsr_pack_part *part,
                         struct tsr_pack_cursor *cursor)
{
    bool located = part->source == TSR_PACK_FROM_DST &&
                   (part->config.edges.masked || part->config.descale_by_z);
    bool by_interface = env->chip->pack_interfaces > 1;
    cursor->part = part;
    cursor->at = located ? part->position : (struct tsr_pack_position){0, 0, 0};
    cursor->segment = 0;
    cursor->by_interface = located && by_interface;
    cursor->by_datum = located && !by_interface;
    enter_segment(cursor);
}

bool tsr_pack_next_run(struct tsr_pack_cursor *cursor, unsigned room, struct tsr_pack_run *run)
{
    const struct tsr_pack_part *part = cursor->part;
    while (cursor->left == 0) {
        if (cursor->segment + 1u >= part->segments)
            return false;
        cursor->segment++;
        enter_segment(cursor);
    }
    bool from_dst = part->source == TSR_PACK_FROM_DST;
    unsigned count = from_dst ? 16u - (cursor->start & 15u) : 16u;
    // A tile row of the position generator may end inside a row of Dst.
    if (cursor->by_datum && count > 16u - cursor->at.x)
        count = 16u - cursor->at.x;
    count = count < cursor->left ? count : cursor->left;
    count = count < room ? count : room;
    *run = (struct tsr_pack_run){.start = cursor->start,
                                 .segment = (uint16_t)cursor->segment,
                                 .count = (uint16_t)count,
                                 .at = cursor->at};
    if (cursor->by_datum)
        tsr_pack_step_datums(&part->config.edges, &cursor->at, count);
    cursor->start = (uint16_t)((cursor->start + count) & 0x3fff);
    cursor->left -= count;
    return true;
}

// Whole rows, of which every datum was written and none is tainted, without a mask. Contiguous
// segments count as one.
unsigned tsr_pack_next_rows(struct tsr_pack_cursor *cursor, struct tsr_pack_sink *sink,
                            const uint16_t **high, const uint16_t **low)
{
    const struct tsr_pack_part *part = cursor->part;
    struct tsr_dst *dst = &sink->env->state->dst;
    bool wide = part->config.mode.read_32b;
    if (part->source != TSR_PACK_FROM_DST || cursor->by_datum || cursor->by_interface ||
        cursor->start % 16 || cursor->left == 0)
        return 0;
    if (part->contiguous_rows) {
        cursor->left += 16 * (part->segments - 1 - cursor->segment);
        cursor->segment = part->segments - 1u;
    }
    unsigned row = cursor->start / 16, most = cursor->left / 16;
    unsigned run = tsr_dst_run(sink->job->dst_order, row, wide);
    most = most < run ? most : run;
    struct tsr_dst_view view = tsr_dst_at(dst, sink->job->dst_order, row, wide);
    unsigned rows = tsr_dst_untainted_rows(dst, &view, most);
    *high = view.high;
    *low = view.low;
    cursor->start = (uint16_t)((cursor->start + 16 * rows) & 0x3fff);
    cursor->left -= 16 * rows;
    return rows;
}

// ---------------------------------------------------------------- Dst

// Whether what is read was written, and is not tainted. False: the tile stops.
static bool check_row(const struct tsr_pack_sink *sink, const struct tsr_dst_view *view,
                      unsigned row, uint16_t columns, bool *tainted)
{
    struct tsr_dst *dst = &sink->env->state->dst;
    unsigned unwritten = columns & ~tsr_dst_written(dst, view);
    unsigned tainted_columns = columns & tsr_dst_tainted(dst, view);
    *tainted |= tainted_columns != 0;
    if (!(unwritten | tainted_columns))
        return true;
    const struct tsr_pack_subject about = {.row = row,
                                           .wide = view->wide,
                                           .unwritten = (uint16_t)unwritten,
                                           .tainted = (uint16_t)tainted_columns};
    tsr_pack_anomalies anomalies = 0;
    if (unwritten)
        anomalies |= TSR_PACK_ANOMALY(UNWRITTEN_DST);
    if (tainted_columns)
        anomalies |= TSR_PACK_ANOMALY(TAINTED_DST);
    return tsr_pack_report(sink->env, sink->inst, &about, anomalies) != TSR_HALT;
}

// In the common case a whole row, which the compiler copies without a call.
static void copy_cells(uint16_t *to, const uint16_t *from, unsigned count)
{
    if (count == 16)
        memcpy(to, from, 16 * sizeof *to);
    else
        memcpy(to, from, count * sizeof *to);
}

// Cells of a row from `column` on become 0 where the mask is 0. (Sixteen, without a branch, are a
// few vectors.)
static void mask_columns(uint16_t *cells, unsigned column, unsigned count, uint16_t mask)
{
    static const uint16_t bit[16] = {1u << 0,  1u << 1,  1u << 2,  1u << 3, 1u << 4,  1u << 5,
                                     1u << 6,  1u << 7,  1u << 8,  1u << 9, 1u << 10, 1u << 11,
                                     1u << 12, 1u << 13, 1u << 14, 1u << 15};
    mask = (uint16_t)(mask >> column);
    if (count == 16)
        for (unsigned i = 0; i < 16; i++)
            cells[i] = (mask & bit[i]) == bit[i] ? cells[i] : 0;
    else
        for (unsigned i = 0; i < count; i++)
            cells[i] = (mask & bit[i]) == bit[i] ? cells[i] : 0;
}

bool tsr_pack_read_dst(const struct tsr_pack_sink *sink, const struct tsr_pack_run *run,
                       uint16_t mask, uint16_t *high, uint16_t *low, bool *tainted)
{
    struct tsr_dst *dst = &sink->env->state->dst;
    unsigned row = run->start >> 4, column = run->start & 15, count = run->count;
    struct tsr_dst_view view =
        tsr_dst_at(dst, sink->job->dst_order, row, sink->part->config.mode.read_32b);
    uint16_t columns = (uint16_t)(((1u << count) - 1u) << column);
    if (!tsr_dst_valid(dst, &view)) {
        memset(high, 0, count * sizeof *high);
        memset(low, 0, count * sizeof *low);
        return true;
    }
    if (!check_row(sink, &view, row, columns & mask, tainted))
        return false;
    copy_cells(high, view.high + column, count);
    if (view.low)
        copy_cells(low, view.low + column, count);
    if (mask != 0xffff) {
        mask_columns(high, column, count, mask);
        if (view.low)
            mask_columns(low, column, count, mask);
    }
    return true;
}

// ---------------------------------------------------------------- L1

// Bytes after the end of L1 read as 0.
bool tsr_pack_read_l1(struct tsr_pack_sink *sink, unsigned first, unsigned count, uint32_t *datums,
                      bool *tainted)
{
    struct tsr_env *env = sink->env;
    struct tsr_l1 *l1 = &env->state->l1;
    unsigned bytes = sink->part->config.input_bytes;
    uint32_t address = sink->part->l1_source + first * bytes;
    memset(datums, 0, count * sizeof *datums);
    if (!tsr_l1_holds(l1, address, count * bytes)) {
        enum tsr_verdict verdict = TSR_GO_TAINTED;
        if (!sink->read_overflowed)
            verdict = tsr_pack_report_l1(env, sink->inst, TSR_PACK_ANOMALY_L1_READ_RANGE, address);
        sink->read_overflowed = true;
        *tainted |= verdict == TSR_GO_TAINTED;
        return verdict != TSR_HALT;
    }
    if (!tsr_l1_all_written(l1, address, count * bytes)) {
        size_t at = address + tsr_l1_first_unwritten(l1, address, count * bytes);
        if (tsr_pack_report_l1(env, sink->inst, TSR_PACK_ANOMALY_UNWRITTEN_L1, (uint32_t)at) ==
            TSR_HALT)
            return false;
    }
    *tainted |= tsr_l1_any_tainted(l1, address, count * bytes);
    for (unsigned i = 0; i < count; i++)
        for (unsigned byte = 0; byte < bytes; byte++)
            datums[i] |= (uint32_t)l1->bytes[address + i * bytes + byte] << (8 * byte);
    return true;
}
