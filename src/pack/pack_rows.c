// SPDX-License-Identifier: Apache-2.0
// One packer's datums from Dst to its streams: rows are gathered, edge-masked, converted by the
// plan's kernel and appended. Pages: Packers/README.md, Packers/EdgeMasking.md, Dst.md.
#include "pack/pack_job.h"

#include <string.h>

enum { CHUNK = 256 };

// Datums on their way through the pipeline.
struct batch {
    uint16_t high[CHUNK], low[CHUNK];
    unsigned count;
    bool tainted;
};

static uint16_t column_mask(unsigned column, unsigned count)
{
    return (uint16_t)(((1u << count) - 1u) << column);
}

// The story of what is read. False: the tile stops.
static bool check_row(struct tsr_env *env, const struct tsr_flight *flight,
                      const struct tsr_dst_view *view, unsigned row, uint16_t columns,
                      struct batch *batch)
{
    struct tsr_dst *dst = &env->state->dst;
    if (columns & ~tsr_dst_written(dst, view)) {
        if (tsr_report(env, FINDING_UNINITIALISED_DST, flight, NULL,
                       "Row %u of Dst (%d-bit view) has columns 0x%04x that were never written.",
                       row, view->wide ? 32 : 16,
                       (unsigned)(columns & ~tsr_dst_written(dst, view))) == TSR_HALT)
            return false;
    }
    if (columns & tsr_dst_tainted(dst, view)) {
        batch->tainted = true;
        if (tsr_report(env, FINDING_TAINTED_DATUM_USED, flight, NULL,
                       "Row %u of Dst holds datums in columns 0x%04x that came out of undefined "
                       "behaviour, and they go to L1.",
                       row, (unsigned)(columns & tsr_dst_tainted(dst, view))) == TSR_HALT)
            return false;
    }
    return true;
}

static void mask_columns(struct batch *batch, unsigned at, unsigned column, unsigned count,
                         uint16_t mask)
{
    for (unsigned i = 0; i < count; i++)
        if (!(mask >> (column + i) & 1))
            batch->high[at + i] = batch->low[at + i] = 0;
}

// Nearly always a whole row, which the compiler copies without a call.
static void copy_cells(uint16_t *to, const uint16_t *from, unsigned count)
{
    if (count == 16)
        memcpy(to, from, 16 * sizeof *to);
    else
        memcpy(to, from, count * sizeof *to);
}

// Up to a row's rest, from datum index `start`.
static bool gather(struct tsr_env *env, const struct tsr_flight *flight,
                   const struct pack_part *part, unsigned order, unsigned start, unsigned count,
                   unsigned row_ahead, struct batch *batch)
{
    struct tsr_dst *dst = &env->state->dst;
    unsigned row = start >> 4, column = start & 15, at = batch->count;
    struct tsr_dst_view view = tsr_dst_at(dst, order, row, part->shape.mode.read_32b);
    uint16_t columns = column_mask(column, count);
    uint16_t mask = 0xffff;
    if (part->shape.edges)
        mask = tsr_pack_edge_mask(&part->shape, &env->state->packers.packer[part->packer],
                                  row_ahead);
    if (!tsr_dst_valid(dst, &view)) {
        memset(batch->high + at, 0, count * sizeof *batch->high);
        memset(batch->low + at, 0, count * sizeof *batch->low);
    } else {
        if (!check_row(env, flight, &view, row, columns & mask, batch))
            return false;
        copy_cells(batch->high + at, view.high + column, count);
        if (view.low)
            copy_cells(batch->low + at, view.low + column, count);
    }
    if (mask != 0xffff)
        mask_columns(batch, at, column, count, mask);
    batch->count += count;
    return true;
}

// The kernels of the plan that the job was made from, found again if it was replaced meanwhile.
static const struct pack_plan *kernels_for(const struct tsr_env *env, const struct pack_job *job,
                                           const struct pack_part *part, struct pack_plan *fresh)
{
    const struct pack_plan *plan = &env->pack_plans->plan[job->state_id][part->packer];
    if (plan->made && plan->stamp == part->stamp)
        return plan;
    const tsr_pack_mode *mode = &part->shape.mode;
    fresh->plain = part->shape.block ? NULL : tsr_kernels_pack(env->kernels, mode);
    fresh->blocks = part->shape.block ? tsr_kernels_pack_block(env->kernels, mode) : NULL;
    fresh->merge =
        part->shape.accumulate ? tsr_kernels_merge(env->kernels, mode->out_format) : NULL;
    return fresh;
}

static void convert(struct pack_sink *sink, const struct pack_plan *plan,
                    const struct pack_part *part, const struct batch *batch)
{
    struct tsr_packer *packer = &sink->env->state->packers.packer[part->packer];
    uint8_t bytes[CHUNK * 4], exponents[CHUNK / 16];
    const uint16_t *low = part->shape.mode.read_32b ? batch->low : NULL;
    size_t size = batch->count * (size_t)part->shape.out_bits / 8;
    if (part->shape.block) {
        plan->blocks(bytes, exponents, batch->high, low, batch->count / 16, &part->shape.mode);
        struct pack_sink plain = *sink;
        plain.merge = NULL;
        tsr_pack_append(&plain, &packer->exponents, exponents, batch->count / 16, batch->tainted);
    } else {
        plan->plain(bytes, batch->high, low, batch->count, &part->shape.mode);
    }
    tsr_pack_append(sink, &packer->data, bytes, size, batch->tainted);
}

static bool pack_segments(struct pack_sink *sink, const struct pack_plan *plan,
                          const struct pack_part *part, unsigned order)
{
    struct tsr_env *env = sink->env;
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    bool by_interface = env->chip->pack_interfaces > 1;
    struct batch batch;
    batch.count = 0;
    batch.tainted = part->tainted;
    for (unsigned segment = 0; segment < part->segments; segment++) {
        unsigned start = part->start[segment], left = part->count;
        unsigned x = packer->x;
        while (left > 0) {
            unsigned count = 16 - (start & 15);
            // A tile row of the position generator may end inside a row of Dst.
            if (!by_interface && part->shape.edges && count > 16 - x % 16)
                count = 16 - x % 16;
            count = count < left ? count : left;
            // Whole groups of sixteen, whatever the column at which the first datum lies.
            count = count < CHUNK - batch.count ? count : CHUNK - batch.count;
            unsigned ahead = by_interface ? segment : 0;
            if (!gather(env, sink->flight, part, order, start, count, ahead, &batch))
                return false;
            if (!by_interface)
                tsr_pack_step_datums(&part->shape, packer, count);
            x += count;
            start = (start + count) & 0x3fff;
            left -= count;
            if (batch.count == CHUNK) {
                convert(sink, plan, part, &batch);
                batch.count = 0;
                batch.tainted = part->tainted;
            }
        }
    }
    if (by_interface && part->segments)
        tsr_pack_step_interfaces(&part->shape, packer, part->segments);
    if (batch.count)
        convert(sink, plan, part, &batch);
    return true;
}

bool tsr_pack_part(struct tsr_env *env, const struct tsr_flight *flight, const struct pack_job *job,
                   const struct pack_part *part)
{
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    struct pack_plan fresh;
    const struct pack_plan *plan = kernels_for(env, job, part, &fresh);
    struct pack_sink sink = {.env = env,
                             .flight = flight,
                             .merge = plan->merge,
                             .format = part->shape.mode.out_format,
                             .datum_bytes = (uint8_t)(part->shape.out_bits / 8)};
    if (part->fresh_exponents) {
        tsr_pack_place(&packer->exponents, part->exponent_address);
        packer->exponents.lines = 0;
    }
    if (part->fresh_data) {
        tsr_pack_place(&packer->data, part->data_address);
        packer->data.lines = 0;
    }
    if (part->count && !pack_segments(&sink, plan, part, job->order))
        return false;
    if (job->close) {
        struct pack_sink plain = sink;
        plain.merge = NULL;
        if (part->shape.block)
            tsr_pack_flush(&plain, &packer->exponents);
        tsr_pack_flush(&sink, &packer->data);
    }
    return !env->findings->stopped;
}
