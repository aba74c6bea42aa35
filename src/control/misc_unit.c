// SPDX-License-Identifier: Apache-2.0
// The miscellaneous unit: instructions that set, step and reload ADC counters, and SETDVALID.
// Counters change when the instruction is accepted; SETDVALID hands its banks over when executed
// and complete. Pages: MiscellaneousUnit.md, SETADC.md, SETADCXX.md, SETADCXY.md, SETADCZW.md,
// INCADCXY.md, INCADCZW.md, ADDRCRXY.md, ADDRCRZW.md, SETDVALID.md, ADCs.md.
#include "control/misc_unit.h"

#include "base/bits.h"
#include "state/races.h"
#include "state/report.h"
#include "state/src_hand_over.h"

enum change { SET, STEP, RELOAD };

// The operand has no more bits than the counter.
static inline void change_counter(struct tsr_adc_counter at, enum change change, uint32_t operand)
{
    switch (change) {
    case SET:
        *at.value = *at.carriage = operand;
        break;
    case STEP:
        *at.value = (*at.value + operand) & at.mask;
        break;
    case RELOAD:
        *at.carriage = (*at.carriage + operand) & at.mask;
        *at.value = *at.carriage;
        break;
    }
}

static inline void set_counter(const struct tsr_env *env, tsr_adc_channel *channel,
                               unsigned dimension, uint32_t operand)
{
    struct tsr_adc_counter at = tsr_adc_counter(channel, dimension, env->chip->adc_zw_bits);
    change_counter(at, SET, operand & at.mask);
}

// ThreadOverride, if not 0, names the thread whose counters change, which the pages call
// unsupported and describe. False: a finding stops the tile.
static bool choose_thread(struct tsr_env *env, const struct tsr_inflight *inst, uint32_t override,
                          unsigned *thread)
{
    *thread = override ? override - 1 : inst->thread;
    return !override ||
           tsr_report(env, FINDING_THREAD_OVERRIDE, inst, NULL,
                      "%s of thread %u works on the counters of thread %u%s.",
                      tsr_op_name((enum tsr_op)inst->op), (unsigned)inst->thread, *thread,
                      inst->op == OP_SETADC ? ", and X gets bits 17:16 too" : "") != TSR_HALT;
}

// What the operands of a word say; the thread whose counters change is said where it is called.
enum pair_arg { PAIR_AGENTS, PAIR_CHOSEN, PAIR_VALUES, PAIR_ARGS = PAIR_VALUES + 4 };
enum one_arg { ONE_AGENTS, ONE_CHANNEL, ONE_DIMENSION, ONE_VALUE, ONE_ARGS };
enum ends_arg { ENDS_AGENTS, ENDS_FIRST, ENDS_LAST, ENDS_ARGS };

static __attribute__((noinline)) void tell_races(const struct tsr_env *env, unsigned thread,
                                                 uint32_t agents, uint32_t counters)
{
    for (; agents; agents &= agents - 1)
        tsr_race_counters(env, true, thread, (unsigned)__builtin_ctz(agents), counters);
}

TSR_INLINE void tell(const struct tsr_env *env, unsigned thread, uint32_t agents, uint32_t counters)
{
    if (env->races)
        tell_races(env, thread, agents, counters);
}

// Two neighbouring counters of a channel.
TSR_INLINE void change_two(tsr_adc_channel *channel, unsigned dimension, unsigned zw_bits,
                           enum change change, uint32_t chosen, const uint32_t value[2])
{
    if (chosen & 1)
        change_counter(tsr_adc_counter(channel, dimension, zw_bits), change, value[0]);
    if (chosen & 2)
        change_counter(tsr_adc_counter(channel, dimension + 1, zw_bits), change, value[1]);
}

// The pair forms: four operands for channel 0 and 1 of two neighbouring dimensions.
static void read_pair(const struct tsr_isa *isa, enum tsr_op op, uint32_t word, bool steps,
                      uint32_t arg[PAIR_ARGS])
{
    static const enum tsr_operand_id value[4] = {OPERAND_Ch0_X, OPERAND_Ch0_Y, OPERAND_Ch1_X,
                                                 OPERAND_Ch1_Y};
    arg[PAIR_AGENTS] = tsr_operand(isa, op, word, OPERAND_CntSetMask);
    arg[PAIR_CHOSEN] = steps ? 0xf : tsr_operand(isa, op, word, OPERAND_BitMask);
    for (unsigned i = 0; i < 4; i++)
        arg[PAIR_VALUES + i] = tsr_operand(isa, op, word, value[i]);
}

// Dimension and change are known where it is called, and kernels step and set counters for every
// face.
TSR_INLINE void change_pair(struct tsr_env *env, unsigned thread, const uint32_t *arg,
                            unsigned dimension, enum change change)
{
    const uint32_t chosen = arg[PAIR_CHOSEN], *value = arg + PAIR_VALUES;
    const unsigned zw_bits = env->chip->adc_zw_bits;
    tell(env, thread, arg[PAIR_AGENTS],
         (chosen & 3) << dimension | (chosen >> 2) << (4 + dimension));
    for (uint32_t agents = arg[PAIR_AGENTS]; agents; agents &= agents - 1) {
        unsigned agent = (unsigned)__builtin_ctz(agents);
        tsr_adc_channel *channel = env->state->adcs.channel[thread][agent];
        if (change == STEP || chosen == 0xf) { // all, most of the time
            change_two(&channel[0], dimension, zw_bits, change, 3, value);
            change_two(&channel[1], dimension, zw_bits, change, 3, value + 2);
        } else {
            change_two(&channel[0], dimension, zw_bits, change, chosen, value);
            change_two(&channel[1], dimension, zw_bits, change, chosen >> 2, value + 2);
        }
    }
}

// An instruction of that form.
struct pair {
    void (*change)(struct tsr_env *env, unsigned thread, const uint32_t *arg);
    tsr_small_run *run; // the same of a small word
    bool steps;         // it has no mask
};
#define PAIR(name, dimension, kind)                                                                \
    static void change_##name(struct tsr_env *env, unsigned thread, const uint32_t *arg)           \
    {                                                                                              \
        change_pair(env, thread, arg, dimension, kind);                                            \
    }                                                                                              \
    static bool run_##name(struct tsr_env *env, int thread, const struct tsr_small_word *small,    \
                           uint64_t sequence)                                                      \
    {                                                                                              \
        (void)sequence;                                                                            \
        change_pair(env, (unsigned)thread, small->arg, dimension, kind);                           \
        return true;                                                                               \
    }
PAIR(setadcxy, 0, SET)
PAIR(setadczw, 2, SET)
PAIR(incadcxy, 0, STEP)
PAIR(incadczw, 2, STEP)
PAIR(addrcrxy, 0, RELOAD)
PAIR(addrcrzw, 2, RELOAD)
#undef PAIR

// NULL: it is none.
static const struct pair *pair_of(enum tsr_op op)
{
    static const struct pair pairs[OP_COUNT] = {
        [OP_SETADCXY] = {change_setadcxy, run_setadcxy, .steps = false},
        [OP_SETADCZW] = {change_setadczw, run_setadczw, .steps = false},
        [OP_INCADCXY] = {change_incadcxy, run_incadcxy, .steps = true},
        [OP_INCADCZW] = {change_incadczw, run_incadczw, .steps = true},
        [OP_ADDRCRXY] = {change_addrcrxy, run_addrcrxy, .steps = false},
        [OP_ADDRCRZW] = {change_addrcrzw, run_addrcrzw, .steps = false},
    };
    return pairs[op].change ? &pairs[op] : NULL;
}

static bool accept_pair(struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct pair *pair)
{
    uint32_t arg[PAIR_ARGS];
    unsigned thread;
    if (!choose_thread(env, inst, tsr_arg(env, inst, OPERAND_ThreadOverride), &thread))
        return false;
    read_pair(env->isa, (enum tsr_op)inst->op, inst->word, pair->steps, arg);
    pair->change(env, thread, arg);
    return true;
}

// SETADC: one counter.
static void read_one(const struct tsr_isa *isa, uint32_t word, uint32_t arg[ONE_ARGS])
{
    arg[ONE_AGENTS] = tsr_operand(isa, OP_SETADC, word, OPERAND_CntSetMask);
    arg[ONE_CHANNEL] = tsr_operand(isa, OP_SETADC, word, OPERAND_ChannelIndex);
    arg[ONE_DIMENSION] = tsr_operand(isa, OP_SETADC, word, OPERAND_DimensionIndex);
    arg[ONE_VALUE] = tsr_operand(isa, OP_SETADC, word, OPERAND_Value);
}

TSR_INLINE void set_one(struct tsr_env *env, unsigned thread, const uint32_t *arg)
{
    const unsigned channel = arg[ONE_CHANNEL], dimension = arg[ONE_DIMENSION];
    tell(env, thread, arg[ONE_AGENTS], 1u << (4 * channel + dimension));
    for (uint32_t agents = arg[ONE_AGENTS]; agents; agents &= agents - 1) {
        unsigned agent = (unsigned)__builtin_ctz(agents);
        set_counter(env, &env->state->adcs.channel[thread][agent][channel], dimension,
                    arg[ONE_VALUE]);
    }
}

static bool run_setadc(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                       uint64_t sequence)
{
    (void)sequence;
    set_one(env, (unsigned)thread, small->arg);
    return true;
}

// NewValue[17:16] is at once the top of X and ThreadOverride: the page describes both, and both
// happen.
static bool accept_one(struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t arg[ONE_ARGS];
    unsigned thread;
    read_one(env->isa, inst->word, arg);
    if (!choose_thread(env, inst, arg[ONE_VALUE] >> 16, &thread))
        return false;
    set_one(env, thread, arg);
    return true;
}

// SETADCXX: X of both channels.
static void read_ends(const struct tsr_isa *isa, uint32_t word, uint32_t arg[ENDS_ARGS])
{
    arg[ENDS_AGENTS] = tsr_operand(isa, OP_SETADCXX, word, OPERAND_CntSetMask);
    arg[ENDS_FIRST] = tsr_operand(isa, OP_SETADCXX, word, OPERAND_x_start);
    arg[ENDS_LAST] = tsr_operand(isa, OP_SETADCXX, word, OPERAND_x_end2);
}

TSR_INLINE void set_ends(struct tsr_env *env, unsigned thread, const uint32_t *arg)
{
    tell(env, thread, arg[ENDS_AGENTS], 1u << 4 | 1u);
    for (uint32_t agents = arg[ENDS_AGENTS]; agents; agents &= agents - 1) {
        unsigned agent = (unsigned)__builtin_ctz(agents);
        tsr_adc_channel *channel = env->state->adcs.channel[thread][agent];
        set_counter(env, &channel[0], 0, arg[ENDS_FIRST]);
        set_counter(env, &channel[1], 0, arg[ENDS_LAST]);
    }
}

static bool run_setadcxx(struct tsr_env *env, int thread, const struct tsr_small_word *small,
                         uint64_t sequence)
{
    (void)sequence;
    set_ends(env, (unsigned)thread, small->arg);
    return true;
}

static void accept_ends(struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t arg[ENDS_ARGS];
    read_ends(env->isa, inst->word, arg);
    set_ends(env, inst->thread, arg);
}

struct misc_job {
    uint8_t flip;    // a bit for SrcA, a bit for SrcB
    uint8_t bank[2]; // that execute handed over
    uint8_t row_base[2];
};

// Unsupported on Blackhole, where it works as on Wormhole (decision 1).
static bool accept_setdvalid(struct tsr_env *env, struct tsr_inflight *inst, struct misc_job *job)
{
    job->flip = (uint8_t)tsr_arg(env, inst, OPERAND_setvalid);
    job->row_base[TSR_SRCA] =
        (uint8_t)(tsr_thread_cfg(env, inst->thread, FIELD_SRCA_SET_Base) << 4);
    job->row_base[TSR_SRCB] =
        (uint8_t)(tsr_thread_cfg(env, inst->thread, FIELD_SRCB_SET_Base) << 4);
    if (!env->chip->implied_formats)
        return true;
    return tsr_report(env, FINDING_LEGACY_MODE, inst, NULL,
                      "SETDVALID is unsupported on Blackhole: the bank's implied format stays what "
                      "the last unpack left.") != TSR_HALT;
}

static bool misc_accept(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct misc_job *job = (struct misc_job *)inst->job;
    const struct pair *pair = pair_of((enum tsr_op)inst->op);
    job->flip = 0;
    if (pair)
        return accept_pair(env, inst, pair);
    switch (inst->op) {
    case OP_SETADC:
        return accept_one(env, inst);
    case OP_SETADCXX:
        accept_ends(env, inst);
        return true;
    case OP_SETDVALID:
        return accept_setdvalid(env, inst, job);
    default:
        return tsr_report_unimplemented(env, inst);
    }
}

static tsr_reason misc_execute(struct tsr_env *env, struct tsr_inflight *inst)
{
    struct misc_job *job = (struct misc_job *)inst->job;
    if (job->flip == 0)
        return TSR_REASON_NONE;
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        struct tsr_src *src = &env->state->src[side];
        if (!(job->flip >> side & 1))
            continue;
        if (tsr_src_for_unpacker(src)->matrix_owns &&
            tsr_report(env, FINDING_SRC_BANK_TAKEN, inst, NULL,
                       "SETDVALID of Src%c bank %u, which the matrix unit owns already.",
                       side ? 'B' : 'A', src->unpacker_bank) == TSR_HALT)
            return TSR_REASON_NONE;
        if (!tsr_src_may_hand_over(env, inst, side, false))
            return TSR_REASON_NONE;
    }
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        if (!(job->flip >> side & 1))
            continue;
        job->bank[side] = tsr_src_hand_over(env, tsr_origin_of(inst), side);
        env->state->unpacker[side].src_row[inst->thread] = job->row_base[side];
    }
    return TSR_REASON_NONE;
}

static void misc_complete(struct tsr_env *env, struct tsr_inflight *inst)
{
    const struct misc_job *job = (const struct misc_job *)inst->job;
    for (int side = TSR_SRCA; job->flip >> side; side++)
        if (job->flip >> side & 1)
            env->state->src[side].bank[job->bank[side]].matrix_owns = true;
}

// No bank is handed over.
static void leave_job(const struct tsr_env *env, struct tsr_inflight *inst)
{
    (void)env;
    ((struct misc_job *)inst->job)->flip = 0;
}

// What sets, steps or reloads counters of its own thread: there is nothing to report.
static void decode_small(const struct tsr_env *env, enum tsr_op op, struct tsr_small_word *small)
{
    const struct tsr_isa *isa = env->isa;
    const struct pair *pair = pair_of(op);
    if (op == OP_SETADCXX) {
        read_ends(isa, small->word, small->arg);
        small->run = run_setadcxx;
    } else if (op == OP_SETADC) {
        read_one(isa, small->word, small->arg);
        small->run = small->arg[ONE_VALUE] >> 16 == 0 ? run_setadc : NULL;
    } else if (pair && tsr_operand(isa, op, small->word, OPERAND_ThreadOverride) == 0) {
        read_pair(isa, op, small->word, pair->steps, small->arg);
        small->run = pair->run;
    }
}

_Static_assert(sizeof(struct misc_job) <= TSR_JOB_BYTES, "a job fits its instruction");

const struct tsr_unit_ops tsr_misc_ops = {.accept = misc_accept,
                                          .execute = misc_execute,
                                          .complete = misc_complete,
                                          .decode_small = decode_small,
                                          .leave_job = leave_job,
                                          .blocks_behind_wait = true};
