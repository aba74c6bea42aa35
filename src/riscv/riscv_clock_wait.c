// SPDX-License-Identifier: Apache-2.0
// Skips waiting for the wall clock. Kernels do it by a loop that loads the clock's low half,
// perhaps the high half, too, and jumps back as long as the low half is less than some value. One
// instruction takes one cycle, so the number of passes and the registers after the last one can be
// computed without executing them.
// Page: BabyRISCV/README.md; the wall clock: DebugTimestamper.md.
#include "riscv/riscv_clock_wait.h"

#include "riscv/riscv_access.h"
#include "riscv/riscv_clock_loop.h"
#include "riscv/riscv_integer.h"

static bool jumps(const struct tsr_riscv_op *op, uint32_t a, uint32_t b)
{
    switch ((enum tsr_riscv_code)op->code) {
#define BRANCH(name, type, comparison)                                                             \
    case RISCV_##name:                                                                             \
        return (type)a comparison(type) b;
        TSR_RISCV_BRANCHES(BRANCH)
#undef BRANCH
    default:
        return false;
    }
}

static uint32_t value_of(const struct tsr_hart *hart, unsigned reg,
                         const struct tsr_riscv_clock_loads *loads, uint32_t high)
{
    return loads->high && reg == loads->high->rd ? high : hart->x[reg];
}

// Whether a pass that finds such a high half leaves the loop before its end.
static bool leaves(const struct tsr_hart *hart, const struct tsr_riscv_clock_wait *loop,
                   const struct tsr_riscv_clock_loads *loads, uint32_t high)
{
    for (const struct tsr_riscv_op *op = loop->first; op < loop->jump; op++)
        if (tsr_riscv_branches(op) &&
            jumps(op, value_of(hart, op->rs1, loads, high), value_of(hart, op->rs2, loads, high)))
            return true;
    return false;
}

uint64_t tsr_riscv_wait_for_clock(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                  const struct tsr_riscv_clock_wait *loop)
{
    const struct tsr_riscv_clock *clock = &riscv->bus->clock;
    const uint64_t length = (uint64_t)(loop->jump - loop->first) + 1;
    struct tsr_riscv_clock_loads loads;
    if (!clock->high || !tsr_riscv_clock_loop(loop->first, loop->jump, &loads) ||
        hart->x[loads.low->rs1] + loads.low->imm != clock->low_at ||
        (loads.high && hart->x[loads.high->rs1] + loads.high->imm != clock->high_at))
        return 0;
    uint64_t begins = riscv->start + loop->done;
    uint64_t low_at = begins + (uint64_t)(loads.low - loop->first); // of the first pass
    uint32_t high = (uint32_t)(low_at >> 32), until = hart->x[loop->jump->rs2];
    uint64_t passes = loop->left / length;
    if (riscv->polls.jumps <= 0 || until <= (uint32_t)low_at || leaves(hart, loop, &loads, high))
        return 0;
    uint64_t before = (until - (uint32_t)low_at - 1) / length + 1; // ... the clock has come there
    if (before < passes)
        passes = before;
    if ((uint64_t)riscv->polls.jumps < passes)
        passes = (uint64_t)riscv->polls.jumps;
    if (passes == 0)
        return 0;
    hart->x[loads.low->rd] = (uint32_t)(low_at + (passes - 1) * length);
    *clock->high = high;
    riscv->load_at = clock->low_at;
    riscv->effects += passes;
    riscv->polls.jumps -= (int32_t)passes;
    if (loads.high) {
        hart->x[loads.high->rd] = high;
        riscv->load_at = clock->high_at;
        riscv->effects += passes;
    }
    return passes * length;
}
