// SPDX-License-Identifier: Apache-2.0
// What the matrix unit finds out once and not at each instruction: what the configuration means to
// a thread's instructions, the steps of its eight AddrMods, a word's operands, and the mode of an
// arithmetic instruction. Each knows what it was made of.
// Pages: RWCs.md, SrcASrcB.md, BackendConfiguration.md.
#ifndef TESSERA_MATRIX_MATRIX_PLAN_H
#define TESSERA_MATRIX_MATRIX_PLAN_H

#include "matrix/matrix_job.h"

enum { TSR_ADDR_MODS = 8, TSR_MATRIX_WORDS = 256, TSR_PHASES = 4 };

// How one counter moves: from itself or its carriage, by a step, within a mask that is 0 where the
// counter is cleared.
struct tsr_rwc_move {
    uint16_t step, mask;
    bool from_carriage, sets_carriage;
};

struct tsr_rwc_step {
    struct tsr_rwc_move srca, srcb, dst;
    uint8_t fidelity, fidelity_mask;
    uint8_t extra_flip, extra_mask;
    bool plain; // counters take their steps, and that is all: the usual case
};

// A word's operands that most instructions have; 0 where this one does not.
struct tsr_matrix_args {
    uint32_t word;
    uint16_t dst;
    uint8_t addr_mode;        // it has one of three names
    uint8_t give;             // clear_dvalid, clear_ab_vld
    uint8_t modifier;         // instr_mod19
    bool accumulate;          // dest_accum_en
    uint16_t src;             // of moves, with the next two
    uint8_t move;             // instr_mod, movb2d_instr_mod
    bool low_half;            // dest_32b_lo
    uint8_t select, carriage; // of SETRWC and INCRWC, with the next three
    uint16_t a, b, d;
};

struct tsr_matrix_plan {
    bool made;
    uint8_t bank;
    uint64_t changes;                     // of the configuration when it was last looked at
    uint32_t alu, thread_alu, thread_rwc; // generations
    uint32_t dst_offset;                  // what rows of Dst are counted from, but for the counter
    bool upper;                           // ADDR_MOD_SET_Base
    uint8_t watched; // a bit for each choice of sides whose reads gave no reason for a finding
    struct tsr_matrix_job start; // with all that the configuration says
    struct tsr_rwc_step step[TSR_ADDR_MODS];
};

struct tsr_matrix_plans {
    struct tsr_matrix_plan thread[TSR_THREADS];
    struct tsr_matrix_args args[TSR_MATRIX_WORDS];
    // The last mode and the kernels that it was given, by what instructions add to it.
    uint32_t mode_key; // 0: none
    tsr_element_mode mode;
    tsr_element_fn *element[TSR_ELEMENT_OPS][2][TSR_PHASES];
    const tsr_dot_kernel *dot[TSR_PHASES];
};

// source_format.c: the kernels of a mode that tsr_matrix_arithmetic_mode() has just given to the
// same instruction; of element-wise operations with `op` chosen.
tsr_element_fn *tsr_matrix_element_kernel(const struct tsr_matrix_call *call,
                                          const tsr_element_mode *mode);
const tsr_dot_kernel *tsr_matrix_dot_kernel(const struct tsr_matrix_call *call,
                                            const tsr_element_mode *mode);

// Makes it anew if need be, and reads what changes without a generation.
void tsr_matrix_plan_renew(const struct tsr_env *env, int thread, struct tsr_matrix_plan *plan);
void tsr_matrix_args_make(const struct tsr_env *env, uint32_t word, struct tsr_matrix_args *args);
// rwc.c: what an AddrMod of the thread does.
struct tsr_rwc_step tsr_rwc_step_of(const struct tsr_env *env, int thread, unsigned index);

static inline struct tsr_matrix_plan *tsr_matrix_plan_for(const struct tsr_env *env, int thread)
{
    struct tsr_matrix_plan *plan = &env->matrix_plans->thread[thread];
    if (!plan->made || plan->changes != env->state->config.changes)
        tsr_matrix_plan_renew(env, thread, plan);
    return plan;
}

static inline const struct tsr_matrix_args *tsr_matrix_args_of(const struct tsr_env *env,
                                                               uint32_t word)
{
    struct tsr_matrix_args *args = &env->matrix_plans->args[word * 0x9e3779b1u >> 24];
    if (args->word != word)
        tsr_matrix_args_make(env, word, args);
    return args;
}

#endif
