// SPDX-License-Identifier: Apache-2.0
// Executes a core's instructions block by block. What each does is in integer_ops.inc,
// memory_ops.inc and jump_ops.inc, how it comes to them in dispatch.inc.
// Pages: BabyRISCV/README.md and PushTensixInstruction.md of each chip, DebugInterface.md (ebreak).
#include "riscv/riscv.h"

#include "base/fresh_pages.h"
#include "riscv/riscv_access.h"
#include "riscv/riscv_blocks.h"
#include "riscv/riscv_clock_wait.h"
#include "riscv/riscv_integer.h"
#include "riscv/riscv_polls.h"
#include "riscv/riscv_rare.h"
#include "riscv/riscv_refuse.h"
#include "riscv/riscv_regions.h"

static uint64_t run_block(struct tsr_riscv *riscv, struct tsr_hart *hart,
                          const struct tsr_riscv_block *block, uint64_t done, uint64_t most);

struct tsr_riscv *tsr_riscv_new(tsr_arch arch, int core, const struct tsr_riscv_bus *bus)
{
    struct tsr_riscv *riscv = tsr_fresh_pages(sizeof *riscv);
    if (!riscv)
        return NULL;
    riscv->arch = arch;
    riscv->core = core;
    riscv->bus = bus;
    riscv->push_at = tsr_riscv_push_address(riscv);
    tsr_riscv_note_memories(riscv);
    run_block(riscv, NULL, NULL, 0, 0);
    tsr_riscv_clear_blocks(riscv);
    riscv->fuses = arch == TSR_BLACKHOLE_A0 && tsr_is_t_core(core);
    return riscv;
}

void tsr_riscv_free(struct tsr_riscv *riscv)
{
    tsr_fresh_pages_free(riscv, sizeof *riscv);
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

void tsr_riscv_pass(const struct tsr_riscv *riscv, uint64_t *cycles, uint64_t *length)
{
    *cycles = riscv->polls.cycles;
    *length = riscv->polls.length;
}

// The block at the hart's pc, after `done` instructions of this run; NULL: the hart rests.
static __attribute__((noinline)) struct tsr_riscv_block *
find_block(struct tsr_riscv *riscv, struct tsr_hart *hart, uint64_t done)
{
    *riscv->bus->now = riscv->start + done; // for what is told
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

static inline struct tsr_riscv_block *next_block(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                                 uint64_t done)
{
    struct tsr_riscv_block *block = riscv->last;
    uint32_t at = hart->pc - block->pc;
    bool known = !(hart->pc & 3) && at < 4 * block->count && !block->unwritten &&
                 block->generation == tsr_riscv_generation(riscv);
    return known ? block : find_block(riscv, hart, done);
}

#define A x[op->rs1]
#define B x[op->rs2]
#define D x[op->rd]
#define I op->imm
#define PC op->pc
#define HERE ((struct tsr_riscv_place){PC, most - LEFT})
#define OP(name, ...)                                                                              \
    on_##name : __VA_ARGS__;                                                                       \
    NEXT;

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

// What is executed at `op` from now on is at `place`; and again what it was.
static inline void hold(struct tsr_riscv *riscv, struct tsr_riscv_op *op, const void *place)
{
    riscv->held = op;
    riscv->held_goes = op->go;
    op->go = place;
}

static inline void release(struct tsr_riscv *riscv)
{
    if (riscv->held)
        riscv->held->go = riscv->held_goes;
    riscv->held = NULL;
}

// Executes from hart->pc to where it is not known which block comes next, or until the hart has
// executed `most` in this run or rests. `done` are those before; returns how many there are now.
// `limit` is where op would stand once all may have been executed, if none of them jumped. As long
// as that lies behind the block (`bound`) no instruction asks for it; else the one at `limit` goes
// to where the run ends (`held`). Without a block: tells where what is executed.
#define LEFT ((limit - (uintptr_t)op) / sizeof *op)
#define NEXT                                                                                       \
    do {                                                                                           \
        op++;                                                                                      \
        GO_ON;                                                                                     \
    } while (0)
#define GO_ON goto * op->go
#define GO_ON_HERE                                                                                 \
    do {                                                                                           \
        if (limit < bound)                                                                         \
            goto near_end;                                                                         \
        GO_ON;                                                                                     \
    } while (0)
#define KEEP_X0 // loads that name x0 are executed elsewhere
static __attribute__((noinline)) uint64_t run_block(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                                    const struct tsr_riscv_block *block,
                                                    uint64_t done, uint64_t most)
{
#define GO_BRANCHES(where)                                                                         \
    &&where##_BEQ, &&where##_BNE, &&where##_BLT, &&where##_BGE, &&where##_BLTU, &&where##_BGEU,    \
        &&where##_J
    static const void *const go_to[TSR_GO_PLACES] = {
#include "riscv/dispatch.inc"
        &&ends, GO_BRANCHES(forward), GO_BRANCHES(backward), &&on_load_nowhere, &&on_clock_loop};
    if (!block) {
        riscv->go_to = go_to;
        return 0;
    }
    uint32_t *x = hart->x;
    uint64_t left = most - done;
    const struct tsr_riscv_op *op;
    uint64_t limit, last, bound;
    uint32_t value, at, to = hart->pc;
    enum tsr_riscv_went went;
    goto enters;
#include "riscv/integer_ops.inc"
#include "riscv/jump_ops.inc"
#include "riscv/memory_ops.inc"
#include "riscv/near_jumps.inc"
on_load_nowhere : {
    uint32_t lost;
    if (tsr_riscv_load(riscv, hart, HERE, A + I, tsr_riscv_width_of(op->code), &lost) !=
        TSR_RISCV_WENT)
        goto rests;
    NEXT;
}
on_clock_loop: // a BLTU
    if (!(A < B))
        NEXT;
    {
        const struct tsr_riscv_op *jump = op;
        SKIP;
        if (--riscv->polls.jumps < 0)
            goto looks;
        const struct tsr_riscv_clock_wait loop = {op, jump, most - LEFT, LEFT};
        limit -= tsr_riscv_wait_for_clock(riscv, hart, &loop) * sizeof *op;
    }
    GO_ON_HERE;
on_rare:
    switch (tsr_riscv_execute_rare(riscv, hart, HERE, op)) {
    case TSR_RISCV_RESTS:
        goto rests;
    case TSR_RISCV_CODE:
        goto changed;
    case TSR_RISCV_JUMPS:
        to = hart->pc;
        goto taken;
    case TSR_RISCV_RETURNS:
        left = LEFT - 1;
        goto leaves;
    default:
        NEXT;
    }
looks: // a jump back to here was the one to look at
    hart->pc = PC;
    if (tsr_riscv_look_for_poll(riscv, hart))
        goto rests;
    if (limit >= bound)
        GO_ON;
near_end: // `limit` is in this block, or was
    release(riscv);
    bound = last;
    if ((uintptr_t)op >= limit)
        goto rests;
    if (limit < last) {
        hold(riscv, (struct tsr_riscv_op *)(uintptr_t)limit, &&rests);
        bound = UINT64_MAX;
    }
    GO_ON;
changed: // the instruction is executed; what follows may be another one now
    op++;
rests: // or all is executed
    left = LEFT;
    hart->pc = PC;
    goto leaves;
ends: // of the block
    left = LEFT;
    hart->pc = to = PC;
    if (hart->rest != TSR_HART_RUNS)
        goto leaves;
    goto goes_on;
taken:
    left = LEFT - 1;
    hart->pc = to;
    if (to <= PC && --riscv->polls.jumps < 0 && tsr_riscv_look_for_poll(riscv, hart))
        goto leaves;
goes_on:
    if (left == 0)
        goto leaves;
    block = tsr_riscv_known_block(riscv, to);
    if (!block)
        goto leaves;
    release(riscv);
enters:
    last = bound = (uintptr_t)(block->op + block->count);
    op = block->op + (to - block->pc) / 4;
    limit = (uintptr_t)op + left * sizeof *op;
    GO_ON_HERE;
leaves:
    release(riscv);
    return most - left;
}

uint64_t tsr_riscv_run(struct tsr_riscv *riscv, struct tsr_hart *hart, uint64_t most)
{
    enum { LONGEST_PART = 1 << 20 }; // so that `limit` of run_block() is a number
    if (hart->rest > TSR_HART_POLLS)
        return 0;
    if (hart->rest == TSR_HART_POLLS || hart->retired == 0)
        tsr_riscv_wake(riscv, hart);
    else
        tsr_riscv_wake_running(riscv);
    hart->rest = TSR_HART_RUNS;
    riscv->start = *riscv->bus->now;
    uint64_t done = 0;
    while (done < most) {
        const struct tsr_riscv_block *block = next_block(riscv, hart, done);
        if (!block)
            break;
        uint64_t before = done, part = most - done < LONGEST_PART ? most - done : LONGEST_PART;
        done = run_block(riscv, hart, block, done, done + part);
        if (done == before || hart->rest != TSR_HART_RUNS)
            break; // the tile stopped, or the hart rests
        if (done < most && tsr_riscv_is_due(riscv))
            break; // an interrupt comes first
    }
    if (hart->rest == TSR_HART_POLLS && riscv->polls.woken)
        done = 0; // it has read the same again
    hart->retired += done;
    *riscv->bus->now = riscv->start + done;
    return done;
}

void tsr_riscv_interrupt(struct tsr_hart *hart, uint32_t pc)
{
    hart->mret_to = hart->csr[TSR_CSR_INTP_RESTORE_PC] = hart->pc;
    hart->interrupted = true;
    hart->pc = pc;
    hart->rest = TSR_HART_RUNS;
}

// run_block() of one instruction, with what tsr_riscv_run() does before and after.
#undef LEFT
#undef NEXT
#undef GO_ON
#undef GO_ON_HERE
#undef KEEP_X0
#define LEFT 1
#define NEXT                                                                                       \
    do {                                                                                           \
        op++;                                                                                      \
        goto ends;                                                                                 \
    } while (0)
#define GO_ON goto ends
#define GO_ON_HERE goto ends
#define KEEP_X0 x[0] = 0
bool tsr_riscv_run_op(struct tsr_riscv *riscv, struct tsr_hart *hart, const struct tsr_riscv_op *op,
                      uint64_t now)
{
    static const void *const go_to[RISCV_CODES] = {
#include "riscv/dispatch.inc"
    };
    enum { most = 1 };
    uint32_t *x = hart->x;
    const struct tsr_riscv_op *entry = op;
    uint64_t limit = (uintptr_t)(op + 1);
    uint32_t value, at, to;
    enum tsr_riscv_went went;
    *riscv->bus->now = riscv->start = now;
    goto *go_to[op->code];
#include "riscv/integer_ops.inc"
#include "riscv/jump_ops.inc"
#include "riscv/memory_ops.inc"
on_rare:
    went = tsr_riscv_execute_rare(riscv, hart, HERE, op);
    if (went == TSR_RISCV_RESTS)
        goto rests;
    to = hart->pc;
    if (went == TSR_RISCV_RETURNS)
        goto jumped;
    if (went == TSR_RISCV_JUMPS)
        goto taken;
changed:
    op++;
rests:
ends:
    hart->pc = PC;
    hart->retired += op > entry;
    return op > entry;
taken:
    hart->pc = to;
    if (to <= PC && --riscv->polls.jumps < 0)
        tsr_riscv_look_for_poll(riscv, hart);
jumped:
    hart->retired++;
    return true;
}
