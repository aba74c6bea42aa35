// SPDX-License-Identifier: Apache-2.0
// What a matrix instruction waits for at the gate, with timing on: a block of Dst that was just
// written cannot be read, and moves to Src and Dst keep others out. For how long is in
// machine/timing.def; moves stay in flight for at least as long. Pages, under "Instruction
// scheduling": Dst.md, MOVA2D.md, MOVB2D.md, MOVD2A.md, MOVD2B.md, MOVB2A.md.
#include "matrix/hazards.h"

#include "state/dst_rules.h"

static bool moves_to_dst(uint8_t op)
{
    return op == OP_MOVA2D || op == OP_MOVB2D || op == OP_MOVDBGA2D || op == OP_MOVDBGB2D;
}

// Those that the pages of MOVA2D and MOVB2D list, whatever rows they read: the legacy ones, which
// have no sources, among them.
static bool waits_for_moves(uint8_t op, const struct tsr_matrix_job *job)
{
    return op == OP_MOVD2A || op == OP_MOVD2B || op == OP_ELWMUL || op == OP_MVMUL ||
           op == OP_DOTPV || op == OP_GMPOOL || op == OP_GAPOOL || job->no_sources;
}

static bool reads_dst(uint8_t op, const struct tsr_matrix_job *job)
{
    return waits_for_moves(op, job) || ((op == OP_ELWADD || op == OP_ELWSUB) && job->accumulate);
}

static bool moves_to_srca(uint8_t op)
{
    return op == OP_MOVD2A || op == OP_MOVB2A;
}

uint32_t tsr_matrix_closed_cycles(const struct tsr_env *env, uint8_t op)
{
    if (op == OP_MOVD2B)
        return env->isa->rate[RATE_MATRIX_MOVD2B_HOLD] + 1u;
    return moves_to_srca(op) ? env->isa->rate[RATE_MATRIX_MOVD2A_HOLD] + 1u : 0;
}

// The instruction ahead has closed the unit; moves like itself may follow it.
static bool closed_by(const struct tsr_env *env, const struct tsr_inflight *ahead, uint8_t op)
{
    if (env->state->now >= ahead->accepted_at + ahead->closed)
        return false;
    return ahead->op == OP_MOVD2B ? op != OP_MOVD2B : !moves_to_srca(op);
}

static tsr_reason wait_for_dst(const struct tsr_env *env, uint64_t cycle, uint64_t *retry_at)
{
    if (env->state->now >= cycle)
        return TSR_REASON_NONE;
    *retry_at = cycle;
    return TSR_REASON_DST;
}

tsr_reason tsr_matrix_hazard(const struct tsr_matrix_call *call, uint64_t *retry_at)
{
    const struct tsr_matrix_job *job = call->job;
    const struct tsr_env *env = call->env;
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_MATRIX];
    uint8_t op = call->inst->op;
    for (unsigned i = 0; i < queue->executed; i++) {
        const struct tsr_inflight *ahead = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        if (closed_by(env, ahead, op))
            return TSR_REASON_UNIT_FULL;
        if (!moves_to_dst(ahead->op) || !waits_for_moves(op, job))
            continue;
        uint64_t open = ahead->executed_at + env->isa->rate[RATE_MATRIX_MOVX2D_HOLD] + 1;
        if (wait_for_dst(env, open, retry_at) != TSR_REASON_NONE)
            return TSR_REASON_DST;
    }
    if (!reads_dst(op, job))
        return TSR_REASON_NONE;
    bool wide = !job->fp16_force && (job->fp32 || job->int8);
    uint64_t open = tsr_dst_open_at(env, call->inst->thread, job->order, job->dst, job->rows, wide);
    return wait_for_dst(env, open, retry_at);
}
