// SPDX-License-Identifier: Apache-2.0
// Executes runs of vector instructions as one (vector_block.h). A block runs if no macro has
// anything scheduled, LaneConfig changes nothing, all LRegs that it reads are written and
// untainted, and its first word does not come too early for what is late: then none of its words
// reports, and no result is tainted. What differs in each run is asked on the way: lanes, counters,
// and whether what a load reads in Dst is written, untainted and in range; before a word that may
// report the block ends. Pages: VectorUnit.md, SFPLOAD.md, SFPSTORE.md, RWCs.md.
#include "vector/vector_block.h"

#include "state/dst_rules.h"
#include "vector/vector_blocks.h"
#include "vector/vector_decode.h"
#include "vector/vector_dst.h"
#include "vector/vector_hazards.h"
#include "vector/vector_lanewise.h"
#include "vector/vector_macro.h"

enum { ROWS = 4, ODD_COLUMNS = 2, ALL_VALID = 0x01010101 };
_Static_assert(sizeof(bool) == 1, "flags of four rows are a word");

struct runner {
    struct tsr_env *env;
    struct tsr_vector *vector;
    struct tsr_dst *dst;
    const struct tsr_vector_plan *plan;
    struct tsr_inflight *inst;
    struct tsr_vector_call *call;
    tsr_rwc *rwc;
    uint32_t base;     // of addresses in Dst, without the counter
    uint32_t at;       // with it
    uint64_t sequence; // of the block's first word
    unsigned order;
    unsigned rests;     // a bit for each AddrMod of an instruction that steps no counter
    bool notes_written; // an LReg that is written has lanes that nobody has written yet
};

// Tells the instruction and the call, which run functions and findings look at, of a word.
static void begin(struct runner *runner, const struct tsr_vector_args *args, unsigned word)
{
    runner->inst->word = args->word;
    runner->inst->op = args->op;
    runner->inst->sequence = runner->sequence + word;
    runner->call->args = args;
    runner->call->lanes = runner->vector->enabled;
}

// ---------------------------------------------------------------- loads and stores

// The first of four rows of Dst, which are contiguous.
static inline unsigned place_of(const struct runner *runner, unsigned address, bool wide)
{
    address &= ~3u;
    return runner->order | (unsigned)wide ? tsr_dst_place(runner->order, address, wide) : address;
}

static inline unsigned address_of(const struct runner *runner, const struct tsr_vector_step *step)
{
    return (step->imm + runner->at) & (TSR_DST_ROWS - 1);
}

// Whether a row of 32 bits lies beyond those that have a place of their own.
static inline bool is_outside(const struct tsr_vector_step *step, unsigned address)
{
    return step->wide && address >= TSR_DST_ROWS / 2;
}

static inline bool is_odd(unsigned address)
{
    return address & ODD_COLUMNS;
}

// A bit for each column of each row that all lanes together use.
static inline uint64_t columns_at(unsigned address)
{
    return 0x5555555555555555u << is_odd(address);
}

static inline bool are_valid(const struct tsr_dst *dst, unsigned row)
{
    uint32_t valid;
    memcpy(&valid, &dst->valid[row], sizeof valid);
    return valid == ALL_VALID;
}

static inline uint64_t masks_at(const uint16_t masks[TSR_DST_ROWS], unsigned row)
{
    uint64_t four;
    memcpy(&four, &masks[row], sizeof four);
    return four;
}

// The columns of four rows that nobody has written, or that are tainted.
static inline uint64_t unclean_at(const struct tsr_dst *dst, unsigned row)
{
    return ~masks_at(dst->written, row) | masks_at(dst->tainted, row);
}

static inline void step_counters(struct runner *runner, unsigned index)
{
    const struct tsr_vector_plan *plan = runner->plan;
    tsr_rwc *rwc = runner->rwc;
    if (runner->rests >> index & 1)
        return;
    tsr_vector_step_counters(runner->env, plan, rwc, index);
    runner->at = runner->base + rwc->dst;
}

static inline bool run_load(struct runner *runner, const struct tsr_vector_step *step,
                            uint32_t lanes)
{
    struct tsr_dst *dst = runner->dst;
    if (step->how.load) {
        unsigned address = address_of(runner, step), row;
        if (is_outside(step, address))
            return false;
        row = place_of(runner, address, step->wide);
        uint64_t unclean = unclean_at(dst, row);
        if (step->wide)
            unclean |= unclean_at(dst, row + TSR_DST_LOW);
        if ((unclean & columns_at(address)) != 0 || !are_valid(dst, row))
            return false;
        step->how.load(step->d, dst->bits[row], step->wide ? dst->bits[row + TSR_DST_LOW] : NULL,
                       is_odd(address), lanes, step->mode);
        if (runner->notes_written)
            tsr_vector_wrote(runner->vector, step->vd, lanes, 0);
    }
    step_counters(runner, step->addr_mode);
    return true;
}

// Bit i of a mask of lanes to bit 2i.
static inline uint64_t even_bits(uint32_t lanes)
{
    uint64_t bits = lanes;
    bits = (bits | bits << 16) & 0x0000ffff0000ffffu;
    bits = (bits | bits << 8) & 0x00ff00ff00ff00ffu;
    bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0fu;
    bits = (bits | bits << 2) & 0x3333333333333333u;
    return (bits | bits << 1) & 0x5555555555555555u;
}

// Notes in the shadow state of four valid rows which columns were written; rows with none of them
// are not marked. Where a loop comes again all of this is so already.
static inline void note_written(struct tsr_dst *dst, unsigned physical, uint64_t columns)
{
    uint64_t written = masks_at(dst->written, physical);
    uint64_t tainted = masks_at(dst->tainted, physical);
    uint64_t marks = 0, *marked = &dst->marks[physical / 64];
    if ((columns & (~written | tainted)) == 0 && (*marked >> physical % 64 & 0xf) == 0xf)
        return;
    written |= columns;
    tainted &= ~columns;
    memcpy(&dst->written[physical], &written, sizeof written);
    memcpy(&dst->tainted[physical], &tainted, sizeof tainted);
    for (unsigned row = 0; row < ROWS; row++)
        marks |= (uint64_t)((columns >> 16 * row & 0xffff) != 0) << row;
    *marked |= marks << physical % 64;
}

// Stores by the instruction's own run function, which makes rows valid that are not.
static __attribute__((noinline)) void store_anywhere(struct runner *runner,
                                                     const struct tsr_vector_step *step,
                                                     const struct tsr_vector_args *args)
{
    struct tsr_vector_job *job = tsr_vector_job_of(runner->inst);
    job->mode = step->dst_mode;
    job->order = (uint8_t)runner->order;
    job->address = (uint16_t)address_of(runner, step);
    begin(runner, args, step->word);
    runner->call->job = job;
    tsr_vector_run_store(runner->call);
}

static inline bool run_store(struct runner *runner, const struct tsr_vector_step *step,
                             const struct tsr_vector_args *args, uint32_t lanes)
{
    struct tsr_dst *dst = runner->dst;
    unsigned address = address_of(runner, step);
    if (is_outside(step, address))
        return false;
    unsigned row = place_of(runner, address, step->wide);
    if (are_valid(dst, row)) {
        step->how.store(dst->bits[row], step->wide ? dst->bits[row + TSR_DST_LOW] : NULL, step->d,
                        is_odd(address), lanes, step->mode);
        uint64_t columns = lanes == ~0u ? columns_at(address) : even_bits(lanes) << is_odd(address);
        note_written(dst, row, columns);
        if (step->wide)
            note_written(dst, row + TSR_DST_LOW, columns);
    } else {
        store_anywhere(runner, step, args);
    }
    step_counters(runner, step->addr_mode);
    return true;
}

// ---------------------------------------------------------------- steps

// Rounds, with random bits where it is stochastic; the PRNGs step in any case.
static void run_round(struct runner *runner, const struct tsr_vector_step *step)
{
    enum { STOCHASTIC = 1 };
    struct tsr_vector *vector = runner->vector;
    uint32_t bits[TSR_LANES];
    uint32_t *random = step->mode->rounding & STOCHASTIC ? bits : NULL;
    tsr_vector_draw(runner->call, vector->enabled, random);
    step->how.kernel(step->d, random, step->b, step->c, vector->enabled, step->mode);
    if (runner->notes_written)
        tsr_vector_wrote(vector, step->vd, vector->enabled, 0);
}

// Flags have changed, or whether they count.
static void find_enabled(struct runner *runner, const struct tsr_vector_args *args, unsigned word)
{
    struct tsr_vector *vector = runner->vector;
    tsr_vector_enable(vector);
    if (vector->enabled == ~0u)
        return;
    begin(runner, args, word);
    vector->disabled_by = tsr_origin_of(runner->inst);
}

static void run_test(struct runner *runner, const struct tsr_vector_step *step)
{
    struct tsr_vector *vector = runner->vector;
    uint32_t lanes = vector->enabled, flags = step->flip;
    if (step->how.kernel)
        flags ^= step->how.kernel(NULL, NULL, NULL, step->c, ~0u, step->mode);
    vector->flags = (vector->flags & ~lanes) | (flags & vector->use_flags & lanes);
}

// Pushing and popping flags reports only at the ends of the stack.
static bool stack_is_quiet(const struct tsr_vector *vector, uint8_t op)
{
    uint32_t full = vector->depth[TSR_FLAG_STACK - 1];
    return op == OP_SFPPUSHC ? full == 0 : vector->depth[0] == ~0u;
}

// Executes a step that is no kernel, load or store. False: it may report, and was not executed.
static __attribute__((noinline)) bool run_seldom(struct runner *runner,
                                                 const struct tsr_vector_step *step,
                                                 const struct tsr_vector_args *args)
{
    struct tsr_vector *vector = runner->vector;
    switch ((enum tsr_vector_step_kind)step->kind) {
    case TSR_VECTOR_STEP_SWAP:
        step->how.swap((uint32_t *)step->c, step->d, vector->enabled, step->mode);
        return true;
    case TSR_VECTOR_STEP_ROUND:
        run_round(runner, step);
        return true;
    case TSR_VECTOR_STEP_TEST:
        run_test(runner, step);
        find_enabled(runner, args, step->word);
        return true;
    case TSR_VECTOR_STEP_ENCC:
        vector->use_flags = (vector->use_flags & step->keep) ^ step->flip;
        vector->flags = step->imm ? ~0u : 0;
        find_enabled(runner, args, step->word);
        return true;
    case TSR_VECTOR_STEP_STACK:
        if (!stack_is_quiet(vector, args->op))
            return false;
        // fallthrough
    default:
        begin(runner, args, step->word);
        args->run(runner->call);
        return true;
    }
}

// Executes the steps of the block's first `words` words, up to one that may report. Returns how
// many words were executed.
static unsigned run_steps(struct runner *runner, const struct tsr_vector_block *block,
                          unsigned words)
{
    struct tsr_vector *vector = runner->vector;
    const struct tsr_vector_step *end = block->step + block->steps;
    while (words < block->words && end > block->step && end[-1].word >= words)
        end--;
    for (const struct tsr_vector_step *step = block->step; step < end; step++) {
        if (__builtin_expect(step->kind == TSR_VECTOR_STEP_KERNEL, 1)) {
            step->how.kernel(step->d, step->a, step->b, step->c, vector->enabled, step->mode);
            if (runner->notes_written)
                tsr_vector_wrote(vector, step->vd, vector->enabled, 0);
        } else if (step->kind == TSR_VECTOR_STEP_LOAD) {
            if (!run_load(runner, step, vector->enabled))
                return step->word;
        } else if (step->kind == TSR_VECTOR_STEP_STORE) {
            if (!run_store(runner, step, &block->args[step->word], vector->enabled))
                return step->word;
        } else if (!run_seldom(runner, step, &block->args[step->word])) {
            return step->word;
        }
    }
    return words;
}

// ---------------------------------------------------------------- may it run?

static bool lanes_are_plain(const struct tsr_vector *vector)
{
    const uint32_t *bit = vector->lane_bit;
    return (bit[TSR_LANE_FP16A_INF] | bit[TSR_LANE_DEST_INDEX] | bit[TSR_LANE_BLOCK_WRITE] |
            bit[TSR_LANE_BLOCK_READ] | bit[TSR_LANE_READ_EXCHANGE] | bit[TSR_LANE_WRITE_EXCHANGE] |
            bit[TSR_LANE_SWAP_INVERTS]) == 0;
}

static bool may_run(struct runner *runner, const struct tsr_vector_block *block)
{
    const struct tsr_vector *vector = runner->vector;
    begin(runner, &block->args[0], 0);
    return !(block->reads & vector->unclean) &&
           (!tsr_vector_is_late(&vector->late, runner->inst) ||
            tsr_vector_late_is_quiet(runner->env, &vector->late, &block->args[0]));
}

static struct runner runner_of(struct tsr_env *env, int thread)
{
    struct tsr_vector *vector = &env->state->vector;
    struct tsr_vector_blocks *blocks = env->vector_plans->blocks;
    const struct tsr_vector_plan *plan = tsr_vector_plan_for(env, thread);
    struct runner runner;
    runner.env = env;
    runner.vector = vector;
    runner.dst = &env->state->dst;
    runner.plan = plan;
    runner.inst = &blocks->inst;
    runner.call = &blocks->call;
    runner.rwc = &env->state->rwcs.thread[thread];
    runner.base = plan->math_offset + plan->dst_base;
    if (env->chip->arch != TSR_WORMHOLE_B0)
        runner.base += (vector->stack_pointer[thread] + plan->stack_base) & 3;
    runner.sequence = env->state->frontend[thread].sequence + 1;
    runner.order = plan->order | tsr_dst_high_halves(&env->state->debug);
    runner.at = runner.base + runner.rwc->dst;
    // Of two banks, in both.
    runner.rests =
        env->chip->addr_mod_bank ? plan->rests & plan->rests >> 4 : (unsigned)plan->rests;
    runner.notes_written = false;
    blocks->inst.thread = (uint8_t)thread;
    blocks->inst.accepted_at = env->state->now; // not always 0 where cores run
    if (blocks->call.vector != vector) {
        blocks->inst.unit = TSR_UNIT_VECTOR;
        blocks->call = (struct tsr_vector_call){
            .env = env,
            .vector = vector,
            .inst = &blocks->inst,
            .in = (const uint32_t(*)[TSR_LANES])vector->lreg,
            .able = ~0u,
        };
    }
    return runner;
}

// Executes words one after the other, without their stages, up to one that may wait or report.
static unsigned run_singly(struct runner *runner, const uint32_t *words, unsigned count)
{
    struct tsr_env *env = runner->env;
    struct tsr_vector *vector = runner->vector;
    struct tsr_vector_job *job = tsr_vector_job_of(runner->inst);
    unsigned done = 0;
    for (; done < count; done++) {
        const struct tsr_vector_args *args = tsr_vector_args_of(env, words[done]);
        begin(runner, args, done);
        if (!tsr_vector_may_be_quiet(args) || args->uses & vector->unclean ||
            (!args->quiet && !stack_is_quiet(vector, args->op)) ||
            (tsr_vector_is_late(&vector->late, runner->inst) &&
             !tsr_vector_late_is_quiet(env, &vector->late, args)))
            break;
        if (tsr_vector_reaches_dst(args->op)) {
            if (!tsr_vector_quiet_dst(runner->call, job))
                break;
        } else {
            args->run(runner->call);
        }
        if (vector->late.sequence | args->late_lregs | args->shuffles)
            tsr_vector_note_late(runner->call);
    }
    return done;
}

unsigned tsr_vector_run_block(struct tsr_env *env, int thread, const uint32_t *words,
                              unsigned count)
{
    struct tsr_vector *vector = &env->state->vector;
    struct tsr_vector_blocks *blocks = env->vector_plans->blocks;
    unsigned done = 0;
    if (tsr_macro_pending(vector) || vector->lane_bit[TSR_LANE_DEST_INDEX])
        return 0;
    struct runner runner = runner_of(env, thread);
    bool plain = lanes_are_plain(vector) && !(runner.order & TSR_DST_HIGH_HALVES);
    while (plain && count - done > 1) {
        const struct tsr_vector_block *block = blocks->asked;
        unsigned n = count - done;
        blocks->asked = NULL;
        if (!block || !tsr_vector_block_stands(block, runner.plan))
            block = tsr_vector_block_of(env, runner.plan, words + done, &n);
        if (!block || !may_run(&runner, block))
            break;
        runner.notes_written = block->writes & vector->unclean;
        unsigned executed = run_steps(&runner, block, n);
        if (executed == 0)
            break;
        if (block->is_late || vector->late.sequence || executed < block->words) {
            begin(&runner, &block->args[executed - 1], executed - 1);
            tsr_vector_note_late(runner.call);
        }
        done += executed;
        runner.sequence += executed;
        if (executed < n)
            return done;
    }
    return done + run_singly(&runner, words + done, count - done);
}
