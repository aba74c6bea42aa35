// SPDX-License-Identifier: Apache-2.0
// Compressed input: from a row start in L1 to the first datum, its delta and its exponent, and how
// many datums are read and come out. Row starts and deltas are data, so all of this belongs to
// execution; the counters that select the row were sampled at acceptance.
// Pages: UNPACR_Regular.md (address of compressed data), Packers/Compression.md (the format).
#include "unpack/unpack_source.h"

enum { GROUP = 32, LINE = 16, ROW_START_BYTES = 2 };

static uint32_t read_row_start(const struct tsr_l1 *l1, int64_t address,
                               struct tsr_unpack_input *in)
{
    uint32_t low = tsr_unpack_byte(l1, address, in);
    return low | (uint32_t)tsr_unpack_byte(l1, address + 1, in) << 8;
}

// Datums lie in groups of 32, each with its deltas behind it.
static void locate(struct tsr_unpack_job *job, uint32_t first)
{
    int64_t size = job->shape.datum_bits, limit = job->limit, fifo = job->fifo;
    int64_t group = job->bits + (int64_t)(first / GROUP) * (GROUP * size + LINE * 8);
    int64_t deltas = group + GROUP * size + 4 * (int64_t)(first % GROUP);
    int64_t datums = group + (int64_t)(first % GROUP) * size;
    job->exponents = tsr_unpack_wrap(job->exponents + first, limit * 256, fifo * 256);
    job->bits = tsr_unpack_wrap(datums, limit * 128, fifo * 128);
    job->deltas = tsr_unpack_wrap(deltas, limit * 128, fifo * 128);
}

// Follows the deltas to the end of the row, or until enough has come out of a seek. A datum gives
// one at least, and X has eighteen bits, so either ends.
static void count_datums(const struct tsr_l1 *l1, struct tsr_unpack_job *job)
{
    uint32_t end = job->seeks ? job->drop + job->wanted : UINT32_MAX, out = 0;
    if (job->seeks)
        job->count = job->wanted > 0 ? end : 0;
    struct tsr_unpack_cursor at = tsr_unpack_begin(job);
    while (at.left > 0 && out < end) {
        out += 1 + (job->zero ? 0 : tsr_unpack_delta(l1, &at).datum);
        tsr_unpack_advance(job, &at, 1);
    }
    job->count = at.done;
    job->emitted = job->seeks ? job->wanted : out;
}

static bool row_is(const struct tsr_l1 *l1, const struct tsr_unpack_job *job,
                   enum tsr_unpack_question question, uint32_t *address)
{
    return tsr_unpack_span_is(l1, job->row_start, job->row_start + ROW_START_BYTES, question,
                              address) ||
           (!job->seeks && tsr_unpack_span_is(l1, job->row_end, job->row_end + ROW_START_BYTES,
                                              question, address));
}

// A seek that writes zeroes counts them itself.
static bool needs_row(const struct tsr_unpack_job *job)
{
    return !(job->zero && job->seeks);
}

bool tsr_unpack_row_is_tainted(const struct tsr_l1 *l1, const struct tsr_unpack_job *job)
{
    uint32_t address;
    if (!needs_row(job))
        return false;
    return row_is(l1, job, TSR_ANY_TAINTED, &address) ||
           (job->taints_unwritten && row_is(l1, job, TSR_ANY_UNWRITTEN, &address));
}

// What L1 lacks of the row starts and of what they lead to.
static tsr_unpack_anomalies check_bytes(const struct tsr_l1 *l1, struct tsr_unpack_job *job)
{
    tsr_unpack_anomalies anomalies = 0;
    if (row_is(l1, job, TSR_ANY_OUTSIDE, &job->outside_address) ||
        tsr_unpack_source_is(l1, job, TSR_ANY_OUTSIDE, &job->outside_address))
        anomalies |= TSR_ANOMALY(ANOMALY_L1_RANGE);
    if ((needs_row(job) && row_is(l1, job, TSR_ANY_UNWRITTEN, &job->unwritten_address)) ||
        (!job->zero && tsr_unpack_source_is(l1, job, TSR_ANY_UNWRITTEN, &job->unwritten_address)))
        anomalies |= TSR_ANOMALY(ANOMALY_UNWRITTEN);
    return anomalies;
}

tsr_unpack_anomalies tsr_unpack_find_row(const struct tsr_env *env, struct tsr_unpack_job *job)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    tsr_unpack_anomalies anomalies = 0;
    struct tsr_unpack_input shadow = {0};
    uint32_t first = read_row_start(l1, job->row_start, &shadow);
    uint32_t end = job->seeks ? first : read_row_start(l1, job->row_end, &shadow);
    locate(job, first);
    job->first_x = first;
    job->end_x = end;
    if (end < first)
        anomalies |= TSR_ANOMALY(ANOMALY_ROW_ORDER);
    job->count = end < first ? 0 : end - first;
    count_datums(l1, job);
    if ((job->shape.transpose || job->shape.tileize) && job->bits % 128 != 0)
        anomalies |= TSR_ANOMALY(ANOMALY_INPUT_ALIGNMENT);
    return anomalies | check_bytes(l1, job) | tsr_unpack_check_rows(env, job);
}
