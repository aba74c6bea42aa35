// SPDX-License-Identifier: Apache-2.0
// The input side of UNPACR_Regular.md's main loop: rows of datums with their stride, the wrap of a
// circular buffer, exponents, the deltas between groups of compressed datums, and L1's shadow
// state.
#include "unpack/unpack_source.h"

enum { GROUP = 32, DELTA_BITS = 4, LINE_BITS = 128 }; // Packers/Compression.md

// ---------------------------------------------------------------- addresses

void tsr_unpack_set_contiguous(struct tsr_unpack_job *job)
{
    const struct tsr_unpack_config *c = &job->config;
    int64_t limit = job->limit_address, count = job->input_datums;
    bool below_limit = job->first_datum_bit + count * c->datum_bits <= limit * 128 &&
                       (!c->l1_exponents || job->first_exponent_16th + count <= limit * 256);
    job->contiguous = !c->tileize && (job->fifo_size == 0 || below_limit);
}

struct tsr_unpack_cursor tsr_unpack_begin(const struct tsr_unpack_job *job)
{
    return (struct tsr_unpack_cursor){job->first_datum_bit, job->first_exponent_16th,
                                      job->first_delta_bit, 0, job->input_datums};
}

uint32_t tsr_unpack_run(const struct tsr_unpack_job *job, const struct tsr_unpack_cursor *at)
{
    if (job->contiguous)
        return at->left;
    uint32_t run = job->config.row_width - (at->done & (job->config.row_width - 1u));
    if (job->config.l1_exponents) {
        uint32_t same_line = 256 - (uint32_t)(at->exponent_16th & 255);
        run = run < same_line ? run : same_line;
    }
    if (job->config.compressed) {
        uint32_t same_group = (LINE_BITS - (uint32_t)(at->delta_bit & 127)) / DELTA_BITS;
        run = run < same_group ? run : same_group;
    }
    return run < at->left ? run : at->left;
}

void tsr_unpack_advance(const struct tsr_unpack_job *job, struct tsr_unpack_cursor *at,
                        uint32_t datums)
{
    const struct tsr_unpack_config *c = &job->config;
    at->datum_bit += (int64_t)datums * c->datum_bits;
    at->exponent_16th += datums;
    at->done += datums;
    at->left -= datums;
    if (job->contiguous)
        return;
    if ((at->done & (c->row_width - 1u)) == 0) {
        int64_t row = (int64_t)c->datum_bits * c->row_width;
        at->datum_bit = tsr_unpack_wrap_bits(job, at->datum_bit - row + (int64_t)c->row_stride * 8);
    }
    if ((at->exponent_16th & 255) == 0)
        at->exponent_16th = tsr_unpack_wrap_16ths(job, at->exponent_16th);
    if (!c->compressed)
        return;
    at->delta_bit += (int64_t)datums * DELTA_BITS;
    if ((at->delta_bit & 127) == 0) { // a group ends: its deltas, then the next group's datums
        at->datum_bit += LINE_BITS;
        at->delta_bit = tsr_unpack_wrap_bits(job, at->delta_bit + (int64_t)GROUP * c->datum_bits);
    }
}

// ---------------------------------------------------------------- one datum

uint8_t tsr_unpack_byte(const struct tsr_l1 *l1, int64_t address, struct tsr_unpack_input *in)
{
    if (address < 0 || address >= l1->size) {
        in->tainted = true;
        return 0;
    }
    uint32_t granule = (uint32_t)address / TSR_L1_GRANULE, bit = (uint32_t)address % TSR_L1_GRANULE;
    in->tainted |= l1->tainted[granule] >> bit & 1;
    in->unwritten |= !(l1->written[granule] >> bit & 1);
    return l1->bytes[address];
}

// Floor division also below zero, where a wrapped address may lie.
static int64_t byte_of(int64_t bits, unsigned shift)
{
    return bits >= 0 ? bits >> shift : -((-bits + (1 << shift) - 1) >> shift);
}

struct tsr_unpack_input tsr_unpack_read(const struct tsr_l1 *l1, const struct tsr_unpack_job *job,
                                        const struct tsr_unpack_cursor *at)
{
    struct tsr_unpack_input in = {0};
    unsigned size = job->config.datum_bits;
    int64_t address = byte_of(at->datum_bit, 3);
    for (unsigned i = 0; i < (size + 7) / 8; i++)
        in.datum |= (uint32_t)tsr_unpack_byte(l1, address + i, &in) << (8 * i);
    if (size < 8) // low-order bits first
        in.datum = tsr_bits(in.datum, (unsigned)(at->datum_bit & 7), size);
    if (job->config.l1_exponents)
        in.exponent = tsr_unpack_byte(l1, byte_of(at->exponent_16th, 4), &in);
    else
        in.exponent = job->config.forced_exponent;
    return in;
}

struct tsr_unpack_input tsr_unpack_delta(const struct tsr_l1 *l1,
                                         const struct tsr_unpack_cursor *at)
{
    struct tsr_unpack_input in = {0};
    in.datum = tsr_unpack_byte(l1, byte_of(at->delta_bit, 3), &in);
    in.datum = tsr_bits(in.datum, (unsigned)(at->delta_bit & 7), DELTA_BITS);
    return in;
}

// ---------------------------------------------------------------- all of it

void tsr_unpack_scan_span(struct tsr_unpack_scan *scan, const struct tsr_l1 *l1, int64_t first,
                          int64_t end)
{
    uint8_t open = scan->asked & (uint8_t)~scan->found;
    if (first < 0 || end > (int64_t)l1->size) {
        if (open & UNPACK_L1_OUTSIDE)
            scan->outside_address = (uint32_t)(first >= 0 && first < l1->size ? l1->size : first);
        scan->found |= open & UNPACK_L1_OUTSIDE;
        return;
    }
    uint32_t from = (uint32_t)first;
    size_t size = (size_t)(end - first);
    if ((open & UNPACK_L1_UNWRITTEN) && !tsr_l1_all_written(l1, from, size)) {
        scan->unwritten_address = from + (uint32_t)tsr_l1_first_unwritten(l1, from, size);
        scan->found |= UNPACK_L1_UNWRITTEN;
    }
    if ((open & UNPACK_L1_TAINTED) && tsr_l1_any_tainted(l1, from, size))
        scan->found |= UNPACK_L1_TAINTED;
}

// So many datums from `at` on, which follow each other without a gap, and what belongs to them.
static void scan_run(struct tsr_unpack_scan *scan, const struct tsr_l1 *l1,
                     const struct tsr_unpack_config *c, const struct tsr_unpack_cursor *at,
                     uint32_t datums)
{
    int64_t datum_end = at->datum_bit + (int64_t)datums * c->datum_bits;
    int64_t delta_end = at->delta_bit + (int64_t)datums * DELTA_BITS;
    tsr_unpack_scan_span(scan, l1, byte_of(at->datum_bit, 3), byte_of(datum_end + 7, 3));
    if (c->l1_exponents)
        tsr_unpack_scan_span(scan, l1, byte_of(at->exponent_16th, 4),
                             byte_of(at->exponent_16th + datums + 15, 4));
    if (c->compressed)
        tsr_unpack_scan_span(scan, l1, byte_of(at->delta_bit, 3), byte_of(delta_end + 7, 3));
}

// Rows of which none wraps lie in one span, with what lies between them: what is not found in any
// byte of the span, is in none of theirs. Removes that from `asked`.
static void scan_whole_span(struct tsr_unpack_scan *scan, const struct tsr_l1 *l1,
                            const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_config *c = &job->config;
    uint32_t rows = (job->input_datums + c->row_width - 1) / c->row_width;
    int64_t row_bits = (int64_t)c->datum_bits * c->row_width, limit = job->limit_address;
    int64_t datum_end = job->first_datum_bit + ((int64_t)rows - 1) * c->row_stride * 8 + row_bits;
    int64_t exponent_end = job->first_exponent_16th + job->input_datums;
    if (c->compressed || rows == 0 ||
        (job->fifo_size != 0 &&
         (datum_end > limit * 128 || (c->l1_exponents && exponent_end > limit * 256))))
        return;
    struct tsr_unpack_scan whole = {.asked = scan->asked};
    tsr_unpack_scan_span(&whole, l1, byte_of(job->first_datum_bit, 3), byte_of(datum_end + 7, 3));
    if (c->l1_exponents)
        tsr_unpack_scan_span(&whole, l1, byte_of(job->first_exponent_16th, 4),
                             byte_of(exponent_end + 15, 4));
    scan->asked &= whole.found;
}

void tsr_unpack_scan(struct tsr_unpack_scan *scan, const struct tsr_l1 *l1,
                     const struct tsr_unpack_job *job)
{
    if (!l1->any_tainted)
        scan->asked &= (uint8_t)~UNPACK_L1_TAINTED;
    if (!job->contiguous)
        scan_whole_span(scan, l1, job);
    struct tsr_unpack_cursor at = tsr_unpack_begin(job);
    while (at.left > 0 && (scan->asked & ~scan->found)) {
        uint32_t run = tsr_unpack_run(job, &at);
        scan_run(scan, l1, &job->config, &at, run);
        tsr_unpack_advance(job, &at, run);
    }
}
