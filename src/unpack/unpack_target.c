// SPDX-License-Identifier: Apache-2.0
// The hand-over of the unpackers' bank of SrcA or SrcB to the matrix unit, and the rows that an
// unpack writes and its target does not have. Pages: UNPACR_Regular.md, SrcASrcB.md, Dst.md.
#include "unpack/unpack_target.h"

// ---------------------------------------------------------------- the bank

void tsr_unpack_hand_over(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    inst->has_bank = true;
    inst->side = job->unpacker;
    inst->bank = tsr_src_hand_over(env, tsr_origin_of(inst), job->unpacker);
    env->state->unpacker[job->unpacker].src_row[job->thread] = job->src_row_base;
}

void tsr_unpack_publish_bank(struct tsr_env *env, struct tsr_inflight *inst)
{
    if (!inst->has_bank)
        return;
    struct tsr_src_bank *bank = &env->state->src[inst->side].bank[inst->bank];
    bank->matrix_owns = true;
    if (env->chip->implied_formats)
        bank->implied_format = tsr_unpack_job_of(inst)->implied_format;
}

// ---------------------------------------------------------------- rows

// The last output row that is written; false: none is. Gaps of upsampling and the columns that
// ColShift loses repeat after sixteen places.
static bool last_row(const struct tsr_unpack_job *job, uint64_t *row)
{
    const struct tsr_unpack_config *c = &job->config;
    uint64_t places = (uint64_t)job->output_datums * c->places_per_datum;
    if (c->places_per_datum == 1 && c->column_shift == 0 && places > 0) {
        *row = (job->out_address + places - 1) / 16;
        return true;
    }
    for (unsigned i = 0; i < 16 && places > 0; i++) {
        places--;
        uint64_t out = job->out_address + places;
        bool gap = c->keeps_gaps && places % c->places_per_datum != 0;
        *row = out / 16;
        if (!gap && (out & 15) >= c->column_shift)
            return true;
    }
    return false;
}

static tsr_unpack_anomalies check_dst_rows(const struct tsr_unpack_job *job, uint32_t first,
                                           uint32_t last)
{
    const struct tsr_unpack_config *c = &job->config;
    tsr_unpack_anomalies anomalies = 0;
    // In 32 bits Dst has half as many rows; the interval may also run over the end.
    bool low = (first & 1023) < 512 && (last & 1023) < 512 && last - first < 512;
    if (!c->wide && job->dst_order & TSR_DST_HIGH_HALVES)
        anomalies |= TSR_UNPACK_ANOMALY(DST_HIGH_HALVES);
    if (tsr_dst_folds(job->dst_order, c->wide) && !low)
        anomalies |= TSR_UNPACK_ANOMALY(DST_ROW);
    return anomalies;
}

static tsr_unpack_anomalies check_srca_rows(const struct tsr_env *env,
                                            const struct tsr_unpack_job *job, uint32_t last)
{
    bool before_srca = (int32_t)last < 0; // all of it before row 4
    if (!before_srca && !job->config.row_from_address && last >= 16)
        return TSR_UNPACK_ANOMALY(SRCA_SET_ROW);
    if (!before_srca && job->config.row_from_address && last >= TSR_SRC_ROWS &&
        !env->chip->srca_rows_wrap)
        return TSR_UNPACK_ANOMALY(SRCA_ROW);
    return 0;
}

tsr_unpack_anomalies tsr_unpack_check_rows(const struct tsr_env *env,
                                           const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_config *c = &job->config;
    if (job->unpacker == 1)
        return 0;
    tsr_unpack_anomalies anomalies = 0;
    uint32_t first = job->out_address / 16 - TSR_UNPACK_ROWS_BEFORE;
    bool bursts = !c->to_dst && (job->input_datums > 16 || job->partial_row);
    if (bursts && (first & (c->burst_rows - 1u)))
        anomalies |= TSR_UNPACK_ANOMALY(BURST);
    uint64_t end;
    if (!last_row(job, &end))
        return anomalies;
    uint32_t last = (uint32_t)end - TSR_UNPACK_ROWS_BEFORE;
    return anomalies |
           (c->to_dst ? check_dst_rows(job, first, last) : check_srca_rows(env, job, last));
}

tsr_unpack_anomalies tsr_unpack_check_srcb_rows(const struct tsr_env *env,
                                                const struct tsr_unpack_job *job)
{
    uint64_t last;
    if (job->unpacker == 0 || !last_row(job, &last))
        return 0;
    uint64_t broadcast_end = job->out_address / 16 + 7; // of the row that an srcb_bcast begins with
    if (job->broadcasts && broadcast_end > last)
        last = broadcast_end;
    return last + env->state->unpacker[1].src_row[job->thread] >= TSR_SRC_ROWS
               ? TSR_UNPACK_ANOMALY(SRCB_ROW)
               : 0;
}
