// SPDX-License-Identifier: Apache-2.0
// What a matrix instruction carries from its acceptance to its completion, the arguments of its
// steps, and which rows of Src and Dst it names. An instruction has up to three steps: `sample`
// reads operands and configuration into the job and has no effect, `step` moves the counters, `run`
// reports first and then does the work. A `run` that returns false was stopped by a finding and has
// changed nothing. Page: MatrixUnit.md.
#ifndef TESSERA_MATRIX_MATRIX_JOB_H
#define TESSERA_MATRIX_MATRIX_JOB_H

#include "state/state.h"

#include <string.h>

enum { TSR_SIDE_A = 1 << TSR_SRCA, TSR_SIDE_B = 1 << TSR_SRCB };

struct tsr_matrix_job {
    tsr_rwc before;    // the thread's counters; restored if `run` is stopped
    uint16_t dst_base; // what the page adds to every row of Dst
    uint16_t dst;      // first row of Dst
    uint8_t row[2];    // first row of SrcA, SrcB
    uint8_t rows;
    uint8_t fidelity_base;
    uint8_t phase; // fidelity
    uint8_t state_id;
    uint8_t format[2]; // of SrcA and SrcB as configured
    bool implied[2];   // ... unless the bank's tag replaces it
    bool fp16_force;   // FP16A_FORCE_Enable
    bool fp32, int8;   // ALU_ACC_CTRL
    bool flush;        // denormals of Src count as 0
    bool stochastic;   // ALU_ROUNDING_MODE_Fpu_srnd_en
    bool no_sources;   // a legacy instruction: SrcA, or both, count as 0
    uint8_t order;     // of the rows of Dst
    bool low_half, broadcast_row, broadcast_column, accumulate, argmax;
    bool tainted;         // the mode is undefined: taint what is written
    uint8_t clear_dvalid; // sides whose bank the instruction releases
    uint8_t keep_owner;   // sides that CLR_DVALID_Src*_Disable keeps valid
    bool keep_pointer;    // CLEARDVALID: the unit continues to read the same bank
    bool reset_banks;     // CLEARDVALID.Reset
    // Known once executed, published by complete.
    uint8_t released; // sides whose bank is handed to the unpackers
    uint8_t bank[2];  // which one
};
_Static_assert(sizeof(struct tsr_matrix_job) <= TSR_JOB_BYTES, "a job fits its instruction");

struct tsr_matrix_args;
struct tsr_matrix_plan;

struct tsr_matrix_call {
    struct tsr_env *env;
    const struct tsr_inflight *inst;
    struct tsr_matrix_job *job;
    const struct tsr_matrix_args *args; // while it is sampled
    struct tsr_matrix_plan *plan;       // ... unless it depends on no modes
};

typedef void tsr_matrix_sample_fn(const struct tsr_matrix_call *call);
typedef bool tsr_matrix_run_fn(const struct tsr_matrix_call *call);

static inline struct tsr_matrix_job *tsr_matrix_job_of(struct tsr_inflight *inst)
{
    return (struct tsr_matrix_job *)inst->job;
}

static inline const char *tsr_matrix_name(const struct tsr_matrix_call *call)
{
    return tsr_op_name((enum tsr_op)call->inst->op);
}

static inline uint32_t tsr_matrix_arg(const struct tsr_matrix_call *call,
                                      enum tsr_operand_id operand)
{
    return tsr_arg(call->env, call->inst, operand);
}

static inline struct tsr_src_bank *tsr_matrix_bank(const struct tsr_matrix_call *call, int side)
{
    return tsr_src_for_matrix(&call->env->state->src[side]);
}

// The row of Dst that the instruction calls job->dst + i.
static inline struct tsr_dst_view tsr_matrix_dst(const struct tsr_matrix_call *call, unsigned i,
                                                 bool wide)
{
    return tsr_dst_at(&call->env->state->dst, call->job->order, call->job->dst + i, wide);
}

// Of the instruction's `rows` rows of Dst, how many from the i'th on are contiguous: all of them in
// the common case.
static inline unsigned tsr_matrix_contiguous(const struct tsr_matrix_call *call, unsigned i,
                                             unsigned rows, bool wide)
{
    unsigned run = tsr_dst_run(call->job->order, call->job->dst + i, wide);
    return run < rows - i ? run : rows - i;
}

// How many of `rows` contiguous rows from `physical` on have the first one's valid bit.
static inline unsigned tsr_matrix_same_validity(const struct tsr_dst *dst, unsigned physical,
                                                unsigned rows)
{
    const bool *valid = &dst->valid[physical];
    unsigned same = 1;
    uint64_t eight;
    if (rows == sizeof eight) { // the common case
        memcpy(&eight, valid, sizeof eight);
        if (eight == 0 || eight == UINT64_C(0x0101010101010101))
            return rows;
    }
    while (same < rows && valid[same] == valid[0])
        same++;
    return same;
}

#endif
