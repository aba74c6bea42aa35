// SPDX-License-Identifier: Apache-2.0
// The sentences and codes of everything that can be wrong or unusual about an unpack.
// Pages: UNPACR_Regular.md (UndefinedBehavior, UnsupportedFunctionality, NonContractualBehavior),
// docs/decisions.md 1 to 5, 7, 14 and 17.
#include "unpack/unpack_job.h"

#include <inttypes.h>
#include <stdio.h>

enum { NO_FIELD = -1, SENTENCE = 200 };

struct anomaly_row {
    int code; // enum tsr_finding
    const char *text;
    int field[2][2]; // to cite: by unpacker
};

#define NOTHING                                                                                    \
    {                                                                                              \
        {NO_FIELD, NO_FIELD},                                                                      \
        {                                                                                          \
            NO_FIELD, NO_FIELD                                                                     \
        }                                                                                          \
    }
#define SAME(field)                                                                                \
    {                                                                                              \
        {FIELD_##field, NO_FIELD},                                                                 \
        {                                                                                          \
            FIELD_##field, NO_FIELD                                                                \
        }                                                                                          \
    }
#define SECTION(name)                                                                              \
    {                                                                                              \
        {FIELD_THCON_SEC0_##name, NO_FIELD},                                                       \
        {                                                                                          \
            FIELD_THCON_SEC1_##name, NO_FIELD                                                      \
        }                                                                                          \
    }
#define SECTION2(first, second)                                                                    \
    {                                                                                              \
        {FIELD_THCON_SEC0_##first, FIELD_THCON_SEC0_##second},                                     \
        {                                                                                          \
            FIELD_THCON_SEC1_##first, FIELD_THCON_SEC1_##second                                    \
        }                                                                                          \
    }

static const struct anomaly_row rows[ANOMALY_COUNT] = {
    [ANOMALY_CONTEXT] = {FINDING_UNPACK_CONTEXT, "unpacker 1 has the contexts 0 and 1 only",
                         NOTHING},
    [ANOMALY_ADC] = {FINDING_UNPACK_CONTEXT,
                     "AddrCntContextId is 3, and there are three sets of ADCs; the thread's own "
                     "set is used",
                     NOTHING},
    [ANOMALY_BLOB] =
        {FINDING_UNPACK_X_RANGE,
         "BlobsYStart has eight entries, and channel 0's X asks for a ninth; the first "
         "is taken",
         SECTION2(REG0_TileDescriptor_BlobsPerXYPlane, REG0_TileDescriptor_BlobsYStart_lo)},
    [ANOMALY_FORMAT_PAIR] = {FINDING_UNPACK_FORMAT_PAIR,
                             "no unpacker makes this conversion; the input format is used for both",
                             SECTION2(REG0_TileDescriptor_InDataFormat, REG2_Out_data_format)},
    [ANOMALY_SRC_32BIT] = {FINDING_SRC_32BIT_FORMAT,
                           "a register of SrcA or SrcB has 19 bits; the top 19 are kept",
                           SECTION2(REG0_TileDescriptor_InDataFormat, REG2_Out_data_format)},
    [ANOMALY_NARROW_TILEIZE] = {FINDING_UNPACK_THROTTLE,
                                "Tileize_mode needs datums of eight bits or more",
                                SECTION2(REG2_Tileize_mode, REG0_TileDescriptor_InDataFormat)},
    [ANOMALY_THROTTLE] = {FINDING_UNPACK_THROTTLE, "this chip has no such throttle mode",
                          SECTION(REG2_Throttle_mode)},
    [ANOMALY_TRANSPOSE_TO_DST] = {FINDING_UNPACK_MODE_CLASH,
                                  "Haloize_mode (transpose) does not go with Dst; it is ignored",
                                  SECTION(REG2_Haloize_mode)},
    [ANOMALY_SHIFT_TO_DST] = {FINDING_UNPACK_MODE_CLASH,
                              "Shift_amount shifts columns of SrcA alone; it is ignored",
                              SECTION2(REG2_Shift_amount_cntx0, REG2_Tileize_mode)},
    [ANOMALY_TILEIZE_CLASH] =
        {FINDING_UNPACK_MODE_CLASH,
         "Tileize_mode goes neither with compressed input nor with upsampling",
         SECTION2(REG2_Tileize_mode, REG2_Upsample_rate)},
    [ANOMALY_DST_OVRD] = {FINDING_DST_OVRD_ADDR,
                          "SRCA_SET_SetOvrdWithAddr does not go with Dst; rows are taken & 0x3cf",
                          NOTHING},
    [ANOMALY_X_LIMIT] = {FINDING_UNPACK_X_RANGE,
                         "the input side reaches 8192 bytes of X positions, fewer than these",
                         NOTHING},
    [ANOMALY_X_ORDER] = {FINDING_UNPACK_X_RANGE,
                         "the X positions end before they begin; nothing is moved", NOTHING},
    [ANOMALY_ROW_ORDER] = {FINDING_UNPACK_ROW_STARTS,
                           "the row's end lies before its start; nothing is moved",
                           SECTION2(REG3_Base_address, REG0_TileDescriptor_DigestSize)},
    [ANOMALY_INPUT_ALIGNMENT] =
        {FINDING_UNPACK_ALIGNMENT,
         "Tileize_mode and Haloize_mode need a first datum at a multiple of "
         "16 bytes",
         SECTION2(REG2_Tileize_mode, REG2_Haloize_mode)},
    [ANOMALY_OUTPUT_ALIGNMENT] = {FINDING_UNPACK_ALIGNMENT,
                                  "the output address is not a multiple of the datums' size",
                                  {{FIELD_UNP0_ADDR_BASE_REG_1_Base, NO_FIELD},
                                   {FIELD_UNP1_ADDR_BASE_REG_1_Base, NO_FIELD}}},
    [ANOMALY_L1_RANGE] = {FINDING_L1_OUT_OF_RANGE, "reads outside L1; bytes there count as 0",
                          SECTION2(REG3_Base_address, REG7_Offset_address)},
    [ANOMALY_SRCA_ROW] = {FINDING_SRCA_ROW, "rows of SrcA from 64 on do not exist; they wrap",
                          NOTHING},
    [ANOMALY_SRCA_SET_ROW] = {FINDING_SRCA_ROW,
                              "without SRCA_SET_SetOvrdWithAddr an unpack has 16 rows of SrcA; the "
                              "others wrap",
                              NOTHING},
    [ANOMALY_SRCB_ROW] = {FINDING_SRCB_ROW, "rows of SrcB from 64 on do not exist; they wrap",
                          NOTHING},
    [ANOMALY_BURST] =
        {FINDING_SRCA_BURST,
         "the first row is not a multiple of a burst's rows, and silicon may drop some",
         SECTION(REG2_Throttle_mode)},
    [ANOMALY_DST_ROW] = {FINDING_DST_ROW_RANGE, "Dst has 512 rows of 32-bit datums", NOTHING},
    [ANOMALY_BLOCK_EXPONENT] = {FINDING_UNPACK_BLOCK_EXPONENT,
                                "an exponent does not fit five bits; the low five are kept",
                                SECTION(REG2_Force_shared_exp)},
    [ANOMALY_UNWRITTEN] = {FINDING_UNINITIALISED_L1, "reads bytes that were never written",
                           NOTHING},
    [ANOMALY_ROW_BROADCAST] = {FINDING_UNDOCUMENTED_MODE,
                               "srcb_bcast (bit 5) writes the first row of SrcB eight times",
                               NOTHING},
    [ANOMALY_RAREFY] = {FINDING_UNDOCUMENTED_MODE,
                        "rareb_en (bit 5) is said to rarefy SrcB, not how; it has no effect",
                        NOTHING},
    [ANOMALY_NARROW_COMPRESSED] = {FINDING_UNDOCUMENTED_MODE,
                                   "compressed datums of two bits have no layout on a page",
                                   SECTION(REG0_TileDescriptor_InDataFormat)},
    [ANOMALY_COMPRESSED] = {FINDING_LEGACY_MODE, "the input is compressed",
                            SECTION(REG2_Disable_zero_compress_cntx0)},
    [ANOMALY_ROW_SEARCH] = {FINDING_LEGACY_MODE, "RowSearch is set",
                            SECTION(REG0_TileDescriptor_BlobsPerXYPlane)},
    [ANOMALY_UPSAMPLE] = {FINDING_LEGACY_MODE, "upsampling is on",
                          SECTION2(REG2_Upsample_rate, REG2_Upsample_and_interleave)},
    [ANOMALY_COLUMN_SHIFT] = {FINDING_LEGACY_MODE,
                              "Shift_amount shifts columns, because Tileize_mode is off",
                              SECTION2(REG2_Shift_amount_cntx0, REG2_Tileize_mode)},
    [ANOMALY_SINGLE_CONTEXT] = {FINDING_LEGACY_MODE, "MultiContextMode (bit 7) is off", NOTHING},
    [ANOMALY_CONTEXT_COUNTER] = {FINDING_LEGACY_MODE, "the context counter is used",
                                 SECTION(REG2_Context_count)},
    [ANOMALY_CONTEXT_NUMBER] = {FINDING_LEGACY_MODE, "CfgContextId is not 0", NOTHING},
    [ANOMALY_OTHER_ADC] = {FINDING_LEGACY_MODE, "AddrCntContextId is not 0", NOTHING},
    [ANOMALY_TRANSPOSE_SRCB] = {FINDING_LEGACY_MODE, "unpacker 1 ignores Haloize_mode (transpose)",
                                SECTION(REG2_Haloize_mode)},
    [ANOMALY_RELATIVE_SRCA] = {FINDING_LEGACY_MODE,
                               "SRCA_SET_SetOvrdWithAddr is off, so that SrcRow counts", NOTHING},
    [ANOMALY_INTERLEAVE] = {FINDING_LEGACY_MODE,
                            "Upsample_and_interleave is set, and Upsample_rate is 0",
                            SECTION(REG2_Upsample_and_interleave)},
    [ANOMALY_OUTPUT_START] = {FINDING_LEGACY_MODE,
                              "the output begins within a row, or within the first 64 datums of "
                              "unpacker 0",
                              NOTHING},
    [ANOMALY_DST_HIGH_HALVES] = {FINDING_LEGACY_MODE,
                                 "bit 11 of DBG_FEATURE_DISABLE turns 16-bit rows of Dst into the "
                                 "high halves of 32-bit rows",
                                 NOTHING},
};

_Static_assert(FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx7 -
                       FIELD_THCON_SEC0_REG2_Disable_zero_compress_cntx0 ==
                   7,
               "a field for each context, in order");
_Static_assert(FIELD_THCON_SEC0_REG2_Shift_amount_cntx3 -
                       FIELD_THCON_SEC0_REG2_Shift_amount_cntx0 ==
                   3,
               "a field for each context, in order");

static void describe(const struct tsr_unpack_job *job, char *text)
{
    static const char *const target[2] = {"SrcA", "SrcB"};
    const struct tsr_unpack_shape *s = &job->shape;
    char from[80];
    uint64_t byte = (uint64_t)(job->bits < 0 ? 0 : job->bits) / 8;
    if (s->compressed)
        snprintf(from, sizeof from, "compressed row with its start at L1 byte 0x%" PRIx64,
                 (uint64_t)job->row_start);
    else
        snprintf(from, sizeof from, "%" PRIu32 " datums from bit %" PRId64 " of L1 byte 0x%" PRIx64,
                 job->count, job->bits & 7, byte);
    snprintf(text, SENTENCE, "unpacker %u, context %u, %s as %s, %s to datum %" PRIu32 " of %s",
             job->unpacker, job->context, tsr_format_name(s->in_format),
             tsr_format_name(s->out_format), from, job->out,
             s->to_dst ? "Dst" : target[job->unpacker]);
}

// For how many contexts the first field of a row has another, in order behind it.
static unsigned contexts_of(enum tsr_unpack_anomaly which)
{
    switch (which) {
    case ANOMALY_COMPRESSED:
        return TSR_UNPACK_CONTEXTS;
    case ANOMALY_COLUMN_SHIFT:
    case ANOMALY_SHIFT_TO_DST:
        return 4;
    default:
        return 1;
    }
}

static void cite(const struct tsr_unpack_job *job, enum tsr_unpack_anomaly which,
                 struct tsr_cited *cited)
{
    const int *field = rows[which].field[job->unpacker];
    for (int i = 0; i < 2; i++)
        if (field[i] != NO_FIELD)
            cited->field[cited->count++] = (enum tsr_field)field[i];
    unsigned contexts = contexts_of(which);
    if (contexts > 1)
        cited->field[0] = (enum tsr_field)(field[0] + (int)(job->context % contexts));
    if (which == ANOMALY_COMPRESSED && !job->shape.by_context)
        cited->field[0] = job->unpacker ? FIELD_THCON_SEC1_REG0_TileDescriptor_IsUncompressed
                                        : FIELD_THCON_SEC0_REG0_TileDescriptor_IsUncompressed;
}

static enum tsr_verdict report_one(struct tsr_env *env, const struct tsr_inflight *inst,
                                   const struct tsr_unpack_job *job, enum tsr_unpack_anomaly which)
{
    const struct anomaly_row *row = &rows[which];
    struct tsr_cited cited = {.instance = job->state};
    char about[SENTENCE];
    cite(job, which, &cited);
    describe(job, about);
    if (which == ANOMALY_UNWRITTEN || which == ANOMALY_L1_RANGE)
        return tsr_report(env, (enum tsr_finding)row->code, inst, &cited,
                          "An unpack (%s) %s, the first at 0x%" PRIx32 ".", about, row->text,
                          which == ANOMALY_UNWRITTEN ? job->unwritten_address
                                                     : job->outside_address);
    if (which == ANOMALY_X_LIMIT || which == ANOMALY_X_ORDER || which == ANOMALY_ROW_ORDER)
        return tsr_report(env, (enum tsr_finding)row->code, inst, &cited,
                          "In an unpack (%s) %s (from %" PRIu32 " to before %" PRIu32 ").", about,
                          row->text, job->first_x, job->end_x);
    return tsr_report(env, (enum tsr_finding)row->code, inst, &cited, "In an unpack (%s) %s.",
                      about, row->text);
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
            verdict = TSR_GO_TAINTED;
            break;
        default:
            break;
        }
    }
    return verdict;
}
