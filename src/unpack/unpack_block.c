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

// The word's operands, with the plan that stands for them. NULL: it is no UNPACR of datums, there
// is something to report about it, or no plan stands.
static __attribute__((noinline)) const struct tsr_unpack_operands *
decode(const struct tsr_env *env, uint32_t word, uint8_t thread,
       struct tsr_unpack_operands *operands)
{
    struct tsr_inflight inst; // what the functions of single instructions read of one
    if (tsr_op_of(env->isa, word) != OP_UNPACR)
        return NULL;
    tsr_inflight_begin(&inst, word, OP_UNPACR, thread, TSR_UNIT_UNPACKER0);
    tsr_unpack_decode(env, &inst, operands);
    if (operands->flushes_cache || operands->only_counts || operands->anomalies)
        return NULL;
    struct tsr_unpack_plan *plan = tsr_unpack_plan_current(env, operands);
    if (!plan || plan->config.anomalies)
        return NULL;
    operands->current = plan;
    operands->changes = env->state->config.changes;
    return operands;
}

static inline const struct tsr_unpack_operands *operands_of(const struct tsr_env *env,
                                                            uint32_t word, uint8_t thread)
{
    struct tsr_unpack_operands *operands = &env->unpack_plans->operands[word >> 23 & 1];
    TSR_FOUND(operands);
    return tsr_unpack_goes_on(env, word, thread, operands) ? operands
                                                           : decode(env, word, thread, operands);
}

static bool unpackers_own_bank(const struct tsr_env *env, unsigned unpacker)
{
    const struct tsr_src *src = &env->state->src[unpacker];
    TSR_FOUND(src);
    return !src->bank[src->unpacker_bank].matrix_owns;
}

// What an UNPACR does that finds the matrix unit's bank: it waits, unless that is to be reported.
static enum tsr_unpack_went waits_for_bank(const struct tsr_env *env, unsigned unpacker)
{
    return tsr_src_takes_turns(&env->state->src[unpacker], env->state->src_shadow[unpacker])
               ? TSR_UNPACK_ASKS
               : TSR_UNPACK_WAITS;
}

// The bank or SrcRow after an UNPACR with or without SetDatValid.
static inline void leave_src(struct tsr_env *env, struct tsr_origin by,
                             const struct tsr_unpack_plan *plan, unsigned unpacker, unsigned thread,
                             bool flip)
{
    uint8_t base = plan->inputs.src_row_base;
    if (flip)
        tsr_unpack_give_bank(env, by, unpacker, base, plan->config.out_format);
    else if (plan->config.steps_src_row)
        tsr_unpack_step_src_row(env, unpacker, thread, base);
}

// Executes a plain UNPACR (unpack_plain.h). False: it is none, or has something
// to report, and nothing has changed.
static inline bool run_plain(struct tsr_env *env, struct tsr_origin by,
                             const struct tsr_unpack_operands *operands)
{
    struct tsr_unpack_plan *plan = operands->current;
    struct tsr_unpack_plain at;
    bool known;
    if (!tsr_unpack_find_plain(env, operands, plan, &at, &known) ||
        !tsr_unpack_move_plain(env, operands->unpacker, operands->thread, &plan->config, &at,
                               plan->to_src))
        return false;
    tsr_unpack_leave_plain(env, operands, plan, &at, known);
    leave_src(env, by, plan, operands->unpacker, operands->thread, operands->flip);
    return true;
}

// Executes any other UNPACR by way of a job: rows that lie apart, transposed ones, those on their
// way to Dst. False: it has something to report, and nothing has changed.
static bool run_any(struct tsr_env *env, struct tsr_inflight *inst,
                    const struct tsr_unpack_operands *operands)
{
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    inst->has_bank = false;
    tsr_unpack_job_begin(operands, operands->current, job);
    if (tsr_unpack_address(env, operands, &operands->current->inputs, job) ||
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

static bool run_word(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_origin by = tsr_origin_of(inst);
    if (tsr_op_of(env->isa, inst->word) == OP_UNPACR_NOP) // a bank that is cleared, or handed over
        return tsr_unpack_nop_now(env, by) == TSR_UNPACK_DONE;
    const struct tsr_unpack_operands *operands = operands_of(env, inst->word, inst->thread);
    if (!operands || !unpackers_own_bank(env, operands->unpacker) ||
        !(run_plain(env, by, operands) || run_any(env, inst, operands)))
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
    inst.op = OP_UNPACR;
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

bool tsr_unpack_take_whole(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_unpack_job *job = tsr_unpack_job_of(inst);
    struct tsr_unpack_plain at;
    if (inst->op != OP_UNPACR)
        return false;
    const struct tsr_unpack_operands *operands = operands_of(env, inst->word, inst->thread);
    if (!operands || !unpackers_own_bank(env, operands->unpacker))
        return false;
    struct tsr_unpack_plan *plan = operands->current;
    const unsigned unpacker = operands->unpacker;
    bool known;
    if (!tsr_unpack_find_plain(env, operands, plan, &at, &known) ||
        !tsr_unpack_move_plain(env, unpacker, operands->thread, &plan->config, &at, plan->to_src))
        return false;
    env->plans_reused++;
    tsr_unpack_leave_plain(env, operands, plan, &at, known);
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

enum tsr_unpack_went tsr_unpack_datums_now(struct tsr_env *env, struct tsr_origin by)
{
    const unsigned unpacker = by.word >> 23 & 1;
    if (!unpackers_own_bank(env, unpacker)) // most often
        return waits_for_bank(env, unpacker);
    const struct tsr_unpack_operands *operands = operands_of(env, by.word, by.which);
    if (!operands || !run_plain(env, by, operands))
        return TSR_UNPACK_ASKS;
    env->plans_reused++;
    return TSR_UNPACK_DONE;
}

bool tsr_unpack_look_ahead(struct tsr_env *env, struct tsr_origin by,
                           struct tsr_unpack_ahead *ahead)
{
    const struct tsr_unpack_operands *operands = operands_of(env, by.word, by.which);
    bool known;
    if (!operands || operands->adc != operands->thread || // which steps counters of both
        !tsr_unpack_find_plain(env, operands, operands->current, &ahead->at, &known))
        return false;
    ahead->plan = operands->current;
    ahead->flip = operands->flip;
    memcpy(ahead->before, tsr_unpack_adc(env, operands), sizeof ahead->before);
    tsr_unpack_leave_plain(env, operands, operands->current, &ahead->at, known);
    return true;
}

void tsr_unpack_look_back(struct tsr_env *env, unsigned unpacker, unsigned thread,
                          const struct tsr_unpack_ahead *ahead)
{
    memcpy(env->state->adcs.channel[thread][unpacker], ahead->before, sizeof ahead->before);
}

enum tsr_unpack_went tsr_unpack_run_ahead(struct tsr_env *env, struct tsr_origin by,
                                          const struct tsr_unpack_ahead *ahead)
{
    const unsigned unpacker = by.word >> 23 & 1, thread = by.which;
    const struct tsr_unpack_plan *plan = ahead->plan;
    if (!unpackers_own_bank(env, unpacker))
        return waits_for_bank(env, unpacker);
    if (!tsr_unpack_move_plain(env, unpacker, thread, &plan->config, &ahead->at, plan->to_src))
        return TSR_UNPACK_ASKS;
    leave_src(env, by, plan, unpacker, thread, ahead->flip);
    env->plans_reused++;
    return TSR_UNPACK_DONE;
}

// ---------------------------------------------------------------- one that is known

const struct tsr_unpack_step *tsr_unpack_known_step(struct tsr_env *env, struct tsr_origin by,
                                                    const tsr_adc_channel from[2],
                                                    struct tsr_unpack_plan **plan)
{
    const struct tsr_unpack_operands *operands = operands_of(env, by.word, by.which);
    if (!operands)
        return NULL;
    *plan = operands->current;
    const struct tsr_unpack_step *step = tsr_unpack_step_of(*plan, from);
    struct tsr_unpack_plain at;
    bool known =
        tsr_unpack_step_is_for(step, by.word, from) && tsr_unpack_place_step(*plan, step, &at);
    return known ? step : NULL;
}

bool tsr_unpack_take_step(struct tsr_env *env, struct tsr_origin by,
                          const struct tsr_unpack_plan *plan, const struct tsr_unpack_step *step)
{
    const unsigned unpacker = by.word >> 23 & 1, thread = by.which;
    struct tsr_unpack_plain at;
    if (!unpackers_own_bank(env, unpacker) || !tsr_unpack_place_step(plan, step, &at) ||
        !tsr_unpack_move_plain(env, unpacker, thread, &plan->config, &at, plan->to_src))
        return false;
    memcpy(env->state->adcs.channel[thread][unpacker], step->to, sizeof step->to);
    leave_src(env, by, plan, unpacker, thread, step->flip);
    env->plans_reused++;
    return true;
}
