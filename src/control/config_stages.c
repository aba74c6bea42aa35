// SPDX-License-Identifier: Apache-2.0
// When the configuration unit can take an instruction, with timing on. SETC16 never waits. On
// Wormhole one RMWCIB or RDCFG enters a cycle, and none in the cycle behind a WRCFG or RDCFG. On
// Blackhole instructions go through stages -4 to +1, one a cycle, and enter where their work
// begins: never into a stage that is occupied, nor past an earlier one that is. Two defects of the
// chip are part of it: nobody waits for what is in stage -4, and the order is kept between all
// threads. Accesses of cores and of the mover take no place here.
// Page: ConfigurationUnit.md of each chip.
#include "control/config_stages.h"

enum { FIRST_ORDERED = -3 };

// How many cycles before its access of the configuration an instruction enters.
static int lead_of(const struct tsr_env *env, uint8_t op)
{
    if (op == OP_WRCFG)
        return env->isa->rate[RATE_WRCFG_LEAD];
    return op == OP_STREAMWRCFG ? env->isa->rate[RATE_STREAMWRCFG_LEAD] : 0;
}

static int accesses_of(const struct tsr_env *env, uint8_t op)
{
    return op == OP_CFGSHIFTMASK ? env->isa->rate[RATE_CFGSHIFTMASK_CYCLES] : 1;
}

// Whether `ahead`, `age` cycles after it entered, keeps an instruction out of stage `enter`.
static bool blackhole_blocks(const struct tsr_env *env, uint8_t ahead, int age, uint8_t op)
{
    int enter = -lead_of(env, op);
    int stage = age - lead_of(env, ahead), last = accesses_of(env, ahead) - 1;
    if (age == 0) { // they come together, and need different stages
        bool both = ahead == OP_CFGSHIFTMASK && enter == -1;
        both |= op == OP_CFGSHIFTMASK && stage == -1;
        return stage == enter || both;
    }
    if (stage > last)
        return false; // RDCFG in stage 1 is in nobody's way
    stage = stage > 0 ? 0 : stage;
    return stage >= FIRST_ORDERED && stage <= enter;
}

static bool wormhole_blocks(uint8_t ahead, int age, uint8_t op)
{
    if (op == OP_WRCFG)
        return age == 0 && ahead == OP_WRCFG;
    if (age == 0) // two RDCFGs are let in, and one is lost
        return ahead != OP_WRCFG && !(ahead == OP_RDCFG && op == OP_RDCFG);
    return age == 1 && (ahead == OP_RDCFG || ahead == OP_WRCFG);
}

tsr_reason tsr_config_stages_ready(struct tsr_env *env, const struct tsr_inflight *inst,
                                   uint64_t *retry_at)
{
    (void)retry_at;
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_CONFIG];
    if (!env->timing || inst->op == OP_SETC16)
        return TSR_REASON_NONE;
    for (unsigned i = 0; i < queue->count; i++) {
        const struct tsr_inflight *ahead = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        int age = (int)(env->state->now - ahead->accepted_at);
        if (ahead->op == OP_SETC16)
            continue;
        bool blocks = env->chip->config_stages ? blackhole_blocks(env, ahead->op, age, inst->op)
                                               : wormhole_blocks(ahead->op, age, inst->op);
        if (blocks)
            return TSR_REASON_UNIT_FULL;
    }
    return TSR_REASON_NONE;
}

const struct tsr_inflight *tsr_config_rdcfg_beside(const struct tsr_env *env,
                                                   const struct tsr_inflight *inst)
{
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_CONFIG];
    if (!env->timing || env->chip->config_stages)
        return NULL;
    for (unsigned i = 0; i < queue->count; i++) {
        const struct tsr_inflight *other = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        if (other->op == OP_RDCFG && other->accepted_at == env->state->now &&
            other->thread != inst->thread)
            return other;
    }
    return NULL;
}
