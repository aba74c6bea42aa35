// SPDX-License-Identifier: Apache-2.0
// MVMUL, DOTPV and GAPOOL: rows of SrcB times a block of 16 rows of SrcA, added to rows of Dst.
// Pages: MVMUL.md, DOTPV.md, GAPOOL.md; exact arithmetic in docs/arithmetic.md.
#include "matrix/matrix_multiply.h"

#include "matrix/banks.h"
#include "matrix/matrix_shadow.h"
#include "matrix/source_format.h"

enum { INNER = 16, MOST_ROWS = 8, BLOCK_STEP = 8 };

static void sample(const struct tsr_matrix_call *call, uint8_t rows, uint32_t dst_mask)
{
    struct tsr_matrix_job *job = call->job;
    job->rows = rows;
    job->row[TSR_SRCA] = job->before.srca & 0x38;
    job->row[TSR_SRCB] = job->before.srcb & (job->broadcast_row ? 0x3f : 0x38);
    job->dst = (uint16_t)((call->args->dst + job->dst_base) & dst_mask);
    job->phase = (uint8_t)((job->before.fidelity + job->fidelity_base) & 3);
    job->accumulate = true;
    job->clear_dvalid = call->args->clear_dvalid;
}

void tsr_matrix_sample_mvmul(const struct tsr_matrix_call *call)
{
    call->job->broadcast_row = call->args->modifier & 1;
    // Seven rows when broadcasting, and a mask to match, as on the page.
    if (call->job->broadcast_row)
        sample(call, 7, 0x400 - 7);
    else
        sample(call, 8, 0x3f8);
}

void tsr_matrix_sample_dotpv(const struct tsr_matrix_call *call)
{
    sample(call, 8, 0x3f8);
}

void tsr_matrix_sample_gapool(const struct tsr_matrix_call *call)
{
    sample(call, 4, 0x3fc);
    call->job->argmax = tsr_matrix_arg(call, OPERAND_max_pool_index_en);
}

// Checks the shadow state of what is read. Every datum of SrcA's column, and all of SrcB's row, is
// in each result.
static bool read_shadow(const struct tsr_matrix_call *call, bool wide, uint16_t tainted[MOST_ROWS])
{
    const struct tsr_matrix_job *job = call->job;
    const struct tsr_src_bank *a = tsr_matrix_bank(call, TSR_SRCA);
    const struct tsr_src_bank *b = tsr_matrix_bank(call, TSR_SRCB);
    if (!job->tainted && job->row[TSR_SRCA] + INNER <= TSR_SRC_ROWS &&
        tsr_matrix_rows_clean(a->written, a->tainted, job->row[TSR_SRCA], INNER) &&
        tsr_matrix_rows_clean(b->written, b->tainted, job->row[TSR_SRCB],
                              job->broadcast_row ? 1 : job->rows) &&
        tsr_matrix_dst_clean(call, wide))
        return true;
    uint16_t of_a = job->tainted ? 0xffff : 0;
    for (unsigned k = 0; k < INNER; k++) {
        unsigned row = (job->row[TSR_SRCA] + k) % TSR_SRC_ROWS;
        if (!tsr_matrix_read_src(call, TSR_SRCA, row, false, &of_a))
            return false;
    }
    for (unsigned i = 0; i < job->rows; i += job->broadcast_row ? 2 : 1) {
        uint16_t of_b = 0;
        unsigned row = job->row[TSR_SRCB] + (job->broadcast_row ? 0 : i);
        struct tsr_dst_view view = tsr_matrix_dst(call, i, wide);
        tainted[i] = of_a;
        if (!tsr_matrix_read_src(call, TSR_SRCB, row, false, &of_b) ||
            !tsr_matrix_read_dst(call, &view, &tainted[i]))
            return false;
        if (of_b)
            tainted[i] = 0xffff;
    }
    return true;
}

// A block that begins at row 56 wraps around the bank's end.
static const uint32_t (*block_of_a(const struct tsr_matrix_call *call,
                                   uint32_t wrapped[INNER][TSR_COLUMNS]))[TSR_COLUMNS]
{
    const struct tsr_src_bank *bank = tsr_matrix_bank(call, TSR_SRCA);
    unsigned first = call->job->row[TSR_SRCA];
    if (first + INNER <= TSR_SRC_ROWS)
        return &bank->datum[first];
    for (unsigned k = 0; k < INNER; k++)
        memcpy(wrapped[k], bank->datum[(first + k) % TSR_SRC_ROWS], sizeof wrapped[k]);
    return (const uint32_t(*)[TSR_COLUMNS])wrapped;
}

// Prepared blocks are kept from one instruction to the next where the tile has room for them.
static tsr_dot_block *block_for(const struct tsr_matrix_call *call, tsr_dot_block *own)
{
    struct tsr_matrix_blocks *blocks = call->env->matrix_blocks;
    const struct tsr_matrix_job *job = call->job;
    if (!blocks) {
        own->made = false;
        return own;
    }
    return &blocks->block[job->row[TSR_SRCA] / BLOCK_STEP];
}

// The same for rows of SrcB.
static tsr_dot_rows *rows_for(const struct tsr_matrix_call *call)
{
    struct tsr_matrix_blocks *blocks = call->env->matrix_blocks;
    return blocks ? &blocks->rows[call->job->row[TSR_SRCB] / BLOCK_STEP] : NULL;
}

// Contiguous rows of the same validity go to the kernel together: all of them in the common case.
// Of a broadcast's rows there is every second.
static void compute(const struct tsr_matrix_call *call, const tsr_element_mode *mode,
                    const uint16_t *tainted)
{
    const struct tsr_matrix_job *job = call->job;
    const struct tsr_dst *dst = &call->env->state->dst;
    bool wide = mode->fpu.acc32;
    tsr_dot_block own, *block = block_for(call, &own);
    uint32_t wrapped[INNER][TSR_COLUMNS];
    const tsr_dot_kernel *kernel = tsr_matrix_dot_kernel(call, mode);
    kernel->prepare(block, block_of_a(call, wrapped), mode);
    const struct tsr_src_bank *bank_b = tsr_matrix_bank(call, TSR_SRCB);
    const uint32_t(*b)[TSR_COLUMNS] = &bank_b->datum[job->row[TSR_SRCB]];
    for (unsigned i = 0, rows; i < job->rows; i += job->broadcast_row ? 2 : rows) {
        struct tsr_dst_view view = tsr_matrix_dst(call, i, wide);
        rows = job->broadcast_row ? 1 : tsr_matrix_contiguous(call, i, job->rows, wide);
        rows = tsr_matrix_same_validity(dst, view.physical, rows);
        kernel->run(view.high, view.low, block, rows_for(call), job->broadcast_row ? b : b + i,
                    rows, tsr_dst_valid(dst, &view), mode);
        tsr_matrix_wrote_dst(call, &view, rows, tainted + i);
    }
}

// The page has 0 for the modifier, where kernels have 1.
static bool check_gapool(const struct tsr_matrix_call *call)
{
    uint32_t shape = tsr_matrix_arg(call, OPERAND_instr_mod19);
    if (call->job->argmax &&
        tsr_report(call->env, FINDING_UNDOCUMENTED_MODE, call->inst, NULL,
                   "No page says what max_pool_index_en does to GAPOOL, which has no maximum; "
                   "nothing here.") == TSR_HALT)
        return false;
    return shape <= 1 || tsr_report(call->env, FINDING_UNDOCUMENTED_MODE, call->inst, NULL,
                                    "No page says what GAPOOL does with instr_mod19=%u; what it "
                                    "does with 1, here.",
                                    (unsigned)shape) != TSR_HALT;
}

bool tsr_matrix_run_multiply(const struct tsr_matrix_call *call)
{
    tsr_element_mode mode;
    uint16_t tainted[MOST_ROWS] = {0};
    if (!tsr_matrix_arithmetic_mode(call, &mode) ||
        (call->inst->op == OP_GAPOOL && !check_gapool(call)))
        return false;
    unsigned rows_b = call->job->broadcast_row ? 1 : call->job->rows;
    if (!read_shadow(call, mode.fpu.acc32, tainted) ||
        (mode.int8 && !tsr_matrix_check_int8(call, INNER, rows_b)))
        return false;
    compute(call, &mode, tainted);
    tsr_matrix_flip_banks(call);
    return true;
}
