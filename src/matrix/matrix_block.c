// SPDX-License-Identifier: Apache-2.0
// Executes sequences of instructions as one with timing off (matrix_block.h), if no instruction of
// it waits or reports. Banks, counters and shadow state follow once, at the end. Pages:
// SrcASrcB.md, Dst.md, RWCs.md, SETRWC.md.
#include "matrix/matrix_block.h"

#include "matrix/banks.h"
#include "matrix/matrix_operations.h"
#include "matrix/matrix_sequence_run.h"
#include "matrix/matrix_sequences.h"
#include "state/src_hand_over.h"

// ---------------------------------------------------------------- may it give banks back?

TSR_INLINE bool owns_banks(const struct tsr_env *env, uint8_t sides)
{
    const struct tsr_src *src = env->state->src;
    return (!(sides & TSR_SIDE_A) || src[TSR_SRCA].bank[src[TSR_SRCA].matrix_bank].matrix_owns) &&
           (!(sides & TSR_SIDE_B) || src[TSR_SRCB].bank[src[TSR_SRCB].matrix_bank].matrix_owns);
}

// Of how many of these sides' banks nothing orders the thread after the hand-over.
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
TSR_INLINE bool gives_back(struct tsr_env *env, int thread, uint32_t word, uint8_t sides,
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

// ---------------------------------------------------------------- what is left behind

// tsr_matrix_flip_banks() and tsr_matrix_release_banks() in one step.
static void give_back(struct tsr_env *env, uint8_t clears, uint8_t keeps)
{
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        struct tsr_src *src = &env->state->src[side];
        struct tsr_src_bank *bank = tsr_src_for_matrix(src);
        TSR_FOUND(bank);
        if (!(clears >> side & 1))
            continue;
        if (!(keeps >> side & 1)) {
            env->state->src_shadow[side][src->matrix_bank].lent = false;
            bank->matrix_owns = bank->filled = false;
        }
        src->matrix_bank ^= 1;
    }
}

// Leaves counters and banks as the words do; `whole`: all of them, else all but the last.
TSR_INLINE void leave(struct tsr_env *env, int thread, const struct tsr_matrix_sequence *sequence,
                      bool whole)
{
    env->state->rwcs.thread[thread] = whole ? sequence->after : sequence->before_last;
    if (sequence->leaves_row)
        env->state->matrix.srca_row = sequence->srca_row;
    if (whole && sequence->clears)
        give_back(env, sequence->clears, sequence->keeps);
}

// ---------------------------------------------------------------- a sequence

// Whether the last word executes with the others: a SETRWC or CLEARDVALID may have to wait or
// report.
TSR_INLINE bool takes_last(struct tsr_env *env, int thread,
                           const struct tsr_matrix_sequence *sequence)
{
    return !sequence->asks || gives_back(env, thread, sequence->word[sequence->words - 1],
                                         sequence->clears & ~sequence->keeps, sequence->waits);
}

// Executes the sequence, but for its last word if that must wait. Returns how many words.
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

// Whether no word reads the side, or its bank is the unit's and its rows are written and untainted.
// Kernels mostly take a face.
TSR_INLINE bool reads_clean(struct tsr_state *state, const struct tsr_matrix_sequence *sequence,
                            int side, const struct tsr_src_bank **bank)
{
    const struct tsr_matrix_rows *rows = &sequence->src[side];
    const struct tsr_src_bank *own = tsr_src_for_matrix(&state->src[side]);
    TSR_FOUND(own);
    *bank = own;
    if (!(sequence->waits >> side & 1))
        return true;
    return own->matrix_owns &&
           (rows->count == TSR_DST_FACE_ROWS
                ? tsr_matrix_rows_clean(own->written, own->tainted, rows->first, TSR_DST_FACE_ROWS)
                : tsr_matrix_rows_clean(own->written, own->tainted, rows->first, rows->count));
}

// As run_other(), of a sequence that is `simple`, where rows of Dst stand as their numbers say: one
// kernel call.
TSR_INLINE unsigned run_simple(struct tsr_env *env, int thread, const struct tsr_matrix_plan *plan,
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
    unsigned row = part->dst + shift;
    size_t datums = (size_t)part->rows * TSR_COLUMNS;
    if (part->kind == TSR_PART_ELEMENT) {
        part->kernel.element(state->dst.bits[row], NULL, bank[TSR_SRCA]->datum[part->row[TSR_SRCA]],
                             bank[TSR_SRCB]->datum[part->row[TSR_SRCB]], datums, false,
                             &sequence->mode);
    } else {
        int side = part->kind == TSR_PART_MOVE_A ? TSR_SRCA : TSR_SRCB;
        part->kernel.move(state->dst.bits[row], NULL, bank[side]->datum[part->row[side]], datums,
                          &sequence->move[side]);
    }
    tsr_dst_wrote_plain(&state->dst, row, part->rows);
    leave(env, thread, sequence, whole);
    return sequence->words - !whole;
}

// ---------------------------------------------------------------- words

// Whether the word's banks are the unit's, so that it is worth making a sequence that begins with
// it.
static bool begins(const struct tsr_env *env, uint32_t word)
{
    return owns_banks(env, tsr_matrix_operations[tsr_op_of(env->isa, word)].waits);
}

// Executes a sequence if it may execute now. Returns how many of its words.
static __attribute__((noinline)) unsigned run_other(struct tsr_env *env, int thread,
                                                    const struct tsr_matrix_plan *plan,
                                                    const struct tsr_matrix_sequence *sequence)
{
    struct runner runner;
    return prepare(env, thread, plan, sequence, &runner) ? run_sequence(&runner) : 0;
}

// Executes a SETRWC that begins a run, as one does that waited at the gate: it needs no sequence.
// False: it must wait or report.
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

static inline unsigned run(struct tsr_env *env, int thread, const struct tsr_matrix_plan *plan,
                           const struct tsr_matrix_sequence *sequence)
{
    return sequence->simple && plan->start.order == 0 ? run_simple(env, thread, plan, sequence)
                                                      : run_other(env, thread, plan, sequence);
}

// What a SETRWC depends on beside its word.
static inline uint32_t keeps_owners(const struct tsr_env *env, int thread)
{
    return tsr_matrix_plan_for(env, thread)->start.keep_owner;
}

// Notes a sequence that ran, or a SETRWC, for tsr_matrix_run_again().
static inline void note_ran(struct tsr_matrix_plans *plans, unsigned place, unsigned words,
                            uint32_t made)
{
    if (plans->rans < TSR_MATRIX_RAN)
        plans->ran[plans->rans++] = (struct tsr_matrix_ran){(uint8_t)place, (uint8_t)words, made};
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
        note_ran(env->matrix_plans, TSR_SEQUENCES, 1, keeps_owners(env, thread));
        done = 1;
    }
    while (done < count) {
        const struct tsr_matrix_plan *plan = tsr_matrix_plan_for(env, thread);
        const struct tsr_matrix_sequence *sequence =
            tsr_matrix_sequence_next(env, thread, plan, words + done, count - done, false);
        if (!sequence && begins(env, words[done]))
            sequence = tsr_matrix_sequence_of(env, thread, plan, words + done, count - done, false);
        if (!sequence || sequence->words == 0)
            break;
        unsigned executed = run(env, thread, plan, sequence);
        if (executed > 0) {
            tsr_matrix_sequence_ran(env->matrix_plans);
            note_ran(env->matrix_plans, env->matrix_plans->latest, executed, sequence->made);
        }
        done += executed;
        if (executed < sequence->words)
            break;
    }
    return done;
}

unsigned tsr_matrix_run_again(struct tsr_env *env, int thread, const struct tsr_matrix_ran *ran,
                              uint32_t word)
{
    struct tsr_matrix_plans *plans = env->matrix_plans;
    if (takes_none(env))
        return 0;
    if (ran->place == TSR_SEQUENCES)
        return ran->made == keeps_owners(env, thread) && run_setrwc(env, thread, word);
    const struct tsr_matrix_plan *plan = tsr_matrix_plan_for(env, thread);
    const struct tsr_matrix_sequence *sequence = &plans->sequence[ran->place];
    if (sequence->made != ran->made || !tsr_sequence_begins_here(env, sequence, thread, plan))
        return 0;
    unsigned executed = run(env, thread, plan, sequence);
    if (executed > 0)
        plans->latest = ran->place;
    return executed;
}
