// SPDX-License-Identifier: Apache-2.0
// Making what matrix_plan.h keeps. Pages: SrcASrcB.md ("Implied data format"), MVMUL.md, RWCs.md,
// BackendConfiguration.md.
#include "matrix/matrix_plan.h"

#include "matrix/matrix_unit.h"
#include "state/dst_rules.h"

#include <stdlib.h>
#include <string.h>

struct tsr_matrix_plans *tsr_matrix_plans_create(void)
{
    return calloc(1, sizeof(struct tsr_matrix_plans));
}

void tsr_matrix_plans_destroy(struct tsr_matrix_plans *plans)
{
    free(plans);
}

void tsr_matrix_plans_clear(struct tsr_matrix_plans *plans)
{
    memset(plans, 0, sizeof *plans);
}

static uint8_t format_of(const struct tsr_env *env, int bank, enum tsr_field override,
                         enum tsr_field value, enum tsr_field plain)
{
    return (uint8_t)tsr_cfg(env, bank, tsr_cfg(env, bank, override) ? value : plain);
}

static void read_bank(const struct tsr_env *env, int bank, struct tsr_matrix_job *job)
{
    job->config_bank = (uint8_t)bank;
    job->fp32 = tsr_cfg(env, bank, FIELD_ALU_ACC_CTRL_Fp32_enabled) != 0;
    job->int8 = tsr_cfg(env, bank, FIELD_ALU_ACC_CTRL_INT8_math_enabled) != 0;
    job->flush = tsr_cfg(env, bank, FIELD_ALU_ACC_CTRL_Zero_Flag_disabled_src) == 0;
    job->stochastic = tsr_cfg(env, bank, FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en) != 0;
    job->format[TSR_SRCA] =
        format_of(env, bank, FIELD_ALU_FORMAT_SPEC_REG_SrcA_override,
                  FIELD_ALU_FORMAT_SPEC_REG_SrcA_val, FIELD_ALU_FORMAT_SPEC_REG0_SrcA);
    job->format[TSR_SRCB] =
        format_of(env, bank, FIELD_ALU_FORMAT_SPEC_REG_SrcB_override,
                  FIELD_ALU_FORMAT_SPEC_REG_SrcB_val, FIELD_ALU_FORMAT_SPEC_REG1_SrcB);
}

// Blackhole's banks have tags.
static void read_thread(const struct tsr_env *env, int thread, struct tsr_matrix_job *job)
{
    job->fp16_force = tsr_thread_cfg(env, thread, FIELD_FP16A_FORCE_Enable) != 0;
    job->fidelity_base = (uint8_t)tsr_thread_cfg(env, thread, FIELD_FIDELITY_BASE_Phase);
    if (!env->chip->implied_formats)
        return;
    job->implied[TSR_SRCA] = !tsr_thread_cfg(env, thread, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base);
    job->implied[TSR_SRCB] = !tsr_thread_cfg(env, thread, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base);
}

static void make(const struct tsr_env *env, int thread, int bank, struct tsr_matrix_plan *plan)
{
    const struct tsr_config *config = &env->state->config;
    memset(plan, 0, sizeof *plan);
    plan->made = true;
    plan->bank = (uint8_t)bank;
    plan->alu = config->bank_generation[bank][PLAN_ALU];
    plan->thread_alu = config->thread_generation[thread][PLAN_ALU];
    plan->thread_rwc = config->thread_generation[thread][PLAN_RWC];
    plan->upper = tsr_thread_cfg(env, thread, FIELD_ADDR_MOD_SET_Base) != 0;
    read_bank(env, bank, &plan->start);
    read_thread(env, thread, &plan->start);
    for (unsigned index = 0; index < TSR_ADDR_MODS; index++)
        plan->step[index] = tsr_rwc_step_of(env, thread, index);
}

void tsr_matrix_plan_renew(const struct tsr_env *env, int thread, struct tsr_matrix_plan *plan)
{
    const struct tsr_config *config = &env->state->config;
    int bank = tsr_state_id(env, thread);
    if (!plan->made || plan->bank != bank || plan->alu != config->bank_generation[bank][PLAN_ALU] ||
        plan->thread_alu != config->thread_generation[thread][PLAN_ALU] ||
        plan->thread_rwc != config->thread_generation[thread][PLAN_RWC])
        make(env, thread, bank, plan);
    plan->changes = config->changes;
    plan->watched = 0;
    // Fields of no plan group.
    plan->start.order = tsr_dst_configured_order(env);
    plan->start.keep_owner = tsr_matrix_keeps(env, thread);
    plan->dst_offset = tsr_thread_cfg(env, thread, FIELD_DEST_TARGET_REG_CFG_MATH_Offset) +
                       tsr_cfg(env, bank, FIELD_DEST_REGW_BASE_Base);
}

void tsr_matrix_args_make(const struct tsr_env *env, uint32_t word, struct tsr_matrix_args *args)
{
    const struct tsr_isa *isa = env->isa;
    enum tsr_op op = tsr_op_of(isa, word);
    *args = (struct tsr_matrix_args){
        .word = word,
        .dst = (uint16_t)tsr_operand(isa, op, word, OPERAND_dst),
        .addr_mode = (uint8_t)(tsr_operand(isa, op, word, OPERAND_addr_mode) |
                               tsr_operand(isa, op, word, OPERAND_AddrMode) |
                               tsr_operand(isa, op, word, OPERAND_pool_addr_mode)),
        .give = (uint8_t)(tsr_operand(isa, op, word, OPERAND_clear_dvalid) |
                          tsr_operand(isa, op, word, OPERAND_clear_ab_vld)),
        .modifier = (uint8_t)tsr_operand(isa, op, word, OPERAND_instr_mod19),
        .accumulate = tsr_operand(isa, op, word, OPERAND_dest_accum_en) != 0,
        .src = (uint16_t)tsr_operand(isa, op, word, OPERAND_src),
        .move = (uint8_t)(tsr_operand(isa, op, word, OPERAND_instr_mod) |
                          tsr_operand(isa, op, word, OPERAND_movb2d_instr_mod)),
        .low_half = tsr_operand(isa, op, word, OPERAND_dest_32b_lo) != 0,
        .select = (uint8_t)tsr_operand(isa, op, word, OPERAND_BitMask),
        .carriage = (uint8_t)tsr_operand(isa, op, word, OPERAND_rwc_cr),
        .a = (uint16_t)tsr_operand(isa, op, word, OPERAND_rwc_a),
        .b = (uint16_t)tsr_operand(isa, op, word, OPERAND_rwc_b),
        .d = (uint16_t)tsr_operand(isa, op, word, OPERAND_rwc_d),
    };
}
