// SPDX-License-Identifier: Apache-2.0
// What an instruction of the vector unit works with: the operands of its word, decoded once, what
// was sampled when it was accepted, and the lanes in which it acts; and how it writes LRegs and
// flags. A `run` function reports first and then does the work; one that returns false was stopped
// by a finding and has changed nothing. Pages: VectorUnit.md, LReg.md.
#ifndef TESSERA_VECTOR_VECTOR_CALL_H
#define TESSERA_VECTOR_VECTOR_CALL_H

#include "base/vector_modes.h"
#include "kernels/kernels.h"
#include "state/report.h"
#include "state/state.h"

#include <string.h>

enum {
    TSR_ALL_LANES = -1,
    TSR_FIRST_TEMPLATE = 12 // VD from which on a word is a template of SFPLOADMACRO (SFPCONFIG.md)
};

struct tsr_vector_call;
typedef bool tsr_vector_run_fn(const struct tsr_vector_call *call);

// A word's operands; what an instruction does not have is 0.
struct tsr_vector_args {
    uint32_t word;
    uint8_t op;
    uint8_t sub_unit;
    uint8_t mod, vd, vc, vb, va;
    uint8_t mirror; // of the modifier: what Blackhole's stalling logic sees of SFPLUTFP32's
    uint8_t addr_mode;
    bool vb_is_loaded; // an SFPLOADMACRO has put its VD there
    uint16_t imm;
    uint32_t reads;      // a bit for each LReg
    uint32_t uses;       // those whose values matter: moves take along what nobody has written
    uint32_t seen_reads; // those that Blackhole's stalling logic knows of (SFPMAD.md)
    uint32_t late_lregs; // whose values are there a cycle late
    uint32_t seen_late;  // ... that the stalling logic knows of
    uint32_t late_kept;  // that the next instruction must not write (SFPSHFT2.md)
    uint16_t stray_mod;  // bits of the modifier that mean nothing on this chip
    bool shuffles;       // lanes, in two cycles (SFPSHFT2.md)
    bool no_effect;      // VD is not written, and nothing else follows from what it reads
    bool quiet;          // it never reports, but for what it reads and what came before
    bool crosses;        // a lane's result comes from another lane
    bool has_vd;         // which may make it a template
    tsr_vector_run_fn *run;
    tsr_vector_mode mode;     // of what it computes in each lane
    tsr_vector_fn *kernel;    // ... and its kernel; NULL: it computes nothing
    tsr_vector_swap_fn *swap; // of SFPSWAP
};

// Sampled when the instruction is accepted, for what reaches Dst.
struct tsr_vector_job {
    tsr_rwc before; // the thread's counters; restored if `run` is stopped
    uint16_t stack_pointer_before;
    uint16_t address; // the page's Addr
    uint8_t mode;     // Mod0, resolved
    uint8_t order;    // of rows of Dst
    bool begun;       // executed; stays in its queue for what is scheduled
};
_Static_assert(sizeof(struct tsr_vector_job) <= TSR_JOB_BYTES, "a job fits its instruction");

struct tsr_vector_call {
    struct tsr_env *env;
    struct tsr_vector *vector;
    const struct tsr_inflight *inst;
    const struct tsr_vector_args *args;
    const struct tsr_vector_job *job;
    const uint32_t (*in)[TSR_LANES]; // LRegs as they are read
    uint32_t able;                   // lanes for which the word is no template
    uint32_t lanes;                  // ... and which are enabled
    uint32_t taint;                  // lanes whose results are tainted
    bool scheduled;                  // by an SFPLOADMACRO
    uint32_t *wrote;                 // for each LReg the lanes that were written; may be NULL
};

static inline struct tsr_vector_job *tsr_vector_job_of(struct tsr_inflight *inst)
{
    return (struct tsr_vector_job *)inst->job;
}

static inline const char *tsr_vector_name(const struct tsr_vector_call *call)
{
    return tsr_op_name((enum tsr_op)call->args->op);
}

static inline bool tsr_vector_reaches_dst(uint8_t op)
{
    return op == OP_SFPLOAD || op == OP_SFPSTORE || op == OP_SFPLOADMACRO;
}

static inline bool tsr_vector_is_template(const struct tsr_vector_args *args)
{
    return args->has_vd && args->vd >= TSR_FIRST_TEMPLATE;
}

// It never reports by itself, but perhaps for a flag stack that is full or empty.
static inline bool tsr_vector_may_be_quiet(const struct tsr_vector_args *args)
{
    bool stack = args->op == OP_SFPPUSHC || args->op == OP_SFPPOPC;
    return args->quiet ||
           (stack && args->mod == 0 && !args->stray_mod && args->vd < TSR_FIRST_TEMPLATE);
}

// SFPADD has a factor of one and SFPMUL adds zero, as their pages want it. It does not matter which
// factor (docs/errata.md, 461).
static inline bool tsr_vector_is_sum_or_product(const struct tsr_vector_args *args)
{
    if (args->op == OP_SFPADD)
        return args->va == TSR_LCONST_1 || args->vb == TSR_LCONST_1 ||
               args->mod & SFPMAD_MOD1_INDIRECT_VA;
    return args->op != OP_SFPMUL || args->vc == TSR_LCONST_0;
}

static inline bool tsr_vector_writable(unsigned lreg)
{
    return lreg < TSR_LREGS_PLAIN || lreg == TSR_LREG_MACRO;
}

static inline const uint32_t *tsr_vector_b(const struct tsr_vector_call *call)
{
    return call->in[call->args->vb];
}

static inline const uint32_t *tsr_vector_c(const struct tsr_vector_call *call)
{
    return call->in[call->args->vc];
}

// The lanes of a mask as words of ones and zeroes. A table of bits lets compilers vectorise this.
static inline void tsr_vector_blend(uint32_t to[TSR_LANES], const uint32_t from[TSR_LANES],
                                    uint32_t lanes)
{
    for (unsigned i = 0; i < TSR_LANES; i++) {
        uint32_t take = lanes >> i & 1 ? ~0u : 0;
        to[i] = (from[i] & take) | (to[i] & ~take);
    }
}

// The shadow state of lanes that were written.
static inline void tsr_vector_wrote(struct tsr_vector *vector, unsigned lreg, uint32_t lanes,
                                    uint32_t tainted)
{
    vector->written[lreg] |= lanes;
    vector->tainted[lreg] = (vector->tainted[lreg] & ~lanes) | (tainted & lanes);
    bool clean = vector->written[lreg] == ~0u && vector->tainted[lreg] == 0;
    vector->unclean = (vector->unclean & ~(1u << lreg)) | (uint32_t)!clean << lreg;
}

// Lanes of an LReg are written, with whatever value.
static inline void tsr_vector_touch(const struct tsr_vector_call *call, unsigned lreg,
                                    uint32_t lanes)
{
    if (call->wrote)
        call->wrote[lreg] |= lanes;
}

// A result into VD; others than L0 to L7 and L16 are not written.
static inline void tsr_vector_put(const struct tsr_vector_call *call, unsigned vd,
                                  const uint32_t value[TSR_LANES], uint32_t lanes)
{
    if (!tsr_vector_writable(vd))
        return;
    struct tsr_vector *vector = call->vector;
    if (lanes == ~0u)
        memcpy(vector->lreg[vd], value, sizeof vector->lreg[vd]);
    else
        tsr_vector_blend(vector->lreg[vd], value, lanes);
    tsr_vector_wrote(vector, vd, lanes, call->taint);
    tsr_vector_touch(call, vd, lanes);
}

// The instruction's operation into VD; what VD had is an operand, too, or VB in its place. Returns
// what the kernel does. Nothing but a scheduled instruction has VB elsewhere or reads LRegs as they
// were.
static inline uint32_t tsr_vector_apply(const struct tsr_vector_call *call, const uint32_t *a,
                                        const uint32_t *b, const uint32_t *c)
{
    const struct tsr_vector_args *args = call->args;
    struct tsr_vector *vector = call->vector;
    uint32_t d[TSR_LANES];
    if (call->in == (const uint32_t(*)[TSR_LANES])vector->lreg && args->vd < TSR_LREGS_PLAIN) {
        uint32_t lanes = args->kernel(vector->lreg[args->vd], a, b, c, call->lanes, &args->mode);
        tsr_vector_wrote(vector, args->vd, call->lanes, call->taint);
        return lanes;
    }
    memcpy(d, call->in[args->vb], sizeof d);
    uint32_t lanes = args->kernel(d, a, b, c, call->lanes, &args->mode);
    tsr_vector_put(call, args->vd, d, call->lanes);
    return lanes;
}

// Flags and UseLaneFlagsForLaneEnable have changed.
static inline void tsr_vector_flags_changed(const struct tsr_vector_call *call)
{
    tsr_vector_enable(call->vector);
    if (call->vector->enabled != ~0u)
        call->vector->disabled_by = tsr_origin_of(call->inst);
}

static inline void tsr_vector_set_flags(const struct tsr_vector_call *call, uint32_t flags,
                                        uint32_t lanes)
{
    struct tsr_vector *vector = call->vector;
    vector->flags = (vector->flags & ~lanes) | (flags & lanes);
    tsr_vector_flags_changed(call);
}

#endif
