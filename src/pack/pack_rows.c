// SPDX-License-Identifier: Apache-2.0
// The fast path of PACR, where no stage is on that needs datums one by one: rows of Dst are taken
// in place or gathered under their edge masks, converted by a kernel and appended to the streams.
// The general path is pack_datums.c. Pages: Packers/README.md, Packers/OutputAddressGenerator.md.
#include "pack/pack_rows.h"

#include "pack/pack_source.h"
#include "state/races.h"

#include <string.h>

enum { CHUNK = 256 };

// Datums on their way through a kernel.
struct batch {
    uint16_t high[CHUNK], low[CHUNK];
    unsigned count;
    bool tainted;
};

// Rows of Dst that lie one after another, for a kernel.
struct span {
    struct tsr_dst_view view;
    unsigned rows;
};

static inline struct span next_span(struct tsr_dst *dst, unsigned order, unsigned row,
                                    unsigned most, bool wide)
{
    unsigned run = tsr_dst_run(order, row, wide);
    return (struct span){tsr_dst_at(dst, order, row, wide), run < most ? run : most};
}

static bool span_untainted(const struct tsr_dst *dst, const struct span *span)
{
    return tsr_dst_untainted_rows(dst, &span->view, span->rows) == span->rows;
}

bool tsr_pack_rows_untainted(struct tsr_env *env, const struct tsr_pack_job *job,
                             const struct tsr_pack_part *part, unsigned rows)
{
    struct tsr_dst *dst = &env->state->dst;
    for (unsigned row = part->start[0] >> 4; rows > 0;) {
        struct span span = next_span(dst, job->dst_order, row, rows, part->config.mode.read_32b);
        if (!span_untainted(dst, &span))
            return false;
        row += span.rows;
        rows -= span.rows;
    }
    return true;
}

void tsr_pack_note_rows(struct tsr_env *env, const struct tsr_pack_job *job,
                        const struct tsr_pack_part *part, const struct tsr_pack_kernels *kernels,
                        unsigned rows)
{
    struct tsr_packer *packer = &env->state->packers.packer[0];
    const tsr_pack_mode *mode = &part->config.mode;
    for (unsigned row = part->start[0] >> 4; part->packer == 0 && rows > 0;) {
        struct span span = next_span(&env->state->dst, job->dst_order, row, rows, mode->read_32b);
        tsr_pack_note_maximum(packer, &part->config.bound, kernels->larger, mode, span.view.high,
                              span.view.low, 16 * span.rows);
        row += span.rows;
        rows -= span.rows;
    }
}

void tsr_pack_convert_rows(struct tsr_env *env, const struct tsr_pack_job *job,
                           const struct tsr_pack_part *part, const struct tsr_pack_kernels *kernels,
                           unsigned rows, uint32_t address)
{
    struct tsr_state *state = env->state;
    const tsr_pack_mode *mode = &part->config.mode;
    size_t row_size = 2u * part->config.out_bits, size = rows * row_size;
    uint8_t *bytes = state->l1.bytes + address;
    for (unsigned row = part->start[0] >> 4; rows > 0;) {
        struct span span = next_span(&state->dst, job->dst_order, row, rows, mode->read_32b);
        kernels->datums(bytes, span.view.high, span.view.low, 16 * (size_t)span.rows, mode);
        bytes += span.rows * row_size;
        row += span.rows;
        rows -= span.rows;
    }
    tsr_l1_mark(&state->l1, address, size, part->tainted);
    tsr_race_l1(env, true, address, size);
}

// Rows of one span, as the three above have it. False: not all of them are there.
static inline bool move_span(struct tsr_env *env, const struct tsr_pack_part *part,
                             const struct tsr_pack_kernels *kernels, const struct span *span,
                             uint32_t address, size_t size)
{
    const tsr_pack_mode *mode = &part->config.mode;
    const uint16_t *high = span->view.high, *low = span->view.low;
    if (!span_untainted(&env->state->dst, span))
        return false;
    if (part->packer == 0)
        tsr_pack_note_maximum(&env->state->packers.packer[0], &part->config.bound, kernels->larger,
                              mode, high, low, 16 * span->rows);
    kernels->datums(env->state->l1.bytes + address, high, low, 16 * (size_t)span->rows, mode);
    tsr_l1_mark(&env->state->l1, address, size, part->tainted);
    tsr_race_l1(env, true, address, size);
    return true;
}

// (The datums of the fast path are a multiple of sixteen here.)
bool tsr_pack_move_at_once(struct tsr_env *env, const struct tsr_pack_job *job,
                           const struct tsr_pack_part *part, const struct tsr_pack_kernels *kernels,
                           struct tsr_packer *packer)
{
    if (!part->conversion_only || !part->contiguous_rows || job->histogram)
        return false;
    struct tsr_pack_stream *data = &packer->data;
    unsigned rows = (unsigned)part->count * part->segments / 16;
    size_t size = rows * (size_t)part->config.out_bits * 2;
    if (packer->group.count || data->filled || size % TSR_PACK_LINE ||
        !tsr_l1_holds(&env->state->l1, data->address, size))
        return false;
    const struct span span = next_span(&env->state->dst, job->dst_order, part->start[0] >> 4, rows,
                                       part->config.mode.read_32b);
    if (span.rows == rows) {
        if (!move_span(env, part, kernels, &span, data->address, size))
            return false;
    } else {
        if (!tsr_pack_rows_untainted(env, job, part, rows))
            return false;
        tsr_pack_note_rows(env, job, part, kernels, rows);
        tsr_pack_convert_rows(env, job, part, kernels, rows, data->address);
    }
    tsr_pack_skip_lines(data, size);
    return true;
}

bool tsr_pack_move_four(struct tsr_env *env, const struct tsr_pack_part *part,
                        const struct tsr_pack_kernels *kernels, unsigned order, unsigned row,
                        uint32_t address)
{
    const struct span span =
        next_span(&env->state->dst, order, row, TSR_PACK_SEGMENTS, part->config.mode.read_32b);
    return span.rows == TSR_PACK_SEGMENTS &&
           move_span(env, part, kernels, &span, address, tsr_pack_four_bytes(part));
}

static void convert(struct tsr_pack_sink *sink, const struct tsr_pack_kernels *kernels,
                    const uint16_t *high, const uint16_t *low, unsigned count, bool tainted)
{
    const struct tsr_pack_part *part = sink->part;
    const struct tsr_pack_config *config = &part->config;
    struct tsr_pack_stream *data = &sink->packer->data;
    size_t size = count * (size_t)config->out_bits / 8;
    uint8_t staged[CHUNK * 4], exponents[CHUNK / 16];
    uint8_t *lines = tsr_pack_lines(sink, data, size), *bytes = lines ? lines : staged;
    if (part->source == TSR_PACK_FROM_DST && part->packer == 0)
        tsr_pack_note_maximum(sink->packer, &config->bound, kernels->larger, &config->mode, high,
                              low, count);
    if (part->source == TSR_PACK_FROM_DST && sink->job->histogram)
        tsr_pack_count_cells(sink->packer, &config->bound, high, count);
    if (config->block) {
        kernels->blocks(bytes, exponents, high, low, count / 16, &config->mode);
        tsr_pack_append_overwriting(sink, &sink->packer->exponents, exponents, count / 16, tainted);
    } else {
        kernels->datums(bytes, high, low, count, &config->mode);
    }
    if (lines)
        tsr_pack_wrote_lines(sink, data, size, tainted);
    else
        tsr_pack_append(sink, data, staged, size, tainted);
}

static void convert_batch(struct tsr_pack_sink *sink, const struct tsr_pack_kernels *kernels,
                          struct batch *batch)
{
    const uint16_t *low = sink->part->config.mode.read_32b ? batch->low : NULL;
    if (batch->count)
        convert(sink, kernels, batch->high, low, batch->count, batch->tainted);
    batch->count = 0;
    batch->tainted = sink->part->tainted;
}

// Rows that need not be gathered.
static void convert_in_place(struct tsr_pack_sink *sink, const struct tsr_pack_kernels *kernels,
                             struct tsr_pack_cursor *cursor)
{
    const uint16_t *high, *low;
    while (!tsr_pack_runs_end(cursor)) {
        unsigned rows = tsr_pack_next_rows(cursor, sink, &high, &low);
        if (rows == 0)
            return;
        for (; rows > CHUNK / 16; rows -= CHUNK / 16) {
            convert(sink, kernels, high, low, CHUNK, sink->part->tainted);
            high += CHUNK;
            low = low ? low + CHUNK : NULL;
        }
        convert(sink, kernels, high, low, 16 * rows, sink->part->tainted);
    }
}

// Adds a run to those that the batch has. False: a finding stopped the tile.
static bool gather(struct tsr_pack_sink *sink, const struct tsr_pack_run *run, struct batch *batch)
{
    const struct tsr_pack_part *part = sink->part;
    uint16_t *high = batch->high + batch->count, *low = batch->low + batch->count;
    batch->count += run->count;
    if (part->source == TSR_PACK_FROM_NOTHING) {
        memset(high, 0, run->count * sizeof *high);
        memset(low, 0, run->count * sizeof *low);
        return true;
    }
    uint16_t mask = 0xffff;
    if (part->config.edges.masked)
        mask = tsr_pack_edge_mask(&part->config.edges, part->z_offset, &run->at);
    return tsr_pack_read_dst(sink, run, mask, high, low, &batch->tainted);
}

// Batches hold whole groups of sixteen, whatever the column at which the first datum lies.
bool tsr_pack_move_rows(struct tsr_pack_sink *sink, const struct tsr_pack_kernels *kernels)
{
    struct tsr_pack_cursor cursor;
    struct tsr_pack_run run;
    struct batch batch;
    tsr_pack_begin_runs(sink->env, sink->part, &cursor);
    batch.count = 0;
    batch.tainted = sink->part->tainted;
    convert_in_place(sink, kernels, &cursor);
    if (tsr_pack_runs_end(&cursor))
        return true;
    while (tsr_pack_next_run(&cursor, CHUNK - batch.count, &run)) {
        if (!gather(sink, &run, &batch))
            return false;
        if (batch.count == CHUNK)
            convert_batch(sink, kernels, &batch);
    }
    convert_batch(sink, kernels, &batch);
    return true;
}
