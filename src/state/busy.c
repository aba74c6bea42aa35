// SPDX-License-Identifier: Apache-2.0
// Which unit is busy for which thread. Pages: STALLWAIT.md of each chip, FLUSHDMA.md, TDMA-RISC.md.
#include "state/busy.h"

bool tsr_unit_busy(const struct tsr_env *env, tsr_unit unit, int thread)
{
    const struct tsr_queue *queue = &env->state->queues.of[unit];
    for (unsigned i = 0; i < queue->count; i++)
        if (thread < 0 || queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH].thread == thread)
            return true;
    return false;
}

bool tsr_config_busy(const struct tsr_env *env)
{
    return tsr_unit_busy(env, TSR_UNIT_CONFIG, -1) ||
           env->state->now < env->state->queues.of[TSR_UNIT_CONFIG].opens_at;
}

bool tsr_mover_busy(const struct tsr_env *env)
{
    return env->state->mover.busy || tsr_unit_busy(env, TSR_UNIT_MOVER, -1);
}

// A PACR keeps the packers busy that it selects, and packer 0 if it selects none, until its bytes
// are in L1.
bool tsr_packer_busy(const struct tsr_env *env, unsigned packer, int thread)
{
    const struct tsr_queue *queue = &env->state->queues.of[TSR_UNIT_PACKER];
    const struct tsr_drain *drain = &env->state->queues.drain;
    if (env->state->now < drain->until && drain->thread == thread && (drain->packers >> packer & 1))
        return true;
    for (unsigned i = 0; i < queue->count; i++) {
        const struct tsr_inflight *inst = &queue->inst[(queue->first + i) % TSR_QUEUE_DEPTH];
        uint32_t chosen = tsr_arg(env, inst, OPERAND_PackSel);
        if (inst->thread == thread && ((chosen ? chosen : 1) >> packer & 1))
            return true;
    }
    return false;
}

bool tsr_scalar_memory_busy(const struct tsr_env *env, int thread)
{
    return env->state->scalar.outstanding[thread] > 0;
}
