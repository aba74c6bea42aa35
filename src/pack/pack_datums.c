// SPDX-License-Identifier: Apache-2.0
// The general path of a packer, datum by datum in the order of the pipeline: source, edge mask,
// early conversion, ReLU, exponent statistics, exponent threshold, downsampling, late conversion,
// row padding, compression, blocks. What comes from L1 or from nowhere enters at downsampling.
// Pages: Packers/README.md (pipeline), Packers/Downsampling.md, PACR.md of each chip.
#include "pack/pack_datums.h"

#include "pack/pack_assembly.h"
#include "pack/pack_compress.h"
#include "pack/pack_decode.h"
#include "pack/pack_source.h"

struct pipeline {
    struct tsr_pack_sink *sink;
    tsr_pack_mode mode;       // with the shift of the run's Z
    uint32_t *random;         // of the early conversion
    uint16_t downsample_mask; // rotated to the next datum
    unsigned segment, kept;   // datums of the segment that downsampling left
    bool tainted;             // the run
};

// ---------------------------------------------------------------- up to downsampling

// False: a finding stopped the tile, or a conversion that no page defines, which the plan has
// refused.
static bool from_dst(struct pipeline *pipe, const struct tsr_pack_run *run,
                     tsr_pack_value values[16])
{
    struct tsr_pack_sink *sink = pipe->sink;
    const struct tsr_pack_part *part = sink->part;
    const struct tsr_pack_config *config = &part->config;
    tsr_pack_kind kind = (tsr_pack_kind)config->kind;
    uint16_t high[16], low[16];
    uint16_t mask = tsr_pack_edge_mask(&config->edges, part->z_offset, &run->at);
    if (!tsr_pack_read_dst(sink, run, mask, high, low, &pipe->tainted))
        return false;
    if (config->descale_by_z)
        pipe->mode.int8_shift = sink->job->descale[run->at.z % TSR_PACK_DESCALES];
    for (unsigned i = 0; i < run->count; i++) {
        tsr_pack_value *value = &values[i];
        uint32_t stored = config->mode.read_32b ? (uint32_t)high[i] << 16 | low[i] : high[i];
        bool masked = !(mask >> ((run->start & 15u) + i) & 1);
        // Edge mask (tsr_pack_read_dst() left 0 in masked cells) and early conversion.
        if (masked && config->edges.minus_infinity)
            *value = tsr_pack_minus_infinity(&pipe->mode, kind);
        else if (masked)
            *value = (tsr_pack_value){kind, 0};
        else if (tsr_pack_early(&pipe->mode, stored, pipe->random, value) != TSR_OK)
            return false;
        if (tsr_pack_relu(&pipe->mode, value) != TSR_OK)
            return false;
        tsr_pack_count_exponent(sink->packer, tsr_pack_exponent(*value), sink->job->histogram,
                                part->packer == 0);
        tsr_pack_threshold(config->in_data_format, config->exponent_threshold, value);
    }
    return true;
}

static bool from_l1(struct pipeline *pipe, unsigned first, unsigned count,
                    tsr_pack_value values[16])
{
    uint32_t datums[16];
    unsigned width = 8u * pipe->sink->part->config.input_bytes;
    if (!tsr_pack_read_l1(pipe->sink, first, count, datums, &pipe->tainted))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (tsr_pack_from_l1(&pipe->mode, width, datums[i], &values[i]) != TSR_OK)
            return false;
    return true;
}

static bool fetch(struct pipeline *pipe, const struct tsr_pack_run *run, unsigned first,
                  tsr_pack_value values[16])
{
    const struct tsr_pack_part *part = pipe->sink->part;
    pipe->tainted = part->tainted;
    if (part->source == TSR_PACK_FROM_DST)
        return from_dst(pipe, run, values);
    if (part->source == TSR_PACK_FROM_L1)
        return from_l1(pipe, first, run->count, values);
    for (unsigned i = 0; i < run->count; i++)
        values[i] = (tsr_pack_value){(tsr_pack_kind)part->config.kind, 0};
    return true;
}

// ---------------------------------------------------------------- from downsampling on

static void put(struct pipeline *pipe, const uint32_t *patterns, unsigned count)
{
    struct tsr_pack_sink *sink = pipe->sink;
    sink->packer->beyond_sixteen = (uint8_t)((sink->packer->beyond_sixteen + count) % 16);
    if (sink->part->config.compress)
        tsr_pack_compress(sink, patterns, count, pipe->tainted);
    else
        tsr_pack_put(sink, patterns, count, pipe->tainted);
}

static void downsample_and_convert(struct pipeline *pipe, const tsr_pack_value *values,
                                   unsigned count)
{
    uint32_t patterns[16];
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        if (pipe->downsample_mask & 1) // the plan made sure that late conversion exists
            (void)tsr_pack_late(&pipe->mode, values[i], &patterns[kept++]);
        pipe->downsample_mask =
            (uint16_t)(pipe->downsample_mask << 15 | pipe->downsample_mask >> 1);
    }
    pipe->kept += kept;
    put(pipe, patterns, kept);
}

static void pad(struct pipeline *pipe, unsigned beyond)
{
    const uint32_t zeroes[16] = {0};
    pipe->tainted = pipe->sink->part->tainted;
    put(pipe, zeroes, (16u - beyond % 16) % 16);
}

// A read interface is done: its datums are one row for RowPadZero, and the mask begins again.
static void end_segment(struct pipeline *pipe)
{
    if (pipe->sink->job->padding == TSR_PACK_PAD_ROWS)
        pad(pipe, pipe->kept);
    pipe->kept = 0;
    pipe->downsample_mask = pipe->sink->part->config.downsample_mask;
}

bool tsr_pack_move_datums(struct tsr_pack_sink *sink)
{
    const struct tsr_pack_part *part = sink->part;
    const struct tsr_pack_config *config = &part->config;
    struct pipeline pipe = {.sink = sink,
                            .mode = config->mode,
                            .downsample_mask = config->downsample_mask,
                            .tainted = part->tainted};
    if (config->random_early)
        pipe.random = &sink->env->state->packers.random;
    struct tsr_pack_cursor cursor;
    struct tsr_pack_run run;
    tsr_pack_begin_runs(sink->env, part, &cursor);
    if (config->compress)
        tsr_pack_begin_row(sink);
    for (unsigned first = 0; tsr_pack_next_run(&cursor, 16, &run); first += run.count) {
        tsr_pack_value values[16];
        if (run.segment != pipe.segment)
            end_segment(&pipe);
        pipe.segment = run.segment;
        if (!fetch(&pipe, &run, first, values))
            return false;
        downsample_and_convert(&pipe, values, run.count);
    }
    end_segment(&pipe);
    if (sink->job->padding == TSR_PACK_PAD_SECTION)
        pad(&pipe, sink->packer->beyond_sixteen);
    if (config->compress && !sink->job->concat)
        tsr_pack_end_row(sink);
    return true;
}
