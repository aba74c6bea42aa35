// SPDX-License-Identifier: Apache-2.0
// ELWADD, ELWSUB and ELWMUL: an aligned block of 8 rows of SrcA and SrcB onto one of Dst.
// Pages: ELWADD.md, ELWSUB.md, ELWMUL.md; exact arithmetic in docs/arithmetic.md.
#include "matrix/elementwise.h"

#include "matrix/banks.h"
#include "matrix/matrix_shadow.h"
#include "matrix/source_format.h"

enum { BLOCK_ROWS = 8, BLOCK_CELLS = BLOCK_ROWS * TSR_COLUMNS };

void tsr_matrix_sample_elementwise(const struct tsr_matrix_call *call)
{
    enum { COLUMN_0 = 1, ONE_ROW = 2 };
    struct tsr_matrix_job *job = call->job;
    uint32_t modifier = call->args->modifier;
    job->broadcast_column = modifier & COLUMN_0;
    job->broadcast_row = (modifier & ONE_ROW) != 0;
    job->rows = BLOCK_ROWS;
    job->row[TSR_SRCA] = job->before.srca & 0x38;
    job->row[TSR_SRCB] = job->before.srcb & (job->broadcast_row ? 0x3f : 0x38);
    job->dst = (uint16_t)((call->args->dst + job->dst_base) & 0x3f8);
    job->phase = (uint8_t)((job->before.fidelity + job->fidelity_base) & 3);
    // ELWMUL adds to Dst whatever its bit says (the page's syntax has had it both ways).
    job->accumulate = call->inst->op == OP_ELWMUL || call->args->accumulate;
    job->clear_dvalid = call->args->clear_dvalid;
}

// Checks the shadow state of what is read, and finds what is tainted of each row to be written.
static bool read_shadow(const struct tsr_matrix_call *call, bool wide, uint16_t tainted[BLOCK_ROWS])
{
    const struct tsr_matrix_job *job = call->job;
    const struct tsr_src_bank *a = tsr_matrix_bank(call, TSR_SRCA);
    const struct tsr_src_bank *b = tsr_matrix_bank(call, TSR_SRCB);
    unsigned rows_b = job->broadcast_row ? 1 : BLOCK_ROWS;
    memset(tainted, 0, BLOCK_ROWS * sizeof tainted[0]);
    if (!job->tainted && !job->no_sources &&
        tsr_matrix_rows_clean(a->written, a->tainted, job->row[TSR_SRCA], BLOCK_ROWS) &&
        tsr_matrix_rows_clean(b->written, b->tainted, job->row[TSR_SRCB], rows_b) &&
        (!job->accumulate || tsr_matrix_dst_clean(call, wide)))
        return true;
    for (unsigned i = 0; i < BLOCK_ROWS; i++) {
        struct tsr_dst_view view = tsr_matrix_dst(call, i, wide);
        unsigned row_b = job->row[TSR_SRCB] + (job->broadcast_row ? 0 : i);
        tainted[i] = job->tainted ? 0xffff : 0;
        if (!job->no_sources &&
            (!tsr_matrix_read_src(call, TSR_SRCA, job->row[TSR_SRCA] + i, false, &tainted[i]) ||
             !tsr_matrix_read_src(call, TSR_SRCB, row_b, job->broadcast_column, &tainted[i])))
            return false;
        if (job->accumulate && !tsr_matrix_read_dst(call, &view, &tainted[i]))
            return false;
    }
    return true;
}

// Contiguous rows of the same validity, if that matters, go to the kernel together: all eight in
// the common case.
static void compute(const struct tsr_matrix_call *call, const tsr_element_mode *mode)
{
    const struct tsr_dst *dst = &call->env->state->dst;
    const struct tsr_matrix_job *job = call->job;
    uint32_t broadcast[BLOCK_ROWS][TSR_COLUMNS];
    static const uint32_t zeroes[BLOCK_CELLS];
    const uint32_t *a = tsr_matrix_bank(call, TSR_SRCA)->datum[job->row[TSR_SRCA]];
    const uint32_t *b = tsr_matrix_src_rows(call, TSR_SRCB, BLOCK_ROWS, broadcast);
    if (job->no_sources)
        a = b = zeroes;
    tsr_element_fn *kernel = tsr_matrix_element_kernel(call, mode);
    for (unsigned i = 0, rows; i < BLOCK_ROWS; i += rows) {
        struct tsr_dst_view view = tsr_matrix_dst(call, i, mode->fpu.acc32);
        rows = tsr_matrix_contiguous(call, i, BLOCK_ROWS, mode->fpu.acc32);
        if (mode->accumulate)
            rows = tsr_matrix_same_validity(dst, view.physical, rows);
        size_t first = (size_t)i * TSR_COLUMNS;
        kernel(view.high, view.low, a + first, b + first, (size_t)rows * TSR_COLUMNS,
               tsr_dst_valid(dst, &view), mode);
    }
}

bool tsr_matrix_run_elementwise(const struct tsr_matrix_call *call)
{
    tsr_element_mode mode;
    uint16_t tainted[BLOCK_ROWS];
    if (!tsr_matrix_arithmetic_mode(call, &mode))
        return false;
    if (call->inst->op == OP_ELWADD)
        mode.op = TSR_ELEMENT_ADD;
    else if (call->inst->op == OP_ELWSUB)
        mode.op = TSR_ELEMENT_SUB;
    bool wide = mode.fpu.acc32;
    unsigned rows_b = call->job->broadcast_row ? 1 : BLOCK_ROWS;
    if (!read_shadow(call, wide, tainted) ||
        (mode.int8 && !call->job->no_sources && !tsr_matrix_check_int8(call, BLOCK_ROWS, rows_b)))
        return false;
    compute(call, &mode);
    for (unsigned i = 0, rows; i < BLOCK_ROWS; i += rows) {
        struct tsr_dst_view view = tsr_matrix_dst(call, i, wide);
        rows = tsr_matrix_contiguous(call, i, BLOCK_ROWS, wide);
        tsr_matrix_wrote_dst(call, &view, rows, tainted + i);
    }
    tsr_matrix_flip_banks(call);
    return true;
}
