// SPDX-License-Identifier: Apache-2.0
// The fast path of UNPACR's main loop: runs of whole rows through a kernel; transposed ones are
// transposed after it, in blocks of sixteen rows (kernels/transpose.h). The general path is
// unpack_datums.c.
// Pages: UNPACR_Regular.md, SrcASrcB.md, Dst.md.
#include "unpack/unpack_rows.h"

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
struct kernel_input {
    const struct tsr_l1 *l1;
    const struct tsr_unpack_job *job;
    struct tsr_unpack_cursor at;
    uint32_t out_address; // of the cursor's datum
    const uint8_t *bytes, *exponents;
    uint8_t gathered_exponents[KERNEL_DATUMS / TSR_COLUMNS]; // or forced ones
    uint8_t gathered_bytes[KERNEL_DATUMS * sizeof(uint32_t)];
};

static void begin_input(struct kernel_input *in, const struct tsr_l1 *l1,
                        const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_config *c = &job->config;
    in->l1 = l1;
    in->job = job;
    in->at = tsr_unpack_begin(job);
    in->out_address = job->out_address;
    in->exponents = c->blocks ? in->gathered_exponents : NULL;
    if (c->blocks && !c->l1_exponents)
        memset(in->gathered_exponents, c->forced_exponent, sizeof in->gathered_exponents);
}

// Takes the next datums, `most` unless the input ends before. `most` counts whole rows. Runs but
// the last are whole rows, so that the bytes and exponents of one end where the next one's begin.
static uint32_t take(struct kernel_input *in, uint32_t most)
{
    const struct tsr_unpack_config *c = &in->job->config;
    uint32_t datums = least(least(most, KERNEL_DATUMS), in->at.left);
    in->out_address += datums;
    if (tsr_unpack_run(in->job, &in->at) >= datums) {
        in->bytes = in->l1->bytes + in->at.datum_bit / 8;
        if (c->l1_exponents)
            in->exponents = in->l1->bytes + in->at.exponent_16th / 16;
        tsr_unpack_advance(in->job, &in->at, datums);
        return datums;
    }
    in->bytes = in->gathered_bytes;
    if (c->l1_exponents)
        in->exponents = in->gathered_exponents;
    for (uint32_t done = 0; done < datums;) {
        uint32_t run = least(tsr_unpack_run(in->job, &in->at), datums - done);
        memcpy(in->gathered_bytes + done * c->datum_bits / 8, in->l1->bytes + in->at.datum_bit / 8,
               (run * c->datum_bits + 7) / 8);
        if (c->l1_exponents)
            memcpy(in->gathered_exponents + done / TSR_COLUMNS,
                   in->l1->bytes + in->at.exponent_16th / 16,
                   (run + TSR_COLUMNS - 1) / TSR_COLUMNS);
        tsr_unpack_advance(in->job, &in->at, run);
        done += run;
    }
    return datums;
}

// ---------------------------------------------------------------- to SrcA and SrcB

// All datums in one call, if they are contiguous in L1 and in the bank. False: they are not.
static bool move_at_once(struct tsr_src_bank *bank, unsigned src_row, const struct tsr_l1 *l1,
                         const struct tsr_unpack_job *job, tsr_unpack_src_fn *kernel)
{
    const struct tsr_unpack_config *c = &job->config;
    unsigned row = (unsigned)tsr_unpack_target_row(job, src_row, job->out_address / 16);
    if (!job->contiguous || c->blocks != c->l1_exponents || job->input_datums == 0 ||
        job->input_datums > (TSR_SRC_ROWS - row) * TSR_COLUMNS)
        return false;
    const uint8_t *exponents = c->l1_exponents ? l1->bytes + job->first_exponent_16th / 16 : NULL;
    kernel(bank->datum[row], l1->bytes + job->first_datum_bit / 8, exponents, job->input_datums,
           &c->mode);
    tsr_unpack_src_wrote_rows(bank, row, job->input_datums, job->tainted);
    return true;
}

// As many rows at once as there are before the bank's end, where rows wrap.
static void move_to_src(struct tsr_src_bank *bank, unsigned src_row, const struct tsr_l1 *l1,
                        const struct tsr_unpack_job *job, tsr_unpack_src_fn *kernel)
{
    struct kernel_input in;
    begin_input(&in, l1, job);
    while (in.at.left > 0) {
        unsigned row = (unsigned)tsr_unpack_target_row(job, src_row, in.out_address / 16);
        uint32_t datums = take(&in, (TSR_SRC_ROWS - row) * TSR_COLUMNS);
        kernel(bank->datum[row], in.bytes, in.exponents, datums, &job->config.mode);
        tsr_unpack_src_wrote_rows(bank, row, datums, job->tainted);
    }
}

// One converted row becomes a column of its block of sixteen rows.
static void transpose_row(struct tsr_src_bank *bank, unsigned row, const uint32_t *cells,
                          uint32_t count, bool tainted)
{
    unsigned column = row & 15;
    uint16_t mask = tsr_unpack_columns(column, 1);
    for (unsigned i = 0; i < count; i++) {
        unsigned to_row = (row & ~15u) | i;
        bank->datum[to_row][column] = cells[i];
        tsr_unpack_src_wrote(bank, to_row, mask, tainted ? mask : 0);
    }
}

// A block of sixteen rows at once, or what there is of it row by row.
static void transpose_to_src(struct tsr_src_bank *bank, unsigned src_row, const struct tsr_l1 *l1,
                             const struct tsr_unpack_job *job, tsr_unpack_src_fn *kernel)
{
    uint32_t cells[TSR_COLUMNS][TSR_COLUMNS];
    struct kernel_input in;
    begin_input(&in, l1, job);
    while (in.at.left > 0) {
        unsigned row = (unsigned)tsr_unpack_target_row(job, src_row, in.out_address / 16);
        uint32_t datums = take(&in, (16 - (row & 15)) * TSR_COLUMNS);
        kernel(cells[0], in.bytes, in.exponents, datums, &job->config.mode);
        if (datums == TSR_COLUMNS * TSR_COLUMNS) {
            tsr_kernel_transpose(&bank->datum[row], cells);
            tsr_unpack_src_wrote_rows(bank, row, datums, job->tainted);
            continue;
        }
        for (uint32_t done = 0; done < datums; done += TSR_COLUMNS, row++)
            transpose_row(bank, row, cells[done / TSR_COLUMNS], least(datums - done, TSR_COLUMNS),
                          job->tainted);
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

// As many rows at once as follow each other in Dst.
static void move_to_dst(struct tsr_env *env, const struct tsr_unpack_job *job,
                        tsr_unpack_dst_fn *kernel)
{
    unsigned order = job->dst_order;
    bool wide = job->config.wide;
    struct kernel_input in;
    begin_input(&in, &env->state->l1, job);
    while (in.at.left > 0) {
        unsigned row = (unsigned)tsr_unpack_target_row(job, 0, in.out_address / 16);
        uint32_t datums = take(&in, tsr_dst_run(order, row, wide) * TSR_COLUMNS);
        struct tsr_dst_view view = tsr_dst_at(&env->state->dst, order, row, wide);
        kernel(view.high, view.low, in.bytes, in.exponents, datums, &job->config.mode);
        dst_wrote(env, view, datums, job->tainted);
    }
}

// ---------------------------------------------------------------- choice

bool tsr_unpack_move_rows(struct tsr_env *env, const struct tsr_unpack_job *job,
                          struct tsr_src_bank *bank, unsigned src_row)
{
    const struct tsr_l1 *l1 = &env->state->l1;
    if (job->config.to_dst) {
        tsr_unpack_dst_fn *kernel = tsr_unpack_dst_kernel(env, job);
        if (kernel)
            move_to_dst(env, job, kernel);
        return kernel != NULL;
    }
    tsr_unpack_src_fn *kernel = tsr_unpack_src_kernel(env, job);
    if (!kernel)
        return false;
    if (job->config.transpose)
        transpose_to_src(bank, src_row, l1, job, kernel);
    else if (!move_at_once(bank, src_row, l1, job, kernel))
        move_to_src(bank, src_row, l1, job, kernel);
    return true;
}
