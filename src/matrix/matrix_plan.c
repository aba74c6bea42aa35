// SPDX-License-Identifier: Apache-2.0
// Making what matrix_plan.h keeps. Pages: SrcASrcB.md ("Implied data format"), MVMUL.md, RWCs.md,
// BackendConfiguration.md.
#include "matrix/matrix_plan.h"

#include "state/dst_rules.h"

#include <string.h>

enum { OWN_RWC = 1 }; // the place of the AddrMods' group in the plan's key

static uint8_t format_of(const struct tsr_env *env, int state_id, enum tsr_field override,
                         enum tsr_field overriding, enum tsr_field configured)
{
    bool overridden = tsr_cfg(env, state_id, override) != 0;
    return (uint8_t)tsr_cfg(env, state_id, overridden ? overriding : configured);
}

static struct tsr_matrix_job decode(const struct tsr_env *env, int thread, int state_id)
{
    struct tsr_matrix_job job = {
        .state_id = (uint8_t)state_id,
        .fp32 = tsr_cfg(env, state_id, FIELD_ALU_ACC_CTRL_Fp32_enabled) != 0,
        .int8 = tsr_cfg(env, state_id, FIELD_ALU_ACC_CTRL_INT8_math_enabled) != 0,
        .flush = tsr_cfg(env, state_id, FIELD_ALU_ACC_CTRL_Zero_Flag_disabled_src) == 0,
        .stochastic = tsr_cfg(env, state_id, FIELD_ALU_ROUNDING_MODE_Fpu_srnd_en) != 0,
        .fp16_force = tsr_thread_cfg(env, thread, FIELD_FP16A_FORCE_Enable) != 0,
        .fidelity_base = (uint8_t)tsr_thread_cfg(env, thread, FIELD_FIDELITY_BASE_Phase),
    };
    job.format[TSR_SRCA] =
        format_of(env, state_id, FIELD_ALU_FORMAT_SPEC_REG_SrcA_override,
                  FIELD_ALU_FORMAT_SPEC_REG_SrcA_val, FIELD_ALU_FORMAT_SPEC_REG0_SrcA);
    job.format[TSR_SRCB] =
        format_of(env, state_id, FIELD_ALU_FORMAT_SPEC_REG_SrcB_override,
                  FIELD_ALU_FORMAT_SPEC_REG_SrcB_val, FIELD_ALU_FORMAT_SPEC_REG1_SrcB);
    if (!env->chip->implied_formats)
        return job;
    // Blackhole's banks have tags.
    job.implied[TSR_SRCA] = !tsr_thread_cfg(env, thread, FIELD_DISABLE_IMPLIED_SRCA_FMT_Base);
    job.implied[TSR_SRCB] = !tsr_thread_cfg(env, thread, FIELD_DISABLE_IMPLIED_SRCB_FMT_Base);
    return job;
}

// The phase may change for every few instructions, so sequences have it beside the serial number,
// as they have the rest of what lies outside the plan's groups.
static bool same_but_phase(const struct tsr_matrix_job *a, const struct tsr_matrix_job *b)
{
    struct tsr_matrix_job other = *b;
    other.fidelity_base = a->fidelity_base;
    other.keep_owner = a->keep_owner;
    other.order = a->order;
    return memcmp(a, &other, sizeof other) == 0;
}

// The AddrMods only if a field of theirs has changed.
static void make(const struct tsr_env *env, int thread, int state_id, struct tsr_matrix_plan *plan)
{
    const struct tsr_config *config = &env->state->config;
    bool same_steps =
        plan->key.made && plan->key.own[OWN_RWC] == config->thread_generation[thread][PLAN_RWC];
    struct tsr_matrix_job start = decode(env, thread, state_id);
    if (!same_steps || !same_but_phase(&start, &plan->start))
        plan->serial++;
    plan->start = start;
    plan->upper = tsr_thread_cfg(env, thread, FIELD_ADDR_MOD_SET_Base) != 0;
    for (unsigned index = 0; index < TSR_ADDR_MODS && !same_steps; index++)
        plan->step[index] = tsr_rwc_decode(env, thread, index);
}

// The words of the fields that are in no plan group, and how Dst's rows are ordered.
static struct tsr_matrix_beside read_beside(const struct tsr_env *env, int thread)
{
    const struct tsr_config *config = &env->state->config;
    const struct tsr_field_place *field = env->isa->field;
    const uint16_t *own = config->thread[thread];
    return (struct tsr_matrix_beside){
        .own = {own[field[FIELD_CFG_STATE_ID_StateID].addr32],
                own[field[FIELD_CLR_DVALID_SrcA_Disable].addr32],
                own[field[FIELD_CLR_DVALID_SrcB_Disable].addr32],
                own[field[FIELD_DEST_TARGET_REG_CFG_MATH_Offset].addr32]},
        .base = config->bank[tsr_state_id(env, thread)][field[FIELD_DEST_REGW_BASE_Base].addr32],
        .order = tsr_dst_configured_order(env)};
}

static __attribute__((noinline)) void update(const struct tsr_env *env, int thread,
                                             struct tsr_matrix_plan *plan)
{
    int state_id = tsr_state_id(env, thread);
    struct tsr_plan_groups from = {.state_id = (uint8_t)state_id,
                                   .thread = (uint8_t)thread,
                                   .bank = {PLAN_ALU},
                                   .own = {PLAN_ALU, [OWN_RWC] = PLAN_RWC}};
    if (!tsr_plan_key_holds(&plan->key, &env->state->config, from)) {
        make(env, thread, state_id, plan);
        tsr_plan_key_set(&plan->key, &env->state->config, from);
    }
    bool keep_a = tsr_thread_cfg(env, thread, FIELD_CLR_DVALID_SrcA_Disable) != 0;
    bool keep_b = tsr_thread_cfg(env, thread, FIELD_CLR_DVALID_SrcB_Disable) != 0;
    plan->start.keep_owner = (uint8_t)((keep_a ? TSR_SIDE_A : 0) | (keep_b ? TSR_SIDE_B : 0));
    plan->start.order = plan->beside.order;
    plan->stamp = (uint64_t)plan->serial << 32 | (uint32_t)thread << 16 |
                  (uint32_t)plan->start.keep_owner << 8 | plan->start.fidelity_base;
    plan->dst_offset = tsr_thread_cfg(env, thread, FIELD_DEST_TARGET_REG_CFG_MATH_Offset) +
                       tsr_cfg(env, state_id, FIELD_DEST_REGW_BASE_Base);
}

// Kernels write addresses for every tile, of which the plan knows nothing.
void tsr_matrix_plan_update(const struct tsr_env *env, int thread, struct tsr_matrix_plan *plan)
{
    const struct tsr_config *config = &env->state->config;
    const struct tsr_matrix_beside beside = read_beside(env, thread);
    bool same = plan->key.made && plan->key.stale == config->stale &&
                tsr_same_bytes(&beside, &plan->beside, sizeof beside);
    plan->beside = beside;
    plan->reads_checked = 0;
    if (!same)
        update(env, thread, plan);
    tsr_plan_key_note(&plan->key, config);
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
        .clear_dvalid = (uint8_t)(tsr_operand(isa, op, word, OPERAND_clear_dvalid) |
                                  tsr_operand(isa, op, word, OPERAND_clear_ab_vld)),
        .modifier = (uint8_t)tsr_operand(isa, op, word, OPERAND_instr_mod19),
        .accumulate = tsr_operand(isa, op, word, OPERAND_dest_accum_en) != 0,
        .src = (uint16_t)tsr_operand(isa, op, word, OPERAND_src),
        .move = (uint8_t)(tsr_operand(isa, op, word, OPERAND_instr_mod) |
                          tsr_operand(isa, op, word, OPERAND_movb2d_instr_mod)),
        .low_half = tsr_operand(isa, op, word, OPERAND_dest_32b_lo) != 0,
        .rwc = {.select = (uint8_t)tsr_operand(isa, op, word, OPERAND_BitMask),
                .carriage = (uint8_t)tsr_operand(isa, op, word, OPERAND_rwc_cr),
                .a = (uint16_t)tsr_operand(isa, op, word, OPERAND_rwc_a),
                .b = (uint16_t)tsr_operand(isa, op, word, OPERAND_rwc_b),
                .d = (uint16_t)tsr_operand(isa, op, word, OPERAND_rwc_d)},
    };
}

void tsr_matrix_step_addr_mod(const struct tsr_matrix_call *call)
{
    const struct tsr_env *env = call->env;
    const struct tsr_matrix_plan *plan = call->plan;
    tsr_rwc *rwc = &env->state->rwcs.thread[call->inst->thread];
    unsigned index = call->args->addr_mode & 7;
    if (!plan) // SHIFTXB, which depends on no modes
        plan = tsr_matrix_plan_for(env, call->inst->thread);
    if (env->chip->addr_mod_bank)
        index = (index & 3) + (rwc->extra_addr_mod || plan->upper ? 4 : 0);
    tsr_rwc_apply(rwc, &plan->step[index]);
}
