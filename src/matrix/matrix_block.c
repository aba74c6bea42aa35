// SPDX-License-Identifier: Apache-2.0
// Executes sequences of instructions as one (matrix_block.h). One runs if the unit owns its banks,
// all that it reads is written and untainted (and integers are as unpackers make them), and its
// rows of Dst do not wrap around: then no instruction of it waits or reports. Kernel calls come in
// the order of the instructions, so rows that several of them write are right; banks, counters and
// shadow state follow once, at the end. Pages: SrcASrcB.md, Dst.md, RWCs.md, SETRWC.md.
#include "matrix/matrix_block.h"

#include "matrix/banks.h"
#include "matrix/hazards.h"
#include "matrix/matrix_block_make.h"
#include "matrix/matrix_multiply.h"
#include "matrix/matrix_operations.h"
#include "matrix/matrix_shadow.h"
#include "state/dst_rules.h"
#include "state/src_hand_over.h"

enum { BLOCK_ROWS = 8, FACE_ROWS = 16 };

struct runner {
    struct tsr_env *env;
    const struct tsr_matrix_sequence *sequence;
    const uint32_t (*src[2])[TSR_COLUMNS]; // the banks
    int thread;
    unsigned order;
    unsigned dst_shift; // what every row of Dst has moved by since the sequence was made
    tsr_element_mode mode;
};

// What the compiler may know where it makes a function for one case.
#define EITHER_WAY __attribute__((always_inline)) static inline

static struct tsr_src_bank *bank_of(const struct runner *runner, int side)
{
    return tsr_src_for_matrix(&runner->env->state->src[side]);
}

// ---------------------------------------------------------------- may it run?

// Rows move with where Dst begins, in whole blocks, and must not wrap around. False: they do, or do
// otherwise. `rows`: of Dst as the sequence sees it.
EITHER_WAY bool place(const struct tsr_matrix_sequence *sequence,
                      const struct tsr_matrix_plan *plan, unsigned rows, unsigned *shift)
{
    unsigned moved = (plan->dst_offset - sequence->dst_offset) & (TSR_DST_ROWS - 1);
    unsigned first = (sequence->dst_first + moved) & (TSR_DST_ROWS - 1);
    *shift = first - sequence->dst_first;
    return moved == 0 ||
           (moved % BLOCK_ROWS == 0 && first + (sequence->dst_end - sequence->dst_first) <= rows);
}

EITHER_WAY bool src_readable(const struct runner *runner, int side)
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

// How many rows from `row` on are contiguous.
static unsigned contiguous(const struct runner *runner, unsigned row, unsigned rows)
{
    unsigned run = tsr_dst_run(runner->order, row, runner->sequence->wide);
    return run < rows ? run : rows;
}

// Rows that are not valid read as a constant. All four rows are valid, or none is, most often.
static bool dst_rows_readable(const struct tsr_dst *dst, unsigned physical, unsigned rows,
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

static bool dst_readable(const struct runner *runner)
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

EITHER_WAY bool owns_banks(const struct tsr_env *env, uint8_t sides)
{
    const struct tsr_src *src = env->state->src;
    return (!(sides & TSR_SIDE_A) || src[TSR_SRCA].bank[src[TSR_SRCA].matrix_bank].matrix_owns) &&
           (!(sides & TSR_SIDE_B) || src[TSR_SRCB].bank[src[TSR_SRCB].matrix_bank].matrix_owns);
}

// How many of these sides' banks nothing orders the thread after the hand-over of.
static unsigned count_unordered(const struct tsr_env *env, int thread, uint8_t sides)
{
    unsigned unordered = 0;
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
        unordered += sides >> side & 1 && !tsr_src_hand_over_ordered(
                                              env, thread, side, env->state->src[side].matrix_bank);
    return unordered;
}

// Whether SETRWC or CLEARDVALID, which do not wait for the banks, may give those sides back now,
// and need not report that nothing orders it after a hand-over: the thread has waited for the bank
// (`waits`), or the same word has reported it before, and that is counted.
EITHER_WAY bool gives_back(struct tsr_env *env, int thread, uint32_t word, uint8_t sides,
                           uint8_t waits)
{
    if (!owns_banks(env, sides))
        return false;
    if ((sides & ~waits) == 0)
        return true;
    unsigned unordered = count_unordered(env, thread, sides & ~waits);
    return unordered == 0 ||
           tsr_report_repeats(env, FINDING_SRC_BANK_UNORDERED, thread, word, unordered);
}

// ---------------------------------------------------------------- the parts

// `rows` rows of SrcB from `row` on, with the part's broadcasts. `cells` is room for copies.
static const uint32_t *broadcast_b(const struct runner *runner, const struct tsr_matrix_part *part,
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

EITHER_WAY void run_stretch(struct runner *runner, const struct tsr_matrix_part *part,
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
EITHER_WAY void run_part(struct runner *runner, const struct tsr_matrix_part *part, bool plain)
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

EITHER_WAY void run_parts(struct runner *runner)
{
    const struct tsr_matrix_sequence *sequence = runner->sequence;
    const struct tsr_matrix_part *const end = sequence->part + sequence->parts;
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
        runner->src[side] = bank_of(runner, side)->datum;
    if (sequence->computes)
        runner->mode = sequence->mode;
    if (sequence->plain && runner->order == 0)
        for (const struct tsr_matrix_part *part = sequence->part; part < end; part++)
            run_part(runner, part, true);
    else
        for (const struct tsr_matrix_part *part = sequence->part; part < end; part++)
            run_part(runner, part, false);
}

// ---------------------------------------------------------------- what is left behind

static void write_shadow(const struct runner *runner)
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

// tsr_matrix_flip_banks() and tsr_matrix_release_banks() in one step.
static void give_back(struct tsr_env *env, uint8_t clears, uint8_t keeps)
{
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        struct tsr_src *src = &env->state->src[side];
        struct tsr_src_bank *bank = tsr_src_for_matrix(src);
        if (!(clears >> side & 1))
            continue;
        if (!(keeps >> side & 1)) {
            env->state->src_shadow[side][src->matrix_bank].lent = false;
            bank->matrix_owns = bank->filled = false;
        }
        src->matrix_bank ^= 1;
    }
}

// Counters and banks after the words; `whole`: after all of them, else all but the last.
EITHER_WAY void leave(struct tsr_env *env, int thread, const struct tsr_matrix_sequence *sequence,
                      bool whole)
{
    env->state->rwcs.thread[thread] = whole ? sequence->after : sequence->before_last;
    if (sequence->leaves_row)
        env->state->matrix.srca_row = sequence->srca_row;
    if (whole && sequence->clears)
        give_back(env, sequence->clears, sequence->keeps);
}

// Whether the last word, too, executes now.
EITHER_WAY bool takes_last(struct tsr_env *env, int thread,
                           const struct tsr_matrix_sequence *sequence)
{
    return !sequence->asks || gives_back(env, thread, sequence->word[sequence->words - 1],
                                         sequence->clears & ~sequence->keeps, sequence->waits);
}

// All but the last word if that must wait. How many were executed.
static unsigned run_sequence(struct runner *runner)
{
    const struct tsr_matrix_sequence *sequence = runner->sequence;
    struct tsr_env *env = runner->env;
    bool whole = takes_last(env, runner->thread, sequence);
    if (!whole && sequence->words == 1)
        return 0;
    run_parts(runner);
    write_shadow(runner);
    tsr_matrix_mark_read(env, sequence->waits);
    leave(env, runner->thread, sequence, whole);
    return sequence->words - !whole;
}

// Whether the side is not waited for, or its bank and rows are there. Kernels mostly take a face.
EITHER_WAY bool reads_clean(struct tsr_state *state, const struct tsr_matrix_sequence *sequence,
                            int side, const struct tsr_src_bank **bank)
{
    const struct tsr_matrix_rows *rows = &sequence->src[side];
    const struct tsr_src_bank *own = *bank = tsr_src_for_matrix(&state->src[side]);
    if (!(sequence->waits >> side & 1))
        return true;
    return own->matrix_owns &&
           (rows->count == FACE_ROWS
                ? tsr_matrix_rows_clean(own->written, own->tainted, rows->first, FACE_ROWS)
                : tsr_matrix_rows_clean(own->written, own->tainted, rows->first, rows->count));
}

// The same of a sequence that is `simple`, where rows of Dst stand as their numbers say: with all
// that it asks first. 0: it does not execute so.
EITHER_WAY unsigned run_simple(struct tsr_env *env, int thread, const struct tsr_matrix_plan *plan,
                               const struct tsr_matrix_sequence *sequence)
{
    struct tsr_state *state = env->state;
    const struct tsr_matrix_part *part = &sequence->part[0];
    const struct tsr_src_bank *bank[2];
    unsigned shift;
    if (!place(sequence, plan, TSR_DST_ROWS, &shift))
        return 0;
    if (!reads_clean(state, sequence, TSR_SRCA, &bank[TSR_SRCA]) ||
        !reads_clean(state, sequence, TSR_SRCB, &bank[TSR_SRCB]))
        return 0;
    bool whole = takes_last(env, thread, sequence);
    if (!whole && sequence->words == 1)
        return 0;
    tsr_matrix_mark_read(env, sequence->waits);
    const uint32_t *a = bank[TSR_SRCA]->datum[part->row[TSR_SRCA]];
    const uint32_t *b = bank[TSR_SRCB]->datum[part->row[TSR_SRCB]];
    unsigned row = part->dst + shift;
    size_t datums = (size_t)part->rows * TSR_COLUMNS;
    if (part->kind == TSR_PART_ELEMENT) {
        part->kernel.element(state->dst.bits[row], NULL, a, b, datums, false, &sequence->mode);
    } else {
        int side = part->kind == TSR_PART_MOVE_A ? TSR_SRCA : TSR_SRCB;
        part->kernel.move(state->dst.bits[row], NULL, side == TSR_SRCA ? a : b, datums,
                          &sequence->move[side]);
    }
    tsr_dst_wrote_plain(&state->dst, row, part->rows);
    leave(env, thread, sequence, whole);
    return sequence->words - !whole;
}

// ---------------------------------------------------------------- the sequence of some words

static uint8_t tag_of(const struct tsr_env *env, const struct tsr_matrix_plan *plan, int side)
{
    const struct tsr_src *src = &env->state->src[side];
    return plan->start.implied[side] ? src->bank[src->matrix_bank].implied_format : 0;
}

static struct tsr_matrix_sequence_key key_of(const struct tsr_env *env, int thread,
                                             const struct tsr_matrix_plan *plan)
{
    struct tsr_matrix_sequence_key key = {
        .stamp = plan->stamp,
        .before = env->state->rwcs.thread[thread],
        .tag = {tag_of(env, plan, TSR_SRCA), tag_of(env, plan, TSR_SRCB)},
    };
    return key;
}

static unsigned hash_of(const tsr_rwc *rwc, const struct tsr_matrix_plan *plan, int thread,
                        const uint32_t *words, unsigned count)
{
    uint32_t hash = words[0] * 0x9e3779b1u ^ words[count > 1] * 0x85ebca6bu;
    hash ^= (uint32_t)rwc->dst * 0xc2b2ae35u + (uint32_t)rwc->srca * 0x27d4eb2fu +
            (uint32_t)(rwc->fidelity << 8 | thread << 4 | plan->start.fidelity_base) * 0x165667b1u +
            count;
    return (hash ^ hash >> 15) * 0x9e3779b1u >> 27;
}
_Static_assert(TSR_SEQUENCES == 2 << (32 - 27), "a pair of places for each hash");

static bool same_words(const struct tsr_matrix_sequence *sequence, const uint32_t *words,
                       unsigned count)
{
    unsigned same = sequence->words > 0 ? sequence->words : 1;
    if (sequence->ends ? same > count : same != count)
        return false; // it could be longer now
    for (unsigned i = 0; i < same; i++)
        if (sequence->word[i] != words[i])
            return false;
    return true;
}

static inline bool is_for(const struct tsr_env *env, const struct tsr_matrix_sequence *sequence,
                          int thread, const struct tsr_matrix_plan *plan, const uint32_t *words,
                          unsigned count)
{
    const struct tsr_matrix_sequence_key *from = &sequence->from;
    return from->stamp == plan->stamp &&
           memcmp(&from->before, &env->state->rwcs.thread[thread], sizeof from->before) == 0 &&
           from->tag[TSR_SRCA] == tag_of(env, plan, TSR_SRCA) &&
           from->tag[TSR_SRCB] == tag_of(env, plan, TSR_SRCB) && same_words(sequence, words, count);
}

// By what it depends on. NULL: nothing executes as one now.
static __attribute__((noinline)) struct tsr_matrix_sequence *
look_up(struct tsr_env *env, int thread, const struct tsr_matrix_plan *plan, const uint32_t *words,
        unsigned count)
{
    struct tsr_matrix_plans *plans = env->matrix_plans;
    unsigned hash = hash_of(&env->state->rwcs.thread[thread], plan, thread, words, count);
    struct tsr_matrix_sequence *pair = &plans->sequence[2 * hash];
    uint8_t recent = plans->recent[hash];
    if (is_for(env, &pair[recent], thread, plan, words, count))
        return &pair[recent];
    recent ^= 1;
    plans->recent[hash] = recent;
    if (is_for(env, &pair[recent], thread, plan, words, count))
        return &pair[recent];
    pair[recent].from = key_of(env, thread, plan);
    if (!tsr_matrix_sequence_make(env, thread, plan, words, count, &pair[recent]))
        return NULL;
    return &pair[recent];
}

// Whether the first word could be one of a sequence now.
static bool begins(const struct tsr_env *env, uint32_t word)
{
    return owns_banks(env, tsr_matrix_operations[tsr_op_of(env->isa, word)].waits);
}

// Most often the one that came after the last one the last time. NULL: nothing executes as one now.
EITHER_WAY const struct tsr_matrix_sequence *sequence_of(struct tsr_env *env, int thread,
                                                         const struct tsr_matrix_plan *plan,
                                                         const uint32_t *words, unsigned count)
{
    struct tsr_matrix_plans *plans = env->matrix_plans;
    uint8_t *after = &plans->after[plans->latest];
    struct tsr_matrix_sequence *sequence = &plans->sequence[*after];
    if (is_for(env, sequence, thread, plan, words, count))
        return sequence;
    sequence = look_up(env, thread, plan, words, count);
    if (sequence)
        *after = (uint8_t)(sequence - plans->sequence);
    return sequence;
}

// The sequence that sequence_of() has found executes.
EITHER_WAY void note_latest(struct tsr_matrix_plans *plans)
{
    plans->latest = plans->after[plans->latest];
}

// False: it does not execute now.
static bool prepare(struct tsr_env *env, int thread, const struct tsr_matrix_plan *plan,
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

// As run_simple(), of any sequence.
static __attribute__((noinline)) unsigned run_other(struct tsr_env *env, int thread,
                                                    const struct tsr_matrix_plan *plan,
                                                    const struct tsr_matrix_sequence *sequence)
{
    struct runner runner;
    return prepare(env, thread, plan, sequence, &runner) ? run_sequence(&runner) : 0;
}

static bool takes_none(const struct tsr_env *env)
{
    return env->state->matrix.kept_columns || tsr_dst_high_halves(&env->state->debug);
}

// A SETRWC that begins a run, as one does that waited at the gate: it needs no sequence. False: it
// must wait or report.
static bool run_setrwc(struct tsr_env *env, int thread, uint32_t word)
{
    const struct tsr_matrix_args *args = tsr_matrix_args_of(env, word);
    uint8_t clears = args->clear_dvalid, keeps = 0;
    if (clears != 0)
        keeps = tsr_matrix_plan_for(env, thread)->start.keep_owner;
    if ((clears & ~keeps) != 0 && !gives_back(env, thread, word, clears & ~keeps, 0))
        return false;
    tsr_rwc_set(&env->state->rwcs.thread[thread], &args->rwc);
    give_back(env, clears, keeps);
    return true;
}

// A single word that is cheaper here than by the stages, if it executes here at all.
static bool pays_alone(enum tsr_op op)
{
    return op == OP_SETRWC || op == OP_MOVA2D || op == OP_MOVB2D || op == OP_ELWADD ||
           op == OP_ELWSUB || op == OP_ELWMUL;
}

unsigned tsr_matrix_run_block(struct tsr_env *env, int thread, const uint32_t *words,
                              unsigned count)
{
    unsigned done = 0;
    enum tsr_op op = tsr_op_of(env->isa, words[0]);
    if (env->timing || takes_none(env) || (count == 1 && !pays_alone(op)))
        return 0;
    if (op == OP_SETRWC) {
        if (!run_setrwc(env, thread, words[0]))
            return 0;
        done = 1;
    }
    while (done < count && begins(env, words[done])) {
        const struct tsr_matrix_plan *plan = tsr_matrix_plan_for(env, thread);
        const struct tsr_matrix_sequence *sequence =
            sequence_of(env, thread, plan, words + done, count - done);
        if (!sequence || sequence->words == 0)
            break;
        unsigned executed = sequence->simple && plan->start.order == 0
                                ? run_simple(env, thread, plan, sequence)
                                : run_other(env, thread, plan, sequence);
        if (executed > 0)
            note_latest(env->matrix_plans);
        done += executed;
        if (executed < sequence->words)
            break;
    }
    return done;
}

// ---------------------------------------------------------------- with timing on

// Each word writes a block of Dst of its own, and gives no bank back.
static bool writes_blocks(const struct tsr_matrix_sequence *sequence)
{
    unsigned moved = 0, written = 0;
    for (unsigned i = 0; i < sequence->writes; i++)
        written += sequence->written[i].count;
    for (unsigned i = 0; i < sequence->parts; i++) {
        moved += sequence->part[i].rows;
        if (sequence->part[i].dst % BLOCK_ROWS || sequence->part[i].rows % BLOCK_ROWS)
            return false;
    }
    return written == moved && moved == sequence->words * (unsigned)BLOCK_ROWS && !sequence->clears;
}

// Block by block of Dst as the words write it, one a cycle: what `step` says of all.
static bool each_block(struct runner *runner, bool (*step)(struct runner *runner, unsigned row))
{
    uint64_t *now = &runner->env->state->now, start = *now;
    bool goes_on = true;
    for (unsigned i = 0; goes_on && i < runner->sequence->parts; i++) {
        const struct tsr_matrix_part *part = &runner->sequence->part[i];
        for (unsigned row = 0; goes_on && row < part->rows; row += BLOCK_ROWS, ++*now)
            goes_on = step(runner, part->dst + runner->dst_shift + row);
    }
    *now = start;
    return goes_on;
}

static bool is_open(struct runner *runner, unsigned row)
{
    return tsr_dst_open_at(runner->env, false, runner->order, row, BLOCK_ROWS,
                           runner->sequence->wide) <= runner->env->state->now;
}

static bool note_write(struct runner *runner, unsigned row)
{
    struct tsr_dst_view view =
        tsr_dst_at(&runner->env->state->dst, runner->order, row, runner->sequence->wide);
    tsr_dst_note_write(runner->env, &view);
    return true;
}

// Whether the first word waits for nothing; then the others, which come later, do not either.
static bool is_ready(const struct tsr_env *env, uint32_t word)
{
    enum tsr_op op = tsr_op_of(env->isa, word);
    uint8_t waits = tsr_matrix_operations[op].waits;
    uint64_t retry_at = 0;
    return (!(waits & TSR_SIDE_A) || tsr_matrix_bank_ready(env, TSR_SRCA)) &&
           (!(waits & TSR_SIDE_B) || tsr_matrix_bank_ready(env, TSR_SRCB)) &&
           tsr_matrix_hazard(env, (uint8_t)op, &retry_at) == TSR_REASON_NONE;
}

unsigned tsr_matrix_run_timed_block(struct tsr_env *env, int thread, const uint32_t *words,
                                    unsigned count)
{
    struct runner runner;
    if (takes_none(env) || !is_ready(env, words[0]))
        return 0;
    const struct tsr_matrix_plan *plan = tsr_matrix_plan_for(env, thread);
    const struct tsr_matrix_sequence *sequence = sequence_of(env, thread, plan, words, count);
    if (!sequence || sequence->words == 0 || !prepare(env, thread, plan, sequence, &runner) ||
        !writes_blocks(sequence))
        return 0;
    bool reads = env->isa->dst_reader[tsr_op_of(env->isa, words[0])] && !tsr_dst_all_open(env);
    if (tsr_dst_run(runner.order, 0, runner.sequence->wide) < BLOCK_ROWS ||
        (reads && !each_block(&runner, is_open)))
        return 0;
    each_block(&runner, note_write);
    note_latest(env->matrix_plans);
    return run_sequence(&runner);
}
