// SPDX-License-Identifier: Apache-2.0
// What writes to Src besides the unpackers: MOVD2A, MOVD2B, MOVB2A, TRNSPSRCB, SHIFTXA,
// SHIFTXB. Pages: MOVD2A.md, MOVD2B.md, MOVB2A.md, TRNSPSRCB.md, SHIFTXA.md, SHIFTXB.md.
#include "matrix/source_writes.h"

#include "base/format_codes.h"
#include "matrix/banks.h"
#include "matrix/matrix_shadow.h"
#include "matrix/source_format.h"
#include "numerics/fpu.h"

enum { MOVE_4_ROWS = 2 };

static uint8_t src_row(const struct tsr_matrix_call *call, enum tsr_operand_id operand,
                       uint8_t counter)
{
    uint32_t row = tsr_matrix_arg(call, operand) + counter;
    return (uint8_t)(row & (call->job->rows == 4 ? 0x3c : 0x3f));
}

static void sample_rows(const struct tsr_matrix_call *call)
{
    call->job->rows = tsr_matrix_arg(call, OPERAND_instr_mod) & MOVE_4_ROWS ? 4 : 1;
}

static void sample_from_dst(const struct tsr_matrix_call *call, int side, uint8_t counter)
{
    struct tsr_matrix_job *job = call->job;
    sample_rows(call);
    job->low_half = tsr_matrix_arg(call, OPERAND_dest_32b_lo);
    job->row[side] = src_row(call, OPERAND_src, counter);
    uint32_t dst = tsr_matrix_arg(call, OPERAND_dst) + job->dst_base;
    job->dst = (uint16_t)(dst & (job->rows == 4 ? 0x3fc : 0x3ff));
}

void tsr_matrix_sample_movd2a(const struct tsr_matrix_call *call)
{
    sample_from_dst(call, TSR_SRCA, call->job->before.srca);
}

void tsr_matrix_sample_movd2b(const struct tsr_matrix_call *call)
{
    sample_from_dst(call, TSR_SRCB, call->job->before.srcb);
    call->job->row[TSR_SRCA] = call->job->before.srca; // SHIFTXA may use it
}

void tsr_matrix_sample_movb2a(const struct tsr_matrix_call *call)
{
    struct tsr_matrix_job *job = call->job;
    sample_rows(call);
    job->row[TSR_SRCA] = src_row(call, OPERAND_srca, job->before.srca);
    job->row[TSR_SRCB] = src_row(call, OPERAND_srcb, job->before.srcb);
}

void tsr_matrix_sample_shiftxb(const struct tsr_matrix_call *call)
{
    call->job->rows = 1;
    call->job->row[TSR_SRCB] = src_row(call, OPERAND_shift_row, call->job->before.srcb);
}

// ---------------------------------------------------------------- Dst to Src

enum style { STYLE_BF16, STYLE_FP16, STYLE_TF32, STYLE_TF32_LOW };

static uint32_t datum_of(enum style style, uint16_t high, uint16_t low)
{
    uint32_t value;
    switch (style) {
    case STYLE_FP16:
        value = tsr_dst_decode_fp16(high);
        return (value & 0x8000) << 3 | (value & 0x7fff);
    case STYLE_TF32:
        return (uint32_t)tsr_dst_decode_bf16(high) << 3 | low >> 13;
    case STYLE_TF32_LOW: // the low 13 bits that TF32 drops, where exponent and mantissa are
        return (low & 0xffu) << 10 | (low >> 8 & 0x1fu);
    default:
        return (uint32_t)tsr_dst_decode_bf16(high) << 3;
    }
}

// Bit 11 of DBG_FEATURE_DISABLE has 32-bit datums where 16-bit ones would be, so that there is a
// low half to read.
static bool check_low_half(const struct tsr_matrix_call *call, bool *halves)
{
    *halves = call->job->order & TSR_DST_HIGH_HALVES;
    if (!*halves)
        return tsr_matrix_undefined(call, FINDING_ALU_MODE,
                                    "wants the low half of 16-bit datums of Dst");
    return tsr_report(call->env, FINDING_LEGACY_MODE, call->inst, NULL,
                      "%s reads the low halves of 32-bit datums of Dst in 16 bits, which bit 11 of "
                      "DBG_FEATURE_DISABLE lets it.",
                      tsr_matrix_name(call)) != TSR_HALT;
}

static bool decode_move(const struct tsr_matrix_call *call, int side, bool *wide, enum style *style)
{
    const struct tsr_matrix_job *job = call->job;
    uint8_t format = TSR_FORMAT_FP16;
    if (!job->fp16_force && !tsr_matrix_move_format(call, side, &format))
        return false;
    *wide = !job->fp16_force && (job->fp32 || job->int8);
    if (!tsr_format_at(format)->name &&
        !tsr_matrix_undefined(call, FINDING_ALU_FORMAT_PAIR, "moves a format that does not exist"))
        return false;
    if (tsr_fpu_format_is_e5(format))
        *style = STYLE_FP16;
    else if (format != TSR_FORMAT_TF32)
        *style = STYLE_BF16;
    else
        *style = *wide && job->low_half ? STYLE_TF32_LOW : STYLE_TF32;
    bool halves = false;
    if (!*wide && job->low_half && !check_low_half(call, &halves))
        return false;
    if (!*wide && *style == STYLE_TF32) {
        *style = STYLE_BF16;
        if (!tsr_matrix_undefined(call, FINDING_ALU_FORMAT_PAIR,
                                  "makes TF32 of 16-bit datums of Dst; it reads them as BF16"))
            return false;
    }
    *wide |= halves;
    return tsr_matrix_check_dst(call, *wide);
}

// A move to a row of Src wrote the columns that LaneConfig does not protect.
static void wrote_columns(const struct tsr_matrix_call *call, struct tsr_src_bank *bank,
                          unsigned row, uint16_t tainted)
{
    uint16_t kept = call->env->state->matrix.kept_columns;
    bank->written[row] |= (uint16_t)~kept;
    bank->tainted[row] = (uint16_t)((bank->tainted[row] & kept) | (tainted & ~kept));
    tsr_src_mark(bank, row, 1);
    bank->filled = true;
}

static bool kept_column(const struct tsr_matrix_call *call, unsigned column)
{
    return call->env->state->matrix.kept_columns >> column & 1;
}

static void copy_row(const struct tsr_matrix_call *call, const struct tsr_dst_view *view,
                     bool low_half, enum style style, uint32_t out[TSR_COLUMNS])
{
    bool valid = tsr_dst_valid(&call->env->state->dst, view);
    for (unsigned column = 0; column < TSR_COLUMNS; column++) {
        if (kept_column(call, column))
            continue;
        uint16_t high = valid ? view->high[column] : 0;
        uint16_t low = valid && view->wide ? view->low[column] : 0;
        out[column] = datum_of(style, view->wide && low_half ? low : high, low);
    }
}

static bool run_from_dst(const struct tsr_matrix_call *call, int side)
{
    const struct tsr_matrix_job *job = call->job;
    struct tsr_src_bank *bank = tsr_matrix_bank(call, side);
    enum style style;
    uint16_t tainted[4] = {0};
    bool wide;
    if (bank->matrix_owns &&
        !tsr_matrix_check_order(call, side, call->env->state->src[side].matrix_bank))
        return false;
    if (!decode_move(call, side, &wide, &style))
        return false;
    for (unsigned i = 0; i < job->rows; i++) {
        struct tsr_dst_view view = tsr_matrix_dst(call, i, wide);
        tainted[i] = job->tainted ? 0xffff : 0;
        if (!tsr_matrix_read_dst(call, &view, &tainted[i]))
            return false;
    }
    for (unsigned i = 0; i < job->rows; i++) {
        struct tsr_dst_view view = tsr_matrix_dst(call, i, wide);
        unsigned row = job->row[side] + i;
        copy_row(call, &view, job->low_half, style, bank->datum[row]);
        wrote_columns(call, bank, row, tainted[i]);
    }
    return true;
}

bool tsr_matrix_run_movd2a(const struct tsr_matrix_call *call)
{
    return run_from_dst(call, TSR_SRCA);
}

bool tsr_matrix_run_movd2b(const struct tsr_matrix_call *call)
{
    return run_from_dst(call, TSR_SRCB);
}

// ---------------------------------------------------------------- Src to Src

// Whatever SrcB's format, no mantissa bit is dropped (docs/arithmetic.md; TruncateSrc of the page
// has no definition).
bool tsr_matrix_run_movb2a(const struct tsr_matrix_call *call)
{
    const struct tsr_matrix_job *job = call->job;
    const struct tsr_src_bank *from = tsr_matrix_bank(call, TSR_SRCB);
    struct tsr_src_bank *to = tsr_matrix_bank(call, TSR_SRCA);
    uint16_t tainted[4] = {0};
    for (unsigned i = 0; i < job->rows; i++)
        if (!tsr_matrix_read_src(call, TSR_SRCB, job->row[TSR_SRCB] + i, false, &tainted[i]))
            return false;
    for (unsigned i = 0; i < job->rows; i++) {
        unsigned row = job->row[TSR_SRCA] + i;
        for (unsigned column = 0; column < TSR_COLUMNS; column++) {
            uint32_t datum = from->datum[job->row[TSR_SRCB] + i][column];
            bool zero = job->flush && (datum >> 10 & 0xff) == 0;
            if (!kept_column(call, column))
                to->datum[row][column] = zero ? 0 : datum;
        }
        wrote_columns(call, to, row, tainted[i]);
    }
    return true;
}

static bool bit(uint16_t mask, unsigned column)
{
    return mask >> column & 1;
}

static void set_bit(uint16_t *mask, unsigned column, bool value)
{
    *mask = (uint16_t)((*mask & ~(1u << column)) | (unsigned)value << column);
}

static void swap_bits(uint16_t *a, unsigned column_a, uint16_t *b, unsigned column_b)
{
    bool kept = bit(*a, column_a);
    set_bit(a, column_a, bit(*b, column_b));
    set_bit(b, column_b, kept);
}

// The shadow state moves with the datums, so nothing counts as read.
bool tsr_matrix_run_trnspsrcb(const struct tsr_matrix_call *call)
{
    enum { FIRST = 16 };
    struct tsr_src_bank *bank = tsr_matrix_bank(call, TSR_SRCB);
    for (unsigned i = 0; i < TSR_COLUMNS; i++) {
        for (unsigned j = 0; j < i; j++) {
            uint32_t kept = bank->datum[FIRST + i][j];
            bank->datum[FIRST + i][j] = bank->datum[FIRST + j][i];
            bank->datum[FIRST + j][i] = kept;
            swap_bits(&bank->written[FIRST + i], j, &bank->written[FIRST + j], i);
            swap_bits(&bank->tainted[FIRST + i], j, &bank->tainted[FIRST + j], i);
        }
    }
    tsr_src_mark(bank, FIRST, TSR_COLUMNS);
    return true;
}

// All sixteen lanes move; the page's loop ends one lane early (docs/errata.md).
bool tsr_matrix_run_shiftxb(const struct tsr_matrix_call *call)
{
    struct tsr_src_bank *bank = tsr_matrix_bank(call, TSR_SRCB);
    unsigned row = call->job->row[TSR_SRCB];
    bool shift_in_zero = tsr_matrix_arg(call, OPERAND_rot_shift);
    uint32_t first = bank->datum[row][0];
    uint16_t written = bank->written[row], tainted = bank->tainted[row];
    for (unsigned column = 0; column + 1 < TSR_COLUMNS; column++)
        bank->datum[row][column] = bank->datum[row][column + 1];
    bank->datum[row][TSR_COLUMNS - 1] = shift_in_zero ? 0 : first;
    bank->written[row] = written >> 1;
    bank->tainted[row] = tainted >> 1;
    set_bit(&bank->written[row], TSR_COLUMNS - 1, shift_in_zero || bit(written, 0));
    set_bit(&bank->tainted[row], TSR_COLUMNS - 1, !shift_in_zero && bit(tainted, 0));
    tsr_src_mark(bank, row, 1);
    return true;
}

// ---------------------------------------------------------------- SHIFTXA

static void shift_row(struct tsr_src_bank *bank, unsigned to, unsigned from, bool left)
{
    const unsigned vacant = left ? TSR_COLUMNS - 1 : 0;
    uint32_t *out = bank->datum[to];
    const uint32_t *in = bank->datum[from];
    uint32_t written = bank->written[from], tainted = bank->tainted[from];
    memmove(left ? out : out + 1, left ? in + 1 : in, (TSR_COLUMNS - 1) * sizeof *out);
    out[vacant] = 0;
    bank->written[to] = (uint16_t)(left ? written >> 1 : written << 1);
    bank->tainted[to] = (uint16_t)(left ? tainted >> 1 : tainted << 1);
    set_bit(&bank->written[to], vacant, true);
    tsr_src_mark(bank, to, 1);
    bank->filled = true;
}

// The shadow state moves with the datums; nothing counts as read.
bool tsr_matrix_run_shiftxa(const struct tsr_matrix_call *call)
{
    enum { BLOCK = 16, SHIFT_RIGHT = 2, SHIFT_LEFT = 3 };
    struct tsr_src_bank *bank = tsr_matrix_bank(call, TSR_SRCA);
    unsigned first = call->env->state->matrix.srca_row & 0x30;
    uint32_t mode = tsr_matrix_arg(call, OPERAND_shift_mode);
    // Vendor software calls the other two modes, and amounts other than one lane, reserved; the
    // page's model does nothing in those modes.
    if (mode < SHIFT_RIGHT &&
        !tsr_matrix_undefined(call, FINDING_ALU_MODE, "has a reserved direction; nothing moves"))
        return false;
    if (tsr_matrix_arg(call, OPERAND_log2_amount2) != 0 &&
        !tsr_matrix_undefined(call, FINDING_ALU_MODE, "has a reserved amount; it moves one lane"))
        return false;
    if (mode < SHIFT_RIGHT)
        return true;
    // Which rows: those of whatever instruction computed a row of SrcA last, whichever thread's.
    if (tsr_report(call->env, FINDING_SHIFTXA_SOURCE, call->inst, NULL,
                   "SHIFTXA cannot choose its block of SrcA: it shifts rows %u to %u, by the "
                   "last instruction that had a row of SrcA.",
                   first, first + BLOCK - 1) == TSR_HALT)
        return false;
    for (unsigned i = 0; i < BLOCK; i++) {
        shift_row(bank, i, first + i, mode == SHIFT_LEFT);
        bank->tainted[i] |= call->job->tainted ? 0xffff : 0;
    }
    return true;
}
