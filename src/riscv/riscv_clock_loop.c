// SPDX-License-Identifier: Apache-2.0
// Recognises loops that may wait for the wall clock. Page: BabyRISCV/README.md.
#include "riscv/riscv_clock_loop.h"

#include <stddef.h>

static bool reads(const struct tsr_riscv_op *op, const struct tsr_riscv_op *load)
{
    return load && (op->rs1 == load->rd || op->rs2 == load->rd);
}

bool tsr_riscv_clock_loop(const struct tsr_riscv_op *first, const struct tsr_riscv_op *jump,
                          struct tsr_riscv_clock_loads *loads)
{
    *loads = (struct tsr_riscv_clock_loads){NULL, NULL};
    if (jump->code != RISCV_BLTU)
        return false;
    for (const struct tsr_riscv_op *op = first; op < jump; op++) {
        bool second = loads->low != NULL;
        if (tsr_riscv_branches(op)) {
            if (!second || reads(op, loads->low))
                return false;
        } else if (op->code != RISCV_LW || op->rd == 0 || loads->high) {
            return false;
        } else if (second) {
            loads->high = op;
        } else {
            loads->low = op;
        }
    }
    const struct tsr_riscv_op *low = loads->low, *high = loads->high;
    if (!low || jump->rs1 != low->rd || low->rs1 == low->rd)
        return false;
    for (const struct tsr_riscv_op *op = low + 1; high && op < high; op++)
        if (reads(op, high)) // what the pass before has left there, or who came from outside
            return false;
    return !high || (jump->rs2 != high->rd && high->rd != low->rd && low->rs1 != high->rd &&
                     high->rs1 != low->rd && high->rs1 != high->rd);
}
