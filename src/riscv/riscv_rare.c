// SPDX-License-Identifier: Apache-2.0
// Instructions that the inner loop of riscv_run.c hands on because kernels seldom use them, and the
// atomic ones. An atomic instruction is a load, an operation and a store of L1 in one step; its aq
// and rl bits are ignored, as the page says.
// Pages: InstructionSet.md and MemoryOrdering.md (atomics) of BlackholeA0/TensixTile/BabyRISCV.
#include "riscv/riscv_rare.h"

#include "riscv/riscv_csr.h"
#include "riscv/riscv_float.h"
#include "riscv/riscv_integer.h"
#include "riscv/riscv_refuse.h"
#include "riscv/riscv_regions.h"
#include "riscv/riscv_vector.h"

static uint32_t combine(unsigned code, uint32_t old, uint32_t operand)
{
    switch (code) {
    case RISCV_AMOSWAP_W:
        return operand;
    case RISCV_AMOADD_W:
        return old + operand;
    case RISCV_AMOXOR_W:
        return old ^ operand;
    case RISCV_AMOAND_W:
        return old & operand;
    case RISCV_AMOOR_W:
        return old | operand;
    case RISCV_AMOMIN_W:
        return (int32_t)old < (int32_t)operand ? old : operand;
    case RISCV_AMOMAX_W:
        return (int32_t)old > (int32_t)operand ? old : operand;
    case RISCV_AMOMINU_W:
        return old < operand ? old : operand;
    default:
        return old > operand ? old : operand; // AMOMAXU
    }
}

static enum tsr_riscv_went atomic(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                  struct tsr_riscv_place place, const struct tsr_riscv_op *op)
{
    uint32_t address = hart->x[op->rs1], old;
    if (!tsr_riscv_is_l1(riscv, address) &&
        !tsr_riscv_atomic_elsewhere(riscv, hart, place, address))
        return TSR_RISCV_RESTS;
    enum tsr_riscv_went went = tsr_riscv_load(riscv, hart, place, address, 4, &old);
    if (went == TSR_RISCV_WENT)
        went = tsr_riscv_store(riscv, hart, place, address, 4,
                               combine(op->code, old, hart->x[op->rs2]));
    if (went != TSR_RISCV_RESTS && op->rd != 0)
        hart->x[op->rd] = old;
    return went;
}

// Without an interrupt it goes to where the last one came from (errata 416).
static enum tsr_riscv_went return_from_interrupt(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                                 struct tsr_riscv_place place)
{
    if (!hart->interrupted && !tsr_riscv_return_from_nothing(riscv, hart, place))
        return TSR_RISCV_RESTS;
    hart->pc = hart->mret_to;
    hart->interrupted = false;
    if (riscv->bus->returned)
        riscv->bus->returned(riscv->bus->self, riscv->core);
    return TSR_RISCV_RETURNS;
}

static void set(struct tsr_hart *hart, const struct tsr_riscv_op *op, uint32_t value)
{
    if (op->rd != 0)
        hart->x[op->rd] = value;
}

enum tsr_riscv_went tsr_riscv_execute_rare(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                           struct tsr_riscv_place place,
                                           const struct tsr_riscv_op *op)
{
    bool goes_on = true;
    if (op->code >= RISCV_AMOADD_W && op->code <= RISCV_AMOMAXU_W)
        return atomic(riscv, hart, place, op);
    if (op->code >= RISCV_FLW && op->code <= RISCV_FCVT_H_S)
        return tsr_riscv_execute_float(riscv, hart, place, op);
    if (tsr_riscv_is_vector(op->code))
        return tsr_riscv_execute_vector(riscv, hart, place, op);
    if (op->code == RISCV_PACK)
        set(hart, op, (hart->x[op->rs1] & 0xffff) | hart->x[op->rs2] << 16);
    else if (op->code == RISCV_GREVI)
        set(hart, op, tsr_riscv_grev(hart->x[op->rs1], op->imm));
    else if (op->code >= RISCV_CSRRW && op->code <= RISCV_CSRRCI)
        goes_on = tsr_riscv_execute_csr(riscv, hart, place, op);
    else if (op->code == RISCV_MRET)
        return return_from_interrupt(riscv, hart, place);
    else
        goes_on = tsr_riscv_refuse(riscv, hart, place, op);
    return goes_on ? TSR_RISCV_WENT : TSR_RISCV_RESTS;
}
