// SPDX-License-Identifier: Apache-2.0
// Src to Dst: MOVA2D and MOVB2D, and MOVDBGA2D, which is MOVA2D without its wait. TF32 and the
// low-half flag go to Dst32; Fp32_enabled has no effect but on Blackhole's MOVB2D (docs/errata.md,
// 311). Pages: MOVA2D.md, MOVB2D.md, MOVDBGA2D.md.
#include "matrix/moves.h"

#include "base/format_codes.h"
#include "matrix/banks.h"
#include "matrix/matrix_shadow.h"
#include "matrix/source_format.h"
#include "numerics/fpu.h"
#include "state/dst_rules.h"

enum { MOVE_ROWS = 8, MOVE_CELLS = MOVE_ROWS * TSR_COLUMNS };

struct move {
    int side;
    tsr_move_mode mode;
    bool wide;    // Dst32
    bool exact19; // the undefined mixtures of TF32 with FP16A_FORCE or the low-half flag
    uint16_t tainted[MOVE_ROWS];
};

// ---------------------------------------------------------------- operands

static void sample_dst(const struct tsr_matrix_call *call, uint32_t mask)
{
    struct tsr_matrix_job *job = call->job;
    job->dst = (uint16_t)((call->args->dst + job->dst_base) & mask);
    job->low_half = call->args->low_half;
}

void tsr_matrix_sample_mova2d(const struct tsr_matrix_call *call)
{
    enum { MOVE_8_ROWS = 2 };
    struct tsr_matrix_job *job = call->job;
    bool block = call->args->move & MOVE_8_ROWS;
    uint32_t row = (uint32_t)call->args->src + job->before.srca;
    job->rows = block ? 8 : 1;
    job->row[TSR_SRCA] = (uint8_t)(row & (block ? 0x38 : 0x3f));
    sample_dst(call, block ? 0x3f8 : 0x3ff);
}

void tsr_matrix_sample_movb2d(const struct tsr_matrix_call *call)
{
    enum { COLUMN_0 = 1, ONE_ROW_TO_8 = 2, MOVE_4_ROWS = 4 };
    struct tsr_matrix_job *job = call->job;
    uint32_t modifier = call->args->move;
    uint32_t row = (uint32_t)call->args->src + job->before.srcb;
    job->broadcast_column = modifier & COLUMN_0;
    job->broadcast_row = (modifier & ONE_ROW_TO_8) != 0;
    bool block = !job->broadcast_row && modifier & MOVE_4_ROWS;
    job->rows = job->broadcast_row ? 8 : block ? 4 : 1;
    job->row[TSR_SRCB] = (uint8_t)(row & (block ? 0x3c : 0x3f));
    job->row[TSR_SRCA] = job->before.srca; // SHIFTXA may use it
    sample_dst(call, job->broadcast_row ? 0x3f8 : block ? 0x3fc : 0x3ff);
}

// ---------------------------------------------------------------- what to do

static bool decode_move(const struct tsr_matrix_call *call, struct move *move)
{
    const struct tsr_matrix_job *job = call->job;
    uint8_t format;
    if (!tsr_matrix_move_format(call, move->side, &format))
        return false;
    if (!tsr_format_at(format)->name &&
        !tsr_matrix_undefined(call, FINDING_ALU_FORMAT_PAIR, "moves a format that does not exist"))
        return false;
    bool tf32 = format == TSR_FORMAT_TF32;
    if (tf32 && job->low_half &&
        !tsr_matrix_undefined(call, FINDING_ALU_MODE,
                              "moves TF32 to the low half of Dst (erratum TEN-4245)"))
        return false;
    move->exact19 = tf32 && (job->low_half || job->fp16_force);
    bool fp32_rows = move->side == TSR_SRCB && job->fp32 && call->env->chip->movb2d_fp32;
    move->wide = tf32 || job->low_half || fp32_rows;
    move->mode.flush = job->flush;
    move->mode.mask = ~0u;
    if (move->side == TSR_SRCB && !job->fp16_force) // forced, there is no format to cut to
        move->mode.mask = tsr_fpu_operand_mask(tsr_matrix_format(call, TSR_SRCB));
    if (tf32)
        move->mode.kind = TSR_MOVE_TF32;
    else if (job->fp16_force || tsr_fpu_format_is_e5(format))
        move->mode.kind = TSR_MOVE_FP16;
    else
        move->mode.kind = TSR_MOVE_BF16;
    return true;
}

bool tsr_matrix_plain_move(const struct tsr_matrix_call *call, int side, tsr_move_mode *mode,
                           bool *wide)
{
    const struct tsr_matrix_job *job = call->job;
    struct move move;
    uint8_t format =
        job->implied[side] ? tsr_matrix_bank(call, side)->implied_format : job->format[TSR_SRCA];
    if (job->low_half || !tsr_format_at(format)->name ||
        (format == TSR_FORMAT_TF32 && job->fp16_force))
        return false;
    move.side = side;
    if (!decode_move(call, &move))
        return false;
    *mode = move.mode;
    *wide = move.wide;
    return true;
}

// Checks the shadow state of what is read, and finds what is tainted of each row to be written.
static bool read_shadow(const struct tsr_matrix_call *call, struct move *move)
{
    const struct tsr_matrix_job *job = call->job;
    const struct tsr_src_bank *bank = tsr_matrix_bank(call, move->side);
    memset(move->tainted, 0, sizeof move->tainted);
    if (!job->tainted && tsr_matrix_rows_clean(bank->written, bank->tainted, job->row[move->side],
                                               job->broadcast_row ? 1 : job->rows))
        return true;
    for (unsigned i = 0; i < job->rows; i++) {
        unsigned row = job->row[move->side] + (job->broadcast_row ? 0 : i);
        move->tainted[i] = job->tainted ? 0xffff : 0;
        if (!tsr_matrix_read_src(call, move->side, row, job->broadcast_column, &move->tainted[i]))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- the data

// A low-half move reads what it keeps: the high half of an invalid row is 0, but for `kept`
// columns, which are as good as never written.
static void zero_invalid_high_halves(struct tsr_dst *dst, unsigned physical, unsigned rows,
                                     uint16_t kept)
{
    for (unsigned row = physical; row < physical + rows; row++) {
        if (dst->valid[row])
            continue;
        memset(dst->bits[row], 0, sizeof dst->bits[row]);
        dst->valid[row] = true;
        dst->written[row] = (uint16_t)~kept;
        dst->written[row + TSR_DST_LOW] = 0;
        dst->tainted[row] &= kept;
        tsr_dst_mark(dst, row, 1);
    }
}

// TF32 with FP16A_FORCE or the low-half flag, datum by datum as on the page.
static void move_exact19(const struct tsr_matrix_call *call, const struct move *move,
                         const uint32_t *cells, size_t datums, const struct tsr_dst_view *view)
{
    const struct tsr_matrix_job *job = call->job;
    for (size_t i = 0; i < datums; i++) {
        uint32_t datum = cells[i];
        if (move->mode.flush && (datum >> 10 & 0xff) == 0)
            datum = 0;
        datum &= move->mode.mask;
        uint16_t value = tsr_dst_encode_bf16((uint16_t)(datum >> 3));
        if (job->fp16_force)
            value = tsr_dst_encode_fp16((uint16_t)((datum >> 3 & 0x8000) | (datum & 0x7fff)));
        view->high[i] = value;
        view->low[i] = (uint16_t)((datum & 7) << 13 | (job->low_half ? value : 0));
    }
}

// Whole datums. Of 16-bit ones in 32-bit rows the low half becomes 0.
static void move_whole(const struct tsr_matrix_call *call, const struct move *move,
                       const uint32_t *cells, size_t datums, const struct tsr_dst_view *view)
{
    tsr_kernels_move(call->env->kernels, &move->mode)(view->high, view->low, cells, datums,
                                                      &move->mode);
    if (move->wide && move->mode.kind != TSR_MOVE_TF32)
        memset(view->low, 0, datums * sizeof *view->low);
}

// `rows` rows from the i'th on, which are contiguous in Dst.
static void move_rows(const struct tsr_matrix_call *call, const struct move *move,
                      const uint32_t *cells, unsigned i, unsigned rows)
{
    struct tsr_dst *dst = &call->env->state->dst;
    struct tsr_dst_view view = tsr_matrix_dst(call, i, move->wide);
    size_t datums = (size_t)rows * TSR_COLUMNS;
    if (move->exact19) {
        move_exact19(call, move, cells, datums, &view);
        return;
    }
    if (!call->job->low_half) {
        move_whole(call, move, cells, datums, &view);
        return;
    }
    zero_invalid_high_halves(dst, view.physical, rows, call->env->state->matrix.kept_columns);
    tsr_kernels_move(call->env->kernels, &move->mode)(view.low, NULL, cells, datums, &move->mode);
}

// The shadow state of `rows` contiguous rows from the i'th on; `kept` columns were left alone.
static void write_shadow(const struct tsr_matrix_call *call, const struct move *move, unsigned i,
                         unsigned rows, uint16_t kept)
{
    struct tsr_dst *dst = &call->env->state->dst;
    struct tsr_dst_view view = tsr_matrix_dst(call, i, move->wide);
    bool low_half = call->job->low_half && !move->exact19;
    if (!low_half && !kept) {
        tsr_matrix_wrote_dst(call, &view, rows, move->tainted + i);
        return;
    }
    tsr_dst_note_write(call->env, &view);
    if (!low_half) {
        tsr_dst_wrote(dst, &view, (uint16_t)~kept, move->tainted[i]);
        return;
    }
    for (unsigned end = i + rows, low = view.physical + TSR_DST_LOW; i < end; i++, low++) {
        dst->written[low] |= (uint16_t)~kept;
        dst->tainted[low] = (uint16_t)((dst->tainted[low] & kept) | (move->tainted[i] & ~kept));
        tsr_dst_mark(dst, low, 1);
    }
}

// Row by row where LaneConfig keeps columns: the kernels write whole rows.
static void move_data(const struct tsr_matrix_call *call, const struct move *move)
{
    const struct tsr_matrix_job *job = call->job;
    uint32_t broadcast[MOVE_ROWS][TSR_COLUMNS];
    const uint32_t *cells = tsr_matrix_src_rows(call, move->side, job->rows, broadcast);
    uint16_t kept = call->env->state->matrix.kept_columns;
    uint16_t high[TSR_COLUMNS], low[TSR_COLUMNS];
    for (unsigned i = 0, rows; i < job->rows; i += rows) {
        struct tsr_dst_view view = tsr_matrix_dst(call, i, move->wide);
        rows = kept ? 1 : tsr_matrix_contiguous(call, i, job->rows, move->wide);
        memcpy(high, view.high, sizeof high);
        if (view.wide)
            memcpy(low, view.low, sizeof low);
        move_rows(call, move, cells + i * TSR_COLUMNS, i, rows);
        for (unsigned column = 0; kept && column < TSR_COLUMNS; column++) {
            if (!(kept >> column & 1))
                continue;
            view.high[column] = high[column];
            if (view.wide)
                view.low[column] = low[column];
        }
        write_shadow(call, move, i, rows, kept);
    }
}

// Eight whole contiguous rows, as they are: the common case, found at once.
static bool move_block(const struct tsr_matrix_call *call, const struct move *move)
{
    const struct tsr_matrix_job *job = call->job;
    if (job->rows != MOVE_ROWS || job->broadcast_row || job->broadcast_column || job->low_half ||
        move->exact19 || call->env->state->matrix.kept_columns ||
        tsr_matrix_contiguous(call, 0, MOVE_ROWS, move->wide) != MOVE_ROWS)
        return false;
    struct tsr_dst_view view = tsr_matrix_dst(call, 0, move->wide);
    const struct tsr_src_bank *bank = tsr_matrix_bank(call, move->side);
    move_whole(call, move, bank->datum[job->row[move->side]], MOVE_CELLS, &view);
    tsr_matrix_wrote_dst(call, &view, MOVE_ROWS, move->tainted);
    return true;
}

static bool run(const struct tsr_matrix_call *call, int side)
{
    struct move move;
    move.side = side;
    if (!decode_move(call, &move) || !tsr_matrix_check_dst(call, move.wide) ||
        !read_shadow(call, &move))
        return false;
    if (!move_block(call, &move))
        move_data(call, &move);
    return true;
}

bool tsr_matrix_run_mova2d(const struct tsr_matrix_call *call)
{
    return run(call, TSR_SRCA);
}

bool tsr_matrix_run_movb2d(const struct tsr_matrix_call *call)
{
    return run(call, TSR_SRCB);
}
