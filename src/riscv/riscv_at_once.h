// SPDX-License-Identifier: Apache-2.0
// What most instructions are, executed one by one where riscv_run.c's way to them costs as much as
// they do. Page: BabyRISCV/README.md of each chip, which points at the RISC-V manual.
#ifndef TESSERA_RISCV_RISCV_AT_ONCE_H
#define TESSERA_RISCV_RISCV_AT_ONCE_H

#include "base/bits.h"
#include "riscv/riscv_access.h"
#include "riscv/riscv_integer.h"
#include "riscv/riscv_polls.h"

// Only the x registers change. False: it is another instruction.
TSR_INLINE bool tsr_riscv_compute(struct tsr_hart *hart, const struct tsr_riscv_op *op)
{
    uint32_t *x = hart->x;
#define A x[op->rs1]
#define B x[op->rs2]
#define D x[op->rd]
#define I op->imm
#define PC op->pc
#define OP(name, ...)                                                                              \
    case RISCV_##name:                                                                             \
        __VA_ARGS__;                                                                               \
        return true;
    switch ((enum tsr_riscv_code)op->code) {
#include "riscv/integer_ops.inc"
    default:
        return false;
    }
#undef A
#undef B
#undef D
#undef I
#undef PC
#undef OP
}

// A branch, or a jump that links nothing: the pc changes. False: it is another instruction.
TSR_INLINE bool tsr_riscv_branch(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                 const struct tsr_riscv_op *op)
{
    uint32_t a = hart->x[op->rs1], b = hart->x[op->rs2];
    bool taken;
    switch ((enum tsr_riscv_code)op->code) {
#define BRANCH(name, type, comparison)                                                             \
    case RISCV_##name:                                                                             \
        taken = (type)a comparison(type) b;                                                        \
        break;
        TSR_RISCV_BRANCHES(BRANCH)
#undef BRANCH
    case RISCV_J:
        taken = true;
        break;
    default:
        return false;
    }
    uint32_t pc = op->pc;
    hart->pc = taken ? op->imm : pc + 4;
    if (taken && op->imm <= pc && --riscv->polls.jumps < 0)
        tsr_riscv_look_for_poll(riscv, hart);
    return true;
}

// A load into a register, of a run of one instruction. TSR_RISCV_NOT_HERE: it is another one.
TSR_INLINE enum tsr_riscv_went tsr_riscv_load_at_once(struct tsr_riscv *riscv,
                                                      struct tsr_hart *hart,
                                                      const struct tsr_riscv_op *op)
{
    const struct tsr_riscv_place place = {op->pc, 0};
    uint32_t address = hart->x[op->rs1] + op->imm, value;
    switch ((enum tsr_riscv_code)op->code) {
#define LOAD(name, width, made)                                                                    \
    case RISCV_##name:                                                                             \
        riscv->load_at = address;                                                                  \
        if (!tsr_riscv_view_load(riscv, address, width, &value) &&                                 \
            !((width) == 4 && tsr_riscv_load_clock(riscv, 0, address, &value)) &&                  \
            tsr_riscv_bus_load(riscv, hart, place, address, width, &value) != TSR_RISCV_WENT)      \
            return TSR_RISCV_RESTS;                                                                \
        value = made;                                                                              \
        break;
        TSR_RISCV_LOADS(LOAD)
#undef LOAD
    default:
        return TSR_RISCV_NOT_HERE;
    }
    hart->x[op->rd] = value;
    hart->x[0] = 0;
    return TSR_RISCV_WENT;
}

// The same of a store.
TSR_INLINE enum tsr_riscv_went tsr_riscv_store_at_once(struct tsr_riscv *riscv,
                                                       struct tsr_hart *hart,
                                                       const struct tsr_riscv_op *op)
{
    const struct tsr_riscv_place place = {op->pc, 0};
    uint32_t address = hart->x[op->rs1] + op->imm, value = hart->x[op->rs2], width;
    switch ((enum tsr_riscv_code)op->code) {
#define STORE(name, bytes)                                                                         \
    case RISCV_##name:                                                                             \
        width = bytes;                                                                             \
        break;
        TSR_RISCV_STORES(STORE)
#undef STORE
    default:
        return TSR_RISCV_NOT_HERE;
    }
    return tsr_riscv_store(riscv, hart, place, address, width, value);
}

#endif
