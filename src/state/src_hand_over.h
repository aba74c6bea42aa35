// SPDX-License-Identifier: Apache-2.0
// Handing a bank of SrcA or SrcB to the matrix unit: what UNPACR, UNPACR_NOP and SETDVALID share.
// Page: SrcASrcB.md.
#ifndef TESSERA_STATE_SRC_HAND_OVER_H
#define TESSERA_STATE_SRC_HAND_OVER_H

#include "state/state.h"

bool tsr_src_never_filled(struct tsr_env *env, const struct tsr_inflight *inst, int side);

// False: a finding stopped the tile. `fills`: the instruction itself writes the bank first.
static inline bool tsr_src_may_hand_over(struct tsr_env *env, const struct tsr_inflight *inst,
                                         int side, bool fills)
{
    return fills || tsr_src_for_unpacker(&env->state->src[side])->filled ||
           tsr_src_never_filled(env, inst, side);
}

// Moves the unpackers' pointer on and returns the bank; its owner changes when `inst` completes.
static inline uint8_t tsr_src_hand_over(struct tsr_env *env, const struct tsr_inflight *inst,
                                        int side)
{
    struct tsr_src *src = &env->state->src[side];
    uint8_t bank = src->unpacker_bank;
    env->state->src_shadow[side][bank] =
        (struct tsr_src_shadow){.released_by = tsr_origin_of(inst)};
    src->unpacker_bank ^= 1;
    return bank;
}

#endif
