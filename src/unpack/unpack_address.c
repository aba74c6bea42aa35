// SPDX-License-Identifier: Apache-2.0
// Input and output address of one UNPACR from base addresses, offsets and counters, and the
// counters' updates. Page: UNPACR_Regular.md (functional model, before and after the main loop).
#include "state/dst_rules.h"
#include "unpack/unpack_plan.h"
#include "unpack/unpack_source.h"

// ---------------------------------------------------------------- input

// The input side sees eight bits of each counter but X, on both chips.
static uint32_t plane(const struct tsr_env *env, const struct tsr_unpack_call *call,
                      const struct tsr_unpack_shape *s)
{
    const tsr_adc_channel *zw = &env->state->adcs.channel[call->thread][call->unpacker][0];
    return (zw->w & 0xff) * s->z_dim + (zw->z & 0xff);
}

static uint32_t blob_start(const struct tsr_unpack_shape *s, uint32_t index)
{
    return tsr_bits(s->blob_starts, 4 * index, 4) << 4;
}

// The X positions of a blob; the ninth of the eight starts, which does not exist, counts as the
// first.
static void select_blob(const tsr_adc_channel *xy, struct tsr_unpack_job *job,
                        tsr_unpack_anomalies *anomalies)
{
    const struct tsr_unpack_shape *s = &job->shape;
    uint32_t next = (xy->x & 7) + 1;
    job->first_x = blob_start(s, xy->y & 7);
    job->end_x = next == s->blobs ? s->x_dim & 0x1f0 : blob_start(s, next & 7);
    if (next == 8)
        *anomalies |= TSR_ANOMALY(ANOMALY_BLOB);
}

// First datum of the tile that is wanted, and how many.
static uint64_t select_datums(const struct tsr_env *env, const struct tsr_unpack_call *call,
                              struct tsr_unpack_job *job, tsr_unpack_anomalies *anomalies)
{
    const tsr_adc_channel *xy = env->state->adcs.channel[call->adc][call->unpacker];
    const struct tsr_unpack_shape *s = &job->shape;
    uint32_t row = xy[0].y & 0xff;
    job->first_x = call->row_search ? 0 : xy[0].x;
    job->end_x = call->row_search ? xy[1].x : xy[1].x + 1;
    if (call->row_search && s->blobs) {
        select_blob(xy, job, anomalies);
        row = 0;
    }
    if (job->first_x >= s->x_limit || job->end_x > s->x_limit)
        *anomalies |= TSR_ANOMALY(ANOMALY_X_LIMIT);
    if (job->end_x < job->first_x)
        *anomalies |= TSR_ANOMALY(ANOMALY_X_ORDER);
    job->count = job->end_x < job->first_x ? 0 : job->end_x - job->first_x;
    job->emitted = job->count;
    return ((uint64_t)plane(env, call, s) * s->y_dim + row) * s->x_dim + job->first_x;
}

// Compressed input: which two row starts count, or how many datums a seek drops and wants. The row
// starts themselves are data and wait for execution.
static void select_row(const struct tsr_env *env, const struct tsr_unpack_call *call,
                       struct tsr_unpack_job *job, tsr_unpack_anomalies *anomalies)
{
    const tsr_adc_channel *xy = env->state->adcs.channel[call->adc][call->unpacker];
    const struct tsr_unpack_shape *s = &job->shape;
    uint32_t rows = call->row_search && s->blobs ? s->blobs : s->y_dim;
    int64_t section = job->row_start + 2 * (int64_t)plane(env, call, s) * rows;
    uint32_t row = xy[0].y & 0xff;
    job->row_start = section + 2 * (int64_t)row;
    job->row_end = section + 2 * (int64_t)((call->row_search ? xy[0].x & 0xff : row) + 1);
    job->seeks = !call->row_search && !(xy[0].x == 0 && xy[1].x == s->x_dim - 1u);
    if (!job->seeks)
        return;
    job->first_x = xy[0].x;
    job->end_x = xy[1].x + 1;
    job->drop = xy[0].x;
    job->wanted = xy[1].x + 1 - xy[0].x;
    if (xy[1].x + 1 < xy[0].x) {
        *anomalies |= TSR_ANOMALY(ANOMALY_X_ORDER);
        job->wanted = 0;
    }
}

static uint32_t start_of_tile(const struct tsr_unpack_inputs *inputs)
{
    return inputs->base * 16 + inputs->offset;
}

// A plain job without a byte outside L1: what there is no need to ask run by run.
static bool plainly_in_l1(const struct tsr_l1 *l1, const struct tsr_unpack_job *job)
{
    int64_t size = l1->size, end = job->bits + (int64_t)job->count * job->shape.datum_bits;
    if (!job->plain || job->bits < 0 || end > size * 8)
        return false;
    return !job->shape.l1_exponents ||
           (job->exponents >= 0 && job->exponents + job->count <= size * 16);
}

static void locate_datums(const struct tsr_env *env, const struct tsr_unpack_call *call,
                          const struct tsr_unpack_inputs *inputs, struct tsr_unpack_job *job,
                          tsr_unpack_anomalies *anomalies)
{
    const struct tsr_unpack_shape *s = &job->shape;
    uint64_t first = select_datums(env, call, job, anomalies);
    uint32_t start = start_of_tile(inputs);
    job->exponents = tsr_unpack_wrap((int64_t)start * 16 + (int64_t)first,
                                     (int64_t)job->limit * 256, (int64_t)job->fifo * 256);
    int64_t data = ((int64_t)start + (int64_t)s->exponent_bytes) * 8;
    job->bits = tsr_unpack_wrap(data + (int64_t)first * s->datum_bits, (int64_t)job->limit * 128,
                                (int64_t)job->fifo * 128);
    bool inside = job->bits + (int64_t)job->count * s->datum_bits <= (int64_t)job->limit * 128 &&
                  (!s->l1_exponents || job->exponents + job->count <= (int64_t)job->limit * 256);
    job->plain = !s->tileize && (job->fifo == 0 || inside);
    if ((s->transpose || s->tileize) && job->bits % 128 != 0)
        *anomalies |= TSR_ANOMALY(ANOMALY_INPUT_ALIGNMENT);
    const struct tsr_l1 *l1 = &env->state->l1;
    if (!plainly_in_l1(l1, job) &&
        tsr_unpack_source_is(l1, job, TSR_ANY_OUTSIDE, &job->outside_address))
        *anomalies |= TSR_ANOMALY(ANOMALY_L1_RANGE);
}

// Where the sections of compressed input begin: row starts, exponents, datums with their deltas.
static void locate_sections(const struct tsr_env *env, const struct tsr_unpack_call *call,
                            const struct tsr_unpack_inputs *inputs, struct tsr_unpack_job *job,
                            tsr_unpack_anomalies *anomalies)
{
    const struct tsr_unpack_shape *s = &job->shape;
    job->row_start = start_of_tile(inputs);
    int64_t exponents = job->row_start + (int64_t)s->row_start_bytes;
    job->exponents = exponents * 16;
    job->bits = (exponents + (int64_t)s->exponent_bytes) * 8;
    select_row(env, call, job, anomalies);
}

// ---------------------------------------------------------------- output

static void locate_output(const struct tsr_env *env, const struct tsr_unpack_call *call,
                          const struct tsr_unpack_inputs *inputs, struct tsr_unpack_job *job,
                          tsr_unpack_anomalies *anomalies)
{
    const tsr_adc_channel *adc = &env->state->adcs.channel[call->thread][call->unpacker][1];
    const struct tsr_unpack_shape *s = &job->shape;
    uint32_t out = inputs->out;
    out += adc->y * s->y_stride + adc->z * s->z_stride + adc->w * s->w_stride;
    if (out & tsr_mask32(s->out_shift))
        *anomalies |= TSR_ANOMALY(ANOMALY_OUTPUT_ALIGNMENT);
    out >>= s->out_shift;
    if (s->own_destination)
        out = s->adds_destination ? out + inputs->own : inputs->own;
    job->out = out;
    if (out % 16 != 0 || (call->unpacker == 0 && out < 64))
        *anomalies |= TSR_ANOMALY(ANOMALY_OUTPUT_START);
}

// Gaps of upsampling and the columns that ColShift loses repeat after sixteen places.
bool tsr_unpack_last_row(const struct tsr_unpack_job *job, uint64_t *row)
{
    const struct tsr_unpack_shape *s = &job->shape;
    uint64_t places = (uint64_t)job->emitted * s->spacing;
    if (s->spacing == 1 && s->column_shift == 0 && places > 0) {
        *row = (job->out + places - 1) / 16;
        return true;
    }
    for (unsigned i = 0; i < 16 && places > 0; i++) {
        places--;
        uint64_t out = job->out + places;
        bool gap = s->keeps_gaps && places % s->spacing != 0;
        *row = out / 16;
        if (!gap && (out & 15) >= s->column_shift)
            return true;
    }
    return false;
}

static tsr_unpack_anomalies check_dst_rows(const struct tsr_unpack_job *job, uint32_t first,
                                           uint32_t last)
{
    const struct tsr_unpack_shape *s = &job->shape;
    tsr_unpack_anomalies anomalies = 0;
    // In 32 bits Dst has half as many rows; the interval may also run over the end.
    bool low = (first & 1023) < 512 && (last & 1023) < 512 && last - first < 512;
    if (!s->wide && job->order & TSR_DST_HIGH_HALVES)
        anomalies |= TSR_ANOMALY(ANOMALY_DST_HIGH_HALVES);
    if (tsr_dst_folds(job->order, s->wide) && !low)
        anomalies |= TSR_ANOMALY(ANOMALY_DST_ROW);
    return anomalies;
}

static tsr_unpack_anomalies check_srca_rows(const struct tsr_env *env,
                                            const struct tsr_unpack_job *job, uint32_t last)
{
    bool before_srca = (int32_t)last < 0; // all of it before row 4
    if (!before_srca && !job->shape.row_from_address && last >= 16)
        return TSR_ANOMALY(ANOMALY_SRCA_SET_ROW);
    if (!before_srca && job->shape.row_from_address && last >= TSR_SRC_ROWS &&
        !env->chip->srca_rows_wrap)
        return TSR_ANOMALY(ANOMALY_SRCA_ROW);
    return 0;
}

// SrcB's rows also depend on SrcRow, which belongs to execution.
tsr_unpack_anomalies tsr_unpack_check_rows(const struct tsr_env *env,
                                           const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_shape *s = &job->shape;
    if (job->unpacker == 1)
        return 0;
    tsr_unpack_anomalies anomalies = 0;
    uint32_t first = job->out / 16 - 4;
    bool bursts = !s->to_dst && (job->count > 16 || job->seeks);
    if (bursts && (first & (s->burst_rows - 1u)))
        anomalies |= TSR_ANOMALY(ANOMALY_BURST);
    uint64_t end;
    if (!tsr_unpack_last_row(job, &end))
        return anomalies;
    uint32_t last = (uint32_t)end - 4;
    return anomalies |
           (s->to_dst ? check_dst_rows(job, first, last) : check_srca_rows(env, job, last));
}

// ---------------------------------------------------------------- together

// Whether kernels can do it: from whole rows, and nothing undefined on the way.
static bool may_go_fast(const struct tsr_unpack_job *job, tsr_unpack_anomalies anomalies)
{
    const tsr_unpack_anomalies slow = TSR_ANOMALY(ANOMALY_L1_RANGE) |
                                      TSR_ANOMALY(ANOMALY_SRCA_SET_ROW) |
                                      TSR_ANOMALY(ANOMALY_SRCA_ROW);
    return job->shape.by_rows && !(anomalies & slow) && !job->broadcasts && !job->zero &&
           job->out % 16 == 0 && (job->unpacker == 1 || job->out >= 64) && job->bits % 8 == 0 &&
           (!job->shape.l1_exponents || job->exponents % 16 == 0);
}

tsr_unpack_anomalies tsr_unpack_address(const struct tsr_env *env,
                                        const struct tsr_unpack_call *call,
                                        const struct tsr_unpack_inputs *inputs,
                                        struct tsr_unpack_job *job)
{
    tsr_unpack_anomalies anomalies = 0;
    job->limit = inputs->limit;
    job->fifo = inputs->fifo;
    job->row_base = inputs->row_base;
    locate_output(env, call, inputs, job, &anomalies);
    job->order = job->shape.to_dst ? tsr_dst_order(env) : 0;
    if (job->shape.compressed) {
        locate_sections(env, call, inputs, job, &anomalies);
    } else {
        locate_datums(env, call, inputs, job, &anomalies);
        if (job->unpacker == 0)
            anomalies |= tsr_unpack_check_rows(env, job);
    }
    job->fast = may_go_fast(job, anomalies);
    return anomalies;
}

static void step_counters(tsr_adc_channel channel[2], uint8_t increments, uint32_t y_mask,
                          uint32_t z_mask)
{
    channel[0].z = (channel[0].z + (increments & 3u)) & z_mask;
    channel[0].y = (channel[0].y + (increments >> 2 & 3u)) & y_mask;
    channel[1].z = (channel[1].z + (increments >> 4 & 3u)) & z_mask;
    channel[1].y = (channel[1].y + (increments >> 6 & 3u)) & y_mask;
}

void tsr_unpack_count(struct tsr_env *env, const struct tsr_unpack_call *call,
                      const struct tsr_unpack_shape *shape)
{
    if (call->counts_contexts) {
        uint8_t next = (uint8_t)((call->context + 1) & 7);
        env->state->unpacker[call->unpacker].context_counter[call->thread] =
            next >= shape->contexts ? 0 : next;
    }
    uint32_t y_mask = tsr_mask32(TSR_ADC_Y_BITS), z_mask = tsr_mask32(env->chip->adc_zw_bits);
    tsr_adc_channel(*adc)[TSR_ADC_AGENTS][2] = env->state->adcs.channel;
    step_counters(adc[call->thread][call->unpacker], call->increments, y_mask, z_mask);
    if (call->adc != call->thread)
        step_counters(adc[call->adc][call->unpacker], call->increments, y_mask, z_mask);
}
