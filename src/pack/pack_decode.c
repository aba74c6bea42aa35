// SPDX-License-Identifier: Apache-2.0
// What a PACR's word says: its operands, and what follows from them alone.
// Page: PACR.md of each chip.
#include "pack/pack_decode.h"

// CtxtCtrl: whose configuration Blackhole's packer uses (pack_context.c).
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
    // Wormhole has none of these.
    operands->undescribed =
        env->chip->packers == 1 && (control || operands->context || operands->row_pad_zero);
    operands->resets_context = control == CONTEXT_RESET;
    operands->tracks_context = control == CONTEXT_TRACKED || control == CONTEXT_TRACKED_NO_RESET;
    operands->context_wraps = control != CONTEXT_TRACKED_NO_RESET;
}
