// SPDX-License-Identifier: Apache-2.0
// The sync unit's mutexes: ATGETM waits at the gate until nobody else holds the mutex, ATRELM gives
// it back. One instruction a mutex a cycle, and an index that the chip lacks waits for ever.
// Pages: SyncUnit.md of each chip, ATGETM.md of each chip, ATRELM.md.
#include "control/mutexes.h"

#include "state/report.h"
#include "state/sync_rules.h"

static bool exists(const struct tsr_env *env, uint32_t index)
{
    return index < TSR_MUTEXES && (env->chip->mutexes >> index & 1);
}

// A thread that was refused this mutex and still stands at the gate for it.
static bool waits_for(const struct tsr_env *env, unsigned thread, uint32_t index)
{
    const struct tsr_frontend *frontend = &env->state->frontend[thread];
    if (frontend->reason != TSR_REASON_MUTEX || frontend->before_gate.count == 0)
        return false;
    uint32_t word = tsr_fifo_front(&frontend->before_gate);
    return tsr_op_of(env->isa, word) == OP_ATGETM &&
           tsr_operand(env->isa, OP_ATGETM, word, OPERAND_mutex_index) == index;
}

// Whoever waits longer in the order that begins behind the last holder has it first (ATRELM.md).
static bool another_goes_first(const struct tsr_env *env, unsigned thread, uint32_t index)
{
    unsigned first = env->state->sync.mutex[index].asked_first;
    for (unsigned i = 0; i < TSR_THREADS; i++) {
        unsigned other = (first + i) % TSR_THREADS;
        if (other == thread)
            return false;
        if (waits_for(env, other, index))
            return true;
    }
    return false;
}

tsr_reason tsr_mutex_ready(const struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t index = tsr_arg(env, inst, OPERAND_mutex_index);
    if (!exists(env, index))
        return TSR_REASON_MUTEX;
    const struct tsr_mutex *mutex = &env->state->sync.mutex[index];
    if (inst->op == OP_ATGETM && mutex->held_by != inst->thread + 1u &&
        (mutex->held_by != 0 || another_goes_first(env, inst->thread, index)))
        return TSR_REASON_MUTEX;
    return env->state->now < mutex->next_access ? TSR_REASON_UNIT_FULL : TSR_REASON_NONE;
}

static bool acquire(struct tsr_env *env, const struct tsr_inflight *inst, struct tsr_mutex *mutex,
                    uint32_t index)
{
    if (mutex->held_by != 0) {
        char text[TSR_INSTRUCTION_TEXT];
        tsr_origin_text(env, mutex->acquired, text, sizeof text);
        return tsr_report(env, FINDING_MUTEX_HELD_ALREADY, inst, NULL,
                          "ATGETM of mutex %u, which this thread holds already since %s.",
                          (unsigned)index, text) != TSR_HALT;
    }
    mutex->held_by = (uint8_t)(inst->thread + 1);
    mutex->acquired = tsr_origin_of(inst);
    return true;
}

static bool release(struct tsr_env *env, const struct tsr_inflight *inst, struct tsr_mutex *mutex,
                    uint32_t index)
{
    if (mutex->held_by == inst->thread + 1u) {
        mutex->held_by = 0;
        mutex->asked_first = (uint8_t)((inst->thread + 1) % TSR_THREADS);
        return true;
    }
    char text[TSR_INSTRUCTION_TEXT] = "nobody";
    if (mutex->held_by)
        tsr_origin_text(env, mutex->acquired, text, sizeof text);
    return tsr_report(env, FINDING_MUTEX_NOT_HELD, inst, NULL,
                      "ATRELM of mutex %u changes nothing: this thread does not hold it; its "
                      "holder is %s.",
                      (unsigned)index, text) != TSR_HALT;
}

bool tsr_mutex_accept(struct tsr_env *env, const struct tsr_inflight *inst)
{
    uint32_t index = tsr_arg(env, inst, OPERAND_mutex_index);
    struct tsr_mutex *mutex = &env->state->sync.mutex[index];
    bool ok =
        inst->op == OP_ATGETM ? acquire(env, inst, mutex, index) : release(env, inst, mutex, index);
    if (ok && env->timing)
        mutex->next_access = env->state->now + env->isa->issue_cycles[inst->op];
    return ok;
}
