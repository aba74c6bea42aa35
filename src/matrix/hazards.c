// SPDX-License-Identifier: Apache-2.0
// What instructions in the unit's pipeline hold at the gate, with timing on: a block of Dst that is
// being written cannot be read, and moves to Src and Dst keep others out. Dst is held for the
// latency of the one in flight, the unit for figures of its own (machine/timing.def). Pages, under
// "Instruction scheduling": Dst.md, MOVA2D.md, MOVB2D.md, MOVD2A.md, MOVD2B.md, MOVB2A.md.
#include "matrix/matrix_job.h"

static bool moves_to_dst(uint8_t op)
{
    return op == OP_MOVA2D || op == OP_MOVB2D || op == OP_MOVDBGA2D || op == OP_MOVDBGB2D;
}

// Those that the pages of MOVA2D and MOVB2D list, whatever rows they read.
static bool always_reads_dst(uint8_t op)
{
    return op == OP_MOVD2A || op == OP_MOVD2B || op == OP_ELWMUL || op == OP_MVMUL ||
           op == OP_DOTPV || op == OP_GMPOOL || op == OP_GAPOOL;
}

static bool reads_dst(uint8_t op, const struct tsr_matrix_job *job)
{
    return always_reads_dst(op) || job->no_sources ||
           ((op == OP_ELWADD || op == OP_ELWSUB) && job->accumulate);
}

// Blocks are aligned groups of 8 physical rows; a 32-bit block covers two of them.
static bool blocks_meet(const struct tsr_matrix_job *reader, bool wide,
                        const struct tsr_matrix_job *writer)
{
    unsigned physical = wide ? tsr_dst_row32(reader->dst) : reader->dst;
    unsigned first = physical / TSR_DST_LOW, last = first + wide;
    unsigned written = writer->wrote_block, written_last = written + writer->wrote_wide;
    return first <= written_last && written <= last;
}

static bool moves_to_srca(uint8_t op)
{
    return op == OP_MOVD2A || op == OP_MOVB2A;
}

uint32_t tsr_matrix_closes(const struct tsr_env *env, uint8_t op)
{
    if (op == OP_MOVD2B)
        return env->isa->rate[RATE_MATRIX_MOVD2B_HOLD] + 1u;
    return moves_to_srca(op) ? env->isa->rate[RATE_MATRIX_MOVD2A_HOLD] + 1u : 0;
}

// Moves that may follow one another while all others wait.
static bool shut_out(const struct tsr_env *env, const struct tsr_flight *ahead, uint8_t op)
{
    if (env->state->now >= ahead->accepted_at + ahead->closed)
        return false;
    return ahead->op == OP_MOVD2B ? op != OP_MOVD2B : !moves_to_srca(op);
}

tsr_reason tsr_matrix_hazard(const struct tsr_matrix_call *call)
{
    const struct tsr_matrix_job *job = call->job;
    const struct tsr_line *line = &call->env->state->flights.line[TSR_UNIT_MATRIX];
    uint8_t op = call->flight->op;
    bool wide = !job->fp16_force && (job->fp32 || job->int8);
    for (unsigned i = 0; i < line->executed; i++) {
        const struct tsr_flight *ahead = &line->flight[(line->first + i) % TSR_LINE_DEPTH];
        const struct tsr_matrix_job *writer = (const struct tsr_matrix_job *)ahead->job;
        if (shut_out(call->env, ahead, op))
            return TSR_REASON_UNIT_FULL;
        if (moves_to_dst(ahead->op) && always_reads_dst(op))
            return TSR_REASON_DST;
        if (writer->wrote_dst && reads_dst(op, job) && blocks_meet(job, wide, writer))
            return TSR_REASON_DST;
    }
    return TSR_REASON_NONE;
}
