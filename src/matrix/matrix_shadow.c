// SPDX-License-Identifier: Apache-2.0
// What the matrix unit's reads and writes mean for the story of Src and Dst: reads of what nothing
// has written, taint, and accesses that have no defined place. Pages: SrcASrcB.md, Dst.md.
#include "matrix/matrix_job.h"
#include "state/dst_rules.h"

static const char *name_of(const struct tsr_matrix_call *call)
{
    return tsr_op_name((enum tsr_op)call->inst->op);
}

static bool check_high_halves(const struct tsr_matrix_call *call, bool wide)
{
    if (wide || !(call->job->order & TSR_DST_HIGH_HALVES))
        return true;
    return tsr_report(call->env, FINDING_LEGACY_MODE, call->inst, NULL,
                      "%s accesses Dst in 16 bits, which bit 11 of DBG_FEATURE_DISABLE turns into "
                      "the high halves of 32-bit datums.",
                      name_of(call)) != TSR_HALT;
}

bool tsr_matrix_check_dst(const struct tsr_matrix_call *call, bool wide)
{
    if (!check_high_halves(call, wide))
        return false;
    if (!tsr_dst_folds(call->job->order, wide) || call->job->dst < TSR_DST_ROWS / 2)
        return true;
    // What it does is known (the bits fold), so nothing is tainted.
    return tsr_report(call->env, FINDING_DST_ROW_RANGE, call->inst, NULL,
                      "%s accesses Dst in 32 bits from row %u, beyond row 511; it gets the "
                      "physical row %u.",
                      name_of(call), (unsigned)call->job->dst,
                      tsr_dst_place(call->job->order, call->job->dst, wide)) != TSR_HALT;
}

static bool never_written_src(const struct tsr_matrix_call *call, int side, unsigned row,
                              uint16_t unwritten, uint16_t *tainted)
{
    enum tsr_verdict verdict =
        tsr_report(call->env, FINDING_UNINITIALISED_SRC, call->inst, NULL,
                   "%s reads row %u of Src%c bank %u, where nothing has written the columns of "
                   "mask 0x%04x.",
                   name_of(call), row, 'A' + side,
                   (unsigned)call->env->state->src[side].matrix_bank, (unsigned)unwritten);
    if (verdict == TSR_GO_TAINTED)
        *tainted |= unwritten;
    return verdict != TSR_HALT;
}

bool tsr_matrix_read_odd_src(const struct tsr_matrix_call *call, int side, unsigned row,
                             bool column0, uint16_t *tainted)
{
    const struct tsr_src_bank *bank = tsr_matrix_bank(call, side);
    uint16_t unwritten = (uint16_t)~bank->written[row];
    uint16_t bad = bank->tainted[row];
    if (column0) {
        unwritten = unwritten & 1 ? 0xffff : 0;
        bad = bad & 1 ? 0xffff : 0;
    }
    *tainted |= bad;
    return unwritten == 0 || never_written_src(call, side, row, unwritten, tainted);
}

static bool never_written_dst(const struct tsr_matrix_call *call, const struct tsr_dst_view *view,
                              uint16_t unwritten, uint16_t *tainted)
{
    enum tsr_verdict verdict =
        tsr_report(call->env, FINDING_UNINITIALISED_DST, call->inst, NULL,
                   "%s reads physical row %u of Dst, where nothing has written the columns of "
                   "mask 0x%04x.",
                   name_of(call), view->physical, (unsigned)unwritten);
    if (verdict == TSR_GO_TAINTED)
        *tainted |= unwritten;
    return verdict != TSR_HALT;
}

bool tsr_matrix_read_odd_dst(const struct tsr_matrix_call *call, const struct tsr_dst_view *view,
                             uint16_t *tainted)
{
    const struct tsr_dst *dst = &call->env->state->dst;
    if (!tsr_dst_valid(dst, view))
        return true; // it reads as a constant
    *tainted |= tsr_dst_tainted(dst, view);
    uint16_t unwritten = (uint16_t)~tsr_dst_written(dst, view);
    return unwritten == 0 || never_written_dst(call, view, unwritten, tainted);
}

bool tsr_matrix_plain_dst(const struct tsr_matrix_call *call, bool wide)
{
    const struct tsr_dst *dst = &call->env->state->dst;
    unsigned all = call->job->rows;
    bool plain = true;
    for (unsigned i = 0, rows; plain && i < all; i += rows) {
        unsigned physical = tsr_matrix_dst(call, i, wide).physical;
        rows = tsr_matrix_run(call, i, all, wide);
        plain =
            tsr_matrix_plain(dst->written, dst->tainted, physical, rows) &&
            (!wide || tsr_matrix_plain(dst->written, dst->tainted, physical + TSR_DST_LOW, rows));
    }
    return plain;
}

void tsr_matrix_wrote_dst(const struct tsr_matrix_call *call, const struct tsr_dst_view *view,
                          unsigned rows, const uint16_t *tainted)
{
    tsr_dst_note_write(call->env, view);
    tsr_dst_wrote_rows(&call->env->state->dst, view, rows, tainted);
}

void tsr_matrix_wrote_src(struct tsr_src_bank *bank, unsigned row, uint16_t tainted)
{
    bank->written[row] = 0xffff;
    bank->tainted[row] = tainted;
    bank->filled = true;
}

bool tsr_matrix_undefined(const struct tsr_matrix_call *call, enum tsr_finding code,
                          const char *what)
{
    struct tsr_cited cited = {call->job->config_bank,
                              3,
                              {FIELD_ALU_FORMAT_SPEC_REG0_SrcA, FIELD_ALU_FORMAT_SPEC_REG1_SrcB,
                               FIELD_ALU_ACC_CTRL_Fp32_enabled}};
    enum tsr_verdict verdict =
        tsr_report(call->env, code, call->inst, &cited, "%s %s.", name_of(call), what);
    call->job->tainted |= verdict == TSR_GO_TAINTED;
    return verdict != TSR_HALT;
}
