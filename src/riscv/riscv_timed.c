// SPDX-License-Identifier: Apache-2.0
// With timing on: in which cycle an instruction executes, by the rules of riscv_scoreboard.h. That
// is the cycle in which it enters the integer unit (Wormhole) or EX1 (Blackhole). Most instructions
// can begin in the cycle in which they are asked; a short test finds these.
// Pages: BabyRISCV/README.md and MemoryOrdering.md of each chip, InstructionCache.md, L1.md,
// Blackhole's CSRs.md; docs/errata.md 480 to 484, 575, 576, 594.
#include "riscv/riscv_at_once.h"
#include "riscv/riscv_scoreboard.h"

TSR_INLINE uint64_t begins(struct rules rules, const struct tsr_riscv *riscv, struct tsr_hart *hart,
                           const struct tsr_riscv_op *op, const struct tsr_riscv_vector_use *use,
                           uint64_t now)
{
    uint64_t at = can_begin(rules, hart, op, use, now);
    // What waits for its access is there already, however often it is tried.
    bool asks = rules.plain || hart->rest != TSR_HART_BLOCKED;
    return riscv->bus->times_fetches && asks ? later(at, fetched(riscv, hart, now)) : at;
}

// The operand is there, as forwarded_ready() has it. What is not read counts as x0.
TSR_INLINE bool is_ready(struct rules rules, const struct tsr_hart_times *times, unsigned from,
                         uint64_t now)
{
    bool newest = from == times->forward_register;
    if (is_wormhole(rules))
        return times->ready[from] <= now || (newest && times->forward == now);
    return times->ready[from] <= now && (newest || times->other[from] <= now);
}

// Nothing keeps it waiting in this cycle. False: begins() has to say. Where rules are plain.
TSR_INLINE bool begins_now(struct rules rules, const struct tsr_riscv *riscv, struct tsr_hart *hart,
                           const struct tsr_riscv_op *op, uint64_t now)
{
    const struct tsr_hart_times *times = &hart->times;
    bool loads = rules.kind == RISCV_KIND_LOADS, stores = rules.kind == RISCV_KIND_STORES;
    bool all = names_its_own(rules);
    if (riscv->bus->times_fetches && !is_fetched(rules.arch, riscv, hart, now))
        return false;
    if (times->free > now || times->left[times->next_left] > now)
        return false;
    if ((is_wormhole(rules) || stores || rules.kind == RISCV_KIND_PUSHES) &&
        times->drained[times->next_store] > now)
        return false;
    if ((all || stores || loads) && !is_ready(rules, times, op->rs1, now))
        return false;
    if ((all || stores) && !is_ready(rules, times, op->rs2, now))
        return false;
    if (rules.kind != RISCV_KIND_PUSHES && behind_false_rd(rules, times, op, now) > now)
        return false;
    if (!loads && !stores)
        return true;
    uint32_t address = hart->x[op->rs1] + op->imm;
    if (is_in(rules, REGION_LOCAL_RAM, address) ? times->ram_cleared > now
                                                : loads && times->load[times->next_load] > now)
        return false;
    return stores || times->last_drained <= now ||
           (!tsr_hart_cfg0(hart, TSR_CFG0_DisLdBufByp) &&
            behind_stores(rules, times, address, tsr_riscv_width_of(op->code), now) <= now);
}

// What the instruction at hart->pc is.
TSR_INLINE struct before before(const struct tsr_hart *hart, const struct tsr_riscv_op *op)
{
    return (struct before){op, NULL, hart->pc, hart->x[op->rs1], hart->x[op->rs2]};
}

// The hart runs, or tries again what it rests on, as in tsr_riscv_run().
TSR_INLINE void go_on(struct tsr_riscv *riscv, struct tsr_hart *hart)
{
    if (hart->rest == TSR_HART_POLLS)
        tsr_riscv_wake(riscv, hart);
    else
        tsr_riscv_wake_running(riscv);
    hart->rest = TSR_HART_RUNS;
}

// Any instruction, at hart->pc, of a hart that may go on. `unwritten`: nobody wrote it, and that
// may have to be told.
static __attribute__((noinline)) uint64_t step_any(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                                   const struct tsr_riscv_op *op, uint64_t now,
                                                   uint64_t *next, bool unwritten)
{
    struct rules rules = {riscv->arch, false, (enum tsr_riscv_kind)op->kind};
    struct tsr_riscv_vector_use use = {0};
    struct before was = before(hart, op);
    if (rules.kind == RISCV_KIND_VECTOR)
        use = tsr_riscv_vector_uses(hart, op);
    was.use = &use;
    uint64_t at = begins(rules, riscv, hart, op, &use, now);
    if (at > now) {
        *next = at;
        return 0;
    }
    *riscv->bus->now = now;
    bool as_run = hart->retired == 0 || unwritten;
    if (!as_run)
        go_on(riscv, hart);
    if (as_run ? tsr_riscv_run(riscv, hart, 1) == 0 : !tsr_riscv_run_op(riscv, hart, op, now))
        return 0;
    note(rules, riscv, hart, &was, now);
    *next = hart->times.free;
    return 1;
}

static __attribute__((noinline)) uint64_t step_slowly(struct tsr_riscv *riscv,
                                                      struct tsr_hart *hart,
                                                      const struct tsr_riscv_op *op, uint64_t now,
                                                      uint64_t *next)
{
    return step_any(riscv, hart, op, now, next, false);
}

// The hart goes on as before.
TSR_INLINE void begin(struct tsr_riscv *riscv, uint64_t now)
{
    *riscv->bus->now = riscv->start = now;
    tsr_riscv_wake_running(riscv);
}

// False, and nothing has changed: step_slowly() has to execute it.
TSR_INLINE bool compute(struct tsr_riscv *riscv, struct tsr_hart *hart,
                        const struct tsr_riscv_op *op, uint64_t now)
{
    if (!tsr_riscv_compute(hart, op))
        return false;
    begin(riscv, now);
    hart->pc += 4;
    hart->retired++;
    return true;
}

// What accesses memory, pushes or jumps, most often here. False: it rests.
TSR_INLINE bool execute(struct rules rules, struct tsr_riscv *riscv, struct tsr_hart *hart,
                        const struct tsr_riscv_op *op, uint64_t now)
{
    enum tsr_riscv_went went = TSR_RISCV_NOT_HERE;
    begin(riscv, now);
    if (rules.kind == RISCV_KIND_PUSHES && !riscv->fuses && riscv->core != TSR_CORE_NC)
        return tsr_riscv_push_word(riscv, hart, op);
    if (rules.kind == RISCV_KIND_LOADS)
        went = tsr_riscv_load_at_once(riscv, hart, op);
    else if (rules.kind == RISCV_KIND_STORES)
        went = tsr_riscv_store_at_once(riscv, hart, op);
    else if (rules.kind == RISCV_KIND_BRANCHES && tsr_riscv_branch(riscv, hart, op))
        went = TSR_RISCV_JUMPS;
    if (went == TSR_RISCV_NOT_HERE)
        return tsr_riscv_run_op(riscv, hart, op, now);
    if (went == TSR_RISCV_RESTS)
        return false;
    if (went != TSR_RISCV_JUMPS)
        hart->pc += 4;
    hart->retired++;
    return true;
}

// Where the next instruction stands, if it is in the same block; else where none stands at the pc.
TSR_INLINE void keep_next(struct rules rules, struct tsr_riscv *riscv, const struct tsr_hart *hart,
                          const struct tsr_riscv_op *op)
{
    if (rules.kind != RISCV_KIND_BRANCHES || hart->pc == op->pc + 4)
        riscv->next_op = op + 1;
    else
        riscv->next_op = (const void *)((const uint8_t *)op + op->skip);
}

typedef uint64_t stepper(struct tsr_riscv *riscv, struct tsr_hart *hart,
                         const struct tsr_riscv_op *op, uint64_t now, uint64_t *next);

// What most likely has to wait for its turn, and nothing else of it is looked at then.
TSR_INLINE uint64_t step_later(struct rules rules, struct tsr_riscv *riscv, struct tsr_hart *hart,
                               const struct tsr_riscv_op *op, uint64_t now, uint64_t *next)
{
    uint64_t at = begins(rules, riscv, hart, op, NULL, now);
    if (at <= now)
        return step_slowly(riscv, hart, op, now, next);
    *next = at;
    return 0;
}

// The same where all that is known to the compiler, of a hart that runs and is not fresh from
// reset; what tsr_riscv_step() returns. `waits` has step_later().
TSR_INLINE uint64_t step(struct rules rules, struct tsr_riscv *riscv, struct tsr_hart *hart,
                         const struct tsr_riscv_op *op, uint64_t now, uint64_t *next,
                         stepper *waits)
{
    bool computes = rules.kind <= RISCV_KIND_MULTIPLIES;
    if (!begins_now(rules, riscv, hart, op, now))
        return waits(riscv, hart, op, now, next);
    const struct before was = before(hart, op);
    if (computes ? !compute(riscv, hart, op, now) : !execute(rules, riscv, hart, op, now))
        return computes ? step_slowly(riscv, hart, op, now, next) : 0;
    keep_next(rules, riscv, hart, op);
    note(rules, riscv, hart, &was, now);
    *next = hart->times.free;
    return 1;
}

// Behind the last instruction of a block.
static stepper step_from_block;

// A function for each kind, to which tsr_riscv_step() jumps, and one apart for what has to wait.
#define STEPS(chip, name, kind)                                                                    \
    static __attribute__((noinline))                                                               \
    uint64_t wait_##chip##_##name(struct tsr_riscv *riscv, struct tsr_hart *hart,                  \
                                  const struct tsr_riscv_op *op, uint64_t now, uint64_t *next)     \
    {                                                                                              \
        return step_later((struct rules){TSR_##chip, true, kind}, riscv, hart, op, now, next);     \
    }                                                                                              \
    static uint64_t step_##chip##_##name(struct tsr_riscv *riscv, struct tsr_hart *hart,           \
                                         const struct tsr_riscv_op *op, uint64_t now,              \
                                         uint64_t *next)                                           \
    {                                                                                              \
        return step((struct rules){TSR_##chip, true, kind}, riscv, hart, op, now, next,            \
                    wait_##chip##_##name);                                                         \
    }
#define STEPS_OF(chip)                                                                             \
    STEPS(chip, computes, RISCV_KIND_COMPUTES)                                                     \
    STEPS(chip, multiplies, RISCV_KIND_MULTIPLIES)                                                 \
    STEPS(chip, loads, RISCV_KIND_LOADS)                                                           \
    STEPS(chip, stores, RISCV_KIND_STORES)                                                         \
    STEPS(chip, pushes, RISCV_KIND_PUSHES)                                                         \
    STEPS(chip, branches, RISCV_KIND_BRANCHES)
STEPS_OF(WORMHOLE_B0)
STEPS_OF(BLACKHOLE_A0)

#define STEPPERS(chip)                                                                             \
    [TSR_##chip] = {[RISCV_KIND_COMPUTES] = step_##chip##_computes,                                \
                    [RISCV_KIND_MULTIPLIES] = step_##chip##_multiplies,                            \
                    [RISCV_KIND_DIVIDES] = step_slowly,                                            \
                    [RISCV_KIND_LOADS] = step_##chip##_loads,                                      \
                    [RISCV_KIND_STORES] = step_##chip##_stores,                                    \
                    [RISCV_KIND_PUSHES] = step_##chip##_pushes,                                    \
                    [RISCV_KIND_ATOMIC] = step_slowly,                                             \
                    [RISCV_KIND_BRANCHES] = step_##chip##_branches,                                \
                    [RISCV_KIND_FLOATS] = step_slowly,                                             \
                    [RISCV_KIND_VECTOR] = step_slowly,                                             \
                    [RISCV_KIND_ALONE] = step_slowly,                                              \
                    [RISCV_KIND_ENDS] = step_from_block}
static stepper *const steppers[TSR_ARCH_COUNT][RISCV_KIND_ENDS + 1] = {STEPPERS(WORMHOLE_B0),
                                                                       STEPPERS(BLACKHOLE_A0)};

// It runs, is not fresh from reset, and rules are plain.
TSR_INLINE bool goes_on_plainly(const struct tsr_riscv *riscv, const struct tsr_hart *hart)
{
    return hart->rest == TSR_HART_RUNS && hart->retired != 0 && has_plain_rules(riscv->arch, hart);
}

// The instruction at the pc, wherever its block is, if there is one and the hart does not stand
// still for good.
static __attribute__((noinline)) uint64_t
find_and_step(struct tsr_riscv *riscv, struct tsr_hart *hart, uint64_t now, uint64_t *next)
{
    struct tsr_riscv_block *block = riscv->last;
    uint32_t at = hart->pc - block->pc;
    bool runs = hart->rest <= TSR_HART_POLLS && !(hart->pc & 3);
    if (!runs || at / 4 >= block->count || block->generation != tsr_riscv_generation(riscv)) {
        block = runs ? tsr_riscv_block_at(riscv, hart->pc) : NULL;
        if (!block) {
            *riscv->bus->now = now;
            return tsr_riscv_run(riscv, hart, 1);
        }
        at = hart->pc - block->pc;
    }
    const struct tsr_riscv_op *op = &block->op[at / 4];
    if (block->unwritten || !goes_on_plainly(riscv, hart))
        return step_any(riscv, hart, op, now, next, block->unwritten);
    riscv->next_op = op;
    riscv->next_generation = block->generation;
    return steppers[riscv->arch][op->kind](riscv, hart, op, now, next);
}

static uint64_t step_from_block(struct tsr_riscv *riscv, struct tsr_hart *hart,
                                const struct tsr_riscv_op *op, uint64_t now, uint64_t *next)
{
    (void)op;
    return find_and_step(riscv, hart, now, next);
}

uint64_t tsr_riscv_step(struct tsr_riscv *riscv, struct tsr_hart *hart, uint64_t now,
                        uint64_t *next)
{
    const struct tsr_riscv_op *op = riscv->next_op;
    *next = now + 1;
    if (op->pc == hart->pc && riscv->next_generation == tsr_riscv_generation(riscv) &&
        goes_on_plainly(riscv, hart))
        return steppers[riscv->arch][op->kind](riscv, hart, op, now, next);
    return find_and_step(riscv, hart, now, next);
}
