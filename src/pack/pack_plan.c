// SPDX-License-Identifier: Apache-2.0
// A packer's plan: decoded configuration, inputs and kernels, with the anomalies that depend on the
// configuration alone, which are reported when the plan is made. Its key says how long it stands.
// Pages: Packers/README.md, Packers/FormatConversion.md, PACR.md of each chip.
#include "pack/pack_plan.h"

#include "isa/unit_fields.h"
#include "pack/pack_anomalies.h"
#include "state/config_watch.h"

struct tsr_pack_kernels tsr_pack_find_kernels(const struct tsr_env *env,
                                              const struct tsr_pack_config *config)
{
    const tsr_pack_mode *mode = &config->mode;
    struct tsr_pack_kernels kernels = {0};
    if (config->block)
        kernels.blocks = tsr_kernels_pack_block(env->kernels, mode);
    else
        kernels.datums = tsr_kernels_pack(env->kernels, mode);
    if (config->accumulate)
        kernels.accumulate = tsr_kernels_accumulate(env->kernels, mode->out_format);
    return kernels;
}

// Formats and the edge mask have no value after reset that a program could mean; an address of
// zero is its own affair for packers 1 to 3, which may count from packer 0's.
static bool watch_reads(struct tsr_env *env, const struct tsr_inflight *inst, int state_id,
                        int config_of)
{
    bool override = tsr_cfg(env, state_id, FIELD_ALU_FORMAT_SPEC_REG_Dstacc_override) != 0;
    const enum tsr_field needed[5] = {
        tsr_pack_field_of(config_of, PACK_FIELD_In_data_format),
        tsr_pack_field_of(config_of, PACK_FIELD_Out_data_format),
        override ? FIELD_ALU_FORMAT_SPEC_REG_Dstacc_val : FIELD_ALU_FORMAT_SPEC_REG2_Dstacc,
        tsr_pack_field_of(0, PACK_FIELD_edge_mask), tsr_pack_field_of(0, PACK_FIELD_L1_Dest_addr)};
    return tsr_config_watch_reads(env, inst, state_id, TSR_READER_PACKER, needed,
                                  config_of == 0 ? 5 : 4);
}

// A PACR that reads nothing need not have a conversion from L1, if there is one from Dst.
static bool read_nothing(const struct tsr_pack_operands *operands, struct tsr_pack_config *config)
{
    struct tsr_pack_config from_dst = *config;
    from_dst.from_l1 = false;
    if (!(operands->flush || operands->zero_write) || !config->from_l1 ||
        tsr_pack_find_kind(config) || !tsr_pack_find_kind(&from_dst))
        return false;
    *config = from_dst;
    return true;
}

static bool make(struct tsr_env *env, const struct tsr_inflight *inst,
                 const struct tsr_pack_operands *operands, struct tsr_plan_groups groups,
                 int config_of, struct tsr_pack_plan *plan)
{
    struct tsr_pack_config *config = &plan->config;
    int state_id = groups.state_id;
    plan->key.made = false;
    if (env->watch && !watch_reads(env, inst, state_id, config_of))
        return false;
    tsr_pack_read_config(env, state_id, config_of, config);
    plan->strides = tsr_pack_read_strides(env, state_id);
    plan->kernels = tsr_pack_find_kernels(env, config);
    bool for_this_word_alone = read_nothing(operands, config);
    config->no_conversion =
        !tsr_pack_find_kind(config) || (config->accumulate && !plan->kernels.accumulate);
    struct tsr_pack_subject about = {.state_id = state_id, .packer = config_of, .config = config};
    enum tsr_verdict verdict =
        tsr_pack_report(env, inst, &about, tsr_pack_config_anomalies(env, &about));
    if (verdict == TSR_HALT)
        return false;
    config->tainted = verdict == TSR_GO_TAINTED;
    tsr_pack_read_inputs(env, state_id, config_of, &plan->inputs);
    plan->serial++;
    if (!for_this_word_alone)
        tsr_plan_key_set(&plan->key, &env->state->config, groups);
    return true;
}

bool tsr_pack_plan_update(struct tsr_env *env, const struct tsr_inflight *inst,
                          const struct tsr_pack_operands *operands, int state_id, int config_of,
                          struct tsr_pack_plan *plan)
{
    const struct tsr_config *config = &env->state->config;
    struct tsr_plan_groups groups = tsr_pack_plan_groups(state_id, inst->thread);
    if (tsr_plan_key_holds(&plan->key, config, groups)) {
        tsr_pack_reread_inputs(env, state_id, config_of, &plan->inputs);
        env->plans_reused++;
        return true;
    }
    if (!make(env, inst, operands, groups, config_of, plan))
        return false;
    env->plans_made++;
    return true;
}
