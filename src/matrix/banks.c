// SPDX-License-Identifier: Apache-2.0
// Banks of SrcA and SrcB on the matrix unit's side, and handing them to the unpackers: the
// clear-dvalid bits of the arithmetic instructions and of SETRWC, and CLEARDVALID. The pointer
// moves when the instruction executes, the owner when it completes.
// Pages: SrcASrcB.md, SETRWC.md, CLEARDVALID.md.
#include "matrix/banks.h"

#include "matrix/matrix_plan.h"
#include "state/src_hand_over.h"

enum { CLEARDVALID_RESET = 1, CLEARDVALID_KEEP_POINTER = 2 };

bool tsr_matrix_releases(const struct tsr_env *env, int side, unsigned bank)
{
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_MATRIX];
    for (unsigned i = 0; i < queue->executed; i++) {
        const struct tsr_inflight *inst = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        const struct tsr_matrix_job *job = (const struct tsr_matrix_job *)inst->job;
        if (job->reset_banks || (job->released >> side & 1 && job->bank[side] == bank))
            return true;
    }
    return false;
}

bool tsr_matrix_bank_ready(const struct tsr_env *env, int side)
{
    const struct tsr_src *src = &env->state->src[side];
    return src->bank[src->matrix_bank].matrix_owns &&
           !tsr_matrix_releases(env, side, src->matrix_bank);
}

bool tsr_matrix_bank_changes(const struct tsr_env *env)
{
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_MATRIX];
    for (unsigned i = queue->executed; i < queue->count; i++) {
        const struct tsr_inflight *inst = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        const struct tsr_matrix_job *job = (const struct tsr_matrix_job *)inst->job;
        if (job->clear_dvalid || job->reset_banks)
            return true;
    }
    return false;
}

const uint32_t *tsr_matrix_src_rows(const struct tsr_matrix_call *call, int side, unsigned rows,
                                    uint32_t (*cells)[TSR_COLUMNS])
{
    const struct tsr_matrix_job *job = call->job;
    const struct tsr_src_bank *bank = tsr_matrix_bank(call, side);
    const uint32_t(*from)[TSR_COLUMNS] = &bank->datum[job->row[side]];
    if (!job->broadcast_row && !job->broadcast_column)
        return from[0];
    for (unsigned i = 0; i < rows; i++) {
        const uint32_t *row = from[job->broadcast_row ? 0 : i];
        for (unsigned column = 0; column < TSR_COLUMNS; column++)
            cells[i][column] = row[job->broadcast_column ? 0 : column];
    }
    return cells[0];
}

void tsr_matrix_flip_banks(const struct tsr_matrix_call *call)
{
    struct tsr_matrix_job *job = call->job;
    for (int side = TSR_SRCA; job->clear_dvalid && side <= TSR_SRCB; side++) {
        uint8_t bit = (uint8_t)(1 << side);
        if (!(job->clear_dvalid & bit))
            continue;
        struct tsr_src *src = &call->env->state->src[side];
        job->bank[side] = src->matrix_bank;
        if (!(job->keep_owner & bit)) {
            job->released |= bit;
            tsr_race_sync(call->env, TSR_RACE_GIVE_BACK, (unsigned)side, src->matrix_bank, 0);
            call->env->state->src_shadow[side][src->matrix_bank].lent = false;
        }
        if (!job->keep_pointer)
            src->matrix_bank ^= 1;
    }
}

void tsr_matrix_release_banks(struct tsr_env *env, const struct tsr_matrix_job *job)
{
    if (!job->released && !job->reset_banks)
        return;
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        for (unsigned bank = 0; bank < 2; bank++) {
            bool released = job->released >> side & 1 && job->bank[side] == bank;
            if (!released && !job->reset_banks)
                continue;
            env->state->src[side].bank[bank].matrix_owns = false;
            env->state->src[side].bank[bank].filled = false;
        }
    }
}

// ---------------------------------------------------------------- SETRWC

void tsr_matrix_sample_setrwc(const struct tsr_matrix_call *call)
{
    call->job->clear_dvalid = call->args->clear_dvalid;
    if (call->job->clear_dvalid)
        call->job->keep_owner =
            tsr_matrix_plan_for(call->env, call->inst->thread)->start.keep_owner;
}

bool tsr_matrix_check_order(const struct tsr_matrix_call *call, int side, unsigned bank)
{
    const struct tsr_env *env = call->env;
    if (tsr_src_hand_over_ordered(env, call->inst->thread, side, bank))
        return true;
    enum tsr_verdict verdict;
    if (tsr_report_again(call->env, FINDING_SRC_BANK_UNORDERED, call->inst, &verdict))
        return verdict != TSR_HALT;
    char by[2 * TSR_INSTRUCTION_TEXT];
    tsr_origin_text(env, env->state->src_shadow[side][bank].released_by, by, sizeof by);
    return tsr_report(
               call->env, FINDING_SRC_BANK_UNORDERED, call->inst, NULL,
               "Nothing in thread %u before %s waits for %s, which handed Src%c bank %u over.",
               call->inst->thread, tsr_matrix_name(call), by, 'A' + side, bank) != TSR_HALT;
}

// SETRWC and CLEARDVALID do not wait for the bank, so it may be the unpackers' already.
static bool check_owner(const struct tsr_matrix_call *call, int side)
{
    const struct tsr_matrix_job *job = call->job;
    bool releases = (job->clear_dvalid & ~job->keep_owner) >> side & 1;
    if (!releases)
        return true;
    if (tsr_matrix_bank_ready(call->env, side))
        return tsr_matrix_check_order(call, side, call->env->state->src[side].matrix_bank);
    return tsr_report(call->env, FINDING_SRC_BANK_TAKEN, call->inst, NULL,
                      "%s gives Src%c bank %u back, which the unpackers own already.",
                      tsr_matrix_name(call), 'A' + side,
                      (unsigned)call->env->state->src[side].matrix_bank) != TSR_HALT;
}

bool tsr_matrix_gives_back_quietly(const struct tsr_matrix_call *call)
{
    const struct tsr_env *env = call->env;
    const struct tsr_matrix_job *job = call->job;
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++)
        if (((job->clear_dvalid & ~job->keep_owner) >> side & 1) &&
            !(tsr_matrix_bank_ready(env, side) &&
              tsr_src_hand_over_ordered(env, call->inst->thread, side,
                                        env->state->src[side].matrix_bank)))
            return false;
    return true;
}

// The sides of which it gives the bank back, or writes to it.
static uint8_t taken(const struct tsr_env *env, enum tsr_op op, int thread, uint32_t word)
{
    if (op == OP_MOVD2A || op == OP_MOVD2B)
        return op == OP_MOVD2A ? TSR_SIDE_A : TSR_SIDE_B;
    if (op == OP_SETRWC) {
        uint8_t sides = tsr_matrix_args_of(env, word)->clear_dvalid;
        return sides ? sides & ~tsr_matrix_plan_for(env, thread)->start.keep_owner : 0;
    }
    bool reset = tsr_operand(env->isa, op, word, OPERAND_reset) & CLEARDVALID_RESET;
    return reset ? 0 : (uint8_t)tsr_operand(env->isa, op, word, OPERAND_cleardvalid);
}

tsr_reason tsr_matrix_defer(struct tsr_env *env, enum tsr_op op, int thread, uint32_t word)
{
    uint8_t sides = taken(env, op, thread, word);
    bool a = sides & TSR_SIDE_A && !tsr_matrix_bank_ready(env, TSR_SRCA);
    bool b = sides & TSR_SIDE_B && !a && !tsr_matrix_bank_ready(env, TSR_SRCB);
    if (!a && !b)
        return TSR_REASON_NONE;
    if (env->at_rest) {
        env->at_rest = false;
        return TSR_REASON_NONE;
    }
    env->deferred = true;
    return a ? TSR_REASON_SRCA : TSR_REASON_SRCB;
}

bool tsr_matrix_run_setrwc(const struct tsr_matrix_call *call)
{
    if (!check_owner(call, TSR_SRCA) || !check_owner(call, TSR_SRCB))
        return false;
    tsr_matrix_flip_banks(call);
    return true;
}

// ---------------------------------------------------------------- CLEARDVALID

void tsr_matrix_sample_cleardvalid(const struct tsr_matrix_call *call)
{
    uint32_t modifier = tsr_matrix_arg(call, OPERAND_reset);
    call->job->reset_banks = modifier & CLEARDVALID_RESET;
    call->job->keep_pointer = (modifier & CLEARDVALID_KEEP_POINTER) != 0;
    call->job->clear_dvalid = (uint8_t)tsr_matrix_arg(call, OPERAND_cleardvalid);
}

bool tsr_matrix_run_cleardvalid(const struct tsr_matrix_call *call)
{
    if (!call->job->reset_banks)
        return tsr_matrix_run_setrwc(call);
    if (tsr_report(call->env, FINDING_LEGACY_MODE, call->inst, NULL,
                   "CLEARDVALID resets the hand-over of all banks of SrcA and SrcB.") == TSR_HALT) {
        call->job->reset_banks = false;
        return false;
    }
    for (int side = TSR_SRCA; side <= TSR_SRCB; side++) {
        struct tsr_src *src = &call->env->state->src[side];
        src->matrix_bank = src->unpacker_bank = 0;
        struct tsr_src_shadow *shadow = call->env->state->src_shadow[side];
        shadow[0].lent = shadow[1].lent = false;
        src->bank[0].implied_format = src->bank[1].implied_format = 0;
    }
    return true;
}
