// SPDX-License-Identifier: Apache-2.0
// Reads base addresses, offsets, the limits of the output's buffer, and what shares a word with
// them, again where their words have changed. pack_address.c makes addresses of them. Pages:
// Packers/InputAddressGenerator.md, Packers/OutputAddressGenerator.md.
#include "pack/pack_inputs.h"

#include "isa/unit_fields.h"

static uint32_t own(const struct tsr_env *env, int state_id, int config_of,
                    enum tsr_pack_field name)
{
    return tsr_cfg(env, state_id, tsr_pack_field_of(config_of, name));
}

static __attribute__((noinline)) void read_fields(const struct tsr_env *env, int state_id,
                                                  int config_of, struct tsr_pack_inputs *inputs)
{
    inputs->serial++;
    for (unsigned i = 0; i < TSR_PACK_INPUT_WORDS; i++)
        inputs->word[i] = env->state->config.bank[state_id][inputs->addr32[i]];
    inputs->base0 = tsr_cfg(env, state_id, FIELD_PCK0_ADDR_BASE_REG_0_Base);
    inputs->base1 = tsr_cfg(env, state_id, FIELD_PCK0_ADDR_BASE_REG_1_Base);
    inputs->limit = own(env, state_id, config_of, PACK_FIELD_limit_address) * 2 + 1;
    inputs->fifo_size = own(env, state_id, config_of, PACK_FIELD_fifo_size) * 2;
    inputs->rows = (uint16_t)own(env, state_id, config_of, PACK_FIELD_Offset);
    inputs->z_offset = (uint8_t)own(env, state_id, config_of, PACK_FIELD_ZOffset);
    inputs->l1_source = (uint8_t)own(env, state_id, config_of, PACK_FIELD_L1_source_addr);
    inputs->tile_header = own(env, state_id, config_of, PACK_FIELD_Add_tile_header_size) != 0;
    inputs->out_fifo = own(env, state_id, config_of, PACK_FIELD_Enable_out_fifo) != 0;
}

void tsr_pack_inputs_reread(const struct tsr_env *env, int state_id, int config_of,
                            struct tsr_pack_inputs *inputs)
{
    const uint32_t *bank = env->state->config.bank[state_id];
    uint32_t changed = 0;
    inputs->changes = env->state->config.changes;
    for (unsigned i = 0; i < TSR_PACK_INPUT_WORDS; i++)
        changed |= bank[inputs->addr32[i]] ^ inputs->word[i];
    if (changed)
        read_fields(env, state_id, config_of, inputs);
    inputs->destination = bank[inputs->destination_addr32] + inputs->header;
    if (inputs->behind_first) {
        uint32_t first = bank[inputs->first_addr32] + inputs->first_header;
        inputs->destination += first >> 31 ? first : 0;
    }
}

void tsr_pack_inputs_make(const struct tsr_env *env, int state_id, int config_of,
                          struct tsr_pack_inputs *inputs)
{
    // The words of the fields that read_fields() reads; some fields share one.
    const enum tsr_field fields[TSR_PACK_INPUT_WORDS] = {
        FIELD_PCK0_ADDR_BASE_REG_0_Base,
        FIELD_PCK0_ADDR_BASE_REG_1_Base,
        tsr_pack_field_of(config_of, PACK_FIELD_limit_address),
        tsr_pack_field_of(config_of, PACK_FIELD_fifo_size),
        tsr_pack_field_of(config_of, PACK_FIELD_Offset),
        tsr_pack_field_of(config_of, PACK_FIELD_L1_source_addr)};
    const struct tsr_field_place *place = env->isa->field;
    for (unsigned i = 0; i < TSR_PACK_INPUT_WORDS; i++)
        inputs->addr32[i] = place[fields[i]].addr32;
    inputs->destination_addr32 =
        place[tsr_pack_field_of(config_of, PACK_FIELD_L1_Dest_addr)].addr32;
    inputs->first_addr32 = place[tsr_pack_field_of(0, PACK_FIELD_L1_Dest_addr)].addr32;
    inputs->header = !own(env, state_id, config_of, PACK_FIELD_Sub_l1_tile_header_size);
    inputs->behind_first = config_of > 0 && env->chip->packers > 1;
    inputs->first_header = !own(env, state_id, 0, PACK_FIELD_Sub_l1_tile_header_size);
    read_fields(env, state_id, config_of, inputs);
    inputs->changes = env->state->config.changes - 1;
    tsr_pack_inputs_update(env, state_id, config_of, inputs);
}

bool tsr_pack_counts_exponents(const struct tsr_env *env)
{
    const struct tsr_field_place *enable = &env->isa->field[FIELD_ENABLE_ACC_STATS_Enable];
    uint32_t words = 0;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        words |= env->state->config.thread[thread][enable->addr32];
    return words >> enable->first_bit & 1;
}
