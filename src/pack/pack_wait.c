// SPDX-License-Identifier: Apache-2.0
// What a PACR waits for at the gate, with timing on: the blocks of Dst that it reads and that were
// just written. Page: Dst.md of each chip, "Instruction scheduling".
#include "pack/pack_job.h"
#include "state/dst_rules.h"

#include "pack/pack_unit.h"

static bool reads_dst(const struct tsr_env *env, const struct tsr_inflight *inst)
{
    return inst->op == OP_PACR && !tsr_pack_operands(env, inst)->flush &&
           !tsr_pack_operands(env, inst)->zero_write;
}

static bool reads_l1(const struct tsr_env *env, int s, int packer, int config)
{
    return packer == 0 && tsr_cfg(env, s, PACKER_FIELD(config, Source_interface_selection));
}

// From the first datum, start[0].
static unsigned read_interfaces(const struct tsr_env *env, const struct tsr_inflight *inst, int s,
                                int config, uint16_t start[PACK_SEGMENTS])
{
    const struct pack_operands *operands = tsr_pack_operands(env, inst);
    bool sets_last = tsr_cfg(env, s, PACKER_FIELD(config, Auto_set_last_pacr_intf_sel)) != 0;
    uint32_t mask = tsr_pack_interface_mask(env, operands, s, config, sets_last);
    return tsr_pack_interfaces(operands, mask, start[0], start);
}

// When one packer's rows can be read; counters that make no sense ask for no rows.
static uint64_t open_at(const struct tsr_env *env, const struct tsr_inflight *inst, int s,
                        int packer)
{
    int config = tsr_pack_config_of(env, inst, packer);
    unsigned thread = tsr_pack_counters_of(env, inst, s, config);
    const tsr_adc_channel *adc = env->state->adcs.channel[thread][TSR_ADC_PACKERS];
    uint32_t count = adc[1].x - adc[0].x + 1;
    if (reads_l1(env, s, packer, config) || adc[1].x < adc[0].x || count > TSR_DST_ROWS * 16)
        return 0;
    struct pack_strides strides = tsr_pack_strides(env, s);
    uint8_t bytes = tsr_pack_datum_bytes(tsr_cfg(env, s, PACKER_FIELD(config, In_data_format)));
    struct pack_inputs inputs;
    tsr_pack_read_inputs(env, s, config, &inputs);
    uint16_t start[PACK_SEGMENTS] = {tsr_pack_input_start(&inputs, bytes, &strides, &adc[0])};
    unsigned segments = 1;
    if (env->chip->pack_interfaces > 1)
        segments = read_interfaces(env, inst, s, config, start);
    bool wide = tsr_cfg(env, s, FIELD_PCK_DEST_RD_CTRL_Read_32b_data);
    unsigned rows = ((start[0] & 15) + count + 15) / 16;
    uint64_t latest = 0;
    for (unsigned i = 0; i < segments; i++) {
        uint64_t open =
            tsr_dst_open_at(env, inst->thread, tsr_dst_order(env), start[i] >> 4, rows, wide);
        latest = open > latest ? open : latest;
    }
    return latest;
}

tsr_reason tsr_pack_ready(struct tsr_env *env, const struct tsr_inflight *inst, uint64_t *retry_at)
{
    if (!env->timing || tsr_dst_all_open(env) || !reads_dst(env, inst))
        return TSR_REASON_NONE;
    int s = tsr_state_id(env, inst->thread);
    uint32_t packers = env->chip->packers == 1 ? 1 : tsr_pack_operands(env, inst)->packers;
    uint64_t latest = 0;
    for (int packer = 0; packer < env->chip->packers; packer++) {
        // No packer named means packer 0.
        if (!((packers ? packers : 1) >> packer & 1))
            continue;
        uint64_t open = open_at(env, inst, s, packer);
        latest = open > latest ? open : latest;
    }
    if (env->state->now >= latest)
        return TSR_REASON_NONE;
    *retry_at = latest;
    return TSR_REASON_DST;
}
