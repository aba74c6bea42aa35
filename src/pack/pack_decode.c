// SPDX-License-Identifier: Apache-2.0
// Decodes a PACR: its operands and what follows from them alone; which packers take part, whose
// configuration each uses, and whose counters. On Wormhole each packer has its own configuration.
// Blackhole's one packer has four contexts, in the fields of Wormhole's four packers: the
// instruction names one, or the packer tracks one itself. No page says so; vendor software's
// description of the operands does (decision 10, docs/errata.md 252). Page: PACR.md of each chip.
#include "pack/pack_decode.h"

#include "pack/pack_inputs.h"

// CtxtCtrl: whose configuration Blackhole's packer uses.
enum { CONTEXT_NAMED = 0, CONTEXT_TRACKED = 1, CONTEXT_RESET = 2, CONTEXT_TRACKED_NO_RESET = 3 };

static enum tsr_pack_padding padding_of(const struct tsr_pack_operands *operands)
{
    uint32_t when = operands->row_pad_zero & 3; // never, always, without Concat, with Last
    if (when == 0 || (when == 2 && operands->concat) || (when == 3 && !operands->last))
        return TSR_PACK_PAD_NONE;
    return operands->row_pad_zero & 4 ? TSR_PACK_PAD_SECTION : TSR_PACK_PAD_ROWS;
}

void tsr_pack_decode(const struct tsr_env *env, const struct tsr_inflight *inst,
                     struct tsr_pack_operands *operands)
{
    *operands =
        (struct tsr_pack_operands){.word = inst->word,
                                   .packers = (uint8_t)tsr_arg(env, inst, OPERAND_PackSel),
                                   .interfaces = (uint8_t)tsr_arg(env, inst, OPERAND_ReadIntfSel),
                                   .address_mode = (uint8_t)tsr_arg(env, inst, OPERAND_AddrMode),
                                   .counters = (uint8_t)tsr_arg(env, inst, OPERAND_AddrCntContext),
                                   .context_control = (uint8_t)tsr_arg(env, inst, OPERAND_CtxtCtrl),
                                   .context = (uint8_t)tsr_arg(env, inst, OPERAND_CfgContext),
                                   .row_pad_zero = (uint8_t)tsr_arg(env, inst, OPERAND_RowPadZero),
                                   .other_counters = tsr_arg(env, inst, OPERAND_OvrdThreadId) != 0,
                                   .strided = tsr_arg(env, inst, OPERAND_DstAccessMode) != 0,
                                   .zero_write = tsr_arg(env, inst, OPERAND_ZeroWrite) != 0,
                                   .flush = tsr_arg(env, inst, OPERAND_Flush) != 0,
                                   .concat = tsr_arg(env, inst, OPERAND_Concat) != 0,
                                   .last = tsr_arg(env, inst, OPERAND_Last) != 0};
    unsigned control = operands->context_control;
    operands->padding = (uint8_t)padding_of(operands);
    operands->closes = operands->last || operands->flush;
    operands->resets_context = control == CONTEXT_RESET;
    operands->tracks_context = control == CONTEXT_TRACKED || control == CONTEXT_TRACKED_NO_RESET;
    operands->context_wraps = control != CONTEXT_TRACKED_NO_RESET;

    // The sets of packers that the page lists, and operands that Wormhole does not have.
    static const uint16_t listed =
        1u << 0 | 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 8 | 1u << 12 | 1u << 15;
    if (env->chip->packers > 1 && !(listed >> operands->packers & 1))
        operands->anomalies |= TSR_PACK_ANOMALY(SELECTION);
    if (env->chip->packers == 1 && (control || operands->context || operands->row_pad_zero))
        operands->anomalies |= TSR_PACK_ANOMALY(OPERANDS);
}

// None named means packer 0. A set that the page does not list is undefined; going on uses all of
// it.
unsigned tsr_pack_packers(const struct tsr_env *env, const struct tsr_pack_operands *operands)
{
    return env->chip->packers > 1 && operands->packers ? operands->packers : 1;
}

int tsr_pack_config_of(const struct tsr_env *env, const struct tsr_pack_operands *operands,
                       int packer)
{
    if (env->chip->packers > 1)
        return packer;
    return operands->tracks_context ? env->state->packers.context : operands->context;
}

// The thread's own, or another's by configuration (WH) or by the word (BH); 3 means thread 0.
unsigned tsr_pack_counters_of(const struct tsr_env *env, const struct tsr_pack_operands *operands,
                              int thread, int state_id, int config_of)
{
    if (!operands->other_counters)
        return (unsigned)thread;
    uint32_t which = env->chip->pack_interfaces > 1
                         ? operands->counters
                         : tsr_pack_cfg(env, state_id, config_of, PACK_FIELD_Addr_cnt_context);
    return which == 3 ? 0 : which;
}
