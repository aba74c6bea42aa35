// SPDX-License-Identifier: Apache-2.0
// What a PACR waits for at the gate, with timing on: the blocks of Dst that it reads and that were
// just written. Page: Dst.md of each chip, "Instruction scheduling".
#include "pack/pack_ready.h"

#include "pack/pack_address.h"
#include "pack/pack_interfaces.h"
#include "pack/pack_plan.h"
#include "state/dst_rules.h"

// When one packer's rows can be read; X counters out of range read no rows.
static uint64_t open_at(const struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_pack_operands *operands,
                        const struct tsr_pack_strides *strides, int state_id, int packer)
{
    int config_of = tsr_pack_config_of(env, operands, packer);
    unsigned thread = tsr_pack_counters_of(env, operands, inst->thread, state_id, config_of);
    const tsr_adc_channel *adc = env->state->adcs.channel[thread][TSR_ADC_PACKERS];
    uint32_t count = adc[1].x - adc[0].x + 1;
    bool from_l1 = packer == 0 &&
                   tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_Source_interface_selection);
    if (from_l1 || adc[1].x < adc[0].x || count > TSR_DST_ROWS * 16)
        return 0;
    uint8_t bytes =
        tsr_pack_datum_bytes(tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_In_data_format));
    // What the start of the input comes from.
    const struct tsr_pack_inputs inputs = {
        .base0 = tsr_cfg(env, state_id, FIELD_PCK0_ADDR_BASE_REG_0_Base),
        .rows = (uint16_t)tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_Offset)};
    uint16_t start[TSR_PACK_SEGMENTS] = {tsr_pack_input_start(&inputs, bytes, strides, &adc[0])};
    unsigned segments = 1;
    if (env->chip->pack_interfaces > 1) {
        bool sets_last =
            tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_Auto_set_last_pacr_intf_sel) != 0;
        uint32_t mask = tsr_pack_interface_mask(env, operands, state_id, config_of, sets_last);
        segments = tsr_pack_interface_starts(operands, mask, start[0], start);
    }
    bool wide = tsr_cfg(env, state_id, FIELD_PCK_DEST_RD_CTRL_Read_32b_data);
    unsigned rows = ((start[0] & 15) + count + 15) / 16;
    bool held = env->state->frontend[inst->thread].reason == TSR_REASON_DST;
    uint64_t latest = 0;
    for (unsigned i = 0; i < segments; i++) {
        uint64_t open = tsr_dst_open_at(env, held, tsr_dst_order(env), start[i] >> 4, rows, wide);
        latest = open > latest ? open : latest;
    }
    return latest;
}

// Even the block that was written last is open to one that comes now, and is not held by the rule.
bool tsr_pack_finds_all_open(const struct tsr_env *env, int thread)
{
    return tsr_dst_all_open(env) ||
           (env->state->frontend[thread].reason != TSR_REASON_DST &&
            env->state->now >=
                env->state->dst_writes.last + env->isa->rate[RATE_DST_READ_AFTER_WRITE]);
}

// When the rows of all packers can be read, as the configuration says.
static uint64_t all_open_at(const struct tsr_env *env, const struct tsr_inflight *inst,
                            const struct tsr_pack_operands *operands)
{
    int state_id = tsr_state_id(env, inst->thread);
    unsigned packers = tsr_pack_packers(env, operands);
    const struct tsr_pack_strides strides = tsr_pack_read_strides(env, state_id);
    uint64_t latest = 0;
    for (int packer = 0; packer < env->chip->packers; packer++) {
        if (!(packers >> packer & 1))
            continue;
        uint64_t open = open_at(env, inst, operands, &strides, state_id, packer);
        latest = open > latest ? open : latest;
    }
    return latest;
}

// The same by the word's template, while nothing has been written to the configuration since that
// was made or looked at: one packer with four whole rows by its four interfaces. False: it is
// something else.
static bool four_rows_open_at(const struct tsr_env *env, const struct tsr_inflight *inst,
                              const struct tsr_pack_template *template, uint64_t *at)
{
    const struct tsr_pack_part *part = &template->job.part[0];
    if (template->thread != inst->thread ||
        !tsr_plan_key_unchanged(&template->key, &env->state->config) || template->job.parts != 1 ||
        !part->all_interfaces)
        return false;
    const tsr_adc_channel *adc = env->state->adcs.channel[part->counters][TSR_ADC_PACKERS];
    unsigned row = tsr_pack_four_rows(template->plan[0], part, adc);
    if (row >= TSR_DST_ROWS)
        return false;
    bool held = env->state->frontend[inst->thread].reason == TSR_REASON_DST;
    *at = tsr_dst_open_at(env, held, tsr_dst_order(env), row, TSR_PACK_SEGMENTS,
                          part->config.mode.read_32b);
    return true;
}

tsr_reason tsr_pack_ready(struct tsr_env *env, const struct tsr_inflight *inst, uint64_t *retry_at)
{
    if (!env->timing || tsr_pack_finds_all_open(env, inst->thread) || inst->op != OP_PACR)
        return TSR_REASON_NONE;
    const struct tsr_pack_template *template = tsr_pack_template_of(env, inst);
    const struct tsr_pack_operands *operands = &template->operands;
    uint64_t latest;
    if (operands->flush || operands->zero_write)
        return TSR_REASON_NONE;
    if (!four_rows_open_at(env, inst, template, &latest))
        latest = all_open_at(env, inst, operands);
    if (env->state->now >= latest)
        return TSR_REASON_NONE;
    *retry_at = latest;
    return TSR_REASON_DST;
}
