// SPDX-License-Identifier: Apache-2.0
// Decodes an UNPACR: its operands, which are read once for each word since kernels repeat it for
// every face, and the context. Page: UNPACR_Regular.md.
#include "unpack/unpack_decode.h"

static void read_word(const struct tsr_env *env, const struct tsr_inflight *inst,
                      struct tsr_unpack_operands *operands)
{
    tsr_unpack_anomalies anomalies = 0;
    *operands = (struct tsr_unpack_operands){.word = inst->word};
    operands->unpacker = (uint8_t)tsr_arg(env, inst, OPERAND_Unpack_block_selection);
    operands->multi_context = tsr_arg(env, inst, OPERAND_OvrdThreadId);
    operands->flip = tsr_arg(env, inst, OPERAND_SetDatValid);
    operands->all_zero = tsr_arg(env, inst, OPERAND_ZeroWrite2);
    operands->increments = (uint8_t)tsr_arg(env, inst, OPERAND_AddrMode);
    operands->row_search = tsr_arg(env, inst, OPERAND_RowSearch);
    operands->flushes_cache = tsr_arg(env, inst, OPERAND_SearchCacheFlush);
    operands->only_counts = tsr_arg(env, inst, OPERAND_CfgContextCntInc);

    uint32_t adc = tsr_arg(env, inst, OPERAND_AddrCntContextId);
    operands->own_adc = true;
    if (operands->multi_context) {
        operands->context_number = (uint8_t)tsr_arg(env, inst, OPERAND_CfgContextId);
        operands->counts_contexts = tsr_arg(env, inst, OPERAND_AutoIncContextID);
        if (operands->counts_contexts)
            anomalies |= TSR_UNPACK_ANOMALY(CONTEXT_COUNTER);
        else if (operands->context_number != 0)
            anomalies |= TSR_UNPACK_ANOMALY(CONTEXT_NUMBER);
        if (adc != 0)
            anomalies |= adc == 3 ? TSR_UNPACK_ANOMALY(ADC) : TSR_UNPACK_ANOMALY(OTHER_ADC);
        operands->own_adc = adc >= TSR_THREADS;
        if (adc < TSR_THREADS)
            operands->adc = (uint8_t)adc;
    } else {
        anomalies |= TSR_UNPACK_ANOMALY(SINGLE_CONTEXT);
    }

    if (operands->row_search)
        anomalies |= TSR_UNPACK_ANOMALY(ROW_SEARCH);
    bool broadcasts = tsr_arg(env, inst, OPERAND_srcb_bcast);
    operands->broadcasts = broadcasts && operands->unpacker == 1;
    if (broadcasts)
        anomalies |= TSR_UNPACK_ANOMALY(ROW_BROADCAST);
    if (tsr_arg(env, inst, OPERAND_rareb_en))
        anomalies |= TSR_UNPACK_ANOMALY(RAREFY);
    operands->word_anomalies = anomalies;
    operands->plain =
        !anomalies && !operands->all_zero && !operands->flushes_cache && !operands->only_counts;
}

static void choose_context(const struct tsr_env *env, struct tsr_unpack_operands *operands)
{
    uint32_t number = operands->context_number;
    if (operands->counts_contexts)
        number = env->state->unpacker[operands->unpacker].context_counter[operands->thread];
    number +=
        tsr_thread_cfg(env, operands->thread,
                       tsr_unpack_field_of(operands->unpacker, UNPACK_FIELD_CfgContextOffset));
    operands->context = (uint8_t)(number & (TSR_UNPACK_CONTEXTS - 1));
    if (operands->unpacker == 1 && operands->context >= 2)
        operands->anomalies |= TSR_UNPACK_ANOMALY(CONTEXT);
}

void tsr_unpack_decode(const struct tsr_env *env, const struct tsr_inflight *inst,
                       struct tsr_unpack_operands *operands)
{
    if (operands->word != inst->word)
        read_word(env, inst, operands);
    operands->thread = inst->thread;
    operands->state_id = (uint8_t)tsr_state_id(env, inst->thread);
    operands->anomalies = operands->word_anomalies;
    operands->current = NULL;
    if (operands->own_adc)
        operands->adc = inst->thread;
    if (operands->multi_context)
        choose_context(env, operands);
}
