// SPDX-License-Identifier: Apache-2.0
// Runs of UNPACRs as one, with timing off: the faces of a tile, or SrcA and SrcB in turn, as a MOP
// or a replay gives them. Within a run no configuration changes, so that the operands and the plan
// of each unpacker are found once, and no word passes the three stages. A word goes along if it
// neither waits nor reports, and if its plan stands: the run ends before any other one, and that is
// executed alone (unpack_unit.c). Page: UNPACR_Regular.md.
#include "unpack/unpack_block.h"

#include "state/src_hand_over.h"
#include "unpack/unpack_address.h"
#include "unpack/unpack_execute.h"
#include "unpack/unpack_plain.h"

// What the words of one unpacker in the run have in common.
struct side {
    uint32_t word; // that the operands are of; 0: none yet
    const struct tsr_unpack_operands *operands;
    const struct tsr_unpack_plan *plan;
};

// False: not an UNPACR of datums, something to report about the word, or no plan that stands.
static bool begin_side(const struct tsr_env *env, const struct tsr_inflight *inst,
                       struct side *side)
{
    struct tsr_unpack_operands *operands = &env->unpack_plans->operands[inst->word >> 23 & 1];
    side->word = 0;
    if (tsr_op_of(env->isa, inst->word) != OP_UNPACR)
        return false;
    tsr_unpack_decode(env, inst, operands);
    if (operands->flushes_cache || operands->only_counts || operands->anomalies)
        return false;
    side->plan = tsr_unpack_plan_standing(env, operands);
    if (!side->plan || side->plan->config.anomalies)
        return false;
    side->operands = operands;
    side->word = inst->word;
    return true;
}

static bool unpackers_own_bank(const struct tsr_env *env, unsigned unpacker)
{
    const struct tsr_src *src = &env->state->src[unpacker];
    return !src->bank[src->unpacker_bank].matrix_owns;
}

// tsr_unpack_leave_bank() and tsr_unpack_publish_bank() in one step.
static void hand_over(struct tsr_env *env, const struct tsr_inflight *inst, const struct side *side)
{
    const struct tsr_unpack_operands *operands = side->operands;
    const struct tsr_unpack_config *c = &side->plan->config;
    uint8_t base = side->plan->inputs.src_row_base;
    uint8_t *src_row = &env->state->unpacker[operands->unpacker].src_row[operands->thread];
    if (operands->flip) {
        struct tsr_src *src = &env->state->src[operands->unpacker];
        struct tsr_src_bank *bank =
            &src->bank[tsr_src_hand_over(env, inst, (int)operands->unpacker)];
        bank->matrix_owns = true;
        if (env->chip->implied_formats)
            bank->implied_format = c->out_format;
        *src_row = base;
    } else if (c->steps_src_row) {
        *src_row = (uint8_t)((*src_row + 16 + base) & (TSR_SRC_ROWS - 1));
    }
}

static bool run_plain(struct tsr_env *env, const struct tsr_inflight *inst, const struct side *side)
{
    const struct tsr_unpack_operands *operands = side->operands;
    struct tsr_unpack_plain at;
    if (!tsr_unpack_locate_plain(env, operands, side->plan, &at) ||
        !tsr_unpack_move_plain(env, operands->unpacker, operands->thread, &side->plan->config, &at,
                               side->plan->to_src))
        return false;
    tsr_unpack_step_counters(env, operands, &side->plan->config);
    hand_over(env, inst, side);
    return true;
}

// By way of a job: rows that lie apart, transposed ones, those on their way to Dst.
static bool run_any(struct tsr_env *env, struct tsr_inflight *inst, const struct side *side)
{
    const struct tsr_unpack_operands *operands = side->operands;
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    inst->has_bank = false;
    tsr_unpack_job_begin(operands, side->plan, job);
    if (tsr_unpack_address(env, operands, &side->plan->inputs, job) ||
        tsr_unpack_check_input(env, job))
        return false;
    if (job->flip && job->output_datums == 0 &&
        !tsr_src_for_unpacker(&env->state->src[job->unpacker])->filled)
        return false;
    tsr_unpack_step_counters(env, operands, &job->config);
    tsr_unpack_move(env, job);
    tsr_unpack_leave_bank(env, inst);
    tsr_unpack_publish_bank(env, inst);
    return true;
}

static bool run_word(struct tsr_env *env, struct tsr_inflight *inst, struct side *side)
{
    if (side->word != inst->word && !begin_side(env, inst, side))
        return false;
    if (!unpackers_own_bank(env, side->operands->unpacker) ||
        !(run_plain(env, inst, side) || run_any(env, inst, side)))
        return false;
    env->plans_reused++;
    return true;
}

unsigned tsr_unpack_run_block(struct tsr_env *env, int thread, const uint32_t *words,
                              unsigned count)
{
    struct side sides[2];
    struct tsr_inflight inst; // what the functions of single instructions read of one
    unsigned done = 0;
    sides[0].word = sides[1].word = 0;
    inst.op = OP_UNPACR;
    inst.thread = (uint8_t)thread;
    inst.sequence = env->state->frontend[thread].sequence;
    for (; done < count; done++) {
        inst.word = words[done];
        inst.sequence++;
        if (!run_word(env, &inst, &sides[words[done] >> 23 & 1]))
            break;
    }
    return done;
}
