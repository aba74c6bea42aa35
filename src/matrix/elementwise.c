// SPDX-License-Identifier: Apache-2.0
// ELWADD, ELWSUB and ELWMUL: an aligned block of 8 rows of SrcA and SrcB onto one of Dst.
// Pages: ELWADD.md, ELWSUB.md, ELWMUL.md; exact arithmetic in docs/arithmetic.md.
#include "matrix/matrix_plan.h"

#include <string.h>

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
    job->give = call->args->give;
}

static bool choose(const struct tsr_matrix_call *call, tsr_element_mode *mode)
{
    if (!tsr_matrix_arithmetic_mode(call, mode))
        return false;
    if (call->inst->op == OP_ELWADD)
        mode->op = TSR_ELEMENT_ADD;
    else if (call->inst->op == OP_ELWSUB)
        mode->op = TSR_ELEMENT_SUB;
    return true;
}

// The usual case: all of it written and nothing tainted.
static bool plain_shadow(const struct tsr_matrix_call *call, bool wide)
{
    const struct tsr_matrix_job *job = call->job;
    const struct tsr_src_bank *a = tsr_matrix_bank(call, TSR_SRCA);
    const struct tsr_src_bank *b = tsr_matrix_bank(call, TSR_SRCB);
    if (job->tainted || job->no_sources ||
        !tsr_matrix_plain(a->written, a->tainted, job->row[TSR_SRCA], BLOCK_ROWS) ||
        !tsr_matrix_plain(b->written, b->tainted, job->row[TSR_SRCB],
                          job->broadcast_row ? 1 : BLOCK_ROWS))
        return false;
    return !job->accumulate || tsr_matrix_plain_dst(call, wide);
}

static bool read_shadow(const struct tsr_matrix_call *call, bool wide, uint16_t tainted[BLOCK_ROWS])
{
    const struct tsr_matrix_job *job = call->job;
    memset(tainted, 0, BLOCK_ROWS * sizeof tainted[0]);
    if (plain_shadow(call, wide))
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

static const uint32_t *gather_b(const struct tsr_matrix_call *call,
                                uint32_t cells[BLOCK_ROWS][TSR_COLUMNS])
{
    const struct tsr_matrix_job *job = call->job;
    const struct tsr_src_bank *bank = tsr_matrix_bank(call, TSR_SRCB);
    const uint32_t(*from)[TSR_COLUMNS] = &bank->datum[job->row[TSR_SRCB]];
    if (!job->broadcast_row && !job->broadcast_column)
        return from[0];
    for (unsigned i = 0; i < BLOCK_ROWS; i++) {
        const uint32_t *row = from[job->broadcast_row ? 0 : i];
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            cells[i][column] = row[job->broadcast_column ? 0 : column];
    }
    return cells[0];
}

// Rows of the same validity, if that matters, that lie one behind the other go to the kernel
// together: nearly always all eight.
static void compute(const struct tsr_matrix_call *call, const tsr_element_mode *mode)
{
    const struct tsr_dst *dst = &call->env->state->dst;
    const struct tsr_matrix_job *job = call->job;
    uint32_t broadcast[BLOCK_ROWS][TSR_COLUMNS];
    static const uint32_t zeroes[BLOCK_CELLS];
    const uint32_t *a = tsr_matrix_bank(call, TSR_SRCA)->datum[job->row[TSR_SRCA]];
    const uint32_t *b = gather_b(call, broadcast);
    if (job->no_sources)
        a = b = zeroes;
    tsr_element_fn *kernel = tsr_matrix_element_kernel(call, mode);
    for (unsigned i = 0, rows; i < BLOCK_ROWS; i += rows) {
        struct tsr_dst_view view = tsr_matrix_dst(call, i, mode->fpu.acc32);
        unsigned together = tsr_matrix_run(call, i, BLOCK_ROWS, mode->fpu.acc32);
        rows = mode->accumulate ? tsr_matrix_alike(dst, view.physical, together) : together;
        size_t first = (size_t)i * TSR_COLUMNS;
        kernel(view.high, view.low, a + first, b + first, (size_t)rows * TSR_COLUMNS,
               tsr_dst_valid(dst, &view), mode);
    }
}

static void write_shadow(const struct tsr_matrix_call *call, bool wide,
                         const uint16_t tainted[BLOCK_ROWS])
{
    for (unsigned i = 0, rows; i < BLOCK_ROWS; i += rows) {
        struct tsr_dst_view view = tsr_matrix_dst(call, i, wide);
        rows = tsr_matrix_run(call, i, BLOCK_ROWS, wide);
        tsr_matrix_wrote_dst(call, &view, rows, tainted + i);
    }
}

bool tsr_matrix_run_elementwise(const struct tsr_matrix_call *call)
{
    tsr_element_mode mode;
    uint16_t tainted[BLOCK_ROWS];
    if (!choose(call, &mode) || !read_shadow(call, mode.fpu.acc32, tainted))
        return false;
    compute(call, &mode);
    write_shadow(call, mode.fpu.acc32, tainted);
    tsr_matrix_flip(call);
    return true;
}
