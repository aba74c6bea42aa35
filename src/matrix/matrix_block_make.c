// SPDX-License-Identifier: Apache-2.0
// Which words execute as one, and what they come to: each is sampled as it would be alone
// (matrix_operations.h), and those that go on where the last left off join its kernel call. Only
// what can neither report nor wait is taken, but for the banks and the shadow state, which
// matrix_block.c looks at each time. Pages: MOVA2D.md, MOVB2D.md, ELWADD.md, MVMUL.md, RWCs.md.
#include "matrix/matrix_block_make.h"

#include "matrix/matrix_multiply.h"
#include "matrix/matrix_operations.h"
#include "matrix/matrix_shadow.h"
#include "matrix/moves.h"
#include "matrix/source_format.h"

enum { INNER = 16, MASKS = TSR_DST_ROWS / 64 };

struct maker {
    struct tsr_matrix_call call;
    struct tsr_matrix_sequence *sequence;
    const struct tsr_matrix_operation *operation;
    uint64_t src[2]; // rows that are read
    uint64_t read[MASKS], written[MASKS];
    uint32_t prepared; // blocks of SrcA
};

// ---------------------------------------------------------------- rows

static void add_rows(uint64_t *masks, unsigned row, unsigned rows)
{
    for (unsigned end = row + rows; row < end; row++)
        masks[row / 64 % MASKS] |= UINT64_C(1) << row % 64;
}

// The smallest range with all rows of the mask.
static struct tsr_matrix_rows range_of(uint64_t mask)
{
    if (mask == 0)
        return (struct tsr_matrix_rows){0, 0};
    unsigned first = (unsigned)__builtin_ctzll(mask), last = 63 - (unsigned)__builtin_clzll(mask);
    return (struct tsr_matrix_rows){(uint16_t)first, (uint16_t)(last - first + 1)};
}

static bool has_row(const uint64_t *masks, unsigned row)
{
    return row < TSR_DST_ROWS && (masks[row / 64] >> row % 64 & 1);
}

// False: there are too many.
static bool make_spans(const uint64_t *masks, struct tsr_matrix_rows *spans, uint8_t *count)
{
    *count = 0;
    for (unsigned row = 0; row < TSR_DST_ROWS; row++) {
        if (row % 64 == 0 && masks[row / 64] == 0) {
            row += 63;
            continue;
        }
        if (!has_row(masks, row))
            continue;
        if (*count == TSR_SEQUENCE_SPANS)
            return false;
        unsigned first = row;
        while (has_row(masks, row))
            row++;
        spans[(*count)++] = (struct tsr_matrix_rows){(uint16_t)first, (uint16_t)(row - first)};
        row--;
    }
    return true;
}

// ---------------------------------------------------------------- parts

// What goes on where `last` ends, with the same kernel, is the same call.
static bool joins(const struct tsr_matrix_part *last, const struct tsr_matrix_part *part)
{
    if (part->kind != last->kind || part->kind == TSR_PART_PRODUCT || part->broadcast_row ||
        part->broadcast_column || last->broadcast_row || last->broadcast_column ||
        part->op != last->op || part->phase != last->phase ||
        part->accumulate != last->accumulate || part->dst != last->dst + last->rows)
        return false;
    bool a = part->row[TSR_SRCA] == last->row[TSR_SRCA] + last->rows;
    bool b = part->row[TSR_SRCB] == last->row[TSR_SRCB] + last->rows;
    return (a || part->kind == TSR_PART_MOVE_B) && (b || part->kind == TSR_PART_MOVE_A);
}

// False: there is no room.
static bool add_part(struct maker *maker, const struct tsr_matrix_part *part, bool wide)
{
    struct tsr_matrix_sequence *sequence = maker->sequence;
    struct tsr_matrix_part *last =
        sequence->parts > 0 ? &sequence->part[sequence->parts - 1] : NULL;
    unsigned end = part->dst + part->rows;
    if (last && sequence->wide != wide)
        return false;
    if (!last || part->dst < sequence->dst_first)
        sequence->dst_first = part->dst;
    if (end > sequence->dst_end)
        sequence->dst_end = (uint16_t)end;
    sequence->wide = wide;
    if (last && joins(last, part))
        last->rows = (uint8_t)(last->rows + part->rows);
    else if (sequence->parts < TSR_SEQUENCE_PARTS)
        sequence->part[sequence->parts++] = *part;
    else
        return false;
    add_rows(maker->written, part->dst, part->rows);
    if (part->accumulate)
        add_rows(maker->read, part->dst, part->rows);
    return true;
}

static struct tsr_matrix_part part_of(const struct tsr_matrix_job *job,
                                      enum tsr_matrix_part_kind kind)
{
    return (struct tsr_matrix_part){
        .kind = (uint8_t)kind,
        .row = {job->row[TSR_SRCA], job->row[TSR_SRCB]},
        .rows = job->rows,
        .dst = job->dst,
        .phase = job->phase,
        .accumulate = job->accumulate,
        .broadcast_row = job->broadcast_row,
        .broadcast_column = job->broadcast_column,
    };
}

static bool add_move(struct maker *maker, int side)
{
    const struct tsr_matrix_call *call = &maker->call;
    const struct tsr_matrix_job *job = call->job;
    tsr_move_mode *mode = &maker->sequence->move[side];
    bool wide;
    if (!tsr_matrix_plain_move(call, side, mode, &wide) || !tsr_matrix_dst_defined(job, wide))
        return false;
    struct tsr_matrix_part part =
        part_of(job, side == TSR_SRCA ? TSR_PART_MOVE_A : TSR_PART_MOVE_B);
    part.kernel.move = tsr_kernels_move(call->env->kernels, mode);
    add_rows(&maker->src[side], job->row[side], job->broadcast_row ? 1 : job->rows);
    return add_part(maker, &part, wide);
}

// The mode of element-wise operations and products. False: there is something to report.
static bool arithmetic_mode(struct maker *maker, tsr_element_mode *mode)
{
    const struct tsr_matrix_call *call = &maker->call;
    bool wide = !call->job->fp16_force && (call->job->int8 || call->job->fp32);
    maker->sequence->computes = true;
    return tsr_matrix_arithmetic_plain(call) && tsr_matrix_dst_defined(call->job, wide) &&
           tsr_matrix_arithmetic_mode(call, mode);
}

static bool add_element(struct maker *maker)
{
    const struct tsr_matrix_call *call = &maker->call;
    const struct tsr_matrix_job *job = call->job;
    tsr_element_mode *mode = &maker->sequence->mode;
    if (!arithmetic_mode(maker, mode))
        return false;
    if (call->inst->op == OP_ELWADD)
        mode->op = TSR_ELEMENT_ADD;
    else if (call->inst->op == OP_ELWSUB)
        mode->op = TSR_ELEMENT_SUB;
    struct tsr_matrix_part part = part_of(job, TSR_PART_ELEMENT);
    part.op = (uint8_t)mode->op;
    part.kernel.element = tsr_matrix_element_kernel(call, mode);
    add_rows(&maker->src[TSR_SRCA], job->row[TSR_SRCA], job->rows);
    add_rows(&maker->src[TSR_SRCB], job->row[TSR_SRCB], job->broadcast_row ? 1 : job->rows);
    return add_part(maker, &part, mode->fpu.acc32);
}

static bool add_product(struct maker *maker)
{
    const struct tsr_matrix_call *call = &maker->call;
    const struct tsr_matrix_job *job = call->job;
    tsr_element_mode *mode = &maker->sequence->mode;
    uint32_t block = 1u << job->row[TSR_SRCA] / 8;
    // One at the end of SrcA goes on at its beginning; of a broadcast's rows only some are written.
    if (!call->env->matrix_blocks || job->broadcast_row ||
        job->row[TSR_SRCA] + INNER > TSR_SRC_ROWS || !arithmetic_mode(maker, mode))
        return false;
    struct tsr_matrix_part part = part_of(job, TSR_PART_PRODUCT);
    part.prepares = !(maker->prepared & block);
    part.kernel.dot = tsr_matrix_dot_kernel(call, mode);
    maker->prepared |= block;
    add_rows(&maker->src[TSR_SRCA], job->row[TSR_SRCA], INNER);
    add_rows(&maker->src[TSR_SRCB], job->row[TSR_SRCB], job->rows);
    return add_part(maker, &part, mode->fpu.acc32);
}

// ---------------------------------------------------------------- words

static bool add_operation(struct maker *maker)
{
    const struct tsr_matrix_job *job = maker->call.job;
    switch (maker->call.inst->op) {
    case OP_MOVA2D:
        return add_move(maker, TSR_SRCA);
    case OP_MOVB2D:
        return add_move(maker, TSR_SRCB);
    case OP_ELWADD:
    case OP_ELWSUB:
    case OP_ELWMUL:
        return add_element(maker);
    case OP_MVMUL:
        return add_product(maker);
    case OP_CLEARDVALID:
        return !job->reset_banks && !job->keep_pointer;
    case OP_SETRWC:
    case OP_INCRWC:
        return true;
    default:
        return false;
    }
}

// The last word takes a bank away from those that follow.
static void end_with(struct tsr_matrix_sequence *sequence, const struct tsr_matrix_call *call)
{
    sequence->clears = call->job->clear_dvalid;
    sequence->keeps = call->job->keep_owner;
    sequence->asks = call->inst->op == OP_SETRWC || call->inst->op == OP_CLEARDVALID;
}

static bool banks_ready(const struct tsr_env *env, uint8_t sides)
{
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
        if (sides >> side & 1 && !tsr_src_for_matrix(&env->state->src[side])->matrix_owns)
            return false;
    return true;
}

// Whether a word that comes next, one cycle after the last, could read the block of Dst, which
// those before it may have written.
static bool is_open(const struct maker *maker, uint8_t op, unsigned dst)
{
    const struct tsr_matrix_sequence *sequence = maker->sequence;
    const struct tsr_isa *isa = maker->call.env->isa;
    unsigned closed = isa->rate[RATE_DST_READ_AFTER_WRITE], words = sequence->timed_words;
    for (unsigned i = 1; isa->dst_reader[op] && i <= closed && i <= words; i++)
        if (sequence->timed[words - i].dst == dst)
            return false;
    return true;
}

// The word, which was the last to be added, executes in its cycle with timing on, as those before
// it do: it writes a block of Dst, and gives no bank back.
static void add_timed(struct maker *maker)
{
    struct tsr_matrix_sequence *sequence = maker->sequence;
    const struct tsr_matrix_call *call = &maker->call;
    const struct tsr_matrix_job *job = call->job;
    if (sequence->timed_words + 1 != sequence->words || job->rows != TSR_DST_BLOCK_ROWS ||
        job->clear_dvalid || !is_open(maker, call->inst->op, job->dst))
        return;
    sequence->timed[sequence->timed_words++] =
        (struct tsr_matrix_timed_word){.dst = job->dst,
                                       .srca = job->row[TSR_SRCA],
                                       .after = call->env->state->rwcs.thread[call->inst->thread]};
}

enum result { TAKEN, ENDS, NOT_KNOWN };

// TAKEN: the word is part of the sequence, and the counters have stepped.
static enum result add_word(struct maker *maker, struct tsr_inflight *inst, uint32_t word)
{
    struct tsr_matrix_call *call = &maker->call;
    struct tsr_matrix_sequence *sequence = maker->sequence;
    enum tsr_op op = tsr_op_of(call->env->isa, word);
    const struct tsr_matrix_operation *operation = &tsr_matrix_operations[op];
    if (!banks_ready(call->env, operation->waits))
        return NOT_KNOWN;
    tsr_inflight_begin(inst, word, (uint8_t)op, inst->thread, TSR_UNIT_MATRIX);
    tsr_matrix_sample(call, operation);
    if (!add_operation(maker))
        return ENDS;
    operation->step(call);
    sequence->word[sequence->words++] = word;
    sequence->waits |= operation->waits;
    if (tsr_matrix_has_row_of_srca((uint8_t)op)) {
        sequence->leaves_row = true;
        sequence->srca_row = call->job->row[TSR_SRCA];
    }
    if (call->env->timing)
        add_timed(maker);
    if (!call->job->clear_dvalid)
        return TAKEN;
    end_with(sequence, call);
    return ENDS;
}

// The mode is that of its words, which are alike. Integers are wide.
static void make_simple(struct tsr_matrix_sequence *sequence)
{
    const struct tsr_matrix_part *part = &sequence->part[0];
    sequence->simple = sequence->plain && sequence->parts == 1 && sequence->reads == 0 &&
                       part->kind != TSR_PART_PRODUCT;
}

static void finish(struct maker *maker)
{
    struct tsr_matrix_sequence *sequence = maker->sequence;
    sequence->plain = !sequence->wide;
    for (unsigned i = 0; i < sequence->parts; i++)
        sequence->plain &= !sequence->part[i].broadcast_row && !sequence->part[i].broadcast_column;
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
        sequence->src[side] = range_of(maker->src[side]);
    if (!make_spans(maker->read, sequence->read, &sequence->reads) ||
        !make_spans(maker->written, sequence->written, &sequence->writes))
        sequence->words = sequence->timed_words = 0;
    make_simple(sequence);
}

bool tsr_matrix_sequence_make(struct tsr_env *env, int thread, const struct tsr_matrix_plan *plan,
                              const uint32_t *words, unsigned count,
                              struct tsr_matrix_sequence *sequence)
{
    struct tsr_inflight inst;
    inst.thread = (uint8_t)thread;
    struct maker maker = {.call = {.env = env, .inst = &inst, .job = tsr_matrix_job_of(&inst)},
                          .sequence = sequence};
    tsr_rwc *rwc = &env->state->rwcs.thread[thread];
    struct tsr_matrix_sequence_key from = sequence->from;
    *sequence = (struct tsr_matrix_sequence){
        .from = from, .made = ++env->matrix_plans->made, .dst_offset = (uint16_t)plan->dst_offset};
    enum result result = TAKEN;
    sequence->word[0] = words[0];
    for (unsigned i = 0; i < count && i < TSR_SEQUENCE_WORDS && result == TAKEN; i++) {
        tsr_rwc last = *rwc;
        result = add_word(&maker, &inst, words[i]);
        if (sequence->words > i)
            sequence->before_last = last;
    }
    sequence->after = *rwc;
    sequence->ends = result == ENDS || sequence->words == TSR_SEQUENCE_WORDS;
    *rwc = from.before;
    if (result == NOT_KNOWN)
        sequence->from.stamp = 0;
    else
        finish(&maker);
    return result != NOT_KNOWN;
}
