// SPDX-License-Identifier: Apache-2.0
// Reads base addresses, offsets and the limits of the input's buffer, again where their words have
// changed. unpack_address.c makes addresses of them. Page: UNPACR_Regular.md (functional model).
#include "unpack/unpack_inputs.h"

#include "state/races.h"

static void read_fields(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                        struct tsr_unpack_inputs *inputs)
{
    const struct tsr_config *config = &env->state->config;
    const uint16_t *field = tsr_unpack_fields[operands->unpacker];
    int state_id = operands->state_id, context = operands->context & 3;
    for (unsigned i = 0; i < TSR_UNPACK_INPUT_WORDS; i++)
        inputs->word[i] = config->bank[state_id][inputs->addr32[i]];
    inputs->set_word = config->thread[operands->thread][inputs->set_addr32];

    inputs->offset_address =
        tsr_cfg(env, state_id, field[UNPACK_FIELD_Offset_address_cntx0 + context]) & 0xffff;
    // Blackhole has a second limit and size with an enable bit, a set for each unpacker.
    bool second = tsr_cfg(env, state_id, field[UNPACK_FIELD_REG10_Unpack_limit_address_en]);
    inputs->limit_address = tsr_cfg(env, state_id,
                                    field[second ? UNPACK_FIELD_REG10_Unpack_limit_address
                                                 : UNPACK_FIELD_Unpack_limit_address]);
    inputs->fifo_size = tsr_cfg(
        env, state_id,
        field[second ? UNPACK_FIELD_REG10_Unpack_fifo_size : UNPACK_FIELD_Unpack_fifo_size]);
    inputs->out_base = tsr_cfg(env, state_id, field[UNPACK_FIELD_ADDR_BASE]);
    inputs->context_out = tsr_cfg(env, state_id, field[UNPACK_FIELD_Dest_address_cntx0 + context]);
    uint32_t set = tsr_thread_cfg(env, operands->thread, field[UNPACK_FIELD_SRC_SET_Base]);
    inputs->src_row_base = (uint8_t)(set << 4);
}

// The enable bit of the second limit lies in the word of the second size.
void tsr_unpack_inputs_make(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                            struct tsr_unpack_inputs *inputs)
{
    const struct tsr_field_place *place = env->isa->field;
    const uint16_t *field = tsr_unpack_fields[operands->unpacker];
    unsigned context = operands->context;
    const unsigned watched[TSR_UNPACK_INPUT_WORDS] = {
        UNPACK_FIELD_Offset_address_cntx0 + (context & 3),
        UNPACK_FIELD_Dest_address_cntx0 + (context & 3),
        UNPACK_FIELD_ADDR_BASE,
        UNPACK_FIELD_Unpack_limit_address,
        UNPACK_FIELD_Unpack_fifo_size,
        UNPACK_FIELD_REG10_Unpack_limit_address,
        UNPACK_FIELD_REG10_Unpack_fifo_size};
    for (unsigned i = 0; i < TSR_UNPACK_INPUT_WORDS; i++)
        inputs->addr32[i] = place[field[watched[i]]].addr32;
    inputs->base_addr32 = place[field[UNPACK_FIELD_Base_address_cntx0 + context]].addr32;
    inputs->set_addr32 = place[field[UNPACK_FIELD_SRC_SET_Base]].addr32;
    read_fields(env, operands, inputs);
    inputs->base_address = env->state->config.bank[operands->state_id][inputs->base_addr32];
}

bool tsr_unpack_inputs_update(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                              struct tsr_unpack_inputs *inputs)
{
    const uint32_t *bank = env->state->config.bank[operands->state_id];
    const uint16_t *thread = env->state->config.thread[operands->thread];
    uint32_t changed = (uint32_t)(thread[inputs->set_addr32] ^ inputs->set_word);
    for (unsigned i = 0; i < TSR_UNPACK_INPUT_WORDS; i++)
        changed |= bank[inputs->addr32[i]] ^ inputs->word[i];
    if (changed)
        read_fields(env, operands, inputs);
    inputs->base_address = bank[inputs->base_addr32];
    return changed != 0;
}

// The thread's own words that are used on the way, and counters.
static void tell_thread(const struct tsr_env *env, const struct tsr_unpack_operands *operands)
{
    enum { X0 = 1, Y0 = 2, Z0 = 4, W0 = 8, X1 = 16, Y1 = 32, Z1 = 64, W1 = 128 };
    int thread = operands->thread;
    unsigned unpacker = operands->unpacker, steps = operands->increments;
    tsr_race_config_field(env, thread,
                          unpacker ? FIELD_SRCB_SET_Base : FIELD_SRCA_SET_SetOvrdWithAddr);
    if (operands->counts_contexts)
        tsr_race_config_field(env, thread,
                              unpacker ? FIELD_UNPACK_MISC_CFG_CfgContextCntReset_1
                                       : FIELD_UNPACK_MISC_CFG_CfgContextCntReset_0);
    tsr_race_counters(env, false, operands->adc, unpacker, X0 | Y0 | X1);
    tsr_race_counters(env, false, operands->thread, unpacker, Z0 | W0 | Y1 | Z1 | W1);
    uint32_t stepped = (steps & 3 ? Z0 : 0) | (steps >> 2 & 3 ? Y0 : 0) |
                       (steps >> 4 & 3 ? Z1 : 0) | (steps >> 6 & 3 ? Y1 : 0);
    tsr_race_counters(env, true, operands->thread, unpacker, stepped);
    if (operands->adc != operands->thread)
        tsr_race_counters(env, true, operands->adc, unpacker, stepped);
}

void tsr_unpack_inputs_tell(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                            bool compressed)
{
    const uint16_t *field = tsr_unpack_fields[operands->unpacker];
    unsigned context = operands->context;
    const unsigned out[] = {UNPACK_FIELD_Dest_address_cntx0 + (context & 3),
                            UNPACK_FIELD_ADDR_BASE},
                   wrap[] = {UNPACK_FIELD_Unpack_limit_address, UNPACK_FIELD_Unpack_fifo_size},
                   start[] = {UNPACK_FIELD_Base_address_cntx0 + context,
                              UNPACK_FIELD_Offset_address_cntx0 + (context & 3)};
    for (unsigned i = 0; i < 2; i++)
        tsr_race_config_field(env, operands->state_id, (enum tsr_field)field[out[i]]);
    // What lies there, and so where it lies, changes no zero (errata 422).
    for (unsigned i = 0; i < 2 && (!operands->all_zero || compressed); i++) {
        // Its thread starts nothing else until it has the input address (UNPACR_Regular.md).
        tsr_race_config_taken(env, operands->state_id, (enum tsr_field)field[start[i]]);
        tsr_race_config_field(env, operands->state_id, (enum tsr_field)field[wrap[i]]);
    }
    tell_thread(env, operands);
}
