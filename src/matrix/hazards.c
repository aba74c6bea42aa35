// SPDX-License-Identifier: Apache-2.0
// What a matrix instruction waits for, with timing on: at the gate while moves to Src and Dst keep
// others out, and inside the unit for a block of Dst that was just written, where it keeps others
// out itself (decision 30). For how long and which instructions is in machine/timing.def; moves
// stay in flight for at least as long. Pages, under "Instruction scheduling": Dst.md, MOVA2D.md,
// MOVB2D.md, MOVD2A.md, MOVD2B.md, MOVB2A.md.
#include "matrix/hazards.h"

#include "state/dst_rules.h"

static bool moves_to_dst(uint8_t op)
{
    return op == OP_MOVA2D || op == OP_MOVB2D || op == OP_MOVDBGA2D || op == OP_MOVDBGB2D;
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

// An older instruction has closed the unit; moves like itself may follow it.
static bool closed_by(const struct tsr_env *env, const struct tsr_inflight *older, uint8_t op)
{
    if (env->state->now >= older->executed_at + older->closed)
        return false;
    return older->op == OP_MOVD2B ? op != OP_MOVD2B : !moves_to_srca(op);
}

tsr_reason tsr_matrix_hazard(const struct tsr_env *env, uint8_t op, uint64_t *retry_at)
{
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_MATRIX];
    for (unsigned i = 0; i < queue->executed; i++) {
        const struct tsr_inflight *older = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        if (closed_by(env, older, op))
            return TSR_REASON_UNIT_FULL;
        uint64_t open = older->executed_at + env->isa->rate[RATE_MATRIX_MOVX2D_HOLD] + 1;
        if (!moves_to_dst(older->op) || env->isa->dst_reader[op] != TSR_DST_READER_AFTER_MOVES ||
            env->state->now >= open)
            continue;
        *retry_at = open;
        return TSR_REASON_DST;
    }
    return TSR_REASON_NONE;
}

uint32_t tsr_matrix_dst_wait(const struct tsr_env *env, const struct tsr_inflight *inst,
                             const struct tsr_matrix_job *job)
{
    if (!env->isa->dst_reader[inst->op])
        return 0;
    bool wide = !job->fp16_force && (job->fp32 || job->int8);
    uint64_t open = tsr_dst_open_at(env, false, job->order, job->dst, job->rows, wide);
    return open > env->state->now ? (uint32_t)(open - env->state->now) : 0;
}
