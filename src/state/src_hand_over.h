// SPDX-License-Identifier: Apache-2.0
// Handing a bank of SrcA or SrcB to the matrix unit: what UNPACR, UNPACR_NOP and SETDVALID share.
// Page: SrcASrcB.md.
#ifndef TESSERA_STATE_SRC_HAND_OVER_H
#define TESSERA_STATE_SRC_HAND_OVER_H

#include "state/races.h"
#include "state/report.h"

// False: a finding stopped the tile. `fills`: the instruction itself writes the bank first.
static inline bool tsr_src_may_hand_over(struct tsr_env *env, const struct tsr_inflight *inst,
                                         int side, bool fills)
{
    const struct tsr_src *src = &env->state->src[side];
    return fills || src->bank[src->unpacker_bank].filled ||
           tsr_report(env, FINDING_SRC_BANK_NEVER_FILLED, inst, NULL,
                      "%s hands Src%c bank %u to the matrix unit, and nothing has written to it "
                      "since the unpackers got it.",
                      tsr_op_name((enum tsr_op)inst->op), 'A' + side,
                      (unsigned)src->unpacker_bank) != TSR_HALT;
}

// Moves the unpackers' pointer on and returns the bank; its owner changes when the instruction
// completes.
static inline uint8_t tsr_src_hand_over(struct tsr_env *env, struct tsr_origin by, int side)
{
    struct tsr_src *src = &env->state->src[side];
    TSR_FOUND(src);
    uint8_t bank = src->unpacker_bank;
    struct tsr_src_shadow *shadow = &env->state->src_shadow[side][bank];
    TSR_FOUND(shadow);
    shadow->released_by = by;
    shadow->read = shadow->waited_for = false;
    shadow->lent = true;
    tsr_race_sync(env, TSR_RACE_HAND_OVER, (unsigned)side, bank, 0);
    src->unpacker_bank ^= 1;
    return bank;
}

// Whether anything orders an instruction of `thread` after the hand-over of the bank: its own
// thread's order, or a wait. What a core may have waited for is not known, so it counts as a wait.
static inline bool tsr_src_hand_over_ordered(const struct tsr_env *env, int thread, int side,
                                             unsigned bank)
{
    const struct tsr_src_shadow *shadow = &env->state->src_shadow[side][bank];
    const struct tsr_origin *by = &shadow->released_by;
    return shadow->read || shadow->waited_for || by->kind != TSR_ORIGIN_THREAD ||
           by->which == thread;
}

#endif
