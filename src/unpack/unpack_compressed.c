// SPDX-License-Identifier: Apache-2.0
// Compressed input: from a row start in L1 to the first datum, its delta and its exponent, and how
// many datums are read and come out. Row starts and deltas are data, so all of this belongs to
// execution; the counters that select the row were sampled at acceptance.
// Pages: UNPACR_Regular.md (address of compressed data), Packers/Compression.md (the format).
#include "unpack/unpack_compressed.h"

#include "unpack/unpack_source.h"
#include "unpack/unpack_target.h"

enum { GROUP = 32, LINE = 16, DELTA_BITS = 4, ROW_START_BYTES = 2 };

static uint32_t read_row_start(const struct tsr_l1 *l1, int64_t address)
{
    struct tsr_unpack_input shadow = {0};
    uint32_t low = tsr_unpack_byte(l1, address, &shadow);
    return low | (uint32_t)tsr_unpack_byte(l1, address + 1, &shadow) << 8;
}

// Datums lie in groups of 32, each with its deltas after it.
static void locate(struct tsr_unpack_job *job, uint32_t first_datum)
{
    int64_t size = job->config.datum_bits, in_group = first_datum % GROUP;
    int64_t group =
        job->first_datum_bit + (int64_t)(first_datum / GROUP) * (GROUP * size + LINE * 8);
    job->first_exponent_16th = tsr_unpack_wrap_16ths(job, job->first_exponent_16th + first_datum);
    job->first_datum_bit = tsr_unpack_wrap_bits(job, group + in_group * size);
    job->first_delta_bit = tsr_unpack_wrap_bits(job, group + GROUP * size + in_group * 4);
}

// How many come out of one run, whose deltas lie one after the other: each datum, and the zeroes
// after it. Stops with the first that reaches `most`; *taken says with which.
static uint32_t count_run(const struct tsr_l1 *l1, int64_t delta_bit, uint32_t run, uint32_t most,
                          uint32_t *taken)
{
    const uint8_t *byte = l1->bytes + delta_bit / 8;
    unsigned odd = delta_bit / DELTA_BITS & 1;
    uint32_t out = 0, i = 0;
    for (; i < run && out < most; i++)
        out += 1 + (byte[(i + odd) / 2] >> ((i + odd) % 2 * DELTA_BITS) & 15u);
    *taken = i;
    return out;
}

// Follows the deltas to the end of the row, or of a partial one until enough has come out. A datum
// counts as one at least, and X has eighteen bits, so either ends.
static void count_datums(const struct tsr_l1 *l1, struct tsr_unpack_job *job)
{
    uint32_t end = job->partial_row ? job->drop_datums + job->wanted_datums : UINT32_MAX, out = 0;
    if (job->partial_row)
        job->input_datums = job->wanted_datums > 0 ? end : 0;
    struct tsr_unpack_cursor at = tsr_unpack_begin(job);
    while (at.left > 0 && out < end) {
        uint32_t run = tsr_unpack_run(job, &at), taken = run;
        bool inside = at.delta_bit >= 0 && at.delta_bit + LINE * 8 <= (int64_t)l1->size * 8;
        if (job->all_zero) {
            taken = run < end - out ? run : end - out;
            out += taken;
        } else if (inside) {
            out += count_run(l1, at.delta_bit, run, end - out, &taken);
        } else { // bytes outside L1 are zero
            taken = 1;
            out += 1 + tsr_unpack_delta(l1, &at).datum;
        }
        tsr_unpack_advance(job, &at, taken);
    }
    job->input_datums = at.done;
    job->output_datums = job->partial_row ? job->wanted_datums : out;
}

// Bytes of the row starts, and of the datums that they lead to, that are outside L1, unwritten or
// tainted. A partial row that is written as zeroes depends on no row start.
static tsr_unpack_anomalies check_bytes(const struct tsr_l1 *l1, struct tsr_unpack_job *job)
{
    bool needs_row_start = !(job->all_zero && job->partial_row);
    tsr_unpack_anomalies anomalies = 0;
    struct tsr_unpack_scan scan = {.asked = UNPACK_L1_OUTSIDE};
    if (needs_row_start)
        scan.asked |= UNPACK_L1_UNWRITTEN | UNPACK_L1_TAINTED;
    tsr_unpack_scan_span(&scan, l1, job->row_start_address,
                         job->row_start_address + ROW_START_BYTES);
    if (!job->partial_row)
        tsr_unpack_scan_span(&scan, l1, job->row_end_address,
                             job->row_end_address + ROW_START_BYTES);
    job->row_start_tainted = scan.found & UNPACK_L1_TAINTED;
    job->row_start_unwritten = scan.found & UNPACK_L1_UNWRITTEN;

    scan.asked = UNPACK_L1_OUTSIDE;
    if (!job->all_zero)
        scan.asked |= UNPACK_L1_UNWRITTEN;
    tsr_unpack_scan(&scan, l1, job);
    job->outside_address = scan.outside_address;
    job->unwritten_address = scan.unwritten_address;
    if (scan.found & UNPACK_L1_OUTSIDE)
        anomalies |= TSR_UNPACK_ANOMALY(L1_RANGE);
    if (scan.found & UNPACK_L1_UNWRITTEN)
        anomalies |= TSR_UNPACK_ANOMALY(UNWRITTEN);
    return anomalies;
}

tsr_unpack_anomalies tsr_unpack_find_row(const struct tsr_env *env, struct tsr_unpack_job *job)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    tsr_unpack_anomalies anomalies = 0;
    uint32_t first = read_row_start(l1, job->row_start_address);
    uint32_t end = job->partial_row ? first : read_row_start(l1, job->row_end_address);
    locate(job, first);
    job->first_x = first;
    job->end_x = end;
    if (end < first)
        anomalies |= TSR_UNPACK_ANOMALY(ROW_ORDER);
    job->input_datums = end < first ? 0 : end - first;
    count_datums(l1, job);
    if ((job->config.transpose || job->config.tileize) && job->first_datum_bit % 128 != 0)
        anomalies |= TSR_UNPACK_ANOMALY(INPUT_ALIGNMENT);
    anomalies |= check_bytes(l1, job) | tsr_unpack_check_rows(env, job);
    job->uses_kernel = job->config.expands && !(anomalies & TSR_UNPACK_NO_KERNEL);
    return anomalies;
}
