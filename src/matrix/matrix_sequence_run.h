// SPDX-License-Identifier: Apache-2.0
// Running a sequence of instructions as one, for matrix_block.c and matrix_timed_block.c. It may
// run if the unit owns its banks, all that it reads is written and untainted (and integers are as
// unpackers make them), and its rows of Dst do not wrap around. Kernel calls come in the order of
// the instructions, so rows that several of them write are right; the shadow state follows once, at
// the end. Pages: SrcASrcB.md, Dst.md.
#ifndef TESSERA_MATRIX_MATRIX_SEQUENCE_RUN_H
#define TESSERA_MATRIX_MATRIX_SEQUENCE_RUN_H

#include "base/bits.h"
#include "matrix/matrix_multiply.h"
#include "matrix/matrix_plan.h"
#include "matrix/matrix_shadow.h"
#include "state/dst.h"

#include <string.h>

enum { BLOCK_ROWS = 8 };

struct runner {
    struct tsr_env *env;
    const struct tsr_matrix_sequence *sequence;
    const uint32_t (*src[2])[TSR_COLUMNS]; // the banks
    int thread;
    unsigned order;
    unsigned dst_shift; // what every row of Dst has moved by since the sequence was made
    tsr_element_mode mode;
};

static inline struct tsr_src_bank *bank_of(const struct runner *runner, int side)
{
    return tsr_src_for_matrix(&runner->env->state->src[side]);
}

// ---------------------------------------------------------------- may it run?

// Where the sequence's rows of Dst are now: they move with where Dst begins. False: they would wrap
// around, or move by less than whole blocks. `rows`: of Dst as the sequence sees it.
TSR_INLINE bool place(const struct tsr_matrix_sequence *sequence,
                      const struct tsr_matrix_plan *plan, unsigned rows, unsigned *shift)
{
    unsigned moved = (plan->dst_offset - sequence->dst_offset) & (TSR_DST_ROWS - 1);
    unsigned first = (sequence->dst_first + moved) & (TSR_DST_ROWS - 1);
    *shift = first - sequence->dst_first;
    return moved == 0 ||
           (moved % BLOCK_ROWS == 0 && first + (sequence->dst_end - sequence->dst_first) <= rows);
}

// Whether no word reads the side, or its bank is the unit's and its rows are clean.
TSR_INLINE bool src_readable(const struct runner *runner, int side)
{
    const struct tsr_matrix_rows *rows = &runner->sequence->src[side];
    if (!(runner->sequence->waits >> side & 1))
        return true;
    const struct tsr_src_bank *bank = bank_of(runner, side);
    bool integers = runner->sequence->computes && runner->sequence->mode.int8;
    return bank->matrix_owns &&
           tsr_matrix_rows_clean(bank->written, bank->tainted, rows->first, rows->count) &&
           (!integers || tsr_matrix_rows_int8(bank, rows->first, rows->count, TSR_COLUMNS));
}

// How many rows from `row` on, of at most `rows`, are contiguous in Dst.
static inline unsigned contiguous(const struct runner *runner, unsigned row, unsigned rows)
{
    unsigned run = tsr_dst_run(runner->order, row, runner->sequence->wide);
    return run < rows ? run : rows;
}

// Whether the valid ones of these rows are clean; those that are not valid read as a constant. Of
// four rows all are valid, or none, most often.
static inline bool dst_rows_readable(const struct tsr_dst *dst, unsigned physical, unsigned rows,
                                     unsigned half)
{
    uint64_t missing = 0;
    unsigned row = physical, end = physical + rows;
    for (uint32_t valid; row + 4 <= end; row += 4) {
        memcpy(&valid, &dst->valid[row], sizeof valid);
        if (valid == 0)
            continue;
        if (valid != 0x01010101u)
            break;
        missing |= !tsr_matrix_rows_clean(dst->written, dst->tainted, row + half, 4);
    }
    for (; row < end; row++) {
        unsigned masks = (uint16_t)~dst->written[row + half] | dst->tainted[row + half];
        missing |= dst->valid[row] ? masks : 0;
    }
    return missing == 0;
}

static inline bool dst_readable(const struct runner *runner)
{
    const struct tsr_matrix_sequence *sequence = runner->sequence;
    const struct tsr_dst *dst = &runner->env->state->dst;
    for (unsigned i = 0; i < sequence->reads; i++) {
        unsigned row = sequence->read[i].first + runner->dst_shift;
        unsigned end = row + sequence->read[i].count;
        for (unsigned rows; row < end; row += rows) {
            unsigned physical = tsr_dst_place(runner->order, row, sequence->wide);
            rows = contiguous(runner, row, end - row);
            if (!dst_rows_readable(dst, physical, rows, 0) ||
                (sequence->wide && !dst_rows_readable(dst, physical, rows, TSR_DST_LOW)))
                return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------- the parts

// `rows` rows of SrcB from `row` on, with the part's broadcasts. `cells` is room for copies.
static inline const uint32_t *broadcast_b(const struct runner *runner,
                                          const struct tsr_matrix_part *part,
                                          uint32_t cells[BLOCK_ROWS][TSR_COLUMNS])
{
    const uint32_t(*from)[TSR_COLUMNS] = &runner->src[TSR_SRCB][part->row[TSR_SRCB]];
    for (unsigned i = 0; i < part->rows; i++) {
        const uint32_t *row = from[part->broadcast_row ? 0 : i];
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            cells[i][column] = row[part->broadcast_column ? 0 : column];
    }
    return cells[0];
}

// Some contiguous rows of a part.
struct stretch {
    struct tsr_dst_view view;
    const uint32_t *a, *b;
    unsigned rows;
};

static inline void run_move(const struct tsr_move_mode *mode, tsr_move_fn *kernel,
                            const struct stretch *at, const uint32_t *cells)
{
    size_t datums = (size_t)at->rows * TSR_COLUMNS;
    kernel(at->view.high, at->view.low, cells, datums, mode);
    if (at->view.wide && mode->kind != TSR_MOVE_TF32)
        memset(at->view.low, 0, datums * sizeof *at->view.low);
}

static inline void run_product(struct runner *runner, const struct tsr_matrix_part *part,
                               const struct stretch *at, bool valid)
{
    struct tsr_matrix_blocks *blocks = runner->env->matrix_blocks;
    tsr_dot_block *block = &blocks->block[part->row[TSR_SRCA] / BLOCK_ROWS];
    tsr_dot_rows *rows = &blocks->rows[part->row[TSR_SRCB] / BLOCK_ROWS];
    if (part->prepares)
        part->kernel.dot->prepare(block, &runner->src[TSR_SRCA][part->row[TSR_SRCA]],
                                  &runner->mode);
    part->kernel.dot->run(at->view.high, at->view.low, block, rows,
                          (const uint32_t(*)[TSR_COLUMNS])at->b, at->rows, valid, &runner->mode);
}

TSR_INLINE void run_stretch(struct runner *runner, const struct tsr_matrix_part *part,
                            const struct stretch *at)
{
    const struct tsr_matrix_sequence *sequence = runner->sequence;
    bool valid = tsr_dst_valid(&runner->env->state->dst, &at->view);
    switch ((enum tsr_matrix_part_kind)part->kind) {
    case TSR_PART_MOVE_A:
        run_move(&sequence->move[TSR_SRCA], part->kernel.move, at, at->a);
        break;
    case TSR_PART_MOVE_B:
        run_move(&sequence->move[TSR_SRCB], part->kernel.move, at, at->b);
        break;
    case TSR_PART_ELEMENT:
        part->kernel.element(at->view.high, at->view.low, at->a, at->b,
                             (size_t)at->rows * TSR_COLUMNS, valid, &runner->mode);
        break;
    case TSR_PART_PRODUCT:
        run_product(runner, part, at, valid);
        break;
    }
}

static inline void now_valid(struct tsr_dst *dst, unsigned physical, unsigned rows)
{
    if (rows == BLOCK_ROWS) // the compiler makes a store of it
        memset(&dst->valid[physical], true, BLOCK_ROWS * sizeof dst->valid[0]);
    else
        memset(&dst->valid[physical], true, rows * sizeof dst->valid[0]);
}

// `plain`: Dst is one row of 16 bits after the other, and nothing is broadcast.
TSR_INLINE void run_part(struct runner *runner, const struct tsr_matrix_part *part, bool plain)
{
    struct tsr_dst *dst = &runner->env->state->dst;
    bool wide = !plain && runner->sequence->wide;
    unsigned order = plain ? 0 : runner->order;
    uint32_t cells[BLOCK_ROWS][TSR_COLUMNS];
    const uint32_t *a = runner->src[TSR_SRCA][part->row[TSR_SRCA]];
    const uint32_t *b = runner->src[TSR_SRCB][part->row[TSR_SRCB]];
    if (!plain && (part->broadcast_row || part->broadcast_column) && part->kind != TSR_PART_MOVE_A)
        b = broadcast_b(runner, part, cells);
    runner->mode.op = (tsr_element_op)part->op;
    runner->mode.fpu.phase = part->phase;
    runner->mode.accumulate = part->accumulate;
    for (unsigned i = 0, rows; i < part->rows; i += rows) {
        unsigned row = part->dst + runner->dst_shift + i;
        size_t cell = (size_t)i * TSR_COLUMNS;
        struct stretch at = {
            .view = tsr_dst_at(dst, order, row, wide), .a = a + cell, .b = b + cell};
        rows = plain ? part->rows - i : contiguous(runner, row, part->rows - i);
        if (part->accumulate)
            rows = tsr_matrix_same_validity(dst, at.view.physical, rows);
        at.rows = rows;
        run_stretch(runner, part, &at);
        if (runner->sequence->reads > 0) // else write_shadow() is soon enough
            now_valid(dst, at.view.physical, rows);
    }
}

static inline void take_banks(struct runner *runner)
{
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
        runner->src[side] = bank_of(runner, side)->datum;
    if (runner->sequence->computes)
        runner->mode = runner->sequence->mode;
}

TSR_INLINE void run_parts(struct runner *runner)
{
    const struct tsr_matrix_sequence *sequence = runner->sequence;
    const struct tsr_matrix_part *const end = sequence->part + sequence->parts;
    take_banks(runner);
    if (sequence->plain && runner->order == 0)
        for (const struct tsr_matrix_part *part = sequence->part; part < end; part++)
            run_part(runner, part, true);
    else
        for (const struct tsr_matrix_part *part = sequence->part; part < end; part++)
            run_part(runner, part, false);
}

// ---------------------------------------------------------------- what is left behind

static inline void write_shadow(const struct runner *runner)
{
    const struct tsr_matrix_sequence *sequence = runner->sequence;
    struct tsr_dst *dst = &runner->env->state->dst;
    for (unsigned i = 0; i < sequence->writes; i++) {
        unsigned row = sequence->written[i].first + runner->dst_shift;
        unsigned end = row + sequence->written[i].count;
        if (!sequence->wide && runner->order == 0) {
            tsr_dst_wrote_plain(dst, row, end - row);
            continue;
        }
        for (unsigned rows; row < end; row += rows) {
            struct tsr_dst_view view = tsr_dst_at(dst, runner->order, row, sequence->wide);
            rows = contiguous(runner, row, end - row);
            tsr_dst_wrote_untainted(dst, &view, rows);
        }
    }
}

// ---------------------------------------------------------------- altogether

// Sets a runner up. False: the sequence cannot execute now.
static inline bool prepare(struct tsr_env *env, int thread, const struct tsr_matrix_plan *plan,
                           const struct tsr_matrix_sequence *sequence, struct runner *runner)
{
    unsigned rows =
        tsr_dst_folds(plan->start.order, sequence->wide) ? TSR_DST_ROWS / 2 : TSR_DST_ROWS;
    runner->env = env; // its mode is set where it is asked for
    runner->thread = thread;
    runner->order = plan->start.order;
    runner->sequence = sequence;
    return place(sequence, plan, rows, &runner->dst_shift) && src_readable(runner, TSR_SRCA) &&
           src_readable(runner, TSR_SRCB) && dst_readable(runner);
}

// No sequence executes: moves leave some columns alone, or the debug registers have a say in the
// order of Dst's rows.
static inline bool takes_none(const struct tsr_env *env)
{
    return env->state->matrix.kept_columns || tsr_dst_high_halves(&env->state->debug);
}

#endif
