// SPDX-License-Identifier: Apache-2.0
// UNPACR's main loop, the fast path: runs of whole rows through a kernel. What it does not cover
// goes to the general path (unpack_datums.c), which covers everything. Pages: UNPACR_Regular.md,
// SrcASrcB.md, Dst.md.
#include "kernels/transpose.h"
#include "state/dst_rules.h"
#include "unpack/unpack_plan.h"
#include "unpack/unpack_source.h"
#include "unpack/unpack_target.h"

#include <string.h>

enum { KERNEL_DATUMS = TSR_SRC_ROWS * TSR_COLUMNS };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// ---------------------------------------------------------------- input of a kernel

// What a kernel needs for one call: datums, from a cursor on. Rows that lie apart are gathered, so
// that a kernel gets many at once.
struct feed {
    const struct tsr_l1 *l1;
    const struct tsr_unpack_job *job;
    struct tsr_unpack_cursor at;
    uint32_t out; // output address of the cursor's datum
    const uint8_t *bytes, *exponents;
    uint8_t own_exponents[KERNEL_DATUMS / TSR_COLUMNS]; // forced or gathered ones
    uint8_t own_bytes[KERNEL_DATUMS * sizeof(uint32_t)];
};

static void feed_begin(struct feed *f, const struct tsr_l1 *l1, const struct tsr_unpack_job *job)
{
    f->l1 = l1;
    f->job = job;
    f->at = tsr_unpack_begin(job);
    f->out = job->out;
    f->exponents = job->shape.blocks ? f->own_exponents : NULL;
    if (job->shape.blocks && !job->shape.l1_exponents)
        memset(f->own_exponents, job->shape.forced_exponent, sizeof f->own_exponents);
}

// Runs but the last are whole rows, so that the bytes and exponents of one end where the next
// one's begin.
static void feed_gather(struct feed *f, uint32_t datums)
{
    const struct tsr_unpack_shape *s = &f->job->shape;
    f->bytes = f->own_bytes;
    if (s->l1_exponents)
        f->exponents = f->own_exponents;
    for (uint32_t done = 0; done < datums;) {
        uint32_t run = least(tsr_unpack_run(f->job, &f->at), datums - done);
        memcpy(f->own_bytes + done * s->datum_bits / 8, f->l1->bytes + f->at.bits / 8,
               (run * s->datum_bits + 7) / 8);
        if (s->l1_exponents)
            memcpy(f->own_exponents + done / TSR_COLUMNS, f->l1->bytes + f->at.exponents / 16,
                   (run + TSR_COLUMNS - 1) / TSR_COLUMNS);
        tsr_unpack_advance(f->job, &f->at, run);
        done += run;
    }
}

// Takes the next datums, `most` unless the input ends before. `most` counts whole rows.
static uint32_t feed_take(struct feed *f, uint32_t most)
{
    uint32_t datums = least(least(most, KERNEL_DATUMS), f->at.left);
    if (tsr_unpack_run(f->job, &f->at) < datums) {
        feed_gather(f, datums);
    } else {
        f->bytes = f->l1->bytes + f->at.bits / 8;
        if (f->job->shape.l1_exponents)
            f->exponents = f->l1->bytes + f->at.exponents / 16;
        tsr_unpack_advance(f->job, &f->at, datums);
    }
    f->out += datums;
    return datums;
}

// ---------------------------------------------------------------- to SrcA and SrcB

static inline void src_wrote_rows(struct tsr_src_bank *bank, unsigned row, unsigned rows,
                                  bool tainted)
{
    memset(&bank->written[row], 0xff, rows * sizeof bank->written[0]);
    memset(&bank->tainted[row], tainted ? 0xff : 0, rows * sizeof bank->tainted[0]);
}

// A face's rows are the rule; of a number that the compiler knows it makes a few stores.
static inline void src_wrote(struct tsr_src_bank *bank, unsigned row, uint32_t datums, bool tainted)
{
    unsigned whole = datums / TSR_COLUMNS, rest = datums % TSR_COLUMNS;
    if (datums == TSR_COLUMNS * TSR_COLUMNS) {
        src_wrote_rows(bank, row, TSR_COLUMNS, tainted);
        return;
    }
    src_wrote_rows(bank, row, whole, tainted);
    if (rest > 0)
        tsr_unpack_src_wrote(bank, row + whole, tsr_unpack_columns(0, rest), tainted ? 0xffff : 0);
}

static void src_rows(struct tsr_src_bank *bank, unsigned src_row, struct feed *f,
                     tsr_unpack_src_fn *kernel)
{
    while (f->at.left > 0) {
        unsigned row = (unsigned)tsr_unpack_place(f->job, src_row, f->out / 16);
        uint32_t datums = feed_take(f, (TSR_SRC_ROWS - row) * TSR_COLUMNS);
        kernel(bank->datum[row], f->bytes, f->exponents, datums, &f->job->shape.mode);
        src_wrote(bank, row, datums, f->job->tainted);
    }
}

// Rows that lie one behind the other in L1 and in the bank need no feed. False: they do not.
static bool src_at_once(struct tsr_src_bank *bank, unsigned src_row, const struct tsr_l1 *l1,
                        const struct tsr_unpack_job *job, tsr_unpack_src_fn *kernel)
{
    const struct tsr_unpack_shape *s = &job->shape;
    unsigned row = (unsigned)tsr_unpack_place(job, src_row, job->out / 16);
    if (!job->plain || s->blocks != s->l1_exponents || s->transpose || job->count == 0 ||
        job->count > (TSR_SRC_ROWS - row) * TSR_COLUMNS)
        return false;
    const uint8_t *exponents = s->l1_exponents ? l1->bytes + job->exponents / 16 : NULL;
    kernel(bank->datum[row], l1->bytes + job->bits / 8, exponents, job->count, &s->mode);
    src_wrote(bank, row, job->count, job->tainted);
    return true;
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
    uint32_t cells[TSR_COLUMNS][TSR_COLUMNS];
    while (f->at.left > 0) {
        unsigned row = (unsigned)tsr_unpack_place(f->job, src_row, f->out / 16);
        uint32_t datums = feed_take(f, (16 - (row & 15)) * TSR_COLUMNS);
        kernel(cells[0], f->bytes, f->exponents, datums, &f->job->shape.mode);
        if (datums == TSR_COLUMNS * TSR_COLUMNS) {
            tsr_kernel_transpose(&bank->datum[row], cells);
            src_wrote(bank, row, datums, f->job->tainted);
            continue;
        }
        for (uint32_t done = 0; done < datums; done += TSR_COLUMNS, row++)
            put_column(bank, row, cells[done / TSR_COLUMNS], least(datums - done, TSR_COLUMNS),
                       f->job->tainted);
    }
}

// ---------------------------------------------------------------- to Dst

static void dst_wrote(struct tsr_env *env, struct tsr_dst_view view, uint32_t datums, bool tainted)
{
    uint16_t taint[TSR_SRC_ROWS];
    unsigned whole = datums / TSR_COLUMNS, rest = datums % TSR_COLUMNS;
    memset(taint, tainted ? 0xff : 0, whole * sizeof *taint);
    tsr_dst_wrote_rows(&env->state->dst, &view, whole, taint);
    for (unsigned i = 0; i < whole; i++, view.physical++)
        tsr_dst_note_write(env, &view);
    if (rest == 0)
        return;
    tsr_dst_wrote(&env->state->dst, &view, tsr_unpack_columns(0, rest), tainted ? 0xffff : 0);
    tsr_dst_note_write(env, &view);
}

static void dst_rows(struct tsr_env *env, struct feed *f, tsr_unpack_dst_fn *kernel)
{
    unsigned order = f->job->order;
    bool wide = f->job->shape.wide;
    while (f->at.left > 0) {
        unsigned row = (unsigned)tsr_unpack_place(f->job, 0, f->out / 16);
        uint32_t datums = feed_take(f, tsr_dst_run(order, row, wide) * TSR_COLUMNS);
        struct tsr_dst_view view = tsr_dst_at(&env->state->dst, order, row, wide);
        kernel(view.high, view.low, f->bytes, f->exponents, datums, &f->job->shape.mode);
        dst_wrote(env, view, datums, f->job->tainted);
    }
}

// ---------------------------------------------------------------- choice

static bool store_dst_rows(struct tsr_env *env, const struct tsr_unpack_job *job)
{
    tsr_unpack_dst_fn *kernel = tsr_unpack_dst_kernel(env, job);
    struct feed f;
    if (!kernel)
        return false;
    feed_begin(&f, &env->state->l1, job);
    dst_rows(env, &f, kernel);
    return true;
}

static void feed_src(struct tsr_src_bank *bank, unsigned src_row, const struct tsr_l1 *l1,
                     const struct tsr_unpack_job *job, tsr_unpack_src_fn *kernel)
{
    struct feed f;
    feed_begin(&f, l1, job);
    if (job->shape.transpose)
        src_columns(bank, src_row, &f, kernel);
    else
        src_rows(bank, src_row, &f, kernel);
}

static bool store_rows(struct tsr_env *env, const struct tsr_unpack_job *job,
                       struct tsr_src_bank *bank, unsigned src_row)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    uint32_t address;
    if (!job->fast || job->taints_unwritten ||
        (l1->any_tainted && tsr_unpack_source_is(l1, job, TSR_ANY_TAINTED, &address)))
        return false;
    if (job->shape.to_dst)
        return store_dst_rows(env, job);
    tsr_unpack_src_fn *kernel = tsr_unpack_src_kernel(env, job);
    if (!kernel)
        return false;
    if (!src_at_once(bank, src_row, l1, job, kernel))
        feed_src(bank, src_row, l1, job, kernel);
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
