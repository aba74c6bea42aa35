// SPDX-License-Identifier: Apache-2.0
// UNPACR's main loop, the fast path: runs of whole rows through a kernel. What it does not cover
// goes to the general path (unpack_datums.c), which covers everything. Pages: UNPACR_Regular.md,
// SrcASrcB.md, Dst.md.
#include "unpack/unpack_plan.h"
#include "unpack/unpack_source.h"
#include "unpack/unpack_target.h"

#include <string.h>

enum { KERNEL_DATUMS = TSR_SRC_ROWS * TSR_COLUMNS };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
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
        unsigned row = (unsigned)tsr_unpack_place(f->job, src_row, f->out / 16);
        uint32_t datums = least(feed_size(f), (TSR_SRC_ROWS - row) * TSR_COLUMNS);
        kernel(bank->datum[row], feed_bytes(f), feed_exponents(f), datums, &f->job->shape.mode);
        for (uint32_t left = datums; left > 0; row++) {
            tsr_unpack_src_wrote(bank, row, tsr_unpack_columns(0, left), tainted);
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
    uint16_t mask = tsr_unpack_columns(column, 1);
    for (unsigned i = 0; i < count; i++) {
        unsigned turned = (row & ~15u) | i;
        bank->datum[turned][column] = cells[i];
        tsr_unpack_src_wrote(bank, turned, mask, tainted ? mask : 0);
    }
}

static void src_columns(struct tsr_src_bank *bank, unsigned src_row, struct feed *f,
                        tsr_unpack_src_fn *kernel)
{
    uint32_t cells[16 * TSR_COLUMNS];
    while (f->at.left > 0) {
        unsigned row = (unsigned)tsr_unpack_place(f->job, src_row, f->out / 16);
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
        unsigned row = (unsigned)tsr_unpack_place(f->job, 0, f->out / 16);
        uint32_t datums = least(feed_size(f), tsr_dst_run(order, row, wide) * TSR_COLUMNS);
        struct tsr_dst_view view = tsr_dst_at(dst, order, row, wide);
        kernel(view.high, view.low, feed_bytes(f), feed_exponents(f), datums, &f->job->shape.mode);
        for (uint32_t left = datums; left > 0; view.physical++) {
            tsr_dst_wrote(dst, &view, tsr_unpack_columns(0, left), tainted);
            tsr_dst_note_write(env, &view);
            left -= least(left, 16);
        }
        feed_advance(f, datums);
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
        tsr_unpack_store_datums(env, job, bank, src_row);
    if (job->emitted == 0)
        return;
    if (job->shape.to_dst) // the page: what SrcA's bank holds afterwards is unpredictable
        memset(bank->written, 0, sizeof bank->written);
    else
        bank->filled = true;
}
