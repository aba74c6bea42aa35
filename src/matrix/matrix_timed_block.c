// SPDX-License-Identifier: Apache-2.0
// Executes words of one opcode as one with timing on, where each executes in its own cycle: the
// first of them waits for nothing, so that those behind it, which come later, wait for no bank and
// no move, and each finds its block of Dst open. They are the first words of a sequence, and it
// runs as with timing off. Pages: MatrixUnit.md, Dst.md ("Instruction scheduling"), MOVA2D.md.
#include "matrix/matrix_timed_block.h"

#include "matrix/banks.h"
#include "matrix/hazards.h"
#include "matrix/matrix_operations.h"
#include "matrix/matrix_sequence_run.h"
#include "matrix/matrix_sequences.h"
#include "state/dst_rules.h"

static bool is_ready(const struct tsr_env *env, enum tsr_op op)
{
    uint8_t waits = tsr_matrix_operations[op].waits;
    uint64_t retry_at = 0;
    return (!(waits & TSR_SIDE_A) || tsr_matrix_bank_ready(env, TSR_SRCA)) &&
           (!(waits & TSR_SIDE_B) || tsr_matrix_bank_ready(env, TSR_SRCB)) &&
           tsr_matrix_hazard(env, (uint8_t)op, &retry_at) == TSR_REASON_NONE;
}

static unsigned row_of(const struct runner *runner, unsigned word)
{
    return runner->sequence->timed[word].dst + runner->dst_shift;
}

// How many of the first `words` find their block of Dst open, one a cycle from now on. What they
// write themselves keeps none of them out.
static unsigned count_open(const struct runner *runner, unsigned words)
{
    struct tsr_env *env = runner->env;
    uint64_t *now = &env->state->now, start = *now;
    uint64_t all_open = env->state->dst_writes.last + env->isa->rate[RATE_DST_READ_AFTER_WRITE];
    unsigned open = 0;
    while (open < words && *now < all_open &&
           tsr_dst_open_at(env, false, runner->order, row_of(runner, open), BLOCK_ROWS,
                           runner->sequence->wide) <= *now) {
        open++;
        ++*now;
    }
    open = *now < all_open ? open : words;
    *now = start;
    return open;
}

static void note_writes(const struct runner *runner, unsigned words)
{
    struct tsr_env *env = runner->env;
    uint64_t *now = &env->state->now, start = *now;
    for (unsigned i = 0; i < words; i++, ++*now) {
        struct tsr_dst_view view =
            tsr_dst_at(&env->state->dst, runner->order, row_of(runner, i), runner->sequence->wide);
        tsr_dst_note_write(env, &view);
    }
    *now = start;
}

// Not all of the sequence.
static void run_first(struct runner *runner, unsigned words)
{
    const struct tsr_matrix_part *part = runner->sequence->part;
    unsigned rows = words * BLOCK_ROWS;
    take_banks(runner);
    for (; rows > 0; part++) {
        struct tsr_matrix_part first = *part;
        first.rows = first.rows < rows ? first.rows : (uint8_t)rows;
        run_part(runner, &first, false);
        rows -= first.rows;
    }
    for (unsigned i = 0; i < words; i++) {
        struct tsr_dst *dst = &runner->env->state->dst;
        struct tsr_dst_view view =
            tsr_dst_at(dst, runner->order, row_of(runner, i), runner->sequence->wide);
        tsr_dst_wrote_untainted(dst, &view, BLOCK_ROWS);
    }
}

static void run_words(struct runner *runner, unsigned words)
{
    const struct tsr_matrix_sequence *sequence = runner->sequence;
    struct tsr_state *state = runner->env->state;
    if (words == sequence->words) {
        run_parts(runner);
        write_shadow(runner);
    } else {
        run_first(runner, words);
    }
    tsr_matrix_mark_read(runner->env, sequence->waits);
    state->rwcs.thread[runner->thread] = sequence->timed[words - 1].after;
    if (sequence->leaves_row)
        state->matrix.srca_row = sequence->timed[words - 1].srca;
}

unsigned tsr_matrix_run_timed_block(struct tsr_env *env, int thread, const uint32_t *words,
                                    unsigned count)
{
    struct runner runner;
    enum tsr_op op = tsr_op_of(env->isa, words[0]);
    if (takes_none(env) || !is_ready(env, op))
        return 0;
    const struct tsr_matrix_plan *plan = tsr_matrix_plan_for(env, thread);
    const struct tsr_matrix_sequence *sequence =
        tsr_matrix_sequence_of(env, thread, plan, words, count, true);
    if (!sequence || sequence->timed_words == 0 || !prepare(env, thread, plan, sequence, &runner) ||
        tsr_dst_run(runner.order, 0, sequence->wide) < BLOCK_ROWS)
        return 0;
    count = count < sequence->timed_words ? count : sequence->timed_words;
    if (env->isa->dst_reader[op])
        count = count_open(&runner, count);
    if (count < 2)
        return 0;
    note_writes(&runner, count);
    tsr_matrix_sequence_ran(env->matrix_plans);
    run_words(&runner, count);
    return count;
}

bool tsr_matrix_run_face(struct tsr_env *env, int thread, const uint32_t *words, unsigned count,
                         struct tsr_inflight *setrwc)
{
    struct runner runner;
    struct tsr_matrix_job *job = tsr_matrix_job_of(setrwc);
    const struct tsr_matrix_call call = {.env = env, .inst = setrwc, .job = job};
    const enum tsr_op op = tsr_op_of(env->isa, words[0]);
    if (takes_none(env) || !is_ready(env, op))
        return false;
    const struct tsr_matrix_plan *plan = tsr_matrix_plan_for(env, thread);
    const struct tsr_matrix_sequence *sequence =
        tsr_matrix_sequence_of(env, thread, plan, words, count + 1, true);
    if (!sequence || sequence->words != count + 1 || sequence->timed_words != count ||
        (sequence->clears & ~sequence->waits) != 0 ||
        !prepare(env, thread, plan, sequence, &runner) ||
        tsr_dst_run(runner.order, 0, sequence->wide) < BLOCK_ROWS ||
        (env->isa->dst_reader[op] && count_open(&runner, count) < count))
        return false;
    note_writes(&runner, count);
    tsr_matrix_sequence_ran(env->matrix_plans);
    run_parts(&runner);
    write_shadow(&runner);
    tsr_matrix_mark_read(env, sequence->waits);
    env->state->rwcs.thread[thread] = sequence->after;
    if (sequence->leaves_row)
        env->state->matrix.srca_row = sequence->srca_row;
    job->clear_dvalid = sequence->clears;
    job->keep_owner = sequence->keeps;
    job->keep_pointer = job->reset_banks = false;
    job->released = 0;
    tsr_matrix_flip_banks(&call);
    return true;
}
