// SPDX-License-Identifier: Apache-2.0
// The miscellaneous unit: instructions that set, step and reload ADC counters, and SETDVALID.
// Counters change when the instruction is accepted; SETDVALID hands its banks over when executed
// and complete. Pages: MiscellaneousUnit.md, SETADC.md, SETADCXX.md, SETADCXY.md, SETADCZW.md,
// INCADCXY.md, INCADCZW.md, ADDRCRXY.md, ADDRCRZW.md, SETDVALID.md, ADCs.md.
#include "control/misc_unit.h"

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

#define INLINE __attribute__((always_inline)) static inline

// Two neighbouring counters of a channel.
INLINE void change_two(tsr_adc_channel *channel, unsigned dimension, unsigned zw_bits,
                       enum change change, uint32_t chosen, const uint32_t value[2])
{
    if (chosen & 1)
        change_counter(tsr_adc_counter(channel, dimension, zw_bits), change, value[0]);
    if (chosen & 2)
        change_counter(tsr_adc_counter(channel, dimension + 1, zw_bits), change, value[1]);
}

// The pair forms: four operands for channel 0 and 1 of two neighbouring dimensions, of the counters
// of `thread`. All that `op` decides is known where it is called, and kernels step and set counters
// for every face.
INLINE void change_pair(struct tsr_env *env, unsigned thread, uint32_t word, enum tsr_op op,
                        unsigned dimension, enum change change)
{
    const struct tsr_isa *isa = env->isa;
    const uint32_t value[4] = {
        tsr_operand(isa, op, word, OPERAND_Ch0_X), tsr_operand(isa, op, word, OPERAND_Ch0_Y),
        tsr_operand(isa, op, word, OPERAND_Ch1_X), tsr_operand(isa, op, word, OPERAND_Ch1_Y)};
    uint32_t chosen = change == STEP ? 0xf : tsr_operand(isa, op, word, OPERAND_BitMask);
    unsigned zw_bits = env->chip->adc_zw_bits;
    for (uint32_t agents = tsr_operand(isa, op, word, OPERAND_CntSetMask); agents;
         agents &= agents - 1) {
        unsigned agent = (unsigned)__builtin_ctz(agents);
        tsr_adc_channel *channel = env->state->adcs.channel[thread][agent];
        if (env->races)
            tsr_race_counters(env, true, thread, agent,
                              (chosen & 3) << dimension | (chosen >> 2) << (4 + dimension));
        change_two(&channel[0], dimension, zw_bits, change, chosen, value);
        change_two(&channel[1], dimension, zw_bits, change, chosen >> 2, value + 2);
    }
}

// False: it is none of them.
INLINE bool change_pairs(struct tsr_env *env, unsigned thread, uint32_t word, enum tsr_op op)
{
    switch (op) {
    case OP_SETADCXY:
        change_pair(env, thread, word, OP_SETADCXY, 0, SET);
        return true;
    case OP_SETADCZW:
        change_pair(env, thread, word, OP_SETADCZW, 2, SET);
        return true;
    case OP_INCADCXY:
        change_pair(env, thread, word, OP_INCADCXY, 0, STEP);
        return true;
    case OP_INCADCZW:
        change_pair(env, thread, word, OP_INCADCZW, 2, STEP);
        return true;
    case OP_ADDRCRXY:
        change_pair(env, thread, word, OP_ADDRCRXY, 0, RELOAD);
        return true;
    case OP_ADDRCRZW:
        change_pair(env, thread, word, OP_ADDRCRZW, 2, RELOAD);
        return true;
    default:
        return false;
    }
}

static bool accept_pair(struct tsr_env *env, const struct tsr_inflight *inst)
{
    unsigned thread;
    if (!choose_thread(env, inst, tsr_arg(env, inst, OPERAND_ThreadOverride), &thread))
        return false;
    return change_pairs(env, thread, inst->word, (enum tsr_op)inst->op);
}

INLINE void set_counters(struct tsr_env *env, unsigned thread, uint32_t word)
{
    const struct tsr_isa *isa = env->isa;
    uint32_t value = tsr_operand(isa, OP_SETADC, word, OPERAND_Value);
    unsigned channel = tsr_operand(isa, OP_SETADC, word, OPERAND_ChannelIndex);
    unsigned dimension = tsr_operand(isa, OP_SETADC, word, OPERAND_DimensionIndex);
    for (uint32_t agents = tsr_operand(isa, OP_SETADC, word, OPERAND_CntSetMask); agents;
         agents &= agents - 1) {
        unsigned agent = (unsigned)__builtin_ctz(agents);
        tsr_race_counters(env, true, thread, agent, 1u << (4 * channel + dimension));
        set_counter(env, &env->state->adcs.channel[thread][agent][channel], dimension, value);
    }
}

// NewValue[17:16] is at once the top of X and ThreadOverride: the page describes both, and both
// happen.
static bool accept_one(struct tsr_env *env, const struct tsr_inflight *inst)
{
    unsigned thread;
    if (!choose_thread(env, inst, tsr_arg(env, inst, OPERAND_Value) >> 16, &thread))
        return false;
    set_counters(env, thread, inst->word);
    return true;
}

INLINE void set_x_ends(struct tsr_env *env, unsigned thread, uint32_t word)
{
    const struct tsr_isa *isa = env->isa;
    uint32_t start = tsr_operand(isa, OP_SETADCXX, word, OPERAND_x_start);
    uint32_t end = tsr_operand(isa, OP_SETADCXX, word, OPERAND_x_end2);
    for (uint32_t agents = tsr_operand(isa, OP_SETADCXX, word, OPERAND_CntSetMask); agents;
         agents &= agents - 1) {
        unsigned agent = (unsigned)__builtin_ctz(agents);
        tsr_adc_channel *channel = env->state->adcs.channel[thread][agent];
        tsr_race_counters(env, true, thread, agent, 1u << 4 | 1u);
        set_counter(env, &channel[0], 0, start);
        set_counter(env, &channel[1], 0, end);
    }
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
    job->flip = 0;
    switch (inst->op) {
    case OP_SETADC:
        return accept_one(env, inst);
    case OP_SETADCXX:
        set_x_ends(env, inst->thread, inst->word);
        return true;
    case OP_SETADCXY:
    case OP_SETADCZW:
    case OP_INCADCXY:
    case OP_INCADCZW:
    case OP_ADDRCRXY:
    case OP_ADDRCRZW:
        return accept_pair(env, inst);
    case OP_SETDVALID:
        return accept_setdvalid(env, inst, job);
    default:
        return tsr_report(env, FINDING_UNIMPLEMENTED_INSTRUCTION, inst, NULL,
                          "%s is unimplemented.", tsr_op_name((enum tsr_op)inst->op)) != TSR_HALT;
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
        job->bank[side] = tsr_src_hand_over(env, inst, side);
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

// What sets, steps or reloads counters of its own thread: there is nothing to report.
static bool run_word(struct tsr_env *env, int thread, uint32_t word, uint64_t sequence)
{
    enum tsr_op op = tsr_op_of(env->isa, word);
    (void)sequence;
    if (op == OP_SETADCXX) {
        set_x_ends(env, (unsigned)thread, word);
        return true;
    }
    if (op == OP_SETADC) {
        if (tsr_operand(env->isa, OP_SETADC, word, OPERAND_Value) >> 16 != 0)
            return false;
        set_counters(env, (unsigned)thread, word);
        return true;
    }
    return tsr_operand(env->isa, op, word, OPERAND_ThreadOverride) == 0 &&
           change_pairs(env, (unsigned)thread, word, op);
}

_Static_assert(sizeof(struct misc_job) <= TSR_JOB_BYTES, "a job fits its instruction");

const struct tsr_unit_ops tsr_misc_ops = {.accept = misc_accept,
                                          .execute = misc_execute,
                                          .complete = misc_complete,
                                          .run_word = run_word,
                                          .blocks_behind_wait = true};
