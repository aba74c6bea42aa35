// SPDX-License-Identifier: Apache-2.0
// The datums of a PACR as they are stored: rows of Dst behind the edge masks, or bytes of L1.
// Pages: Packers/InputAddressGenerator.md, Packers/EdgeMasking.md, Dst.md, PACR.md of each chip.
#include "pack/pack_job.h"

#include <string.h>

// ---------------------------------------------------------------- runs

static void enter_segment(struct pack_runs *runs)
{
    const struct pack_part *part = runs->part;
    runs->left = part->count;
    runs->start = part->start[runs->segment];
    if (runs->by_interface)
        runs->at = tsr_pack_interface_position(&part->shape, part->position, runs->segment);
}

void tsr_pack_begin_runs(const struct tsr_env *env, const struct pack_part *part,
                         struct pack_runs *runs)
{
    bool located =
        part->source == PACK_FROM_DST && (part->shape.masked || part->shape.descale_by_z);
    bool by_interface = env->chip->pack_interfaces > 1;
    runs->part = part;
    runs->at = located ? part->position : (struct pack_position){0, 0, 0};
    runs->segment = 0;
    runs->by_interface = located && by_interface;
    runs->by_datum = located && !by_interface;
    enter_segment(runs);
}

bool tsr_pack_next_run(struct pack_runs *runs, unsigned room, struct pack_run *run)
{
    const struct pack_part *part = runs->part;
    while (runs->left == 0) {
        if (runs->segment + 1u >= part->segments)
            return false;
        runs->segment++;
        enter_segment(runs);
    }
    bool from_dst = part->source == PACK_FROM_DST;
    unsigned count = from_dst ? 16u - (runs->start & 15u) : 16u;
    // A tile row of the position generator may end inside a row of Dst.
    if (runs->by_datum && count > 16u - runs->at.x)
        count = 16u - runs->at.x;
    count = count < runs->left ? count : runs->left;
    count = count < room ? count : room;
    *run = (struct pack_run){.start = runs->start,
                             .segment = (uint16_t)runs->segment,
                             .count = (uint16_t)count,
                             .at = runs->at};
    if (runs->by_datum)
        tsr_pack_step_datums(&part->shape, &runs->at, count);
    runs->start = (uint16_t)((runs->start + count) & 0x3fff);
    runs->left -= count;
    return true;
}

// Rows that can be read where they lie: whole ones, of which every datum was written and none is
// tainted, behind no mask. Interfaces side by side are as good as one.
unsigned tsr_pack_next_rows(struct pack_runs *runs, struct pack_sink *sink, const uint16_t **high,
                            const uint16_t **low)
{
    const struct pack_part *part = runs->part;
    struct tsr_dst *dst = &sink->env->state->dst;
    bool wide = part->shape.mode.read_32b;
    if (part->source != PACK_FROM_DST || runs->by_datum || runs->by_interface || runs->start % 16 ||
        runs->left == 0)
        return 0;
    if (part->adjacent && part->count == 16) {
        runs->left += 16 * (part->segments - 1 - runs->segment);
        runs->segment = part->segments - 1u;
    }
    unsigned row = runs->start / 16, most = runs->left / 16;
    unsigned run = tsr_dst_run(sink->job->order, row, wide);
    most = most < run ? most : run;
    struct tsr_dst_view view = tsr_dst_at(dst, sink->job->order, row, wide);
    unsigned rows = tsr_dst_plain_rows(dst, &view, most);
    *high = view.high;
    *low = view.low;
    runs->start = (uint16_t)((runs->start + 16 * rows) & 0x3fff);
    runs->left -= 16 * rows;
    return rows;
}

// ---------------------------------------------------------------- Dst

// The story of what is read. False: the tile stops.
static bool check_row(const struct pack_sink *sink, const struct tsr_dst_view *view, unsigned row,
                      uint16_t columns, bool *tainted)
{
    struct tsr_dst *dst = &sink->env->state->dst;
    if (columns & ~tsr_dst_written(dst, view)) {
        if (tsr_report(sink->env, FINDING_UNINITIALISED_DST, sink->inst, NULL,
                       "Row %u of Dst (%d-bit view) has columns 0x%04x that were never written.",
                       row, view->wide ? 32 : 16,
                       (unsigned)(columns & ~tsr_dst_written(dst, view))) == TSR_HALT)
            return false;
    }
    if (columns & tsr_dst_tainted(dst, view)) {
        *tainted = true;
        if (tsr_report(sink->env, FINDING_TAINTED_DATUM_USED, sink->inst, NULL,
                       "Row %u of Dst holds datums in columns 0x%04x that came out of undefined "
                       "behaviour, and they go to L1.",
                       row, (unsigned)(columns & tsr_dst_tainted(dst, view))) == TSR_HALT)
            return false;
    }
    return true;
}

// Nearly always a whole row, which the compiler copies without a call.
static void copy_cells(uint16_t *to, const uint16_t *from, unsigned count)
{
    if (count == 16)
        memcpy(to, from, 16 * sizeof *to);
    else
        memcpy(to, from, count * sizeof *to);
}

static void mask_columns(uint16_t *cells, unsigned column, unsigned count, uint16_t mask)
{
    for (unsigned i = 0; i < count; i++)
        if (!(mask >> (column + i) & 1))
            cells[i] = 0;
}

bool tsr_pack_read_dst(const struct pack_sink *sink, const struct pack_run *run, uint16_t mask,
                       uint16_t *high, uint16_t *low, bool *tainted)
{
    struct tsr_dst *dst = &sink->env->state->dst;
    unsigned row = run->start >> 4, column = run->start & 15, count = run->count;
    struct tsr_dst_view view =
        tsr_dst_at(dst, sink->job->order, row, sink->part->shape.mode.read_32b);
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

// Datums `first` and following of the part; what lies behind the end of L1 reads as 0.
bool tsr_pack_read_l1(struct pack_sink *sink, unsigned first, unsigned count, uint32_t *datums,
                      bool *tainted)
{
    struct tsr_l1 *l1 = &sink->env->state->l1;
    unsigned bytes = sink->part->shape.input_bytes;
    uint32_t address = sink->part->l1_source + first * bytes;
    memset(datums, 0, count * sizeof *datums);
    if (!tsr_l1_holds(l1, address, count * bytes)) {
        enum tsr_verdict verdict = TSR_GO_TAINTED;
        if (!sink->source_overflowed)
            verdict = tsr_report(sink->env, FINDING_L1_OUT_OF_RANGE, sink->inst, NULL,
                                 "Packer 0 reads at 0x%x, behind L1's %u bytes.", (unsigned)address,
                                 (unsigned)l1->size);
        sink->source_overflowed = true;
        *tainted |= verdict == TSR_GO_TAINTED;
        return verdict != TSR_HALT;
    }
    if (!tsr_l1_all_written(l1, address, count * bytes) &&
        tsr_report(sink->env, FINDING_UNINITIALISED_L1, sink->inst, NULL,
                   "Packer 0 reads L1 at 0x%x, which was never written.",
                   (unsigned)(address + tsr_l1_first_unwritten(l1, address, count * bytes))) ==
            TSR_HALT)
        return false;
    *tainted |= tsr_l1_any_tainted(l1, address, count * bytes);
    for (unsigned i = 0; i < count; i++)
        for (unsigned byte = 0; byte < bytes; byte++)
            datums[i] |= (uint32_t)l1->bytes[address + i * bytes + byte] << (8 * byte);
    return true;
}
