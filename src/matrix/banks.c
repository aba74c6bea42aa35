// SPDX-License-Identifier: Apache-2.0
// Handing Src banks back to the unpackers: the clear-dvalid bits of the arithmetic instructions and
// of SETRWC, and CLEARDVALID. The pointer moves when the instruction executes, the owner when it
// completes. Pages: SrcASrcB.md, SETRWC.md, CLEARDVALID.md.
#include "matrix/matrix_plan.h"

uint8_t tsr_matrix_keeps(const struct tsr_env *env, int thread)
{
    unsigned sides = 0;
    if (tsr_thread_cfg(env, thread, FIELD_CLR_DVALID_SrcA_Disable))
        sides |= TSR_SIDE_A;
    if (tsr_thread_cfg(env, thread, FIELD_CLR_DVALID_SrcB_Disable))
        sides |= TSR_SIDE_B;
    return (uint8_t)sides;
}

void tsr_matrix_flip(const struct tsr_matrix_call *call)
{
    struct tsr_matrix_job *job = call->job;
    for (int side = TSR_SRCA; job->give && side <= TSR_SRCB; side++) {
        uint8_t bit = (uint8_t)(1 << side);
        if (!(job->give & bit))
            continue;
        struct tsr_src *src = &call->env->state->src[side];
        job->bank[side] = src->matrix_bank;
        if (!(job->keep_owner & bit))
            job->returned |= bit;
        if (!job->keep_reading)
            src->matrix_bank ^= 1;
    }
}

// Whether an instruction that has executed and not completed is giving the bank back.
static bool going_back(const struct tsr_env *env, int side, unsigned bank)
{
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_MATRIX];
    for (unsigned i = 0; i < queue->executed; i++) {
        const struct tsr_inflight *inst = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        const struct tsr_matrix_job *job = (const struct tsr_matrix_job *)inst->job;
        if (job->reset_banks || (job->returned >> side & 1 && job->bank[side] == bank))
            return true;
    }
    return false;
}

bool tsr_matrix_bank_ready(const struct tsr_env *env, int side)
{
    const struct tsr_src *src = &env->state->src[side];
    return src->bank[src->matrix_bank].matrix_owns && !going_back(env, side, src->matrix_bank);
}

void tsr_matrix_return_banks(struct tsr_env *env, const struct tsr_matrix_job *job)
{
    if (!job->returned && !job->reset_banks)
        return;
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        for (unsigned bank = 0; bank < 2; bank++) {
            bool given = job->returned >> side & 1 && job->bank[side] == bank;
            if (!given && !job->reset_banks)
                continue;
            env->state->src[side].bank[bank].matrix_owns = false;
            env->state->src[side].bank[bank].filled = false;
        }
    }
}

// ---------------------------------------------------------------- SETRWC and CLEARDVALID

void tsr_matrix_sample_setrwc(const struct tsr_matrix_call *call)
{
    call->job->give = call->args->give;
    if (call->job->give)
        call->job->keep_owner = tsr_matrix_keeps(call->env, call->inst->thread);
}

// These two do not wait for the bank, so it may be the unpackers' already.
static bool check_owner(const struct tsr_matrix_call *call, int side)
{
    const struct tsr_matrix_job *job = call->job;
    bool returns = (job->give & ~job->keep_owner) >> side & 1;
    if (!returns || tsr_matrix_bank_ready(call->env, side))
        return true;
    return tsr_report(call->env, FINDING_SRC_BANK_TAKEN, call->inst, NULL,
                      "%s gives Src%c bank %u back, which the unpackers own already.",
                      tsr_op_name((enum tsr_op)call->inst->op), 'A' + side,
                      (unsigned)call->env->state->src[side].matrix_bank) != TSR_HALT;
}

bool tsr_matrix_run_give(const struct tsr_matrix_call *call)
{
    if (!check_owner(call, TSR_SRCA) || !check_owner(call, TSR_SRCB))
        return false;
    tsr_matrix_flip(call);
    return true;
}

void tsr_matrix_sample_cleardvalid(const struct tsr_matrix_call *call)
{
    enum { RESET = 1, KEEP_READING = 2 };
    uint32_t modifier = tsr_matrix_arg(call, OPERAND_reset);
    call->job->reset_banks = modifier & RESET;
    call->job->keep_reading = (modifier & KEEP_READING) != 0;
    call->job->give = (uint8_t)tsr_matrix_arg(call, OPERAND_cleardvalid);
}

static bool reset_pointers(const struct tsr_matrix_call *call)
{
    enum tsr_verdict verdict =
        tsr_report(call->env, FINDING_LEGACY_MODE, call->inst, NULL,
                   "CLEARDVALID resets the hand-over of all banks of SrcA and SrcB.");
    if (verdict == TSR_HALT) {
        call->job->reset_banks = false;
        return false;
    }
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        struct tsr_src *src = &call->env->state->src[side];
        src->matrix_bank = src->unpacker_bank = 0;
        src->bank[0].implied_format = src->bank[1].implied_format = 0;
    }
    return true;
}

bool tsr_matrix_run_cleardvalid(const struct tsr_matrix_call *call)
{
    return call->job->reset_banks ? reset_pointers(call) : tsr_matrix_run_give(call);
}
