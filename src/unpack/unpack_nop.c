// SPDX-License-Identifier: Apache-2.0
// UNPACR_NOP: clear a bank of SrcA or SrcB, hand it to the matrix unit, or do nothing, in order
// with the unpacker's UNPACRs. The two chips encode that differently. Pages: UNPACR_NOP_ZEROSRC.md,
// UNPACR_NOP_SETDVALID.md; docs/arithmetic.md, "UNPACR_NOP".
#include "unpack/unpack_job.h"

enum { SRC_ZERO = 0, SRC_ALL_ONES = 0x7ffff };

struct nop {
    bool clear, hand_over, known;
    bool all_ones, both, waits_like_unpacr;
};

static struct nop decode_wormhole(const struct tsr_env *env, const struct tsr_flight *flight)
{
    uint32_t op = tsr_arg(env, flight, OPERAND_NoOp);
    bool then_hand_over = flight->word >> 6 & 1; // only tt-llk has it (UNP_ZEROSRC_SET_DVALID)
    struct nop nop = {.known = op == 2 || op == 7 || (op & 3) == 1};
    nop.clear = (op & 3) == 1;
    nop.hand_over = op == 7 || (nop.clear && then_hand_over);
    nop.all_ones = op >> 2 & 1;
    nop.both = op >> 3 & 1;
    nop.waits_like_unpacr = op >> 4 & 1;
    return nop;
}

// Values of the four fields that no page explains count as unknown.
static struct nop decode_blackhole(const struct tsr_env *env, const struct tsr_flight *flight)
{
    uint32_t pop = tsr_arg(env, flight, OPERAND_Unpack_Pop);
    uint32_t value = tsr_arg(env, flight, OPERAND_Src_ClrVal_Ctrl);
    uint32_t set = tsr_arg(env, flight, OPERAND_Set_Dvalid);
    bool overlay = tsr_arg(env, flight, OPERAND_Msg_Clr_Cnt) != 0 ||
                   tsr_arg(env, flight, OPERAND_Stream_Id) != 0;
    struct nop nop = {.clear = pop == 1, .all_ones = value == 1};
    nop.both = tsr_arg(env, flight, OPERAND_Bank_Clr_Ctrl);
    nop.waits_like_unpacr = tsr_arg(env, flight, OPERAND_Stall_Clr_Cntrl);
    if (pop == 1)
        nop.known = value <= 1 && set <= 1;
    else if (pop == 2)
        nop.known = set == 0;
    else
        nop.known = pop == 3 && value == 1 && set == 0; // SETDVALID is 7 in the low three bits
    nop.known &= !overlay;
    nop.hand_over = pop == 3 || (pop == 1 && set == 1);
    return nop;
}

static uint8_t which_unpacker(const struct tsr_env *env, const struct tsr_flight *flight)
{
    enum tsr_operand_id operand = env->chip->arch == TSR_WORMHOLE_B0
                                      ? OPERAND_Unpack_block_selection
                                      : OPERAND_Unpacker_Select;
    return (uint8_t)tsr_arg(env, flight, operand);
}

// Whether acceptance goes on.
static bool report_modes(struct tsr_env *env, const struct tsr_flight *flight,
                         const struct nop *nop, struct tsr_unpack_job *job)
{
    if (!nop->known &&
        tsr_report(env, FINDING_UNIMPLEMENTED_MODE, flight, NULL,
                   "UNPACR_NOP 0x%06x is neither a clear to 0 or to all ones, nor a hand-over of a "
                   "bank, nor an empty operation.",
                   (unsigned)(flight->word & 0xffffff)) == TSR_HALT)
        return false;
    if (nop->known && nop->clear && nop->both &&
        tsr_report(env, FINDING_LEGACY_MODE, flight, NULL,
                   "UNPACR_NOP clears both banks of Src%c, and waits for one of them only.",
                   'A' + job->unpacker) == TSR_HALT)
        return false;
    bool ignored =
        env->chip->arch == TSR_WORMHOLE_B0 && nop->clear && nop->all_ones && job->unpacker == 1;
    return !ignored || tsr_report(env, FINDING_LEGACY_MODE, flight, NULL,
                                  "UNPACR_NOP asks for -infinity in SrcB, which Wormhole clears to "
                                  "0.") != TSR_HALT;
}

bool tsr_unpack_nop_accept(struct tsr_env *env, struct tsr_flight *flight)
{
    static const enum tsr_field out_format[2] = {FIELD_THCON_SEC0_REG2_Out_data_format,
                                                 FIELD_THCON_SEC1_REG2_Out_data_format};
    static const enum tsr_field set[2] = {FIELD_SRCA_SET_Base, FIELD_SRCB_SET_Base};
    struct tsr_unpack_job *job = tsr_unpack_job(flight);
    bool wormhole = env->chip->arch == TSR_WORMHOLE_B0;
    struct nop nop = wormhole ? decode_wormhole(env, flight) : decode_blackhole(env, flight);
    job->unpacker = which_unpacker(env, flight);
    job->thread = flight->thread;
    if (!report_modes(env, flight, &nop, job))
        return false;
    if (!nop.known)
        return true;
    job->kind = nop.clear ? UNPACK_CLEAR : nop.hand_over ? UNPACK_HAND_OVER : UNPACK_NOTHING;
    job->flip = nop.hand_over;
    job->clear_both = nop.both;
    job->clear_waits_like_unpacr = nop.waits_like_unpacr;
    bool ones = nop.all_ones && !(wormhole && job->unpacker == 1);
    job->clear_value = ones ? SRC_ALL_ONES : SRC_ZERO;
    job->row_base = (uint8_t)(tsr_thread_cfg(env, flight->thread, set[job->unpacker]) << 4);
    job->implied_format =
        (uint8_t)tsr_cfg(env, tsr_state_id(env, flight->thread), out_format[job->unpacker]);
    return true;
}

static void clear_bank(struct tsr_src_bank *bank, uint32_t value)
{
    for (unsigned row = 0; row < TSR_SRC_ROWS; row++) {
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            bank->datum[row][column] = value;
        bank->written[row] = 0xffff;
        bank->tainted[row] = 0;
    }
    bank->filled = true;
}

static bool may_hand_over(struct tsr_env *env, struct tsr_flight *flight)
{
    const struct tsr_unpack_job *job = tsr_unpack_job(flight);
    const struct tsr_src *src = &env->state->src[job->unpacker];
    if (!src->bank[src->unpacker_bank].matrix_owns)
        return true;
    return tsr_report(env, FINDING_SRC_BANK_TAKEN, flight, NULL,
                      "UNPACR_NOP hands Src%c bank %u to the matrix unit, which owns it already.",
                      'A' + job->unpacker, src->unpacker_bank) != TSR_HALT;
}

tsr_reason tsr_unpack_nop_execute(struct tsr_env *env, struct tsr_flight *flight)
{
    const struct tsr_unpack_job *job = tsr_unpack_job(flight);
    struct tsr_src *src = &env->state->src[job->unpacker];
    if (job->kind == UNPACK_CLEAR) {
        unsigned gate = job->clear_waits_like_unpacr ? src->unpacker_bank : src->matrix_bank;
        if (src->bank[gate].matrix_owns)
            return job->unpacker == 0 ? TSR_REASON_SRCA : TSR_REASON_SRCB;
    }
    if (job->flip && !may_hand_over(env, flight))
        return TSR_REASON_NONE;
    if (job->kind == UNPACK_CLEAR) {
        clear_bank(tsr_src_for_unpacker(src), job->clear_value);
        if (job->clear_both)
            clear_bank(&src->bank[src->unpacker_bank ^ 1], job->clear_value);
    }
    if (job->flip)
        tsr_unpack_hand_over(env, flight);
    return TSR_REASON_NONE;
}
