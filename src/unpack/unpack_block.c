// SPDX-License-Identifier: Apache-2.0
// Runs of UNPACRs as one, with timing off: the faces of a tile, or SrcA and SrcB in turn, as a MOP
// or a replay gives them. Within a run no configuration changes, so that the operands and the plan
// of each unpacker are found once, and no word passes the three stages. A word goes along if it
// neither waits nor reports, and if its plan stands: the run ends before any other one, and that is
// executed alone (unpack_unit.c). UNPACR_NOPs that clear or hand over a bank go along.
// Also such words that are looked at before they may execute (frontend/bank_turns.c).
// Pages: UNPACR_Regular.md, UNPACR_NOP_ZEROSRC.md, UNPACR_NOP_SETDVALID.md.
#include "unpack/unpack_block.h"

#include "unpack/unpack_address.h"
#include "unpack/unpack_execute.h"
#include "unpack/unpack_nop.h"
#include "unpack/unpack_nop_execute.h"
#include "unpack/unpack_plain.h"

// NULL: not an UNPACR of datums, something to report about the word, or no plan that stands.
static const struct tsr_unpack_operands *operands_of(const struct tsr_env *env,
                                                     const struct tsr_inflight *inst)
{
    struct tsr_unpack_operands *operands = &env->unpack_plans->operands[inst->word >> 23 & 1];
    TSR_FOUND(operands);
    if (tsr_unpack_goes_on(env, inst, operands))
        return operands;
    if (tsr_op_of(env->isa, inst->word) != OP_UNPACR)
        return NULL;
    tsr_unpack_decode(env, inst, operands);
    if (operands->flushes_cache || operands->only_counts || operands->anomalies)
        return NULL;
    struct tsr_unpack_plan *plan = tsr_unpack_plan_standing(env, operands);
    if (!plan || plan->config.anomalies)
        return NULL;
    operands->standing = plan;
    operands->changes = env->state->config.changes;
    return operands;
}

static bool unpackers_own_bank(const struct tsr_env *env, unsigned unpacker)
{
    const struct tsr_src *src = &env->state->src[unpacker];
    TSR_FOUND(src);
    return !src->bank[src->unpacker_bank].matrix_owns;
}

static bool run_plain(struct tsr_env *env, const struct tsr_inflight *inst,
                      const struct tsr_unpack_operands *operands)
{
    struct tsr_unpack_plan *plan = operands->standing;
    const struct tsr_unpack_config *config = &plan->config;
    uint8_t base = plan->inputs.src_row_base;
    struct tsr_unpack_plain at;
    bool known;
    if (!tsr_unpack_find_plain(env, operands, plan, &at, &known) ||
        !tsr_unpack_move_plain(env, operands->unpacker, operands->thread, config, &at,
                               plan->to_src))
        return false;
    tsr_unpack_leave_plain(env, operands, plan, &at, known);
    if (operands->flip)
        tsr_unpack_give_bank(env, inst, operands->unpacker, base, config->out_format);
    else if (config->steps_src_row)
        tsr_unpack_step_src_row(env, operands->unpacker, operands->thread, base);
    return true;
}

// By way of a job: rows that lie apart, transposed ones, those on their way to Dst.
static bool run_any(struct tsr_env *env, struct tsr_inflight *inst,
                    const struct tsr_unpack_operands *operands)
{
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    inst->has_bank = false;
    tsr_unpack_job_begin(operands, operands->standing, job);
    if (tsr_unpack_address(env, operands, &operands->standing->inputs, job) ||
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

// What MOPs of unpackers have between UNPACRs: a bank that is cleared, or handed over.
static bool run_nop(struct tsr_env *env, struct tsr_inflight *inst)
{
    tsr_reason reason; // it comes again singly, and says it then
    inst->op = OP_UNPACR_NOP;
    return tsr_unpack_nop_accept_quiet(env, inst) && tsr_unpack_nop_finish(env, inst, &reason);
}

static bool run_word(struct tsr_env *env, struct tsr_inflight *inst)
{
    if (tsr_op_of(env->isa, inst->word) == OP_UNPACR_NOP)
        return run_nop(env, inst);
    inst->op = OP_UNPACR;
    const struct tsr_unpack_operands *operands = operands_of(env, inst);
    if (!operands || !unpackers_own_bank(env, operands->unpacker) ||
        !(run_plain(env, inst, operands) || run_any(env, inst, operands)))
        return false;
    env->plans_reused++;
    return true;
}

unsigned tsr_unpack_run_block(struct tsr_env *env, int thread, const uint32_t *words,
                              unsigned count)
{
    struct tsr_inflight inst; // what the functions of single instructions read of one
    unsigned done = 0;
    inst.thread = (uint8_t)thread;
    inst.sequence = env->state->frontend[thread].sequence;
    for (; done < count; done++) {
        inst.word = words[done];
        inst.sequence++;
        if (!run_word(env, &inst))
            break;
    }
    return done;
}

// ---------------------------------------------------------------- with timing on

bool tsr_unpack_take(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    struct tsr_unpack_plain at;
    if (inst->op != OP_UNPACR)
        return false;
    const struct tsr_unpack_operands *operands = operands_of(env, inst);
    if (!operands || !unpackers_own_bank(env, operands->unpacker))
        return false;
    const struct tsr_unpack_plan *plan = operands->standing;
    const unsigned unpacker = operands->unpacker;
    if (!tsr_unpack_locate_plain(env, operands, plan, &at) ||
        !tsr_unpack_move_plain(env, unpacker, operands->thread, &plan->config, &at, plan->to_src))
        return false;
    env->plans_reused++;
    tsr_unpack_step_counters(env, operands, &plan->config);
    job->kind = UNPACK_DATUMS;
    job->unpacker = (uint8_t)unpacker;
    job->thread = operands->thread;
    job->src_row_base = plan->inputs.src_row_base;
    job->implied_format = plan->config.out_format;
    env->state->now += inst->address;
    inst->duration =
        tsr_unpack_fetch(env, &plan->config, unpacker, tsr_unpack_bytes(&plan->config, at.datums));
    env->state->now -= inst->address;
    if (operands->flip)
        tsr_unpack_hand_over(env, inst);
    else if (plan->config.steps_src_row)
        tsr_unpack_step_src_row(env, unpacker, operands->thread, job->src_row_base);
    return true;
}

// ---------------------------------------------------------------- one that may have to wait

static void keep_counters(const struct tsr_env *env, unsigned unpacker, unsigned thread,
                          struct tsr_unpack_counters *counters)
{
    for (unsigned adc = 0; adc < TSR_THREADS; adc++)
        memcpy(counters->channel[adc], env->state->adcs.channel[adc][unpacker],
               sizeof counters->channel[adc]);
    counters->context = env->state->unpacker[unpacker].context_counter[thread];
}

bool tsr_unpack_look_ahead(struct tsr_env *env, struct tsr_unpack_ahead *ahead)
{
    struct tsr_inflight *inst = &ahead->inst;
    ahead->plan = NULL;
    if (inst->op == OP_UNPACR_NOP)
        return tsr_unpack_nop_accept_quiet(env, inst) &&
               tsr_unpack_job_of(inst)->kind != UNPACK_SET_REGISTER &&
               tsr_unpack_job_of(inst)->kind != UNPACK_CLEAR_MESSAGE;
    const struct tsr_unpack_operands *operands = operands_of(env, inst);
    bool known;
    if (!operands || !tsr_unpack_find_plain(env, operands, operands->standing, &ahead->at, &known))
        return false;
    ahead->plan = operands->standing;
    ahead->flip = operands->flip;
    keep_counters(env, operands->unpacker, inst->thread, &ahead->before);
    tsr_unpack_leave_plain(env, operands, operands->standing, &ahead->at, known);
    return true;
}

void tsr_unpack_look_back(struct tsr_env *env, const struct tsr_unpack_ahead *ahead)
{
    unsigned unpacker = ahead->inst.unit == TSR_UNIT_UNPACKER1;
    if (!ahead->plan)
        return;
    for (unsigned adc = 0; adc < TSR_THREADS; adc++)
        memcpy(env->state->adcs.channel[adc][unpacker], ahead->before.channel[adc],
               sizeof ahead->before.channel[adc]);
    env->state->unpacker[unpacker].context_counter[ahead->inst.thread] = ahead->before.context;
}

bool tsr_unpack_run_ahead(struct tsr_env *env, struct tsr_unpack_ahead *ahead, tsr_reason *reason)
{
    struct tsr_inflight *inst = &ahead->inst;
    const unsigned unpacker = inst->unit == TSR_UNIT_UNPACKER1;
    const struct tsr_unpack_plan *plan = ahead->plan;
    *reason = TSR_REASON_NONE;
    if (!plan)
        return tsr_unpack_nop_finish(env, inst, reason);
    const struct tsr_src *src = &env->state->src[unpacker];
    if (src->bank[src->unpacker_bank].matrix_owns) {
        if (!tsr_src_takes_turns(src, env->state->src_shadow[unpacker])) // which is reported
            *reason = unpacker == TSR_SRCA ? TSR_REASON_SRCA : TSR_REASON_SRCB;
        return false;
    }
    uint8_t base = plan->inputs.src_row_base;
    if (!tsr_unpack_move_plain(env, unpacker, inst->thread, &plan->config, &ahead->at,
                               plan->to_src))
        return false;
    if (ahead->flip)
        tsr_unpack_give_bank(env, inst, unpacker, base, plan->config.out_format);
    else if (plan->config.steps_src_row)
        tsr_unpack_step_src_row(env, unpacker, inst->thread, base);
    env->plans_reused++;
    return true;
}
