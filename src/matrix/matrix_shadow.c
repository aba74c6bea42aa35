// SPDX-License-Identifier: Apache-2.0
// What the matrix unit's reads and writes mean for the shadow state of Src and Dst: reads of what
// was never written, taint, and accesses that have no defined place. Pages: SrcASrcB.md, Dst.md.
#include "matrix/matrix_shadow.h"

#include "numerics/fpu.h"
#include "state/dst_rules.h"

bool tsr_matrix_check_dst(const struct tsr_matrix_call *call, bool wide)
{
    if (!wide && call->job->order & TSR_DST_HIGH_HALVES &&
        tsr_report(call->env, FINDING_LEGACY_MODE, call->inst, NULL,
                   "%s accesses Dst in 16 bits, which bit 11 of DBG_FEATURE_DISABLE turns into "
                   "the high halves of 32-bit datums.",
                   tsr_matrix_name(call)) == TSR_HALT)
        return false;
    if (!tsr_dst_folds(call->job->order, wide) || call->job->dst < TSR_DST_ROWS / 2)
        return true;
    // What it does is known (the bits fold), so nothing is tainted.
    return tsr_report(call->env, FINDING_DST_ROW_RANGE, call->inst, NULL,
                      "%s accesses Dst in 32 bits from row %u, beyond row 511; it gets the "
                      "physical row %u.",
                      tsr_matrix_name(call), (unsigned)call->job->dst,
                      tsr_dst_place(call->job->order, call->job->dst, wide)) != TSR_HALT;
}

bool tsr_matrix_undefined(const struct tsr_matrix_call *call, enum tsr_finding code,
                          const char *what)
{
    struct tsr_cited cited = {call->job->state_id,
                              3,
                              {FIELD_ALU_FORMAT_SPEC_REG0_SrcA, FIELD_ALU_FORMAT_SPEC_REG1_SrcB,
                               FIELD_ALU_ACC_CTRL_Fp32_enabled}};
    enum tsr_verdict verdict =
        tsr_report(call->env, code, call->inst, &cited, "%s %s.", tsr_matrix_name(call), what);
    call->job->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}

bool tsr_matrix_read_unclean_src(const struct tsr_matrix_call *call, int side, unsigned row,
                                 bool column0, uint16_t *tainted)
{
    const struct tsr_src_bank *bank = tsr_matrix_bank(call, side);
    uint16_t unwritten = (uint16_t)~bank->written[row];
    uint16_t columns = bank->tainted[row];
    if (column0) {
        unwritten = unwritten & 1 ? 0xffff : 0;
        columns = columns & 1 ? 0xffff : 0;
    }
    *tainted |= columns;
    if (unwritten == 0)
        return true;
    enum tsr_verdict verdict =
        tsr_report(call->env, FINDING_UNINITIALISED_SRC, call->inst, NULL,
                   "%s reads row %u of Src%c bank %u, where nothing has written the columns of "
                   "mask 0x%04x.",
                   tsr_matrix_name(call), row, 'A' + side,
                   (unsigned)call->env->state->src[side].matrix_bank, (unsigned)unwritten);
    if (verdict == TSR_GO_TAINTED)
        *tainted |= unwritten;
    return verdict != TSR_HALT;
}

bool tsr_matrix_read_unclean_dst(const struct tsr_matrix_call *call,
                                 const struct tsr_dst_view *view, uint16_t *tainted)
{
    const struct tsr_dst *dst = &call->env->state->dst;
    if (!tsr_dst_valid(dst, view))
        return true; // it reads as a constant
    *tainted |= tsr_dst_tainted(dst, view);
    uint16_t unwritten = (uint16_t)~tsr_dst_written(dst, view);
    if (unwritten == 0)
        return true;
    enum tsr_verdict verdict =
        tsr_report(call->env, FINDING_UNINITIALISED_DST, call->inst, NULL,
                   "%s reads physical row %u of Dst, where nothing has written the columns of "
                   "mask 0x%04x.",
                   tsr_matrix_name(call), view->physical, (unsigned)unwritten);
    if (verdict == TSR_GO_TAINTED)
        *tainted |= unwritten;
    return verdict != TSR_HALT;
}

bool tsr_matrix_rows_int8(const struct tsr_src_bank *bank, unsigned row, unsigned rows,
                          unsigned columns)
{
    unsigned others = 0;
    for (unsigned i = 0; i < rows; i++) {
        const uint32_t *datum = bank->datum[(row + i) % TSR_SRC_ROWS];
        for (unsigned column = 0; column < columns; column++)
            others |= !tsr_fpu_int8_conforms(datum[column]);
    }
    return others == 0;
}

bool tsr_matrix_check_int8(const struct tsr_matrix_call *call, unsigned rows_a, unsigned rows_b)
{
    const struct tsr_matrix_job *job = call->job;
    const unsigned rows[2] = {rows_a, rows_b};
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        unsigned columns = side == TSR_SRCB && job->broadcast_column ? 1 : TSR_COLUMNS;
        const struct tsr_src_bank *bank = tsr_matrix_bank(call, side);
        if (!tsr_matrix_rows_int8(bank, job->row[side], rows[side], columns) &&
            tsr_report(call->env, FINDING_INT8_DATUM, call->inst, NULL,
                       "%s computes with integers, and Src%c bank %u has others than unpackers "
                       "make of INT8 in the %u rows from %u on.",
                       tsr_matrix_name(call), 'A' + side,
                       (unsigned)call->env->state->src[side].matrix_bank, rows[side],
                       (unsigned)job->row[side]) == TSR_HALT)
            return false;
    }
    return true;
}

bool tsr_matrix_dst_clean(const struct tsr_matrix_call *call, bool wide)
{
    const struct tsr_dst *dst = &call->env->state->dst;
    unsigned all = call->job->rows;
    bool clean = true;
    for (unsigned i = 0, rows; clean && i < all; i += rows) {
        unsigned physical = tsr_matrix_dst(call, i, wide).physical;
        rows = tsr_matrix_contiguous(call, i, all, wide);
        clean = tsr_matrix_rows_clean(dst->written, dst->tainted, physical, rows);
        if (wide)
            clean = clean &&
                    tsr_matrix_rows_clean(dst->written, dst->tainted, physical + TSR_DST_LOW, rows);
    }
    return clean;
}

void tsr_matrix_wrote_dst(const struct tsr_matrix_call *call, const struct tsr_dst_view *view,
                          unsigned rows, const uint16_t *tainted)
{
    tsr_dst_note_write(call->env, view);
    tsr_dst_wrote_rows(&call->env->state->dst, view, rows, tainted);
}
