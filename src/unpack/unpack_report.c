// SPDX-License-Identifier: Apache-2.0
// Reports the anomalies of an UNPACR in their fixed order, with a description of the job and the
// configuration fields that they follow from. Page: UNPACR_Regular.md.
#include "unpack/unpack_report.h"

#include <inttypes.h>
#include <stdio.h>

enum { SENTENCE = 200 };

// What is unpacked is not tainted for these, on which shipped kernels rely (docs/errata.md, 29 and
// 597).
static const tsr_unpack_anomalies taints_nothing =
    TSR_UNPACK_ANOMALY(SRCB_ROW) | TSR_UNPACK_ANOMALY(NARROW_BLOCK);

static void describe(const struct tsr_unpack_job *job, char *text)
{
    static const char *const target[2] = {"SrcA", "SrcB"};
    const struct tsr_unpack_config *config = &job->config;
    char from[80];
    uint64_t byte = (uint64_t)(job->first_datum_bit < 0 ? 0 : job->first_datum_bit) / 8;
    if (config->compressed)
        snprintf(from, sizeof from, "compressed row with its start at L1 byte 0x%" PRIx64,
                 (uint64_t)job->row_start_address);
    else
        snprintf(from, sizeof from, "%" PRIu32 " datums from bit %" PRId64 " of L1 byte 0x%" PRIx64,
                 job->input_datums, job->first_datum_bit & 7, byte);
    snprintf(text, SENTENCE, "unpacker %u, context %u, %s as %s, %s to datum %" PRIu32 " of %s",
             job->unpacker, job->context, tsr_format_name(config->in_format),
             tsr_format_name(config->out_format), from, job->out_address,
             config->to_dst ? "Dst" : target[job->unpacker]);
}

static void cite(const struct tsr_unpack_job *job, enum tsr_unpack_anomaly which,
                 struct tsr_cited *cited)
{
    for (unsigned i = 0; i < 2; i++) {
        unsigned field = tsr_unpack_anomaly_rows[which].field[i];
        if (field == TSR_UNPACK_NO_FIELD)
            continue;
        if (field == UNPACK_FIELD_Disable_zero_compress_cntx0)
            field = job->config.multi_context ? field + job->context : UNPACK_FIELD_IsUncompressed;
        else if (field == UNPACK_FIELD_Shift_amount_cntx0)
            field += job->context & 3u;
        cited->field[cited->count++] = tsr_unpack_field_of(job->unpacker, field);
    }
}

static enum tsr_verdict report_one(struct tsr_env *env, const struct tsr_inflight *inst,
                                   const struct tsr_unpack_job *job, enum tsr_unpack_anomaly which)
{
    const struct tsr_unpack_anomaly_row *row = &tsr_unpack_anomaly_rows[which];
    enum tsr_verdict verdict;
    if (tsr_report_again(env, row->code, inst, &verdict))
        return verdict;
    struct tsr_cited cited = {.instance = job->state_id};
    char about[SENTENCE];
    cite(job, which, &cited);
    describe(job, about);
    if (which == TSR_UNPACK_ANOMALY_UNWRITTEN || which == TSR_UNPACK_ANOMALY_L1_RANGE)
        return tsr_report(env, row->code, inst, &cited,
                          "An unpack (%s) %s, the first at 0x%" PRIx32 ".", about, row->text,
                          which == TSR_UNPACK_ANOMALY_UNWRITTEN ? job->unwritten_address
                                                                : job->outside_address);
    if (which == TSR_UNPACK_ANOMALY_X_LIMIT || which == TSR_UNPACK_ANOMALY_X_ORDER ||
        which == TSR_UNPACK_ANOMALY_ROW_ORDER)
        return tsr_report(env, row->code, inst, &cited,
                          "In an unpack (%s) %s (from %" PRIu32 " to before %" PRIu32 ").", about,
                          row->text, job->first_x, job->end_x);
    return tsr_report(env, row->code, inst, &cited, "In an unpack (%s) %s.", about, row->text);
}

enum tsr_verdict tsr_unpack_report(struct tsr_env *env, const struct tsr_inflight *inst,
                                   const struct tsr_unpack_job *job, tsr_unpack_anomalies anomalies)
{
    enum tsr_verdict verdict = TSR_GO;
    for (unsigned i = 0; anomalies != 0; i++, anomalies >>= 1) {
        if (!(anomalies & 1))
            continue;
        switch (report_one(env, inst, job, (enum tsr_unpack_anomaly)i)) {
        case TSR_HALT:
            return TSR_HALT;
        case TSR_GO_TAINTED:
            if (!(taints_nothing >> i & 1))
                verdict = TSR_GO_TAINTED;
            break;
        default:
            break;
        }
    }
    return verdict;
}
