// SPDX-License-Identifier: Apache-2.0
// Instructions for units that RISCV_DEBUG_REG_SOFT_RESET_0 holds in reset: most do not start, a
// ZEROACC is dropped, and what would have to discard writes to held columns or owners is not built.
// The mover drops its own work. Page: SoftReset.md of each chip.
#include "frontend/reset_gate.h"

enum { HELD_SRCA = TSR_RESET_SRCA_OWNERS | TSR_RESET_SRCA_COLUMNS, HELD_SRCB = TSR_RESET_SRCB };

static bool unpackers_held(uint32_t held)
{
    return (held & TSR_RESET_UNPACKERS) == TSR_RESET_UNPACKERS;
}

static bool packers_held(const struct tsr_env *env, enum tsr_op op, uint32_t word, uint32_t held)
{
    uint32_t chosen = tsr_operand(env->isa, op, word, OPERAND_PackSel);
    return held / TSR_RESET_PACKER0 & (env->chip->packers > 1 && chosen ? chosen : 1u);
}

static bool held_at_all(const struct tsr_env *env, enum tsr_op op, uint32_t word, tsr_unit unit)
{
    uint32_t held = env->state->debug.soft_reset;
    bool glue = held & TSR_RESET_TDMA;
    switch (unit) {
    case TSR_UNIT_UNPACKER0:
    case TSR_UNIT_UNPACKER1:
        return glue || unpackers_held(held);
    case TSR_UNIT_PACKER:
        return glue || packers_held(env, op, word, held);
    case TSR_UNIT_SCALAR:
        return glue || ((held & TSR_RESET_THCON) && op != OP_DMANOP && op != OP_SETDMAREG);
    case TSR_UNIT_MATRIX:
    case TSR_UNIT_VECTOR:
        return held & TSR_RESET_MATRIX;
    case TSR_UNIT_MOVER:
        return glue;
    default:
        return false;
    }
}

// Instructions that access a storage of which a part is held.
static bool accesses_held_storage(enum tsr_op op, tsr_unit unit, uint32_t held)
{
    switch (unit) {
    case TSR_UNIT_UNPACKER0:
        return held & (HELD_SRCA | TSR_RESET_MATRIX);
    case TSR_UNIT_UNPACKER1:
        return held & HELD_SRCB;
    case TSR_UNIT_PACKER:
        return held & TSR_RESET_DST;
    case TSR_UNIT_MATRIX:
        return held & (HELD_SRCA | HELD_SRCB);
    default:
        return (op == OP_SETDVALID || op == OP_STOREIND) &&
               (held & (HELD_SRCA | HELD_SRCB | TSR_RESET_MATRIX));
    }
}

enum tsr_reset_effect tsr_reset_gate(const struct tsr_env *env, enum tsr_op op, uint32_t word,
                                     tsr_unit unit)
{
    uint32_t held = env->state->debug.soft_reset;
    if (held_at_all(env, op, word, unit))
        return TSR_RESET_HOLD;
    if (op == OP_ZEROACC && (held & TSR_RESET_DST))
        return TSR_RESET_DROP;
    return accesses_held_storage(op, unit, held) ? TSR_RESET_UNBUILT : TSR_RESET_PASS;
}
