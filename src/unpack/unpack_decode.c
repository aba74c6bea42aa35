// SPDX-License-Identifier: Apache-2.0
// What an UNPACR asks for: its operands, which are taken apart once for each word since kernels
// repeat it for every face, and the context. Page: UNPACR_Regular.md.
#include "unpack/unpack_plan.h"

static void read_context(const struct tsr_env *env, const struct tsr_inflight *inst,
                         struct tsr_unpack_operands *operands)
{
    struct tsr_unpack_call *call = &operands->call;
    uint32_t adc = tsr_arg(env, inst, OPERAND_AddrCntContextId);
    operands->own_adc = true;
    if (!call->multi_context) {
        operands->anomalies |= TSR_ANOMALY(ANOMALY_SINGLE_CONTEXT);
        return;
    }
    operands->number = (uint8_t)tsr_arg(env, inst, OPERAND_CfgContextId);
    call->counts_contexts = tsr_arg(env, inst, OPERAND_AutoIncContextID);
    if (call->counts_contexts)
        operands->anomalies |= TSR_ANOMALY(ANOMALY_CONTEXT_COUNTER);
    else if (operands->number != 0)
        operands->anomalies |= TSR_ANOMALY(ANOMALY_CONTEXT_NUMBER);
    if (adc != 0)
        operands->anomalies |= TSR_ANOMALY(adc == 3 ? ANOMALY_ADC : ANOMALY_OTHER_ADC);
    operands->own_adc = adc >= TSR_THREADS;
    if (adc < TSR_THREADS)
        call->adc = (uint8_t)adc;
}

static void read_operands(const struct tsr_env *env, const struct tsr_inflight *inst,
                          struct tsr_unpack_operands *operands)
{
    *operands = (struct tsr_unpack_operands){.word = inst->word};
    struct tsr_unpack_call *call = &operands->call;
    call->unpacker = (uint8_t)tsr_arg(env, inst, OPERAND_Unpack_block_selection);
    call->multi_context = tsr_arg(env, inst, OPERAND_OvrdThreadId);
    call->zero = tsr_arg(env, inst, OPERAND_ZeroWrite2);
    call->flip = tsr_arg(env, inst, OPERAND_SetDatValid);
    call->increments = (uint8_t)tsr_arg(env, inst, OPERAND_AddrMode);
    read_context(env, inst, operands);
    call->row_search = tsr_arg(env, inst, OPERAND_RowSearch);
    if (call->row_search)
        operands->anomalies |= TSR_ANOMALY(ANOMALY_ROW_SEARCH);
    bool broadcasts = tsr_arg(env, inst, OPERAND_srcb_bcast);
    call->broadcasts = broadcasts && call->unpacker == 1;
    if (broadcasts)
        operands->anomalies |= TSR_ANOMALY(ANOMALY_ROW_BROADCAST);
    if (tsr_arg(env, inst, OPERAND_rareb_en))
        operands->anomalies |= TSR_ANOMALY(ANOMALY_RAREFY);
    operands->flushes = tsr_arg(env, inst, OPERAND_SearchCacheFlush);
    operands->counts = tsr_arg(env, inst, OPERAND_CfgContextCntInc);
}

static void choose_context(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                           struct tsr_unpack_call *call)
{
    static const enum tsr_field offset[2] = {FIELD_UNPACK_MISC_CFG_CfgContextOffset_0,
                                             FIELD_UNPACK_MISC_CFG_CfgContextOffset_1};
    uint32_t number = operands->number;
    if (call->counts_contexts)
        number = env->state->unpacker[call->unpacker].context_counter[call->thread];
    number += tsr_thread_cfg(env, call->thread, offset[call->unpacker]);
    call->context = (uint8_t)(number & (TSR_UNPACK_CONTEXTS - 1));
    if (call->unpacker == 1 && call->context >= 2)
        call->anomalies |= TSR_ANOMALY(ANOMALY_CONTEXT);
}

const struct tsr_unpack_operands *tsr_unpack_decode(const struct tsr_env *env,
                                                    const struct tsr_inflight *inst)
{
    struct tsr_unpack_operands *operands =
        &env->unpack_plans->operands[inst->unit == TSR_UNIT_UNPACKER1];
    if (operands->word != inst->word)
        read_operands(env, inst, operands);
    struct tsr_unpack_call *call = &operands->call;
    call->thread = inst->thread;
    call->state = (uint8_t)tsr_state_id(env, inst->thread);
    call->anomalies = operands->anomalies;
    if (operands->own_adc)
        call->adc = inst->thread;
    if (call->multi_context)
        choose_context(env, operands, call);
    return operands;
}
