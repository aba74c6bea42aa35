// SPDX-License-Identifier: Apache-2.0
// The configuration words that an UNPACR's addresses come from and that belong to no plan: base
// addresses, offsets, the input's wrap. Page: UNPACR_Regular.md (functional model).
#include "unpack/unpack_plan.h"

static const enum tsr_field base_address[2][TSR_UNPACK_CONTEXTS] = {
    {FIELD_THCON_SEC0_REG3_Base_address, FIELD_THCON_SEC0_REG3_Base_cntx1_address,
     FIELD_THCON_SEC0_REG3_Base_cntx2_address, FIELD_THCON_SEC0_REG3_Base_cntx3_address,
     FIELD_THCON_SEC0_REG4_Base_cntx4_address, FIELD_THCON_SEC0_REG4_Base_cntx5_address,
     FIELD_THCON_SEC0_REG4_Base_cntx6_address, FIELD_THCON_SEC0_REG4_Base_cntx7_address},
    {FIELD_THCON_SEC1_REG3_Base_address, FIELD_THCON_SEC1_REG3_Base_cntx1_address,
     FIELD_THCON_SEC1_REG3_Base_cntx2_address, FIELD_THCON_SEC1_REG3_Base_cntx3_address,
     FIELD_THCON_SEC1_REG4_Base_cntx4_address, FIELD_THCON_SEC1_REG4_Base_cntx5_address,
     FIELD_THCON_SEC1_REG4_Base_cntx6_address, FIELD_THCON_SEC1_REG4_Base_cntx7_address}};
static const enum tsr_field offset_address[2][4] = {
    {FIELD_THCON_SEC0_REG7_Offset_address, FIELD_THCON_SEC0_REG7_Offset_cntx1_address,
     FIELD_THCON_SEC0_REG7_Offset_cntx2_address, FIELD_THCON_SEC0_REG7_Offset_cntx3_address},
    {FIELD_THCON_SEC1_REG7_Offset_address, FIELD_THCON_SEC1_REG7_Offset_cntx1_address,
     FIELD_THCON_SEC1_REG7_Offset_cntx2_address, FIELD_THCON_SEC1_REG7_Offset_cntx3_address}};
static const enum tsr_field destination[4] = {
    FIELD_THCON_SEC0_REG5_Dest_cntx0_address, FIELD_THCON_SEC0_REG5_Dest_cntx1_address,
    FIELD_THCON_SEC0_REG5_Dest_cntx2_address, FIELD_THCON_SEC0_REG5_Dest_cntx3_address};
static const enum tsr_field out_base[2] = {FIELD_UNP0_ADDR_BASE_REG_1_Base,
                                           FIELD_UNP1_ADDR_BASE_REG_1_Base};
static const enum tsr_field limit_address[2][2] = {
    {FIELD_THCON_SEC0_REG2_Unpack_limit_address, FIELD_THCON_SEC1_REG2_Unpack_limit_address},
    {FIELD_THCON_SEC0_REG10_Unpack_limit_address, FIELD_THCON_SEC1_REG10_Unpack_limit_address}};
static const enum tsr_field fifo_size[2][2] = {
    {FIELD_THCON_SEC0_REG2_Unpack_fifo_size, FIELD_THCON_SEC1_REG2_Unpack_fifo_size},
    {FIELD_THCON_SEC0_REG10_Unpack_fifo_size, FIELD_THCON_SEC1_REG10_Unpack_fifo_size}};
static const enum tsr_field second_wrap_enable[2] = {
    FIELD_THCON_SEC0_REG10_Unpack_limit_address_en, FIELD_THCON_SEC1_REG10_Unpack_limit_address_en};
static const enum tsr_field src_set[2] = {FIELD_SRCA_SET_Base, FIELD_SRCB_SET_Base};

// The words of the fields below; some share one.
static void find_words(const struct tsr_isa *isa, const struct tsr_unpack_call *call,
                       struct tsr_unpack_inputs *inputs)
{
    unsigned unpacker = call->unpacker;
    const enum tsr_field fields[TSR_UNPACK_INPUT_WORDS] = {
        offset_address[unpacker][call->context & 3],
        destination[call->context & 3],
        out_base[unpacker],
        limit_address[0][unpacker],
        fifo_size[0][unpacker],
        limit_address[1][unpacker],
        fifo_size[1][unpacker]};
    for (unsigned i = 0; i < TSR_UNPACK_INPUT_WORDS; i++)
        inputs->addr32[i] = isa->field[fields[i]].addr32;
    inputs->base_addr32 = isa->field[base_address[unpacker][call->context]].addr32;
    inputs->set_addr32 = isa->field[src_set[unpacker]].addr32;
}

// Blackhole has a second limit and size with an enable bit, a set for each unpacker.
static void read_wrap(const struct tsr_env *env, const struct tsr_unpack_call *call,
                      struct tsr_unpack_inputs *inputs)
{
    int bank = call->state;
    unsigned set = tsr_cfg(env, bank, second_wrap_enable[call->unpacker]);
    inputs->limit = tsr_cfg(env, bank, limit_address[set][call->unpacker]);
    inputs->fifo = tsr_cfg(env, bank, fifo_size[set][call->unpacker]);
}

void tsr_unpack_reread_inputs(const struct tsr_env *env, const struct tsr_unpack_call *call,
                              const struct tsr_unpack_shape *shape,
                              struct tsr_unpack_inputs *inputs)
{
    const struct tsr_config *config = &env->state->config;
    int bank = call->state;
    for (unsigned i = 0; i < TSR_UNPACK_INPUT_WORDS; i++)
        inputs->word[i] = config->bank[bank][inputs->addr32[i]];
    inputs->set_word = config->thread[call->thread][inputs->set_addr32];
    read_wrap(env, call, inputs);
    uint32_t units = tsr_cfg(env, bank, offset_address[call->unpacker][call->context & 3]);
    inputs->offset = (units & 0xffff) * 16 + shape->header;
    inputs->out = tsr_cfg(env, bank, out_base[call->unpacker]);
    inputs->own = tsr_cfg(env, bank, destination[call->context & 3]);
    uint32_t set = tsr_thread_cfg(env, call->thread, src_set[call->unpacker]);
    inputs->row_base = (uint8_t)(set << 4);
}

void tsr_unpack_read_inputs(const struct tsr_env *env, const struct tsr_unpack_call *call,
                            const struct tsr_unpack_shape *shape, struct tsr_unpack_inputs *inputs)
{
    find_words(env->isa, call, inputs);
    tsr_unpack_reread_inputs(env, call, shape, inputs);
    inputs->base = env->state->config.bank[call->state][inputs->base_addr32];
}
