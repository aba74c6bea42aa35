// SPDX-License-Identifier: Apache-2.0
// The table of the matrix unit's instructions and the stages of an instruction in it. Counters
// move when an instruction is accepted; bank pointers and data when it executes, in the same cycle;
// owners of banks when it completes. Pages: MatrixUnit.md, SrcASrcB.md.
#include "matrix/matrix_unit.h"

#include "matrix/banks.h"
#include "matrix/elementwise.h"
#include "matrix/hazards.h"
#include "matrix/legacy.h"
#include "matrix/matrix_multiply.h"
#include "matrix/matrix_plan.h"
#include "matrix/moves.h"
#include "matrix/pools.h"
#include "matrix/source_writes.h"
#include "matrix/zero.h"
#include "state/config_watch.h"
#include "state/dst_rules.h"
#include "state/report.h"

#include <stdlib.h>
#include <string.h>

enum { BOTH = TSR_SIDE_A | TSR_SIDE_B };

struct operation {
    uint8_t waits; // sides whose bank the gate waits for
    bool modes;    // depends on formats and on where Dst begins
    tsr_matrix_sample_fn *sample;
    tsr_matrix_sample_fn *step; // counter updates
    tsr_matrix_run_fn *run;     // NULL: not an instruction of the unit
};

// ---------------------------------------------------------------- what the unit keeps

struct tsr_matrix_plans *tsr_matrix_plans_create(void)
{
    return calloc(1, sizeof(struct tsr_matrix_plans));
}

void tsr_matrix_plans_clear(struct tsr_matrix_plans *plans)
{
    memset(plans, 0, sizeof *plans);
}

void tsr_matrix_plans_destroy(struct tsr_matrix_plans *plans)
{
    free(plans);
}

struct tsr_matrix_blocks *tsr_matrix_blocks_create(void)
{
    struct tsr_matrix_blocks *blocks = aligned_alloc(64, sizeof *blocks);
    if (blocks)
        memset(blocks, 0, sizeof *blocks);
    return blocks;
}

void tsr_matrix_blocks_destroy(struct tsr_matrix_blocks *blocks)
{
    free(blocks);
}

// ---------------------------------------------------------------- the instructions

static void sample_nothing(const struct tsr_matrix_call *call)
{
    (void)call;
}

static void step_setrwc(const struct tsr_matrix_call *call)
{
    tsr_rwc_set(&call->env->state->rwcs.thread[call->inst->thread], &call->args->rwc);
}

static void step_incrwc(const struct tsr_matrix_call *call)
{
    tsr_rwc_increment(&call->env->state->rwcs.thread[call->inst->thread], &call->args->rwc);
}

// SETIBRWC with what tt-llk names: set or increment, without the carriage return.
static bool bias_is_known(const struct tsr_matrix_call *call)
{
    return tsr_arg(call->env, call->inst, OPERAND_set_inc_ctrl) <= 1 &&
           tsr_arg(call->env, call->inst, OPERAND_rwc_cr) == 0;
}

static void step_setibrwc(const struct tsr_matrix_call *call)
{
    if (bias_is_known(call))
        tsr_rwc_bias(&call->env->state->rwcs.thread[call->inst->thread],
                     tsr_arg(call->env, call->inst, OPERAND_set_inc_ctrl) == 1,
                     tsr_arg(call->env, call->inst, OPERAND_rwc_bias));
}

static bool run_setibrwc(const struct tsr_matrix_call *call)
{
    if (bias_is_known(call))
        return tsr_report(call->env, FINDING_UNDOCUMENTED_MODE, call->inst, NULL,
                          "No page has SETIBRWC; its bias is taken to be the bit of the RWCs that "
                          "ADDR_MOD_BIAS flips.") != TSR_HALT;
    return tsr_report(call->env, FINDING_NO_SPECIFICATION, call->inst, NULL,
                      "SETIBRWC does nothing here: no page has it, and tt-llk does not say what "
                      "set_inc_ctrl=%u rwc_cr=%u does.",
                      (unsigned)tsr_arg(call->env, call->inst, OPERAND_set_inc_ctrl),
                      (unsigned)tsr_arg(call->env, call->inst, OPERAND_rwc_cr)) != TSR_HALT;
}

static bool run_nothing(const struct tsr_matrix_call *call)
{
    (void)call;
    return true;
}

#define ADDR_MOD tsr_matrix_step_addr_mod
#define LEGACY_SUM                                                                                 \
    {                                                                                              \
        BOTH, true, tsr_matrix_sample_legacy_sum, ADDR_MOD, tsr_matrix_run_legacy_sum              \
    }
#define LEGACY_POOL                                                                                \
    {                                                                                              \
        BOTH, true, tsr_matrix_sample_legacy_pool, ADDR_MOD, tsr_matrix_run_legacy_pool            \
    }
static const struct operation operations[OP_COUNT] = {
    [OP_MOVA2D] = {TSR_SIDE_A, true, tsr_matrix_sample_mova2d, ADDR_MOD, tsr_matrix_run_mova2d},
    [OP_MOVDBGA2D] = {0, true, tsr_matrix_sample_mova2d, ADDR_MOD, tsr_matrix_run_mova2d},
    [OP_MOVB2D] = {TSR_SIDE_B, true, tsr_matrix_sample_movb2d, ADDR_MOD, tsr_matrix_run_movb2d},
    [OP_MOVDBGB2D] = {0, true, tsr_matrix_sample_movb2d, ADDR_MOD, tsr_matrix_run_movdbgb2d},
    [OP_MOVD2A] = {0, true, tsr_matrix_sample_movd2a, ADDR_MOD, tsr_matrix_run_movd2a},
    [OP_MOVD2B] = {0, true, tsr_matrix_sample_movd2b, ADDR_MOD, tsr_matrix_run_movd2b},
    [OP_MOVB2A] = {TSR_SIDE_B, true, tsr_matrix_sample_movb2a, ADDR_MOD, tsr_matrix_run_movb2a},
    [OP_SHIFTXA] = {TSR_SIDE_A, false, sample_nothing, sample_nothing, tsr_matrix_run_shiftxa},
    [OP_SHIFTXB] = {TSR_SIDE_B, false, tsr_matrix_sample_shiftxb, ADDR_MOD, tsr_matrix_run_shiftxb},
    [OP_TRNSPSRCB] = {TSR_SIDE_B, false, sample_nothing, sample_nothing, tsr_matrix_run_trnspsrcb},
    [OP_ELWADD] = {BOTH, true, tsr_matrix_sample_elementwise, ADDR_MOD, tsr_matrix_run_elementwise},
    [OP_ELWSUB] = {BOTH, true, tsr_matrix_sample_elementwise, ADDR_MOD, tsr_matrix_run_elementwise},
    [OP_ELWMUL] = {BOTH, true, tsr_matrix_sample_elementwise, ADDR_MOD, tsr_matrix_run_elementwise},
    [OP_MVMUL] = {BOTH, true, tsr_matrix_sample_mvmul, ADDR_MOD, tsr_matrix_run_multiply},
    [OP_DOTPV] = {BOTH, true, tsr_matrix_sample_dotpv, ADDR_MOD, tsr_matrix_run_multiply},
    [OP_GAPOOL] = {BOTH, true, tsr_matrix_sample_gapool, ADDR_MOD, tsr_matrix_run_multiply},
    [OP_GMPOOL] = {BOTH, true, tsr_matrix_sample_gmpool, ADDR_MOD, tsr_matrix_run_gmpool},
    [OP_ZEROACC] = {0, true, tsr_matrix_sample_zeroacc, tsr_matrix_step_zeroacc,
                    tsr_matrix_run_zeroacc},
    [OP_ZEROSRC] = {0, false, sample_nothing, sample_nothing, tsr_matrix_run_zerosrc},
    [OP_SETRWC] = {0, false, tsr_matrix_sample_setrwc, step_setrwc, tsr_matrix_run_setrwc},
    [OP_INCRWC] = {0, false, sample_nothing, step_incrwc, run_nothing},
    [OP_SETIBRWC] = {0, false, sample_nothing, step_setibrwc, run_setibrwc},
    [OP_CLEARDVALID] = {0, false, tsr_matrix_sample_cleardvalid, sample_nothing,
                        tsr_matrix_run_cleardvalid},
    // It empties a cache that nothing here has (GATESRCRST.md).
    [OP_GATESRCRST] = {0, false, sample_nothing, sample_nothing, run_nothing},
    [OP_CLREXPHIST] = {0, false, sample_nothing, sample_nothing, tsr_matrix_run_clrexphist},
    [OP_CONV3S1] = LEGACY_SUM,
    [OP_CONV3S2] = LEGACY_SUM,
    [OP_MFCONV3S1] = LEGACY_SUM,
    [OP_APOOL3S1] = LEGACY_SUM,
    [OP_APOOL3S2] = LEGACY_SUM,
    [OP_MPOOL3S1] = LEGACY_POOL,
    [OP_MPOOL3S2] = LEGACY_POOL,
};
#undef LEGACY_POOL
#undef LEGACY_SUM
#undef ADDR_MOD

// ---------------------------------------------------------------- the stages

static void sample(struct tsr_matrix_call *call, const struct operation *operation)
{
    const struct tsr_state *state = call->env->state;
    struct tsr_matrix_job *job = call->job;
    int thread = call->inst->thread;
    call->args = tsr_matrix_args_of(call->env, call->inst->word);
    if (operation->modes) {
        call->plan = tsr_matrix_plan_for(call->env, thread);
        *job = call->plan->start;
        job->before = state->rwcs.thread[thread];
        job->order |= (uint8_t)tsr_dst_high_halves(&state->debug);
        job->dst_base = (uint16_t)((call->plan->dst_offset + job->before.dst) & (TSR_DST_ROWS - 1));
    } else {
        *job = (struct tsr_matrix_job){.before = state->rwcs.thread[thread]};
    }
    operation->sample(call);
}

// Formats of Src have no value after reset that a program could mean. Banks may bring their own.
static bool check_format_reads(const struct tsr_matrix_call *call,
                               const struct operation *operation)
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
    const struct operation *operation = &operations[inst->op];
    if (operation->waits & TSR_SIDE_A && !tsr_matrix_bank_ready(env, TSR_SRCA))
        return TSR_REASON_SRCA;
    if (operation->waits & TSR_SIDE_B && !tsr_matrix_bank_ready(env, TSR_SRCB))
        return TSR_REASON_SRCB;
    if (!env->timing && (inst->op == OP_SETRWC || inst->op == OP_CLEARDVALID))
        return tsr_matrix_defer(env, inst);
    return env->timing ? tsr_matrix_hazard(env, inst->op, retry_at) : TSR_REASON_NONE;
}

static bool accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct operation *operation = &operations[inst->op];
    struct tsr_matrix_call call = {.env = env, .inst = inst, .job = tsr_matrix_job_of(inst)};
    if (!operation->run) {
        *call.job = (struct tsr_matrix_job){0};
        return tsr_report(env, FINDING_UNIMPLEMENTED_INSTRUCTION, inst, NULL,
                          "The matrix unit does not execute %s yet.",
                          tsr_op_name((enum tsr_op)inst->op)) != TSR_HALT;
    }
    sample(&call, operation);
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

// The list of SHIFTXA.md. MOVB2D and MOVD2B, which use no row of SrcA, have the counter's.
static bool has_row_of_srca(uint8_t op)
{
    return operations[op].modes && op != OP_ZEROACC && op != OP_MOVDBGA2D && op != OP_MOVDBGB2D;
}

static tsr_reason execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct operation *operation = &operations[inst->op];
    const struct tsr_matrix_call call = {.env = env, .inst = inst, .job = tsr_matrix_job_of(inst)};
    tsr_matrix_mark_read(env, operation->waits);
    if (operation->run && !operation->run(&call))
        env->state->rwcs.thread[inst->thread] = call.job->before;
    else if (has_row_of_srca(inst->op))
        env->state->matrix.srca_row = call.job->row[TSR_SRCA];
    return TSR_REASON_NONE;
}

static void complete(struct tsr_env *env, struct tsr_inflight *inst)
{
    tsr_matrix_release_banks(env, tsr_matrix_job_of(inst));
}

const struct tsr_unit_ops tsr_matrix_ops = {
    .ready = ready,
    .accept = accept,
    .execute = execute,
    .complete = complete,
};
