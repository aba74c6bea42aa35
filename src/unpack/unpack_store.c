// SPDX-License-Identifier: Apache-2.0
// UNPACR's main loop. The fast path hands runs of whole rows to a kernel; the general path goes
// datum by datum in the order of the page and covers everything.
// Pages: UNPACR_Regular.md, SrcASrcB.md, Dst.md.
#include "unpack/unpack_plan.h"
#include "unpack/unpack_source.h"

#include <string.h>

enum { KERNEL_DATUMS = TSR_SRC_ROWS * TSR_COLUMNS, DEAD_ROWS = 4 };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Where an output row lands in its target; -1: in the dead zone before SrcA.
static int place(const struct tsr_unpack_job *job, unsigned src_row, uint32_t row)
{
    if (job->unpacker == 1)
        return (int)((row + src_row) & (TSR_SRC_ROWS - 1)); // decision 3
    bool from_address = job->shape.row_from_address;
    if (job->shape.to_dst) {
        row = (row - DEAD_ROWS) & (TSR_DST_ROWS - 1);
        return (int)(from_address ? row & 0x3cf : row); // decision 4
    }
    if (row < DEAD_ROWS)
        return -1;
    row -= DEAD_ROWS;
    if (!from_address)
        row = (row & 15) + src_row;
    return (int)(row & (TSR_SRC_ROWS - 1));
}

// The bits of the columns from `column` on, `count` of them at most.
static uint16_t columns(unsigned column, uint32_t count)
{
    uint32_t mask = count >= 16 ? 0xffffu : (1u << count) - 1u;
    return (uint16_t)(mask << column);
}

// ---------------------------------------------------------------- stories of rows

static void src_wrote(struct tsr_src_bank *bank, unsigned row, uint16_t mask, uint16_t tainted)
{
    bank->written[row] |= mask;
    bank->tainted[row] = (uint16_t)((bank->tainted[row] & ~mask) | (tainted & mask));
}

// ---------------------------------------------------------------- rows through a kernel

// What a kernel needs for one call: the input behind a cursor.
struct feed {
    const struct tsr_l1 *l1;
    const struct tsr_unpack_job *job;
    struct tsr_unpack_cursor at;
    uint32_t out; // output address of the cursor's datum
    uint8_t forced[KERNEL_DATUMS / 16];
};

static void feed_begin(struct feed *f, const struct tsr_l1 *l1, const struct tsr_unpack_job *job)
{
    f->l1 = l1;
    f->job = job;
    f->at = tsr_unpack_begin(job);
    f->out = job->out;
    if (job->shape.blocks && !job->shape.l1_exponents)
        memset(f->forced, job->shape.forced_exponent, sizeof f->forced);
}

static uint32_t feed_size(const struct feed *f)
{
    return least(tsr_unpack_run(f->job, &f->at), KERNEL_DATUMS);
}

static const uint8_t *feed_bytes(const struct feed *f)
{
    return f->l1->bytes + f->at.bits / 8;
}

static const uint8_t *feed_exponents(const struct feed *f)
{
    if (!f->job->shape.blocks)
        return NULL;
    return f->job->shape.l1_exponents ? f->l1->bytes + f->at.exponents / 16 : f->forced;
}

static void feed_advance(struct feed *f, uint32_t datums)
{
    tsr_unpack_advance(f->job, &f->at, datums);
    f->out += datums;
}

static void src_rows(struct tsr_src_bank *bank, unsigned src_row, struct feed *f,
                     tsr_unpack_src_fn *kernel)
{
    uint16_t tainted = f->job->tainted ? 0xffff : 0;
    while (f->at.left > 0) {
        unsigned row = (unsigned)place(f->job, src_row, f->out / 16);
        uint32_t datums = least(feed_size(f), (TSR_SRC_ROWS - row) * TSR_COLUMNS);
        kernel(bank->datum[row], feed_bytes(f), feed_exponents(f), datums, &f->job->shape.mode);
        for (uint32_t left = datums; left > 0; row++) {
            src_wrote(bank, row, columns(0, left), tainted);
            left -= least(left, 16);
        }
        feed_advance(f, datums);
    }
}

// One converted row becomes a column of its block of sixteen rows.
static void put_column(struct tsr_src_bank *bank, unsigned row, const uint32_t *cells,
                       uint32_t count, bool tainted)
{
    unsigned column = row & 15;
    uint16_t mask = columns(column, 1);
    for (unsigned i = 0; i < count; i++) {
        unsigned turned = (row & ~15u) | i;
        bank->datum[turned][column] = cells[i];
        src_wrote(bank, turned, mask, tainted ? mask : 0);
    }
}

static void src_columns(struct tsr_src_bank *bank, unsigned src_row, struct feed *f,
                        tsr_unpack_src_fn *kernel)
{
    uint32_t cells[16 * TSR_COLUMNS];
    while (f->at.left > 0) {
        unsigned row = (unsigned)place(f->job, src_row, f->out / 16);
        uint32_t datums = least(feed_size(f), (16 - (row & 15)) * TSR_COLUMNS);
        kernel(cells, feed_bytes(f), feed_exponents(f), datums, &f->job->shape.mode);
        for (uint32_t done = 0; done < datums; done += 16, row++)
            put_column(bank, row, cells + done, least(datums - done, 16), f->job->tainted);
        feed_advance(f, datums);
    }
}

static void dst_rows(struct tsr_env *env, struct feed *f, tsr_unpack_dst_fn *kernel)
{
    struct tsr_dst *dst = &env->state->dst;
    unsigned order = f->job->order;
    uint16_t tainted = f->job->tainted ? 0xffff : 0;
    bool wide = f->job->shape.wide;
    while (f->at.left > 0) {
        unsigned row = (unsigned)place(f->job, 0, f->out / 16);
        uint32_t datums = least(feed_size(f), tsr_dst_run(order, row, wide) * TSR_COLUMNS);
        struct tsr_dst_view view = tsr_dst_at(dst, order, row, wide);
        kernel(view.high, view.low, feed_bytes(f), feed_exponents(f), datums, &f->job->shape.mode);
        for (uint32_t left = datums; left > 0; view.physical++) {
            tsr_dst_wrote(dst, &view, columns(0, left), tainted);
            tsr_dst_note_write(env, &view);
            left -= least(left, 16);
        }
        feed_advance(f, datums);
    }
}

// ---------------------------------------------------------------- datum by datum

// Whether a five-bit exponent comes out of a block's exponent and the datum's leading zeroes.
static bool overflows(const struct tsr_unpack_shape *s, const struct tsr_unpack_input *in)
{
    const struct tsr_format_row *format = tsr_format_at(s->mode.in_format);
    if (!s->blocks || format->exponent_bits != 5)
        return false;
    unsigned zeroes = 0;
    uint32_t magnitude = in->datum << (8 - format->l1_bits) & 0x7f;
    if (magnitude == 0)
        return false;
    while (!(magnitude << zeroes & 0x40))
        zeroes++;
    return ((in->exponent - zeroes) & 0xe0) != 0;
}

bool tsr_unpack_exponents_overflow(const struct tsr_l1 *l1, const struct tsr_unpack_job *job)
{
    const struct tsr_format_row *format = tsr_format_at(job->shape.mode.in_format);
    if (!job->shape.blocks || format->exponent_bits != 5 || job->zero)
        return false;
    for (struct tsr_unpack_cursor at = tsr_unpack_begin(job); at.left > 0;
         tsr_unpack_advance(job, &at, 1)) {
        struct tsr_unpack_input in = tsr_unpack_read(l1, job, &at);
        if (overflows(&job->shape, &in))
            return true;
    }
    return false;
}

struct output {
    uint32_t bits;
    bool tainted;
};

static struct output convert(const struct tsr_unpack_job *job, const struct tsr_unpack_input *in)
{
    struct output out = {0, job->tainted};
    if (job->zero)
        return out;
    out.tainted |=
        in->tainted || (in->unwritten && job->taints_unwritten) || overflows(&job->shape, in);
    // The plan made sure that the pair exists.
    (void)tsr_unpack_datum(&job->shape.mode, in->datum, in->exponent, &out.bits);
    return out;
}

static void put_src(struct tsr_src_bank *bank, bool transpose, unsigned row, unsigned column,
                    struct output value)
{
    if (transpose) {
        unsigned low = row & 15;
        row = (row & ~15u) | column;
        column = low;
    }
    uint16_t mask = columns(column, 1);
    bank->datum[row][column] = value.bits;
    src_wrote(bank, row, mask, value.tainted ? mask : 0);
}

static void put_dst(struct tsr_env *env, const struct tsr_unpack_job *job, unsigned row,
                    unsigned column, struct output value)
{
    struct tsr_dst *dst = &env->state->dst;
    bool wide = job->shape.wide;
    struct tsr_dst_view view = tsr_dst_at(dst, job->order, row, wide);
    uint16_t mask = columns(column, 1);
    view.high[column] = (uint16_t)(wide ? value.bits >> 16 : value.bits);
    if (wide)
        view.low[column] = (uint16_t)value.bits;
    tsr_dst_wrote(dst, &view, mask, value.tainted ? mask : 0);
    tsr_dst_note_write(env, &view);
}

static void store_datums(struct tsr_env *env, const struct tsr_unpack_job *job,
                         struct tsr_src_bank *bank, unsigned src_row)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    struct tsr_unpack_cursor at = tsr_unpack_begin(job);
    for (uint32_t out = job->out; at.left > 0; out++) {
        struct tsr_unpack_input in = tsr_unpack_read(l1, job, &at);
        tsr_unpack_advance(job, &at, 1);
        struct output value = convert(job, &in);
        int row = place(job, src_row, out / 16);
        if (row < 0)
            continue;
        if (job->shape.to_dst)
            put_dst(env, job, (unsigned)row, out & 15, value);
        else
            put_src(bank, job->shape.transpose, (unsigned)row, out & 15, value);
    }
}

// ---------------------------------------------------------------- choice

static bool store_rows(struct tsr_env *env, const struct tsr_unpack_job *job,
                       struct tsr_src_bank *bank, unsigned src_row)
{
    struct tsr_l1 *l1 = &env->state->l1;
    struct feed f;
    uint32_t address;
    if (!job->fast || job->taints_unwritten ||
        tsr_unpack_source_is(l1, job, TSR_ANY_TAINTED, &address))
        return false;
    if (job->shape.to_dst) {
        tsr_unpack_dst_fn *kernel = tsr_unpack_dst_kernel(env, job);
        if (!kernel)
            return false;
        feed_begin(&f, l1, job);
        dst_rows(env, &f, kernel);
        return true;
    }
    tsr_unpack_src_fn *kernel = tsr_unpack_src_kernel(env, job);
    if (!kernel)
        return false;
    feed_begin(&f, l1, job);
    if (job->shape.transpose)
        src_columns(bank, src_row, &f, kernel);
    else
        src_rows(bank, src_row, &f, kernel);
    return true;
}

void tsr_unpack_store(struct tsr_env *env, const struct tsr_unpack_job *job)
{
    struct tsr_state *state = env->state;
    struct tsr_src_bank *bank = tsr_src_for_unpacker(&state->src[job->unpacker]);
    unsigned src_row = state->unpacker[job->unpacker].src_row[job->thread];
    if (!store_rows(env, job, bank, src_row))
        store_datums(env, job, bank, src_row);
    if (job->count == 0)
        return;
    if (job->shape.to_dst) // the page: what SrcA's bank holds afterwards is unpredictable
        memset(bank->written, 0, sizeof bank->written);
    else
        bank->filled = true;
}
