// SPDX-License-Identifier: Apache-2.0
// The cache of plans: finds the plan of an UNPACR, and makes it again when a field of its plan
// groups has changed (state/plan_key.h). Page: UNPACR_Regular.md.
#include "unpack/unpack_plan.h"

#include "base/fresh_pages.h"

#include <string.h>

struct tsr_unpack_plans *tsr_unpack_plans_create(void)
{
    return tsr_fresh_pages(sizeof(struct tsr_unpack_plans));
}

void tsr_unpack_plans_destroy(struct tsr_unpack_plans *plans)
{
    tsr_fresh_pages_free(plans, sizeof *plans);
}

void tsr_unpack_plans_clear(struct tsr_unpack_plans *plans)
{
    uint32_t serial = plans->serial; // none comes again
    memset(plans, 0, sizeof *plans);
    plans->serial = serial;
}

static struct tsr_plan_groups groups_of(const struct tsr_unpack_operands *operands)
{
    uint8_t group = operands->unpacker == 0 ? PLAN_UNPACK0 : PLAN_UNPACK1;
    return (struct tsr_plan_groups){operands->state_id, operands->thread, .bank = {group, PLAN_ALU},
                                    .own = {group, PLAN_NONE}};
}

// Nothing to report, from one piece of L1 to rows of Src.
static bool is_plain(const struct tsr_unpack_plan *plan)
{
    const struct tsr_unpack_config *c = &plan->config;
    return plan->to_src && c->allows_kernel && !c->anomalies && !c->tileize && !c->transpose &&
           c->blocks == c->l1_exponents;
}

// InAddr as in unpack_address.c. What ends beyond the limit of a circular buffer wraps.
static void note_tile(const struct tsr_l1 *l1, struct tsr_unpack_plan *plan)
{
    const struct tsr_unpack_config *c = &plan->config;
    const struct tsr_unpack_inputs *in = &plan->inputs;
    uint32_t in_addr = (in->base_address + in->offset_address + 1 + c->digest_size) * 16;
    uint64_t end = l1->size, limit = (uint64_t)in->limit_address * 16;
    if (in->fifo_size != 0 && limit < end)
        end = limit;
    plan->first_bit = (in_addr + c->exponent_bytes) * 8;
    plan->end_bit = end * 8;
    plan->first_16th = (uint64_t)in_addr * 16;
    plan->end_16th = end * 16;
}

static void forget_steps(struct tsr_unpack_plan *plan)
{
    for (unsigned i = 0; i < TSR_UNPACK_STEPS; i++)
        plan->step[i].word = 0;
}

void tsr_unpack_plan_make(struct tsr_env *env, const struct tsr_unpack_operands *operands,
                          struct tsr_unpack_plan *plan)
{
    const tsr_unpack_mode *mode = &plan->config.mode;
    plan->to_src = NULL;
    plan->to_dst = NULL;
    tsr_unpack_config_make(env, operands, &plan->config);
    tsr_unpack_inputs_make(env, operands, &plan->inputs);
    if (env->kernels && plan->config.to_dst)
        plan->to_dst = tsr_kernels_unpack_dst(env->kernels, mode);
    else if (env->kernels)
        plan->to_src = tsr_kernels_unpack_src(env->kernels, mode);
    plan->slot = (uint8_t)(plan - env->unpack_plans->slot);
    plan->serial = ++env->unpack_plans->serial;
    plan->plain = is_plain(plan);
    forget_steps(plan);
    note_tile(&env->state->l1, plan);
    env->plans_made++;
    tsr_plan_key_set(&plan->key, &env->state->config, groups_of(operands));
}

bool tsr_unpack_plan_refresh(const struct tsr_env *env, const struct tsr_unpack_operands *operands,
                             struct tsr_unpack_plan *plan)
{
    const struct tsr_config *config = &env->state->config;
    if (!tsr_plan_key_holds(&plan->key, config, groups_of(operands)))
        return false;
    if (tsr_unpack_inputs_update(env, operands, &plan->inputs))
        forget_steps(plan);
    note_tile(&env->state->l1, plan);
    tsr_plan_key_note(&plan->key, config);
    return true;
}

static const struct tsr_unpack_plan *plan_of(const struct tsr_env *env,
                                             const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_plan *plan = &env->unpack_plans->slot[job->plan_slot];
    return plan->key.made && plan->serial == job->plan_serial ? plan : NULL;
}

tsr_unpack_src_fn *tsr_unpack_src_kernel(const struct tsr_env *env,
                                         const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_plan *plan = plan_of(env, job);
    if (plan)
        return plan->to_src;
    return env->kernels ? tsr_kernels_unpack_src(env->kernels, &job->config.mode) : NULL;
}

tsr_unpack_dst_fn *tsr_unpack_dst_kernel(const struct tsr_env *env,
                                         const struct tsr_unpack_job *job)
{
    const struct tsr_unpack_plan *plan = plan_of(env, job);
    if (plan)
        return plan->to_dst;
    return env->kernels ? tsr_kernels_unpack_dst(env->kernels, &job->config.mode) : NULL;
}
