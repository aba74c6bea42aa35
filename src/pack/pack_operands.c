// SPDX-License-Identifier: Apache-2.0
// What a PACR's word says, and the configuration words that belong to no plan: both are taken apart
// once and kept until they change, since kernels repeat a word and rewrite an address.
// Pages: PACR.md of each chip, Packers/OutputAddressGenerator.md,
// Packers/InputAddressGenerator.md.
#include "pack/pack_job.h"

static enum pack_padding padding_of(const struct pack_operands *operands)
{
    uint32_t when = operands->padding & 3; // never, always, without Concat, with Last
    if (when == 0 || (when == 2 && operands->concat) || (when == 3 && !operands->last))
        return PACK_PAD_NONE;
    return operands->padding & 4 ? PACK_PAD_SECTION : PACK_PAD_ROWS;
}

const struct pack_operands *tsr_pack_read_operands(const struct tsr_env *env,
                                                   const struct tsr_inflight *inst)
{
    struct pack_operands *operands = &env->pack_plans->operands[tsr_pack_slot(inst->word)];
    *operands =
        (struct pack_operands){.word = inst->word,
                               .packers = (uint8_t)tsr_arg(env, inst, OPERAND_PackSel),
                               .interfaces = (uint8_t)tsr_arg(env, inst, OPERAND_ReadIntfSel),
                               .address_mode = (uint8_t)tsr_arg(env, inst, OPERAND_AddrMode),
                               .counters = (uint8_t)tsr_arg(env, inst, OPERAND_AddrCntContext),
                               .context_control = (uint8_t)tsr_arg(env, inst, OPERAND_CtxtCtrl),
                               .context = (uint8_t)tsr_arg(env, inst, OPERAND_CfgContext),
                               .padding = (uint8_t)tsr_arg(env, inst, OPERAND_RowPadZero),
                               .other_counters = tsr_arg(env, inst, OPERAND_OvrdThreadId) != 0,
                               .strided = tsr_arg(env, inst, OPERAND_DstAccessMode) != 0,
                               .zero_write = tsr_arg(env, inst, OPERAND_ZeroWrite) != 0,
                               .flush = tsr_arg(env, inst, OPERAND_Flush) != 0,
                               .concat = tsr_arg(env, inst, OPERAND_Concat) != 0,
                               .last = tsr_arg(env, inst, OPERAND_Last) != 0};
    operands->pad = (uint8_t)padding_of(operands);
    operands->close = operands->last || operands->flush;
    // Wormhole has none of these.
    operands->undescribed = env->chip->packers == 1 &&
                            (operands->context_control || operands->context || operands->padding);
    return operands;
}

// ---------------------------------------------------------------- inputs

// The words of the fields below; some share one.
static void find_words(const struct tsr_isa *isa, int config, struct pack_inputs *inputs)
{
    const enum tsr_field fields[PACK_INPUT_WORDS] = {
        FIELD_PCK0_ADDR_BASE_REG_0_Base,
        FIELD_PCK0_ADDR_BASE_REG_1_Base,
        tsr_pack_field(config, PACK_FIELD_limit_address),
        tsr_pack_field(config, PACK_FIELD_fifo_size),
        tsr_pack_field(config, PACK_FIELD_Offset),
        tsr_pack_field(config, PACK_FIELD_L1_source_addr)};
    for (unsigned i = 0; i < PACK_INPUT_WORDS; i++)
        inputs->addr32[i] = isa->field[fields[i]].addr32;
    inputs->destination_addr32 = isa->field[tsr_pack_field(config, PACK_FIELD_L1_Dest_addr)].addr32;
    inputs->first_addr32 = isa->field[FIELD_THCON_SEC0_REG1_L1_Dest_addr].addr32;
}

static void read_words(const struct tsr_env *env, int s, int config, struct pack_inputs *inputs)
{
    for (unsigned i = 0; i < PACK_INPUT_WORDS; i++)
        inputs->word[i] = env->state->config.bank[s][inputs->addr32[i]];
    inputs->base0 = tsr_cfg(env, s, FIELD_PCK0_ADDR_BASE_REG_0_Base);
    inputs->base1 = tsr_cfg(env, s, FIELD_PCK0_ADDR_BASE_REG_1_Base);
    inputs->limit = tsr_cfg(env, s, tsr_pack_field(config, PACK_FIELD_limit_address)) * 2 + 1;
    inputs->fifo_size = tsr_cfg(env, s, tsr_pack_field(config, PACK_FIELD_fifo_size)) * 2;
    inputs->rows = (uint16_t)tsr_cfg(env, s, tsr_pack_field(config, PACK_FIELD_Offset));
    inputs->z_offset = (uint8_t)tsr_cfg(env, s, tsr_pack_field(config, PACK_FIELD_ZOffset));
    inputs->l1_source = (uint8_t)tsr_cfg(env, s, tsr_pack_field(config, PACK_FIELD_L1_source_addr));
    inputs->tile_header =
        tsr_cfg(env, s, tsr_pack_field(config, PACK_FIELD_Add_tile_header_size)) != 0;
    inputs->out_fifo = tsr_cfg(env, s, tsr_pack_field(config, PACK_FIELD_Enable_out_fifo)) != 0;
}

bool tsr_pack_renew_inputs(const struct tsr_env *env, int s, int config, struct pack_inputs *inputs)
{
    const uint32_t *bank = env->state->config.bank[s];
    uint32_t changed = 0;
    for (unsigned i = 0; i < PACK_INPUT_WORDS; i++)
        changed |= bank[inputs->addr32[i]] ^ inputs->word[i];
    if (changed) {
        read_words(env, s, config, inputs);
        env->pack_plans->stamp++; // outlines were made from the old ones
    }
    inputs->destination = bank[inputs->destination_addr32] + inputs->header;
    inputs->first = bank[inputs->first_addr32] + inputs->first_header;
    return changed != 0;
}

void tsr_pack_read_inputs(const struct tsr_env *env, int s, int config, struct pack_inputs *inputs)
{
    find_words(env->isa, config, inputs);
    read_words(env, s, config, inputs);
    inputs->header = !tsr_cfg(env, s, tsr_pack_field(config, PACK_FIELD_Sub_l1_tile_header_size));
    inputs->first_header = !tsr_cfg(env, s, FIELD_THCON_SEC0_REG1_Sub_l1_tile_header_size);
    tsr_pack_renew_inputs(env, s, config, inputs);
}
