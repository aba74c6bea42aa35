// SPDX-License-Identifier: Apache-2.0
// What the matrix unit samples when it accepts an instruction, and what its files offer to one
// another: for each family of instructions a `sample` (operands and configuration into the job,
// no effect) and a `run` (findings first, then the effect). A run that returns false was stopped
// by a finding and has changed nothing. Page: MatrixUnit.md.
#ifndef TESSERA_MATRIX_MATRIX_JOB_H
#define TESSERA_MATRIX_MATRIX_JOB_H

#include "kernels/kernels.h"
#include "state/report.h"

#include <string.h>

enum { TSR_SIDE_A = 1 << TSR_SRCA, TSR_SIDE_B = 1 << TSR_SRCB };
enum { TSR_FORMAT_FP16 = 1, TSR_FORMAT_TF32 = 4 };

struct tsr_matrix_job {
    tsr_rwc before;    // the thread's counters; they come back if `run` is stopped
    uint16_t dst_base; // what the page adds to every row of Dst
    uint16_t dst;      // first row of Dst
    uint8_t row[2];    // first row of SrcA, SrcB
    uint8_t rows;
    uint8_t fidelity_base;
    uint8_t phase; // fidelity
    uint8_t config_bank;
    uint8_t format[2]; // of SrcA and SrcB as configured
    bool implied[2];   // ... unless the bank's tag replaces it
    bool fp16_force;   // FP16A_FORCE_Enable
    bool fp32, int8;   // ALU_ACC_CTRL
    bool flush;        // denormals of Src count as 0
    bool stochastic;   // ALU_ROUNDING_MODE_Fpu_srnd_en
    bool no_sources;   // a legacy instruction: SrcA, or both, count as 0
    uint8_t order;     // of the rows of Dst
    bool low_half, broadcast_row, broadcast_column, accumulate, argmax;
    bool tainted;       // the mode is undefined: taint what is written
    uint8_t give;       // sides whose bank goes on to the other
    uint8_t keep_owner; // sides that CLR_DVALID_Src*_Disable keeps valid
    bool keep_reading;  // CLEARDVALID: the pointer stays
    bool reset_banks;   // CLEARDVALID.Reset
    // Known once executed, published by complete.
    uint8_t returned; // sides whose bank goes back to the unpackers
    uint8_t bank[2];  // which one
};
_Static_assert(sizeof(struct tsr_matrix_job) <= TSR_JOB_BYTES, "the job must fit its instruction");

static inline struct tsr_matrix_job *tsr_matrix_job_of(struct tsr_inflight *inst)
{
    return (struct tsr_matrix_job *)inst->job;
}

// Where the instruction says it is an instruction: shorthands for the declarations below.
struct tsr_matrix_call {
    struct tsr_env *env;
    const struct tsr_inflight *inst;
    struct tsr_matrix_job *job;
    const struct tsr_matrix_args *args; // while it is sampled
    struct tsr_matrix_plan *plan;       // ... unless it depends on no modes
};

static inline uint32_t tsr_matrix_arg(const struct tsr_matrix_call *call,
                                      enum tsr_operand_id operand)
{
    return tsr_arg(call->env, call->inst, operand);
}

static inline struct tsr_src_bank *tsr_matrix_bank(const struct tsr_matrix_call *call, int side)
{
    return tsr_src_for_matrix(&call->env->state->src[side]);
}

// ---------------------------------------------------------------- source_format.c

// The ALU's configuration, and what every row of Dst is counted from.
void tsr_matrix_sample_modes(const struct tsr_matrix_call *call);
// The format that an arithmetic instruction takes a side's datums for: as configured, or its bank's
// tag.
uint8_t tsr_matrix_format(const struct tsr_matrix_call *call, int side);
// The format of a move between `side` and Dst: SrcA's as configured, also for SrcB, unless the tag
// of its own bank replaces it (MOVA2D.md, MOVB2D.md, MOVD2A.md, MOVD2B.md).
bool tsr_matrix_move_format(const struct tsr_matrix_call *call, int side, uint8_t *format);
// Both formats of an arithmetic instruction and whether it uses Dst32; reports a pair that cannot
// be combined, and rounding by chance.
bool tsr_matrix_arithmetic_mode(const struct tsr_matrix_call *call, tsr_element_mode *mode);

// ---------------------------------------------------------------- matrix_shadow.c

// Reports an access to Dst that is out of range or no longer supported.
bool tsr_matrix_check_dst(const struct tsr_matrix_call *call, bool wide);
// A row of which something is tainted or was never written is read.
bool tsr_matrix_read_odd_src(const struct tsr_matrix_call *call, int side, unsigned row,
                             bool column0, uint16_t *tainted);
bool tsr_matrix_read_odd_dst(const struct tsr_matrix_call *call, const struct tsr_dst_view *view,
                             uint16_t *tainted);

// A row is read: adds what of it is tainted to `tainted`, and reports what nothing has written.
static inline bool tsr_matrix_read_src(const struct tsr_matrix_call *call, int side, unsigned row,
                                       bool column0, uint16_t *tainted)
{
    const struct tsr_src_bank *bank = tsr_matrix_bank(call, side);
    if (bank->written[row] == 0xffff && bank->tainted[row] == 0)
        return true;
    return tsr_matrix_read_odd_src(call, side, row, column0, tainted);
}

static inline bool tsr_matrix_read_dst(const struct tsr_matrix_call *call,
                                       const struct tsr_dst_view *view, uint16_t *tainted)
{
    const struct tsr_dst *dst = &call->env->state->dst;
    if (tsr_dst_written(dst, view) == 0xffff && tsr_dst_tainted(dst, view) == 0)
        return true;
    return tsr_matrix_read_odd_dst(call, view, tainted);
}

// Nothing to tell about `rows` rows from `row`: the usual case, found at once.
static inline bool tsr_matrix_plain(const uint16_t *written, const uint16_t *tainted, unsigned row,
                                    unsigned rows)
{
    uint16_t missing = 0;
    if (rows == 8) { // the rule, and a loop of known length is no loop
        for (unsigned i = 0; i < 8; i++)
            missing |= (uint16_t)~written[row + i] | tainted[row + i];
        return missing == 0;
    }
    for (unsigned i = row; i < row + rows; i++)
        missing |= (uint16_t)~written[i] | tainted[i];
    return missing == 0;
}

// The same of all the instruction's rows of Dst.
bool tsr_matrix_plain_dst(const struct tsr_matrix_call *call, bool wide);

// The row of Dst that the instruction calls job->dst + i.
static inline struct tsr_dst_view tsr_matrix_dst(const struct tsr_matrix_call *call, unsigned i,
                                                 bool wide)
{
    return tsr_dst_at(&call->env->state->dst, call->job->order, call->job->dst + i, wide);
}

// Of the instruction's `rows` rows, how many from the i'th on lie one behind the other: nearly
// always all.
static inline unsigned tsr_matrix_run(const struct tsr_matrix_call *call, unsigned i, unsigned rows,
                                      bool wide)
{
    unsigned run = tsr_dst_run(call->job->order, call->job->dst + i, wide);
    return run < rows - i ? run : rows - i;
}

// How many of `together` rows from `physical` on have the first one's validity.
static inline unsigned tsr_matrix_alike(const struct tsr_dst *dst, unsigned physical,
                                        unsigned together)
{
    static const bool all[8] = {true, true, true, true, true, true, true, true};
    const bool *valid = &dst->valid[physical];
    unsigned rows = 1;
    if (together == 8 && memcmp(valid, all, sizeof all) == 0)
        return 8; // nearly always
    while (rows < together && valid[rows] == valid[0])
        rows++;
    return rows;
}

// Whole rows that lie one behind the other were written from `view` on.
void tsr_matrix_wrote_dst(const struct tsr_matrix_call *call, const struct tsr_dst_view *view,
                          unsigned rows, const uint16_t *tainted);
void tsr_matrix_wrote_src(struct tsr_src_bank *bank, unsigned row, uint16_t tainted);
// An undefined combination of modes: reports it and remembers the taint.
bool tsr_matrix_undefined(const struct tsr_matrix_call *call, enum tsr_finding code,
                          const char *what);

// ---------------------------------------------------------------- rwc.c

// ApplyAddrMod of RWCs.md.
void tsr_matrix_step_addr_mod(const struct tsr_matrix_call *call);
void tsr_matrix_step_setrwc(const struct tsr_matrix_call *call);
void tsr_matrix_step_incrwc(const struct tsr_matrix_call *call);

// ---------------------------------------------------------------- banks.c

// The sides that CLR_DVALID_Src*_Disable keeps valid.
uint8_t tsr_matrix_keeps(const struct tsr_env *env, int thread);
// Flips the pointers of `give`; the owners follow in complete.
void tsr_matrix_flip(const struct tsr_matrix_call *call);
bool tsr_matrix_bank_ready(const struct tsr_env *env, int side);
void tsr_matrix_return_banks(struct tsr_env *env, const struct tsr_matrix_job *job);

// ---------------------------------------------------------------- hazards.c

// What the instruction, sampled into `job`, must wait for because of those in flight and of what
// was just written to Dst.
tsr_reason tsr_matrix_hazard(const struct tsr_matrix_call *call, uint64_t *retry_at);
// For how many cycles from its own an instruction keeps most others out of the unit.
uint32_t tsr_matrix_closes(const struct tsr_env *env, uint8_t op);

// ---------------------------------------------------------------- the instructions

typedef void tsr_matrix_sample_fn(const struct tsr_matrix_call *call);
typedef bool tsr_matrix_run_fn(const struct tsr_matrix_call *call);

tsr_matrix_sample_fn tsr_matrix_sample_mova2d, tsr_matrix_sample_movb2d; // moves.c
tsr_matrix_run_fn tsr_matrix_run_mova2d, tsr_matrix_run_movb2d;
tsr_matrix_sample_fn tsr_matrix_sample_elementwise; // elementwise.c
tsr_matrix_run_fn tsr_matrix_run_elementwise;
tsr_matrix_sample_fn tsr_matrix_sample_zeroacc; // zero.c
tsr_matrix_run_fn tsr_matrix_run_zeroacc, tsr_matrix_run_zerosrc;
void tsr_matrix_step_zeroacc(const struct tsr_matrix_call *call);
tsr_matrix_sample_fn tsr_matrix_sample_setrwc, tsr_matrix_sample_cleardvalid; // banks.c
tsr_matrix_run_fn tsr_matrix_run_give, tsr_matrix_run_cleardvalid;
tsr_matrix_sample_fn tsr_matrix_sample_movd2a, tsr_matrix_sample_movd2b; // source_writes.c
tsr_matrix_sample_fn tsr_matrix_sample_movb2a, tsr_matrix_sample_shiftxb;
tsr_matrix_run_fn tsr_matrix_run_movd2a, tsr_matrix_run_movd2b, tsr_matrix_run_movb2a;
tsr_matrix_run_fn tsr_matrix_run_trnspsrcb, tsr_matrix_run_shiftxb, tsr_matrix_run_shiftxa;
tsr_matrix_sample_fn tsr_matrix_sample_mvmul, tsr_matrix_sample_dotpv; // matrix_multiply.c
tsr_matrix_sample_fn tsr_matrix_sample_gapool;
tsr_matrix_run_fn tsr_matrix_run_multiply;
tsr_matrix_sample_fn tsr_matrix_sample_gmpool; // pools.c
tsr_matrix_run_fn tsr_matrix_run_gmpool;
tsr_matrix_sample_fn tsr_matrix_sample_legacy_sum, tsr_matrix_sample_legacy_pool; // legacy.c
tsr_matrix_run_fn tsr_matrix_run_legacy_sum, tsr_matrix_run_legacy_pool;
tsr_matrix_run_fn tsr_matrix_run_movdbgb2d, tsr_matrix_run_clrexphist;

#endif
