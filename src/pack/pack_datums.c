// SPDX-License-Identifier: Apache-2.0
// The complete path of a packer, datum by datum in the order of the pipeline: source, edge mask,
// early conversion, ReLU, exponent statistics, exponent threshold, downsampling, late conversion,
// row padding, compression, blocks. What comes from L1 or from nowhere enters at downsampling.
// Pages: Packers/README.md (pipeline), Packers/Downsampling.md, PACR.md of each chip.
#include "pack/pack_job.h"

struct pipe {
    struct pack_sink *sink;
    tsr_pack_mode mode;     // with the shift of the run's Z
    uint32_t *random;       // of the early conversion
    uint16_t keep;          // Downsample_mask, turned to the next datum
    unsigned segment, kept; // datums of the segment that downsampling left
    bool tainted;           // the run
};

// ---------------------------------------------------------------- sources

// A datum of Dst between early and late conversion. False: a conversion that no page defines, which
// the plan has refused.
static bool pass_early(struct pipe *pipe, uint32_t stored, bool masked, tsr_pack_value *value)
{
    const struct pack_shape *shape = &pipe->sink->part->shape;
    tsr_pack_kind kind = (tsr_pack_kind)shape->kind;
    if (!masked) {
        if (tsr_pack_early(&pipe->mode, stored, pipe->random, value) != TSR_OK)
            return false;
    } else if (shape->minus_infinity) {
        *value = tsr_pack_minus_infinity(&pipe->mode, kind);
    } else {
        *value = (tsr_pack_value){kind, 0};
    }
    if (tsr_pack_relu(&pipe->mode, value) != TSR_OK)
        return false;
    tsr_pack_count_exponent(pipe->sink, tsr_pack_exponent(*value));
    *value = tsr_pack_settle(&pipe->mode, *value);
    tsr_pack_threshold(shape->in_data_format, shape->threshold, value);
    return true;
}

// False: a finding stopped the tile.
static bool from_dst(struct pipe *pipe, const struct pack_run *run, tsr_pack_value values[16])
{
    const struct pack_part *part = pipe->sink->part;
    uint16_t mask = tsr_pack_edge_mask(part, &run->at);
    uint16_t high[16], low[16];
    if (!tsr_pack_read_dst(pipe->sink, run, mask, high, low, &pipe->tainted))
        return false;
    if (part->shape.descale_by_z)
        pipe->mode.int8_shift = pipe->sink->job->descale[run->at.z % PACK_DESCALES];
    for (unsigned i = 0; i < run->count; i++) {
        uint32_t stored = part->shape.mode.read_32b ? (uint32_t)high[i] << 16 | low[i] : high[i];
        bool masked = !(mask >> ((run->start & 15u) + i) & 1);
        if (!pass_early(pipe, stored, masked, &values[i]))
            return false;
    }
    return true;
}

static bool from_l1(struct pipe *pipe, unsigned first, unsigned count, tsr_pack_value values[16])
{
    uint32_t datums[16];
    unsigned width = 8u * pipe->sink->part->shape.input_bytes;
    if (!tsr_pack_read_l1(pipe->sink, first, count, datums, &pipe->tainted))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (tsr_pack_from_l1(&pipe->mode, width, datums[i], &values[i]) != TSR_OK)
            return false;
    return true;
}

static bool fetch(struct pipe *pipe, const struct pack_run *run, unsigned first,
                  tsr_pack_value values[16])
{
    const struct pack_part *part = pipe->sink->part;
    pipe->tainted = part->tainted;
    if (part->source == PACK_FROM_DST)
        return from_dst(pipe, run, values);
    if (part->source == PACK_FROM_L1)
        return from_l1(pipe, first, run->count, values);
    for (unsigned i = 0; i < run->count; i++)
        values[i] = (tsr_pack_value){(tsr_pack_kind)part->shape.kind, 0};
    return true;
}

// ---------------------------------------------------------------- behind downsampling

static void put(struct pipe *pipe, const uint32_t *patterns, unsigned count)
{
    struct pack_sink *sink = pipe->sink;
    sink->packer->beyond_sixteen = (uint8_t)((sink->packer->beyond_sixteen + count) % 16);
    if (sink->part->shape.compress)
        tsr_pack_compress(sink, patterns, count, pipe->tainted);
    else
        tsr_pack_put(sink, patterns, count, pipe->tainted);
}

static void pad(struct pipe *pipe, unsigned beyond)
{
    const uint32_t zeroes[16] = {0};
    pipe->tainted = pipe->sink->part->tainted;
    put(pipe, zeroes, (16u - beyond % 16) % 16);
}

// A read interface is done: its datums are one row for RowPadZero, and the mask begins again.
static void end_segment(struct pipe *pipe)
{
    if (pipe->sink->job->pad == PACK_PAD_ROWS)
        pad(pipe, pipe->kept);
    pipe->kept = 0;
    pipe->keep = pipe->sink->part->shape.keep;
}

static void finish_run(struct pipe *pipe, const tsr_pack_value *values, unsigned count)
{
    uint32_t patterns[16];
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        if (pipe->keep & 1)
            (void)tsr_pack_late(&pipe->mode, values[i], &patterns[kept++]); // the plan has asked
        pipe->keep = (uint16_t)(pipe->keep << 15 | pipe->keep >> 1);
    }
    pipe->kept += kept;
    put(pipe, patterns, kept);
}

bool tsr_pack_datums(struct pack_sink *sink)
{
    const struct pack_part *part = sink->part;
    struct pipe pipe = {
        .sink = sink, .mode = part->shape.mode, .keep = part->shape.keep, .tainted = part->tainted};
    if (part->shape.random_early)
        pipe.random = &sink->env->state->packers.random;
    struct pack_runs runs;
    struct pack_run run;
    tsr_pack_begin_runs(sink->env, part, &runs);
    if (part->shape.compress)
        tsr_pack_begin_rows(sink);
    for (unsigned first = 0; tsr_pack_next_run(&runs, 16, &run); first += run.count) {
        tsr_pack_value values[16];
        if (run.segment != pipe.segment)
            end_segment(&pipe);
        pipe.segment = run.segment;
        if (!fetch(&pipe, &run, first, values))
            return false;
        finish_run(&pipe, values, run.count);
    }
    end_segment(&pipe);
    if (sink->job->pad == PACK_PAD_SECTION)
        pad(&pipe, sink->packer->beyond_sixteen);
    if (part->shape.compress && !sink->job->concat)
        tsr_pack_end_row(sink);
    return true;
}
