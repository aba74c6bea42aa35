// SPDX-License-Identifier: Apache-2.0
// What the vector unit decodes once and not at each instruction: a word's operands, and what the
// configuration of a thread means to its loads and stores.
// Pages: SFPLOAD.md, SFPSTORE.md, RWCs.md, BackendConfiguration.md.
#ifndef TESSERA_VECTOR_VECTOR_PLAN_H
#define TESSERA_VECTOR_VECTOR_PLAN_H

#include "state/plan_key.h"
#include "state/rwc.h"
#include "vector/vector_call.h"

enum { TSR_VECTOR_WORDS = 256, TSR_VECTOR_DST_MODES = 16 };

// A thread's decoded configuration; state/plan_key.h says how long it is valid.
struct tsr_vector_plan {
    struct tsr_plan_key key; // ALU of the bank, ALU and RWC of the thread
    struct tsr_rwc_step step[TSR_ADDR_MODS];
    uint8_t rests;     // a bit for each AddrMod that steps no counter
    bool upper;        // ADDR_MOD_SET_Base
    uint8_t srcb_mode; // what MOD0_FMT_SRCB means
    // Read again when any word changes.
    uint8_t state_id;
    uint8_t order; // of rows of Dst
    uint32_t math_offset, dst_base, stack_base, stack_step;
    bool stalls; // the chip holds instructions that would read a result too early
};

// A mode of loads and stores with its kernels, found when they are first asked for.
struct tsr_vector_dst_mode {
    tsr_vector_mode mode;
    tsr_vector_load_fn *load;
    tsr_vector_store_fn *store;
};

struct tsr_vector_blocks; // vector_blocks.h

struct tsr_vector_plans {
    struct tsr_vector_plan thread[TSR_THREADS];
    struct tsr_vector_args args[TSR_VECTOR_WORDS];
    struct tsr_vector_dst_mode dst[TSR_VECTOR_DST_MODES];
    struct tsr_vector_blocks *blocks;
    tsr_vector_fn *random; // steps the PRNGs; found when it is first asked for
};

// Makes the plan again if its groups changed, and reads what lies outside them.
void tsr_vector_plan_update(const struct tsr_env *env, int thread, struct tsr_vector_plan *plan);

// Whether the chip holds an instruction that would read a result too early, as far as it knows.
bool tsr_vector_stalls(const struct tsr_env *env);

const struct tsr_vector_dst_mode *tsr_vector_dst_mode_make(const struct tsr_env *env,
                                                           unsigned mode);

// Mod0, which is not 0.
static inline const struct tsr_vector_dst_mode *tsr_vector_dst_mode(const struct tsr_env *env,
                                                                    unsigned mode)
{
    const struct tsr_vector_dst_mode *found = &env->vector_plans->dst[mode];
    return found->load ? found : tsr_vector_dst_mode_make(env, mode);
}

static inline struct tsr_vector_plan *tsr_vector_plan_for(const struct tsr_env *env, int thread)
{
    struct tsr_vector_plan *plan = &env->vector_plans->thread[thread];
    if (!tsr_plan_key_unchanged(&plan->key, &env->state->config))
        tsr_vector_plan_update(env, thread, plan);
    return plan;
}

// ApplyPartialAddrMod: all counters but the fidelity phase.
static inline void tsr_vector_step_counters(const struct tsr_env *env,
                                            const struct tsr_vector_plan *plan, tsr_rwc *rwc,
                                            unsigned index)
{
    if (env->chip->addr_mod_bank)
        index = (index & 3) + 4u * (unsigned)((rwc->extra_addr_mod != 0) | plan->upper);
    const struct tsr_rwc_step *step = &plan->step[index & 7];
    uint8_t fidelity = rwc->fidelity;
    tsr_rwc_apply(rwc, step);
    rwc->fidelity = fidelity;
}

#endif
