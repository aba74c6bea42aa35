// SPDX-License-Identifier: Apache-2.0
// What the matrix unit keeps, and the stages of an instruction in it. Counters move when an
// instruction is accepted; bank pointers and data when it executes, in the same cycle; owners of
// banks when it completes. Pages: MatrixUnit.md, SrcASrcB.md.
#include "matrix/matrix_unit.h"

#include "base/fresh_pages.h"
#include "matrix/banks.h"
#include "matrix/hazards.h"
#include "matrix/matrix_block.h"
#include "matrix/matrix_multiply.h"
#include "matrix/matrix_operations.h"
#include "matrix/matrix_timed_block.h"
#include "state/config_watch.h"
#include "state/dst_rules.h"
#include "state/races.h"
#include "state/report.h"

#include <string.h>

// ---------------------------------------------------------------- what the unit keeps

struct tsr_matrix_plans *tsr_matrix_plans_create(void)
{
    return tsr_fresh_pages(sizeof(struct tsr_matrix_plans));
}

void tsr_matrix_plans_clear(struct tsr_matrix_plans *plans)
{
    uint32_t made = plans->made; // none comes again
    memset(plans, 0, sizeof *plans);
    plans->made = made;
}

void tsr_matrix_plans_destroy(struct tsr_matrix_plans *plans)
{
    tsr_fresh_pages_free(plans, sizeof *plans);
}

struct tsr_matrix_blocks *tsr_matrix_blocks_create(void)
{
    return tsr_fresh_pages(sizeof(struct tsr_matrix_blocks));
}

void tsr_matrix_blocks_destroy(struct tsr_matrix_blocks *blocks)
{
    tsr_fresh_pages_free(blocks, sizeof *blocks);
}

// ---------------------------------------------------------------- the stages

// Formats of Src have no value after reset that a program could mean. Banks may bring their own.
static bool check_format_reads(const struct tsr_matrix_call *call,
                               const struct tsr_matrix_operation *operation)
{
    struct tsr_matrix_plan *plan = call->plan;
    if (plan->reads_checked >> operation->waits & 1)
        return true;
    static const enum tsr_field spec[2][3] = {
        {FIELD_ALU_FORMAT_SPEC_REG0_SrcA, FIELD_ALU_FORMAT_SPEC_REG_SrcA_override,
         FIELD_ALU_FORMAT_SPEC_REG_SrcA_val},
        {FIELD_ALU_FORMAT_SPEC_REG1_SrcB, FIELD_ALU_FORMAT_SPEC_REG_SrcB_override,
         FIELD_ALU_FORMAT_SPEC_REG_SrcB_val}};
    const struct tsr_matrix_job *job = call->job;
    enum tsr_field needed[2];
    unsigned count = 0;
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        if (job->implied[side] || !(operation->waits >> side & 1))
            continue;
        bool overridden = tsr_cfg(call->env, job->state_id, spec[side][1]) != 0;
        needed[count++] = spec[side][overridden ? 2 : 0];
    }
    uint64_t reported = call->env->findings->reported;
    bool passes = tsr_config_watch_reads(call->env, call->inst, job->state_id, TSR_READER_MATRIX,
                                         needed, count);
    if (reported == call->env->findings->reported)
        plan->reads_checked |= (uint8_t)(1u << operation->waits);
    return passes;
}

static tsr_reason ready(struct tsr_env *env, const struct tsr_inflight *inst, uint64_t *retry_at)
{
    const struct tsr_matrix_operation *operation = &tsr_matrix_operations[inst->op];
    if (operation->waits & TSR_SIDE_A && !tsr_matrix_bank_ready(env, TSR_SRCA))
        return TSR_REASON_SRCA;
    if (operation->waits & TSR_SIDE_B && !tsr_matrix_bank_ready(env, TSR_SRCB))
        return TSR_REASON_SRCB;
    if (!env->timing && tsr_matrix_may_defer((enum tsr_op)inst->op))
        return tsr_matrix_defer(env, (enum tsr_op)inst->op, inst->thread, inst->word);
    return env->timing ? tsr_matrix_hazard(env, inst->op, retry_at) : TSR_REASON_NONE;
}

tsr_reason tsr_matrix_awaited(struct tsr_env *env, int thread, uint32_t word)
{
    const enum tsr_op op = tsr_op_of(env->isa, word);
    const struct tsr_src *src = env->state->src;
    uint8_t waits = tsr_matrix_operations[op].waits;
    if (tsr_matrix_may_defer(op))
        return tsr_matrix_defer(env, op, thread, word);
    if (waits & TSR_SIDE_A && !src[TSR_SRCA].bank[src[TSR_SRCA].matrix_bank].matrix_owns)
        return TSR_REASON_SRCA;
    if (waits & TSR_SIDE_B && !src[TSR_SRCB].bank[src[TSR_SRCB].matrix_bank].matrix_owns)
        return TSR_REASON_SRCB;
    return TSR_REASON_NONE;
}

// The banks that it waited for at the gate.
static void tell_sources(const struct tsr_env *env, uint8_t waits)
{
    for (unsigned side = TSR_SRCA; side <= TSR_SRCB; side++)
        if (waits >> side & 1)
            tsr_race_sync(env, TSR_RACE_FOR_MATRIX, side, env->state->src[side].matrix_bank, 0);
}

static bool accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_matrix_operation *operation = &tsr_matrix_operations[inst->op];
    struct tsr_matrix_call call = {.env = env, .inst = inst, .job = tsr_matrix_job_of(inst)};
    if (!operation->run) {
        *call.job = (struct tsr_matrix_job){0};
        return tsr_report(env, FINDING_UNIMPLEMENTED_INSTRUCTION, inst, NULL,
                          "The matrix unit does not execute %s yet.",
                          tsr_op_name((enum tsr_op)inst->op)) != TSR_HALT;
    }
    if (env->races)
        tell_sources(env, operation->waits);
    tsr_matrix_sample(&call, operation);
    if (env->races && operation->modes && inst->op != OP_ZEROACC) // it has no format
        tsr_race_config_used(env, TSR_READER_MATRIX, call.job->state_id, 0);
    if (env->watch && operation->modes && operation->waits && !check_format_reads(&call, operation))
        return false;
    operation->step(&call);
    if (env->timing) {
        inst->closed = tsr_matrix_closed_cycles(env, inst->op);
        inst->address = tsr_dst_all_open(env) ? 0 : tsr_matrix_dst_wait(env, inst, call.job);
        inst->hold += inst->address;
    }
    return true;
}

static tsr_reason execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct tsr_matrix_operation *operation = &tsr_matrix_operations[inst->op];
    const struct tsr_matrix_call call = {.env = env, .inst = inst, .job = tsr_matrix_job_of(inst)};
    tsr_matrix_mark_read(env, operation->waits);
    for (unsigned side = TSR_SRCA; side <= TSR_SRCB; side++)
        if (operation->waits >> side & 1)
            tsr_race_access(env, TSR_RACE_SRC, false, 2 * side + env->state->src[side].matrix_bank,
                            1, TSR_RACE_ALL);
    if (operation->run && !operation->run(&call))
        env->state->rwcs.thread[inst->thread] = call.job->before;
    else if (tsr_matrix_has_row_of_srca(inst->op))
        env->state->matrix.srca_row = call.job->row[TSR_SRCA];
    return TSR_REASON_NONE;
}

static void complete(struct tsr_env *env, struct tsr_inflight *inst)
{
    tsr_matrix_release_banks(env, tsr_matrix_job_of(inst));
}

// No bank is given back.
static void leave_job(const struct tsr_env *env, struct tsr_inflight *inst)
{
    (void)env;
    struct tsr_matrix_job *job = tsr_matrix_job_of(inst);
    job->released = 0;
    job->reset_banks = false;
}

_Static_assert(sizeof(struct tsr_rwc_operands) <= sizeof((struct tsr_small_word *)0)->arg,
               "operands fit");

static bool run_incrwc(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                       uint64_t sequence)
{
    struct tsr_rwc_operands operands;
    memcpy(&operands, small->arg, sizeof operands);
    (void)sequence;
    tsr_rwc_increment(&env->state->rwcs.thread[thread], &operands);
    return true;
}

static bool run_setrwc(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                       uint64_t sequence)
{
    struct tsr_rwc_operands operands;
    memcpy(&operands, small->arg, sizeof operands);
    (void)sequence;
    tsr_rwc_set(&env->state->rwcs.thread[thread], &operands);
    return true;
}

// What steps or sets counters and gives no bank back: it waits for nothing.
static void decode_small(const struct tsr_env *env, enum tsr_op op, struct tsr_small_word *small)
{
    if (op != OP_INCRWC && op != OP_SETRWC)
        return;
    const struct tsr_matrix_args *args = tsr_matrix_args_of(env, small->word);
    memcpy(small->arg, &args->rwc, sizeof args->rwc);
    if (op == OP_INCRWC)
        small->run = run_incrwc;
    else if (args->clear_dvalid == 0)
        small->run = run_setrwc;
}

// A SETRWC that gives banks back, with nothing to report.
static bool take_whole(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct tsr_matrix_job *job = tsr_matrix_job_of(inst);
    const struct tsr_matrix_call call = {.env = env, .inst = inst, .job = job};
    if (inst->op != OP_SETRWC)
        return false;
    const struct tsr_matrix_args *args = tsr_matrix_args_of(env, inst->word);
    job->clear_dvalid = args->clear_dvalid;
    job->keep_owner = 0;
    if (args->clear_dvalid)
        job->keep_owner = tsr_matrix_plan_for(env, inst->thread)->start.keep_owner;
    if (!tsr_matrix_gives_back_quietly(&call))
        return false;
    job->keep_pointer = job->reset_banks = false;
    job->released = 0;
    tsr_rwc_set(&env->state->rwcs.thread[inst->thread], &args->rwc);
    tsr_matrix_flip_banks(&call);
    return true;
}

const struct tsr_unit_ops tsr_matrix_ops = {
    .ready = ready,
    .accept = accept,
    .execute = execute,
    .complete = complete,
    .run_block = tsr_matrix_run_block,
    .decode_small = decode_small,
    .run_timed_block = tsr_matrix_run_timed_block,
    .take_whole = take_whole,
    .leave_job = leave_job,
    .blocks_of_one = true,
    .blocks_to_refused = true,
};
