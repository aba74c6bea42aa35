// SPDX-License-Identifier: Apache-2.0
// Plans of unpacks: a shape and its kernel, kept for as long as the configuration that they were
// made from stays the same.
#ifndef TESSERA_UNPACK_UNPACK_PLAN_H
#define TESSERA_UNPACK_UNPACK_PLAN_H

#include "unpack/unpack_job.h"

// What configuration words outside the plan groups say. They are taken apart again if one of them
// differs; base addresses, which kernels rewrite for every tile, fill words of their own.
enum { TSR_UNPACK_INPUT_WORDS = 7 };
struct tsr_unpack_inputs {
    uint16_t addr32[TSR_UNPACK_INPUT_WORDS], base_addr32, set_addr32, set_word;
    uint32_t word[TSR_UNPACK_INPUT_WORDS];
    uint32_t base;        // of the tile, in units of 16 bytes
    uint32_t limit, fifo; // of the input's wrap, in the same
    uint32_t offset;      // from the base address, the header with it, in bytes
    uint32_t out, own;    // bases of the output address: the unpacker's, and the context's
    uint8_t row_base;     // [SrcRowBase]
};

struct tsr_unpack_plan {
    bool made;
    bool multi_context;
    uint8_t slot;
    uint32_t stamp;   // of the making; jobs remember it
    uint64_t changes; // of the configuration when it was last looked at
    uint32_t unpack_generation, alu_generation, thread_generation;
    struct tsr_unpack_shape shape;
    struct tsr_unpack_inputs inputs;
    tsr_unpack_src_fn *to_src; // NULL: datum by datum
    tsr_unpack_dst_fn *to_dst;
};

// Reads them anew where one that was read before has changed.
void tsr_unpack_reread_inputs(const struct tsr_env *env, const struct tsr_unpack_call *call,
                              const struct tsr_unpack_shape *shape,
                              struct tsr_unpack_inputs *inputs);
static inline void tsr_unpack_renew_inputs(const struct tsr_env *env,
                                           const struct tsr_unpack_call *call,
                                           const struct tsr_unpack_shape *shape,
                                           struct tsr_unpack_inputs *inputs)
{
    const uint32_t *bank = env->state->config.bank[call->state];
    const uint16_t *thread = env->state->config.thread[call->thread];
    uint32_t changed = (uint32_t)(thread[inputs->set_addr32] ^ inputs->set_word);
    for (unsigned i = 0; i < TSR_UNPACK_INPUT_WORDS; i++)
        changed |= bank[inputs->addr32[i]] ^ inputs->word[i];
    if (changed)
        tsr_unpack_reread_inputs(env, call, shape, inputs);
    inputs->base = bank[inputs->base_addr32];
}
void tsr_unpack_read_inputs(const struct tsr_env *env, const struct tsr_unpack_call *call,
                            const struct tsr_unpack_shape *shape, struct tsr_unpack_inputs *inputs);

enum { TSR_UNPACK_SLOTS = 2 * TSR_THREADS * TSR_UNPACK_CONTEXTS * 2 };
struct tsr_unpack_plans {
    uint32_t stamp;                         // counts plans that were made
    struct tsr_unpack_operands operands[2]; // of the last words that each unpacker got
    struct tsr_unpack_plan slot[TSR_UNPACK_SLOTS];
};

static inline enum tsr_plan_group tsr_unpack_group_of(const struct tsr_unpack_call *call)
{
    return call->unpacker == 0 ? PLAN_UNPACK0 : PLAN_UNPACK1;
}

static inline bool tsr_unpack_plan_is_fresh(const struct tsr_unpack_plan *plan,
                                            const struct tsr_config *config,
                                            const struct tsr_unpack_call *call)
{
    enum tsr_plan_group group = tsr_unpack_group_of(call);
    return plan->made && plan->multi_context == call->multi_context &&
           plan->unpack_generation == config->bank_generation[call->state][group] &&
           plan->alu_generation == config->bank_generation[call->state][PLAN_ALU] &&
           plan->thread_generation == config->thread_generation[call->thread][group];
}

void tsr_unpack_make_plan(struct tsr_env *env, const struct tsr_unpack_call *call,
                          struct tsr_unpack_plan *plan);

// The plan of a call, made now or before.
static inline const struct tsr_unpack_plan *tsr_unpack_plan_for(struct tsr_env *env,
                                                                const struct tsr_unpack_call *call)
{
    unsigned slot = call->unpacker;
    slot = slot * TSR_THREADS + call->thread;
    slot = slot * TSR_UNPACK_CONTEXTS + call->context;
    struct tsr_unpack_plan *plan = &env->unpack_plans->slot[slot * 2 + call->state];
    const struct tsr_config *config = &env->state->config;
    bool same = plan->made && plan->changes == config->changes &&
                plan->multi_context == call->multi_context;
    if (same) {
        env->plans_reused++;
        return plan;
    }
    if (tsr_unpack_plan_is_fresh(plan, config, call)) {
        env->plans_reused++;
        tsr_unpack_renew_inputs(env, call, &plan->shape, &plan->inputs);
    } else {
        tsr_unpack_make_plan(env, call, plan);
    }
    plan->changes = config->changes;
    return plan;
}

// The kernels of a job that was planned earlier; its plan may have gone meanwhile.
tsr_unpack_src_fn *tsr_unpack_src_kernel_again(const struct tsr_env *env,
                                               const struct tsr_unpack_job *job);
static inline tsr_unpack_src_fn *tsr_unpack_src_kernel(const struct tsr_env *env,
                                                       const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_plan *plan = &env->unpack_plans->slot[job->slot];
    return plan->made && plan->stamp == job->stamp ? plan->to_src
                                                   : tsr_unpack_src_kernel_again(env, job);
}
tsr_unpack_dst_fn *tsr_unpack_dst_kernel(const struct tsr_env *env,
                                         const struct tsr_unpack_job *job);

#endif
