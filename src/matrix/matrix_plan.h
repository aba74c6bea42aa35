// SPDX-License-Identifier: Apache-2.0
// What the matrix unit decodes once and not at each instruction: the configuration of a thread's
// instructions, the steps of its eight AddrMods, a word's operands, and the mode and the
// kernels of arithmetic instructions. Pages: RWCs.md, SrcASrcB.md, BackendConfiguration.md.
#ifndef TESSERA_MATRIX_MATRIX_PLAN_H
#define TESSERA_MATRIX_MATRIX_PLAN_H

#include "kernels/kernels.h"
#include "matrix/matrix_job.h"
#include "matrix/matrix_sequence.h"
#include "state/plan_key.h"
#include "state/rwc.h"

enum { TSR_MATRIX_WORDS = 256, TSR_PHASES = 4 };

// A word's operands that most instructions have; 0 where this one does not.
struct tsr_matrix_args {
    uint32_t word;
    uint16_t dst;
    uint8_t addr_mode;    // it has one of three names
    uint8_t clear_dvalid; // clear_dvalid, clear_ab_vld: sides
    uint8_t modifier;     // instr_mod19
    bool accumulate;      // dest_accum_en
    uint16_t src;         // of moves, with the next two
    uint8_t move;         // instr_mod, movb2d_instr_mod
    bool low_half;        // dest_32b_lo
    struct tsr_rwc_operands rwc;
};

// What is read beside the plan's groups.
struct tsr_matrix_beside {
    uint16_t own[4]; // of the thread's words
    uint32_t base, order;
};
_Static_assert(sizeof(struct tsr_matrix_beside) == 16, "no gaps, for tsr_same_bytes()");

// A thread's decoded configuration; state/plan_key.h says how long it is valid.
struct tsr_matrix_plan {
    struct tsr_plan_key key; // ALU of the bank, ALU and RWC of the thread
    struct tsr_matrix_job start;
    struct tsr_rwc_step step[TSR_ADDR_MODS];
    bool upper;      // ADDR_MOD_SET_Base
    uint32_t serial; // how often anything but the phase was another when it was decoded
    // Made again when any word changes of what is read beside the plan.
    struct tsr_matrix_beside beside;
    uint64_t stamp;        // serial, thread, and what of `start` is no part of that, in one
    uint32_t dst_offset;   // what rows of Dst are counted from, but for the counter
    uint8_t reads_checked; // a bit for each choice of sides whose formats caused no finding
};

// The last mode of an arithmetic instruction, and its kernels by what instructions add to it. Kept
// by source_format.c.
struct tsr_matrix_modes {
    uint32_t key; // 0: none
    tsr_element_mode mode;
    tsr_element_fn *element[TSR_ELEMENT_OPS][2][TSR_PHASES];
    const tsr_dot_kernel *dot[TSR_PHASES];
};

// What tsr_matrix_run_block() executed as one: a sequence, or a SETRWC before all sequences.
struct tsr_matrix_ran {
    uint8_t place; // of the sequence; TSR_SEQUENCES: a SETRWC
    uint8_t words; // of it that were executed
    uint32_t made; // which sequence it was; of a SETRWC, the sides whose owner stays
};

enum { TSR_MATRIX_RAN = 8 };
struct tsr_matrix_plans {
    struct tsr_matrix_plan thread[TSR_THREADS];
    struct tsr_matrix_args args[TSR_MATRIX_WORDS];
    struct tsr_matrix_modes modes;
    struct tsr_matrix_sequence sequence[TSR_SEQUENCES]; // pairs of places
    uint8_t recent[TSR_SEQUENCES / 2];                  // which of each was used last
    uint8_t after[TSR_SEQUENCES], latest;               // which came after each, and the last
    uint32_t made;                                      // counts sequences
    // Since somebody set `rans` to 0; TSR_MATRIX_RAN: that many or more.
    struct tsr_matrix_ran ran[TSR_MATRIX_RAN];
    uint8_t rans;
};

// Makes the plan again if its groups changed, and reads what lies outside them.
void tsr_matrix_plan_update(const struct tsr_env *env, int thread, struct tsr_matrix_plan *plan);
void tsr_matrix_args_make(const struct tsr_env *env, uint32_t word, struct tsr_matrix_args *args);
// ApplyAddrMod of RWCs.md.
void tsr_matrix_step_addr_mod(const struct tsr_matrix_call *call);

static inline struct tsr_matrix_plan *tsr_matrix_plan_for(const struct tsr_env *env, int thread)
{
    struct tsr_matrix_plan *plan = &env->matrix_plans->thread[thread];
    TSR_FOUND(plan);
    if (!tsr_plan_key_unchanged(&plan->key, &env->state->config))
        tsr_matrix_plan_update(env, thread, plan);
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
