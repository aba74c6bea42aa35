// SPDX-License-Identifier: Apache-2.0
// The table of the matrix unit's instructions, and how one is sampled. Pages: MatrixUnit.md,
// RWCs.md.
#include "matrix/matrix_operations.h"

#include "matrix/banks.h"
#include "matrix/elementwise.h"
#include "matrix/legacy.h"
#include "matrix/matrix_multiply.h"
#include "matrix/moves.h"
#include "matrix/pools.h"
#include "matrix/source_writes.h"
#include "matrix/zero.h"
#include "state/report.h"

enum { BOTH = TSR_SIDE_A | TSR_SIDE_B };

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
const struct tsr_matrix_operation tsr_matrix_operations[OP_COUNT] = {
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

void tsr_matrix_sample(struct tsr_matrix_call *call, const struct tsr_matrix_operation *operation)
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

// The list of SHIFTXA.md. MOVB2D and MOVD2B, which use no row of SrcA, have the counter's.
bool tsr_matrix_has_row_of_srca(uint8_t op)
{
    return tsr_matrix_operations[op].modes && op != OP_ZEROACC && op != OP_MOVDBGA2D &&
           op != OP_MOVDBGB2D;
}
