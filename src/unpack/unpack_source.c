// SPDX-License-Identifier: Apache-2.0
// The input side of UNPACR_Regular.md's main loop: rows of datums with their stride, the FIFO wrap,
// exponents, the deltas between groups of compressed datums, and L1's story.
#include "unpack/unpack_source.h"

enum { GROUP = 32, DELTA_BITS = 4, LINE_BITS = 128 }; // Packers/Compression.md

// [WrapAddr]: one subtraction, and only beyond the limit.
int64_t tsr_unpack_wrap(int64_t address, int64_t limit, int64_t fifo)
{
    return address > limit ? address - fifo : address;
}

static int64_t wrap_bits(const struct tsr_unpack_job *job, int64_t bits)
{
    return tsr_unpack_wrap(bits, (int64_t)job->limit * 128, (int64_t)job->fifo * 128);
}

static int64_t wrap_exponents(const struct tsr_unpack_job *job, int64_t exponents)
{
    return tsr_unpack_wrap(exponents, (int64_t)job->limit * 256, (int64_t)job->fifo * 256);
}

struct tsr_unpack_cursor tsr_unpack_begin(const struct tsr_unpack_job *job)
{
    return (struct tsr_unpack_cursor){job->bits, job->exponents, job->deltas, 0, job->count};
}

uint32_t tsr_unpack_run(const struct tsr_unpack_job *job, const struct tsr_unpack_cursor *at)
{
    if (job->plain)
        return at->left;
    uint32_t run = job->shape.row_width - (at->done & (job->shape.row_width - 1u));
    if (job->shape.l1_exponents) {
        uint32_t same_line = 256 - (uint32_t)(at->exponents & 255);
        run = run < same_line ? run : same_line;
    }
    if (job->shape.compressed) {
        uint32_t same_group = (LINE_BITS - (uint32_t)(at->deltas & 127)) / DELTA_BITS;
        run = run < same_group ? run : same_group;
    }
    return run < at->left ? run : at->left;
}

void tsr_unpack_advance(const struct tsr_unpack_job *job, struct tsr_unpack_cursor *at,
                        uint32_t datums)
{
    const struct tsr_unpack_shape *s = &job->shape;
    at->bits += (int64_t)datums * s->datum_bits;
    at->exponents += datums;
    at->done += datums;
    at->left -= datums;
    if (job->plain)
        return;
    if ((at->done & (s->row_width - 1u)) == 0) {
        int64_t row = (int64_t)s->datum_bits * s->row_width;
        at->bits = wrap_bits(job, at->bits - row + (int64_t)s->row_stride * 8);
    }
    if ((at->exponents & 255) == 0)
        at->exponents = wrap_exponents(job, at->exponents);
    if (!s->compressed)
        return;
    at->deltas += (int64_t)datums * DELTA_BITS;
    if ((at->deltas & 127) == 0) { // a group ends: its deltas, then the next group's datums
        at->bits += LINE_BITS;
        at->deltas = wrap_bits(job, at->deltas + (int64_t)GROUP * s->datum_bits);
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
    unsigned size = job->shape.datum_bits;
    int64_t address = byte_of(at->bits, 3);
    for (unsigned i = 0; i < (size + 7) / 8; i++)
        in.datum |= (uint32_t)tsr_unpack_byte(l1, address + i, &in) << (8 * i);
    if (size < 8) // low-order bits first
        in.datum = tsr_bits(in.datum, (unsigned)(at->bits & 7), size);
    if (job->shape.l1_exponents)
        in.exponent = tsr_unpack_byte(l1, byte_of(at->exponents, 4), &in);
    else
        in.exponent = job->shape.forced_exponent;
    return in;
}

struct tsr_unpack_input tsr_unpack_delta(const struct tsr_l1 *l1,
                                         const struct tsr_unpack_cursor *at)
{
    struct tsr_unpack_input in = {0};
    in.datum = tsr_unpack_byte(l1, byte_of(at->deltas, 3), &in);
    in.datum = tsr_bits(in.datum, (unsigned)(at->deltas & 7), DELTA_BITS);
    return in;
}

// ---------------------------------------------------------------- all of it

bool tsr_unpack_span_is(const struct tsr_l1 *l1, int64_t first, int64_t end,
                        enum tsr_unpack_question question, uint32_t *address)
{
    if (first < 0 || end > (int64_t)l1->size) {
        *address = (uint32_t)(first >= 0 && first < l1->size ? l1->size : first);
        return question == TSR_ANY_OUTSIDE;
    }
    uint32_t from = (uint32_t)first;
    size_t size = (size_t)(end - first);
    *address = from;
    switch (question) {
    case TSR_ANY_UNWRITTEN:
        if (tsr_l1_all_written(l1, from, size))
            return false;
        *address = from + (uint32_t)tsr_l1_first_unwritten(l1, from, size);
        return true;
    case TSR_ANY_TAINTED:
        return tsr_l1_any_tainted(l1, from, size);
    default:
        return false;
    }
}

// Rows of which none wraps lie in one span, with what lies between them: if that is not so for any
// byte of it, it is for none of theirs.
static bool is_nowhere_near(const struct tsr_l1 *l1, const struct tsr_unpack_job *job,
                            enum tsr_unpack_question question)
{
    const struct tsr_unpack_shape *s = &job->shape;
    uint32_t address, rows = (job->count + s->row_width - 1) / s->row_width;
    if (s->compressed || rows == 0)
        return false;
    int64_t row_bits = (int64_t)s->datum_bits * s->row_width;
    int64_t end = job->bits + (int64_t)(rows - 1) * s->row_stride * 8 + row_bits;
    int64_t exponents_end = job->exponents + job->count;
    if (job->fifo != 0 && (end > (int64_t)job->limit * 128 ||
                           (s->l1_exponents && exponents_end > (int64_t)job->limit * 256)))
        return false;
    return !tsr_unpack_span_is(l1, byte_of(job->bits, 3), byte_of(end + 7, 3), question,
                               &address) &&
           (!s->l1_exponents ||
            !tsr_unpack_span_is(l1, byte_of(job->exponents, 4), byte_of(exponents_end + 15, 4),
                                question, &address));
}

// All datums of an uncompressed job are one run, with their exponents.
static bool plain_is(const struct tsr_l1 *l1, const struct tsr_unpack_job *job,
                     enum tsr_unpack_question question, uint32_t *address)
{
    int64_t end = job->bits + (int64_t)job->count * job->shape.datum_bits;
    if (job->count == 0)
        return false;
    return tsr_unpack_span_is(l1, byte_of(job->bits, 3), byte_of(end + 7, 3), question, address) ||
           (job->shape.l1_exponents &&
            tsr_unpack_span_is(l1, byte_of(job->exponents, 4),
                               byte_of(job->exponents + job->count + 15, 4), question, address));
}

bool tsr_unpack_source_is(const struct tsr_l1 *l1, const struct tsr_unpack_job *job,
                          enum tsr_unpack_question question, uint32_t *address)
{
    if (question == TSR_ANY_TAINTED && !l1->any_tainted)
        return false;
    if (job->plain)
        return plain_is(l1, job, question, address);
    struct tsr_unpack_cursor at = tsr_unpack_begin(job);
    if (is_nowhere_near(l1, job, question))
        return false;
    while (at.left > 0) {
        uint32_t run = tsr_unpack_run(job, &at);
        int64_t end = at.bits + (int64_t)run * job->shape.datum_bits;
        if (tsr_unpack_span_is(l1, byte_of(at.bits, 3), byte_of(end + 7, 3), question, address))
            return true;
        if (job->shape.l1_exponents &&
            tsr_unpack_span_is(l1, byte_of(at.exponents, 4), byte_of(at.exponents + run + 15, 4),
                               question, address))
            return true;
        end = at.deltas + (int64_t)run * DELTA_BITS;
        if (job->shape.compressed &&
            tsr_unpack_span_is(l1, byte_of(at.deltas, 3), byte_of(end + 7, 3), question, address))
            return true;
        tsr_unpack_advance(job, &at, run);
    }
    return false;
}
