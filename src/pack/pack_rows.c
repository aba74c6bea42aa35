// SPDX-License-Identifier: Apache-2.0
// One packer's datums from Dst to its streams where no stage is on that needs them one by one: rows
// are gathered, edge-masked, converted by the plan's kernel and appended. The complete path is
// pack_datums.c. Pages: Packers/README.md, Packers/OutputAddressGenerator.md.
#include "pack/pack_job.h"

#include <string.h>

enum { CHUNK = 256 };

// Datums on their way through a kernel.
struct batch {
    uint16_t high[CHUNK], low[CHUNK];
    unsigned count;
    bool tainted;
};

// The kernels of the plan that the job was made from, found again if it was replaced meanwhile.
static const struct pack_plan *kernels_for(const struct tsr_env *env, const struct pack_job *job,
                                           const struct pack_part *part, struct pack_plan *fresh)
{
    const struct pack_plan *plan = &env->pack_plans->plan[job->state_id][part->config];
    if (plan->made && plan->stamp == part->stamp)
        return plan;
    const tsr_pack_mode *mode = &part->shape.mode;
    fresh->plain = part->shape.block ? NULL : tsr_kernels_pack(env->kernels, mode);
    fresh->blocks = part->shape.block ? tsr_kernels_pack_block(env->kernels, mode) : NULL;
    fresh->merge =
        part->shape.accumulate ? tsr_kernels_merge(env->kernels, mode->out_format) : NULL;
    return fresh;
}

static void convert(struct pack_sink *sink, const struct pack_plan *plan, const uint16_t *high,
                    const uint16_t *low, unsigned count, bool tainted)
{
    const struct pack_shape *shape = &sink->part->shape;
    struct tsr_pack_stream *data = &sink->packer->data;
    size_t size = count * (size_t)shape->out_bits / 8;
    uint8_t staged[CHUNK * 4], exponents[CHUNK / 16];
    uint8_t *lines = tsr_pack_lines(sink, data, size), *bytes = lines ? lines : staged;
    if (sink->part->source == PACK_FROM_DST)
        tsr_pack_note_largest(sink->packer, sink->part, high, low, count);
    if (shape->block) {
        plan->blocks(bytes, exponents, high, low, count / 16, &shape->mode);
        tsr_pack_append_plain(sink, &sink->packer->exponents, exponents, count / 16, tainted);
    } else {
        plan->plain(bytes, high, low, count, &shape->mode);
    }
    if (lines)
        tsr_pack_wrote_lines(sink, data, size, tainted);
    else
        tsr_pack_append(sink, data, staged, size, tainted);
}

static void convert_batch(struct pack_sink *sink, const struct pack_plan *plan, struct batch *batch)
{
    const uint16_t *low = sink->part->shape.mode.read_32b ? batch->low : NULL;
    if (batch->count)
        convert(sink, plan, batch->high, low, batch->count, batch->tainted);
    batch->count = 0;
    batch->tainted = sink->part->tainted;
}

// Rows that need not be gathered.
static void convert_in_place(struct pack_sink *sink, const struct pack_plan *plan,
                             struct pack_runs *runs)
{
    const uint16_t *high, *low;
    while (!tsr_pack_runs_end(runs)) {
        unsigned rows = tsr_pack_next_rows(runs, sink, &high, &low);
        if (rows == 0)
            return;
        for (; rows > CHUNK / 16; rows -= CHUNK / 16) {
            convert(sink, plan, high, low, CHUNK, sink->part->tainted);
            high += CHUNK;
            low = low ? low + CHUNK : NULL;
        }
        convert(sink, plan, high, low, 16 * rows, sink->part->tainted);
    }
}

// One run behind those that the batch already has. False: a finding stopped the tile.
static bool gather(struct pack_sink *sink, const struct pack_run *run, struct batch *batch)
{
    uint16_t *high = batch->high + batch->count, *low = batch->low + batch->count;
    batch->count += run->count;
    if (sink->part->source == PACK_FROM_NOTHING) {
        memset(high, 0, run->count * sizeof *high);
        memset(low, 0, run->count * sizeof *low);
        return true;
    }
    uint16_t mask = 0xffff;
    if (sink->part->shape.masked)
        mask = tsr_pack_edge_mask(sink->part, &run->at);
    return tsr_pack_read_dst(sink, run, mask, high, low, &batch->tainted);
}

// Chunks hold whole groups of sixteen, whatever the column at which the first datum lies.
static bool pack_rows(struct pack_sink *sink, const struct pack_plan *plan)
{
    struct pack_runs runs;
    struct pack_run run;
    struct batch batch;
    tsr_pack_begin_runs(sink->env, sink->part, &runs);
    batch.count = 0;
    batch.tainted = sink->part->tainted;
    convert_in_place(sink, plan, &runs);
    if (tsr_pack_runs_end(&runs))
        return true;
    while (tsr_pack_next_run(&runs, CHUNK - batch.count, &run)) {
        if (!gather(sink, &run, &batch))
            return false;
        if (batch.count == CHUNK)
            convert_batch(sink, plan, &batch);
    }
    convert_batch(sink, plan, &batch);
    return true;
}

// Streams that this PACR places begin empty, with all that is counted by the section.
static void begin_section(struct tsr_packer *packer, const struct pack_part *part)
{
    if (part->fresh_row_starts)
        tsr_pack_place(&packer->row_starts, part->row_start_address);
    if (part->fresh_exponents)
        tsr_pack_place(&packer->exponents, part->exponent_address);
    if (!part->fresh_data)
        return;
    tsr_pack_place(&packer->data, part->data_address);
    packer->beyond_sixteen = 0;
    packer->all_zero_flags = 0;
}

void tsr_pack_close_section(struct pack_sink *sink)
{
    struct tsr_packer *packer = sink->packer;
    if (packer->rows.begun)
        tsr_pack_end_rows(sink);
    if (packer->group.count)
        tsr_pack_end_group(sink);
    tsr_pack_flush_plain(sink, &packer->row_starts);
    tsr_pack_flush_plain(sink, &packer->exponents);
    tsr_pack_flush(sink, &packer->data);
}

// A begun block, or datums that leave one begun, go one by one.
static bool fills_blocks(const struct pack_sink *sink)
{
    const struct pack_part *part = sink->part;
    return sink->packer->group.count == 0 &&
           (!part->shape.block || (unsigned)part->count * part->segments % 16 == 0);
}

// Whole rows that lie together in Dst and go to whole lines of L1: one call of the kernel. (The
// datums are a multiple of sixteen.) False: it is not so, and nothing was done.
static bool pack_at_once(struct tsr_env *env, const struct pack_job *job,
                         const struct pack_part *part, const struct pack_plan *plan,
                         struct tsr_packer *packer)
{
    struct tsr_state *state = env->state;
    struct tsr_pack_stream *data = &packer->data;
    bool wide = part->shape.mode.read_32b;
    unsigned row = part->start[0] >> 4, datums = (unsigned)part->count * part->segments;
    size_t size = datums * (size_t)part->shape.out_bits / 8;
    if (!part->at_once || job->statistics || packer->group.count || data->filled ||
        size % TSR_PACK_LINE || !tsr_l1_holds(&state->l1, data->address, size) ||
        tsr_dst_run(job->order, row, wide) < datums / 16)
        return false;
    struct tsr_dst_view view = tsr_dst_at(&state->dst, job->order, row, wide);
    if (tsr_dst_plain_rows(&state->dst, &view, datums / 16) < datums / 16)
        return false;
    tsr_pack_note_largest(packer, part, view.high, view.low, datums);
    plan->plain(state->l1.bytes + data->address, view.high, view.low, datums, &part->shape.mode);
    tsr_l1_mark(&state->l1, data->address, size, part->tainted);
    tsr_pack_skip_lines(data, size);
    return true;
}

// The same for all other parts. False: a finding stopped the tile.
static bool pack_datums(struct pack_sink *sink, const struct pack_plan *plan)
{
    const struct pack_part *part = sink->part;
    const struct pack_job *job = sink->job;
    bool one_by_one =
        part->shape.general || job->statistics || job->pad != PACK_PAD_NONE || !fills_blocks(sink);
    if (part->count && !(one_by_one ? tsr_pack_datums(sink) : pack_rows(sink, plan)))
        return false;
    if (!one_by_one)
        sink->packer->beyond_sixteen =
            (uint8_t)((sink->packer->beyond_sixteen + part->count * part->segments) % 16);
    return true;
}

bool tsr_pack_part(struct tsr_env *env, const struct tsr_inflight *inst, const struct pack_job *job,
                   const struct pack_part *part)
{
    struct pack_plan fresh;
    const struct pack_plan *plan = kernels_for(env, job, part, &fresh);
    struct tsr_packer *packer = &env->state->packers.packer[part->packer];
    begin_section(packer, part);
    bool done = pack_at_once(env, job, part, plan, packer);
    if (done && !job->close)
        return true;
    struct pack_sink sink = {.env = env,
                             .inst = inst,
                             .job = job,
                             .part = part,
                             .packer = packer,
                             .merge = plan->merge,
                             .format = part->shape.mode.out_format,
                             .datum_bytes = (uint8_t)(part->shape.out_bits / 8)};
    if (!done && !pack_datums(&sink, plan))
        return false;
    if (job->close)
        tsr_pack_close_section(&sink);
    return !env->findings->stopped;
}
