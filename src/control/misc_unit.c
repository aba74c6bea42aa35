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

// The pair forms: four operands for channel 0 and 1 of two neighbouring dimensions. All that `op`
// decides is known where it is called, and kernels step and set counters for every face.
__attribute__((always_inline)) static inline bool change_pair(struct tsr_env *env,
                                                              const struct tsr_inflight *inst,
                                                              enum tsr_op op, unsigned dimension,
                                                              enum change change)
{
    static const enum tsr_operand_id operand[4] = {OPERAND_Ch0_X, OPERAND_Ch0_Y, OPERAND_Ch1_X,
                                                   OPERAND_Ch1_Y};
    uint32_t agents = tsr_operand(env->isa, op, inst->word, OPERAND_CntSetMask);
    uint32_t chosen = change == STEP ? 0xf : tsr_operand(env->isa, op, inst->word, OPERAND_BitMask),
             value[4];
    unsigned thread;
    if (!choose_thread(env, inst, tsr_operand(env->isa, op, inst->word, OPERAND_ThreadOverride),
                       &thread))
        return false;
    unsigned zw_bits = env->chip->adc_zw_bits;
    for (unsigned i = 0; i < 4; i++)
        value[i] = tsr_operand(env->isa, op, inst->word, operand[i]);
    for (unsigned agent = 0; agent < TSR_ADC_AGENTS; agent++) {
        tsr_adc_channel *channel = env->state->adcs.channel[thread][agent];
        if (env->races && agents >> agent & 1)
            tsr_race_counters(env, true, thread, agent,
                              (chosen & 3) << dimension | (chosen >> 2) << (4 + dimension));
        for (unsigned i = 0; i < 4 && (agents >> agent & 1); i++)
            if (chosen >> i & 1)
                change_counter(tsr_adc_counter(&channel[i >> 1], dimension + (i & 1), zw_bits),
                               change, value[i]);
    }
    return true;
}

// NewValue[17:16] is at once the top of X and ThreadOverride: the page describes both, and both
// happen.
static bool set_one(struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t value = tsr_arg(env, inst, OPERAND_Value);
    unsigned thread;
    if (!choose_thread(env, inst, value >> 16, &thread))
        return false;
    uint32_t agents = tsr_arg(env, inst, OPERAND_CntSetMask);
    unsigned channel = tsr_arg(env, inst, OPERAND_ChannelIndex);
    unsigned dimension = tsr_arg(env, inst, OPERAND_DimensionIndex);
    for (unsigned agent = 0; agent < TSR_ADC_AGENTS; agent++)
        if (agents >> agent & 1) {
            tsr_race_counters(env, true, thread, agent, 1u << (4 * channel + dimension));
            set_counter(env, &env->state->adcs.channel[thread][agent][channel], dimension, value);
        }
    return true;
}

static void set_x_ends(struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t agents = tsr_arg(env, inst, OPERAND_CntSetMask);
    for (unsigned agent = 0; agent < TSR_ADC_AGENTS; agent++) {
        if (!(agents >> agent & 1))
            continue;
        tsr_adc_channel *channel = env->state->adcs.channel[inst->thread][agent];
        tsr_race_counters(env, true, inst->thread, agent, 1u << 4 | 1u);
        set_counter(env, &channel[0], 0, tsr_arg(env, inst, OPERAND_x_start));
        set_counter(env, &channel[1], 0, tsr_arg(env, inst, OPERAND_x_end2));
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
        return set_one(env, inst);
    case OP_SETADCXX:
        set_x_ends(env, inst);
        return true;
    case OP_SETADCXY:
        return change_pair(env, inst, OP_SETADCXY, 0, SET);
    case OP_SETADCZW:
        return change_pair(env, inst, OP_SETADCZW, 2, SET);
    case OP_INCADCXY:
        return change_pair(env, inst, OP_INCADCXY, 0, STEP);
    case OP_INCADCZW:
        return change_pair(env, inst, OP_INCADCZW, 2, STEP);
    case OP_ADDRCRXY:
        return change_pair(env, inst, OP_ADDRCRXY, 0, RELOAD);
    case OP_ADDRCRZW:
        return change_pair(env, inst, OP_ADDRCRZW, 2, RELOAD);
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

// Whether an instruction sets, steps or reloads counters of its own thread: nothing to report.
static bool is_quiet(const struct tsr_isa *isa, uint32_t word)
{
    enum tsr_op op = tsr_op_of(isa, word);
    switch (op) {
    case OP_SETADC:
        return tsr_operand(isa, OP_SETADC, word, OPERAND_Value) >> 16 == 0;
    case OP_SETADCXX:
    case OP_SETADCXY:
    case OP_SETADCZW:
    case OP_INCADCXY:
    case OP_INCADCZW:
    case OP_ADDRCRXY:
    case OP_ADDRCRZW:
        return tsr_operand(isa, op, word, OPERAND_ThreadOverride) == 0;
    default:
        return false;
    }
}

static bool run_word(struct tsr_env *env, int thread, uint32_t word, uint64_t sequence)
{
    (void)sequence;
    struct tsr_inflight inst;
    if (!is_quiet(env->isa, word))
        return false;
    inst.thread = (uint8_t)thread;
    inst.word = word;
    inst.op = (uint8_t)tsr_op_of(env->isa, word);
    return misc_accept(env, &inst);
}

_Static_assert(sizeof(struct misc_job) <= TSR_JOB_BYTES, "a job fits its instruction");

const struct tsr_unit_ops tsr_misc_ops = {.accept = misc_accept,
                                          .execute = misc_execute,
                                          .complete = misc_complete,
                                          .run_word = run_word,
                                          .blocks_behind_wait = true};
