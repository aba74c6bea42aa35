// SPDX-License-Identifier: Apache-2.0
// Executes a core's instructions block by block. What each does is in integer_ops.inc,
// memory_ops.inc and jump_ops.inc, how it comes to them in dispatch.inc.
// Pages: BabyRISCV/README.md and PushTensixInstruction.md of each chip, DebugInterface.md (ebreak).
#include "riscv/riscv.h"

#include "base/fresh_pages.h"
#include "riscv/riscv_access.h"
#include "riscv/riscv_blocks.h"
#include "riscv/riscv_integer.h"
#include "riscv/riscv_polls.h"
#include "riscv/riscv_rare.h"
#include "riscv/riscv_refuse.h"

struct tsr_riscv *tsr_riscv_new(tsr_arch arch, int core, const struct tsr_riscv_bus *bus)
{
    struct tsr_riscv *riscv = tsr_fresh_pages(sizeof *riscv + TSR_CODE_BYTES);
    if (!riscv)
        return NULL;
    riscv->arch = arch;
    riscv->core = core;
    riscv->bus = bus;
    tsr_riscv_clear_blocks(riscv);
    riscv->fuses = arch == TSR_BLACKHOLE_A0 && core >= TSR_CORE_T0 && core <= TSR_CORE_T2;
    return riscv;
}

void tsr_riscv_free(struct tsr_riscv *riscv)
{
    tsr_fresh_pages_free(riscv, sizeof *riscv + TSR_CODE_BYTES);
}

uint64_t tsr_riscv_effects(const struct tsr_riscv *riscv)
{
    return riscv->effects;
}

bool tsr_riscv_looks_again(const struct tsr_riscv *riscv)
{
    return riscv->polls.woken;
}

uint64_t tsr_riscv_polls_until(const struct tsr_riscv *riscv)
{
    return riscv->polls.until;
}

// The block at the hart's pc; NULL: the hart rests.
static struct tsr_riscv_block *next_block(struct tsr_riscv *riscv, struct tsr_hart *hart)
{
    if (hart->pc & 3 && !tsr_riscv_align_pc(riscv, hart))
        return NULL;
    struct tsr_riscv_block *block = tsr_riscv_block_at(riscv, hart->pc);
    if (!block)
        tsr_riscv_no_code(riscv, hart);
    else if (block->unwritten && !tsr_riscv_unwritten_code(riscv, hart))
        return NULL;
    else
        block->unwritten = false;
    return block;
}

#define A x[op->rs1]
#define B x[op->rs2]
#define D x[op->rd]
#define I op->imm
#define PC (pc + 4 * (uint32_t)(op - first))
#define HERE ((struct tsr_riscv_place){PC, done + (uint64_t)(op - entry)})
#define OP(name, ...)                                                                              \
    on_##name : __VA_ARGS__;                                                                       \
    NEXT;
#define NEXT                                                                                       \
    do {                                                                                           \
        op++;                                                                                      \
        GO_ON;                                                                                     \
    } while (0)
#define GO_ON                                                                                      \
    do {                                                                                           \
        if (op >= stop)                                                                            \
            goto ends;                                                                             \
        goto *go_to[op->code];                                                                     \
    } while (0)

// The extensions whose instructions have a place in the inner loop.
#define GO_TO_I(name) &&on_##name
#define GO_TO_M(name) &&on_##name
#define GO_TO_ZIFENCEI(name) &&on_##name
#define GO_TO_ZBA(name) &&on_##name
#define GO_TO_ZBB(name) &&on_##name
#define GO_TO_ZBKB(name) &&on_rare
#define GO_TO_ZALRSC(name) &&on_rare
#define GO_TO_ZBS(name) &&on_rare
#define GO_TO_ZBC(name) &&on_rare
#define GO_TO_D(name) &&on_rare
#define GO_TO_V(name) &&on_rare
#define GO_TO_ZICSR(name) &&on_rare
#define GO_TO_ZAAMO(name) &&on_rare
#define GO_TO_MACHINE(name) &&on_rare
#define GO_TO_F(name) &&on_rare
#define GO_TO_ZFH(name) &&on_rare

// Executes from hart->pc to where it is not known which block comes next, or until the hart has
// executed `most` in this run or rests. `done` are those before; returns how many there are now.
static uint64_t run_block(struct tsr_riscv *riscv, struct tsr_hart *hart,
                          const struct tsr_riscv_block *block, uint64_t done, uint64_t most)
{
    uint32_t *x = hart->x;
    uint32_t pc = block->pc;
    const struct tsr_riscv_op *first = block->op, *last = first + block->count;
    const struct tsr_riscv_op *op = first + (hart->pc - pc) / 4, *entry = op;
    const struct tsr_riscv_op *stop =
        most - done < (uint64_t)(last - op) ? op + (most - done) : last;
    uint32_t value, at, to;
    enum tsr_riscv_went went;
#include "riscv/dispatch.inc"
on_rare:
    switch (tsr_riscv_execute_rare(riscv, hart, HERE, op)) {
    case TSR_RISCV_RESTS:
        goto rests;
    case TSR_RISCV_CODE:
        goto changed;
    case TSR_RISCV_JUMPS:
        to = hart->pc;
        goto taken;
    default:
        NEXT;
    }
changed: // the instruction is executed; what follows may be another one now
    op++;
rests:
    hart->pc = PC;
    return done + (uint64_t)(op - entry);
ends: // of the block, or of what may be executed
    done += (uint64_t)(op - entry);
    hart->pc = to = PC;
    if (hart->rest != TSR_HART_RUNS)
        return done;
    goto goes_on;
taken:
    done += (uint64_t)(op + 1 - entry);
    hart->pc = to;
    if (to <= PC && riscv->polls.jumps-- == 0 && tsr_riscv_look_for_poll(riscv, hart))
        return done;
goes_on:
    if (done >= most)
        return done;
    at = to - pc;
    if ((at >> 2 | at << 30) >= block->count) { // also what is no multiple of 4
        block = tsr_riscv_known_block(riscv, to);
        if (!block)
            return done;
        pc = block->pc;
        first = block->op;
        last = first + block->count;
        at = to - pc;
    }
    op = entry = first + at / 4;
    stop = last;
    if (most - done < TSR_BLOCK_WORDS && most - done < (uint64_t)(last - op))
        stop = op + (most - done);
    goto *go_to[op->code];
}

uint64_t tsr_riscv_run(struct tsr_riscv *riscv, struct tsr_hart *hart, uint64_t most)
{
    if (hart->rest > TSR_HART_POLLS)
        return 0;
    tsr_riscv_wake(riscv, hart);
    hart->rest = TSR_HART_RUNS;
    riscv->start = *riscv->bus->now;
    uint64_t done = 0;
    while (done < most && hart->rest == TSR_HART_RUNS) {
        const struct tsr_riscv_block *block = next_block(riscv, hart);
        if (!block)
            break;
        uint64_t before = done;
        done = run_block(riscv, hart, block, done, most);
        if (done == before)
            break; // the tile stopped, or the hart rests
    }
    if (hart->rest == TSR_HART_POLLS && riscv->polls.woken)
        done = 0; // it has read the same again
    hart->retired += done;
    *riscv->bus->now = riscv->start + done;
    return done;
}

// run_block() of one instruction.
#undef GO_ON
#define GO_ON goto ends
static uint64_t run_op(struct tsr_riscv *riscv, struct tsr_hart *hart,
                       const struct tsr_riscv_block *block)
{
    enum { done = 0, most = 1 };
    uint32_t *x = hart->x;
    const uint32_t pc = block->pc;
    const struct tsr_riscv_op *first = block->op, *last = first + block->count;
    const struct tsr_riscv_op *op = first + (hart->pc - pc) / 4, *entry = op, *stop = op + 1;
    uint32_t value, at, to;
    enum tsr_riscv_went went;
#include "riscv/dispatch.inc"
on_rare:
    went = tsr_riscv_execute_rare(riscv, hart, HERE, op);
    if (went == TSR_RISCV_RESTS)
        goto rests;
    to = hart->pc;
    if (went == TSR_RISCV_JUMPS)
        goto taken;
changed:
    op++;
rests:
ends:
    hart->pc = PC;
    return (uint64_t)(op - entry);
taken:
    hart->pc = to;
    if (to <= PC && riscv->polls.jumps-- == 0)
        tsr_riscv_look_for_poll(riscv, hart);
    return (uint64_t)(op + 1 - entry);
}

uint64_t tsr_riscv_run_one(struct tsr_riscv *riscv, struct tsr_hart *hart,
                           struct tsr_riscv_block *block)
{
    // Waking has nothing to do for a hart that runs and is not fresh from reset.
    if (hart->rest != TSR_HART_RUNS || hart->retired == 0 || block->unwritten)
        return tsr_riscv_run(riscv, hart, 1);
    riscv->polls.woken = false;
    riscv->polls.watched = 0;
    riscv->start = *riscv->bus->now;
    uint64_t done = run_op(riscv, hart, block);
    hart->retired += done;
    *riscv->bus->now = riscv->start + done;
    return done;
}
