// SPDX-License-Identifier: Apache-2.0
// What the configuration of a thread means to its loads and stores.
// Pages: SFPLOAD.md, SFPSTORE.md, RWCs.md, BackendConfiguration.md.
#include "vector/vector_plan.h"

#include "base/format_codes.h"
#include "state/dst_rules.h"

// MOD0_FMT_SRCB by the configured format of SrcB, never by a bank's tag.
static uint8_t mode_of_format(uint32_t format)
{
    switch (format) {
    case TSR_FORMAT_FP32:
    case TSR_FORMAT_TF32:
    case TSR_FORMAT_BF16:
    case TSR_FORMAT_BFP8:
    case TSR_FORMAT_BFP4:
    case TSR_FORMAT_BFP2:
    case TSR_FORMAT_INT32:
    case TSR_FORMAT_INT16:
        return MOD0_FMT_BF16;
    default:
        return MOD0_FMT_FP16;
    }
}

bool tsr_vector_stalls(const struct tsr_env *env)
{
    return env->chip->arch != TSR_WORMHOLE_B0 &&
           tsr_cfg(env, 0, FIELD_CHICKEN_BITS_sfpu_scbd_disable) == 0;
}

static bool rests(const struct tsr_rwc_step *step)
{
    return step->steps_only && (step->srca.step | step->srcb.step | step->dst.step) == 0;
}

static void decode(const struct tsr_env *env, int thread, int state_id,
                   struct tsr_vector_plan *plan)
{
    bool overridden = tsr_cfg(env, state_id, FIELD_ALU_FORMAT_SPEC_REG_SrcB_override) != 0;
    uint32_t format =
        tsr_cfg(env, state_id,
                overridden ? FIELD_ALU_FORMAT_SPEC_REG_SrcB_val : FIELD_ALU_FORMAT_SPEC_REG1_SrcB);
    if (tsr_thread_cfg(env, thread, FIELD_SFPU_DEST_FMT_Enable)) // 0 on Wormhole
        format = tsr_thread_cfg(env, thread, FIELD_SFPU_DEST_FMT_Base);
    plan->srcb_mode = mode_of_format(format);
    if (tsr_cfg(env, state_id, FIELD_ALU_ACC_CTRL_SFPU_Fp32_enabled))
        plan->srcb_mode = MOD0_FMT_FP32;
    plan->upper = tsr_thread_cfg(env, thread, FIELD_ADDR_MOD_SET_Base) != 0;
    for (unsigned index = 0; index < TSR_ADDR_MODS; index++)
        plan->step[index] = tsr_rwc_decode(env, thread, index);
    plan->rests = 0;
    for (unsigned index = 0; index < TSR_ADDR_MODS; index++)
        plan->rests |= (uint8_t)(rests(&plan->step[index]) << index);
}

void tsr_vector_plan_update(const struct tsr_env *env, int thread, struct tsr_vector_plan *plan)
{
    int state_id = tsr_state_id(env, thread);
    struct tsr_plan_groups from = {.state_id = (uint8_t)state_id,
                                   .thread = (uint8_t)thread,
                                   .bank = {PLAN_ALU},
                                   .own = {PLAN_ALU, PLAN_RWC}};
    if (!tsr_plan_key_holds(&plan->key, &env->state->config, from))
        decode(env, thread, state_id, plan);
    tsr_plan_key_set(&plan->key, &env->state->config, from);
    // Fields of no plan group.
    plan->state_id = (uint8_t)state_id;
    plan->order = tsr_dst_configured_order(env);
    plan->math_offset = tsr_thread_cfg(env, thread, FIELD_DEST_TARGET_REG_CFG_MATH_Offset);
    plan->dst_base = tsr_cfg(env, state_id, FIELD_DEST_REGW_BASE_Base);
    plan->stack_base = tsr_cfg(env, state_id, FIELD_DEST_SP_BASE_Base);
    plan->stack_step = tsr_thread_cfg(env, thread, FIELD_SFPU_STACK_Incr);
    plan->stalls = tsr_vector_stalls(env);
}

const struct tsr_vector_dst_mode *tsr_vector_dst_mode_make(const struct tsr_env *env, unsigned mode)
{
    struct tsr_vector_dst_mode *fresh = &env->vector_plans->dst[mode];
    fresh->mode = (tsr_vector_mode){.arch = env->chip->arch, .modifier = (uint8_t)mode};
    fresh->load = tsr_kernels_vector_load(env->kernels, &fresh->mode);
    fresh->store = tsr_kernels_vector_store(env->kernels, &fresh->mode);
    return fresh;
}
