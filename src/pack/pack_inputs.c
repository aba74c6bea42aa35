// SPDX-License-Identifier: Apache-2.0
// Reads base addresses, offsets, the limits of the output's buffer, and what shares a word with
// them, again where their words have changed. pack_address.c makes addresses of them. Pages:
// Packers/InputAddressGenerator.md, Packers/OutputAddressGenerator.md.
#include "pack/pack_inputs.h"

static void read_offset(const struct tsr_env *env, int state_id, int config_of,
                        struct tsr_pack_bank_inputs *inputs)
{
    struct tsr_pack_input_words *words = &inputs->words[config_of];
    words->offset = env->state->config.bank[state_id][words->offset_addr32];
    inputs->of[config_of].rows =
        (uint16_t)tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_Offset);
    inputs->of[config_of].z_offset =
        (uint8_t)tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_ZOffset);
}

static void read_offsets(const struct tsr_env *env, int state_id,
                         struct tsr_pack_bank_inputs *inputs)
{
    inputs->moves++;
    for (int config_of = 0; config_of < inputs->configs; config_of++)
        read_offset(env, state_id, config_of, inputs);
}

static void read_fields(const struct tsr_env *env, int state_id,
                        struct tsr_pack_bank_inputs *inputs)
{
    const uint32_t *bank = env->state->config.bank[state_id];
    inputs->serial++;
    for (unsigned i = 0; i < 2; i++)
        inputs->base[i] = bank[inputs->base_addr32[i]];
    for (int k = 0; k < inputs->configs; k++) {
        struct tsr_pack_input_words *words = &inputs->words[k];
        struct tsr_pack_inputs *of = &inputs->of[k];
        words->limit = bank[words->limit_addr32];
        words->size = bank[words->size_addr32];
        words->source = bank[words->source_addr32];
        of->base0 = tsr_cfg(env, state_id, FIELD_PCK0_ADDR_BASE_REG_0_Base);
        of->base1 = tsr_cfg(env, state_id, FIELD_PCK0_ADDR_BASE_REG_1_Base);
        of->limit = tsr_pack_cfg(env, state_id, k, PACK_FIELD_limit_address) * 2 + 1;
        of->fifo_size = tsr_pack_cfg(env, state_id, k, PACK_FIELD_fifo_size) * 2;
        of->l1_source = (uint8_t)tsr_pack_cfg(env, state_id, k, PACK_FIELD_L1_source_addr);
        of->tile_header = tsr_pack_cfg(env, state_id, k, PACK_FIELD_Add_tile_header_size) != 0;
        of->out_fifo = tsr_pack_cfg(env, state_id, k, PACK_FIELD_Enable_out_fifo) != 0;
    }
}

static __attribute__((noinline)) void decode(const struct tsr_env *env, int state_id,
                                             struct tsr_pack_bank_inputs *inputs, bool fields)
{
    if (fields)
        read_fields(env, state_id, inputs);
    read_offsets(env, state_id, inputs);
}

void tsr_pack_inputs_reread(const struct tsr_env *env, int state_id,
                            struct tsr_pack_bank_inputs *inputs)
{
    const uint32_t *bank = env->state->config.bank[state_id];
    const struct tsr_pack_input_words *words = inputs->words, *end = words + inputs->configs;
    struct tsr_pack_inputs *of = inputs->of;
    uint32_t first = bank[words->destination_addr32] + words->header, moved = 0;
    uint32_t changed = (bank[inputs->base_addr32[0]] ^ inputs->base[0]) |
                       (bank[inputs->base_addr32[1]] ^ inputs->base[1]);
    first = first >> 31 ? first : 0;
    inputs->changes = env->state->config.changes;
    inputs->threads = 0;
    for (; words < end; words++, of++) {
        changed |= (bank[words->limit_addr32] ^ words->limit) |
                   (bank[words->size_addr32] ^ words->size) |
                   (bank[words->source_addr32] ^ words->source);
        moved |= bank[words->offset_addr32] ^ words->offset;
        of->destination =
            bank[words->destination_addr32] + words->header + (first & words->behind_first);
    }
    if (changed | moved)
        decode(env, state_id, inputs, changed != 0);
}

static void find_words(const struct tsr_env *env, int state_id, int config_of,
                       struct tsr_pack_input_words *words)
{
    const struct tsr_field_place *place = env->isa->field;
    const uint16_t *field = tsr_pack_fields[config_of];
    words->limit_addr32 = place[field[PACK_FIELD_limit_address]].addr32;
    words->size_addr32 = place[field[PACK_FIELD_fifo_size]].addr32;
    words->source_addr32 = place[field[PACK_FIELD_L1_source_addr]].addr32;
    words->offset_addr32 = place[field[PACK_FIELD_Offset]].addr32;
    words->destination_addr32 = place[field[PACK_FIELD_L1_Dest_addr]].addr32;
    words->header = !tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_Sub_l1_tile_header_size);
    words->behind_first = config_of > 0 && env->chip->packers > 1 ? UINT32_MAX : 0;
}

void tsr_pack_inputs_make(const struct tsr_env *env, int state_id, int config_of,
                          struct tsr_pack_bank_inputs *inputs)
{
    const struct tsr_field_place *place = env->isa->field;
    if (inputs->configs <= config_of)
        inputs->configs = (uint8_t)(config_of + 1);
    inputs->base_addr32[0] = place[FIELD_PCK0_ADDR_BASE_REG_0_Base].addr32;
    inputs->base_addr32[1] = place[FIELD_PCK0_ADDR_BASE_REG_1_Base].addr32;
    for (int k = 0; k < inputs->configs; k++)
        find_words(env, state_id, k, &inputs->words[k]);
    decode(env, state_id, inputs, true);
    tsr_pack_inputs_reread(env, state_id, inputs);
}

bool tsr_pack_counts_exponents(const struct tsr_env *env)
{
    const struct tsr_field_place *enable = &env->isa->field[FIELD_ENABLE_ACC_STATS_Enable];
    uint32_t words = 0;
    for (int thread = 0; thread < TSR_THREADS; thread++)
        words |= env->state->config.thread[thread][enable->addr32];
    return words >> enable->first_bit & 1;
}
